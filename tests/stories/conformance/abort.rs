//! Tests aborts: aborting a registration twice, during a transfer, and before any response.

use ashore_engine::{FailureReason, RecordOutcome, RecordState, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{EventListener, Home, owed_in},
    origin::{Body, Origin},
};

/// Item ABT-1 of the conformance list.
#[tokio::test]
async fn registration_can_be_aborted_only_once() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/slow")]).await;
    file.held().await;
    assert!(home.abort(id).await.unwrap());
    assert!(!home.abort(id).await.unwrap());
    assert_eq!(home.show(id).await.unwrap().failure_reason, FailureReason::Aborted);
}

/// Item ABT-2 of the conformance list.
#[tokio::test]
async fn abort_keeps_complete_files_and_removes_partial_files() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/done", Body::bytes("Background Fetch"));
    let slow = origin.file("/slow", Body::seeded(1, 100_000)).gate_at(50_000);
    let id = home.fetch([origin.url("/done"), origin.url("/slow")]).await;
    slow.held().await;
    home.until(id, |now| now.succeeded == 1).await;

    let mut ear = EventListener::to(&home);
    assert!(home.abort(id).await.unwrap());
    let owed = owed_in(&ear.hear_until_owed().await);
    assert_eq!(owed.len(), 1);
    for seen in [&owed[0], &home.show(id).await.unwrap()] {
        assert_eq!(seen.unique_id, id);
        assert_eq!(seen.state, RegistrationState::Settled);
        assert_eq!(seen.result, RegistrationResult::Failure);
        assert_eq!(seen.failure_reason, FailureReason::Aborted);
        assert_eq!(seen.failure.as_ref().unwrap().code, "aborted");
        assert_eq!((seen.requests, seen.succeeded), (2, 1));
    }

    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].url, origin.url("/done").as_str());
    assert_eq!((records[0].state, records[0].outcome), (RecordState::Completed, Some(RecordOutcome::Success)));
    assert_eq!(records[0].status, Some(200));
    assert_eq!(std::fs::read(records[0].path.as_ref().unwrap()).unwrap(), b"Background Fetch");
    assert_eq!((records[1].state, records[1].outcome), (RecordState::Aborted, Some(RecordOutcome::Aborted)));
    assert_eq!(records[1].path, None);
    // The partial file is no longer needed and is removed.
    home.until_names(&["done"]).await;
}

/// Item ABT-3 of the conformance list.
#[tokio::test]
async fn abort_before_response_leaves_record_without_status() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/never", Body::bytes("x")).hang();
    let mut ear = EventListener::to(&home);
    let id = home.fetch([origin.url("/never")]).await;
    assert!(home.abort(id).await.unwrap());
    let record = home.until_record(id, 0, |record| record.status.is_some() || record.outcome.is_some()).await;
    assert_eq!(record.status, None);
    assert_eq!(record.outcome, Some(RecordOutcome::Aborted));
    assert_eq!(record.code.as_deref(), Some("aborted"));
    assert!(record.text.unwrap().ends_with('.'));
    assert_eq!(home.records(id, 0, 0).await.unwrap().len(), 1);
    assert_eq!(owed_in(&ear.hear_until_owed().await)[0].failure_reason, FailureReason::Aborted);
    home.until_names(&[]).await;
}
