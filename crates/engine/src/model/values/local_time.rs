//! Local time of the machine, with its offset from UTC.

/// How local time differs from that of Unix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// So many seconds ahead of it.
    pub offset_seconds: i32,
    /// Until then, in microseconds of Unix time.
    pub until_us: i64,
}
