//! Tests the opening of ledgers: a refused ledger stays untouched, and an older ledger is copied and migrated.

use std::{fs, path::Path};

use crate::store::{
    database::{
        backup_rotation,
        migrations::{FIRST_VERSION, MIGRATIONS, supported_versions},
        open::APPLICATION_ID,
        wal_marker::MARK,
    },
    has_lost_its_log, look_at, refuse_unsupported,
    tests::*,
};

#[tokio::test]
async fn sqlite_version_contains_the_fix_for_two_simultaneous_writers_at_a_checkpoint() {
    let ledger = Ledger::new().await;
    let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(ledger.store.readers()).await.unwrap();
    let numbers: Vec<u32> = version.split('.').map(|number| number.parse().unwrap()).collect();
    assert!(numbers >= vec![3, 51, 3], "{version}");
}

#[tokio::test]
async fn new_ledger_has_durable_settings_and_application_id() {
    let ledger = Ledger::new().await;
    assert_eq!((ledger.store.version().await.unwrap(), ledger.store.check().await.unwrap().as_str()), (newest(), "ok"));
    let mut writing = ledger.store.begin().await.unwrap();
    let mut pragmas = Vec::new();
    for pragma in ["PRAGMA synchronous", "PRAGMA foreign_keys"] {
        let value: i64 = sqlx::query_scalar(pragma).fetch_one(writing.connection().unwrap()).await.unwrap();
        pragmas.push(value);
    }
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(writing.connection().unwrap()).await.unwrap();
    drop(writing);
    assert_eq!((pragmas, mode.as_str()), (vec![2, 1], "wal"));
    let query_only: i64 = sqlx::query_scalar("PRAGMA query_only").fetch_one(ledger.store.readers()).await.unwrap();
    assert_eq!(query_only, 1);
    let lax: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
           AND name NOT LIKE 'sqlite%'",
    )
    .fetch_all(ledger.store.readers())
    .await
    .unwrap();
    assert_eq!(lax, [""; 0]);

    ledger.store.close().await;
    assert!(matches!(ledger.store.begin().await, Err(EngineError::Closed)));
    assert!(matches!(ledger.store.is_paused().await, Err(EngineError::Closed)), "readers get the same error");
    let header = fs::read(ledger.path()).unwrap();
    assert_eq!(&header[68..72], b"Asho");
    assert_eq!(files(&ledger), ["ledger.db"], "the WAL is checkpointed");
}

#[tokio::test]
async fn readers_of_open_ledger_need_no_new_file_descriptors() {
    let ledger = Ledger::new().await;
    let descriptors = || {
        let of_the_ledger = |path: &Path| path.to_string_lossy().starts_with(&*ledger.path().to_string_lossy());
        let open = fs::read_dir("/proc/self/fd").unwrap().filter_map(|one| fs::read_link(one.ok()?.path()).ok());
        open.filter(|path| of_the_ledger(path)).count()
    };
    let before = descriptors();
    let mut readers = Vec::new();
    for _ in 0..ledger.store.readers().options().get_max_connections() {
        let mut reader = ledger.store.readers().acquire().await.unwrap();
        let _: i64 = sqlx::query_scalar("SELECT count(*) FROM registration").fetch_one(&mut *reader).await.unwrap();
        readers.push(reader);
    }
    assert_eq!(descriptors(), before);
}

#[tokio::test]
async fn created_registration_is_readable_after_ledger_is_reopened() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    ledger.store.close().await;
    let store = LedgerStore::open(&ledger.path(), false).await.unwrap();
    assert_eq!(store.ids("window").await.unwrap(), ["a"]);
    store.close().await;
}

#[tokio::test]
async fn ledger_is_created_again_if_creation_was_killed_before_wal_existed() {
    let folder = tempfile::tempdir().unwrap();
    let (made, killed) = (folder.path().join("made"), folder.path().join("killed"));
    let mut beside = SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", made.display())).await.unwrap();
    // The change is larger than the cache, so part of it is already in the file. The journal describes how to roll that
    // part back.
    let begun = "PRAGMA cache_size = 1; BEGIN; CREATE TABLE a (b); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL
                 SELECT i + 1 FROM n WHERE i < 200) INSERT INTO a SELECT randomblob(1000) FROM n";
    sqlx::raw_sql(begun).execute(&mut beside).await.unwrap();
    for suffix in ["", "-journal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        assert!(fs::copy(name(&made), name(&killed)).unwrap() > 0);
    }
    let store = LedgerStore::open(&killed, false).await.unwrap();
    assert_eq!((store.version().await.unwrap(), store.check().await.unwrap().as_str()), (newest(), "ok"));
    store.close().await;
}

#[tokio::test]
async fn newer_ledger_is_refused_and_unchanged() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    let mut beside = ledger.beside().await;
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut beside).await.unwrap();
    beside.close().await.unwrap();
    let refusal = refused_untouched(&ledger).await;
    assert!(matches!(refusal, EngineError::LedgerNewer { found: 99, known, .. } if known == i64::from(newest())), "{refusal}");
}

/// The header of the file still has the old version, because the newer program was killed before a checkpoint.
#[tokio::test]
async fn ledger_with_newer_version_in_wal_is_refused_and_unchanged() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    let mut beside = ledger.beside().await;
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut beside).await.unwrap();
    let copy = Ledger::new().await;
    copy.store.close().await;
    for suffix in ["", "-wal"] {
        fs::copy(with(&ledger, suffix), with(&copy, suffix)).unwrap();
    }
    let before = (fs::read(copy.path()).unwrap(), fs::read(with(&copy, "-wal")).unwrap());
    assert!(matches!(LedgerStore::open(&copy.path(), false).await, Err(EngineError::LedgerNewer { found: 99, .. })));
    assert!(before == (fs::read(copy.path()).unwrap(), fs::read(with(&copy, "-wal")).unwrap()), "it is untouched");
}

#[tokio::test]
async fn ledger_copy_with_unknown_version_is_refused() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    look_at(&ledger.path()).await.unwrap();
    for version in [0, FIRST_VERSION - 1, 99] {
        let mut connection = SqliteConnection::connect(&format!("sqlite://{}", ledger.path().display())).await.unwrap();
        sqlx::query(AssertSqlSafe(format!("PRAGMA user_version = {version}"))).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let why = look_at(&ledger.path()).await.unwrap_err();
        assert!(why.to_string().starts_with(&format!("it has the version {version}, and this Ashore supports ")), "{why}");
    }
}

#[tokio::test]
async fn failed_ledger_copy_leaves_no_file_and_remains_due() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();
    let folder = ledger.path().with_file_name("copies");
    let target = folder.join("copy");
    fs::create_dir_all(folder.join("copy.new/taken")).unwrap();
    assert!(matches!(ledger.store.copy_to(&target).await, Err(EngineError::Io { .. })));
    fs::remove_dir_all(folder.join("copy.new")).unwrap();
    // No statement of Ashore could write this text.
    let mut beside = ledger.beside().await;
    sqlx::raw_sql("UPDATE face SET title = CAST(x'ff' AS TEXT)").execute(&mut beside).await.unwrap();
    beside.close().await.unwrap();
    assert!(matches!(ledger.store.copy_to(&target).await, Err(EngineError::Io { .. })));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    assert!(ledger.store.has_changed(), "the next copy is due all the same");
}

#[tokio::test]
async fn file_that_is_not_a_database_is_refused_and_unchanged() {
    for content in [&b"This is a letter, not a ledger."[..], &[0; 4096], b"SQLite format 3\0"] {
        let ledger = Ledger::new().await;
        ledger.store.close().await;
        fs::write(ledger.path(), content).unwrap();
        let refusal = refused_untouched(&ledger).await;
        assert!(matches!(refusal, EngineError::LedgerDamaged { .. }), "{refusal}");
    }
}

#[tokio::test]
async fn database_of_another_program_is_refused_and_unchanged() {
    let schema = "CREATE TABLE a (b); INSERT INTO a VALUES (1)";
    for sql in [format!("PRAGMA application_id = 7; {schema}"), format!("PRAGMA journal_mode = WAL; {schema}")] {
        let ledger = Ledger::new().await;
        ledger.store.close().await;
        fs::remove_file(ledger.path()).unwrap();
        fs::write(ledger.path(), "").unwrap();
        let mut beside = ledger.beside().await;
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut beside).await.unwrap();
        beside.close().await.unwrap();
        let refusal = refused_untouched(&ledger).await;
        assert!(matches!(refusal, EngineError::LedgerDamaged { .. }), "{refusal}");
    }
}

/// Returns a closed ledger with content, and the bytes of its file.
async fn closed_with_500_requests() -> (Ledger, Vec<u8>) {
    let ledger = Ledger::new().await;
    let addresses: Vec<String> = (0..500).map(|number| format!("https://example.org/{number}")).collect();
    ledger.create(&asked("a", &addresses.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap();
    ledger.store.close().await;
    let bytes = fs::read(ledger.path()).unwrap();
    assert!(bytes.len() > 100_000);
    (ledger, bytes)
}

#[tokio::test]
async fn damaged_ledger_is_refused_and_unchanged() {
    let (ledger, mut bytes) = closed_with_500_requests().await;
    let length = bytes.len();
    bytes[4096 * 3..length - 4096].fill(0xa5);
    fs::write(ledger.path(), bytes).unwrap();
    let refusal = refused_untouched(&ledger).await;
    assert!(matches!(refusal, EngineError::LedgerDamaged { .. }), "{refusal}");
}

#[tokio::test]
async fn large_ledger_that_is_marked_undamaged_is_checked_only_after_opening() {
    let (ledger, mut bytes) = closed_with_500_requests().await;
    let length = bytes.len();
    bytes[length - 4096 * 4..length - 4096].fill(0xa5);
    // Zeros after the last page make the file large.
    bytes.resize(17 << 20, 0);
    fs::write(ledger.path(), bytes).unwrap();
    fs::write(with(&ledger, "-wal"), "not folded in").unwrap();
    let refusal = LedgerStore::open(&ledger.path(), false).await.unwrap_err();
    assert!(matches!(refusal, EngineError::LedgerDamaged { .. }), "{refusal}");
    let store = LedgerStore::open(&ledger.path(), true).await.unwrap();
    assert!(store.is_unread());
    let met = store.read_the_rest().await.unwrap_err();
    assert!(met.is_damage() && !store.is_unread(), "{met}");
    store.close().await;
}

#[tokio::test]
async fn loss_of_wal_is_detected_if_it_occurs_between_first_commit_and_close() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    let store = LedgerStore::open(&ledger.path(), false).await.unwrap();
    store.begin().await.unwrap().commit().await.unwrap();
    assert!(!has_lost_its_log(&ledger.path()) && !Path::new(&with(&ledger, MARK)).exists(), "nothing is in the log yet");
    let mut writing = store.begin().await.unwrap();
    writing.set_paused(None, true, 1).await.unwrap();
    writing.commit().await.unwrap();
    assert!(Path::new(&with(&ledger, MARK)).exists() && !has_lost_its_log(&ledger.path()));
    // Recreate the state after a kill, first with the WAL and then without it.
    let killed = tempfile::tempdir().unwrap();
    let copy = killed.path().join("ledger.db");
    for part in ["", "-wal", MARK] {
        fs::copy(with(&ledger, part), format!("{}{part}", copy.display())).unwrap();
    }
    assert!(!has_lost_its_log(&copy));
    fs::remove_file(format!("{}-wal", copy.display())).unwrap();
    assert!(has_lost_its_log(&copy));
    store.close().await;
    assert_eq!(files(&ledger), ["ledger.db"]);
    assert!(!has_lost_its_log(&ledger.path()));
}

#[tokio::test]
async fn ledger_locked_by_another_program_is_refused() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    let mut beside = ledger.beside().await;
    sqlx::raw_sql("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE wish SET paused = 0")
        .execute(&mut beside)
        .await
        .unwrap();
    let before = fs::read(ledger.path()).unwrap();
    let refusal = LedgerStore::open(&ledger.path(), false).await.unwrap_err();
    assert!(matches!(refusal, EngineError::LedgerLocked { .. }), "{refusal}");
    assert!(before == fs::read(ledger.path()).unwrap(), "it is untouched");
}

#[tokio::test]
async fn older_ledger_is_copied_and_migrated() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();
    ledger.store.close().await;
    let newer = [MIGRATIONS, &["ALTER TABLE face ADD COLUMN colour TEXT NOT NULL DEFAULT ''"]].concat();
    let store = LedgerStore::open_with(&ledger.path(), &newer, false).await.unwrap();
    assert_eq!((store.version().await.unwrap(), store.ids("window").await.unwrap()), (newest() + 1, vec!["a".to_owned()]));
    store.close().await;
    let before = backup_rotation::before_update(ledger.folder.path(), i64::from(newest()) + 1);
    assert_eq!(files(&ledger), ["backups", "ledger.db"]);

    let copy = LedgerStore::open(&before, false).await.unwrap();
    assert_eq!((copy.version().await.unwrap(), copy.ids("window").await.unwrap()), (newest(), vec!["a".to_owned()]));
    copy.close().await;
}

/// Unreleased test versions of Ashore created ledgers with the versions 1 to 25.
#[tokio::test]
async fn ledger_of_test_version_is_refused_and_unchanged() {
    for version in [1, FIRST_VERSION - 1] {
        let ledger = Ledger::new().await;
        ledger.store.close().await;
        let mut beside = ledger.beside().await;
        sqlx::raw_sql(AssertSqlSafe(format!("PRAGMA user_version = {version}"))).execute(&mut beside).await.unwrap();
        beside.close().await.unwrap();
        let refusal = refused_untouched(&ledger).await;
        let is_older = matches!(refusal, EngineError::LedgerOlder { found, oldest: FIRST_VERSION, .. } if found == version);
        assert!(is_older, "{refusal}");
        assert!(look_at(&ledger.path()).await.is_err(), "nor is it taken as a copy");
    }
}

/// The header of the file still has the old version, because a test version was killed between the migration and a
/// checkpoint.
#[tokio::test]
async fn ledger_opens_if_wal_has_supported_version_despite_older_header() {
    let ledger = Ledger::new().await;
    ledger.store.close().await;
    let mut beside = ledger.beside().await;
    let versions = |version| AssertSqlSafe(format!("PRAGMA user_version = {version}"));
    sqlx::raw_sql(versions(FIRST_VERSION - 1)).execute(&mut beside).await.unwrap();
    sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut beside).await.unwrap();
    sqlx::raw_sql(versions(i64::from(newest()))).execute(&mut beside).await.unwrap();
    let copy = Ledger::new().await;
    copy.store.close().await;
    for suffix in ["", "-wal"] {
        fs::copy(with(&ledger, suffix), with(&copy, suffix)).unwrap();
    }
    assert_eq!(refuse_unsupported(&copy.path()).map_err(|refusal| refusal.code()), Ok(()));
    let store = LedgerStore::open(&copy.path(), false).await.unwrap();
    assert_eq!(store.version().await.unwrap(), newest());
    store.close().await;
}

/// Returns the rows of a table as sorted texts.
async fn rows_of(connection: &mut SqliteConnection, table: &str, columns: &[String]) -> Vec<String> {
    let values: Vec<String> = columns.iter().map(|name| format!("quote({name})")).collect();
    let rows = AssertSqlSafe(format!("SELECT {} FROM {table} ORDER BY 1", values.join(" || ',' || ")));
    sqlx::query_scalar(rows).fetch_all(connection).await.unwrap()
}

async fn columns_of(connection: &mut SqliteConnection, table: &str) -> Vec<String> {
    sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)").bind(table).fetch_all(connection).await.unwrap()
}

/// Creates an older ledger with the rows of `from`, and returns the names of its tables.
///
/// Runs only the migrations before the migration that contains `change`.
async fn make_older_ledger(path: &Path, from: &Path, change: &str) -> Vec<String> {
    let without = MIGRATIONS.iter().take_while(|step| !step.contains(change)).copied().collect::<Vec<_>>();
    assert!(!without.is_empty() && without.len() < MIGRATIONS.len());
    let mut old = SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", path.display())).await.unwrap();
    let version = supported_versions(&without).end().to_owned();
    let marks = format!("PRAGMA user_version = {version}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA foreign_keys = OFF");
    for step in without.iter().map(|step| (*step).to_owned()).chain([marks, format!("ATTACH '{}' AS new", from.display())]) {
        sqlx::raw_sql(AssertSqlSafe(step)).execute(&mut old).await.unwrap();
    }
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
            .fetch_all(&mut old)
            .await
            .unwrap();
    for table in &tables {
        let columns: String = sqlx::query_scalar("SELECT group_concat(name) FROM pragma_table_info(?1, 'main')")
            .bind(table)
            .fetch_one(&mut old)
            .await
            .unwrap();
        let copy = format!("DELETE FROM main.{table}; INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}");
        sqlx::raw_sql(AssertSqlSafe(copy)).execute(&mut old).await.unwrap();
    }
    old.close().await.unwrap();
    tables
}

#[tokio::test]
async fn ledger_from_before_sync_is_upgraded_and_can_sync() {
    let ledger = Ledger::new().await;
    for name in ["waiting", "done"] {
        ledger.create(&asked(name, &["https://example.org/0", "https://example.org/1"])).await.unwrap();
    }
    ledger
        .create(&AcceptedRegistration { owner: "a program".to_owned(), ..asked("c", &["https://example.org/2"]) })
        .await
        .unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await.unwrap();
    ledger.store.close().await;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let tables = make_older_ledger(&path, &ledger.path(), "CREATE TABLE sync_state").await;
    assert!(!tables.iter().any(|table| table.starts_with("sync")), "{tables:?}");
    let mut old = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let mut before = Vec::new();
    for table in &tables {
        let columns = columns_of(&mut old, table).await;
        before.push((rows_of(&mut old, table, &columns).await, columns));
    }
    old.close().await.unwrap();
    assert!(before.iter().filter(|(rows, _)| rows.len() > 1).count() > 2, "the ledger has rows: {before:?}");

    let upgraded = Ledger { store: LedgerStore::open(&path, false).await.unwrap(), folder };
    assert_eq!((upgraded.store.version().await.unwrap(), upgraded.store.check().await.unwrap().as_str()), (newest(), "ok"));
    let mut beside = upgraded.beside().await;
    for (table, (rows, columns)) in tables.iter().zip(&before) {
        assert_eq!(&rows_of(&mut beside, table, columns).await, rows, "{table}");
    }
    beside.close().await.unwrap();
    assert!(!upgraded.store.is_syncing() && upgraded.store.sync_state().await.unwrap().is_none());
    assert_eq!(upgraded.audit().await, [""; 0]);

    upgraded.begin_sync().await;
    assert!(upgraded.store.sync_state().await.unwrap().is_some());
    let due = upgraded.store.due_synced_registrations(9).await.unwrap();
    let mut titles: Vec<&str> = due.iter().map(|one| one.title.as_str()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Title of done", "Title of waiting"]);
    upgraded.store.close().await;
}

#[tokio::test]
async fn download_is_marked_as_started_if_it_ran_before_upgrade() {
    let ledger = Ledger::new().await;
    ledger.begin_sync().await;
    ledger.create(&asked("running", &["https://example.org/0"])).await.unwrap();
    let guid = ledger.take().await.unwrap().guid;
    ledger.create(&asked("waiting", &["https://example.org/1"])).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
    writing.commit().await.unwrap();
    ledger.store.close().await;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    make_older_ledger(&path, &ledger.path(), "ADD COLUMN started").await;
    let upgraded = LedgerStore::open(&path, false).await.unwrap();
    let due = upgraded.due_synced_registrations(9).await.unwrap();
    let mut started: Vec<_> = due.iter().map(|one| (one.title.as_str(), one.is_started)).collect();
    started.sort_unstable();
    assert_eq!(started, [("Title of running", true), ("Title of waiting", false)]);
    upgraded.close().await;
}

#[tokio::test]
async fn each_missing_migration_is_applied_once() {
    let steps = ["ALTER TABLE face ADD COLUMN first TEXT", "ALTER TABLE face RENAME COLUMN first TO second"];
    let newest = [MIGRATIONS, &steps].concat();
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();
    ledger.store.close().await;
    for _ in 0..2 {
        let store = LedgerStore::open_with(&ledger.path(), &newest, false).await.unwrap();
        assert_eq!((store.version().await.unwrap(), store.check().await.unwrap().as_str()), (self::newest() + 2, "ok"));
        assert_eq!(store.ids("window").await.unwrap(), ["a"]);
        store.close().await;
    }
}

#[tokio::test]
async fn failed_migration_changes_nothing() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();
    ledger.store.close().await;
    let broken = [MIGRATIONS, &["DROP TABLE attempt", "DROP TABLE there_is_no_such_table"]].concat();
    assert!(LedgerStore::open_with(&ledger.path(), &broken, false).await.is_err());
    let store = LedgerStore::open(&ledger.path(), false).await.unwrap();
    assert_eq!(store.version().await.unwrap(), newest());
    let attempts: i64 = sqlx::query_scalar("SELECT count(*) FROM attempt").fetch_one(store.readers()).await.unwrap();
    assert_eq!(attempts, 0);
    store.close().await;
}

fn newest() -> u32 {
    u32::try_from(*supported_versions(MIGRATIONS).end()).unwrap()
}

/// Opens the ledger and expects a refusal that changes neither the file nor the folder.
async fn refused_untouched(ledger: &Ledger) -> EngineError {
    let before = (fs::read(ledger.path()).unwrap(), files(ledger));
    let refusal = LedgerStore::open(&ledger.path(), false).await.unwrap_err();
    assert!(before.0 == fs::read(ledger.path()).unwrap(), "the file was changed");
    assert_eq!(before.1, files(ledger), "the folder was changed");
    refusal
}

pub(crate) fn files(ledger: &Ledger) -> Vec<String> {
    let entries = fs::read_dir(ledger.folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn with(ledger: &Ledger, suffix: &str) -> String {
    format!("{}{suffix}", ledger.path().display())
}
