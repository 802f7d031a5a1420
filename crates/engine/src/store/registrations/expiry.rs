//! Computes the time at which settled registrations leave the list, and corrects that time after the clock was set
//! back.
//!
//! - The statement that settles a registration writes its expiry. Reopening the registration clears the expiry.
//! - The index of expiring registrations does not contain a registration with a pending event, even after its expiry.
//!   The event may be pending for the user, or for a client that has registered for the owner. The acknowledgement
//!   restarts the time to live.

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::unique_id,
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

/// Condition for rows that may expire. The text must be identical to the condition of the index, or SQLite would not
/// use the index.
macro_rules! may_go {
    () => {
        "active = 0 AND doomed = 0 AND event <> 1 AND delivery <> 1 AND expires_us IS NOT NULL"
    };
}
/// Expiry of a registration that settles at the time `$now`.
macro_rules! expires {
    ($now:literal) => {
        concat!($now, " + coalesce(keep_for_us, (SELECT forget_after_us FROM wish WHERE one = 1))")
    };
}
pub(in crate::store) use expires;

statements! {
    NEXT: Walk = concat!(
        "SELECT expires_us FROM registration INDEXED BY reg_expires WHERE ", may_go!(), " ORDER BY expires_us LIMIT 1"
    );
    EXPIRED: Search = concat!(
        "SELECT unique_id, takes_files FROM registration INDEXED BY reg_expires
         WHERE ", may_go!(), " AND expires_us <= ?1 ORDER BY expires_us LIMIT ?2"
    );
    // This statement reads every row that can expire, but runs only when the clock was set back.
    SET_BACK: Walk = concat!(
        "UPDATE registration INDEXED BY reg_expires SET expires_us = ", expires!("?1"), "
         WHERE ", may_go!(), " AND expires_us > ", expires!("?1")
    );
    FORGETTING: Search = "SELECT forget_after_us FROM wish WHERE one = 1";
    FORGET_AFTER: Search = "UPDATE wish SET forget_after_us = ?1 WHERE one = 1";
    // This statement reads every settled row, but runs only when the setting changes.
    APPLY: Walk =
        "UPDATE registration INDEXED BY reg_settled SET expires_us = settled_us + ?1
         WHERE active = 0 AND doomed = 0 AND keep_for_us IS NULL";
}

impl LedgerStore {
    /// Returns the time of the next expiry, in µs.
    pub async fn next_expiry(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(NEXT).fetch_optional(self.readers()).await?)
    }

    /// Returns how long settled registrations are kept by default, in µs; `None` for no limit.
    pub async fn forgetting(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(FORGETTING).fetch_one(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// Returns at most `limit` expired registrations. The second value of each entry is true if the registration's
    /// files must be removed too.
    pub async fn expired(&mut self, now_us: i64, limit: u32) -> Result<Vec<(UniqueId, bool)>, EngineError> {
        let rows: Vec<(Vec<u8>, bool)> = sqlx::query_as(EXPIRED).bind(now_us).bind(limit).fetch_all(self.connection()?).await?;
        rows.into_iter().map(|(id, files)| Ok((unique_id(&id)?, files))).collect()
    }

    /// Corrects expiry times after the clock was set back. The time to live restarts for each row that would otherwise
    /// stay too long.
    pub async fn count_from(&mut self, now_us: i64) -> Result<(), EngineError> {
        sqlx::query(SET_BACK).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }

    /// Sets how long registrations are kept by default after they settle, in µs; `None` for no limit.
    pub async fn forget_after(&mut self, after_us: Option<i64>) -> Result<(), EngineError> {
        let connection = self.connection()?;
        sqlx::query(FORGET_AFTER).bind(after_us).execute(&mut *connection).await?;
        sqlx::query(APPLY).bind(after_us).execute(connection).await?;
        Ok(())
    }
}
