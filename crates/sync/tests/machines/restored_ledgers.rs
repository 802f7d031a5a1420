//! Tests of a machine whose ledger was restored from a backup.

use ashore_engine::{ListQuery, RegistrationState, UniqueId};
use ashore_sync::service::RemoteChange;
use ashore_testkit::{
    home::get,
    origin::{Body, Origin},
};

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine},
};

/// Size of the file in an interrupted download, in bytes.
const SIZE: u64 = 1 << 20;

async fn ask(machine: &ServiceMachine, title: &str, change: RemoteChange) {
    let all = machine.service.remote_downloads().await.unwrap();
    let found = all.into_iter().find(|one| one.title == title).unwrap();
    machine.service.change_remote(&found.id, change).await.unwrap();
}

/// Creates a download on behalf of the window, and returns its key.
async fn fetch(machine: &ServiceMachine, origin: &Origin, title: &str) -> UniqueId {
    let mut new = ashore_testkit::home::Home::ask_for([get(origin.url(&format!("/{title}")))]);
    (new.owner, new.title) = ("window".to_owned(), Some(title.to_owned()));
    machine.home.create(new).await.unwrap().unique_id
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_missing_from_restored_ledger_are_offered_and_others_stay_unchanged() {
    let origin = Origin::start().await;
    let held = origin.file("/running.bin", Body::seeded(3, SIZE)).gate_at(SIZE / 2);
    origin.file("/done.bin", Body::bytes("done"));
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    for title in ["kept.pdf", "moved.pdf", "removed.pdf"] {
        laptop.add(title).await;
    }
    desktop.add("other.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await;
    }
    let backup = laptop.back_up_ledger().await;

    // After the backup, the downloads of both machines change.
    laptop.add("lost.pdf").await;
    let done = fetch(&laptop, &origin, "done.bin").await;
    laptop.home.settled(done).await;
    fetch(&laptop, &origin, "running.bin").await;
    held.held().await;
    laptop.rename_download("kept.pdf", "renamed.pdf").await;
    laptop.remove("removed.pdf").await;
    laptop.cycle().await;
    desktop.cycle().await;
    ask(&desktop, "moved.pdf", RemoteChange::MoveHere).await;
    desktop.home.pause(Some(desktop.key("moved.pdf").await)).await.unwrap();
    desktop.home.set_synced_setting("attempts", Some(&3.into())).await.unwrap();
    desktop.remove("other.pdf").await;
    desktop.add("new.pdf").await;
    desktop.cycle().await;
    let before = desktop.others().await;

    laptop.restore_ledger(&backup).await;
    assert_eq!(laptop.titles().await, ["kept.pdf", "moved.pdf", "removed.pdf"]);
    for machine in [&laptop, &desktop, &laptop, &desktop] {
        machine.cycle().await;
    }
    // The former home keeps the moved download paused until the new home has started it.
    assert_eq!(laptop.titles().await, ["lost.pdf", "moved.pdf", "renamed.pdf", "running.bin"]);
    for download in laptop.home.list(ListQuery::default()).await.unwrap() {
        assert_eq!(download.state, RegistrationState::Paused, "{} waits for the person", download.title);
    }
    assert_eq!(desktop.others().await, before);
    assert_eq!(desktop.titles().await, ["moved.pdf", "new.pdf"]);
    assert_eq!(laptop.others().await, ["moved.pdf", "new.pdf"].map(|title| (title.to_owned(), "Desktop".to_owned())));
    let attempts = laptop.home.synced_settings().into_iter().find(|(name, _)| name == "attempts").unwrap();
    assert_eq!(attempts.1, Some(3.0.into()));
    let others = desktop.service.remote_downloads().await.unwrap();
    let states: Vec<_> = others.iter().filter(|one| one.state != "paused").map(|one| (&*one.title, &*one.state)).collect();
    assert_eq!(states, [("done.bin", "done")]);
    for machine in [&laptop, &desktop] {
        assert_eq!(machine.service.status().await.unwrap().conflicts, 0);
        assert_eq!(machine.cycle().await.sent, 0, "nothing is left to send");
    }

    // A lost download is offered again, but not after the user has removed it.
    laptop.remove("lost.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await;
    }
    assert_eq!(laptop.titles().await, ["moved.pdf", "renamed.pdf", "running.bin"]);
    assert!(desktop.others().await.iter().all(|(title, _)| title != "lost.pdf"));
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_with_ledger_from_before_key_renewal_adopts_new_keys() {
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let lost = household.next(&[&laptop], "Lost").await;
    let desktop = household.next(&[&laptop, &lost], "Desktop").await;
    let backup = laptop.back_up_ledger().await;
    desktop.service.remove_device("Lost").await.unwrap();
    laptop.add("a.pdf").await;
    laptop.cycle().await;
    laptop.restore_ledger(&backup).await;
    assert_eq!(laptop.account().await.generation, 1);
    laptop.cycle().await;
    assert_eq!(laptop.account().await.generation, 2);
    assert_eq!(laptop.titles().await, ["a.pdf"]);
    desktop.cycle().await;
    assert_eq!(desktop.others().await, [("a.pdf".to_owned(), "Laptop".to_owned())]);
}
