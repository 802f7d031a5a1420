//! Tests of resolving conflicts.

use ashore_sync::service::RemoteChange;

use crate::{
    actions::PersonActions as _,
    machine::{SyncedMachine, two_machines},
};

/// Returns two machines that both know the first machine's download.
async fn with_download() -> (SyncedMachine, SyncedMachine) {
    let (laptop, desktop) = two_machines().await;
    laptop.add("a.pdf").await;
    for machine in [&laptop, &desktop] {
        machine.cycle().await.unwrap();
    }
    (laptop, desktop)
}

#[tokio::test(flavor = "multi_thread")]
async fn editing_machine_can_fetch_download_again_after_another_machine_removed_it() {
    let (laptop, desktop) = with_download().await;
    let other = desktop.service.remote_downloads().await.unwrap().remove(0);
    assert_eq!(desktop.service.status().await.unwrap().others, 1);
    laptop.remove("a.pdf").await;
    laptop.cycle().await.unwrap();
    desktop.service.change_remote(&other.id, RemoteChange::Resume).await.unwrap();
    desktop.cycle().await.unwrap();

    let conflict = desktop.service.conflicts().await.unwrap().remove(0);
    assert_eq!((conflict.field.as_str(), conflict.title.as_str()), ("removed", "a.pdf"));
    assert_eq!((conflict.device_name.as_str(), conflict.removed_by.as_deref()), ("Desktop", Some("Laptop")));
    desktop.service.resolve(conflict.number, true).await.unwrap();
    assert_eq!(desktop.titles().await, ["a.pdf"]);
    assert_eq!(desktop.service.conflicts().await.unwrap(), []);
    assert_eq!(desktop.service.status().await.unwrap().others, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn removing_machine_can_fetch_download_again_after_another_machine_edited_it() {
    let (laptop, desktop) = with_download().await;
    let other = desktop.service.remote_downloads().await.unwrap().remove(0);
    desktop.service.change_remote(&other.id, RemoteChange::Resume).await.unwrap();
    desktop.cycle().await.unwrap();
    laptop.remove("a.pdf").await;
    laptop.cycle().await.unwrap();

    let conflict = laptop.service.conflicts().await.unwrap().remove(0);
    assert_eq!((conflict.field.as_str(), conflict.title.as_str()), ("removed", "a.pdf"));
    assert_eq!((conflict.device_name.as_str(), conflict.removed_by.as_deref()), ("Desktop", Some("Laptop")));
    laptop.service.resolve(conflict.number, true).await.unwrap();
    assert_eq!(laptop.titles().await, ["a.pdf"]);
    for machine in [&laptop, &desktop] {
        machine.cycle().await.unwrap();
        assert_eq!(machine.service.conflicts().await.unwrap(), []);
    }
    assert_eq!(desktop.others().await, [("a.pdf".to_owned(), "Laptop".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn conflict_between_resume_and_requested_removal_names_no_removing_machine() {
    let (laptop, desktop) = with_download().await;
    let phone = laptop.next("Phone").await;
    phone.cycle().await.unwrap();
    let other = desktop.service.remote_downloads().await.unwrap().remove(0);
    for (machine, change) in [(&desktop, RemoteChange::Resume), (&phone, RemoteChange::Remove)] {
        machine.service.change_remote(&other.id, change).await.unwrap();
        machine.cycle().await.unwrap();
    }
    let conflict = phone.service.conflicts().await.unwrap().remove(0);
    assert_eq!((conflict.field.as_str(), conflict.losing.as_str(), conflict.winning.as_str()), ("requested", "run", "removed"));
    assert_eq!((conflict.device_name.as_str(), conflict.removed_by), ("Desktop", None));
}
