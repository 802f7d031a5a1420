//! Sync of one engine. Every user interface calls these operations. The background task calls `run_once`.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use ashore_engine::{Engine, NewRequest, SyncCount, SyncWrite, UniqueId};
use ashore_messages::UserMessage;
use tokio::sync::Notify;

use crate::{
    cycle::{COLLECTIONS, StartHistory, SyncAccount, SyncEnv, SyncFault, edit_account, free_name, given_name, read_account},
    keys::{JoinLink, JoinPin, JoinSecret, KeyRing, ListSummary, RecoveryWords, RootHandover},
    merge::{ConflictField, MergeConflict, SyncBackoff},
    records::{
        DeviceId, DeviceRecord, DownloadRecord, HistoryRecord, RequestedState, SettingChoice, SettingRecord, SyncRecord as _,
    },
    server::{HttpServer, InviteRequest, ListedDevice, SyncServer as _},
    service::{
        enrolment::{self, EnrolmentPlace, server_of},
        qr_picture::QrPicture,
        rejoining, remote,
        status::{
            ConflictReport, DeviceReport, JoinInvite, ReadingProgress, RecoveryWordsReport, ServerSpace, SyncCollectionReport,
            SyncStatus, is_newer, machine_name,
        },
        unlock::SyncSecrets,
    },
};

/// Maximum age, in milliseconds, at which a device list from the server is used again.
const LISTED_MS: i64 = 5 * 60 * 1000;
/// Maximum number of listed conflicts.
const MOST_CONFLICTS: u32 = 1000;

/// Sync service of one engine. Cheap to clone. All clones share their state.
#[derive(Clone, Debug)]
pub struct SyncService(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub engine: Engine,
    pub env: SyncEnv,
    /// Lock that is held during a cycle, and during a change of the account.
    pub at_work: tokio::sync::Mutex<()>,
    pub latest: Mutex<LatestCycle>,
    /// Notified when a user or the engine wants a cycle soon.
    pub wanted: Notify,
    /// Notified when sync is turned on or off, so that the event stream follows the new account.
    pub account_changed: Notify,
}

/// Outcome of the latest cycles of this run.
#[derive(Debug, Default)]
pub(super) struct LatestCycle {
    pub synced_ms: Option<i64>,
    pub fault: Option<UserMessage>,
    pub backoff: SyncBackoff,
    /// Opened keys, and the time of their collection on the server.
    pub keys: Option<(i64, KeyRing)>,
    /// Whether the latest review of all downloads is still valid. A review compares every download with its record.
    pub is_reviewed: bool,
    /// Time of the latest review, in milliseconds of Unix time.
    pub reviewed_ms: Option<i64>,
    /// Number of downloads of other machines. `None` if the number may have changed since the last count.
    pub others: Option<u64>,
    /// Number of received records and number of all records. Set only while the first cycle reads the whole list.
    pub reading: Option<(Arc<AtomicU64>, u64)>,
    /// Used and total space on the server, if the latest cycle failed for lack of space.
    pub space: Option<ServerSpace>,
    /// List of devices from the server, with the time of the answer in milliseconds.
    pub listed: Option<(i64, Vec<ListedDevice>)>,
    /// History of the program's starts, including the start of this run.
    pub starts: Option<StartHistory>,
    /// This machine's clock minus the server's clock, in milliseconds. `None` while the difference is small.
    pub clock_ahead_ms: Option<i64>,
}

impl SyncService {
    /// Engine that stores the synced list.
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// Returns the sync service of an engine, without starting any tasks.
    pub fn new(engine: Engine, env: SyncEnv) -> Self {
        let latest = Mutex::default();
        Self(Arc::new(Inner {
            engine,
            env,
            at_work: tokio::sync::Mutex::default(),
            latest,
            wanted: Notify::new(),
            account_changed: Notify::new(),
        }))
    }

    /// Returns the status of sync, without a request to the server.
    pub async fn status(&self) -> Result<SyncStatus, SyncFault> {
        let Some(account) = self.account().await? else {
            return Ok(SyncStatus { name: machine_name(), ..SyncStatus::default() });
        };
        let engine = &self.0.engine;
        let secrets = SyncSecrets::read(engine).await.ok();
        let (registrations, due) = engine.synced_counts().await?;
        let counts = self.record_counts().await?;
        let clearings = self.count_of_clearings().await?;
        let mut collections: Vec<SyncCollectionReport> = counts
            .iter()
            .map(|count| SyncCollectionReport {
                collection: count.collection.clone(),
                records: count.records,
                on_server: count.on_server,
                waiting: count.due,
                held: count.held,
            })
            .collect();
        if let Some(history) = collections.iter_mut().find(|one| one.collection == HistoryRecord::COLLECTION) {
            history.records -= clearings.min(history.records);
            history.on_server -= clearings.min(history.on_server);
        }
        match collections.iter_mut().find(|one| one.collection == DownloadRecord::COLLECTION) {
            Some(items) => items.waiting += due,
            None if registrations > 0 => collections.push(SyncCollectionReport {
                collection: DownloadRecord::COLLECTION.to_owned(),
                records: registrations,
                on_server: 0,
                waiting: due,
                held: 0,
            }),
            None => {}
        }
        let conflicts = engine.sync_conflicts(MOST_CONFLICTS).await?.len();
        let others = self.count_of_others(&account).await?;
        let newer_machine = match counts.iter().any(|one| one.newer > 0) {
            true => remote::devices(engine).await?.into_iter().find(|one| is_newer(&one.version)).map(|one| one.name),
            false => None,
        };
        let latest = self.latest();
        Ok(SyncStatus {
            is_on: true,
            name: account.name.clone(),
            device: account.device.to_string(),
            address: account.address.clone(),
            fingerprint: secrets.map(|secrets| secrets.root.check(account.uid)).unwrap_or_default(),
            collections,
            synced_ms: latest.synced_ms.or(account.synced_ms),
            clock_ahead_ms: latest.clock_ahead_ms,
            fault: latest.fault.clone(),
            conflicts: u64::try_from(conflicts).unwrap_or_default(),
            others,
            reading: latest.reading.as_ref().map(|(received, total)| ReadingProgress {
                // The records of a page that was read twice were also counted twice, so limit the number to the total.
                received: received.load(Ordering::Relaxed).min(*total),
                total: *total,
            }),
            space: latest.space,
            restored: account.restored,
            newer_machine,
        })
    }

    /// Returns the numbers of records in the collections that the user sees. Omits the collection with the copies of
    /// the sealed keys.
    pub(super) async fn record_counts(&self) -> Result<Vec<SyncCount>, SyncFault> {
        let counts = self.0.engine.sync_counts().await?;
        Ok(counts.into_iter().filter(|count| COLLECTIONS.contains(&count.collection.as_str())).collect())
    }

    /// Returns the number of downloads of other machines. Counts them only if the number may have changed.
    async fn count_of_others(&self, account: &SyncAccount) -> Result<u64, SyncFault> {
        let known = self.latest().others;
        if let Some(known) = known {
            return Ok(known);
        }
        let count = remote::count_remote_downloads(&self.0.engine, account).await?;
        let count = u64::try_from(count).unwrap_or_default();
        self.latest().others = Some(count);
        Ok(count)
    }

    /// Creates a user and a list on the server with a set-up link. Returns the recovery words, which only machines of
    /// the list can show again.
    pub async fn set_up(&self, link: &str, name: &str) -> Result<RecoveryWordsReport, SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        self.require_off().await?;
        let name = given_name(name).ok_or(SyncFault::Name)?;
        let link = JoinLink::read(link).map_err(SyncFault::Link)?;
        let words = enrolment::set_up(&self.0.engine, &self.0.env, &link, &name).await?;
        self.0.account_changed.notify_one();
        self.want_cycle();
        let account = self.require_on().await?;
        Ok(report_words(&words, &account))
    }

    /// Joins the list of another machine with its link.
    pub async fn join(&self, link: &str, name: &str) -> Result<(), SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        self.require_off().await?;
        let name = given_name(name).ok_or(SyncFault::Name)?;
        let link = JoinLink::read(link).map_err(SyncFault::Link)?;
        enrolment::join(&self.0.engine, &self.0.env, &link, &name).await?;
        self.0.account_changed.notify_one();
        self.want_cycle();
        Ok(())
    }

    /// Joins a list with its recovery words.
    pub async fn recover(&self, place: &EnrolmentPlace<'_>, uid: i64, words: &str) -> Result<(), SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        self.require_off().await?;
        let name = given_name(place.name).ok_or(SyncFault::Name)?;
        let words = RecoveryWords::read(words).map_err(SyncFault::Words)?;
        enrolment::recover(&self.0.engine, &self.0.env, &EnrolmentPlace { name: &name, ..*place }, uid, words).await?;
        self.0.account_changed.notify_one();
        self.want_cycle();
        Ok(())
    }

    /// Returns the recovery words of the list.
    pub async fn words(&self) -> Result<RecoveryWordsReport, SyncFault> {
        let account = self.require_on().await?;
        let secrets = SyncSecrets::read(&self.0.engine).await?;
        Ok(report_words(&RecoveryWords::from_root(&secrets.root), &account))
    }

    /// Creates a link that one machine can use to join the list.
    pub async fn invite(&self) -> Result<JoinInvite, SyncFault> {
        let (account, secrets, server) = self.server().await?;
        let secret = JoinSecret::from_bytes(self.0.env.bytes());
        let handover = RootHandover { root: secrets.root, generation: account.generation };
        let wrapped = secret.wrap_root(account.uid, &handover, self.0.env.bytes()).map_err(|_| SyncFault::Damaged)?;
        let request = InviteRequest { auth_hash: secret.auth(account.uid).hash(), wrapped: Some(wrapped) };
        let created = server.create_invite(&request).await?.value;
        let pin = JoinPin::read(&account.pin).ok_or(SyncFault::Damaged)?;
        let link = JoinLink::new(&account.address, account.uid, &created.id, secret, pin).map_err(SyncFault::Link)?;
        let link = link.describing(self.summary(&account).await?);
        let link = link.write().to_string();
        let picture = QrPicture::from_text(&link).ok_or(SyncFault::Damaged)?;
        Ok(JoinInvite { qr: picture, link, expires_ms: created.expires_ms })
    }

    /// Returns the description of the list for a user who is about to join it.
    async fn summary(&self, account: &SyncAccount) -> Result<ListSummary, SyncFault> {
        let (own, _) = self.0.engine.synced_counts().await?;
        let counts = self.record_counts().await?;
        let past = counts.iter().find(|count| count.collection == HistoryRecord::COLLECTION).map_or(0, |count| count.records);
        let past = past.saturating_sub(self.count_of_clearings().await?);
        Ok(ListSummary::new(own + self.count_of_others(account).await?, past, &account.name))
    }

    /// Returns the machines of the list.
    ///
    /// Sends a request to the server only if the last answer is older than five minutes. If the server never answered,
    /// the times of the machines are unknown.
    pub async fn devices(&self) -> Result<Vec<DeviceReport>, SyncFault> {
        let account = self.require_on().await?;
        let listed = self.listed_devices().await;
        let mut reports: Vec<DeviceReport> = remote::devices(&self.0.engine)
            .await?
            .into_iter()
            .map(|record| DeviceReport {
                name: record.name,
                last_seen_ms: None,
                is_own: record.id == account.device,
                is_trusted: account.trusted.contains(&record.id),
                device: record.id.to_string(),
            })
            .collect();
        let Some(listed) = listed else { return Ok(reports) };
        reports.retain(|report| listed.iter().any(|device| device.id == report.device));
        for device in listed {
            match reports.iter_mut().find(|report| report.device == device.id) {
                Some(report) => report.last_seen_ms = Some(device.last_seen_ms),
                // The other device has joined, but its record has not reached this machine yet.
                None => reports.push(DeviceReport {
                    name: device.name,
                    last_seen_ms: Some(device.last_seen_ms),
                    is_own: device.is_own,
                    is_trusted: account.trusted.iter().any(|trusted| trusted.as_str() == device.id),
                    device: device.id,
                }),
            }
        }
        Ok(reports)
    }

    /// Returns the devices from the latest answer of the server, or `None` without an answer.
    async fn listed_devices(&self) -> Option<Vec<ListedDevice>> {
        let now_ms = (self.0.env.now_ms)();
        let known = self.latest().listed.clone();
        if let Some((ms, listed)) = &known
            && (0..LISTED_MS).contains(&now_ms.saturating_sub(*ms))
        {
            return Some(listed.clone());
        }
        let answer = match self.server().await {
            Ok((_, _, server)) => server.devices().await.ok(),
            Err(_) => None,
        };
        match answer {
            Some(answer) => {
                self.latest().listed = Some((now_ms, answer.value.clone()));
                Some(answer.value)
            }
            None => known.map(|(_, listed)| listed),
        }
    }

    /// Allows or forbids a machine to start downloads here without confirmation.
    pub async fn trust(&self, device: &str, is_trusted: bool) -> Result<(), SyncFault> {
        self.require_on().await?;
        let names = remote::device_names(&self.0.engine).await?;
        let found = remote::find_device(&names, device).ok_or(SyncFault::Unknown)?;
        let device: DeviceId = found.parse().map_err(|_| SyncFault::Unknown)?;
        edit_account(&self.0.engine, |account| {
            account.trusted.retain(|trusted| *trusted != device);
            if is_trusted {
                account.trusted.push(device.clone());
            }
        })
        .await?;
        Ok(())
    }

    /// Renames this machine. The next cycle sends the new name to the other machines.
    pub async fn rename(&self, name: &str) -> Result<(), SyncFault> {
        let account = self.require_on().await?;
        let others: Vec<String> = remote::devices(&self.0.engine)
            .await?
            .into_iter()
            .filter(|record| record.id != account.device)
            .map(|record| record.name)
            .collect();
        let name = free_name(&given_name(name).ok_or(SyncFault::Name)?, &others);
        edit_account(&self.0.engine, |account| account.name.clone_from(&name)).await?;
        self.want_cycle();
        Ok(())
    }

    /// Turns sync off on this machine. The list stays on the server and on the other machines.
    pub async fn leave(&self) -> Result<(), SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        let account = self.require_on().await?;
        // Keep the device on the server if the data folder was copied: the machine that has the copy signs in as this
        // device and continues its downloads.
        if !self.is_copied(&account).await.unwrap_or_default() {
            self.give_up_device(&account).await;
        }
        self.0.engine.end_sync().await?;
        SyncSecrets::forget(&self.0.engine).await?;
        *self.latest() = LatestCycle::default();
        self.0.account_changed.notify_one();
        Ok(())
    }

    /// Removes this device from the server. If the server is unreachable, the device stays there until another machine
    /// removes it.
    async fn give_up_device(&self, account: &SyncAccount) {
        let engine = &self.0.engine;
        if let Err(fault) = rejoining::remember(engine, &account.device).await {
            tracing::info!(%fault, "device was not remembered");
        }
        let Ok(secrets) = SyncSecrets::read(engine).await else { return };
        let Ok(server) = server_of(&account.address, &account.pin, &secrets) else { return };
        let id = account.device.to_string();
        let deleted = server.delete_objects(DeviceRecord::COLLECTION, std::slice::from_ref(&id), None).await;
        let removed = server.remove_device(&id).await;
        if let Some(failure) = deleted.err().or(removed.err()) {
            tracing::info!(fault = ?failure.fault, "device was not removed from the server");
        }
    }

    /// Sends a download of this machine to another machine. `to` is the id or the name of a device.
    pub async fn send(&self, id: UniqueId, to: &str) -> Result<String, SyncFault> {
        let content = remote::content_of(&self.0.engine, id).await?;
        self.send_content(content, to).await
    }

    /// Sends a new download to another machine, without adding the download to the list of this machine.
    pub async fn send_new(&self, title: Option<String>, requests: &[NewRequest], to: &str) -> Result<String, SyncFault> {
        let title = title.or_else(|| requests.iter().find_map(|request| request.name.clone()));
        let title = title.or_else(|| requests.first().map(|request| last_segment(&request.url))).unwrap_or_default();
        let requests = self.0.engine.exported_requests(requests)?;
        self.send_content((title, requests), to).await
    }

    async fn send_content(&self, content: (String, Vec<serde_json::Value>), to: &str) -> Result<String, SyncFault> {
        let account = self.require_on().await?;
        let names = remote::device_names(&self.0.engine).await?;
        let device: DeviceId =
            remote::find_device(&names, to).ok_or(SyncFault::Unknown)?.parse().map_err(|_| SyncFault::Unknown)?;
        let id = remote::send(&self.0.engine, &self.0.env, &account, device, content).await?;
        self.want_cycle();
        Ok(id)
    }

    /// Returns the conflicts, latest first.
    pub async fn conflicts(&self) -> Result<Vec<ConflictReport>, SyncFault> {
        let engine = &self.0.engine;
        let names = remote::all_names(engine).await?;
        let mut reports = Vec::new();
        for stored in engine.sync_conflicts(MOST_CONFLICTS).await? {
            let Ok(conflict) = serde_json::from_str::<MergeConflict>(&stored.conflict) else { continue };
            let row = engine.sync_records(&stored.collection, &[&stored.id]).await?.into_iter().next();
            let text = row.and_then(|row| row.local.or(row.base)).unwrap_or_default();
            let name_of = |device: &DeviceId| names.get(device.as_str()).map_or(device.as_str(), String::as_str).to_owned();
            let (title, removed_by) = match stored.collection.as_str() {
                SettingRecord::COLLECTION => (serde_json::from_str(&text).ok().map(|record: SettingRecord| record.name), None),
                _ => {
                    let record: Option<DownloadRecord> = serde_json::from_str(&text).ok();
                    // Only the home device writes a removal, so the home device is the one that removed the download.
                    let removed = record.as_ref().filter(|one| conflict.field == ConflictField::Removed && one.is_removed());
                    let removed_by = removed.map(|one| name_of(&one.home.value));
                    (record.map(|record| record.title.value), removed_by)
                }
            };
            reports.push(ConflictReport {
                number: stored.number,
                title: title.unwrap_or_default(),
                field: field_name(conflict.field).to_owned(),
                losing: plain(&conflict.losing),
                winning: plain(&conflict.winning),
                device_name: name_of(conflict.device()),
                removed_by,
                found_ms: stored.found_us.div_euclid(1000),
            });
        }
        Ok(reports)
    }

    /// Resolves a conflict: applies the losing value as a new edit, or keeps the winning value.
    pub async fn resolve(&self, number: i64, takes_losing: bool) -> Result<(), SyncFault> {
        let engine = &self.0.engine;
        let account = self.require_on().await?;
        let stored = engine.sync_conflict(number).await?.ok_or(SyncFault::Unknown)?;
        let conflict: MergeConflict = serde_json::from_str(&stored.conflict).map_err(|_| SyncFault::Damaged)?;
        if takes_losing {
            self.take_losing(&account, &stored.collection, &stored.id, &conflict).await?;
        }
        engine.write_sync(&[SyncWrite::Resolve(number)]).await?;
        self.want_cycle();
        Ok(())
    }

    async fn take_losing(
        &self,
        account: &SyncAccount,
        collection: &str,
        id: &str,
        conflict: &MergeConflict,
    ) -> Result<(), SyncFault> {
        let engine = &self.0.engine;
        if collection == SettingRecord::COLLECTION {
            let row = engine.sync_records(collection, &[id]).await?.into_iter().next().ok_or(SyncFault::Unknown)?;
            let record: SettingRecord =
                serde_json::from_str(&row.local.or(row.base).unwrap_or_default()).map_err(|_| SyncFault::Damaged)?;
            let choice: SettingChoice = serde_json::from_value(conflict.losing.clone()).map_err(|_| SyncFault::Damaged)?;
            let value = match &choice {
                SettingChoice::Value(value) => Some(value),
                SettingChoice::Default => None,
            };
            return Ok(engine.set_synced_setting(&record.name, value).await?);
        }
        let download = engine.synced_registration(id).await?;
        match (conflict.field, download) {
            (ConflictField::Title, Some(download)) => {
                let title = conflict.losing.as_str().map(str::to_owned);
                let face = ashore_engine::NotificationIcon { title, ..Default::default() };
                Ok(engine.update_ui(download.unique_id, face).await?)
            }
            (ConflictField::Requested, Some(download)) => match serde_json::from_value(conflict.losing.clone()) {
                Ok(RequestedState::Run) => Ok(engine.resume(Some(download.unique_id)).await?),
                Ok(RequestedState::Paused) => Ok(engine.pause(Some(download.unique_id)).await?),
                _ => Ok(engine.remove(download.unique_id, false).await?),
            },
            // The download still exists on this machine, so the removal lost the conflict.
            (ConflictField::Removed, Some(download)) => Ok(engine.remove(download.unique_id, false).await?),
            (ConflictField::Removed, None) => self.fetch_removed(id).await,
            _ => remote::take_value(engine, &self.0.env, account, id, conflict).await,
        }
    }

    /// Wakes the background task to run a cycle for which a user is waiting.
    pub(super) fn want_cycle(&self) {
        self.0.wanted.notify_one();
    }

    pub(super) fn latest(&self) -> std::sync::MutexGuard<'_, LatestCycle> {
        self.0.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn account(&self) -> Result<Option<SyncAccount>, SyncFault> {
        read_account(&self.0.engine).await
    }

    pub(super) async fn require_on(&self) -> Result<SyncAccount, SyncFault> {
        self.account().await?.ok_or(SyncFault::Off)
    }

    async fn require_off(&self) -> Result<(), SyncFault> {
        if self.0.engine.sync_state().await?.is_some() { Err(SyncFault::On) } else { Ok(()) }
    }

    pub(super) async fn server(&self) -> Result<(SyncAccount, SyncSecrets, HttpServer), SyncFault> {
        let account = self.require_on().await?;
        let secrets = SyncSecrets::read(&self.0.engine).await?;
        let server = server_of(&account.address, &account.pin, &secrets)?;
        Ok((account, secrets, server))
    }
}

/// Returns the recovery words, with the address and the user id that are needed to use them.
pub(super) fn report_words(words: &RecoveryWords, account: &SyncAccount) -> RecoveryWordsReport {
    let words = words.words().into_iter().map(str::to_owned).collect();
    RecoveryWordsReport { words, address: format!("{}#{}", account.address, account.pin), uid: account.uid }
}

/// Returns the last segment of a link's path, or the link itself.
fn last_segment(link: &str) -> String {
    let parsed = url::Url::parse(link).ok();
    let segment = parsed.as_ref().and_then(|url| url.path_segments()?.next_back().filter(|segment| !segment.is_empty()));
    segment.unwrap_or(link).to_owned()
}

fn field_name(field: ConflictField) -> &'static str {
    match field {
        ConflictField::Title => "title",
        ConflictField::Requested => "requested",
        ConflictField::Home => "home",
        ConflictField::Request => "request",
        ConflictField::Removed => "removed",
        ConflictField::Choice => "choice",
    }
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl From<Engine> for SyncService {
    /// Returns the sync service of an engine, with the clock and the randomness of this machine.
    fn from(engine: Engine) -> Self {
        Self::new(engine, SyncEnv::default())
    }
}
