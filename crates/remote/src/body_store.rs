//! Stored bodies: files that a program sent, and that a later download sends to another server.
//!
//! - Each body is used once, by the sender that stored it. It is removed after an hour.
//! - A body is a file in the data folder, which only its user can read. Dropping it removes the file. A killed program
//!   leaves its files behind, so the next server removes them.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempPath;

/// Beginning of the names of the server's temporary files.
pub(crate) const PREFIX: &str = ".remote-";
/// Seconds for which a body waits for its use.
pub(crate) const KEPT_FOR: u64 = 3600;
/// Maximum number of bodies that wait or are being received.
const MOST_BODIES: usize = 16;

/// Body that waits for its use.
#[derive(Debug)]
pub(crate) struct StoredBody {
    file: TempPath,
    /// Id of the device or program that sent the body.
    sender: String,
    stored_at: u64,
}

/// Bodies that were not used yet.
#[derive(Debug, Default)]
pub(crate) struct BodyStore {
    bodies: Mutex<Bodies>,
    /// Held while a download with stored bodies is added, so that a repeated request waits for the first one.
    pub(crate) adding: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Bodies {
    waiting: HashMap<String, StoredBody>,
    receiving: usize,
}

/// Place of a body that is being received. Dropping this value frees the place.
#[derive(Debug)]
pub(crate) struct BodyPlace<'a>(&'a BodyStore);

impl BodyStore {
    /// Returns a place for a body; `None` if there are too many bodies.
    pub(crate) fn place(&self, now: u64) -> Option<BodyPlace<'_>> {
        let mut bodies = self.bodies();
        bodies.waiting.retain(|_, body| body.is_kept(now));
        if bodies.waiting.len() + bodies.receiving >= MOST_BODIES {
            return None;
        }
        bodies.receiving += 1;
        Some(BodyPlace(self))
    }

    /// Removes all bodies whose time is over.
    pub(crate) fn remove_expired(&self, now: u64) {
        self.bodies().waiting.retain(|_, body| body.is_kept(now));
    }

    /// Removes and returns the body with this id. Returns `None` if `sender` has no such body.
    pub(crate) fn take(&self, id: &str, sender: &str, now: u64) -> Option<StoredBody> {
        let mut bodies = self.bodies();
        bodies.waiting.retain(|_, body| body.is_kept(now));
        bodies.waiting.get(id).filter(|body| body.sender == sender)?;
        bodies.waiting.remove(id)
    }

    /// Stores a body under its id again, because it could not be used. Removes the body if there are too many others.
    pub(crate) fn put_back(&self, id: String, body: StoredBody) {
        let mut bodies = self.bodies();
        if bodies.waiting.len() + bodies.receiving < MOST_BODIES {
            bodies.waiting.insert(id, body);
        }
    }

    fn bodies(&self) -> MutexGuard<'_, Bodies> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyPlace<'_> {
    /// Stores a body under an id that nobody can guess.
    pub(crate) fn fill(self, id: String, file: TempPath, sender: String, now: u64) {
        self.0.bodies().waiting.insert(id, StoredBody { file, sender, stored_at: now });
    }
}

impl Drop for BodyPlace<'_> {
    fn drop(&mut self) {
        self.0.bodies().receiving -= 1;
    }
}

impl StoredBody {
    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    fn is_kept(&self, now: u64) -> bool {
        // A clock that was set back must not prolong the time.
        now.checked_sub(self.stored_at).is_some_and(|age| age < KEPT_FOR)
    }
}

/// Removes the temporary files and folders of a server that was killed. Blocks for a moment.
pub(crate) fn remove_left_behind(data_dir: &Path) {
    let entries = fs::read_dir(data_dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_ours = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
    for path in entries.filter(is_ours) {
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if let Err(error) = removed {
            tracing::debug!(path = %path.display(), %error, "temporary file could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::NamedTempFile;

    use super::*;

    const NOW: u64 = 1_000_000;

    fn fill(store: &BodyStore, id: &str) -> PathBuf {
        let file = NamedTempFile::new().unwrap().into_temp_path();
        let path = file.to_path_buf();
        store.place(NOW).unwrap().fill(id.to_owned(), file, "sender".to_owned(), NOW);
        path
    }

    #[test]
    fn body_is_used_once_and_only_by_its_sender() {
        let store = BodyStore::default();
        let path = fill(&store, "a");
        assert!(store.take("a", "other", NOW).is_none() && store.take("b", "sender", NOW).is_none());
        let body = store.take("a", "sender", NOW).unwrap();
        assert!(store.take("a", "sender", NOW).is_none());
        store.put_back("a".to_owned(), body);
        drop(store.take("a", "sender", NOW).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn body_is_removed_after_an_hour() {
        let store = BodyStore::default();
        let path = fill(&store, "a");
        store.remove_expired(NOW + KEPT_FOR - 1);
        assert!(path.exists());
        store.remove_expired(NOW + KEPT_FOR);
        assert!(!path.exists());
        let path = fill(&store, "b");
        assert!(store.take("b", "sender", NOW - 1).is_none() && !path.exists(), "the clock was set back");
    }

    #[test]
    fn number_of_bodies_is_limited() {
        let store = BodyStore::default();
        let receiving = store.place(NOW);
        for number in 1..MOST_BODIES {
            fill(&store, &number.to_string());
        }
        assert!(store.place(NOW).is_none());
        let taken = store.take("1", "sender", NOW).unwrap();
        let path = taken.path().to_owned();
        fill(&store, "other");
        store.put_back("1".to_owned(), taken);
        assert!(!path.exists(), "other bodies were stored in the meantime");
        drop(receiving);
        assert!(store.place(NOW).is_some() && store.place(NOW + KEPT_FOR).is_some());
    }

    #[test]
    fn files_of_a_killed_server_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".remote-folder")).unwrap();
        for name in [".remote-file", "remote-token", "ledger"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_left_behind(folder.path());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
