//! Stores the version up to which the one-time work is complete, and the result of each step.

use sqlx::FromRow;

use crate::{
    EngineError,
    store::{
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

statements! {
    DONE: Search = "SELECT version FROM bootstrap WHERE one = 1";
    RECORD: Search = "UPDATE bootstrap SET version = ?1 WHERE one = 1";
    STEPS: Listing = "SELECT step, version, missing FROM bootstrap_step ORDER BY step";
    RECORD_STEP: Search =
        "INSERT INTO bootstrap_step (step, version, missing, checked_us) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (step) DO UPDATE SET version = excluded.version, missing = excluded.missing, checked_us = excluded.checked_us";
}

/// Latest result of a step.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub(crate) struct BootstrapRow {
    pub step: String,
    /// Version of the one-time work that performed the step.
    pub version: i64,
    /// Reason why the step is not possible on this machine; empty if the step is done.
    pub missing: String,
}

impl LedgerStore {
    /// Returns the version up to which all steps are done; 0 until the first start is complete.
    pub async fn bootstrap_version(&self) -> Result<i64, EngineError> {
        Ok(sqlx::query_scalar(DONE).fetch_one(self.readers()).await?)
    }

    /// Returns every step that was ever performed.
    pub async fn bootstrap_steps(&self) -> Result<Vec<BootstrapRow>, EngineError> {
        Ok(sqlx::query_as(STEPS).fetch_all(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// Stores `version` as the version up to which all steps are done.
    pub async fn record_bootstrap_version(&mut self, version: i64) -> Result<(), EngineError> {
        sqlx::query(RECORD).bind(version).execute(self.connection()?).await?;
        Ok(())
    }

    /// Stores the result of a step, in place of the earlier result of that step.
    pub async fn record_bootstrap_step(&mut self, row: &BootstrapRow, now_us: i64) -> Result<(), EngineError> {
        let BootstrapRow { step, version, missing } = row;
        sqlx::query(RECORD_STEP).bind(step).bind(version).bind(missing).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }
}
