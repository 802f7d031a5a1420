//! Weekly hours in local time: full speed, slow, or off. [pure]
//!
//! The times at which the pace changes are local times. The search for the next change therefore treats each period
//! with a constant offset from UTC separately. An hour that summer time skips never occurs, and a repeated hour occurs
//! twice.

use std::{collections::BTreeMap, error::Error, fmt};

use ashore_messages::{UserMessage, message};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{WeekSetting, values::local_time::LocalTime};

const DAY: u16 = 24 * 60;
const WEEK: u16 = 7 * DAY;
const HALF_HOURS: u16 = DAY / 30;
const SECOND_US: i64 = 1_000_000;
/// Maximum time to search for the next change: a week, plus a margin for the hours that summer time skips.
const AHEAD_US: i64 = 9 * 24 * 3600 * SECOND_US;
const DAYS: [(&str, &str); 7] = [
    ("mon", "Monday"),
    ("tue", "Tuesday"),
    ("wed", "Wednesday"),
    ("thu", "Thursday"),
    ("fri", "Friday"),
    ("sat", "Saturday"),
    ("sun", "Sunday"),
];

/// Pace of transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum SpeedMode {
    /// Full speed of the network.
    #[default]
    Full,
    /// Speed of the setting `slow-speed` for all transfers together.
    Slow,
    /// No transfers.
    Off,
}

/// Pace for each minute of the week; full speed by default.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct WeeklyHours {
    /// Runs of minutes with the same pace: the start in minutes since Monday 00:00, and the pace.
    ///
    /// The first run starts at 0, and adjacent runs differ in pace.
    runs: Vec<(u16, SpeedMode)>,
}

/// Reason why hours are not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoursError {
    /// A line cannot be read.
    Unreadable {
        /// The original line.
        line: String,
        /// Problem with the line, as a clause.
        why: UserMessage,
    },
    /// Every minute is off.
    NothingAllowed,
}

impl HoursError {
    /// Returns the message of the error, which also says how to correct it.
    pub fn message(&self) -> UserMessage {
        match self {
            Self::Unreadable { line, why } => message!("invalid.hours", value = line, why = why.clone()),
            Self::NothingAllowed => message!("invalid.hours-off"),
        }
    }
}

impl fmt::Display for HoursError {
    /// Writes the sentence in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Error for HoursError {}

/// Current pace, and the time at which it ends, in microseconds of Unix time; `None` if the pace never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoursSpan {
    pub pace: SpeedMode,
    pub until_us: Option<i64>,
}

impl WeeklyHours {
    /// Returns the pace at `now_us`, and the time at which this pace ends.
    pub(crate) fn span(&self, now_us: i64, local: fn(i64) -> LocalTime) -> HoursSpan {
        let pace = self.at(minute_of_week(now_us, local(now_us).offset_seconds));
        let end = now_us.saturating_add(AHEAD_US);
        let mut at = now_us;
        while self.runs.len() > 1 && at < end {
            let LocalTime { offset_seconds, until_us } = local(at);
            let minute = minute_of_week(at, offset_seconds);
            if self.at(minute) != pace {
                return HoursSpan { pace, until_us: Some(at) };
            }
            let next = self.runs.iter().map(|(start, _)| *start).find(|start| *start > minute).unwrap_or(WEEK);
            let whole_minute = at - (at + i64::from(offset_seconds) * SECOND_US).rem_euclid(60 * SECOND_US);
            let change = whole_minute + i64::from(next - minute) * 60 * SECOND_US;
            // Advance even if the reported end of the offset has passed.
            at = if until_us > at { change.min(until_us) } else { change };
        }
        HoursSpan { pace, until_us: None }
    }

    /// Returns the grid of the week.
    pub(crate) fn week(&self) -> WeekSetting {
        let day = |day: u16| (0..HALF_HOURS).map(|half| self.at(day * DAY + half * 30).letter()).collect();
        let is_exact = self.runs.iter().all(|(start, _)| start.is_multiple_of(30));
        WeekSetting { days: [0, 1, 2, 3, 4, 5, 6].map(day), is_exact }
    }

    /// Returns lines that describe the grid `week`. Refuses an invalid grid.
    pub(crate) fn lines(week: &WeekSetting) -> Result<Vec<String>, UserMessage> {
        let mut stretches: BTreeMap<(u16, u16, char), Vec<usize>> = BTreeMap::new();
        for (day, letters) in week.days.iter().enumerate() {
            let letters: Vec<char> = letters.chars().collect();
            if letters.len() != usize::from(HALF_HOURS) || letters.iter().any(|letter| !"fso".contains(*letter)) {
                return Err(message!("invalid.hours-grid"));
            }
            let mut from = 0;
            for stretch in letters.chunk_by(PartialEq::eq) {
                let until = from + u16::try_from(stretch.len()).unwrap_or_default();
                match stretch.first() {
                    Some('f') | None => {}
                    Some(letter) => stretches.entry((from, until, *letter)).or_default().push(day),
                }
                from = until;
            }
        }
        let time = |half: u16| format!("{:02}:{:02}", half / 2, half % 2 * 30);
        let line = |((from, until, letter), days): ((u16, u16, char), Vec<usize>)| {
            let pace = if letter == 's' { SpeedMode::Slow } else { SpeedMode::Off };
            format!("{} {}-{} {pace}", name_days(&days), time(from), time(until))
        };
        Ok(stretches.into_iter().map(line).collect())
    }

    /// Asserts that the grid survives the conversion to lines and back, and that the current pace ends in the future.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_is_sound(&self, now_us: i64, local: fn(i64) -> LocalTime) {
        let week = self.week();
        let again = Self::lines(&week).map(Self::try_from);
        assert!(!week.is_exact || again == Ok(Ok(self.clone())), "{again:?}");
        assert!(self.span(now_us, local).until_us.is_none_or(|until_us| until_us > now_us));
    }

    fn at(&self, minute: u16) -> SpeedMode {
        let after = self.runs.partition_point(|(start, _)| *start <= minute);
        after.checked_sub(1).and_then(|place| self.runs.get(place)).map_or(SpeedMode::Full, |(_, pace)| *pace)
    }
}

impl Default for WeeklyHours {
    fn default() -> Self {
        Self { runs: vec![(0, SpeedMode::Full)] }
    }
}

impl TryFrom<Vec<String>> for WeeklyHours {
    type Error = HoursError;

    /// Parses lines. Later lines override earlier ones.
    fn try_from(lines: Vec<String>) -> Result<Self, HoursError> {
        let mut minutes = vec![SpeedMode::Full; WEEK.into()];
        for line in &lines {
            let (days, from, length, pace) = read(line).map_err(|why| HoursError::Unreadable { line: line.clone(), why })?;
            for day in days {
                for minute in from..from + length {
                    if let Some(slot) = minutes.get_mut(usize::from((day * DAY + minute) % WEEK)) {
                        *slot = pace;
                    }
                }
            }
        }
        let mut runs: Vec<(u16, SpeedMode)> = Vec::new();
        for (minute, pace) in (0..WEEK).zip(minutes) {
            if runs.last().is_none_or(|(_, last)| *last != pace) {
                runs.push((minute, pace));
            }
        }
        if runs == [(0, SpeedMode::Off)] {
            return Err(HoursError::NothingAllowed);
        }
        Ok(Self { runs })
    }
}

impl SpeedMode {
    fn letter(self) -> char {
        match self {
            Self::Full => 'f',
            Self::Slow => 's',
            Self::Off => 'o',
        }
    }
}

impl fmt::Display for SpeedMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Slow => "slow",
            Self::Off => "off",
        })
    }
}

/// Returns a local time for users, with the weekday if the time is not today.
pub(crate) fn moment(at_us: i64, now_us: i64, local: fn(i64) -> LocalTime) -> String {
    let minute = minute_of_week(at_us, local(at_us).offset_seconds);
    let (hour, of_hour) = (minute % DAY / 60, minute % 60);
    let is_soon = at_us.saturating_sub(now_us) < i64::from(DAY) * 60 * SECOND_US;
    if is_soon && minute / DAY == minute_of_week(now_us, local(now_us).offset_seconds) / DAY {
        return format!("{hour:02}:{of_hour:02}");
    }
    let day = DAYS.get(usize::from(minute / DAY)).map_or("", |(_, name)| name);
    format!("{day} {hour:02}:{of_hour:02}")
}

fn minute_of_week(at_us: i64, offset_seconds: i32) -> u16 {
    let minutes = (at_us.div_euclid(SECOND_US) + i64::from(offset_seconds)).div_euclid(60);
    // Unix time begins on a Thursday.
    let since_monday = minutes + 3 * i64::from(DAY);
    u16::try_from(since_monday.rem_euclid(WEEK.into())).unwrap_or(0)
}

/// Parses a line into days, start in minutes of the day, length in minutes, and pace.
fn read(line: &str) -> Result<(Vec<u16>, u16, u16, SpeedMode), UserMessage> {
    let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
    let [days, times, pace] = words.as_slice() else { return Err(message!("fault-hours.parts")) };
    let pace = match pace.as_str() {
        "full" => SpeedMode::Full,
        "slow" => SpeedMode::Slow,
        "off" => SpeedMode::Off,
        _ => return Err(message!("fault-hours.pace")),
    };
    let (from, to) = times.split_once('-').ok_or_else(|| message!("fault-hours.dash"))?;
    let (from, to) = (minute_of_day(from)?, minute_of_day(to)?);
    if from == to || from == DAY {
        return Err(message!("fault-hours.empty"));
    }
    // If the end is before the start, the end is on the next day.
    let length = if to > from { to - from } else { DAY - from + to };
    let mut read = Vec::new();
    for part in days.split(',') {
        read.extend(read_days(part)?);
    }
    Ok((read, from, length, pace))
}

fn read_days(part: &str) -> Result<Vec<u16>, UserMessage> {
    if part == "daily" {
        return Ok((0..7).collect());
    }
    let number = |name: &str| {
        let place = DAYS.iter().position(|(short, _)| *short == name);
        place.and_then(|place| u16::try_from(place).ok()).ok_or_else(|| message!("fault-hours.days"))
    };
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    let (first, last) = (number(first)?, number(last)?);
    let count = (last + 7 - first) % 7 + 1;
    Ok((first..first + count).map(|day| day % 7).collect())
}

/// Returns the text for the days: `daily`, or ranges of days such as `mon-fri`.
fn name_days(days: &[usize]) -> String {
    if days.len() == DAYS.len() {
        return "daily".to_owned();
    }
    let name = |day: usize| DAYS.get(day).map_or("", |(short, _)| *short);
    let rows = days.chunk_by(|one, next| one + 1 == *next);
    let named = rows.map(|row| match row {
        [first, .., last] => format!("{}-{}", name(*first), name(*last)),
        [only] => name(*only).to_owned(),
        [] => String::new(),
    });
    named.collect::<Vec<_>>().join(",")
}

fn minute_of_day(text: &str) -> Result<u16, UserMessage> {
    let wrong = || message!("fault-hours.time");
    let (hour, minute) = text.split_once(':').ok_or_else(wrong)?;
    let is_plain = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(hour) || !is_plain(minute) {
        return Err(wrong());
    }
    let (hour, minute): (u16, u16) = (hour.parse().map_err(|_| wrong())?, minute.parse().map_err(|_| wrong())?);
    let of_day = hour * 60 + minute;
    if minute < 60 && of_day <= DAY { Ok(of_day) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::platform::env::{local_time_in, zone_of_tests};

    const HOUR: i64 = 3600 * SECOND_US;

    fn hours(lines: &[&str]) -> WeeklyHours {
        WeeklyHours::try_from(lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    fn refused(line: &str) -> HoursError {
        WeeklyHours::try_from(vec![line.to_owned()]).unwrap_err()
    }

    fn utc(_: i64) -> LocalTime {
        LocalTime { offset_seconds: 0, until_us: i64::MAX }
    }

    fn berlin(at_us: i64) -> LocalTime {
        local_time_in(&zone_of_tests(), at_us)
    }

    fn at(year: i16, month: i8, day: i8, hour: i8, minute: i8) -> i64 {
        let civil = date(year, month, day).at(hour, minute, 0, 0);
        civil.to_zoned(zone_of_tests()).unwrap().timestamp().as_microsecond()
    }

    #[test]
    fn empty_weekly_schedule_always_means_full_speed() {
        assert_eq!(WeeklyHours::default(), hours(&[]));
        assert_eq!(WeeklyHours::default().span(7, utc), HoursSpan { pace: SpeedMode::Full, until_us: None });
    }

    #[test]
    fn later_schedule_line_overrides_earlier_line_across_end_of_week() {
        let nights = hours(&["daily 00:00-24:00 off", "daily 22:00-06:00 full", "sun 23:00-01:00 slow"]);
        // 2026-11-22 is a Sunday.
        let of = |day, hour, minute| nights.span(at(2026, 11, day, hour, minute), berlin);
        let until = |day, hour| Some(at(2026, 11, day, hour, 0));
        assert_eq!(of(22, 12, 30), HoursSpan { pace: SpeedMode::Off, until_us: until(22, 22) });
        assert_eq!(of(22, 22, 59), HoursSpan { pace: SpeedMode::Full, until_us: until(22, 23) });
        assert_eq!(of(22, 23, 0), HoursSpan { pace: SpeedMode::Slow, until_us: until(23, 1) });
        assert_eq!(of(23, 1, 0), HoursSpan { pace: SpeedMode::Full, until_us: until(23, 6) });
        assert_eq!(of(23, 6, 0), HoursSpan { pace: SpeedMode::Off, until_us: until(23, 22) });
    }

    #[test]
    fn speed_change_follows_local_time_when_clocks_go_forward() {
        // On 2026-03-29, clocks go from 02:00 to 03:00.
        let gap = hours(&["sun 02:00-03:00 off"]);
        let before = at(2026, 3, 29, 1, 30);
        let next_sunday = at(2026, 4, 5, 2, 0);
        assert_eq!(gap.span(before, berlin), HoursSpan { pace: SpeedMode::Full, until_us: Some(next_sunday) }, "it never comes");
        let over = hours(&["sun 01:00-04:00 off"]);
        assert_eq!(over.span(before, berlin).until_us, Some(before + 3 * HOUR / 2), "an hour is left out");
        let into = hours(&["sun 02:30-04:00 off"]);
        assert_eq!(into.span(before, berlin).until_us, Some(before + HOUR / 2), "its beginning is");
    }

    #[test]
    fn speed_mode_applies_twice_when_clock_change_repeats_an_hour() {
        // On 2026-10-25, clocks go from 03:00 back to 02:00.
        let twice = hours(&["sun 02:00-02:30 off"]);
        let first = at(2026, 10, 25, 2, 10);
        assert_eq!(twice.span(first, berlin), HoursSpan { pace: SpeedMode::Off, until_us: Some(first + HOUR / 3) });
        let between = twice.span(first + HOUR / 3, berlin);
        assert_eq!(between, HoursSpan { pace: SpeedMode::Full, until_us: Some(first + HOUR - HOUR / 6) });
        let second = twice.span(first + HOUR, berlin);
        assert_eq!(second, HoursSpan { pace: SpeedMode::Off, until_us: Some(first + HOUR + HOUR / 3) });
    }

    #[test]
    fn next_change_of_speed_mode_is_found_and_is_less_than_nine_days_ahead() {
        let some = hours(&["mon-fri 08:00-18:00 off", "sat,sun 03:00-03:01 slow"]);
        for at_us in (0..).map(|step| -5_000_000_000_000_000 + step * 86_399_999_983 * 31).take(5000) {
            let span = some.span(at_us, berlin);
            let until = span.until_us.unwrap_or_else(|| panic!("no end at {at_us}"));
            assert!(until > at_us && until - at_us < AHEAD_US, "{at_us} {until}");
            assert_ne!(some.span(until, berlin).pace, span.pace, "{at_us}");
            assert_eq!(some.span(until - 1, berlin).pace, span.pace, "{at_us}");
        }
    }

    #[test]
    fn week_grid_is_written_as_equivalent_lines() {
        let some =
            hours(&["mon-fri 08:00-18:00 slow", "sat,sun 10:30-12:00 off", "daily 23:00-01:00 off", "wed 00:00-24:00 full"]);
        let lines = WeeklyHours::lines(&some.week()).unwrap();
        assert_eq!(
            lines,
            [
                "mon-tue,thu-sun 00:00-01:00 off",
                "mon-tue,thu-fri 08:00-18:00 slow",
                "sat-sun 10:30-12:00 off",
                "mon-tue,thu-sun 23:00-24:00 off",
            ]
        );
        assert_eq!(WeeklyHours::try_from(lines).unwrap(), some);
        assert_eq!(WeeklyHours::lines(&hours(&["daily 22:00-23:30 slow"]).week()).unwrap(), ["daily 22:00-23:30 slow"]);
        assert!(some.week().is_exact && !hours(&["mon 08:10-09:00 off"]).week().is_exact);
        assert_eq!(WeeklyHours::default().week().days, std::array::from_fn(|_| "f".repeat(48)));
        let painted =
            |day: &str| WeeklyHours::lines(&WeekSetting { days: std::array::from_fn(|_| day.to_owned()), is_exact: true });
        assert!(painted("fff").is_err() && painted(&"x".repeat(48)).is_err() && painted(&"f".repeat(49)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_week_grid_survives_conversion_to_lines_and_back(painted in proptest::collection::vec("[fso]{48}", 7)) {
            let days: [String; 7] = painted.try_into().unwrap();
            let lines = WeeklyHours::lines(&WeekSetting { days: days.clone(), is_exact: true }).unwrap();
            if let Ok(hours) = WeeklyHours::try_from(lines) {
                proptest::prop_assert_eq!(hours.week().days, days);
            }
        }
    }

    #[test]
    fn displayed_time_includes_weekday_unless_day_is_today() {
        let now = at(2026, 11, 22, 12, 0);
        assert_eq!(moment(at(2026, 11, 22, 18, 5), now, berlin), "18:05");
        assert_eq!(moment(at(2026, 11, 23, 8, 0), now, berlin), "Monday 08:00");
        assert_eq!(moment(at(2026, 11, 29, 12, 0), now, berlin), "Sunday 12:00");
    }

    #[test]
    fn schedule_that_is_unreadable_or_always_off_is_refused() {
        assert_eq!(refused("daily 00:00-24:00 off"), HoursError::NothingAllowed);
        assert!(hours(&["daily 00:00-24:00 off", "sun 03:00-03:01 slow"]).span(0, utc).until_us.is_some());
        let lines = [
            "mon 08:00-18:00",
            "mon 08:00 slow",
            "mon 8:00-18:00 slow",
            "mon 08:00-25:00 slow",
            "mon 08:60-09:00 slow",
            "mon 24:00-08:00 slow",
            "mon 08:00-08:00 off",
            "monday 08:00-18:00 slow",
            "mon-xxx 08:00-18:00 slow",
            "mon 08:00-18:00 quick",
            "",
        ];
        for line in lines {
            assert!(matches!(refused(line), HoursError::Unreadable { line: said, .. } if said == line), "{line}");
        }
    }

    #[test]
    fn day_range_in_schedule_may_continue_into_next_week() {
        assert_eq!(read_days("fri-mon"), Ok(vec![4, 5, 6, 0]));
        assert_eq!(read_days("wed"), Ok(vec![2]));
        assert_eq!(read("Mon-Tue,sun 08:00-09:00 Slow"), Ok((vec![0, 1, 6], 480, 60, SpeedMode::Slow)));
    }
}
