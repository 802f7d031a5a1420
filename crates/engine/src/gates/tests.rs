//! Table-driven tests of every gate.

use std::{path::Path, sync::LazyLock};

use ashore_messages::{UserMessage, message};

use crate::{
    gates::decision::*,
    model::{GateCode, GateReport, GateState, NetworkUse, values::local_time::LocalTime},
    settings::SettingsFile,
};

/// 2026-11-22, a Sunday, 12:00 UTC.
const NOON: i64 = 1_795_348_800_000_000;

static WHY: LazyLock<UserMessage> = LazyLock::new(|| message!("fault-start.bus-silent"));

fn utc(_: i64) -> LocalTime {
    LocalTime { offset_seconds: 0, until_us: i64::MAX }
}

fn desktop(connectivity: NetworkConnectivity, is_metered: Option<bool>, battery: Option<f64>) -> SystemState {
    SystemState {
        network: Ok(NetworkState { connectivity, is_metered, primary: "/1".to_owned() }),
        power: Ok(PowerState { is_on_battery: battery.is_some(), percentage: battery.unwrap_or(100.0) }),
        is_falling_asleep: Ok(false),
        is_idle: Ok(false),
    }
}

fn usual() -> SystemState {
    desktop(NetworkConnectivity::Full, Some(false), None)
}

fn all(settings: &str, desktop: &SystemState, change: impl FnOnce(&mut GateInputs<'_>)) -> Vec<GateReport> {
    let mut facts = GateInputs { now_us: NOON, local: utc, is_paused: false, unfinished: None, full: None, desktop };
    change(&mut facts);
    gates(&facts, &SettingsFile::read(settings).unwrap().settings)
}

/// Returns the code of the first closed gate.
fn shut(settings: &str, desktop: &SystemState) -> Option<&'static str> {
    closed(all(settings, desktop, |_| {})).map(|gate| gate.code.word())
}

fn state(settings: &str, desktop: &SystemState, code: GateCode) -> GateState {
    all(settings, desktop, |_| {}).into_iter().find(|gate| gate.code == code).unwrap().state
}

#[test]
fn conditions_allow_downloads_by_default_and_are_unknown_if_system_state_is_unknown() {
    let states = |desktop: &SystemState| -> Vec<_> {
        all("battery-below = 20", desktop, |_| {}).into_iter().map(|gate| (gate.code, gate.state)).collect()
    };
    assert!(states(&usual()).iter().all(|(_, state)| *state == GateState::Open), "{:?}", states(&usual()));
    let unknown: Vec<_> =
        states(&SystemState::unknown(&WHY)).into_iter().filter(|(_, state)| *state == GateState::Unknown).collect();
    use GateCode::{Asleep, Battery, CaptivePortal, InUse, Metered, Offline};
    let codes = [Asleep, Offline, CaptivePortal, Metered, Battery, InUse];
    assert_eq!(unknown, codes.map(|code| (code, GateState::Unknown)));
    assert_eq!(shut("battery-below = 20", &SystemState::unknown(&WHY)), None);
}

#[test]
fn each_condition_of_the_system_blocks_downloads_unless_settings_ignore_it() {
    use NetworkConnectivity as On;
    let table = [
        ("", desktop(On::None, Some(false), None), Some("offline")),
        ("offline = \"go\"", desktop(On::None, Some(false), None), None),
        ("", desktop(On::Portal, Some(false), None), Some("captive-portal")),
        ("", desktop(On::Limited, Some(false), None), None),
        ("", desktop(On::Unknown, None, None), None),
        ("", desktop(On::Full, Some(true), None), Some("metered")),
        ("metered = \"go\"", desktop(On::Full, Some(true), None), None),
        ("", desktop(On::None, Some(true), None), Some("offline")),
        ("", desktop(On::Full, None, Some(1.0)), None),
        ("battery-below = 20", desktop(On::Full, None, Some(19.9)), Some("battery")),
        ("battery-below = 20", desktop(On::Full, None, Some(20.0)), None),
        ("battery-below = 100", desktop(On::Full, None, None), None),
        ("", SystemState { is_falling_asleep: Ok(true), ..usual() }, Some("asleep")),
        ("in-use = \"wait\"", usual(), Some("in-use")),
        ("in-use = \"wait\"", SystemState { is_idle: Ok(true), ..usual() }, None),
        ("in-use = \"wait\"", SystemState { is_idle: Err(message!("cause.not-asked")), ..usual() }, None),
        ("hours = [\"sun 12:00-12:01 off\"]", usual(), Some("hours")),
        ("hours = [\"sun 12:01-12:00 off\"]", usual(), None),
        ("hours = [\"sun 12:00-12:01 slow\"]", usual(), None),
    ];
    for (settings, desktop, expected) in table {
        assert_eq!(shut(settings, &desktop), expected, "{settings} {desktop:?}");
    }
    assert_eq!(state("", &desktop(On::Unknown, None, None), GateCode::Offline), GateState::Unknown);
    assert_eq!(state("", &desktop(On::Full, None, None), GateCode::Metered), GateState::Unknown);
}

#[test]
fn unfinished_bootstrap_is_shown_before_pause_and_pause_before_lost_network() {
    let offline = desktop(NetworkConnectivity::None, None, None);
    let first = |change: fn(&mut GateInputs<'_>)| closed(all("", &offline, change)).map(|gate| gate.code);
    assert_eq!(first(|facts| facts.is_paused = true), Some(GateCode::Paused));
    let both = closed(all("", &offline, |facts| (facts.is_paused, facts.unfinished) = (true, Some(&*WHY))));
    assert_eq!(both.map(|gate| gate.code), Some(GateCode::Bootstrap));
}

#[test]
fn only_a_condition_that_blocks_downloads_has_an_explanation() {
    let lines = "hours = [\"sun 12:00-18:30 off\"]\nbattery-below = 20";
    let flat = SystemState { is_falling_asleep: Ok(true), ..desktop(NetworkConnectivity::None, Some(true), Some(5.0)) };
    let portal = desktop(NetworkConnectivity::Portal, None, None);
    let closed = all(lines, &flat, |facts| (facts.is_paused, facts.unfinished) = (true, Some(&*WHY)));
    let gates = [closed, all("", &portal, |_| {})].concat();
    for gate in gates {
        let is_closed = gate.state == GateState::Closed;
        let sentences = gate.text.matches(". ").count() + usize::from(gate.text.ends_with('.'));
        assert_eq!((sentences == 2, gate.text.is_empty()), (is_closed, !is_closed), "{gate:?}");
        assert!(!gate.cause.is_empty() && gate.cause().text == gate.cause, "{gate:?}");
        if is_closed && gate.code == GateCode::Hours {
            assert!(gate.text.contains("until 18:30"), "{}", gate.text);
            assert_eq!(gate.until, Some((NOON / 1000) + 390 * 60_000));
        }
    }
}

#[test]
fn downloads_are_allowed_at_the_reported_time_even_if_the_clock_jumped() {
    let settings = "hours = [\"daily 00:00-24:00 off\", \"mon 03:00-04:00 full\"]";
    let year = 365 * 86_400_000_000_i64;
    for jump in [0, 86_400_000_000, -year, year * 30, -NOON] {
        let gate = closed(all(settings, &usual(), |facts| facts.now_us += jump)).unwrap();
        let until = gate.until.unwrap();
        assert!((0..=7 * 86_400_000).contains(&(until - (NOON + jump) / 1000)), "{jump}");
        assert_eq!(closed(all(settings, &usual(), |facts| facts.now_us = until * 1000)), None, "{jump}");
    }
}

#[test]
fn message_of_download_that_waits_for_disk_space_says_how_much_space_is_missing() {
    let gate = disk("/films", Some(1_000_000_000), 4_200_000_000, 0);
    assert_eq!((gate.state, gate.code), (GateState::Closed, GateCode::Disk));
    assert!(gate.text.starts_with("/films is low on space; 3.2 GB more needed."), "{}", gate.text);
    assert_eq!(disk("/films", Some(5), 5, 0).state, GateState::Open);
    assert_eq!(disk("/films", None, 5, 0).state, GateState::Unknown);
    let gate = disk("/films", Some(394_500_000), 512_000_000, 512_000_000);
    assert!(gate.text.starts_with("/films is low on space; 118 MB more needed. Ashore keeps 512 MB free."), "{}", gate.text);
}

#[test]
fn downloads_wait_for_disk_space_if_the_ledger_could_not_be_written() {
    for free in [Some(0), Some(700_000), Some(5_000_000_000), None] {
        let all = all("", &usual(), |facts| (facts.is_paused, facts.full) = (true, Some((Path::new("/home/ann/list"), free))));
        let gate = closed(all).unwrap();
        assert_eq!(gate.code, GateCode::Disk, "the disk gate has priority, because a pause could not be stored");
        assert_eq!(
            gate.text,
            "/home/ann/list is low on space; 1.1 MB more needed. Free up some space, and downloads continue automatically."
        );
        assert!(!sets_aside(gate.code), "a running transfer writes nothing to the ledger before its end");
    }
}

#[test]
fn retry_is_worthwhile_after_network_change_or_wake() {
    let on = |connectivity, primary: &str| SystemState {
        network: Ok(NetworkState { connectivity, is_metered: None, primary: primary.to_owned() }),
        ..usual()
    };
    let asleep = SystemState { is_falling_asleep: Ok(true), ..usual() };
    let (off, full) = (on(NetworkConnectivity::None, "/"), on(NetworkConnectivity::Full, "/1"));
    let unknown = SystemState::unknown(&WHY);
    let table = [
        (&off, &full, true),
        (&full, &on(NetworkConnectivity::Full, "/2"), true),
        (&asleep, &usual(), true),
        (&asleep, &unknown, true),
        (&full, &off, false),
        (&full, &full, false),
        (&unknown, &full, false),
        (&usual(), &asleep, false),
    ];
    for (before, now, expected) in table {
        assert_eq!(now.is_worth_another_try_after(before), expected, "{before:?} {now:?}");
    }
}

#[test]
fn sync_follows_same_network_settings_as_downloads() {
    let of = |connectivity, is_metered, settings: &str| {
        let used = network_use(&desktop(connectivity, is_metered, None), &SettingsFile::read(settings).unwrap().settings);
        (used.is_online, used.is_metered)
    };
    use NetworkConnectivity::{Full, None as Cut, Portal, Unknown};
    assert_eq!(of(Full, Some(false), ""), (true, false));
    assert_eq!(of(Unknown, None, ""), (true, false));
    assert_eq!(of(Cut, None, ""), (false, false));
    assert_eq!(of(Cut, None, "offline = \"go\""), (true, false));
    assert_eq!(of(Portal, None, "offline = \"go\""), (false, false));
    assert_eq!(of(Full, Some(true), "metered = \"wait\""), (true, true));
    assert_eq!(of(Full, Some(true), "metered = \"go\""), (true, false));
    let unknown = network_use(&SystemState::unknown(&WHY), &SettingsFile::read("").unwrap().settings);
    assert_eq!(unknown, NetworkUse { is_online: true, is_metered: false });
}
