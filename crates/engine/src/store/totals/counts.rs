//! Counts the registrations of the list by state and by reason of failure.

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{RegistrationCount, state::state},
    store::{
        columns::{reason, unsigned},
        ledger::LedgerStore,
        statement::statements,
    },
};

statements! {
    // Count the rows instead of maintaining counters, because only monitoring programs request these numbers.
    COUNTS: Listing =
        "SELECT r.active, r.paused OR (SELECT paused FROM wish WHERE one = 1) AS paused, r.n_active > 0 AS running, r.failure,
           count(*) AS count
         FROM registration r WHERE r.doomed = 0 GROUP BY 1, 2, 3, 4";
}

#[derive(FromRow)]
struct Row {
    active: bool,
    paused: bool,
    running: i64,
    failure: i64,
    count: i64,
}

impl LedgerStore {
    /// Returns the numbers of registrations, by state and reason of failure. Several entries may have the same state and
    /// reason.
    pub async fn registration_counts(&self) -> Result<Vec<RegistrationCount>, EngineError> {
        let rows: Vec<Row> = sqlx::query_as(COUNTS).fetch_all(self.readers()).await?;
        let count = |row: Row| RegistrationCount {
            state: state(row.active, row.paused, row.running),
            failure_reason: reason(row.failure),
            count: unsigned(row.count),
        };
        Ok(rows.into_iter().map(count).collect())
    }
}
