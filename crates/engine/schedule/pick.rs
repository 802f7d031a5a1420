//! How many more may start, and from which hosts not. [pure]
//!
//! The order itself (priority, first come first served, index) is the ledger's: it is an index there, and a query never
//! reads a request it does not hand out.

use std::collections::HashMap;

/// From so many at once on, files whose bytes have all come make room for others while they wait for disk and ledger:
/// those write down many in one go, and the network need not wait for them.
const CROWD: u32 = 16;
/// So many times the limit may be under way then, so that a slow disk fills no memory and a kill costs little.
const UNDER_WAY: u32 = 4;

/// What runs now, by host, and which hosts asked to be left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Load {
    running: HashMap<i64, u32>,
    total: u32,
    landing: u32,
    resting: HashMap<i64, i64>,
}

impl Load {
    /// One more transfer from `host`.
    pub(crate) fn started(&mut self, host: i64) {
        *self.running.entry(host).or_default() += 1;
        self.total += 1;
    }

    /// Everything has come of one from `host`: it has no more to do with the network.
    pub(crate) fn fetched(&mut self, host: i64) {
        self.landing += u32::from(self.leave(host));
    }

    /// One fewer.
    pub(crate) fn ended(&mut self, host: i64, is_fetched: bool) {
        if is_fetched {
            self.landing = self.landing.saturating_sub(1);
        } else {
            self.leave(host);
        }
    }

    fn leave(&mut self, host: i64) -> bool {
        let Some(count) = self.running.get_mut(&host) else { return false };
        *count -= 1;
        if *count == 0 {
            self.running.remove(&host);
        }
        self.total -= 1;
        true
    }

    /// `host` answered that it is overloaded: nothing of it starts before `until_us`.
    pub(crate) fn rest(&mut self, host: i64, until_us: i64) {
        let until = self.resting.entry(host).or_insert(until_us);
        *until = (*until).max(until_us);
    }

    /// A person says that `hosts` have rested enough.
    pub(crate) fn wake(&mut self, hosts: &[i64]) {
        self.resting.retain(|host, _| !hosts.contains(host));
    }

    /// May anything start at all?
    pub(crate) fn has_room(&self, parallel: u32) -> bool {
        let most = if parallel < CROWD { parallel } else { parallel.saturating_mul(UNDER_WAY) };
        self.total < parallel && self.total + self.landing < most
    }

    /// How many more may start from `host`.
    pub(crate) fn room(&self, host: i64, parallel: u32, per_host: u32) -> u32 {
        let here = self.running.get(&host).copied().unwrap_or_default();
        parallel.saturating_sub(self.total).min(per_host.saturating_sub(here))
    }

    /// The hosts from which nothing may start now.
    pub(crate) fn closed_hosts(&mut self, per_host: u32, now_us: i64) -> Vec<i64> {
        self.resting.retain(|_, until| *until > now_us);
        let full = self.running.iter().filter(|(_, count)| **count >= per_host).map(|(host, _)| *host);
        let mut closed: Vec<i64> = full.chain(self.resting.keys().copied()).collect();
        closed.sort_unstable();
        closed.dedup();
        closed
    }

    /// When the next resting host wakes, µs. One that has woken already is no reason to look again.
    pub(crate) fn next_wake(&self, now_us: i64) -> Option<i64> {
        self.resting.values().filter(|until| **until > now_us).min().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_host_is_closed_until_one_of_its_transfers_ends() {
        let mut load = Load::default();
        load.started(1);
        load.started(1);
        load.started(2);
        assert_eq!(load.closed_hosts(2, 0), [1]);
        assert!(load.has_room(4) && !load.has_room(3));
        assert_eq!((load.room(1, 9, 2), load.room(2, 9, 2), load.room(3, 4, 2)), (0, 1, 1));
        load.ended(1, false);
        assert!(load.closed_hosts(2, 0).is_empty());
        assert!(load.has_room(3));
    }

    #[test]
    fn in_a_crowd_what_has_come_makes_room_up_to_a_limit_of_its_own() {
        let mut load = Load::default();
        for _ in 0..CROWD * UNDER_WAY {
            load.started(1);
            load.fetched(1);
        }
        assert!(load.closed_hosts(1, 0).is_empty());
        assert!(!load.has_room(CROWD), "the disk is far behind");
        load.ended(1, true);
        assert!(load.has_room(CROWD));
        let mut few = Load::default();
        for _ in 0..CROWD - 1 {
            few.started(1);
            few.fetched(1);
        }
        assert!(!few.has_room(CROWD - 1), "a limit for few is kept to the end of each");
    }

    #[test]
    fn a_resting_host_is_closed_until_its_time_and_the_later_time_counts() {
        let mut load = Load::default();
        load.rest(7, 100);
        load.rest(7, 50);
        assert_eq!(load.closed_hosts(2, 99), [7]);
        assert_eq!((load.next_wake(99), load.next_wake(100)), (Some(100), None));
        assert!(load.closed_hosts(2, 100).is_empty());
        assert_eq!(load.next_wake(0), None);
    }

    #[test]
    fn a_person_wakes_a_host_and_no_other() {
        let mut load = Load::default();
        load.rest(7, 100);
        load.rest(8, 100);
        load.wake(&[7, 9]);
        assert_eq!(load.closed_hosts(2, 0), [8]);
    }

    #[test]
    fn an_end_that_was_never_started_changes_nothing() {
        let mut load = Load::default();
        load.ended(3, false);
        load.ended(3, true);
        load.fetched(3);
        assert!(load.has_room(1));
    }
}
