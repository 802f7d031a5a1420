//! The ledger: one writer, a few readers, and transactions. A state changes only where the row still has the state that the
//! caller expects; zero rows touched means that another transaction decided first.
//!
//! Writes go through [`Writing`], one transaction: `begin`, any number of operations, `commit`. Nothing is emitted before its
//! commit. The ten storage operations of the design are in these files:
//!
//! - `registrations`: `create` (2), `list` (1, 3), `records` (7), `lifecycle` (8), `removal` (9, 10).
//! - `requests`: `queue` (4), `outcomes` (5, 6). `state` is the only way in which a request changes its state.
//! - `totals` keeps counters by delta; `database` opens, checks, migrates and copies the file; `list_file` exports and imports.

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
        totals::tally::TallyMap,
    },
};

statements! {
    BEGIN: Search = "BEGIN IMMEDIATE";
    COMMIT: Search = "COMMIT";
    ROLLBACK: Search = "ROLLBACK";
}

/// The ledger. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub(crate) struct LedgerStore(pub(crate) Arc<LedgerInner>);

#[derive(Debug)]
pub(crate) struct LedgerInner {
    pub(crate) path: PathBuf,
    writer: Mutex<Writer>,
    pub(crate) readers: SqlitePool,
    /// Since the last copy was begun, or the ledger was opened.
    has_changed: AtomicBool,
    /// Opening it did not read all of it.
    is_unread: AtomicBool,
    /// There has to be a log.
    mark: WalMarker,
}

impl Drop for LedgerInner {
    /// A connection that is dropped folds the log in like one that is closed.
    fn drop(&mut self) {
        self.mark.take_away();
    }
}

#[derive(Debug)]
struct Writer {
    /// None once closed.
    pub(crate) connection: Option<SqliteConnection>,
    remembered: RememberedFile,
    /// A transaction was begun and its commit has not been seen. Whoever dropped it in the middle, the next one rolls it
    /// back: dropping cannot wait, and nobody else can write before that.
    is_open: bool,
}

/// One write transaction. Dropped without `commit`, nothing of it happened.
#[derive(Debug)]
pub(crate) struct LedgerWriter<'a> {
    writer: MutexGuard<'a, Writer>,
    pub(crate) tallies: TallyMap,
    pub(crate) is_spread: bool,
    has_changed: &'a AtomicBool,
    mark: &'a WalMarker,
}

impl LedgerStore {
    /// Opens `path`, checks and migrates it. A large one that was closed, or `is_known_good`, is not read as a whole: that is for
    /// [`Store::read_the_rest`].
    /// `LedgerNewer`, `LedgerDamaged`, `LedgerLocked`: nothing was changed.
    pub async fn open(path: &Path, is_known_good: bool) -> Result<Self, EngineError> {
        Self::open_with(path, database::checks::MIGRATIONS, is_known_good).await
    }

    pub(crate) async fn open_with(path: &Path, migrations: &[&str], is_known_good: bool) -> Result<Self, EngineError> {
        let OpenedLedger { writer, readers, is_unread } = database::open::open(path, migrations, is_known_good).await?;
        let writer = Mutex::new(Writer { connection: Some(writer), remembered: RememberedFile::default(), is_open: false });
        let (has_changed, is_unread) = (AtomicBool::new(false), AtomicBool::new(is_unread));
        Ok(Self(Arc::new(LedgerInner {
            path: path.to_owned(),
            writer,
            readers,
            has_changed,
            is_unread,
            mark: WalMarker::for_ledger(path),
        })))
    }

    /// Waits for its turn, then holds the ledger's lock until the transaction is committed or dropped. `LedgerLocked` when
    /// another program holds it, `Closed` after `close`.
    pub async fn begin(&self) -> Result<LedgerWriter<'_>, EngineError> {
        let mut writing = self.alone().await?;
        writing.writer.is_open = true;
        sqlx::query(BEGIN).execute(writing.connection()?).await.map_err(|error| database::checks::refine(&self.0.path, error))?;
        Ok(writing)
    }

    /// Waits for its turn. Without a transaction: for what is one statement.
    pub(crate) async fn alone(&self) -> Result<LedgerWriter<'_>, EngineError> {
        let mut writer = self.0.writer.lock().await;
        let Writer { connection, remembered, is_open } = &mut *writer;
        let connection = connection.as_mut().ok_or(EngineError::Closed)?;
        roll_back(connection, remembered, is_open).await;
        let LedgerInner { has_changed, mark, .. } = &*self.0;
        Ok(LedgerWriter { writer, tallies: TallyMap::default(), is_spread: false, has_changed, mark })
    }

    /// SQLite's `quick_check`: "ok" or what is wrong.
    pub async fn check(&self) -> Result<String, EngineError> {
        let mut reader = self.readers().acquire().await?;
        Ok(database::checks::check(&mut reader).await?)
    }

    /// Whether opening it did not read all of it, and nobody has since.
    pub fn is_unread(&self) -> bool {
        self.0.is_unread.load(Ordering::Acquire)
    }

    /// Reads what opening left out. `LedgerDamaged` where it is not what it should be.
    pub async fn read_the_rest(&self) -> Result<(), EngineError> {
        let said = self.check().await?;
        self.0.is_unread.store(false, Ordering::Release);
        match said == database::checks::SOUND {
            true => Ok(()),
            false => Err(EngineError::LedgerDamaged { path: self.0.path.clone(), why: said }),
        }
    }

    /// The schema's version.
    pub async fn version(&self) -> Result<u32, EngineError> {
        let mut reader = self.readers().acquire().await?;
        Ok(columns::narrow(database::checks::version(&mut reader).await?))
    }

    /// Closes all connections; the WAL is folded in. A transaction under way is waited for.
    pub async fn close(&self) {
        let mut writer = self.0.writer.lock().await;
        self.0.readers.close().await;
        let Writer { connection, remembered, is_open } = &mut *writer;
        let Some(mut connection) = connection.take() else { return };
        roll_back(&mut connection, remembered, is_open).await;
        self.0.mark.take_away();
        if let Err(error) = connection.close().await {
            // Nothing is lost: the log is folded in at the next start.
            tracing::warn!(%error, "the ledger did not close cleanly");
        }
    }

    /// Whether anything was written since the last copy was begun.
    pub fn has_changed(&self) -> bool {
        self.0.has_changed.load(Ordering::Relaxed)
    }

    /// There is something that no copy has.
    pub fn note_change(&self) {
        self.0.has_changed.store(true, Ordering::Relaxed);
    }

    /// A copy has all of it.
    pub fn forget_changes(&self) {
        self.0.has_changed.store(false, Ordering::Relaxed);
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.0.readers
    }
}

impl LedgerWriter<'_> {
    /// Durable when it returns.
    pub async fn commit(mut self) -> Result<(), EngineError> {
        self.tally().await?;
        sync::point().await;
        sqlx::query(COMMIT).execute(self.connection()?).await?;
        self.writer.is_open = false;
        self.mark.set();
        // Only now: a copy that begins in between has it.
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

/// Ends what was left open. SQLite may have ended it already, and says so; either way none is open afterwards.
async fn roll_back(connection: &mut SqliteConnection, remembered: &mut RememberedFile, is_open: &mut bool) {
    if *is_open {
        remembered.clear();
        let _ = sqlx::query(ROLLBACK).execute(connection).await;
        *is_open = false;
    }
}
