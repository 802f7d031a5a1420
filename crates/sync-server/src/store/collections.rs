//! Assigns permanent numbers to the names of collections.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock, RwLockReadGuard},
};

use super::{
    StoreError,
    statement::statements,
    transaction::{DatabaseTransaction, on},
};

/// Lowest number that is assigned to the name of a custom collection.
pub(super) const FIRST_CUSTOM: i32 = 200;

/// Maximum number of attempts to assign a number. An attempt fails if two nodes choose the same number.
const TRIES: u32 = 20;

statements! {
    BY_NAME = "SELECT collection_id FROM collections WHERE name = $1";
    BY_ID = "SELECT name FROM collections WHERE collection_id = $1";
    /// Selects the largest number in use, or 199 if no number is larger. The next number is one higher.
    NEXT = "SELECT CAST(COALESCE(MAX(collection_id), 199) AS BIGINT) FROM collections WHERE collection_id >= 200";
    NAME = "INSERT INTO collections (collection_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING";
}

/// Cache of the table `collections`.
#[derive(Debug, Default)]
pub(super) struct CollectionNames(RwLock<NameCache>);

#[derive(Debug, Default)]
struct NameCache {
    numbers: HashMap<String, i32>,
    names: HashMap<i32, String>,
}

impl CollectionNames {
    fn known(&self) -> RwLockReadGuard<'_, NameCache> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a committed name to the cache.
    pub(super) fn learn(&self, name: &str, number: i32) {
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        names.numbers.insert(name.to_owned(), number);
        names.names.insert(number, name.to_owned());
    }

    /// Returns the number of a collection; `None` if no client has used the name.
    pub(super) async fn number(&self, transaction: &mut DatabaseTransaction, name: &str) -> Result<Option<i32>, sqlx::Error> {
        if let Some(number) = self.known().numbers.get(name).copied() {
            return Ok(Some(number));
        }
        let found = find(transaction, name).await?;
        if let Some(number) = found {
            self.learn(name, number);
        }
        Ok(found)
    }

    /// Returns the name of a collection. At least one row must use `number`.
    pub(super) async fn name(&self, transaction: &mut DatabaseTransaction, number: i32) -> Result<String, sqlx::Error> {
        if let Some(name) = self.known().names.get(&number).cloned() {
            return Ok(name);
        }
        let name: String = on!(transaction, |connection| sqlx::query_scalar(BY_ID).bind(number).fetch_one(connection).await)?;
        self.learn(&name, number);
        Ok(name)
    }

    /// Assigns a number to a name.
    ///
    /// The transaction may still roll back, so the cache is updated only after the commit.
    pub(super) async fn give_number(&self, transaction: &mut DatabaseTransaction, name: &str) -> Result<i32, StoreError> {
        for _ in 0..TRIES {
            if let Some(number) = find(transaction, name).await? {
                return Ok(number);
            }
            if let Some(number) = insert(transaction, name).await? {
                return Ok(number);
            }
        }
        Err(StoreError::Unavailable(sqlx::Error::PoolTimedOut))
    }
}

async fn find(transaction: &mut DatabaseTransaction, name: &str) -> Result<Option<i32>, sqlx::Error> {
    on!(transaction, |connection| sqlx::query_scalar(BY_NAME).bind(name).fetch_optional(connection).await)
}

/// Inserts a name with the next number.
///
/// Returns `None` if another transaction inserted the same number or the same name at the same time.
async fn insert(transaction: &mut DatabaseTransaction, name: &str) -> Result<Option<i32>, sqlx::Error> {
    let largest: i64 = on!(&mut *transaction, |connection| sqlx::query_scalar(NEXT).fetch_one(connection).await)?;
    let number = i32::try_from(largest).unwrap_or(i32::MAX).saturating_add(1).max(FIRST_CUSTOM);
    let given = on!(transaction, |connection| {
        sqlx::query(NAME).bind(number).bind(name).execute(connection).await.map(|done| done.rows_affected())
    })?;
    Ok((given == 1).then_some(number))
}
