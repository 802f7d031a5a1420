//! Retention times in settings and commands. [pure]

use std::{fmt, str::FromStr};

use ashore_messages::{UserMessage, message};
use serde::Deserialize;

const UNITS: [(char, u64, &str); 5] =
    [('w', 604_800, "week"), ('d', 86_400, "day"), ('h', 3600, "hour"), ('m', 60, "minute"), ('s', 1, "second")];
/// Maximum retention in seconds: a hundred years of 365.25 days.
const MOST: u64 = 36_525 * 86_400;

/// Duration from a second to a hundred years, as a whole number followed by s, m, h, d or w: "12h", "7d".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionPeriod(u64);

impl RetentionPeriod {
    /// Returns a period of `seconds`. Refuses 0 and more than a hundred years.
    pub fn of_seconds(seconds: u64) -> Result<Self, UserMessage> {
        match seconds {
            1..=MOST => Ok(Self(seconds)),
            _ => Err(message!("invalid.kept")),
        }
    }

    /// Length in seconds.
    pub fn seconds(self) -> u64 {
        self.0
    }

    pub(crate) fn microseconds(self) -> i64 {
        i64::try_from(self.0.saturating_mul(1_000_000)).unwrap_or(i64::MAX)
    }
}

impl FromStr for RetentionPeriod {
    type Err = UserMessage;

    fn from_str(text: &str) -> Result<Self, UserMessage> {
        let wrong = || message!("invalid.time", value = text);
        let (end, letter) = text.trim().char_indices().next_back().ok_or_else(wrong)?;
        let (_, unit, _) = UNITS.iter().find(|(known, ..)| letter.eq_ignore_ascii_case(known)).ok_or_else(wrong)?;
        let number = &text.trim()[..end];
        if number.is_empty() || number.len() > 12 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let seconds = number.parse::<u64>().map_err(|_| wrong())?.saturating_mul(*unit);
        Self::of_seconds(seconds)
    }
}

impl fmt::Display for RetentionPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = UNITS.iter().find(|(_, unit, _)| self.0.is_multiple_of(*unit));
        let (count, name) = whole.map_or((self.0, "second"), |(_, unit, name)| (self.0 / unit, name));
        write!(f, "{count} {name}{}", if count == 1 { "" } else { "s" })
    }
}

/// Default retention of ended registrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum RetentionPolicy {
    /// The registration stays until a user or program removes it.
    Never,
    /// The registration leaves the list after this time.
    After(RetentionPeriod),
}

impl RetentionPolicy {
    pub(crate) fn microseconds(self) -> Option<i64> {
        match self {
            Self::Never => None,
            Self::After(period) => Some(period.microseconds()),
        }
    }
}

impl TryFrom<String> for RetentionPolicy {
    type Error = UserMessage;

    fn try_from(text: String) -> Result<Self, UserMessage> {
        if text == "never" { Ok(Self::Never) } else { text.parse().map(Self::After) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_retention_period_is_parsed_and_invalid_one_is_refused() {
        for (text, seconds) in [("1s", 1), ("90S", 90), ("30m", 1800), ("12h", 43_200), (" 7d ", 604_800), ("4w", 2_419_200)] {
            assert_eq!(text.parse::<RetentionPeriod>().map(RetentionPeriod::seconds), Ok(seconds), "{text}");
        }
        for text in ["", "d", "7", "-7d", "1.5h", "7 d", "7y", "1e3s", "9999999999999s", "７d"] {
            assert_eq!(text.parse::<RetentionPeriod>(), Err(message!("invalid.time", value = text)), "{text}");
        }
        for text in ["0s", "0w", "36526d", "52179w", "999999999999w"] {
            assert_eq!(text.parse::<RetentionPeriod>(), Err(message!("invalid.kept")), "{text}");
        }
        assert_eq!(RetentionPolicy::try_from("never".to_owned()), Ok(RetentionPolicy::Never));
        assert!(RetentionPolicy::try_from("0".to_owned()).is_err());
    }

    #[test]
    fn retention_period_is_written_in_largest_whole_unit() {
        let said = [(1, "1 second"), (60, "1 minute"), (5400, "90 minutes"), (172_800, "2 days"), (604_800, "1 week")];
        for (seconds, words) in said {
            assert_eq!(RetentionPeriod(seconds).to_string(), words);
        }
    }
}
