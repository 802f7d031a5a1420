//! Chooses the transfers to stop for urgent requests that lack a slot. The last in the queue is stopped first. [pure]
//!
//! Some transfers are never stopped: urgent transfers, received files that only wait for the disk, and uploads, which
//! cannot be resumed.

use std::collections::{HashMap, HashSet};

use ashore_transfer::Guid;

use crate::context::running::RunningGuard;

/// Returns whether a transfer of `host` is stopping or may be stopped.
pub(crate) fn can_make_room(host: i64, running: &[RunningGuard], leaving: &HashMap<Guid, i64>) -> bool {
    running.iter().any(|one| one.may_wait && one.host == host) || leaving.values().any(|at| *at == host)
}

/// Returns the transfers to stop, so that each of `urgent` gets a slot.
///
/// `urgent` has the host of each waiting request, and whether that host is full. The transfers in `leaving` are already
/// stopping, and also free their slots.
pub(crate) fn choose(urgent: &[(i64, bool)], running: &[RunningGuard], leaving: &HashMap<Guid, i64>) -> Vec<Guid> {
    let mut leaving_at: Vec<i64> = leaving.values().copied().collect();
    let mut candidates: Vec<&RunningGuard> =
        running.iter().filter(|one| one.may_wait && !leaving.contains_key(&one.guid)).collect();
    candidates.sort_by_key(|one| one.place);
    let mut chosen = Vec::new();
    let mut given_up = HashSet::new();
    for (host, is_full) in urgent {
        let makes_room = |at: i64| !is_full || at == *host;
        if let Some(place) = leaving_at.iter().position(|at| makes_room(*at)) {
            leaving_at.swap_remove(place);
            continue;
        }
        if *is_full && given_up.contains(host) {
            continue;
        }
        match candidates.iter().rposition(|one| makes_room(one.host)) {
            Some(place) => chosen.push(candidates.remove(place).guid),
            None => drop(given_up.insert(*host)),
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn guid(number: u128) -> Guid {
        Guid(Uuid::from_u128(number))
    }

    fn running(number: u128, host: i64, rank: i64) -> RunningGuard {
        RunningGuard { guid: guid(number), host, place: (rank, 0), may_wait: true }
    }

    #[test]
    fn urgent_request_first_preempts_the_transfer_that_is_last_in_queue() {
        let all = [running(1, 7, 10), running(2, 7, 30), running(3, 8, 20)];
        assert_eq!(choose(&[(9, false)], &all, &HashMap::new()), [guid(2)]);
        assert_eq!(choose(&[(9, false), (9, false)], &all, &HashMap::new()), [guid(2), guid(3)]);
        assert_eq!(choose(&[(9, false); 5], &all, &HashMap::new()).len(), 3);
        assert_eq!(choose(&[], &all, &HashMap::new()), []);
    }

    #[test]
    fn urgent_request_to_host_at_its_limit_preempts_only_transfers_of_that_host() {
        let all = [running(1, 7, 10), running(2, 7, 20), running(3, 8, 30)];
        assert_eq!(choose(&[(7, true)], &all, &HashMap::new()), [guid(2)]);
        assert_eq!(choose(&[(9, true)], &all, &HashMap::new()), []);
    }

    #[test]
    fn slot_of_stopping_transfer_counts_as_free_for_preemption() {
        let all = [running(1, 7, 10), running(2, 7, 20)];
        let leaving = HashMap::from([(guid(2), 7)]);
        assert_eq!(choose(&[(9, false)], &all, &leaving), []);
        assert_eq!(choose(&[(9, false), (9, false)], &all, &leaving), [guid(1)]);
    }

    #[test]
    fn transfer_that_must_not_be_interrupted_is_never_preempted() {
        let all = [RunningGuard { may_wait: false, ..running(1, 7, 10) }];
        assert_eq!(choose(&[(7, true), (8, false)], &all, &HashMap::new()), []);
    }
}
