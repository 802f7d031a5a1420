//! What SQLite keeps beside a ledger while it is open: a log, and an index of it. Whoever only looks leaves the folder as it
//! was.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// The log and its index, as they were before anybody looked.
pub(super) struct Beside {
    log: PathBuf,
    index: PathBuf,
    log_size: Option<u64>,
    had_index: bool,
}

impl Beside {
    pub fn of(path: &Path) -> Self {
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

/// The path with more at its end.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
