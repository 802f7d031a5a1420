//! Manages the files that SQLite keeps beside an open ledger: the WAL and its index. Code that only inspects a ledger
//! must leave the folder unchanged. SQLite does not notice a deleted WAL, so a mark records that the WAL has to exist.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// State of the WAL and its index before the ledger was inspected.
pub(in crate::store) struct WalFiles {
    log: PathBuf,
    index: PathBuf,
    log_size: Option<u64>,
    had_index: bool,
}

impl WalFiles {
    pub fn for_ledger(path: &Path) -> Self {
        let (log, index) = (with_suffix(path, "-wal"), with_suffix(path, "-shm"));
        let log_size = fs::metadata(&log).ok().map(|metadata| metadata.len());
        let had_index = index.exists();
        Self { log, index, log_size, had_index }
    }

    /// Returns whether the WAL has content. After a clean close it has none.
    pub fn has_unfinished_log(&self) -> bool {
        self.log_size.is_some_and(|size| size > 0)
    }

    /// Removes the WAL and its index if they did not exist before the inspection.
    ///
    /// Errors are ignored, because a remaining file is harmless: such a WAL is empty, and SQLite can rebuild the index.
    pub fn remove_what_was_not_there(&self) {
        if self.log_size.is_none() && fs::metadata(&self.log).is_ok_and(|metadata| metadata.len() == 0) {
            let _ = fs::remove_file(&self.log);
        }
        if self.log_size.is_none() && !self.had_index {
            let _ = fs::remove_file(&self.index);
        }
    }
}

/// Returns whether the WAL is lost, and with it the last changes.
pub(crate) fn has_lost_its_log(path: &Path) -> bool {
    with_suffix(path, MARK).exists() && !WalFiles::for_ledger(path).has_unfinished_log()
}

/// Removes the mark, so that a missing WAL is no longer reported.
pub(crate) fn take_mark_away(path: &Path) -> io::Result<()> {
    match fs::remove_file(with_suffix(path, MARK)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder(path),
    }
}

/// Suffix of the mark's name.
pub(in crate::store) const MARK: &str = "-open";

/// Empty file that exists as long as the WAL must exist.
///
/// The file is durable when the first commit after opening returns. Its removal is durable before a close
/// checkpoints the WAL. A writer syncs the folder twice; a reader does not sync the folder.
#[derive(Debug)]
pub(in crate::store) struct WalMarker {
    ledger: PathBuf,
    is_there: AtomicBool,
}

impl WalMarker {
    /// Reads whether an earlier process has left the mark.
    pub fn for_ledger(ledger: &Path) -> Self {
        Self { ledger: ledger.to_owned(), is_there: AtomicBool::new(with_suffix(ledger, MARK).exists()) }
    }

    /// Creates the mark if the WAL has content. If the mark cannot be created, the durable commit still succeeds, and
    /// the next commit retries.
    pub fn set(&self) {
        if self.is_there.load(Ordering::Relaxed) || !WalFiles::for_ledger(&self.ledger).has_unfinished_log() {
            return;
        }
        match fs::File::create(with_suffix(&self.ledger, MARK)).and_then(|_| sync_folder(&self.ledger)) {
            Ok(()) => self.is_there.store(true, Ordering::Relaxed),
            Err(error) => tracing::warn!(%error, "ledger WAL marker could not be created; will retry at the next commit"),
        }
    }

    /// Removes the mark before the WAL is removed.
    pub fn take_away(&self) {
        if self.is_there.swap(false, Ordering::Relaxed)
            && let Err(error) = take_mark_away(&self.ledger)
        {
            tracing::warn!(%error, "ledger WAL marker could not be removed");
        }
    }
}

fn sync_folder(ledger: &Path) -> io::Result<()> {
    fs::File::open(ledger.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Returns the path with `suffix` appended.
pub(in crate::store) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
