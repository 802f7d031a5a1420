//! Reports to window and command line whether and where a server listens.
//!
//! The server keeps the file locked while the setting is on, and the system releases the lock when the program ends, however it
//! ends. So a file without a lock is left over.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use ashore_engine::atomic_file::{self, SymlinkPolicy};
use serde::{Deserialize, Serialize};

/// File name in the data folder.
const FILE: &str = "remote-listener.json";

/// Whether and where a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ListeningState {
    /// A server listens.
    Port {
        /// Port.
        port: u16,
        /// Position of the port among the usual ones.
        index: usize,
    },
    /// Other programs use all of these ports.
    Taken(Vec<u16>),
}

/// Locked file of the program that listens.
#[derive(Debug)]
pub(crate) struct ListeningFile(File);

impl ListeningFile {
    /// Locks the file of `data_dir`, and empties it. Fails if another program holds it.
    pub(crate) fn lock(data_dir: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).mode(0o600);
        let file = atomic_file::open(&data_dir.join(FILE), options, SymlinkPolicy::Refused)?;
        file.try_lock()?;
        // The state of an earlier program is no longer true.
        file.set_len(0)?;
        Ok(Self(file))
    }

    /// Writes the state.
    pub(crate) fn write(&mut self, state: &ListeningState) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.rewind()?;
        self.0.write_all(&serde_json::to_vec(state)?)
    }
}

/// Returns the state; `None` if no program listens.
pub(crate) fn read(data_dir: &Path) -> Option<ListeningState> {
    let path = data_dir.join(FILE);
    let mut file = atomic_file::open(&path, OpenOptions::new().read(true), SymlinkPolicy::Refused).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_known_only_while_file_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        let mut file = ListeningFile::lock(folder.path()).unwrap();
        assert_eq!(read(folder.path()), None);
        for state in [ListeningState::Taken(vec![10_000, 20_000, 30_000]), ListeningState::Port { port: 1, index: 2 }] {
            file.write(&state).unwrap();
            assert_eq!(read(folder.path()), Some(state));
        }
        assert!(ListeningFile::lock(folder.path()).is_err());
        drop(file);
        assert_eq!(read(folder.path()), None);
        let _file = ListeningFile::lock(folder.path()).unwrap();
        assert_eq!(read(folder.path()), None);
    }
}
