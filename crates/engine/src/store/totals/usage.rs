//! How much of the list is whose, and of what kind: kept by delta, in the transaction that changes the rows it counts.
//!
//! A request that is complete counts with its bytes as long as it is in the ledger, and so does what waits with bytes on
//! disk, or failed with some: all of that is [`Usage::kept`]. One that runs counts with what it will be, as far as that is
//! known, or with what there is already: [`Usage::expected`]. One that has not begun counts for nothing, and neither does
//! one that was aborted: its partial goes. Removing a download frees what it counted for when its rows go, whether its
//! files stay or not: a quota is about what Ashore keeps in its list.

use std::collections::BTreeMap;

use serde::Serialize;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    Error,
    model::{Category, UniqueId},
    store::{
        columns::{category, category_number, json, signed, unsigned},
        ledger::{Store, Writing},
        requests::state::{ABORTED, ACTIVE, COMPLETED, Fact},
        statement::statements,
    },
};

/// Everybody, in `quota`; ids of owners begin at 1.
pub(in crate::store) const EVERYBODY: i64 = 0;
/// All kinds, in `quota`.
pub(in crate::store) const ALL_KINDS: i64 = -1;

statements! {
    // One row after the other, so that several of one owner and kind add up.
    ADD: Search =
        "INSERT INTO usage (owner_id, category, files, kept, running, expected)
         SELECT r.owner_id, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5
         FROM json_each(?1) j CROSS JOIN registration r ON r.reg_id = j.value ->> 0 WHERE true
         ON CONFLICT (owner_id, category) DO UPDATE SET files = files + excluded.files, kept = kept + excluded.kept,
           running = running + excluded.running, expected = expected + excluded.expected";
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
    // The lane's first is what would start.
    PENDING_CATEGORIES: Search =
        "SELECT s.category FROM registration r CROSS JOIN lane l INDEXED BY lane_ready ON l.reg_id = r.reg_id
         CROSS JOIN req_state s ON s.reg_id = l.reg_id AND s.idx = l.first_idx
         WHERE r.unique_id = ?1 AND l.n_pending > 0";
}

/// How much there is of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// That do not run, and have bytes...
    pub files: i64,
    /// ...which are so many.
    pub kept: i64,
    /// That run...
    pub running: i64,
    /// ...and will have so many bytes.
    pub expected: i64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.kept += other.kept;
        self.running += other.running;
        self.expected += other.expected;
    }
}

impl std::ops::Neg for Usage {
    type Output = Self;

    fn neg(self) -> Self {
        Self { files: -self.files, kept: -self.kept, running: -self.running, expected: -self.expected }
    }
}

impl Usage {
    /// What a request adds.
    pub(in crate::store) fn of(fact: &Fact) -> Self {
        match fact.state {
            ACTIVE => Self { running: 1, expected: fact.kept.max(fact.size.unwrap_or(0)), ..Self::default() },
            ABORTED => Self::default(),
            state => Self { files: i64::from(state == COMPLETED || fact.kept > 0), kept: fact.kept, ..Self::default() },
        }
    }
}

/// What a transaction has changed by now, by registration and kind.
#[derive(Debug, Default)]
pub(crate) struct Usages(BTreeMap<(i64, i64), Usage>);

impl Usages {
    pub fn change(&mut self, reg_id: i64, category: i64, by: Usage) {
        if by != Usage::default() {
            *self.0.entry((reg_id, category)).or_default() += by;
        }
    }

    /// A request is not what it was.
    pub fn shift(&mut self, old: &Fact, new: &Fact) {
        let (before, after) = (Usage::of(old), Usage::of(new));
        if (before, old.category) != (after, new.category) {
            self.change(old.reg_id, old.category, -before);
            self.change(new.reg_id, new.category, after);
        }
    }

    /// Before the commit, and before the registrations themselves go: they know their owner.
    pub async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Row(i64, i64, i64, i64, i64, i64);
        let changed = std::mem::take(&mut self.0).into_iter().filter(|(_, by)| *by != Usage::default());
        let row =
            |((reg_id, category), by): ((i64, i64), Usage)| Row(reg_id, category, by.files, by.kept, by.running, by.expected);
        let rows: Vec<Row> = changed.map(row).collect();
        if !rows.is_empty() {
            sqlx::query(ADD).bind(json(&rows)?).execute(connection).await?;
        }
        Ok(())
    }
}

/// Everything that quotas are decided by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Books {
    pub owners: Vec<(i64, String)>,
    pub usage: Vec<(i64, Category, Usage)>,
    pub limits: Vec<Limit>,
}

/// A quota as it was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// None: everybody.
    pub owner: Option<i64>,
    /// None: all kinds.
    pub category: Option<Category>,
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

impl Store {
    /// All of it, as one moment has it.
    pub async fn books(&self) -> Result<Books, Error> {
        let mut reader = self.readers().begin().await?;
        let owners = sqlx::query_as(OWNERS).fetch_all(&mut *reader).await?;
        let usage: Vec<UsageRow> = sqlx::query_as(USAGE).fetch_all(&mut *reader).await?;
        let limits: Vec<(i64, i64, Option<i64>, Option<i64>)> = sqlx::query_as(QUOTAS).fetch_all(&mut *reader).await?;
        let usage = usage.into_iter().map(|row| {
            let UsageRow { owner_id, category: kind, files, kept, running, expected } = row;
            (owner_id, category(kind), Usage { files, kept, running, expected })
        });
        let limits = limits.into_iter().map(|(owner, kind, bytes, files)| Limit {
            owner: (owner != EVERYBODY).then_some(owner),
            category: (kind != ALL_KINDS).then(|| category(kind)),
            bytes: bytes.map(unsigned),
            files: files.map(unsigned),
        });
        Ok(Books { owners, usage: usage.collect(), limits: limits.collect() })
    }

    /// The kinds of what a registration could start.
    pub async fn pending_categories(&self, id: UniqueId) -> Result<Vec<Category>, Error> {
        let found: Vec<i64> =
            sqlx::query_scalar(PENDING_CATEGORIES).bind(crate::store::columns::key(&id)).fetch_all(self.readers()).await?;
        Ok(found.into_iter().map(category).collect())
    }
}

impl Writing<'_> {
    /// The owner's id; none where nobody of that name has asked for anything, unless there `may` be one from now on.
    pub async fn owner(&mut self, name: &str, may_be_new: bool) -> Result<Option<i64>, Error> {
        let connection = self.connection()?;
        if may_be_new {
            sqlx::query(ADD_OWNER).bind(name).execute(&mut *connection).await?;
        }
        Ok(sqlx::query_scalar(OWNER).bind(name).fetch_optional(connection).await?)
    }

    /// Sets what is given of a limit; with neither, there is none any more.
    pub async fn set_quota(&mut self, limit: &Limit) -> Result<(), Error> {
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
