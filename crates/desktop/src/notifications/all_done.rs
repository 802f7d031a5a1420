//! Detects the end of a busy period, for the notification "all is done". [pure]
//!
//! A busy period begins with the first running download, and ends when no download runs or waits. The notification is
//! shown only if the period had more than one download.

use std::collections::HashSet;

use ashore_engine::{ProgressTotals, Registration, RegistrationResult, RegistrationState, UniqueId};

use crate::notifications::content;

/// Current busy period, or the last one while nothing runs.
#[derive(Debug, Default)]
pub struct AllDoneDetector {
    phase: Phase,
    /// Maximum number of simultaneously running or waiting registrations in this period.
    together: u32,
    done: usize,
    failed: usize,
    /// Registrations that the user paused. They do not count as done.
    paused: HashSet<UniqueId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Calm,
    Busy,
    /// The period is over, but its notification has not been shown.
    Over,
}

impl AllDoneDetector {
    /// Applies new totals. Returns true if a busy period ends.
    pub fn totals(&mut self, totals: &ProgressTotals) -> bool {
        if totals.running > 0 && self.phase != Phase::Busy {
            *self = Self { phase: Phase::Busy, ..Self::default() };
        }
        self.together = self.together.max(totals.running + totals.waiting);
        let is_idle = totals.running == 0 && totals.waiting == 0 && !totals.paused;
        if self.phase != Phase::Busy || !is_idle {
            return false;
        }
        self.phase = Phase::Over;
        true
    }

    /// Applies a change of a registration.
    pub fn changed(&mut self, registration: &Registration) {
        if registration.state == RegistrationState::Paused {
            self.paused.insert(registration.unique_id);
        } else {
            self.paused.remove(&registration.unique_id);
        }
    }

    pub fn removed(&mut self, unique_id: UniqueId) {
        self.paused.remove(&unique_id);
    }

    /// Counts a settled registration, unless the user aborted it.
    pub fn ended(&mut self, registration: &Registration) {
        if self.phase == Phase::Calm || content::settled(registration).is_none() {
            return;
        }
        match registration.result {
            RegistrationResult::Failure => self.failed += 1,
            _ => self.done += 1,
        }
    }

    /// Resets the counters, because another notification already shows these results.
    pub fn forget_ends(&mut self) {
        (self.together, self.done, self.failed) = (0, 0, 0);
    }

    /// Returns the numbers of succeeded and failed registrations, once after each busy period.
    ///
    /// Returns `None` during the period, after a period with a single registration, and while registrations are paused.
    pub fn finish(&mut self) -> Option<(usize, usize)> {
        if self.phase != Phase::Over {
            return None;
        }
        let Self { together, done, failed, paused, .. } = std::mem::take(self);
        let were_several = together > 1 || done + failed > 1;
        (were_several && done + failed > 0 && paused.is_empty()).then_some((done, failed))
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::FailureReason;

    use super::*;
    use crate::notifications::content::tests::registration;

    fn totals(running: u32, waiting: u32) -> ProgressTotals {
        ProgressTotals { running, waiting, ..ProgressTotals::default() }
    }

    fn settled(result: RegistrationResult) -> Registration {
        Registration { state: RegistrationState::Settled, result, ..registration() }
    }

    #[test]
    fn summary_after_last_of_several_downloads_is_shown_once() {
        let mut busy = AllDoneDetector::default();
        assert!(!busy.totals(&totals(0, 0)), "no download was running");
        assert!(!busy.totals(&totals(1, 2)));
        busy.ended(&settled(RegistrationResult::Success));
        assert!(!busy.totals(&totals(0, 1)), "one waits");
        assert_eq!(busy.finish(), None);
        assert!(busy.totals(&totals(0, 0)));
        // The end event may arrive shortly after the totals.
        busy.ended(&settled(RegistrationResult::Failure));
        assert_eq!(busy.finish(), Some((1, 1)));
        assert_eq!(busy.finish(), None);
        assert!(!busy.totals(&totals(0, 0)));
    }

    #[test]
    fn no_summary_is_shown_after_a_single_download() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(1, 0));
        busy.ended(&settled(RegistrationResult::Success));
        assert!(busy.totals(&totals(0, 0)));
        assert_eq!(busy.finish(), None);
    }

    #[test]
    fn no_summary_is_shown_if_a_download_was_aborted_or_stays_paused() {
        let aborted = Registration { failure_reason: FailureReason::Aborted, ..settled(RegistrationResult::Failure) };
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        busy.ended(&aborted);
        busy.totals(&totals(0, 0));
        assert_eq!(busy.finish(), None);

        let paused = Registration { state: RegistrationState::Paused, ..registration() };
        for goes_on in [false, true] {
            let mut busy = AllDoneDetector::default();
            busy.totals(&totals(2, 0));
            busy.ended(&settled(RegistrationResult::Success));
            busy.changed(&paused);
            if goes_on {
                busy.changed(&registration());
            }
            busy.totals(&totals(0, 0));
            assert_eq!(busy.finish().is_some(), goes_on);
        }
    }

    #[test]
    fn no_summary_is_shown_if_another_notification_shows_the_results() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        busy.ended(&settled(RegistrationResult::Success));
        busy.ended(&settled(RegistrationResult::Success));
        busy.forget_ends();
        assert!(busy.totals(&totals(0, 0)));
        assert_eq!(busy.finish(), None);
    }

    #[test]
    fn pause_of_everything_does_not_count_as_end_of_all_downloads() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        assert!(!busy.totals(&ProgressTotals { paused: true, ..totals(0, 0) }));
    }
}
