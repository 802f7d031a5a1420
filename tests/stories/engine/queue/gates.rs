//! Tests gates, which are conditions that block downloads: the allowed hours, clock jumps, and others.
//!
//! Also tests the texts for users while a gate is closed.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicI64, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use ashore_engine::{
    BootstrapState, BootstrapStep, EngineEnv, GateCode, GateState, LimitScope, LocalTime, NewRegistration, QueuePlace,
    RecordState, Registration, RegistrationResult, RegistrationState, SpeedMode,
};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin, content},
    peers::Bus,
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Sunday, 2026-11-22, 12:00.
const NOON: i64 = 1_795_348_800 * SECOND;

fn utc(_: i64) -> LocalTime {
    LocalTime { offset_seconds: 0, until_us: i64::MAX }
}

/// Returns the current time of a simulated clock: at the first call, it shows `NOON` plus `ahead`.
fn since(begun: &AtomicI64, ahead: &AtomicI64) -> i64 {
    let now = (EngineEnv::default().now_us)();
    let _ = begun.compare_exchange(0, now, SeqCst, SeqCst);
    NOON + ahead.load(SeqCst) + now - begun.load(SeqCst)
}

#[tokio::test]
async fn download_outside_allowed_hours_waits_and_resumes() {
    static BEGUN: AtomicI64 = AtomicI64::new(0);
    static AHEAD: AtomicI64 = AtomicI64::new(-SECOND / 2);
    // The clock stands still until the state before noon was checked.
    static IS_RUNNING: AtomicBool = AtomicBool::new(false);
    let now_us = || if IS_RUNNING.load(SeqCst) { since(&BEGUN, &AHEAD) } else { NOON + AHEAD.load(SeqCst) };
    let clock = EngineEnv { now_us, local: utc, ..env() };
    let mut home = Home::closed("hours = [\"sun 09:00-12:00 off\", \"sun 12:00-13:00 slow\"]\n").env(clock);
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    home.reopen().await;
    let id = home.create(Home::ask([origin.url("/a")])).await.unwrap();
    assert_eq!(id.state, RegistrationState::Waiting);
    let why = id.waiting_for.unwrap();
    assert_eq!((why.code.as_str(), id.next_try), ("hours", None));
    assert!(why.text.starts_with("Outside the allowed hours until 12:00."), "{}", why.text);
    let totals = home.totals().await.unwrap();
    let gate = totals.gate.unwrap();
    assert_eq!((gate.code, gate.until, gate.text), (GateCode::Hours, Some(NOON / 1000), why.text));
    assert_eq!(totals.pace, SpeedMode::Off);
    assert!(route.requests().is_empty());

    // No command or tick wakes the engine within the next minute, so a timer must start the download.
    IS_RUNNING.store(true, SeqCst);
    assert_eq!(home.settled(id.unique_id).await.result, RegistrationResult::Success);
    let totals = home.totals().await.unwrap();
    assert_eq!((totals.gate, totals.pace), (None, SpeedMode::Slow));
}

#[tokio::test]
async fn total_speed_is_limited_in_slow_hours_unless_another_limit_is_lower() {
    const KIB: u64 = 1 << 10;
    static BEGUN: AtomicI64 = AtomicI64::new(0);
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock = EngineEnv { now_us: || since(&BEGUN, &AHEAD), local: utc, ..env() };
    let mut home = Home::closed("hours = [\"sun 12:00-13:00 slow\"]\nslow-speed = \"256K\"\n").env(clock);
    let origin = Origin::start().await;
    let body = content(1, 640 * KIB);
    origin.file("/a", Body::bytes(body.clone()));
    home.reopen().await;
    let begun = Instant::now();
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(begun.elapsed() >= Duration::from_millis(2200), "{:?}", begun.elapsed());
    assert_eq!(home.bytes("a"), body);

    let all = || async { home.totals().await.unwrap().speed_limit };
    assert_eq!(all().await, Some(256 * KIB));
    home.limit(LimitScope::All, Some(16 * KIB)).await.unwrap();
    assert_eq!(all().await, Some(16 * KIB));
    home.limit(LimitScope::All, Some(512 * KIB)).await.unwrap();
    assert_eq!(all().await, Some(256 * KIB));
    AHEAD.store(2 * 3600 * SECOND, SeqCst);
    home.limit(LimitScope::All, Some(300 * KIB)).await.unwrap();
    home.until_seen("the end of the slow hours", async |_| (all().await == Some(300 * KIB)).then_some(())).await;
}

#[tokio::test]
async fn running_download_stops_when_allowed_hours_end() {
    static BEGUN: AtomicI64 = AtomicI64::new(0);
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock = EngineEnv { now_us: || since(&BEGUN, &AHEAD), local: utc, ..env() };
    let mut home = Home::closed("hours = [\"sun 13:00-14:00 off\"]\n").env(clock);
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::seeded(1, 600_000)).gate_at(300_000);
    home.reopen().await;
    let id = home.fetch([origin.url("/a")]).await;
    route.held().await;
    home.until(id, |now| now.downloaded == 300_000).await;
    AHEAD.store(3600 * SECOND, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    let aside = home.until(id, |now| now.state == RegistrationState::Waiting).await;
    assert_eq!((aside.waiting_for.unwrap().code.as_str(), aside.downloaded), ("hours", 300_000));
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.attempts), (RecordState::Pending, 0));

    // The download still waits after a restart.
    home.crash().await;
    home.reopen().await;
    assert_eq!(home.show(id).await.unwrap().waiting_for.unwrap().code, "hours");
    route.release();
    AHEAD.store(2 * 3600 * SECOND, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), content(1, 600_000));
    let starts: Vec<_> = route.requests().iter().map(|request| request.range_start().unwrap_or(0)).collect();
    assert!(starts.len() == 2 && starts[1] > 0, "the transfer resumed at its offset: {starts:?}");
}

#[tokio::test]
async fn download_starts_although_clock_was_set_while_engine_was_closed() {
    static BEGUN: AtomicI64 = AtomicI64::new(0);
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    for jump in [-365 * DAY, DAY] {
        AHEAD.store(0, SeqCst);
        let clock = EngineEnv { now_us: || since(&BEGUN, &AHEAD), local: utc, ..env() };
        let mut home = Home::closed("retry-after-seconds = 600\nparallel-per-host = 1\n").env(clock);
        let origin = Origin::start().await;
        let busy = origin.file("/busy", Body::bytes("busy")).status(503).times(1);
        let other = origin.file("/other", Body::bytes("other"));
        home.reopen().await;
        let id = home.fetch(["/busy", "/other"].map(|path| origin.url(path))).await;
        home.until_record(id, 0, |record| record.state == RecordState::Waiting).await;
        assert!(other.requests().is_empty(), "the whole server rests");
        home.close().await;
        AHEAD.store(jump, SeqCst);
        home.reopen().await;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "{jump}");
        assert_eq!((busy.requests().len(), other.requests().len()), (2, 1));
        home.close().await;
    }
}

#[tokio::test]
async fn wait_before_retry_does_not_change_when_clock_is_set() {
    static BEGUN: AtomicI64 = AtomicI64::new(0);
    static SET: AtomicI64 = AtomicI64::new(0);
    static PASSED: AtomicI64 = AtomicI64::new(0);
    // The last value sets the clock to the year 2038, when the seconds exceed 32 bits.
    for set in [3600 * SECOND, -1800 * SECOND, -DAY, (1 << 31) * SECOND - NOON] {
        SET.store(0, SeqCst);
        let now_us = || since(&BEGUN, &PASSED) + SET.load(SeqCst);
        let clock = EngineEnv { now_us, uptime_us: || since(&BEGUN, &PASSED), random: || 0.5, local: utc, ..env() };
        let mut home = Home::closed("retry-after-seconds = 600\nparallel-per-host = 1\nstall-seconds = 600\n").env(clock);
        let origin = Origin::start().await;
        let running = Origin::start().await;
        let running_route = running.file("/running", Body::seeded(1, 1 << 20)).gate_at(1 << 19);
        let busy = origin.file("/busy", Body::bytes("busy")).status(503).times(1);
        let other = origin.file("/other", Body::bytes("other"));
        home.reopen().await;
        let runs = home.fetch([running.url("/running")]).await;
        running_route.held().await;
        let id = home.fetch(["/busy", "/other"].map(|path| origin.url(path))).await;
        let due = home.until_record(id, 0, |record| record.next_try.is_some()).await.next_try.unwrap();
        SET.store(set, SeqCst);
        // Move the download, because every change in the list makes the engine check its clocks without a tick.
        home.move_to(id, QueuePlace::Top).await.unwrap();
        let is_moved = |next: i64| (next - due - set / 1000).abs() < 60_000;
        home.until_record(id, 0, |record| record.next_try.is_some_and(is_moved)).await;
        assert_eq!((busy.requests().len(), other.requests().len()), (1, 0), "{set}");
        running_route.release();
        assert_eq!(home.settled(runs).await.result, RegistrationResult::Success, "{set}");
        assert_eq!(running_route.requests().len(), 1, "the running transfer is not affected");
        PASSED.fetch_add(660 * SECOND, SeqCst);
        home.move_to(id, QueuePlace::Top).await.unwrap();
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "{set}");
        assert_eq!((busy.requests().len(), other.requests().len()), (2, 1), "{set}");
        home.close().await;
    }
}

#[tokio::test]
async fn hours_setting_that_allows_no_time_is_refused_at_start() {
    let mut home = Home::closed("hours = [\"daily 00:00-24:00 off\"]\n");
    let refused = home.try_open().await.unwrap_err();
    assert_eq!(refused.code(), "invalid");
    assert!(refused.to_string().contains("\"hours\" is \"off\" at all times"), "{refused}");
}

#[tokio::test]
async fn doctor_reports_every_condition_that_can_block_downloads_including_pause() {
    let home = Home::open().await;
    home.pause(None).await.unwrap();
    let gates = home.doctor().await.unwrap().gates;
    let closed: Vec<_> = gates.iter().filter(|gate| gate.state == GateState::Closed).map(|gate| gate.code).collect();
    assert_eq!(closed, [GateCode::Paused]);
    let unknown: Vec<_> = gates.iter().filter(|gate| gate.state == GateState::Unknown).map(|gate| gate.code).collect();
    use GateCode::{Asleep, CaptivePortal, InUse, Metered, Offline};
    let expected = [Asleep, Offline, CaptivePortal, Metered, InUse];
    assert_eq!(unknown, expected, "there is no bus in this home");
    assert!(gates.iter().all(|gate| !gate.cause.is_empty()));
    assert_eq!(home.totals().await.unwrap().gate.unwrap().code, GateCode::Paused);
}

#[tokio::test]
async fn bootstrap_runs_once_and_before_any_download_starts() {
    let mut home = Home::closed("");
    let (folder, elsewhere) = (home.downloads(), home.data().join("elsewhere"));
    std::fs::remove_dir(&folder).unwrap();
    std::fs::write(&folder, "somebody's file").unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    home.reopen().await;
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let asked = NewRegistration { folder: Some(elsewhere), ..Home::ask([origin.url("/a")]) };
    let id = home.create(asked).await.unwrap().unique_id;
    let is_told = |now: &Registration| now.waiting_for.as_ref().is_some_and(|why| why.text.contains("is not a folder"));
    let waiting = home.until(id, is_told).await;
    assert_eq!(waiting.waiting_for.unwrap().code, "bootstrap");
    assert_eq!(home.totals().await.unwrap().gate.unwrap().code, GateCode::Bootstrap);

    // After a restart, downloads must be blocked again.
    home.close().await;
    home.reopen().await;
    assert_eq!(home.show(id).await.unwrap().waiting_for.unwrap().code, "bootstrap");
    assert!(route.requests().is_empty());
    assert_eq!(std::fs::read(&folder).unwrap(), b"somebody's file");

    std::fs::remove_file(&folder).unwrap();
    home.resume(None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(folder.is_dir(), "it was made");

    std::fs::remove_dir(&folder).unwrap();
    home.close().await;
    home.reopen().await;
    assert_eq!(home.totals().await.unwrap().gate, None);
    let gates = home.doctor().await.unwrap().gates;
    assert!(gates.iter().any(|gate| gate.code == GateCode::Bootstrap && gate.state == GateState::Open));
    home.close().await;
    assert!(!folder.exists(), "once is enough");
}

/// Returns each bootstrap step that `doctor` reports, with its state.
async fn steps(home: &Home) -> Vec<(BootstrapStep, BootstrapState)> {
    home.doctor().await.unwrap().bootstrap.into_iter().map(|status| (status.step, status.state)).collect()
}

#[tokio::test]
async fn engine_fetches_without_desktop_and_reports_missing_services() {
    use BootstrapState::{Done, Due, NotAvailable};
    use BootstrapStep::{DataFolder, Defaults, DownloadFolder, Keychain, Ledger, Notifications};
    let mut home = Home::closed("");
    home.fetching(false);
    home.reopen().await;
    assert!(steps(&home).await.iter().all(|(_, state)| *state == Due), "an engine that does not fetch performs none");
    home.close().await;
    home.fetching(true);
    home.reopen().await;
    let expected = [
        (DataFolder, Done),
        (Ledger, Done),
        (Defaults, Done),
        (DownloadFolder, Done),
        (Keychain, NotAvailable),
        (Notifications, NotAvailable),
    ];
    assert_eq!(steps(&home).await, expected);
    let report = home.doctor().await.unwrap();
    let missing = report.bootstrap.iter().filter(|status| status.state == NotAvailable);
    assert!(missing.into_iter().all(|status| status.text.starts_with("there is no session bus (")), "{report:?}");
    let origin = Origin::start().await;
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    // The results of the bootstrap are kept in the ledger.
    home.close().await;
    home.fetching(false);
    home.reopen().await;
    assert_eq!(steps(&home).await, expected);
    home.close().await;

    // The doctor finds a desktop that started later.
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let bus = Bus::start();
    ADDRESS.set(bus.address.clone()).unwrap();
    let service = zbus::connection::Builder::address(bus.address.as_str()).unwrap();
    let _service = service.name("org.freedesktop.secrets").unwrap().build().await.unwrap();
    let mut home = home.env(EngineEnv { session_bus: || ADDRESS.get().cloned(), ..env() });
    home.reopen().await;
    let steps = steps(&home).await;
    assert!(steps.contains(&(Keychain, Done)) && steps.contains(&(Notifications, NotAvailable)), "{steps:?}");
}

#[tokio::test]
async fn first_start_after_update_checks_desktop_services_again_but_repeats_no_other_step() {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    let bus = Bus::start();
    ADDRESS.set(bus.address.clone()).unwrap();
    let service = zbus::connection::Builder::address(bus.address.as_str()).unwrap();
    let service = service.name("org.freedesktop.Notifications").unwrap().build().await.unwrap();
    let mut home = Home::closed("").env(EngineEnv { session_bus: || ADDRESS.get().cloned(), ..env() });
    home.fetching(false);
    home.reopen().await;
    home.close().await;
    // Change the ledger to the form in which an older version of Ashore stores it.
    let mut ledger = SqliteConnectOptions::new().filename(home.data().join("ledger.sqlite")).connect().await.unwrap();
    sqlx::raw_sql("UPDATE bootstrap SET version = 1").execute(&mut ledger).await.unwrap();
    ledger.close().await.unwrap();
    std::fs::remove_dir(home.downloads()).unwrap();
    home.fetching(true);
    home.reopen().await;
    let steps = steps(&home).await;
    assert!(steps.contains(&(BootstrapStep::Notifications, BootstrapState::Done)), "{steps:?}");
    assert!(steps.contains(&(BootstrapStep::Keychain, BootstrapState::NotAvailable)), "{steps:?}");
    assert!(!home.downloads().exists(), "an older version has done that");
    drop(service);
}

#[tokio::test]
async fn failed_bootstrap_step_is_reported_and_retried() {
    let mut home = Home::closed("");
    std::fs::remove_dir(home.downloads()).unwrap();
    std::fs::write(home.downloads(), "somebody's file").unwrap();
    home.reopen().await;
    let report = home.doctor().await.unwrap();
    let failed = report.bootstrap.iter().find(|status| status.step == BootstrapStep::DownloadFolder).unwrap();
    assert!(failed.state == BootstrapState::Failed && failed.text.contains("is not a folder"), "{failed:?}");
    std::fs::remove_file(home.downloads()).unwrap();
    // No command or tick wakes the engine within the next minute, so the retry must have its own timer.
    home.until_looked("the step is done", async |engine| {
        let steps = engine.doctor().await.unwrap().bootstrap;
        steps.iter().all(|status| !matches!(status.state, BootstrapState::Failed | BootstrapState::Due))
    })
    .await;
    assert_eq!(home.totals().await.unwrap().gate, None);
}
