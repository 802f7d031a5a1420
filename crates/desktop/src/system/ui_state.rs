//! State of the desktop program, stored next to the ledger.
//!
//! Contains the place of the window, the hints that were already shown, and the servers that run together with this
//! program. Losing this state is harmless, because nothing then listens. Therefore, errors are ignored.

use std::path::Path;

use ashore_pipe::WindowPlace;
use ashore_remote::SwitchPosition;
use serde::{Deserialize, Serialize};

use crate::system::json_file::SmallFile;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    place: Option<WindowPlace>,
    is_maximised: bool,
    told_about_tray: bool,
    starts_at_login: bool,
    server: KeptServer,
    remote: SwitchPosition,
}

/// Sync server of this machine. Port and address are stored permanently, because the other machines know them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptServer {
    /// Whether the server runs whenever this program runs.
    pub is_kept: bool,
    /// Listening port of the server; `None` before its first start.
    pub port: Option<u16>,
    /// Host and port at which other machines reach the server. Empty before the first start of the server.
    pub address: String,
}

/// State in a small file.
#[derive(Debug)]
pub struct UiState(SmallFile<Content>);

impl UiState {
    /// Reads the state from `data_dir`. Returns the default state if the file cannot be read.
    pub fn read(data_dir: &Path) -> Self {
        Self(SmallFile::read(data_dir.join("window.json")))
    }

    /// Returns the place of the window, and whether the window was maximised when it closed.
    ///
    /// If the window was maximised, the place is the one that it had before it was maximised.
    pub fn place(&self) -> (Option<WindowPlace>, bool) {
        let content = self.0.value();
        (content.place, content.is_maximised)
    }

    /// Stores the place of the window. A maximised window has no place of its own, so the earlier place stays.
    pub fn set_place(&self, place: Option<WindowPlace>, is_maximised: bool) {
        self.0.change(|content| {
            content.place = place.or(content.place);
            content.is_maximised = is_maximised;
        });
    }

    /// Returns true only at the first call for this data folder, even across restarts.
    pub fn tell_about_tray(&self) -> bool {
        let mut first = false;
        self.0.change(|content| first = !std::mem::replace(&mut content.told_about_tray, true));
        first
    }

    /// Whether this program created the autostart file.
    pub fn starts_at_login(&self) -> bool {
        self.0.value().starts_at_login
    }

    /// Stores whether this program created the autostart file.
    pub fn set_starts_at_login(&self, starts: bool) {
        self.0.change(|content| content.starts_at_login = starts);
    }

    /// Returns the sync server that this program keeps running.
    pub fn server(&self) -> KeptServer {
        self.0.value().server
    }

    /// Stores the sync server that this program keeps running.
    pub fn set_server(&self, server: KeptServer) {
        self.0.change(|content| content.server = server);
    }

    /// Returns the position of the switch for other devices.
    pub fn remote(&self) -> SwitchPosition {
        self.0.value().remote
    }

    /// Stores the position of the switch for other devices.
    pub fn set_remote(&self, position: SwitchPosition) {
        self.0.change(|content| content.remote = position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_position_survives_restart_but_tray_hint_appears_only_once() {
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
        assert_eq!(again.place(), (Some(place), true), "the place of the window when it is not maximised");
        assert!(!again.tell_about_tray());
    }
}
