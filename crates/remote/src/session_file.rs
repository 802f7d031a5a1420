//! Stores the tokens and the pending code in the data folder.
//!
//! - Window, command line and server change the file, so a change holds a lock.
//! - The file is replaced as a whole, and only its user can read it.

use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use ashore_engine::{
    UserMessage,
    atomic_file::{self, SymlinkPolicy},
};
use ashore_messages::message;

use crate::sessions::SessionBook;

/// File names in the data folder.
const FILE: &str = "remote-sessions.json";
const LOCK: &str = "remote-sessions.lock";

/// File that contains the tokens of a data folder. Methods of this type block for a moment.
#[derive(Clone, Debug)]
pub(crate) struct SessionFile {
    path: PathBuf,
    lock: PathBuf,
}

impl SessionFile {
    /// Returns the file of `data_dir`. Does not read it.
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self { path: data_dir.join(FILE), lock: data_dir.join(LOCK) }
    }

    /// Returns the content. It is empty if the file is missing or damaged; all browsers then have to be paired again.
    pub(crate) fn read(&self) -> io::Result<SessionBook> {
        let text = match atomic_file::read(&self.path, SymlinkPolicy::Refused) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(SessionBook::default()),
            read => read?,
        };
        Ok(serde_json::from_str(&text).unwrap_or_else(|error| {
            tracing::warn!(%error, "list of paired browsers is damaged; browsers must be paired again");
            SessionBook::default()
        }))
    }

    /// Returns the message for a file that cannot be read or written.
    pub(crate) fn fault(&self, error: &io::Error) -> UserMessage {
        message!("disk.unread", path = &self.path, why = error)
    }

    /// Changes the content durably. Writes nothing if `change` changes nothing.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut SessionBook) -> T) -> io::Result<T> {
        let mut options = OpenOptions::new();
        let lock = atomic_file::open(&self.lock, options.write(true).create(true).mode(0o600), SymlinkPolicy::Refused)?;
        lock.lock()?;
        let mut book = self.read()?;
        let before = book.clone();
        let result = change(&mut book);
        if book != before {
            atomic_file::replace(&self.path, &serde_json::to_vec(&book)?)?;
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;
    use crate::pairing::PendingPairing;

    #[test]
    fn session_file_is_private_and_damaged_one_counts_as_empty() {
        let folder = tempfile::tempdir().unwrap();
        let file = SessionFile::new(folder.path());
        assert_eq!(file.read().unwrap(), SessionBook::default());
        let (pairing, _) = PendingPairing::new(7, 0, 0, &mut StdRng::seed_from_u64(1));
        file.change(|book| book.pairing = Some(pairing.clone())).unwrap();
        assert_eq!(file.read().unwrap().pairing, Some(pairing));
        for name in [FILE, LOCK] {
            assert_eq!(folder.path().join(name).metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        }
        std::fs::write(folder.path().join(FILE), "{\"tokens\":").unwrap();
        assert_eq!(file.read().unwrap(), SessionBook::default());
    }

    #[test]
    fn simultaneous_changes_of_session_file_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = SessionFile::new(folder.path());
        std::thread::scope(|scope| {
            for seed in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let mut random = StdRng::seed_from_u64(seed);
                    let redeem = |book: &mut SessionBook| {
                        let (pairing, code) = PendingPairing::new(7, 0, 0, &mut random);
                        book.pairing = Some(pairing);
                        book.redeem(&code, 7, "A", 0, &mut random).is_some()
                    };
                    assert!(file.change(redeem).unwrap());
                });
            }
        });
        assert_eq!(file.read().unwrap().valid(0).count(), 8);
    }
}
