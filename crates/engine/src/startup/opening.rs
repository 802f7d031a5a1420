//! Opens an engine from a folder on disk. `reconcile` defines and explains the order of the steps.

use std::{
    fs::Permissions,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::Path,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
};

use ashore_messages::message;
use ashore_transfer::{
    CookieJar, FailureKind, HostCredentials, Netrc, RediscoveredFile, TransferConfig, TransferEvent as News, TransferFailure,
    Transfers,
};
use rustix::io::Errno;
use tokio::sync::mpsc;

use crate::{
    EngineError,
    context::{
        awaited_links::AwaitedLinks,
        events::EventSender,
        halted::HaltedRegistrations,
        partial_cleanup::{self, SurveyedFolder},
        probe_cache::ProbeCache,
        read_hold::DataReferences,
        running::RunningTransfers,
        shared::EngineContext,
        speed,
        starts_at_once::StartsAtOnce,
        transport::Transport,
        withdrawn_names::WithdrawnNames,
    },
    first_run::{self, steps::keep_as_set},
    folders::{FolderMemory, FolderStanding, KnownFolders, PendingProbe},
    gates::GateConditions,
    keychain::{Keychain, KeychainBackend},
    model::{UniqueId, messages, values::http_method::is_safe},
    platform::{
        failpoint,
        folder_lock::FolderLock,
        open_file_limit::{self, LEAST_OPEN},
        sync::{self, RwLock},
    },
    scheduler::{command::SchedulerCommand, event_loop::Scheduler, supervisor::run_restarting, thread},
    settings::{Settings, SettingsFile, transfer_config},
    startup::{
        adopt,
        ledger_recovery::{self, RecoveryAttempts},
        options::EngineOptions,
        reconcile::{LedgerRepair, PartialOnDisk, SavedRequest, repair},
    },
    store::{
        ActiveRegistration, FailedResponse, ReleaseOutcome, RunRow, StartableRequest, ledger::LedgerStore, ledger_file::LEDGER,
    },
};

/// Length of a period before the last heartbeat, in microseconds. The previous engine has cleaned up after every
/// request that ended before this period. An engine writes a heartbeat once a minute, or every five minutes while idle.
const TIDY_BEFORE_BEAT_US: i64 = 120_000_000;
/// Folder in which upload bodies are kept until they are sent.
pub(crate) const BODIES: &str = "bodies";

/// Scheduler of an engine that fetches files, ready to `run`.
pub(crate) struct PreparedLedger {
    pub work: Scheduler,
    /// Requests that were active when the last engine ended, and that continue.
    pub running: Vec<StartableRequest>,
    pub orders: mpsc::UnboundedSender<SchedulerCommand>,
}

/// Runs start-up steps 1 to 6. The second value is the sender of scheduler commands; `None` if the engine does not
/// fetch.
pub(crate) async fn open(
    options: EngineOptions,
) -> Result<(Arc<EngineContext>, Option<mpsc::UnboundedSender<SchedulerCommand>>), EngineError> {
    if options.fetch {
        has_room(open_file_limit::allowed())?;
    }
    let (shared, prepared) = prepare(options, |network, news| Ok(Box::new(Transfers::new(network, news)?))).await?;
    let Some(PreparedLedger { work, running, orders }) = prepared else { return Ok((shared, None)) };
    let (store, scheduled) = (shared.store.clone(), Arc::clone(&shared));
    let work = async move {
        run_restarting(scheduled, work, running, mend_again).await;
        // The scheduler's read connections return to the pool on this thread, so the thread must live until those
        // connections are closed.
        store.close().await;
    };
    thread::start(work).map_err(|source| EngineError::io(message!("disk.thread", why = &source), source))?;
    Ok((shared, Some(orders)))
}

/// Fails if the limit of open files is too low for a single download.
fn has_room(allowed: Option<u64>) -> Result<(), EngineError> {
    match allowed {
        Some(allowed) if allowed < LEAST_OPEN => {
            let message = message!("disk.open-files", least = LEAST_OPEN, allowed = allowed);
            Err(EngineError::io(message, Errno::MFILE.into()))
        }
        _ => Ok(()),
    }
}

/// Runs start-up steps 1 to 5 with the transport that `carrier` creates. The second value is `None` if the engine does
/// not fetch.
pub(crate) async fn prepare(
    options: EngineOptions,
    mut carrier: impl FnMut(TransferConfig, mpsc::UnboundedSender<News>) -> Result<Box<dyn Transport>, TransferFailure>,
) -> Result<(Arc<EngineContext>, Option<PreparedLedger>), EngineError> {
    let mut doubt = RecoveryAttempts::default();
    loop {
        let (data_dir, now) = (options.data_dir.clone(), options.env.now());
        match try_to_prepare(options.clone(), &mut carrier).await {
            Ok(prepared) => return Ok(prepared),
            // The retry also handles a ledger that was accepted but has a damaged row. The number of copies limits the
            // retries.
            Err(error) => doubt.meet(&data_dir, error, now).await?,
        }
    }
}

async fn try_to_prepare(
    options: EngineOptions,
    carrier: impl FnOnce(TransferConfig, mpsc::UnboundedSender<News>) -> Result<Box<dyn Transport>, TransferFailure>,
) -> Result<(Arc<EngineContext>, Option<PreparedLedger>), EngineError> {
    make_folder(&options.data_dir)?;
    close_to_others(&options.data_dir);
    make_folder(&options.data_dir.join(BODIES))?;
    let mut lock = FolderLock::take(&options.data_dir, &options.holder)?;
    failpoint::hit("engine.locked");
    let file = SettingsFile::load(&options.data_dir)?;
    for trouble in &file.troubles {
        tracing::warn!("{}", trouble.message);
    }
    let settings = file.settings.clone().with(options.overrides.clone())?;
    let boot = (options.env.boot)();
    let was_there = options.data_dir.join(LEDGER).exists();
    let (store, is_recovering) =
        ledger_recovery::open(&options.data_dir, options.env.now(), lock.is_known_good(boot.as_deref())).await?;
    lock.keep_known_good(boot.as_deref());
    failpoint::hit("engine.ledger-opened");
    let mut begun = begin(options, carrier, (settings, file), store.clone(), is_recovering).await;
    match &mut begun {
        // Close while the lock is held, since another engine may need to rename the damaged ledger.
        Err(_) => store.close().await,
        Ok((shared, prepared)) => {
            *shared.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(lock);
            // A new list needs no copy.
            if was_there {
                store.note_change()
            } else {
                store.forget_changes()
            }
            if let Some(prepared) = prepared {
                // An existing list is copied before the first tick if a copy is due.
                prepared.work.copies_at_start(was_there);
            }
        }
    }
    begun
}

/// Runs start-up steps 3 to 5 on an open ledger.
pub(crate) async fn begin(
    options: EngineOptions,
    carrier: impl FnOnce(TransferConfig, mpsc::UnboundedSender<News>) -> Result<Box<dyn Transport>, TransferFailure>,
    (settings, file): (Settings, SettingsFile),
    store: LedgerStore,
    is_recovering: bool,
) -> Result<(Arc<EngineContext>, Option<PreparedLedger>), EngineError> {
    let (news_in, news) = mpsc::unbounded_channel();
    let keychain = Arc::new(Keychain::open(&options.data_dir, settings.keychain)?);
    let credentials = Arc::new(HostCredentials::new(Some(Box::new(KeychainBackend(keychain.clone()))), Netrc::default()));
    let cookies = CookieJar::off();
    let manners = match options.fetch {
        true => transfer_config::config(&settings, &options.data_dir, &credentials, &cookies)?,
        false => settings.transfers(),
    };
    let transfers = carrier(manners, news_in).map_err(unprepared)?;
    let folders = KnownFolders::new(FolderMemory::open(&options.data_dir), options.env.free);
    let shared = Arc::new(EngineContext {
        env: options.env,
        set: std::sync::RwLock::new(Arc::new(settings)),
        file: Mutex::new(file),
        overrides: options.overrides,
        configuring: sync::Mutex::default(),
        data_dir: options.data_dir,
        holder: options.holder,
        fetches: options.fetch,
        store,
        transfers,
        keychain,
        credentials,
        cookies,
        live: RwLock::new(RunningTransfers::default()),
        probes: ProbeCache::default(),
        withdrawn: WithdrawnNames::default(),
        at_once: StartsAtOnce::default(),
        awaited_links: AwaitedLinks::default(),
        halted: HaltedRegistrations::default(),
        folders,
        speaker: EventSender::new(),
        references: DataReferences::default(),
        speed_limit: AtomicU64::new(0),
        lent: Mutex::default(),
        limiting: sync::Mutex::default(),
        weighing: sync::Mutex::default(),
        lock: Mutex::new(None),
        known: GateConditions::new(),
    });
    speed::hold(&shared).await?;
    shared.read_quotas().await?;
    if is_recovering {
        let found_again = adopt::bring_up_to_date(&shared).await?;
        failpoint::hit("engine.brought-up-to-date");
        ledger_recovery::finish(&shared.data_dir, found_again)?;
    }
    if !options.fetch {
        return Ok((shared, None));
    }
    first_run::finish(&shared, true).await?;
    keep_as_set(&shared).await?;
    let running = mend_again(&shared).await?;
    // Their files are still being moved, see `Engine::resume_moves`.
    shared.store.relocations().await?.into_iter().for_each(|(id, _)| shared.halted.begin(id));
    let (orders_in, orders) = mpsc::unbounded_channel();
    let work = Scheduler::new(Arc::clone(&shared), news, orders);
    Ok((shared, Some(PreparedLedger { work, running, orders: orders_in })))
}

/// Runs start-up steps 3 to 5 on a ledger that is up to date. Called at a start, and after a defect of the loop while
/// nothing runs. Returns the requests that continue.
pub(crate) async fn mend_again(shared: &Arc<EngineContext>) -> Result<Vec<StartableRequest>, EngineError> {
    let running = reconcile_ledger(shared).await?;
    failpoint::hit("engine.mended");
    finish_deletions(shared).await?;
    failpoint::hit("engine.deletions-finished");
    settle(shared).await?;
    // Quota usage may have changed considerably since the last refresh.
    shared.refresh_quota_usage().await;
    failpoint::hit("engine.start-settled");
    Ok(running)
}

/// Converts the failure to configure transfers into an engine error.
pub(crate) fn unprepared(failure: TransferFailure) -> EngineError {
    EngineError::Invalid(message!("invalid.network-setup", why = failure.detail))
}

fn make_folder(path: &Path) -> Result<(), EngineError> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|source| EngineError::io(message!("disk.folder", path = path, why = &source), source))
}

/// Removes write permission to the folder for other users, who could otherwise replace settings and list. A failure is
/// only logged.
fn close_to_others(folder: &Path) {
    let closed = || {
        let permissions = std::fs::metadata(folder)?.permissions();
        let mode = permissions.mode();
        if mode & 0o022 != 0 {
            std::fs::set_permissions(folder, Permissions::from_mode(mode & !0o022))?;
        }
        Ok::<_, std::io::Error>(())
    };
    if let Err(error) = closed() {
        tracing::warn!(%error, folder = %folder.display(), "data folder permissions could not be restricted; other users may write to it");
    }
}

async fn finish_deletions(shared: &Arc<EngineContext>) -> Result<(), EngineError> {
    let mut ledger = shared.store.begin().await?;
    let left = ledger.garbage_collect().await?;
    ledger.commit().await?;
    for id in left {
        if !shared.delete(id).await? {
            tracing::warn!(%id, "removed registration could not be deleted completely; will retry later");
        }
    }
    shared.collect_files().await?;
    forget_credentials_of_ended(shared).await?;
    sweep_bodies(shared).await
}

/// Forgets each registration's own credentials if the registration has ended or was never written. Also finishes changes of
/// the keychain that an earlier run began.
async fn forget_credentials_of_ended(shared: &Arc<EngineContext>) -> Result<(), EngineError> {
    for id in shared.keychain.downloads().into_iter().map(UniqueId) {
        let is_active = shared.store.registration(id).await?.is_some_and(|registration| registration.settled.is_none());
        if !is_active {
            shared.forget_own_credentials(id);
        }
    }
    if shared.keychain.is_unsettled() {
        let keychain = Arc::clone(&shared.keychain);
        tokio::spawn(async move { keychain.settle().await });
    }
    Ok(())
}

/// Removes bodies that were copied for a registration that was never written.
async fn sweep_bodies(shared: &Arc<EngineContext>) -> Result<(), EngineError> {
    let folder = shared.data_dir.join(BODIES);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.split('.').next()).and_then(|id| id.parse().ok());
        let is_known = match owner {
            Some(id) => shared.store.registration(id).await?.is_some(),
            None => true,
        };
        if !is_known {
            // A file that cannot be removed now is retried at the next start.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Runs start-up step 3, the two-way sync by GUID. The table in `reconcile` decides about every active request. Every
/// partial file that belongs to no request stays for the user to adopt. Returns the requests that continue.
async fn reconcile_ledger(shared: &Arc<EngineContext>) -> Result<Vec<StartableRequest>, EngineError> {
    for registration in shared.store.options_and_download_guids_for_active_registrations().await? {
        let ActiveRegistration { unique_id, title, icons, guids } = registration;
        tracing::info!(id = %unique_id, title, icons = icons.len(), transfers = guids.len(), "registration was active when Ashore last stopped");
    }
    let active = shared.store.active_requests().await?;
    let everything_is_paused = shared.store.is_paused().await?;
    let before = shared.store.last_beat().await?;
    if let Some((holder, beat)) = &before {
        let seconds = shared.env.now().saturating_sub(*beat) / 1_000_000;
        tracing::info!(holder, seconds, "taking over from the previous holder (seconds since its last heartbeat)");
    }
    let recently = before.map_or(i64::MAX, |(_, beat)| beat.saturating_sub(TIDY_BEFORE_BEAT_US));
    let surveyed = partial_cleanup::survey_all(shared, shared.store.folders_with_partials(recently).await?).await;
    failpoint::hit("engine.disk-surveyed");
    let mut running = Vec::new();
    let now = shared.env.now();
    let mut ledger = shared.store.begin().await?;
    for request in active {
        let disk = on_disk(&surveyed, &request);
        if let (PartialOnDisk::Partial(_) | PartialOnDisk::Placed, Some(volume)) =
            (disk, surveyed.standing.get(&request.folder).and_then(FolderStanding::volume))
        {
            // The partial file proves that this is the disk of the request, even if the device number is another one.
            shared.folders.memory.note(&request.folder, volume);
        }
        let saved = SavedRequest {
            is_wanted: request.is_wanted,
            is_paused: request.is_paused || everything_is_paused,
            is_upload: !is_safe(&request.method),
        };
        match repair(saved, disk) {
            LedgerRepair::Start => running.push(StartableRequest { is_placed: disk == PartialOnDisk::Placed, ..request }),
            LedgerRepair::SetAside(bytes) => {
                ledger.put_back(request.guid, bytes, &ReleaseOutcome::Pending, now).await?;
            }
            LedgerRepair::Interrupted => {
                let cut = TransferFailure::new(FailureKind::UploadInterrupted, "found at start");
                let response = FailedResponse {
                    reason: messages::reason(cut.kind),
                    trouble: messages::of_failure(&cut),
                    status: None,
                    bytes: 0,
                    uploaded: 0,
                    run: RunRow::default(),
                };
                ledger.write_failed_download_response(request.guid, &response, None, now).await?;
            }
            // `tidy` below removes the partial file of this request.
            LedgerRepair::Abort => {
                ledger.put_back(request.guid, 0, &ReleaseOutcome::Pending, now).await?;
            }
        }
    }
    ledger.commit().await?;
    shared.store.beat(&shared.holder, now).await?;
    shared.folders.memory.write();
    partial_cleanup::tidy(shared, &surveyed.found, &running).await?;
    Ok(running)
}

fn on_disk(surveyed: &SurveyedFolder, request: &StartableRequest) -> PartialOnDisk {
    let found = surveyed.found.get(&request.folder).map_or(&[][..], Vec::as_slice);
    let ours = |found: &&RediscoveredFile| match found.guid {
        Some(guid) => guid == request.guid,
        None => found.tag == request.guid.tag(),
    };
    match found.iter().find(ours) {
        Some(RediscoveredFile { placed: Some(_), .. }) => PartialOnDisk::Placed,
        Some(found) => PartialOnDisk::Partial(found.bytes),
        None => {
            let begun = PendingProbe { tag: request.guid.tag(), has_bytes: request.kept > 0 };
            let is_away = surveyed.is_away(&request.folder, Some(&begun).filter(|_| request.has_begun));
            if is_away { PartialOnDisk::Away(request.kept) } else { PartialOnDisk::Nothing }
        }
    }
}

/// Runs start-up step 5. Recomputes damaged counters first: the counters decide which registrations have ended, and
/// settling cannot be undone.
async fn settle(shared: &Arc<EngineContext>) -> Result<(), EngineError> {
    if shared.store.is_rest_miscounted().await? {
        tracing::warn!("ledger counters report unfinished requests as ended; recomputing");
        let mut ledger = shared.store.begin().await?;
        ledger.recompute(shared.env.now()).await?;
        ledger.commit().await?;
        shared.read_quotas().await?;
    }
    for id in shared.store.finished_but_unsettled().await? {
        let mut ledger = shared.store.begin().await?;
        ledger.settle(id, shared.env.now()).await?;
        ledger.commit().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, EngineEnv, settings::SettingOverrides};

    #[test]
    fn error_for_low_open_file_limit_states_required_and_allowed_number_and_remedy() {
        assert!(has_room(None).is_ok() && has_room(Some(LEAST_OPEN)).is_ok());
        let text = has_room(Some(LEAST_OPEN - 1)).unwrap_err().to_string();
        assert!(text.contains("at least 24") && text.contains("allows only 23") && text.contains("`ulimit -n 1024`"), "{text}");
    }

    #[tokio::test]
    async fn error_for_damaged_new_ledger_mentions_the_damage_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().to_owned();
        let note = r#"{"recovery":{"found":1,"why":"before","kept_as":null,"copy_of":null,"found_again":[],"is_ahead":false},
            "stage":"restored","tried":[]}"#;
        std::fs::write(data_dir.join("recovery.json"), note).unwrap();
        std::fs::write(data_dir.join(LEDGER), [b'x'; 4096]).unwrap();
        let (overrides, env) = (SettingOverrides::default(), EngineEnv::default());
        let options = EngineOptions { data_dir, holder: "a test".to_owned(), fetch: false, overrides, env };
        let said = Engine::open(options).await.unwrap_err().to_string();
        assert_eq!(said.matches("is damaged: it is not a database. Start Ashore again").count(), 1, "{said}");
        assert_eq!(said.matches("damaged").count(), 1, "{said}");
    }
}
