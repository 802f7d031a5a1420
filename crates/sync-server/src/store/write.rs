//! Writes data: each write is one transaction under the lock of its user.
//!
//! The upsert returns the number of bytes that it wrote and replaced, and the counters change by the difference,
//! without a recount.

use super::{
    Column, DatabaseTransaction, StoreError, SyncStore, batch, collections::FIRST_CUSTOM, on, read, retry::TransactionAttempts,
    statements, with_rows,
};
use crate::{
    clock::ServerClock,
    protocol::{IncomingBso, ProtocolLimits, ProtocolRefusal, Timestamp},
};

/// Maximum number of rows per statement.
///
/// A POST has no more by default, and both databases accept so many values.
pub(super) const ROWS: usize = 100;

statements! {
    MAKE_USER = "INSERT INTO users (user_id, modified, created) VALUES ($1, 0, $2) ON CONFLICT (user_id) DO NOTHING";
    LOCK_USER_ON_POSTGRES = "SELECT modified, quota_bytes FROM users WHERE user_id = $1 FOR UPDATE";
    RAISE_USER = "UPDATE users SET modified = $2 WHERE user_id = $1";
    MAKE_COLLECTION = "INSERT INTO user_collections (user_id, collection_id, modified) VALUES ($1, $2, 0) \
                       ON CONFLICT (user_id, collection_id) DO NOTHING";
    MOVE_COUNTERS = "UPDATE user_collections SET modified = $3, count = count + $4, total_bytes = total_bytes + $5 \
                     WHERE user_id = $1 AND collection_id = $2";
    CUSTOM = "SELECT CAST(count(*) AS BIGINT) FROM user_collections WHERE user_id = $1 AND collection_id >= $2 AND modified > 0";
    DELETE_OBJECT = "DELETE FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 RETURNING payload_bytes, expiry";
    DELETE_COLLECTION = "DELETE FROM user_collections WHERE user_id = $1 AND collection_id = $2";
    DELETE_ALL = "DELETE FROM user_collections WHERE user_id = $1";
    USED = "SELECT CAST(COALESCE(SUM(total_bytes), 0) AS BIGINT) FROM user_collections WHERE user_id = $1";
}

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

/// Clause of the upsert for existing rows. $3 is the time of the write, and $4 is now.
///
/// The value inserted into `replaced_bytes` encodes the sent fields: -1 minus the sum of [`SENT_PAYLOAD`], [`SENT_TTL`]
/// and [`RAISES`]. An expired row counts as missing: its bytes are returned as [`EXPIRED`] minus their number.
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

/// The payload was sent.
pub(super) const SENT_PAYLOAD: i64 = 1;
/// The lifetime was sent.
const SENT_TTL: i64 = 2;
/// Maximum value of `replaced_bytes` that marks a replaced expired row.
///
/// The row's bytes are `EXPIRED` minus the value.
const EXPIRED: i64 = -100;
/// The write updates the time of the object, not only of its collection.
pub(super) const RAISES: i64 = 8;

/// Requested write.
#[derive(Debug)]
pub struct BsoWrite {
    /// User that writes.
    pub user: i64,
    /// Whether an unknown user is created.
    pub makes_user: bool,
    /// Name of the collection; `None` for all of them.
    pub collection: Option<String>,
    /// Refuses the write if the target was modified later.
    pub unmodified_since: Option<Timestamp>,
    /// Clock of the server. The time of the write is read under the lock of the user.
    pub clock: ServerClock,
    /// Change to carry out.
    pub action: WriteAction,
}

/// Change that a write carries out.
#[derive(Debug)]
pub enum WriteAction {
    /// Writes one object.
    Put(IncomingBso),
    /// Writes several objects. In a batch, every object gets the time of the write.
    Post {
        /// Objects.
        entries: Vec<IncomingBso>,
        /// Whether this request begins and commits a batch.
        is_batch: bool,
    },
    /// Begins a batch with this id.
    Begin {
        /// New UUID.
        batch: String,
        /// Objects.
        entries: Vec<IncomingBso>,
    },
    /// Adds to a batch.
    Append {
        /// Id of the batch.
        batch: String,
        /// Objects.
        entries: Vec<IncomingBso>,
    },
    /// Adds to a batch and commits it.
    Commit {
        /// Id of the batch.
        batch: String,
        /// Objects.
        entries: Vec<IncomingBso>,
    },
    /// Deletes one object.
    DeleteObject(String),
    /// Deletes those of these objects that exist.
    DeleteObjects(Vec<String>),
    /// Deletes a collection.
    DeleteCollection,
    /// Deletes all collections.
    DeleteAll,
}

/// Committed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteReceipt {
    /// Time of the write; time of the collection if a batch stays open.
    pub modified: Timestamp,
    /// Bytes that the quota leaves; `None` without a quota, or if the write does not count.
    pub remaining: Option<i64>,
}

/// State of a running write.
pub(super) struct SyncWriter<'a> {
    pub user: i64,
    pub collection: i32,
    pub time: Timestamp,
    pub now: i64,
    pub quota: Option<i64>,
    pub limits: &'a ProtocolLimits,
}

impl SyncStore {
    /// Carries out `write` completely or not at all.
    pub async fn write(&self, write: &BsoWrite) -> Result<WriteReceipt, StoreError> {
        let _turn = self.gates.enter(write.user).await?;
        let mut attempts = TransactionAttempts::new(&self.dice);
        loop {
            match self.attempt(write).await {
                Err(error) if attempts.again(&error).await => {}
                outcome => return outcome,
            }
        }
    }

    async fn attempt(&self, write: &BsoWrite) -> Result<WriteReceipt, StoreError> {
        let mut transaction = self.begin().await?;
        let tx = &mut transaction;
        let (last, quota) = lock(tx, write).await?;
        // Read the time under the lock: an earlier one could be older than a time that a reader has seen.
        let now = write.clock.now();
        let mut number = match &write.collection {
            Some(name) => self.number(tx, name).await?,
            None => None,
        };
        let time = Timestamp::next(Timestamp::floor(now), last);
        let limits = &self.limits;
        let quota = quota.or(limits.quota).filter(|quota| *quota < i64::MAX);
        let mut writing = SyncWriter { user: write.user, collection: number.unwrap_or(0), time, now, quota, limits };
        let state = match number {
            Some(_) => read::state(tx, write.user, writing.collection).await?.map(|(modified, _, _)| modified),
            None => None,
        };
        precondition(tx, write, &writing, last, state).await?;
        let is_there = state.is_some_and(|modified| modified.0 > 0);
        let makes = matches!(write.action, WriteAction::Put(_) | WriteAction::Post { .. } | WriteAction::Begin { .. });
        if makes && !is_there {
            check_number_of_collections(tx, &writing, number).await?;
        }
        let mut given = None;
        if let (true, None, Some(name)) = (makes, number, &write.collection) {
            let new = self.give_number(tx, name).await?;
            (number, writing.collection, given) = (Some(new), new, Some((name, new)));
        }
        let mut remaining = None;
        let modified = match &write.action {
            WriteAction::Put(entry) => {
                make_collection(tx, &writing, is_there).await?;
                remaining = add(tx, &writing, std::slice::from_ref(entry), false).await?;
                time
            }
            WriteAction::Post { entries, is_batch } => {
                make_collection(tx, &writing, is_there).await?;
                remaining = add(tx, &writing, entries, *is_batch).await?;
                time
            }
            WriteAction::Begin { batch, entries } => {
                make_collection(tx, &writing, is_there).await?;
                batch::begin(tx, &writing, batch).await?;
                remaining = batch::append(tx, &writing, batch, entries).await?;
                state.unwrap_or_default()
            }
            WriteAction::Append { batch, entries } => {
                remaining = batch::append(tx, &writing, batch, entries).await?;
                state.unwrap_or_default()
            }
            WriteAction::Commit { batch, entries } => {
                batch::append(tx, &writing, batch, entries).await?;
                if !is_there {
                    check_number_of_collections(tx, &writing, number).await?;
                }
                remaining = batch::commit(tx, &writing, batch).await?;
                time
            }
            WriteAction::DeleteObject(id) => {
                let deleted = match number {
                    Some(_) => delete(tx, &writing, std::slice::from_ref(id)).await?,
                    None => Deleted::default(),
                };
                if deleted.live == 0 {
                    return Err(ProtocolRefusal::NOT_FOUND.into());
                }
                move_counters(tx, &writing, -deleted.rows, -deleted.bytes).await?;
                time
            }
            WriteAction::DeleteObjects(_) | WriteAction::DeleteCollection if !is_there && state.is_none() => last,
            WriteAction::DeleteObjects(ids) => {
                let deleted = delete(tx, &writing, ids).await?;
                if !is_there {
                    last
                } else {
                    move_counters(tx, &writing, -deleted.rows, -deleted.bytes).await?;
                    time
                }
            }
            WriteAction::DeleteCollection => {
                on!(&mut *tx, |connection| {
                    sqlx::query(DELETE_COLLECTION).bind(write.user).bind(writing.collection).execute(connection).await.map(|_| ())
                })?;
                time
            }
            WriteAction::DeleteAll => {
                on!(&mut *tx, |connection| sqlx::query(DELETE_ALL).bind(write.user).execute(connection).await.map(|_| ()))?;
                time
            }
        };
        if modified == time {
            on!(&mut *tx, |connection| {
                sqlx::query(RAISE_USER).bind(write.user).bind(time.0).execute(connection).await.map(|_| ())
            })?;
        }
        transaction.commit().await?;
        if let Some((name, number)) = given {
            self.learn(name, number);
        }
        Ok(WriteReceipt { modified, remaining })
    }
}

/// Locks the user until the end of the transaction.
///
/// Returns the time of the newest write, and the quota.
async fn lock(tx: &mut DatabaseTransaction, write: &BsoWrite) -> Result<(Timestamp, Option<i64>), StoreError> {
    if write.makes_user {
        make_user(tx, write.user, write.clock.now()).await?;
    }
    let (modified, quota) = lock_user(tx, write.user).await?.ok_or(StoreError::UnknownUser)?;
    Ok((Timestamp(modified), quota))
}

/// Creates a user; `false` if it exists already.
pub(super) async fn make_user(tx: &mut DatabaseTransaction, user: i64, now: i64) -> Result<bool, sqlx::Error> {
    let made = on!(tx, |connection| {
        sqlx::query(MAKE_USER).bind(user).bind(now).execute(connection).await.map(|done| done.rows_affected())
    })?;
    Ok(made == 1)
}

/// Locks an existing user; returns the time of its last write, and its quota.
pub(super) async fn lock_user(tx: &mut DatabaseTransaction, user: i64) -> Result<Option<(i64, Option<i64>)>, sqlx::Error> {
    let lock = tx.locking(read::USER, LOCK_USER_ON_POSTGRES);
    on!(tx, |connection| sqlx::query_as(lock).bind(user).fetch_optional(connection).await)
}

/// Checks the precondition of a write.
///
/// An object is compared with its own time, a deletion of everything with that of the store, and any other write with
/// that of its collection.
async fn precondition(
    tx: &mut DatabaseTransaction,
    write: &BsoWrite,
    writing: &SyncWriter<'_>,
    last: Timestamp,
    state: Option<Timestamp>,
) -> Result<(), StoreError> {
    let Some(seen) = write.unmodified_since else { return Ok(()) };
    let current = match &write.action {
        WriteAction::Put(IncomingBso { id, .. }) | WriteAction::DeleteObject(id) => {
            let modified = read::modified(tx, write.user, writing.collection, id, writing.now).await?;
            modified.map(Timestamp).unwrap_or_default()
        }
        WriteAction::DeleteAll => last,
        _ => state.unwrap_or_default(),
    };
    if current > seen { Err(StoreError::Modified(current)) } else { Ok(()) }
}

/// Fails with 400 17 if another collection would exceed the limit.
///
/// The collection has this `number`, or is new.
async fn check_number_of_collections(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    number: Option<i32>,
) -> Result<(), StoreError> {
    if number.is_some_and(|number| number < FIRST_CUSTOM) {
        return Ok(());
    }
    let user = writing.user;
    let custom: i64 = on!(tx, |connection| sqlx::query_scalar(CUSTOM).bind(user).bind(FIRST_CUSTOM).fetch_one(connection).await)?;
    if custom < writing.limits.custom_collections { Ok(()) } else { Err(ProtocolRefusal::OVER_LIMIT.into()) }
}

/// Creates the row that objects and batches belong to.
async fn make_collection(tx: &mut DatabaseTransaction, writing: &SyncWriter<'_>, is_there: bool) -> Result<(), StoreError> {
    if is_there {
        return Ok(());
    }
    let (user, collection) = (writing.user, writing.collection);
    on!(tx, |connection| sqlx::query(MAKE_COLLECTION).bind(user).bind(collection).execute(connection).await.map(|_| ()))?;
    Ok(())
}

/// Writes objects and updates the counters.
///
/// Returns the bytes that the quota leaves; fails with 403 14 if the quota is exceeded.
async fn add(
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
    settle(tx, writing, moved).await
}

/// Returns the flags of the fields that an entry sent, for the upsert.
fn sent(entry: &IncomingBso, is_batch: bool) -> i64 {
    let payload = if entry.payload.is_some() { SENT_PAYLOAD } else { 0 };
    let ttl = if entry.ttl.is_some() { SENT_TTL } else { 0 };
    let raises = if is_batch || entry.payload.is_some() || entry.sortindex.is_some() { RAISES } else { 0 };
    payload + ttl + raises
}

/// Change of a collection's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovedCounters {
    rows: i64,
    bytes: i64,
    /// Change of the bytes that count for the quota; expired rows did not count before they were replaced.
    live_bytes: i64,
}

impl MovedCounters {
    /// Adds a row returned by the upsert: its bytes, and the bytes that it replaced.
    pub(super) fn add(&mut self, (bytes, replaced): (i64, i64)) {
        let (is_new, replaced, live) = match replaced {
            0.. => (false, replaced, replaced),
            ..=EXPIRED => (false, EXPIRED - replaced, 0),
            _ => (true, 0, 0),
        };
        self.rows += i64::from(is_new);
        self.bytes += bytes - replaced;
        self.live_bytes += bytes - live;
    }
}

/// Updates the counters and enforces the quota for a user whose usage grows.
///
/// Returns the bytes that the quota leaves.
pub(super) async fn settle(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    moved: MovedCounters,
) -> Result<Option<i64>, StoreError> {
    move_counters(tx, writing, moved.rows, moved.bytes).await?;
    hold_to_quota(tx, writing, moved.live_bytes, 0).await
}

/// Fails with 403 14 if `more` bytes beside the stored ones exceed the quota.
///
/// Never fails if `change` shrinks the usage. Returns the bytes that the quota leaves.
pub(super) async fn hold_to_quota(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    change: i64,
    more: i64,
) -> Result<Option<i64>, StoreError> {
    let Some(quota) = writing.quota else { return Ok(None) };
    let user = writing.user;
    let stored: i64 = on!(&mut *tx, |connection| sqlx::query_scalar(USED).bind(user).fetch_one(connection).await)?;
    // Expired rows that are not purged yet do not count.
    let expired = read::expired(tx, user, writing.now).await?;
    let left = quota - stored - more + expired.values().map(|(_, bytes)| bytes).sum::<i64>();
    if left < 0 && change > 0 { Err(ProtocolRefusal::OVER_QUOTA.into()) } else { Ok(Some(left.max(0))) }
}

async fn move_counters(tx: &mut DatabaseTransaction, writing: &SyncWriter<'_>, rows: i64, bytes: i64) -> Result<(), sqlx::Error> {
    let (user, collection, time) = (writing.user, writing.collection, writing.time.0);
    on!(tx, |connection| {
        let query = sqlx::query(MOVE_COUNTERS).bind(user).bind(collection).bind(time).bind(rows).bind(bytes);
        query.execute(connection).await.map(|_| ())
    })
}

/// Rows that a deletion removed.
#[derive(Clone, Copy, Debug, Default)]
struct Deleted {
    rows: i64,
    bytes: i64,
    /// Number of rows that had not expired.
    live: i64,
}

/// Deletes objects with one look-up per id.
///
/// Given a list, a database without statistics would read the whole collection.
async fn delete(tx: &mut DatabaseTransaction, writing: &SyncWriter<'_>, ids: &[String]) -> Result<Deleted, sqlx::Error> {
    let mut deleted = Deleted::default();
    for id in ids {
        let (user, collection) = (writing.user, writing.collection);
        let row: Option<(i64, Option<i64>)> = on!(&mut *tx, |connection| {
            sqlx::query_as(DELETE_OBJECT).bind(user).bind(collection).bind(id).fetch_optional(connection).await
        })?;
        if let Some((bytes, expiry)) = row {
            deleted.rows += 1;
            deleted.bytes += bytes;
            deleted.live += i64::from(expiry.is_none_or(|expiry| expiry > writing.now));
        }
    }
    Ok(deleted)
}

/// Returns the statements that are built at run time, for the tests of their plans.
#[cfg(test)]
pub(super) fn upserts() -> [String; 2] {
    [1, 3].map(|rows| with_rows(UPSERT, 5, UPSERT_COLUMNS, rows, on_conflict!()).0)
}
