//! Schedules the retries of file removals that could not be finished.
//!
//! While the disk of a removal is absent, the pauses between retries grow, so that a disk that never returns costs
//! almost nothing.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use crate::model::UniqueId;

/// Minimum pause before the retry of a removal whose disk is absent.
const SHORTEST: Duration = Duration::from_secs(2);
/// Maximum pause before the retry of a removal whose disk is absent.
const LONGEST: Duration = Duration::from_secs(60);

/// Registrations whose removal is not finished.
#[derive(Debug, Default)]
pub(crate) struct FileRemovals {
    waits: BTreeMap<UniqueId, Option<Wait>>,
}

/// State of a removal that waits for its disk.
#[derive(Clone, Copy, Debug)]
struct Wait {
    since: Instant,
    next: Instant,
}

impl FileRemovals {
    /// Adds the removal of a registration. The removal is due immediately.
    pub fn add(&mut self, id: UniqueId) {
        self.waits.insert(id, None);
    }

    /// Returns the registrations whose removal is due at `now`.
    pub fn due(&self, now: Instant) -> Vec<UniqueId> {
        self.waits.iter().filter(|(_, wait)| wait.is_none_or(|wait| wait.next <= now)).map(|(id, _)| *id).collect()
    }

    /// Postpones the removal of registration `id`, because the disk of its files is absent at `now`.
    ///
    /// Returns true if this is the first postponement.
    pub fn put_off(&mut self, id: UniqueId, now: Instant) -> bool {
        let Some(wait) = self.waits.get_mut(&id) else { return false };
        let since = wait.map_or(now, |wait| wait.since);
        let pause = now.saturating_duration_since(since).clamp(SHORTEST, LONGEST);
        wait.replace(Wait { since, next: now + pause }).is_none()
    }

    /// Drops the entry for `id`, because the removal is finished.
    pub fn finish(&mut self, id: UniqueId) {
        self.waits.remove(&id);
    }

    /// Returns the time from `now` to the next retry; `None` if no removal is left.
    ///
    /// Removals that wait for transfers are also retried when these transfers end.
    pub fn next(&self, now: Instant) -> Option<Duration> {
        let left = |wait: &Option<Wait>| wait.map_or(SHORTEST, |wait| wait.next.saturating_duration_since(now));
        self.waits.values().map(left).min()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn id(number: u128) -> UniqueId {
        UniqueId(Uuid::from_u128(number))
    }

    #[test]
    fn file_removal_is_due_immediately_and_stays_due_until_finished() {
        let (mut deleting, now) = (FileRemovals::default(), Instant::now());
        deleting.add(id(1));
        assert_eq!((deleting.due(now), deleting.next(now)), (vec![id(1)], Some(SHORTEST)));
        deleting.finish(id(1));
        assert_eq!((deleting.due(now), deleting.next(now)), (Vec::new(), None));
        assert!(!deleting.put_off(id(1), now) && deleting.due(now + LONGEST).is_empty(), "it is over");
    }

    #[test]
    fn removal_on_absent_disk_is_retried_at_growing_intervals() {
        let (mut deleting, begin) = (FileRemovals::default(), Instant::now());
        deleting.add(id(1));
        assert!(deleting.put_off(id(1), begin), "the first time");
        let (mut now, mut pauses) = (begin, Vec::new());
        for _ in 0..9 {
            let pause = deleting.next(now).unwrap();
            assert!(deleting.due(now + pause - SECOND).is_empty());
            now += pause;
            assert_eq!(deleting.due(now), [id(1)]);
            assert!(!deleting.put_off(id(1), now), "not the first time");
            pauses.push(pause.as_secs());
        }
        assert_eq!(pauses, [2, 2, 4, 8, 16, 32, 60, 60, 60]);
    }

    #[test]
    fn removal_does_not_wait_for_absent_disk_of_another_removal() {
        let (mut deleting, now) = (FileRemovals::default(), Instant::now());
        deleting.add(id(1));
        deleting.put_off(id(1), now);
        deleting.add(id(2));
        assert_eq!(deleting.due(now), [id(2)]);
    }
}
