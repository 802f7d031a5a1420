//! Tests how a person resolves a conflict.

use ashore_sync::service::RemoteChange;

use crate::{actions::PersonActions as _, machine::SyncedMachine};

#[tokio::test(flavor = "multi_thread")]
async fn download_removed_while_edited_elsewhere_can_be_fetched_again() {
    let laptop = SyncedMachine::first("Laptop").await;
    let desktop = laptop.next("Desktop").await;
    laptop.add("a.pdf").await;
    for machine in [&laptop, &desktop, &laptop, &desktop] {
        machine.cycle().await.unwrap();
    }
    let other = desktop.service.remote_downloads().await.unwrap().remove(0);
    assert_eq!(desktop.service.status().await.unwrap().others, 1);
    laptop.remove("a.pdf").await;
    laptop.cycle().await.unwrap();
    desktop.service.change_remote(&other.id, RemoteChange::Resume).await.unwrap();
    desktop.cycle().await.unwrap();

    let conflict = desktop.service.conflicts().await.unwrap().remove(0);
    assert_eq!((conflict.field.as_str(), conflict.title.as_str()), ("removed", "a.pdf"));
    desktop.service.resolve(conflict.number, true).await.unwrap();
    assert_eq!(desktop.titles().await, ["a.pdf"]);
    assert_eq!(desktop.service.conflicts().await.unwrap(), []);
    assert_eq!(desktop.service.status().await.unwrap().others, 0);
}
