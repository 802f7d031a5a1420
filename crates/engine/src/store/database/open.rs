//! Opens the ledger: checks owner, soundness and version, and migrates an older ledger.
//!
//! A file that belongs to another program, or that is damaged, newer or locked, is refused and stays unchanged. The
//! writer opens the file only after these checks.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use ashore_messages::{MessageArgument, UserMessage, message};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteJournalMode, SqlitePoolOptions},
};

use crate::{
    EngineError,
    platform::{
        atomic_file::{self, SymlinkPolicy},
        open_file_limit,
    },
    store::{
        database::{
            backup, backup_rotation,
            checks::{SOUND, application, check, check_thoroughly, options, refine, version},
            migrations::{check_version, split_at_version, supported_versions},
            schema,
            wal_marker::{WalFiles, with_suffix},
        },
        statement::statements,
    },
};

/// Application id in the header of every ledger: "Asho".
pub(in crate::store) const APPLICATION_ID: i64 = 0x4173_686f;
/// First bytes of every SQLite file.
pub(in crate::store) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Size in bytes below which every start checks all indexes and texts of the ledger, since the check then costs little.
const READ_WHOLE: u64 = 16 << 20;

/// Maximum size of the writer's page cache, in KiB (negative, as SQLite requires). A long list accesses the leaves of
/// the address index in random order, and the index of a million addresses nearly fits. The cache grows only with use,
/// so a short list needs little memory.
const WRITERS_CACHE: &str = "-24576";

statements! {
    OBJECTS: Listing = "SELECT count(*) FROM sqlite_schema";
}

/// An open ledger.
pub(in crate::store) struct OpenedLedger {
    pub writer: SqliteConnection,
    pub readers: SqlitePool,
    /// Whether part of the ledger was not read.
    pub is_unread: bool,
}

/// Extent to which a ledger is read before it is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Every page, every index and every text.
    Thorough,
    /// Every page.
    Whole,
    /// Only header and schema. For 100,000 downloads, reading every page would keep one of two processors busy for a
    /// third of the window's start-up time; for millions of downloads it would take seconds. The running engine reads
    /// the pages later.
    Beginning,
}

impl Reading {
    /// Chooses how much of the ledger to read. `size` is the size of the ledger in bytes. Every page of a large ledger
    /// is read if the machine may have stopped while the ledger was open.
    fn for_size(size: u64, is_doubtful: bool) -> Self {
        match (size, is_doubtful) {
            (..READ_WHOLE, _) => Self::Thorough,
            (_, true) => Self::Whole,
            (_, false) => Self::Beginning,
        }
    }
}

/// Checks and opens the file, and migrates it to the last of `migrations`.
pub(in crate::store) async fn open(path: &Path, migrations: &[&str], is_known_good: bool) -> Result<OpenedLedger, EngineError> {
    let known = *supported_versions(migrations).end();
    look_at_header(path)?;
    let beside = WalFiles::for_ledger(path);
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    let reading = Reading::for_size(size, beside.has_unfinished_log() && !is_known_good);
    let examined = match size {
        0 => Ok(0),
        _ => examine(path, migrations, reading).await,
    };
    if examined.is_err() {
        // A refusal leaves the folder unchanged.
        beside.remove_what_was_not_there();
    }
    let found = examined?;

    let options = options(path);
    let refine = |error| refine(path, error);
    let to_write = options.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    let mut writer = to_write.pragma("cache_size", WRITERS_CACHE).connect().await.map_err(refine)?;
    if found < known {
        if found > 0 {
            let folder = path.parent().unwrap_or(Path::new("."));
            backup::copy(&mut writer, &backup_rotation::before_update(folder, found + 1)).await?;
        }
        migrate(&mut writer, migrations, known).await.map_err(refine)?;
    }
    let count = open_file_limit::readers(open_file_limit::allowed());
    let readers = SqlitePoolOptions::new()
        .max_connections(count)
        .idle_timeout(None)
        .max_lifetime(None)
        // Skip the connection test. A file does not disconnect like a server, and the test costs a round trip to the
        // reader's thread.
        .test_before_acquire(false)
        .connect_lazy_with(options.pragma("query_only", "ON"));
    // Open all readers and all their files now. If no file descriptor were available later, a query would fail.
    let mut opened = Vec::new();
    for _ in 0..count {
        let mut reader = readers.acquire().await.map_err(refine)?;
        version(&mut reader).await.map_err(refine)?;
        opened.push(reader);
    }
    drop(opened);
    Ok(OpenedLedger { writer, readers, is_unread: reading == Reading::Beginning })
}

/// Checks the first 100 bytes without SQLite, because SQLite may leave files beside any file that it opens.
fn look_at_header(path: &Path) -> Result<(), EngineError> {
    let mut header = Vec::with_capacity(100);
    let read = match atomic_file::open(path, File::options().read(true), SymlinkPolicy::Followed) {
        Ok(file) => file.take(100).read_to_end(&mut header),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
    };
    read.map_err(|source| EngineError::io(message!("disk.ledger", path = path, why = &source), source))?;
    if header.is_empty() {
        return Ok(());
    }
    let damaged = |why: UserMessage| EngineError::LedgerDamaged { path: path.to_owned(), why: why.into() };
    if header.len() < 100 || !header.starts_with(MAGIC) {
        if is_only_begun(path) {
            return Ok(());
        }
        return Err(damaged(message!("fault-ledger.not-database")));
    }
    // SQLite writes these values into every ledger: file format versions for writing and reading, the three payload
    // fractions, schema format, encoding.
    let is_plain = matches!(header[18..20], [1, 1] | [2, 2]) && header[21..24] == [64, 32, 32];
    let number = |at: usize| header[at..at + 4].iter().fold(0, |number, byte| number << 8 | i64::from(*byte));
    if !is_plain || !(0..=4).contains(&number(44)) || !(0..=1).contains(&number(56)) {
        return Err(damaged(message!("fault-ledger.header")));
    }
    match number(68) {
        // The id is 0 if a process was killed just after it created the file, while the first commit was still in the
        // WAL. The id of a foreign file may also be 0; `examine` detects such a file.
        APPLICATION_ID | 0 => Ok(()),
        _ => Err(damaged(message!("fault-ledger.foreign"))),
    }
}

/// Returns whether the process that created the ledger was killed before the ledger had a WAL. In this case a rollback
/// journal holds the unfinished change, and SQLite rolls it back.
fn is_only_begun(path: &Path) -> bool {
    fs::metadata(with_suffix(path, "-journal")).is_ok_and(|journal| journal.len() > 0)
}

/// Checks the file through SQLite, including the WAL, as far as `reading` requires. Returns the version; 0 for a new
/// file.
async fn examine(path: &Path, migrations: &[&str], reading: Reading) -> Result<i64, EngineError> {
    let refine = |error| refine(path, error);
    let damaged = |why: MessageArgument| EngineError::LedgerDamaged { path: path.to_owned(), why };
    // An unfinished change must be rolled back before the file can be read.
    let mut connection = options(path).read_only(!is_only_begun(path)).connect().await.map_err(refine)?;
    let application = application(&mut connection).await.map_err(refine)?;
    let version = version(&mut connection).await.map_err(refine)?;
    if application == APPLICATION_ID
        && let Err(refusal) = check_version(path, version, migrations)
    {
        // Refuse before anything else is read: this Ashore cannot check a ledger of another schema.
        connection.close().await.map_err(refine)?;
        return Err(refusal);
    }
    let objects: i64 = sqlx::query_scalar(OBJECTS).fetch_one(&mut connection).await.map_err(refine)?;
    let answer = match (application, version, objects) {
        (0, 0, 0) => Ok(0),
        (APPLICATION_ID, 1.., _) => {
            let checked = match reading {
                Reading::Thorough => check_thoroughly(&mut connection).await,
                Reading::Whole => check(&mut connection).await,
                Reading::Beginning => Ok(SOUND.to_owned()),
            };
            match checked.map_err(refine)? {
                said if said == SOUND => Ok(version),
                wrong => Err(damaged(wrong.into())),
            }
        }
        _ => Err(damaged(message!("fault-ledger.foreign").into())),
    };
    let answer = match answer {
        Ok(version) => match schema::what_is_missing(&mut connection, migrations, version).await.map_err(refine)? {
            None => Ok(version),
            Some(missing) => Err(damaged(missing.into())),
        },
        refused => refused,
    };
    connection.close().await.map_err(refine)?;
    answer
}

/// Migrates in one transaction: the changes, the version and the application id.
async fn migrate(writer: &mut SqliteConnection, migrations: &[&str], known: i64) -> Result<(), sqlx::Error> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
    // Query the version again under the lock, since another process may have migrated first.
    let found = version(&mut transaction).await?;
    for migration in split_at_version(migrations, found).1 {
        sqlx::raw_sql(AssertSqlSafe(*migration)).execute(&mut *transaction).await?;
    }
    // A pragma takes no bound arguments; both values are numbers from this program.
    let marks = format!("PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION_ID}");
    sqlx::raw_sql(AssertSqlSafe(marks)).execute(&mut *transaction).await?;
    transaction.commit().await
}
