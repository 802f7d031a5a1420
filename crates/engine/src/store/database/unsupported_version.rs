//! Recognises a ledger that this Ashore cannot open: a newer Ashore wrote it, or a test version from before the first
//! release. `startup/ledger_recovery` checks the version before it judges or moves any file. Only the Ashore that wrote
//! the ledger knows the format and can restore the ledger.
//!
//! - The version is read from the file's header without SQLite, so that damage elsewhere cannot hide the version.
//! - A WAL that was not checkpointed may have a newer version than the header. Before a damaged ledger is renamed,
//!   SQLite reads the version in the WAL. In all other cases, opening the ledger reads that version.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    time::Duration,
};

use sqlx::{ConnectOptions as _, Connection as _};

use crate::{
    EngineError,
    platform::atomic_file::{self, SymlinkPolicy},
    store::database::{
        checks,
        migrations::{MIGRATIONS, check_version, supported_versions},
        open,
        wal_marker::WalFiles,
    },
};

/// Largest plausible version. Each migration adds one, so a larger number is damage in the header.
const LARGEST: i64 = 1_000_000;

/// Length of the header, in bytes (SQLite's file format, section 1.3).
const HEADER: u64 = 100;

/// Returns whether any Ashore could have written `version`.
pub(crate) fn is_plausible(version: i64) -> bool {
    (0..=LARGEST).contains(&version)
}

/// Fails with `LedgerNewer` or `LedgerOlder` if the header of the ledger at `path` has a version that this Ashore cannot
/// open. Changes nothing.
///
/// An old version in the header is no reason to refuse while a WAL exists, because the WAL may contain the migration.
pub(crate) fn refuse_unsupported(path: &Path) -> Result<(), EngineError> {
    match in_header(path) {
        Some(found) if found <= known_version() && WalFiles::for_ledger(path).has_unfinished_log() => Ok(()),
        found => refuse(path, found),
    }
}

/// Fails with `LedgerNewer` if the header of `copy`, a copy of the ledger at `path`, has a newer version. A copy of an
/// older version is accepted here, but never replaces the ledger.
pub(crate) fn refuse_newer_copy(path: &Path, copy: &Path) -> Result<(), EngineError> {
    refuse(path, in_header(copy).filter(|found| *found > known_version()))
}

/// Fails like [`refuse_unsupported`] if the WAL of the ledger at `path` has a version that this Ashore cannot open.
/// Reads the whole WAL.
pub(crate) async fn refuse_unsupported_log(path: &Path) -> Result<(), EngineError> {
    // SQLite deletes the WAL of a file without a single page.
    let has_pages = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() >= HEADER);
    match has_pages && WalFiles::for_ledger(path).has_unfinished_log() {
        true => refuse(path, in_log(path).await),
        false => Ok(()),
    }
}

/// Returns the newest version that this Ashore knows.
pub(crate) fn known_version() -> i64 {
    *supported_versions(MIGRATIONS).end()
}

fn refuse(path: &Path, found: Option<i64>) -> Result<(), EngineError> {
    match found.filter(|found| is_plausible(*found)) {
        Some(found) => check_version(path, found, MIGRATIONS),
        None => Ok(()),
    }
}

/// Returns the version in the header of a ledger (SQLite's file format). Returns `None` if the file is not a ledger or
/// cannot be read.
fn in_header(path: &Path) -> Option<i64> {
    let mut header = [0; 100];
    atomic_file::open(path, File::options().read(true), SymlinkPolicy::Followed).ok()?.read_exact(&mut header).ok()?;
    let number = |at: usize| i64::from(i32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
    (header.starts_with(open::MAGIC) && number(68) == open::APPLICATION_ID).then(|| number(60))
}

/// Returns the version as SQLite reads it, including the WAL. Does not wait for another program's lock: opening the
/// ledger does so anyway.
async fn in_log(path: &Path) -> Option<i64> {
    let beside = WalFiles::for_ledger(path);
    let options = checks::options(path).read_only(true).busy_timeout(Duration::ZERO);
    let mut connection = options.connect().await.ok()?;
    let version = match checks::application(&mut connection).await {
        Ok(open::APPLICATION_ID) => checks::version(&mut connection).await.ok(),
        _ => None,
    };
    let _ = connection.close().await;
    beside.remove_what_was_not_there();
    version
}
