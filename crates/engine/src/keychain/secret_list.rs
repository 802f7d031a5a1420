//! List of the stored secrets, in a file of the data folder. Called by `keychain`.
//!
//! - The list names every entry that the system's keychain may have. A name is written before its entry is stored, and
//!   removed after its entry is removed. Therefore no entry is left behind if the process is killed or the keychain
//!   answers late.
//! - Only one call at a time changes the keychain.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_messages::{UserMessage, message};
use serde::{Deserialize, Serialize};

use crate::{EngineError, keychain::secret_service::SecretService, platform::atomic_file};

/// Place where one secret is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KeptSecret {
    /// The keychain of the desktop contains the secret.
    System,
    /// Ashore's own file of secrets contains the secret.
    Here(String),
    /// Ashore's own file of secrets contains the secret, or there is no secret.
    ///
    /// The keychain may still contain an entry with this name, which must be removed.
    Unsettled(Option<String>),
}

/// Progress of a call that stores a secret in the keychain. The caller waits only for a limited time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StoreProgress {
    #[default]
    Open,
    /// The keychain has stored the entry, and the list records this.
    Listed,
    /// The caller no longer waits. The entry is removed again if the keychain stores it.
    Abandoned,
}

/// A call that stores a secret in the keychain.
#[derive(Debug, Default)]
pub(super) struct StoreCall(Mutex<StoreProgress>);

/// Names of the secrets, each with the place where the secret is stored. The list is in memory and in a file.
pub(super) struct SecretList {
    path: PathBuf,
    kept: Mutex<BTreeMap<String, KeptSecret>>,
    /// Lock that is held by the call that changes the keychain.
    changing: Mutex<()>,
}

impl SecretList {
    /// Loads the list. An unreadable list is an error, because rewriting it would lose its contents.
    pub fn load(path: PathBuf) -> Result<Self, EngineError> {
        let io = |source| EngineError::io(message!("disk.unread", path = &path, why = &source), source);
        let kept = match atomic_file::read(&path, atomic_file::SymlinkPolicy::Followed) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| io(error.into()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(io(error)),
        };
        Ok(Self { path, kept: Mutex::new(kept), changing: Mutex::default() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the place where a secret is stored.
    pub fn get(&self, name: &str) -> Option<KeptSecret> {
        self.names().get(name).cloned()
    }

    /// Returns all names with their places, sorted.
    pub fn all(&self) -> Vec<(String, KeptSecret)> {
        self.names().iter().map(|(name, kept)| (name.clone(), kept.clone())).collect()
    }

    /// Stores `text` in the file. Returns true if the keychain may have an entry that must be removed.
    pub fn keep_here(&self, name: &str, text: String) -> Result<bool, EngineError> {
        self.change(name, |old| match old {
            None | Some(KeptSecret::Here(_)) => Some(KeptSecret::Here(text)),
            Some(KeptSecret::System | KeptSecret::Unsettled(_)) => Some(KeptSecret::Unsettled(Some(text))),
        })?;
        Ok(matches!(self.get(name), Some(KeptSecret::Unsettled(_))))
    }

    /// Stores `text` in the keychain, after writing the name to the file. Blocks until the keychain answers.
    ///
    /// If the caller has abandoned the call, removes the entry again.
    pub fn store(&self, system: &SecretService, name: &str, text: &str, call: &StoreCall) -> Result<(), StoreFault> {
        let _alone = self.alone();
        let entry = system.entry(name).map_err(StoreFault::Keychain)?;
        if *call.progress() == StoreProgress::Abandoned {
            return self.remove_unsettled(system, name);
        }
        let before = self.get(name);
        let begun = match &before {
            // The list already names the entry.
            Some(KeptSecret::System | KeptSecret::Unsettled(_)) => before.clone(),
            Some(KeptSecret::Here(text)) => Some(KeptSecret::Unsettled(Some(text.clone()))),
            None => Some(KeptSecret::Unsettled(None)),
        };
        self.change(name, |_| begun.clone()).map_err(StoreFault::List)?;
        let stored = system.store(&entry, text);
        let is_abandoned = {
            // Hold the lock, so that the caller cannot give up while the place of the secret changes.
            let mut progress = call.progress();
            match (&stored, *progress) {
                (_, StoreProgress::Abandoned) => true,
                (Ok(()), _) => {
                    *progress = StoreProgress::Listed;
                    self.change(name, |_| Some(KeptSecret::System)).map_err(StoreFault::List)?;
                    false
                }
                (Err(_), _) => false,
            }
        };
        match stored {
            Ok(()) if is_abandoned => self.remove_unsettled(system, name),
            Ok(()) => Ok(()),
            Err(why) => {
                let had_entry = matches!(before, Some(KeptSecret::System | KeptSecret::Unsettled(_)));
                match is_abandoned {
                    true if had_entry => self.remove_unsettled(system, name)?,
                    true => self.settle(name).map_err(StoreFault::List)?,
                    false => self.change(name, |now| if now == begun { before } else { now }).map_err(StoreFault::List)?,
                }
                Err(StoreFault::Keychain(why))
            }
        }
    }

    /// Gives up a call of [`Self::store`]. If `text` is given, stores it in the file. Returns false if the keychain has
    /// already stored the secret.
    pub fn abandon(&self, name: &str, text: Option<String>, call: &StoreCall) -> Result<bool, EngineError> {
        let mut progress = call.progress();
        if *progress == StoreProgress::Listed {
            return Ok(false);
        }
        *progress = StoreProgress::Abandoned;
        if let Some(text) = text {
            self.change(name, |_| Some(KeptSecret::Unsettled(Some(text))))?;
        }
        Ok(true)
    }

    /// Forgets the secret of `name`. Returns true if the keychain may have an entry that must be removed; `None` if
    /// there was no such secret.
    pub fn forget(&self, name: &str) -> Result<Option<bool>, EngineError> {
        match self.get(name) {
            None => Ok(None),
            Some(KeptSecret::Here(_)) => self.change(name, |_| None).map(|()| Some(false)),
            Some(KeptSecret::System | KeptSecret::Unsettled(_)) => {
                self.change(name, |_| Some(KeptSecret::Unsettled(None))).map(|()| Some(true))
            }
        }
    }

    /// Removes the entry of a name in the state `Unsettled` from the keychain. Blocks until the keychain answers.
    pub fn remove(&self, system: &SecretService, name: &str) -> Result<(), StoreFault> {
        let _alone = self.alone();
        self.remove_unsettled(system, name)
    }

    fn remove_unsettled(&self, system: &SecretService, name: &str) -> Result<(), StoreFault> {
        if !matches!(self.get(name), Some(KeptSecret::Unsettled(_))) {
            return Ok(());
        }
        system.remove(name).map_err(StoreFault::Keychain)?;
        self.settle(name).map_err(StoreFault::List)
    }

    /// Records that the keychain has no entry for a name whose state was `Unsettled`.
    fn settle(&self, name: &str) -> Result<(), EngineError> {
        self.change(name, |old| match old {
            Some(KeptSecret::Unsettled(text)) => text.map(KeptSecret::Here),
            other => other,
        })
    }

    /// Changes the recorded place of a secret, both in memory and in the file. A change that cannot be written is
    /// undone.
    fn change(&self, name: &str, change: impl FnOnce(Option<KeptSecret>) -> Option<KeptSecret>) -> Result<(), EngineError> {
        // Hold the lock until the file is replaced, so that no older list replaces a newer one.
        let mut list = self.names();
        let before = list.get(name).cloned();
        let after = change(before.clone());
        if before == after {
            return Ok(());
        }
        store(&mut list, name, after);
        let bytes = serde_json::to_vec_pretty(&*list).map_err(std::io::Error::from);
        bytes.and_then(|bytes| atomic_file::replace(&self.path, &bytes)).map_err(|source| {
            store(&mut list, name, before);
            EngineError::io(message!("disk.unwritten", path = &self.path, why = &source), source)
        })
    }

    fn names(&self) -> MutexGuard<'_, BTreeMap<String, KeptSecret>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn alone(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn store(list: &mut BTreeMap<String, KeptSecret>, name: &str, kept: Option<KeptSecret>) {
    match kept {
        Some(kept) => list.insert(name.to_owned(), kept),
        None => list.remove(name),
    };
}

impl StoreCall {
    fn progress(&self) -> MutexGuard<'_, StoreProgress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reason why the keychain was not changed, or why the change was not recorded.
#[derive(Debug)]
pub(super) enum StoreFault {
    Keychain(UserMessage),
    List(EngineError),
}
