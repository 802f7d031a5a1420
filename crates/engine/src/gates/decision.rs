//! Decides whether downloads may start now, and which gate prevents starts. [pure]
//!
//! A closed gate has a code, a sentence, a cause, and the time or the event that opens it.
//!
//! - Every decision uses only the current facts, never an earlier decision. A clock jump, a restarted service or a
//!   changed setting therefore cannot leave a gate closed.
//! - A fact that the desktop does not report is unknown. A gate with unknown facts stays open.

use ashore_messages::{MessageArgument, message};
use std::path::Path;

use crate::{
    gates::host_cooldown::CooldownReason,
    model::{
        GateCode, GateReport, GateState, NetworkUse, UserMessage,
        status::{closed_by, milliseconds, report},
        values::{
            local_time::LocalTime,
            weekly_hours::{HoursSpan, SpeedMode, moment},
        },
    },
    settings::{GatePolicy, Settings},
};

/// Number of bytes that must become free after a ledger write failed for lack of space.
const LIST_NEEDS: u64 = 1 << 20;

/// Facts on which the gates depend. Every value may differ at the next decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateInputs<'a> {
    pub now_us: i64,
    pub local: fn(i64) -> LocalTime,
    /// Whether the user has paused everything.
    pub is_paused: bool,
    /// Reason why the bootstrap of this version is not finished.
    pub unfinished: Option<&'a UserMessage>,
    /// Folder of the ledger and the number of free bytes in it, if a ledger write failed for lack of space.
    pub full: Option<(&'a Path, Option<u64>)>,
    pub desktop: &'a SystemState,
}

/// State that the desktop services report. An unknown part contains the reason as an error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SystemState {
    pub network: Result<NetworkState, UserMessage>,
    pub power: Result<PowerState, UserMessage>,
    /// Whether the machine is about to sleep.
    pub is_falling_asleep: Result<bool, UserMessage>,
    /// Whether the machine has been unused for a while.
    pub is_idle: Result<bool, UserMessage>,
}

/// State of the network from NetworkManager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NetworkState {
    pub connectivity: NetworkConnectivity,
    /// Whether traffic is metered, or NetworkManager assumes so; `None` if unknown.
    pub is_metered: Option<bool>,
    /// D-Bus path of the primary connection.
    ///
    /// A new connection may reach hosts that the previous one could not reach.
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

/// Power state from UPower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerState {
    pub is_on_battery: bool,
    pub percentage: f64,
}

impl SystemState {
    /// Returns a state whose parts are all unknown. `why` is the reason.
    pub(crate) fn unknown(why: &UserMessage) -> Self {
        let why = || why.clone();
        Self { network: Err(why()), power: Err(why()), is_falling_asleep: Err(why()), is_idle: Err(why()) }
    }

    /// Returns whether hosts that were unreachable may be reachable now.
    ///
    /// True if the network is back, another connection has become primary, or the machine has woken.
    pub(crate) fn is_worth_another_try_after(&self, before: &Self) -> bool {
        let has_woken = before.is_falling_asleep == Ok(true) && self.is_falling_asleep != Ok(true);
        let (Ok(now), Ok(then)) = (&self.network, &before.network) else { return has_woken };
        let is_back = now.connectivity == NetworkConnectivity::Full && then.connectivity != NetworkConnectivity::Full;
        let is_another = now.primary != then.primary && now.connectivity != NetworkConnectivity::None;
        has_woken || is_back || is_another
    }
}

/// Returns how sync may use the network. The settings for downloads also apply to sync.
pub(crate) fn network_use(desktop: &SystemState, settings: &Settings) -> NetworkUse {
    let Ok(network) = &desktop.network else { return NetworkUse { is_online: true, is_metered: false } };
    let is_cut = network.connectivity == NetworkConnectivity::None && settings.offline == GatePolicy::Wait;
    let is_metered = network.is_metered == Some(true) && settings.metered == GatePolicy::Wait;
    NetworkUse { is_online: !is_cut && network.connectivity != NetworkConnectivity::Portal, is_metered }
}

/// Returns every gate in its current state, sorted by importance for the user.
pub(crate) fn gates(facts: &GateInputs<'_>, settings: &Settings) -> Vec<GateReport> {
    let mut gates = vec![bootstrap(facts)];
    gates.extend(list(facts));
    gates.extend([paused(facts), asleep(facts), hours(facts, settings)]);
    gates.extend(network(facts, settings));
    gates.extend([battery(facts, settings), in_use(facts, settings)]);
    gates
}

/// Returns the first gate of `gates` that is closed.
pub(crate) fn closed(gates: Vec<GateReport>) -> Option<GateReport> {
    gates.into_iter().find(|gate| gate.state == GateState::Closed)
}

/// Returns whether the gate stops running transfers when it closes. Received bytes are kept.
///
/// Without a network, or if the network requires a sign-in, running transfers continue or fail by themselves.
pub(crate) fn sets_aside(code: GateCode) -> bool {
    match code {
        GateCode::Bootstrap | GateCode::Asleep | GateCode::Hours | GateCode::Metered | GateCode::Battery | GateCode::InUse => {
            true
        }
        // These gates need not stop transfers. For example, the call that pauses downloads has already stopped them.
        GateCode::Paused | GateCode::Offline | GateCode::CaptivePortal | GateCode::Disk | GateCode::Folder | GateCode::Quota => {
            false
        }
    }
}

/// Returns whether a closed gate with this code means that there is no usable network.
pub(crate) fn is_offline(code: GateCode) -> bool {
    matches!(code, GateCode::Offline | GateCode::CaptivePortal)
}

/// Returns the disk gate of `folder`. The gate is closed if `free` is less than `needed` bytes.
///
/// `needed` includes `floor`, the number of bytes that stay free.
pub(crate) fn disk(folder: &str, free: Option<u64>, needed: u64, floor: u64) -> GateReport {
    let Some(free) = free else { return unknown(GateCode::Disk, message!("cause.space-unknown")) };
    let (is_free, is_needed) = (MessageArgument::size(free), MessageArgument::size_rounded_up(needed));
    let cause = message!("cause.space", free = is_free, folder = folder, needed = is_needed);
    if free >= needed {
        return open(GateCode::Disk, cause);
    }
    let amount = MessageArgument::size_rounded_up(needed - free);
    let message = match floor {
        0 => message!("disk.short", amount = amount, folder = folder),
        floor => message!("disk.below-floor", amount = amount, folder = folder, floor = MessageArgument::size(floor)),
    };
    closed_by(message, GateCode::Disk, cause, None)
}

/// Returns the reason for the cooldown of a host as a message: a code and a sentence for the user.
pub(crate) fn cooldown_message(why: CooldownReason) -> UserMessage {
    match why {
        CooldownReason::Busy => message!("host-busy"),
        CooldownReason::Unreached => message!("host-unreachable"),
        CooldownReason::Failing => message!("host-failing"),
    }
}

fn bootstrap(facts: &GateInputs<'_>) -> GateReport {
    match facts.unfinished {
        None => open(GateCode::Bootstrap, message!("cause.done")),
        Some(why) => closed_by(message!("bootstrap", why = why.clone()), GateCode::Bootstrap, why.clone(), None),
    }
}

/// Returns the closed disk gate of the ledger, if a ledger write failed for lack of space.
///
/// The gate is closed regardless of the free bytes: they may be reserved for other users, or be too few for a row.
fn list(facts: &GateInputs<'_>) -> Option<GateReport> {
    let (folder, free) = facts.full?;
    let free = free.unwrap_or_default();
    Some(disk(&folder.to_string_lossy(), Some(free), free.saturating_add(LIST_NEEDS), 0))
}

fn paused(facts: &GateInputs<'_>) -> GateReport {
    if !facts.is_paused {
        return open(GateCode::Paused, message!("cause.not-paused"));
    }
    closed_by(message!("paused"), GateCode::Paused, message!("cause.paused"), None)
}

fn asleep(facts: &GateInputs<'_>) -> GateReport {
    match &facts.desktop.is_falling_asleep {
        Err(why) => unknown(GateCode::Asleep, why.clone()),
        Ok(false) => open(GateCode::Asleep, message!("cause.awake")),
        Ok(true) => closed_by(message!("asleep"), GateCode::Asleep, message!("cause.asleep"), None),
    }
}

fn hours(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    let HoursSpan { pace, until_us } = settings.hours.span(facts.now_us, facts.local);
    let until = until_us.map(|until| moment(until, facts.now_us, facts.local));
    let until = until.as_deref().map(|until| match until.split_once(' ') {
        Some((day, time)) => MessageArgument::moment(day.to_lowercase(), time),
        None => until.into(),
    });
    let speed = MessageArgument::size(settings.slow_speed.0);
    let cause = match (pace, &until) {
        (SpeedMode::Full, None) => message!("cause.full"),
        (SpeedMode::Full, Some(until)) => message!("cause.full-until", until = until),
        (SpeedMode::Slow, None) => message!("cause.slow", speed = speed),
        (SpeedMode::Slow, Some(until)) => message!("cause.slow-until", until = until, speed = speed),
        (SpeedMode::Off, None) => message!("cause.off"),
        (SpeedMode::Off, Some(until)) => message!("cause.off-until", until = until),
    };
    if pace != SpeedMode::Off {
        return GateReport { until: until_us.map(milliseconds), ..open(GateCode::Hours, cause) };
    }
    let message = until.map_or_else(|| message!("hours.always"), |until| message!("hours", until = &until));
    closed_by(message, GateCode::Hours, cause, until_us)
}

fn network(facts: &GateInputs<'_>, settings: &Settings) -> [GateReport; 3] {
    let codes = [GateCode::Offline, GateCode::CaptivePortal, GateCode::Metered];
    let network = match &facts.desktop.network {
        Ok(network) => network,
        Err(why) => return codes.map(|code| unknown(code, why.clone())),
    };
    let says = || match network.connectivity {
        NetworkConnectivity::Unknown => message!("cause.connection-unknown"),
        NetworkConnectivity::None => message!("cause.no-connection"),
        NetworkConnectivity::Portal => message!("cause.portal"),
        NetworkConnectivity::Limited => message!("cause.limited"),
        NetworkConnectivity::Full => message!("cause.internet"),
    };
    let offline = match (network.connectivity, settings.offline) {
        (NetworkConnectivity::Unknown, _) => unknown(GateCode::Offline, says()),
        (NetworkConnectivity::None, GatePolicy::Wait) => closed_by(message!("offline"), GateCode::Offline, says(), None),
        (NetworkConnectivity::None, GatePolicy::Go) => open(GateCode::Offline, message!("cause.no-connection-allowed")),
        _ => open(GateCode::Offline, says()),
    };
    let portal = match network.connectivity {
        NetworkConnectivity::Unknown => unknown(GateCode::CaptivePortal, says()),
        NetworkConnectivity::Portal => closed_by(message!("captive-portal"), GateCode::CaptivePortal, says(), None),
        _ => open(GateCode::CaptivePortal, says()),
    };
    let metered = match (network.is_metered, settings.metered) {
        (None, _) => unknown(GateCode::Metered, message!("cause.cost-unknown")),
        (Some(false), _) => open(GateCode::Metered, message!("cause.free")),
        (Some(true), GatePolicy::Go) => open(GateCode::Metered, message!("cause.metered-allowed")),
        (Some(true), GatePolicy::Wait) => closed_by(message!("metered"), GateCode::Metered, message!("cause.metered"), None),
    };
    [offline, portal, metered]
}

fn battery(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    let least = settings.battery_below;
    if least == 0 {
        return open(GateCode::Battery, message!("cause.setting", setting = "battery-below = 0"));
    }
    match &facts.desktop.power {
        Err(why) => unknown(GateCode::Battery, why.clone()),
        Ok(PowerState { is_on_battery: false, .. }) => open(GateCode::Battery, message!("cause.plugged-in")),
        Ok(PowerState { percentage, .. }) if *percentage < f64::from(least) => {
            let message = message!("battery", percent = least.to_string());
            closed_by(message, GateCode::Battery, on_battery(*percentage), None)
        }
        Ok(PowerState { percentage, .. }) => open(GateCode::Battery, on_battery(*percentage)),
    }
}

fn on_battery(percentage: f64) -> UserMessage {
    message!("cause.on-battery", percent = format!("{percentage:.0}"))
}

fn in_use(facts: &GateInputs<'_>, settings: &Settings) -> GateReport {
    match (&facts.desktop.is_idle, settings.in_use) {
        (Err(why), _) => unknown(GateCode::InUse, why.clone()),
        (Ok(true), _) => open(GateCode::InUse, message!("cause.idle")),
        (Ok(false), GatePolicy::Go) => open(GateCode::InUse, message!("cause.in-use-allowed")),
        (Ok(false), GatePolicy::Wait) => closed_by(message!("in-use"), GateCode::InUse, message!("cause.in-use"), None),
    }
}

pub(crate) fn open(code: GateCode, cause: UserMessage) -> GateReport {
    report(code, GateState::Open, cause)
}

fn unknown(code: GateCode, why: UserMessage) -> GateReport {
    report(code, GateState::Unknown, why)
}
