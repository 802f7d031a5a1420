//! Changes the folder for the unfinished files of a registration.

use ashore_messages::message;
use std::path::Path;

use sqlx::FromRow;

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::{key, text},
        ledger::LedgerWriter,
        statement::statements,
    },
};

statements! {
    WHERE_TO: Search =
        "SELECT r.reg_id, r.n_active FROM registration r
         WHERE r.unique_id = ?1 AND r.doomed = 0";
    UNFINISHED: Search = "SELECT count(*) AS n, coalesce(sum(kept), 0) AS kept FROM req_state WHERE reg_id = ?1 AND state <> 2";
    PUT: Search = "UPDATE given SET folder = ?2, content = NULL WHERE reg_id = ?1";
    // This registration no longer has its original content, so a repeat of the original request must not match it.
    NO_ACTIVE_CONTENT: Search = "UPDATE active_name SET content = NULL WHERE reg_id = ?1";
}

#[derive(FromRow)]
struct WhereTo {
    reg_id: i64,
    n_active: i64,
}

#[derive(FromRow)]
struct Unfinished {
    n: i64,
    kept: i64,
}

impl LedgerWriter<'_> {
    /// Sets `folder` as the folder of the unfinished files.
    ///
    /// Fails with `Unknown`. Fails with `WrongState` if the registration is running or all its files are complete. Also
    /// fails with `WrongState` if unfinished files have bytes in the present folder and that folder is available
    /// (`is_there`).
    pub async fn put_into(&mut self, id: UniqueId, folder: &Path, is_there: bool) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let found: Option<WhereTo> = sqlx::query_as(WHERE_TO).bind(key(&id)).fetch_optional(&mut *connection).await?;
        let found = found.ok_or(EngineError::Unknown(id))?;
        let left: Unfinished = sqlx::query_as(UNFINISHED).bind(found.reg_id).fetch_one(&mut *connection).await?;
        let refuse = |message| Err(EngineError::WrongState(message));
        if found.n_active > 0 {
            return refuse(message!("wrong-state.fetching"));
        }
        if left.n == 0 {
            return refuse(message!("wrong-state.all"));
        }
        if left.kept > 0 && is_there {
            return refuse(message!("wrong-state.begun"));
        }
        sqlx::query(PUT).bind(found.reg_id).bind(text(folder)).execute(&mut *connection).await?;
        sqlx::query(NO_ACTIVE_CONTENT).bind(found.reg_id).execute(&mut *connection).await?;
        Ok(())
    }
}
