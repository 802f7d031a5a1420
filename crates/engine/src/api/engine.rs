//! Facade of the engine for every front end. It has one method for each operation, with plain serialisable arguments
//! and results.

use ashore_messages::{MessageArgument, message};
use std::{path::PathBuf, sync::Arc, time::Duration};

use ashore_transfer::{Guid, disk};
use tokio::sync::{mpsc, oneshot};

use crate::{
    EngineError, EngineEvent, EventStream,
    api::declared_size,
    context::{patience::FOLDER_WAITS, shared::EngineContext},
    intake::{
        file_kind, link_credentials,
        upload_bodies::{copy_bodies, drop_bodies},
        validate::{accept_into, accept_url, usable_folder},
    },
    model::{
        AddOutcome, FailureReason, FileCategory, MatchOptions, NewRegistration, NewRequest, ProgressTotals, QueuePlace,
        RecoveryReport, Registration, RegistrationState, ResponseRecord, UniqueId, accepted::AcceptedRegistration, messages,
    },
    platform::{day, failpoint, sync},
    scheduler::command::SchedulerCommand,
    startup::{
        ledger_recovery,
        opening::{self, BODIES},
        options::EngineOptions,
    },
    store::{ExistingMatch, ledger::LedgerWriter},
};

/// Number of records per page if the caller gives no limit.
const PAGE: u32 = 1000;

/// Maximum time to wait for the disk checks of a new registration or of icons.
pub(crate) const ACCEPT_WAITS: Duration = Duration::from_secs(20);
/// Returns the reason to report if the disk of a folder does not answer in time.
pub(crate) fn does_not_answer() -> MessageArgument {
    message!("folder-fault.silent-disk").into()
}

/// Maximum number of search results.
const MOST_FOUND: u32 = 10_000;

/// The engine. Cheap to clone; all clones refer to the same state.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) shared: Arc<EngineContext>,
    pub(crate) orders: Option<mpsc::UnboundedSender<SchedulerCommand>>,
}

impl Engine {
    /// Locks the data folder, opens the ledger, reconciles it with the disk and resumes transfers.
    ///
    /// Fails with `Held`, `Invalid` (the settings), `LedgerNewer`, `LedgerOlder`, `LedgerLocked` or `Io`. In these
    /// cases, nothing was changed. A damaged ledger is replaced by its newest copy: see [`Self::recovery`].
    pub async fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let (shared, orders) = opening::open(options).await?;
        let engine = Self::over(shared, orders);
        engine.resume_moves();
        Ok(engine)
    }

    /// Creates the facade from the parts of an opened engine.
    pub(crate) fn over(shared: Arc<EngineContext>, orders: Option<mpsc::UnboundedSender<SchedulerCommand>>) -> Self {
        Self { shared, orders }
    }

    /// Creates a registration. Returns its state after all data are durable.
    ///
    /// If a person gives a link with a name and password, both are stored in the same way as `sign_in` stores them, and
    /// removed from the link. Such a link from a program is refused, because a program can call `sign_in`.
    ///
    /// Fails before anything is written with `Empty`, `BadUrl`, `BadScheme`, `Credentials`, `BadPort`, `Invalid`,
    /// `Target`, `UploadSource`, `QuotaExceeded`, `OverQuota`, `BelowFloor`, `IdTaken` or `Withdrawn`; and with
    /// `Ignored` if `ignore_when_paused` is set and everything is paused.
    pub async fn create(&self, new: NewRegistration) -> Result<Registration, EngineError> {
        if self.is_ignored(&new).await? {
            return Err(EngineError::Ignored);
        }
        let may_sign_in = new.source.is_person();
        let accepted = self.accept(new, may_sign_in).await?;
        self.write_new(&accepted, None).await?;
        self.tell_new(&accepted).await;
        self.note_other_click(&accepted).await;
        self.show(accepted.unique_id).await
    }

    /// Creates a registration, or reuses an equal unfinished registration of the same owner.
    ///
    /// An equal registration that waits moves to the requested place, or to the top. If a person requested the
    /// repetition, the registration is also retried immediately. An equal registration that runs continues. A
    /// repetition within a minute is merged into the earlier registration, unless a person requested it. With a
    /// `developer_id`, no registration is reused.
    ///
    /// Fails as `create` does, with two exceptions. Names and passwords in links are accepted from every caller. If
    /// `ignore_when_paused` is set and everything is paused, the result is `AddOutcome::Ignored`.
    pub async fn add(&self, new: NewRegistration) -> Result<AddOutcome, EngineError> {
        if self.is_ignored(&new).await? {
            return Ok(AddOutcome::Ignored);
        }
        let place = new.place.unwrap_or(QueuePlace::Top);
        let accepted = self.accept(new, true).await?;
        let Some(again) = self.write_new(&accepted, Some(place)).await? else {
            self.tell_new(&accepted).await;
            return Ok(AddOutcome::New(Box::new(self.show(accepted.unique_id).await?)));
        };
        let (ExistingMatch::Moved(id) | ExistingMatch::Running(id) | ExistingMatch::Merged(id)) = again;
        if matches!(again, ExistingMatch::Moved(_)) && accepted.source.is_person() {
            self.order(SchedulerCommand::Wake { id, hosts: self.shared.store.hosts(id).await? });
        }
        self.changed(id).await;
        let registration = Box::new(self.show(id).await?);
        Ok(match again {
            ExistingMatch::Moved(_) => AddOutcome::Moved(registration),
            ExistingMatch::Running(_) => AddOutcome::Running(registration),
            ExistingMatch::Merged(_) => AddOutcome::Merged(registration),
        })
    }

    /// Whether `new` is ignored: it asks to be ignored while everything is paused, and everything is paused.
    async fn is_ignored(&self, new: &NewRegistration) -> Result<bool, EngineError> {
        Ok(new.ignore_when_paused && self.shared.store.is_paused().await?)
    }

    /// Returns the `developer_id`s of the active registrations of `owner`.
    pub async fn ids(&self, owner: &str) -> Result<Vec<String>, EngineError> {
        self.shared.store.ids(owner).await
    }

    /// Returns the owner's active registration with this `developer_id`.
    ///
    /// If there is none, returns the registration to which `take_link` gave the link of this `developer_id`, unless the
    /// `developer_id` was withdrawn.
    pub async fn find(&self, owner: &str, developer_id: &str) -> Result<Option<Registration>, EngineError> {
        match self.shared.store.find(owner, developer_id).await? {
            Some(found) => self.shared.view(found.unique_id).await,
            // `withdraw` only pauses such a registration, so the registration still exists. But a withdrawn name no
            // longer finds it.
            None if self.is_withdrawn(owner, developer_id) => Ok(None),
            None => self.of_click(owner, developer_id).await,
        }
    }

    /// Returns the registration with this `id`, active or settled.
    ///
    /// Fails with `Unknown` if the registration is not in the list.
    pub async fn show(&self, id: UniqueId) -> Result<Registration, EngineError> {
        self.shared.view(id).await?.ok_or(EngineError::Unknown(id))
    }

    /// Returns the registrations whose title, address or file name contains `text`, newest first; at most 10,000.
    pub async fn search(&self, text: &str) -> Result<Vec<UniqueId>, EngineError> {
        self.shared.store.search(text, MOST_FOUND).await
    }

    /// Returns at most `limit` records of a registration, beginning with the index `from`. A `limit` of 0 means 1,000.
    ///
    /// Fails with `Unknown` if the registration is not in the list.
    pub async fn records(&self, id: UniqueId, from: u32, limit: u32) -> Result<Vec<ResponseRecord>, EngineError> {
        self.read_records(id, from, limit, false).await
    }

    /// Same as [`Self::records`], but if `removed` is true, it also works for a removed registration.
    ///
    /// The rows of a removed registration must still exist.
    pub(crate) async fn read_records(
        &self,
        id: UniqueId,
        from: u32,
        limit: u32,
        removed: bool,
    ) -> Result<Vec<ResponseRecord>, EngineError> {
        let live = self.shared.live.read().await;
        let mut records = self.shared.store.records(id, from, if limit == 0 { PAGE } else { limit }, removed).await?;
        live.overlay_records(id, &mut records);
        drop(live);
        if records.is_empty() {
            self.shared.seen(id, removed).await?.ok_or(EngineError::Unknown(id))?;
        }
        Ok(records)
    }

    /// Returns the records whose request matches `url`, in order. Without a match, the list is empty.
    pub async fn match_all(&self, id: UniqueId, url: &str, options: MatchOptions) -> Result<Vec<ResponseRecord>, EngineError> {
        self.read_matching(id, url, options, false).await
    }

    /// Same as [`Self::match_all`], but if `removed` is true, it also works for a removed registration.
    ///
    /// The rows of a removed registration must still exist.
    pub(crate) async fn read_matching(
        &self,
        id: UniqueId,
        url: &str,
        options: MatchOptions,
        removed: bool,
    ) -> Result<Vec<ResponseRecord>, EngineError> {
        let url = accept_url(url)?;
        let live = self.shared.live.read().await;
        let mut records = self.shared.store.match_all(id, &url, &options, removed).await?;
        live.overlay_records(id, &mut records);
        Ok(records)
    }

    /// Aborts a registration and keeps its complete files.
    ///
    /// Returns true if the registration was active, and false if it had already ended.
    pub async fn abort(&self, id: UniqueId) -> Result<bool, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let now = self.shared.env.now();
        let ended = ledger.mark_registration_for_deletion(id, FailureReason::Aborted, &messages::aborted(), now).await?;
        failpoint::hit("engine.abort-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.aborted");
        let Some(guids) = ended else { return Ok(false) };
        self.order(SchedulerCommand::Stop { guids, uploads: true });
        self.shared.tell_changed(id).await;
        self.shared.tell_owed(id).await;
        self.discard_aborted(id).await?;
        Ok(true)
    }

    /// Pauses a registration, or everything if `id` is `None`. Received bytes are kept.
    ///
    /// A running upload continues to its end, because uploads cannot be resumed.
    pub async fn pause(&self, id: Option<UniqueId>) -> Result<(), EngineError> {
        self.set_paused(id, true).await?;
        let guids = self.shared.store.active_guids(id).await?;
        self.order(SchedulerCommand::Stop { guids, uploads: false });
        Ok(())
    }

    /// Undoes `pause` for a registration, or for everything if `id` is `None`.
    pub async fn resume(&self, id: Option<UniqueId>) -> Result<(), EngineError> {
        self.set_paused(id, false).await
    }

    /// Starts a registration despite closed gates. Ignores only the gates that a person can overrule.
    ///
    /// A gate is a condition that can hold back downloads. This permission ends when the gates open or Ashore exits.
    /// Returns false if no gate is closed, or if a closed gate cannot be overruled.
    pub async fn go_anyway(&self, id: UniqueId) -> Result<bool, EngineError> {
        self.show(id).await?;
        let gates = self.shared.known.gates(&self.shared.env, &self.shared.settings(), false);
        let is_let_through = self.shared.known.anyway().let_through(id, &gates);
        if is_let_through {
            self.changed(id).await;
        }
        Ok(is_let_through)
    }

    /// Moves a registration to another place in the queue.
    ///
    /// Fails with `Unknown` if the registration is not in the list, or if `place` refers to an inactive registration.
    pub async fn move_to(&self, id: UniqueId, place: QueuePlace) -> Result<(), EngineError> {
        self.show(id).await?;
        let mut ledger = self.shared.store.begin().await?;
        ledger.move_to(id, place).await?;
        let is_spread = ledger.is_spread();
        ledger.commit().await?;
        self.tell_spread(is_spread);
        self.changed(id).await;
        Ok(())
    }

    /// Reopens a settled registration to retry its failed records. Retries the waiting records of an active
    /// registration immediately.
    ///
    /// Also ends a cooldown that a server requested. Returns the number of requests to fetch.
    pub async fn retry(&self, id: UniqueId) -> Result<u32, EngineError> {
        self.show(id).await?;
        let is_waiting = self.shared.folders.is_waiting(id);
        let mut ledger = self.shared.store.begin().await?;
        let count = ledger.retry(id).await?.max(is_waiting.into());
        failpoint::hit("engine.retry-before-commit");
        self.commit_and_wake(ledger, id).await?;
        self.changed(id).await;
        Ok(count)
    }

    /// Removes a registration from the list. Aborts it first if it is active.
    ///
    /// If `files` is true, its unchanged downloaded files go to the trash. An end event that the owner's clients have
    /// not acknowledged stays pending.
    pub async fn remove(&self, id: UniqueId, files: bool) -> Result<(), EngineError> {
        self.show(id).await?;
        let mut ledger = self.shared.store.begin().await?;
        let now = self.shared.env.now();
        let ended = ledger.mark_registration_for_deletion(id, FailureReason::Aborted, &messages::aborted(), now).await?;
        ledger.mark_for_removal(id, files).await?;
        failpoint::hit("engine.remove-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.removed");
        if ended.is_some() {
            self.shared.on_ended(id).await;
        }
        self.order(SchedulerCommand::Stop { guids: ended.unwrap_or_default(), uploads: true });
        let owner = self.shared.store.owner_of(id).await?.unwrap_or_default();
        self.shared.speaker.emit(EngineEvent::Removed { unique_id: id, owner });
        self.finish_deletion(id).await
    }

    /// Claims the right to notify the person of the end of a registration.
    ///
    /// Returns true to exactly one caller, even across restarts. The end events for the owner's clients are independent
    /// of this.
    pub async fn claim(&self, id: UniqueId) -> Result<bool, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let is_ours = ledger.claim(id, self.shared.env.now()).await?;
        failpoint::hit("engine.claim-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.claimed");
        if is_ours {
            // Wake the loop, because a registration may leave the list after its notification was claimed.
            self.order(SchedulerCommand::Nudge(Some(id)));
        }
        Ok(is_ours)
    }

    /// Returns the ended registrations whose notification no program has claimed yet, oldest first.
    pub async fn pending_notifications(&self) -> Result<Vec<Registration>, EngineError> {
        let mut owed = Vec::new();
        for id in self.shared.store.pending_notifications().await? {
            owed.extend(self.shared.view(id).await?);
        }
        Ok(owed)
    }

    /// Returns the totals of the whole list.
    pub async fn totals(&self) -> Result<ProgressTotals, EngineError> {
        self.shared.totals().await
    }

    /// Returns the outcome of the recovery of a damaged list; `None` without a recovery or after its acknowledgement.
    pub fn recovery(&self) -> Option<RecoveryReport> {
        ledger_recovery::read(&self.shared.data_dir)
    }

    /// Acknowledges the recovery of a damaged list.
    ///
    /// A recovery that will take place at the next start cannot be acknowledged yet, so it is still reported.
    pub fn acknowledge_recovery(&self) -> Result<(), EngineError> {
        ledger_recovery::acknowledge(&self.shared.data_dir)
    }

    /// Subscribes to all later events.
    pub fn events(&self) -> EventStream {
        self.shared.speaker.listen()
    }

    /// Closes the engine: makes received bytes durable, stops all transfers, closes the ledger and unlocks the data
    /// folder.
    pub async fn close(&self) {
        if let Some(orders) = &self.orders {
            let (done, closed) = oneshot::channel();
            // Sending fails if the loop has already ended. In that case, there is nothing to stop.
            if orders.send(SchedulerCommand::Close(done)).is_ok() {
                let _ = sync::done(closed).await;
            }
        }
        self.shared.store.close().await;
        let lock = self.shared.lock.lock().map(|mut lock| lock.take());
        if let Ok(Some(lock)) = lock {
            lock.release();
        }
    }

    /// Checks `new`, copies its upload bodies and stores its credentials.
    ///
    /// Takes credentials from headers and, if `may_sign_in` is true, also from links.
    pub(crate) async fn accept(&self, mut new: NewRegistration, may_sign_in: bool) -> Result<AcceptedRegistration, EngineError> {
        new.place.get_or_insert(self.shared.settings().order.place());
        let taken = match may_sign_in {
            true => link_credentials::taken_out_with_links(&mut new.requests)?,
            false => link_credentials::taken_out(&mut new.requests)?,
        };
        let id = UniqueId(self.shared.env.guid());
        let (folder, download_folder) = (self.usual_folder(&new), self.shared.settings().download_folder());
        let bodies = self.shared.data_dir.join(BODIES);
        let today = day::today(&self.shared.env);
        let is_to_be_made = new.folder.is_none() && folder != download_folder;
        let usable = self.usable(new.folder.clone().unwrap_or_else(|| folder.clone()), is_to_be_made).await;
        let silent = EngineError::Target { path: folder.clone(), why: does_not_answer() };
        let checked = disk::within(ACCEPT_WAITS, move || accept_into(new, id, &folder, today, |_| usable));
        // A timeout here is caused by the disk of a file to upload or of an icon.
        let mut accepted = checked.await.unwrap_or(Err(silent))?;
        declared_size::look_at_declared(&self.shared, &accepted)?;
        declared_size::look_at_free_space(&self.shared, &accepted).await?;
        match accepted.source.keeps_own_credentials(&accepted.owner) {
            true => self.store_for_download(id, taken).await?,
            false => self.store_credentials(taken, true).await?,
        }
        let probes: Vec<Guid> = accepted.requests.iter().filter_map(|request| request.guid).collect();
        self.shared.probes.redeem(&mut accepted.requests);
        // Later requests send the cookies that servers set for the probe.
        let redeemed = accepted.requests.iter().filter_map(|request| request.guid);
        redeemed.for_each(|probe| self.shared.cookies.give_to_download(probe.0, id.0));
        // The credentials of the probes are no longer needed: the registration has its own.
        probes.into_iter().for_each(|probe| self.forget_probe(probe));
        self.start_at_once(&accepted).await?;
        let accepted = match accepted.requests.iter().any(|request| request.body.is_some()) {
            false => accepted,
            true => apart(move || copy_bodies(accepted, &bodies)).await?,
        };
        failpoint::hit("engine.create-bodies-copied");
        Ok(accepted)
    }

    /// Returns the number of free bytes that Ashore may use in `folder`.
    ///
    /// If `is_to_be_made` is true, creates the folder first. A folder whose disk does not answer is accepted; its
    /// downloads wait for the disk.
    async fn usable(&self, folder: PathBuf, is_to_be_made: bool) -> Result<u64, EngineError> {
        if self.shared.folders.is_silent(&folder) {
            return Ok(u64::MAX);
        }
        let looked = disk::within(FOLDER_WAITS, move || {
            if is_to_be_made {
                // Ignore the error: `usable_folder` reports it, as for any other folder.
                let _ = std::fs::create_dir(&folder);
            }
            usable_folder(&folder)
        });
        looked.await.unwrap_or(Ok(u64::MAX))
    }

    /// Returns the default folder of `new`. This is the folder of the most frequent kind of its files.
    ///
    /// The kind of a file follows from its name and its address.
    fn usual_folder(&self, new: &NewRegistration) -> PathBuf {
        let kind = |request: &NewRequest| {
            let told = || request.probe.and_then(|probe| self.shared.probes.name(probe));
            let name = request.name.clone().or_else(told);
            request.url.parse().map_or(FileCategory::Other, |url| file_kind::expected(&url, name.as_deref()))
        };
        self.shared.settings().folder_of(file_kind::of_most(new.requests.iter().map(kind)))
    }

    /// Returns the duplicate of `accepted`. Without a duplicate, writes `accepted` and returns `None`.
    ///
    /// Searches for a duplicate only if `again` is set. `again` is a place in the queue: a waiting duplicate moves
    /// there in the same transaction.
    async fn write_new(
        &self,
        accepted: &AcceptedRegistration,
        again: Option<QueuePlace>,
    ) -> Result<Option<ExistingMatch>, EngineError> {
        self.shared.folders.memory.add(&accepted.folder);
        self.shared.folders.memory.write();
        let written = async {
            let now = self.shared.env.now();
            let mut ledger = self.shared.store.begin().await?;
            // Check while the ledger is locked, because `withdraw` adds the name before it waits for this lock.
            if self.is_withdrawn(&accepted.owner, &accepted.developer_id) {
                return Err(EngineError::Withdrawn(accepted.developer_id.clone()));
            }
            let found = match again {
                Some(place) => ledger.ask_again(accepted, place, now).await?,
                None => None,
            };
            match found {
                Some(ExistingMatch::Moved(id)) if accepted.source.is_person() => drop(ledger.retry(id).await?),
                Some(_) => {}
                None => {
                    ledger.create_registration(accepted, now).await?;
                    if let Some(failure) = declared_size::over_download_total(accepted) {
                        // Fail the registration before any request is sent.
                        let (id, reason) = (accepted.unique_id, FailureReason::DownloadTotalExceeded);
                        ledger.mark_registration_for_deletion(id, reason, &messages::of_failure(&failure), now).await?;
                    }
                }
            }
            failpoint::hit("engine.create-before-commit");
            let is_spread = ledger.is_spread();
            ledger.commit().await?;
            self.tell_spread(is_spread);
            Ok(found)
        };
        let written: Result<_, EngineError> = written.await;
        if !matches!(written, Ok(None)) {
            drop_bodies(accepted);
            self.shared.at_once.remove(accepted.unique_id);
            self.shared.forget_own_credentials(accepted.unique_id);
        }
        match &written {
            Ok(_) => failpoint::hit("engine.created"),
            Err(error) if error.is_disk_full() => self.order(SchedulerCommand::NoRoom),
            Err(_) => {}
        }
        written
    }

    /// Emits the events of a new registration.
    ///
    /// If its files exceed its `downloadTotal`, also emits its end.
    pub(crate) async fn tell_new(&self, accepted: &AcceptedRegistration) {
        self.changed(accepted.unique_id).await;
        if declared_size::over_download_total(accepted).is_some() {
            self.shared.tell_owed(accepted.unique_id).await;
        }
    }

    async fn set_paused(&self, id: Option<UniqueId>, paused: bool) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.set_paused(id, paused, self.shared.env.now()).await?;
        failpoint::hit("engine.pause-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.pause-written");
        match id {
            Some(id) => self.changed(id).await,
            None => {
                self.shared.speaker.emit(EngineEvent::Lagged);
                self.order(SchedulerCommand::Nudge(None));
            }
        }
        Ok(())
    }

    fn tell_spread(&self, is_spread: bool) {
        if is_spread {
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
    }

    pub(crate) async fn changed(&self, id: UniqueId) {
        self.shared.tell_changed(id).await;
        self.order(SchedulerCommand::Nudge(Some(id)));
    }

    /// Deletes the partial files of an aborted registration after its transfers have stopped.
    pub(crate) async fn discard_aborted(&self, id: UniqueId) -> Result<(), EngineError> {
        match &self.orders {
            Some(_) => self.order(SchedulerCommand::Discard(id)),
            None => self.shared.discard_aborted(id).await?,
        }
        Ok(())
    }

    /// Deletes rows, partial files and complete files of a removed registration.
    ///
    /// Waits until its transfers have stopped and no client has a `ReadHold` for it.
    pub(crate) async fn finish_deletion(&self, id: UniqueId) -> Result<(), EngineError> {
        match &self.orders {
            Some(_) => {
                self.order(SchedulerCommand::Delete(id));
                Ok(())
            }
            None => self.shared.delete(id).await.map(drop),
        }
    }

    /// Commits a change with an immediate effect for a person, and wakes the scheduler loop.
    ///
    /// Sends the hosts of the registration before and after the commit, so that the loop ends their cooldowns. Without
    /// the first message, the loop might read the changed rows during a cooldown, and fail optional requests to the
    /// host.
    pub(crate) async fn commit_and_wake(&self, ledger: LedgerWriter<'_>, id: UniqueId) -> Result<(), EngineError> {
        self.order(SchedulerCommand::Wake { id, hosts: self.shared.store.hosts(id).await? });
        ledger.commit().await?;
        self.order(SchedulerCommand::Wake { id, hosts: self.shared.store.hosts(id).await? });
        Ok(())
    }

    pub(crate) fn order(&self, order: SchedulerCommand) {
        if let Some(orders) = &self.orders {
            // Ignore the error: a closed loop needs no commands, because the next start reads the ledger.
            let _ = orders.send(order);
        }
    }
}

/// Runs `work`, which may block on a disk, in a separate thread. Returns its result.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
) -> Result<T, EngineError> {
    disk::spawn(work).await.map_err(|_| EngineError::Closed)?
}

impl Registration {
    /// Whether the registration has settled and changes only after a new command.
    pub fn is_settled(&self) -> bool {
        self.state == RegistrationState::Settled
    }
}
