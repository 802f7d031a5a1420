//! Quiet hours of each day, which delay notifications. [pure]

use ashore_messages::{UserMessage, message};
use serde::Deserialize;

use crate::{
    gates::{HoursError, SpeedMode, WeeklyHours},
    model::values::local_time::LocalTime,
};

/// Part of the day in local time, such as "22:00-07:00". Empty for no quiet hours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct QuietHours(Option<WeeklyHours>);

impl QuietHours {
    /// Returns the end of the quiet hours that contain `now_us`; `None` outside of quiet hours.
    ///
    /// Both times are in microseconds of Unix time.
    pub fn until(&self, now_us: i64, local: fn(i64) -> LocalTime) -> Option<i64> {
        let span = self.0.as_ref()?.span(now_us, local);
        span.until_us.filter(|_| span.pace == SpeedMode::Off)
    }
}

impl TryFrom<String> for QuietHours {
    type Error = UserMessage;

    /// Refuses text that is not a part of the day.
    fn try_from(text: String) -> Result<Self, UserMessage> {
        // Accept both a typed hyphen and a copied dash.
        let times: String = text.split_whitespace().collect::<String>().replace('–', "-");
        if times.is_empty() {
            return Ok(Self(None));
        }
        match WeeklyHours::try_from(vec![format!("daily {times} off")]) {
            Ok(hours) => Ok(Self(Some(hours))),
            Err(HoursError::NothingAllowed) => Err(message!("invalid.whole-day")),
            Err(HoursError::Unreadable { why, .. }) => Err(message!("invalid.quiet", value = text.trim(), why = why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::platform::env::{local_time_in, zone_of_tests};

    fn at(month: i8, day: i8, hour: i8, minute: i8) -> i64 {
        let civil = date(2026, month, day).at(hour, minute, 0, 0);
        civil.to_zoned(zone_of_tests()).unwrap().timestamp().as_microsecond()
    }

    fn until(text: &str, now_us: i64) -> Option<i64> {
        let quiet = QuietHours::try_from(text.to_owned()).unwrap();
        quiet.until(now_us, |at_us| local_time_in(&zone_of_tests(), at_us))
    }

    #[test]
    fn quiet_hours_may_span_midnight_and_follow_local_time() {
        for text in ["22:00-07:00", " 22:00 – 07:00 "] {
            assert_eq!(until(text, at(11, 22, 21, 59)), None);
            assert_eq!(until(text, at(11, 22, 22, 0)), Some(at(11, 23, 7, 0)));
            assert_eq!(until(text, at(11, 23, 6, 59)), Some(at(11, 23, 7, 0)));
            assert_eq!(until(text, at(11, 23, 7, 0)), None);
        }
        // The clocks go forward in that night.
        assert_eq!(until("22:00-07:00", at(3, 28, 23, 0)), Some(at(3, 29, 7, 0)));
    }

    #[test]
    fn empty_quiet_hours_are_never_quiet() {
        assert_eq!((until("", 0), until("  ", at(11, 22, 23, 0))), (None, None));
    }

    #[test]
    fn invalid_quiet_hours_are_refused_with_reason() {
        let refused = |text: &str| QuietHours::try_from(text.to_owned()).unwrap_err();
        let why = message!("fault-hours.time");
        assert_eq!(refused("10pm-7am"), message!("invalid.quiet", value = "10pm-7am", why = why));
        for text in ["22:00", "22:00-22:00", "24:00-07:00", "22:00-07:00 slow", "mon 22:00-07:00"] {
            assert_eq!(refused(text).variant.as_deref(), Some("quiet"), "{text}");
        }
        assert_eq!(refused("00:00-24:00"), message!("invalid.whole-day"));
    }
}
