//! Checks whether a file is a sound ledger, and opens connections to it.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::File,
    os::fd::AsRawFd as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use sqlx::{
    ConnectOptions as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};

use crate::{
    EngineError,
    store::{database::schema, statement::statements},
};

statements! {
    APPLICATION: Search = "PRAGMA application_id";
    VERSION: Search = "PRAGMA user_version";
    CHECK: Listing = "PRAGMA quick_check(1)";
    CHECK_ALL: Listing = "PRAGMA integrity_check(1)";
}

/// Result of SQLite's check if the file has no errors.
pub(in crate::store) const SOUND: &str = "ok";

/// Returns the schema's version.
pub(in crate::store) async fn version(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(VERSION).fetch_one(connection).await
}

/// Returns the id of the program that the file belongs to.
pub(in crate::store) async fn application(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(APPLICATION).fetch_one(connection).await
}

/// Runs SQLite's `quick_check`. Returns "ok" or the first fault.
pub(in crate::store) async fn check(connection: &mut SqliteConnection) -> Result<String, sqlx::Error> {
    sqlx::query_scalar(CHECK).fetch_one(connection).await
}

/// Runs SQLite's `integrity_check`, which includes every index. Also checks that every text is valid, since SQLite does
/// not check texts.
pub(in crate::store) async fn check_thoroughly(connection: &mut SqliteConnection) -> Result<String, sqlx::Error> {
    let said: String = sqlx::query_scalar(CHECK_ALL).fetch_one(&mut *connection).await?;
    schema::read_texts(connection).await?;
    Ok(said)
}

/// Converts a failure of SQLite into a more specific error, if there is one for this failure.
pub(in crate::store) fn refine(path: &Path, error: sqlx::Error) -> EngineError {
    let code = error.as_database_error().and_then(|database| database.code()).and_then(|code| code.parse::<i32>().ok());
    match code.map(|code| code & 0xff) {
        // SQLITE_BUSY, SQLITE_LOCKED
        Some(5 | 6) => EngineError::LedgerLocked { path: path.to_owned() },
        // SQLITE_CORRUPT, SQLITE_NOTADB
        Some(11 | 26) => EngineError::LedgerDamaged { path: path.to_owned(), why: plain(&error).into() },
        _ => EngineError::Ledger(error),
    }
}

fn plain(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |database| database.message().to_owned())
}

pub(in crate::store) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(in_unicode(path))
        .create_if_missing(false)
        .foreign_keys(true)
        // SQLite needs temporary data to undo a statement. Keep this data in memory instead of a file in the system's
        // temporary folder.
        .pragma("temp_store", "memory")
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE)
        .statement_cache_capacity(200)
        .disable_statement_logging()
}

/// Returns `path` in UTF-8, as SQLite's library requires. If `path` is not UTF-8, the result is a path below
/// `/proc/self/fd`, through a descriptor of the folder. The descriptor stays open, since connections may be opened at
/// any time.
pub(in crate::store) fn in_unicode(path: &Path) -> Cow<'_, Path> {
    static FOLDERS: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());
    let (None, Some(folder), Some(name)) = (path.to_str(), path.parent(), path.file_name()) else { return Cow::Borrowed(path) };
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !folders.contains_key(folder) {
        // Ignore the failure here; the caller that opens the file in the folder reports it.
        let Ok(opened) = File::open(folder) else { return Cow::Borrowed(path) };
        folders.insert(folder.to_owned(), opened);
    }
    match folders.get(folder) {
        Some(opened) => Cow::Owned(Path::new("/proc/self/fd").join(opened.as_raw_fd().to_string()).join(name)),
        None => Cow::Borrowed(path),
    }
}

/// Maximum time to wait for another program's lock.
const PATIENCE: Duration = Duration::from_secs(5);
