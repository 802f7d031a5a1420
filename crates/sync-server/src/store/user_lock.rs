//! Creates and locks the row of a user. Each write begins by taking this lock.

use super::{
    read,
    statement::statements,
    transaction::{DatabaseTransaction, on},
};

statements! {
    MAKE_USER = "INSERT INTO users (user_id, modified, created) VALUES ($1, 0, $2) ON CONFLICT (user_id) DO NOTHING";
    LOCK_USER_ON_POSTGRES = "SELECT modified, quota_bytes FROM users WHERE user_id = $1 FOR UPDATE";
}

/// Creates a user; `false` if it exists already.
pub(super) async fn make_user(tx: &mut DatabaseTransaction, user: i64, now: i64) -> Result<bool, sqlx::Error> {
    let made = on!(tx, |connection| {
        sqlx::query(MAKE_USER).bind(user).bind(now).execute(connection).await.map(|done| done.rows_affected())
    })?;
    Ok(made == 1)
}

/// Locks an existing user; returns the time of the user's last write, and the user's quota.
pub(super) async fn lock_user(tx: &mut DatabaseTransaction, user: i64) -> Result<Option<(i64, Option<i64>)>, sqlx::Error> {
    let lock = tx.locking(read::USER, LOCK_USER_ON_POSTGRES);
    on!(tx, |connection| sqlx::query_as(lock).bind(user).fetch_optional(connection).await)
}
