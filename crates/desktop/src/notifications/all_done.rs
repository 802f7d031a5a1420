//! A busy time: from the moment something runs until nothing runs or waits any more, and what ended in it [pure]. It is
//! what "all is done" is said of, and that only where it was more than one.

use std::collections::HashSet;

use ashore_engine::{ProgressTotals, Registration, RegistrationResult, RegistrationState, UniqueId};

use crate::notifications::content;

/// The busy time that is, or was last.
#[derive(Debug, Default)]
pub struct AllDoneDetector {
    phase: Phase,
    /// Most that ran or waited together.
    together: u32,
    done: usize,
    failed: usize,
    /// What a person has paused in it: that is not done.
    paused: HashSet<UniqueId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Calm,
    Busy,
    /// The last one has ended, and nobody has been told.
    Over,
}

impl AllDoneDetector {
    /// The sum of everything has changed; true when a busy time is over with that.
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

    /// How one is now.
    pub fn changed(&mut self, registration: &Registration) {
        if registration.state == RegistrationState::Paused {
            self.paused.insert(registration.unique_id);
        } else {
            self.paused.remove(&registration.unique_id);
        }
    }

    /// It is gone from the list.
    pub fn removed(&mut self, unique_id: UniqueId) {
        self.paused.remove(&unique_id);
    }

    /// One has ended; whoever aborted it knows.
    pub fn ended(&mut self, registration: &Registration) {
        if self.phase == Phase::Calm || content::settled(registration).is_none() {
            return;
        }
        match registration.result {
            RegistrationResult::Failure => self.failed += 1,
            _ => self.done += 1,
        }
    }

    /// What has ended so far was told in another way.
    pub fn forget_ends(&mut self) {
        (self.together, self.done, self.failed) = (0, 0, 0);
    }

    /// How many are done and how many failed, where a busy time is over that is worth a word. Once.
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

    fn over(result: RegistrationResult) -> Registration {
        Registration { state: RegistrationState::Settled, result, ..registration() }
    }

    #[test]
    fn it_is_over_once_when_the_last_of_several_has_ended() {
        let mut busy = AllDoneDetector::default();
        assert!(!busy.totals(&totals(0, 0)), "nothing was going on");
        assert!(!busy.totals(&totals(1, 2)));
        busy.ended(&over(RegistrationResult::Success));
        assert!(!busy.totals(&totals(0, 1)), "one waits");
        assert_eq!(busy.finish(), None);
        assert!(busy.totals(&totals(0, 0)));
        // Its word may come a moment after the sum.
        busy.ended(&over(RegistrationResult::Failure));
        assert_eq!(busy.finish(), Some((1, 1)));
        assert_eq!(busy.finish(), None);
        assert!(!busy.totals(&totals(0, 0)));
    }

    #[test]
    fn one_alone_has_its_own_notification_already() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(1, 0));
        busy.ended(&over(RegistrationResult::Success));
        assert!(busy.totals(&totals(0, 0)));
        assert_eq!(busy.finish(), None);
    }

    #[test]
    fn what_was_aborted_or_paused_is_not_done() {
        let aborted = Registration { failure_reason: FailureReason::Aborted, ..over(RegistrationResult::Failure) };
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        busy.ended(&aborted);
        busy.totals(&totals(0, 0));
        assert_eq!(busy.finish(), None);

        let paused = Registration { state: RegistrationState::Paused, ..registration() };
        for goes_on in [false, true] {
            let mut busy = AllDoneDetector::default();
            busy.totals(&totals(2, 0));
            busy.ended(&over(RegistrationResult::Success));
            busy.changed(&paused);
            if goes_on {
                busy.changed(&registration());
            }
            busy.totals(&totals(0, 0));
            assert_eq!(busy.finish().is_some(), goes_on);
        }
    }

    #[test]
    fn what_was_told_in_another_way_is_not_told_again() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        busy.ended(&over(RegistrationResult::Success));
        busy.ended(&over(RegistrationResult::Success));
        busy.forget_ends();
        assert!(busy.totals(&totals(0, 0)));
        assert_eq!(busy.finish(), None);
    }

    #[test]
    fn pausing_everything_ends_nothing() {
        let mut busy = AllDoneDetector::default();
        busy.totals(&totals(2, 0));
        assert!(!busy.totals(&ProgressTotals { paused: true, ..totals(0, 0) }));
    }
}
