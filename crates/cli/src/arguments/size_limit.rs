//! Parses upper limits such as 500K, 5 MB or none, and joins amounts that are two arguments.

use std::{ffi::OsString, str::FromStr};

use ashore_engine::{ByteSize, UserMessage};

/// Subcommands whose amounts may be two arguments, as in `ashore limit 5 MiB`.
const WITH_AMOUNTS: [&str; 3] = ["limit", "quota", "settings"];

/// Upper limit as typed: a number of bytes, or `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit(pub Option<u64>);

impl FromStr for SizeLimit {
    type Err = UserMessage;

    fn from_str(text: &str) -> Result<Self, UserMessage> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        let ByteSize(bytes) = text.parse()?;
        Ok(Self(Some(bytes)))
    }
}

/// Joins a number and the unit after it to one argument, because a shell passes `5 MiB` as two arguments.
///
/// Changes only the arguments of subcommands with amounts.
pub(super) fn with_units(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::with_capacity(arguments.len());
    let mut has_amounts = false;
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        has_amounts |= WITH_AMOUNTS.contains(&text);
        match joined.last_mut().filter(|last| has_amounts && is_number(last.to_str().unwrap_or_default()) && is_unit(text)) {
            Some(last) => last.push(argument),
            None => joined.push(argument),
        }
    }
    joined
}

fn is_number(text: &str) -> bool {
    text.parse::<ByteSize>().is_ok() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_unit(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !text.is_empty() && format!("1{text}").parse::<ByteSize>().is_ok()
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
            ("5MB", Some(5_000_000)),
            ("5 MiB", Some(5 << 20)),
            ("500k", Some(500 << 10)),
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
            "2MB/s",
            "1e6",
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

    #[test]
    fn amount_of_two_arguments_is_joined_only_for_subcommands_with_amounts() {
        let joined = |line: &str| {
            let arguments = with_units(line.split(' ').map(OsString::from).collect());
            arguments.into_iter().map(|argument| argument.into_string().unwrap()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(joined("ashore limit 5 MiB --host a"), "ashore|limit|5MiB|--host|a");
        assert_eq!(joined("ashore quota me 1.5 GB"), "ashore|quota|me|1.5GB");
        assert_eq!(joined("ashore settings slow-speed 500 k"), "ashore|settings|slow-speed|500k");
        assert_eq!(joined("ashore limit 5 miles"), "ashore|limit|5|miles");
        assert_eq!(joined("ashore add -d 5 M"), "ashore|add|-d|5|M");
    }
}
