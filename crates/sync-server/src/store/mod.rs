//! Contains every SQL statement of the server, for SQLite and PostgreSQL.
//!
//! - A write is one transaction that begins by locking the row of its user, so that writes of one user wait for each
//!   other.
//! - A read is one transaction on a snapshot, and does not wait for writes.
//! - Statements of a request name a single `user_id`. All statements are fast without statistics of the database.

mod accounts;
mod batch;
mod collections;
mod copy;
mod counted;
mod error;
mod gate;
mod listing;
mod open;
mod pooler;
mod purge;
mod read;
mod retry;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::{
    fs::File,
    sync::{Arc, RwLock},
};

use sqlx::{AssertSqlSafe, PgPool, Postgres, Sqlite, SqlitePool};
use tokio::sync::Semaphore;

pub use self::{
    accounts::{DeviceRow, EnrolledDevice, InviteRow, UserRow},
    copy::{CopiedRows, CopyError},
    counted::CollectionMismatch,
    error::StoreError,
    listing::ListingQuery,
    open::{DatabasePool, OpenError},
    purge::PurgeReport,
    read::{CollectionState, CollectionTimes},
    retry::RetryJitter,
    schema::VERSION,
    write::{BsoWrite, WriteAction, WriteReceipt},
};
use self::{collections::CollectionNames, gate::WriteGates};
use crate::protocol::ProtocolLimits;

/// Open database with the schema version of this program.
#[derive(Debug)]
pub struct SyncStore {
    pools: Pools,
    names: RwLock<CollectionNames>,
    limits: ProtocolLimits,
    gates: WriteGates,
    /// Permits for listings that hold a connection while their client reads.
    long_listings: Arc<Semaphore>,
    dice: RetryJitter,
}

#[derive(Debug)]
enum Pools {
    Sqlite {
        /// Pool of one connection: SQLite has a single writer, and waiting writes queue here in order.
        writer: SqlitePool,
        readers: SqlitePool,
        /// Lock on the folder while the store is open; `None` beside a running server.
        _lock: Option<File>,
    },
    Postgres {
        pool: PgPool,
        /// Whether prepared statements have names; `false` behind a pooler in transaction mode.
        has_names: bool,
    },
}

/// Transaction of either database. Dropping it rolls it back.
pub(crate) enum DatabaseTransaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    /// The flag states whether prepared statements have names.
    Postgres(sqlx::Transaction<'static, Postgres>, bool),
}

/// Runs one expression on the connection of either database.
///
/// Both arms have the same text with different types.
macro_rules! on {
    ($transaction:expr, |$connection:ident| $body:expr) => {
        match $transaction {
            $crate::store::DatabaseTransaction::Sqlite(transaction) => {
                let $connection = &mut **transaction;
                $body
            }
            $crate::store::DatabaseTransaction::Postgres(transaction, has_names) => {
                let $connection =
                    &mut $crate::store::pooler::PreparedNames { connection: &mut **transaction, has_names: *has_names };
                $body
            }
        }
    };
}
use on;

/// Names statements, and lists them for the tests of their plans.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$meta])* pub(super) const $name: &str = $text;)*
        #[cfg(test)]
        #[allow(dead_code, clippy::allow_attributes, reason = "some files have statements for people alone")]
        pub(super) const STATEMENTS: &[(&str, &str)] = &[$((stringify!($name), $name)),*];
    };
}
use statements;

/// Maximum wait of a write for the lock of its user.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";
const SNAPSHOT_SQLITE: &str = "BEGIN";
/// Two statements in one message.
///
/// The timeout is set per transaction, so that it also applies behind a pooler.
const BEGIN_POSTGRES: &str = "BEGIN; SET LOCAL lock_timeout = '10s'";
const SNAPSHOT_POSTGRES: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Begins a transaction of SQLite.
///
/// SQLite rolls back automatically after some disk errors. The rollback of sqlx then fails, and sqlx begins no further
/// transaction on that connection. Such idle connections are closed until a transaction begins; the pool opens new
/// ones.
async fn begin_on(pool: &SqlitePool, statement: &'static str) -> Result<sqlx::Transaction<'static, Sqlite>, sqlx::Error> {
    loop {
        match pool.begin_with(statement).await {
            Err(sqlx::Error::InvalidSavePointStatement) => pool.acquire().await?.close().await?,
            begun => return begun,
        }
    }
}

impl SyncStore {
    /// Returns the limits with which the store was opened.
    pub fn limits(&self) -> &ProtocolLimits {
        &self.limits
    }

    /// Replaces the random numbers that determine the waits before retries.
    #[must_use]
    pub fn with_dice(self, dice: RetryJitter) -> Self {
        Self { dice, ..self }
    }

    /// Begins a transaction that writes.
    async fn begin(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        Ok(match &self.pools {
            Pools::Sqlite { writer, .. } => DatabaseTransaction::Sqlite(begin_on(writer, BEGIN_SQLITE).await?),
            Pools::Postgres { pool, has_names } => {
                DatabaseTransaction::Postgres(pool.begin_with(BEGIN_POSTGRES).await?, *has_names)
            }
        })
    }

    /// Begins a transaction that reads the state committed at its first read.
    async fn snapshot(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => DatabaseTransaction::Sqlite(begin_on(readers, SNAPSHOT_SQLITE).await?),
            Pools::Postgres { pool, has_names } => {
                DatabaseTransaction::Postgres(pool.begin_with(SNAPSHOT_POSTGRES).await?, *has_names)
            }
        })
    }

    /// Whether the database answers.
    pub async fn is_alive(&self) -> bool {
        let ask = async {
            let mut transaction = self.snapshot().await?;
            on!(&mut transaction, |connection| sqlx::query("SELECT 1").execute(connection).await.map(|_| ()))?;
            transaction.commit().await
        };
        matches!(tokio::time::timeout(std::time::Duration::from_secs(2), ask).await, Ok(Ok(())))
    }

    /// Returns `SQLite` or `PostgreSQL`.
    pub fn kind(&self) -> &'static str {
        match self.pools {
            Pools::Sqlite { .. } => "SQLite",
            Pools::Postgres { .. } => "PostgreSQL",
        }
    }

    /// Closes all connections once their work is done.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
    }
}

impl DatabaseTransaction {
    async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction, _) => transaction.commit().await,
        }
    }

    /// Chooses a statement by database: SQLite has a single writer and no row locks.
    fn locking(&self, for_sqlite: &'static str, for_postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => for_sqlite,
            Self::Postgres(..) => for_postgres,
        }
    }
}

/// Builds a statement from `head`, `rows` groups of placeholders, and `tail`.
///
/// The own placeholders of the groups are numbered from `first`.
fn with_rows(head: &str, first: usize, columns: &[Column], rows: usize, tail: &str) -> AssertSqlSafe<String> {
    let mut text = String::with_capacity(head.len() + tail.len() + rows * columns.len() * 6);
    text.push_str(head);
    let mut next = first;
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            match column {
                Column::Shared(number) => text.push_str(&format!("${number}")),
                Column::Own => {
                    text.push_str(&format!("${next}"));
                    next += 1;
                }
            }
        }
        text.push(')');
    }
    text.push_str(tail);
    // The text consists of constants and numbers only.
    AssertSqlSafe(text)
}

/// Placeholder in a group.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// Placeholder shared by all groups.
    Shared(usize),
    /// Separate placeholder in each group.
    Own,
}
