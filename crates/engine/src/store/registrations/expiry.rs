//! What is over leaves the list after its time: when that is, whose it is, and what a clock that was set back changes.
//!
//! The time is written where a registration settles, in that very statement, and taken away where it is reopened. What is
//! owed, to the person or to clients of its owner, is not in the index, however late it is; being told begins its time anew.

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::unique_id,
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

/// What may leave the list, word for word as the index has it, or SQLite does not see that it may use it.
macro_rules! may_go {
    () => {
        "active = 0 AND doomed = 0 AND event <> 1 AND delivery <> 1 AND expires_us IS NOT NULL"
    };
}
/// When it leaves it, where it is over at the moment of the first argument.
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
    // Reads all that will ever leave the list: once for each time that the clock is set back.
    SET_BACK: Walk = concat!(
        "UPDATE registration INDEXED BY reg_expires SET expires_us = ", expires!("?1"), "
         WHERE ", may_go!(), " AND expires_us > ", expires!("?1")
    );
    FORGETTING: Search = "SELECT forget_after_us FROM wish WHERE one = 1";
    FORGET_AFTER: Search = "UPDATE wish SET forget_after_us = ?1 WHERE one = 1";
    // Reads all that is over: once for each time that somebody changes the setting.
    APPLY: Walk =
        "UPDATE registration INDEXED BY reg_settled SET expires_us = settled_us + ?1
         WHERE active = 0 AND doomed = 0 AND keep_for_us IS NULL";
}

impl LedgerStore {
    /// When the next one leaves the list, µs.
    pub async fn next_expiry(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(NEXT).fetch_optional(self.readers()).await?)
    }

    /// How long what is over is kept where nobody said so, µs; none for good.
    pub async fn forgetting(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(FORGETTING).fetch_one(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// What leaves the list now, at most `limit`, and whether its files go with it.
    pub async fn expired(&mut self, now_us: i64, limit: u32) -> Result<Vec<(UniqueId, bool)>, EngineError> {
        let rows: Vec<(Vec<u8>, bool)> = sqlx::query_as(EXPIRED).bind(now_us).bind(limit).fetch_all(self.connection()?).await?;
        rows.into_iter().map(|(id, files)| Ok((unique_id(&id)?, files))).collect()
    }

    /// The clock was set back: what would stay for longer than it is kept counts from now.
    pub async fn count_from(&mut self, now_us: i64) -> Result<(), EngineError> {
        sqlx::query(SET_BACK).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }

    /// What is over is kept so long (µs) where nobody said so, from when it settled; none for good.
    pub async fn forget_after(&mut self, after_us: Option<i64>) -> Result<(), EngineError> {
        let connection = self.connection()?;
        sqlx::query(FORGET_AFTER).bind(after_us).execute(&mut *connection).await?;
        sqlx::query(APPLY).bind(after_us).execute(connection).await?;
        Ok(())
    }
}
