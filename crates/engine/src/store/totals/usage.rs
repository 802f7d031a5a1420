//! Usage of the list by owner and category. A transaction that changes counted rows also changes the usage, by the
//! difference.
//!
//! - A completed request counts with its bytes while it is in the ledger. A request that waits or failed counts with
//!   its bytes on disk: [`UsageTally::kept`].
//! - A running request counts with its final size if that size is known, and at least with the bytes received so far:
//!   [`UsageTally::expected`].
//! - A request that has not begun does not count. An aborted request does not count either, since its partial file is
//!   removed.
//! - Removing a download frees its usage when its rows are deleted, even if its files stay, because a quota limits only
//!   the files in the list.

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{FileCategory, UniqueId},
    store::{
        columns::{self, category, category_number, signed, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
        totals::tally::UsageTally,
    },
};

/// Value in `quota` for all owners together; ids of owners begin at 1.
pub(in crate::store) const EVERYBODY: i64 = 0;
/// Value in `quota` for all categories together.
pub(in crate::store) const ALL_KINDS: i64 = -1;

statements! {
    USAGE: Listing = "SELECT owner_id, category, files, kept, running, expected FROM usage ORDER BY owner_id, category";
    OWNERS: Listing = "SELECT owner_id, name FROM owner ORDER BY owner_id";
    QUOTAS: Listing = "SELECT owner_id, category, bytes, files FROM quota ORDER BY owner_id, category";
    ADD_OWNER: Search = "INSERT INTO owner (name) VALUES (?1) ON CONFLICT (name) DO UPDATE SET doomed = 0 WHERE doomed = 1";
    OWNER: Search = "SELECT owner_id FROM owner WHERE name = ?1";
    SET: Search =
        "INSERT INTO quota (owner_id, category, bytes, files) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (owner_id, category) DO UPDATE SET bytes = coalesce(excluded.bytes, bytes),
           files = coalesce(excluded.files, files)";
    LIFT: Search = "DELETE FROM quota WHERE owner_id = ?1 AND category = ?2";
    // The first request in a lane is the one that would start next.
    PENDING_CATEGORIES: Search =
        "SELECT s.category FROM registration r CROSS JOIN lane l INDEXED BY lane_ready ON l.reg_id = r.reg_id
         CROSS JOIN req_state s ON s.reg_id = l.reg_id AND s.idx = l.first_idx
         WHERE r.unique_id = ?1 AND l.n_pending > 0";
}

/// Owners, usage and limits. Together they determine which quotas are full.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuotaUsage {
    pub owners: Vec<(i64, String)>,
    pub usage: Vec<(i64, FileCategory, UsageTally)>,
    pub limits: Vec<QuotaLimit>,
}

/// Limits of a quota, as the user set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaLimit {
    /// Id of the owner; `None` for all owners together.
    pub owner: Option<i64>,
    /// Category of files; `None` for all categories together.
    pub category: Option<FileCategory>,
    pub bytes: Option<u64>,
    pub files: Option<u64>,
}

#[derive(FromRow)]
struct UsageRow {
    owner_id: i64,
    category: i64,
    files: i64,
    kept: i64,
    running: i64,
    expected: i64,
}

impl LedgerStore {
    /// Returns owners, usage and limits, from one snapshot.
    pub async fn books(&self) -> Result<QuotaUsage, EngineError> {
        let mut reader = self.readers().begin().await?;
        let owners = sqlx::query_as(OWNERS).fetch_all(&mut *reader).await?;
        let usage: Vec<UsageRow> = sqlx::query_as(USAGE).fetch_all(&mut *reader).await?;
        let limits: Vec<(i64, i64, Option<i64>, Option<i64>)> = sqlx::query_as(QUOTAS).fetch_all(&mut *reader).await?;
        let usage = usage.into_iter().map(|row| {
            let UsageRow { owner_id, category: kind, files, kept, running, expected } = row;
            (owner_id, category(kind), UsageTally { files, kept, running, expected })
        });
        let limits = limits.into_iter().map(|(owner, kind, bytes, files)| QuotaLimit {
            owner: (owner != EVERYBODY).then_some(owner),
            category: (kind != ALL_KINDS).then(|| category(kind)),
            bytes: bytes.map(unsigned),
            files: files.map(unsigned),
        });
        Ok(QuotaUsage { owners, usage: usage.collect(), limits: limits.collect() })
    }

    /// Returns the categories of the requests that a registration could start.
    pub async fn pending_categories(&self, id: UniqueId) -> Result<Vec<FileCategory>, EngineError> {
        let found: Vec<i64> = sqlx::query_scalar(PENDING_CATEGORIES).bind(columns::key(&id)).fetch_all(self.readers()).await?;
        Ok(found.into_iter().map(category).collect())
    }
}

impl LedgerWriter<'_> {
    /// Returns the owner's id. For an unknown name, adds an owner if `may_be_new`, and returns `None` otherwise.
    pub async fn owner(&mut self, name: &str, may_be_new: bool) -> Result<Option<i64>, EngineError> {
        let connection = self.connection()?;
        if may_be_new {
            sqlx::query(ADD_OWNER).bind(name).execute(&mut *connection).await?;
        }
        Ok(sqlx::query_scalar(OWNER).bind(name).fetch_optional(connection).await?)
    }

    /// Sets the given parts of a quota. Removes the quota if no part is given.
    pub async fn set_quota(&mut self, limit: &QuotaLimit) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let (owner, kind) = (limit.owner.unwrap_or(EVERYBODY), limit.category.map_or(ALL_KINDS, category_number));
        match (limit.bytes, limit.files) {
            (None, None) => sqlx::query(LIFT).bind(owner).bind(kind).execute(connection).await?,
            (bytes, files) => {
                sqlx::query(SET)
                    .bind(owner)
                    .bind(kind)
                    .bind(bytes.map(signed))
                    .bind(files.map(signed))
                    .execute(connection)
                    .await?
            }
        };
        Ok(())
    }
}
