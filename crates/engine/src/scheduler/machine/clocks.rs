//! The wall clock beside a clock that nobody sets, so that a jump is noticed. [pure]

use crate::EngineEnv;

/// Both of them at one moment, µs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReadings {
    pub(crate) wall: i64,
    pub(crate) uptime: i64,
}

impl ClockReadings {
    pub(crate) fn read(env: &EngineEnv) -> Self {
        Self { wall: env.now(), uptime: (env.uptime_us)() }
    }

    /// How far the wall's was set since `before`, µs: forward, or back where that is negative. None where it only went.
    pub(crate) fn set_since(self, before: Self) -> Option<i64> {
        let set = self.wall.saturating_sub(before.wall).saturating_sub(self.uptime.saturating_sub(before.uptime));
        (set.saturating_abs() >= A_STEP_US).then_some(set)
    }
}

/// Less than this is a clock that is put right as it goes, a little at a time.
pub(crate) const A_STEP_US: i64 = 1_000_000;
