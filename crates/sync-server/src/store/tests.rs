//! Tests the plans of all statements on fresh and analysed databases, and the behaviour on a full disk.

use ashore_testkit::sync_server::postgres::postgres;
use sqlx::{AssertSqlSafe, Row as _};

use super::{
    BsoWrite, DatabasePool, StoreError, SyncStore, WriteAction, accounts, batch, collections, counters, listing, purge, read,
    transaction::{Pools, on},
    upsert, user_lock, write,
};
use crate::{
    clock::ServerClock,
    protocol::{IncomingBso, ProtocolLimits, ProtocolRefusal},
};

const NOW: i64 = 1_700_000_000_000;

/// Returns every statement that a client request can cause.
///
/// Statements of the command line (all users, recounts, copies) are excluded, because they may read whole tables.
fn statements() -> Vec<(&'static str, String)> {
    let for_people = ["USERS", "ANY_USER", "FOUND", "NEXT"];
    let named = [
        accounts::STATEMENTS,
        batch::STATEMENTS,
        collections::STATEMENTS,
        counters::STATEMENTS,
        listing::STATEMENTS,
        purge::STATEMENTS,
        read::STATEMENTS,
        user_lock::STATEMENTS,
        write::STATEMENTS,
    ];
    let named = named.into_iter().flatten().filter(|(name, _)| !for_people.contains(name));
    let made = upsert::upserts().into_iter().chain(batch::stagings()).map(|text| ("made", text));
    named.map(|(name, text)| (*name, (*text).to_owned())).chain(made).collect()
}

fn entries(from: usize) -> Vec<IncomingBso> {
    let entry = |id: usize| IncomingBso { id: format!("{id:06}"), payload: Some("x".repeat(100)), sortindex: None, ttl: None };
    (from..from + 100).map(entry).collect()
}

fn post(user: i64, entries: Vec<IncomingBso>) -> BsoWrite {
    let action = WriteAction::Post { entries, is_batch: false };
    let clock = ServerClock::new(|| NOW);
    BsoWrite { user, makes_user: true, collection: Some("tabs".to_owned()), unmodified_since: None, clock, action }
}

async fn fill(store: &SyncStore) {
    for user in 1..4 {
        for part in 0..10 {
            store.write(&post(user, entries(part * 100))).await.unwrap();
        }
        // Leave a batch open for each user, so that the tables of batches contain rows too.
        let begin = WriteAction::Begin { batch: user.to_string(), entries: entries(0) };
        store.write(&BsoWrite { action: begin, ..post(user, Vec::new()) }).await.unwrap();
        for part in 1..10 {
            let append = WriteAction::Append { batch: user.to_string(), entries: entries(part * 100) };
            store.write(&BsoWrite { action: append, ..post(user, Vec::new()) }).await.unwrap();
        }
    }
}

/// Returns PostgreSQL's plan for a statement, independent of the values.
async fn explain(connection: &mut sqlx::PgConnection, text: &str) -> String {
    let count = (1..).take_while(|number| text.contains(&format!("${number}"))).count();
    sqlx::raw_sql(AssertSqlSafe(format!("PREPARE explained AS {text}"))).execute(&mut *connection).await.unwrap();
    let values = vec!["NULL"; count].join(", ");
    let values = if count == 0 { String::new() } else { format!("({values})") };
    let rows =
        sqlx::raw_sql(AssertSqlSafe(format!("EXPLAIN EXECUTE explained{values}"))).fetch_all(&mut *connection).await.unwrap();
    sqlx::raw_sql("DEALLOCATE explained").execute(connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n")
}

async fn check_plans(store: &SyncStore, when: &str) {
    let mut wrong = Vec::new();
    match &store.pools {
        Pools::Sqlite { writer, .. } => {
            for (name, text) in statements() {
                // Skip statements with row locks, which only PostgreSQL has.
                let Some(text) = Some(&text).filter(|text| !text.contains("FOR UPDATE")) else { continue };
                let rows = sqlx::raw_sql(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}"))).fetch_all(writer).await.unwrap();
                for row in rows {
                    let step: String = row.get(3);
                    let scans = step.starts_with("SCAN") && !step.contains("CONSTANT ROW") && !step.contains("USING INDEX");
                    if scans && step != "SCAN 3-ROW VALUES" && !step.contains("VALUES") {
                        wrong.push(format!("{when} {name}: {step}"));
                    }
                    // The sort by `sortindex` has no index, because clients use this sort for small collections only.
                    if step.contains("TEMP B-TREE FOR ORDER BY") && !name.contains("INDEX") {
                        wrong.push(format!("{when} {name}: {step}"));
                    }
                }
            }
        }
        Pools::Postgres { pool, .. } => {
            let mut connection = pool.acquire().await.unwrap();
            sqlx::raw_sql("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = on")
                .execute(&mut *connection)
                .await
                .unwrap();
            for (name, text) in statements() {
                let plan = explain(&mut connection, &text).await;
                // A scan of another table is acceptable, because other tables have few rows.
                let scans = ["Seq Scan on bsos", "Seq Scan on batch_bsos"].iter().any(|scan| plan.contains(scan));
                // A look-up by id must use only the index of the key. Without statistics, any other index is slow.
                let is_wrong_index =
                    text.contains("bso_id = $3") && ["bsos_modified_idx", "expiry_idx"].iter().any(|index| plan.contains(index));
                if scans || is_wrong_index {
                    wrong.push(format!("{when} {name}: {plan}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn analyse(store: &SyncStore) {
    let mut transaction = store.begin().await.unwrap();
    on!(&mut transaction, |connection| sqlx::raw_sql("ANALYZE").execute(connection).await.map(|_| ())).unwrap();
    transaction.commit().await.unwrap();
}

async fn check_plans_in_each_state(database: DatabasePool) {
    let store = SyncStore::open(&database, ProtocolLimits::default(), "a test", NOW).await.unwrap();
    check_plans(&store, "empty").await;
    fill(&store).await;
    check_plans(&store, "fresh").await;
    analyse(&store).await;
    check_plans(&store, "analysed").await;
}

#[tokio::test]
async fn no_statement_scans_a_whole_table_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    check_plans_in_each_state(DatabasePool::Folder(folder.path().to_owned())).await;
}

#[tokio::test]
async fn no_statement_scans_a_whole_table_on_postgres() {
    match postgres() {
        Ok(server) => check_plans_in_each_state(DatabasePool::Postgres(server.database().await)).await,
        Err(reason) => eprintln!("PostgreSQL was left out, because {reason}."),
    }
}

async fn check_collection_numbers(database: DatabasePool) {
    let store = SyncStore::open(&database, ProtocolLimits::default(), "a test", NOW).await.unwrap();
    let names = [
        "clients",
        "crypto",
        "forms",
        "history",
        "keys",
        "meta",
        "bookmarks",
        "prefs",
        "tabs",
        "passwords",
        "addons",
        "addresses",
        "creditcards",
    ];
    let mut tx = store.snapshot().await.unwrap();
    for (number, name) in (1..).zip(names) {
        assert_eq!(store.names.number(&mut tx, name).await.unwrap(), Some(number), "{name}");
    }
    for (number, name) in (101..).zip(["dl-items", "dl-history", "dl-feeds", "dl-prefs", "dl-sends", "dl-rules", "dl-parts"]) {
        assert_eq!(store.names.number(&mut tx, name).await.unwrap(), Some(number), "{name}");
    }
    drop(tx);
    let mut tx = store.begin().await.unwrap();
    for (name, number) in [("a", 200), ("b", 201), ("a", 200)] {
        assert_eq!(store.names.give_number(&mut tx, name).await.unwrap(), number);
    }
}

#[tokio::test]
async fn standard_collections_have_documented_numbers() {
    let folder = tempfile::tempdir().unwrap();
    check_collection_numbers(DatabasePool::Folder(folder.path().to_owned())).await;
    match postgres() {
        Ok(server) => check_collection_numbers(DatabasePool::Postgres(server.database().await)).await,
        Err(reason) => eprintln!("PostgreSQL was left out, because {reason}."),
    }
}

async fn purge_plans(database: DatabasePool) -> String {
    let store = SyncStore::open(&database, ProtocolLimits::default(), "a test", NOW).await.unwrap();
    let mut plans = String::new();
    for (statement, values) in [(purge::NEXT_USER, 2), (purge::OBJECTS, 3), (read::EXPIRED, 2), (purge::NEXT_BATCH, 1)] {
        match &store.pools {
            Pools::Sqlite { writer, .. } => {
                let rows =
                    sqlx::raw_sql(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"))).fetch_all(writer).await.unwrap();
                plans.extend(rows.iter().map(|row| format!("{values}: {}\n", row.get::<String, _>(3))));
            }
            Pools::Postgres { pool, .. } => {
                let mut connection = pool.acquire().await.unwrap();
                sqlx::raw_sql("SET plan_cache_mode = force_generic_plan").execute(&mut *connection).await.unwrap();
                plans.push_str(&explain(&mut connection, statement).await);
            }
        }
    }
    plans
}

/// Asserts that each look-up of the purge starts at the rows to delete.
///
/// No rows of other users and no unexpired rows may be read.
#[tokio::test]
async fn purge_finds_expired_rows_through_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = vec![purge_plans(DatabasePool::Folder(folder.path().to_owned())).await];
    match postgres() {
        Ok(server) => all.push(purge_plans(DatabasePool::Postgres(server.database().await)).await),
        Err(reason) => eprintln!("PostgreSQL was left out, because {reason}."),
    }
    for plans in all {
        for (index, times) in [("bsos_expiry_idx", 1), ("bsos_user_expiry_idx", 2), ("batch_expiry_idx", 1)] {
            assert_eq!(plans.matches(index).count(), times, "{index}: {plans}");
        }
        assert!(!plans.contains("Sort Key: expiry") && !plans.contains("TEMP B-TREE FOR ORDER"), "{plans}");
    }
}

async fn check_name_of_refused_write(database: DatabasePool) {
    let limits = ProtocolLimits { quota: Some(1000), ..ProtocolLimits::default() };
    let store = SyncStore::open(&database, limits, "a test", NOW).await.unwrap();
    let refused = BsoWrite { collection: Some("refused".to_owned()), ..post(1, entries(0)) };
    assert!(matches!(store.write(&refused).await, Err(StoreError::Refused(ProtocolRefusal::OVER_QUOTA))));
    let mut tx = store.snapshot().await.unwrap();
    assert_eq!(store.names.number(&mut tx, "refused").await.unwrap(), None);
    drop(tx);
    let accepted = BsoWrite { collection: Some("accepted".to_owned()), ..post(1, Vec::new()) };
    store.write(&accepted).await.unwrap();
    let mut tx = store.snapshot().await.unwrap();
    assert_eq!(store.names.number(&mut tx, "accepted").await.unwrap(), Some(200), "no number is lost");
}

#[tokio::test]
async fn collection_name_is_cached_only_after_successful_write() {
    let folder = tempfile::tempdir().unwrap();
    check_name_of_refused_write(DatabasePool::Folder(folder.path().to_owned())).await;
    match postgres() {
        Ok(server) => check_name_of_refused_write(DatabasePool::Postgres(server.database().await)).await,
        Err(reason) => eprintln!("PostgreSQL was left out, because {reason}."),
    }
}

/// Distributed databases lack the PostgreSQL features whose keywords this test forbids.
#[test]
fn sql_statements_avoid_features_that_only_postgres_has() {
    let never = [
        "serial",
        "advisory",
        "listen",
        "notify",
        "lock table",
        "merge",
        "unnest",
        "trigger",
        "deferrable",
        "temporary",
        "now()",
        "random()",
        "nextval",
    ];
    let schema = include_str!("../../migrations/2026-11-28-storage.sql");
    let code = schema.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<Vec<_>>().join("\n").to_lowercase();
    for (name, text) in statements().into_iter().chain([("schema", code)]) {
        let text = text.to_lowercase();
        for word in never {
            assert!(!text.contains(word), "{name} says {word}");
        }
        // Each statement is restricted to one user, with two exceptions: the look-ups of the purge, and statements on
        // tables that have no user column.
        let belongs_to_no_user = ["BY_NAME", "BY_ID", "NAME", "NEXT_USER", "NEXT_BATCH", "INVITES", "schema"].contains(&name);
        assert!(belongs_to_no_user || text.contains("user_id"), "{name} names no user");
    }
}

#[tokio::test]
async fn writes_to_full_disk_are_refused_as_a_whole_until_space_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        SyncStore::open(&DatabasePool::Folder(folder.path().to_owned()), ProtocolLimits::default(), "a test", NOW).await.unwrap();
    store.write(&post(1, entries(0))).await.unwrap();
    let Pools::Sqlite { writer, .. } = &store.pools else { panic!("not SQLite") };
    // SQLite treats a reached page limit as a full disk.
    sqlx::raw_sql("PRAGMA max_page_count = 1").execute(writer).await.unwrap();
    let mut big = entries(100);
    big.iter_mut().for_each(|entry| entry.payload = Some("x".repeat(10_000)));
    let refused = store.write(&post(1, big.clone())).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    let (states, ..) = store.info(1, NOW, true).await.unwrap();
    assert_eq!(states["tabs"].count, 100, "nothing half done");
    sqlx::raw_sql("PRAGMA max_page_count = 1000000").execute(writer).await.unwrap();
    store.write(&post(1, big)).await.unwrap();
    assert_eq!(store.recount().await.unwrap(), (Vec::new(), 0));
}

#[tokio::test]
async fn connection_whose_rollback_failed_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        SyncStore::open(&DatabasePool::Folder(folder.path().to_owned()), ProtocolLimits::default(), "a test", NOW).await.unwrap();
    for number in 0..10 {
        let mut transaction = if number % 2 == 0 { store.begin().await.unwrap() } else { store.snapshot().await.unwrap() };
        // SQLite rolls back automatically after a disk error. The later rollback by sqlx then finds no transaction.
        on!(&mut transaction, |connection| sqlx::raw_sql("ROLLBACK").execute(connection).await.map(|_| ())).unwrap();
        drop(transaction);
        store.write(&post(1, entries(number))).await.unwrap();
        assert_eq!(store.info(1, NOW, true).await.unwrap().0["tabs"].count, 100 + i64::try_from(number).unwrap());
    }
    assert_eq!(store.recount().await.unwrap(), (Vec::new(), 0));
}

/// Database error that another transaction caused.
#[derive(Debug, thiserror::Error)]
#[error("a conflict")]
pub(super) struct ConflictCase;

impl sqlx::error::DatabaseError for ConflictCase {
    fn message(&self) -> &str {
        "a conflict"
    }

    fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
        Some("40P01".into())
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> sqlx::error::ErrorKind {
        sqlx::error::ErrorKind::Other
    }
}
