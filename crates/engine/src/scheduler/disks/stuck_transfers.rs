//! Keeps a record of the transfers that gave up their slots because their disks do not answer. [pure]

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use ashore_transfer::Guid;

use crate::scheduler::host_limits::HostSlots;

/// Transfers that gave up their slots because their disks do not answer.
#[derive(Debug, Default)]
pub(crate) struct StuckTransfers {
    /// For each transfer: the host whose slot the transfer gave up, and whether all bytes had been received.
    pub(crate) places: HashMap<Guid, (i64, bool)>,
    asked: Option<Instant>,
}

impl StuckTransfers {
    /// Gives the slot of a transfer of `host` to other transfers. Returns true if the transfer had a slot.
    ///
    /// `is_fetched` means that all bytes have been received.
    pub(crate) fn give_away(&mut self, guid: Guid, (host, is_fetched): (i64, bool), load: &mut HostSlots) -> bool {
        let is_new = self.places.insert(guid, (host, is_fetched)).is_none();
        if is_new {
            load.ended(host, is_fetched);
        }
        is_new
    }

    /// Gives a transfer its slot back. The limits may be exceeded until other transfers end.
    pub(crate) fn take_back(&mut self, guid: Guid, load: &mut HostSlots) {
        if let Some((host, is_fetched)) = self.places.remove(&guid) {
            load.returned(host, is_fetched);
        }
    }

    /// Returns whether the disks should be checked now.
    ///
    /// The interval is long enough for the results of the previous check to arrive.
    pub(crate) fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.asked.is_none_or(|asked| now.saturating_duration_since(asked) >= ASK_EVERY);
        if is_due {
            self.asked = Some(now);
        }
        is_due
    }
}

/// Interval between two checks of the disks of running transfers while other requests wait for a slot.
pub(crate) const ASK_EVERY: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn guid(number: u128) -> Guid {
        Guid(Uuid::from_u128(number))
    }

    #[test]
    fn stuck_transfer_releases_its_slot_once_and_takes_it_back_once() {
        for is_fetched in [false, true] {
            let (mut load, mut stuck) = (HostSlots::default(), StuckTransfers::default());
            load.handed_out(1);
            load.started(1);
            if is_fetched {
                load.fetched(1);
            }
            let has_room = |load: &HostSlots| load.has_room(1);
            assert!(!has_room(&load));
            assert!(stuck.give_away(guid(1), (1, is_fetched), &mut load) && has_room(&load));
            assert!(!stuck.give_away(guid(1), (1, is_fetched), &mut load), "a second time");
            assert!(has_room(&load) && load.room(1, 1, 1) == 1);
            stuck.take_back(guid(2), &mut load);
            assert!(has_room(&load), "another one");
            stuck.take_back(guid(1), &mut load);
            assert!(!has_room(&load), "{is_fetched}");
            stuck.take_back(guid(1), &mut load);
            load.ended(1, is_fetched);
            assert!(has_room(&load), "{is_fetched}");
        }
    }

    #[test]
    fn stalled_disks_are_checked_once_a_second() {
        let (mut stuck, now) = (StuckTransfers::default(), Instant::now());
        assert!(stuck.is_due(now) && !stuck.is_due(now + ASK_EVERY / 2) && stuck.is_due(now + ASK_EVERY));
    }
}
