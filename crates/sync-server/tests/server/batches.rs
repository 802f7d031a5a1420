//! Contract tests, group 2: batches.

use serde_json::json;

use crate::support::{Home, Setup, objects, on_both, with};

const HOUR: i64 = 3_600_000;

async fn begin(home: &Home, collection: &str, body: serde_json::Value) -> String {
    let reply = home.post(&format!("/storage/{collection}?batch=true"), body).await.expect(202);
    reply.json()["batch"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn batch_is_invisible_until_it_is_committed() {
    on_both(async |home| {
        let before = home.post("/storage/one", objects(0..2, "x")).await.expect(200);
        let reply = home.post("/storage/one?batch=true", objects(1..4, "y")).await.expect(202);
        assert_eq!(reply.modified(), before.modified(), "a batch modifies nothing");
        assert_eq!(reply.json()["success"], json!(["01", "02", "03"]));
        assert_eq!(home.get("/storage/one").await.header("x-weave-records"), "2");
        assert_eq!(home.get("/storage/one/01").await.json()["payload"], "x");
        begin(&home, "two", objects(0..1, "x")).await;
        assert_eq!(
            home.get("/info/collections").await.json().as_object().unwrap().len(),
            1,
            "a collection of a batch is not there yet"
        );
        assert_eq!(home.get("/storage/two").await.header("x-last-modified"), "0.00");
        assert_eq!(home.get("/info/collections").await.modified(), before.modified());
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn all_objects_of_a_batch_get_the_same_time() {
    on_both(async |home| {
        home.post("/storage/one", json!([{ "id": "00", "payload": "old", "sortindex": 3 }])).await.expect(200);
        let batch = begin(&home, "one", objects(0..3, "x")).await;
        home.advance_clock(1000);
        home.post(&format!("/storage/one?batch={batch}"), json!([{ "id": "03", "ttl": 100 }])).await.expect(202);
        home.advance_clock(1000);
        let reply = home.post(&format!("/storage/one?batch={batch}&commit=true"), objects(4..5, "x")).await.expect(200);
        assert_eq!(reply.json()["modified"].as_f64().unwrap(), reply.modified() as f64 / 1000.0);
        let rows = home.get("/storage/one?full=1").await.json();
        assert_eq!(rows.as_array().unwrap().len(), 5);
        assert!(rows.as_array().unwrap().iter().all(|row| row["modified"] == reply.json()["modified"]), "{rows}");
        assert_eq!(home.get("/info/collections").await.json()["one"], reply.json()["modified"]);
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn later_entries_of_a_batch_override_earlier_ones() {
    on_both(async |home| {
        let batch = begin(&home, "one", json!([{ "id": "a", "payload": "first", "sortindex": 5 }])).await;
        home.post(&format!("/storage/one?batch={batch}"), json!([{ "id": "a", "payload": "second, and longer" }]))
            .await
            .expect(202);
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([{ "id": "a", "payload": "third" }]))
            .await
            .expect(200);
        let row = home.get("/storage/one/a").await.json();
        assert_eq!((row["payload"].as_str().unwrap(), row["sortindex"].as_i64().unwrap()), ("third", 5));
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn only_valid_entries_of_batch_are_written() {
    on_both(async |home| {
        let reply = home
            .post("/storage/one?batch=true", json!([{ "id": "a", "payload": "x" }, { "id": "b\n", "payload": "y" }]))
            .await
            .expect(202)
            .json();
        assert_eq!((reply["success"].clone(), reply["failed"].as_object().unwrap().len()), (json!(["a"]), 1));
        let batch = reply["batch"].as_str().unwrap();
        let reply = home
            .post(&format!("/storage/one?batch={batch}&commit=true"), json!([{ "id": "c" }, { "id": "d", "ttl": -12 }]))
            .await
            .expect(200)
            .json();
        assert_eq!((reply["success"].clone(), reply["failed"].as_object().unwrap().len()), (json!(["c"]), 1));
        assert_eq!(home.ids("/storage/one?sort=oldest").await, ["a", "c"]);
    })
    .await;
}

#[tokio::test]
async fn batch_keeps_stored_values_of_absent_fields() {
    on_both(async |home| {
        let first = home
            .post("/storage/one", json!([{ "id": "a", "payload": "aai" }, { "id": "b", "payload": "bee", "sortindex": 17 }]))
            .await;
        let batch = begin(&home, "one", json!([{ "id": "b", "payload": "bii" }, { "id": "c", "payload": "sea" }])).await;
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        let row = home.get("/storage/one/b").await.json();
        assert_eq!((row["payload"].clone(), row["sortindex"].clone()), (json!("bii"), json!(17)));
        assert_eq!(home.get("/storage/one/a").await.modified(), first.modified());
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn lifetime_of_objects_in_batch_begins_at_commit() {
    on_both(async |home| {
        let batch = begin(&home, "one", json!([{ "id": "a", "ttl": 3600 }, { "id": "b", "ttl": null }])).await;
        home.advance_clock(HOUR);
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        home.advance_clock(HOUR - 1000);
        assert_eq!(home.ids("/storage/one").await, ["b", "a"]);
        home.advance_clock(2000);
        assert_eq!(home.ids("/storage/one").await, ["b"]);
    })
    .await;
}

#[tokio::test]
async fn batch_commit_accepts_empty_list_in_json_or_newlines_format() {
    on_both(async |home| {
        for (content, body, status) in [
            ("application/json", "[]", 200),
            ("application/json", "{}", 400),
            ("application/json", "", 400),
            ("application/newlines", "", 200),
            ("application/newlines", "\n", 400),
            ("application/newlines", "{}", 400),
            ("application/newlines", "[]", 400),
        ] {
            let batch = begin(&home, "one", objects(0..5, "x")).await;
            let path = format!("/storage/one?commit=true&batch={batch}");
            let reply = home.ask_as(1, "POST", &path, &[("content-type", content)], body).await;
            assert_eq!(reply.status, status, "{content} {body:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn batch_can_begin_and_be_committed_in_one_request() {
    on_both(async |home| {
        home.post("/storage/one", objects(0..1, "x")).await.expect(200);
        let reply =
            home.post("/storage/one?batch=true&commit=true", json!([{ "id": "00", "ttl": 9 }, { "id": "01" }])).await.expect(200);
        assert!(reply.json().get("batch").is_none());
        assert_eq!(home.get("/storage/one/00").await.modified(), reply.modified(), "a batch raises the time of every object");
        home.post("/storage/one?commit=true", json!([])).await.refused(400, 0);
        home.post("/storage/one?batch=true&commit=yes", json!([])).await.refused(400, 0);
    })
    .await;
}

#[tokio::test]
async fn batch_can_be_committed_only_once() {
    on_both(async |home| {
        let batch = begin(&home, "one", objects(0..1, "x")).await;
        let commit = format!("/storage/one?batch={batch}&commit=true");
        home.post(&commit, json!([])).await.expect(200);
        home.post(&commit, json!([])).await.refused(400, 0);
        home.post(&format!("/storage/one?batch={batch}"), json!([])).await.refused(400, 0);
        home.post("/storage/one?batch=sammich", json!([])).await.refused(400, 0);
    })
    .await;
}

#[tokio::test]
async fn batch_of_another_user_is_unknown() {
    on_both(async |home| {
        let batch = begin(&home, "one", objects(0..1, "x")).await;
        for path in [format!("/storage/one?batch={batch}"), format!("/storage/one?batch={batch}&commit=true")] {
            home.ask_as(2, "POST", &path, &[], "[]").await.refused(400, 0);
        }
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn batch_of_another_collection_is_unknown() {
    on_both(async |home| {
        let batch = begin(&home, "one", objects(0..1, "x")).await;
        home.post("/storage/two", objects(0..1, "x")).await.expect(200);
        for collection in ["two", "three", "tabs"] {
            home.post(&format!("/storage/{collection}?batch={batch}"), json!([])).await.refused(400, 0);
            home.post(&format!("/storage/{collection}?batch={batch}&commit=true"), json!([])).await.refused(400, 0);
        }
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        assert_eq!(home.ids("/storage/one").await, ["00"]);
    })
    .await;
}

#[tokio::test]
async fn batch_expires_after_two_hours() {
    on_both(async |home| {
        let batch = begin(&home, "one", objects(0..1, "x")).await;
        home.advance_clock(2 * HOUR);
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.refused(400, 0);
        assert_eq!(home.app.store.purge(home.now()).await.unwrap().batches, 1);
        assert_eq!(home.get("/storage/one").await.text, "[]");
    })
    .await;
}

#[tokio::test]
async fn objects_that_exceed_total_limits_of_batch_are_refused() {
    let mut setup = Setup::default();
    (setup.limits.max_total_records, setup.limits.max_total_bytes, setup.limits.open_batches) = (5, 100, 2);
    with(setup, async |home| {
        let batch = begin(&home, "one", objects(0..3, "x")).await;
        home.post(&format!("/storage/one?batch={batch}"), objects(3..6, "x")).await.refused(400, 17);
        home.post(&format!("/storage/one?batch={batch}"), json!([{ "id": "a", "payload": "x".repeat(98) }]))
            .await
            .refused(400, 17);
        home.post(&format!("/storage/one?batch={batch}"), objects(3..5, "x")).await.expect(202);
        begin(&home, "one", json!([])).await;
        home.post("/storage/two?batch=true", json!([])).await.refused(400, 17);
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        assert_eq!(home.ids("/storage/one").await.len(), 5);
        begin(&home, "two", json!([])).await;
    })
    .await;
}

#[tokio::test]
async fn announced_totals_of_batch_are_refused_if_invalid_or_over_limit() {
    on_both(async |home| {
        for (name, fits, beyond) in
            [("x-weave-total-records", "10000", "10001"), ("x-weave-total-bytes", "262144000", "262144001")]
        {
            home.ask_as(1, "POST", "/storage/one?batch=true", &[(name, fits)], "[]").await.expect(202);
            home.ask_as(1, "POST", "/storage/one?batch=true", &[(name, beyond)], "[]").await.refused(400, 17);
            home.ask_as(1, "POST", "/storage/one?batch=true", &[(name, "-1")], "[]").await.refused(400, 1);
            home.ask_as(1, "POST", "/storage/one", &[(name, fits)], "[]").await.refused(400, 1);
        }
    })
    .await;
}

#[tokio::test]
async fn deleting_a_collection_deletes_its_batches() {
    on_both(async |home| {
        home.post("/storage/one", objects(0..1, "x")).await.expect(200);
        let first = begin(&home, "one", objects(1..2, "x")).await;
        home.delete("/storage/one").await.expect(200);
        home.post(&format!("/storage/one?batch={first}&commit=true"), json!([])).await.refused(400, 0);
        let second = begin(&home, "one", objects(1..2, "x")).await;
        home.delete("/storage").await.expect(200);
        home.post(&format!("/storage/one?batch={second}&commit=true"), json!([])).await.refused(400, 0);
        assert_eq!(home.get("/storage/one").await.text, "[]");
    })
    .await;
}

#[tokio::test]
async fn batch_limits_apply_only_to_rows_that_are_stored_by_commit() {
    let mut setup = Setup::default();
    (setup.limits.max_total_records, setup.limits.max_total_bytes, setup.limits.quota) = (5, 100, Some(150));
    with(setup, async |home| {
        let batch = begin(&home, "one", objects(0..4, &"x".repeat(20))).await;
        let append = format!("/storage/one?batch={batch}");
        for _ in 0..5 {
            home.post(&append, objects(0..4, &"y".repeat(20))).await.expect(202);
        }
        home.post(&append, objects(4..6, "x")).await.refused(400, 17);
        home.post(&append, objects(4..5, &"x".repeat(21))).await.refused(400, 17);
        home.post(&append, objects(4..5, &"x".repeat(20))).await.expect(202);
        home.post(&format!("{append}&commit=true"), json!([])).await.expect(200);
        // The collection has 100 bytes and the quota is 150. A batch that replaces the 100 bytes fits, but a batch that
        // adds another 100 bytes does not.
        let batch = begin(&home, "one", objects(0..5, &"z".repeat(20))).await;
        home.post(&format!("/storage/one?batch={batch}&commit=true"), json!([])).await.expect(200);
        home.post("/storage/one?batch=true", objects(5..10, &"z".repeat(20))).await.refused(403, 14);
        home.recount().await;
    })
    .await;
}

#[tokio::test]
async fn collection_limit_applies_to_batches() {
    let mut setup = Setup::default();
    setup.limits.custom_collections = 2;
    with(setup, async |home| {
        let mut batches = Vec::new();
        for name in ["one", "two", "three"] {
            batches.push((name, begin(&home, name, objects(0..1, "x")).await));
        }
        for (name, batch) in batches {
            let reply = home.post(&format!("/storage/{name}?batch={batch}&commit=true"), json!([])).await;
            if name == "three" {
                reply.refused(400, 17)
            } else {
                reply.expect(200)
            };
        }
        assert_eq!(home.get("/info/collections").await.json().as_object().unwrap().len(), 2);
        home.post("/storage/four?batch=true", json!([])).await.refused(400, 17);
        home.post("/storage/tabs", objects(0..1, "x")).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn expired_object_uses_no_quota_after_it_is_replaced() {
    let mut setup = Setup::default();
    setup.limits.quota = Some(100);
    with(setup, async |home| {
        home.write("/storage/one/a", json!({ "payload": "x".repeat(90), "ttl": 10 })).await.expect(200);
        home.advance_clock(10_000);
        let reply = home.write("/storage/one/b", json!({ "payload": "x".repeat(60) })).await.expect(200);
        assert_eq!(reply.header("x-weave-quota-remaining"), "0");
        home.write("/storage/one/a", json!({ "payload": "x".repeat(80) })).await.refused(403, 14);
        home.post("/storage/one?batch=true&commit=true", json!([{ "id": "a", "payload": "x".repeat(80) }]))
            .await
            .refused(403, 14);
        home.post("/storage/one?batch=true", json!([{ "id": "a", "payload": "x".repeat(80) }])).await.refused(403, 14);
        home.write("/storage/one/a", json!({ "payload": "x".repeat(40) })).await.expect(200);
        home.recount().await;
        home.app.store.purge(home.now()).await.unwrap();
        home.recount().await;
    })
    .await;
}
