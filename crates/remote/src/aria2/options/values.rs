//! Checks the values of options, and normalises them as aria2 does. [pure]

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::aria2::{
    options::table::{Aria2Option, OptionValues, find},
    wire::Aria2Failure,
};

/// Values of options by name. Lines end with a line feed.
pub(crate) type OptionMap = BTreeMap<String, String>;

/// Number of hexadecimal digits of each digest that Ashore can check.
const DIGESTS: [(&str, usize); 4] = [("md5", 32), ("sha-1", 40), ("sha-256", 64), ("sha-512", 128)];

/// Returns the failure for an option whose value cannot be used.
pub(crate) fn refused(name: &str) -> Aria2Failure {
    Aria2Failure::new(format!("We encountered a problem while processing the option '--{name}'."))
}

/// Reads the options in a parameter of a call. Options without the property `accepted` are left out.
///
/// Programs also send numbers and booleans, although aria2 accepts only text and ignores other values. Such a value is
/// ignored here only if it is not valid.
pub(crate) fn read(given: &Map<String, Value>, accepted: u8) -> Result<OptionMap, Aria2Failure> {
    let mut read = OptionMap::new();
    for (name, value) in given {
        let Some(option) = find(name).filter(|option| option.is(accepted)) else { continue };
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            Value::Array(lines) if option.values == OptionValues::Lines => {
                lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            Value::Array(_) | Value::Object(_) | Value::Null => continue,
        };
        match normalised(option, &text) {
            Some(value) => drop(read.insert(name.clone(), value)),
            None if matches!(value, Value::Number(_) | Value::Bool(_)) => {}
            None => return Err(refused(name)),
        }
    }
    Ok(read)
}

/// Returns the value in the form that `getOption` returns; `None` if it is not valid.
fn normalised(option: &Aria2Option, text: &str) -> Option<String> {
    let same = |is_valid: bool| is_valid.then(|| text.to_owned());
    match option.values {
        OptionValues::Flag => same(matches!(text, "true" | "false")),
        OptionValues::Whole(least, most) => in_range(text.parse().ok()?, least, most),
        OptionValues::Size(least, most) => in_range(bytes(text)?, least, most),
        OptionValues::Decimal => same(text.parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0)),
        OptionValues::Choice(words) => same(words.contains(&text)),
        OptionValues::Proxy => same(!text.contains(char::is_whitespace) && !text.contains("::")),
        OptionValues::Checksum => same(is_digest(text)),
        OptionValues::Ranges => same(text.split(',').all(is_range)),
        OptionValues::Lines => Some(lines(text)),
        OptionValues::Text => same(!text.contains('\0')),
    }
}

fn in_range(number: i64, least: i64, most: i64) -> Option<String> {
    (least..=most).contains(&number).then(|| number.to_string())
}

/// Returns the number of bytes, such as 1024 for `1K`.
pub(crate) fn bytes(text: &str) -> Option<i64> {
    let factor = match text.as_bytes().last()? {
        b'K' | b'k' => 1 << 10,
        b'M' | b'm' => 1 << 20,
        _ => 1,
    };
    let digits = if factor == 1 { text } else { &text[..text.len() - 1] };
    digits.parse::<i64>().ok()?.checked_mul(factor)
}

/// Whether the text is a digest that the option `checksum` accepts.
pub(crate) fn is_digest(text: &str) -> bool {
    let Some((name, digits)) = text.split_once('=') else { return false };
    let has_length = DIGESTS.iter().any(|(known, length)| *known == name && digits.len() == *length);
    has_length && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn is_range(text: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| (1..=1_048_576).contains(&number));
    match text.split_once('-') {
        Some((first, last)) => is_number(first) && is_number(last),
        None => is_number(text),
    }
}

/// Returns the lines that are not empty, each with a line feed.
fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::aria2::options::table::{CHANGE, DOWNLOAD, GLOBAL};

    fn value(name: &str, given: Value) -> Result<Option<String>, String> {
        let given = Map::from_iter([(name.to_owned(), given)]);
        read(&given, DOWNLOAD | CHANGE | GLOBAL).map(|mut read| read.remove(name)).map_err(|failure| failure.message)
    }

    #[test]
    fn invalid_value_is_refused_with_name_of_option() {
        for (name, wrong) in [
            ("pause", "perhaps"),
            ("split", "0"),
            ("split", "x"),
            ("timeout", "601"),
            ("retry-wait", "700"),
            ("max-connection-per-server", "17"),
            ("min-split-size", "1"),
            ("max-download-limit", "x"),
            ("max-overall-download-limit", "-1"),
            ("file-allocation", "x"),
            ("checksum", "sha-1=abc"),
            ("checksum", "crc=00"),
            ("select-file", "x"),
            ("seed-ratio", "-1"),
            ("log-level", "nope"),
            ("http-proxy", "::bad::"),
            ("max-download-limit", "9223372036854775807K"),
        ] {
            let expected = format!("We encountered a problem while processing the option '--{name}'.");
            assert_eq!(value(name, json!(wrong)), Err(expected), "{wrong}");
        }
    }

    #[test]
    fn valid_option_value_is_normalised_as_in_aria2() {
        for (name, given, expected) in [
            ("max-download-limit", json!("20K"), "20480"),
            ("min-split-size", json!("1M"), "1048576"),
            ("split", json!(5), "5"),
            ("pause", json!(true), "true"),
            ("header", json!(["A: b", "C: d"]), "A: b\nC: d\n"),
            ("header", json!("A: b"), "A: b\n"),
            ("seed-ratio", json!("2.5"), "2.5"),
            ("select-file", json!("1-5,8"), "1-5,8"),
            ("out", json!(""), ""),
        ] {
            assert_eq!(value(name, given), Ok(Some(expected.to_owned())), "{name}");
        }
        let sha = format!("sha-256={}", "0".repeat(64));
        assert_eq!(value("checksum", json!(sha)), Ok(Some(sha)));
    }

    #[test]
    fn unknown_options_and_values_of_other_types_are_ignored() {
        for (name, given) in [
            ("nonsense", json!("x")),
            ("out", json!(null)),
            ("split", json!([5])),
            ("max-tries", json!(true)),
            ("dht-file-path", json!("x")),
        ] {
            assert_eq!(value(name, given), Ok(None), "{name}");
        }
        let given = Map::from_iter([("max-concurrent-downloads".to_owned(), json!("0"))]);
        assert!(read(&given, DOWNLOAD).unwrap().is_empty(), "only a global option");
        assert!(read(&given, GLOBAL).is_err());
    }
}
