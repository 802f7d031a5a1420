//! Chooses the next turn: urgent requests first, then the owner that was served longest ago. [pure]
//!
//! A feed that adds ten thousand links therefore does not delay a user who adds a single link. The state is only in
//! memory: a restart costs an owner at most one turn.

use std::{cmp::Reverse, collections::HashMap};

use crate::store::rows::FairTurn;

/// Number of the turn in which each owner was last served.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnerRoundRobin {
    served: HashMap<i64, u64>,
    count: u64,
}

impl OwnerRoundRobin {
    /// Returns the next turn among `waiting`, and whether other owners wait at the same priority.
    ///
    /// If other owners wait, a turn consists of a single request.
    pub(crate) fn next(&self, waiting: &[FairTurn]) -> Option<(FairTurn, bool)> {
        let last = |turn: &FairTurn| self.served.get(&turn.owner).copied().unwrap_or_default();
        let next = *waiting.iter().min_by_key(|turn| (Reverse(turn.priority), last(turn), turn.owner))?;
        let is_shared = waiting.iter().any(|other| other.priority == next.priority && other.owner != next.owner);
        Some((next, is_shared))
    }

    /// Remembers that a request of `owner` was dispatched, so that other owners are served next.
    pub(crate) fn served(&mut self, owner: i64) {
        self.count += 1;
        self.served.insert(owner, self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(priority: i64, owner: i64) -> FairTurn {
        FairTurn { priority, owner }
    }

    /// Returns the owners of the next `count` turns if all owners in `waiting` continue to wait.
    fn served(turns: &mut OwnerRoundRobin, waiting: &[FairTurn], count: usize) -> Vec<i64> {
        let mut next = || {
            let (next, _) = turns.next(waiting).unwrap();
            turns.served(next.owner);
            next.owner
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn new_owner_is_served_first_when_owners_take_turns() {
        let mut turns = OwnerRoundRobin::default();
        assert_eq!(served(&mut turns, &[turn(0, 1), turn(0, 2)], 4), [1, 2, 1, 2]);
        assert_eq!(served(&mut turns, &[turn(0, 1), turn(0, 2), turn(0, 3)], 4), [3, 1, 2, 3]);
    }

    #[test]
    fn urgent_requests_come_first_regardless_of_last_served_owner() {
        let mut turns = OwnerRoundRobin::default();
        let waiting = [turn(0, 1), turn(1, 2), turn(0, 2)];
        assert_eq!(served(&mut turns, &waiting, 3), [2, 2, 2]);
        assert_eq!(turns.next(&waiting), Some((turn(1, 2), false)), "the owner has all turns");
        assert_eq!(turns.next(&waiting[2..]), Some((turn(0, 2), false)));
        assert_eq!(turns.next(&[turn(0, 1), turn(0, 2)]), Some((turn(0, 1), true)));
        assert_eq!(turns.next(&[]), None);
    }
}
