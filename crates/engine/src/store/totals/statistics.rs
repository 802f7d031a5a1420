//! Keeps running totals of all downloads, by day and by source.
//!
//! A transaction first collects its changes in memory, by registration. Before the commit, one statement writes them to
//! the table. Thus thousands of small files cost no more than a single file. A rollback discards the changes.

use crate::{
    EngineError,
    model::{DailyCount, RequestSource},
    store::{
        columns::{source, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
        totals::tally::HostTally,
    },
};

statements! {
    SOURCES: Listing =
        "SELECT source, sum(added) AS added, sum(succeeded) AS succeeded, sum(failed) AS failed, sum(retried) AS retried,
           sum(downloaded) AS downloaded, sum(uploaded) AS uploaded
         FROM statistic GROUP BY source ORDER BY source";
    DAYS: Search =
        "SELECT day, sum(added) AS added, sum(succeeded) AS succeeded, sum(failed) AS failed, sum(retried) AS retried,
           sum(downloaded) AS downloaded, sum(uploaded) AS uploaded
         FROM statistic WHERE day > ?1 GROUP BY day ORDER BY day DESC";
}

impl From<HostTally> for DailyCount {
    fn from(tally: HostTally) -> Self {
        Self {
            added: unsigned(tally.added),
            succeeded: unsigned(tally.succeeded),
            failed: unsigned(tally.failed),
            retried: unsigned(tally.retried),
            downloaded: unsigned(tally.downloaded),
            uploaded: unsigned(tally.uploaded),
        }
    }
}

#[derive(sqlx::FromRow)]
struct SourceRow {
    source: i64,
    #[sqlx(flatten)]
    tally: HostTally,
}

#[derive(sqlx::FromRow)]
struct DayRow {
    day: i64,
    #[sqlx(flatten)]
    tally: HostTally,
}

impl LedgerStore {
    /// Returns the overall total and the totals by source. Reads at most one row for each source and day.
    pub async fn statistics(&self) -> Result<(DailyCount, Vec<(RequestSource, DailyCount)>), EngineError> {
        let rows: Vec<SourceRow> = sqlx::query_as(SOURCES).fetch_all(self.readers()).await?;
        let mut total = HostTally::default();
        rows.iter().for_each(|row| total += row.tally);
        Ok((total.into(), rows.into_iter().map(|row| (source(row.source), row.tally.into())).collect()))
    }

    /// Returns the totals by the day of creation, for days after `day`, the latest first.
    pub async fn statistics_by_day(&self, day: i64) -> Result<Vec<(i64, DailyCount)>, EngineError> {
        let rows: Vec<DayRow> = sqlx::query_as(DAYS).bind(day).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(|row| (row.day, row.tally.into())).collect())
    }
}

impl LedgerWriter<'_> {
    /// Writes the collected changes.
    pub(in crate::store) async fn tally(&mut self) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        tallies.write(connection).await
    }
}
