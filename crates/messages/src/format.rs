//! Formats sizes, speeds and times in the style of a language. The window uses the same formats; the tests of both
//! programs check them against the table `locales/numbers.json`. [pure]

use crate::{catalogue::Catalogue, number_format::decimal};

/// Decimal units (steps of 1000), as used by disks and file managers.
const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];

impl Catalogue {
    /// Formats an amount of data, such as "8.1 MB".
    pub fn size(&self, bytes: u64) -> String {
        let unit = unit_of(bytes);
        self.with_unit(&self.in_unit(bytes, unit, false), unit)
    }

    /// Formats a part of a whole, such as "3.1 of 4.2 GB".
    ///
    /// Both amounts use the same unit, except if the part is less than one unit of the whole, as in "84 MB of 1 GB".
    pub fn part(&self, received: u64, whole: u64) -> String {
        let unit = unit_of(whole);
        let is_smaller = received > 0 && unit_of(received) < unit;
        let done = if is_smaller { self.size(received) } else { self.in_unit(received, unit, true) };
        self.text("part", &[("done", done.into()), ("whole", self.size(whole).into())])
    }

    /// Formats a changing speed, such as "11.4 MB/s".
    ///
    /// Always has one decimal, so that the width of the text does not change.
    pub fn speed(&self, bytes_per_second: u64) -> String {
        let unit = unit_of(bytes_per_second);
        let size = self.with_unit(&self.in_unit(bytes_per_second, unit, true), unit);
        self.text("rate", &[("size", size.into())])
    }

    /// Formats a fixed speed, such as "1 MB/s".
    pub fn speed_limit(&self, bytes_per_second: u64) -> String {
        self.text("rate", &[("size", self.size(bytes_per_second).into())])
    }

    /// Formats the time that `bytes` take at `bytes_per_second`, such as "2 min left".
    ///
    /// Returns `None` if the speed is 0.
    pub fn time_left(&self, bytes: u64, bytes_per_second: u64) -> Option<String> {
        let seconds = bytes as f64 / bytes_per_second as f64;
        (bytes_per_second > 0).then(|| self.text("time-left", &[("time", self.span(seconds).into())]))
    }

    /// Formats a duration, such as "40 s", "2 min", "3 h 20 min" or "2 days".
    ///
    /// Longer durations are less precise.
    pub fn span(&self, seconds: f64) -> String {
        let seconds = seconds.ceil().max(1.0) as u64;
        let minutes = rounded(seconds, 60);
        let (hours, rest) = (minutes / 60, minutes % 60);
        match (seconds, minutes, hours) {
            (..60, ..) => self.text("span-seconds", &[("seconds", seconds.into())]),
            (_, ..60, _) => self.text("span-minutes", &[("minutes", minutes.into())]),
            (.., 24..) => self.text("span-days", &[("days", rounded(minutes, 24 * 60).into())]),
            (.., 10..) => self.text("span-hours", &[("hours", rounded(minutes, 60).into())]),
            _ if rest == 0 => self.text("span-hours", &[("hours", hours.into())]),
            _ => self.text("span-hours-minutes", &[("hours", hours.into()), ("minutes", rest.into())]),
        }
    }

    fn in_unit(&self, bytes: u64, unit: usize, keeps_decimal: bool) -> String {
        let value = value(bytes, unit);
        let is_whole = unit == 0 || value >= 99.95 || (!keeps_decimal && (value - value.round()).abs() < 0.05);
        match is_whole {
            true => decimal(self.tag(), value.round(), 0),
            false => decimal(self.tag(), (value * 10.0).round() / 10.0, 1),
        }
    }

    fn with_unit(&self, amount: &str, unit: usize) -> String {
        self.text("size", &[("amount", amount.into()), ("unit", UNITS[unit].into())])
    }
}

/// Returns `number` divided by `divisor`; halves are rounded up.
fn rounded(number: u64, divisor: u64) -> u64 {
    (number + divisor / 2) / divisor
}

fn unit_of(bytes: u64) -> usize {
    // 999.5 would be rounded up to 1000, which has four digits. Use the next unit from that value on.
    (0..UNITS.len() - 1).find(|unit| value(bytes, *unit) < 999.5).unwrap_or(UNITS.len() - 1)
}

fn value(bytes: u64, unit: usize) -> f64 {
    bytes as f64 / 1000_f64.powi(unit as i32)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Table of expected texts, which the tests of the window also use.
    #[derive(Deserialize)]
    struct NumberTable {
        size: Vec<(u64, String)>,
        part: Vec<(u64, u64, String)>,
        rate: Vec<(u64, String)>,
        limit: Vec<(u64, String)>,
        span: Vec<(f64, String)>,
    }

    #[test]
    fn sizes_and_speeds_and_durations_match_table_shared_with_window() {
        let english = Catalogue::new("en");
        let table: NumberTable = serde_json::from_str(include_str!("../../../locales/numbers.json")).unwrap();
        for (bytes, text) in table.size {
            assert_eq!(english.size(bytes), text, "{bytes}");
        }
        for (received, whole, text) in table.part {
            assert_eq!(english.part(received, whole), text, "{received} of {whole}");
        }
        for (bytes, text) in table.rate {
            assert_eq!(english.speed(bytes), text, "{bytes}");
        }
        for (bytes, text) in table.limit {
            assert_eq!(english.speed_limit(bytes), text, "{bytes}");
        }
        for (seconds, text) in table.span {
            assert_eq!(english.span(seconds), text, "{seconds}");
        }
    }

    #[test]
    fn time_left_of_stalled_transfer_is_unknown() {
        let english = Catalogue::new("en");
        assert_eq!(english.time_left(10, 0), None);
        assert_eq!(english.time_left(600, 10).unwrap(), "1 min left");
    }
}
