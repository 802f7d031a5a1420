//! Reads, each on one snapshot.

use std::collections::BTreeMap;

use futures_util::TryStreamExt as _;

use super::{Store, StoreError, Transaction, on, statements};
use crate::protocol::{Query, Sort, Timestamp, offset::Offset, render::Row};

/// Below every sort index: where an object without one stands.
const NO_INDEX: i64 = -1_000_000_000;

macro_rules! listing {
    ($payload:literal, $key:literal, $comparison:literal, $direction:literal) => {
        concat!(
            "SELECT bso_id, sortindex, modified, ", $payload, " FROM bsos WHERE user_id = $1 AND collection_id = $2 AND modified > 0 \
             AND modified > $3 AND modified < $4 AND (expiry IS NULL OR expiry > $5) AND (", $key, ", bso_id) ", $comparison,
            " ($6, $7) ORDER BY ", $key, " ", $direction, ", bso_id ", $direction, " LIMIT $8"
        )
    };
}

statements! {
    NEWEST = listing!("payload", "modified", "<", "DESC");
    OLDEST = listing!("payload", "modified", ">", "ASC");
    BY_INDEX = listing!("payload", "COALESCE(sortindex, -1000000000)", "<", "DESC");
    NEWEST_IDS = listing!("CAST(NULL AS TEXT)", "modified", "<", "DESC");
    OLDEST_IDS = listing!("CAST(NULL AS TEXT)", "modified", ">", "ASC");
    IDS_BY_INDEX = listing!("CAST(NULL AS TEXT)", "COALESCE(sortindex, -1000000000)", "<", "DESC");
    OBJECT = "SELECT bso_id, sortindex, modified, payload FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 \
              AND (expiry IS NULL OR expiry > $4)";
    MODIFIED = "SELECT modified FROM bsos WHERE user_id = $1 AND collection_id = $2 AND bso_id = $3 \
                AND (expiry IS NULL OR expiry > $4)";
    USER = "SELECT modified, quota_bytes FROM users WHERE user_id = $1";
    COLLECTION = "SELECT modified FROM user_collections WHERE user_id = $1 AND collection_id = $2";
    COLLECTIONS = "SELECT collection_id, modified, count, total_bytes FROM user_collections WHERE user_id = $1 AND modified > 0";
    /// Through the index of the expiry: what has expired and is not purged yet is little.
    EXPIRED = "SELECT collection_id, CAST(count(*) AS BIGINT), CAST(SUM(payload_bytes) AS BIGINT) FROM bsos \
               WHERE expiry > 0 AND expiry <= $2 AND +user_id = $1 GROUP BY collection_id";
}

type Columns = (String, Option<i64>, i64, Option<String>);

/// A collection of a user, without what has expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionState {
    /// Milliseconds.
    pub modified: i64,
    /// Objects.
    pub count: i64,
    /// Payload bytes.
    pub bytes: i64,
}

/// Facts about a listing beside its rows.
#[derive(Debug, Default)]
pub struct Listed {
    /// Modified time of the collection; 0 if the collection does not exist.
    pub modified: Timestamp,
    /// Offset of the next page. None: this page was the last.
    pub next: Option<Offset>,
}

impl Store {
    /// Modified time of the store, and its quota as far as the user has one of its own. Zero for an unknown user.
    pub async fn user(&self, user: i64) -> Result<(Timestamp, Option<i64>), StoreError> {
        let mut transaction = self.snapshot().await?;
        let (modified, quota) = row_of_user(&mut transaction, user).await?;
        Ok((Timestamp(modified), quota))
    }

    /// All collections by name, the modified time of the store, and the user's own quota.
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
            collections.insert(self.name(tx, number).await?, state);
        }
        Ok((collections, Timestamp(modified), quota))
    }

    /// Modified time of a collection; 0 if the collection does not exist.
    pub async fn collection_modified(&self, user: i64, name: &str) -> Result<Timestamp, StoreError> {
        let mut transaction = self.snapshot().await?;
        let Some(number) = self.number(&mut transaction, name).await? else { return Ok(Timestamp::default()) };
        Ok(modified_of_collection(&mut transaction, user, number).await?)
    }

    /// Returns an object that has not expired.
    pub async fn object(&self, user: i64, collection: &str, id: &str, now: i64) -> Result<Option<Row>, StoreError> {
        let mut transaction = self.snapshot().await?;
        let Some(number) = self.number(&mut transaction, collection).await? else { return Ok(None) };
        Ok(object(&mut transaction, user, number, id, now).await?)
    }

    /// Gives the rows of one page to `push`, where `wants` agrees to the modified time of the collection.
    pub async fn list(
        &self,
        user: i64,
        collection: &str,
        now: i64,
        query: &Query,
        wants: impl FnOnce(Timestamp) -> bool + Send,
        mut push: impl FnMut(&Row) + Send,
    ) -> Result<Listed, StoreError> {
        let mut transaction = self.snapshot().await?;
        let tx = &mut transaction;
        let Some(number) = self.number(tx, collection).await? else {
            wants(Timestamp::default());
            return Ok(Listed::default());
        };
        let modified = modified_of_collection(tx, user, number).await?;
        if !wants(modified) {
            return Ok(Listed { modified, next: None });
        }
        let most = query.limit.map_or(i64::MAX, i64::from);
        let mut page = Page { most, rows: 0, last: None, is_cut: false, sort: query.sort };
        match &query.ids {
            Some(ids) => {
                for row in self.chosen(tx, (user, number), ids, now, query).await? {
                    page.take(row, &mut push);
                }
            }
            None => {
                let statement = match (query.sort, query.is_full) {
                    (Sort::Newest, true) => NEWEST,
                    (Sort::Oldest, true) => OLDEST,
                    (Sort::Index, true) => BY_INDEX,
                    (Sort::Newest, false) => NEWEST_IDS,
                    (Sort::Oldest, false) => OLDEST_IDS,
                    (Sort::Index, false) => IDS_BY_INDEX,
                };
                let (key, id) = begin(query);
                let (newer, older) = (query.newer.unwrap_or(0), query.older.unwrap_or(i64::MAX));
                on!(tx, |connection| {
                    let query = sqlx::query_as(statement).bind(user).bind(number).bind(newer).bind(older).bind(now);
                    let query = query.bind(key).bind(id).bind(most.saturating_add(1));
                    let mut rows = query.fetch(connection);
                    while let Some(row) = rows.try_next().await? {
                        page.take(row_of(row), &mut push);
                    }
                    Ok::<_, sqlx::Error>(())
                })?;
            }
        }
        Ok(Listed { modified, next: page.next() })
    }

    /// Of these ids, those that the query wants, in its order. One look-up each, as with deletions.
    async fn chosen(
        &self,
        tx: &mut Transaction,
        (user, number): (i64, i32),
        ids: &[String],
        now: i64,
        query: &Query,
    ) -> Result<Vec<Row>, sqlx::Error> {
        let mut rows = Vec::new();
        for id in ids.iter().collect::<std::collections::BTreeSet<_>>() {
            let Some(mut row) = object(tx, user, number, id, now).await? else { continue };
            let is_wanted = query.newer.is_none_or(|newer| row.modified > newer)
                && query.older.is_none_or(|older| row.modified < older)
                && query.offset.as_ref().is_none_or(|offset| is_behind(&row, offset, query.sort));
            if is_wanted {
                row.payload = row.payload.filter(|_| query.is_full);
                rows.push(row);
            }
        }
        rows.sort_by(|a, b| {
            let (a, b) = ((key(a, query.sort), &a.id), (key(b, query.sort), &b.id));
            if query.sort == Sort::Oldest { a.cmp(&b) } else { b.cmp(&a) }
        });
        Ok(rows)
    }
}

/// Cuts a listing at its limit.
struct Page {
    most: i64,
    rows: i64,
    last: Option<Offset>,
    is_cut: bool,
    sort: Sort,
}

impl Page {
    fn take(&mut self, row: Row, push: &mut impl FnMut(&Row)) {
        if self.rows == self.most {
            self.is_cut = true;
            return;
        }
        push(&row);
        self.rows += 1;
        // The next page can begin only behind the last row of a full page.
        if self.rows == self.most {
            self.last = Some(Offset { key: key(&row, self.sort), id: row.id });
        }
    }

    fn next(self) -> Option<Offset> {
        self.last.filter(|_| self.is_cut)
    }
}

fn key(row: &Row, sort: Sort) -> i64 {
    match sort {
        Sort::Newest | Sort::Oldest => row.modified,
        Sort::Index => row.sortindex.unwrap_or(NO_INDEX),
    }
}

fn is_behind(row: &Row, offset: &Offset, sort: Sort) -> bool {
    let (row, offset) = ((key(row, sort), row.id.as_str()), (offset.key, offset.id.as_str()));
    if sort == Sort::Oldest { row > offset } else { row < offset }
}

/// Key and id that a listing begins behind: those of the offset, or a place before all rows.
fn begin(query: &Query) -> (i64, &str) {
    match (&query.offset, query.sort) {
        (Some(offset), _) => (offset.key, &offset.id),
        (None, Sort::Oldest) => (0, ""),
        (None, Sort::Newest | Sort::Index) => (i64::MAX, ""),
    }
}

fn row_of((id, sortindex, modified, payload): Columns) -> Row {
    Row { id, sortindex, modified, payload }
}

async fn object(tx: &mut Transaction, user: i64, number: i32, id: &str, now: i64) -> Result<Option<Row>, sqlx::Error> {
    let row: Option<Columns> = on!(tx, |connection| {
        sqlx::query_as(OBJECT).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
    })?;
    Ok(row.map(row_of))
}

async fn row_of_user(tx: &mut Transaction, user: i64) -> Result<(i64, Option<i64>), sqlx::Error> {
    let row = on!(tx, |connection| sqlx::query_as(USER).bind(user).fetch_optional(connection).await)?;
    Ok(row.unwrap_or_default())
}

async fn modified_of_collection(tx: &mut Transaction, user: i64, number: i32) -> Result<Timestamp, sqlx::Error> {
    let modified: Option<i64> =
        on!(tx, |connection| sqlx::query_scalar(COLLECTION).bind(user).bind(number).fetch_optional(connection).await)?;
    Ok(Timestamp(modified.unwrap_or(0)))
}

/// Modified time of an object that has not expired.
pub(super) async fn modified(
    tx: &mut Transaction,
    user: i64,
    number: i32,
    id: &str,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    on!(tx, |connection| {
        sqlx::query_scalar(MODIFIED).bind(user).bind(number).bind(id).bind(now).fetch_optional(connection).await
    })
}

/// Rows and bytes of each collection that have expired and are still there.
pub(super) async fn expired(tx: &mut Transaction, user: i64, now: i64) -> Result<BTreeMap<i32, (i64, i64)>, sqlx::Error> {
    let rows: Vec<(i32, i64, i64)> =
        on!(tx, |connection| sqlx::query_as(EXPIRED).bind(user).bind(now).fetch_all(connection).await)?;
    Ok(rows.into_iter().map(|(number, rows, bytes)| (number, (rows, bytes))).collect())
}

const MODIFIED_OF_USERS: &str = "SELECT user_id, modified FROM users WHERE user_id IN ";

/// Modified time of a store, and of each of its collections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Of the newest write, deletions included.
    pub modified: Timestamp,
    /// By name.
    pub collections: BTreeMap<String, Timestamp>,
}

impl Store {
    /// Times of one user; nothing for an unknown one.
    pub async fn times(&self, user: i64) -> Result<Times, StoreError> {
        let (states, modified, _) = self.info(user, 0, false).await?;
        let collections = states.into_iter().map(|(name, state)| (name, Timestamp(state.modified))).collect();
        Ok(Times { modified, collections })
    }

    /// Times of those of these users that were written after the time given for each of them.
    pub async fn changed(&self, users: &[(i64, Timestamp)]) -> Result<Vec<(i64, Times)>, StoreError> {
        let mut changed = Vec::new();
        for users in users.chunks(1000) {
            let mut transaction = self.snapshot().await?;
            let tx = &mut transaction;
            let columns = vec![super::Column::Own; users.len()];
            let statement = super::with_rows(MODIFIED_OF_USERS, 1, &columns, 1, "");
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
                let mut times = Times { modified, ..Times::default() };
                for (number, written, _, _) in states {
                    times.collections.insert(self.name(tx, number).await?, Timestamp(written));
                }
                changed.push((user, times));
            }
        }
        Ok(changed)
    }
}
