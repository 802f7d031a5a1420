//! Writes data: each write is one transaction under the lock of its user.

use super::{
    StoreError, SyncStore, batch,
    collections::FIRST_CUSTOM,
    counters::{SyncWriter, move_counters},
    read,
    retry::TransactionAttempts,
    statement::statements,
    transaction::{DatabaseTransaction, on},
    upsert,
    user_lock::{lock_user, make_user},
};
use crate::{
    clock::ServerClock,
    failpoint,
    protocol::{IncomingBso, ProtocolRefusal, Timestamp},
};

statements! {
    RAISE_USER = "UPDATE users SET modified = $2 WHERE user_id = $1";
    MAKE_COLLECTION = "INSERT INTO user_collections (user_id, collection_id, modified) VALUES ($1, $2, 0) \
                       ON CONFLICT (user_id, collection_id) DO NOTHING";
    CUSTOM = "SELECT CAST(count(*) AS BIGINT) FROM user_collections WHERE user_id = $1 AND collection_id >= $2 AND modified > 0";
    DELETE_OBJECT = "DELETE FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 RETURNING payload_bytes, expiry";
    DELETE_COLLECTION = "DELETE FROM user_collections WHERE user_id = $1 AND collection_id = $2";
    DELETE_ALL = "DELETE FROM user_collections WHERE user_id = $1";
}

/// Requested write.
#[derive(Debug)]
pub struct BsoWrite {
    /// User that writes.
    pub user: i64,
    /// Whether the write creates the user if the user is unknown.
    pub makes_user: bool,
    /// Name of the collection; `None` for all collections.
    pub collection: Option<String>,
    /// Time of the precondition: the write is refused if the target was modified later.
    pub unmodified_since: Option<Timestamp>,
    /// Clock of the server. The time of the write is read under the lock of the user.
    pub clock: ServerClock,
    /// Change to carry out.
    pub action: WriteAction,
}

/// Change that a write makes.
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
    /// Adds objects to a batch.
    Append {
        /// Id of the batch.
        batch: String,
        /// Objects.
        entries: Vec<IncomingBso>,
    },
    /// Adds objects to a batch and commits the batch.
    Commit {
        /// Id of the batch.
        batch: String,
        /// Objects.
        entries: Vec<IncomingBso>,
    },
    /// Deletes one object.
    DeleteObject(String),
    /// Deletes the objects with these ids; ids without an object are ignored.
    DeleteObjects(Vec<String>),
    /// Deletes a collection.
    DeleteCollection,
    /// Deletes all collections.
    DeleteAll,
}

/// Committed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteReceipt {
    /// Time of the write, or the time of the collection if a batch stays open.
    pub modified: Timestamp,
    /// Bytes that remain in the quota.
    ///
    /// `None` if there is no quota, or if the write does not count towards the quota.
    pub remaining: Option<i64>,
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
        // Read the time under the lock. A time that was read before the lock was taken could be older than a time that
        // a client has already read.
        let now = write.clock.now();
        let mut number = match &write.collection {
            Some(name) => self.names.number(tx, name).await?,
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
        let makes = matches!(write.action, WriteAction::Put(_) | WriteAction::Post { .. } | WriteAction::Begin { .. });
        if makes && !has_collection(state) {
            check_number_of_collections(tx, &writing, number).await?;
        }
        let mut given = None;
        if let (true, None, Some(name)) = (makes, number, &write.collection) {
            let new = self.names.give_number(tx, name).await?;
            (number, writing.collection, given) = (Some(new), new, Some((name, new)));
        }
        let before = CollectionBefore { number, state, last };
        let (modified, remaining) = carry_out(tx, write, &writing, &before).await?;
        if modified == time {
            on!(&mut *tx, |connection| {
                sqlx::query(RAISE_USER).bind(write.user).bind(time.0).execute(connection).await.map(|_| ())
            })?;
        }
        failpoint::hit("server.write-before-commit");
        transaction.commit().await?;
        failpoint::hit("server.write-committed");
        if matches!(write.action, WriteAction::Begin { .. } | WriteAction::Append { .. }) {
            failpoint::hit("server.batch-open");
        }
        if let Some((name, number)) = given {
            self.names.learn(name, number);
        }
        Ok(WriteReceipt { modified, remaining })
    }
}

/// State of a collection before a write.
struct CollectionBefore {
    /// Number of the collection.
    ///
    /// `None` if the name has no number yet and the write does not create the collection.
    number: Option<i32>,
    /// Time of the newest write to the collection; `None` if the user never had the collection.
    state: Option<Timestamp>,
    /// Time of the user's newest write.
    last: Timestamp,
}

/// Whether the user has the collection. An open batch does not count as a collection.
fn has_collection(state: Option<Timestamp>) -> bool {
    state.is_some_and(|modified| modified.0 > 0)
}

/// Carries out the action of a write in its transaction.
///
/// Returns the new time of the target, and the bytes that remain in the quota.
async fn carry_out(
    tx: &mut DatabaseTransaction,
    write: &BsoWrite,
    writing: &SyncWriter<'_>,
    before: &CollectionBefore,
) -> Result<(Timestamp, Option<i64>), StoreError> {
    let CollectionBefore { number, state, last } = *before;
    let (time, is_there) = (writing.time, has_collection(state));
    Ok(match &write.action {
        WriteAction::Put(entry) => {
            make_collection(tx, writing, is_there).await?;
            (time, upsert::add(tx, writing, std::slice::from_ref(entry), false).await?)
        }
        WriteAction::Post { entries, is_batch } => {
            make_collection(tx, writing, is_there).await?;
            (time, upsert::add(tx, writing, entries, *is_batch).await?)
        }
        WriteAction::Begin { batch, entries } => {
            make_collection(tx, writing, is_there).await?;
            batch::begin(tx, writing, batch).await?;
            (state.unwrap_or_default(), batch::append(tx, writing, batch, entries).await?)
        }
        WriteAction::Append { batch, entries } => (state.unwrap_or_default(), batch::append(tx, writing, batch, entries).await?),
        WriteAction::Commit { batch, entries } => {
            batch::append(tx, writing, batch, entries).await?;
            if !is_there {
                check_number_of_collections(tx, writing, number).await?;
            }
            (time, batch::commit(tx, writing, batch).await?)
        }
        WriteAction::DeleteObject(id) => {
            let deleted = match number {
                Some(_) => delete(tx, writing, std::slice::from_ref(id)).await?,
                None => Deleted::default(),
            };
            if deleted.live == 0 {
                return Err(ProtocolRefusal::NOT_FOUND.into());
            }
            move_counters(tx, writing, -deleted.rows, -deleted.bytes).await?;
            (time, None)
        }
        WriteAction::DeleteObjects(_) | WriteAction::DeleteCollection if !is_there && state.is_none() => (last, None),
        WriteAction::DeleteObjects(ids) => {
            let deleted = delete(tx, writing, ids).await?;
            failpoint::hit("server.objects-deleted");
            if is_there {
                move_counters(tx, writing, -deleted.rows, -deleted.bytes).await?;
            }
            (if is_there { time } else { last }, None)
        }
        WriteAction::DeleteCollection => {
            on!(&mut *tx, |connection| {
                sqlx::query(DELETE_COLLECTION).bind(write.user).bind(writing.collection).execute(connection).await.map(|_| ())
            })?;
            (time, None)
        }
        WriteAction::DeleteAll => {
            on!(&mut *tx, |connection| sqlx::query(DELETE_ALL).bind(write.user).execute(connection).await.map(|_| ()))?;
            (time, None)
        }
    })
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

/// Checks the precondition of a write.
///
/// The time of the precondition is compared with the time of the target. The target of a write to one object is the
/// object. The target of a deletion of everything is the store. The target of any other write is the collection.
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

/// Fails with status 400 and code 17 if a new custom collection would exceed the limit on the number of custom
/// collections.
///
/// `number` is the number of the collection to create; `None` if its name has no number yet.
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

/// Creates the row of the collection. The rows of its objects and batches refer to this row.
async fn make_collection(tx: &mut DatabaseTransaction, writing: &SyncWriter<'_>, is_there: bool) -> Result<(), StoreError> {
    if is_there {
        return Ok(());
    }
    let (user, collection) = (writing.user, writing.collection);
    on!(tx, |connection| sqlx::query(MAKE_COLLECTION).bind(user).bind(collection).execute(connection).await.map(|_| ()))?;
    Ok(())
}

/// Number and size of the rows that a deletion removed.
#[derive(Clone, Copy, Debug, Default)]
struct Deleted {
    rows: i64,
    bytes: i64,
    /// Number of rows that had not expired.
    live: i64,
}

/// Deletes objects, and looks up each id separately.
///
/// A statement with a list of ids would read the whole collection if the database has no statistics.
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
