//! State shared by the facade and the scheduler loop: ledger, transfers, live numbers, and notification of listeners.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock as StdRwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{CookieJar, FlowScope, Guid, HostCredentials, RateLimit, disk};

use crate::{
    EngineError, EngineEvent,
    context::{
        events::EventSender, patience::FOLDER_WAITS, probe_cache::ProbeCache, read_hold::DataReferences,
        running::RunningTransfers, starts_at_once::StartsAtOnce, transport::Transport, withdrawn_names::WithdrawnNames,
    },
    folders::{self, FolderStanding, KnownFolders, PendingProbe, VolumeState, kind_at, look_at, may_go_on, numbers_anew},
    gates::{GateConditions, SpeedMode, decision, host_cooldown::HostCooldown},
    keychain::Keychain,
    model::{GateReport, ProgressTotals, Registration, RegistrationState, UniqueId},
    platform::{
        env::EngineEnv,
        failpoint,
        folder_lock::FolderLock,
        open_file_limit,
        sync::{self, RwLock},
    },
    settings::{SettingOverrides, Settings, SettingsFile},
    store::{FileIdentity, PartialDisposition, PendingFileRemoval, ledger::LedgerStore},
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
    /// Latest answers of the target folders, and the requests that wait for an answer.
    pub folders: KnownFolders,
    pub speaker: EventSender,
    /// Registrations that clients hold for reading.
    pub references: DataReferences,
    /// Speed limit for all transfers together, in bytes per second; 0 for no limit.
    pub speed_limit: AtomicU64,
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

    /// Same as `view`, but with `removed` it also returns a removed registration while its row exists.
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
        if registration.state == RegistrationState::Running && (!self.fetches || live.is_held(registration.unique_id)) {
            registration.state = RegistrationState::Waiting;
        }
        if registration.state != RegistrationState::Waiting {
            return;
        }
        let absent = || self.folders.closed(registration.unique_id, &registration.folder);
        let short = || self.known.space().closed(registration.unique_id, &registration.folder, &|folder| self.free(folder));
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

    /// Sets the reason and the next try of a registration that waits for a cooldown, unless it already has a reason.
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
        open_file_limit::files(open_file_limit::allowed(), self.settings().parallel)
    }

    /// Returns the last known number of free bytes in `folder`, minus the bytes reserved for running transfers.
    pub(crate) fn free(&self, folder: &Path) -> Option<u64> {
        let answer = self.folders.last(folder)?;
        let promised = answer.standing.volume().map_or(0, |volume| self.transfers.promised(volume.device));
        answer.free.map(|free| free.saturating_sub(promised))
    }

    /// Returns every gate in its present state.
    pub(crate) async fn gates(&self) -> Result<Vec<GateReport>, EngineError> {
        let is_paused = self.store.is_paused().await?;
        let mut gates = self.known.gates(&self.env, &self.settings(), is_paused);
        gates.extend(self.folders.gates());
        gates.extend(self.known.space().gates(&|folder| self.free(folder)));
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
    ///
    /// A separate task does so, because the keychain may wait a minute for the user. The next start retries a failure.
    pub(crate) fn forget_own_credentials(&self, id: UniqueId) {
        self.credentials.forget_download(id.0);
        self.cookies.forget_download(id.0);
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

    /// Discards the partial of a transfer that ended without completing, unless it is still wanted.
    ///
    /// A retry may need the partial at any moment. Therefore only the component that starts transfers may call this,
    /// and it must not start a transfer during the call.
    pub(crate) async fn discard_unwanted(&self, guid: Guid, folder: &Path) {
        match self.store.fate_of_partial(guid).await {
            // Keep the bytes. If they were wrong, the transfer has already removed them, and only an earlier partial
            // beside them is left. If the ledger cannot be read, their state is unknown.
            Ok(Some(PartialDisposition::Wanted | PartialDisposition::Wrong)) | Err(_) => {}
            Ok(Some(PartialDisposition::GivenUp) | None) => self.transfers.discard(guid, folder).await,
        }
    }

    /// Discards the partials of a registration that was aborted or removed, unless it has been retried since.
    ///
    /// Covers every request that started and is not running now.
    pub(crate) async fn discard_partials(&self, id: UniqueId) -> Result<(), EngineError> {
        let running = self.running(id).await?;
        for (guid, folder) in self.store.guids_of(id).await? {
            if !running.contains(&guid) && !self.folders.is_silent(&folder) {
                let began = sync::now();
                self.discard_unwanted(guid, &folder).await;
                if sync::now().saturating_duration_since(began) > folders::PATIENCE {
                    // Query the folder once instead of trying every remaining partial. If the folder does not answer,
                    // it soon counts as silent.
                    self.folders.ask(&folder);
                }
            }
        }
        Ok(())
    }

    /// Discards the partials as `discard_partials` does, and frees their quota usage.
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
    /// from their partials whether their files were published.
    async fn running(&self, id: UniqueId) -> Result<Vec<Guid>, EngineError> {
        match self.fetches {
            true => Ok(self.live.read().await.guids()),
            false => self.store.active_guids(Some(id)).await,
        }
    }

    /// Finishes a removal (storage operation 9): deletes partials, rows and files of a registration that no longer
    /// runs.
    ///
    /// Data that a client holds stays until its release. Rows with a pending end event stay until the event is
    /// acknowledged.
    ///
    /// Returns false if the deletion must be retried: a killed engine left a transfer running, a partial could not be
    /// removed, or the disk of the folder is missing. The rows are then needed to identify the remaining partials.
    pub(crate) async fn delete(&self, id: UniqueId) -> Result<bool, EngineError> {
        let Some(_deletion) = self.references.begin_deletion(id) else { return Ok(true) };
        if !self.is_reachable(id).await? {
            return Ok(false);
        }
        self.discard_partials(id).await?;
        // Check again, because the folder may have disappeared since, with partials still in it.
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

    /// Returns whether partials of `id` can be removed now.
    ///
    /// The folder must answer. If it should contain a partial, the disk of the folder must be present.
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

    /// Returns whether a discarded partial of `id` still exists.
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

    /// Removes the files that the ledger has released, then deletes their rows.
    ///
    /// A published file goes to the trash, but stays if it has changed since. A file with wrong content is deleted
    /// directly. If a removal fails, the file stays listed with the reason for the user, and the next removal or start
    /// tries again.
    pub(crate) async fn collect_files(&self) -> Result<(), EngineError> {
        let mut silent = HashSet::new();
        let before = self.store.kept_files().await?;
        for doomed in self.store.file_gc().await? {
            let path = doomed.path.clone();
            if path.parent().is_some_and(|folder| silent.contains(folder)) {
                continue;
            }
            let was = path.parent().and_then(|folder| self.folders.memory.volume(folder));
            let Some(removed) = disk::within(FOLDER_WAITS, move || remove_file(&doomed, was)).await else {
                // The file stays in the list, and the next removal tries again.
                tracing::warn!(path = %path.display(), "file of a removed download kept for now; its disk does not respond");
                silent.extend(path.parent().map(Path::to_owned));
                continue;
            };
            failpoint::hit("engine.file-gone");
            let mut ledger = self.store.begin().await?;
            match removed {
                Ok(()) => ledger.forget_file(&path).await?,
                Err(why) => {
                    tracing::error!(path = %path.display(), %why, "file of a removed download could not be removed; kept");
                    ledger.keep_file(&path, &why).await?;
                }
            }
            ledger.commit().await?;
        }
        if self.store.kept_files().await? != before {
            // Make listeners read the list of kept files again, because the removal was already reported to them.
            self.speaker.emit(EngineEvent::Lagged);
        }
        Ok(())
    }
}

/// Removes the file `doomed`. Fails with the reason why the file stays.
///
/// `was` is the volume of its folder at the last use.
fn remove_file(doomed: &PendingFileRemoval, was: Option<VolumeState>) -> Result<(), UserMessage> {
    let there = FileIdentity::from_path(&doomed.path);
    match doomed.identity {
        None => match std::fs::remove_file(&doomed.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(UserMessage::from(&error)),
            _ => Ok(()),
        },
        Some(identity) if there.is_none() && is_away(&doomed.path, identity, was) => Err(message!("kept-file.away")),
        // Keep the file, because another program moved, edited or replaced it.
        Some(identity) if there.is_none_or(|there| !identity.is_still(there, renumbers(&doomed.path))) => Ok(()),
        Some(_) if doomed.outright => std::fs::remove_file(&doomed.path).map_err(|error| UserMessage::from(&error)),
        Some(_) => trash::delete(&doomed.path).map_err(|error| not_in_trash(&error)),
    }
}

/// Returns the reason why a file could not be moved to the trash.
fn not_in_trash(error: &trash::Error) -> UserMessage {
    match error {
        trash::Error::FileSystem { source, .. } => UserMessage::from(source),
        other => message!("kept-file.trash", why = other.to_string()),
    }
}

/// Returns whether the disk of a missing file is missing too, so that the file may still exist there.
///
/// `placed` identifies the published file. `was` is the volume of its folder at the last use. If the disk is present
/// but the folder is missing, the file no longer exists.
fn is_away(path: &Path, placed: FileIdentity, was: Option<VolumeState>) -> bool {
    let Some(folder) = path.parent() else { return false };
    match look_at(folder, was) {
        FolderStanding::Same(_) | FolderStanding::Unknown => false,
        FolderStanding::Other { is_alike, .. } => !is_alike,
        FolderStanding::Missing | FolderStanding::NotAFolder => {
            let nearest = folder.ancestors().find_map(FileIdentity::from_path);
            nearest.is_some_and(|nearest| nearest.device != placed.device)
        }
    }
}

impl FileIdentity {
    /// Returns whether `there`, the file now at the path, is the published file.
    ///
    /// Only the published file may be deleted. Disks may get other device numbers at each start (USB, LVM, btrfs). Some
    /// file systems renumber their files at each mount (`renumbers`), even under the same device number. On other file
    /// systems, a file with another inode on the same device is another file.
    pub(crate) fn is_still(self, there: Self, renumbers: bool) -> bool {
        let is_same_number = renumbers || self.inode == there.inode || self.device != there.device;
        is_same_number && (self.size, self.modified_ns) == (there.size, there.modified_ns)
    }

    /// Returns the identity of the file at `path`. Does not follow a symbolic link.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        std::fs::symlink_metadata(path).ok().as_ref().map(Self::from)
    }
}

/// Returns whether the file system at `path` renumbers its files, so that only size and modification time identify
/// them.
fn renumbers(path: &Path) -> bool {
    kind_at(path).is_some_and(numbers_anew)
}

impl From<&std::fs::Metadata> for FileIdentity {
    fn from(meta: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let signed = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
        let modified_ns = meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec());
        Self { device: signed(meta.dev()), inode: signed(meta.ino()), size: signed(meta.size()), modified_ns }
    }
}

/// Returns the current speed limit for all transfers together.
pub(crate) fn for_all(shared: &EngineContext) -> Option<RateLimit> {
    let set = RateLimit::new(shared.speed_limit.load(Ordering::Acquire)).ok();
    let is_slow = *shared.known.pace.borrow() == SpeedMode::Slow;
    let slow = RateLimit::new(shared.settings().slow_speed.0).ok().filter(|_| is_slow);
    set.into_iter().chain(slow).min_by_key(|rate| rate.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_why_file_is_not_in_trash_is_stated_in_every_language() {
        let source = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let refused = not_in_trash(&trash::Error::FileSystem { path: "/a".into(), source });
        assert_eq!(refused, message!("io.permission"));
        let other = not_in_trash(&trash::Error::TargetedRoot);
        assert_eq!((other.code.as_str(), other.variant.as_deref()), ("kept-file", Some("trash")));
        let german = other.render(&ashore_messages::Catalogue::new("de"));
        assert!(german.contains("Papierkorb"), "{german}");
    }

    #[test]
    fn placed_file_matches_after_its_device_number_changes() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        assert!(placed.is_still(placed, false));
        assert!(placed.is_still(FileIdentity { device: 9, ..placed }, false), "mounted again");
        assert!(placed.is_still(FileIdentity { device: 9, inode: 9, ..placed }, false), "mounted again, and numbered anew");
    }

    #[test]
    fn placed_file_still_matches_if_file_system_changes_inode_number() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        assert!(placed.is_still(FileIdentity { inode: 9, ..placed }, true), "mounted again under the same device number");
        assert!(!renumbers(Path::new("/proc")) && !renumbers(Path::new("/nothing/there")));
    }

    #[test]
    fn removal_of_missing_file_fails_while_its_disk_is_missing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("disk");
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("a.bin");
        std::fs::write(&path, "bytes").unwrap();
        let placed = FileIdentity::from_path(&path).unwrap();
        let was = look_at(&folder, None).volume();
        let remove = |device, was| {
            remove_file(
                &PendingFileRemoval { path: path.clone(), identity: Some(FileIdentity { device, ..placed }), outright: true },
                was,
            )
        };
        let away = Err(message!("kept-file.away"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(remove(placed.device, was), Ok(()), "a person deleted it");
        assert_eq!(remove(placed.device + 1, was), Ok(()), "the same from a disk that was mounted again");
        let other = was.map(|was| VolumeState { inode: was.inode + 1, ..was });
        assert_eq!(remove(placed.device, other), away, "a bare mount point");
        std::fs::remove_dir(&folder).unwrap();
        assert_eq!(remove(placed.device, was), Ok(()), "a person deleted the folder");
        assert_eq!(remove(placed.device + 1, was), away, "the mount point went with the disk");
    }

    #[test]
    fn replaced_or_edited_file_does_not_match_placed_file() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        for device in [1, 9] {
            let there = FileIdentity { device, ..placed };
            for renumbers in [false, true] {
                assert!(!placed.is_still(FileIdentity { size: 9, ..there }, renumbers), "{device}");
                assert!(!placed.is_still(FileIdentity { modified_ns: 9, ..there }, renumbers), "{device}");
            }
        }
        assert!(!placed.is_still(FileIdentity { inode: 9, ..placed }, false), "another file in its place");
    }
}
