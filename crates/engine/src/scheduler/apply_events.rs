//! Writes the events of transfers to the ledger, then answers the transfers.
//!
//! One transaction contains all received events. The same transaction dispatches requests to the slots that the events
//! free.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_transfer::{Guid, TransferEvent as News, TransferFailure, TransferOutcome};

use crate::{
    EngineError,
    context::running::RunningTransfers,
    gates::{
        host_cooldown::{CooldownReason, HostCooldown},
        running_transfer::RunningTransfer,
    },
    model::{FailureReason, UniqueId},
    platform::failpoint,
    scheduler::{
        checksum_check::{self, ChecksumVerdicts},
        disks::existing_file,
        dispatch::HandedOut,
        event_loop::{LEDGER_RETRY, Scheduler},
        failure_effect::{self, HostState},
        follow_up,
        ledger_update::{CheckedCompletion, FollowUpAction, LedgerUpdate},
        retry_policy::RetryPolicy,
        single_transfer_hosts,
    },
    store::{FailedResponse, FileIdentity, ResponseHeadRow, UpdatedRequest, ledger::LedgerWriter},
};

/// Maximum time to wait until the folder of a failed transfer reports whether it is present.
const FOLDER_WAITS: Duration = Duration::from_millis(250);

/// The changes that one transaction has made.
#[derive(Default)]
struct AppliedBatch {
    /// Registration of each entry; `None` if the row of the entry was not in the expected state.
    told: Vec<Option<UniqueId>>,
    settled: Vec<UniqueId>,
    ended: Vec<UniqueId>,
    stop: Vec<Guid>,
    /// Whether a file on disk is wrong and must be removed.
    has_wrong: bool,
    /// Requests that were dispatched to the slots that the entries freed.
    started: HandedOut,
}

/// Decisions about the events of a batch.
#[derive(Default)]
struct DecidedBatch {
    entries: Vec<LedgerUpdate>,
    /// Files that already existed. Their transfers were stopped.
    placed: Vec<(Guid, PathBuf)>,
}

impl AppliedBatch {
    fn touch(&mut self, touched: UpdatedRequest) -> UniqueId {
        if touched.settled {
            self.settled.push(touched.unique_id);
        }
        touched.unique_id
    }
}

impl Scheduler {
    /// Writes the events of `batch` in one transaction, then answers the transfers.
    ///
    /// The transaction is retried until it succeeds.
    pub(super) async fn apply_events(&mut self, batch: &mut Vec<News>) {
        self.keep_time().await;
        self.make_room(batch).await;
        self.ask_folders_in_doubt(batch).await;
        let mut entries = self.decide(batch).await;
        self.start_ready();
        if entries.is_empty() {
            return;
        }
        checksum_check::read(&mut entries).await;
        follow_up::read(&mut entries, &self.shared.store).await;
        let written = loop {
            match self.write(&entries).await {
                Ok(written) => break written,
                Err(error) => self.refused(&error, "record the events of the transfers"),
            }
            if self.is_closing {
                // Events that were not written are recovered from the disk at the next start.
                return self.release(&entries).await;
            }
            self.hold(&entries).await;
            if let Ok(order) = tokio::time::timeout(LEDGER_RETRY, self.orders.recv()).await {
                self.obey_or_close(order).await;
            }
        };
        self.has_written().await;
        if written.has_wrong {
            failpoint::hit("engine.wrong-written");
        }
        if (written.has_wrong || entries.iter().any(LedgerUpdate::lets_body_go))
            && let Err(error) = self.shared.collect_files().await
        {
            tracing::warn!(%error, "files no longer needed could not be removed; will retry at the next start");
        }
        let mut finished = Vec::new();
        for (entry, told) in entries.into_iter().zip(&written.told) {
            entry.answer(told.is_some(), &self.shared, &mut finished).await;
        }
        self.launch(written.started.requests).await;
        if !finished.is_empty() {
            self.shared.transfers.forget(finished);
        }
        self.dirty.extend(written.told.iter().flatten());
        written.stop.into_iter().for_each(|guid| self.stop(guid));
        for id in written.ended {
            if !self.shared.live.read().await.is_running(id) {
                self.allowances.remove(&id);
            }
        }
        if !written.settled.is_empty() {
            self.expires = None;
            self.see_clock();
        }
        for id in written.settled {
            failpoint::hit("engine.settled");
            self.dirty.remove(&id);
            self.shared.tell_changed(id).await;
            self.shared.tell_owed(id).await;
            failpoint::hit("engine.owed-told");
        }
        if self.shared.live.read().await.is_empty() {
            // Emit the totals here: without a running transfer, no progress event emits them.
            self.tell_totals().await;
        }
        self.delete_what_rests().await;
    }

    /// Decides about the events in order, because an event may change the state of a host for the next event.
    async fn decide(&mut self, batch: &mut Vec<News>) -> Vec<LedgerUpdate> {
        let shared = std::sync::Arc::clone(&self.shared);
        let settings = shared.settings();
        let rules = RetryPolicy {
            base: settings.retry_base(),
            attempts: settings.attempts,
            floor: settings.free_space_floor.0,
            is_offline: self.is_offline,
        };
        let live = shared.live.read().await;
        // Never read files on this thread: a disk may have stopped answering.
        let told = batch.iter().filter_map(|news| match news {
            News::Done { outcome: TransferOutcome::Completed(done), .. } => done.path.clone(),
            News::Done { guid, .. } => live.transfer(*guid)?.existing.clone(),
            _ => None,
        });
        let files = existing_file::identities(told).await;
        let mut decided = DecidedBatch::default();
        for news in batch.drain(..) {
            if let Some(host) = answered(&news).and_then(|guid| live.transfer(guid)).map(|transfer| transfer.host) {
                self.load.reached(host);
            }
            let ended = match &news {
                News::Done { guid, .. } => live.transfer(*guid),
                _ => None,
            };
            // Requests that follow an optional request may also have to be skipped.
            self.may_skip |= ended.is_some_and(|transfer| transfer.is_optional);
            match self.retry_alone(&news, ended, &live) {
                Some(entry) => decided.entries.push(entry),
                None => self.decide_one(news, ended, &live, (&rules, &files), &mut decided).await,
            }
        }
        drop(live);
        if !decided.placed.is_empty() {
            let mut live = shared.live.write().await;
            decided.placed.into_iter().for_each(|(guid, path)| live.on_file_placed(guid, path));
        }
        decided.entries
    }

    /// Returns an entry that requeues the request, if the event is a refusal by a host that serves one transfer at a
    /// time.
    ///
    /// Returns `None` for any other event.
    fn retry_alone(&mut self, news: &News, ended: Option<&RunningTransfer>, live: &RunningTransfers) -> Option<LedgerUpdate> {
        if let News::Done { guid, outcome: TransferOutcome::Failed { failure, bytes } } = news
            && single_transfer_hosts::may_be_limit(failure)
            && let Some(transfer) = ended.filter(|transfer| !transfer.is_optional)
            && self.load.lone.refused(transfer.host, live.served_at(transfer.host, *guid))
        {
            tracing::info!(%guid, "request refused beside another transfer of its host; will retry alone");
            self.load.may_have_more();
            self.may_be_urgent = true;
            return Some(LedgerUpdate::set_back(*guid, *bytes, transfer.folder.clone()));
        }
        None
    }

    /// Decides about one event, and adds its entry to `decided`.
    async fn decide_one(
        &mut self,
        news: News,
        ended: Option<&RunningTransfer>,
        live: &RunningTransfers,
        (rules, files): (&RetryPolicy, &HashMap<PathBuf, FileIdentity>),
        decided: &mut DecidedBatch,
    ) {
        let makes_more = ended.is_some_and(|transfer| transfer.is_limited || transfer.chain.is_some());
        // The request was sent over a network that is no longer connected.
        let is_of_old_network = ended.zip(self.network_since).is_some_and(|(transfer, since)| transfer.is_silent_since(since));
        let rules = RetryPolicy { is_offline: rules.is_offline || is_of_old_network, ..*rules };
        let failing = match (&news, ended) {
            (News::Done { outcome, .. }, Some(transfer)) => self.note_host_state(outcome, transfer, &rules),
            _ => None,
        };
        let cause = match &news {
            News::Done { outcome: TransferOutcome::Failed { failure, .. }, .. } => Some(failure.clone()),
            _ => None,
        };
        let Some(mut entry) = LedgerUpdate::decide(news, live, &self.load, (&rules, files), &self.shared) else { return };
        for (host, cooldown) in entry.cooldown().into_iter().chain(failing) {
            self.start_cooldown(host, cooldown, cause.as_ref());
        }
        self.refuse_unwanted_head(&mut entry, live, &mut decided.placed).await;
        self.note_shortage(&entry, live);
        if makes_more || matches!(entry, LedgerUpdate::Back { .. }) {
            self.load.may_have_more();
            self.may_be_urgent = true;
        }
        decided.entries.push(entry);
    }

    /// Refuses a response head if the file already exists or exceeds a quota. The refusal ends the transfer.
    ///
    /// An existing file is added to `placed`.
    async fn refuse_unwanted_head(
        &mut self,
        entry: &mut LedgerUpdate,
        live: &RunningTransfers,
        placed: &mut Vec<(Guid, PathBuf)>,
    ) {
        let Some((guid, head)) = entry.head() else { return };
        let transfer = live.transfer(guid);
        let existing = match transfer.and_then(|transfer| transfer.wanted.as_ref()) {
            Some(wanted) => existing_file::offered(wanted, head).await,
            None => None,
        };
        let has_room = || transfer.is_none_or(|transfer| self.shared.known.has_room_for(transfer, head));
        if existing.is_some() || !has_room() {
            entry.refuse();
            self.stop(guid);
        }
        placed.extend(existing.map(|path| (guid, path)));
    }

    /// Records a lack of quota or disk space.
    ///
    /// The other requests of the registration then also wait.
    fn note_shortage(&mut self, entry: &LedgerUpdate, live: &RunningTransfers) {
        if let Some((guid, bytes)) = entry.back()
            && let Some(transfer) = live.transfer(guid)
            && let Some(short) = transfer.room.as_ref().and_then(|room| room.short(bytes))
        {
            let id = transfer.unique_id;
            self.shared.known.quota().did_not_fit(id, short);
            self.requeue(|request| request.unique_id == id);
        }
        if let Some((id, folder, needed)) = entry.short() {
            self.shared.known.space().did_not_fit(id, folder, needed);
            self.requeue(|request| request.unique_id == id);
        }
    }

    /// Waits briefly until the folders of failed disk operations report whether they are present.
    async fn ask_folders_in_doubt(&self, batch: &[News]) {
        let live = self.shared.live.read().await;
        let mut folders: Vec<_> =
            batch.iter().filter_map(|news| LedgerUpdate::folder_in_doubt(news, &live)).map(Path::to_owned).collect();
        drop(live);
        folders.sort_unstable();
        folders.dedup();
        if !folders.is_empty() {
            self.shared.folders.ask_within(&folders, FOLDER_WAITS).await;
        }
    }

    /// Updates the state of a host after the end of a transfer.
    ///
    /// Returns the cooldown that the host needs, if any.
    fn note_host_state(
        &mut self,
        outcome: &TransferOutcome,
        transfer: &RunningTransfer,
        rules: &RetryPolicy,
    ) -> Option<(i64, HostCooldown)> {
        let (env, host) = (&self.shared.env, transfer.host);
        match failure_effect::host_state(outcome, transfer) {
            HostState::Works => {
                if self.load.worked(host) {
                    self.tell_rests();
                    self.load.may_have_more();
                    self.may_start = true;
                }
                None
            }
            // Without a network every request fails, so the failure is not the host's fault.
            HostState::Fails if !rules.is_offline && self.load.failed(host, env.now()) => {
                let wait = rules.host_cooldown(self.load.failing(host), (env.random)())?;
                let wait_us = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
                Some((host, HostCooldown { until_us: env.now().saturating_add(wait_us), why: CooldownReason::Failing }))
            }
            HostState::Fails | HostState::Unknown => None,
        }
    }

    /// Puts `host` into cooldown: no request to `host` starts before the end of `cooldown`.
    fn start_cooldown(&mut self, host: i64, cooldown: HostCooldown, cause: Option<&TransferFailure>) {
        self.load.start_cooldown(host, cooldown, self.shared.env.now());
        self.tell_rests();
        let cooldowns = self.load.cooldowns();
        self.causes.retain(|host, _| cooldowns.contains_key(host));
        if let Some(cause) = cause {
            self.causes.insert(host, cause.clone());
        }
        self.may_skip = true;
        // Requests to other hosts must not wait behind the requests to this host.
        self.requeue(|request| request.host == host);
    }

    /// Records the sizes of received files and the network slots that became free.
    ///
    /// Both take effect immediately, even if the events cannot be written.
    async fn make_room(&mut self, news: &[News]) {
        let mut has_room = false;
        let mut live = self.shared.live.write().await;
        for news in news {
            match news {
                News::Head { guid, head, .. } => live.has_size(*guid, head.total_size),
                News::Fetched { guid } => {
                    self.stuck.take_back(*guid, &mut self.load);
                    if let Some(host) = live.fetched(*guid) {
                        self.load.fetched(host);
                        self.left += 1;
                        has_room = true;
                    }
                }
                News::Done { guid, .. } => {
                    // The slot of a preempted transfer may have gone to a request that is not urgent. If so, the urgent
                    // request still lacks a slot.
                    self.may_be_urgent |= self.leaving.remove(guid).is_some();
                    self.stuck.take_back(*guid, &mut self.load);
                    if let Some(transfer) = live.transfer(*guid) {
                        self.load.ended(transfer.host, transfer.is_fetched);
                        self.left += usize::from(!transfer.is_fetched);
                        self.may_start = true;
                    }
                }
            }
        }
        // Free slots go to queued requests immediately. Further requests are dispatched with the next write.
        self.may_start |= has_room && self.ready.is_empty();
        // A host has a free slot, but the overall limit is reached: an urgent request to this host may preempt a
        // transfer of another host.
        self.may_be_urgent |= has_room && !self.load.has_room(self.shared.settings().parallel);
    }

    /// Retries until `entries` are written. Handles desktop changes and progress between the tries.
    ///
    /// If the ledger lacks disk space, the registrations of the entries are shown as waiting for space. The same
    /// applies to registrations whose events arrive between the tries.
    async fn hold(&mut self, entries: &[LedgerUpdate]) {
        while let Ok(news) = self.news.try_recv() {
            self.unwritten.push(news);
        }
        if self.shared.known.full().is_some() {
            let waiting = entries.iter().map(LedgerUpdate::guid).chain(self.unwritten.iter().map(whose));
            let held = self.shared.live.write().await.hold(waiting);
            self.dirty.extend(held);
        }
        self.receive().await;
        self.tell_progress().await;
    }

    async fn release(&self, entries: &[LedgerUpdate]) {
        let mut live = self.shared.live.write().await;
        for guid in entries.iter().filter_map(LedgerUpdate::ended) {
            live.remove(guid);
        }
    }

    /// Writes `entries` in one transaction, and dispatches requests to the freed slots in the same transaction.
    async fn write(&mut self, entries: &[LedgerUpdate]) -> Result<AppliedBatch, EngineError> {
        let shared = std::sync::Arc::clone(&self.shared);
        let mut written = AppliedBatch::default();
        let mut ledger = shared.store.begin().await?;
        let now = shared.env.now();
        let verdicts = checksum_check::judge(&mut ledger, entries, now).await?;
        written.has_wrong = verdicts.has_wrong;
        Self::write_all(&mut ledger, entries, &verdicts, now, &mut written).await?;
        let mut load = self.load.clone();
        let may_start = self.may_start && !self.is_closing && self.closed.is_none();
        if may_start {
            written.started = self.pick(&mut ledger, &mut load, &self.budget()).await?;
        }
        if !written.started.requests.is_empty() {
            failpoint::hit("engine.activated-before-commit");
        }
        failpoint::hit("engine.news-before-commit");
        let mut live = shared.live.write().await;
        ledger.commit().await?;
        let mut rooms = Vec::new();
        for entry in entries {
            live.release(entry.guid());
            if let Some((guid, is_anew)) = entry.started_over() {
                live.start_over(guid, is_anew);
            }
            if let Some(transfer) = entry.ended().and_then(|guid| live.remove(guid)) {
                written.ended.push(transfer.unique_id);
                rooms.extend(transfer.room);
            }
            if matches!(entry, LedgerUpdate::Back { .. }) {
                self.due = None;
            }
        }
        drop(live);
        self.load = load;
        if may_start {
            self.left = 0;
        }
        // Registrations that may start despite a closed gate are dispatched separately.
        self.may_start = may_start && written.started.has_more || !self.passing.is_empty();
        shared.refresh_quota_usage().await;
        // Release the reservations of ended transfers only after the commit: until then, the ledger does not count the
        // files of these transfers.
        self.may_start |= !rooms.is_empty() && shared.known.quota().is_waited_for();
        rooms.iter().for_each(|room| room.close());
        if !written.started.requests.is_empty() {
            failpoint::hit("engine.activated");
        }
        failpoint::hit("engine.news-written");
        Ok(written)
    }

    async fn write_all(
        ledger: &mut LedgerWriter<'_>,
        entries: &[LedgerUpdate],
        verdicts: &ChecksumVerdicts,
        now: i64,
        written: &mut AppliedBatch,
    ) -> Result<(), EngineError> {
        written.told = vec![None; entries.len()];
        let mut answers = Vec::with_capacity(entries.len());
        let mut places = Vec::with_capacity(entries.len());
        for (place, entry) in entries.iter().enumerate() {
            let Some(answer) = entry.response_head(verdicts.for_entry(place)) else { continue };
            failpoint::hit(match answer {
                ResponseHeadRow::Head(..) => "engine.head-before-write",
                ResponseHeadRow::Completed(..) => "engine.completed-before-write",
            });
            answers.push(answer);
            places.push(place);
        }
        if !answers.is_empty() {
            for (place, touched) in places.into_iter().zip(ledger.write_answers(&answers, now).await?) {
                let whose = touched.map(|touched| written.touch(touched));
                if let Some(told) = written.told.get_mut(place) {
                    *told = whose;
                }
            }
        }
        // Write response heads first, because a head applies only while its request is active.
        for (place, entry) in entries.iter().enumerate() {
            let whose = Self::write_one(ledger, entry, verdicts.for_entry(place), now, written).await?;
            if let (Some(told), Some(_)) = (written.told.get_mut(place), whose) {
                *told = whose;
            }
        }
        Ok(())
    }

    async fn write_one(
        ledger: &mut LedgerWriter<'_>,
        entry: &LedgerUpdate,
        judged: Option<&CheckedCompletion>,
        now: i64,
        written: &mut AppliedBatch,
    ) -> Result<Option<UniqueId>, EngineError> {
        match (entry, judged) {
            (LedgerUpdate::Completed { guid, .. }, Some(CheckedCompletion::Wrong(response))) => {
                failpoint::hit("engine.completed-before-write");
                let touched = ledger.write_failed_download_response(*guid, response, None, now).await?;
                Ok(touched.map(|touched| written.touch(touched)))
            }
            (LedgerUpdate::Head { .. } | LedgerUpdate::Completed { .. }, _) => Ok(None),
            (LedgerUpdate::Dead { guid, response, following, .. }, _) => {
                failpoint::hit("engine.failed-before-write");
                let following = following.as_ref().filter(|one| one.goes_on()).map(FollowUpAction::requests);
                let touched = ledger.write_failed_download_response(*guid, response, following, now).await?;
                let Some(id) = touched.map(|touched| written.touch(touched)) else { return Ok(None) };
                if response.reason == FailureReason::DownloadTotalExceeded {
                    Self::end_exceeded(ledger, id, response, now, written).await?;
                }
                Ok(Some(id))
            }
            (LedgerUpdate::Back { guid, bytes, how, .. }, _) => {
                failpoint::hit("engine.back-before-write");
                ledger.put_back(*guid, *bytes, how, now).await
            }
        }
    }

    /// Ends all requests of a registration that received more bytes than its declared total.
    async fn end_exceeded(
        ledger: &mut LedgerWriter<'_>,
        id: UniqueId,
        response: &FailedResponse,
        now: i64,
        written: &mut AppliedBatch,
    ) -> Result<(), EngineError> {
        let ended = ledger.mark_registration_for_deletion(id, response.reason, &response.trouble, now).await?;
        if let Some(guids) = ended {
            written.stop.extend(guids);
            written.settled.push(id);
        }
        Ok(())
    }
}

/// Returns the transfer that the event belongs to.
fn whose(news: &News) -> Guid {
    match news {
        News::Head { guid, .. } | News::Fetched { guid } | News::Done { guid, .. } => *guid,
    }
}

/// Returns the transfer of the event, if the event shows that the server has answered, even with an error.
fn answered(news: &News) -> Option<Guid> {
    match news {
        News::Done { outcome: TransferOutcome::Stopped { .. }, .. } => None,
        News::Done { outcome: TransferOutcome::Failed { failure, .. }, .. } if failure_effect::says_nothing(failure) => None,
        told => Some(whose(told)),
    }
}
