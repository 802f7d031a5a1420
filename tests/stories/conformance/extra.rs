//! Tests cases beyond the public test suite that occur in practice.
//!
//! Covers totals, first failures, servers that change, and races.

use ashore_engine::{
    EngineEvent, FailureReason, NewRegistration, RecordOutcome, RecordState, RegistrationResult, RegistrationState, UniqueId,
};
use ashore_testkit::{
    home::{EventListener, Home, owed_in},
    origin::{Body, Origin, Route, content},
};

/// Item X1 of the conformance list.
#[tokio::test]
async fn all_transfers_stop_when_download_total_is_exceeded() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/big", Body::seeded(1, 300_000)).chunked();
    let slow = origin.file("/slow", Body::seeded(2, 1000)).gate_at(500);
    let third = origin.file("/third", Body::bytes("3"));
    let mut ear = EventListener::to(&home);
    let ask =
        NewRegistration { download_total: 100_000, ..Home::ask([origin.url("/slow"), origin.url("/big"), origin.url("/third")]) };
    let id = home.create(ask).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Failure);
    assert_eq!(settled.failure_reason, FailureReason::DownloadTotalExceeded);
    assert_eq!(settled.failure.unwrap().code, "download-total-exceeded");
    // Running transfers are stopped. Queued ones never start.
    let records = home
        .until_seen("nothing of it runs any more", async |engine| {
            let still = engine.show(id).await.unwrap();
            (still.active == 0).then_some(engine.records(id, 0, 0).await.unwrap())
        })
        .await;
    assert_eq!(records[0].state, RecordState::Aborted);
    assert_eq!((records[1].state, records[1].code.as_deref()), (RecordState::Dead, Some("download-total-exceeded")));
    assert_eq!((records[2].state, records[2].status), (RecordState::Aborted, None));
    assert!(third.requests().is_empty());
    // No byte beyond the limit is ever stored.
    assert!(home.show(id).await.unwrap().downloaded <= 100_000);
    for name in home.names().iter().filter(|name| name.ends_with(".part")) {
        assert!(home.bytes(name).len() <= 100_000, "{name} is too long");
    }
    slow.release();

    // If the declared length is too large, the download fails just as early.
    origin.file("/declared", Body::seeded(3, 300_000));
    let ask = NewRegistration { download_total: 100_000, ..Home::ask([origin.url("/declared")]) };
    let second = home.create(ask).await.unwrap().unique_id;
    assert_eq!(home.settled(second).await.failure_reason, FailureReason::DownloadTotalExceeded);
    assert_eq!(owed_in(&ear.hear_until_owed_for(second).await).len(), 2, "one event each");

    // A file may have exactly the declared total size.
    origin.file("/fits", Body::seeded(4, 100_000)).chunked();
    let ask = NewRegistration { download_total: 100_000, ..Home::ask([origin.url("/fits")]) };
    let third = home.create(ask).await.unwrap().unique_id;
    assert_eq!(home.settled(third).await.result, RegistrationResult::Success);
}

/// Item X2 of the conformance list.
#[tokio::test]
async fn first_failure_determines_failure_reason_of_registration() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 1\nattempts = 1\n").await;
    origin.refuses("/gone", 404);
    origin.file("/cut", Body::seeded(1, 1000)).reset_after(10);
    origin.refuses("/busy", 503);
    origin.file("/last", Body::bytes("last"));
    let id = home.fetch(["/gone", "/cut", "/busy", "/last"].map(|path| origin.url(path))).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failure_reason), (RegistrationResult::Failure, FailureReason::BadStatus));
    assert!(settled.failure.unwrap().text.contains("File not found on the server"), "the first one's own words");
    assert_eq!((settled.succeeded, settled.failed), (1, 3));
    assert_eq!(home.bytes("last"), b"last");
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records[3].outcome, Some(RecordOutcome::Success));
    let statuses: Vec<_> = records.iter().map(|record| record.status).collect();
    assert_eq!(statuses, [Some(404), Some(200), Some(503), Some(200)]);
}

/// Downloads 600,000 bytes of a file of 1,000,000 bytes, and pauses the download. The received bytes stay on disk.
async fn pause_at_part(origin: &Origin, home: &Home) -> (Route, UniqueId) {
    let file = origin.file("/a", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0 && now.downloaded == 600_000).await;
    file.release();
    (file, id)
}

async fn assert_goes_on_to(home: &Home, id: UniqueId, expected: &[u8]) {
    home.resume(Some(id)).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Success, "{:?}", settled.failure);
    assert_eq!(settled.downloaded, expected.len() as u64);
    assert!(home.bytes("a") == expected, "the bytes are those of one file");
    home.until_names(&["a"]).await;
}

/// Item X3 of the conformance list.
#[tokio::test]
async fn resume_never_appends_misplaced_or_changed_content() {
    // The server answers 206, but its Content-Range states a different start.
    let (origin, home) = (Origin::start().await, Home::open().await);
    let (file, id) = pause_at_part(&origin, &home).await;
    file.shift_ranges(1).times(1);
    assert_goes_on_to(&home, id, &content(1, 1_000_000)).await;

    // The server sends different content with a different ETag.
    let (origin, home) = (Origin::start().await, Home::open().await);
    let (file, id) = pause_at_part(&origin, &home).await;
    file.content(Body::seeded(2, 1_000_000));
    assert_goes_on_to(&home, id, &content(2, 1_000_000)).await;

    // The server states a different complete length with the same validators.
    let (origin, home) = (Origin::start().await, Home::open().await);
    let (file, id) = pause_at_part(&origin, &home).await;
    file.content_with_same_validators(Body::seeded(2, 1_100_000));
    home.resume(Some(id)).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Failure);
    assert_eq!(settled.failure.unwrap().code, "untrue-length");
    assert!(!home.names().contains(&"a".to_owned()), "a contradiction is no file");
}

/// Item X4 of the conformance list.
#[tokio::test]
async fn download_restarts_from_zero_if_resume_is_answered_with_status_200() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let (file, id) = pause_at_part(&origin, &home).await;
    let file = file.ignore_ranges().gate_at(100_000);
    home.resume(Some(id)).await.unwrap();
    file.held().await;
    let again = home.until(id, |now| now.downloaded <= 100_000).await;
    assert_eq!(again.state, RegistrationState::Running);
    home.until(id, |now| now.downloaded == 100_000).await;
    file.release();
    assert_goes_on_to(&home, id, &content(1, 1_000_000)).await;
    assert_eq!(file.requests().len(), 2);
}

/// Item X5 of the conformance list.
#[tokio::test]
async fn file_of_unknown_length_completes_even_after_416_at_end() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/chunked", Body::seeded(1, 100_000)).chunked();
    origin.file("/until-close", Body::seeded(2, 100_000)).until_close();
    origin.file("/old", Body::seeded(3, 100_000)).http10();
    origin.file("/empty", Body::bytes("")).chunked();
    let id = home.fetch(["/chunked", "/until-close", "/old", "/empty"].map(|path| origin.url(path))).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 300_000));
    assert_eq!(home.bytes("chunked"), content(1, 100_000));
    assert_eq!(home.bytes("until-close"), content(2, 100_000));
    assert_eq!(home.bytes("old"), content(3, 100_000));
    assert_eq!(home.bytes("empty"), b"");

    // All bytes have arrived, but the server has not ended the body. It answers 416 to the request for the rest.
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 300_000)).chunked().gate_at(300_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 300_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    file.release();
    let file = file.refuse_ranges(Some("bytes */300000"));
    assert_goes_on_to(&home, id, &content(1, 300_000)).await;
    assert_eq!(file.requests().len(), 2);
    assert_eq!(file.bytes_sent(), 300_000, "nothing came twice");
}

/// Item X6 of the conformance list.
#[tokio::test]
async fn rest_of_file_is_requested_if_range_answers_are_shorter_than_requested() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let (file, id) = pause_at_part(&origin, &home).await;
    let file = file.shorten_ranges(150_000);
    assert_goes_on_to(&home, id, &content(1, 1_000_000)).await;
    let starts: Vec<u64> = file.requests().iter().skip(1).map(|request| request.range_start().unwrap()).collect();
    assert!(starts.len() >= 3 && starts.is_sorted(), "{starts:?}");
}

/// Item X8 of the conformance list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn abort_at_completion_emits_exactly_one_event() {
    const ROUNDS: usize = 24;
    let (origin, home) = (Origin::start().await, Home::open().await);
    let mut ear = EventListener::to(&home);
    let mut answers = Vec::new();
    for round in 0..ROUNDS {
        let path = format!("/{round}");
        let file = origin.file(&path, Body::seeded(1, 1000)).gate_at(900);
        let id = home.fetch([origin.url(&path)]).await;
        file.held().await;
        file.release();
        let waited = if round % 2 == 0 { 0 } else { round as u64 * 100 };
        // This sleep does not wait for a condition. It makes each round abort at a different moment of the completion.
        tokio::time::sleep(std::time::Duration::from_micros(waited)).await;
        answers.push((id, home.abort(id).await.unwrap()));
        home.settled(id).await;
    }
    let last = answers.last().unwrap().0;
    let owed = owed_in(&ear.hear_until_owed_for(last).await);
    assert_eq!(owed.len(), ROUNDS);
    for (id, is_ours) in answers {
        let events: Vec<_> = owed.iter().filter(|now| now.unique_id == id).collect();
        assert_eq!(events.len(), 1, "one event for each");
        let reason = if is_ours { FailureReason::Aborted } else { FailureReason::None };
        assert_eq!((events[0].failure_reason, home.show(id).await.unwrap().failure_reason), (reason, reason));
        assert!(home.claim(id).await.unwrap() && !home.claim(id).await.unwrap());
    }
}

/// Item X9 of the conformance list.
#[tokio::test]
async fn developer_id_is_reusable_after_abort() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/done", Body::bytes("done"));
    let slow = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    let ask =
        || NewRegistration { developer_id: Some("mine".to_owned()), ..Home::ask([origin.url("/done"), origin.url("/slow")]) };
    let old = home.create(ask()).await.unwrap().unique_id;
    slow.held().await;
    home.until(old, |now| now.succeeded == 1).await;
    assert!(home.abort(old).await.unwrap());
    let new = home.create(ask()).await.unwrap().unique_id;
    assert_ne!(old, new);
    assert_eq!(home.find("story", "mine").await.unwrap().unwrap().unique_id, new);

    assert_eq!(home.show(old).await.unwrap().failure_reason, FailureReason::Aborted);
    let records = home.records(old, 0, 0).await.unwrap();
    assert_eq!(std::fs::read(records[0].path.as_ref().unwrap()).unwrap(), b"done");
    assert!(!home.abort(old).await.unwrap());
    assert_eq!(home.ids("story").await.unwrap(), ["mine"]);
    assert_ne!(home.show(new).await.unwrap().state, RegistrationState::Settled);
    slow.release();
    let settled = home.settled(new).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 2));
    assert_eq!(home.show(old).await.unwrap().failure_reason, FailureReason::Aborted);
}

/// Item X10 of the conformance list.
#[tokio::test]
async fn removed_owner_gets_no_end_event() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let slow = origin.file("/slow", Body::seeded(1, 500_000)).gate_at(200_000);
    origin.file("/other", Body::bytes("other"));
    let ask = NewRegistration {
        owner: "leaving".to_owned(),
        developer_id: Some("mine".to_owned()),
        ..Home::ask([origin.url("/slow"), origin.url("/never")])
    };
    let mut ear = EventListener::to(&home);
    let id = home.create(ask).await.unwrap().unique_id;
    slow.held().await;
    home.until(id, |now| now.downloaded == 200_000).await;
    home.remove_owner("leaving").await.unwrap();
    assert_eq!(home.show(id).await.unwrap_err().code(), "unknown");
    assert!(home.ids("leaving").await.unwrap().is_empty());
    assert!(home.pending_notifications().await.unwrap().is_empty());
    home.until_names(&[]).await;

    let other = home.fetch([origin.url("/other")]).await;
    home.settled(other).await;
    let heard = ear.hear_until_owed().await;
    assert_eq!(owed_in(&heard)[0].unique_id, other);
    assert!(heard.iter().any(|event| matches!(event, EngineEvent::Removed { unique_id, .. } if *unique_id == id)));
    let is_told = heard.iter().any(|event| match event {
        EngineEvent::Changed { registration } => registration.unique_id == id && registration.state == RegistrationState::Settled,
        _ => false,
    });
    assert!(!is_told, "no end event was emitted");
    assert_eq!(slow.bytes_sent(), 200_000, "its transfer has stopped");
    // The integrity check finds no remains of the removed owner.
    let report = home.doctor().await.unwrap();
    assert_eq!((report.ledger.as_str(), report.partials.len(), report.orphans.len()), ("ok", 0, 0));
}
