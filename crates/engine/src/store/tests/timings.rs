//! Measures the ledger's operations, and creates a ledger for other measurements. `make bench` reads the printed
//! output.
//!
//! Ignored by default, because these tests only measure and assert no times. To run them: `cargo test --release -p
//! ashore-engine --lib -- --ignored --nocapture timings`

use std::time::{Duration, Instant};

use serde_json::json;

use crate::store::{ReleaseOutcome, registrations::queue_order, requests::queue, tests::*};

const REQUESTS: usize = 100_000;
const ROUNDS: u32 = 2_000;
/// Number of paused registrations that precede the runnable registrations.
const PAUSED: usize = 10_000;
/// Numbers of waiting requests. Operations are measured for each of these numbers. Each registration has at most
/// [`REQUESTS`] of the requests.
const PENDING: [usize; 3] = [10, 100_000, 1_000_000];
const PICKS: usize = 2_000;
const FINISHED: usize = 100_000;
/// Measurement of sync: number of downloads in each round, and number of rounds.
const SYNCED: usize = 10_000;
const SYNC_ROUNDS: usize = 10;
/// Number of downloads in each transaction.
const PER_COMMIT: usize = 20;

#[tokio::test]
#[ignore = "measures, in release: `make bench ONLY=queue`"]
async fn ledger_operations_are_timed() {
    let ledger = in_memory().await;
    let new = asked("many", &vec!["https://example.org/folder/file.bin"; REQUESTS]);
    let start = Instant::now();
    ledger.create(&new).await.unwrap();
    let created = start.elapsed();
    let mut spent = [Duration::ZERO; 3];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let guid = ledger.take().await.unwrap().guid;
        spent[0] += start.elapsed();

        let start = Instant::now();
        let mut writing = ledger.store.begin().await.unwrap();
        writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
        writing.commit().await.unwrap();
        spent[1] += start.elapsed();

        let start = Instant::now();
        ledger.complete(guid).await.unwrap();
        spent[2] += start.elapsed();
    }
    let start = Instant::now();
    let mut writing = ledger.store.begin().await.unwrap();
    for _ in 0..ROUNDS {
        let guid = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap().guid;
        writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
        writing.write_completed_download_response(guid, &completed(10), None, 1).await.unwrap();
    }
    writing.commit().await.unwrap();
    let batched = start.elapsed() / ROUNDS;
    let start = Instant::now();
    ledger.abort(new.unique_id).await.unwrap();
    let aborted = start.elapsed();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let all = [
        ("create, per request of 100,000", micros(created) / 100_000.0),
        ("dispatch, one per transaction", micros(spent[0] / ROUNDS)),
        ("response head, one per transaction", micros(spent[1] / ROUNDS)),
        ("completion, one per transaction", micros(spent[2] / ROUNDS)),
        ("dispatch to completion, many per transaction", micros(batched)),
        ("abort of 100,000 requests", micros(aborted)),
    ];
    println!("\ntimings: {}", json!({ "operations": all }));
}

/// Measures storage operation 4 in a whole transaction, with more and more waiting requests. The ledgers take
/// turns, so that drift of the machine affects all of them. A dispatched request is put back, so that each round
/// starts from the same state.
#[tokio::test]
#[ignore = "measures, in release: `make bench ONLY=queue`"]
async fn dispatch_is_timed_with_growing_number_of_waiting_requests() {
    let mut ledgers = Vec::new();
    for pending in PENDING {
        ledgers.push((pending, waiting(pending).await, Vec::new()));
    }
    let mut plans = Vec::new();
    for (_, ledger, _) in &ledgers {
        plans.push(plan(ledger).await);
    }
    for _ in 0..PICKS {
        for (_, ledger, times) in &mut ledgers {
            let start = Instant::now();
            let guid = ledger.take().await.unwrap().guid;
            times.push(start.elapsed().as_secs_f64() * 1e6);
            let mut writing = ledger.store.begin().await.unwrap();
            writing.put_back(guid, 0, &ReleaseOutcome::Pending, 1).await.unwrap();
            writing.commit().await.unwrap();
        }
    }
    let picks: Vec<_> = ledgers.iter().map(|(pending, _, times)| json!({ "pending": pending, "times": times })).collect();
    let is_same_plan = plans.windows(2).all(|two| two[0] == two[1]);
    println!("\ntimings: {}", json!({ "picks": picks, "is_same_plan": is_same_plan }));
}

/// Measures the cost of collecting changes for sync. The same downloads are added and completed in two ledgers; sync is
/// on in only one of them. The ledgers take turns, so that drift of the machine affects both of them.
#[tokio::test]
#[ignore = "measures, in release: `make bench ONLY=sync-client`"]
async fn collecting_changes_for_sync_is_timed() {
    let (off, on) = (in_memory().await, in_memory().await);
    on.begin_sync().await;
    let mut rounds = Vec::new();
    for round in 0..SYNC_ROUNDS {
        let mut micros = Vec::new();
        for ledger in [&off, &on] {
            let (added, completed) = ledger.add_and_complete(round).await;
            micros.push([added, completed].map(|time| time.as_secs_f64() * 1e6 / SYNCED as f64));
        }
        rounds.push(micros);
    }
    assert_eq!(off.count("sync_mark").await, 0);
    assert_eq!(on.count("sync_mark").await, i64::try_from(SYNCED * SYNC_ROUNDS).unwrap());
    println!("\ntimings: {}", json!({ "rounds": rounds }));
}

impl Ledger {
    /// Adds [`SYNCED`] downloads and completes them. Returns the time for adding and the time for completing.
    async fn add_and_complete(&self, round: usize) -> (Duration, Duration) {
        let start = Instant::now();
        for first in (0..SYNCED).step_by(PER_COMMIT) {
            let mut writing = self.store.begin().await.unwrap();
            for number in first..first + PER_COMMIT {
                let new = asked(&format!("{round}, {number}"), &["https://example.org/folder/file.bin"]);
                writing.create_registration(&new, 1).await.unwrap();
            }
            writing.commit().await.unwrap();
        }
        let added = start.elapsed();
        let start = Instant::now();
        for _ in (0..SYNCED).step_by(PER_COMMIT) {
            let mut writing = self.store.begin().await.unwrap();
            for _ in 0..PER_COMMIT {
                let guid = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap().guid;
                writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
                let touched = writing.write_completed_download_response(guid, &completed(10), None, 1).await.unwrap();
                assert!(touched.is_some_and(|touched| touched.settled));
            }
            writing.commit().await.unwrap();
        }
        (added, start.elapsed())
    }
}

/// Creates a ledger with [`FINISHED`] settled and notified registrations at the path in `ASHORE_FINISHED`.
#[tokio::test]
#[ignore = "makes a ledger to measure with: `make bench ONLY=queue`"]
async fn ledger_with_many_finished_registrations_is_created() {
    let path = PathBuf::from(std::env::var_os("ASHORE_FINISHED").expect("ASHORE_FINISHED names a file"));
    let store = LedgerStore::open(&path, false).await.unwrap();
    let new = asked("done", &["http://127.0.0.1/done"]);
    let mut writing = store.begin().await.unwrap();
    writing.create_registration(&new, 1_000_000).await.unwrap();
    let guid = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap().guid;
    writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
    let touched = writing.write_completed_download_response(guid, &completed(10), None, 1).await.unwrap();
    assert!(touched.is_some_and(|touched| touched.settled) && writing.claim(new.unique_id, 1).await.unwrap());
    writing.commit().await.unwrap();
    store.close().await;
    repeat(&path, FINISHED).await;
}

/// Copies the only registration until there are `count` registrations, each with its own ids. Creating them one by one
/// would take minutes.
async fn repeat(path: &Path, count: usize) {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    for table in ["registration", "given", "face", "lane", "request", "req_state", "response_head", "response_done"] {
        let columns = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)").bind(table);
        let columns: Vec<String> = columns.fetch_all(&mut connection).await.unwrap();
        let value = |column: &String| match column.as_str() {
            "reg_id" => "reg_id + n".to_owned(),
            "unique_id" | "guid" => "randomblob(16)".to_owned(),
            other => other.to_owned(),
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        let sql = format!(
            "WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < {last})
             INSERT INTO {table} ({}) SELECT {} FROM {table} CROSS JOIN copy WHERE reg_id = 1",
            columns.join(", "),
            values.join(", "),
            last = count - 1
        );
        let copied = sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        assert_eq!(copied.rows_affected(), count as u64 - 1, "{table}");
    }
    connection.close().await.unwrap();
}

/// Returns a ledger with `pending` requests, and with paused registrations before them.
async fn waiting(pending: usize) -> Ledger {
    let ledger = in_memory().await;
    let mut writing = ledger.store.begin().await.unwrap();
    for number in 0..PAUSED {
        let new = AcceptedRegistration { paused: true, ..asked(&format!("paused {number}"), &["https://example.org/file.bin"]) };
        writing.create_registration(&new, 1).await.unwrap();
    }
    let mut left = pending;
    while left > 0 {
        let count = left.min(REQUESTS);
        let new = asked(&format!("waiting {left}"), &vec!["https://example.org/folder/file.bin"; count]);
        writing.create_registration(&new, 1).await.unwrap();
        left -= count;
    }
    writing.commit().await.unwrap();
    ledger
}

/// Creates a ledger in memory if possible, so that disk syncs are not measured.
async fn in_memory() -> Ledger {
    let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap();
    let store = LedgerStore::open(&folder.path().join("ledger.db"), false).await.unwrap();
    Ledger { store, folder }
}

/// Returns SQLite's query plans for the statements of storage operation 4.
async fn plan(ledger: &Ledger) -> Vec<String> {
    let mut steps = Vec::new();
    for (statements, name) in
        [(queue_order::STATEMENTS, "NEXT_TURN"), (queue::STATEMENTS, "PICK"), (queue::STATEMENTS, "READ_PICKED")]
    {
        let (_, _, sql) = statements.iter().find(|(known, ..)| *known == name).unwrap();
        let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
        let rows = explained.fetch_all(ledger.store.readers()).await.unwrap();
        steps.extend(rows.iter().map(|row| sqlx::Row::get::<String, _>(row, "detail")));
    }
    steps
}
