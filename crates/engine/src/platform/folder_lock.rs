//! One engine per data folder. The operating system's file lock decides, and dies with its process; the file's text tells
//! people who holds it, and the next holder since which start of the machine the ledger has only been in our own hands.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    path::Path,
};

use crate::{
    EngineError,
    platform::atomic_file::{self, SymlinkPolicy},
};

/// The held lock; dropping it lets the folder go.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
    known_good: Option<String>,
}

impl FolderLock {
    /// Takes `data_dir` for `holder`, or says who has it.
    pub(crate) fn take(data_dir: &Path, holder: &str) -> Result<Self, EngineError> {
        let path = data_dir.join("lock");
        let io = |what: &str| {
            let what = format!("{what} {}", path.display());
            move |source| EngineError::Io { what, source }
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = atomic_file::open(&path, &mut options, SymlinkPolicy::Refused).map_err(io("Could not open the lock"))?;
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
            Err(TryLockError::Error(source)) => return Err(io("Could not lock")(source)),
        }
        let known_good = lines.next().map(str::to_owned);
        let mut write = || {
            file.rewind()?;
            file.set_len(0)?;
            write!(file, "{holder}, process {}", std::process::id())
        };
        write().map_err(io("Could not write the lock"))?;
        Ok(Self { file, known_good })
    }

    /// Whether the ledger was found to be good in this very run of the machine, which is `boot`. What ended since then was a
    /// process, and the system has kept all that it wrote: only the machine's own end can tear a file.
    pub(crate) fn is_known_good(&self, boot: Option<&str>) -> bool {
        boot.is_some_and(|boot| self.known_good.as_deref() == Some(boot.trim()))
    }

    /// The ledger is good. Where this cannot be written, it is only looked at once more.
    pub(crate) fn keep_known_good(&mut self, boot: Option<&str>) {
        if let Some(boot) = boot {
            let _ = write!(self.file, "\n{}", boot.trim());
        }
    }

    /// Lets the folder go. The text stays: it is read only while somebody holds the lock.
    pub(crate) fn release(self) {
        drop(self);
    }
}

impl Drop for FolderLock {
    /// Said, and not left to the closing of the file: a program that is just being started has it open for a moment too.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
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
    fn whoever_else_has_the_file_open_does_not_keep_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = FolderLock::take(folder.path(), "ashore get").unwrap();
        let child = first.file.try_clone().unwrap();
        drop(first);
        assert!(FolderLock::take(folder.path(), "ashore serve").is_ok());
        drop(child);
    }

    #[test]
    fn a_ledger_is_known_to_be_good_until_the_machine_starts_again_and_not_before_it_was_looked_at() {
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
