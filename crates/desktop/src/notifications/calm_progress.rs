//! Decides which progress notifications are shown if the user wants few of them. [pure]
//!
//! - A download gets a progress notification after it has run for [`PATIENCE`]. Most downloads end earlier.
//! - From [`MANY`] such downloads on, one summary replaces their notifications. It stays until fewer than two of them run,
//!   so that the notifications do not alternate with it.

use std::{collections::HashMap, time::Duration};

use ashore_engine::UniqueId;
use tokio::time::Instant;

/// Time that a download runs before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(10);

/// Number of downloads from which one summary shows their progress.
const MANY: usize = 3;

/// Notification that shows the progress of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressCard {
    /// No notification.
    Hidden,
    /// A notification of its own.
    Own,
    /// The summary of all downloads.
    Summary,
}

/// Running downloads, each with the time at which it began to run.
#[derive(Debug, Default)]
pub struct CalmProgress {
    begun: HashMap<UniqueId, Instant>,
    has_summary: bool,
}

impl CalmProgress {
    /// Records that a download runs. Short waits between two attempts do not interrupt a run.
    pub fn runs(&mut self, id: UniqueId, now: Instant) {
        self.begun.entry(id).or_insert(now);
    }

    /// Records that a download was paused, has ended, or was removed.
    pub fn ends(&mut self, id: UniqueId) {
        self.begun.remove(&id);
    }

    /// Returns the downloads whose progress may be shown.
    pub fn shown(&self, now: Instant) -> impl Iterator<Item = UniqueId> {
        let is_long = move |begun: &Instant| now.saturating_duration_since(*begun) >= PATIENCE;
        self.begun.iter().filter(move |(_, begun)| is_long(begun)).map(|(id, _)| *id)
    }

    /// Returns the notification that shows the progress of the download `id`.
    pub fn card(&mut self, id: UniqueId, now: Instant) -> ProgressCard {
        let has_summary = self.has_summary(now);
        match self.shown(now).any(|shown| shown == id) {
            false => ProgressCard::Hidden,
            true if has_summary => ProgressCard::Summary,
            true => ProgressCard::Own,
        }
    }

    /// Whether one summary shows the progress of all downloads.
    pub fn has_summary(&mut self, now: Instant) -> bool {
        let least = if self.has_summary { 2 } else { MANY };
        self.has_summary = self.shown(now).count() >= least;
        self.has_summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> UniqueId {
        format!("6a2ab1c0-1111-4222-8333-4444555566{number:02x}").parse().unwrap()
    }

    #[test]
    fn progress_is_shown_after_ten_seconds() {
        let (now, mut calm) = (Instant::now(), CalmProgress::default());
        let at = |seconds| now + Duration::from_secs(seconds);
        calm.runs(id(1), now);
        assert_eq!(calm.card(id(1), at(9)), ProgressCard::Hidden);
        // The download runs again after a short wait.
        calm.runs(id(1), at(9));
        assert_eq!(calm.card(id(1), at(10)), ProgressCard::Own);
        calm.ends(id(1));
        calm.runs(id(1), at(10));
        assert_eq!(calm.card(id(1), at(11)), ProgressCard::Hidden, "it was paused");
        assert_eq!(calm.card(id(2), at(99)), ProgressCard::Hidden, "it does not run");
    }

    #[test]
    fn one_summary_shows_three_or_more_long_downloads() {
        let (now, mut calm) = (Instant::now(), CalmProgress::default());
        let at = |seconds| now + Duration::from_secs(seconds);
        [1, 2].into_iter().for_each(|number| calm.runs(id(number), now));
        calm.runs(id(3), at(5));
        assert_eq!(calm.card(id(1), at(14)), ProgressCard::Own, "the third one does not run for long");
        assert_eq!(calm.card(id(3), at(14)), ProgressCard::Hidden);
        for number in [1, 2, 3] {
            assert_eq!(calm.card(id(number), at(15)), ProgressCard::Summary);
        }
        calm.ends(id(1));
        assert_eq!(calm.card(id(2), at(16)), ProgressCard::Summary, "the summary stays for two");
        calm.ends(id(2));
        assert_eq!(calm.card(id(3), at(16)), ProgressCard::Own);
    }
}
