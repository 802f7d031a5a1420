//! Keeps the length of waits unchanged when the wall clock is set.
//!
//! The ledger records due times by the wall clock, because the monotonic clock starts again at every boot. When the
//! wall clock is set, all due times are moved by the same amount.
//!
//! - A jump is detected by comparison with a clock that cannot be set.
//! - A jump while no engine is open is not detected. Even then, no wait exceeds the maximum wait.

use crate::{
    EngineError, EngineEvent,
    scheduler::{event_loop::Scheduler, machine::clocks::ClockReadings},
};

impl Scheduler {
    /// Moves all due times if the clock was set. Call this before due times are read or reported.
    pub(crate) async fn keep_time(&mut self) {
        let now = ClockReadings::read(&self.shared.env);
        if let Some(set) = now.set_since(self.clocks) {
            tracing::info!(seconds = set / 1_000_000, "clock was changed; pending waits keep their remaining time");
            if let Err(error) = self.put_off(set).await {
                return self.refused(&error, "adjust the due times to the changed clock");
            }
            self.load.put_off(set);
            self.tell_rests();
            self.due = None;
            // The due time of every waiting request has changed.
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
    fn elapsed_time_and_suspend_and_small_adjustments_do_not_count_as_clock_jump() {
        let before = ClockReadings { wall: 1_000_000_000, uptime: 5_000_000 };
        let after = |wall, uptime| ClockReadings { wall: before.wall + wall, uptime: before.uptime + uptime }.set_since(before);
        let hour = 3_600_000_000;
        assert_eq!(after(hour, hour), None);
        assert_eq!(after(hour + A_STEP_US - 1, hour), None, "the clock was corrected");
        assert_eq!((after(2 * hour, hour), after(-23 * hour, hour)), (Some(hour), Some(-24 * hour)));
        assert_eq!(after(i64::MAX - before.wall, 0), Some(i64::MAX - before.wall));
    }
}
