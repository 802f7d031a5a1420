//! Runs the loop of the scheduler.
//!
//! A single thread (`thread`) owns the loop. Therefore a command to stop a transfer never overtakes the command that
//! starts it. Each kind of decision has its own file, and the loop carries the decisions out:
//!
//! - `dispatch` starts requests that may run. For this, `host_limits` counts slots, `fair_share` chooses the owner, and
//!   `tick_budget` limits the requests that one pass starts.
//! - `preemption` makes room for urgent requests. `disks` finds transfers whose disk does not answer, and gives their
//!   slots to other requests.
//! - `apply_events` writes events of transfers to the ledger. `retry_policy` decides about retries.
//! - `commands` carries out commands of the engine, and `gate_updates` reads the gates.
//! - `expiry` removes old entries, and `backups` copies the ledger once a day.
//! - `supervisor` starts another loop after a defect.
//!
//! An event that cannot be written, for example because the disk is full, is kept and written later. No event is
//! emitted before its commit.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use ashore_messages::message;
use ashore_transfer::{ByteBudget, Guid, TransferEvent as News, TransferFailure};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinSet,
};

use crate::{
    EngineError, EngineEvent,
    context::shared::EngineContext,
    gates::decision::SystemState,
    model::{GateReport, ProgressTotals, UniqueId},
    platform::{failpoint, sync},
    scheduler::{
        command::SchedulerCommand,
        disks::{file_removal::FileRemovals, stuck_transfers::StuckTransfers},
        host_limits::HostSlots,
        machine::{clocks::ClockReadings, system_watch},
        persistently,
        retry_policy::{DueRange, LONGEST_WAIT_US},
    },
    store::StartableRequest,
};

/// Maximum number of events that are written together: a commit costs far more than a row.
const GATHERED: usize = 512;
/// Interval between two progress events.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// Number of ticks between two renewals of the executor's row while no transfer runs.
///
/// While a transfer runs, every tick renews the row. With fewer renewals, two threads and the disk can sleep longer.
/// The row records when an engine last worked here; it never decides which engine may work.
const TICKS_TO_A_BEAT_AT_REST: u32 = 5;
/// Interval between two checks for free space while something waits for it.
const SPACE: Duration = Duration::from_secs(2);
/// Minimum interval between two checks for due work.
const BREATH: Duration = Duration::from_millis(1);
/// Maximum wait for the first report of the desktop state after the start.
const FIRST_ANSWER: Duration = Duration::from_secs(1);
/// Maximum time for which the closing engine waits for disks that do not answer.
const CLOSING: Duration = Duration::from_secs(5);
/// Maximum wait for the disk when reading a checksum file or manifest that was just completed.
pub(crate) const READ_WAITS: Duration = Duration::from_secs(10);
/// Pause between a failed write and its retry.
pub(crate) const LEDGER_RETRY: Duration = Duration::from_secs(1);

/// State of the loop. All of it can be rebuilt from the ledger.
pub(crate) struct Scheduler {
    pub(crate) shared: Arc<EngineContext>,
    pub(crate) news: mpsc::UnboundedReceiver<News>,
    pub(crate) orders: mpsc::UnboundedReceiver<SchedulerCommand>,
    pub(crate) load: HostSlots,
    pub(crate) allowances: HashMap<UniqueId, Arc<ByteBudget>>,
    pub(crate) dirty: BTreeSet<UniqueId>,
    pub(crate) deleting: FileRemovals,
    pub(crate) closing: Option<oneshot::Sender<()>>,
    pub(crate) is_closing: bool,
    pub(crate) closing_since: Option<Instant>,
    /// Dispatched requests that wait for a free slot, in order of dispatch.
    pub(crate) ready: VecDeque<StartableRequest>,
    /// Events of requests that ended before they started, and events that could not be written yet.
    pub(crate) unwritten: Vec<News>,
    /// Times at which the waiting requests are due; `None` if these times must be looked up.
    pub(crate) due: Option<DueRange>,
    /// Time of the next expiry, in microseconds; the inner `None` means that no registration will expire.
    ///
    /// The outer `None` means that the time must be looked up.
    pub(crate) expires: Option<Option<i64>>,
    /// Latest time seen on the wall clock, in µs. An earlier time means that the clock was set back.
    pub(crate) last_seen: i64,
    /// Readings of the wall clock, and of a clock that cannot be set, at the last check for a clock jump.
    pub(crate) clocks: ClockReadings,
    /// Number of transfers that stopped using the network since the last dispatch.
    pub(crate) left: usize,
    /// Whether a request may be startable. False after a complete search, until the state changes.
    pub(crate) may_start: bool,
    /// Whether there may be an urgent request without a slot. False after a search, until the state changes.
    pub(crate) may_be_urgent: bool,
    /// Whether an optional request may be waiting for a host in cooldown.
    pub(crate) may_skip: bool,
    /// Failure that caused the cooldown of each host.
    pub(crate) causes: HashMap<i64, TransferFailure>,
    /// Transfers that were preempted and have not ended yet, with the host of each.
    pub(crate) leaving: HashMap<Guid, i64>,
    pub(crate) stuck: StuckTransfers,
    /// Whether the ledger refused the last write. The write is retried soon.
    is_refused: bool,
    /// Whether the last write failed for lack of disk space.
    lacked_room: bool,
    totals: ProgressTotals,
    pub(crate) ticked: Instant,
    ticks_since_beat: u32,
    /// Time of the last check for due work.
    woken: Instant,
    /// State of the desktop, updated when it changes.
    pub(crate) desktop: watch::Receiver<SystemState>,
    /// Desktop state on which the loop last acted.
    pub(crate) heard: SystemState,
    /// First closed gate, which prevents all starts; `None` if every gate is open.
    pub(crate) closed: Option<GateReport>,
    /// Registrations that may start despite the closed gate, because the user allowed it.
    pub(crate) passing: Vec<UniqueId>,
    /// Whether no network can be used. Tracked separately, because `closed` may name another gate.
    pub(crate) is_offline: bool,
    /// Time of the last network change.
    ///
    /// Kept until the transfers that receive no bytes over the new network have been identified.
    pub(crate) network_since: Option<Instant>,
    /// Time at which the allowed hours change next, in µs.
    pub(crate) pace_ends: Option<i64>,
    /// Whether a due copy of the ledger is made when the loop starts, before the first tick.
    pub(crate) copies_at_start: bool,
    /// Gates of the folders that requests wait for, as last emitted to listeners.
    folder_gates: Vec<GateReport>,
    /// Task that reads the whole ledger; at most one such task runs.
    pub(crate) reading: JoinSet<()>,
    /// Time at which the last copy of the ledger was started.
    pub(crate) copied: Option<Instant>,
}

impl Scheduler {
    pub(crate) fn new(
        shared: Arc<EngineContext>,
        news: mpsc::UnboundedReceiver<News>,
        orders: mpsc::UnboundedReceiver<SchedulerCommand>,
    ) -> Self {
        let desktop = shared.known.desktop.subscribe();
        let clocks = ClockReadings::read(&shared.env);
        Self {
            shared,
            news,
            orders,
            load: HostSlots::default(),
            allowances: HashMap::new(),
            dirty: BTreeSet::new(),
            deleting: FileRemovals::default(),
            closing: None,
            is_closing: false,
            closing_since: None,
            ready: VecDeque::new(),
            unwritten: Vec::new(),
            due: None,
            expires: None,
            last_seen: 0,
            clocks,
            left: 0,
            may_start: true,
            may_be_urgent: true,
            may_skip: false,
            causes: HashMap::new(),
            leaving: HashMap::new(),
            stuck: StuckTransfers::default(),
            is_refused: false,
            lacked_room: false,
            totals: ProgressTotals::default(),
            ticked: sync::now(),
            ticks_since_beat: 0,
            woken: sync::now(),
            desktop,
            heard: SystemState::unknown(&message!("cause.not-asked")),
            closed: None,
            passing: Vec::new(),
            is_offline: false,
            network_since: None,
            pace_ends: None,
            copies_at_start: true,
            folder_gates: Vec::new(),
            reading: JoinSet::new(),
            copied: None,
        }
    }

    /// Continues the requests in `running`, then works until the command to close arrives.
    pub(crate) async fn run(&mut self, running: Vec<StartableRequest>) {
        let mut watching = JoinSet::new();
        let shared = Arc::clone(&self.shared);
        watching.spawn(async move {
            persistently::persistently("the desktop's signals", || system_watch::watch(Arc::clone(&shared))).await
        });
        // Wait for the desktop state first: otherwise transfers could start and stop again at once. Limit the wait,
        // because the desktop may be slow.
        let _ = tokio::time::timeout(FIRST_ANSWER, self.desktop.changed()).await;
        self.work(running).await;
    }

    /// Works like `run`, but does not watch the desktop: the caller provides the desktop state.
    pub(crate) async fn work(&mut self, running: Vec<StartableRequest>) {
        self.resume_running(running).await;
        if let Err(error) = self.go_on_deleting().await {
            tracing::warn!(%error, "removed registrations could not be read; deletion resumes at the next start");
        }
        if self.copies_at_start {
            self.copy_ledger();
        }
        let mut told: Option<Instant> = None;
        let mut batch = Vec::new();
        loop {
            let has_more = self.start_some().await;
            let running = self.shared.live.read().await.len();
            if self.is_closing && (running == 0 || self.waits_for_disks_alone().await) {
                break;
            }
            self.say_whether_at_rest().await;
            let is_moving = running > 0 || !self.dirty.is_empty();
            let due = self.next_due().await;
            if due.is_zero() {
                // Handle due work now: a steady stream of events would delay a timer for ever.
                self.wake_due().await;
                continue;
            }
            let since = told.map(|told| sync::now().duration_since(told));
            let next_progress = since.map_or(Duration::ZERO, |since| PROGRESS_EVERY.saturating_sub(since));
            tokio::select! {
                biased;
                order = self.orders.recv(), if !self.is_closing => self.obey_or_close(order).await,
                Ok(()) = self.desktop.changed() => self.receive().await,
                () = sync::asleep(due) => self.wake_due().await,
                () = self.shared.folders.answered() => self.hear_folders(),
                () = sync::asleep(next_progress), if is_moving => {
                    self.tell_progress().await;
                    told = Some(sync::now());
                }
                count = self.news.recv_many(&mut batch, GATHERED) => {
                    if count > 0 {
                        self.apply_events(&mut batch).await;
                    }
                }
                // All other waiting work has been handled, so more requests may start.
                () = sync::turn(), if has_more => {}
                () = sync::never() => {}
            }
        }
        self.shared.transfers.shut_down().await;
        self.finish_copy().await;
        if let Some(done) = self.closing.take() {
            // A caller that no longer waits for the answer is not an error.
            let _ = done.send(());
        }
    }

    /// Returns whether every running transfer is on a disk that does not answer.
    ///
    /// A disk counts as not answering if no answer has come since the command to close. The next start resumes these
    /// transfers from their durable bytes.
    async fn waits_for_disks_alone(&self) -> bool {
        if self.closing_since.is_none_or(|since| sync::now().saturating_duration_since(since) < CLOSING) {
            return false;
        }
        let live = self.shared.live.read().await;
        let is_silent = live.folders().all(|folder| {
            self.shared.folders.ask(folder);
            self.shared.folders.is_silent(folder)
        });
        if is_silent {
            tracing::warn!("some disks do not respond; closing without waiting for their transfers");
        }
        is_silent
    }

    /// Continues the requests that were running, except those that a closed gate stops.
    pub(crate) async fn resume_running(&mut self, running: Vec<StartableRequest>) {
        self.heard = self.desktop.borrow_and_update().clone();
        self.update_gates().await;
        self.start(running).await;
    }

    /// Writes pending events and starts requests within the budget of one tick.
    ///
    /// Returns whether more requests may be startable.
    pub(crate) async fn start_some(&mut self) -> bool {
        if (self.may_start || self.may_skip) && !self.is_closing && self.closed.is_none() {
            self.skip_optional().await;
        }
        if !self.unwritten.is_empty() {
            // Write ended requests first, because each occupies a slot until then.
            let mut ended = std::mem::take(&mut self.unwritten);
            self.apply_events(&mut ended).await;
        }
        if self.may_start && !self.is_closing {
            self.fill().await;
        }
        if self.may_be_urgent && !self.may_start && !self.is_closing {
            self.make_way().await;
        }
        self.may_start && !self.is_closing || !self.unwritten.is_empty()
    }

    /// Handles a change of the desktop state.
    pub(crate) async fn receive(&mut self) {
        self.keep_time().await;
        // Keep this order: if a change arrives between the two calls, the gates see it and the loop handles it again.
        self.look_at_network().await;
        self.update_gates().await;
    }

    /// Handles a tick of the loop, or work that has become due.
    ///
    /// A tick without due work reads nothing: all changes except those of disks are reported by notifications.
    pub(crate) async fn wake_due(&mut self) {
        self.woken = sync::now();
        let was_refused = std::mem::take(&mut self.is_refused);
        self.keep_time().await;
        if self.lacked_room {
            // The closed disk gate prevents every other write. Therefore write this row to test whether the ledger has
            // space again.
            self.say_that_it_lives().await;
        }
        if sync::now().duration_since(self.ticked) >= self.shared.env.tick {
            self.ticked = sync::now();
            self.shared.known.tick.notify_one();
            self.beat().await;
            self.read_ledger();
            self.copy_ledger();
        }
        self.finish_bootstrap(false).await;
        self.update_gates().await;
        self.begin_silent_anew().await;
        let now = self.shared.env.now();
        let is_due = was_refused || self.due.is_none_or(|due| due.is_over(now));
        self.delete_what_rests().await;
        let short = self.shared.known.space().waited_for();
        self.shared.folders.ask_waited_for(short);
        self.hear_folders();
        if is_due || self.load.is_anybody_rested(now) {
            self.may_start = true;
            self.may_be_urgent = true;
        }
        if is_due {
            self.due = None;
            match self.wake().await {
                Ok(woken) => {
                    if !woken.is_empty() {
                        self.load.may_have_more();
                    }
                    self.dirty.extend(woken);
                }
                Err(error) => self.refused(&error, "wake due requests"),
            }
        }
        self.forget().await;
    }

    /// Checks waiting requests again, if their folder has answered or should have answered by now.
    fn hear_folders(&mut self) {
        let gates = self.shared.folders.gates();
        let is_news = std::mem::replace(&mut self.folder_gates, gates) != self.folder_gates;
        let free = |folder: &Path| self.shared.free(folder);
        let has_space = self.shared.known.space().refresh(&free);
        let is_stale = self.shared.known.space().has_changed(&free);
        if self.shared.folders.refresh() || has_space {
            self.load.may_have_more();
            self.may_start = true;
            self.may_be_urgent = true;
        }
        if is_news || has_space || is_stale {
            // The reason why registrations are waiting has changed, or the amount of missing space in it.
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
    }

    async fn beat(&mut self) {
        self.ticks_since_beat += 1;
        if self.shared.live.read().await.is_empty() && self.ticks_since_beat < TICKS_TO_A_BEAT_AT_REST {
            return;
        }
        self.say_that_it_lives().await;
    }

    async fn say_that_it_lives(&mut self) {
        self.ticks_since_beat = 0;
        match self.shared.store.beat(&self.shared.holder, self.shared.env.now()).await {
            Ok(()) => self.has_written().await,
            Err(error) => self.refused(&error, "record that this engine runs"),
        }
    }

    async fn wake(&self) -> Result<Vec<UniqueId>, EngineError> {
        let now = self.shared.env.now();
        let due = self.look_up_due().await?;
        if !due.is_over(now) {
            return Ok(Vec::new());
        }
        let mut ledger = self.shared.store.begin().await?;
        if due.was_clock_set_back(now) {
            tracing::warn!("clock was set back; waits beyond the maximum end now");
            ledger.end_waits_after(now.saturating_add(LONGEST_WAIT_US), now).await?;
        }
        let woken = ledger.wake_due(now, 1000).await?;
        failpoint::hit("engine.woken-before-commit");
        ledger.commit().await?;
        Ok(woken)
    }

    async fn look_up_due(&self) -> Result<DueRange, EngineError> {
        let store = &self.shared.store;
        let (first, last) = (store.next_due().await?, store.last_due().await?);
        Ok(DueRange(first.zip(last)))
    }

    /// Returns the time until the next waiting request, cooldown, expiry, refused write or tick is due.
    pub(crate) async fn next_due(&mut self) -> Duration {
        if self.is_refused {
            return LEDGER_RETRY;
        }
        let mut tick = self.shared.env.tick.saturating_sub(sync::now().duration_since(self.ticked));
        if let Some(left) = self.silence_left() {
            tick = tick.min(left);
        }
        let is_waited_for = self.shared.known.space().is_waited_for() || self.shared.folders.is_waited_for();
        if is_waited_for || self.is_closing {
            tick = tick.min(SPACE);
        }
        if let Some(next) = self.deleting.next(sync::now()) {
            tick = tick.min(next);
        }
        if self.due.is_none() {
            self.due = self.look_up_due().await.ok();
        }
        let now = self.shared.env.now();
        let waiting = self.due.and_then(|due| due.next(now));
        let expires = self.next_expiry(now).await;
        let retry = self.shared.known.unfinished().as_ref().map(|step| step.next_us);
        let changes = waiting.into_iter().chain(self.load.next_wake(now)).chain(self.pace_ends).chain(expires).chain(retry);
        let Some(until) = changes.min() else { return tick };
        let left = Duration::from_micros(until.saturating_sub(now).max(0).unsigned_abs());
        // Wait at least a millisecond: due work that cannot start must not make the loop spin.
        left.max(BREATH.saturating_sub(sync::now().duration_since(self.woken))).min(tick)
    }

    pub(crate) async fn tell_progress(&mut self) {
        let moved = self.shared.live.write().await.update(self.shared.transfers.progress(), sync::now());
        for id in std::mem::take(&mut self.dirty) {
            self.shared.tell_changed(id).await;
        }
        for id in moved {
            self.shared.tell_progress(id).await;
        }
        self.tell_totals().await;
        self.give_places_away().await;
    }

    pub(crate) async fn tell_totals(&mut self) {
        if let Ok(totals) = self.shared.totals().await
            && totals != self.totals
        {
            self.totals = totals.clone();
            self.shared.speaker.emit(EngineEvent::Totals { totals });
        }
    }

    /// Continues the removals that could not be finished at the start.
    async fn go_on_deleting(&mut self) -> Result<(), EngineError> {
        let left = self.shared.store.begin().await?.garbage_collect().await?;
        left.into_iter().for_each(|id| self.deleting.add(id));
        Ok(())
    }

    pub(crate) async fn delete_what_rests(&mut self) {
        for id in self.deleting.due(sync::now()) {
            if self.shared.live.read().await.is_running(id) {
                continue;
            }
            match self.shared.delete(id).await {
                Ok(false) if !self.shared.is_reachable(id).await.unwrap_or(true) => {
                    if self.deleting.put_off(id, sync::now()) {
                        tracing::info!(%id, "disk is unavailable; removed registration will be deleted when it returns");
                    }
                    continue;
                }
                Ok(true) => {}
                Ok(false) => tracing::warn!(%id, "removed registration not deleted completely; will retry at the next start"),
                Err(error) => {
                    tracing::warn!(%id, %error, "removed registration could not be deleted; will retry at the next start")
                }
            }
            self.deleting.finish(id);
            // The removal may have freed a part of a quota.
            self.may_start |= !self.shared.known.quota().is_empty();
        }
    }

    /// Clears the marks for missing disk space, because the ledger accepts writes again.
    pub(crate) async fn has_written(&mut self) {
        self.lacked_room = false;
        if self.shared.known.full().take().is_some() {
            self.update_gates().await;
        }
    }

    /// Logs a failure.
    ///
    /// The work is retried after a pause, so that writes to a full disk are not retried constantly.
    pub(crate) fn refused(&mut self, error: &EngineError, what: &str) {
        self.is_refused = true;
        self.shared.look_for_damage(error);
        if error.is_disk_full() {
            self.has_no_room();
        }
        tracing::error!(%error, "could not {what}; will retry");
    }

    /// Remembers that a write lacked disk space. A second such failure in a row closes the disk gate.
    ///
    /// A single failure may be temporary.
    pub(crate) fn has_no_room(&mut self) {
        self.is_refused = true;
        if std::mem::replace(&mut self.lacked_room, true) {
            *self.shared.known.full() = Some(self.shared.data_dir.clone());
        }
    }
}
