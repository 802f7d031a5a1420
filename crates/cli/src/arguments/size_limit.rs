//! Parses upper limits with suffixes: K, M and G are powers of 1,024.

use std::str::FromStr;

use ashore_engine::ByteSize;

/// Upper limit as typed: a number of bytes, or `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit(pub Option<u64>);

impl FromStr for SizeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        let ByteSize(bytes) = text.parse().map_err(|_| "an amount looks like 500K, 2M or 1.5G (bytes), or none")?;
        Ok(Self(Some(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_limit_parses_suffixes_and_rejects_invalid_text() {
        for (text, bytes) in [
            ("none", None),
            ("NONE", None),
            ("0", Some(0)),
            ("0K", Some(0)),
            ("2000", Some(2000)),
            ("500K", Some(500 << 10)),
            ("2m", Some(2 << 20)),
            ("1.5M", Some(3 << 19)),
            ("10G", Some(10 << 30)),
        ] {
            assert_eq!(text.parse(), Ok(SizeLimit(bytes)), "{text}");
        }
        for text in [
            "",
            "K",
            "fast",
            "-1",
            "1.K",
            ".5M",
            "2MB",
            "1e6",
            "2 M",
            "9223372036854775808",
            "99999999999999999999",
            "99999999999G",
            "1.0000M",
            "0.1",
            "0.4",
            "1b",
            "-0.1",
            "NaN",
            "inf",
        ] {
            assert!(text.parse::<SizeLimit>().is_err(), "{text}");
        }
    }
}
