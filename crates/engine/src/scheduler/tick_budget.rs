//! Limits the number of requests that one pass of the loop starts. After a pass, the loop handles commands, events and
//! the desktop again. [pure]
//!
//! A tick or a command starts a few requests. The remaining requests start after other pending work has been handled. A
//! pass may start a request for each transfer that has stopped using the network since the last dispatch. This does not
//! increase the number of running transfers, and lets thousands of small files share transactions.

use std::time::{Duration, Instant};

/// Maximum number of requests that one pass of the loop starts.
const STARTS: usize = 8;
/// Maximum number of requests that one pass of the loop starts while the user is idle.
const STARTS_WHEN_IDLE: usize = 24;
/// Maximum time of one dispatch.
const TIME: Duration = Duration::from_millis(250);

/// Number of requests that one pass of the loop may start, and the time that the pass may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickBudget {
    starts: usize,
    until: Instant,
}

impl TickBudget {
    /// Returns the budget of a pass that begins at `now`.
    ///
    /// `left` is the number of transfers that stopped using the network since the last dispatch.
    pub(crate) fn new(is_idle: bool, left: usize, now: Instant) -> Self {
        Self { starts: left.max(if is_idle { STARTS_WHEN_IDLE } else { STARTS }), until: now + TIME }
    }

    /// Returns whether another request may be dispatched after the first `started` requests.
    ///
    /// The first request may always be dispatched, so that a slow disk does not prevent all progress.
    pub(crate) fn is_left(&self, started: usize, now: Instant) -> bool {
        started == 0 || started < self.starts && now < self.until
    }

    /// Returns how many more requests may be dispatched after the first `started` requests.
    pub(crate) fn left(&self, started: usize) -> u32 {
        u32::try_from(self.starts.saturating_sub(started)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_transfers_start_per_tick_if_user_is_idle_or_many_transfers_have_ended() {
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
    fn budget_for_starts_ends_after_quarter_second_but_allows_first_start() {
        let now = Instant::now();
        let budget = TickBudget::new(true, 0, now);
        assert!(budget.is_left(1, now + Duration::from_millis(249)));
        assert!(!budget.is_left(1, now + Duration::from_millis(250)));
        assert!(budget.is_left(0, now + Duration::from_secs(9)), "a slow disk is no reason to start nothing");
    }
}
