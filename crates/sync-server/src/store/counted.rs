//! Recounts all counters, for `doctor` and for tests. Reads the whole database.

use futures_util::TryStreamExt as _;

use super::{
    StoreError, SyncStore,
    statement::statements,
    transaction::{Pools, on},
};

statements! {
    /// The query starts from the collections, because rows without a collection cannot exist.
    MISCOUNTS = "SELECT uc.user_id, uc.collection_id, uc.count, uc.total_bytes, \
                 CAST(count(b.bso_id) AS BIGINT), CAST(COALESCE(SUM(b.payload_bytes), 0) AS BIGINT) \
                 FROM user_collections uc LEFT JOIN bsos b ON b.user_id = uc.user_id AND b.collection_id = uc.collection_id \
                 GROUP BY uc.user_id, uc.collection_id, uc.count, uc.total_bytes";
    LENGTHS_SQLITE = "SELECT CAST(count(*) AS BIGINT) FROM bsos WHERE payload_bytes <> length(CAST(payload AS BLOB))";
    LENGTHS_POSTGRES = "SELECT CAST(count(*) AS BIGINT) FROM bsos WHERE payload_bytes <> octet_length(payload)";
}

const CHECK_FILE: &str = "PRAGMA integrity_check(10)";

/// Collection with wrong counters.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CollectionMismatch {
    /// User that the collection belongs to.
    pub user: i64,
    /// Number of the collection.
    pub collection: i32,
    /// Objects and bytes according to the counters.
    pub kept: (i64, i64),
    /// Objects and bytes according to the rows.
    pub counted: (i64, i64),
}

impl SyncStore {
    /// Returns the damage that SQLite finds in the database file.
    ///
    /// Returns an empty list on PostgreSQL, which checks its files itself.
    pub async fn check_file(&self) -> Result<Vec<String>, StoreError> {
        let Pools::Sqlite { readers, .. } = &self.pools else { return Ok(Vec::new()) };
        let said: Vec<String> = sqlx::query_scalar(CHECK_FILE).fetch_all(readers).await?;
        Ok(said.into_iter().filter(|line| line != "ok").collect())
    }

    /// Returns all collections with wrong counters, and the number of objects with a wrong length.
    pub async fn recount(&self) -> Result<(Vec<CollectionMismatch>, i64), StoreError> {
        let mut tx = self.snapshot().await?;
        let lengths = tx.locking(LENGTHS_SQLITE, LENGTHS_POSTGRES);
        let mut wrong = Vec::new();
        on!(&mut tx, |connection| {
            let mut rows = sqlx::query_as::<_, (i64, i32, i64, i64, i64, i64)>(MISCOUNTS).fetch(connection);
            while let Some((user, collection, count, bytes, rows, sum)) = rows.try_next().await? {
                if (count, bytes) != (rows, sum) {
                    wrong.push(CollectionMismatch { user, collection, kept: (count, bytes), counted: (rows, sum) });
                }
            }
            Ok::<_, sqlx::Error>(())
        })?;
        let lengths: i64 = on!(&mut tx, |connection| sqlx::query_scalar(lengths).fetch_one(connection).await)?;
        Ok((wrong, lengths))
    }
}
