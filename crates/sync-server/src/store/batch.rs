//! Batches: objects that stay invisible until their commit, which gives all of them one time.

use futures_util::TryStreamExt as _;

use super::{
    Column, StoreError, Transaction, on, statements,
    write::{Moved, ROWS, Writing, on_conflict, remaining, settle},
    with_rows,
};
use crate::protocol::{Entry, Refusal, Ttl};

statements! {
    OPEN = "SELECT CAST(count(*) AS BIGINT) FROM batches WHERE user_id = $1 AND expiry > $2";
    BEGIN = "INSERT INTO batches (user_id, collection_id, batch_id, expiry) VALUES ($1, $2, $3, $4)";
    ADD = "UPDATE batches SET records = records + $4, bytes = bytes + $5 \
           WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3 AND expiry > $6 RETURNING records, bytes";
    /// The flags are those of the upsert: 9 is -1 minus what raises the time of every object.
    COMMIT = concat!(
        "INSERT INTO bsos (user_id, collection_id, bso_id, sortindex, payload, modified, expiry, payload_bytes, replaced_bytes) \
         SELECT user_id, collection_id, batch_bso_id, sortindex, COALESCE(payload, ''), $3, \
         CASE WHEN ttl >= 0 THEN $4 + ttl * 1000 END, payload_bytes, \
         -9 - CASE WHEN payload IS NULL THEN 0 ELSE 1 END - CASE WHEN ttl IS NULL THEN 0 ELSE 2 END \
         FROM batch_bsos WHERE user_id = $1 AND collection_id = $2 AND batch_id = $5",
        on_conflict!()
    );
    END = "DELETE FROM batches WHERE user_id = $1 AND collection_id = $2 AND batch_id = $3";
}

const STAGE: &str =
    "INSERT INTO batch_bsos (user_id, collection_id, batch_id, batch_bso_id, sortindex, payload, ttl, payload_bytes) VALUES ";

const STAGE_COLUMNS: &[Column] = &[
    Column::Shared(1),
    Column::Shared(2),
    Column::Shared(3),
    Column::Own,
    Column::Own,
    Column::Own,
    Column::Own,
    Column::Own,
];

const STAGE_AGAIN: &str = " ON CONFLICT (user_id, collection_id, batch_id, batch_bso_id) DO UPDATE SET \
     sortindex = COALESCE(excluded.sortindex, batch_bsos.sortindex), \
     payload = COALESCE(excluded.payload, batch_bsos.payload), \
     ttl = COALESCE(excluded.ttl, batch_bsos.ttl), \
     payload_bytes = CASE WHEN excluded.payload IS NULL THEN batch_bsos.payload_bytes ELSE excluded.payload_bytes END";

/// Staged form of the lifetime "never".
const NEVER: i64 = -1;

/// Begins a batch. Fails with 400 17 where the user has too many of them.
pub(super) async fn begin(tx: &mut Transaction, writing: &Writing<'_>, batch: &str) -> Result<(), StoreError> {
    let (user, collection, now) = (writing.user, writing.collection, writing.now);
    let open: i64 = on!(&mut *tx, |connection| sqlx::query_scalar(OPEN).bind(user).bind(now).fetch_one(connection).await)?;
    if open >= writing.limits.open_batches {
        return Err(Refusal::OVER_LIMIT.into());
    }
    let expiry = now + writing.limits.batch_lifetime;
    on!(tx, |connection| {
        sqlx::query(BEGIN).bind(user).bind(collection).bind(batch).bind(expiry).execute(connection).await.map(|_| ())
    })?;
    Ok(())
}

/// Adds to a batch. Fails with 400 0 where there is no such batch any more, with 400 17 where it becomes too large, and with
/// 403 14 where the quota could not hold it.
pub(super) async fn append(
    tx: &mut Transaction,
    writing: &Writing<'_>,
    batch: &str,
    entries: &[Entry],
) -> Result<Option<i64>, StoreError> {
    let (user, collection, now) = (writing.user, writing.collection, writing.now);
    let records = entries.len() as i64;
    let bytes: i64 = entries.iter().filter_map(|entry| entry.payload.as_ref()).map(|payload| payload.len() as i64).sum();
    let counted: Option<(i64, i64)> = on!(&mut *tx, |connection| {
        let query = sqlx::query_as(ADD).bind(user).bind(collection).bind(batch).bind(records).bind(bytes).bind(now);
        query.fetch_optional(connection).await
    })?;
    let (records, bytes) = counted.ok_or(Refusal::BAD_REQUEST)?;
    if records > writing.limits.max_total_records || bytes > writing.limits.max_total_bytes {
        return Err(Refusal::OVER_LIMIT.into());
    }
    for rows in entries.chunks(ROWS) {
        let statement = with_rows(STAGE, 4, STAGE_COLUMNS, rows.len(), STAGE_AGAIN);
        on!(&mut *tx, |connection| {
            let mut query = sqlx::query(statement).bind(user).bind(collection).bind(batch);
            for entry in rows {
                let ttl = entry.ttl.map(|ttl| match ttl {
                    Ttl::Never => NEVER,
                    Ttl::Seconds(seconds) => seconds,
                });
                let length = entry.payload.as_ref().map_or(0, |payload| payload.len() as i64);
                query = query.bind(&entry.id).bind(entry.sortindex).bind(&entry.payload).bind(ttl).bind(length);
            }
            query.execute(connection).await.map(|_| ())
        })?;
    }
    match remaining(tx, writing, bytes).await? {
        Some(left) if left < 0 && bytes > 0 => Err(Refusal::OVER_QUOTA.into()),
        left => Ok(left.map(|left| left.max(0))),
    }
}

/// Writes the staged objects of a batch, and ends the batch.
pub(super) async fn commit(tx: &mut Transaction, writing: &Writing<'_>, batch: &str) -> Result<Option<i64>, StoreError> {
    let (user, collection, time, now) = (writing.user, writing.collection, writing.time.0, writing.now);
    let moved = on!(&mut *tx, |connection| {
        let query = sqlx::query_as(COMMIT).bind(user).bind(collection).bind(time).bind(now).bind(batch);
        let rows = query.fetch(connection);
        rows.try_fold(Moved::default(), |mut moved, row: (i64, i64)| async move {
            moved.add(row);
            Ok(moved)
        })
        .await
    })?;
    on!(&mut *tx, |connection| {
        sqlx::query(END).bind(user).bind(collection).bind(batch).execute(connection).await.map(|_| ())
    })?;
    settle(tx, writing, moved).await
}

/// Statements that are made at run time, for the tests of their plans.
#[cfg(test)]
pub(super) fn stagings() -> [String; 2] {
    [1, 3].map(|rows| with_rows(STAGE, 4, STAGE_COLUMNS, rows, STAGE_AGAIN).0)
}
