//! Derives aria2's notifications from the states of downloads. [pure]
//!
//! - A start is reported when a download runs for the first time, and when it runs again after a pause. A retry is not
//!   reported as a start.
//! - If a download ends and was never seen running, its start is reported too, unless it was removed.
//! - Pausing or removing a download that was not running causes no notification.

use std::collections::HashMap;

use ashore_engine::{Registration, UniqueId};

use crate::aria2::{OWNER, gids, status::DownloadStatus};

const START: &str = "aria2.onDownloadStart";
const PAUSE: &str = "aria2.onDownloadPause";
const STOP: &str = "aria2.onDownloadStop";
const COMPLETE: &str = "aria2.onDownloadComplete";
const ERROR: &str = "aria2.onDownloadError";

/// All notifications, in the order of aria2. The last one is never sent, because it concerns BitTorrent.
pub(crate) const NOTIFICATIONS: [&str; 6] = [START, PAUSE, STOP, COMPLETE, ERROR, "aria2.onBtDownloadComplete"];

/// Notification for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aria2Notification {
    pub method: &'static str,
    pub gid: String,
    /// Whether a client of this interface added the download.
    pub is_own: bool,
}

/// States of the downloads as clients know them.
#[derive(Debug, Default)]
pub(crate) struct NotificationState {
    downloads: HashMap<UniqueId, KnownDownload>,
}

#[derive(Debug)]
struct KnownDownload {
    gid: String,
    is_own: bool,
    /// Whether the download has started, and has not paused since.
    is_started: bool,
}

impl NotificationState {
    /// Records a download that existed before the first client connected.
    pub(crate) fn know(&mut self, download: &Registration) {
        let status = DownloadStatus::from_registration(download);
        if !status.is_stopped() {
            let known = KnownDownload::new(download, status == DownloadStatus::Active);
            self.downloads.insert(download.unique_id, known);
        }
    }

    /// Returns the notifications about a download that is new or has changed.
    pub(crate) fn on_change(&mut self, download: &Registration) -> Vec<Aria2Notification> {
        let status = DownloadStatus::from_registration(download);
        if status.is_stopped() {
            // Report each end only once. A download that ended before the first client connected is not in the map.
            let Some(known) = self.downloads.remove(&download.unique_id) else { return Vec::new() };
            let start = (!known.is_started).then(|| known.report(START));
            return match status {
                DownloadStatus::Removed if known.is_started => vec![known.report(STOP)],
                DownloadStatus::Removed => Vec::new(),
                DownloadStatus::Complete => start.into_iter().chain([known.report(COMPLETE)]).collect(),
                _ => start.into_iter().chain([known.report(ERROR)]).collect(),
            };
        }
        let known = self.downloads.entry(download.unique_id).or_insert_with(|| KnownDownload::new(download, false));
        match status {
            DownloadStatus::Active if !known.is_started => {
                known.is_started = true;
                vec![known.report(START)]
            }
            DownloadStatus::Paused if known.is_started => {
                known.is_started = false;
                vec![known.report(PAUSE)]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the notifications about a download that a person removed from the list.
    pub(crate) fn on_removal(&mut self, id: UniqueId) -> Vec<Aria2Notification> {
        let known = self.downloads.remove(&id).filter(|known| known.is_started);
        known.map(|known| known.report(STOP)).into_iter().collect()
    }

    /// Returns the downloads that have not ended, as far as clients know.
    pub(crate) fn unfinished(&self) -> Vec<UniqueId> {
        self.downloads.keys().copied().collect()
    }
}

impl KnownDownload {
    fn new(download: &Registration, is_started: bool) -> Self {
        Self { gid: gids::gid_of(download), is_own: download.owner == OWNER, is_started }
    }

    fn report(&self, method: &'static str) -> Aria2Notification {
        Aria2Notification { method, gid: self.gid.clone(), is_own: self.is_own }
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{FailureReason, RegistrationResult, RegistrationState};

    use super::*;
    use crate::aria2::tests::registration;

    fn in_state(state: RegistrationState) -> Registration {
        Registration { state, ..registration() }
    }

    fn ended(failure_reason: FailureReason) -> Registration {
        let is_success = failure_reason == FailureReason::None;
        let result = if is_success { RegistrationResult::Success } else { RegistrationResult::Failure };
        Registration { state: RegistrationState::Settled, result, failure_reason, ..registration() }
    }

    /// Returns the names of the notifications that these changes cause. The prefix that all names share is omitted.
    fn names(changes: &[Registration]) -> Vec<&'static str> {
        let mut state = NotificationState::default();
        let all = changes.iter().flat_map(|change| state.on_change(change)).collect::<Vec<_>>();
        assert!(all.iter().all(|one| one.gid == registration().developer_id && one.is_own));
        all.into_iter().map(|one| one.method.trim_start_matches("aria2.onDownload")).collect()
    }

    use RegistrationState::{Paused, Running, Waiting};

    #[test]
    fn start_of_download_is_reported_again_only_after_a_pause() {
        let changes = [Waiting, Running, Running, Waiting, Running, Paused, Waiting, Running].map(in_state);
        assert_eq!(names(&changes), ["Start", "Pause", "Start"]);
    }

    #[test]
    fn pause_of_download_that_never_ran_is_not_reported() {
        assert_eq!(names(&[Waiting, Paused, Waiting].map(in_state)), Vec::<&str>::new());
    }

    #[test]
    fn end_of_download_is_reported_as_complete_or_error_or_stop() {
        assert_eq!(names(&[in_state(Running), ended(FailureReason::None)]), ["Start", "Complete"]);
        assert_eq!(names(&[in_state(Running), ended(FailureReason::BadStatus)]), ["Start", "Error"]);
        assert_eq!(names(&[in_state(Running), ended(FailureReason::Aborted)]), ["Start", "Stop"]);
        assert_eq!(names(&[in_state(Waiting), ended(FailureReason::Aborted)]), Vec::<&str>::new());
    }

    #[test]
    fn start_is_reported_before_end_even_if_download_was_never_seen_running() {
        assert_eq!(names(&[in_state(Waiting), ended(FailureReason::None)]), ["Start", "Complete"]);
        assert_eq!(names(&[in_state(Waiting), ended(FailureReason::FetchError)]), ["Start", "Error"]);
    }

    #[test]
    fn end_of_download_is_reported_only_once() {
        let end = ended(FailureReason::None);
        assert_eq!(names(&[in_state(Running), end.clone(), end]), ["Start", "Complete"]);
    }

    #[test]
    fn downloads_from_before_connection_are_not_reported_as_started() {
        let mut state = NotificationState::default();
        state.know(&in_state(Running));
        assert_eq!(state.on_change(&in_state(Running)), []);
        assert_eq!(state.unfinished(), [registration().unique_id]);
        assert_eq!(state.on_removal(registration().unique_id).len(), 1);
        assert_eq!(state.on_removal(registration().unique_id), []);
        state.know(&ended(FailureReason::None));
        assert!(state.unfinished().is_empty());
    }
}
