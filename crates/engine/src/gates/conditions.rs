//! Conditions that decide which downloads may start. Watchers write these conditions. The loop and the reports about
//! gates read them.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::ResponseSummary;
use tokio::sync::{Notify, watch};

use crate::{
    gates::{
        SpeedMode,
        decision::{GateInputs, SystemState, closed, gates},
        disk_space::DiskSpaceGate,
        host_cooldown::HostCooldown,
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

/// Failed bootstrap step. No download starts until it succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnfinishedWork {
    pub step: BootstrapStep,
    /// Reason for the failure.
    ///
    /// Completes the sentence "The first start of this version is not finished: ...".
    pub why: UserMessage,
    /// Number of failed attempts.
    pub failures: u32,
    /// Time of the next attempt, in µs of Unix time.
    pub next_us: i64,
}

/// Conditions that decide which downloads may start. Kept only in memory.
#[derive(Debug)]
pub(crate) struct GateConditions {
    /// Latest state of the desktop services.
    pub desktop: watch::Sender<SystemState>,
    /// Current speed mode. Every decision about speed reads this value.
    pub pace: watch::Sender<SpeedMode>,
    /// Whether the machine may sleep. True when every interruptible transfer has stopped and its bytes are durable.
    pub is_at_rest: watch::Sender<bool>,
    /// Whether a transfer is running. While true, the watcher may keep the machine awake.
    pub is_running: watch::Sender<bool>,
    /// Notified on every tick of the loop, for watchers that have no other signal.
    pub tick: Notify,
    /// Notified when a change of the settings affects which desktop services to watch.
    pub other_wishes: Notify,
    unfinished: Mutex<Option<UnfinishedWork>>,
    full: Mutex<Option<PathBuf>>,
    anyway: Mutex<GateOverrides>,
    space: Mutex<DiskSpaceGate>,
    quota: Mutex<QuotaGate>,
    cooldowns: Mutex<HashMap<i64, HostCooldown>>,
}

impl GateConditions {
    pub(crate) fn new() -> Self {
        Self {
            desktop: watch::Sender::new(SystemState::unknown(&message!("cause.not-asked"))),
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
            cooldowns: Mutex::default(),
        }
    }

    /// Returns the current state of every gate.
    pub(crate) fn gates(&self, env: &EngineEnv, settings: &Settings, is_paused: bool) -> Vec<GateReport> {
        let (unfinished, desktop) = (self.unfinished().clone(), self.desktop.borrow().clone());
        let (unfinished, full) = (unfinished.as_ref().map(|step| &step.why), self.full().clone());
        let full = full.as_deref().map(|folder| (folder, (env.free)(folder)));
        let facts = GateInputs { now_us: env.now(), local: env.local, is_paused, unfinished, full, desktop: &desktop };
        gates(&facts, settings)
    }

    /// Returns the first gate that is closed now.
    pub(crate) fn closed(&self, env: &EngineEnv, settings: &Settings, is_paused: bool) -> Option<GateReport> {
        closed(self.gates(env, settings, is_paused))
    }

    /// Locks and returns the overrides: registrations that may run despite a closed gate.
    pub(crate) fn anyway(&self) -> MutexGuard<'_, GateOverrides> {
        self.anyway.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks and returns the record of folders and registrations that wait for free space.
    pub(crate) fn space(&self) -> MutexGuard<'_, DiskSpaceGate> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks and returns the quotas and the registrations that wait for them.
    pub(crate) fn quota(&self) -> MutexGuard<'_, QuotaGate> {
        self.quota.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves quota for `candidate`.
    ///
    /// If the quota does not suffice, records the registration of `candidate` as waiting.
    pub(crate) fn find_room(&self, candidate: &ExpiryCandidate<'_>) -> Option<QuotaReservation> {
        let ExpiryCandidate { owner, category, kept, size, .. } = *candidate;
        let mut quotas = self.quota();
        let room = quotas.open(owner, category, kept, size);
        room.map_err(|short| quotas.did_not_fit(candidate.unique_id, short)).ok()
    }

    /// Returns whether the file in the response `head` fits into the quotas.
    pub(crate) fn has_room_for(&self, transfer: &RunningTransfer, head: &ResponseSummary) -> bool {
        // Allow every upload, because an upload cannot be resumed and its response is short.
        let Some(room) = transfer.room.as_ref().filter(|_| transfer.body_size.is_none()) else { return true };
        self.quota().fits_told(room, file_kind::category_of_response(head), head.total_size)
    }

    /// Locks and returns the hosts that are in cooldown. The loop publishes them.
    pub(crate) fn cooldowns(&self) -> MutexGuard<'_, HashMap<i64, HostCooldown>> {
        self.cooldowns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks and returns the folder of the ledger if its disk has no space for writes; otherwise the value is `None`.
    pub(crate) fn full(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks and returns the failed bootstrap step, if any.
    pub(crate) fn unfinished(&self) -> MutexGuard<'_, Option<UnfinishedWork>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
