//! Limits how many requests are dispatched and started, overall and per host. [pure]
//!
//! The ledger has a database index for the order of the queue (priority, first come first served, index of the
//! request), so a query reads only the requests that it dispatches.

use std::collections::{HashMap, HashSet};

use crate::{
    gates::host_cooldown::{CooldownReason, HostCooldown},
    scheduler::{fair_share::OwnerRoundRobin, retry_policy::LONGEST_WAIT_US, single_transfer_hosts::SingleTransferHosts},
    store::rows::FairTurn,
};

/// If at least this number of parallel transfers is permitted, a received file frees its slot early.
///
/// The slot is then free while the file waits for disk and ledger. Many files are written together, and the network
/// does not have to wait.
const CROWD: u32 = 16;
/// Maximum number of received files that are not written yet.
///
/// The limit bounds the memory used on a slow disk, and the loss after a kill. It allows for the dozens of small files
/// that the network delivers during each of the two commits of a file.
const LANDING: u32 = 256;
/// Maximum number of requests that are dispatched early, while no slot is free for them.
///
/// About this number of small files arrive during one commit.
const AHEAD: u32 = 64;
/// Maximum time, in microseconds, that an optional request waits for a host in cooldown.
///
/// A longer wait would keep the registration open for too long.
pub(crate) const OPTIONAL_WAITS_US: i64 = 30_000_000;

/// Dispatched requests by host, and the hosts in cooldown.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostSlots {
    hosts: HashMap<i64, Host>,
    running: u32,
    ready: u32,
    landing: u32,
    cooldowns: HashMap<i64, HostCooldown>,
    /// Hosts that serve only one transfer at a time, and hosts that refuse transfers for another reason.
    pub lone: SingleTransferHosts,
    /// Number of consecutive failures to reach each host.
    unreached: HashMap<i64, u32>,
    /// Number of consecutive failures that were the host's fault, by host; counted once per cooldown.
    failing: HashMap<i64, u32>,
    /// Hosts that had a cooldown because they were busy or failed, and that have not succeeded since then.
    ///
    /// Each of these hosts gets a single request at a time.
    on_trial: HashSet<i64>,
    /// Order in which owners are served.
    pub turns: OwnerRoundRobin,
    /// Turns for which a search found no startable request, each with the hosts that were closed during the search.
    fruitless: HashMap<FairTurn, Vec<i64>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Host {
    running: u32,
    ready: u32,
}

impl HostSlots {
    /// Counts a request to `host` that the ledger has dispatched, perhaps before a slot is free.
    pub(crate) fn handed_out(&mut self, host: i64) {
        self.hosts.entry(host).or_default().ready += 1;
        self.ready += 1;
    }

    /// Counts a dispatched request to `host` as using the network from now on.
    pub(crate) fn started(&mut self, host: i64) {
        let of_host = self.hosts.entry(host).or_default();
        self.lone.started(host, of_host.running);
        of_host.running += 1;
        of_host.ready = of_host.ready.saturating_sub(1);
        self.running += 1;
        self.ready = self.ready.saturating_sub(1);
    }

    /// Marks a transfer of `host` as received: all its bytes have arrived, and the transfer no longer uses the network.
    pub(crate) fn fetched(&mut self, host: i64) {
        self.landing += u32::from(self.leave(host));
    }

    /// Records the end of a transfer of `host`.
    pub(crate) fn ended(&mut self, host: i64, is_fetched: bool) {
        if is_fetched {
            self.landing = self.landing.saturating_sub(1);
        } else {
            self.leave(host);
        }
    }

    /// Reverses [`Self::ended`]: a transfer of `host` gets its slot back.
    pub(crate) fn returned(&mut self, host: i64, is_fetched: bool) {
        if is_fetched {
            self.landing += 1;
        } else {
            self.handed_out(host);
            self.started(host);
        }
    }

    /// Puts `host` into cooldown: no request to `host` starts before `cooldown` ends.
    ///
    /// The host is overloaded, does not answer, or fails every request.
    pub(crate) fn start_cooldown(&mut self, host: i64, cooldown: HostCooldown, now_us: i64) {
        match cooldown.why {
            CooldownReason::Unreached => *self.unreached.entry(host).or_default() += 1,
            CooldownReason::Busy | CooldownReason::Failing => drop(self.on_trial.insert(host)),
        }
        let known = self.cooldowns.entry(host).or_insert(cooldown);
        // After the clock was set back, the known cooldown may seem longer than the maximum. In this case it counts as
        // over.
        if cooldown.until_us > known.until_us || !is_ahead(known.until_us, now_us) {
            *known = cooldown;
        }
    }

    /// Moves the end of every cooldown by `by_us`, because the clock was set by the same amount.
    pub(crate) fn put_off(&mut self, by_us: i64) {
        self.cooldowns.values_mut().for_each(|cooldown| cooldown.until_us = cooldown.until_us.saturating_add(by_us));
    }

    /// Returns the hosts in cooldown, for display.
    pub(crate) fn cooldowns(&self) -> &HashMap<i64, HostCooldown> {
        &self.cooldowns
    }

    /// Returns how many times in a row `host` could not be reached.
    pub(crate) fn unreached(&self, host: i64) -> u32 {
        self.unreached.get(&host).copied().unwrap_or_default()
    }

    /// Returns whether `host` is in cooldown because it was unreachable.
    pub(crate) fn rests_unreached(&self, host: i64, now_us: i64) -> bool {
        self.cooldowns
            .get(&host)
            .is_some_and(|cooldown| cooldown.why == CooldownReason::Unreached && is_ahead(cooldown.until_us, now_us))
    }

    /// Resets the count of failures to reach `host`, because `host` has answered in some way.
    pub(crate) fn reached(&mut self, host: i64) {
        self.unreached.remove(&host);
    }

    /// Counts a failure that was the fault of `host`. Returns true if it was counted.
    ///
    /// Failures of requests that were already running when the cooldown began are not counted.
    pub(crate) fn failed(&mut self, host: i64, now_us: i64) -> bool {
        let is_counted = !self.is_in_cooldown(host, now_us);
        if is_counted {
            *self.failing.entry(host).or_default() += 1;
        }
        is_counted
    }

    /// Returns the number of consecutive requests that failed because of `host`.
    pub(crate) fn failing(&self, host: i64) -> u32 {
        self.failing.get(&host).copied().unwrap_or_default()
    }

    /// Records a success of `host`. Returns true if the success ended a cooldown.
    ///
    /// A success ends every cooldown except a cooldown that the host asked for.
    pub(crate) fn worked(&mut self, host: i64) -> bool {
        self.failing.remove(&host);
        self.on_trial.remove(&host);
        let cooldowns = self.cooldowns.len();
        self.cooldowns.retain(|other, cooldown| *other != host || cooldown.why == CooldownReason::Busy);
        self.cooldowns.len() < cooldowns
    }

    /// Returns the hosts in cooldown that optional requests do not wait for.
    ///
    /// Optional requests wait only for a short cooldown of a few seconds, and never for a host that could not be
    /// reached.
    pub(crate) fn not_waited_for(&self, now_us: i64) -> Vec<i64> {
        let is_too_long = |cooldown: &HostCooldown| {
            cooldown.why == CooldownReason::Unreached || cooldown.until_us > now_us.saturating_add(OPTIONAL_WAITS_US)
        };
        let cooldowns =
            self.cooldowns.iter().filter(|(_, cooldown)| is_ahead(cooldown.until_us, now_us) && is_too_long(cooldown));
        cooldowns.map(|(host, _)| *host).collect()
    }

    /// Ends the cooldowns of `hosts`, because the user wants these hosts tried.
    pub(crate) fn wake(&mut self, hosts: &[i64]) {
        self.cooldowns.retain(|host, _| !hosts.contains(host));
        self.unreached.retain(|host, _| !hosts.contains(host));
        self.failing.retain(|host, _| !hosts.contains(host));
        self.on_trial.retain(|host| !hosts.contains(host));
    }

    /// Ends every cooldown except those that hosts asked for.
    ///
    /// Called when the network has changed or the machine has woken.
    pub(crate) fn network_changed(&mut self, now_us: i64) {
        self.cooldowns.retain(|_, cooldown| cooldown.why == CooldownReason::Busy && is_ahead(cooldown.until_us, now_us));
        self.unreached.clear();
        self.failing.clear();
        let cooldowns = &self.cooldowns;
        self.on_trial.retain(|host| cooldowns.contains_key(host));
    }

    /// Returns whether a dispatched request to `host` may use the network now.
    pub(crate) fn can_start(&self, host: i64, parallel: u32, per_host: u32, now_us: i64) -> bool {
        self.running < parallel
            && self.state_of_host(host).running < self.most_of(host, per_host)
            && !self.is_in_cooldown(host, now_us)
    }

    /// Returns whether the ledger may dispatch any request.
    pub(crate) fn has_room(&self, parallel: u32) -> bool {
        self.left(parallel) > 0
    }

    /// Returns how many more requests to `host` the ledger may dispatch.
    pub(crate) fn room(&self, host: i64, parallel: u32, per_host: u32) -> u32 {
        self.left(parallel).min(self.room_at(host, per_host))
    }

    /// Returns the hosts to which the ledger may dispatch nothing now, sorted.
    pub(crate) fn closed_hosts(&mut self, per_host: u32, now_us: i64) -> Vec<i64> {
        self.cooldowns.retain(|_, cooldown| is_ahead(cooldown.until_us, now_us));
        let full = self.hosts.keys().filter(|host| self.is_full(**host, per_host));
        let mut closed: Vec<i64> = full.chain(self.cooldowns.keys()).copied().collect();
        closed.sort_unstable();
        closed.dedup();
        closed
    }

    /// Returns whether `host` has no free slot.
    pub(crate) fn is_full(&self, host: i64, per_host: u32) -> bool {
        self.room_at(host, per_host) == 0
    }

    /// Returns whether the overall limit or the limit of any host leaves no free slot.
    pub(crate) fn is_anything_full(&self, parallel: u32, per_host: u32) -> bool {
        !self.has_room(parallel) || self.hosts.keys().any(|host| self.is_full(*host, per_host))
    }

    /// Returns whether `host` is in cooldown.
    pub(crate) fn is_in_cooldown(&self, host: i64, now_us: i64) -> bool {
        self.cooldowns.get(&host).is_some_and(|cooldown| is_ahead(cooldown.until_us, now_us))
    }

    /// Returns whether any host's cooldown has ended since the last search for startable requests.
    pub(crate) fn is_anybody_rested(&self, now_us: i64) -> bool {
        self.cooldowns.values().any(|cooldown| !is_ahead(cooldown.until_us, now_us))
    }

    /// Returns the time at which the next cooldown ends, in microseconds.
    ///
    /// A cooldown that has already ended is left out: its end is no reason to search again.
    pub(crate) fn next_wake(&self, now_us: i64) -> Option<i64> {
        self.cooldowns.values().map(|cooldown| cooldown.until_us).filter(|until| is_ahead(*until, now_us)).min()
    }

    /// Remembers that a search found no startable request of `turn`, apart from requests to the hosts in `closed`.
    ///
    /// Such a search reads every waiting request of `turn`, so it must not be repeated after each ended transfer.
    pub(crate) fn found_nothing(&mut self, turn: FairTurn, closed: Vec<i64>) {
        self.fruitless.insert(turn, closed);
    }

    /// Returns whether the remembered search for `turn` found no request and its result still applies.
    ///
    /// The result applies while `closed` contains every host that was closed during the search. `closed` is sorted.
    pub(crate) fn has_nothing(&self, turn: FairTurn, closed: &[i64]) -> bool {
        self.fruitless.get(&turn).is_some_and(|then| then.iter().all(|host| closed.binary_search(host).is_ok()))
    }

    /// Forgets the search result for `turn` if a new request to `host` may change it.
    pub(crate) fn may_have(&mut self, turn: FairTurn, host: i64) {
        if self.fruitless.get(&turn).is_some_and(|then| then.binary_search(&host).is_err()) {
            self.fruitless.remove(&turn);
        }
    }

    /// Forgets all search results, because any request may have become pending.
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

    /// Returns how many more requests may be dispatched overall.
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

    /// Returns how many requests to `host` may run at the same time.
    fn most_of(&self, host: i64, per_host: u32) -> u32 {
        let per_host = self.lone.limit(host, per_host);
        if self.on_trial.contains(&host) { per_host.min(1) } else { per_host }
    }

    fn state_of_host(&self, host: i64) -> Host {
        self.hosts.get(&host).copied().unwrap_or_default()
    }

    /// Returns how many requests may be dispatched early, while no slot is free for them.
    ///
    /// Such a request starts as soon as a running transfer has received its file, without waiting for a commit. If
    /// `limit` is at least [`CROWD`], a few early requests are always allowed; more are allowed while many small files
    /// are received.
    fn ahead(&self, limit: u32) -> u32 {
        if limit < CROWD { 0 } else { self.landing.clamp(limit / 4, AHEAD) }
    }
}

/// Returns whether `until_us` is in the future.
///
/// The clock may have been set back: a cooldown that would last longer than the maximum wait counts as over.
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

        /// Returns true if at least one search is remembered, and the results of all remembered searches still apply.
        pub(crate) fn has_nothing_for_anybody(&mut self) -> bool {
            let closed = self.closed_hosts(1, 0);
            !self.fruitless.is_empty() && self.fruitless.keys().all(|turn| self.has_nothing(*turn, &closed))
        }

        fn rest_busy(&mut self, host: i64, until_us: i64) {
            self.start_cooldown(host, HostCooldown { until_us, why: CooldownReason::Busy }, 0);
        }
    }

    #[test]
    fn host_cools_down_again_after_clock_was_set_back() {
        let mut load = HostSlots::default();
        let (later, before) = (10 * LONGEST_WAIT_US, 1_000_000);
        load.start_cooldown(7, HostCooldown { until_us: later + 5, why: CooldownReason::Busy }, later);
        assert!(load.is_in_cooldown(7, later) && !load.is_in_cooldown(7, before));
        load.start_cooldown(7, HostCooldown { until_us: before + 5, why: CooldownReason::Busy }, before);
        assert!(load.is_in_cooldown(7, before) && !load.is_in_cooldown(7, before + 5));
        // The longer of two cooldowns applies.
        load.start_cooldown(7, HostCooldown { until_us: before + 3, why: CooldownReason::Busy }, before);
        assert!(load.is_in_cooldown(7, before + 4));
    }

    #[test]
    fn failures_to_reach_host_are_counted_until_answer_or_network_change() {
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
    fn host_failures_during_cooldown_are_not_counted_and_success_resets_count() {
        let mut load = HostSlots::default();
        let cooldown = |until_us| HostCooldown { until_us, why: CooldownReason::Failing };
        assert!(load.failed(7, 0) && load.failed(7, 0));
        load.start_cooldown(7, cooldown(100), 0);
        assert!(!load.failed(7, 99), "the transfer began before the cooldown");
        assert!(load.failed(7, 100));
        assert_eq!((load.failing(7), load.failing(8)), (3, 0));
        load.start_cooldown(7, cooldown(300), 100);
        assert!(load.worked(7), "the transfer began before the cooldown");
        assert_eq!((load.failing(7), load.is_in_cooldown(7, 101), load.room(7, 9, 4)), (0, false, 4));
        load.rest_busy(7, 300);
        assert!(!load.worked(7) && load.is_in_cooldown(7, 101), "the host asked for this cooldown");
    }

    #[test]
    fn host_gets_one_request_at_a_time_after_cooldown_until_success() {
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
    fn cooldown_of_failing_host_ends_on_network_change_or_user_retry() {
        let end: [fn(&mut HostSlots); 2] = [|load| load.wake(&[7]), |load| load.network_changed(0)];
        for end in end {
            let mut load = HostSlots::default();
            load.failed(7, 0);
            load.start_cooldown(7, HostCooldown { until_us: 100, why: CooldownReason::Failing }, 0);
            end(&mut load);
            assert_eq!((load.is_in_cooldown(7, 0), load.failing(7), load.room(7, 9, 4)), (false, 0, 4));
        }
    }

    #[test]
    fn optional_requests_wait_only_for_short_cooldowns() {
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
    fn host_with_no_free_slot_is_closed_until_transfer_ends() {
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
    fn dispatched_request_occupies_a_slot_even_before_it_starts() {
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
    fn received_file_frees_its_slot_unless_too_many_files_wait_to_be_written() {
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
    fn more_requests_are_dispatched_in_advance_after_many_files_were_received() {
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
    fn host_is_closed_until_longer_of_two_cooldowns_ends() {
        let mut load = HostSlots::default();
        load.rest_busy(7, 100);
        load.rest_busy(7, 50);
        assert_eq!(load.closed_hosts(2, 99), [7]);
        assert_eq!((load.next_wake(99), load.next_wake(100)), (Some(100), None));
        assert!(load.closed_hosts(2, 100).is_empty());
        assert_eq!(load.next_wake(0), None);
    }

    #[test]
    fn cooldown_is_over_if_clock_is_set_back_to_before_cooldown() {
        let year = 365 * 86_400_000_000;
        let mut load = HostSlots::default();
        load.rest_busy(7, year + LONGEST_WAIT_US);
        assert_eq!(load.next_wake(0), None);
        assert!(!load.can_start(7, 2, 2, year) && load.can_start(7, 2, 2, 0));
        assert_eq!((load.closed_hosts(2, year), load.closed_hosts(2, 0)), (vec![7], vec![]));
    }

    #[test]
    fn scheduler_repeats_search_for_startable_request_only_after_relevant_change() {
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
    fn retry_by_user_ends_cooldown_of_only_the_requested_hosts() {
        let mut load = HostSlots::default();
        load.rest_busy(7, 100);
        load.rest_busy(8, 100);
        load.wake(&[7, 9]);
        assert_eq!(load.closed_hosts(2, 0), [8]);
    }

    #[test]
    fn end_of_transfer_that_never_started_is_ignored() {
        let mut load = HostSlots::default();
        load.ended(3, false);
        load.ended(3, true);
        load.fetched(3);
        assert!(load.has_room(1));
    }
}
