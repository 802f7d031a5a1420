//! Decides whether each result gets its own notification or several results share a summary. [pure]
//!
//! Results that arrive within a short time are shown together. While a summary is on the screen, it also includes
//! results that follow soon.

use std::time::Duration;

use ashore_engine::{Registration, UniqueId};
use tokio::time::Instant;

use crate::notifications::content::EndTally;

/// Time to collect results before a notification is shown.
const BURST: Duration = Duration::from_millis(300);

/// Time to collect results while a summary is on the screen, so that its text does not change too often.
const GATHERING: Duration = Duration::from_secs(3);

/// Maximum number of separate notifications within [`LATELY`]. If there are more results, they become a summary.
const MANY: usize = 4;
const LATELY: Duration = Duration::from_secs(10);

/// Maximum time between two checks of the quiet hours, because the clock may change and the machine may sleep.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// Registration results that the user has not been notified of.
#[derive(Debug)]
pub struct PendingNotifications {
    owed: Vec<Registration>,
    due: Option<Instant>,
    /// Maximum number of results that are shown separately.
    many: usize,
    /// Whether quiet hours delay the next notification.
    is_late: bool,
    lately: Lately,
}

#[derive(Debug, Default)]
struct Lately {
    at: Option<Instant>,
    tally: EndTally,
    /// Registrations of the results that were shown separately.
    singles: Vec<UniqueId>,
    is_digest: bool,
}

/// Form in which results are shown to the user.
#[derive(Debug, PartialEq)]
pub enum NotificationReceipt {
    /// A separate notification for each result.
    Each(Vec<Registration>),
    /// A summary of all results. It also replaces the notifications of the registrations with these ids.
    Digest(EndTally, Vec<UniqueId>),
}

impl PendingNotifications {
    /// Returns an empty collection. Results of an earlier run of Ashore become one summary.
    pub fn new() -> Self {
        Self { owed: Vec::new(), due: None, many: 1, is_late: false, lately: Lately::default() }
    }

    /// Returns the time at which the next notification is due.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Whether the notification was delayed at any time after the last [`PendingNotifications::take`].
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    /// Adds a result. Returns false if the result is already present.
    pub fn queue(&mut self, registration: Registration, now: Instant) -> bool {
        if self.owed.iter().any(|known| known.unique_id == registration.unique_id) {
            return false;
        }
        self.owed.push(registration);
        self.soon(now);
        true
    }

    /// Schedules a notification at the end of the time to collect results, unless one is already scheduled.
    pub fn soon(&mut self, now: Instant) {
        let wait = if self.lately.is_digest { GATHERING } else { BURST };
        self.due.get_or_insert(now + wait);
    }

    /// Delays the notification by `wait`, at most by [`LOOK_AGAIN`]. Its results become one summary.
    pub fn wait(&mut self, wait: Duration, now: Instant) {
        (self.many, self.is_late) = (1, true);
        self.due = (!self.owed.is_empty()).then(|| now + wait.min(LOOK_AGAIN));
    }

    /// Makes a delayed notification due now, because the reason for the delay may have ended.
    pub fn look(&mut self, now: Instant) {
        if !self.owed.is_empty() {
            self.due = Some(now);
        }
    }

    /// Removes and returns all results. The caller then claims the right to show them.
    pub fn take(&mut self) -> Vec<Registration> {
        (self.due, self.is_late) = (None, false);
        std::mem::take(&mut self.owed)
    }

    /// Chooses the form of notification for `ours`, the results that this program has the right to show.
    ///
    /// `digest_stands` is true while the last summary is on the screen.
    pub fn take_notifications(&mut self, ours: Vec<Registration>, digest_stands: bool, now: Instant) -> NotificationReceipt {
        let many = std::mem::replace(&mut self.many, MANY);
        let lately = &mut self.lately;
        let is_long_ago = lately.at.is_none_or(|at| now.saturating_duration_since(at) > LATELY);
        if is_long_ago || (lately.is_digest && !digest_stands) {
            *lately = Lately::default();
        }
        if ours.is_empty() {
            return NotificationReceipt::Each(ours);
        }
        lately.at = Some(now);
        ours.iter().for_each(|one| lately.tally.add(one));
        if lately.is_digest || lately.tally.count() > many {
            lately.is_digest = true;
            return NotificationReceipt::Digest(lately.tally.clone(), std::mem::take(&mut lately.singles));
        }
        lately.singles.extend(ours.iter().map(|one| one.unique_id));
        NotificationReceipt::Each(ours)
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::RegistrationResult;

    use super::*;
    use crate::notifications::content::tests::registration;

    fn results(from: u8, count: u8) -> Vec<Registration> {
        let one = |number: u8| Registration {
            unique_id: format!("6a2ab1c0-1111-4222-8333-4444555566{number:02x}").parse().unwrap(),
            result: RegistrationResult::Success,
            title: number.to_string(),
            ..registration()
        };
        (from..from + count).map(one).collect()
    }

    fn later(now: Instant, seconds: u64) -> Instant {
        now + Duration::from_secs(seconds)
    }

    /// Returns an empty collection, as after a start without results of an earlier run.
    fn collection_after_start() -> PendingNotifications {
        let mut debt = PendingNotifications::new();
        assert_eq!(debt.take_notifications(Vec::new(), false, Instant::now()), NotificationReceipt::Each(Vec::new()));
        debt
    }

    fn counts_of(told: NotificationReceipt) -> (usize, usize) {
        match told {
            NotificationReceipt::Each(each) => (each.len(), 0),
            NotificationReceipt::Digest(tally, replaced) => (tally.count(), replaced.len()),
        }
    }

    #[test]
    fn several_results_from_before_app_start_are_shown_in_one_summary() {
        let now = Instant::now();
        let told = PendingNotifications::new().take_notifications(results(0, 2), false, now);
        assert!(matches!(told, NotificationReceipt::Digest(tally, replaced) if tally.count() == 2 && replaced.is_empty()));
        assert!(
            matches!(PendingNotifications::new().take_notifications(results(0, 1), false, now), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn few_results_are_shown_separately_and_many_in_one_summary() {
        let (now, mut debt) = (Instant::now(), collection_after_start());
        assert_eq!(counts_of(debt.take_notifications(results(0, 3), false, now)), (3, 0));
        assert!(matches!(debt.take_notifications(results(3, 1), false, later(now, 1)), NotificationReceipt::Each(_)));
        assert_eq!(
            counts_of(debt.take_notifications(results(4, 2), false, later(now, 2))),
            (6, 4),
            "the summary includes the four earlier results"
        );
        debt.queue(results(6, 1).remove(0), later(now, 2));
        assert_eq!(debt.due(), Some(later(now, 5)), "it does not change all the time");
        assert_eq!(counts_of(debt.take_notifications(results(6, 1), true, later(now, 5))), (7, 0));
    }

    #[test]
    fn result_after_dismissed_summary_gets_separate_notification() {
        let (now, mut debt) = (Instant::now(), collection_after_start());
        assert_eq!(counts_of(debt.take_notifications(results(0, 9), false, now)), (9, 0));
        assert!(
            matches!(debt.take_notifications(results(9, 1), false, later(now, 1)), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn result_long_after_summary_gets_separate_notification() {
        let (now, mut debt) = (Instant::now(), collection_after_start());
        assert_eq!(counts_of(debt.take_notifications(results(0, 9), false, now)), (9, 0));
        assert!(
            matches!(debt.take_notifications(results(9, 1), true, later(now, 11)), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn results_of_quiet_hours_are_shown_in_one_summary() {
        let (now, mut debt) = (Instant::now(), collection_after_start());
        for one in results(0, 2) {
            assert!(debt.queue(one.clone(), now) && !debt.queue(one, now));
        }
        debt.wait(Duration::from_secs(8 * 3600), now);
        assert!(debt.is_late());
        assert_eq!(debt.due(), Some(later(now, 60)), "a clock may be set meanwhile");
        debt.queue(results(2, 1).remove(0), later(now, 1));
        assert_eq!(debt.due(), Some(later(now, 60)), "it changes nothing about when");
        let owed = debt.take();
        assert_eq!((owed.len(), debt.due(), debt.is_late()), (3, None, false));
        assert_eq!(counts_of(debt.take_notifications(owed, false, later(now, 60))), (3, 0));
        debt.wait(Duration::from_secs(60), now);
        assert_eq!(debt.due(), None, "no result is pending");
    }
}
