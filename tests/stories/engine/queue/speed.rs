//! Tests speed limits.
//!
//! A limit is saved before it applies, survives every restart, and can be removed.

use ashore_engine::{EngineEvent, LimitScope, NewRegistration, RegistrationResult, SpeedLimit, UniqueId};
use ashore_testkit::{
    home::{EventListener, Home},
    origin::{Body, Origin, content},
    waits::in_time,
};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn limit(scope: LimitScope, bytes_per_second: u64) -> SpeedLimit {
    SpeedLimit { scope, bytes_per_second }
}

fn host(name: &str) -> LimitScope {
    LimitScope::Host { host: name.to_owned() }
}

fn registration(unique_id: UniqueId) -> LimitScope {
    LimitScope::Registration { unique_id }
}

/// Returns the address of the same file under another host name.
fn elsewhere(origin: &Origin, path: &str) -> String {
    origin.url(path).as_str().replace("127.0.0.1", "localhost")
}

#[tokio::test]
async fn speed_limits_survive_close_and_crash_until_removed() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    let all = [
        limit(LimitScope::All, 10 * MIB),
        limit(host("a.test"), 4 * MIB),
        limit(host("b.test"), 5 * MIB),
        limit(registration(id), KIB),
    ];
    // Set the limits again in reverse order, and one of them twice. Only the last value of each limit counts.
    home.limit(registration(id), Some(MIB)).await.unwrap();
    for SpeedLimit { scope, bytes_per_second } in all.iter().rev() {
        home.limit(scope.clone(), Some(*bytes_per_second)).await.unwrap();
    }
    home.limit(host("B.Test."), Some(5 * MIB)).await.unwrap();
    for is_crash in [false, true] {
        if is_crash {
            home.crash().await;
        } else {
            home.close().await;
        }
        home.reopen().await;
        assert_eq!(home.limits().await.unwrap(), all);
        assert_eq!(home.totals().await.unwrap().speed_limit, Some(10 * MIB));
    }
    home.limit(LimitScope::All, None).await.unwrap();
    home.limit(host("a.test"), Some(0)).await.unwrap();
    home.limit(host("nobody.test"), None).await.unwrap();
    home.settled(id).await;
    home.remove(id, false).await.unwrap();
    assert_eq!(home.limits().await.unwrap(), [limit(host("b.test"), 5 * MIB)]);
    assert_eq!(home.totals().await.unwrap().speed_limit, None);
}

#[tokio::test]
async fn invalid_speed_limit_is_refused_and_nothing_is_written() {
    let home = Home::open().await;
    home.limit(LimitScope::All, Some(MIB)).await.unwrap();
    for bytes in [1, KIB - 1, (10 << 30) + 1, u64::MAX] {
        let refused = home.limit(LimitScope::All, Some(bytes)).await.unwrap_err();
        assert_eq!(refused.code(), "bad-speed");
        assert!(refused.to_string().contains("\"none\" for no limit"), "{refused}");
    }
    for name in ["", "https://a.test/", "a.test:80", "a b"] {
        assert_eq!(home.limit(host(name), Some(MIB)).await.unwrap_err().code(), "bad-host", "{name}");
    }
    let nobody = registration("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed".parse().unwrap());
    assert_eq!(home.limit(nobody, Some(MIB)).await.unwrap_err().code(), "unknown");
    assert_eq!(home.limits().await.unwrap(), [limit(LimitScope::All, MIB)]);
}

#[tokio::test]
async fn last_of_several_concurrent_changes_of_speed_limit_applies() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::seeded(1, 4 * MIB));
    let id = home.fetch([origin.url("/a")]).await;
    let mut people = tokio::task::JoinSet::new();
    for number in 1..=40 {
        let engine = home.clone();
        people.spawn(async move {
            engine.limit(LimitScope::All, Some(number * 100 * MIB)).await.unwrap();
            engine.totals().await.unwrap();
        });
    }
    in_time("all concurrent changes are made", people.join_all()).await;
    let written = home.limits().await.unwrap();
    assert_eq!(home.totals().await.unwrap().speed_limit, Some(written[0].bytes_per_second));
    home.settled(id).await;
}

#[tokio::test]
async fn listeners_receive_every_change_of_total_speed_limit() {
    let home = Home::open().await;
    let mut ear = EventListener::to(&home);
    for said in [Some(MIB), None] {
        home.limit(LimitScope::All, said).await.unwrap();
        ear.hear_until(|event| matches!(event, EngineEvent::Totals { totals } if totals.speed_limit == said)).await;
    }
}

#[tokio::test]
async fn speed_limit_of_registration_survives_restart_and_affects_nothing_else() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/slow", Body::seeded(1, 4 * MIB));
    origin.file("/fast", Body::seeded(2, 16 * MIB));
    let made = home.create(NewRegistration { paused: true, ..Home::ask([origin.url("/slow")]) }).await.unwrap();
    let slow = made.unique_id;
    home.limit(registration(slow), Some(4 * KIB)).await.unwrap();
    home.resume(Some(slow)).await.unwrap();
    home.until(slow, |now| now.downloaded > 0).await;
    home.close().await;
    home.reopen().await;
    // Without its limit, the slow file would complete long before the fast file.
    let fast = home.fetch([origin.url("/fast")]).await;
    assert_eq!(home.settled(fast).await.result, RegistrationResult::Success);
    let now = home.show(slow).await.unwrap();
    assert!(now.active == 1 && now.downloaded < MIB, "{now:?}");
    home.limit(registration(slow), None).await.unwrap();
    home.settled(slow).await;
    assert!(home.bytes("slow") == content(1, 4 * MIB));
}

#[tokio::test]
async fn speed_limit_of_host_affects_only_that_host() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/slow", Body::seeded(1, 4 * MIB));
    origin.file("/fast", Body::seeded(2, 16 * MIB));
    home.limit(host("localhost"), Some(4 * KIB)).await.unwrap();
    let slow = home.fetch([elsewhere(&origin, "/slow")]).await;
    home.until(slow, |now| now.downloaded > 0).await;
    let fast = home.fetch([origin.url("/fast")]).await;
    home.settled(fast).await;
    assert!(home.show(slow).await.unwrap().downloaded < MIB);
    home.limit(host("localhost"), None).await.unwrap();
    home.settled(slow).await;
    assert!(home.bytes("slow") == content(1, 4 * MIB));
}
