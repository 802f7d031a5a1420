//! Models the queue as a plain list of registrations and requests. Every look-up searches the whole list.
//!
//! The model has no other state. Each start in the real queue is compared with the model.

mod deeds;
mod starts;

use std::collections::{BTreeMap, HashMap, HashSet};

use ashore_transfer::Guid;
use proptest::sample::Index;

use crate::{
    model::{QueuePlace, UniqueId},
    store::Row,
};

pub(super) const OWNERS: usize = 3;
pub(super) const PARALLEL: usize = 3;
pub(super) const PER_HOST: usize = 2;
pub(super) const ATTEMPTS: u32 = 3;
pub(super) const BASE_SECONDS: i64 = 10;
const HOSTS: usize = 3;
const SECOND: i64 = 1_000_000;
/// Maximum `Retry-After` that is respected, as in `retry_policy`.
const LONGEST_ASKED: i64 = 3600 * SECOND;
/// Number of failures in a row that cause a cooldown, as in `retry_policy`.
const FAILURES_BEFORE_COOLDOWN: u32 = 3;
const OPTIONAL_WAITS: i64 = 30 * SECOND;
const LONGEST_WAIT: i64 = 6 * 3600 * SECOND;

/// Requests of each kind of registration. Each request has its host, and states whether it is optional.
pub(super) const PATTERNS: &[&[(usize, bool)]] = &[
    &[(0, false)],
    &[(1, false)],
    &[(2, false)],
    &[(0, false), (0, true)],
    &[(1, false), (0, false)],
    &[(2, false), (2, false), (2, false)],
    &[(0, false), (1, true), (0, false), (2, false)],
];

/// Position of a registration in the queue.
///
/// For `Before`, the other registration is drawn separately.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Bottom,
    Top,
    Now,
    Before,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndedRequest {
    Completed,
    Stopped,
    /// The connection was cut within the body.
    Reset,
    /// The server was not reached.
    Unreached,
    /// The server asks for a pause of this number of seconds.
    Busy(u64),
    /// The file does not exist.
    Gone,
    DiskFull,
    /// Too many files are open.
    TooManyOpen,
}

/// State of the desktop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    pub is_online: bool,
    pub is_charged: bool,
    pub is_awake: bool,
}

/// Action on the queue.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Add { owner: usize, pattern: usize, place: QueuePlace, parallel: u32, is_paused: bool, is_person: bool, is_again: bool },
    Move(UniqueId, QueuePlace),
    Pause(Option<UniqueId>),
    Resume(Option<UniqueId>),
    Abort(UniqueId),
    Remove(UniqueId),
    Retry(UniqueId),
    News(Vec<(Guid, EndedRequest)>),
    Fetched(Guid),
    Desktop(Weather),
    Room(bool),
    Clock(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Pending,
    Running,
    /// Waits until this time, in µs.
    Waiting(i64),
    Completed,
    Dead,
    Aborted,
}

#[derive(Clone, Debug)]
struct Request {
    host: usize,
    is_optional: bool,
    at: At,
    attempt: u32,
    /// The last try failed because the server was not reached or the connection was cut.
    is_of_network: bool,
    completions: u32,
    /// GUID of the transfer of this request. The GUID never changes.
    guid: Option<Guid>,
}

#[derive(Clone, Debug)]
struct Registration {
    /// Id of the registration; `None` if the power failed before the id was returned.
    id: Option<UniqueId>,
    owner: usize,
    pattern: usize,
    is_urgent: bool,
    rank: f64,
    is_active: bool,
    is_paused: bool,
    is_removed: bool,
    has_failed: bool,
    is_owed: bool,
    parallel: usize,
    requests: Vec<Request>,
}

#[derive(Clone, Debug)]
struct Running {
    guid: Guid,
    registration: usize,
    index: usize,
    must_stop: bool,
    is_told_to_stop: bool,
    is_fetched: bool,
}

#[derive(Clone, Copy, Debug)]
struct HostPause {
    until: i64,
    why: PauseReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PauseReason {
    Busy,
    Unreached,
    Failing,
}

#[derive(Clone, Debug)]
pub(super) struct World {
    pub now: i64,
    pub has_room: bool,
    weather: Weather,
    is_paused: bool,
    all: Vec<Registration>,
    running: Vec<Running>,
    cooldowns: [Option<HostPause>; HOSTS],
    unreached: [u32; HOSTS],
    failing: [u32; HOSTS],
    /// Hosts that had a cooldown and have not succeeded since then.
    ///
    /// Each of these hosts gets a single request at a time.
    on_trial: [bool; HOSTS],
    /// Latest registration that a program added, for each combination of minute, owner and pattern.
    lately: HashMap<(i64, usize, usize), usize>,
    /// Owners that have been served while another owner waited.
    ///
    /// The key is the waiting owner, and whether its request is urgent.
    passed: BTreeMap<(usize, bool), HashSet<usize>>,
    /// Requests that ran before a power failure. They continue regardless of the order of the owners.
    resuming: HashSet<(usize, usize)>,
}

impl Weather {
    pub(super) fn online(self, is: bool) -> Self {
        Self { is_online: is, ..self }
    }

    pub(super) fn charged(self, is: bool) -> Self {
        Self { is_charged: is, ..self }
    }

    pub(super) fn awake(self, is: bool) -> Self {
        Self { is_awake: is, ..self }
    }

    fn is_open(self) -> bool {
        self.is_online && self.is_charged && self.is_awake
    }

    fn sets_aside(self) -> bool {
        !self.is_charged || !self.is_awake
    }
}

impl World {
    pub(super) fn new(now: i64) -> Self {
        Self {
            now,
            has_room: true,
            weather: Weather { is_online: true, is_charged: true, is_awake: true },
            is_paused: false,
            all: Vec::new(),
            running: Vec::new(),
            cooldowns: [None; HOSTS],
            unreached: [0; HOSTS],
            failing: [0; HOSTS],
            on_trial: [false; HOSTS],
            lately: HashMap::new(),
            passed: BTreeMap::new(),
            resuming: HashSet::new(),
        }
    }

    /// Returns a registration for each host. No step ever changes these registrations.
    ///
    /// The engine knows a host only while there is a request to the host.
    pub(super) fn anchors(&self) -> Vec<Deed> {
        let anchor = |pattern| Deed::Add {
            owner: OWNERS,
            pattern,
            place: QueuePlace::Bottom,
            parallel: 0,
            is_paused: true,
            is_person: true,
            is_again: true,
        };
        (0..HOSTS).map(anchor).collect()
    }

    /// Removes everything but the permanent registration of each host.
    pub(super) fn remove_all(&mut self) {
        self.all.truncate(HOSTS);
        self.lately.clear();
        self.passed.clear();
    }

    pub(super) fn desktop(&self) -> Weather {
        self.weather
    }

    /// Returns a registration in the list, except the permanent registration of a host.
    pub(super) fn pick(&self, which: Index) -> Option<UniqueId> {
        let there: Vec<_> = self.listed().filter(|one| one.owner < OWNERS).filter_map(|one| one.id).collect();
        (!there.is_empty()).then(|| there[which.index(there.len())])
    }

    pub(super) fn pick_running(&self, which: Index) -> Option<Guid> {
        let count = self.running.len();
        (count > 0).then(|| self.running[which.index(count)].guid)
    }

    pub(super) fn place(&self, spot: Spot, other: Index) -> QueuePlace {
        match spot {
            Spot::Bottom => QueuePlace::Bottom,
            Spot::Top => QueuePlace::Top,
            Spot::Now => QueuePlace::Now,
            Spot::Before => self.pick(other).map_or(QueuePlace::Top, QueuePlace::Before),
        }
    }

    /// Returns the drawn endings, at most one for each transfer.
    ///
    /// A transfer without a command to stop cannot end as `Stopped`: its ending becomes `Completed`.
    pub(super) fn endings(&self, drawn: &[(Index, EndedRequest)]) -> Option<Vec<(Guid, EndedRequest)>> {
        let mut endings: Vec<(Guid, EndedRequest)> = Vec::new();
        for (which, ending) in drawn {
            let guid = self.pick_running(*which)?;
            let one = self.running.iter().find(|one| one.guid == guid)?;
            if endings.iter().any(|(known, _)| *known == guid) {
                continue;
            }
            let is_possible = *ending != EndedRequest::Stopped || one.is_told_to_stop;
            endings.push((guid, if is_possible { *ending } else { EndedRequest::Completed }));
        }
        Some(endings)
    }

    pub(super) fn ids(&self) -> HashSet<UniqueId> {
        self.all.iter().filter_map(|one| one.id).collect()
    }

    /// Returns the rows that the ledger is expected to have.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut order: Vec<usize> = (0..self.all.len()).filter(|at| !self.all[*at].is_removed).collect();
        order.sort_by(|one, other| self.all[*one].rank.total_cmp(&self.all[*other].rank).then(one.cmp(other)));
        order.into_iter().map(|at| self.all[at].row(self.is_paused)).collect()
    }

    /// Returns whether this model allows `rows`, which were read from the ledger after an interruption.
    ///
    /// Dispatched requests may still be pending, and due requests may still be waiting.
    pub(super) fn could_be(&self, rows: &[Row]) -> bool {
        let loose = |place: (i64, i64, i64)| match place {
            (1, _, attempt) => (0, 0, attempt),
            (3, until, attempt) if until <= self.now => (0, 0, attempt),
            other => other,
        };
        let mut ours = self.rows();
        ours.iter_mut().for_each(|row| row.places.iter_mut().for_each(|place| *place = loose(*place)));
        let mut theirs = rows.to_vec();
        theirs.iter_mut().for_each(|row| row.places.iter_mut().for_each(|place| *place = loose(*place)));
        ours == theirs
    }

    /// Drops the state that is only in memory.
    ///
    /// Active requests in `rows` continue if they are allowed to.
    pub(super) fn kill(&mut self, rows: &[Row]) {
        self.running.clear();
        self.cooldowns = [None; HOSTS];
        self.unreached = [0; HOSTS];
        self.failing = [0; HOSTS];
        self.on_trial = [false; HOSTS];
        self.passed.clear();
        for row in rows {
            let at = self.all.iter().position(|one| one.id == Some(row.id)).unwrap();
            for (index, (state, until, _)) in row.places.iter().enumerate() {
                let one = &mut self.all[at];
                let place = &mut one.requests[index].at;
                if *state == 1 {
                    *place = if one.is_active { At::Pending } else { At::Aborted };
                    self.resuming.insert((at, index));
                } else if *state == 0 {
                    *place = At::Pending;
                } else if *state == 3 {
                    // The wait may be over although the ledger has not recorded this yet.
                    *place = At::Waiting(*until);
                }
            }
        }
        let is_paused = self.is_paused;
        let all = &self.all;
        self.resuming.retain(|(at, _)| all[*at].is_active && !all[*at].is_paused && !is_paused);
    }

    pub(super) fn has_restarted(&mut self) {
        self.resuming.clear();
    }

    pub(super) fn paused(&self) -> Vec<UniqueId> {
        self.listed().filter(|one| one.is_paused && one.owner < OWNERS).filter_map(|one| one.id).collect()
    }

    pub(super) fn is_busy(&self) -> bool {
        !self.running.is_empty() || self.listed().any(|one| one.is_active && one.owner < OWNERS)
    }

    pub(super) fn endings_of_all_running(&self) -> Option<Vec<(Guid, EndedRequest)>> {
        let come = |one: &Running| (one.guid, if one.is_told_to_stop { EndedRequest::Stopped } else { EndedRequest::Completed });
        (!self.running.is_empty()).then(|| self.running.iter().map(come).collect())
    }

    /// Checks that every request has either completed exactly once, or failed, or been aborted.
    pub(super) fn check_ended(&self) {
        for one in self.listed().filter(|one| one.owner < OWNERS) {
            for request in &one.requests {
                match request.at {
                    At::Completed => assert_eq!(request.completions, 1, "{one:?}"),
                    At::Dead | At::Aborted => {}
                    // A request that was aborted before it started keeps its state.
                    At::Pending | At::Waiting(_) => assert!(one.has_failed, "lost: {one:?}"),
                    At::Running => panic!("the transfer never ends: {one:?}"),
                }
            }
        }
    }

    /// Returns each registration, and whether its end must still be reported.
    pub(super) fn pending_ends(&self) -> Vec<(UniqueId, bool)> {
        self.listed().filter_map(|one| Some((one.id?, one.is_owed))).collect()
    }

    fn listed(&self) -> impl Iterator<Item = &Registration> {
        self.all.iter().filter(|one| !one.is_removed)
    }

    fn at(&self, id: UniqueId) -> usize {
        self.all.iter().position(|one| one.id == Some(id)).unwrap()
    }
}

impl Request {
    fn new(host: usize, is_optional: bool) -> Self {
        Self { host, is_optional, at: At::Pending, attempt: 0, is_of_network: false, completions: 0, guid: None }
    }

    fn is_open(&self) -> bool {
        matches!(self.at, At::Pending | At::Running | At::Waiting(_))
    }
}

impl Registration {
    /// Creates an active registration for an owner, with a pattern of requests, and puts the registration at its place
    /// in the queue.
    fn new(
        id: Option<UniqueId>,
        (owner, pattern): (usize, usize),
        (is_urgent, rank): (bool, f64),
        requests: Vec<Request>,
    ) -> Self {
        Self {
            id,
            owner,
            pattern,
            is_urgent,
            rank,
            is_active: true,
            is_paused: false,
            is_removed: false,
            has_failed: false,
            is_owed: false,
            parallel: 0,
            requests,
        }
    }

    fn row(&self, is_held: bool) -> Row {
        let places = self.requests.iter().map(|request| {
            let attempt = i64::from(request.attempt);
            match request.at {
                At::Pending => (0, 0, attempt),
                At::Running => (1, 0, attempt),
                At::Completed => (2, 0, 0),
                At::Waiting(until) => (3, until, attempt),
                At::Aborted => (4, 0, 0),
                At::Dead => (5, 0, 0),
            }
        });
        let result = match (self.is_active, self.has_failed) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        Row {
            id: self.id.unwrap_or(UniqueId(uuid::Uuid::nil())),
            is_active: self.is_active,
            is_paused: self.is_paused,
            is_held,
            priority: self.is_urgent.into(),
            rank: (self.rank * f64::from(1 << 20)) as i64,
            result,
            is_owed: self.is_owed,
            places: places.collect(),
        }
    }
}

fn is_ahead(until: i64, now: i64) -> bool {
    until > now && until - now <= LONGEST_WAIT
}
