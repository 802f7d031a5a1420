//! What waits does so for a time that passes, however long the wall's clock says that it was. The ledger knows when something
//! is due by that clock, since it outlasts the machine's own; so where somebody sets the clock, what is due is set with it.
//!
//! Told from each other by a clock that nobody can set. What was set while no engine was open is not seen: then no wait
//! lasts longer than the longest one.

use crate::{
    EngineError, EngineEvent,
    scheduler::{event_loop::Scheduler, machine::clocks::ClockReadings},
};

impl Scheduler {
    /// Before anything looks at what is due, or says when something will be.
    pub(crate) async fn keep_time(&mut self) {
        let now = ClockReadings::read(&self.shared.env);
        if let Some(set) = now.set_since(self.clocks) {
            tracing::info!(seconds = set / 1_000_000, "the clock was set, and what waits waits as long as before");
            if let Err(error) = self.put_off(set).await {
                return self.refused(&error, "keep waits as long as they were");
            }
            self.load.put_off(set);
            self.tell_rests();
            self.due = None;
            // Whoever waits has another time now.
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        self.clocks = now;
    }

    async fn put_off(&self, by_us: i64) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.put_off_waits(by_us).await?;
        ledger.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::machine::clocks::A_STEP_US;

    #[test]
    fn a_clock_that_goes_was_not_set_and_neither_was_one_whose_machine_slept() {
        let before = ClockReadings { wall: 1_000_000_000, uptime: 5_000_000 };
        let after = |wall, uptime| ClockReadings { wall: before.wall + wall, uptime: before.uptime + uptime }.set_since(before);
        let hour = 3_600_000_000;
        assert_eq!(after(hour, hour), None);
        assert_eq!(after(hour + A_STEP_US - 1, hour), None, "it was put right");
        assert_eq!((after(2 * hour, hour), after(-23 * hour, hour)), (Some(hour), Some(-24 * hour)));
        assert_eq!(after(i64::MAX - before.wall, 0), Some(i64::MAX - before.wall));
    }
}
