//! Reports to window and command line whether and where a server listens.
//!
//! The server keeps the file locked while the setting is on. The system releases the lock when the program ends, even
//! after a crash. Thus a file without a lock was left over by an earlier program.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    marker::PhantomData,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    time::Duration,
};

use ashore_engine::atomic_file::{self, SymlinkPolicy};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::time::sleep;

/// Delay before another attempt to lock the file. A reader may have locked it for a moment.
const LOCK_AGAIN: Duration = Duration::from_millis(20);
/// Number of attempts.
const LOCK_ATTEMPTS: usize = 50;

/// State that one server of a data folder reports.
pub(crate) trait ListeningReport: Serialize + DeserializeOwned {
    /// File name in the data folder.
    const FILE: &'static str;
}

/// Whether and where the server for browsers listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ListeningState {
    /// A server listens.
    Port {
        /// Port.
        port: u16,
        /// Position of the port in the list of usual ports.
        index: usize,
    },
    /// Other programs use all of these ports.
    Taken(Vec<u16>),
}

impl ListeningReport for ListeningState {
    const FILE: &'static str = "remote-listener.json";
}

/// Locked file of the program that listens.
#[derive(Debug)]
pub(crate) struct ListeningFile<S>(File, PhantomData<S>);

impl<S: ListeningReport> ListeningFile<S> {
    /// Locks the file like [`ListeningFile::lock`]. If a reader holds the lock, tries again.
    pub(crate) async fn lock_patiently(data_dir: &Path) -> io::Result<Self> {
        for _ in 1..LOCK_ATTEMPTS {
            if let Ok(file) = Self::lock(data_dir) {
                return Ok(file);
            }
            sleep(LOCK_AGAIN).await;
        }
        Self::lock(data_dir)
    }

    /// Locks the file of `data_dir`, and empties it. Fails if another program holds the lock.
    pub(crate) fn lock(data_dir: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).mode(0o600);
        let file = atomic_file::open(&data_dir.join(S::FILE), options, SymlinkPolicy::Refused)?;
        file.try_lock()?;
        // Remove the state of an earlier program, because it is no longer true.
        file.set_len(0)?;
        Ok(Self(file, PhantomData))
    }

    /// Writes the state.
    pub(crate) fn write(&mut self, state: &S) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.rewind()?;
        self.0.write_all(&serde_json::to_vec(state)?)
    }
}

/// Returns the state; `None` if no program listens.
pub(crate) fn read<S: ListeningReport>(data_dir: &Path) -> Option<S> {
    let path = data_dir.join(S::FILE);
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
    fn state_of_server_is_known_only_while_its_file_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read::<ListeningState>(folder.path()), None);
        let mut file = ListeningFile::lock(folder.path()).unwrap();
        assert_eq!(read::<ListeningState>(folder.path()), None);
        for state in [ListeningState::Taken(vec![10_000, 20_000, 30_000]), ListeningState::Port { port: 1, index: 2 }] {
            file.write(&state).unwrap();
            assert_eq!(read(folder.path()), Some(state));
        }
        assert!(ListeningFile::<ListeningState>::lock(folder.path()).is_err());
        drop(file);
        assert_eq!(read::<ListeningState>(folder.path()), None);
        let _file = ListeningFile::<ListeningState>::lock(folder.path()).unwrap();
        assert_eq!(read::<ListeningState>(folder.path()), None);
    }
}
