//! Tests unusable ledgers.
//!
//! The engine reports the reason and does not change any byte of the ledger.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use ashore_engine::{Engine, EngineError, EngineOptions, SettingOverrides};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin},
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

/// Returns a test home with an entry in its ledger. The engine of the test home is closed.
async fn home_with_entry() -> Home {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    home.close().await;
    home
}

/// Checks that opening fails with `code`, and that every file stays unchanged.
async fn assert_not_opened(home: &mut Home, code: &str) -> EngineError {
    let before = home.ledger_files();
    let error = home.try_open().await.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(home.data().to_str().unwrap()), "the error names the file: {error}");
    let after = home.ledger_files();
    assert_eq!(names(&after), names(&before));
    assert!(after == before, "the bytes are as they were");
    error
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&String> {
    files.keys().collect()
}

#[tokio::test]
async fn ledger_of_newer_version_is_refused_and_left_unchanged() {
    let mut home = home_with_entry().await;
    let path = home.data().join("ledger.sqlite");
    // The newer ledger has a table that this version does not know.
    let mut newer = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE mirror (a INTEGER) STRICT").execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();
    let mut file = File::options().read(true).write(true).open(&path).unwrap();
    // In SQLite's file format, the user version is the big-endian number at byte 60.
    let mut version = [0; 4];
    file.seek(SeekFrom::Start(60)).unwrap();
    file.read_exact(&mut version).unwrap();
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&999_u32.to_be_bytes()).unwrap();
    let error = assert_not_opened(&mut home, "ledger-newer").await;
    assert!(error.to_string().contains("999") && error.to_string().contains("Update Ashore"), "{error}");
    // With its original version number, the ledger can be opened again.
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&version).unwrap();
    home.reopen().await;
}

/// The test moves the file of the list away, as the error message advises. The copies from the old version stay.
#[tokio::test]
async fn ledger_of_pre_release_version_is_refused_until_moved_away() {
    let mut home = home_with_entry().await;
    let path = home.data().join("ledger.sqlite");
    let mut older = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 25; PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut older).await.unwrap();
    older.close().await.unwrap();
    fs::create_dir_all(home.data().join("backups")).unwrap();
    for name in ["ledger-before-v25.sqlite", "ledger-before-v26.sqlite"] {
        fs::copy(&path, home.data().join("backups").join(name)).unwrap();
    }
    let error = assert_not_opened(&mut home, "ledger-older").await;
    assert!(error.to_string().contains("Move this file"), "{error}");
    fs::copy(&path, home.data().join("moved.sqlite")).unwrap();
    fs::remove_file(&path).unwrap();
    home.reopen().await;
    assert_eq!(home.list(Default::default()).await.unwrap().len(), 0);
}

/// Additional fault of a ledger from a newer version: a name, and a function that causes the fault.
type SecondFault = (&'static str, fn(&Path, Vec<u8>));

const BESIDE_A_NEWER_VERSION: &[SecondFault] = &[
    ("nothing", write),
    ("pages of something else", |path, bytes| write(path, changed(bytes, |bytes| bytes[4096..12288].fill(0x5a)))),
    ("half of it", |path, bytes| write(path, changed(bytes, |bytes| bytes.truncate(bytes.len() / 2)))),
    ("a schema that cannot be read", |path, bytes| write(path, changed(bytes, |bytes| bytes[100..2048].fill(0xff)))),
    ("another write version", |path, bytes| write(path, changed(bytes, |bytes| bytes[18] = 7))),
    ("a doubt from the last run", |path, bytes| {
        write(path, changed(bytes, |bytes| bytes[4096..12288].fill(0x5a)));
        fs::write(path.with_file_name("ledger.suspect"), "malformed").unwrap();
    }),
    ("a recovery that was begun", |path, bytes| {
        write(path, bytes);
        let kept_as = path.with_file_name("ledger.sqlite.damaged-20261127T000000Z");
        let recovery = serde_json::json!({ "found": 1, "why": "malformed", "kept_as": kept_as, "copy_of": null,
            "found_again": [], "is_ahead": false });
        let note = serde_json::json!({ "recovery": recovery, "stage": "begun", "tried": [] });
        fs::write(path.with_file_name("recovery.json"), note.to_string()).unwrap();
    }),
];

fn write(path: &Path, bytes: Vec<u8>) {
    fs::write(path, bytes).unwrap();
}

fn changed(mut bytes: Vec<u8>, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    change(&mut bytes);
    bytes
}

/// Returns a test home with a closed engine, the path of its ledger, and a copy of the ledger.
///
/// The copy has the next version number but still the current schema.
async fn of_the_next_version() -> (Home, PathBuf, Vec<u8>) {
    let home = home_with_entry().await;
    let path = home.data().join("ledger.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    bytes[63] += 1;
    (home, path, bytes)
}

#[tokio::test]
async fn ledger_of_newer_version_is_refused_despite_other_faults() {
    for (what, happens) in BESIDE_A_NEWER_VERSION {
        let (mut home, path, bytes) = of_the_next_version().await;
        happens(&path, bytes);
        println!("{what}");
        let error = assert_not_opened(&mut home, "ledger-newer").await;
        assert!(error.to_string().contains("Update Ashore"), "{what}: {error}");
    }
}

#[tokio::test]
async fn ledger_of_newer_version_with_more_columns_is_refused_and_left_unchanged() {
    let (mut home, path, bytes) = of_the_next_version().await;
    fs::write(&path, bytes).unwrap();
    let mut newer = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    sqlx::raw_sql("ALTER TABLE face ADD COLUMN colour TEXT NOT NULL DEFAULT ''").execute(&mut newer).await.unwrap();
    newer.close().await.unwrap();
    assert_not_opened(&mut home, "ledger-newer").await;
}

/// Only the write-ahead log has the newer version. The file header still has the older version.
///
/// A newer Ashore was killed before it checkpointed the log.
#[tokio::test]
async fn ledger_with_newer_version_only_in_write_ahead_log_is_refused() {
    for is_damaged in [false, true] {
        let mut home = home_with_entry().await;
        let path = home.data().join("ledger.sqlite");
        let mut newer = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut newer).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", version + 1))).execute(&mut newer).await.unwrap();
        let log = path.with_file_name("ledger.sqlite-wal");
        let (mut file, written) = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
        newer.close().await.unwrap();
        if is_damaged {
            file[4096..12288].fill(0x5a);
        }
        fs::write(&path, &file).unwrap();
        fs::write(&log, &written).unwrap();
        assert_eq!(home.try_open().await.unwrap_err().code(), "ledger-newer");
        // The ledger and the log are unchanged. Only the index of the write-ahead log may be new, as after a kill.
        assert!(file == fs::read(&path).unwrap() && written == fs::read(&log).unwrap(), "the bytes are as they were");
        assert!(!home.ledger_files().keys().any(|name| name.contains("damaged") || name == "recovery.json"));
    }
}

/// The ledger's version number is unreadable, and a newer version of Ashore wrote its latest copy.
///
/// Only that newer version of Ashore can read the copy.
#[tokio::test]
async fn damaged_ledger_is_left_unchanged_if_its_latest_copy_has_a_newer_version() {
    for copy in ["ledger-20991231T000000Z.sqlite", "ledger-before-v999.sqlite"] {
        let (mut home, path, bytes) = of_the_next_version().await;
        fs::create_dir_all(home.data().join("backups")).unwrap();
        fs::write(home.data().join("backups").join(copy), bytes).unwrap();
        fs::write(&path, "this is a letter, not a list of downloads").unwrap();
        assert_not_opened(&mut home, "ledger-newer").await;
    }
}

#[tokio::test]
async fn ledger_locked_by_another_program_is_refused_and_left_unchanged() {
    let mut home = home_with_entry().await;
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
async fn second_engine_on_same_folder_fails_and_reports_lock_holder() {
    let mut home = Home::open().await;
    let data_dir = home.data();
    let options = || {
        let (holder, overrides) = ("the second".to_owned(), SettingOverrides::default());
        EngineOptions { data_dir: data_dir.clone(), holder, fetch: true, overrides, env: env() }
    };
    let Err(EngineError::Held { path, holder }) = Engine::open(options()).await else { panic!("opened twice") };
    assert_eq!(path, data_dir);
    assert!(holder.starts_with("a story, process "), "{holder}");
    home.close().await;
    let second = Engine::open(options()).await.unwrap();
    assert!(matches!(home.try_open().await, Err(EngineError::Held { holder, .. }) if holder.starts_with("the second")));
    second.close().await;
    home.reopen().await;
}

#[tokio::test]
async fn doctor_finds_no_fault_and_assigns_partial_files_to_downloads() {
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

    // After the loss of the list, the partial file belongs to no download. The file is kept.
    home.close().await;
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = fs::remove_file(home.data().join(name));
    }
    let names = home.names();
    home.reopen().await;
    let report = home.doctor().await.unwrap();
    assert_eq!((report.partials.len(), report.orphans.len()), (0, 1));
    assert_eq!((report.orphans[0].bytes, report.orphans[0].size), (600_000, Some(1_000_000)));
    assert_eq!(home.names(), names, "never deleted unasked");
}
