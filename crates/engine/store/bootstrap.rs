//! Which version's one-time work is done.

use super::{Store, Writing, statement::statements};
use crate::Error;

statements! {
    DONE: Search = "SELECT version FROM bootstrap WHERE one = 1";
    RECORD: Search = "UPDATE bootstrap SET version = ?1 WHERE one = 1";
}

impl Store {
    /// 0 before the first start is done.
    pub async fn bootstrap_version(&self) -> Result<i64, Error> {
        Ok(sqlx::query_scalar(DONE).fetch_one(self.readers()).await?)
    }
}

impl Writing<'_> {
    /// All of it up to this version is done.
    pub async fn record_bootstrap_version(&mut self, version: i64) -> Result<(), Error> {
        sqlx::query(RECORD).bind(version).execute(self.connection()?).await?;
        Ok(())
    }
}
