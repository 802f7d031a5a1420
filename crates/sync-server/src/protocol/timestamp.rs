//! Represents times of the protocol: seconds with two decimals, as a raw number. [pure]

use std::fmt;

/// Milliseconds since 1970.
///
/// Times from the server are multiples of 10; times from a client need not be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

/// Minimum distance between two writes of one user, in milliseconds: one unit of the second decimal.
pub const TICK: i64 = 10;

impl Timestamp {
    /// Returns `milliseconds`, rounded down to a whole tick.
    pub fn floor(milliseconds: i64) -> Self {
        Self(milliseconds.max(0) / TICK * TICK)
    }

    /// Returns the time of the next write.
    ///
    /// The time is `now`, but at least one tick after `last`, the time of the user's previous write.
    pub fn next(now: Self, last: Self) -> Self {
        now.max(Self(last.0 + TICK))
    }

    /// Parses a time from a client, truncated to whole milliseconds.
    ///
    /// Also returns whether a fraction was truncated. Returns `None` for text with characters other than digits and a
    /// decimal point, such as a sign or an exponent.
    pub fn parse(text: &str) -> Option<(Self, bool)> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |part: &str| part.bytes().all(|letter| letter.is_ascii_digit());
        if whole.is_empty() || whole.len() > 12 || !is_number(whole) || decimals.len() > 30 || !is_number(decimals) {
            return None;
        }
        if text.contains('.') && decimals.is_empty() {
            return None;
        }
        let seconds: i64 = whole.parse().ok()?;
        let (kept, cut) = decimals.split_at(decimals.len().min(3));
        let milliseconds: i64 = format!("{kept:0<3}").parse().ok()?;
        Some((Self(seconds * 1000 + milliseconds), cut.bytes().any(|digit| digit != b'0')))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:02}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_have_two_decimals() {
        assert_eq!(Timestamp(1_700_000_000_050).to_string(), "1700000000.05");
        assert_eq!(Timestamp(0).to_string(), "0.00");
        assert_eq!(Timestamp::floor(1_239), Timestamp(1_230));
    }

    #[test]
    fn malformed_client_timestamp_is_refused() {
        assert_eq!(Timestamp::parse("12.3"), Some((Timestamp(12_300), false)));
        assert_eq!(Timestamp::parse("12"), Some((Timestamp(12_000), false)));
        assert_eq!(Timestamp::parse("12.3456"), Some((Timestamp(12_345), true)));
        assert_eq!(Timestamp::parse("12.34500"), Some((Timestamp(12_345), false)));
        for wrong in ["", "-1", "+1", "1e400", "1.", ".5", "nan", "inf", "1 ", "١", "9999999999999"] {
            assert_eq!(Timestamp::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn writes_are_at_least_a_tick_apart_despite_clock_jumps() {
        assert_eq!(Timestamp::next(Timestamp(50), Timestamp(10)), Timestamp(50));
        assert_eq!(Timestamp::next(Timestamp(50), Timestamp(50)), Timestamp(60));
        assert_eq!(Timestamp::next(Timestamp(50), Timestamp(86_400_000)), Timestamp(86_400_010));
    }
}
