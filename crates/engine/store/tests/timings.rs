//! How long the operations of transfers take. Ignored: it measures and asserts nothing that a busy machine could break.
//! `cargo test --release -p ashore-engine --lib -- --ignored --nocapture timings`

use std::time::{Duration, Instant};

use super::*;

const REQUESTS: usize = 100_000;
const ROUNDS: u32 = 2_000;

#[tokio::test]
#[ignore = "measures; run it in release"]
async fn timings() {
    let ledger = Ledger::new().await;
    let new = asked("many", &vec!["https://example.org/folder/file.bin"; REQUESTS]);
    let start = Instant::now();
    ledger.create(&new).await.unwrap();
    println!("op 2, {REQUESTS} requests {:>10.1?}", start.elapsed());

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
    for (operation, spent) in [4, 5, 6].iter().zip(spent) {
        println!("op {operation}, a transaction {:>10.1?}", spent / ROUNDS);
    }

    let start = Instant::now();
    let mut writing = ledger.store.begin().await.unwrap();
    for _ in 0..ROUNDS {
        let guid = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap().guid;
        writing.write_active_download_metadata(guid, &head(200, Some(10))).await.unwrap();
        writing.write_completed_download_response(guid, &completed(10), None, 1).await.unwrap();
    }
    writing.commit().await.unwrap();
    println!("op 4 to 6, batched {:>10.1?}", start.elapsed() / ROUNDS);
    let start = Instant::now();
    ledger.abort(new.unique_id).await.unwrap();
    println!("op 8 {:>10.1?}", start.elapsed());
}
