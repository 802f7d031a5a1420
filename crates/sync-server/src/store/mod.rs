//! Every SQL statement of the server, on SQLite and on PostgreSQL.
//!
//! - A write is one transaction that begins by locking the row of its user: writes of one user wait for each other.
//! - A read is one transaction on a snapshot, and waits for no write.
//! - Statements of a request name one `user_id`. No statement needs statistics of the database to be fast.

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

/// The database, open and of this program's version.
#[derive(Debug)]
pub struct SyncStore {
    pools: Pools,
    names: RwLock<CollectionNames>,
    limits: ProtocolLimits,
    gates: WriteGates,
    /// Permits for listings that hold a connection as long as their client reads.
    long_listings: Arc<Semaphore>,
    dice: RetryJitter,
}

#[derive(Debug)]
enum Pools {
    Sqlite {
        /// Pool of one connection: SQLite has one writer, and waiting writes queue here in order.
        writer: SqlitePool,
        readers: SqlitePool,
        /// Held as long as the store is open. None: beside a server.
        _lock: Option<File>,
    },
    Postgres {
        pool: PgPool,
        /// Prepared statements have names; false behind a pooler in transaction mode.
        has_names: bool,
    },
}

/// A transaction of either database. Dropping it takes back what it wrote.
pub(crate) enum DatabaseTransaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    /// Also says whether prepared statements have names.
    Postgres(sqlx::Transaction<'static, Postgres>, bool),
}

/// Runs one expression on the connection of either database. Both arms are the same text with other types.
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

/// Longest wait of a write for the lock of its user.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";
const SNAPSHOT_SQLITE: &str = "BEGIN";
/// Two statements in one message. The timeout is set per transaction, so that it holds behind a pooler as well.
const BEGIN_POSTGRES: &str = "BEGIN; SET LOCAL lock_timeout = '10s'";
const SNAPSHOT_POSTGRES: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Begins a transaction of SQLite.
///
/// SQLite rolls back by itself after some errors of the disk. The rollback of sqlx then fails, and sqlx begins no other transaction on
/// that connection. Idle connections are closed until it does: the pool opens new ones.
async fn begin_on(pool: &SqlitePool, statement: &'static str) -> Result<sqlx::Transaction<'static, Sqlite>, sqlx::Error> {
    loop {
        match pool.begin_with(statement).await {
            Err(sqlx::Error::InvalidSavePointStatement) => pool.acquire().await?.close().await?,
            begun => return begun,
        }
    }
}

impl SyncStore {
    /// Limits that the store was opened with.
    pub fn limits(&self) -> &ProtocolLimits {
        &self.limits
    }

    /// Replaces the random numbers that waits before another attempt depend on.
    #[must_use]
    pub fn with_dice(self, dice: RetryJitter) -> Self {
        Self { dice, ..self }
    }

    /// A transaction that writes.
    async fn begin(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        Ok(match &self.pools {
            Pools::Sqlite { writer, .. } => DatabaseTransaction::Sqlite(begin_on(writer, BEGIN_SQLITE).await?),
            Pools::Postgres { pool, has_names } => {
                DatabaseTransaction::Postgres(pool.begin_with(BEGIN_POSTGRES).await?, *has_names)
            }
        })
    }

    /// A transaction that reads what was committed when it first reads.
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

    /// `SQLite` or `PostgreSQL`.
    pub fn kind(&self) -> &'static str {
        match self.pools {
            Pools::Sqlite { .. } => "SQLite",
            Pools::Postgres { .. } => "PostgreSQL",
        }
    }

    /// Ends all connections once what they do is done.
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

    /// SQLite has one writer and locks nothing by row.
    fn locking(&self, for_sqlite: &'static str, for_postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => for_sqlite,
            Self::Postgres(..) => for_postgres,
        }
    }
}

/// `head` followed by `rows` groups of placeholders, each beginning after `first`; then `tail`.
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
    // The text consists of constants and numbers alone.
    AssertSqlSafe(text)
}

/// A placeholder in a group.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// A placeholder that all groups share.
    Shared(usize),
    /// A placeholder of each group.
    Own,
}
