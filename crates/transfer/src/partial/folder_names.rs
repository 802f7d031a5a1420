//! Lists folders in the tests of this folder.

use std::path::Path;

/// Returns the names in a folder, sorted. Panics if the folder cannot be read.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
