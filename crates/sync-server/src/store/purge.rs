//! Deletes expired data: objects (and updates the counters of their collections), batches, invites.
//!
//! A transaction deletes at most a thousand rows of one user, so that writes wait only briefly.

use super::{StoreError, SyncStore, retry::transact, statement::statements, transaction::on, user_lock::lock_user};
use crate::failpoint;

/// Maximum number of rows per transaction.
const ROWS: i64 = 1000;

statements! {
    /// Finds the next user with expired rows. The search starts at the expiry at which the previous search stopped, so
    /// that deleted rows are not scanned again.
    NEXT_USER = "SELECT user_id, expiry FROM bsos WHERE expiry >= $1 AND expiry <= $2 AND expiry IS NOT NULL ORDER BY expiry LIMIT 1";
    OBJECTS = "SELECT collection_id, bso_id FROM bsos WHERE user_id = $1 AND expiry > 0 AND expiry <= $2 ORDER BY expiry LIMIT $3";
    /// Deletes an object if its expiry has passed.
    ///
    /// The condition is necessary because a client may have written the object again. COALESCE prevents the planner
    /// from using an index on the expiry to look up a single id.
    DELETE_OBJECT = "DELETE FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 \
                     AND COALESCE(expiry, 9223372036854775807) <= $4 RETURNING payload_bytes";
    LESS = "UPDATE user_collections SET count = count - $3, total_bytes = total_bytes - $4 WHERE user_id = $1 AND collection_id = $2";
    NEXT_BATCH = "SELECT user_id, collection_id, batch_id FROM batches WHERE expiry <= $1 ORDER BY expiry LIMIT 1";
    DELETE_BATCH = "DELETE FROM batches WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3";
    /// Deletes a collection that was never written and has no batch left.
    DELETE_UNUSED = "DELETE FROM user_collections WHERE user_id = $1 AND collection_id = $2 AND modified = 0 \
                     AND NOT EXISTS (SELECT 1 FROM batches WHERE user_id = $1 AND collection_id = $2)";
    INVITES = "SELECT user_id, invite_id FROM invites WHERE expiry <= $1 ORDER BY expiry LIMIT $2";
    DELETE_INVITE = "DELETE FROM invites WHERE user_id = $1 AND invite_id = $2";
}

/// Numbers of deleted rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PurgeReport {
    /// Number of objects.
    pub objects: i64,
    /// Number of payload bytes of the deleted objects.
    pub bytes: i64,
    /// Number of batches that were not committed in time.
    pub batches: i64,
    /// Number of invites that were not used in time.
    pub invites: i64,
}

impl SyncStore {
    /// Deletes everything that has expired at `now`.
    pub async fn purge(&self, now: i64) -> Result<PurgeReport, StoreError> {
        let (mut purged, mut reached) = (PurgeReport::default(), 1);
        while let Some((user, expiry)) = self.next_user(reached, now).await? {
            let (objects, bytes) = self.purge_user(user, now).await?;
            failpoint::hit("server.purge-committed");
            purged.objects += objects;
            purged.bytes += bytes;
            // If no row was deleted, another node has deleted these rows. Advance past them, so that the loop ends.
            reached = if objects == 0 { expiry + 1 } else { expiry };
        }
        while self.purge_batch(now, &mut purged).await? {}
        purged.invites = self.purge_invites(now).await?;
        Ok(purged)
    }

    async fn next_user(&self, reached: i64, now: i64) -> Result<Option<(i64, i64)>, StoreError> {
        let mut tx = self.snapshot().await?;
        Ok(on!(&mut tx, |connection| sqlx::query_as(NEXT_USER).bind(reached).bind(now).fetch_optional(connection).await)?)
    }

    /// Deletes the oldest expired rows of one user; returns their number and bytes.
    async fn purge_user(&self, user: i64, now: i64) -> Result<(i64, i64), StoreError> {
        transact!(self, |tx| {
            lock_user(tx, user).await?;
            let rows: Vec<(i32, String)> =
                on!(&mut *tx, |connection| sqlx::query_as(OBJECTS).bind(user).bind(now).bind(ROWS).fetch_all(connection).await)?;
            let mut less = std::collections::BTreeMap::<i32, (i64, i64)>::new();
            for (number, id) in rows {
                let bytes: Option<i64> = on!(&mut *tx, |connection| {
                    sqlx::query_scalar(DELETE_OBJECT).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
                })?;
                failpoint::hit("server.purge-amid");
                if let Some(bytes) = bytes {
                    let less = less.entry(number).or_default();
                    *less = (less.0 + 1, less.1 + bytes);
                }
            }
            for (number, (rows, bytes)) in &less {
                on!(&mut *tx, |connection| {
                    sqlx::query(LESS).bind(user).bind(number).bind(rows).bind(bytes).execute(connection).await.map(|_| ())
                })?;
            }
            failpoint::hit("server.purge-before-commit");
            less.values().fold((0, 0), |sum, less| (sum.0 + less.0, sum.1 + less.1))
        })
    }

    /// Deletes one expired batch, which may contain ten thousand rows.
    ///
    /// Returns `false` if no batch has expired.
    async fn purge_batch(&self, now: i64, purged: &mut PurgeReport) -> Result<bool, StoreError> {
        let mut tx = self.snapshot().await?;
        let next: Option<(i64, i32, String)> =
            on!(&mut tx, |connection| sqlx::query_as(NEXT_BATCH).bind(now).fetch_optional(connection).await)?;
        drop(tx);
        let Some((user, number, batch)) = next else { return Ok(false) };
        purged.batches += transact!(self, |tx| {
            // The lock prevents another batch from beginning in the collection before the deletion ends.
            lock_user(tx, user).await?;
            let deleted = on!(&mut *tx, |connection| {
                let query = sqlx::query(DELETE_BATCH).bind(user).bind(number).bind(&batch);
                query.execute(connection).await.map(|done| done.rows_affected())
            })?;
            on!(tx, |connection| sqlx::query(DELETE_UNUSED).bind(user).bind(number).execute(connection).await.map(|_| ()))?;
            i64::try_from(deleted).unwrap_or(i64::MAX)
        })?;
        Ok(true)
    }

    async fn purge_invites(&self, now: i64) -> Result<i64, StoreError> {
        transact!(self, |tx| {
            let rows: Vec<(i64, String)> =
                on!(&mut *tx, |connection| sqlx::query_as(INVITES).bind(now).bind(ROWS).fetch_all(connection).await)?;
            let purged = rows.len() as i64;
            for (user, invite) in rows {
                on!(&mut *tx, |connection| {
                    sqlx::query(DELETE_INVITE).bind(user).bind(invite).execute(connection).await.map(|_| ())
                })?;
            }
            purged
        })
    }
}
