//! Engine method for statistics, and a function that formats their days.

use jiff::{SignedDuration, civil};

use crate::{
    Engine, EngineError,
    model::{DayStatistic, RegistrationCount, SourceStatistic, StatisticsReport},
    platform::day::{DAY_SECONDS, today},
};

/// Default number of days with daily totals.
const USUAL_DAYS: u32 = 28;

impl Engine {
    /// Returns the totals of all requests, and the daily totals of the last `days` days (28 if `days` is 0).
    ///
    /// Leaves out days on which nothing was added.
    pub async fn statistics(&self, days: u32) -> Result<StatisticsReport, EngineError> {
        let store = &self.shared.store;
        let (total, sources) = store.statistics().await?;
        let days = if days == 0 { USUAL_DAYS } else { days };
        let days = store.statistics_by_day(today(&self.shared.env) - i64::from(days)).await?;
        Ok(StatisticsReport {
            total,
            sources: sources.into_iter().map(|(source, counted)| SourceStatistic { source, counted }).collect(),
            days: days.into_iter().map(|(day, counted)| DayStatistic { day: written(day), counted }).collect(),
        })
    }

    /// Returns the numbers of registrations in the list, by state and reason of failure. Several entries may have the
    /// same state and reason. Reads every registration once.
    pub async fn registration_counts(&self) -> Result<Vec<RegistrationCount>, EngineError> {
        self.shared.store.registration_counts().await
    }
}

/// Converts a day number to an ISO date. Returns the number itself if the calendar does not contain the day.
fn written(day: i64) -> String {
    let since = SignedDuration::from_secs(day.saturating_mul(DAY_SECONDS));
    civil::date(1970, 1, 1).checked_add(since).map_or_else(|_| day.to_string(), |date| date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::day::day;

    #[test]
    fn day_of_statistics_is_counted_in_local_time() {
        let noon = 1_795_348_800_000_000;
        assert_eq!(written(day(noon, 0)), "2026-11-22");
        assert_eq!(written(day(noon, 12 * 3600 - 1)), "2026-11-22");
        assert_eq!(written(day(noon, 12 * 3600)), "2026-11-23");
        assert_eq!(written(day(noon, -12 * 3600 - 1)), "2026-11-21");
        assert_eq!(written(day(-1, 0)), "1969-12-31");
        assert_eq!(written(day(i64::MAX, 0)).len(), "106751991".len());
        assert_eq!(written(i64::MIN), i64::MIN.to_string());
    }
}
