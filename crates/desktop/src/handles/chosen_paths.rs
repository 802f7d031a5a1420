//! Folders that the user chose in the desktop's dialog. Commands of the page add folders and look them up.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Folders that were chosen in the desktop's dialog since Ashore started.
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
