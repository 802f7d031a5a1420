//! Collects changes of counters during a transaction, and writes them at its end.

use std::collections::BTreeMap;

use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    store::{
        columns::json,
        requests::fact::{ABORTED, ACTIVE, COMPLETED, StoredRequest},
        statement::statements,
        sync::marks::SyncMarks,
    },
};

statements! {
    // Rows are inserted one after the other, so that rows with the same day and source add up.
    ADD_STATISTICS: Search =
        "INSERT INTO statistic (day, source, added, succeeded, failed, retried, downloaded, uploaded)
         SELECT g.day, g.source, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6
         FROM json_each(?1) j CROSS JOIN given g ON g.reg_id = j.value ->> 0 WHERE true
         ON CONFLICT (day, source) DO UPDATE SET added = added + excluded.added, succeeded = succeeded + excluded.succeeded,
           failed = failed + excluded.failed, retried = retried + excluded.retried,
           downloaded = downloaded + excluded.downloaded, uploaded = uploaded + excluded.uploaded";
    // Rows are inserted one after the other, so that rows of the same owner add up.
    ADD_TO_OWNERS: Search =
        "INSERT INTO queue_stat (owner_id, total, successes, failures)
         SELECT r.owner_id, j.value ->> 1, j.value ->> 2, j.value ->> 3
         FROM json_each(?1) j CROSS JOIN registration r ON r.reg_id = j.value ->> 0 WHERE true
         ON CONFLICT (owner_id) DO UPDATE SET total = total + excluded.total, successes = successes + excluded.successes,
           failures = failures + excluded.failures";
    // Rows are inserted one after the other, so that rows of the same owner and category add up.
    ADD_USAGE: Search =
        "INSERT INTO usage (owner_id, category, files, kept, running, expected)
         SELECT r.owner_id, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5
         FROM json_each(?1) j CROSS JOIN registration r ON r.reg_id = j.value ->> 0 WHERE true
         ON CONFLICT (owner_id, category) DO UPDATE SET files = files + excluded.files, kept = kept + excluded.kept,
           running = running + excluded.running, expected = expected + excluded.expected";
}

/// Amount of quota that the files of one category use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UsageTally {
    /// Number of files that have bytes on disk and are not being downloaded.
    pub files: i64,
    /// Number of bytes of these files on disk.
    pub kept: i64,
    /// Number of files that are being downloaded.
    pub running: i64,
    /// Sum of the expected final sizes of the files that are being downloaded, in bytes.
    pub expected: i64,
}

impl std::ops::AddAssign for UsageTally {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.kept += other.kept;
        self.running += other.running;
        self.expected += other.expected;
    }
}

impl std::ops::Neg for UsageTally {
    type Output = Self;

    fn neg(self) -> Self {
        Self { files: -self.files, kept: -self.kept, running: -self.running, expected: -self.expected }
    }
}

impl UsageTally {
    /// Returns the part of the usage that one request causes.
    pub(in crate::store) fn from_request(fact: &StoredRequest) -> Self {
        match fact.state {
            ACTIVE => Self { running: 1, expected: fact.kept.max(fact.size.unwrap_or(0)), ..Self::default() },
            ABORTED => Self::default(),
            state => Self { files: i64::from(state == COMPLETED || fact.kept > 0), kept: fact.kept, ..Self::default() },
        }
    }
}

/// Changes of usage in a transaction so far, by registration and category.
#[derive(Debug, Default)]
pub(crate) struct UsageTallies(BTreeMap<(i64, i64), UsageTally>);

impl UsageTallies {
    pub fn change(&mut self, reg_id: i64, category: i64, by: UsageTally) {
        if by != UsageTally::default() {
            *self.0.entry((reg_id, category)).or_default() += by;
        }
    }

    /// Adds the change of one request from `old` to `new`.
    pub fn shift(&mut self, old: &StoredRequest, new: &StoredRequest) {
        let (before, after) = (UsageTally::from_request(old), UsageTally::from_request(new));
        if (before, old.category) != (after, new.category) {
            self.change(old.reg_id, old.category, -before);
            self.change(new.reg_id, new.category, after);
        }
    }

    /// Writes the changes before the commit. Call this before registrations are deleted, since their rows contain the
    /// owner.
    pub async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), EngineError> {
        #[derive(Serialize)]
        struct Row(i64, i64, i64, i64, i64, i64);
        let changed = std::mem::take(&mut self.0).into_iter().filter(|(_, by)| *by != UsageTally::default());
        let row = |((reg_id, category), by): ((i64, i64), UsageTally)| {
            Row(reg_id, category, by.files, by.kept, by.running, by.expected)
        };
        let rows: Vec<Row> = changed.map(row).collect();
        if !rows.is_empty() {
            sqlx::query(ADD_USAGE).bind(json(&rows)?).execute(connection).await?;
        }
        Ok(())
    }
}

/// Adds the collected changes to the running totals of the registrations' owners.
pub(in crate::store) async fn count_for_owners(
    connection: &mut SqliteConnection,
    tallies: &[(i64, HostTally)],
) -> Result<(), EngineError> {
    #[derive(Serialize)]
    struct Row(i64, i64, i64, i64);
    let counts = |(_, tally): &&(i64, HostTally)| tally.added != 0 || tally.succeeded != 0 || tally.failed != 0;
    let row = |(reg_id, tally): &(i64, HostTally)| Row(*reg_id, tally.added, tally.succeeded, tally.failed);
    let rows: Vec<Row> = tallies.iter().filter(counts).map(row).collect();
    if !rows.is_empty() {
        sqlx::query(ADD_TO_OWNERS).bind(json(&rows)?).execute(connection).await?;
    }
    Ok(())
}

/// Counts and bytes that changed for one request, or the sum of such changes for one registration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct HostTally {
    pub added: i64,
    pub succeeded: i64,
    pub failed: i64,
    pub retried: i64,
    pub downloaded: i64,
    pub uploaded: i64,
}

impl std::ops::AddAssign for HostTally {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.retried += other.retried;
        self.downloaded += other.downloaded;
        self.uploaded += other.uploaded;
    }
}

/// All changes of counters in a transaction so far.
#[derive(Debug, Default)]
pub(crate) struct TallyMap {
    counted: BTreeMap<i64, HostTally>,
    /// Changes of usage.
    pub used: UsageTallies,
    /// Registrations whose synced values changed.
    pub marks: SyncMarks,
}

impl TallyMap {
    /// Returns a collection without changes. `is_syncing` states whether sync is on.
    pub fn new(is_syncing: bool) -> Self {
        Self { marks: SyncMarks::new(is_syncing), ..Self::default() }
    }

    pub fn change(&mut self, reg_id: i64, by: HostTally) {
        if by == HostTally::default() {
            return;
        }
        *self.counted.entry(reg_id).or_default() += by;
    }

    /// Returns the number of registrations with changes.
    pub fn registrations(&self) -> usize {
        self.counted.len()
    }

    /// Writes the changes before the commit. Call this before registrations are deleted, since their rows contain day,
    /// source and owner.
    pub async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), EngineError> {
        #[derive(Serialize)]
        struct Row(i64, i64, i64, i64, i64, i64, i64);
        let row = |(reg_id, tally): (i64, HostTally)| {
            let HostTally { added, succeeded, failed, retried, downloaded, uploaded } = tally;
            Row(reg_id, added, succeeded, failed, retried, downloaded, uploaded)
        };
        let counted: Vec<(i64, HostTally)> = std::mem::take(&mut self.counted).into_iter().collect();
        let rows: Vec<Row> = counted.iter().copied().map(row).collect();
        if !rows.is_empty() {
            sqlx::query(ADD_STATISTICS).bind(json(&rows)?).execute(&mut *connection).await?;
            count_for_owners(connection, &counted).await?;
        }
        self.used.write(&mut *connection).await?;
        self.marks.write(connection).await
    }
}
