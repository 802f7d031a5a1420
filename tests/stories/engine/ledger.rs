//! A ledger that cannot be used is said to be so plainly, and not a byte of it is touched.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
};

use ashore_engine::{Engine, Error, Options, Overrides};
use ashore_tests::{
    home::{Home, env},
    origin::{Body, Origin},
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

/// A closed home whose ledger has something in it.
async fn used() -> Home {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    home.close().await;
    home
}

/// Does not open, for this reason, and leaves every file as it is.
async fn assert_not_opened(home: &mut Home, code: &str) -> Error {
    let before = home.ledger_files();
    let error = home.try_open().await.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(home.data().to_str().unwrap()), "it says which: {error}");
    let after = home.ledger_files();
    assert_eq!(names(&after), names(&before));
    assert!(after == before, "the bytes are as they were");
    error
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&String> {
    files.keys().collect()
}

#[tokio::test]
async fn one_of_a_newer_version_is_refused_untouched() {
    let mut home = used().await;
    let path = home.data().join("ledger.sqlite");
    // A newer one has something that this one does not know.
    let mut newer = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE mirror (a INTEGER) STRICT").execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();
    let mut file = File::options().read(true).write(true).open(&path).unwrap();
    // SQLite's file format: the user version is the big-endian number at 60.
    let mut version = [0; 4];
    file.seek(SeekFrom::Start(60)).unwrap();
    file.read_exact(&mut version).unwrap();
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&999_u32.to_be_bytes()).unwrap();
    let error = assert_not_opened(&mut home, "ledger-newer").await;
    assert!(error.to_string().contains("999") && error.to_string().contains("Update Ashore"), "{error}");
    // Nothing else was wrong with it.
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&version).unwrap();
    home.reopen().await;
}

#[tokio::test]
async fn one_that_another_program_holds_is_refused_untouched() {
    let mut home = used().await;
    let path = home.data().join("ledger.sqlite");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut other = options.connect().await.unwrap();
    sqlx::raw_sql("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
    let error = assert_not_opened(&mut home, "ledger-locked").await;
    assert!(error.to_string().contains("another program"), "{error}");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    home.reopen().await;
}

#[tokio::test]
async fn one_engine_works_on_a_folder_and_the_second_is_told_who() {
    let mut home = Home::open().await;
    let data_dir = home.data();
    let options = || {
        let (holder, overrides) = ("the second".to_owned(), Overrides::default());
        Options { data_dir: data_dir.clone(), holder, fetch: true, overrides, env: env() }
    };
    let Err(Error::Held { path, holder }) = Engine::open(options()).await else { panic!("opened twice") };
    assert_eq!(path, data_dir);
    assert!(holder.starts_with("a story, process "), "{holder}");
    home.close().await;
    let second = Engine::open(options()).await.unwrap();
    assert!(matches!(home.try_open().await, Err(Error::Held { holder, .. }) if holder.starts_with("the second")));
    second.close().await;
    home.reopen().await;
}

#[tokio::test]
async fn the_checker_finds_nothing_wrong_and_knows_what_belongs_to_whom() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    let report = home.doctor().await.unwrap();
    assert_eq!((report.ledger.as_str(), report.path.clone()), ("ok", home.data().join("ledger.sqlite")));
    assert!(report.version >= 1);
    assert_eq!(report.holder.as_deref(), Some("a story"));
    assert_eq!(report.partials.len(), 1);
    assert_eq!((report.partials[0].bytes, report.partials[0].unique_id), (600_000, Some(id)));

    // The list is lost: the partial belongs to nobody, and is kept.
    home.close().await;
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = std::fs::remove_file(home.data().join(name));
    }
    let names = home.names();
    home.reopen().await;
    let report = home.doctor().await.unwrap();
    assert_eq!((report.partials.len(), report.orphans.len()), (0, 1));
    assert_eq!((report.orphans[0].bytes, report.orphans[0].size), (600_000, Some(1_000_000)));
    assert_eq!(home.names(), names, "never deleted unasked");
}
