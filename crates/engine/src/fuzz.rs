//! Properties that must hold for any pasted text, any settings file and any row of a damaged ledger.
//!
//! - Each property is a function that takes any bytes, and panics if the property is violated.
//! - Tests and fuzzers call these functions. Release builds do not contain this module.

use std::str::FromStr;

use crate::{
    ByteSize, LocalTime, QuietHours, RetentionPeriod, UnderstoodLine, WeeklyHours, check_link, intake::parse::text::understand,
    list_file::import, mended_link, settings, store, understand_listed,
};
pub use ashore_transfer::fuzz::FuzzProperty;

/// Properties with their names.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[
    ("pasted-text", pasted_text),
    ("pattern", pattern),
    ("curl-command", curl_command),
    ("settings", settings_file),
    ("week", week),
    ("amounts", amounts),
    ("ledger-row", store::rows_hold),
    ("saved-list", import::saved_list_holds),
];

/// Maximum number of links that `understand` may return for one text.
const MOST_LINKS: usize = 100_000;

fn pasted_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    assert_is_sound(&understand(&text));
    for line in text.split(['\n', '\r']) {
        let listed = understand_listed(line).unwrap_or_default();
        assert!(
            listed.iter().flat_map(|one| one.mirrors.iter().chain([&one.url])).all(|link| check_link(link).is_ok()),
            "{line:?}"
        );
        assert!(mended_link(line).is_none_or(|link| check_link(&link).is_ok()), "{line:?}");
    }
}

fn pattern(data: &[u8]) {
    let text = format!("https://a.test/{}", String::from_utf8_lossy(data).replace(char::is_whitespace, "+"));
    let lines = understand(&text);
    assert_eq!(lines.len(), 1, "one line is one line");
    assert_is_sound(&lines);
}

fn curl_command(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for program in ["curl", "wget", "Invoke-WebRequest", "$session = New-Object X;"] {
        assert_is_sound(&understand(&format!("{program} {}", text.replace('\n', " "))));
        assert_is_sound(&understand(&format!("{program} {text}")));
    }
    assert_is_sound(&understand(&format!("fetch(\"{text}")));
}

/// Asserts that each line has either valid links or a reason why it has none.
fn assert_is_sound(lines: &[UnderstoodLine]) {
    assert!(lines.is_sorted_by_key(|line| line.number));
    assert!(lines.iter().map(|line| line.requests.len()).sum::<usize>() <= MOST_LINKS);
    for line in lines {
        assert_ne!(line.requests.is_empty(), line.trouble.is_none(), "{:?}", line.trouble);
        for request in &line.requests {
            let checked = check_link(&request.url);
            assert!(checked.is_ok(), "{:?}: {:?}", request.url, checked.err());
        }
    }
}

/// Resets one setting of a settings file. Then checks that the file keeps its settings when it is written and read
/// again.
fn settings_file(data: &[u8]) {
    settings::SettingsFile::assert_is_sound(&String::from_utf8_lossy(data));
}

/// Checks that weekly hours survive the conversion to a grid and back.
///
/// Also checks that the current speed mode and the current quiet hours end in the future.
fn week(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<String> = text.lines().take(64).map(str::to_owned).collect();
    let utc = |_| LocalTime { offset_seconds: 0, until_us: i64::MAX };
    if let Ok(quiet) = QuietHours::try_from(text.clone().into_owned()) {
        assert!(quiet.until(NOW_US, utc).is_none_or(|until| until > NOW_US));
    }
    let Ok(hours) = WeeklyHours::try_from(lines) else { return };
    hours.assert_is_sound(NOW_US, utc);
}

/// A Wednesday, in microseconds of Unix time.
const NOW_US: i64 = 1_800_000_000_000_000;

/// Checks that the written form of an amount or a period parses to the same value.
fn amounts(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(amount) = ByteSize::from_str(&text) {
        assert_eq!(ByteSize::from_str(&amount.to_string()), Ok(amount));
    }
    if let Ok(period) = RetentionPeriod::from_str(&text) {
        assert_eq!(RetentionPeriod::of_seconds(period.seconds()), Ok(period));
        assert!(!period.to_string().is_empty());
    }
}
