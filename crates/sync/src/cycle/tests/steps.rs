//! Generates random histories of three machines.

use proptest::{collection::vec, option, prelude::*};

use crate::{server::InjectedFault, service::RemoteChange};

/// Number of machines.
pub const MACHINES: usize = 3;
const HOUR_MS: i64 = 60 * 60 * 1000;

/// Action of a person, or of the engine, on one machine. A number selects one of the downloads to which the action
/// can be applied.
#[derive(Clone, Debug)]
pub enum MachineAction {
    Create {
        is_paused: bool,
    },
    /// Creates a download with so many requests that they are sent in parts.
    CreateLong,
    Rename(usize),
    Pause(usize),
    /// Resumes a download, or accepts one that another machine sent.
    Resume(usize),
    Remove(usize),
    /// Persists the first response of a download.
    Start(usize),
    Finish(usize, bool),
    /// Changes a download of another machine. `Some(number)` kills the process at the await with this number.
    Ask(usize, RemoteChange, Option<usize>),
    /// Clears the entries of the history that are older than `ago_ms`.
    ClearHistory {
        ago_ms: i64,
    },
    Send {
        to: usize,
    },
    Set {
        setting: usize,
        is_default: bool,
    },
}

/// Fault of one request of a cycle. A malicious server could also answer with the page of another request. This is not
/// tested, because no client can notice that a server withholds records.
#[derive(Clone, Copy, Debug)]
pub enum RequestFault {
    LostReply,
    CutConnection,
    Conflict,
    Busy,
    HtmlAnswer,
    Full,
    Unauthorized,
    SwappedPayloads,
}

impl From<RequestFault> for InjectedFault {
    fn from(fault: RequestFault) -> Self {
        match fault {
            RequestFault::LostReply => Self::LostReply,
            RequestFault::CutConnection => Self::CutConnection,
            RequestFault::Conflict => Self::Conflict,
            RequestFault::Busy => Self::Busy { retry_after_s: 1 },
            RequestFault::HtmlAnswer => Self::HtmlAnswer,
            RequestFault::Full => Self::Full,
            RequestFault::Unauthorized => Self::Unauthorized,
            RequestFault::SwappedPayloads => Self::SwappedPayloads,
        }
    }
}

/// Event that happens while a cycle waits.
#[derive(Clone, Debug)]
pub enum Interruption {
    /// A machine carries out an action. It may be the machine that runs the cycle.
    Action(usize, MachineAction),
    /// Another machine runs a complete cycle.
    Cycle(usize),
}

/// One step of a history.
#[derive(Clone, Debug)]
pub enum FleetStep {
    Action(usize, MachineAction),
    SetClock(usize, i64),
    Cycle {
        at: usize,
        /// Faults, each with the number of the affected request within the cycle.
        faults: Vec<(u64, RequestFault)>,
        /// Interruptions, each with the number of the await within the cycle.
        interruptions: Vec<(usize, Interruption)>,
        /// Number of the await at which the process is killed.
        killed_at: Option<usize>,
    },
}

/// Random history: the errors of the clocks, the maximum page size of the server, and the steps. The number before a
/// step is the time in milliseconds that passes before it.
#[derive(Clone, Debug)]
pub struct FleetHistory {
    pub errors_ms: [i64; MACHINES],
    pub longest_page: u32,
    pub steps: Vec<(i64, FleetStep)>,
}

fn ask() -> impl Strategy<Value = RemoteChange> {
    prop_oneof![
        3 => Just(RemoteChange::Pause),
        3 => Just(RemoteChange::Resume),
        1 => Just(RemoteChange::Remove),
        4 => Just(RemoteChange::MoveHere),
        1 => Just(RemoteChange::FetchHere),
    ]
}

fn action() -> impl Strategy<Value = MachineAction> {
    prop_oneof![
        3 => any::<bool>().prop_map(|is_paused| MachineAction::Create { is_paused }),
        1 => Just(MachineAction::CreateLong),
        4 => (0..8_usize).prop_map(MachineAction::Rename),
        3 => (0..8_usize).prop_map(MachineAction::Pause),
        3 => (0..8_usize).prop_map(MachineAction::Resume),
        1 => (0..8_usize).prop_map(MachineAction::Remove),
        2 => (0..8_usize).prop_map(MachineAction::Start),
        2 => (0..8_usize, any::<bool>()).prop_map(|(at, is_success)| MachineAction::Finish(at, is_success)),
        6 => (0..8_usize, ask(), option::weighted(0.2, 0..24_usize)).prop_map(|(at, ask, kill)| MachineAction::Ask(at, ask, kill)),
        1 => (0..3_i64).prop_map(|seconds| MachineAction::ClearHistory { ago_ms: seconds * 1000 }),
        2 => (0..MACHINES).prop_map(|to| MachineAction::Send { to }),
        3 => (0..2_usize, any::<bool>()).prop_map(|(setting, is_default)| MachineAction::Set { setting, is_default }),
    ]
}

fn fault() -> impl Strategy<Value = RequestFault> {
    prop_oneof![
        4 => Just(RequestFault::LostReply),
        1 => Just(RequestFault::CutConnection),
        2 => Just(RequestFault::Conflict),
        1 => Just(RequestFault::Busy),
        1 => Just(RequestFault::HtmlAnswer),
        1 => Just(RequestFault::Full),
        1 => Just(RequestFault::Unauthorized),
        2 => Just(RequestFault::SwappedPayloads),
    ]
}

fn interruption() -> impl Strategy<Value = Interruption> {
    prop_oneof![
        3 => (0..MACHINES, action()).prop_map(|(at, action)| Interruption::Action(at, action)),
        2 => (0..MACHINES).prop_map(Interruption::Cycle),
    ]
}

fn step() -> impl Strategy<Value = FleetStep> {
    let quiet =
        (0..MACHINES).prop_map(|at| FleetStep::Cycle { at, faults: Vec::new(), interruptions: Vec::new(), killed_at: None });
    let rough =
        (0..MACHINES, vec((0..20_u64, fault()), 0..3), vec((0..250_usize, interruption()), 0..4), option::of(0..250_usize))
            .prop_map(|(at, faults, interruptions, killed_at)| FleetStep::Cycle { at, faults, interruptions, killed_at });
    prop_oneof![
        8 => (0..MACHINES, action()).prop_map(|(at, action)| FleetStep::Action(at, action)),
        4 => quiet,
        4 => rough,
        1 => (0..MACHINES, -6 * HOUR_MS..=6 * HOUR_MS).prop_map(|(at, error_ms)| FleetStep::SetClock(at, error_ms)),
    ]
}

/// Returns a strategy for random histories, in which clocks are up to six hours wrong.
pub fn history() -> impl Strategy<Value = FleetHistory> {
    // If a clock is 10 to 20 minutes ahead, only some of its stamps are replaced by the server's time.
    let errors = || prop_oneof![Just(0), -6 * HOUR_MS..=6 * HOUR_MS, HOUR_MS / 6..=HOUR_MS / 3];
    let longest_page = prop_oneof![Just(1_u32), Just(2), Just(500)];
    let steps = vec((0..120_000_i64, step()), 1..40);
    ([errors(), errors(), errors()], longest_page, steps).prop_map(|(errors_ms, longest_page, steps)| FleetHistory {
        errors_ms,
        longest_page,
        steps,
    })
}
