//! Stores batches: objects that are invisible until a commit gives all of them the same time.

use futures_util::TryStreamExt as _;

use super::{
    StoreError,
    counters::{MovedCounters, SyncWriter, hold_to_quota, settle},
    purge,
    statement::{Column, statements, with_rows},
    transaction::{DatabaseTransaction, on},
    upsert::{ROWS, on_conflict},
};
use crate::{
    failpoint,
    protocol::{BsoTtl, IncomingBso, ProtocolRefusal},
};

statements! {
    OPEN = "SELECT CAST(count(*) AS BIGINT) FROM batches WHERE user_id = $1 AND expiry > $2";
    BEGIN = "INSERT INTO batches (user_id, collection_id, batch_id, expiry) VALUES ($1, $2, $3, $4)";
    ADD = "UPDATE batches SET records = records + $4, bytes = bytes + $5 \
           WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3 AND expiry > $6 RETURNING records, bytes";
    /// Writes the rows of a batch. Treats existing rows in the same way as the upsert.
    ///
    /// `replaced_bytes` is -1 minus the sum of flags (see `on_conflict`). The flag 8 is always set, because a batch
    /// updates the time of every object. Therefore the expression begins with -9.
    COMMIT = concat!(
        "INSERT INTO bsos (user_id, collection_id, bso_id, sortindex, payload, modified, expiry, payload_bytes, replaced_bytes) \
         SELECT user_id, collection_id, batch_bso_id, sortindex, COALESCE(payload, ''), $3, \
         CASE WHEN ttl >= 0 THEN $4 + ttl * 1000 END, payload_bytes, \
         -9 - CASE WHEN payload IS NULL THEN 0 ELSE 1 END - CASE WHEN ttl IS NULL THEN 0 ELSE 2 END \
         FROM batch_bsos WHERE user_id = $1 AND collection_id = $2 AND batch_id = $5",
        on_conflict!()
    );
    /// Counts rows and bytes of a batch.
    ///
    /// A row that a later row of the batch replaces is not counted.
    STAGED = "SELECT CAST(count(*) AS BIGINT), CAST(COALESCE(SUM(payload_bytes), 0) AS BIGINT) FROM batch_bsos \
              WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3";
    COUNTED = "UPDATE batches SET records = $4, bytes = $5 WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3";
    /// Computes by how many bytes a commit would change the usage.
    ///
    /// Each object is looked up by its key, so that the query plan does not depend on statistics.
    CHANGE = "SELECT CAST(COALESCE(SUM(payload_bytes - COALESCE((SELECT b.payload_bytes FROM bsos b WHERE b.user_id = $1 \
              AND b.collection_id = $2 AND b.bso_id = batch_bso_id AND (b.expiry IS NULL OR b.expiry > $4)), 0)), 0) AS BIGINT) \
              FROM batch_bsos WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3 AND payload IS NOT NULL";
}

const STAGE: &str =
    "INSERT INTO batch_bsos (user_id, collection_id, batch_id, batch_bso_id, sortindex, payload, ttl, payload_bytes) VALUES ";

const STAGE_COLUMNS: &[Column] =
    &[Column::Shared(1), Column::Shared(2), Column::Shared(3), Column::Own, Column::Own, Column::Own, Column::Own, Column::Own];

const STAGE_AGAIN: &str = " ON CONFLICT (user_id, collection_id, batch_id, batch_bso_id) DO UPDATE SET \
     sortindex = COALESCE(excluded.sortindex, batch_bsos.sortindex), \
     payload = COALESCE(excluded.payload, batch_bsos.payload), \
     ttl = COALESCE(excluded.ttl, batch_bsos.ttl), \
     payload_bytes = CASE WHEN excluded.payload IS NULL THEN batch_bsos.payload_bytes ELSE excluded.payload_bytes END";

/// Value of the column `ttl` in a staged row whose object has no expiry.
const NEVER: i64 = -1;

/// Begins a batch. Fails with status 400 and code 17 if the user has too many open batches.
pub(super) async fn begin(tx: &mut DatabaseTransaction, writing: &SyncWriter<'_>, batch: &str) -> Result<(), StoreError> {
    let (user, collection, now) = (writing.user, writing.collection, writing.now);
    let open: i64 = on!(&mut *tx, |connection| sqlx::query_scalar(OPEN).bind(user).bind(now).fetch_one(connection).await)?;
    if open >= writing.limits.open_batches {
        return Err(ProtocolRefusal::OVER_LIMIT.into());
    }
    let expiry = now + writing.limits.batch_lifetime;
    on!(tx, |connection| {
        sqlx::query(BEGIN).bind(user).bind(collection).bind(batch).bind(expiry).execute(connection).await.map(|_| ())
    })?;
    Ok(())
}

/// Adds objects to a batch.
///
/// Fails with status 400 and code 0 if the batch no longer exists, with status 400 and code 17 if the batch becomes too
/// large, and with status 403 and code 14 if a commit of the batch would exceed the quota.
pub(super) async fn append(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    batch: &str,
    entries: &[IncomingBso],
) -> Result<Option<i64>, StoreError> {
    let (user, collection, now) = (writing.user, writing.collection, writing.now);
    let records = entries.len() as i64;
    let bytes: i64 = entries.iter().filter_map(|entry| entry.payload.as_ref()).map(|payload| payload.len() as i64).sum();
    let counted: Option<(i64, i64)> = on!(&mut *tx, |connection| {
        let query = sqlx::query_as(ADD).bind(user).bind(collection).bind(batch).bind(records).bind(bytes).bind(now);
        query.fetch_optional(connection).await
    })?;
    let (records, bytes) = counted.ok_or(ProtocolRefusal::BAD_REQUEST)?;
    for rows in entries.chunks(ROWS) {
        let statement = with_rows(STAGE, 4, STAGE_COLUMNS, rows.len(), STAGE_AGAIN);
        on!(&mut *tx, |connection| {
            let mut query = sqlx::query(statement).bind(user).bind(collection).bind(batch);
            for entry in rows {
                let ttl = entry.ttl.map(|ttl| match ttl {
                    BsoTtl::Never => NEVER,
                    BsoTtl::Seconds(seconds) => seconds,
                });
                let length = entry.payload.as_ref().map_or(0, |payload| payload.len() as i64);
                query = query.bind(&entry.id).bind(entry.sortindex).bind(&entry.payload).bind(ttl).bind(length);
            }
            query.execute(connection).await.map(|_| ())
        })?;
    }
    let bytes = hold_to_limits(tx, writing, batch, (records, bytes)).await?;
    // A commit adds at most the sum of all payloads, and this sum nearly always fits into the quota. Compute the exact
    // change only if the sum does not fit.
    match hold_to_quota(tx, writing, bytes, bytes).await {
        Err(StoreError::Refused(ProtocolRefusal::OVER_QUOTA)) => {
            let change: i64 = on!(&mut *tx, |connection| {
                sqlx::query_scalar(CHANGE).bind(user).bind(collection).bind(batch).bind(now).fetch_one(connection).await
            })?;
            hold_to_quota(tx, writing, change, change).await
        }
        outcome => outcome,
    }
}

/// Checks whether the rows that a commit of the batch would store are within the limits.
///
/// Returns the number of bytes of the batch. The counters of the batch may be too high, because they include replaced
/// rows. The rows themselves are counted only if a counter exceeds a limit.
async fn hold_to_limits(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    batch: &str,
    (records, bytes): (i64, i64),
) -> Result<i64, StoreError> {
    let limits = writing.limits;
    let fits = |records, bytes| records <= limits.max_total_records && bytes <= limits.max_total_bytes;
    if fits(records, bytes) {
        return Ok(bytes);
    }
    let (user, collection) = (writing.user, writing.collection);
    let (records, bytes): (i64, i64) = on!(&mut *tx, |connection| {
        sqlx::query_as(STAGED).bind(user).bind(collection).bind(batch).fetch_one(connection).await
    })?;
    if !fits(records, bytes) {
        return Err(ProtocolRefusal::OVER_LIMIT.into());
    }
    on!(tx, |connection| {
        let query = sqlx::query(COUNTED).bind(user).bind(collection).bind(batch).bind(records).bind(bytes);
        query.execute(connection).await.map(|_| ())
    })?;
    Ok(bytes)
}

/// Writes the staged objects of a batch and ends the batch.
pub(super) async fn commit(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    batch: &str,
) -> Result<Option<i64>, StoreError> {
    let (user, collection, time, now) = (writing.user, writing.collection, writing.time.0, writing.now);
    let moved = on!(&mut *tx, |connection| {
        let query = sqlx::query_as(COMMIT).bind(user).bind(collection).bind(time).bind(now).bind(batch);
        let rows = query.fetch(connection);
        rows.try_fold(MovedCounters::default(), |mut moved, row: (i64, i64)| async move {
            moved.add(row);
            Ok(moved)
        })
        .await
    })?;
    failpoint::hit("server.batch-moved");
    on!(&mut *tx, |connection| {
        sqlx::query(purge::DELETE_BATCH).bind(user).bind(collection).bind(batch).execute(connection).await.map(|_| ())
    })?;
    settle(tx, writing, moved).await
}

/// Returns the statements that are built at run time, for the tests of their plans.
#[cfg(test)]
pub(super) fn stagings() -> [String; 2] {
    [1, 3].map(|rows| with_rows(STAGE, 4, STAGE_COLUMNS, rows, STAGE_AGAIN).0)
}
