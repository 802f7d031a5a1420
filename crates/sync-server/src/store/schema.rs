//! Creates, checks and migrates the schema.

use sqlx::AssertSqlSafe;

use super::{
    OpenError,
    statement::statements,
    transaction::{DatabaseTransaction, on},
};

/// Version that the first migration creates. Unreleased test versions of the server created lower versions.
const FIRST_VERSION: i64 = 2;

/// Migrations in order: the schema of [`FIRST_VERSION`], then every later change.
///
/// Each migration after the first adds one to the version.
const MIGRATIONS: &[&str] = &[include_str!("../../migrations/2026-11-28-storage.sql")];

/// Schema version that this program reads and writes.
pub const VERSION: i64 = FIRST_VERSION - 1 + MIGRATIONS.len() as i64;

statements! {
    FOUND = "SELECT CAST(MAX(version) AS BIGINT) FROM ashore_sync_schema";
    RECORD = "INSERT INTO ashore_sync_schema (version, applied) VALUES ($1, $2)";
}

/// Statement that counts all tables, and separately counts the version table (0 or 1).
///
/// A single statement is necessary, because another node may create the schema between two statements.
const TABLES_SQLITE: &str = "SELECT CAST(count(*) AS BIGINT), \
     CAST(count(*) FILTER (WHERE name = 'ashore_sync_schema') AS BIGINT) FROM sqlite_schema";
const TABLES_POSTGRES: &str = "SELECT CAST(count(*) AS BIGINT), \
     CAST(count(*) FILTER (WHERE tablename = 'ashore_sync_schema') AS BIGINT) FROM pg_catalog.pg_tables \
     WHERE schemaname = current_schema()";
const MAKE: &str = "CREATE TABLE ashore_sync_schema (version BIGINT NOT NULL PRIMARY KEY, applied BIGINT NOT NULL)";

/// Returns the version of the existing schema; 0 for an empty database.
///
/// Fails with `Foreign` for a database of another program, with `Newer` for a database of a newer program, and with `Older`
/// for a database of a test version.
pub(super) async fn found(transaction: &mut DatabaseTransaction) -> Result<i64, OpenError> {
    let tables = transaction.locking(TABLES_SQLITE, TABLES_POSTGRES);
    let (all, own): (i64, i64) = on!(&mut *transaction, |connection| sqlx::query_as(tables).fetch_one(connection).await)?;
    if own == 0 {
        return if all == 0 { Ok(0) } else { Err(OpenError::Foreign) };
    }
    let found: Option<i64> = on!(&mut *transaction, |connection| sqlx::query_scalar(FOUND).fetch_one(connection).await)?;
    match found.unwrap_or(0) {
        found if found > VERSION => Err(OpenError::Newer { found, known: VERSION }),
        found if (1..FIRST_VERSION).contains(&found) => Err(OpenError::Older { found, oldest: FIRST_VERSION }),
        found => Ok(found),
    }
}

/// Migrates the database to this program's version within `transaction`.
pub(super) async fn migrate(transaction: &mut DatabaseTransaction, now: i64) -> Result<(), OpenError> {
    let found = found(transaction).await?;
    if found == 0 {
        on!(&mut *transaction, |connection| sqlx::raw_sql(MAKE).execute(connection).await.map(|_| ()))?;
    }
    let bytewise = transaction.locking("", " COLLATE \"C\"");
    for (version, migration) in (FIRST_VERSION..).zip(MIGRATIONS).filter(|(version, _)| *version > found) {
        let text = migration.replace("{bytewise}", bytewise);
        // The text is safe: it is a file of this program, into which a constant was inserted.
        on!(&mut *transaction, |connection| sqlx::raw_sql(AssertSqlSafe(text)).execute(connection).await.map(|_| ()))?;
        on!(&mut *transaction, |connection| {
            sqlx::query(RECORD).bind(version).bind(now).execute(connection).await.map(|_| ())
        })?;
    }
    Ok(())
}
