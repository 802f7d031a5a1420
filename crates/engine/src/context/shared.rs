//! State shared by the facade and the scheduler loop: ledger, transfers, live numbers, and notification of listeners.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock as StdRwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use ashore_messages::message;
use ashore_transfer::{CookieJar, FlowScope, Guid, HostCredentials, RateLimit};

use crate::{
    EngineError, EngineEvent,
    context::{
        awaited_links::AwaitedLinks, events::EventSender, halted::HaltedRegistrations, probe_cache::ProbeCache,
        read_hold::DataReferences, running::RunningTransfers, starts_at_once::StartsAtOnce, transport::Transport,
        withdrawn_names::WithdrawnNames,
    },
    folders::{self, FolderAnswer, FolderStanding, KnownFolders, PendingProbe, may_go_on},
    gates::{GateConditions, SpeedMode, decision, host_cooldown::HostCooldown},
    keychain::Keychain,
    model::{GateReport, LentLimits, ProgressTotals, Registration, RegistrationState, UniqueId},
    platform::{
        env::EngineEnv,
        failpoint,
        folder_lock::FolderLock,
        open_file_limit,
        sync::{self, RwLock},
    },
    settings::{SettingOverrides, Settings, SettingsFile},
    store::{PartialDisposition, ledger::LedgerStore},
};

/// Maximum number of rows that are deleted in one transaction.
const DELETE_CHUNK: u32 = 2000;

#[derive(Debug)]
pub(crate) struct EngineContext {
    pub env: EngineEnv,
    /// Settings in effect. A change replaces the whole value.
    pub set: StdRwLock<Arc<Settings>>,
    /// Settings file from which `set` was read.
    pub file: Mutex<SettingsFile>,
    /// Values that override those of the settings file during this run.
    pub overrides: SettingOverrides,
    /// Lock that is held during a change of a setting, from reading the file until the change is in effect.
    pub configuring: sync::Mutex<()>,
    pub data_dir: PathBuf,
    pub holder: String,
    /// Whether this engine runs transfers. If false, it only reads and writes the ledger.
    pub fetches: bool,
    pub store: LedgerStore,
    pub transfers: Box<dyn Transport>,
    pub keychain: Arc<Keychain>,
    pub credentials: Arc<HostCredentials>,
    pub cookies: CookieJar,
    pub live: RwLock<RunningTransfers>,
    pub probes: ProbeCache,
    pub withdrawn: WithdrawnNames,
    pub at_once: StartsAtOnce,
    /// Downloads that wait for a new link from the browser.
    pub awaited_links: AwaitedLinks,
    /// Registrations that start no transfers, because their link or their folder changes.
    pub halted: HaltedRegistrations,
    /// Latest answers of the target folders, and the requests that wait for an answer.
    pub folders: KnownFolders,
    pub speaker: EventSender,
    /// Registrations that clients keep readable.
    pub references: DataReferences,
    /// Speed limit for all transfers together, in bytes per second; 0 for no limit.
    pub speed_limit: AtomicU64,
    /// Limits that are stricter than those of the settings. A program sets them, and they apply until this engine
    /// closes.
    pub lent: Mutex<LentLimits>,
    /// Lock that is held during a change of a limit, so that the ledger and the transfers get the same limit.
    pub limiting: sync::Mutex<()>,
    /// Lock that is held while the quotas are read from the ledger, so that the later of two concurrent reads takes
    /// effect.
    pub weighing: sync::Mutex<()>,
    pub lock: Mutex<Option<FolderLock>>,
    /// Conditions of the gates, which decide whether downloads may start.
    pub known: GateConditions,
}

impl EngineContext {
    /// Returns the settings in effect.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.set.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the settings in effect and returns the previous ones.
    pub(crate) fn take_settings(&self, settings: Settings) -> Arc<Settings> {
        std::mem::replace(&mut self.set.write().unwrap_or_else(PoisonError::into_inner), Arc::new(settings))
    }

    /// Returns a registration, with the live numbers added to the persisted ones.
    pub(crate) async fn view(&self, id: UniqueId) -> Result<Option<Registration>, EngineError> {
        self.seen(id, false).await
    }

    /// Same as `view`, but if `removed` is true, it also returns a removed registration while its row exists.
    pub(crate) async fn seen(&self, id: UniqueId, removed: bool) -> Result<Option<Registration>, EngineError> {
        let live = self.live.read().await;
        let mut registration = self.store.seen(id, removed).await?;
        if let Some(registration) = &mut registration {
            self.overlay(&live, &self.known.gates(&self.env, &self.settings(), false), registration);
            self.explain_quota(registration).await?;
            self.explain_rest(registration).await?;
        }
        Ok(registration)
    }

    /// Merges the live numbers into `registration`.
    ///
    /// A running registration is shown as waiting in two cases: its events cannot be persisted, or this engine runs no
    /// transfers and a killed engine left it running. A waiting registration shows the first closed gate in `gates`
    /// before any other reason.
    pub(crate) fn overlay(&self, live: &RunningTransfers, gates: &[GateReport], registration: &mut Registration) {
        live.overlay(registration);
        self.awaited_links.overlay(registration, self.env.now());
        if registration.state == RegistrationState::Running && (!self.fetches || live.is_held(registration.unique_id)) {
            registration.state = RegistrationState::Waiting;
        }
        if registration.state != RegistrationState::Waiting {
            return;
        }
        if self.halted.is_moving(registration.unique_id) {
            registration.waiting_for = Some(message!("moving"));
            registration.next_try = None;
            return;
        }
        let absent = || self.folders.closed(registration.unique_id, &registration.folder);
        let floor = self.settings().free_space_floor.0;
        let free = |folder: &Path| self.free(folder);
        let short = || self.known.space().closed(registration.unique_id, &registration.folder, floor, &free);
        let over = || self.known.quota().closed(registration.unique_id);
        let closed = self.known.anyway().closed_to(registration.unique_id, gates).cloned();
        if let Some(gate) = closed.or_else(absent).or_else(short).or_else(over) {
            registration.waiting_for = Some(gate.message());
            registration.next_try = None;
        }
    }

    /// Sets the reason of a registration that waits for quota, unless it already has a reason.
    pub(crate) async fn explain_quota(&self, registration: &mut Registration) -> Result<(), EngineError> {
        let is_silent = registration.state == RegistrationState::Waiting && registration.waiting_for.is_none();
        if !is_silent || self.known.quota().full().is_empty() {
            return Ok(());
        }
        let categories = self.store.pending_categories(registration.unique_id).await?;
        let gate = self.known.quota().closed_to(&registration.owner, &categories);
        registration.waiting_for = gate.map(|gate| gate.message());
        Ok(())
    }

    /// Reads the usage of the quotas from the ledger again if any quota exists.
    pub(crate) async fn refresh_quota_usage(&self) {
        if !self.known.quota().is_empty()
            && let Err(error) = self.read_quotas().await
        {
            tracing::warn!(%error, "quota usage could not be read; will retry");
        }
    }

    /// Reads the quotas and their usage from the ledger, even if there was no quota before.
    pub(crate) async fn read_quotas(&self) -> Result<(), EngineError> {
        let _one_at_a_time = self.weighing.lock().await;
        let books = self.store.books().await?;
        let live = self.live.read().await;
        let mut quotas = self.known.quota();
        let before = quotas.full();
        if quotas.set(books) {
            live.rooms().for_each(|(_, room)| quotas.rejoin(room));
        }
        if before != quotas.full() {
            // Make listeners read the list again, because the reasons of waiting registrations have changed.
            self.speaker.emit(EngineEvent::Lagged);
        }
        Ok(())
    }

    /// Sets the reason and the next try of a registration that waits for the end of a cooldown.
    ///
    /// Does nothing if the registration already has a reason.
    pub(crate) async fn explain_rest(&self, registration: &mut Registration) -> Result<(), EngineError> {
        let is_silent = registration.state == RegistrationState::Waiting && registration.waiting_for.is_none();
        if !is_silent || self.known.cooldowns().is_empty() {
            return Ok(());
        }
        let lanes = self.store.pending_lanes(registration.unique_id).await?;
        let now = self.env.now();
        let known = self.known.cooldowns();
        let cooldowns: Option<Vec<HostCooldown>> =
            lanes.iter().map(|(_, host)| known.get(host).copied().filter(|cooldown| cooldown.until_us > now)).collect();
        if let Some(cooldown) = cooldowns.unwrap_or_default().into_iter().min_by_key(|cooldown| cooldown.until_us) {
            registration.next_try = Some(cooldown.until_us.div_euclid(1000));
            registration.waiting_for = Some(decision::cooldown_message(cooldown.why));
        }
        Ok(())
    }

    /// Returns the maximum number of parallel files: the setting, or less if the login session limits the number of
    /// open files.
    pub(crate) fn parallel(&self) -> u32 {
        let lent = self.lent().parallel.unwrap_or(u32::MAX).max(1);
        open_file_limit::files(open_file_limit::allowed(), self.settings().parallel.min(lent))
    }

    /// Returns the limits that `lend` has set.
    pub(crate) fn lent(&self) -> LentLimits {
        *self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last known number of free bytes in `folder`, minus the bytes reserved for running transfers.
    pub(crate) fn free(&self, folder: &Path) -> Option<u64> {
        self.free_of(&self.folders.last(folder)?)
    }

    /// Returns the number of free bytes in the folder of `answer`, minus the bytes reserved for running transfers.
    pub(crate) fn free_of(&self, answer: &FolderAnswer) -> Option<u64> {
        let promised = answer.standing.volume().map_or(0, |volume| self.transfers.promised(volume.device));
        answer.free.map(|free| free.saturating_sub(promised))
    }

    /// Returns every gate (condition that can hold back downloads) in its present state.
    pub(crate) async fn gates(&self) -> Result<Vec<GateReport>, EngineError> {
        let is_paused = self.store.is_paused().await?;
        let mut gates = self.known.gates(&self.env, &self.settings(), is_paused);
        gates.extend(self.folders.gates());
        gates.extend(self.known.space().gates(self.settings().free_space_floor.0, &|folder| self.free(folder)));
        gates.extend(self.known.quota().gates());
        Ok(gates)
    }

    pub(crate) async fn totals(&self) -> Result<ProgressTotals, EngineError> {
        let (running, waiting) = self.store.running_and_waiting().await?;
        let paused = self.store.is_paused().await?;
        let gate = self.known.closed(&self.env, &self.settings(), paused);
        let pace = *self.known.pace.borrow();
        let live = self.live.read().await;
        let (speed, held) = (live.total_speed(), u32::try_from(live.held()).unwrap_or(u32::MAX));
        drop(live);
        let (running, waiting) = (running.saturating_sub(held), waiting.saturating_add(held));
        let speed_limit = for_all(self).map(RateLimit::bytes);
        Ok(ProgressTotals { running, waiting, paused, speed, speed_limit, pace, gate })
    }

    pub(crate) async fn tell_changed(&self, id: UniqueId) {
        if let Ok(Some(registration)) = self.view(id).await {
            self.speaker.emit(EngineEvent::Changed { registration: Box::new(registration) });
        }
    }

    pub(crate) async fn tell_owed(&self, id: UniqueId) {
        if let Ok(Some(registration)) = self.view(id).await {
            self.speaker.emit(EngineEvent::Owed { registration: Box::new(registration) });
        }
        self.on_ended(id).await;
    }

    /// Forgets the credentials and cookies that only this registration used.
    pub(crate) fn forget_own_credentials(&self, id: UniqueId) {
        self.cookies.forget_download(id.0);
        self.forget_own_secrets(id);
    }

    /// Forgets the credentials that only this registration used, but not the cookies that servers set for it.
    pub(crate) fn forget_own_secrets(&self, id: UniqueId) {
        self.credentials.forget_download(id.0);
        self.forget_own_secrets_in_keychain(id);
    }

    /// Removes from the keychain the credentials that only this registration used.
    ///
    /// Uses a separate task, because the keychain may wait a minute for the user. The next start retries a failure.
    pub(crate) fn forget_own_secrets_in_keychain(&self, id: UniqueId) {
        let keychain = Arc::clone(&self.keychain);
        if keychain.has_download(id.0) {
            tokio::spawn(async move {
                if let Err(why) = keychain.forget_download(id.0).await {
                    tracing::warn!(%why, "credentials of an ended download stay in the keychain until the next start");
                }
            });
        }
    }

    /// Called when a registration has ended. Forgets its own credentials, and emits the end event if it is still
    /// pending.
    pub(crate) async fn on_ended(&self, id: UniqueId) {
        self.forget_own_credentials(id);
        if self.store.is_owed(id, true).await.unwrap_or(false)
            && let Ok(Some(registration)) = self.seen(id, true).await
        {
            self.speaker.emit(EngineEvent::Ended { registration: Box::new(registration) });
        }
    }

    pub(crate) async fn tell_progress(&self, id: UniqueId) {
        let Ok(Some(registration)) = self.view(id).await else { return };
        let speed = self.live.read().await.sum(id).speed;
        self.speaker.emit(EngineEvent::Progress {
            unique_id: id,
            owner: registration.owner,
            downloaded: registration.downloaded,
            uploaded: registration.uploaded,
            expected_total: registration.expected_total,
            speed,
        });
    }

    /// Discards the partial file of a transfer that ended without completing, unless the partial file is still wanted.
    ///
    /// A retry may need the partial file at any moment. Therefore only the component that starts transfers may call
    /// this function, and it must not start a transfer during the call.
    pub(crate) async fn discard_unwanted(&self, guid: Guid, folder: &Path) {
        match self.store.fate_of_partial(guid).await {
            // Keep the bytes. If they were wrong, the transfer has already removed them, and only an earlier partial
            // file beside them is left. If the ledger cannot be read, their state is unknown.
            Ok(Some(PartialDisposition::Wanted | PartialDisposition::Wrong)) | Err(_) => {}
            Ok(Some(PartialDisposition::GivenUp) | None) => self.transfers.discard(guid, folder).await,
        }
    }

    /// Discards the partial files of a registration that was aborted or removed, unless it has been retried since.
    ///
    /// Covers every request that started and is not running now.
    pub(crate) async fn discard_partials(&self, id: UniqueId) -> Result<(), EngineError> {
        let running = self.running(id).await?;
        for (guid, folder) in self.store.guids_of(id).await? {
            if !running.contains(&guid) && !self.folders.is_silent(&folder) {
                let began = sync::now();
                self.discard_unwanted(guid, &folder).await;
                if sync::now().saturating_duration_since(began) > folders::PATIENCE {
                    // Query the folder once instead of trying every remaining partial file. If the folder does not
                    // answer, it soon counts as silent.
                    self.folders.ask(&folder);
                }
            }
        }
        Ok(())
    }

    /// Discards the partial files as `discard_partials` does, and frees their quota usage.
    pub(crate) async fn discard_aborted(&self, id: UniqueId) -> Result<(), EngineError> {
        self.discard_partials(id).await?;
        let mut ledger = self.store.begin().await?;
        ledger.let_partials_go(id).await?;
        ledger.commit().await?;
        self.refresh_quota_usage().await;
        Ok(())
    }

    /// Returns the transfers with an unknown outcome.
    ///
    /// If this engine does not fetch, they are transfers of a killed engine. The next engine that fetches finds out
    /// from their partial files whether their files were published.
    async fn running(&self, id: UniqueId) -> Result<Vec<Guid>, EngineError> {
        match self.fetches {
            true => Ok(self.live.read().await.guids()),
            false => self.store.active_guids(Some(id)).await,
        }
    }

    /// Finishes a removal (storage operation 9): deletes partial files, rows and complete files of a registration that
    /// no longer runs.
    ///
    /// Data that a client keeps readable stays until the client releases it. Rows with a pending end event stay until
    /// the event is acknowledged.
    ///
    /// Returns false if the deletion must be retried: a killed engine left a transfer running, a partial file could not
    /// be removed, or the disk of the folder is missing. The rows are then needed to identify the remaining partial
    /// files.
    pub(crate) async fn delete(&self, id: UniqueId) -> Result<bool, EngineError> {
        let Some(_deletion) = self.references.begin_deletion(id) else { return Ok(true) };
        if !self.is_reachable(id).await? {
            return Ok(false);
        }
        self.discard_partials(id).await?;
        // Check again, because the folder may have disappeared since, with partial files still in it.
        if !self.is_reachable(id).await? {
            return Ok(false);
        }
        if !self.fetches && !self.running(id).await?.is_empty() {
            return Ok(false);
        }
        self.transfers.limit(FlowScope::Group(id.0), None);
        self.drop_second_names(id).await?;
        if self.has_left_any(id).await? {
            return Ok(false);
        }
        failpoint::hit("engine.delete-partials-gone");
        if self.store.is_owed(id, false).await? {
            let mut ledger = self.store.begin().await?;
            ledger.let_files_go(id).await?;
            ledger.commit().await?;
            self.collect_files().await?;
            return Ok(true);
        }
        loop {
            let mut ledger = self.store.begin().await?;
            let is_gone = ledger.delete_registration(id, DELETE_CHUNK).await?;
            ledger.commit().await?;
            self.refresh_quota_usage().await;
            failpoint::hit("engine.delete-chunk-gone");
            if is_gone {
                break;
            }
        }
        self.collect_files().await?;
        Ok(true)
    }

    /// Returns whether partial files of `id` can be removed now.
    ///
    /// The folder must answer. If it should contain a partial file, the disk of the folder must be present.
    pub(crate) async fn is_reachable(&self, id: UniqueId) -> Result<bool, EngineError> {
        let Some(folder) = self.store.folder_of(id).await? else { return Ok(true) };
        if self.folders.is_silent(&folder) {
            return Ok(false);
        }
        let said = self.folders.ask_within(std::slice::from_ref(&folder), folders::PATIENCE).await;
        let Some(answer) = said.get(&folder) else { return Ok(false) };
        if matches!(answer.standing, FolderStanding::Same(_)) {
            return Ok(true);
        }
        let guids = self.store.guids_of(id).await?;
        // Accept the folder if only its device numbers may have changed, because otherwise the removal might wait
        // forever.
        let begun = |guid: &Guid| PendingProbe { tag: guid.tag(), has_bytes: false };
        Ok(guids.iter().all(|(guid, _)| may_go_on(&answer.standing, Some(&begun(guid)))))
    }

    /// Returns whether a discarded partial file of `id` still exists.
    async fn has_left_any(&self, id: UniqueId) -> Result<bool, EngineError> {
        let left = self.transfers.shut_down().await;
        for guid in &left {
            if self.store.whose(*guid).await? == Some(id) {
                return Ok(true);
            }
        }
        let tags: Vec<String> = left.iter().map(|guid| guid.tag()).collect();
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let completed = self.store.completed_of_tags(&tags).await?;
        Ok(completed.iter().any(|(guid, whose)| *whose == id && left.contains(guid)))
    }
}

/// Returns the current speed limit for all transfers together.
pub(crate) fn for_all(shared: &EngineContext) -> Option<RateLimit> {
    let set = RateLimit::new(shared.speed_limit.load(Ordering::Acquire)).ok();
    let is_slow = *shared.known.pace.borrow() == SpeedMode::Slow;
    let slow = RateLimit::new(shared.settings().slow_speed.0).ok().filter(|_| is_slow);
    let lent = shared.lent().bytes_per_second.map(RateLimit::nearest);
    set.into_iter().chain(slow).chain(lent).min_by_key(|rate| rate.bytes())
}
