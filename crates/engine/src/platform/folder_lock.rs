//! Locks a data folder for a single engine.
//!
//! - The file lock of the operating system decides. It ends when the process that holds it ends.
//! - The first line of the lock file names that process, for the error message of a second engine.
//! - The second line is the id of the boot during which the ledger was checked and found undamaged. During the same
//!   boot, the next process need not check the ledger again.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    path::Path,
};

use ashore_messages::message;

use crate::{
    EngineError,
    platform::atomic_file::{self, SymlinkPolicy},
};

/// Lock on a data folder. Released when dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
    known_good: Option<String>,
}

impl FolderLock {
    /// Locks `data_dir` for the process named `holder`.
    ///
    /// Fails with the name of the other process if the folder is already locked.
    pub(crate) fn take(data_dir: &Path, holder: &str) -> Result<Self, EngineError> {
        let path = data_dir.join("lock");
        let io = |source| EngineError::io(message!("disk.lock", path = &path, why = &source), source);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = atomic_file::open(&path, &mut options, SymlinkPolicy::Refused).map_err(io)?;
        let locked = file.try_lock();
        let mut text = String::new();
        let _ = file.read_to_string(&mut text);
        let mut lines = text.lines().map(str::trim);
        let last = lines.next().filter(|holder| !holder.is_empty()).unwrap_or("another program");
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(EngineError::Held { path: data_dir.to_owned(), holder: last.to_owned() });
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let known_good = lines.next().map(str::to_owned);
        let mut write = || {
            file.rewind()?;
            file.set_len(0)?;
            write!(file, "{holder}, process {}", std::process::id())
        };
        write().map_err(io)?;
        Ok(Self { file, known_good })
    }

    /// Returns whether the ledger was already found undamaged during `boot`, the current boot.
    ///
    /// Processes may have ended since that check, but the system keeps everything that a process has written. Only a
    /// stop of the machine itself can damage the file.
    pub(crate) fn is_known_good(&self, boot: Option<&str>) -> bool {
        boot.is_some_and(|boot| self.known_good.as_deref() == Some(boot.trim()))
    }

    /// Records in the lock file that the ledger is undamaged.
    ///
    /// If the write fails, the only consequence is another check of the ledger.
    pub(crate) fn keep_known_good(&mut self, boot: Option<&str>) {
        if let Some(boot) = boot {
            let _ = write!(self.file, "\n{}", boot.trim());
        }
    }

    /// Releases the folder.
    ///
    /// Leaves the text in the file, because other processes ignore the text unless the lock is held.
    pub(crate) fn release(self) {
        drop(self);
    }
}

impl Drop for FolderLock {
    /// Unlock explicitly, because a child process may have inherited the open file during its start.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_folder_lock_fails_and_reports_holder_of_first_lock() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path(), "the Ashore window").unwrap();
        let Err(EngineError::Held { holder, .. }) = FolderLock::take(folder.path(), "ashore serve") else {
            panic!("taken twice")
        };
        assert!(holder.starts_with("the Ashore window, process "), "{holder}");
        first.release();
        assert!(FolderLock::take(folder.path(), "ashore serve").is_ok());
    }

    #[test]
    fn folder_lock_is_released_even_if_file_descriptor_was_duplicated() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path(), "ashore get").unwrap();
        let child = first.file.try_clone().unwrap();
        drop(first);
        assert!(FolderLock::take(folder.path(), "ashore serve").is_ok());
        drop(child);
    }

    #[test]
    fn mark_that_ledger_is_undamaged_is_valid_only_until_the_machine_is_restarted() {
        let folder = tempfile::tempdir().unwrap();
        let take = || FolderLock::take(folder.path(), "ashore serve").unwrap();
        let mut lock = take();
        assert!(!lock.is_known_good(Some("one\n")));
        lock.keep_known_good(Some("one\n"));
        let Err(EngineError::Held { holder, .. }) = FolderLock::take(folder.path(), "ashore get") else { panic!("taken twice") };
        assert!(holder.starts_with("ashore serve, process ") && !holder.contains("one"), "{holder}");
        drop(lock);
        let lock = take();
        assert!(lock.is_known_good(Some("one")) && !lock.is_known_good(Some("two")) && !lock.is_known_good(None));
        drop(lock);
        assert!(!take().is_known_good(Some("one")), "the last one did not say that it was good");
    }
}
