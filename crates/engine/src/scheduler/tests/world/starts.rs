//! Checks that each started request was allowed to start, and that no waiting request could start.
//!
//! Limits, gates, order and turns are each checked in the simplest way.

use std::collections::{BTreeMap, HashSet};

use ashore_transfer::Guid;

use crate::{
    model::UniqueId,
    scheduler::tests::{
        life::TransferCommand,
        world::{At, PARALLEL, PER_HOST, Running, World, is_ahead},
    },
};

impl World {
    /// Checks a command that the scheduler sends to the transfers.
    pub(in crate::scheduler::tests) fn on_command(&mut self, told: &TransferCommand) {
        match told {
            TransferCommand::Start { guid, id, index } => self.started(*guid, *id, *index),
            TransferCommand::Stop(guid) => self.stopped(*guid),
        }
    }

    /// Checks that no startable request is waiting, and that every running transfer is allowed to run.
    pub(in crate::scheduler::tests) fn check_at_rest(&mut self) {
        let idle: Vec<_> = self.candidates().collect();
        assert_eq!(idle, [], "may start and does not: {self:#?}");
        for one in &self.running {
            let registration = &self.all[one.registration];
            let must_stop = self.is_paused || registration.is_paused || !registration.is_active || self.weather.sets_aside();
            assert!(
                one.is_told_to_stop || !one.must_stop && !must_stop,
                "the transfer should have been stopped: {one:?} {self:#?}"
            );
        }
        self.check_urgent();
        self.drop_owners_that_no_longer_wait();
    }

    pub(super) fn count_running(&self, at: usize) -> usize {
        self.all[at].requests.iter().filter(|request| request.at == At::Running).count()
    }

    fn is_in_cooldown(&self, host: usize) -> bool {
        self.cooldowns[host].is_some_and(|cooldown| is_ahead(cooldown.until, self.now))
    }

    fn is_full(&self, host: usize) -> bool {
        let is_there = |one: &&Running| !one.is_fetched && self.all[one.registration].requests[one.index].host == host;
        self.running.iter().filter(is_there).count() >= if self.on_trial[host] { 1 } else { PER_HOST }
    }

    /// Returns the requests that are blocked only by the limits of parallel transfers.
    fn waits(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_open = self.weather.is_open() && !self.is_paused;
        let all = self.all.iter().enumerate().filter(move |(_, one)| is_open && one.is_active && !one.is_paused);
        let all = all.filter(|(at, one)| one.parallel == 0 || self.count_running(*at) < one.parallel);
        let all = all.flat_map(|(at, one)| one.requests.iter().enumerate().map(move |(index, request)| (at, index, request)));
        let all = all.filter(|(_, _, request)| request.at == At::Pending && !self.is_in_cooldown(request.host));
        all.filter(|(at, index, _)| self.has_room || self.resuming.contains(&(*at, *index))).map(|(at, index, _)| (at, index))
    }

    /// Returns the requests that may start now.
    fn candidates(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_room = self.running.len() < PARALLEL;
        self.waits().filter(move |(at, index)| is_room && !self.is_full(self.all[*at].requests[*index].host))
    }

    fn started(&mut self, guid: Guid, id: UniqueId, index: usize) {
        let at = self.at(id);
        let place = |(at, index): (usize, usize)| (self.all[at].rank, at, index);
        let one = &self.all[at];
        assert_eq!(one.requests[index].at, At::Pending, "{at}/{index} was started: {self:#?}");
        assert!(self.candidates().any(|other| other == (at, index)), "{at}/{index} must not start now: {self:#?}");
        assert!(one.requests[index].guid.is_none_or(|known| known == guid), "has another name: {self:#?}");
        if !self.resuming.contains(&(at, index)) {
            for other in self.candidates() {
                let it = &self.all[other.0];
                assert!(one.is_urgent || !it.is_urgent, "{other:?} is urgent, and {at}/{index} was started: {self:#?}");
                let is_ahead = it.owner == one.owner && it.is_urgent == one.is_urgent && place(other) < place((at, index));
                assert!(!is_ahead, "{other:?} is before {at}/{index} in the queue: {self:#?}");
            }
            self.take_turn(at, index);
        }
        let request = &mut self.all[at].requests[index];
        (request.at, request.guid) = (At::Running, Some(guid));
        let (must_stop, is_told_to_stop, is_fetched) = (false, false, false);
        self.running.push(Running { guid, registration: at, index, must_stop, is_told_to_stop, is_fetched });
    }

    /// Checks that no owner has two turns while another owner waits for one.
    fn take_turn(&mut self, at: usize, index: usize) {
        let (owner, is_urgent) = (self.all[at].owner, self.all[at].is_urgent);
        let others: HashSet<usize> = self
            .candidates()
            .map(|(at, _)| &self.all[at])
            .filter(|one| one.is_urgent == is_urgent && one.owner != owner)
            .map(|one| one.owner)
            .collect();
        for other in others {
            let is_first = self.passed.entry((other, is_urgent)).or_default().insert(owner);
            assert!(is_first, "owner {owner} had two turns, with {at}/{index}, while {other} waited: {self:#?}");
        }
        self.passed.retain(|(other, _), _| *other != owner);
    }

    fn drop_owners_that_no_longer_wait(&mut self) {
        let waiting: HashSet<(usize, bool)> = self.waits().map(|(at, _)| (self.all[at].owner, self.all[at].is_urgent)).collect();
        self.passed.retain(|who, _| waiting.contains(who));
    }

    /// Returns the urgent requests that have no slot, grouped by registration.
    ///
    /// Each entry has the host of the request, and whether that host is full.
    fn urgent(&self) -> BTreeMap<usize, Vec<(usize, bool)>> {
        let is_room = self.running.len() < PARALLEL;
        let mut urgent: BTreeMap<usize, Vec<(usize, bool)>> = BTreeMap::new();
        for (at, index) in self.waits().filter(|(at, _)| self.all[*at].is_urgent) {
            let host = self.all[at].requests[index].host;
            let is_full = self.is_full(host);
            if is_full || !is_room {
                urgent.entry(at).or_default().push((host, is_full));
            }
        }
        urgent
    }

    fn is_urgent(&self, one: &Running) -> bool {
        self.all[one.registration].is_active && self.all[one.registration].is_urgent
    }

    fn makes_room(&self, one: &Running, (host, is_full): (usize, bool)) -> bool {
        !is_full || self.all[one.registration].requests[one.index].host == host && !one.is_fetched
    }

    fn stopped(&mut self, guid: Guid) {
        // A request that returned to the ledger before it could start needs no check.
        let Some(at) = self.running.iter().position(|one| one.guid == guid) else { return };
        let one = &self.running[at];
        if !one.must_stop {
            let is_needed = self.urgent().into_values().flatten().any(|urgent| self.makes_room(one, urgent));
            assert!(is_needed && !self.is_urgent(one) && !one.is_fetched, "{one:?} was preempted without need: {self:#?}");
        }
        self.running[at].is_told_to_stop = true;
    }

    /// Checks that every urgent request has a slot, or that a transfer is being stopped for it.
    fn check_urgent(&self) {
        for (at, urgent) in self.urgent() {
            let makes_room = |one: &Running| urgent.iter().any(|urgent| self.makes_room(one, *urgent));
            let could = |one: &Running| !self.is_urgent(one) && !one.is_fetched && makes_room(one);
            let is_waited_for = self.running.iter().any(|one| one.is_told_to_stop && makes_room(one));
            assert!(is_waited_for || !self.running.iter().any(could), "no transfer is preempted for {at}: {self:#?}");
        }
    }
}
