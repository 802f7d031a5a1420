//! Tests that the sender of a download sees how the send ended.

use ashore_sync::{merge::CycleScope, service::SendState};

use crate::{
    actions::PersonActions as _,
    machine::{DAY_MS, two_machines},
};

fn only(title: &str, state: SendState) -> Vec<(String, SendState)> {
    vec![(title.to_owned(), state)]
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_that_was_delivered_is_shown_and_never_resent() {
    let (laptop, desktop) = two_machines().await;
    let phone = laptop.next("Phone").await;
    let before = laptop.server.snapshot();
    laptop.send("a.pdf", "Desktop").await;
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Waiting));
    laptop.cycle().await.unwrap();
    phone.cycle().await.unwrap();
    assert_eq!(phone.home.all_sync_records("dl-sends", "", 9).await.unwrap(), [], "sends of others are not stored");
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Waiting));
    desktop.cycle().await.unwrap();
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Delivered));
    assert_eq!((laptop.titles().await.len(), desktop.titles().await), (0, vec!["a.pdf".to_owned()]));

    laptop.server.restore(&before);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.server.stored("dl-sends"), []);
    laptop.advance(61 * DAY_MS);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_sent_download_is_shown_and_deleted_from_server() {
    let (laptop, desktop) = two_machines().await;
    laptop.send_unchecked("a.pdf", "Desktop", "https://files.test:22/a.pdf").await;
    laptop.send("b.pdf", "Desktop").await;
    laptop.cycle().await.unwrap();
    assert_eq!(desktop.cycle().await.unwrap().arrived.len(), 1);
    laptop.cycle().await.unwrap();
    let sends = laptop.sends().await;
    assert_eq!(sends, [("a.pdf".to_owned(), SendState::Refused), ("b.pdf".to_owned(), SendState::Delivered)]);
    assert_eq!(laptop.server.stored("dl-sends"), []);
    desktop.cycle().await.unwrap();
    assert_eq!(desktop.home.all_sync_records("dl-sends", "", 99).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_that_is_not_fetched_for_a_month_expires() {
    let (laptop, _desktop) = two_machines().await;
    laptop.send("a.pdf", "Desktop").await;
    laptop.cycle().await.unwrap();
    laptop.advance(30 * DAY_MS);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Waiting));
    laptop.advance(DAY_MS);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Expired));
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.server.stored("dl-sends"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn cycle_on_metered_connection_transfers_only_sent_downloads() {
    let (laptop, desktop) = two_machines().await;
    laptop.add("b.pdf").await;
    laptop.send("a.pdf", "Desktop").await;
    laptop.cycle_of(CycleScope::SendsOnly).await.unwrap();
    assert_eq!(laptop.server.stored("dl-items"), []);
    desktop.cycle_of(CycleScope::SendsOnly).await.unwrap();
    assert_eq!(desktop.titles().await, ["a.pdf"]);
    laptop.cycle().await.unwrap();
    desktop.cycle().await.unwrap();
    assert_eq!(desktop.others().await, [("b.pdf".to_owned(), "Laptop".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn received_download_is_announced_once_although_restored_server_repeats_it() {
    let (laptop, desktop) = two_machines().await;
    laptop.send("a.pdf", "Desktop").await;
    laptop.cycle().await.unwrap();
    let backup = laptop.server.snapshot();
    assert_eq!(desktop.cycle().await.unwrap().arrived.len(), 1);
    desktop.server.restore(&backup);
    desktop.advance(DAY_MS);
    for _ in 0..2 {
        assert_eq!(desktop.cycle().await.unwrap().arrived, []);
    }
    assert_eq!((desktop.titles().await, desktop.server.stored("dl-sends")), (vec!["a.pdf".to_owned()], Vec::new()));
    assert_eq!(desktop.home.all_sync_records("dl-sends", "", 99).await.unwrap(), []);
}
