//! How many more may start, and from which hosts not. [pure]
//!
//! The order itself (priority, first come first served, index) is the ledger's: it is an index there, and a query never
//! reads a request it does not hand out.

use std::collections::HashMap;

/// What runs now, by host, and which hosts asked to be left alone.
#[derive(Debug, Default)]
pub(crate) struct Load {
    running: HashMap<i64, u32>,
    total: u32,
    resting: HashMap<i64, i64>,
}

impl Load {
    /// One more transfer from `host`.
    pub(crate) fn started(&mut self, host: i64) {
        *self.running.entry(host).or_default() += 1;
        self.total += 1;
    }

    /// One fewer.
    pub(crate) fn ended(&mut self, host: i64) {
        if let Some(count) = self.running.get_mut(&host) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(&host);
            }
            self.total -= 1;
        }
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
        self.total < parallel
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
        load.ended(1);
        assert!(load.closed_hosts(2, 0).is_empty());
        assert!(load.has_room(3));
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
        load.ended(3);
        assert!(load.has_room(1));
    }
}
