//! Records failed attempts, so that the user can see why a request took several tries.

use sqlx::SqliteConnection;

use crate::{
    EngineError,
    model::{FailureReason, UserMessage},
    store::{
        RunRow,
        columns::{json, reason_number, signed},
        requests::fact::StoredRequest,
        statement::statements,
    },
};

/// Maximum number of attempts kept for a request. Only the latest attempts are kept, since a request may fail for
/// weeks.
const REMEMBERED: i64 = 20;

statements! {
    NOTE: Search =
        "INSERT INTO attempt (reg_id, idx, number, ended_us, reason, code, detail, status, bytes, started_us, brought, url_chain)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    FORGET: Search = "DELETE FROM attempt WHERE reg_id = ?1 AND idx = ?2 AND number <= ?3";
    FORGET_RESTARTS: Search = "DELETE FROM restart WHERE reg_id = ?1 AND idx = ?2 AND number <= ?3";
}

/// Records the attempt that `fact` has just counted. `reason` is `None` if another attempt follows.
pub(in crate::store) async fn note(
    connection: &mut SqliteConnection,
    fact: &StoredRequest,
    trouble: &UserMessage,
    status: Option<u16>,
    reason: Option<FailureReason>,
    run: &RunRow,
    now_us: i64,
) -> Result<(), EngineError> {
    let url_chain = if run.url_chain.is_empty() { None } else { Some(json(&run.url_chain)?) };
    sqlx::query(NOTE)
        .bind(fact.reg_id)
        .bind(fact.idx)
        .bind(fact.tries)
        .bind(now_us)
        .bind(reason.map_or(0, reason_number))
        .bind(&trouble.code)
        .bind(trouble.detail())
        .bind(status)
        .bind(fact.kept)
        .bind(run.started_us)
        .bind(run.brought.map(signed))
        .bind(url_chain)
        .execute(&mut *connection)
        .await?;
    if fact.tries > REMEMBERED {
        let last = fact.tries - REMEMBERED;
        for forget in [FORGET, FORGET_RESTARTS] {
            sqlx::query(forget).bind(fact.reg_id).bind(fact.idx).bind(last).execute(&mut *connection).await?;
        }
    }
    Ok(())
}
