//! Sizes, speeds, times and other people's text as this desktop shows them in tray and notification [pure].
//!
//! Text that came from outside is never shown before it went through [`plain`].

use crate::catalogue::{decimal, say};

/// As many characters of somebody else's text as a notification shows.
const LONGEST: usize = 100;

const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];

/// Such as "11.4 MB"; decimal units, as browsers and disks have them.
pub fn size(bytes: u64) -> String {
    let (value, unit) = in_unit(bytes);
    say("size", &[("amount", number(value, unit).into()), ("unit", UNITS[unit].into())])
}

/// Such as "3.1 of 4.2 GB".
pub fn part(there: u64, whole: u64) -> String {
    let (value, unit) = in_unit(there);
    let done = if unit == in_unit(whole).1 { number(value, unit) } else { size(there) };
    say("part", &[("done", done.into()), ("whole", size(whole).into())])
}

/// Such as "11.4 MB/s".
pub fn speed(bytes_per_second: u64) -> String {
    say("rate", &[("size", size(bytes_per_second).into())])
}

/// Such as "2 min left", for `bytes` at `bytes_per_second`; none when nobody can tell.
pub fn time_left(bytes: u64, bytes_per_second: u64) -> Option<String> {
    let seconds = bytes.checked_div(bytes_per_second)?;
    let time = match seconds {
        0..=59 => say("span-seconds", &[("seconds", seconds.max(1).into())]),
        60..=3599 => say("span-minutes", &[("minutes", seconds.div_ceil(60).into())]),
        3600..=86_399 => {
            say("span-hours-minutes", &[("hours", (seconds / 3600).into()), ("minutes", (seconds % 3600 / 60).into())])
        }
        _ => return Some(say("span-more-than-a-day", &[])),
    };
    Some(say("time-left", &[("time", time.into())]))
}

/// How many of which unit.
fn in_unit(bytes: u64) -> (f64, usize) {
    let mut value = bytes as f64;
    let mut unit = 0;
    // 999.95 would be shown as 1000.0.
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    (value, unit)
}

fn number(value: f64, unit: usize) -> String {
    decimal(value, usize::from(unit > 0))
}

/// Somebody else's text, fit to be shown on one line: without control and format characters (which could turn the
/// reading direction around), at most 100 characters.
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

/// `text` for a place where markup is understood.
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

fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_digit_and_never_four() {
        let shown = [0, 1, 999, 1000, 11_400_000, 999_949, 999_950, 3_100_000_000, u64::MAX].map(size);
        let wanted = ["0 B", "1 B", "999 B", "1.0 kB", "11.4 MB", "999.9 kB", "1.0 MB", "3.1 GB", "18446.7 PB"];
        assert_eq!(shown, wanted);
        assert_eq!(speed(11_400_000), "11.4 MB/s");
        assert_eq!(part(3_100_000_000, 4_200_000_000), "3.1 of 4.2 GB");
        assert_eq!(part(999, 4_200_000), "999 B of 4.2 MB");
    }

    #[test]
    fn the_time_left_is_calm() {
        assert_eq!(time_left(10, 0), None);
        let shown = [0, 59, 60, 61, 3600 + 120, 100_000].map(|seconds| time_left(seconds * 10, 10).unwrap());
        assert_eq!(shown, ["1 s left", "59 s left", "1 min left", "2 min left", "1 h 2 min left", "more than a day left"]);
    }

    #[test]
    fn foreign_text_loses_what_cannot_be_seen() {
        assert_eq!(plain("a\u{202E}gpj.exe\u{200B}\n\tb\u{0007}  c "), "agpj.exe b c");
        assert_eq!(plain(&"ä".repeat(100)), "ä".repeat(100));
        let long = plain(&"ä".repeat(101));
        assert_eq!((long.chars().count(), long.chars().last()), (100, Some('…')));
        assert_eq!(plain("\u{202E}\n"), "");
    }

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        assert_eq!(escaped("<b>a & 'b'</b>"), "&lt;b&gt;a &amp; &apos;b&apos;&lt;/b&gt;");
    }
}
