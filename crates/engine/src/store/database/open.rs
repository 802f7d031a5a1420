//! Opening the ledger: is it ours, is it sound, is it of a version we know; and bringing an older one up to date.
//!
//! What is not ours, damaged, newer or locked is refused, and not a byte of it is changed. Only then does the writer open
//! it.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

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
            schema,
            wal_marker::{WalFiles, with_suffix},
        },
        statement::statements,
    },
};

/// "Asho", in the header of every ledger.
pub(in crate::store) const APPLICATION_ID: i64 = 0x4173_686f;
/// The beginning of every file of SQLite's.
pub(in crate::store) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Of a smaller ledger every index is looked up and every text is read at each start: as cheap as a start can be.
const READ_WHOLE: u64 = 16 << 20;

/// The writer's page cache at its largest, in KiB as SQLite wants it: the index of a million addresses, whose leaves one
/// long list touches in no order, nearly fits. A cache is as large as what was ever in it; a short list takes nothing.
const WRITERS_CACHE: &str = "-24576";

statements! {
    OBJECTS: Listing = "SELECT count(*) FROM sqlite_schema";
}

/// A ledger that is open.
pub(in crate::store) struct OpenedLedger {
    pub writer: SqliteConnection,
    pub readers: SqlitePool,
    /// Not all of it was read.
    pub is_unread: bool,
}

/// How much of a ledger is read before it is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Every index is looked up, and every text is one.
    Thorough,
    /// Every page.
    Whole,
    /// What it says of itself. Of 100,000 downloads every page takes one of two processors from the window for a third of its
    /// start, and of millions seconds: they are read once the engine works.
    Beginning,
}

impl Reading {
    /// By size in bytes, and whether the machine itself may have ended while it was open.
    fn for_size(size: u64, is_doubtful: bool) -> Self {
        match (size, is_doubtful) {
            (..READ_WHOLE, _) => Self::Thorough,
            (_, true) => Self::Whole,
            (_, false) => Self::Beginning,
        }
    }
}

/// Checks and opens the file; migrates it to the last of `migrations`.
pub(in crate::store) async fn open(path: &Path, migrations: &[&str], is_known_good: bool) -> Result<OpenedLedger, EngineError> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    look_at_header(path)?;
    let beside = WalFiles::for_ledger(path);
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    let reading = Reading::for_size(size, beside.has_unfinished_log() && !is_known_good);
    let examined = match size {
        0 => Ok(0),
        _ => examine(path, migrations, reading).await,
    };
    if examined.is_err() {
        // After a refusal the folder is as it was.
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
        // A file does not go away as a server does: asking first would be a way to the reader's thread and back.
        .test_before_acquire(false)
        .connect_lazy_with(options.pragma("query_only", "ON"));
    // All of them, with all that they open: later there may be no descriptor left for one, and who asks would be refused.
    let mut opened = Vec::new();
    for _ in 0..count {
        let mut reader = readers.acquire().await.map_err(refine)?;
        version(&mut reader).await.map_err(refine)?;
        opened.push(reader);
    }
    drop(opened);
    Ok(OpenedLedger { writer, readers, is_unread: reading == Reading::Beginning })
}

/// Reads the file's first 100 bytes without SQLite, which may leave files of its own beside what it opens.
fn look_at_header(path: &Path) -> Result<(), EngineError> {
    let mut header = Vec::with_capacity(100);
    let read = match atomic_file::open(path, File::options().read(true), SymlinkPolicy::Followed) {
        Ok(file) => file.take(100).read_to_end(&mut header),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
    };
    read.map_err(|source| EngineError::Io { what: format!("The list in {} cannot be read", path.display()), source })?;
    if header.is_empty() {
        return Ok(());
    }
    let damaged = |why: &str| EngineError::LedgerDamaged { path: path.to_owned(), why: why.to_owned() };
    if header.len() < 100 || !header.starts_with(MAGIC) {
        if is_only_begun(path) {
            return Ok(());
        }
        return Err(damaged("it is not a database"));
    }
    // What SQLite writes there in every file of ours: write and read version, the three fractions, schema format, encoding.
    let is_plain = matches!(header[18..20], [1, 1] | [2, 2]) && header[21..24] == [64, 32, 32];
    let number = |at: usize| header[at..at + 4].iter().fold(0, |number, byte| number << 8 | i64::from(*byte));
    if !is_plain || !(0..=4).contains(&number(44)) || !(0..=1).contains(&number(56)) {
        return Err(damaged("its beginning makes no sense"));
    }
    match number(68) {
        // 0: made just now by a process that was killed, its first commit still in the log; or foreign, seen later.
        APPLICATION_ID | 0 => Ok(()),
        _ => Err(damaged("it belongs to another program")),
    }
}

/// Whether it was killed before it had its log: what was begun then is in a journal of another kind, for SQLite to take back.
fn is_only_begun(path: &Path) -> bool {
    fs::metadata(with_suffix(path, "-journal")).is_ok_and(|journal| journal.len() > 0)
}

/// The same through SQLite, with what is in the log, and as much of it as is to be read. Returns the version; 0 for a new file.
async fn examine(path: &Path, migrations: &[&str], reading: Reading) -> Result<i64, EngineError> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    let refine = |error| refine(path, error);
    let damaged = |why: String| EngineError::LedgerDamaged { path: path.to_owned(), why };
    // Nobody can read it before what was begun is taken back.
    let mut connection = options(path).read_only(!is_only_begun(path)).connect().await.map_err(refine)?;
    let application = application(&mut connection).await.map_err(refine)?;
    let version = version(&mut connection).await.map_err(refine)?;
    if application == APPLICATION_ID && version > known {
        // Before anything else is read: what a newer Ashore wrote is not for this one to judge.
        connection.close().await.map_err(refine)?;
        return Err(EngineError::LedgerNewer { path: path.to_owned(), found: version, known });
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
                wrong => Err(damaged(wrong)),
            }
        }
        _ => Err(damaged("it belongs to another program".to_owned())),
    };
    let answer = match answer {
        Ok(version) => match schema::what_is_missing(&mut connection, migrations, version).await.map_err(refine)? {
            None => Ok(version),
            Some(missing) => Err(damaged(missing)),
        },
        refused => refused,
    };
    connection.close().await.map_err(refine)?;
    answer
}

/// All or nothing: the changes, the version and the mark that it is ours are one transaction.
async fn migrate(writer: &mut SqliteConnection, migrations: &[&str], known: i64) -> Result<(), sqlx::Error> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
    // Again, under the lock: somebody may have been faster.
    let found = version(&mut transaction).await?;
    for migration in migrations.iter().skip(usize::try_from(found).unwrap_or(0)) {
        sqlx::raw_sql(AssertSqlSafe(*migration)).execute(&mut *transaction).await?;
    }
    // A pragma takes no arguments; both are numbers of our own.
    let marks = format!("PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION_ID}");
    sqlx::raw_sql(AssertSqlSafe(marks)).execute(&mut *transaction).await?;
    transaction.commit().await
}
