//! Tests detailed views of requests.
//!
//! A view shows each attempt with its time and reason, the properties of the request, and the map of received bytes.

use std::{fs, os::unix::fs::symlink};

use ashore_engine::{
    NewRequest, RecordedRestart, RecordedRestartReason, RecordedVerification, RegistrationDetails, RegistrationResult,
    RequestAttempt, UniqueId,
};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, Route, content},
};

const MIB: u64 = 1 << 20;

fn numbers(details: &RegistrationDetails) -> Vec<u32> {
    details.attempts.iter().map(|attempt| attempt.number).collect()
}

#[tokio::test]
async fn every_attempt_is_recorded_with_time_and_reason_and_bytes() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/cut", Body::seeded(1, 2 * MIB)).reset_after(MIB + 300_000).times(1).status(503).times(2);
    let id = home.fetch([origin.url("/cut")]).await;
    home.settled(id).await;
    let details = home.details(id, 0).await.unwrap();
    let [last, busy, cut] = &details.attempts[..] else { panic!("three tries: {details:#?}") };
    assert_eq!(numbers(&details), [3, 2, 1]);
    for RequestAttempt { started, ended, .. } in [last, busy, cut] {
        assert!(started.unwrap() <= ended.unwrap(), "{details:#?}");
    }
    assert!(cut.ended <= busy.started && busy.ended <= last.started, "{details:#?}");
    let code = |attempt: &RequestAttempt| attempt.trouble.as_ref().map(|trouble| trouble.code.clone());
    assert_eq!([last, busy, cut].map(code), [None, Some("bad-status".to_owned()), Some("reset".to_owned())]);
    assert_eq!([last.status, busy.status, cut.status], [None, Some(503), None]);
    // The interrupted attempt received the durable bytes. The next attempt received none, and the last attempt received
    // the remaining bytes.
    assert!(cut.bytes > 0 && cut.brought == Some(cut.bytes), "{details:#?}");
    assert_eq!((busy.brought, last.brought, last.bytes), (Some(0), Some(2 * MIB - cut.bytes), 2 * MIB));
    assert!(details.attempts.iter().all(|attempt| !attempt.is_final));
    assert_eq!(details.finished, last.ended);
    assert!(home.bytes("cut") == content(1, 2 * MIB));
}

#[tokio::test]
async fn attempt_has_no_end_time_while_it_runs() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let slow = origin.file("/slow", Body::seeded(1, 4 * MIB)).gate_at(2 * MIB);
    origin.refuses("/gone", 404);
    origin.file("/moved", Body::bytes("")).redirect(302, "/gone");
    let id = home.fetch([origin.url("/slow"), origin.url("/moved")]).await;
    slow.held().await;
    home.until(id, |now| now.downloaded == 2 * MIB && now.failed == 1).await;
    let running = home.details(id, 0).await.unwrap();
    let [now] = &running.attempts[..] else { panic!("one try: {running:#?}") };
    assert_eq!((now.number, now.ended, now.bytes, now.brought), (1, None, 2 * MIB, Some(2 * MIB)));
    assert!(now.started.is_some() && now.trouble.is_none());
    assert_eq!(running.finished, None);
    let gone = home.details(id, 1).await.unwrap();
    assert!(now.url_chain.is_empty());
    let [refused] = &gone.attempts[..] else { panic!("one try: {gone:#?}") };
    assert_eq!((refused.status, refused.is_final, refused.bytes), (Some(404), true, 0));
    assert_eq!(refused.url_chain, ["/moved", "/gone"].map(|path| origin.url(path).to_string()));

    // The attempts are still recorded after a restart.
    home.close().await;
    slow.release();
    home.reopen().await;
    assert_eq!(home.details(id, 1).await.unwrap(), gone);
    home.settled(id).await;
    assert_eq!(numbers(&home.details(id, 0).await.unwrap()), [1], "a preempted run is not a separate attempt");
}

#[tokio::test]
async fn reason_and_earlier_byte_count_are_recorded_if_file_starts_over() {
    type Change = fn(Route) -> Route;
    let changes: [(Change, RecordedRestartReason); 3] = [
        (|file| file.content(Body::seeded(2, 4 * MIB)), RecordedRestartReason::Changed),
        (|file| file.content(Body::seeded(2, 4 * MIB)).ignore_ranges(), RecordedRestartReason::NoRanges),
        (|file| file.content_with_same_validators(Body::seeded(2, 4 * MIB)), RecordedRestartReason::Differs),
    ];
    for (change, why) in changes {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let file = origin.file("/a", Body::seeded(1, 4 * MIB)).gate_at(2 * MIB);
        let id = home.fetch([origin.url("/a")]).await;
        file.held().await;
        home.until(id, |now| now.downloaded == 2 * MIB).await;
        home.close().await;
        file.left().await;
        let file = change(file).gate_at(MIB);
        home.reopen().await;
        file.held().await;
        let anew = Some(RecordedRestart { why, bytes: 2 * MIB });
        let told = home.until_seen("the reason of the restart", async |engine| {
            let now = engine.details(id, 0).await.unwrap();
            now.attempts.first().is_some_and(|attempt| attempt.restart.is_some()).then_some(now)
        });
        let now = told.await;
        assert_eq!(
            (numbers(&now), now.attempts[0].ended, now.attempts[0].restart),
            (vec![1], None, anew),
            "while the attempt is running"
        );

        // A transfer that is stopped and resumed continues the same attempt. Only one restart from the beginning is
        // recorded.
        home.close().await;
        let file = file.honest();
        file.release();
        home.reopen().await;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        let done = home.details(id, 0).await.unwrap();
        assert_eq!((numbers(&done), done.attempts[0].restart), (vec![1], anew), "and for good: {done:#?}");
        assert!(home.bytes("a") == content(2, 4 * MIB));
    }
}

#[tokio::test]
async fn file_without_length_is_recorded_with_unknown_size() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/old", Body::seeded(1, 2 * MIB)).http10();
    origin.file("/tiny", Body::bytes("tiny")).http10();
    origin.file("/stated", Body::bytes("tiny"));
    let id = home.fetch(["/old", "/tiny", "/stated"].map(|path| origin.url(path))).await;
    home.settled(id).await;
    let verified: Vec<_> = home.records(id, 0, 3).await.unwrap().into_iter().map(|record| record.verified).collect();
    assert_eq!(
        verified,
        [Some(RecordedVerification::SizeUnknown), Some(RecordedVerification::SizeUnknown), Some(RecordedVerification::No)]
    );
}

#[tokio::test]
async fn properties_given_to_request_can_be_read_later() {
    let (origin, home) = (Origin::start().await, Home::open_without_fetching().await);
    let checksums = [("sha-256", 64), ("md5", 32)].map(|(name, digits)| format!("{name}={}", "a".repeat(digits)));
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let (referer, language) = (header("REFERER", "https://example.org/page"), header("Accept-Language", "de"));
    let asked = NewRequest {
        headers: vec![referer.clone(), language.clone(), header("X-Api-Key", "secret")],
        checksum: Some(checksums[0].clone()),
        checksums: vec![checksums[1].clone()],
        mirrors: vec!["https://mirror.example/a".to_owned()],
        ..get(origin.url("/a"))
    };
    let id = home.create(Home::ask_for([asked, get(origin.url("/b"))])).await.unwrap().unique_id;
    let details = home.details(id, 0).await.unwrap();
    assert_eq!(details.referrer.as_deref(), Some("https://example.org/page"));
    assert_eq!((details.headers, details.hidden_headers), (vec![referer, language], vec!["X-Api-Key".to_owned()]));
    assert_eq!((details.checksums, details.mirrors), (checksums.to_vec(), vec!["https://mirror.example/a".to_owned()]));
    assert_eq!(home.details(id, 1).await.unwrap(), RegistrationDetails::default());
    assert_eq!(home.details(id, 2).await.unwrap(), RegistrationDetails::default());
    let nobody: UniqueId = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed".parse().unwrap();
    assert_eq!(home.details(nobody, 0).await.unwrap_err().code(), "unknown");
    assert_eq!(home.segments(nobody).await.unwrap(), []);
}

#[tokio::test]
async fn segment_map_exists_only_while_transfer_runs() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 4\n").await);
    let size = 24 * MIB;
    let large = origin.file("/large", Body::seeded(1, size)).gate_at(MIB);
    let small = origin.file("/small", Body::seeded(2, 4 * MIB)).gate_at(MIB);
    origin.file("/tiny", Body::bytes("tiny"));
    let id = home.fetch([origin.url("/tiny"), origin.url("/small"), origin.url("/large")]).await;
    large.held().await;
    small.held().await;
    home.until(id, |now| now.succeeded == 1 && now.downloaded > 10 * MIB).await;
    let maps = home.segments(id).await.unwrap();
    let [small_map, large_map] = &maps[..] else { panic!("of those that run: {maps:?}") };
    assert_eq!((small_map.index, small_map.size, large_map.index, large_map.size), (1, 4 * MIB, 2, size));
    // With a single connection, the received bytes are contiguous from the start of the file.
    assert_eq!(small_map.there.iter().filter(|percent| **percent == 100).count(), 32, "{small_map:?}");
    assert_eq!(small_map.fetching, [(MIB, 4 * MIB)]);
    // With several connections, some bytes after the blocked part have also been received.
    let gap = large_map.there.iter().position(|percent| *percent < 100).unwrap();
    assert!(large_map.there[gap..].contains(&100), "{large_map:?}");
    assert!(large_map.fetching.iter().all(|(at, end)| at < end && *end <= size), "{large_map:?}");

    large.release();
    small.release();
    home.settled(id).await;
    assert_eq!(home.segments(id).await.unwrap(), []);
}

/// The user opens a finished download whose file has been replaced.
///
/// Ashore must not open the replacement.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test moves a file of the user")]
async fn finished_file_is_distinguished_from_file_that_replaced_it() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::seeded(1, 1000));
    let slow = origin.file("/b", Body::seeded(2, 4 * MIB)).gate_at(MIB);
    let id = home.fetch([origin.url("/a"), origin.url("/b")]).await;
    slow.held().await;
    home.until(id, |now| now.succeeded == 1).await;
    let said = async |index| home.file(id, index).await.map_err(|error| error.code());
    let path = home.downloads().join("a");
    assert_eq!((said(0).await, said(1).await, said(2).await), (Ok(path.clone()), Err("not-there"), Err("not-there")));

    let own = path.with_extension("own");
    fs::rename(&path, &own).unwrap();
    assert_eq!(said(0).await, Err("not-there"));
    fs::write(&path, content(3, 1000)).unwrap();
    assert_eq!(said(0).await, Err("changed"), "as long as it was, and another one");
    fs::remove_file(&path).unwrap();
    symlink(&own, &path).unwrap();
    assert_eq!(said(0).await, Err("changed"), "a symbolic link may lead to another file by then");
    fs::rename(&own, &path).unwrap();
    assert_eq!(said(0).await, Ok(path), "moved away and back");
    slow.release();
    home.settled(id).await;
}
