//! Ends a request without success.

use sqlx::SqliteConnection;

use crate::{
    EngineError,
    store::{
        FailedResponse,
        columns::{reason_number, signed},
        requests::{
            attempts,
            fact::{COMPLETED, DEAD, StoredRequest},
            state,
        },
        statement::statements,
        totals::tally::TallyMap,
    },
};

statements! {
    FIRST_FAILURE: Search =
        "UPDATE registration SET failure = ?2, trouble_code = ?3, trouble_detail = ?4 WHERE reg_id = ?1 AND failure = 0";
}

/// Ends a request as dead, with its reason. The first failure of an active registration becomes the registration's
/// reason, unless the request is optional. A completed request may also end as dead; its attempt was already
/// counted at completion.
pub(in crate::store) async fn end_badly(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    (old, is_active): (&StoredRequest, bool),
    response: &FailedResponse,
    now_us: i64,
) -> Result<(), EngineError> {
    let kept = signed(response.bytes);
    let new = StoredRequest {
        state: DEAD,
        attempt: old.attempt + 1,
        tries: old.tries + i64::from(old.state != COMPLETED),
        kept,
        sent: signed(response.uploaded),
        size: Some(kept),
        ..old.clone()
    };
    let (trouble, reason) = (&response.trouble, Some(response.reason));
    attempts::note(connection, &new, trouble, response.status, reason, &response.run, now_us).await?;
    state::shift(connection, tallies, old, &new).await?;
    if is_active && !old.optional {
        sqlx::query(FIRST_FAILURE)
            .bind(old.reg_id)
            .bind(reason_number(response.reason))
            .bind(&response.trouble.code)
            .bind(response.trouble.detail())
            .execute(connection)
            .await?;
    }
    Ok(())
}
