//! Dispatches requests from the ledger, starts their transfers, and stops them again.

use std::{
    collections::{HashMap, VecDeque},
    path::{Path, PathBuf},
    sync::Arc,
};

use ashore_transfer::{
    ByteBudget, ExpectedContent, FailureKind, Guid, NotADigest, TransferEvent as News, TransferFailure, TransferOutcome,
    TransferSpec,
};

use crate::{
    EngineError, EngineEvent,
    folders::{FolderProbe, PendingProbe},
    gates::running_transfer::RunningTransfer,
    model::UniqueId,
    platform::{failpoint, sync},
    scheduler::{disks::existing_file, event_loop::Scheduler, host_limits::HostSlots, preemption, tick_budget::TickBudget},
    store::{ExpiryCandidate, OwnerFilter, PickedRequest, SkipSet, StartableRequest, ledger::LedgerWriter},
};

/// Maximum number of optional requests that are skipped in one transaction.
const SKIPPED_AT_ONCE: u32 = 256;

/// The requests that the ledger has dispatched.
#[derive(Default)]
pub(super) struct HandedOut {
    pub requests: Vec<StartableRequest>,
    /// Whether slots were still free when the budget was used up.
    pub has_more: bool,
}

impl Scheduler {
    /// Dispatches requests to all free slots, within the budget of one pass of the loop.
    pub(super) async fn fill(&mut self) {
        self.start_ready();
        self.fill_at_once().await;
        let mut load = self.load.clone();
        let budget = self.budget();
        match self.activate_next(&mut load, &budget).await {
            Ok(picked) => {
                self.load = load;
                self.left = 0;
                self.may_start = picked.has_more;
                self.launch(picked.requests).await;
            }
            Err(error) => {
                self.may_start = false;
                self.refused(&error, "dispatch the next requests");
            }
        }
    }

    /// Dispatches the registrations that start at once, even without a free slot.
    ///
    /// This adds no load to the network: each server has already sent a response, and the browser gives up its own
    /// transfer.
    async fn fill_at_once(&mut self) {
        let ids = self.shared.at_once.current((self.shared.env.uptime_us)());
        if ids.is_empty() || self.closed.is_some() {
            return;
        }
        match self.activate_at_once(ids).await {
            Ok(requests) => {
                requests.iter().for_each(|request| self.load.handed_out(request.host));
                self.launch(requests).await;
            }
            Err(error) => self.refused(&error, "dispatch registrations that start at once"),
        }
    }

    async fn activate_at_once(&self, ids: Vec<UniqueId>) -> Result<Vec<StartableRequest>, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let mut picked = Vec::new();
        for id in ids {
            if let PickedRequest::Some(more) = self.take(&mut ledger, OwnerFilter::Of(id), &[], |_| 1).await? {
                picked.extend(more.into_iter().map(|request| StartableRequest { is_at_once: true, ..request }));
            }
        }
        if !picked.is_empty() {
            ledger.commit().await?;
            self.shared.refresh_quota_usage().await;
        }
        Ok(picked)
    }

    /// Skips optional requests whose host stays in cooldown for too long.
    ///
    /// Each skipped request fails with the failure that caused the cooldown.
    pub(super) async fn skip_optional(&mut self) {
        self.may_skip = false;
        let hosts = self.load.not_waited_for(self.shared.env.now());
        if hosts.is_empty() {
            return;
        }
        match self.take_optional(&hosts).await {
            Ok(Some(skipped)) => self.skip(skipped).await,
            Ok(None) => self.may_skip = true,
            Err(error) => {
                self.may_skip = true;
                self.refused(&error, "skip optional requests");
            }
        }
    }

    /// Takes the optional requests to `hosts` from the queue, so that they can be skipped.
    ///
    /// Returns `None` if a command must be handled first: the command may be a request to try one of these hosts now.
    /// Such a command is sent before its change is committed. If this transaction sees the change, the command is
    /// therefore already in the channel.
    async fn take_optional(&self, hosts: &[i64]) -> Result<Option<Vec<StartableRequest>>, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        if !self.orders.is_empty() {
            return Ok(None);
        }
        let fresh = || Guid(self.shared.env.guid());
        let skipped = ledger.optional_requests_and_mark_them_active(hosts, SKIPPED_AT_ONCE, fresh).await?;
        if !skipped.is_empty() {
            ledger.commit().await?;
        }
        Ok(Some(skipped))
    }

    async fn skip(&mut self, requests: Vec<StartableRequest>) {
        let (now_us, now) = (self.shared.env.now(), sync::now());
        for request in requests {
            let mut transfer = RunningTransfer::new(&request, now_us, now);
            transfer.is_skipped = true;
            self.shared.live.write().await.insert(request.guid, transfer);
            // Like any other request, a skipped request occupies a slot until the ledger has recorded its failure.
            self.load.handed_out(request.host);
            self.load.started(request.host);
            self.dirty.insert(request.unique_id);
            let known = self.causes.get(&request.host).cloned();
            let failure = known.unwrap_or_else(|| TransferFailure::new(FailureKind::Connect, "its host is in cooldown"));
            self.end_unstarted(&request, |bytes| TransferOutcome::Failed { failure, bytes });
        }
    }

    /// Returns the budget of one pass of the loop: the maximum number of requests to start, and the time limit.
    pub(super) fn budget(&self) -> TickBudget {
        TickBudget::new(self.desktop.borrow().is_idle == Ok(true), self.left, sync::now())
    }

    /// Preempts transfers for urgent requests.
    ///
    /// The freed slots are used as soon as the ledger has recorded that these transfers ended.
    pub(super) async fn make_way(&mut self) {
        match self.preempt().await {
            Ok(()) => self.may_be_urgent = false,
            Err(error) => self.refused(&error, "search for urgent requests"),
        }
    }

    async fn preempt(&mut self) -> Result<(), EngineError> {
        let (parallel, per_host) = (self.shared.parallel(), self.shared.settings().parallel_per_host);
        let now = self.shared.env.now();
        if self.closed.is_some() {
            return Ok(());
        }
        let known = &self.shared.known;
        let (floor, free) = (self.shared.settings().free_space_floor.0, |folder: &Path| self.shared.free(folder));
        if known.space().refresh(&free) {
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        let (folders, registrations) = self.closed_to_starts();
        let full = known.quota().full();
        let passed = SkipSet { hosts: &[], folders: &folders, registrations: &registrations, full: &full };
        if self.shared.store.urgent(&passed, 1).await?.is_empty() {
            return Ok(());
        }
        let running = self.shared.live.read().await.running(&self.shared.store.places_of_running().await?);
        // Leave out hosts on which no transfer can free a slot: their requests must not displace a request that could
        // start.
        let has_room_soon = |host: i64| preemption::can_make_room(host, &running, &self.leaving);
        let mut hosts = self.load.clone().closed_hosts(per_host, now);
        hosts.retain(|host| self.load.is_in_cooldown(*host, now) || !has_room_soon(*host));
        let passed = SkipSet { hosts: &hosts, ..passed };
        let mut waiting = self.shared.store.urgent(&passed, parallel).await?;
        let count = waiting.len();
        let answers = |folder: &Path| matches!(self.shared.folders.look(folder), FolderProbe::Fresh(_));
        waiting.retain(|(_, folder)| answers(folder) && known.space().has_space(folder, floor, &free));
        if waiting.len() < count {
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        let urgent: Vec<_> = waiting.iter().map(|(host, _)| (*host, self.load.is_full(*host, per_host))).collect();
        for guid in preemption::choose(&urgent, &running, &self.leaving) {
            if let Some(one) = running.iter().find(|one| one.guid == guid) {
                self.leaving.insert(guid, one.host);
            }
            self.stop(guid);
        }
        Ok(())
    }

    async fn activate_next(&self, load: &mut HostSlots, budget: &TickBudget) -> Result<HandedOut, EngineError> {
        let is_shut = self.closed.is_some() && self.passing.is_empty();
        if is_shut || !load.has_room(self.shared.parallel()) {
            return Ok(HandedOut::default());
        }
        let mut ledger = self.shared.store.begin().await?;
        let picked = match self.closed {
            None => self.pick(&mut ledger, load, budget).await?,
            Some(_) => self.pick_passing(&mut ledger, load, budget).await?,
        };
        if picked.requests.is_empty() {
            return Ok(picked);
        }
        failpoint::hit("engine.activated-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.activated");
        self.shared.refresh_quota_usage().await;
        Ok(picked)
    }

    /// Dispatches requests from the ledger while slots and budget remain.
    pub(super) async fn pick(
        &self,
        ledger: &mut LedgerWriter<'_>,
        load: &mut HostSlots,
        budget: &TickBudget,
    ) -> Result<HandedOut, EngineError> {
        let env = &self.shared.env;
        let (parallel, per_host) = (self.shared.parallel(), self.shared.settings().parallel_per_host);
        let now = env.now();
        let mut picked = HandedOut::default();
        let known = &self.shared.known;
        // A registration that waits for space shows a reason. This reason changes when enough space becomes free, and
        // when the space runs out again.
        let free = |folder: &Path| self.shared.free(folder);
        let mut is_news = known.space().refresh(&free) | known.quota().refresh();
        if is_news {
            load.may_have_more();
        }
        let mut waiting = ledger.turns().await?;
        while load.has_room(parallel) {
            let Some((turn, is_shared)) = load.turns.next(&waiting) else { break };
            if !budget.is_left(picked.requests.len(), sync::now()) {
                picked.has_more = true;
                break;
            }
            let hosts = load.closed_hosts(per_host, now);
            if load.has_nothing(turn, &hosts) {
                waiting.retain(|other| *other != turn);
                continue;
            }
            let most = if is_shared { 1 } else { budget.left(picked.requests.len()) };
            if known.quota().is_full(turn.owner) {
                waiting.retain(|other| other.owner != turn.owner);
                continue;
            }
            let most_of = |host, load: &HostSlots| load.room(host, parallel, per_host).min(most);
            let PickedRequest::Some(more) =
                self.take(ledger, OwnerFilter::Turn(turn), &hosts, |host| most_of(host, load)).await?
            else {
                is_news = true;
                continue;
            };
            if more.is_empty() {
                waiting.retain(|other| *other != turn);
                // While a quota is full, space in its category may become free at any moment, so do not remember that
                // the search found nothing.
                if known.quota().full().is_empty() {
                    load.found_nothing(turn, hosts);
                }
                continue;
            }
            load.turns.served(turn.owner);
            more.iter().for_each(|request| load.handed_out(request.host));
            picked.requests.extend(more);
        }
        if is_news {
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        Ok(picked)
    }

    /// Dispatches requests while a gate is closed, but only for registrations that may pass the gate.
    ///
    /// There are few such registrations, so they are served one after the other.
    async fn pick_passing(
        &self,
        ledger: &mut LedgerWriter<'_>,
        load: &mut HostSlots,
        budget: &TickBudget,
    ) -> Result<HandedOut, EngineError> {
        let (parallel, per_host) = (self.shared.parallel(), self.shared.settings().parallel_per_host);
        let mut picked = HandedOut::default();
        let mut passing = self.passing.iter().copied().peekable();
        while let Some(id) = passing.peek().copied().filter(|_| load.has_room(parallel)) {
            if !budget.is_left(picked.requests.len(), sync::now()) {
                picked.has_more = true;
                break;
            }
            let hosts = load.closed_hosts(per_host, self.shared.env.now());
            let most = budget.left(picked.requests.len());
            let room = |host| load.room(host, parallel, per_host).min(most);
            match self.take(ledger, OwnerFilter::Of(id), &hosts, room).await? {
                PickedRequest::Some(more) if !more.is_empty() => {
                    more.iter().for_each(|request| load.handed_out(request.host));
                    picked.requests.extend(more);
                }
                PickedRequest::Some(_) | PickedRequest::NoRoom => drop(passing.next()),
            }
        }
        Ok(picked)
    }

    /// Returns the next requests that `whose` selects, each with its quota reservation.
    ///
    /// Skips requests that lack disk space or quota.
    async fn take(
        &self,
        ledger: &mut LedgerWriter<'_>,
        whose: OwnerFilter,
        hosts: &[i64],
        room: impl Fn(i64) -> u32,
    ) -> Result<PickedRequest, EngineError> {
        let known = &self.shared.known;
        let floor = self.shared.settings().free_space_floor.0;
        let (folders, registrations) = self.closed_to_starts();
        let full = known.quota().full();
        let passed = SkipSet { hosts, folders: &folders, registrations: &registrations, full: &full };
        let mut rooms = VecDeque::new();
        let may_start = |candidate: &ExpiryCandidate<'_>| {
            let begun = candidate.guid.map(|guid| PendingProbe { tag: guid.tag(), has_bytes: candidate.kept > 0 });
            // All candidates go to the same folder. Do not query the disk here, because other tasks wait for the ledger
            // until this transaction ends.
            let free = |folder: &Path| self.shared.free(folder);
            let is_there = || self.shared.folders.is_ready(candidate.unique_id, candidate.folder, begun.as_ref());
            let has_space = || !rooms.is_empty() || known.space().has_space(candidate.folder, floor, &free);
            is_there()
                && has_space()
                && known.find_room(candidate).is_some_and(|room| {
                    rooms.push_back(room);
                    true
                })
        };
        let fresh = || Guid(self.shared.env.guid());
        let mut picked = ledger.next_pending_requests_and_mark_them_active(whose, &passed, room, may_start, fresh).await?;
        if let PickedRequest::Some(more) = &mut picked {
            more.iter_mut().for_each(|request| request.room = rooms.pop_front().map(Arc::new));
        }
        Ok(picked)
    }

    /// Returns the folders and the registrations whose requests may not start.
    ///
    /// Possible reasons are missing space, a folder that does not answer, an absent disk, a full quota, and a change of
    /// the link or the folder.
    fn closed_to_starts(&self) -> (Vec<PathBuf>, Vec<UniqueId>) {
        let (mut folders, mut registrations) = self.shared.known.space().closed_to_starts();
        folders.extend(self.shared.folders.skip_unanswered());
        registrations.extend(self.shared.folders.waiting());
        registrations.extend(self.shared.known.quota().waiting());
        registrations.extend(self.shared.halted.ids());
        (folders, registrations)
    }

    /// Starts requests that were active when the previous engine ended, within the limits.
    pub(super) async fn start(&mut self, mut running: Vec<StartableRequest>) {
        for request in &mut running {
            self.load.handed_out(request.host);
            let room = self.shared.known.quota().force(request.owner, request.category, request.kept, request.size);
            request.room = Some(Arc::new(room));
        }
        self.launch(running).await;
        self.requeue(|_| true);
        self.set_overdrawn_aside().await;
    }

    /// Stops transfers that exceed a quota because its limit was lowered.
    pub(super) async fn set_overdrawn_aside(&mut self) {
        let live = self.shared.live.read().await;
        let overdrawn: Vec<Guid> = live.rooms().filter(|(_, room)| room.is_overdrawn()).map(|(guid, _)| guid).collect();
        drop(live);
        self.stop_all(overdrawn, false).await;
    }

    /// Registers `requests` as running and starts them. Call only after their GUIDs are committed to the ledger.
    pub(super) async fn launch(&mut self, requests: Vec<StartableRequest>) {
        let mut there = HashMap::new();
        for request in requests.iter().filter(|request| existing_file::is_wanted(request)) {
            there.extend(existing_file::known(&self.shared.store, request).await.map(|placed| (request.guid, placed)));
        }
        if !requests.is_empty() {
            self.shared.folders.memory.write();
            let (now_us, now) = (self.shared.env.now(), sync::now());
            let mut live = self.shared.live.write().await;
            for request in &requests {
                live.insert(request.guid, RunningTransfer::new(request, now_us, now));
                if let Some(placed) = there.get(&request.guid) {
                    live.on_file_placed(request.guid, placed.path.clone());
                }
            }
        }
        self.dirty.extend(requests.iter().map(|request| request.unique_id));
        requests.iter().for_each(|request| self.shared.at_once.remove(request.unique_id));
        for request in requests {
            if there.contains_key(&request.guid) {
                // Like any other request, a request whose file exists occupies a slot until the ledger has recorded its
                // completion.
                self.load.started(request.host);
                self.end_unstarted(&request, |bytes| TransferOutcome::Stopped { bytes, sent: 0 });
            } else {
                self.ready.push_back(request);
            }
        }
        self.start_ready();
    }

    /// Starts the queued requests that may start now.
    pub(super) fn start_ready(&mut self) {
        let (parallel, per_host) = (self.shared.parallel(), self.shared.settings().parallel_per_host);
        let now = self.shared.env.now();
        let mut later = VecDeque::new();
        while let Some(request) = self.ready.pop_front() {
            let is_shut = self.closed.is_some() && !self.passing.contains(&request.unique_id);
            let can_start = request.is_at_once || self.load.can_start(request.host, parallel, per_host, now);
            // A file that already has its final name needs no server. Its completion is recorded even if a gate is
            // closed or a limit is reached.
            if !request.is_placed && (is_shut || !can_start) {
                later.push_back(request);
                continue;
            }
            self.load.started(request.host);
            match self.spec(&request) {
                Ok(spec) => self.shared.transfers.start(spec),
                Err(failure) => self.end_unstarted(&request, |bytes| TransferOutcome::Failed { failure, bytes }),
            }
            failpoint::hit("engine.started");
        }
        self.ready = later;
    }

    /// Stops the transfers with these GUIDs. Running uploads are stopped only if `uploads` is true.
    pub(super) async fn stop_all(&mut self, mut guids: Vec<Guid>, uploads: bool) {
        if !uploads {
            let live = self.shared.live.read().await;
            guids.retain(|guid| live.transfer(*guid).is_none_or(|transfer| transfer.body_size.is_none()));
        }
        guids.into_iter().for_each(|guid| self.stop(guid));
    }

    /// Stops a transfer. A request that is still queued ends immediately.
    pub(super) fn stop(&mut self, guid: Guid) {
        if !self.requeue(|request| request.guid == guid) {
            self.shared.transfers.stop(guid);
        }
    }

    /// Moves the queued requests that `is_meant` selects back to the ledger. Returns false if there is no such request.
    pub(super) fn requeue(&mut self, is_meant: impl Fn(&StartableRequest) -> bool) -> bool {
        let (meant, ready): (Vec<_>, Vec<_>) = self.ready.drain(..).partition(is_meant);
        self.ready.extend(ready);
        for request in &meant {
            // Like any other request, a request that returns to the queue occupies a slot until the ledger has recorded
            // this.
            self.load.started(request.host);
            self.end_unstarted(request, |bytes| TransferOutcome::Stopped { bytes, sent: 0 });
        }
        !meant.is_empty()
    }

    fn end_unstarted(&mut self, request: &StartableRequest, outcome: impl FnOnce(u64) -> TransferOutcome) {
        self.unwritten.push(News::Done { guid: request.guid, outcome: outcome(request.kept) });
    }

    fn spec(&mut self, request: &StartableRequest) -> Result<TransferSpec, TransferFailure> {
        let unreadable = |what: &str| TransferFailure::new(FailureKind::Internal, format!("unreadable {what} in the ledger"));
        let allowance = (request.download_total > 0).then(|| {
            let left = request.download_total.saturating_sub(request.completed_bytes);
            let shared = self.allowances.entry(request.unique_id).or_insert_with(|| Arc::new(ByteBudget::new(left)));
            Arc::clone(shared)
        });
        // Do not request a file whose known size exceeds the rest of the declared total. A file that already has its
        // final name is exempt, because its completion only needs to be recorded.
        let known = request.size.filter(|_| !request.is_placed).and_then(|size| i64::try_from(size).ok());
        if let (Some(size), Some(allowance)) = (known, &allowance)
            && size > allowance.left()
        {
            let text = format!("{size} bytes are expected, and {} are left of what was declared", allowance.left());
            return Err(TransferFailure::new(FailureKind::DownloadTotalExceeded, text));
        }
        Ok(TransferSpec {
            guid: request.guid,
            method: request.method.parse().map_err(|_| unreadable("method"))?,
            url: request.url.parse().map_err(|_| unreadable("address"))?,
            headers: request.headers.clone(),
            body: request.body.as_ref().map(|(path, _)| path.clone()),
            folder: request.folder.clone(),
            name: request.name.clone(),
            connections: request.connections,
            mirrors: request.expectation.as_ref().map(|known| known.mirrors.clone()).unwrap_or_default(),
            reach: self.shared.settings().reach_of(request.source),
            keeps_cookies_apart: request.keeps_credentials,
            expected: expected(request).map_err(|_| unreadable("checksum"))?,
            known_size: request.size,
            group: Some(request.unique_id.0),
            allowance,
            hold: request.room.as_ref().map(|room| Arc::clone(&room.bytes)),
        })
    }
}

/// Returns the properties that the file must have.
pub(crate) fn expected(request: &StartableRequest) -> Result<ExpectedContent, NotADigest> {
    let mut digests = request.digest.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>()?;
    digests.extend(request.said.iter().cloned());
    let expected = ExpectedContent { digests, compute: request.compute, ..ExpectedContent::default() };
    let Some(known) = &request.expectation else { return Ok(expected) };
    let digests = [expected.digests, known.digests.clone()].concat();
    Ok(ExpectedContent { size: known.size, pieces: known.pieces.clone(), digests, ..expected })
}
