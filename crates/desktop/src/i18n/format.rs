//! Formats sizes, speeds, times and foreign text for tray and notifications. [pure]
//!
//! Foreign text is never shown before it went through [`plain`].

use ashore_engine::is_invisible;

use crate::i18n::catalogue::{decimal, say};

/// Maximum number of characters of foreign text in a notification.
const LONGEST: usize = 100;

const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];

/// Formats a size, such as "8.1 MB", in decimal units, as disks and file managers use them.
///
/// This and the functions below format values as the page does.
pub fn size(bytes: u64) -> String {
    let unit = unit_of(bytes);
    with_unit(&in_unit(bytes, unit, false), unit)
}

/// Formats a part of a size, such as "3.1 of 4.2 GB", in one unit unless the part would be shown as 0.
pub fn part(there: u64, whole: u64) -> String {
    let unit = unit_of(whole);
    let tells_nothing = there > 0 && unit > 0 && value(there, unit) < 0.05;
    let done = if tells_nothing { size(there) } else { in_unit(there, unit, true) };
    say("part", &[("done", done.into()), ("whole", size(whole).into())])
}

/// Formats a changing speed, such as "11.4 MB/s". Always has its decimal, so that the text keeps its width.
pub fn speed(bytes_per_second: u64) -> String {
    let unit = unit_of(bytes_per_second);
    say("rate", &[("size", with_unit(&in_unit(bytes_per_second, unit, true), unit).into())])
}

/// Formats a fixed speed, such as "1 MB/s".
pub fn limit(bytes_per_second: u64) -> String {
    say("rate", &[("size", size(bytes_per_second).into())])
}

/// Formats the time for `bytes` at `bytes_per_second`, such as "2 min left"; `None` if the speed is 0.
pub fn time_left(bytes: u64, bytes_per_second: u64) -> Option<String> {
    (bytes_per_second > 0).then(|| say("time-left", &[("time", span(bytes as f64 / bytes_per_second as f64).into())]))
}

/// Formats a duration, such as "40 s", "2 min", "3 h 20 min" or "2 days", without false precision.
fn span(seconds: f64) -> String {
    let seconds = seconds.ceil().max(1.0) as u64;
    let minutes = rounded(seconds, 60);
    let (hours, rest) = (minutes / 60, minutes % 60);
    match (seconds, minutes, hours) {
        (..60, ..) => say("span-seconds", &[("seconds", seconds.into())]),
        (_, ..60, _) => say("span-minutes", &[("minutes", minutes.into())]),
        (.., 24..) => say("span-days", &[("days", rounded(minutes, 24 * 60).into())]),
        (.., 10..) => say("span-hours", &[("hours", rounded(minutes, 60).into())]),
        _ if rest == 0 => say("span-hours", &[("hours", hours.into())]),
        _ => say("span-hours-minutes", &[("hours", hours.into()), ("minutes", rest.into())]),
    }
}

/// Divides `of` by `many` and rounds half up.
fn rounded(of: u64, many: u64) -> u64 {
    (of + many / 2) / many
}

fn unit_of(bytes: u64) -> usize {
    // 999.5 would be rounded up to a fourth digit, so the next unit begins there.
    (0..UNITS.len() - 1).find(|unit| value(bytes, *unit) < 999.5).unwrap_or(UNITS.len() - 1)
}

fn value(bytes: u64, unit: usize) -> f64 {
    bytes as f64 / 1000_f64.powi(unit as i32)
}

fn in_unit(bytes: u64, unit: usize, keeps_decimal: bool) -> String {
    let value = value(bytes, unit);
    let is_whole = unit == 0 || value >= 99.95 || (!keeps_decimal && (value - value.round()).abs() < 0.05);
    if is_whole { decimal(value.round(), 0) } else { decimal((value * 10.0).round() / 10.0, 1) }
}

fn with_unit(amount: &str, unit: usize) -> String {
    say("size", &[("amount", amount.into()), ("unit", UNITS[unit].into())])
}

/// Makes foreign text fit for one line.
///
/// Removes control and format characters (which could reverse the reading direction), and cuts the text to 100
/// characters.
pub fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for character in text.chars() {
        let character = if character.is_whitespace() { ' ' } else { character };
        if is_invisible(character) || (character == ' ' && (shown.is_empty() || shown.ends_with(' '))) {
            continue;
        }
        if length == LONGEST {
            shown.pop();
            shown.push('…');
            break;
        }
        shown.push(character);
        length += 1;
    }
    shown.trim_end().to_owned()
}

/// Escapes `text` for places that interpret markup.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Table of expected values, which the page's tests use as well.
    #[derive(Deserialize)]
    struct Numbers {
        size: Vec<(u64, String)>,
        part: Vec<(u64, u64, String)>,
        rate: Vec<(u64, String)>,
        limit: Vec<(u64, String)>,
        span: Vec<(f64, String)>,
    }

    #[test]
    fn sizes_speeds_and_durations_match_shared_table() {
        let table: Numbers = serde_json::from_str(include_str!("../../../../locales/numbers.json")).unwrap();
        for (bytes, said) in table.size {
            assert_eq!(size(bytes), said, "{bytes}");
        }
        for (there, whole, said) in table.part {
            assert_eq!(part(there, whole), said, "{there} of {whole}");
        }
        for (bytes, said) in table.rate {
            assert_eq!(speed(bytes), said, "{bytes}");
        }
        for (bytes, said) in table.limit {
            assert_eq!(limit(bytes), said, "{bytes}");
        }
        for (seconds, said) in table.span {
            assert_eq!(span(seconds), said, "{seconds}");
        }
    }

    #[test]
    fn time_left_is_unknown_without_speed() {
        assert_eq!(time_left(10, 0), None);
        assert_eq!(time_left(600, 10).unwrap(), "1 min left");
    }

    #[test]
    fn foreign_text_loses_invisible_characters() {
        assert_eq!(plain("a\u{202E}gpj.exe\u{200B}\n\tb\u{0007}  c "), "agpj.exe b c");
        assert_eq!(plain(&"ä".repeat(100)), "ä".repeat(100));
        let long = plain(&"ä".repeat(101));
        assert_eq!((long.chars().count(), long.chars().last()), (100, Some('…')));
        assert_eq!(plain("\u{202E}\n"), "");
        // Characters without a glyph count as invisible, even if Unicode calls them letters or marks.
        for blank in ['\u{34f}', '\u{115f}', '\u{17b4}', '\u{180b}', '\u{3164}', '\u{ffa0}', '\u{fff0}', '\u{1d173}', '\u{e0100}']
        {
            assert_eq!(plain(&blank.to_string().repeat(3)), "", "{blank:?}");
        }
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("<b>a & 'b'</b>"), "&lt;b&gt;a &amp; &apos;b&apos;&lt;/b&gt;");
    }
}
