//! Tests servers that cannot be reached: the failure counts as a try only for the first file.

use std::sync::{
    OnceLock,
    atomic::{AtomicI64, Ordering::SeqCst},
};

use ashore_engine::{EngineEnv, QueuePlace, RecordState, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin, content},
    peers::{Bus, Network},
};

#[tokio::test]
async fn failure_to_reach_host_is_counted_as_an_attempt_of_only_one_file() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let mut home =
        Home::closed("retry-after-seconds = 600\nattempts = 2\n").env(EngineEnv { now_us, uptime_us: now_us, ..env() });
    home.reopen().await;
    let closed = Origin::closed();
    let id = home.fetch((0..5).map(|number| closed.url(&format!("/{number}")))).await;
    let resting = home.until(id, |now| now.active == 0 && now.next_try.is_some()).await;
    let why = resting.waiting_for.unwrap();
    assert_eq!((resting.state, why.code.as_str()), (RegistrationState::Waiting, "host-unreachable"));
    assert!(why.text.contains("cannot be reached"), "{}", why.text);
    let tries = async || home.records(id, 0, 0).await.unwrap().iter().map(|record| record.attempts).collect::<Vec<_>>();
    let mut counted = tries().await;
    counted.sort_unstable();
    assert_eq!(counted, [0, 0, 0, 0, 1]);
    // A second download from this server also waits and shows the reason, although none of its requests has failed.
    let other = home.fetch([closed.url("/other")]).await;
    let other = home.until(other, |now| now.waiting_for.is_some()).await;
    assert_eq!((other.waiting_for.unwrap().code.as_str(), other.next_try), ("host-unreachable", resting.next_try));
    home.abort(other.unique_id).await.unwrap();

    // The server is still unreachable after an hour, and each file has had its last try.
    AHEAD.fetch_add(3_600_000_000, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failed), (RegistrationResult::Failure, 5));
    let mut counted = tries().await;
    counted.sort_unstable();
    assert_eq!(counted, [1, 1, 1, 1, 2]);
}

#[tokio::test]
async fn network_change_or_user_retry_ends_cooldown_immediately() {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let bus = Bus::start();
    ADDRESS.set(bus.address.clone()).unwrap();
    let network = Network::join(&bus, Network::FULL).await;
    let mut home = Home::closed("retry-after-seconds = 600\n").env(EngineEnv { system_bus: || ADDRESS.get().cloned(), ..env() });
    home.reopen().await;
    let closed = Origin::closed();
    let id = home.fetch([closed.url("/a")]).await;
    home.until_record(id, 0, |record| record.state == RecordState::Waiting && record.attempts == 1).await;
    network.primary("/2").await;
    home.until_record(id, 0, |record| record.state == RecordState::Waiting && record.attempts == 2).await;
    network.connectivity(Network::NONE).await;
    home.until_looked("the engine knows", async |engine| engine.totals().await.unwrap().gate.is_some()).await;
    network.connectivity(Network::FULL).await;
    home.until_record(id, 0, |record| record.state == RecordState::Waiting && record.attempts == 3).await;
    let origin = closed.open();
    origin.file("/a", Body::bytes("a"));
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn interruption_of_transfer_while_offline_is_not_counted_as_attempt() {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let bus = Bus::start();
    ADDRESS.set(bus.address.clone()).unwrap();
    let network = Network::join(&bus, Network::FULL).await;
    let mut home = Home::closed("attempts = 1\n").env(EngineEnv { system_bus: || ADDRESS.get().cloned(), ..env() });
    home.reopen().await;
    let origin = Origin::start().await;
    let cut = origin.file("/a", Body::seeded(1, 600_000)).gate_at(300_000).reset_after(400_000).times(1);
    let id = home.fetch([origin.url("/a")]).await;
    cut.held().await;
    network.connectivity(Network::NONE).await;
    home.until_looked("the engine knows", async |engine| engine.totals().await.unwrap().gate.is_some()).await;
    cut.release();
    let waiting = home.until(id, |now| now.state == RegistrationState::Waiting).await;
    assert_eq!(waiting.waiting_for.unwrap().code, "offline");
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.attempts), (RecordState::Pending, 0));
    network.connectivity(Network::FULL).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), content(1, 600_000));
}
