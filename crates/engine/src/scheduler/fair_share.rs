//! Whose turn it is: what is urgent first, and among equals the owner that was served longest ago. [pure]
//!
//! So a feed that adds ten thousand links does not keep a person waiting who adds one. Kept in memory alone: what a restart
//! forgets of it costs an owner one turn.

use std::{cmp::Reverse, collections::HashMap};

use crate::store::rows::FairTurn;

/// When each owner was last served, counted in turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnerRoundRobin {
    served: HashMap<i64, u64>,
    count: u64,
}

impl OwnerRoundRobin {
    /// Who of `waiting` is next, and whether others wait for their turn beside him: then one request is a turn.
    pub(crate) fn next(&self, waiting: &[FairTurn]) -> Option<(FairTurn, bool)> {
        let last = |turn: &FairTurn| self.served.get(&turn.owner).copied().unwrap_or_default();
        let next = *waiting.iter().min_by_key(|turn| (Reverse(turn.priority), last(turn), turn.owner))?;
        let is_shared = waiting.iter().any(|other| other.priority == next.priority && other.owner != next.owner);
        Some((next, is_shared))
    }

    /// `owner` has had a turn.
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

    /// Who is served in the next `count` turns when all of `waiting` go on waiting.
    fn served(turns: &mut OwnerRoundRobin, waiting: &[FairTurn], count: usize) -> Vec<i64> {
        let mut next = || {
            let (next, _) = turns.next(waiting).unwrap();
            turns.served(next.owner);
            next.owner
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn owners_take_turns_and_a_new_one_is_next() {
        let mut turns = OwnerRoundRobin::default();
        assert_eq!(served(&mut turns, &[turn(0, 1), turn(0, 2)], 4), [1, 2, 1, 2]);
        assert_eq!(served(&mut turns, &[turn(0, 1), turn(0, 2), turn(0, 3)], 4), [3, 1, 2, 3]);
    }

    #[test]
    fn what_is_urgent_goes_first_whoever_was_served() {
        let mut turns = OwnerRoundRobin::default();
        let waiting = [turn(0, 1), turn(1, 2), turn(0, 2)];
        assert_eq!(served(&mut turns, &waiting, 3), [2, 2, 2]);
        assert_eq!(turns.next(&waiting), Some((turn(1, 2), false)), "and shares its turns with nobody");
        assert_eq!(turns.next(&waiting[2..]), Some((turn(0, 2), false)));
        assert_eq!(turns.next(&[turn(0, 1), turn(0, 2)]), Some((turn(0, 1), true)));
        assert_eq!(turns.next(&[]), None);
    }
}
