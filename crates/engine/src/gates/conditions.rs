//! What is known at this moment and decides what may start, in one place: the watchers write it, the loop and whoever shows
//! something read it.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_transfer::ResponseSummary;
use tokio::sync::{Notify, watch};

use crate::{
    gates::{
        SpeedMode,
        decision::{GateInputs, SystemState, closed, gates},
        disk_space::DiskSpaceGate,
        host_rest::HostCooldown,
        overrides::GateOverrides,
        quota::QuotaGate,
        running_transfer::RunningTransfer,
    },
    intake::file_kind,
    model::{BootstrapStep, GateReport},
    platform::env::EngineEnv,
    settings::Settings,
    store::{ExpiryCandidate, quota_room::QuotaReservation},
};

/// A step of the first start that failed, so that nothing may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnfinishedWork {
    pub step: BootstrapStep,
    /// The rest of the sentence "The first start is not finished: ...".
    pub why: String,
    /// Tries that failed.
    pub failures: u32,
    /// When it is retried, in µs of Unix time.
    pub next_us: i64,
}

/// What is known. Nothing of it outlives the process.
#[derive(Debug)]
pub(crate) struct GateConditions {
    /// What the desktop says.
    pub desktop: watch::Sender<SystemState>,
    /// The current pace: the one place to ask how fast things may go.
    pub pace: watch::Sender<SpeedMode>,
    /// Nothing is under way that sleep would cut, and all of it is durable.
    pub is_at_rest: watch::Sender<bool>,
    /// Something is under way: whoever wants the machine to stay awake for it follows this.
    pub is_running: watch::Sender<bool>,
    /// The loop's tick, for whoever has to look again and is told by nobody.
    pub tick: Notify,
    /// A setting says that somebody else of the desktop's is to be asked.
    pub other_wishes: Notify,
    unfinished: Mutex<Option<UnfinishedWork>>,
    full: Mutex<Option<PathBuf>>,
    anyway: Mutex<GateOverrides>,
    space: Mutex<DiskSpaceGate>,
    quota: Mutex<QuotaGate>,
    resting: Mutex<HashMap<i64, HostCooldown>>,
}

impl GateConditions {
    pub(crate) fn new() -> Self {
        Self {
            desktop: watch::Sender::new(SystemState::unknown("nobody has asked the desktop")),
            pace: watch::Sender::new(SpeedMode::Full),
            is_at_rest: watch::Sender::new(false),
            is_running: watch::Sender::new(false),
            tick: Notify::new(),
            other_wishes: Notify::new(),
            unfinished: Mutex::new(None),
            full: Mutex::default(),
            anyway: Mutex::default(),
            space: Mutex::default(),
            quota: Mutex::default(),
            resting: Mutex::default(),
        }
    }

    /// Every gate as it is now.
    pub(crate) fn gates(&self, env: &EngineEnv, settings: &Settings, is_paused: bool) -> Vec<GateReport> {
        let (unfinished, desktop) = (self.unfinished().clone(), self.desktop.borrow().clone());
        let (unfinished, full) = (unfinished.as_ref().map(|step| step.why.as_str()), self.full().clone());
        let full = full.as_deref().map(|folder| (folder, (env.free)(folder)));
        let facts = GateInputs { now_us: env.now(), local: env.local, is_paused, unfinished, full, desktop: &desktop };
        gates(&facts, settings)
    }

    /// The first that is closed now.
    pub(crate) fn closed(&self, env: &EngineEnv, settings: &Settings, is_paused: bool) -> Option<GateReport> {
        closed(self.gates(env, settings, is_paused))
    }

    /// Who goes on although a gate is closed.
    pub(crate) fn anyway(&self) -> MutexGuard<'_, GateOverrides> {
        self.anyway.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who waits for free space.
    pub(crate) fn space(&self) -> MutexGuard<'_, DiskSpaceGate> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The quotas, and who waits for them.
    pub(crate) fn quota(&self) -> MutexGuard<'_, QuotaGate> {
        self.quota.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room for a request under quotas; where there is too little, its registration waits for more.
    pub(crate) fn find_room(&self, candidate: &ExpiryCandidate<'_>) -> Option<QuotaReservation> {
        let ExpiryCandidate { owner, category, kept, size, .. } = *candidate;
        let mut quotas = self.quota();
        let room = quotas.open(owner, category, kept, size);
        room.map_err(|short| quotas.did_not_fit(candidate.unique_id, short)).ok()
    }

    /// Whether there is room for what a transfer has just heard of its file.
    pub(crate) fn has_room_for(&self, transfer: &RunningTransfer, head: &ResponseSummary) -> bool {
        // What is sent cannot be set aside, and what comes back is short.
        let Some(room) = transfer.room.as_ref().filter(|_| transfer.body_size.is_none()) else { return true };
        self.quota().fits_told(room, file_kind::category_of_response(head), head.total_size)
    }

    /// Hosts that nothing starts from for a while, as the loop has them.
    pub(crate) fn resting(&self) -> MutexGuard<'_, HashMap<i64, HostCooldown>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of the list, while that cannot be written for want of room.
    pub(crate) fn full(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the one-time work of this version is not done; none when it is.
    pub(crate) fn unfinished(&self) -> MutexGuard<'_, Option<UnfinishedWork>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
