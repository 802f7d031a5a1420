//! Tests limits on the cost of operations. Cost is measured in steps of SQLite's virtual machine instead of time.
//!
//! The cost must not grow with the number of requests, or with the number of registrations ahead in the queue.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::store::{ReleaseOutcome, ledger::LedgerWriter, tests::*};

/// Number of requests, large enough that a full scan costs far more than a search in an index.
const MANY: i64 = 100_000;
const AHEAD: i64 = 10_000;

/// Creates a ledger with paused registrations at the head of the queue, a finished history, and a registration with
/// `requests` requests. Most rows are written directly, since only the later operations are measured.
async fn filled(ahead: i64, requests: i64) -> (Ledger, UniqueId) {
    let ledger = Ledger::new().await;
    let id = UniqueId(Uuid::new_v4());
    let mut beside = ledger.beside().await;
    sqlx::raw_sql(
        "INSERT INTO owner (owner_id, name) VALUES (1, 'window'); INSERT INTO host (host_id, name) VALUES (1, 'example.org:443')",
    )
    .execute(&mut beside)
    .await
    .unwrap();
    for (first, count, columns, values) in [
        (1, ahead, "active, paused, lane_rank, n_requests, n_pending, n_unsized", "1, 1, n, 1, 1, 1"),
        (1_000_001, ahead, "active, event, lane_rank, n_requests, n_pending, n_succeeded, n_unsized", "0, 2, n, 1, 0, 1, 0"),
    ] {
        let sql = format!(
            "INSERT INTO registration (reg_id, unique_id, owner_id, created_us, {columns})
             WITH RECURSIVE c(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < ?1 + ?2)
             SELECT n, randomblob(16), 1, 0, {values} FROM c"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(first).bind(count).execute(&mut beside).await.unwrap();
    }
    sqlx::raw_sql(
        "INSERT INTO request (reg_id, idx, method, url, url_key) SELECT reg_id, 0, 'GET', 'https://example.org/', 1 FROM registration;
         INSERT INTO req_state (reg_id, idx, host_id) SELECT reg_id, 0, 1 FROM registration WHERE active = 1;
         INSERT INTO lane (reg_id, host_id, first_idx, n_pending) SELECT reg_id, 1, 0, n_pending FROM registration;
         INSERT INTO given (reg_id, developer_id, folder) SELECT reg_id, reg_id, '/' FROM registration;
         INSERT INTO face (reg_id) SELECT reg_id FROM registration;
         INSERT INTO active_name (reg_id, owner_id, developer_id) SELECT reg_id, 1, reg_id FROM registration WHERE active = 1",
    )
    .execute(&mut beside)
    .await
    .unwrap();
    beside.close().await.unwrap();
    let many = AcceptedRegistration { unique_id: id, ..asked("many", &vec!["https://example.org/file"; requests as usize]) };
    ledger.create(&many).await.unwrap();
    (ledger, id)
}

/// Returns the number of SQLite steps of each operation, with the name of the operation.
async fn steps(ledger: &Ledger, id: UniqueId) -> Vec<(&'static str, u64)> {
    let counter = Arc::new(AtomicU64::new(0));
    let mut writing = ledger.store.begin().await.unwrap();
    let counting = counter.clone();
    writing.connection().unwrap().lock_handle().await.unwrap().set_progress_handler(1, move || {
        counting.fetch_add(1, Ordering::Relaxed);
        true
    });
    let mut taken = Vec::new();
    let note = |taken: &mut Vec<(&'static str, u64)>, name| taken.push((name, counter.swap(0, Ordering::Relaxed)));
    let unknown = trouble("dns");

    let one = next(&mut writing).await;
    note(&mut taken, "op 4");
    writing.write_active_download_metadata(one, &head(200, Some(10))).await.unwrap().unwrap();
    note(&mut taken, "op 5");
    writing.write_completed_download_response(one, &completed(10), None, 1).await.unwrap().unwrap();
    note(&mut taken, "op 6");
    let two = next(&mut writing).await;
    note(&mut taken, "op 4 again");
    writing.write_failed_download_response(two, &failed(FailureReason::FetchError, "dns"), None, 1).await.unwrap().unwrap();
    note(&mut taken, "op 6, failed");
    let three = next(&mut writing).await;
    counter.store(0, Ordering::Relaxed);
    writing.put_back(three, 5, &ReleaseOutcome::Pending, 1).await.unwrap().unwrap();
    note(&mut taken, "put back");
    let three = next(&mut writing).await;
    let how = ReleaseOutcome::Waiting {
        not_before_us: 5,
        trouble: unknown.clone(),
        status: None,
        progressed: false,
        run: RunRow::default(),
    };
    counter.store(0, Ordering::Relaxed);
    writing.put_back(three, 5, &how, 1).await.unwrap().unwrap();
    note(&mut taken, "put off");
    assert_eq!(writing.wake_due(10, 10).await.unwrap(), [id]);
    note(&mut taken, "wake");
    writing.move_to(id, QueuePlace::Top).await.unwrap();
    note(&mut taken, "move");
    writing.set_paused(Some(id), true, 1).await.unwrap();
    note(&mut taken, "pause");
    writing.set_paused(Some(id), false, 1).await.unwrap();
    note(&mut taken, "resume");
    let active = next(&mut writing).await;
    counter.store(0, Ordering::Relaxed);
    let guids = writing.mark_registration_for_deletion(id, FailureReason::Aborted, &unknown, 1).await.unwrap().unwrap();
    assert_eq!(guids, [active]);
    note(&mut taken, "op 8");
    writing.put_back(active, 0, &ReleaseOutcome::Pending, 1).await.unwrap().unwrap();
    note(&mut taken, "put back late");
    assert!(writing.claim(id, 1).await.unwrap());
    note(&mut taken, "claim");
    writing.mark_for_removal(id, true).await.unwrap();
    note(&mut taken, "doom");
    assert_eq!(writing.garbage_collect().await.unwrap(), [id]);
    note(&mut taken, "op 10");
    assert!(!writing.delete_registration(id, 3).await.unwrap());
    note(&mut taken, "op 9, a chunk");
    writing.connection().unwrap().lock_handle().await.unwrap().remove_progress_handler();
    taken
}

async fn next(writing: &mut LedgerWriter<'_>) -> Guid {
    writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap().guid
}

#[tokio::test]
async fn operation_cost_does_not_grow_with_number_of_requests() {
    let (small, small_id) = filled(10, 10).await;
    let (large, large_id) = filled(AHEAD, MANY).await;
    let (few, many) = (steps(&small, small_id).await, steps(&large, large_id).await);
    assert_eq!(few.len(), 17);
    for ((name, few), (_, many)) in few.iter().zip(&many) {
        assert!(*few > 0, "{name} did nothing");
        assert!(*many <= few + 50, "{name}: {few} steps with 10 requests, {many} with {MANY}");
    }
}

/// The cost of starting the engine depends on the active requests, not on the history.
#[tokio::test]
async fn start_queries_do_not_read_finished_registrations() {
    let ledger = filled(AHEAD, 10).await.0;
    for _ in 0..3 {
        ledger.take().await.unwrap();
    }
    let mut reader = ledger.store.readers().acquire().await.unwrap();
    let counter = Arc::new(AtomicU64::new(0));
    let counting = counter.clone();
    reader.lock_handle().await.unwrap().set_progress_handler(1, move || {
        counting.fetch_add(1, Ordering::Relaxed);
        true
    });
    let lists = ["READ_ACTIVE", "UNDER_WAY", "FINISHED", "FINISHED_WITH_REST", "OWED", "NEXT_DUE", "RUNNING", "ALL_ACTIVE_GUIDS"];
    let rooms = [
        crate::store::requests::queue::STATEMENTS,
        crate::store::registrations::list::STATEMENTS,
        crate::store::requests::outcomes::STATEMENTS,
        crate::store::registrations::lifecycle::STATEMENTS,
    ];
    let mut seen = 0;
    for (name, _, sql) in rooms.iter().flat_map(|room| room.iter()).filter(|(name, ..)| lists.contains(name)) {
        counter.store(0, Ordering::Relaxed);
        sqlx::query(AssertSqlSafe(*sql)).fetch_all(&mut *reader).await.unwrap();
        let steps = counter.load(Ordering::Relaxed);
        assert!(steps < 500, "{name}: {steps} steps for 3 active requests");
        seen += 1;
    }
    assert_eq!(seen, lists.len());
    reader.lock_handle().await.unwrap().remove_progress_handler();
}
