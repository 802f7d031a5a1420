//! The ledger: one writer, a few readers, and transactions. A state changes only if the row still has the state that
//! the caller expects. If a statement changes no row, another transaction has changed the state first.
//!
//! Writes go through [`LedgerWriter`], one transaction: `begin`, any number of operations, `commit`. Events are emitted
//! only after the commit. The ten storage operations of the design are in these files:
//!
//! - `registrations`: `create` (2), `list` (1, 3), `records` (7), `lifecycle` (8), `removal` (9, 10).
//! - `requests`: `queue` (4), `outcomes` (5, 6). `state` is the only code that changes the state of a request.
//! - `totals` keeps counters by delta; `database` opens, checks, migrates and copies the file; `list_file` exports and
//!   imports.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use sqlx::{Connection, SqliteConnection, SqlitePool};

use crate::{
    EngineError,
    platform::sync::{self, Mutex, MutexGuard},
    store::{
        columns,
        database::{self, open::OpenedLedger, wal_marker::WalMarker},
        requests::state::RememberedFile,
        statement::statements,
        sync::marks,
        totals::tally::TallyMap,
    },
};

statements! {
    BEGIN: Search = "BEGIN IMMEDIATE";
    COMMIT: Search = "COMMIT";
    ROLLBACK: Search = "ROLLBACK";
}

/// Handle of the ledger. Cheap to clone; all clones share one ledger.
#[derive(Clone, Debug)]
pub(crate) struct LedgerStore(pub(crate) Arc<LedgerInner>);

#[derive(Debug)]
pub(crate) struct LedgerInner {
    pub(crate) path: PathBuf,
    writer: Mutex<Writer>,
    pub(crate) readers: SqlitePool,
    /// Whether anything was written since the start of the last copy, or since opening if there is no copy.
    has_changed: AtomicBool,
    /// Whether opening left part of the ledger unread.
    is_unread: AtomicBool,
    /// Whether sync is on, so that transactions collect the registrations that they change.
    pub(in crate::store) is_syncing: AtomicBool,
    /// Mark that exists as long as the WAL must exist.
    mark: WalMarker,
}

impl Drop for LedgerInner {
    /// Removes the mark, because a dropped connection checkpoints the WAL, just like a closed one.
    fn drop(&mut self) {
        self.mark.take_away();
    }
}

#[derive(Debug)]
struct Writer {
    /// `None` after `close`.
    pub(crate) connection: Option<SqliteConnection>,
    remembered: RememberedFile,
    /// True from `begin` until the commit is confirmed. Dropping a transaction cannot wait, so the next transaction
    /// rolls back the dropped one. No other writer can write before that.
    is_open: bool,
}

/// A write transaction. Dropping it without `commit` discards all its changes.
#[derive(Debug)]
pub(crate) struct LedgerWriter<'a> {
    writer: MutexGuard<'a, Writer>,
    pub(crate) tallies: TallyMap,
    pub(crate) is_spread: bool,
    has_changed: &'a AtomicBool,
    pub(in crate::store) is_syncing: &'a AtomicBool,
    mark: &'a WalMarker,
}

impl LedgerStore {
    /// Opens, checks and migrates `path`. A large ledger is not read completely if it was closed cleanly or
    /// `is_known_good`. [`LedgerStore::read_the_rest`] reads the remaining part.
    ///
    /// Fails with `LedgerNewer`, `LedgerOlder`, `LedgerDamaged` or `LedgerLocked`, and then changes nothing.
    pub async fn open(path: &Path, is_known_good: bool) -> Result<Self, EngineError> {
        Self::open_with(path, database::migrations::MIGRATIONS, is_known_good).await
    }

    pub(crate) async fn open_with(path: &Path, migrations: &[&str], is_known_good: bool) -> Result<Self, EngineError> {
        let OpenedLedger { mut writer, readers, is_unread } = database::open::open(path, migrations, is_known_good).await?;
        let is_syncing = AtomicBool::new(marks::is_on(&mut writer).await?);
        let writer = Mutex::new(Writer { connection: Some(writer), remembered: RememberedFile::default(), is_open: false });
        let (has_changed, is_unread) = (AtomicBool::new(false), AtomicBool::new(is_unread));
        Ok(Self(Arc::new(LedgerInner {
            path: path.to_owned(),
            writer,
            readers,
            has_changed,
            is_unread,
            is_syncing,
            mark: WalMarker::for_ledger(path),
        })))
    }

    /// Waits for the writer, then holds the ledger's lock until the transaction is committed or dropped. Fails with
    /// `LedgerLocked` if another program holds the lock, and with `Closed` after `close`.
    pub async fn begin(&self) -> Result<LedgerWriter<'_>, EngineError> {
        let mut writing = self.alone().await?;
        writing.writer.is_open = true;
        sqlx::query(BEGIN).execute(writing.connection()?).await.map_err(|error| database::checks::refine(&self.0.path, error))?;
        Ok(writing)
    }

    /// Waits for the writer. Begins no transaction, because the caller runs only one statement.
    pub(crate) async fn alone(&self) -> Result<LedgerWriter<'_>, EngineError> {
        let mut writer = self.0.writer.lock().await;
        let Writer { connection, remembered, is_open } = &mut *writer;
        let connection = connection.as_mut().ok_or(EngineError::Closed)?;
        roll_back(connection, remembered, is_open).await;
        let LedgerInner { has_changed, is_syncing, mark, .. } = &*self.0;
        let tallies = TallyMap::new(is_syncing.load(Ordering::Acquire));
        Ok(LedgerWriter { writer, tallies, is_spread: false, has_changed, is_syncing, mark })
    }

    /// Runs SQLite's `quick_check`. Returns "ok" or the fault.
    pub async fn check(&self) -> Result<String, EngineError> {
        let mut reader = self.readers().acquire().await?;
        Ok(database::checks::check(&mut reader).await?)
    }

    /// Returns whether part of the ledger has not been read since opening.
    pub fn is_unread(&self) -> bool {
        self.0.is_unread.load(Ordering::Acquire)
    }

    /// Reads the part that opening left out. Fails with `LedgerDamaged` if that part is not sound.
    pub async fn read_the_rest(&self) -> Result<(), EngineError> {
        let said = self.check().await?;
        self.0.is_unread.store(false, Ordering::Release);
        match said == database::checks::SOUND {
            true => Ok(()),
            false => Err(EngineError::LedgerDamaged { path: self.0.path.clone(), why: said.into() }),
        }
    }

    /// Returns the schema's version.
    pub async fn version(&self) -> Result<u32, EngineError> {
        let mut reader = self.readers().acquire().await?;
        Ok(columns::narrow(database::checks::version(&mut reader).await?))
    }

    /// Waits for a running transaction, then closes all connections and checkpoints the WAL.
    pub async fn close(&self) {
        let mut writer = self.0.writer.lock().await;
        self.0.readers.close().await;
        let Writer { connection, remembered, is_open } = &mut *writer;
        let Some(mut connection) = connection.take() else { return };
        roll_back(&mut connection, remembered, is_open).await;
        self.0.mark.take_away();
        if let Err(error) = connection.close().await {
            // Nothing is lost: the next start checkpoints the WAL.
            tracing::warn!(%error, "ledger did not close cleanly");
        }
    }

    /// Returns whether anything was written since the last copy was begun.
    pub fn has_changed(&self) -> bool {
        self.0.has_changed.load(Ordering::Relaxed)
    }

    /// Marks the last copy as outdated, because it lacks a change.
    pub fn note_change(&self) {
        self.0.has_changed.store(true, Ordering::Relaxed);
    }

    /// Marks the last copy as current, because it has all changes.
    pub fn forget_changes(&self) {
        self.0.has_changed.store(false, Ordering::Relaxed);
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.0.readers
    }
}

impl LedgerWriter<'_> {
    /// Commits. All changes are durable on return.
    pub async fn commit(mut self) -> Result<(), EngineError> {
        self.tally().await?;
        sync::point().await;
        sqlx::query(COMMIT).execute(self.connection()?).await?;
        self.writer.is_open = false;
        self.mark.set();
        // Set the flag after the commit: a copy that begins between the commit and this line includes the change.
        self.has_changed.store(true, Ordering::Relaxed);
        drop(self);
        sync::point().await;
        Ok(())
    }

    pub(crate) fn connection(&mut self) -> Result<&mut SqliteConnection, EngineError> {
        self.parts().map(|(connection, ..)| connection)
    }

    pub(crate) fn parts(&mut self) -> Result<(&mut SqliteConnection, &mut RememberedFile, &mut TallyMap), EngineError> {
        let Self { writer, tallies, .. } = self;
        let Writer { connection, remembered, .. } = &mut **writer;
        Ok((connection.as_mut().ok_or(EngineError::Closed)?, remembered, tallies))
    }
}

/// Rolls back an open transaction. An error means that SQLite has already ended the transaction. In either case no
/// transaction is open afterwards.
async fn roll_back(connection: &mut SqliteConnection, remembered: &mut RememberedFile, is_open: &mut bool) {
    if *is_open {
        remembered.clear();
        let _ = sqlx::query(ROLLBACK).execute(connection).await;
        *is_open = false;
    }
}
