//! Contract tests, group 4: the differences D1 to D6 from the public Sync Storage server, in this order.

use std::{collections::BTreeSet, sync::mpsc};

use ashore_sync_server::protocol::{BsoQuery, ProtocolLimits};
use serde_json::json;

use crate::support::{objects, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_several_simultaneous_creations_of_object_succeeds() {
    on_both(async |home| {
        for round in 0..100 {
            let ask = |payload: &'static str| {
                let home = home.clone();
                tokio::spawn(async move {
                    let path = format!("/storage/meta/global{round}");
                    home.ask_as(1, "PUT", &path, &[("x-if-unmodified-since", "0")], json!({ "payload": payload }).to_string())
                        .await
                        .status
                })
            };
            let (first, second) = tokio::join!(ask("first"), ask("second"));
            let (first, second) = (first.unwrap(), second.unwrap());
            assert!(matches!((first, second), (200, 412) | (412, 200)), "round {round}: {first} {second}");
            let winner = if first == 200 { "first" } else { "second" };
            assert_eq!(home.get(&format!("/storage/meta/global{round}")).await.json()["payload"], winner);
        }
        home.recount().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_writes_get_different_times() {
    on_both(async |home| {
        let writers = (0..8).map(|writer| {
            let home = home.clone();
            tokio::spawn(async move {
                let mut times = Vec::new();
                for number in 0..100 {
                    // The simulated clock does not advance, so the time of each write is one tick later than that of
                    // the previous write.
                    let path = format!("/storage/{}/{number}", ["tabs", "history", "forms", "prefs"][writer % 4]);
                    times.push(home.write(&path, json!({ "payload": writer.to_string() })).await.expect(200).modified());
                }
                assert!(times.is_sorted());
                times
            })
        });
        let mut times = BTreeSet::new();
        for writer in writers.collect::<Vec<_>>() {
            times.extend(writer.await.unwrap());
        }
        assert_eq!(times.len(), 800, "no two writes have one time");
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn write_over_expired_object_creates_new_object() {
    on_both(async |home| {
        home.write("/storage/one/a", json!({ "payload": "old", "sortindex": 5, "ttl": 10 })).await.expect(200);
        home.advance_clock(10_000);
        let written = home.write("/storage/one/a", json!({ "ttl": 100 })).await.expect(200);
        let row = home.get("/storage/one/a").await;
        assert_eq!(
            (row.json()["payload"].clone(), row.json().get("sortindex").cloned(), row.modified()),
            (json!(""), None, written.modified())
        );
        home.advance_clock(50_000);
        assert_eq!(home.ids("/storage/one").await, ["a"], "its lifetime is the new one");
        home.write("/storage/one/a", json!({ "payload": "new", "ttl": 0 })).await.expect(200);
        home.write("/storage/one/a", json!({ "sortindex": 1 })).await.expect(200);
        assert_eq!(home.get("/storage/one/a").await.json()["payload"], "");
        home.advance_clock(1_000_000);
        assert_eq!(home.ids("/storage/one").await, ["a"], "the expired lifetime does not apply to the new object");
        home.recount().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reader_does_not_block_writers() {
    on_both(async |home| {
        home.post("/storage/one", objects(0..50, "x")).await.expect(200);
        let (reading, is_reading) = mpsc::channel();
        let (written, is_written) = mpsc::channel::<()>();
        let (app, now) = (home.app.clone(), home.now());
        let runtime = tokio::runtime::Handle::current();
        // Run the reader on a thread that may block.
        let reader = tokio::task::spawn_blocking(move || {
            runtime.block_on(async move {
                let query = BsoQuery::read("full=1", &ProtocolLimits::default()).unwrap();
                let mut rows = 0;
                let mut listing = app.store.listing(1, "one", now).await.unwrap();
                reading.send(()).unwrap();
                // The snapshot exists now. A write must not wait for the snapshot, and must not be visible in it.
                is_written.recv().unwrap();
                listing.read(&query, |row| rows += i32::from(row.payload.as_deref() == Some("x"))).await.unwrap();
                rows
            })
        });
        tokio::task::spawn_blocking(move || is_reading.recv().unwrap()).await.unwrap();
        home.post("/storage/one", objects(0..50, "y")).await.expect(200);
        written.send(()).unwrap();
        assert_eq!(reader.await.unwrap(), 50, "a page shows one moment");
    })
    .await;
}

#[tokio::test]
async fn timestamp_advances_when_all_data_of_user_is_deleted() {
    on_both(async |home| {
        let written = home.write("/storage/one/a", json!({ "payload": "x" })).await.modified();
        for path in ["/storage", "", "/"] {
            let deleted = home.delete(path).await.expect(200);
            assert!(deleted.modified() > written, "{path}");
            let info = home.get("/info/collections").await;
            assert_eq!((info.text.as_str(), info.modified()), ("{}", deleted.modified()));
        }
        let again = home.write("/storage/one/a", json!({ "payload": "x" })).await.modified();
        assert_eq!(again, written + 40);
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn large_first_commit_on_new_database_stores_all_objects() {
    on_both(async |home| {
        let reply = home.post("/storage/one?batch=true", json!([])).await.expect(202).json();
        let batch = reply["batch"].as_str().unwrap();
        for part in 0..30 {
            let ids = part * 100..part * 100 + 100;
            home.post(&format!("/storage/one?batch={batch}"), objects(ids, &"x".repeat(200))).await.expect(202);
        }
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        assert_eq!(home.ids("/storage/one").await.len(), 3000);
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn long_listing_is_sent_in_parts() {
    on_both(async |home| {
        for part in 0..4u32 {
            let entry = |id: u32| json!({ "id": format!("{id:03}"), "payload": "x".repeat(50_000), "sortindex": id % 7 });
            home.post("/storage/one", (part * 20..part * 20 + 20).map(entry).collect()).await.expect(200);
        }
        for (query, rows, has_next) in [
            ("full=1", 80, false),
            ("full=1&sort=oldest", 80, false),
            ("full=1&sort=index", 80, false),
            ("full=1&limit=80", 80, false),
            ("full=1&limit=70&sort=oldest", 70, true),
            ("full=1&limit=70&sort=index", 70, true),
        ] {
            let path = format!("/1.5/1/storage/one?{query}");
            let request = http::Request::builder().uri(&path).header("host", crate::support::HOST);
            let request = request.header("authorization", home.sign(1, "GET", &path)).body(axum::body::Body::empty()).unwrap();
            let response = ashore_sync_server::http::answer(home.app.clone())(Default::default(), request).await;
            let next = response.headers().get("x-weave-next-offset").map(|next| next.to_str().unwrap().to_owned());
            assert_eq!(
                (response.headers()["x-weave-records"].to_str().unwrap(), next.is_some()),
                (rows.to_string().as_str(), has_next)
            );
            let (mut body, mut text) = (response.into_body(), Vec::new());
            while let Some(frame) = http_body_util::BodyExt::frame(&mut body).await {
                let frame = frame.unwrap().into_data().unwrap();
                assert!(frame.len() < 200_000, "a part has {} bytes", frame.len());
                text.extend_from_slice(&frame);
            }
            let mut ids: Vec<String> = serde_json::from_slice::<Vec<serde_json::Value>>(&text)
                .unwrap()
                .iter()
                .map(|row| row["id"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(ids.len(), rows);
            if let Some(next) = next {
                let sort = query.rsplit_once('&').unwrap().1;
                ids.extend(home.ids(&format!("/storage/one?{sort}&offset={next}")).await);
            }
            let sort = query.split('&').find(|part| part.starts_with("sort")).unwrap_or("sort=newest");
            assert_eq!(ids, home.ids(&format!("/storage/one?{sort}")).await, "{query}");
        }
        let lines = home.ask_as(1, "GET", "/storage/one?full=1", &[("accept", "application/newlines")], "").await;
        assert_eq!(lines.text.lines().count(), 80);
    })
    .await;
}
