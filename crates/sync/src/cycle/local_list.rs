//! Interface to the list of this machine. The engine and the simulated list of the tests implement it.

use std::future::Future;

use ashore_engine::{
    Engine, EngineError, ReceivedDownload, SyncCursor, SyncRecordRow, SyncState, SyncWrite, SyncedRegistration, UniqueId,
};
use serde_json::Value;

/// Future that a method of the interface returns.
pub trait ListFuture<T>: Future<Output = Result<T, EngineError>> + Send {}
impl<T, F: Future<Output = Result<T, EngineError>> + Send> ListFuture<T> for F {}

/// Access of sync to the list of this machine. The methods of [`Engine`] with the same purpose are documented in more
/// detail.
pub trait LocalList: Send + Sync {
    /// Returns the account and the clock; `None` while sync is off.
    fn state(&self) -> impl ListFuture<Option<SyncState>>;
    /// Returns the position up to which a collection was read.
    fn cursor(&self, collection: &str) -> impl ListFuture<SyncCursor>;
    /// Returns the records with these ids. Ids without a record are left out.
    fn records(&self, collection: &str, ids: &[&str]) -> impl ListFuture<Vec<SyncRecordRow>>;
    /// Returns records that wait to be sent, in the order of their changes.
    fn due_records(&self, collection: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>>;
    /// Returns a page of a collection: the records that come after the id `after`.
    fn all_records(&self, collection: &str, after: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>>;
    /// Returns the held-back records of a collection.
    fn held_records(&self, collection: &str) -> impl ListFuture<Vec<SyncRecordRow>>;
    /// Returns the record with the latest server time up to `until_ms` in a collection. Ignores records that were never
    /// on the server.
    fn latest_record(&self, collection: &str, until_ms: i64) -> impl ListFuture<Option<SyncRecordRow>>;
    /// Returns downloads that wait to be sent, in the order of their changes.
    fn due_registrations(&self, limit: u32) -> impl ListFuture<Vec<SyncedRegistration>>;
    /// Returns the download of a record, if the download is on this machine.
    fn registration(&self, sync_id: &str) -> impl ListFuture<Option<SyncedRegistration>>;
    /// Applies writes in one transaction. Returns false, and writes nothing, if a row has changed since it was read.
    fn write(&self, writes: &[SyncWrite]) -> impl ListFuture<bool>;
    /// Creates a download that another machine sent or handed over, unless the download was created before. Returns the
    /// key of the download; `None` if the download has been removed or was refused.
    fn receive(&self, received: ReceivedDownload) -> impl ListFuture<Option<UniqueId>>;
    /// Whether the download that this command sends was already created or refused. A created download may have been
    /// removed again.
    fn has_received(&self, command: &str) -> impl ListFuture<bool>;
    /// Returns the times at which the latest downloads of an owner were created, in milliseconds of Unix time, newest
    /// first.
    fn latest_creations_ms(&self, owner: &str, limit: u32) -> impl ListFuture<Vec<i64>>;
    /// Marks everything as due to be sent, and makes the next cycle read every collection from its beginning.
    fn restart(&self) -> impl ListFuture<()>;
    /// Returns the synced settings with their values; `None` stands for the default.
    fn settings(&self) -> impl ListFuture<Vec<(String, Option<Value>)>>;
    /// Changes a setting as if a person had typed it.
    fn set_setting(&self, name: &str, value: Option<&Value>) -> impl ListFuture<()>;
}

/// Number of records in one page.
const PAGE: u32 = 500;

/// Reads all rows of a collection.
pub async fn all_rows<L: LocalList>(list: &L, collection: &str) -> Result<Vec<SyncRecordRow>, EngineError> {
    chosen_rows(list, collection, Some).await
}

/// Reads a collection page by page, calls `choose` for each row, and returns the results. Only one page of rows is in
/// memory.
pub async fn chosen_rows<L: LocalList, T>(
    list: &L,
    collection: &str,
    mut choose: impl FnMut(SyncRecordRow) -> Option<T>,
) -> Result<Vec<T>, EngineError> {
    let (mut chosen, mut after) = (Vec::new(), String::new());
    loop {
        let page = list.all_records(collection, &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(chosen) };
        after.clone_from(&last.id);
        chosen.extend(page.into_iter().filter_map(&mut choose));
    }
}

impl LocalList for Engine {
    fn state(&self) -> impl ListFuture<Option<SyncState>> {
        self.sync_state()
    }

    fn cursor(&self, collection: &str) -> impl ListFuture<SyncCursor> {
        self.sync_cursor(collection)
    }

    fn records(&self, collection: &str, ids: &[&str]) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.sync_records(collection, ids)
    }

    fn due_records(&self, collection: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.due_sync_records(collection, limit)
    }

    fn all_records(&self, collection: &str, after: &str, limit: u32) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.all_sync_records(collection, after, limit)
    }

    fn held_records(&self, collection: &str) -> impl ListFuture<Vec<SyncRecordRow>> {
        self.held_sync_records(collection)
    }

    fn latest_record(&self, collection: &str, until_ms: i64) -> impl ListFuture<Option<SyncRecordRow>> {
        self.latest_sync_record(collection, until_ms)
    }

    fn due_registrations(&self, limit: u32) -> impl ListFuture<Vec<SyncedRegistration>> {
        self.due_synced_registrations(limit)
    }

    fn registration(&self, sync_id: &str) -> impl ListFuture<Option<SyncedRegistration>> {
        self.synced_registration(sync_id)
    }

    fn write(&self, writes: &[SyncWrite]) -> impl ListFuture<bool> {
        self.write_sync(writes)
    }

    async fn receive(&self, received: ReceivedDownload) -> Result<Option<UniqueId>, EngineError> {
        Ok(self.receive_download(received).await?.map(|registration| registration.unique_id))
    }

    fn has_received(&self, command: &str) -> impl ListFuture<bool> {
        Self::has_received(self, command)
    }

    fn latest_creations_ms(&self, owner: &str, limit: u32) -> impl ListFuture<Vec<i64>> {
        Self::latest_creations_ms(self, owner, limit)
    }

    fn restart(&self) -> impl ListFuture<()> {
        self.restart_sync()
    }

    fn settings(&self) -> impl ListFuture<Vec<(String, Option<Value>)>> {
        async { Ok(self.synced_settings()) }
    }

    fn set_setting(&self, name: &str, value: Option<&Value>) -> impl ListFuture<()> {
        self.set_synced_setting(name, value)
    }
}
