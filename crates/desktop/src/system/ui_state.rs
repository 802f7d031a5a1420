//! What the desktop shell remembers beside the ledger: where the window was, and what was said once. Losing it costs
//! nothing, so nothing here can fail.

use std::path::Path;

use ashore_pipe::WindowPlace;
use serde::{Deserialize, Serialize};

use crate::system::json_file::SmallFile;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    place: Option<WindowPlace>,
    is_maximised: bool,
    told_about_tray: bool,
    starts_at_login: bool,
}

/// The memory, kept in a small file.
#[derive(Debug)]
pub struct UiState(SmallFile<Content>);

impl UiState {
    /// Reads it from `data_dir`; empty where there is none that can be read.
    pub fn read(data_dir: &Path) -> Self {
        Self(SmallFile::read(data_dir.join("window.json")))
    }

    /// Where the window was when it did not fill the screen, and whether it did at last.
    pub fn place(&self) -> (Option<WindowPlace>, bool) {
        let content = self.0.value();
        (content.place, content.is_maximised)
    }

    /// Remembers where the window was. One that fills the screen keeps the place that it had before.
    pub fn set_place(&self, place: Option<WindowPlace>, is_maximised: bool) {
        self.0.change(|content| {
            content.place = place.or(content.place);
            content.is_maximised = is_maximised;
        });
    }

    /// True the first time ever.
    pub fn tell_about_tray(&self) -> bool {
        let mut first = false;
        self.0.change(|content| first = !std::mem::replace(&mut content.told_about_tray, true));
        first
    }

    /// Whether the file that starts Ashore with the desktop has been made.
    pub fn starts_at_login(&self) -> bool {
        self.0.value().starts_at_login
    }

    /// Remembers that it has been made, or taken away.
    pub fn set_starts_at_login(&self, starts: bool) {
        self.0.change(|content| content.starts_at_login = starts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_again_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let remembered = UiState::read(folder.path());
        assert_eq!(remembered.place(), (None, false));
        assert!(remembered.tell_about_tray());
        assert!(!remembered.tell_about_tray());
        let place = WindowPlace { x: -5, y: 7, width: 900, height: 600 };
        remembered.set_place(Some(place), false);
        let again = UiState::read(folder.path());
        assert_eq!(again.place(), (Some(place), false));
        again.set_place(None, true);
        let again = UiState::read(folder.path());
        assert_eq!(again.place(), (Some(place), true), "what it is when it does not fill the screen");
        assert!(!again.tell_about_tray());
    }
}
