//! Sizes, speeds and times as a language writes them. The window writes them the same way; `locales/numbers.json` is the
//! table that the tests of both read. [pure]

use crate::{catalogue::Catalogue, number_format::decimal};

/// Units of a thousand, as on disks and in file managers.
const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];

impl Catalogue {
    /// Amount of data, such as "8.1 MB".
    pub fn size(&self, bytes: u64) -> String {
        let unit = unit_of(bytes);
        self.with_unit(&self.in_unit(bytes, unit, false), unit)
    }

    /// Part of a whole, such as "3.1 of 4.2 GB", in one unit where the part is large enough for it.
    pub fn part(&self, received: u64, whole: u64) -> String {
        let unit = unit_of(whole);
        let is_too_small = received > 0 && unit > 0 && value(received, unit) < 0.05;
        let done = if is_too_small { self.size(received) } else { self.in_unit(received, unit, true) };
        self.text("part", &[("done", done.into()), ("whole", self.size(whole).into())])
    }

    /// Speed that changes, such as "11.4 MB/s". Its decimal is always there, so that the text keeps its width.
    pub fn speed(&self, bytes_per_second: u64) -> String {
        let unit = unit_of(bytes_per_second);
        let size = self.with_unit(&self.in_unit(bytes_per_second, unit, true), unit);
        self.text("rate", &[("size", size.into())])
    }

    /// Speed that stays, such as "1 MB/s".
    pub fn speed_limit(&self, bytes_per_second: u64) -> String {
        self.text("rate", &[("size", self.size(bytes_per_second).into())])
    }

    /// Time that `bytes` take at `bytes_per_second`, such as "2 min left"; none while no byte comes.
    pub fn time_left(&self, bytes: u64, bytes_per_second: u64) -> Option<String> {
        let seconds = bytes as f64 / bytes_per_second as f64;
        (bytes_per_second > 0).then(|| self.text("time-left", &[("time", self.span(seconds).into())]))
    }

    /// Length of time, such as "40 s", "2 min", "3 h 20 min", "2 days". The longer it is, the coarser.
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

/// `number` divided by `divisor`, halves rounded up.
fn rounded(number: u64, divisor: u64) -> u64 {
    (number + divisor / 2) / divisor
}

fn unit_of(bytes: u64) -> usize {
    // 999.5 would be rounded up to a fourth digit, so the next unit begins there.
    (0..UNITS.len() - 1).find(|unit| value(bytes, *unit) < 999.5).unwrap_or(UNITS.len() - 1)
}

fn value(bytes: u64, unit: usize) -> f64 {
    bytes as f64 / 1000_f64.powi(unit as i32)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Table that the window's tests read as well.
    #[derive(Deserialize)]
    struct NumberTable {
        size: Vec<(u64, String)>,
        part: Vec<(u64, u64, String)>,
        rate: Vec<(u64, String)>,
        limit: Vec<(u64, String)>,
        span: Vec<(f64, String)>,
    }

    #[test]
    fn sizes_speeds_and_spans_match_the_table_of_the_window() {
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
    fn stalled_transfer_has_no_time_left() {
        let english = Catalogue::new("en");
        assert_eq!(english.time_left(10, 0), None);
        assert_eq!(english.time_left(600, 10).unwrap(), "1 min left");
    }
}
