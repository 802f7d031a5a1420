//! Tests optional requests, which are tried only once.
//!
//! A failure is recorded. Neither the registration nor the chain that contains the request waits for another try.

use ashore_engine::{FollowUpRule, FollowUpSeries, NewRequest, RecordOutcome, RecordState, RegistrationResult};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, Route},
};

/// Settings that make a retry wait for hours.
const PATIENT: &str = "retry-after-seconds = 3000\nstall-seconds = 1\n";

/// Ways in which `/extra` fails, each with the code of the failure.
const FAILURES: &[(&str, &str)] = &[
    ("a server error", "bad-status"),
    ("a bad gateway", "bad-status"),
    ("too many requests", "bad-status"),
    ("busy for an hour", "bad-status"),
    ("not found", "bad-status"),
    ("a cut connection", "reset"),
    ("closed before the head", "reset"),
    ("ended too early", "truncated"),
    ("silence", "timeout"),
];

fn fail(origin: &Origin, how: &str, path: &str) -> Route {
    let file = || origin.file(path, Body::seeded(3, 50_000));
    match how {
        "a server error" => file().status(500),
        "a bad gateway" => file().status(502),
        "too many requests" => file().status_until(429, "3000"),
        "busy for an hour" => file().status_until(503, "3600"),
        "not found" => file().status(404),
        "a cut connection" => file().reset_after(10_000),
        "closed before the head" => file().close_before_head(),
        "ended too early" => file().end_after(10_000),
        _ => file().hang(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn optional_request_is_tried_once_for_every_kind_of_failure() {
    let origin = Origin::start().await;
    for (how, code) in FAILURES {
        let home = Home::open_with(PATIENT).await;
        let _extra = fail(&origin, how, "/extra");
        origin.file("/good", Body::bytes("good"));
        let before = origin.requests().len();
        let extra = NewRequest { optional: true, ..get(origin.url("/extra")) };
        // Put the successful request first: if a server answers that it is busy, the whole host may get a cooldown.
        let id = home.create(Home::ask_for([get(origin.url("/good")), extra])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 1, 1), "{how}");
        let record = &home.records(id, 0, 0).await.unwrap()[1];
        assert_eq!((record.outcome, record.attempts), (Some(RecordOutcome::Failure), 1), "{how}");
        let reset_or = |code: &str| {
            if code == "reset" {
                ["reset", "truncated"].contains(&record.code.as_deref().unwrap())
            } else {
                record.code.as_deref() == Some(code)
            }
        };
        assert!(reset_or(code), "{how}: {:?}", record.code);
        let asked = origin.requests()[before..].iter().filter(|request| request.path == "/extra").count();
        assert!(asked <= 2, "{how}: a connection that is closed without an answer is tried afresh, and nothing else: {asked}");
    }
}

#[tokio::test]
async fn optional_request_fails_immediately_if_server_is_unreachable() {
    let (origin, home) = (Origin::start().await, Home::open_with(PATIENT).await);
    let closed = Origin::closed();
    origin.file("/good", Body::bytes("good"));
    let optional = |url: String| NewRequest { optional: true, ..get(url) };
    let nowhere = |number: u32| optional(format!("http://nowhere-{number}.invalid/logo"));
    let away = (0..20).map(|number| optional(closed.url(&format!("/{number}")).to_string()));
    let requests = away.chain([nowhere(1), nowhere(1), get(origin.url("/good"))]);
    let id = home.create(Home::ask_for(requests)).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 1, 22));
    let records = home.records(id, 0, 0).await.unwrap();
    assert!(records[..20].iter().all(|record| record.code.as_deref() == Some("connect")), "{records:#?}");
    assert!(
        records.iter().all(|record| record.state == RecordState::Completed || record.outcome == Some(RecordOutcome::Failure))
    );
}

#[tokio::test]
async fn optional_request_fails_immediately_if_server_is_busy() {
    let (origin, home) = (Origin::start().await, Home::open_with("parallel-per-host = 1\n").await);
    let busy = origin.file("/busy", Body::bytes("x")).status_until(503, "3600");
    origin.file("/extra", Body::bytes("x"));
    let optional = |path: &str| NewRequest { optional: true, ..get(origin.url(path)) };
    let id = home.create(Home::ask_for([optional("/busy"), optional("/extra")])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    // A request that is not optional waits as long as the server demands, and shows the reason.
    let needed = home.fetch([origin.url("/extra")]).await;
    let waiting = home.until(needed, |now| now.waiting_for.is_some()).await;
    assert_eq!(waiting.waiting_for.unwrap().code, "host-busy");
    assert_eq!((busy.requests().len(), origin.requests().len()), (1, 1));
    // When the user retries the registration, the optional request is tried once more.
    drop(busy);
    origin.file("/busy", Body::bytes("x"));
    assert_eq!(home.retry(id).await.unwrap(), 2);
    assert_eq!(home.settled(id).await.succeeded, 2);
}

#[tokio::test]
async fn chain_continues_after_failed_optional_page() {
    let origin = Origin::start().await;
    for how in ["a server error", "a cut connection", "ended too early", "not found", "silence"] {
        let home = Home::open_with(PATIENT).await;
        for page in [1, 3, 4] {
            origin.file(&format!("/page-{page}"), Body::bytes("page"));
        }
        let _second = fail(&origin, how, "/page-2");
        let series =
            FollowUpSeries { url: format!("{}{{}}", origin.url("/page-")), number: 2, until: 4, ..FollowUpSeries::default() };
        let first = NewRequest { optional: true, next: Some(FollowUpRule::Series(series)), ..get(origin.url("/page-1")) };
        let id = home.create(Home::ask_for([first])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 3, 1), "{how}");
        assert!(!settled.has_more, "{how}");
    }
}

#[tokio::test]
async fn chain_of_optional_requests_to_unreachable_server_ends_immediately() {
    let home = Home::open_with(PATIENT).await;
    let closed = Origin::closed();
    let series =
        FollowUpSeries { url: format!("{}{{}}", closed.url("/page-")), number: 2, until: 30, ..FollowUpSeries::default() };
    let first = NewRequest { optional: true, next: Some(FollowUpRule::Series(series)), ..get(closed.url("/page-1")) };
    let id = home.create(Home::ask_for([first])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failed, settled.has_more), (RegistrationResult::Success, 30, false));
}

#[tokio::test]
async fn optional_file_with_wrong_checksum_or_size_is_skipped() {
    let (origin, home) = (Origin::start().await, Home::open_with(PATIENT).await);
    origin.file("/good", Body::bytes("good"));
    origin.file("/wrong", Body::bytes("wrong"));
    let checksum = Some(format!("sha-256={}", "0".repeat(64)));
    let wrong = NewRequest { optional: true, checksum, ..get(origin.url("/wrong")) };
    let sized = NewRequest { optional: true, size: Some(1), ..get(origin.url("/wrong")) };
    let id = home.create(Home::ask_for([wrong, sized, get(origin.url("/good"))])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 1, 2));
}
