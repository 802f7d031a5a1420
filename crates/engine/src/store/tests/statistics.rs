//! Tests running totals: their cost, and that a rolled-back transaction leaves no trace in them.

use crate::store::tests::*;

/// Creates a registration of `count` files and completes all of them in an uncommitted transaction.
async fn done<'a>(ledger: &'a Ledger, count: usize) -> LedgerWriter<'a> {
    ledger.create(&asked("a", &vec!["https://example.org/a"; count])).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    for _ in 0..count {
        let taken = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap();
        writing.write_completed_download_response(taken.guid, &completed(10), None, 1).await.unwrap();
    }
    writing
}

async fn totals(ledger: &Ledger) -> (u64, u64, u64) {
    let (_, sources) = ledger.store.statistics().await.unwrap();
    let [(RequestSource::Window, counted)] = sources.as_slice() else { panic!("{sources:?}") };
    (counted.added, counted.succeeded, counted.downloaded)
}

#[tokio::test]
async fn transaction_with_many_files_writes_a_single_total_row() {
    let ledger = Ledger::new().await;
    let writing = done(&ledger, 500).await;
    assert_eq!(writing.tallies.registrations(), 1);
    assert_eq!(totals(&ledger).await, (500, 0, 0));
    writing.commit().await.unwrap();
    assert_eq!(totals(&ledger).await, (500, 500, 5000));
}

#[tokio::test]
async fn files_of_rolled_back_transaction_are_not_counted() {
    let ledger = Ledger::new().await;
    drop(done(&ledger, 3).await);
    assert_eq!(totals(&ledger).await, (3, 0, 0));
    let mut writing = ledger.store.begin().await.unwrap();
    while let Some(taken) = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap() {
        writing.write_completed_download_response(taken.guid, &completed(10), None, 1).await.unwrap();
    }
    writing.commit().await.unwrap();
    assert_eq!(totals(&ledger).await, (3, 3, 30));
}
