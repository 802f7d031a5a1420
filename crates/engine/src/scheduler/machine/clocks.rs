//! Compares the wall clock with a clock that cannot be set, to detect a jump. [pure]

use crate::EngineEnv;

/// Readings of the wall clock and of a clock that cannot be set, at the same moment, in µs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReadings {
    pub(crate) wall: i64,
    pub(crate) uptime: i64,
}

impl ClockReadings {
    pub(crate) fn read(env: &EngineEnv) -> Self {
        Self { wall: env.now(), uptime: (env.uptime_us)() }
    }

    /// Returns how far the wall clock was set since `before`, in µs; negative if it was set back.
    ///
    /// `None` if only time has passed.
    pub(crate) fn set_since(self, before: Self) -> Option<i64> {
        let set = self.wall.saturating_sub(before.wall).saturating_sub(self.uptime.saturating_sub(before.uptime));
        (set.saturating_abs() >= A_STEP_US).then_some(set)
    }
}

/// Minimum difference, in microseconds, that counts as a jump.
///
/// Gradual adjustment of a clock causes smaller differences.
pub(crate) const A_STEP_US: i64 = 1_000_000;
