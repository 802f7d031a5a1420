//! Tests of a server that lost its latest writes because it was restored from a backup. Another machine writes to the
//! server before any machine detects that writes are missing.

use ashore_sync::{
    records::{DownloadRecord, SettingRecord, SyncRecord as _},
    service::SyncStatus,
};

use crate::{
    actions::PersonActions as _,
    machine::{DAY_MS, SyncedMachine, two_machines},
};

async fn status(machine: &SyncedMachine) -> SyncStatus {
    machine.service.status().await.unwrap()
}

/// Time of the latest write to a collection.
fn latest_ms(machine: &SyncedMachine, collection: &str) -> i64 {
    machine.server.stored(collection).iter().map(|object| object.modified_ms).max().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_that_server_lost_are_resent_despite_write_by_another_machine() {
    let (laptop, desktop) = two_machines().await;
    for title in ["a.pdf", "b.pdf"] {
        desktop.add(title).await;
    }
    desktop.cycle().await.unwrap();
    laptop.cycle().await.unwrap();
    let backup = laptop.server.snapshot();
    desktop.advance(DAY_MS);
    desktop.rename_download("a.pdf", "renamed.pdf").await;
    desktop.cycle().await.unwrap();
    let first_lost_ms = latest_ms(&desktop, DownloadRecord::COLLECTION);
    desktop.advance(DAY_MS);
    desktop.add("c.pdf").await;
    desktop.cycle().await.unwrap();

    desktop.server.restore(&backup);
    desktop.advance(DAY_MS);
    laptop.add("d.pdf").await;
    assert!(!laptop.cycle().await.unwrap().is_restored, "this machine has lost nothing");
    let report = desktop.cycle().await.unwrap();
    assert!(report.is_restored, "{report:?}");
    assert_eq!(status(&desktop).await.restored.unwrap().until_ms, first_lost_ms - 1);
    laptop.cycle().await.unwrap();
    let of_desktop = ["b.pdf", "c.pdf", "renamed.pdf"].map(|title| (title.to_owned(), "Desktop".to_owned()));
    assert_eq!(laptop.others().await, of_desktop);
    assert_eq!(desktop.others().await, [("d.pdf".to_owned(), "Laptop".to_owned())]);
    for machine in [&desktop, &laptop, &desktop] {
        let report = machine.cycle().await.unwrap();
        assert_eq!((report.sent, report.is_restored), (0, false), "the loss is found once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn setting_that_server_lost_is_resent_despite_write_by_another_machine() {
    let (laptop, desktop) = two_machines().await;
    desktop.home.set_synced_setting("attempts", Some(&3.into())).await.unwrap();
    desktop.cycle().await.unwrap();
    laptop.cycle().await.unwrap();
    let backup = laptop.server.snapshot();
    desktop.home.set_synced_setting("attempts", Some(&4.into())).await.unwrap();
    desktop.cycle().await.unwrap();
    let lost_ms = latest_ms(&desktop, SettingRecord::COLLECTION);

    desktop.server.restore(&backup);
    desktop.advance(DAY_MS);
    laptop.home.set_synced_setting("stall-seconds", Some(&20.into())).await.unwrap();
    laptop.cycle().await.unwrap();
    assert!(desktop.cycle().await.unwrap().is_restored);
    assert_eq!(status(&desktop).await.restored.unwrap().until_ms, lost_ms - 1);
    laptop.cycle().await.unwrap();
    for machine in [&laptop, &desktop] {
        let settings = machine.home.synced_settings();
        let value = |name: &str| settings.iter().find(|(known, _)| known == name).unwrap().1.clone();
        assert_eq!((value("attempts"), value("stall-seconds")), (Some(4.0.into()), Some(20.0.into())));
    }
}
