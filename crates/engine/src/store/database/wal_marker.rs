//! What SQLite keeps beside a ledger while it is open: a log, and an index of it. Whoever only looks leaves the folder as it
//! was. To SQLite, a log that is gone was never there; so a mark says that there has to be one.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// The log and its index, as they were before anybody looked.
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

    /// A clean close folds the log in.
    pub fn has_unfinished_log(&self) -> bool {
        self.log_size.is_some_and(|size| size > 0)
    }

    /// Best effort: what stays behind is empty.
    pub fn remove_what_was_not_there(&self) {
        if self.log_size.is_none() && fs::metadata(&self.log).is_ok_and(|metadata| metadata.len() == 0) {
            let _ = fs::remove_file(&self.log);
        }
        if self.log_size.is_none() && !self.had_index {
            let _ = fs::remove_file(&self.index);
        }
    }
}

/// Whether what was written last is gone with the log.
pub(crate) fn has_lost_its_log(path: &Path) -> bool {
    with_suffix(path, MARK).exists() && !WalFiles::for_ledger(path).has_unfinished_log()
}

/// Nothing is to be said of a log that is gone any more.
pub(crate) fn take_mark_away(path: &Path) -> io::Result<()> {
    match fs::remove_file(with_suffix(path, MARK)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder(path),
    }
}

/// What the mark's name ends in.
pub(in crate::store) const MARK: &str = "-open";

/// An empty file that is there while the log has to be: durable when the first commit after an opening returns, and gone, durably
/// as well, before a close folds the log in. So it costs whoever writes two syncs of the folder, and whoever reads nothing.
#[derive(Debug)]
pub(in crate::store) struct WalMarker {
    ledger: PathBuf,
    is_there: AtomicBool,
}

impl WalMarker {
    /// As it was left.
    pub fn for_ledger(ledger: &Path) -> Self {
        Self { ledger: ledger.to_owned(), is_there: AtomicBool::new(with_suffix(ledger, MARK).exists()) }
    }

    /// There is something in the log. What is durable is not refused because this cannot be said: the next commit tries again.
    pub fn set(&self) {
        if self.is_there.load(Ordering::Relaxed) || !WalFiles::for_ledger(&self.ledger).has_unfinished_log() {
            return;
        }
        match fs::File::create(with_suffix(&self.ledger, MARK)).and_then(|_| sync_folder(&self.ledger)) {
            Ok(()) => self.is_there.store(true, Ordering::Relaxed),
            Err(error) => tracing::warn!(%error, "whether the list's log gets lost could not be noticed"),
        }
    }

    /// The log is about to go.
    pub fn take_away(&self) {
        if self.is_there.swap(false, Ordering::Relaxed)
            && let Err(error) = take_mark_away(&self.ledger)
        {
            tracing::warn!(%error, "the mark beside the list could not be removed");
        }
    }
}

fn sync_folder(ledger: &Path) -> io::Result<()> {
    fs::File::open(ledger.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with more at its end.
pub(in crate::store) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
