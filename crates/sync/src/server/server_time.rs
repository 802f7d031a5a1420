//! Converts the decimal times and sizes of the protocol to integers. [pure]
//!
//! Called by the readers of headers and bodies, and by the client for its own headers.
//!
//! - There is no floating point: an error of one millisecond would hide a change or report a false conflict.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::value::RawValue;

/// Maximum number of digits before the decimal point. The milliseconds are far within the range of an `i64`.
const WHOLE_DIGITS: usize = 12;

/// Maximum number of digits after the decimal point.
const DECIMAL_DIGITS: usize = 20;

/// Time in milliseconds, from a JSON number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimeNumber(pub i64);

/// Size in bytes, from a JSON number of KB (1,024 bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KilobyteNumber(pub i64);

impl<'de> Deserialize<'de> for TimeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        parse_seconds(raw.get()).map(Self).ok_or_else(|| D::Error::custom("not a time"))
    }
}

impl<'de> Deserialize<'de> for KilobyteNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        parse_kilobytes(raw.get()).map(Self).ok_or_else(|| D::Error::custom("not a size"))
    }
}

/// Parses seconds, and returns milliseconds.
///
/// Returns `None` for a sign, an exponent, or a fraction of a millisecond.
pub(super) fn parse_seconds(text: &str) -> Option<i64> {
    let (whole, decimals) = parts(text)?;
    let (kept, cut) = decimals.split_at(decimals.len().min(3));
    let milliseconds: i64 = format!("{kept:0<3}").parse().ok()?;
    let is_exact = cut.bytes().all(|digit| digit == b'0');
    is_exact.then_some(whole * 1000 + milliseconds)
}

/// Parses KB, and returns bytes, rounded down.
fn parse_kilobytes(text: &str) -> Option<i64> {
    let (whole, decimals) = parts(text)?;
    let scale = 10_i128.pow(u32::try_from(decimals.len()).ok()?);
    let fraction: i128 = if decimals.is_empty() { 0 } else { decimals.parse().ok()? };
    i64::try_from(i128::from(whole) * 1024 + fraction * 1024 / scale).ok()
}

/// Splits a decimal number into the digits before and after the point.
fn parts(text: &str) -> Option<(i64, &str)> {
    let (whole, decimals) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    let is_number = |part: &str| part.bytes().all(|letter| letter.is_ascii_digit());
    let is_short = (1..=WHOLE_DIGITS).contains(&whole.len()) && decimals.len() <= DECIMAL_DIGITS;
    (is_short && is_number(whole) && is_number(decimals)).then(|| whole.parse().ok().zip(Some(decimals))).flatten()
}

/// Formats milliseconds as seconds, for a header or a query. A negative time becomes 0.
pub(super) fn seconds(milliseconds: i64) -> String {
    let milliseconds = milliseconds.max(0);
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    // Write two decimals, as every server of the protocol does.
    if rest % 10 == 0 { format!("{whole}.{:02}", rest / 10) } else { format!("{whole}.{rest:03}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn server_time_in_seconds_is_parsed_exactly() {
        for (text, milliseconds) in [
            ("0", 0),
            ("0.00", 0),
            ("1700000000.05", 1_700_000_000_050),
            ("1700000000.5", 1_700_000_000_500),
            ("12.345", 12_345),
            ("12.34500", 12_345),
            ("999999999999.99", 999_999_999_999_990),
        ] {
            assert_eq!(parse_seconds(text), Some(milliseconds), "{text}");
        }
    }

    #[test]
    fn malformed_server_time_is_rejected() {
        for wrong in ["", "-1", "+1", "1e9", "1.", ".5", "nan", " 1", "1 ", "\"1\"", "null", "12.3451", "9999999999999", "١"] {
            assert_eq!(parse_seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn kilobytes_are_converted_to_bytes() {
        for (text, bytes) in [("0.48828125", 500), ("1.0", 1024), ("2097152.0", 2 << 30), ("0.0009765625", 1), ("3", 3072)] {
            assert_eq!(serde_json::from_str::<KilobyteNumber>(text).unwrap(), KilobyteNumber(bytes), "{text}");
        }
        for wrong in ["-1", "1e3", "\"1\"", "1.000000000000000000001"] {
            assert!(serde_json::from_str::<KilobyteNumber>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn negative_time_is_written_as_zero() {
        assert_eq!(seconds(-5), "0.00");
    }

    proptest! {
        #[test]
        fn formatted_time_parses_to_the_same_time(milliseconds in 0..999_999_999_999_999_i64) {
            prop_assert_eq!(parse_seconds(&seconds(milliseconds)), Some(milliseconds));
            prop_assert_eq!(serde_json::from_str::<TimeNumber>(&seconds(milliseconds)).unwrap().0, milliseconds);
        }
    }
}
