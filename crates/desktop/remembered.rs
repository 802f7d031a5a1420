//! What the desktop shell remembers beside the ledger: where the window was, and what was said once. Losing it costs
//! nothing, so nothing here can fail.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ashore_pipe::Place;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    place: Option<Place>,
    is_maximised: bool,
    told_about_tray: bool,
    starts_at_login: bool,
}

/// The memory, kept in a small file.
#[derive(Debug)]
pub struct Remembered {
    path: PathBuf,
    content: Mutex<Content>,
}

impl Remembered {
    /// Reads it from `data_dir`; empty where there is none that can be read.
    pub fn read(data_dir: &Path) -> Self {
        let path = data_dir.join("window.json");
        let content = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { path, content: Mutex::new(content) }
    }

    /// Where the window was when it did not fill the screen, and whether it did at last.
    pub fn place(&self) -> (Option<Place>, bool) {
        let content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        (content.place, content.is_maximised)
    }

    /// Remembers where the window was. One that fills the screen keeps the place that it had before.
    pub fn set_place(&self, place: Option<Place>, is_maximised: bool) {
        self.change(|content| {
            content.place = place.or(content.place);
            content.is_maximised = is_maximised;
        });
    }

    /// True the first time ever.
    pub fn tell_about_tray(&self) -> bool {
        let mut first = false;
        self.change(|content| first = !std::mem::replace(&mut content.told_about_tray, true));
        first
    }

    /// Whether the file that starts Ashore with the desktop has been made.
    pub fn starts_at_login(&self) -> bool {
        self.content.lock().unwrap_or_else(PoisonError::into_inner).starts_at_login
    }

    /// Remembers that it has been made, or taken away.
    pub fn set_starts_at_login(&self, starts: bool) {
        self.change(|content| content.starts_at_login = starts);
    }

    #[expect(clippy::disallowed_methods, reason = "the file is Ashore's own, and the new one is meant to replace it")]
    fn change(&self, change: impl FnOnce(&mut Content)) {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        let before = content.clone();
        change(&mut content);
        if *content == before {
            return;
        }
        let written = serde_json::to_vec(&*content).map_err(std::io::Error::from).and_then(|bytes| {
            // Whole or not at all.
            let new = self.path.with_extension("json.new");
            fs::write(&new, bytes)?;
            fs::rename(&new, &self.path)
        });
        if let Err(error) = written {
            tracing::debug!(%error, "the window's place was not remembered");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_again_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let remembered = Remembered::read(folder.path());
        assert_eq!(remembered.place(), (None, false));
        assert!(remembered.tell_about_tray());
        assert!(!remembered.tell_about_tray());
        let place = Place { x: -5, y: 7, width: 900, height: 600 };
        remembered.set_place(Some(place), false);
        let again = Remembered::read(folder.path());
        assert_eq!(again.place(), (Some(place), false));
        again.set_place(None, true);
        let again = Remembered::read(folder.path());
        assert_eq!(again.place(), (Some(place), true), "what it is when it does not fill the screen");
        assert!(!again.tell_about_tray());
    }

    #[test]
    fn a_file_that_makes_no_sense_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("window.json"), "{\"place\": 7").unwrap();
        assert_eq!(Remembered::read(folder.path()).place(), (None, false));
    }
}
