//! Tests servers that fail every request.
//!
//! Three failures in a row start a cooldown for the server. Waiting downloads then show the cooldown as their reason.

use std::sync::{
    OnceLock,
    atomic::{AtomicI64, Ordering::SeqCst},
};

use ashore_engine::{EngineEnv, NewRegistration, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin, Route},
    peers::{Bus, Network},
};

/// Number of failures in a row after which a cooldown for the host starts.
const FAILURES: usize = 3;

fn failing(origin: &Origin, how: &str, count: usize) -> Vec<Route> {
    let file = |number: usize| origin.file(&format!("/{number}"), Body::seeded(1, 20_000));
    let vice = |route: Route| match how {
        "cut" => route.reset_after(10_000),
        "ended" => route.end_after(5_000),
        "unavailable" => route.status(503),
        "gateway" => route.status(502),
        _ => route.status(500),
    };
    (0..count).map(|number| vice(file(number))).collect()
}

fn urls(origin: &Origin, count: usize) -> Vec<String> {
    (0..count).map(|number| origin.url(&format!("/{number}")).to_string()).collect()
}

#[tokio::test]
async fn failing_server_gets_three_requests_before_cooldown() {
    for how in ["cut", "ended", "gateway", "error"] {
        let origin = Origin::start().await;
        let home = Home::open_with("retry-after-seconds = 3000\nparallel-per-host = 1\n").await;
        let _routes = failing(&origin, how, 300);
        let id = home.fetch(urls(&origin, 300)).await;
        let resting = home.until(id, |now| now.waiting_for.as_ref().is_some_and(|why| why.code == "host-failing")).await;
        assert_eq!((resting.state, resting.active), (RegistrationState::Waiting, 0), "{how}");
        assert!(resting.waiting_for.unwrap().text.contains("several times in a row") && resting.next_try.is_some());
        let asked: Vec<String> = origin.requests().into_iter().map(|request| request.path).collect();
        assert_eq!(asked, ["/0", "/1", "/2"], "{how}");
        // A second download from this server also waits for the cooldown, although none of its requests has failed.
        let other = home.fetch([origin.url("/other")]).await;
        let other = home.until(other, |now| now.waiting_for.is_some()).await;
        assert_eq!(other.waiting_for.unwrap().code, "host-failing", "{how}");
        assert_eq!(origin.requests().len(), FAILURES, "{how}");
    }
}

#[tokio::test]
async fn failing_server_gets_one_request_after_each_cooldown() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let settings = "retry-after-seconds = 600\nparallel = 8\nparallel-per-host = 8\n";
    let mut home = Home::closed(settings).env(EngineEnv { now_us, uptime_us: now_us, ..env() });
    home.reopen().await;
    let origin = Origin::start().await;
    let _routes = failing(&origin, "cut", 300);
    let id = home.fetch(urls(&origin, 300)).await;
    let is_resting = |now: &ashore_engine::Registration| now.active == 0 && now.waiting_for.is_some();
    home.until(id, is_resting).await;
    let first = origin.requests().len();
    // Eight requests run in parallel. Until the cooldown starts, another request is sent after each failed one.
    assert!((FAILURES..8 + FAILURES).contains(&first), "the requests that were running: {first}");
    let anything = home.fetch([Origin::closed().url("/nudge")]).await;
    for rest in 1..=3 {
        AHEAD.fetch_add(3_600_000_000, SeqCst);
        home.move_to(anything, ashore_engine::QueuePlace::Top).await.unwrap();
        home.until_looked("one more was tried", async |_| origin.requests().len() > first + rest - 1).await;
        home.until(id, is_resting).await;
        assert_eq!(origin.requests().len(), first + rest);
    }
}

#[tokio::test]
async fn success_between_failures_prevents_cooldown() {
    let origin = Origin::start().await;
    let home = Home::open_with("retry-after-seconds = 3000\nparallel-per-host = 1\n").await;
    for number in 0..9 {
        let route = origin.file(&format!("/{number}"), Body::bytes("x"));
        if number % 3 != 2 {
            let _ = route.status(500);
        }
    }
    let id = home.fetch(urls(&origin, 9)).await;
    home.until(id, |now| now.succeeded == 3).await;
    assert_eq!(origin.requests().len(), 9, "no request waited");
}

#[tokio::test]
async fn user_retry_ends_cooldown_of_failing_server() {
    let origin = Origin::start().await;
    let home = Home::open_with("retry-after-seconds = 3000\nparallel-per-host = 1\n").await;
    let routes = failing(&origin, "error", 5);
    let id = home.fetch(urls(&origin, 5)).await;
    home.until(id, |now| now.waiting_for.is_some()).await;
    drop(routes);
    for number in 0..5 {
        origin.file(&format!("/{number}"), Body::bytes("x"));
    }
    assert_eq!(home.retry(id).await.unwrap(), 3);
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 5));
}

#[tokio::test]
async fn network_change_ends_cooldown_of_failing_server() {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let bus = Bus::start();
    ADDRESS.set(bus.address.clone()).unwrap();
    let network = Network::join(&bus, Network::FULL).await;
    let settings = "retry-after-seconds = 3000\nparallel-per-host = 1\n";
    let mut home = Home::closed(settings).env(EngineEnv { system_bus: || ADDRESS.get().cloned(), ..env() });
    home.reopen().await;
    let origin = Origin::start().await;
    let routes = failing(&origin, "cut", 5);
    let id = home.fetch(urls(&origin, 5)).await;
    home.until(id, |now| now.waiting_for.as_ref().is_some_and(|why| why.code == "host-failing")).await;
    drop(routes);
    for number in 0..5 {
        origin.file(&format!("/{number}"), Body::bytes("x"));
    }
    network.primary("/2").await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn retry_after_header_of_zero_causes_one_second_cooldown() {
    // If a `Retry-After` is zero, in the past, or negative, it causes a cooldown of one second.
    for (status, asked) in [(429, "0"), (503, "0"), (503, "Thu, 01 Jan 1970 00:00:00 GMT"), (429, "-5"), (500, "0")] {
        static AHEAD: AtomicI64 = AtomicI64::new(0);
        let now_us = || 1_700_000_000_000_000 + AHEAD.load(SeqCst);
        let settings = "retry-after-seconds = 1\nparallel = 4\nparallel-per-host = 4\n";
        let mut home = Home::closed(settings).env(EngineEnv { now_us, uptime_us: now_us, random: || 0.5, ..env() });
        home.reopen().await;
        let origin = Origin::start().await;
        let _routes: Vec<Route> =
            (0..20).map(|number| origin.file(&format!("/{number}"), Body::bytes("x")).status_until(status, asked)).collect();
        let all = NewRegistration { parallel: Some(1), ..Home::ask(urls(&origin, 20)) };
        let id = home.create(all).await.unwrap().unique_id;
        home.until(id, |now| now.active == 0 && now.waiting_for.is_some()).await;
        // The simulated clock stands still, so the cooldown never ends and no further request is sent.
        assert_eq!(origin.requests().len(), 1, "{status} {asked}");
    }
}
