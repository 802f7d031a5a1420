//! The one door through which time, randomness and what the machine says of itself come in. A test opens an engine on an
//! `Env` of its own.

use std::{
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jiff::{Timestamp, tz::TimeZone};
use rustix::time::{ClockId, clock_gettime};
use uuid::Uuid;

use crate::model::values::local_time::LocalTime;
#[cfg(test)]
use crate::platform::sync;

/// Clock, dice and machine. Functions, so that a test's body is closures without captures.
#[derive(Clone, Copy, Debug)]
pub struct EngineEnv {
    /// Unix time in microseconds.
    pub now_us: fn() -> i64,
    /// Microseconds since the machine was started, those of its sleep among them. Nobody can set that clock.
    pub uptime_us: fn() -> i64,
    /// Between two looks at what tells nobody.
    pub tick: Duration,
    /// Evenly spread in 0.0..1.0.
    pub random: fn() -> f64,
    /// How local time differs from that of Unix at that moment (µs).
    pub local: fn(i64) -> LocalTime,
    /// Free bytes where this folder is; none where the system does not say.
    pub free: fn(&Path) -> Option<u64>,
    /// All bytes that there could ever be.
    pub capacity: fn(&Path) -> Option<u64>,
    /// Where the system's message bus is; none for the usual place.
    pub system_bus: fn() -> Option<String>,
    /// Where the session's message bus is; none for the usual place.
    pub session_bus: fn() -> Option<String>,
    /// What is another text after every start of the machine; none where the system does not say.
    pub boot: fn() -> Option<String>,
}

impl Default for EngineEnv {
    fn default() -> Self {
        Self {
            now_us: system_now_us,
            uptime_us: system_uptime_us,
            tick: Duration::from_secs(60),
            random: rand::random::<f64>,
            local: |at_us| local_time_in(&TimeZone::system(), at_us),
            free: |folder| Some(volume(folder)?.0),
            capacity: |folder| Some(volume(folder)?.1),
            system_bus: || None,
            session_bus: || None,
            boot: || std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok(),
        }
    }
}

impl EngineEnv {
    pub(crate) fn now(&self) -> i64 {
        (self.now_us)()
    }

    /// A version 4 GUID. From the system, never from `random`: two data folders must not mint the same one.
    pub(crate) fn guid(&self) -> Uuid {
        #[cfg(test)]
        if let Some(guid) = sync::guid() {
            return guid;
        }
        Uuid::new_v4()
    }
}

/// How the time of `zone` differs at that moment, and until when. A moment that no calendar has differs by nothing.
pub(crate) fn local_time_in(zone: &TimeZone, at_us: i64) -> LocalTime {
    let Ok(at) = Timestamp::from_microsecond(at_us) else { return LocalTime { offset_seconds: 0, until_us: i64::MAX } };
    let until_us = zone.following(at).next().map_or(i64::MAX, |change| change.timestamp().as_microsecond());
    LocalTime { offset_seconds: zone.to_offset(at).seconds(), until_us }
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn system_now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn system_uptime_us() -> i64 {
    let up = clock_gettime(ClockId::Boottime);
    up.tv_sec.saturating_mul(1_000_000).saturating_add(up.tv_nsec / 1000)
}

/// Free bytes, and all. None where the system does not say: some FUSE programs and network shares have no such call, or tell of
/// a volume without a single block.
pub(crate) fn volume(folder: &Path) -> Option<(u64, u64)> {
    let volume = rustix::fs::statvfs(folder).ok().filter(|volume| volume.f_blocks > 0)?;
    Some((volume.f_bavail.saturating_mul(volume.f_frsize), volume.f_blocks.saturating_mul(volume.f_frsize)))
}

/// A zone with summer time that is the same on every machine: that of Berlin, by its rule.
#[cfg(test)]
pub(crate) fn zone_of_tests() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_time_changes_with_summer_and_a_moment_that_no_calendar_has_is_no_reason_to_fail() {
        let july = 1_783_000_000_000_000;
        let summer = local_time_in(&zone_of_tests(), july);
        assert_eq!(summer.offset_seconds, 7200);
        assert_eq!(local_time_in(&zone_of_tests(), summer.until_us).offset_seconds, 3600);
        let never = LocalTime { offset_seconds: 0, until_us: i64::MAX };
        assert_eq!(local_time_in(&zone_of_tests(), i64::MAX), never);
    }
}
