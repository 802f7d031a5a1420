//! Tests databases that the program must not touch: those of another version, and those of another program.

use std::fs;

use sqlx::{
    ConnectOptions as _,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

use crate::programs::answer;

#[tokio::test]
async fn database_of_newer_program_is_refused_and_left_unchanged() {
    refuses_version(99, "newer").await;
}

#[tokio::test]
async fn database_of_test_version_is_refused_and_left_unchanged() {
    refuses_version(1, "older").await;
}

/// Checks that every subcommand refuses a database of `version` with `code`, and changes no byte of the database.
async fn refuses_version(version: i64, code: &str) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(answer(folder.path(), &["doctor"], 0)["database"], "SQLite");
    let file = folder.path().join("data/storage.db");
    let mut connection = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
    sqlx::query("UPDATE ashore_sync_schema SET version = ?").bind(version).execute(&mut connection).await.unwrap();
    sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = fs::read(&file).unwrap();
    for verb in [&["serve", "--listen", "127.0.0.1:0"][..], &["doctor"], &["users"]] {
        let refused = answer(folder.path(), verb, 3);
        assert_eq!(refused["error"]["code"], code);
        assert!(refused["error"]["text"].as_str().unwrap().contains(&format!("version {version}")), "{refused}");
    }
    assert_eq!(fs::read(&file).unwrap(), before, "not a byte was changed");
}

#[tokio::test]
async fn database_of_other_program_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    let file = folder.path().join("data/storage.db");
    let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
    let mut connection = options.journal_mode(SqliteJournalMode::Delete).connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE recipes (name TEXT)").execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let before = fs::read(&file).unwrap();
    for verb in [&["serve", "--listen", "127.0.0.1:0"][..], &["doctor"], &["users"], &["invite", "--address", "http://a"]] {
        assert_eq!(answer(folder.path(), verb, 3)["error"]["code"], "foreign");
        assert_eq!(fs::read(&file).unwrap(), before, "{verb:?} changed a byte");
    }
    fs::write(&file, b"this is no database, and is longer than the header of one would be: one hundred bytes, all of them text")
        .unwrap();
    let before = fs::read(&file).unwrap();
    assert_eq!(answer(folder.path(), &["serve", "--listen", "127.0.0.1:0"], 3)["error"]["code"], "database");
    assert_eq!(fs::read(&file).unwrap(), before);
    for name in ["storage.db-wal", "storage.db-shm", "storage.db-journal"] {
        assert!(!folder.path().join("data").join(name).exists(), "{name} was made");
    }
}
