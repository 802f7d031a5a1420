//! How much one turn of the loop may start before it looks at what else has come: an order, news, the desktop. [pure]
//!
//! A tick or a nudge starts few at once, and the rest right after whoever waited meanwhile. What has ended makes room for as
//! many again, in the transaction that writes it down: there are no more under way than before.

use std::time::{Duration, Instant};

/// Starts of one tick or nudge.
const STARTS: usize = 8;
/// The same where nobody works at the machine.
const STARTS_WHEN_IDLE: usize = 24;
/// The time that handing out may take at a stretch.
const TIME: Duration = Duration::from_millis(250);

/// What one turn may spend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    starts: usize,
    until: Instant,
}

impl Budget {
    /// Of a tick or a nudge at `now`.
    pub(crate) fn of_tick(is_idle: bool, now: Instant) -> Self {
        Self { starts: if is_idle { STARTS_WHEN_IDLE } else { STARTS }, until: now + TIME }
    }

    /// Of so many news.
    pub(crate) fn of_news(count: usize, now: Instant) -> Self {
        Self { starts: count.max(STARTS), until: now + TIME }
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
    fn a_tick_starts_eight_or_twenty_four_and_news_as_many_as_there_are() {
        let now = Instant::now();
        for (budget, starts) in [
            (Budget::of_tick(false, now), 8),
            (Budget::of_tick(true, now), 24),
            (Budget::of_news(3, now), 8),
            (Budget::of_news(100, now), 100),
        ] {
            assert!(budget.is_left(starts - 1, now) && !budget.is_left(starts, now), "{budget:?}");
            assert_eq!((budget.left(0), budget.left(starts - 1), budget.left(starts + 1)), (starts as u32, 1, 0));
        }
    }

    #[test]
    fn after_a_quarter_of_a_second_it_looks_at_what_else_has_come() {
        let now = Instant::now();
        let budget = Budget::of_tick(true, now);
        assert!(budget.is_left(1, now + Duration::from_millis(249)));
        assert!(!budget.is_left(1, now + Duration::from_millis(250)));
        assert!(budget.is_left(0, now + Duration::from_secs(9)), "a slow disk is no reason to start nothing");
    }
}
