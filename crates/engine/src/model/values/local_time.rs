//! Local time of the machine, as an offset from UTC.

/// Offset of local time from Unix time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// Offset in seconds; positive if local time is ahead of Unix time.
    pub offset_seconds: i32,
    /// Time until which this offset applies, in microseconds of Unix time.
    pub until_us: i64,
}
