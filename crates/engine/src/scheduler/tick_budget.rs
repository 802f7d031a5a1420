//! How much one turn of the loop may start before it looks at what else has come: an order, news, the desktop. [pure]
//!
//! A tick or a nudge starts few at once, and the rest right after whoever waited meanwhile. What has come or ended makes room
//! for as many again: there are no more under way than before, and thousands of small files share their transactions.

use std::time::{Duration, Instant};

/// Starts of one tick or nudge.
const STARTS: usize = 8;
/// The same where nobody works at the machine.
const STARTS_WHEN_IDLE: usize = 24;
/// The time that handing out may take at a stretch.
const TIME: Duration = Duration::from_millis(250);

/// What one turn may spend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickBudget {
    starts: usize,
    until: Instant,
}

impl TickBudget {
    /// At `now`, when so many have left the network since anything was handed out.
    pub(crate) fn new(is_idle: bool, left: usize, now: Instant) -> Self {
        Self { starts: left.max(if is_idle { STARTS_WHEN_IDLE } else { STARTS }), until: now + TIME }
    }

    /// Whether one more may be handed out after so many; the first may at any time, or nothing would ever move.
    pub(crate) fn is_left(&self, started: usize, now: Instant) -> bool {
        started == 0 || started < self.starts && now < self.until
    }

    /// How many may still be, after so many.
    pub(crate) fn left(&self, started: usize) -> u32 {
        u32::try_from(self.starts.saturating_sub(started)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_starts_eight_or_twenty_four_and_what_has_left_makes_room_for_as_many() {
        let now = Instant::now();
        for (budget, starts) in [
            (TickBudget::new(false, 0, now), 8),
            (TickBudget::new(true, 0, now), 24),
            (TickBudget::new(false, 3, now), 8),
            (TickBudget::new(true, 100, now), 100),
        ] {
            assert!(budget.is_left(starts - 1, now) && !budget.is_left(starts, now), "{budget:?}");
            assert_eq!((budget.left(0), budget.left(starts - 1), budget.left(starts + 1)), (starts as u32, 1, 0));
        }
    }

    #[test]
    fn after_a_quarter_of_a_second_it_looks_at_what_else_has_come() {
        let now = Instant::now();
        let budget = TickBudget::new(true, 0, now);
        assert!(budget.is_left(1, now + Duration::from_millis(249)));
        assert!(!budget.is_left(1, now + Duration::from_millis(250)));
        assert!(budget.is_left(0, now + Duration::from_secs(9)), "a slow disk is no reason to start nothing");
    }
}
