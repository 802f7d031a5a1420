//! Registrations that wait for their folder, each with the folder state that causes the wait. Called by `folders`.
//! [pure]
//!
//! Not persisted, because the next process queries the folders again.

use ashore_messages::message;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    folders::{FolderStanding, gate},
    model::{GateReport, UniqueId},
};

/// Registrations that wait for their folder, and exceptions that the user made.
#[derive(Debug, Default)]
pub(crate) struct FolderWaits {
    waiting: BTreeMap<UniqueId, (PathBuf, FolderStanding)>,
    /// Exceptions that the user made: these registrations may start although their folder is missing or does not
    /// answer.
    ///
    /// The value is the state of the folder that the exception covers. `None` means that the exception covers the state
    /// that is found next.
    passing: BTreeMap<UniqueId, Option<FolderStanding>>,
}

impl FolderWaits {
    pub(super) fn add(&mut self, id: UniqueId, folder: &Path, standing: FolderStanding) {
        self.waiting.insert(id, (folder.to_owned(), standing));
    }

    /// Allows `id` to start although its folder has this state.
    pub(super) fn let_through(&mut self, id: UniqueId, standing: Option<FolderStanding>) {
        self.waiting.remove(&id);
        self.passing.insert(id, standing);
    }

    /// Whether `id` may start although its folder has this state. Drops an exception that covers another state.
    pub(super) fn is_let_through(&mut self, id: UniqueId, standing: &FolderStanding) -> bool {
        let Some(wished) = self.passing.get_mut(&id) else { return false };
        let is_meant = wished.get_or_insert_with(|| standing.clone()) == standing;
        if !is_meant {
            self.passing.remove(&id);
        }
        is_meant
    }

    /// Removes the exception for `id`. Returns whether there was one.
    pub(super) fn was_let_through(&mut self, id: UniqueId) -> bool {
        self.passing.remove(&id).is_some()
    }

    /// Whether registrations other than `id` wait for `folder`.
    pub(super) fn has_others_in(&self, folder: &Path, id: UniqueId) -> bool {
        self.waiting.iter().any(|(other, (waited, _))| *other != id && waited == folder)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.waiting.values().map(|(folder, _)| folder.as_path())
    }

    /// Keeps a registration only if `still_waits` returns true for it. Returns whether any registration was released.
    pub(super) fn retain(&mut self, still_waits: impl Fn(&Path, &FolderStanding) -> bool) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|_, (folder, standing)| still_waits(folder, standing));
        before != self.waiting.len()
    }

    pub(super) fn registrations(&self) -> Vec<UniqueId> {
        self.waiting.keys().copied().collect()
    }

    /// Returns the closed gate that keeps `id` waiting.
    pub(super) fn closed(&self, id: UniqueId) -> Option<GateReport> {
        self.waiting.get(&id).map(|(folder, standing)| absent(folder, standing))
    }

    /// Returns the gates of the folders that registrations wait for, one per folder.
    ///
    /// Leaves out folders for which `is_passed_over` returns true.
    pub(super) fn gates(&self, is_passed_over: impl Fn(&Path) -> bool) -> Vec<GateReport> {
        let folders: BTreeMap<&Path, &FolderStanding> =
            self.waiting.values().map(|(folder, standing)| (folder.as_path(), standing)).collect();
        let named = folders.into_iter().filter(|(folder, _)| !is_passed_over(folder));
        named.map(|(folder, standing)| absent(folder, standing)).collect()
    }
}

/// Returns the gate of a folder that does not answer.
pub(crate) fn silent(folder: &Path) -> GateReport {
    gate::folder(message!("folder.silent", folder = folder), message!("cause.folder-silent", folder = folder))
}

fn absent(folder: &Path, standing: &FolderStanding) -> GateReport {
    let (message, cause) = match standing {
        FolderStanding::Other { .. } | FolderStanding::Same(_) => {
            (message!("folder.other", folder = folder), message!("cause.folder-other", folder = folder))
        }
        FolderStanding::NotAFolder => (message!("folder.file", folder = folder), message!("cause.folder-file", folder = folder)),
        FolderStanding::Missing | FolderStanding::Unknown => {
            (message!("folder", folder = folder), message!("cause.folder-missing", folder = folder))
        }
    };
    gate::folder(message, cause)
}
