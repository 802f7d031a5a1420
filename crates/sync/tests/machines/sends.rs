//! Tests that a sender sees whether its download was delivered.

use ashore_sync::{
    merge::{CycleScope, MOST_SENDS},
    service::SendState,
};
use serde_json::json;

use crate::{
    actions::PersonActions as _,
    machine::{DAY_MS, two_machines},
};

const HOUR_MS: i64 = 60 * 60 * 1000;

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
async fn sent_download_that_was_refused_is_shown_and_deleted_from_server() {
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
async fn sent_download_expires_if_not_fetched_for_month_and_is_listed_as_missed() {
    let (laptop, desktop) = two_machines().await;
    let phone = laptop.next("Phone").await;
    laptop.send("a.pdf", "Desktop").await;
    laptop.cycle().await.unwrap();
    laptop.advance(30 * DAY_MS);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await, only("a.pdf", SendState::Waiting));
    laptop.advance(DAY_MS);
    laptop.cycle().await.unwrap();
    for _ in 0..2 {
        assert_eq!(laptop.sends().await, only("a.pdf", SendState::Expired));
        laptop.cycle().await.unwrap();
    }
    let [notice] = &laptop.server.stored("dl-sends")[..] else { panic!("the notice is not on the server") };
    let notice = laptop.record("dl-sends", &notice.id);
    assert_eq!((&notice["requests"], &notice["answer"]), (&json!([]), &json!("expired")), "it has no links");

    for machine in [&desktop, &phone] {
        assert_eq!(machine.cycle().await.unwrap().arrived, []);
    }
    assert_eq!((desktop.titles().await, phone.sends().await), (Vec::<String>::new(), Vec::new()));
    let missed = desktop.service().sends().await.unwrap();
    let shown: Vec<_> = missed.iter().map(|one| (&*one.title, &*one.from, &*one.to, one.state)).collect();
    assert_eq!(shown, [("a.pdf", "Laptop", "Desktop", SendState::Missed)]);
    // The sender no longer shows the send, and the server has deleted the notice.
    desktop.advance(31 * DAY_MS);
    laptop.advance_clock(31 * DAY_MS);
    for machine in [&laptop, &desktop] {
        machine.cycle().await.unwrap();
        assert_eq!(machine.sends().await, []);
        assert_eq!(machine.home.all_sync_records("dl-sends", "", 99).await.unwrap(), []);
    }
    assert_eq!(laptop.server.stored("dl-sends"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn late_recipient_sees_missed_download_after_it_expired_on_sender() {
    let (laptop, desktop) = two_machines().await;
    laptop.send("a.pdf", "Desktop").await;
    laptop.cycle().await.unwrap();
    desktop.advance(40 * DAY_MS);
    desktop.cycle().await.unwrap();
    assert_eq!(desktop.sends().await, [], "only the sender knows of the send");
    laptop.advance_clock(40 * DAY_MS);
    laptop.cycle().await.unwrap();
    desktop.cycle().await.unwrap();
    assert_eq!(
        (laptop.sends().await, desktop.sends().await),
        (only("a.pdf", SendState::Expired), only("a.pdf", SendState::Missed))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn recipient_ignores_notice_about_missed_download_that_it_has_received() {
    let (laptop, desktop) = two_machines().await;
    // The recipient accepts only a limited number of sends per hour, so the last send waits.
    for number in 0..=MOST_SENDS {
        if number == MOST_SENDS {
            laptop.advance(HOUR_MS);
        }
        laptop.send(&format!("{number:02}.pdf"), "Desktop").await;
    }
    laptop.cycle().await.unwrap();
    desktop.cycle().await.unwrap();
    assert_eq!(desktop.titles().await.len(), MOST_SENDS);
    // The recipient's clock has not advanced, so the hourly limit still applies.
    laptop.advance(31 * DAY_MS);
    laptop.cycle().await.unwrap();
    assert_eq!(laptop.sends().await.into_iter().filter(|(_, state)| *state == SendState::Expired).count(), 1);
    desktop.cycle().await.unwrap();
    assert_eq!((desktop.titles().await.len(), desktop.sends().await), (MOST_SENDS, Vec::new()));

    // The recipient's engine takes the times of its downloads from another clock, so advance the recipient's clock far
    // enough.
    desktop.advance_clock(36_500 * DAY_MS);
    for machine in [&desktop, &laptop, &desktop] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(desktop.titles().await.len(), MOST_SENDS + 1);
    assert!(laptop.sends().await.iter().all(|(_, state)| *state == SendState::Delivered));
    assert_eq!((laptop.server.stored("dl-sends"), desktop.sends().await), (Vec::new(), Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn recipient_deletes_repeated_notice_about_download_that_it_has_received() {
    let (laptop, desktop) = two_machines().await;
    let id = laptop.send("a.pdf", "Desktop").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await.unwrap();
    }
    let [from, to] = [&laptop, &desktop].map(|machine| machine.server.token().unwrap().device().to_owned());
    let record = json!({ "v": 1, "to": to, "from": from, "title": "a.pdf", "requests": [], "sent_ms": 0, "answer": "expired" });
    laptop.put_record("dl-sends", &id, &record).await;
    desktop.cycle().await.unwrap();
    assert_eq!((desktop.sends().await, desktop.server.stored("dl-sends")), (Vec::new(), Vec::new()));
    assert_eq!(desktop.home.all_sync_records("dl-sends", "", 99).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_sent_downloads_are_synced_over_metered_connection() {
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
