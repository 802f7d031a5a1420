//! Tests gates (conditions that block downloads) that depend on the desktop, and their texts for users.
//!
//! The gates depend on network, cost, battery and sleep.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use ashore_engine::{
    EngineEnv, GateCode, GateState, RecordState, Registration, RegistrationResult, RegistrationState, SettingKey, SettingValue,
    UniqueId,
};
use ashore_testkit::{
    NO_BUS,
    home::{Home, env, upload},
    origin::{Body, Origin, Request, Route, content},
    peers::{Bus, Login, Network, Power},
};

const SIZE: u64 = 600_000;
const HALF: u64 = 300_000;
/// Maximum time from the opening of all gates until a download receives bytes.
///
/// The unit is microseconds of the engine's clock.
const SOON: i64 = 5_000_000;
/// Time that the machine sleeps, in microseconds.
const EIGHT_HOURS: i64 = 8 * 3_600_000_000;
/// Interval of the engine's tick in these tests. The default is a minute.
const TICK: Duration = Duration::from_millis(20);

/// Starts a message bus whose address only the engine of this test knows.
macro_rules! bus {
    () => {{
        static ADDRESS: OnceLock<String> = OnceLock::new();
        let bus = Bus::start();
        ADDRESS.set(bus.address.clone()).unwrap();
        (bus, EngineEnv { system_bus: || ADDRESS.get().cloned(), ..env() })
    }};
}

/// Opens an engine and waits until gate `code` is in state `state`.
async fn home_with(settings: &str, env: EngineEnv, code: GateCode, state: GateState) -> Home {
    let mut home = Home::closed(settings).env(env);
    home.reopen().await;
    until_gate(&home, code, state).await;
    home
}

/// Waits until a gate has this state.
///
/// Polls the doctor's report, because its changes emit no events.
async fn until_gate(home: &Home, code: GateCode, state: GateState) {
    home.until_looked("the gate is as expected", async |engine| {
        let gates = engine.doctor().await.unwrap().gates;
        gates.iter().any(|gate| gate.code == code && gate.state == state)
    })
    .await;
}

async fn waiting_for(home: &Home, id: UniqueId, code: &str) -> Registration {
    let is_so = |now: &Registration| {
        now.state == RegistrationState::Waiting && now.waiting_for.as_ref().is_some_and(|why| why.code == code)
    };
    home.until(id, is_so).await
}

/// Starts a download and waits until a single request has received half of the file.
async fn halfway(origin: &Origin, home: &Home) -> (UniqueId, Route) {
    let route = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HALF);
    let id = home.fetch([origin.url("/a")]).await;
    route.held().await;
    home.until(id, |now| now.downloaded == HALF).await;
    (id, route)
}

async fn ends_well(home: &Home, id: UniqueId, route: &Route) {
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), content(1, SIZE));
    let starts: Vec<_> = route.requests().iter().map(|request| request.range_start().unwrap_or(0)).collect();
    assert!(starts.len() == 2 && starts[1] > 0, "the transfer resumed at its offset: {starts:?}");
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, 1, "waiting for a gate is no try");
}

#[tokio::test]
async fn download_waits_with_reason_while_offline_and_resumes_afterwards() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::NONE).await;
    let home = home_with("", env, GateCode::Offline, GateState::Closed).await;
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    let waiting = waiting_for(&home, id, "offline").await;
    let text = waiting.waiting_for.unwrap().text;
    assert!(text.contains("offline") && text.contains("continue automatically"), "{text}");
    assert_eq!(home.totals().await.unwrap().gate.unwrap().code, GateCode::Offline);

    network.connectivity(Network::PORTAL).await;
    let portal = waiting_for(&home, id, "captive-portal").await.waiting_for.unwrap();
    assert!(portal.text.contains("Sign in"), "{}", portal.text);
    assert!(route.requests().is_empty());
    let back = (env.now_us)();
    network.connectivity(Network::FULL).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!((env.now_us)() - back < SOON, "the download resumes at once");
    assert_eq!(home.totals().await.unwrap().gate, None);
}

#[tokio::test]
async fn interrupted_download_waits_after_restart_on_metered_network() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    let mut home = home_with("", env, GateCode::Metered, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    home.crash().await;
    network.metered(Network::METERED).await;
    home.reopen().await;
    waiting_for(&home, id, "metered").await;
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn running_download_is_not_stopped_when_network_is_lost() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::Offline, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    network.connectivity(Network::NONE).await;
    until_gate(&home, GateCode::Offline, GateState::Closed).await;
    route.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn running_download_stops_while_network_is_metered() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::Metered, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    network.metered(Network::METERED).await;
    let aside = waiting_for(&home, id, "metered").await;
    assert_eq!((aside.downloaded, aside.active), (HALF, 0));
    route.release();
    network.metered(Network::NOT_METERED).await;
    ends_well(&home, id, &route).await;
}

#[tokio::test]
async fn download_starts_offline_and_on_metered_network_if_settings_ignore_this() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::NONE).await;
    network.metered(Network::METERED).await;
    let home = home_with("metered = \"go\"\noffline = \"go\"\n", env, GateCode::Metered, GateState::Open).await;
    let origin = Origin::start().await;
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn running_download_stops_while_battery_is_low() {
    let (bus, env) = bus!();
    let power = Power::join(&bus, 21.0).await;
    let home = home_with("battery-below = 20\n", env, GateCode::Battery, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    power.charge(19.0).await;
    let aside = waiting_for(&home, id, "battery").await;
    let text = aside.waiting_for.unwrap().text;
    assert!(text.contains("below 20 %"), "{text}");
    assert_eq!(aside.downloaded, HALF);
    route.release();
    power.plugged_in().await;
    ends_well(&home, id, &route).await;
}

#[tokio::test]
async fn sleep_of_machine_is_delayed_until_received_bytes_are_durable() {
    let (bus, env) = bus!();
    let mut login = Login::join(&bus).await;
    let home = home_with("", env, GateCode::Asleep, GateState::Open).await;
    let held = login.held_back().await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    login.sleeps(true).await;
    held.released().await;
    // Do not wait for an event here: the state must already be correct.
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.downloaded), (RecordState::Pending, HALF));
    assert_eq!(home.show(id).await.unwrap().waiting_for.unwrap().code, "asleep");

    route.release();
    login.sleeps(false).await;
    let _again = login.held_back().await;
    ends_well(&home, id, &route).await;
}

#[tokio::test]
async fn machine_is_kept_awake_only_while_transfers_run() {
    let (bus, env) = bus!();
    let mut login = Login::join(&bus).await;
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::Metered, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    let awake = login.kept_awake().await;
    home.pause(Some(id)).await.unwrap();
    awake.released().await;
    home.resume(Some(id)).await.unwrap();
    let awake = login.kept_awake().await;
    network.metered(Network::METERED).await;
    waiting_for(&home, id, "metered").await;
    awake.released().await;
    network.metered(Network::NOT_METERED).await;
    let awake = login.kept_awake().await;
    // When the user suspends the machine, the engine releases both of its locks against sleep.
    let held = login.held_back().await;
    login.sleeps(true).await;
    awake.released().await;
    held.released().await;
    login.sleeps(false).await;
    let awake = login.kept_awake().await;
    route.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    awake.released().await;
    assert!(!login.has_been_kept_awake(), "once is enough");
}

#[tokio::test]
async fn change_of_keep_awake_setting_takes_effect_immediately() {
    let (bus, env) = bus!();
    let mut login = Login::join(&bus).await;
    let home = home_with("keep-awake = false\n", env, GateCode::Asleep, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    home.set(SettingKey::KeepAwake, Some(SettingValue::Flag(true))).await.unwrap();
    let awake = login.kept_awake().await;
    home.set(SettingKey::KeepAwake, Some(SettingValue::Flag(false))).await.unwrap();
    awake.released().await;
    route.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(!login.has_been_kept_awake(), "only if the setting requires it");
}

#[tokio::test]
async fn download_resumes_within_five_seconds_after_machine_wakes() {
    static SLEPT: AtomicI64 = AtomicI64::new(0);
    let (bus, env) = bus!();
    let env = EngineEnv {
        now_us: || (EngineEnv::default().now_us)() + SLEPT.load(Ordering::Acquire),
        uptime_us: || (EngineEnv::default().uptime_us)() + SLEPT.load(Ordering::Acquire),
        ..env
    };
    let mut login = Login::join(&bus).await;
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::Asleep, GateState::Open).await;
    let mut held = login.held_back().await;
    let origin = Origin::start().await;
    for (name, has_network) in [("awake", true), ("online", false)] {
        let route = origin.file(&format!("/{name}"), Body::seeded(1, SIZE)).gate_at(HALF);
        let id = home.fetch([origin.url(&format!("/{name}"))]).await;
        route.held().await;
        home.until(id, |now| now.downloaded == HALF).await;
        login.sleeps(true).await;
        held.released().await;
        if !has_network {
            network.connectivity(Network::NONE).await;
        }
        SLEPT.fetch_add(EIGHT_HOURS, Ordering::AcqRel);
        route.release();
        let mut since = (env.now_us)();
        login.sleeps(false).await;
        held = login.held_back().await;
        if !has_network {
            waiting_for(&home, id, "offline").await;
            since = (env.now_us)();
            network.connectivity(Network::FULL).await;
        }
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        let took = (env.now_us)() - since;
        assert!((0..SOON).contains(&took), "{name}: it took {took} microseconds");
        assert_eq!(home.bytes(name), content(1, SIZE));
        assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, 1, "{name}: a night is no try");
    }
}

#[tokio::test]
async fn answer_of_captive_portal_is_neither_stored_nor_counted_as_attempt() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::CaptivePortal, GateState::Open).await;
    let origin = Origin::start().await;
    let pages = [
        ("/sign-in", origin.file("/sign-in", Body::bytes("<!doctype html>")).header("Content-Type", "text/html")),
        ("/required", origin.file("/required", Body::bytes("<!doctype html>")).answers_with(511)),
    ];
    for (path, page) in pages {
        let (id, route) = halfway(&origin, &home).await;
        home.pause(Some(id)).await.unwrap();
        home.until(id, |now| now.active == 0).await;
        // A portal answers instead of the server. NetworkManager reports the portal before this answer arrives.
        let (route, page) = (route.redirect(302, path), page.gate_answer());
        home.resume(Some(id)).await.unwrap();
        page.held().await;
        network.connectivity(Network::PORTAL).await;
        until_gate(&home, GateCode::CaptivePortal, GateState::Closed).await;
        page.release();
        let waiting = waiting_for(&home, id, "captive-portal").await;
        assert_eq!((waiting.downloaded, waiting.active), (HALF, 0), "{path}");

        let route = route.honest();
        route.release();
        network.connectivity(Network::FULL).await;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "{path}");
        assert_eq!(
            home.records(id, 0, 0).await.unwrap()[0].attempts,
            1,
            "{path}: an answer of the portal does not count as a try"
        );
        let starts: Vec<_> = route.requests().iter().filter_map(Request::range_start).collect();
        assert!(starts.last().is_some_and(|start| *start > 0), "{path}: the transfer resumed at its offset: {starts:?}");
        home.remove(id, true).await.unwrap();
        home.until_names(&[]).await;
    }
}

#[tokio::test]
async fn stalled_download_resumes_within_five_seconds_after_network_change() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    // Use a long stall timeout and a long retry delay, so that neither can be the cause of the resumption.
    let home = home_with("stall-seconds = 600\nretry-after-seconds = 600\n", env, GateCode::Offline, GateState::Open).await;
    let origin = Origin::start().await;
    for (name, is_another) in [("back", false), ("another", true)] {
        let route = origin.file(&format!("/{name}"), Body::seeded(1, SIZE)).stall_after(HALF).times(1);
        let id = home.fetch([origin.url(&format!("/{name}"))]).await;
        home.until(id, |now| now.downloaded == HALF).await;
        if !is_another {
            network.connectivity(Network::NONE).await;
            until_gate(&home, GateCode::Offline, GateState::Closed).await;
        }
        let since = (env.now_us)();
        match is_another {
            true => network.primary("/2").await,
            false => network.connectivity(Network::FULL).await,
        }
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        let took = (env.now_us)() - since;
        assert!((0..SOON).contains(&took), "{name}: it took {took} microseconds");
        assert_eq!(home.bytes(name), content(1, SIZE));
        assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, 1, "{name}: a network that went is no try");
        let starts: Vec<_> = route.requests().iter().map(|request| request.range_start().unwrap_or(0)).collect();
        assert!(starts.len() == 2 && starts[1] > 0, "{name}: the transfer resumed at its offset: {starts:?}");
    }
}

#[tokio::test]
async fn download_and_upload_that_make_progress_survive_network_change() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::FULL).await;
    let home = home_with("", env, GateCode::Offline, GateState::Open).await;
    let origin = Origin::start().await;
    // The transfer takes 2.5 seconds. Every check finds new bytes.
    let slow = origin.file("/slow", Body::seeded(1, 25_000)).trickle(500, Duration::from_millis(50));
    let sent = origin.file("/sent", Body::bytes("thank you")).gate_answer();
    let body = home.source("body", b"some bytes");
    let upload = home.create(Home::ask_for([upload("POST", origin.url("/sent"), &body)])).await.unwrap().unique_id;
    let id = home.fetch([origin.url("/slow")]).await;
    sent.held().await;
    home.until(id, |now| now.downloaded > 0).await;
    network.primary("/2").await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    sent.release();
    assert_eq!(home.settled(upload).await.result, RegistrationResult::Success);
    assert_eq!((slow.requests().len(), sent.requests().len()), (1, 1));
}

#[tokio::test]
async fn running_download_stops_while_machine_is_in_use() {
    let (bus, env) = bus!();
    let login = Login::join(&bus).await;
    login.idle(true).await;
    let home = home_with("in-use = \"wait\"\n", env, GateCode::InUse, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    login.idle(false).await;
    let aside = waiting_for(&home, id, "in-use").await;
    assert_eq!((aside.downloaded, aside.active), (HALF, 0));
    route.release();
    login.idle(true).await;
    ends_well(&home, id, &route).await;
}

#[tokio::test]
async fn condition_for_downloads_is_unknown_while_its_desktop_service_is_unavailable() {
    let (bus, env) = bus!();
    let network = Network::join(&bus, Network::NONE).await;
    let home = home_with("", env, GateCode::Offline, GateState::Closed).await;
    let origin = Origin::start().await;
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    waiting_for(&home, id, "offline").await;
    network.leave().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "the state is unknown, so the download is tried");
    until_gate(&home, GateCode::Offline, GateState::Unknown).await;
    let gates = home.doctor().await.unwrap().gates;
    let offline = gates.iter().find(|gate| gate.code == GateCode::Offline).unwrap();
    assert_eq!(offline.cause, "NetworkManager is not available");
    let _back = Network::join(&bus, Network::NONE).await;
    until_gate(&home, GateCode::Offline, GateState::Closed).await;
    // Now stop the message bus itself, not only one of its services.
    drop(bus);
    until_gate(&home, GateCode::Offline, GateState::Unknown).await;
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn polling_detects_late_message_bus_and_recovered_service() {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let system_bus = || Some(ADDRESS.get().cloned().unwrap_or_else(|| NO_BUS.to_owned()));
    let home = home_with("", EngineEnv { system_bus, tick: TICK, ..env() }, GateCode::Offline, GateState::Unknown).await;
    let bus = Bus::start();
    let network = Network::join_silently(&bus).await;
    ADDRESS.set(bus.address.clone()).unwrap();
    let cause = "NetworkManager does not answer";
    home.until_looked("it was asked", async |engine| {
        engine.doctor().await.unwrap().gates.iter().any(|gate| gate.code == GateCode::Offline && gate.cause.starts_with(cause))
    })
    .await;
    network.answer(Network::NONE).await;
    until_gate(&home, GateCode::Offline, GateState::Closed).await;
}

#[tokio::test]
async fn refused_sleep_lock_is_requested_again() {
    let (bus, env) = bus!();
    let mut login = Login::join_refusing(&bus).await;
    let home = home_with("", EngineEnv { tick: TICK, ..env }, GateCode::Asleep, GateState::Open).await;
    let origin = Origin::start().await;
    let (_, _route) = halfway(&origin, &home).await;
    login.allow().await;
    let (held, awake) = (login.held_back().await, login.kept_awake().await);
    login.sleeps(true).await;
    awake.released().await;
    held.released().await;
    until_gate(&home, GateCode::Asleep, GateState::Closed).await;
}

#[tokio::test]
async fn battery_is_watched_only_after_setting_requires_it() {
    let (bus, env) = bus!();
    let _power = Power::join(&bus, 10.0).await;
    let _login = Login::join(&bus).await;
    let home = home_with("battery-below = 0\n", env, GateCode::Asleep, GateState::Open).await;
    let origin = Origin::start().await;
    let (id, route) = halfway(&origin, &home).await;
    home.set(SettingKey::BatteryBelow, Some(SettingValue::Number(20.0))).await.unwrap();
    waiting_for(&home, id, "battery").await;
    route.release();
    home.set(SettingKey::BatteryBelow, Some(SettingValue::Number(0.0))).await.unwrap();
    ends_well(&home, id, &route).await;
}

#[tokio::test]
async fn read_only_engine_queries_desktop_only_for_doctor() {
    let (bus, env) = bus!();
    let _network = Network::join(&bus, Network::PORTAL).await;
    let mut home = Home::closed("").env(env);
    home.fetching(false);
    home.reopen().await;
    assert_eq!(home.totals().await.unwrap().gate, None);
    let gates = home.doctor().await.unwrap().gates;
    let portal = gates.iter().find(|gate| gate.code == GateCode::CaptivePortal).unwrap();
    assert_eq!(portal.state, GateState::Closed);
}
