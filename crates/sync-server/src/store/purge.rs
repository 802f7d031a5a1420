//! Deletes what has expired: objects with the counters of their collections, batches, invites.
//!
//! A transaction deletes at most a thousand rows of one user, so that a write waits only briefly.

use super::{Store, StoreError, Transaction, on, statements, write};

/// Rows of one transaction.
const ROWS: i64 = 1000;

statements! {
    NEXT_USER = "SELECT user_id FROM bsos WHERE expiry > 0 AND expiry <= $1 ORDER BY expiry LIMIT 1";
    OBJECTS = "SELECT collection_id, bso_id FROM bsos WHERE expiry > 0 AND expiry <= $2 AND +user_id = $1 LIMIT $3";
    /// Compares the expiry again: the object may have been written since.
    DELETE_OBJECT = "DELETE FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 AND expiry <= $4 \
                     RETURNING payload_bytes";
    LESS = "UPDATE user_collections SET count = count - $3, total_bytes = total_bytes - $4 WHERE user_id = $1 AND collection_id = $2";
    BATCHES = "SELECT user_id, collection_id, batch_id FROM batches WHERE expiry <= $1 ORDER BY expiry LIMIT $2";
    DELETE_BATCH = "DELETE FROM batches WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3";
    INVITES = "SELECT user_id, invite_id FROM invites WHERE expiry <= $1 ORDER BY expiry LIMIT $2";
    DELETE_INVITE = "DELETE FROM invites WHERE user_id = $1 AND invite_id = $2";
}

/// Counts of rows that a purge deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Purged {
    /// Objects.
    pub objects: i64,
    /// Their payload bytes.
    pub bytes: i64,
    /// Batches that were not committed in time.
    pub batches: i64,
    /// Invites that were not used in time.
    pub invites: i64,
}

impl Store {
    /// Deletes everything that has expired at `now`.
    pub async fn purge(&self, now: i64) -> Result<Purged, StoreError> {
        let mut purged = Purged::default();
        while let Some(user) = self.next_user(now).await? {
            let (objects, bytes) = self.purge_user(user, now).await?;
            purged.objects += objects;
            purged.bytes += bytes;
            if objects == 0 {
                // Another node was faster, and goes on.
                break;
            }
        }
        purged.batches = self.purge_batches(now).await?;
        purged.invites = self.purge_invites(now).await?;
        Ok(purged)
    }

    async fn next_user(&self, now: i64) -> Result<Option<i64>, StoreError> {
        let mut tx = self.snapshot().await?;
        Ok(on!(&mut tx, |connection| sqlx::query_scalar(NEXT_USER).bind(now).fetch_optional(connection).await)?)
    }

    async fn purge_user(&self, user: i64, now: i64) -> Result<(i64, i64), StoreError> {
        let mut transaction = self.begin().await?;
        let tx = &mut transaction;
        write::lock_user(tx, user).await?;
        let rows: Vec<(i32, String)> =
            on!(&mut *tx, |connection| sqlx::query_as(OBJECTS).bind(user).bind(now).bind(ROWS).fetch_all(connection).await)?;
        let mut less = std::collections::BTreeMap::<i32, (i64, i64)>::new();
        for (number, id) in rows {
            let bytes: Option<i64> = on!(&mut *tx, |connection| {
                sqlx::query_scalar(DELETE_OBJECT).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
            })?;
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
        transaction.commit().await?;
        Ok(less.values().fold((0, 0), |sum, less| (sum.0 + less.0, sum.1 + less.1)))
    }

    async fn purge_batches(&self, now: i64) -> Result<i64, StoreError> {
        let mut purged = 0;
        loop {
            let mut transaction = self.begin().await?;
            let tx = &mut transaction;
            let rows: Vec<(i64, i32, String)> =
                on!(&mut *tx, |connection| sqlx::query_as(BATCHES).bind(now).bind(ROWS).fetch_all(connection).await)?;
            if rows.is_empty() {
                return Ok(purged);
            }
            for (user, number, batch) in rows {
                purged += on!(&mut *tx, |connection| {
                    let query = sqlx::query(DELETE_BATCH).bind(user).bind(number).bind(batch);
                    query.execute(connection).await.map(|done| done.rows_affected() as i64)
                })?;
            }
            transaction.commit().await?;
        }
    }

    async fn purge_invites(&self, now: i64) -> Result<i64, StoreError> {
        let mut transaction = self.begin().await?;
        let tx: &mut Transaction = &mut transaction;
        let rows: Vec<(i64, String)> =
            on!(&mut *tx, |connection| sqlx::query_as(INVITES).bind(now).bind(ROWS).fetch_all(connection).await)?;
        let purged = rows.len() as i64;
        for (user, invite) in rows {
            on!(&mut *tx, |connection| {
                sqlx::query(DELETE_INVITE).bind(user).bind(invite).execute(connection).await.map(|_| ())
            })?;
        }
        transaction.commit().await?;
        Ok(purged)
    }
}
