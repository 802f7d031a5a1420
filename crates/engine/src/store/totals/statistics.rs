//! Running totals by day and source. What a transaction changes is gathered in memory, by registration, and written with
//! one statement before its commit: thousands of small files cost no more than one. What is rolled back was never gathered.

use std::collections::BTreeMap;

use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    Error,
    model::{Counted, Source},
    store::{
        columns::{json, source, unsigned},
        ledger::{Store, Writing},
        registrations::of_owner,
        statement::statements,
        totals::usage::Usages,
    },
};

statements! {
    // One row after the other, so that several of one day and source add up.
    ADD: Search =
        "INSERT INTO statistic (day, source, added, succeeded, failed, retried, downloaded, uploaded)
         SELECT g.day, g.source, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6
         FROM json_each(?1) j CROSS JOIN given g ON g.reg_id = j.value ->> 0 WHERE true
         ON CONFLICT (day, source) DO UPDATE SET added = added + excluded.added, succeeded = succeeded + excluded.succeeded,
           failed = failed + excluded.failed, retried = retried + excluded.retried,
           downloaded = downloaded + excluded.downloaded, uploaded = uploaded + excluded.uploaded";
    SOURCES: Listing =
        "SELECT source, sum(added) AS added, sum(succeeded) AS succeeded, sum(failed) AS failed, sum(retried) AS retried,
           sum(downloaded) AS downloaded, sum(uploaded) AS uploaded
         FROM statistic GROUP BY source ORDER BY source";
    DAYS: Search =
        "SELECT day, sum(added) AS added, sum(succeeded) AS succeeded, sum(failed) AS failed, sum(retried) AS retried,
           sum(downloaded) AS downloaded, sum(uploaded) AS uploaded
         FROM statistic WHERE day > ?1 GROUP BY day ORDER BY day DESC";
}

/// What changed of one registration's requests, or what has come together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Tally {
    pub added: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub retried: i64,
    pub downloaded: i64,
    pub uploaded: i64,
}

/// The same of all that a transaction has changed by now.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    counted: BTreeMap<i64, Tally>,
    /// And of how much is whose.
    pub used: Usages,
}

impl Tallies {
    pub fn change(&mut self, reg_id: i64, by: Tally) {
        if by == Tally::default() {
            return;
        }
        *self.counted.entry(reg_id).or_default() += by;
    }

    /// How many registrations changed.
    pub fn registrations(&self) -> usize {
        self.counted.len()
    }

    /// Before the commit, and before the registrations themselves go: they know their day, source and owner.
    pub async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Row(i64, i64, i64, i64, i64, i64, i64);
        let row = |(reg_id, tally): (i64, Tally)| {
            let Tally { added, succeeded, failed, retried, downloaded, uploaded } = tally;
            Row(reg_id, added, succeeded, failed, retried, downloaded, uploaded)
        };
        let counted: Vec<(i64, Tally)> = std::mem::take(&mut self.counted).into_iter().collect();
        let rows: Vec<Row> = counted.iter().copied().map(row).collect();
        if !rows.is_empty() {
            sqlx::query(ADD).bind(json(&rows)?).execute(&mut *connection).await?;
            of_owner::count(connection, &counted).await?;
        }
        self.used.write(connection).await
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.retried += other.retried;
        self.downloaded += other.downloaded;
        self.uploaded += other.uploaded;
    }
}

impl From<Tally> for Counted {
    fn from(tally: Tally) -> Self {
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
    tally: Tally,
}

#[derive(sqlx::FromRow)]
struct DayRow {
    day: i64,
    #[sqlx(flatten)]
    tally: Tally,
}

impl Store {
    /// In all, and by source. Reads at most a row for each source of every day there was.
    pub async fn statistics(&self) -> Result<(Counted, Vec<(Source, Counted)>), Error> {
        let rows: Vec<SourceRow> = sqlx::query_as(SOURCES).fetch_all(self.readers()).await?;
        let mut total = Tally::default();
        rows.iter().for_each(|row| total += row.tally);
        Ok((total.into(), rows.into_iter().map(|row| (source(row.source), row.tally.into())).collect()))
    }

    /// By the day that they were added on, of days after `day`, the latest first.
    pub async fn statistics_by_day(&self, day: i64) -> Result<Vec<(i64, Counted)>, Error> {
        let rows: Vec<DayRow> = sqlx::query_as(DAYS).bind(day).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(|row| (row.day, row.tally.into())).collect())
    }
}

impl Writing<'_> {
    /// Writes down what was gathered.
    pub(in crate::store) async fn tally(&mut self) -> Result<(), Error> {
        let (connection, _, tallies) = self.parts()?;
        tallies.write(connection).await
    }
}
