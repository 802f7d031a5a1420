//! Local time of the machine, as an offset from UTC.

/// Offset of local time from Unix time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// Seconds by which local time is ahead of Unix time.
    pub offset_seconds: i32,
    /// Time at which this offset ends, in microseconds of Unix time.
    pub until_us: i64,
}
