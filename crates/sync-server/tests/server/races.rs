//! Contract tests, group 5: simultaneous requests, and clocks that jump.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::{objects, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_simultaneous_commits_of_a_batch_succeeds() {
    on_both(async |home| {
        for _ in 0..20 {
            let reply = home.post("/storage/one?batch=true", objects(0..20, "x")).await.expect(202).json();
            let path = format!("/storage/one?batch={}&commit=true", reply["batch"].as_str().unwrap());
            let ask = || {
                let (home, path) = (home.clone(), path.clone());
                tokio::spawn(async move { home.post(&path, json!([])).await.status })
            };
            let (first, second) = tokio::join!(ask(), ask());
            assert!(matches!((first.unwrap(), second.unwrap()), (200, 400) | (400, 200)));
        }
        home.recount().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_stay_correct_if_everything_is_deleted_during_writes() {
    on_both(async |home| {
        for _ in 0..20 {
            let (writing, deleting) = (home.clone(), home.clone());
            let write =
                tokio::spawn(async move { writing.post("/storage/one", objects(0..50, "x")).await.expect(200).modified() });
            let delete = tokio::spawn(async move { deleting.delete("/storage").await.expect(200).modified() });
            let (written, deleted) = (write.await.unwrap(), delete.await.unwrap());
            let left = home.ids("/storage/one").await.len();
            assert_eq!(left, if written > deleted { 50 } else { 0 });
        }
        home.recount().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn purge_keeps_expired_objects_that_are_written_again_meanwhile() {
    on_both(async |home| {
        for _ in 0..10 {
            let body: Value = (0..50).map(|id| json!({ "id": id.to_string(), "payload": "x", "ttl": 1 })).collect();
            home.post("/storage/one", body.clone()).await.expect(200);
            home.advance_clock(1000);
            let (writing, purging) = (home.clone(), home.clone());
            let write = tokio::spawn(async move {
                for id in 0..50 {
                    writing.write(&format!("/storage/one/{id}"), json!({ "payload": "new", "ttl": 100 })).await.expect(200);
                }
            });
            let purge = tokio::spawn(async move { purging.app.store.purge(purging.now()).await.unwrap() });
            write.await.unwrap();
            purge.await.unwrap();
            assert_eq!(home.ids("/storage/one").await.len(), 50);
            home.recount().await;
            home.delete("/storage/one").await.expect(200);
        }
    })
    .await;
}

#[tokio::test]
async fn writes_keep_order_if_clock_goes_back_a_day() {
    on_both(async |home| {
        let before = home.write("/storage/one/a", json!({ "payload": "x", "ttl": 3600 })).await.modified();
        home.advance_clock(-86_400_000);
        let after = home.write("/storage/one/b", json!({ "payload": "x", "ttl": 3600 })).await.expect(200);
        assert_eq!(after.modified(), before + 10);
        assert_eq!(after.header("x-weave-timestamp"), after.text);
        assert_eq!(home.ids(&format!("/storage/one?newer={:.2}", before as f64 / 1000.0)).await, ["b"]);
        home.advance_clock(3_600_000);
        assert_eq!(home.ids("/storage/one").await, ["a"], "a lifetime counts by the clock of the machine");
        home.advance_clock(86_400_000);
        let later = home.write("/storage/one/c", json!({})).await.modified();
        assert_eq!(later, home.now());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_match_a_recount_after_10_000_random_steps() {
    on_both(async |home| {
        let writers = (0..4u64).map(|writer| {
            let home = home.clone();
            tokio::spawn(async move {
                let mut dice = StdRng::seed_from_u64(writer);
                // The writers are divided evenly between users 1 and 2.
                for _ in 0..2500 {
                    step(&home, &mut dice, 1 + (writer % 2) as i64).await;
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        home.recount().await;
        home.advance_clock(1_000_000_000);
        home.app.store.purge(home.now()).await.unwrap();
        home.recount().await;
    })
    .await;
}

/// Performs a random operation. Any status except a server error is correct.
async fn step(home: &crate::support::Home, dice: &mut StdRng, user: i64) {
    let collection = ["tabs", "one", "two"][dice.random_range(0..3)];
    let id = dice.random_range(0..30).to_string();
    let entry = |dice: &mut StdRng| {
        let mut entry = json!({ "id": dice.random_range(0..30).to_string() });
        if dice.random_bool(0.8) {
            entry["payload"] = "ä".repeat(dice.random_range(0..50)).into();
        }
        if dice.random_bool(0.3) {
            entry["ttl"] = dice.random_range(0..20).into();
        }
        entry
    };
    let entries = |dice: &mut StdRng| {
        let mut entries: Vec<Value> = (0..dice.random_range(0..4)).map(|_| entry(dice)).collect();
        entries.sort_by_key(|entry| entry["id"].to_string());
        entries.dedup_by_key(|entry| entry["id"].to_string());
        Value::from(entries).to_string()
    };
    let (method, path, body) = match dice.random_range(0..100) {
        0..35 => {
            let mut body = entry(dice);
            body.as_object_mut().unwrap().remove("id");
            ("PUT", format!("/storage/{collection}/{id}"), body.to_string())
        }
        35..60 => ("POST", format!("/storage/{collection}"), entries(dice)),
        60..70 => ("POST", format!("/storage/{collection}?batch=true&commit=true"), entries(dice)),
        70..80 => ("DELETE", format!("/storage/{collection}/{id}"), String::new()),
        80..86 => ("DELETE", format!("/storage/{collection}?ids={id},1,2"), String::new()),
        86..88 => ("DELETE", format!("/storage/{collection}"), String::new()),
        88 => ("DELETE", "/storage".to_owned(), String::new()),
        89..92 => {
            home.advance_clock(dice.random_range(0..3000));
            home.app.store.purge(home.now()).await.unwrap();
            return;
        }
        _ => {
            let begun = home.ask_as(user, "POST", &format!("/storage/{collection}?batch=true"), &[], entries(dice)).await;
            assert!(matches!(begun.status, 202 | 400), "{begun:?}");
            if begun.status == 400 {
                // Too many batches are open. Advance the clock by two hours, so that the open batches expire.
                home.advance_clock(7_200_000);
                return;
            }
            let batch = begun.json()["batch"].as_str().unwrap().to_owned();
            let commit = if dice.random_bool(0.7) { "&commit=true" } else { "" };
            ("POST", format!("/storage/{collection}?batch={batch}{commit}"), entries(dice))
        }
    };
    let reply = home.ask_as(user, method, &path, &[], body).await;
    assert!(matches!(reply.status, 200 | 202 | 400 | 404), "{method} {path}: {reply:?}");
}
