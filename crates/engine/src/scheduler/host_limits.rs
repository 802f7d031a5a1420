//! How many more may be handed out and started, and from which hosts not. [pure]
//!
//! The order itself (priority, first come first served, index) is the ledger's: it is an index there, and a query never
//! reads a request it does not hand out.

use std::collections::{HashMap, HashSet};

use crate::{
    gates::host_rest::{CooldownReason, HostCooldown},
    scheduler::{fair_share::OwnerRoundRobin, retry_policy::LONGEST_WAIT_US, single_transfer_hosts::SingleTransferHosts},
    store::rows::FairTurn,
};

/// From so many at once on, files whose bytes have all come make room for others while they wait for disk and ledger:
/// those write down many in one go, and the network need not wait for them.
const CROWD: u32 = 16;
/// So many at most, so that a slow disk fills no memory and a kill costs little. Each takes two commits to land, and a
/// commit takes as long as dozens of small files on the network.
const LANDING: u32 = 256;
/// So many at most may be handed out ahead of their turn: what the network fetches of small files while one commit is made.
const AHEAD: u32 = 64;
/// An optional request waits so long for a host at rest, µs: it must not hold its registration open.
pub(crate) const OPTIONAL_WAITS_US: i64 = 30_000_000;

/// What the ledger has handed out, by host, and which hosts asked to be left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostSlots {
    hosts: HashMap<i64, Host>,
    running: u32,
    ready: u32,
    landing: u32,
    resting: HashMap<i64, HostCooldown>,
    /// Hosts that serve one transfer at a time, and those that are known to refuse for another reason.
    pub lone: SingleTransferHosts,
    /// Hosts that could not be reached when they were last tried, and how often in a row.
    unreached: HashMap<i64, u32>,
    /// Hosts whose last requests all failed by their fault, and how often in a row; counted once a rest.
    failing: HashMap<i64, u32>,
    /// Hosts that rested because they were busy or failing, and have not worked since: one request at a time tries them.
    on_trial: HashSet<i64>,
    /// Whose turn it is.
    pub turns: OwnerRoundRobin,
    /// For whom the ledger had nothing, and which hosts were closed then.
    fruitless: HashMap<FairTurn, Vec<i64>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Host {
    running: u32,
    ready: u32,
}

impl HostSlots {
    /// The ledger has handed out one more from `host`. It may be ahead of its turn.
    pub(crate) fn handed_out(&mut self, host: i64) {
        self.hosts.entry(host).or_default().ready += 1;
        self.ready += 1;
    }

    /// One that was handed out uses the network from now on.
    pub(crate) fn started(&mut self, host: i64) {
        let of_host = self.hosts.entry(host).or_default();
        self.lone.started(host, of_host.running);
        of_host.running += 1;
        of_host.ready = of_host.ready.saturating_sub(1);
        self.running += 1;
        self.ready = self.ready.saturating_sub(1);
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

    /// A transfer of `host` takes back the place that it gave to others: the opposite of [`Self::ended`].
    pub(crate) fn returned(&mut self, host: i64, is_fetched: bool) {
        if is_fetched {
            self.landing += 1;
        } else {
            self.handed_out(host);
            self.started(host);
        }
    }

    /// `host` answered that it is overloaded, did not answer at all, or fails whatever it is asked for: nothing of it starts
    /// before `rest` is over.
    pub(crate) fn start_cooldown(&mut self, host: i64, rest: HostCooldown, now_us: i64) {
        match rest.why {
            CooldownReason::Unreached => *self.unreached.entry(host).or_default() += 1,
            CooldownReason::Busy | CooldownReason::Failing => drop(self.on_trial.insert(host)),
        }
        let known = self.resting.entry(host).or_insert(rest);
        // One that was set before the clock was set back lasts no longer.
        if rest.until_us > known.until_us || !is_ahead(known.until_us, now_us) {
            *known = rest;
        }
    }

    /// The clock was set by so much, and every rest ends by it.
    pub(crate) fn put_off(&mut self, by_us: i64) {
        self.resting.values_mut().for_each(|rest| rest.until_us = rest.until_us.saturating_add(by_us));
    }

    /// Which hosts rest, for people to see.
    pub(crate) fn resting(&self) -> &HashMap<i64, HostCooldown> {
        &self.resting
    }

    /// How often `host` could not be reached, in a row.
    pub(crate) fn unreached(&self, host: i64) -> u32 {
        self.unreached.get(&host).copied().unwrap_or_default()
    }

    /// `host` rests because nobody could reach it.
    pub(crate) fn rests_unreached(&self, host: i64, now_us: i64) -> bool {
        self.resting.get(&host).is_some_and(|rest| rest.why == CooldownReason::Unreached && is_ahead(rest.until_us, now_us))
    }

    /// `host` has answered something.
    pub(crate) fn reached(&mut self, host: i64) {
        self.unreached.remove(&host);
    }

    /// A request of `host` failed by the host's fault. Those that were under way when it began to rest are not counted.
    /// Returns true where it was counted.
    pub(crate) fn failed(&mut self, host: i64, now_us: i64) -> bool {
        let is_counted = !self.is_resting(host, now_us);
        if is_counted {
            *self.failing.entry(host).or_default() += 1;
        }
        is_counted
    }

    /// How many requests of `host` failed by its fault, in a row.
    pub(crate) fn failing(&self, host: i64) -> u32 {
        self.failing.get(&host).copied().unwrap_or_default()
    }

    /// `host` gave what it was asked for, which ends every rest but one that it asked for itself. True where one ended.
    pub(crate) fn worked(&mut self, host: i64) -> bool {
        self.failing.remove(&host);
        self.on_trial.remove(&host);
        let rests = self.resting.len();
        self.resting.retain(|other, rest| *other != host || rest.why == CooldownReason::Busy);
        self.resting.len() < rests
    }

    /// Resting hosts whose optional requests are not kept waiting: a rest of a few seconds is waited for, unless nobody could
    /// reach the host at all.
    pub(crate) fn not_waited_for(&self, now_us: i64) -> Vec<i64> {
        let is_too_long = |rest: &HostCooldown| {
            rest.why == CooldownReason::Unreached || rest.until_us > now_us.saturating_add(OPTIONAL_WAITS_US)
        };
        let rests = self.resting.iter().filter(|(_, rest)| is_ahead(rest.until_us, now_us) && is_too_long(rest));
        rests.map(|(host, _)| *host).collect()
    }

    /// A person says that `hosts` have rested enough.
    pub(crate) fn wake(&mut self, hosts: &[i64]) {
        self.resting.retain(|host, _| !hosts.contains(host));
        self.unreached.retain(|host, _| !hosts.contains(host));
        self.failing.retain(|host, _| !hosts.contains(host));
        self.on_trial.retain(|host| !hosts.contains(host));
    }

    /// The network is another one, or the machine has woken: every rest ends but those that a host asked for itself.
    pub(crate) fn network_changed(&mut self, now_us: i64) {
        self.resting.retain(|_, rest| rest.why == CooldownReason::Busy && is_ahead(rest.until_us, now_us));
        self.unreached.clear();
        self.failing.clear();
        let resting = &self.resting;
        self.on_trial.retain(|host| resting.contains_key(host));
    }

    /// May one from `host` that was handed out use the network now?
    pub(crate) fn can_start(&self, host: i64, parallel: u32, per_host: u32, now_us: i64) -> bool {
        self.running < parallel
            && self.state_of_host(host).running < self.most_of(host, per_host)
            && !self.is_resting(host, now_us)
    }

    /// May the ledger hand out anything at all?
    pub(crate) fn has_room(&self, parallel: u32) -> bool {
        self.left(parallel) > 0
    }

    /// How many more it may hand out from `host`.
    pub(crate) fn room(&self, host: i64, parallel: u32, per_host: u32) -> u32 {
        self.left(parallel).min(self.room_at(host, per_host))
    }

    /// The hosts from which it may hand out nothing now.
    pub(crate) fn closed_hosts(&mut self, per_host: u32, now_us: i64) -> Vec<i64> {
        self.resting.retain(|_, rest| is_ahead(rest.until_us, now_us));
        let full = self.hosts.keys().filter(|host| self.is_full(**host, per_host));
        let mut closed: Vec<i64> = full.chain(self.resting.keys()).copied().collect();
        closed.sort_unstable();
        closed.dedup();
        closed
    }

    /// Whether nothing more from `host` may be handed out before one of it ends.
    pub(crate) fn is_full(&self, host: i64, per_host: u32) -> bool {
        self.room_at(host, per_host) == 0
    }

    /// Whether there is no room left, at all or at one host.
    pub(crate) fn is_anything_full(&self, parallel: u32, per_host: u32) -> bool {
        !self.has_room(parallel) || self.hosts.keys().any(|host| self.is_full(*host, per_host))
    }

    /// Whether `host` is left alone for now.
    pub(crate) fn is_resting(&self, host: i64, now_us: i64) -> bool {
        self.resting.get(&host).is_some_and(|rest| is_ahead(rest.until_us, now_us))
    }

    /// Whether a host has rested enough since somebody last looked for something to start.
    pub(crate) fn is_anybody_rested(&self, now_us: i64) -> bool {
        self.resting.values().any(|rest| !is_ahead(rest.until_us, now_us))
    }

    /// When the next resting host wakes, µs. One that has woken already is no reason to look again.
    pub(crate) fn next_wake(&self, now_us: i64) -> Option<i64> {
        self.resting.values().map(|rest| rest.until_us).filter(|until| is_ahead(*until, now_us)).min()
    }

    /// The ledger has nothing for this turn from any host but the `closed` ones. To find that out it reads everything that
    /// waits there, which is not done again for each that ends.
    pub(crate) fn found_nothing(&mut self, turn: FairTurn, closed: Vec<i64>) {
        self.fruitless.insert(turn, closed);
    }

    /// Whether that is still so while these are `closed`, in order.
    pub(crate) fn has_nothing(&self, turn: FairTurn, closed: &[i64]) -> bool {
        self.fruitless.get(&turn).is_some_and(|then| then.iter().all(|host| closed.binary_search(host).is_ok()))
    }

    /// Something of `host` is pending that may not have been.
    pub(crate) fn may_have(&mut self, turn: FairTurn, host: i64) {
        if self.fruitless.get(&turn).is_some_and(|then| then.binary_search(&host).is_err()) {
            self.fruitless.remove(&turn);
        }
    }

    /// Anything may be pending that was not.
    pub(crate) fn may_have_more(&mut self) {
        self.fruitless.clear();
    }

    fn leave(&mut self, host: i64) -> bool {
        let Some(of_host) = self.hosts.get_mut(&host).filter(|of_host| of_host.running > 0) else { return false };
        of_host.running -= 1;
        if of_host.running + of_host.ready == 0 {
            self.hosts.remove(&host);
        }
        self.running -= 1;
        true
    }

    /// How many more may be under way.
    fn left(&self, parallel: u32) -> u32 {
        let handed_out = self.running + self.ready;
        match parallel < CROWD {
            true => parallel.saturating_sub(handed_out + self.landing),
            false if self.landing >= LANDING => 0,
            false => (parallel + self.ahead(parallel)).saturating_sub(handed_out),
        }
    }

    fn room_at(&self, host: i64, per_host: u32) -> u32 {
        let Host { running, ready } = self.state_of_host(host);
        let most = self.most_of(host, per_host);
        (most + self.ahead(most)).saturating_sub(running + ready)
    }

    /// How many requests of `host` may be under way at once.
    fn most_of(&self, host: i64, per_host: u32) -> u32 {
        let per_host = self.lone.limit(host, per_host);
        if self.on_trial.contains(&host) { per_host.min(1) } else { per_host }
    }

    fn state_of_host(&self, host: i64) -> Host {
        self.hosts.get(&host).copied().unwrap_or_default()
    }

    /// How many may be handed out ahead of their turn, so that the next starts the moment one has come and waits for no
    /// commit: some at any time, more while small files come by the dozen.
    fn ahead(&self, limit: u32) -> u32 {
        if limit < CROWD { 0 } else { self.landing.clamp(limit / 4, AHEAD) }
    }
}

/// The clock may have been set back since: a rest that would last longer than any is over.
fn is_ahead(until_us: i64, now_us: i64) -> bool {
    until_us > now_us && until_us.saturating_sub(now_us) <= LONGEST_WAIT_US
}

#[cfg(test)]
mod tests {
    use super::*;

    impl HostSlots {
        fn begun(&mut self, host: i64) {
            self.handed_out(host);
            self.started(host);
        }

        /// Somebody waits, and it is known that nothing of his can start.
        pub(crate) fn has_nothing_for_anybody(&mut self) -> bool {
            let closed = self.closed_hosts(1, 0);
            !self.fruitless.is_empty() && self.fruitless.keys().all(|turn| self.has_nothing(*turn, &closed))
        }

        fn rest_busy(&mut self, host: i64, until_us: i64) {
            self.start_cooldown(host, HostCooldown { until_us, why: CooldownReason::Busy }, 0);
        }
    }

    #[test]
    fn a_host_rests_again_after_the_clock_was_set_back() {
        let mut load = HostSlots::default();
        let (later, before) = (10 * LONGEST_WAIT_US, 1_000_000);
        load.start_cooldown(7, HostCooldown { until_us: later + 5, why: CooldownReason::Busy }, later);
        assert!(load.is_resting(7, later) && !load.is_resting(7, before));
        load.start_cooldown(7, HostCooldown { until_us: before + 5, why: CooldownReason::Busy }, before);
        assert!(load.is_resting(7, before) && !load.is_resting(7, before + 5));
        // The longer of two that both last still wins.
        load.start_cooldown(7, HostCooldown { until_us: before + 3, why: CooldownReason::Busy }, before);
        assert!(load.is_resting(7, before + 4));
    }

    #[test]
    fn a_host_that_is_not_reached_is_counted_once_a_rest_until_it_answers_or_the_network_changes() {
        let mut load = HostSlots::default();
        let unreached = |until_us| HostCooldown { until_us, why: CooldownReason::Unreached };
        load.start_cooldown(7, unreached(100), 0);
        load.start_cooldown(8, HostCooldown { until_us: 100, why: CooldownReason::Busy }, 0);
        assert!(load.rests_unreached(7, 99) && !load.rests_unreached(7, 100) && !load.rests_unreached(8, 0));
        load.start_cooldown(7, unreached(300), 0);
        assert_eq!((load.unreached(7), load.unreached(8)), (2, 0));
        load.network_changed(0);
        assert_eq!((load.closed_hosts(2, 0), load.unreached(7)), (vec![8], 0));
        load.start_cooldown(7, unreached(300), 0);
        load.reached(7);
        assert_eq!((load.closed_hosts(2, 0), load.unreached(7)), (vec![7, 8], 0));
    }

    #[test]
    fn failing_host_is_counted_once_a_rest_and_success_ends_it() {
        let mut load = HostSlots::default();
        let rest = |until_us| HostCooldown { until_us, why: CooldownReason::Failing };
        assert!(load.failed(7, 0) && load.failed(7, 0));
        load.start_cooldown(7, rest(100), 0);
        assert!(!load.failed(7, 99), "it was under way when the rest began");
        assert!(load.failed(7, 100));
        assert_eq!((load.failing(7), load.failing(8)), (3, 0));
        load.start_cooldown(7, rest(300), 100);
        assert!(load.worked(7), "what was under way came");
        assert_eq!((load.failing(7), load.is_resting(7, 101), load.room(7, 9, 4)), (0, false, 4));
        load.rest_busy(7, 300);
        assert!(!load.worked(7) && load.is_resting(7, 101), "it asked for this rest itself");
    }

    #[test]
    fn host_that_rested_is_tried_by_one_request_until_it_works() {
        for why in [CooldownReason::Busy, CooldownReason::Failing] {
            let mut load = HostSlots::default();
            load.start_cooldown(7, HostCooldown { until_us: 100, why }, 0);
            assert_eq!((load.room(7, 99, 40), load.room(8, 20, 40)), (1, 25));
            load.begun(7);
            assert!(load.closed_hosts(40, 100).contains(&7) && !load.can_start(7, 99, 40, 100));
            load.ended(7, false);
            load.worked(7);
            assert!(load.room(7, 99, 40) > 1);
        }
    }

    #[test]
    fn person_or_other_network_ends_rest_of_failing_host() {
        let end: [fn(&mut HostSlots); 2] = [|load| load.wake(&[7]), |load| load.network_changed(0)];
        for end in end {
            let mut load = HostSlots::default();
            load.failed(7, 0);
            load.start_cooldown(7, HostCooldown { until_us: 100, why: CooldownReason::Failing }, 0);
            end(&mut load);
            assert_eq!((load.is_resting(7, 0), load.failing(7), load.room(7, 9, 4)), (false, 0, 4));
        }
    }

    #[test]
    fn optional_requests_wait_for_short_rests_of_hosts_that_answer() {
        let of = |why, until_us| {
            let mut load = HostSlots::default();
            load.start_cooldown(7, HostCooldown { until_us, why }, 0);
            load.not_waited_for(0)
        };
        assert_eq!(of(CooldownReason::Busy, OPTIONAL_WAITS_US), [0; 0]);
        assert_eq!(of(CooldownReason::Failing, OPTIONAL_WAITS_US), [0; 0]);
        assert_eq!(of(CooldownReason::Busy, OPTIONAL_WAITS_US + 1), [7]);
        assert_eq!(of(CooldownReason::Failing, OPTIONAL_WAITS_US + 1), [7]);
        assert_eq!((of(CooldownReason::Unreached, 1), of(CooldownReason::Unreached, 0)), (vec![7], vec![]));
    }

    #[test]
    fn a_full_host_is_closed_until_one_of_its_transfers_ends() {
        let mut load = HostSlots::default();
        load.begun(1);
        load.begun(1);
        load.begun(2);
        assert_eq!(load.closed_hosts(2, 0), [1]);
        assert!(load.has_room(4) && !load.has_room(3));
        assert_eq!((load.room(1, 9, 2), load.room(2, 9, 2), load.room(3, 4, 2)), (0, 1, 1));
        load.ended(1, false);
        assert!(load.closed_hosts(2, 0).is_empty());
        assert!(load.has_room(3));
    }

    #[test]
    fn what_is_handed_out_takes_room_before_it_starts() {
        let mut load = HostSlots::default();
        load.handed_out(1);
        load.handed_out(2);
        assert!(!load.has_room(2));
        assert_eq!((load.room(1, 9, 1), load.closed_hosts(1, 0)), (0, vec![1, 2]));
        assert!(load.can_start(1, 2, 1, 0));
        load.started(1);
        assert!(!load.can_start(1, 2, 1, 0), "its host is full");
        assert!(load.can_start(2, 2, 1, 0) && !load.can_start(2, 1, 1, 0));
        load.rest_busy(2, 100);
        assert!(!load.can_start(2, 2, 1, 99) && load.can_start(2, 2, 1, 100));
    }

    #[test]
    fn in_a_crowd_what_has_come_makes_room_up_to_a_limit_of_its_own() {
        let mut load = HostSlots::default();
        for _ in 0..LANDING {
            load.begun(1);
            load.fetched(1);
        }
        assert!(load.closed_hosts(1, 0).is_empty());
        assert!(!load.has_room(CROWD), "the disk is far behind");
        load.ended(1, true);
        assert!(load.has_room(CROWD));
        let mut few = HostSlots::default();
        for _ in 0..CROWD - 1 {
            few.begun(1);
            few.fetched(1);
        }
        assert!(!few.has_room(CROWD - 1), "a limit for few is kept to the end of each");
        few.ended(1, true);
        assert_eq!(few.room(1, CROWD - 1, CROWD - 1), 1);
    }

    #[test]
    fn some_are_handed_out_ahead_and_as_many_as_have_come_and_are_landing() {
        let mut load = HostSlots::default();
        (0..CROWD).for_each(|_| load.begun(1));
        assert_eq!(load.room(1, CROWD, CROWD), CROWD / 4, "a few, to start at once when one has come");
        (0..CROWD / 4 + 1).for_each(|_| load.fetched(1));
        assert_eq!(load.room(1, CROWD, CROWD), 10, "five in their place, and five ahead");
        (0..10).for_each(|_| load.handed_out(1));
        assert_eq!((load.has_room(CROWD), load.closed_hosts(CROWD, 0)), (false, vec![1]));
        (0..CROWD / 4 + 1).for_each(|_| load.started(1));
        assert!(!load.can_start(1, CROWD, CROWD, 0), "the network has its limit");
        load.fetched(1);
        assert!(load.can_start(1, CROWD, CROWD, 0));
        let mut strict = HostSlots::default();
        strict.begun(1);
        strict.fetched(1);
        strict.begun(1);
        assert_eq!(strict.room(1, CROWD, 1), 0, "a host that is asked one by one is");
    }

    #[test]
    fn a_resting_host_is_closed_until_its_time_and_the_later_time_counts() {
        let mut load = HostSlots::default();
        load.rest_busy(7, 100);
        load.rest_busy(7, 50);
        assert_eq!(load.closed_hosts(2, 99), [7]);
        assert_eq!((load.next_wake(99), load.next_wake(100)), (Some(100), None));
        assert!(load.closed_hosts(2, 100).is_empty());
        assert_eq!(load.next_wake(0), None);
    }

    #[test]
    fn a_rest_ends_when_the_clock_is_set_back_beyond_its_beginning() {
        let year = 365 * 86_400_000_000;
        let mut load = HostSlots::default();
        load.rest_busy(7, year + LONGEST_WAIT_US);
        assert_eq!(load.next_wake(0), None);
        assert!(!load.can_start(7, 2, 2, year) && load.can_start(7, 2, 2, 0));
        assert_eq!((load.closed_hosts(2, year), load.closed_hosts(2, 0)), (vec![7], vec![]));
    }

    #[test]
    fn what_was_looked_for_in_vain_is_looked_for_again_when_a_host_opens_or_there_may_be_more() {
        let mut load = HostSlots::default();
        let (one, other) = (FairTurn { priority: 0, owner: 1 }, FairTurn { priority: 0, owner: 2 });
        load.found_nothing(one, vec![7, 9]);
        assert!(load.has_nothing(one, &[7, 9]) && load.has_nothing(one, &[5, 7, 9]));
        assert!(!load.has_nothing(one, &[7]) && !load.has_nothing(one, &[]) && !load.has_nothing(other, &[7, 9]));
        load.may_have(one, 9);
        load.may_have(other, 5);
        assert!(load.has_nothing(one, &[7, 9]), "one more for a host that is closed");
        load.may_have(one, 5);
        assert!(!load.has_nothing(one, &[7, 9]));
        load.found_nothing(one, vec![7, 9]);
        load.may_have_more();
        assert!(!load.has_nothing(one, &[7, 9]));
        load.found_nothing(one, Vec::new());
        assert!(load.has_nothing(one, &[]), "there is nothing at all");
    }

    #[test]
    fn a_person_wakes_a_host_and_no_other() {
        let mut load = HostSlots::default();
        load.rest_busy(7, 100);
        load.rest_busy(8, 100);
        load.wake(&[7, 9]);
        assert_eq!(load.closed_hosts(2, 0), [8]);
    }

    #[test]
    fn an_end_that_was_never_started_changes_nothing() {
        let mut load = HostSlots::default();
        load.ended(3, false);
        load.ended(3, true);
        load.fetched(3);
        assert!(load.has_room(1));
    }
}
