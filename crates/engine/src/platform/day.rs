//! Days in the machine's own time.

use crate::EngineEnv;

/// Days since 1970-01-01 in the machine's own time.
pub(crate) fn today(env: &EngineEnv) -> i64 {
    day_of(env, env.now())
}

/// The same of another moment (µs).
pub(crate) fn day_of(env: &EngineEnv, at_us: i64) -> i64 {
    day(at_us, (env.local)(at_us).offset_seconds)
}

pub(crate) fn day(at_us: i64, offset_seconds: i32) -> i64 {
    at_us.div_euclid(1_000_000).saturating_add(offset_seconds.into()).div_euclid(DAY_SECONDS)
}

pub(crate) const DAY_SECONDS: i64 = 86_400;
