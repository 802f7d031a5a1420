//! Lists collections, each on one snapshot.
//!
//! A long listing reads the collection twice. The first pass reads only the ids, because the number of rows and the
//! next offset are sent in headers. The second pass reads the rows in parts, at the pace of the client. The memory for
//! a listing does not grow with the collection.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::{
    StoreError, SyncStore,
    read::{object, row_of, state},
    statement::statements,
    transaction::{DatabaseTransaction, PATIENCE, on},
};
use crate::protocol::{BsoQuery, SortOrder, Timestamp, offset::ListOffset, render::BsoRow};

/// Sort key of an object without sort index, below every index.
const NO_INDEX: i64 = -1_000_000_000;

macro_rules! listing {
    ($payload:literal, $key:literal, $comparison:literal, $direction:literal) => {
        concat!(
            "SELECT bso_id, sortindex, modified, ",
            $payload,
            " FROM bsos WHERE user_id = $1 AND collection_id = $2 AND modified > 0 \
             AND modified > $3 AND modified < $4 AND (expiry IS NULL OR expiry > $5) AND (",
            $key,
            ", bso_id) ",
            $comparison,
            " ($6, $7) ORDER BY ",
            $key,
            " ",
            $direction,
            ", bso_id ",
            $direction,
            " LIMIT $8"
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
}

/// Maximum size in bytes of a listing that is built in memory.
const LONG: i64 = 1 << 20;

/// Maximum bytes of a row without its payload: id, sort index and time.
const BESIDE_PAYLOAD: i64 = 160;

/// Size in bytes at which a part of a long listing is sent.
///
/// The last row may make the part larger.
const PART: usize = 64 << 10;

/// Snapshot of a collection. The snapshot holds a connection until the snapshot is dropped.
pub struct ListingQuery {
    transaction: DatabaseTransaction,
    user: i64,
    /// Number of the collection; `None` if it does not exist.
    number: Option<i32>,
    now: i64,
    modified: Timestamp,
    rows: i64,
    bytes: i64,
    _permit: Option<OwnedSemaphorePermit>,
}

impl SyncStore {
    /// Takes a snapshot of a collection.
    pub async fn listing(&self, user: i64, collection: &str, now: i64) -> Result<ListingQuery, StoreError> {
        self.listing_with(user, collection, now, None).await
    }

    /// Takes a snapshot for a long listing.
    ///
    /// Fails with `Busy` if other long listings take too long.
    pub async fn long_listing(&self, user: i64, collection: &str, now: i64) -> Result<ListingQuery, StoreError> {
        let permit = tokio::time::timeout(PATIENCE, std::sync::Arc::clone(&self.long_listings).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(StoreError::Busy)?;
        self.listing_with(user, collection, now, Some(permit)).await
    }

    async fn listing_with(
        &self,
        user: i64,
        collection: &str,
        now: i64,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<ListingQuery, StoreError> {
        let mut transaction = self.snapshot().await?;
        let number = self.names.number(&mut transaction, collection).await?;
        let state = match number {
            Some(number) => state(&mut transaction, user, number).await?,
            None => None,
        };
        let (modified, rows, bytes) = state.unwrap_or_default();
        Ok(ListingQuery { transaction, user, number, now, modified, rows, bytes, _permit: permit })
    }
}

impl ListingQuery {
    /// Returns the time of the last change; 0 if the collection does not exist.
    pub fn modified(&self) -> Timestamp {
        self.modified
    }

    /// Whether the response to `query` may be too long to be built in memory.
    pub fn is_long(&self, query: &BsoQuery) -> bool {
        let payloads = if query.is_full { self.bytes } else { 0 };
        query.ids.is_none() && payloads + self.rows * BESIDE_PAYLOAD > LONG
    }

    /// Passes the rows of one page to `push`.
    ///
    /// Returns the offset of the next page; `None` if this page is the last.
    pub async fn read(
        &mut self,
        query: &BsoQuery,
        mut push: impl FnMut(&BsoRow) + Send,
    ) -> Result<Option<ListOffset>, StoreError> {
        self.page(query, query.is_full, &mut Taker::Push(&mut push)).await
    }

    /// Returns the number of rows of a page, and the offset of the next page.
    pub async fn measure(&mut self, query: &BsoQuery) -> Result<(usize, Option<ListOffset>), StoreError> {
        let mut rows = 0;
        let next = self.page(query, false, &mut Taker::Push(&mut |_| rows += 1)).await?;
        Ok((rows, next))
    }

    /// Sends the rows of one page in parts.
    ///
    /// Fails with `Busy` if the receiver is closed, or does not accept a part within `time`.
    pub async fn send(mut self, query: &BsoQuery, parts: mpsc::Sender<Vec<BsoRow>>, time: Duration) -> Result<(), StoreError> {
        let mut taker = Taker::Send { parts, part: Vec::new(), bytes: 0, time };
        self.page(query, query.is_full, &mut taker).await?;
        taker.flush().await
    }

    async fn page(&mut self, query: &BsoQuery, is_full: bool, taker: &mut Taker<'_>) -> Result<Option<ListOffset>, StoreError> {
        let Some(number) = self.number else { return Ok(None) };
        let most = query.limit.map_or(i64::MAX, i64::from);
        let mut page = ListPage { most, rows: 0, last: None, is_cut: false, sort: query.sort };
        if let Some(ids) = &query.ids {
            for row in self.chosen(number, ids, query).await? {
                if page.has_room_for(&row) {
                    taker.take(row).await?;
                }
            }
            return Ok(page.next());
        }
        let statement = match (query.sort, is_full) {
            (SortOrder::Newest, true) => NEWEST,
            (SortOrder::Oldest, true) => OLDEST,
            (SortOrder::Index, true) => BY_INDEX,
            (SortOrder::Newest, false) => NEWEST_IDS,
            (SortOrder::Oldest, false) => OLDEST_IDS,
            (SortOrder::Index, false) => IDS_BY_INDEX,
        };
        let (key, id) = begin(query);
        let (newer, older) = (query.newer.unwrap_or(0), query.older.unwrap_or(i64::MAX));
        on!(&mut self.transaction, |connection| {
            let query = sqlx::query_as(statement).bind(self.user).bind(number).bind(newer).bind(older).bind(self.now);
            let query = query.bind(key).bind(id).bind(most.saturating_add(1));
            let mut rows = query.fetch(connection);
            while let Some(row) = rows.try_next().await? {
                let row = row_of(row);
                if page.has_room_for(&row) {
                    taker.take(row).await?;
                }
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(page.next())
    }

    /// Returns the objects with these ids that match the other filters of the query.
    ///
    /// The objects are in the order of the query. Each id is looked up separately.
    async fn chosen(&mut self, number: i32, ids: &[String], query: &BsoQuery) -> Result<Vec<BsoRow>, sqlx::Error> {
        let mut rows = Vec::new();
        for id in ids.iter().collect::<std::collections::BTreeSet<_>>() {
            let Some(mut row) = object(&mut self.transaction, self.user, number, id, self.now).await? else { continue };
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
            if query.sort == SortOrder::Oldest { a.cmp(&b) } else { b.cmp(&a) }
        });
        Ok(rows)
    }
}

/// Receiver of the rows of a page.
enum Taker<'a> {
    Push(&'a mut (dyn FnMut(&BsoRow) + Send)),
    Send { parts: mpsc::Sender<Vec<BsoRow>>, part: Vec<BsoRow>, bytes: usize, time: Duration },
}

impl Taker<'_> {
    async fn take(&mut self, row: BsoRow) -> Result<(), StoreError> {
        match self {
            Self::Push(push) => push(&row),
            Self::Send { part, bytes, .. } => {
                *bytes += row.id.len() + row.payload.as_ref().map_or(0, String::len);
                part.push(row);
                if *bytes >= PART {
                    return self.flush().await;
                }
            }
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        let Self::Send { parts, part, bytes, time } = self else { return Ok(()) };
        *bytes = 0;
        let sent = tokio::time::timeout(*time, parts.send(std::mem::take(part))).await;
        sent.ok().and_then(Result::ok).ok_or(StoreError::Busy)
    }
}

/// Counts the rows of a page, so that the page ends at its maximum number of rows.
struct ListPage {
    most: i64,
    rows: i64,
    last: Option<ListOffset>,
    is_cut: bool,
    sort: SortOrder,
}

impl ListPage {
    /// Counts a row; returns `false` if the row exceeds the limit.
    fn has_room_for(&mut self, row: &BsoRow) -> bool {
        if self.rows == self.most {
            self.is_cut = true;
            return false;
        }
        self.rows += 1;
        // If the page is full after this row, the next page starts after this row.
        if self.rows == self.most {
            self.last = Some(ListOffset { key: key(row, self.sort), id: row.id.clone() });
        }
        true
    }

    fn next(self) -> Option<ListOffset> {
        self.last.filter(|_| self.is_cut)
    }
}

fn key(row: &BsoRow, sort: SortOrder) -> i64 {
    match sort {
        SortOrder::Newest | SortOrder::Oldest => row.modified,
        SortOrder::Index => row.sortindex.unwrap_or(NO_INDEX),
    }
}

fn is_behind(row: &BsoRow, offset: &ListOffset, sort: SortOrder) -> bool {
    let (row, offset) = ((key(row, sort), row.id.as_str()), (offset.key, offset.id.as_str()));
    if sort == SortOrder::Oldest { row > offset } else { row < offset }
}

/// Returns the sort key and the id after which a listing starts.
///
/// Without an offset, the listing starts before all rows.
fn begin(query: &BsoQuery) -> (i64, &str) {
    match (&query.offset, query.sort) {
        (Some(offset), _) => (offset.key, &offset.id),
        (None, SortOrder::Oldest) => (0, ""),
        (None, SortOrder::Newest | SortOrder::Index) => (i64::MAX, ""),
    }
}
