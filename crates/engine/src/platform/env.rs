//! Provides time, randomness and facts about the machine. Other code of the engine never reads these directly.
//!
//! A test opens an engine with its own `EngineEnv`.

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

/// Clock, random source and facts about the machine.
///
/// The fields are function pointers, so tests can replace them with closures that capture nothing.
#[derive(Clone, Copy, Debug)]
pub struct EngineEnv {
    /// Unix time in microseconds.
    pub now_us: fn() -> i64,
    /// Microseconds since boot, including suspend. This clock cannot be set.
    pub uptime_us: fn() -> i64,
    /// Interval between two checks of sources that send no notification.
    pub tick: Duration,
    /// Random number, uniform in 0.0..1.0.
    pub random: fn() -> f64,
    /// Offset of local time at a given moment. The moment is in microseconds of Unix time.
    pub local: fn(i64) -> LocalTime,
    /// Number of free bytes on the volume that contains a folder; `None` if unknown.
    pub free: fn(&Path) -> Option<u64>,
    /// Capacity, in bytes, of the volume that contains a folder; `None` if unknown.
    pub capacity: fn(&Path) -> Option<u64>,
    /// Address of the system message bus; `None` for the default.
    pub system_bus: fn() -> Option<String>,
    /// Address of the session message bus; `None` for the default.
    pub session_bus: fn() -> Option<String>,
    /// Identifier of the current boot of the machine; `None` if unknown.
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

    /// Returns a version 4 GUID from the operating system.
    ///
    /// Does not use `random`, because two data folders must not create the same GUID.
    pub(crate) fn guid(&self) -> Uuid {
        #[cfg(test)]
        if let Some(guid) = sync::guid() {
            return guid;
        }
        Uuid::new_v4()
    }
}

/// Returns the offset of `zone` at a given moment, and the time until which that offset applies.
///
/// Returns an offset of 0 for a moment outside the range of the calendar.
pub(crate) fn local_time_in(zone: &TimeZone, at_us: i64) -> LocalTime {
    let Ok(at) = Timestamp::from_microsecond(at_us) else { return LocalTime { offset_seconds: 0, until_us: i64::MAX } };
    let until_us = zone.following(at).next().map_or(i64::MAX, |change| change.timestamp().as_microsecond());
    LocalTime { offset_seconds: zone.to_offset(at).seconds(), until_us }
}

#[expect(clippy::disallowed_methods, reason = "this function is the only access to the clock")]
fn system_now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn system_uptime_us() -> i64 {
    let up = clock_gettime(ClockId::Boottime);
    up.tv_sec.saturating_mul(1_000_000).saturating_add(up.tv_nsec / 1000)
}

/// Returns the number of free bytes and the capacity of the volume that contains `folder`; `None` if unknown.
///
/// Some FUSE programs and network shares lack the call, or report a volume without blocks.
pub(crate) fn volume(folder: &Path) -> Option<(u64, u64)> {
    let volume = rustix::fs::statvfs(folder).ok().filter(|volume| volume.f_blocks > 0)?;
    Some((volume.f_bavail.saturating_mul(volume.f_frsize), volume.f_blocks.saturating_mul(volume.f_frsize)))
}

/// Returns a time zone with summer time for tests: the rule of Berlin, on every machine.
#[cfg(test)]
pub(crate) fn zone_of_tests() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_time_follows_summer_time_and_tolerates_invalid_moments() {
        let july = 1_783_000_000_000_000;
        let summer = local_time_in(&zone_of_tests(), july);
        assert_eq!(summer.offset_seconds, 7200);
        assert_eq!(local_time_in(&zone_of_tests(), summer.until_us).offset_seconds, 3600);
        let never = LocalTime { offset_seconds: 0, until_us: i64::MAX };
        assert_eq!(local_time_in(&zone_of_tests(), i64::MAX), never);
    }
}
