//! Stores a value as JSON in a small file of the data folder. Losing the value is harmless, so errors are ignored.

use std::{
    fmt::Debug,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_engine::atomic_file::{self, SymlinkPolicy};
use serde::{Serialize, de::DeserializeOwned};

/// Value with the file that stores it.
#[derive(Debug)]
pub struct SmallFile<T> {
    path: PathBuf,
    value: Mutex<T>,
}

impl<T: Clone + Default + PartialEq + Serialize + DeserializeOwned> SmallFile<T> {
    /// Reads the file at `path`. Returns the default value if the file cannot be read.
    pub fn read(path: PathBuf) -> Self {
        let kept = atomic_file::read(&path, SymlinkPolicy::Refused).ok().and_then(|text| serde_json::from_str(&text).ok());
        Self { path, value: Mutex::new(kept.unwrap_or_default()) }
    }

    /// Returns the value.
    pub fn value(&self) -> T {
        self.locked().clone()
    }

    /// Changes the value, and writes the file if the value has changed.
    pub fn change(&self, change: impl FnOnce(&mut T)) {
        let mut value = self.locked();
        let before = value.clone();
        change(&mut value);
        if *value == before {
            return;
        }
        let bytes = serde_json::to_vec(&*value).map_err(std::io::Error::from);
        if let Err(error) = bytes.and_then(|bytes| atomic_file::replace_soon(&self.path, &bytes)) {
            tracing::debug!(%error, path = %self.path.display(), "state file could not be written");
        }
    }

    fn locked(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn unreadable_json_file_yields_default_value_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let refused: [(&str, &dyn Fn()); 4] = [
            ("no JSON", &|| fs::write(&path, "{").unwrap()),
            ("pipe", &|| mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap()),
            ("link", &|| {
                fs::write(folder.path().join("other"), "7").unwrap();
                std::os::unix::fs::symlink(folder.path().join("other"), &path).unwrap();
            }),
            ("nothing", &|| {}),
        ];
        for (what, place) in refused {
            place();
            let file = SmallFile::<u32>::read(path.clone());
            assert_eq!(file.value(), 0, "{what}");
            file.change(|value| *value = 9);
            assert_eq!(SmallFile::<u32>::read(path.clone()).value(), 9, "{what}");
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(fs::read_to_string(folder.path().join("other")).unwrap(), "7", "the link is replaced, not followed");
    }
}
