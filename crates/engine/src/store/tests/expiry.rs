//! Tests when settled registrations leave the list. Only the ledger is involved.

use crate::{model::values::retention::RetentionPeriod, store::tests::*};

const SECOND: i64 = 1_000_000;

fn kept(name: &str, seconds: u64) -> AcceptedRegistration {
    AcceptedRegistration {
        keep_for: Some(RetentionPeriod::of_seconds(seconds).unwrap()),
        ..asked(name, &["https://example.org/a"])
    }
}

/// Creates a registration that ends at `second`. The user is notified of the end immediately.
async fn over(ledger: &Ledger, new: &AcceptedRegistration, second: i64) {
    ledger.create(new).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let reason = FailureReason::Aborted;
    writing.mark_registration_for_deletion(new.unique_id, reason, &trouble("aborted"), second * SECOND).await.unwrap();
    assert!(writing.claim(new.unique_id, second * SECOND).await.unwrap());
    writing.commit().await.unwrap();
}

async fn expired(ledger: &Ledger, second: i64) -> Vec<UniqueId> {
    let mut writing = ledger.store.begin().await.unwrap();
    writing.expired(second * SECOND, 10).await.unwrap().into_iter().map(|(id, _)| id).collect()
}

#[tokio::test]
async fn expiry_uses_retention_of_registration_or_default_setting() {
    let ledger = Ledger::new().await;
    let (short, long, other) = (kept("short", 10), kept("long", 100), asked("other", &["https://example.org/a"]));
    for new in [&short, &long, &other] {
        over(&ledger, new, 5).await;
    }
    assert_eq!(ledger.store.next_expiry().await.unwrap(), Some(15 * SECOND));
    assert_eq!(expired(&ledger, 14).await, []);
    assert_eq!(expired(&ledger, 1000).await, [short.unique_id, long.unique_id]);
    for (after, second) in [(Some(50 * SECOND), Some(55)), (Some(20 * SECOND), Some(25)), (None, None)] {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.forget_after(after).await.unwrap();
        writing.commit().await.unwrap();
        assert_eq!(ledger.show(other.unique_id).await.expires, second.map(|second: i64| second * 1000));
        assert_eq!(ledger.store.forgetting().await.unwrap(), after);
    }
    // A change of the setting applies to registrations that settle after the change.
    let mut writing = ledger.store.begin().await.unwrap();
    writing.forget_after(Some(7 * SECOND)).await.unwrap();
    writing.commit().await.unwrap();
    let new = asked("new", &["https://example.org/a"]);
    over(&ledger, &new, 100).await;
    assert_eq!(ledger.show(new.unique_id).await.expires, Some(107_000));
}

#[tokio::test]
async fn expiry_waits_for_notification_and_is_cleared_by_retry() {
    let ledger = Ledger::new().await;
    let new = kept("a", 10);
    ledger.create(&new).await.unwrap();
    ledger.abort(new.unique_id).await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.expires, Some(16_000));
    assert_eq!((expired(&ledger, 1000).await, ledger.store.next_expiry().await.unwrap()), (vec![], None));
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.claim(new.unique_id, 50 * SECOND).await.unwrap());
    writing.commit().await.unwrap();
    // The retention time starts again at the notification, which came late.
    assert_eq!((expired(&ledger, 59).await, expired(&ledger, 60).await), (vec![], vec![new.unique_id]));
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 1);
    assert_eq!(writing.expired(1000 * SECOND, 10).await.unwrap(), []);
    writing.commit().await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.expires, None);
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.expires, Some(15_000));
}

#[tokio::test]
async fn expiry_is_corrected_after_clock_was_set_back() {
    let ledger = Ledger::new().await;
    let (later, sooner) = (kept("later", 10), kept("sooner", 100));
    over(&ledger, &later, 5000).await;
    over(&ledger, &sooner, 50).await;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.count_from(100 * SECOND).await.unwrap();
    writing.commit().await.unwrap();
    let expires = async |id| ledger.show(id).await.expires;
    assert_eq!((expires(later.unique_id).await, expires(sooner.unique_id).await), (Some(110_000), Some(150_000)));
}
