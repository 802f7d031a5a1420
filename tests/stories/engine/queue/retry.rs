//! Tests retries.
//!
//! Ashore retries automatically if a retry may help, immediately if the user requests it, and never if it cannot help.

use std::sync::atomic::{AtomicI64, Ordering};

use ashore_engine::{EngineEnv, NewRequest, QueuePlace, RecordOutcome, RecordState, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{EventListener, Home, env, get, owed_in},
    origin::{Body, Origin, content},
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

#[tokio::test]
async fn temporary_failures_are_retried_automatically() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let busy = origin.file("/busy", Body::bytes("busy")).status(503).times(2);
    let cut = origin.file("/cut", Body::seeded(1, 500_000)).reset_after(300_000).times(1);
    let short = origin.file("/short", Body::seeded(2, 500_000)).end_after(300_000).times(1);
    let silent = origin.file("/silent", Body::bytes("silent")).close_before_head().times(2);
    let id = home.fetch(["/busy", "/cut", "/short", "/silent"].map(|path| origin.url(path))).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 4));
    assert_eq!((settled.failure_reason, settled.failure), (Default::default(), None));
    assert_eq!(
        [&busy, &cut, &short, &silent].map(|route| route.requests().len()),
        [3, 2, 2, 3],
        "a silent one is asked twice at once"
    );
    assert!(home.bytes("cut") == content(1, 500_000) && home.bytes("short") == content(2, 500_000));
    for route in [&cut, &short] {
        assert!(route.requests()[1].range_start().is_some(), "the transfer resumed at its offset");
    }
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records.iter().map(|record| record.attempts).collect::<Vec<_>>(), [3, 2, 2, 2]);
    assert!(records.iter().all(|record| record.next_try.is_none() && record.status == Some(200)));
}

#[tokio::test]
async fn file_is_not_fetched_again_if_failed_attempt_gave_it_its_final_name() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a.bin", Body::bytes("whole")).status(404);
    let id = home.fetch([origin.url("/a.bin")]).await;
    home.settled(id).await;
    home.close().await;
    // Create the state after a try that has given the file its final name and has then failed at its last sync.
    let ledger = SqliteConnectOptions::new().filename(home.data().join("ledger.sqlite"));
    let mut ledger = ledger.connect().await.unwrap();
    let guid: Vec<u8> = sqlx::query_scalar("SELECT guid FROM req_state").fetch_one(&mut ledger).await.unwrap();
    ledger.close().await.unwrap();
    let [placed, part] =
        ["a.bin".to_owned(), format!("a.bin.{}.part", hex::encode(&guid[..4]))].map(|name| home.downloads().join(name));
    std::fs::write(&placed, "whole").unwrap();
    std::fs::hard_link(&placed, &part).unwrap();
    drop(file.honest());
    home.reopen().await;
    home.retry(id).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    home.until_names(&["a.bin"]).await;
}

#[tokio::test]
async fn waiting_download_shows_reason_and_time_of_next_try() {
    let (origin, home) = (Origin::start().await, Home::open_with("retry-after-seconds = 600\n").await);
    let busy = origin.file("/busy", Body::bytes("busy")).status(503).times(1);
    let id = home.fetch([origin.url("/busy")]).await;
    let waiting = home.until(id, |now| now.next_try.is_some()).await;
    assert_eq!(waiting.state, RegistrationState::Waiting);
    let why = waiting.waiting_for.unwrap();
    assert_eq!(why.code, "bad-status");
    assert!(why.text.contains("busy"), "{}", why.text);
    let minutes = (waiting.next_try.unwrap() - waiting.created) / 60_000;
    assert!((5..=16).contains(&minutes), "ten minutes, more or less: {minutes}");
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.attempts, record.next_try), (RecordState::Waiting, 1, waiting.next_try));
    assert_eq!((record.code.as_deref(), record.outcome), (Some("bad-status"), None));
    assert_eq!(home.totals().await.unwrap().waiting, 1);

    // The user can retry immediately.
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(busy.requests().len(), 2);
}

#[tokio::test]
async fn wait_before_retry_survives_restart() {
    let (origin, mut home) = (Origin::start().await, Home::open_with("retry-after-seconds = 600\n").await);
    origin.file("/busy", Body::bytes("busy")).status(503).times(1);
    let id = home.fetch([origin.url("/busy")]).await;
    let before = home.until(id, |now| now.next_try.is_some()).await;
    home.crash().await;
    home.reopen().await;
    assert_eq!(home.show(id).await.unwrap(), before);
    assert_eq!(origin.requests().len(), 1);
    assert_eq!(home.retry(id).await.unwrap(), 1);
    home.settled(id).await;
}

#[tokio::test]
async fn retry_after_header_applies_to_whole_host() {
    let origin = Origin::start().await;
    let home = Home::open_with("retry-after-seconds = 600\nparallel-per-host = 1\n").await;
    let busy = origin.file("/busy", Body::bytes("busy")).status(429).times(1).header("Retry-After", "1");
    let other = origin.file("/other", Body::bytes("other"));
    let begun = std::time::Instant::now();
    let id = home.fetch([origin.url("/busy"), origin.url("/other")]).await;
    home.until_record(id, 0, |record| record.state == RecordState::Waiting).await;
    assert!(other.requests().is_empty(), "not that file either");
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 2));
    assert!(begun.elapsed() >= std::time::Duration::from_secs(1), "the retry was too early");
    assert_eq!((busy.requests().len(), other.requests().len()), (2, 1));
}

static CLOCK: AtomicI64 = AtomicI64::new(1_700_000_000_000_000);

#[tokio::test]
async fn wait_between_attempts_doubles_until_last_attempt() {
    let origin = Origin::start().await;
    let now_us = || CLOCK.load(Ordering::SeqCst);
    let clock = EngineEnv { now_us, uptime_us: now_us, random: || 0.5, ..env() };
    let mut home = Home::closed("attempts = 4\nretry-after-seconds = 10\n").env(clock);
    home.reopen().await;
    let busy = origin.file("/busy", Body::bytes("busy")).status(500);
    let id = home.fetch([origin.url("/busy")]).await;
    for (tries, seconds) in [(1, 10), (2, 20), (3, 40)] {
        let waiting = home.until(id, |now| now.next_try.is_some()).await;
        assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, tries);
        let wait = waiting.next_try.unwrap() * 1000 - CLOCK.load(Ordering::SeqCst);
        assert_eq!(wait, seconds * 1_000_000, "after {tries}");
        // No attempt starts early, even if another event wakes the engine.
        CLOCK.fetch_add(wait - 1000, Ordering::SeqCst);
        home.move_to(id, QueuePlace::Top).await.unwrap();
        assert_eq!(busy.requests().len(), tries as usize);
        CLOCK.fetch_add(1000, Ordering::SeqCst);
        home.move_to(id, QueuePlace::Top).await.unwrap();
        home.until_record(id, 0, |record| record.attempts > tries || record.state == RecordState::Dead).await;
    }
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failed), (RegistrationResult::Failure, 1));
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.attempts, record.status), (RecordState::Dead, 4, Some(500)));
    assert_eq!(busy.requests().len(), 4);
}

#[tokio::test]
async fn retry_repeats_only_failed_requests_and_emits_new_end_event() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let good = origin.file("/good", Body::bytes("good"));
    let gone = origin.file("/gone", Body::bytes("back again")).status(404).times(1);
    let mut ear = EventListener::to(&home);
    let id = home.fetch([origin.url("/good"), origin.url("/gone")]).await;
    let first = home.settled(id).await;
    assert_eq!((first.result, first.succeeded, first.failed), (RegistrationResult::Failure, 1, 1));
    assert!(home.claim(id).await.unwrap());

    assert_eq!(home.retry(id).await.unwrap(), 1);
    let again = home.settled(id).await;
    assert_eq!((again.result, again.succeeded, again.failed), (RegistrationResult::Success, 2, 0));
    assert_eq!((again.failure_reason, again.failure), (Default::default(), None));
    assert_eq!((good.requests().len(), gone.requests().len()), (1, 2));
    assert_eq!(home.bytes("gone"), b"back again");
    assert!(home.claim(id).await.unwrap(), "the second end has its own notification");
    assert!(!home.claim(id).await.unwrap());
    let mut heard = ear.hear_until_owed().await;
    heard.extend(ear.hear_until_owed().await);
    let results: Vec<_> = owed_in(&heard).into_iter().map(|now| now.result).collect();
    assert_eq!(results, [RegistrationResult::Failure, RegistrationResult::Success]);

    assert_eq!(home.retry(id).await.unwrap(), 0, "there is nothing left to retry");
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Settled);
}

#[tokio::test]
async fn retry_of_aborted_download_resumes_unfinished_requests() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/done", Body::bytes("done"));
    let slow = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/done"), origin.url("/slow")]).await;
    slow.held().await;
    home.until(id, |now| now.succeeded == 1).await;
    assert!(home.abort(id).await.unwrap());
    home.until(id, |now| now.active == 0).await;
    slow.release();
    assert_eq!(home.retry(id).await.unwrap(), 1);
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 2));
    assert_eq!(home.bytes("slow"), content(1, 1000));
}

#[tokio::test]
async fn retry_is_refused_while_another_download_has_its_developer_id() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.refuses("/gone", 404);
    let ask = |paused| ashore_engine::NewRegistration {
        developer_id: Some("mine".to_owned()),
        paused,
        ..Home::ask([origin.url("/gone")])
    };
    let old = home.create(ask(false)).await.unwrap().unique_id;
    home.settled(old).await;
    home.create(ask(true)).await.unwrap();
    assert_eq!(home.retry(old).await.unwrap_err().code(), "id-taken");
    assert_eq!(home.show(old).await.unwrap().state, RegistrationState::Settled);
}

#[tokio::test]
async fn failure_of_optional_request_is_recorded_and_download_succeeds() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/good", Body::bytes("good"));
    origin.refuses("/extra", 404);
    let extra = NewRequest { optional: true, ..get(origin.url("/extra")) };
    let id = home.create(Home::ask_for([extra, get(origin.url("/good"))])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 1, 1));
    assert_eq!((settled.failure_reason, settled.failure), (Default::default(), None));
    let records = home.records(id, 0, 0).await.unwrap();
    assert!(records[0].optional && !records[1].optional);
    assert_eq!((records[0].outcome, records[0].status), (Some(RecordOutcome::Failure), Some(404)));
    // A registration with only optional requests succeeds even if they fail.
    let extra = NewRequest { optional: true, ..get(origin.url("/extra")) };
    let id = home.create(Home::ask_for([extra])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn matching_checksum_is_recorded_and_mismatching_file_is_not_kept() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("abc"));
    origin.file("/b", Body::bytes("abd"));
    // The digest of "abc" from FIPS 180-2, appendix B.1.
    let abc = "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let with = |path| NewRequest { checksum: Some(abc.to_owned()), ..get(origin.url(path)) };
    let id = home.create(Home::ask_for([with("/a"), with("/b")])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.succeeded, settled.failed), (1, 1));
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records[0].verified, Some(ashore_engine::RecordedVerification::ByDigest));
    assert_eq!(records[0].digest.as_deref(), Some(abc));
    assert_eq!((records[1].code.as_deref(), records[1].path.clone()), (Some("digest-mismatch"), None));
    assert!(!home.names().contains(&"b".to_owned()));
}
