//! Downloads that `ashore watch` shows, and their lines. [pure]
//!
//! The list contains the unfinished downloads that were read at the start, and every unfinished download that has changed
//! since then. A download stays in the list after it has ended.

use std::collections::HashMap;

use ashore_engine::{EngineEvent, GateReport, ProgressTotals, Registration, RegistrationState, UniqueId};
use ashore_terminal::{clean, clipped};

use crate::output::{list_table::ListTable, text, words::words};

/// Downloads that are shown, with their speeds.
#[derive(Debug, Default)]
pub struct WatchedDownloads {
    /// Downloads in the order in which they were added to this list.
    downloads: Vec<Registration>,
    speeds: HashMap<UniqueId, u64>,
    is_all_paused: bool,
    gate: Option<GateReport>,
}

/// Effect of an event on the shown downloads.
#[derive(Debug, PartialEq)]
pub enum WatchedChange {
    /// The state of this download changed, or the download is new.
    State(UniqueId),
    /// Only the progress of this download changed.
    Progress(UniqueId),
    /// This download is not in the list yet. The caller must read it from the engine.
    Unknown(UniqueId),
    /// Events were lost. The caller must read all downloads again.
    Lagged,
    /// No state and no progress changed.
    Nothing,
}

impl WatchedDownloads {
    /// Replaces all downloads and totals.
    pub fn reset(&mut self, downloads: Vec<Registration>, totals: ProgressTotals) {
        self.downloads = downloads;
        self.speeds.clear();
        self.on_totals(totals);
    }

    /// Applies an event, and returns its effect.
    pub fn apply(&mut self, event: EngineEvent) -> WatchedChange {
        match event {
            EngineEvent::Changed { registration } | EngineEvent::Owed { registration } | EngineEvent::Ended { registration } => {
                self.insert(*registration)
            }
            EngineEvent::Progress { unique_id, downloaded, uploaded, expected_total, speed, .. } => {
                let Some(known) = self.downloads.iter_mut().find(|one| one.unique_id == unique_id) else {
                    return WatchedChange::Unknown(unique_id);
                };
                (known.downloaded, known.uploaded, known.expected_total) = (downloaded, uploaded, expected_total);
                self.speeds.insert(unique_id, speed);
                WatchedChange::Progress(unique_id)
            }
            EngineEvent::Removed { unique_id, .. } => {
                self.downloads.retain(|one| one.unique_id != unique_id);
                self.speeds.remove(&unique_id);
                WatchedChange::Nothing
            }
            EngineEvent::Totals { totals } => {
                self.on_totals(totals);
                WatchedChange::Nothing
            }
            EngineEvent::Lagged => WatchedChange::Lagged,
            EngineEvent::Clicked { .. } | EngineEvent::Settings | EngineEvent::Sync => WatchedChange::Nothing,
        }
    }

    /// Adds or replaces a download. A download that has ended is replaced, but not added.
    pub fn insert(&mut self, registration: Registration) -> WatchedChange {
        let unique_id = registration.unique_id;
        if registration.state != RegistrationState::Running {
            self.speeds.remove(&unique_id);
        }
        match self.downloads.iter_mut().find(|one| one.unique_id == unique_id) {
            Some(known) => {
                let before = (known.state, known.waiting_for.clone());
                *known = registration;
                match (known.state, known.waiting_for.clone()) == before {
                    true => WatchedChange::Progress(unique_id),
                    false => WatchedChange::State(unique_id),
                }
            }
            None if registration.is_settled() => WatchedChange::Nothing,
            None => {
                self.downloads.push(registration);
                WatchedChange::State(unique_id)
            }
        }
    }

    /// Returns a download with its speed in bytes per second.
    pub fn get(&self, id: UniqueId) -> Option<(&Registration, u64)> {
        let found = self.downloads.iter().find(|one| one.unique_id == id)?;
        Some((found, self.speed(found)))
    }

    /// Returns all downloads.
    pub fn all(&self) -> &[Registration] {
        &self.downloads
    }

    /// Returns all running downloads.
    pub fn running(&self) -> impl Iterator<Item = &Registration> {
        self.downloads.iter().filter(|one| one.state == RegistrationState::Running)
    }

    /// Returns the plain line about a download.
    pub fn line(&self, registration: &Registration) -> String {
        let id = &registration.unique_id.to_string()[..8];
        let (title, share) = (clean(&registration.title), text::share(registration));
        let progress = text::progress(registration, self.speed(registration), self.is_all_paused);
        format!("{id}  {title}: {share}{}{progress}", text::BETWEEN)
    }

    /// Returns the lines for a terminal: running downloads first, then waiting and paused ones, then those that ended.
    ///
    /// Returns at most `rows` lines. The last lines show the number of downloads that are left out, the reason that holds
    /// back all downloads, and the key that ends the watch.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let mut end = Vec::new();
        if let Some(gate) = &self.gate {
            end.extend(ashore_terminal::wrapped(&text::with_cure(&gate.message()), columns).lines().map(str::to_owned));
        }
        end.push(clipped(&words!("cli-watch-end"), columns));
        let table = ListTable::new(self.running().next().is_some(), Some(columns));
        let mut lines: Vec<String> = table.heads().into_iter().collect();
        let room = rows.saturating_sub(end.len() + 1);
        let mut shown: Vec<&Registration> = self.downloads.iter().collect();
        shown.sort_by_key(|one| rank(one));
        let mut left_out = 0_usize;
        for registration in &shown {
            let row = table.row(registration, self.speed(registration), self.gate.as_ref());
            match left_out == 0 && lines.len() + row.len() <= room {
                true => lines.extend(row),
                false => left_out += 1,
            }
        }
        if shown.is_empty() {
            lines = vec![words!("nothing-running")];
        }
        if left_out > 0 {
            lines.push(clipped(&words!("cli-watch-more", count = left_out), columns));
        }
        lines.extend(end);
        lines.truncate(rows);
        lines
    }

    fn speed(&self, registration: &Registration) -> u64 {
        self.speeds.get(&registration.unique_id).copied().unwrap_or_default()
    }

    fn on_totals(&mut self, totals: ProgressTotals) {
        (self.is_all_paused, self.gate) = (totals.paused, totals.gate);
    }
}

fn rank(registration: &Registration) -> u8 {
    match registration.state {
        RegistrationState::Running => 0,
        RegistrationState::Waiting => 1,
        RegistrationState::Paused => 2,
        RegistrationState::Settled => 3,
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::output::text::tests::registration;

    fn numbered(number: u32, state: RegistrationState) -> Registration {
        let unique_id = UniqueId(format!("1b9d6bcd-bbfd-4b2d-9b5d-{number:012}").parse().unwrap());
        Registration { unique_id, title: format!("file-{number}.iso"), state, ..registration() }
    }

    fn changed(registration: Registration) -> EngineEvent {
        EngineEvent::Changed { registration: Box::new(registration) }
    }

    #[test]
    fn event_is_classified_by_its_effect() {
        let mut watched = WatchedDownloads::default();
        let one = numbered(1, RegistrationState::Waiting);
        let id = one.unique_id;
        assert_eq!(watched.apply(changed(one.clone())), WatchedChange::State(id));
        assert_eq!(watched.apply(changed(one.clone())), WatchedChange::Progress(id));
        let running = Registration { state: RegistrationState::Running, ..one.clone() };
        assert_eq!(watched.apply(changed(running)), WatchedChange::State(id));
        let progress = |unique_id| EngineEvent::Progress {
            unique_id,
            owner: String::new(),
            downloaded: 5,
            uploaded: 0,
            expected_total: 10,
            speed: 3,
        };
        assert_eq!(watched.apply(progress(id)), WatchedChange::Progress(id));
        assert_eq!(watched.get(id).map(|(found, speed)| (found.downloaded, speed)), Some((5, 3)));
        let other = numbered(2, RegistrationState::Running).unique_id;
        assert_eq!(watched.apply(progress(other)), WatchedChange::Unknown(other));
        assert_eq!(watched.apply(EngineEvent::Lagged), WatchedChange::Lagged);
        assert_eq!(watched.apply(changed(numbered(3, RegistrationState::Settled))), WatchedChange::Nothing);
        watched.apply(EngineEvent::Removed { unique_id: id, owner: String::new() });
        assert!(watched.get(id).is_none());
    }

    #[test]
    fn running_downloads_come_first_and_omitted_ones_are_counted() {
        let states = [RegistrationState::Paused, RegistrationState::Waiting, RegistrationState::Running];
        let mut downloads: Vec<_> = (1..).zip(states).map(|(number, state)| numbered(number, state)).collect();
        downloads.extend((4..20).map(|number| numbered(number, RegistrationState::Waiting)));
        let mut watched = WatchedDownloads::default();
        watched.reset(downloads, ProgressTotals::default());
        let lines = watched.lines(80, 8);
        assert_eq!(lines.len(), 8);
        assert!(lines[1].ends_with("file-3.iso") && lines[2].ends_with("file-2.iso"), "{lines:?}");
        assert!(lines[6].contains("14 more"), "{lines:?}");
        assert!(lines[7].contains("Ctrl-C"), "{lines:?}");
        for columns in [40, 80, 120] {
            assert!(watched.lines(columns, 12).iter().all(|line| line.width() <= columns), "{columns}");
        }
    }

    #[test]
    fn watch_without_downloads_shows_message() {
        let lines = WatchedDownloads::default().lines(80, 24);
        assert_eq!(lines[0], "No running downloads.");
    }
}
