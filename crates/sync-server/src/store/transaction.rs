//! Begins and commits transactions on SQLite and PostgreSQL.

use std::{fs::File, time::Duration};

use sqlx::{PgPool, Postgres, Sqlite, SqlitePool};

/// Connections to the database, which is SQLite or PostgreSQL.
#[derive(Debug)]
pub(super) enum Pools {
    Sqlite {
        /// Pool with a single connection, because SQLite allows only one writer.
        ///
        /// Waiting writes queue here in order.
        writer: SqlitePool,
        readers: SqlitePool,
        /// Lock on the folder while the store is open. `None` if the store was opened regardless of the lock of another
        /// program.
        _lock: Option<File>,
    },
    Postgres {
        pool: PgPool,
        /// Whether prepared statements have names; `false` behind a pooler in transaction mode.
        has_names: bool,
    },
}

/// Transaction on SQLite or PostgreSQL. The transaction is rolled back when this value is dropped.
pub(crate) enum DatabaseTransaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    /// PostgreSQL transaction, and whether its prepared statements have names.
    Postgres(sqlx::Transaction<'static, Postgres>, bool),
}

/// Runs an expression on a connection to SQLite or PostgreSQL.
///
/// The expression is compiled once for each database, because the connections have different types.
macro_rules! on {
    ($transaction:expr, |$connection:ident| $body:expr) => {
        match $transaction {
            $crate::store::transaction::DatabaseTransaction::Sqlite(transaction) => {
                let $connection = &mut **transaction;
                $body
            }
            $crate::store::transaction::DatabaseTransaction::Postgres(transaction, has_names) => {
                let $connection =
                    &mut $crate::store::pooler::PreparedNames { connection: &mut **transaction, has_names: *has_names };
                $body
            }
        }
    };
}
pub(super) use on;

/// Maximum time that a write waits for the lock of its user.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";
const SNAPSHOT_SQLITE: &str = "BEGIN";
/// Begins a transaction and sets its lock timeout, in a single message.
///
/// The timeout is set per transaction, so that it also applies behind a pooler.
const BEGIN_POSTGRES: &str = "BEGIN; SET LOCAL lock_timeout = '10s'";
const SNAPSHOT_POSTGRES: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Begins a transaction of SQLite.
///
/// SQLite rolls back automatically after some disk errors. The rollback by sqlx then fails, and sqlx cannot begin
/// another transaction on that connection. This function therefore closes such a connection, and the pool opens another
/// one, until a transaction begins.
async fn begin_on(pool: &SqlitePool, statement: &'static str) -> Result<sqlx::Transaction<'static, Sqlite>, sqlx::Error> {
    loop {
        match pool.begin_with(statement).await {
            Err(sqlx::Error::InvalidSavePointStatement) => pool.acquire().await?.close().await?,
            begun => return begun,
        }
    }
}

impl Pools {
    /// Begins a write transaction.
    pub(super) async fn begin(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        Ok(match self {
            Self::Sqlite { writer, .. } => DatabaseTransaction::Sqlite(begin_on(writer, BEGIN_SQLITE).await?),
            Self::Postgres { pool, has_names } => {
                DatabaseTransaction::Postgres(pool.begin_with(BEGIN_POSTGRES).await?, *has_names)
            }
        })
    }

    /// Begins a read-only transaction. It sees the state that was committed at its first read.
    pub(super) async fn snapshot(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        Ok(match self {
            Self::Sqlite { readers, .. } => DatabaseTransaction::Sqlite(begin_on(readers, SNAPSHOT_SQLITE).await?),
            Self::Postgres { pool, has_names } => {
                DatabaseTransaction::Postgres(pool.begin_with(SNAPSHOT_POSTGRES).await?, *has_names)
            }
        })
    }

    /// Returns `SQLite` or `PostgreSQL`.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }

    /// Closes each connection as soon as its work is done.
    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres { pool, .. } => pool.close().await,
        }
    }
}

impl DatabaseTransaction {
    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction, _) => transaction.commit().await,
        }
    }

    /// Chooses the statement for the database in use.
    ///
    /// Only PostgreSQL has row locks; SQLite has a single writer.
    pub(super) fn locking(&self, for_sqlite: &'static str, for_postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => for_sqlite,
            Self::Postgres(..) => for_postgres,
        }
    }
}
