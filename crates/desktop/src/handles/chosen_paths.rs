//! Folders that the user chose in a dialog of the desktop. The page's commands add folders and look them up.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Folders that the user chose in a dialog of the desktop since Ashore started.
#[derive(Debug, Default)]
pub struct ChosenPaths(Mutex<BTreeSet<PathBuf>>);

impl ChosenPaths {
    /// Adds a chosen folder.
    pub fn add(&self, folder: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
    }

    /// Whether the user chose `folder`.
    pub fn has(&self, folder: &Path) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(folder)
    }
}
