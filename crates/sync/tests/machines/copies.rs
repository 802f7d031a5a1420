//! Tests that a copied data folder is detected, and that a restored ledger or server does not count as a copy.

use ashore_sync::cycle::SyncFault;

use crate::machine::SyncedMachine;

#[tokio::test(flavor = "multi_thread")]
async fn copied_machine_reports_fault_and_sends_nothing() {
    let mut laptop = SyncedMachine::first("Laptop").await;
    laptop.cycle().await.unwrap();
    let mut copy = laptop.copy().await;
    laptop.start_again();
    laptop.cycle().await.unwrap();
    copy.start_again();
    let before: Vec<_> = laptop.server.stored("clients");
    copy.send_to_itself().await;
    for _ in 0..2 {
        assert!(matches!(copy.cycle().await, Err(SyncFault::Copied)));
    }
    assert_eq!(laptop.server.stored("clients"), before);
    assert_eq!(laptop.server.stored("dl-sends"), []);
    laptop.cycle().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn running_machine_detects_start_of_its_copy() {
    let laptop = SyncedMachine::first("Laptop").await;
    laptop.cycle().await.unwrap();
    let mut copy = laptop.copy().await;
    copy.start_again();
    copy.cycle().await.unwrap();
    assert!(matches!(laptop.cycle().await, Err(SyncFault::Copied)));
    copy.cycle().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_does_not_count_as_copied_after_its_ledger_or_the_server_was_restored() {
    let mut laptop = SyncedMachine::first("Laptop").await;
    laptop.cycle().await.unwrap();
    let backup = laptop.server.snapshot();
    laptop.start_again();
    laptop.cycle().await.unwrap();
    // The copy has an old ledger, but the keychain contains the latest starts, as after a restored backup.
    let mut restored = laptop.copy().await;
    restored.start_again();
    restored.cycle().await.unwrap();
    restored.start_again();
    restored.cycle().await.unwrap();
    restored.server.restore(&backup);
    for _ in 0..2 {
        restored.cycle().await.unwrap();
    }
}
