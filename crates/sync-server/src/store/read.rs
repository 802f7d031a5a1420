//! Reads data, each time on one snapshot.

use std::collections::BTreeMap;

use super::{
    StoreError, SyncStore,
    statement::{Column, statements, with_rows},
    transaction::{DatabaseTransaction, on},
};
use crate::protocol::{Timestamp, render::BsoRow};

statements! {
    OBJECT = "SELECT bso_id, sortindex, modified, payload FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 \
              AND (expiry IS NULL OR expiry > $4)";
    MODIFIED = "SELECT modified FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 \
                AND (expiry IS NULL OR expiry > $4)";
    USER = "SELECT modified, quota_bytes FROM users WHERE user_id = $1";
    COLLECTION = "SELECT modified, count, total_bytes FROM user_collections WHERE user_id = $1 AND collection_id = $2";
    COLLECTIONS = "SELECT collection_id, modified, count, total_bytes FROM user_collections WHERE user_id = $1 AND modified > 0";
    EXPIRED = "SELECT collection_id, CAST(count(*) AS BIGINT), CAST(SUM(payload_bytes) AS BIGINT) FROM bsos \
               WHERE user_id = $1 AND expiry > 0 AND expiry <= $2 GROUP BY collection_id";
}

pub(super) type BsoColumns = (String, Option<i64>, i64, Option<String>);

/// State of a user's collection, without expired objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionState {
    /// Time of the last change, in milliseconds.
    pub modified: i64,
    /// Number of objects.
    pub count: i64,
    /// Number of payload bytes.
    pub bytes: i64,
}

impl SyncStore {
    /// Returns the time of the user's newest write, and the user's individual quota.
    ///
    /// The time is 0 for an unknown user. The quota is `None` if the quota of the server applies.
    pub async fn user(&self, user: i64) -> Result<(Timestamp, Option<i64>), StoreError> {
        let mut transaction = self.snapshot().await?;
        let (modified, quota) = row_of_user(&mut transaction, user).await?;
        Ok((Timestamp(modified), quota))
    }

    /// Returns the state of each of a user's collections, the time of the newest write, and the quota.
    ///
    /// The keys of the map are the names of the collections. The time is 0 for an unknown user. The quota is `None` if
    /// the user has no individual quota.
    pub async fn info(
        &self,
        user: i64,
        now: i64,
        is_counted: bool,
    ) -> Result<(BTreeMap<String, CollectionState>, Timestamp, Option<i64>), StoreError> {
        let mut transaction = self.snapshot().await?;
        let tx = &mut transaction;
        let (modified, quota) = row_of_user(tx, user).await?;
        let rows: Vec<(i32, i64, i64, i64)> =
            on!(&mut *tx, |connection| sqlx::query_as(COLLECTIONS).bind(user).fetch_all(connection).await)?;
        let expired = match is_counted {
            true => expired(tx, user, now).await?,
            false => BTreeMap::new(),
        };
        let mut collections = BTreeMap::new();
        for (number, modified, count, bytes) in rows {
            let (rows, less) = expired.get(&number).copied().unwrap_or_default();
            let state = CollectionState { modified, count: count - rows, bytes: bytes - less };
            collections.insert(self.names.name(tx, number).await?, state);
        }
        Ok((collections, Timestamp(modified), quota))
    }

    /// Returns an object that has not expired.
    pub async fn object(&self, user: i64, collection: &str, id: &str, now: i64) -> Result<Option<BsoRow>, StoreError> {
        let mut transaction = self.snapshot().await?;
        let Some(number) = self.names.number(&mut transaction, collection).await? else { return Ok(None) };
        Ok(object(&mut transaction, user, number, id, now).await?)
    }
}

pub(super) fn row_of((id, sortindex, modified, payload): BsoColumns) -> BsoRow {
    BsoRow { id, sortindex, modified, payload }
}

pub(super) async fn object(
    tx: &mut DatabaseTransaction,
    user: i64,
    number: i32,
    id: &str,
    now: i64,
) -> Result<Option<BsoRow>, sqlx::Error> {
    let row: Option<BsoColumns> = on!(tx, |connection| {
        sqlx::query_as(OBJECT).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
    })?;
    Ok(row.map(row_of))
}

async fn row_of_user(tx: &mut DatabaseTransaction, user: i64) -> Result<(i64, Option<i64>), sqlx::Error> {
    let row = on!(tx, |connection| sqlx::query_as(USER).bind(user).fetch_optional(connection).await)?;
    Ok(row.unwrap_or_default())
}

/// Returns three values of a collection: the time of the last change, the number of rows, and the number of bytes.
///
/// The time is 0 while only an open batch uses the collection. Returns `None` if the collection does not exist.
pub(super) async fn state(
    tx: &mut DatabaseTransaction,
    user: i64,
    number: i32,
) -> Result<Option<(Timestamp, i64, i64)>, sqlx::Error> {
    let state: Option<(i64, i64, i64)> =
        on!(tx, |connection| sqlx::query_as(COLLECTION).bind(user).bind(number).fetch_optional(connection).await)?;
    Ok(state.map(|(modified, rows, bytes)| (Timestamp(modified), rows, bytes)))
}

/// Returns the time of the last change of an object that has not expired.
pub(super) async fn modified(
    tx: &mut DatabaseTransaction,
    user: i64,
    number: i32,
    id: &str,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    on!(tx, |connection| {
        sqlx::query_scalar(MODIFIED).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
    })
}

/// Returns, for each collection, the number and the total bytes of expired rows that are not deleted yet.
pub(super) async fn expired(tx: &mut DatabaseTransaction, user: i64, now: i64) -> Result<BTreeMap<i32, (i64, i64)>, sqlx::Error> {
    let rows: Vec<(i32, i64, i64)> =
        on!(tx, |connection| sqlx::query_as(EXPIRED).bind(user).bind(now).fetch_all(connection).await)?;
    Ok(rows.into_iter().map(|(number, rows, bytes)| (number, (rows, bytes))).collect())
}

const MODIFIED_OF_USERS: &str = "SELECT user_id, modified FROM users WHERE user_id IN ";

/// Time of the last change of a store, and that of each collection in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionTimes {
    /// Time of the newest write, deletions included.
    pub modified: Timestamp,
    /// Time of the last change of each collection, by collection name.
    pub collections: BTreeMap<String, Timestamp>,
}

impl SyncStore {
    /// Returns the times of the last changes of a user's data. The result is empty for an unknown user.
    pub async fn times(&self, user: i64) -> Result<CollectionTimes, StoreError> {
        let (states, modified, _) = self.info(user, 0, false).await?;
        let collections = states.into_iter().map(|(name, state)| (name, Timestamp(state.modified))).collect();
        Ok(CollectionTimes { modified, collections })
    }

    /// Returns the users that have written after a given time.
    ///
    /// `users` contains pairs of a user and the given time for this user. The result also contains the times of the
    /// user's collections.
    pub async fn changed(&self, users: &[(i64, Timestamp)]) -> Result<Vec<(i64, CollectionTimes)>, StoreError> {
        let mut changed = Vec::new();
        for users in users.chunks(1000) {
            let mut transaction = self.snapshot().await?;
            let tx = &mut transaction;
            let columns = vec![Column::Own; users.len()];
            let statement = with_rows(MODIFIED_OF_USERS, 1, &columns, 1, "");
            let rows: Vec<(i64, i64)> = on!(&mut *tx, |connection| {
                let mut query = sqlx::query_as(statement);
                for (user, _) in users {
                    query = query.bind(user);
                }
                query.fetch_all(connection).await
            })?;
            let seen: BTreeMap<i64, Timestamp> = users.iter().copied().collect();
            for (user, modified) in rows {
                let modified = Timestamp(modified);
                if seen.get(&user).is_none_or(|seen| modified <= *seen) {
                    continue;
                }
                let states: Vec<(i32, i64, i64, i64)> =
                    on!(&mut *tx, |connection| sqlx::query_as(COLLECTIONS).bind(user).fetch_all(connection).await)?;
                let mut times = CollectionTimes { modified, ..CollectionTimes::default() };
                for (number, written, _, _) in states {
                    times.collections.insert(self.names.name(tx, number).await?, Timestamp(written));
                }
                changed.push((user, times));
            }
        }
        Ok(changed)
    }
}
