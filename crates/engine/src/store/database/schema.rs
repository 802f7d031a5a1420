//! What a ledger of a version is made of: its tables with their columns, and its indexes word for word. It is not written
//! down twice: a ledger of that version is made in memory, and asked.

use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::store::statement::statements;

statements! {
    // Changing a table may have rewritten its text, and another SQLite would write another one: its columns count.
    SHAPE: Listing =
        "SELECT m.type || ' ' || m.name || ' ' || CASE m.type WHEN 'table' THEN
           (SELECT coalesce(group_concat(c.name, ','), '') FROM pragma_table_xinfo(m.name) c) ELSE coalesce(m.sql, '') END
         FROM sqlite_schema m WHERE m.name NOT LIKE 'sqlite%'";
    TEXTS: Listing =
        "SELECT 'SELECT group_concat(' || group_concat('coalesce(\"' || c.name || '\", '''')', ' || ') || ', '''') FROM \"' || m.name || '\"'
         FROM sqlite_schema m, pragma_table_xinfo(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND c.type = 'TEXT' GROUP BY m.name";
}

/// What a ledger of this version has and this one lacks; none where it lacks nothing. More than that is somebody's own.
pub(in crate::store) async fn what_is_missing(
    ledger: &mut SqliteConnection,
    migrations: &[&str],
    version: i64,
) -> Result<Option<String>, sqlx::Error> {
    let (found, expected) = (shape(ledger).await?, expected(migrations, version).await?);
    let missing = expected.difference(&found).next();
    Ok(missing.map(|part| format!("it lacks {}", part.split(' ').take(2).collect::<Vec<_>>().join(" "))))
}

/// Whether it has what a ledger of this version has, and no more.
pub(in crate::store) async fn is_exactly(
    ledger: &mut SqliteConnection,
    migrations: &[&str],
    version: i64,
) -> Result<bool, sqlx::Error> {
    Ok(shape(ledger).await? == expected(migrations, version).await?)
}

/// Fails where a text is none. SQLite hands out whatever bytes there are, and no check of its own minds; a table is read at
/// once, so this is for ledgers that are not large.
pub(in crate::store) async fn read_texts(ledger: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let statements: Vec<String> = sqlx::query_scalar(TEXTS).fetch_all(&mut *ledger).await?;
    for statement in statements {
        let _: Option<String> = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut *ledger).await?;
    }
    Ok(())
}

async fn expected(migrations: &[&str], version: i64) -> Result<BTreeSet<String>, sqlx::Error> {
    let mut fresh = SqliteConnection::connect("sqlite::memory:").await?;
    for migration in migrations.iter().take(usize::try_from(version).unwrap_or(0)) {
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
