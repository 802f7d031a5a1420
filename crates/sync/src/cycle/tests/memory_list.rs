//! Implements [`LocalList`] in memory, for tests of the cycle.
//!
//! - The conditions of writes, the change numbers and the marks match `crates/engine/src/store/sync`, statement by
//!   statement.
//! - Every method yields before and after its work, as a transaction does. Dropping the future of a cycle at a yield
//!   simulates a process that is killed.

use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ashore_engine::{
    EngineError, FileCategory, ReceivedDownload, RegistrationResult, SyncConflict, SyncCursor, SyncRecordRow, SyncState,
    SyncWrite, SyncedRegistration, UniqueId,
};
use ashore_messages::message;
use serde_json::Value;
use tokio::task::yield_now;
use uuid::Uuid;

use crate::{
    cycle::local_list::{ListFuture, LocalList},
    records::{DownloadRecord, SyncRecord as _},
};

/// Names of the settings of a list in memory.
pub const SETTINGS: [&str; 2] = ["order", "parallel"];

type RecordKey = (String, String);

/// Download of a list in memory, with its mark.
#[derive(Clone, Debug)]
pub struct MemoryDownload {
    pub synced: SyncedRegistration,
    /// Change number of the version that was sent last.
    pub sent: i64,
    pub title_us: i64,
    pub requested_us: i64,
}

/// Content of a list in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger {
    pub account: String,
    pub clock: String,
    pub change: i64,
    pub cursors: BTreeMap<String, SyncCursor>,
    pub records: BTreeMap<RecordKey, SyncRecordRow>,
    pub downloads: BTreeMap<UniqueId, MemoryDownload>,
    pub conflicts: BTreeMap<(String, String, String), SyncConflict>,
    pub applied: BTreeMap<String, Option<UniqueId>>,
    pub settings: BTreeMap<String, Value>,
    /// Value that this machine refuses for every setting, as an older version of Ashore would.
    pub refused: Option<Value>,
    /// Sync ids of all downloads that have, or once had, a sync id.
    pub assigned: BTreeMap<UniqueId, String>,
    /// Number of downloads that were created so far, including removed ones.
    pub created: u128,
    /// Owner of each received download, and the time of its creation in microseconds.
    pub received: Vec<(String, i64)>,
    /// Commands in the order in which they created downloads.
    pub created_by: Vec<String>,
}

/// List in memory. Clones of this value share the content.
#[derive(Clone)]
pub struct MemoryList {
    ledger: Arc<Mutex<MemoryLedger>>,
    now_us: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Whether the cycle waits in a method of the list.
    is_at_list: Arc<AtomicBool>,
    disk: Arc<Mutex<FullDisk>>,
}

/// Simulated disk that is full during exactly one write.
#[derive(Default)]
struct FullDisk {
    /// Number of writes that succeed before one fails.
    writes_left: Option<usize>,
    /// Method that failed.
    failed: Option<&'static str>,
}

impl std::fmt::Debug for MemoryList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MemoryList")
    }
}

/// Marks that a transaction collects, and writes when it ends.
#[derive(Default)]
struct Marks {
    /// Times at which the title and the requested state were changed; 0 if not changed.
    changed: BTreeMap<UniqueId, (i64, i64)>,
    gone: Vec<MemoryDownload>,
}

impl Marks {
    fn add(&mut self, id: UniqueId, title_us: i64, requested_us: i64) {
        let times = self.changed.entry(id).or_default();
        *times = (times.0.max(title_us), times.1.max(requested_us));
    }
}

impl MemoryLedger {
    fn next_change(&mut self) -> i64 {
        self.change += 1;
        self.change
    }

    pub fn of_sync_id(&self, sync_id: &str) -> Option<&MemoryDownload> {
        self.downloads.values().find(|download| download.synced.sync_id.as_deref() == Some(sync_id))
    }

    fn put_record(&mut self, record: &SyncRecordRow, seen: i64, is_edit: bool) -> bool {
        let change = if is_edit { self.next_change() } else { record.change };
        let key = (record.collection.clone(), record.id.clone());
        if self.records.get(&key).is_some_and(|known| known.change != seen) {
            return false;
        }
        self.records.insert(key, SyncRecordRow { change, address: None, ..record.clone() });
        true
    }

    fn write(&mut self, write: &SyncWrite, marks: &mut Marks, now_us: i64) -> bool {
        match write {
            SyncWrite::Record { record, seen, is_edit } => return self.put_record(record, *seen, *is_edit),
            SyncWrite::Forget { collection, id, seen } => {
                let key = (collection.clone(), id.clone());
                let is_same = self.records.get(&key).is_some_and(|row| row.change == *seen);
                return is_same && self.records.remove(&key).is_some();
            }
            SyncWrite::Assign { unique_id, sync_id } => {
                let Some(download) = self.downloads.get_mut(unique_id) else { return false };
                if download.synced.sync_id.is_some() {
                    return false;
                }
                download.synced.sync_id = Some(sync_id.clone());
                self.assigned.insert(*unique_id, sync_id.clone());
            }
            SyncWrite::Wish { sync_id, seen, title, is_paused, is_restarted, is_removed } => {
                let Some(id) = self.of_sync_id(sync_id).filter(|one| one.synced.change == *seen).map(|one| one.synced.unique_id)
                else {
                    return false;
                };
                if let Some(download) = self.downloads.get_mut(&id).filter(|_| *is_restarted) {
                    download.synced.is_started = false;
                    marks.add(id, 0, 0);
                }
                self.apply_wish(id, title.as_deref(), *is_paused, *is_removed, marks, now_us);
            }
            SyncWrite::Sent { sync_id, change } => {
                let found = self.downloads.values_mut().find(|one| one.synced.sync_id.as_ref() == Some(sync_id));
                if let Some(download) = found {
                    download.sent = download.sent.max(*change);
                }
            }
            SyncWrite::Cursor { collection, cursor } => drop(self.cursors.insert(collection.clone(), cursor.clone())),
            SyncWrite::Clock(clock) => clock.clone_into(&mut self.clock),
            SyncWrite::Account { account, seen } => {
                if self.account != *seen {
                    return false;
                }
                account.clone_into(&mut self.account);
            }
            SyncWrite::Conflict(conflict) => {
                let key = (conflict.collection.clone(), conflict.id.clone(), conflict.edit.clone());
                self.conflicts.entry(key).or_insert_with(|| conflict.clone());
            }
            SyncWrite::Resolve(_) | SyncWrite::ForgetConflicts(_) => {}
            SyncWrite::Refuse(command) => drop(self.applied.entry(command.clone()).or_insert(None)),
        }
        true
    }

    fn apply_wish(
        &mut self,
        id: UniqueId,
        title: Option<&str>,
        is_paused: Option<bool>,
        is_removed: bool,
        marks: &mut Marks,
        now_us: i64,
    ) {
        if let (Some(title), Some(download)) = (title, self.downloads.get_mut(&id)) {
            title.clone_into(&mut download.synced.title);
            marks.add(id, 0, 0);
        }
        if is_removed {
            self.remove(id, marks);
        } else if let (Some(is_paused), Some(download)) = (is_paused, self.downloads.get_mut(&id)) {
            download.synced.is_paused = is_paused && download.synced.result == RegistrationResult::None;
            marks.add(id, 0, now_us);
        }
    }

    fn remove(&mut self, id: UniqueId, marks: &mut Marks) {
        marks.gone.extend(self.downloads.remove(&id));
        marks.changed.remove(&id);
    }

    /// Writes the collected marks, as the ledger does at a commit.
    fn commit(&mut self, marks: Marks) {
        if marks.changed.is_empty() && marks.gone.is_empty() {
            return;
        }
        let number = self.next_change();
        for (id, (title_us, requested_us)) in marks.changed {
            let Some(download) = self.downloads.get_mut(&id) else { continue };
            download.synced.change = number;
            download.title_us = download.title_us.max(title_us);
            download.requested_us = download.requested_us.max(requested_us);
            download.synced.title_ms = download.title_us.div_euclid(1000);
            download.synced.requested_ms = download.requested_us.div_euclid(1000);
        }
        for download in marks.gone {
            let Some(sync_id) = download.synced.sync_id else { continue };
            let key = (DownloadRecord::COLLECTION.to_owned(), sync_id);
            if let Some(row) = self.records.get_mut(&key) {
                (row.is_gone, row.change) = (true, number);
            }
        }
    }

    fn create(&mut self, (title, requests): (String, Vec<Value>), is_paused: bool, now_us: i64) -> UniqueId {
        self.created += 1;
        let unique_id = UniqueId(Uuid::from_u128(self.created));
        let address = requests.first().and_then(|request| request["url"].as_str()).map(str::to_owned);
        let synced = SyncedRegistration {
            unique_id,
            sync_id: None,
            change: 0,
            title,
            title_ms: 0,
            requested_ms: 0,
            created_ms: now_us.div_euclid(1000),
            is_paused,
            is_started: false,
            result: RegistrationResult::None,
            failure: None,
            settled_ms: None,
            size: None,
            kind: FileCategory::Other,
            address,
            digest: None,
            command: None,
            request_count: u32::try_from(requests.len()).unwrap(),
            requests,
        };
        self.downloads.insert(unique_id, MemoryDownload { synced, sent: 0, title_us: 0, requested_us: 0 });
        let mut marks = Marks::default();
        marks.add(unique_id, now_us, now_us);
        self.commit(marks);
        unique_id
    }
}

impl MemoryList {
    pub fn new(now_us: Arc<dyn Fn() -> i64 + Send + Sync>) -> Self {
        Self { ledger: Arc::default(), now_us, is_at_list: Arc::default(), disk: Arc::default() }
    }

    pub fn ledger(&self) -> MutexGuard<'_, MemoryLedger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the cycle waits for this list. False while it waits for the server.
    pub fn is_at_list(&self) -> bool {
        self.is_at_list.load(Ordering::Relaxed)
    }

    /// Resets [`Self::is_at_list`] after a kill, because a killed process no longer waits.
    pub fn on_kill(&self) {
        self.is_at_list.store(false, Ordering::Relaxed);
    }

    /// Adds a download, as a person does. Returns its key.
    pub fn create(&self, title: &str, request: Value, is_paused: bool) -> UniqueId {
        self.create_all(title, vec![request], is_paused)
    }

    /// Adds a download with several requests, as a person does. Returns its key.
    pub fn create_all(&self, title: &str, requests: Vec<Value>, is_paused: bool) -> UniqueId {
        self.ledger().create((title.to_owned(), requests), is_paused, (self.now_us)())
    }

    /// Replaces the requests of a download, as if a person gave it new links.
    pub fn relink(&self, id: UniqueId, requests: Vec<Value>) {
        self.change(id, (0, 0), |download| {
            download.request_count = u32::try_from(requests.len()).unwrap();
            download.requests = requests;
        });
    }

    /// Renames a download, as a person does.
    pub fn rename(&self, id: UniqueId, title: &str) {
        let now_us = (self.now_us)();
        self.change(id, (now_us, 0), |download| title.clone_into(&mut download.title));
    }

    /// Pauses or resumes a download, as a person does.
    pub fn pause(&self, id: UniqueId, is_paused: bool) {
        let now_us = (self.now_us)();
        self.change(id, (0, now_us), |download| download.is_paused = is_paused);
    }

    /// Persists the first response of a download.
    pub fn start(&self, id: UniqueId) {
        self.change(id, (0, 0), |download| (download.is_started, download.size) = (true, Some(1000)));
    }

    /// Ends a download.
    pub fn finish(&self, id: UniqueId, is_success: bool) {
        let now_us = (self.now_us)();
        self.change(id, (0, 0), |download| {
            download.result = if is_success { RegistrationResult::Success } else { RegistrationResult::Failure };
            (download.is_paused, download.is_started) = (false, true);
            download.settled_ms = Some(now_us.div_euclid(1000));
            (download.size, download.digest) = (Some(1000), is_success.then(|| "sha-256=00".to_owned()));
            download.failure = (!is_success).then(|| message!("invalid.sent"));
        });
    }

    /// Removes a download, as a person does.
    pub fn remove(&self, id: UniqueId) {
        let mut marks = Marks::default();
        let mut ledger = self.ledger();
        ledger.remove(id, &mut marks);
        ledger.commit(marks);
    }

    fn change(&self, id: UniqueId, (title_us, requested_us): (i64, i64), edit: impl FnOnce(&mut SyncedRegistration)) {
        let mut marks = Marks::default();
        marks.add(id, title_us, requested_us);
        let mut ledger = self.ledger();
        if let Some(download) = ledger.downloads.get_mut(&id) {
            edit(&mut download.synced);
            ledger.commit(marks);
        }
    }

    /// Fills the disk after `writes` further writes, so that the next write fails. Later writes succeed again.
    pub fn fill_disk_after(&self, writes: usize) {
        *self.disk() = FullDisk { writes_left: Some(writes), failed: None };
    }

    /// Returns the method that failed because the disk was full.
    pub fn failed_write(&self) -> Option<&'static str> {
        self.disk().failed
    }

    fn disk(&self) -> MutexGuard<'_, FullDisk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a write, unless the disk is full.
    async fn written<T: Send>(
        &self,
        method: &'static str,
        work: impl FnOnce(&mut MemoryLedger) -> Result<T, EngineError> + Send,
    ) -> Result<T, EngineError> {
        let is_full = {
            let mut disk = self.disk();
            let is_full = disk.writes_left == Some(0);
            disk.writes_left = disk.writes_left.and_then(|left| left.checked_sub(1));
            disk.failed = disk.failed.or(is_full.then_some(method));
            is_full
        };
        let full = || EngineError::Io { message: message!("ledger.full"), source: std::io::ErrorKind::StorageFull.into() };
        self.transaction(|ledger| if is_full { Err(full()) } else { work(ledger) }).await?
    }

    async fn transaction<T: Send>(&self, work: impl FnOnce(&mut MemoryLedger) -> T + Send) -> Result<T, EngineError> {
        self.is_at_list.store(true, Ordering::Relaxed);
        yield_now().await;
        let result = work(&mut self.ledger());
        yield_now().await;
        self.is_at_list.store(false, Ordering::Relaxed);
        Ok(result)
    }
}

impl LocalList for MemoryList {
    fn state(&self) -> impl ListFuture<Option<SyncState>> {
        self.transaction(|ledger| {
            Some(SyncState { account: ledger.account.clone(), clock: ledger.clock.clone(), change: ledger.change })
        })
    }

    fn cursor(&self, collection: &str) -> impl ListFuture<SyncCursor> {
        self.transaction(|ledger| ledger.cursors.get(collection).cloned().unwrap_or_default())
    }

    fn records(&self, collection: &str, ids: &[&str]) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.transaction(|ledger| {
            let row = |id: &&str| ledger.records.get(&(collection.to_owned(), (*id).to_owned())).cloned();
            ids.iter().filter_map(row).collect()
        })
    }

    fn due_records(&self, collection: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.transaction(move |ledger| {
            let is_due = |row: &&SyncRecordRow| row.collection == collection && row.change > row.sent;
            let mut due: Vec<SyncRecordRow> = ledger.records.values().filter(is_due).cloned().collect();
            due.sort_by_key(|row| row.change);
            due.truncate(limit as usize);
            due
        })
    }

    fn all_records(&self, collection: &str, after: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.transaction(move |ledger| {
            let first = (Bound::Excluded((collection.to_owned(), after.to_owned())), Bound::Unbounded);
            let rows = ledger.records.range(first).map(|(_, row)| row);
            rows.take_while(|row| row.collection == collection).take(limit as usize).cloned().collect()
        })
    }

    fn held_records(&self, collection: &str) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.transaction(move |ledger| {
            let of_collection = ledger.records.values().filter(|row| row.collection == collection);
            of_collection.filter(|row| row.held_code.is_some()).cloned().collect()
        })
    }

    fn latest_record(&self, collection: &str, until_ms: i64) -> impl ListFuture<Option<SyncRecordRow>> {
        self.transaction(move |ledger| {
            let is_meant = |row: &&SyncRecordRow| row.collection == collection && (1..=until_ms).contains(&row.modified_ms);
            ledger.records.values().filter(is_meant).max_by_key(|row| row.modified_ms).cloned()
        })
    }

    fn due_registrations(&self, limit: u32) -> impl ListFuture<Vec<SyncedRegistration>> {
        self.transaction(move |ledger| {
            let is_due = |one: &&MemoryDownload| one.synced.change > one.sent;
            let mut due: Vec<SyncedRegistration> =
                ledger.downloads.values().filter(is_due).map(|one| one.synced.clone()).collect();
            due.sort_by_key(|download| download.change);
            due.truncate(limit as usize);
            due
        })
    }

    fn registration(&self, sync_id: &str) -> impl ListFuture<Option<SyncedRegistration>> {
        self.transaction(|ledger| ledger.of_sync_id(sync_id).map(|download| download.synced.clone()))
    }

    fn write(&self, writes: &[SyncWrite]) -> impl ListFuture<bool> {
        let now_us = (self.now_us)();
        self.written("write", move |ledger| {
            let (mut next, mut marks) = (ledger.clone(), Marks::default());
            if !writes.iter().all(|write| next.write(write, &mut marks, now_us)) {
                return Ok(false);
            }
            next.commit(marks);
            *ledger = next;
            Ok(true)
        })
    }

    async fn receive(&self, received: ReceivedDownload) -> Result<Option<UniqueId>, EngineError> {
        let now_us = (self.now_us)();
        let work = move |ledger: &mut MemoryLedger| {
            if let Some(before) = ledger.applied.get(&received.command) {
                return Ok(before.filter(|id| ledger.downloads.contains_key(id)));
            }
            let is_taken = received.sync_id.as_ref().is_some_and(|sync_id| ledger.of_sync_id(sync_id).is_some());
            if is_taken {
                // Refuse the download, because in the ledger two marks cannot have the same sync id.
                return Err(EngineError::Invalid(message!("invalid.sent")));
            }
            let id = ledger.create((received.title, received.requests), received.is_paused, now_us);
            ledger.applied.insert(received.command.clone(), Some(id));
            ledger.received.push((received.owner, now_us));
            if let Some(download) = ledger.downloads.get_mut(&id) {
                download.synced.command = Some(received.command.clone());
                download.synced.sync_id.clone_from(&received.sync_id);
            }
            ledger.assigned.extend(received.sync_id.map(|sync_id| (id, sync_id)));
            ledger.created_by.push(received.command);
            Ok(Some(id))
        };
        self.written("receive", work).await
    }

    fn has_received(&self, command: &str) -> impl ListFuture<bool> {
        let command = command.to_owned();
        self.transaction(move |ledger| ledger.applied.contains_key(&command))
    }

    fn latest_creations_ms(&self, owner: &str, limit: u32) -> impl ListFuture<Vec<i64>> {
        let owner = owner.to_owned();
        self.transaction(move |ledger| {
            let of_owner = ledger.received.iter().rev().filter(|(name, _)| *name == owner).map(|(_, us)| us.div_euclid(1000));
            of_owner.take(limit as usize).collect()
        })
    }

    fn restart(&self) -> impl ListFuture<()> {
        self.written("restart", |ledger| {
            for download in ledger.downloads.values_mut() {
                download.sent = 0;
            }
            for row in ledger.records.values_mut() {
                row.local = row.local.take().or(row.base.take());
                (row.sent, row.change, row.modified_ms, row.base) = (0, row.change.max(1), 0, None);
            }
            ledger.cursors.clear();
            Ok(())
        })
    }

    fn settings(&self) -> impl ListFuture<Vec<(String, Option<Value>)>> {
        self.transaction(|ledger| SETTINGS.map(|name| (name.to_owned(), ledger.settings.get(name).cloned())).to_vec())
    }

    async fn set_setting(&self, name: &str, value: Option<&Value>) -> Result<(), EngineError> {
        let work = move |ledger: &mut MemoryLedger| {
            match value {
                Some(value) if ledger.refused.as_ref() == Some(value) => {
                    return Err(EngineError::Invalid(message!("invalid.sent")));
                }
                Some(value) => drop(ledger.settings.insert(name.to_owned(), value.clone())),
                None => drop(ledger.settings.remove(name)),
            }
            Ok(())
        };
        self.written("set_setting", work).await
    }
}
