//! What a person is still to be told of, and how: one by one, or as one digest where it is much [pure]. What ends within a
//! moment is told together, and a digest that stands takes in what ends soon after it.

use std::time::Duration;

use ashore_engine::{Registration, UniqueId};
use tokio::time::Instant;

use crate::notifications::content::EndTally;

/// What settles within this time is told together where it is much.
const BURST: Duration = Duration::from_millis(300);

/// The same while a digest stands: it changes in front of somebody.
const GATHERING: Duration = Duration::from_secs(3);

/// More than so many within [`LATELY`] become one notification.
const MANY: usize = 4;
const LATELY: Duration = Duration::from_secs(10);

/// A clock may be set and a machine may sleep: the end of quiet hours is looked for again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// What is owed.
#[derive(Debug)]
pub struct PendingNotifications {
    owed: Vec<Registration>,
    due: Option<Instant>,
    /// So many are still told one by one.
    many: usize,
    /// It had to wait for its time.
    is_late: bool,
    lately: Lately,
}

#[derive(Debug, Default)]
struct Lately {
    at: Option<Instant>,
    tally: EndTally,
    /// Those that were told one by one.
    singles: Vec<UniqueId>,
    is_digest: bool,
}

/// How what was claimed is told.
#[derive(Debug, PartialEq)]
pub enum NotificationReceipt {
    /// Each for itself.
    Each(Vec<Registration>),
    /// All in one, which stands for these as well.
    Digest(EndTally, Vec<UniqueId>),
}

impl PendingNotifications {
    /// None yet. What was owed before Ashore started is told in one.
    pub fn new() -> Self {
        Self { owed: Vec::new(), due: None, many: 1, is_late: false, lately: Lately::default() }
    }

    /// When it is to be told.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Whether it had to wait for its time, since it was last taken.
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    /// One more; false where it is known.
    pub fn queue(&mut self, registration: Registration, now: Instant) -> bool {
        if self.owed.iter().any(|known| known.unique_id == registration.unique_id) {
            return false;
        }
        self.owed.push(registration);
        self.soon(now);
        true
    }

    /// Something is to be told when this burst is over.
    pub fn soon(&mut self, now: Instant) {
        let wait = if self.lately.is_digest { GATHERING } else { BURST };
        self.due.get_or_insert(now + wait);
    }

    /// It must wait so long, and is then told in one.
    pub fn wait(&mut self, wait: Duration, now: Instant) {
        (self.many, self.is_late) = (1, true);
        self.due = (!self.owed.is_empty()).then(|| now + wait.min(LOOK_AGAIN));
    }

    /// There may be no reason to wait any more.
    pub fn look(&mut self, now: Instant) {
        if !self.owed.is_empty() {
            self.due = Some(now);
        }
    }

    /// All of it, to be claimed.
    pub fn take(&mut self) -> Vec<Registration> {
        (self.due, self.is_late) = (None, false);
        std::mem::take(&mut self.owed)
    }

    /// How to tell `ours`, which were claimed; `digest_stands` says whether the last digest can still be seen.
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

    fn some(from: u8, count: u8) -> Vec<Registration> {
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

    /// After what was owed from before.
    fn under_way() -> PendingNotifications {
        let mut debt = PendingNotifications::new();
        assert_eq!(debt.take_notifications(Vec::new(), false, Instant::now()), NotificationReceipt::Each(Vec::new()));
        debt
    }

    fn counted(told: NotificationReceipt) -> (usize, usize) {
        match told {
            NotificationReceipt::Each(each) => (each.len(), 0),
            NotificationReceipt::Digest(tally, replaced) => (tally.count(), replaced.len()),
        }
    }

    #[test]
    fn what_was_owed_before_the_start_is_told_in_one() {
        let now = Instant::now();
        let told = PendingNotifications::new().take_notifications(some(0, 2), false, now);
        assert!(matches!(told, NotificationReceipt::Digest(tally, replaced) if tally.count() == 2 && replaced.is_empty()));
        assert!(
            matches!(PendingNotifications::new().take_notifications(some(0, 1), false, now), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn a_few_are_told_one_by_one_and_more_become_one_that_grows() {
        let (now, mut debt) = (Instant::now(), under_way());
        assert_eq!(counted(debt.take_notifications(some(0, 3), false, now)), (3, 0));
        assert!(matches!(debt.take_notifications(some(3, 1), false, later(now, 1)), NotificationReceipt::Each(_)));
        assert_eq!(counted(debt.take_notifications(some(4, 2), false, later(now, 2))), (6, 4), "it stands for the four as well");
        debt.queue(some(6, 1).remove(0), later(now, 2));
        assert_eq!(debt.due(), Some(later(now, 5)), "it does not change all the time");
        assert_eq!(counted(debt.take_notifications(some(6, 1), true, later(now, 5))), (7, 0));
    }

    #[test]
    fn who_has_put_the_digest_away_is_not_told_the_same_again() {
        let (now, mut debt) = (Instant::now(), under_way());
        assert_eq!(counted(debt.take_notifications(some(0, 9), false, now)), (9, 0));
        assert!(
            matches!(debt.take_notifications(some(9, 1), false, later(now, 1)), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn what_ends_much_later_stands_alone() {
        let (now, mut debt) = (Instant::now(), under_way());
        assert_eq!(counted(debt.take_notifications(some(0, 9), false, now)), (9, 0));
        assert!(
            matches!(debt.take_notifications(some(9, 1), true, later(now, 11)), NotificationReceipt::Each(each) if each.len() == 1)
        );
    }

    #[test]
    fn what_waited_for_the_end_of_quiet_hours_is_one() {
        let (now, mut debt) = (Instant::now(), under_way());
        for one in some(0, 2) {
            assert!(debt.queue(one.clone(), now) && !debt.queue(one, now));
        }
        debt.wait(Duration::from_secs(8 * 3600), now);
        assert!(debt.is_late());
        assert_eq!(debt.due(), Some(later(now, 60)), "a clock may be set meanwhile");
        debt.queue(some(2, 1).remove(0), later(now, 1));
        assert_eq!(debt.due(), Some(later(now, 60)), "it changes nothing about when");
        let owed = debt.take();
        assert_eq!((owed.len(), debt.due(), debt.is_late()), (3, None, false));
        assert_eq!(counted(debt.take_notifications(owed, false, later(now, 60))), (3, 0));
        debt.wait(Duration::from_secs(60), now);
        assert_eq!(debt.due(), None, "with nothing owed there is nothing to wait for");
    }
}
