//! Amounts of bytes, in settings, commands and sentences. [pure]

use std::{fmt, str::FromStr};

use ashore_messages::{UserMessage, message};
use serde::Deserialize;

/// Maximum number of digits of an amount. With more digits, the amount in thousandths would not fit into 64 bits.
const LONGEST: usize = 17;

/// Accepted units with their numbers of bytes. Upper and lower case are equivalent.
///
/// K, KiB and their multiples are binary. kB and its multiples are decimal, as in the sizes that Ashore shows.
const UNITS: [(&str, u64); 11] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("K", 1 << 10),
    ("M", 1 << 20),
    ("G", 1 << 30),
    ("bytes", 1),
    ("", 1),
];

/// Bytes, written as a number and a unit: "512K", "1.5G", "5 MB" or "5 MiB". Without a unit, the number is in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    /// Writes the amount in the form that settings use, with the unit that gives the shortest exact number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["G", "M", "K", "GB", "MB", "kB"].iter().filter_map(|unit| UNITS.iter().find(|(name, _)| name == unit));
        match units.filter(|(_, bytes)| self.0 > 0 && self.0.is_multiple_of(*bytes)).min_by_key(|(_, bytes)| self.0 / bytes) {
            Some((unit, bytes)) => write!(f, "{}{unit}", self.0 / bytes),
            None => write!(f, "{}", self.0),
        }
    }
}

impl TryFrom<String> for ByteSize {
    type Error = UserMessage;

    fn try_from(text: String) -> Result<Self, UserMessage> {
        text.parse()
    }
}

impl FromStr for ByteSize {
    type Err = UserMessage;

    fn from_str(text: &str) -> Result<Self, UserMessage> {
        let wrong = || message!("invalid.amount", value = text);
        let trimmed = text.trim();
        let letters = trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let number = &trimmed[..trimmed.len() - letters.len()];
        let unit = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(letters.trim_start()));
        let unit = unit.map(|(_, bytes)| *bytes).ok_or_else(wrong)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let is_plain =
            |digits: &str| !digits.is_empty() && digits.len() <= LONGEST && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_plain(whole) || !is_plain(part) || part.len() > 3 {
            return Err(wrong());
        }
        let digits = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let part = digits(&format!("{part:0<3}"))?;
        let thousandths = digits(whole)?.checked_mul(1000).and_then(|whole| whole.checked_add(part));
        match thousandths.and_then(|thousandths| thousandths.checked_mul(unit)).ok_or_else(wrong)? {
            // Refuse amounts below one byte, because they would become 0, which often means "no limit".
            1..1000 => Err(message!("invalid.small-amount", value = text)),
            thousandths => Ok(Self(thousandths / 1000)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_byte_size_is_parsed_and_invalid_one_is_refused() {
        let read = |text: &str| ByteSize::try_from(text.to_owned()).ok().map(|amount| amount.0);
        let known = [
            ("0", 0),
            ("700", 700),
            ("512K", 512 << 10),
            ("1.5g", 3 << 29),
            ("10G", 10 << 30),
            (" 2m ", 2 << 20),
            ("8418.04G", 9_038_801_624_104),
            ("5MB", 5_000_000),
            ("5mb", 5_000_000),
            ("1.5 GB", 1_500_000_000),
            ("500kB", 500_000),
            ("5 MiB", 5 << 20),
            ("5mib", 5 << 20),
            ("10GiB", 10 << 30),
            ("1 M", 1 << 20),
            ("500k", 500 << 10),
            ("700 bytes", 700),
        ];
        for (text, bytes) in known {
            assert_eq!(read(text), Some(bytes), "{text}");
            assert_eq!(read(&ByteSize(bytes).to_string()), Some(bytes), "{text}");
        }
        assert_eq!(
            [0, 700, 1536, 512 << 10, 10 << 30, 5_000_000, 1_024_000].map(|bytes| ByteSize(bytes).to_string()),
            ["0", "700", "1536", "512K", "10G", "5MB", "1000K"]
        );
        for text in [
            "",
            "K",
            "1.K",
            ".5M",
            "-1",
            "1e3",
            "1T",
            "5 M B",
            "5Mbit",
            "5 MB/s",
            "MB",
            "1iB",
            "1.2345M",
            "99999999999999999",
            "100000000000000000",
            "999999999999G",
            "１K",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn byte_size_below_one_byte_is_refused_except_zero() {
        for text in ["0.1", "0.999", "0.001", "00.5"] {
            assert!(text.parse::<ByteSize>().unwrap_err().text.contains("less than one byte"), "{text}");
        }
        for (text, bytes) in
            [("0", 0), ("0.0", 0), ("0.000K", 0), ("0.001K", 1), ("0.4k", 409), ("1.999", 1), ("0.001G", 1_073_741)]
        {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in ["1b", "-0.1", "-1K", "NaN", "inf", "0.1.1", "+1", "0x10", "1e-3"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }
}
