//! Tests retention on a simulated clock.
//!
//! Settled downloads leave the list after their retention time, but not before.

use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use ashore_engine::{EngineEnv, EngineError, EngineEvent, NewRegistration, RegistrationResult, UniqueId};
use ashore_testkit::{
    home::{EventListener, Home, env},
    origin::{Body, Origin},
};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
const YEAR: i64 = 365 * DAY;

fn kept(address: impl ToString, days: u64) -> NewRegistration {
    NewRegistration { keep_for_seconds: Some(days * 86_400), ..Home::ask([address]) }
}

/// Adds a registration, waits until it settles, and claims its end event.
async fn settle_and_claim(home: &Home, new: NewRegistration) -> UniqueId {
    let id = home.create(new).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.claim(id).await.unwrap());
    id
}

/// Prepares a test home with a simulated clock, and a server with these files.
///
/// The engine of the test home is not started yet.
async fn home_with_clock(settings: &str, now_us: fn() -> i64, files: &[&'static str]) -> (Origin, Home) {
    let origin = Origin::start().await;
    for path in files {
        origin.file(path, Body::bytes(*path));
    }
    (origin, Home::closed(settings).env(EngineEnv { now_us, ..env() }))
}

async fn is_listed(home: &Home, id: UniqueId) -> bool {
    home.show(id).await.is_ok()
}

/// Sends a command whose only effect is that the engine wakes and checks which downloads have expired.
async fn wake_engine(home: &Home) {
    home.resume(None).await.unwrap();
}

async fn gone(home: &Home, id: UniqueId) {
    home.until_looked("it leaves the list", async |home| home.show(id).await.is_err()).await;
}

#[tokio::test]
async fn expired_download_leaves_list_but_its_file_stays() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let mut ear = EventListener::to(&home);
    let soon = NewRegistration { keep_for_seconds: Some(1), ..Home::ask([origin.url("/a")]) };
    let id = settle_and_claim(&home, soon).await;
    // No command arrives and the next tick is a minute away, so the expiry must have its own timer.
    ear.hear_until(|event| matches!(event, EngineEvent::Removed { unique_id, .. } if *unique_id == id)).await;
    gone(&home, id).await;
    assert_eq!(home.bytes("a"), b"a");
    assert_eq!(home.statistics(0).await.unwrap().total.succeeded, 1);
}

#[tokio::test]
async fn downloads_expire_after_their_own_retention_time_despite_restarts() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let (origin, mut home) = home_with_clock("forget-finished-after = \"30d\"\n", now_us, &["/a", "/b", "/c"]).await;
    let broken = origin.file("/d", Body::bytes("d")).status(404).times(1);
    home.reopen().await;
    let week = settle_and_claim(&home, kept(origin.url("/a"), 7)).await;
    let month = settle_and_claim(&home, Home::ask([origin.url("/b")])).await;
    let again = home.create(kept(origin.url("/d"), 7)).await.unwrap().unique_id;
    assert_eq!(home.settled(again).await.result, RegistrationResult::Failure);
    assert!(home.claim(again).await.unwrap());
    home.retry(again).await.unwrap();
    assert_eq!(home.settled(again).await.result, RegistrationResult::Success);
    assert_eq!(broken.requests().len(), 2);

    home.crash().await;
    AHEAD.store(8 * DAY, SeqCst);
    home.reopen().await;
    gone(&home, week).await;
    assert!(is_listed(&home, month).await);
    // The result of the second try has not been claimed yet. The retention time of one week starts only when the result
    // is claimed.
    assert!(is_listed(&home, again).await);
    assert!(home.claim(again).await.unwrap());
    AHEAD.store(14 * DAY, SeqCst);
    let late = settle_and_claim(&home, Home::ask([origin.url("/c")])).await;
    assert!(is_listed(&home, again).await);
    AHEAD.store(31 * DAY, SeqCst);
    wake_engine(&home).await;
    gone(&home, again).await;
    gone(&home, month).await;
    assert!(is_listed(&home, late).await);
    home.close().await;

    // The setting "never" also applies to downloads that have already settled.
    std::fs::write(home.data().join("ashore.toml"), "forget-finished-after = \"never\"\n").unwrap();
    AHEAD.store(YEAR, SeqCst);
    home.reopen().await;
    assert_eq!(home.show(late).await.unwrap().expires, None);
}

#[tokio::test]
async fn retention_survives_clock_jumps_forward_and_back() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let (origin, mut home) = home_with_clock("", now_us, &["/a"]).await;
    home.reopen().await;
    let three = settle_and_claim(&home, kept(origin.url("/a"), 3)).await;
    AHEAD.store(DAY, SeqCst);
    wake_engine(&home).await;
    let one = settle_and_claim(&home, kept(origin.url("/a"), 1)).await;
    assert!(is_listed(&home, three).await && is_listed(&home, one).await);

    AHEAD.store(-YEAR, SeqCst);
    wake_engine(&home).await;
    home.until(one, |now| now.expires.is_some_and(|at| at * 1000 < now_us() + 2 * DAY)).await;
    assert!(is_listed(&home, three).await && is_listed(&home, one).await);
    AHEAD.store(2 * DAY - YEAR, SeqCst);
    wake_engine(&home).await;
    gone(&home, one).await;
    assert!(is_listed(&home, three).await);
    // Set the clock back while no engine is open.
    home.close().await;
    AHEAD.store(-2 * YEAR, SeqCst);
    home.reopen().await;
    assert!(home.show(three).await.unwrap().expires.is_some_and(|at| at * 1000 <= now_us() + 3 * DAY));
    AHEAD.store(4 * DAY - 2 * YEAR, SeqCst);
    wake_engine(&home).await;
    gone(&home, three).await;
}

#[tokio::test]
async fn many_downloads_expire_in_batches_while_unclaimed_downloads_stay() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let (origin, mut home) = home_with_clock("", now_us, &["/a"]).await;
    home.reopen().await;
    for number in 0..250 {
        // Use aborted downloads, because nothing has to be fetched for them.
        let id = home.create(NewRegistration { paused: true, ..kept(origin.url("/a"), 1 + number % 2) }).await.unwrap();
        home.abort(id.unique_id).await.unwrap();
        home.claim(id.unique_id).await.unwrap();
    }
    let untold = home.create(NewRegistration { paused: true, ..kept(origin.url("/a"), 1) }).await.unwrap().unique_id;
    home.abort(untold).await.unwrap();
    let count = async |home: &Home| home.list(Default::default()).await.unwrap().len();
    assert_eq!(count(&home).await, 251);
    AHEAD.store(DAY + DAY / 2, SeqCst);
    wake_engine(&home).await;
    home.until_looked("half of them are gone", async |_| count(&home).await == 126).await;
    AHEAD.store(3 * DAY, SeqCst);
    wake_engine(&home).await;
    home.until_looked("all but one are gone", async |_| count(&home).await == 1).await;
    assert!(is_listed(&home, untold).await);
}

#[tokio::test]
async fn invalid_retention_is_refused() {
    let home = Home::open_without_fetching().await;
    for seconds in [0, 1000 * 366 * 86_400, u64::MAX] {
        let new = NewRegistration { keep_for_seconds: Some(seconds), ..Home::ask(["http://127.0.0.1:99/"]) };
        let refused = home.create(new).await.unwrap_err();
        assert!(matches!(&refused, EngineError::Invalid(message) if message.id() == "message-invalid.kept"), "{refused}");
    }
    assert_eq!(home.list(Default::default()).await.unwrap(), []);
}
