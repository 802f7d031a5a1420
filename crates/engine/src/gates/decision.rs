//! Decides whether anything may start now, and which gate prevents it. [pure]
//!
//! A closed gate has a code, a sentence, a cause, and the time or the event that opens it.
//!
//! - Every decision uses only the current facts; no earlier decision is remembered. A clock jump, a restarted service
//!   or a changed setting therefore cannot leave a gate closed.
//! - A fact that the desktop does not report is unknown. A gate whose facts are unknown does not block.

use ashore_messages::{MessageArgument, message};
use std::path::Path;

use crate::{
    gates::host_rest::CooldownReason,
    model::{
        GateCode, GateReport, GateState, UserMessage,
        status::{closed_by, milliseconds, report},
        values::{
            byte_size,
            local_time::LocalTime,
            weekly_hours::{HoursSpan, SpeedMode, moment},
        },
    },
    settings::{GatePolicy, Settings},
};

/// Additional free bytes required after a write to the ledger failed for lack of disk space.
const LIST_NEEDS: u64 = 1 << 20;

/// Facts that the gates depend on. Every value may differ at the next evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateInputs<'a> {
    pub now_us: i64,
    pub local: fn(i64) -> LocalTime,
    /// The user has paused everything.
    pub is_paused: bool,
    /// Reason why the bootstrap of this version is not finished.
    pub unfinished: Option<&'a str>,
    /// Folder of the ledger and its free bytes, while the ledger cannot be written for lack of space.
    pub full: Option<(&'a Path, Option<u64>)>,
    pub desktop: &'a SystemState,
}

/// State reported by the desktop services; an error explains why it is unknown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SystemState {
    pub network: Result<NetworkState, String>,
    pub power: Result<PowerState, String>,
    /// The machine is about to sleep.
    pub is_falling_asleep: Result<bool, String>,
    /// The user has not used the machine for a while.
    pub is_idle: Result<bool, String>,
}

/// State of the network as reported by NetworkManager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NetworkState {
    pub connectivity: NetworkConnectivity,
    /// Traffic is metered, or assumed to be.
    pub is_metered: Option<bool>,
    /// Path of the primary connection. A new connection may reach hosts that the previous one did not.
    pub primary: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkConnectivity {
    Unknown,
    None,
    Portal,
    Limited,
    Full,
}

/// Power state as reported by UPower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerState {
    pub is_on_battery: bool,
    pub percentage: f64,
}

impl SystemState {
    /// Returns a state in which everything is unknown because of `why`.
    pub(crate) fn unknown(why: &str) -> Self {
        let why = || why.to_owned();
        Self { network: Err(why()), power: Err(why()), is_falling_asleep: Err(why()), is_idle: Err(why()) }
    }

    /// Returns whether hosts that were unreachable may be reachable now.
    ///
    /// True when the network is back, when a different connection has become primary, or when the machine has woken.
    pub(crate) fn is_worth_another_try_after(&self, before: &Self) -> bool {
        let has_woken = before.is_falling_asleep == Ok(true) && self.is_falling_asleep != Ok(true);
        let (Ok(now), Ok(then)) = (&self.network, &before.network) else { return has_woken };
        let is_back = now.connectivity == NetworkConnectivity::Full && then.connectivity != NetworkConnectivity::Full;
        let is_another = now.primary != then.primary && now.connectivity != NetworkConnectivity::None;
        has_woken || is_back || is_another
    }
}

/// Returns every gate in its current state, starting with the most important for the user.
pub(crate) fn gates(facts: &GateInputs<'_>, settings: &Settings) -> Vec<GateReport> {
    let mut gates = vec![bootstrap(facts)];
    gates.extend(list(facts));
    gates.extend([paused(facts), asleep(facts), hours(facts, settings)]);
    gates.extend(network(facts, settings));
    gates.extend([battery(facts, settings), in_use(facts, settings)]);
    gates
}

/// Returns the first closed gate.
pub(crate) fn closed(gates: Vec<GateReport>) -> Option<GateReport> {
    gates.into_iter().find(|gate| gate.state == GateState::Closed)
}

/// Returns whether the gate stops running transfers when it closes. All received bytes are kept.
///
/// Without a network, or on a network that requires a sign-in, running transfers are not stopped: they continue or
/// fail by themselves.
pub(crate) fn sets_aside(code: GateCode) -> bool {
    match code {
        GateCode::Bootstrap | GateCode::Asleep | GateCode::Hours | GateCode::Metered | GateCode::Battery | GateCode::InUse => {
            true
        }
        // Nothing to stop: pausing has already stopped the transfers that it applies to.
        GateCode::Paused | GateCode::Offline | GateCode::CaptivePortal | GateCode::Disk | GateCode::Folder | GateCode::Quota => {
            false
        }
    }
}

/// Returns whether a closed gate of this kind means that there is no usable network.
pub(crate) fn is_offline(code: GateCode) -> bool {
    matches!(code, GateCode::Offline | GateCode::CaptivePortal)
}

/// Returns the disk gate of `folder`, closed where `free` is less than `needed` bytes.
pub(crate) fn disk(folder: &str, free: Option<u64>, needed: u64) -> GateReport {
    let Some(free) = free else { return unknown(GateCode::Disk, "the disk does not say how much is free") };
    let cause = format!("{} free in {folder}, {} needed", byte_size::in_words(free), byte_size::in_words(needed));
    if free >= needed {
        return open(GateCode::Disk, cause);
    }
    let amount = MessageArgument::size_rounded_up(needed - free);
    closed_by(message!("disk.short", amount = amount, folder = folder), GateCode::Disk, cause, None)
}

/// Returns the reason for a host's cooldown, as a code and a sentence for the user.
pub(crate) fn cooldown_message(why: CooldownReason) -> UserMessage {
    match why {
        CooldownReason::Busy => message!("host-busy"),
        CooldownReason::Unreached => message!("host-unreachable"),
        CooldownReason::Failing => message!("host-failing"),
    }
}

fn bootstrap(facts: &GateInputs<'_>) -> GateReport {
    match facts.unfinished {
        None => open(GateCode::Bootstrap, "done".to_owned()),
        Some(why) => closed_by(message!("bootstrap", why = why), GateCode::Bootstrap, why.to_owned(), None),
    }
}

/// Returns the disk gate of the ledger after a write to the ledger failed for lack of space.
///
/// The gate depends on that failure and not on the number of free bytes: the free bytes may be reserved for other
/// users, or be too few for a row.
fn list(facts: &GateInputs<'_>) -> Option<GateReport> {
    let (folder, free) = facts.full?;
    let free = free.unwrap_or_default();
    Some(disk(&folder.to_string_lossy(), Some(free), free.saturating_add(LIST_NEEDS)))
}

fn paused(facts: &GateInputs<'_>) -> GateReport {
    if !facts.is_paused {
        return open(GateCode::Paused, "not everything is paused".to_owned());
    }
    closed_by(message!("paused"), GateCode::Paused, "everything was paused on request".to_owned(), None)
}

fn asleep(facts: &GateInputs<'_>) -> GateReport {
    match &facts.desktop.is_falling_asleep {
        Err(why) => unknown(GateCode::Asleep, why),
        Ok(false) => open(GateCode::Asleep, "the machine is awake".to_owned()),
        Ok(true) => closed_by(message!("asleep"), GateCode::Asleep, "logind prepares for sleep".to_owned(), None),
    }
}

fn hours(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    let HoursSpan { pace, until_us } = settings.hours.span(facts.now_us, facts.local);
    let until = until_us.map(|until| moment(until, facts.now_us, facts.local));
    let till = until.as_deref().map_or_else(String::new, |until| format!(" until {until}"));
    let cause = match pace {
        SpeedMode::Full => format!("full speed{till}"),
        SpeedMode::Slow => format!("slow{till}, at {} a second", byte_size::in_words(settings.slow_speed.0)),
        SpeedMode::Off => format!("off{till}"),
    };
    if pace != SpeedMode::Off {
        return GateReport { until: until_us.map(milliseconds), ..open(GateCode::Hours, cause) };
    }
    let message = match until.as_deref().map(|until| (until, until.split_once(' '))) {
        Some((_, Some((day, time)))) => message!("hours", until = MessageArgument::moment(day.to_lowercase(), time)),
        Some((time, None)) => message!("hours", until = time),
        None => message!("hours.always"),
    };
    closed_by(message, GateCode::Hours, cause, until_us)
}

fn network(facts: &GateInputs<'_>, settings: &Settings) -> [GateReport; 3] {
    let codes = [GateCode::Offline, GateCode::CaptivePortal, GateCode::Metered];
    let network = match &facts.desktop.network {
        Ok(network) => network,
        Err(why) => return codes.map(|code| unknown(code, why)),
    };
    let says = match network.connectivity {
        NetworkConnectivity::Unknown => "NetworkManager does not know whether there is a connection",
        NetworkConnectivity::None => "NetworkManager says that there is no connection",
        NetworkConnectivity::Portal => "NetworkManager sees a page that asks for a sign-in",
        NetworkConnectivity::Limited => "NetworkManager sees a network, but not the internet",
        NetworkConnectivity::Full => "NetworkManager sees the internet",
    };
    let offline = match (network.connectivity, settings.offline) {
        (NetworkConnectivity::Unknown, _) => unknown(GateCode::Offline, says),
        (NetworkConnectivity::None, GatePolicy::Wait) => closed_by(message!("offline"), GateCode::Offline, says.to_owned(), None),
        (NetworkConnectivity::None, GatePolicy::Go) => open(GateCode::Offline, format!("{says}; offline = \"go\"")),
        _ => open(GateCode::Offline, says.to_owned()),
    };
    let portal = match network.connectivity {
        NetworkConnectivity::Unknown => unknown(GateCode::CaptivePortal, says),
        NetworkConnectivity::Portal => closed_by(message!("captive-portal"), GateCode::CaptivePortal, says.to_owned(), None),
        _ => open(GateCode::CaptivePortal, says.to_owned()),
    };
    let metered = match (network.is_metered, settings.metered) {
        (None, _) => unknown(GateCode::Metered, "NetworkManager does not know what this network costs"),
        (Some(false), _) => open(GateCode::Metered, "NetworkManager says that it is not metered".to_owned()),
        (Some(true), GatePolicy::Go) => open(GateCode::Metered, "it is metered; metered = \"go\"".to_owned()),
        (Some(true), GatePolicy::Wait) => {
            closed_by(message!("metered"), GateCode::Metered, "NetworkManager says that it is metered".to_owned(), None)
        }
    };
    [offline, portal, metered]
}

fn battery(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    let least = settings.battery_below;
    if least == 0 {
        return open(GateCode::Battery, "battery-below = 0".to_owned());
    }
    match &facts.desktop.power {
        Err(why) => unknown(GateCode::Battery, why),
        Ok(PowerState { is_on_battery: false, .. }) => open(GateCode::Battery, "the machine is plugged in".to_owned()),
        Ok(PowerState { percentage, .. }) if *percentage < f64::from(least) => {
            let message = message!("battery", percent = least.to_string());
            closed_by(message, GateCode::Battery, format!("on battery at {percentage:.0} %"), None)
        }
        Ok(PowerState { percentage, .. }) => open(GateCode::Battery, format!("on battery at {percentage:.0} %")),
    }
}

fn in_use(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    match (&facts.desktop.is_idle, settings.in_use) {
        (Err(why), _) => unknown(GateCode::InUse, why),
        (Ok(true), _) => open(GateCode::InUse, "the machine is idle".to_owned()),
        (Ok(false), GatePolicy::Go) => open(GateCode::InUse, "the machine is in use; in-use = \"go\"".to_owned()),
        (Ok(false), GatePolicy::Wait) => {
            closed_by(message!("in-use"), GateCode::InUse, "logind says that a session is in use".to_owned(), None)
        }
    }
}

pub(crate) fn open(code: GateCode, cause: String) -> GateReport {
    report(code, GateState::Open, cause)
}

fn unknown(code: GateCode, why: &str) -> GateReport {
    report(code, GateState::Unknown, why.to_owned())
}
