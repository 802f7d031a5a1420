//! Compares a ledger with the schema of a version: tables with their columns, and the text of indexes. The expected
//! schema is read from a ledger of that version, which is created in memory.

use std::collections::BTreeSet;

use ashore_messages::{UserMessage, message};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::store::{database::migrations::split_at_version, statement::statements};

statements! {
    // Compare columns of tables, not their SQL: altering a table may have rewritten its SQL, and another version of
    // SQLite formats the SQL differently.
    SHAPE: Listing =
        "SELECT m.type || ' ' || m.name || ' ' || CASE m.type WHEN 'table' THEN
           (SELECT coalesce(group_concat(c.name, ','), '') FROM pragma_table_xinfo(m.name) c) ELSE coalesce(m.sql, '') END
         FROM sqlite_schema m WHERE m.name NOT LIKE 'sqlite%'";
    TEXTS: Listing =
        "SELECT 'SELECT group_concat(' || group_concat('coalesce(\"' || c.name || '\", '''')', ' || ') || ', '''') FROM \"' || m.name || '\"'
         FROM sqlite_schema m, pragma_table_xinfo(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND c.type = 'TEXT' GROUP BY m.name";
}

/// Returns the first part of the version's schema that the ledger lacks, or `None`. Additional objects are allowed,
/// since the user may have added them.
pub(in crate::store) async fn what_is_missing(
    ledger: &mut SqliteConnection,
    migrations: &[&str],
    version: i64,
) -> Result<Option<UserMessage>, sqlx::Error> {
    let (found, expected) = (shape(ledger).await?, expected(migrations, version).await?);
    let missing = expected.difference(&found).next();
    let name = |part: &String| part.split(' ').take(2).collect::<Vec<_>>().join(" ");
    Ok(missing.map(|part| message!("fault-ledger.lacks", part = name(part))))
}

/// Returns whether the schema is exactly that of the version.
pub(in crate::store) async fn is_exactly(
    ledger: &mut SqliteConnection,
    migrations: &[&str],
    version: i64,
) -> Result<bool, sqlx::Error> {
    Ok(shape(ledger).await? == expected(migrations, version).await?)
}

/// Fails if a text is not valid. SQLite accepts any bytes as text, and its checks do not reject them. Each table is
/// loaded into memory as a whole, so call this only for small ledgers.
pub(in crate::store) async fn read_texts(ledger: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let statements: Vec<String> = sqlx::query_scalar(TEXTS).fetch_all(&mut *ledger).await?;
    for statement in statements {
        let _: Option<String> = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut *ledger).await?;
    }
    Ok(())
}

async fn expected(migrations: &[&str], version: i64) -> Result<BTreeSet<String>, sqlx::Error> {
    let mut fresh = SqliteConnection::connect("sqlite::memory:").await?;
    for migration in split_at_version(migrations, version).0 {
        sqlx::raw_sql(AssertSqlSafe(*migration)).execute(&mut fresh).await?;
    }
    let shape = shape(&mut fresh).await?;
    fresh.close().await?;
    Ok(shape)
}

async fn shape(ledger: &mut SqliteConnection) -> Result<BTreeSet<String>, sqlx::Error> {
    let parts: Vec<String> = sqlx::query_scalar(SHAPE).fetch_all(ledger).await?;
    Ok(parts.into_iter().collect())
}
