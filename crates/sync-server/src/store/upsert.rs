//! Inserts and updates objects.
//!
//! The upsert returns the numbers of bytes that were written and replaced. The counters change by the difference,
//! without a recount.

use super::{
    StoreError,
    counters::{MovedCounters, SyncWriter, settle},
    statement::{Column, with_rows},
    transaction::{DatabaseTransaction, on},
};
use crate::{failpoint, protocol::IncomingBso};

/// Maximum number of rows per statement.
///
/// By default, this is also the maximum number of rows of a POST. Both databases accept the resulting number of
/// placeholders.
pub(super) const ROWS: usize = 100;

const UPSERT: &str = "INSERT INTO bsos (user_id, collection_id, bso_id, sortindex, payload, modified, expiry, payload_bytes, \
                      replaced_bytes) VALUES ";

const UPSERT_COLUMNS: &[Column] = &[
    Column::Shared(1),
    Column::Shared(2),
    Column::Own,
    Column::Own,
    Column::Own,
    Column::Shared(3),
    Column::Own,
    Column::Own,
    Column::Own,
];

/// Clause of the upsert for existing rows. $3 is the time of the write, $4 the current time.
///
/// The value inserted into `replaced_bytes` encodes the fields that were sent: -1 minus the sum of [`SENT_PAYLOAD`],
/// [`SENT_TTL`] and [`RAISES`]. An expired row is treated as missing: the upsert then returns `counters::EXPIRED` minus
/// the number of bytes of that row.
macro_rules! on_conflict {
    () => {
        " ON CONFLICT (user_id, collection_id, bso_id) DO UPDATE SET \
         sortindex = CASE WHEN bsos.expiry <= $4 THEN excluded.sortindex ELSE COALESCE(excluded.sortindex, bsos.sortindex) END, \
         payload = CASE WHEN bsos.expiry <= $4 OR ((-1 - excluded.replaced_bytes) & 1) = 1 THEN excluded.payload ELSE bsos.payload END, \
         payload_bytes = CASE WHEN bsos.expiry <= $4 OR ((-1 - excluded.replaced_bytes) & 1) = 1 THEN excluded.payload_bytes ELSE bsos.payload_bytes END, \
         expiry = CASE WHEN bsos.expiry <= $4 OR ((-1 - excluded.replaced_bytes) & 2) = 2 THEN excluded.expiry ELSE bsos.expiry END, \
         modified = CASE WHEN bsos.expiry <= $4 OR ((-1 - excluded.replaced_bytes) & 8) = 8 THEN excluded.modified ELSE bsos.modified END, \
         replaced_bytes = CASE WHEN bsos.expiry <= $4 THEN -100 - bsos.payload_bytes ELSE bsos.payload_bytes END \
         RETURNING payload_bytes, replaced_bytes"
    };
}
pub(super) use on_conflict;

/// Flag: the client sent the payload of the object.
const SENT_PAYLOAD: i64 = 1;
/// Flag: the client sent the lifetime of the object.
const SENT_TTL: i64 = 2;
/// Flag: the write updates the time of the object, not only the time of its collection.
const RAISES: i64 = 8;

/// Writes objects and updates the counters.
///
/// Returns the number of bytes that remain in the quota. Fails with status 403 and code 14 if the quota is exceeded.
pub(super) async fn add(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    entries: &[IncomingBso],
    is_batch: bool,
) -> Result<Option<i64>, StoreError> {
    let mut moved = MovedCounters::default();
    for rows in entries.chunks(ROWS) {
        let statement = with_rows(UPSERT, 5, UPSERT_COLUMNS, rows.len(), on_conflict!());
        let (user, collection, time, now) = (writing.user, writing.collection, writing.time.0, writing.now);
        let written: Vec<(i64, i64)> = on!(&mut *tx, |connection| {
            let mut query = sqlx::query_as(statement).bind(user).bind(collection).bind(time).bind(now);
            for entry in rows {
                let payload = entry.payload.as_deref().unwrap_or_default();
                query = query
                    .bind(&entry.id)
                    .bind(entry.sortindex)
                    .bind(payload)
                    .bind(entry.ttl.and_then(|ttl| ttl.expiry(now)))
                    .bind(payload.len() as i64)
                    .bind(-1 - sent(entry, is_batch));
            }
            query.fetch_all(connection).await
        })?;
        written.into_iter().for_each(|row| moved.add(row));
    }
    failpoint::hit("server.objects-written");
    settle(tx, writing, moved).await
}

/// Returns the upsert flags for the fields that the client sent in an entry.
fn sent(entry: &IncomingBso, is_batch: bool) -> i64 {
    let payload = if entry.payload.is_some() { SENT_PAYLOAD } else { 0 };
    let ttl = if entry.ttl.is_some() { SENT_TTL } else { 0 };
    let raises = if is_batch || entry.payload.is_some() || entry.sortindex.is_some() { RAISES } else { 0 };
    payload + ttl + raises
}

/// Returns, for the tests of query plans, the statements that are built at run time.
#[cfg(test)]
pub(super) fn upserts() -> [String; 2] {
    [1, 3].map(|rows| with_rows(UPSERT, 5, UPSERT_COLUMNS, rows, on_conflict!()).0)
}
