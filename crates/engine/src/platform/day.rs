//! Computes days in the machine's local time.

use crate::EngineEnv;

/// Returns today in the machine's local time, as the number of days since 1970-01-01.
pub(crate) fn today(env: &EngineEnv) -> i64 {
    day_of(env, env.now())
}

/// Returns the day of `at_us` (µs of Unix time) in local time, as the number of days since 1970-01-01.
pub(crate) fn day_of(env: &EngineEnv, at_us: i64) -> i64 {
    day(at_us, (env.local)(at_us).offset_seconds)
}

pub(crate) fn day(at_us: i64, offset_seconds: i32) -> i64 {
    at_us.div_euclid(1_000_000).saturating_add(offset_seconds.into()).div_euclid(DAY_SECONDS)
}

pub(crate) const DAY_SECONDS: i64 = 86_400;
