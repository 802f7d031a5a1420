//! Contract tests, group 3: preconditions.

use serde_json::json;

use crate::support::{Home, Reply, objects, on_both};

const MODIFIED: &str = "x-if-modified-since";
const UNMODIFIED: &str = "x-if-unmodified-since";

async fn send_if_unmodified_since(home: &Home, method: &str, path: &str, since: &str, body: &str) -> Reply {
    home.ask_as(1, method, path, &[(UNMODIFIED, since)], body.to_owned()).await
}

fn seconds(milliseconds: i64) -> String {
    format!("{:.2}", milliseconds as f64 / 1000.0)
}

#[tokio::test]
async fn precondition_of_object_request_uses_modification_time_of_object() {
    on_both(async |home| {
        let first = home.write("/storage/one/a", json!({ "payload": "x" })).await.modified();
        home.write("/storage/one/b", json!({ "payload": "x" })).await.expect(200);
        let reply = home.get_with("/storage/one/a", MODIFIED, seconds(first)).await.expect(304);
        assert_eq!((reply.text.as_str(), reply.modified()), ("", first));
        home.get_with("/storage/one/a", MODIFIED, seconds(first - 10)).await.expect(200);
        home.get_with("/storage/one/a", MODIFIED, seconds(first + 1000)).await.expect(304);
        home.get_with("/storage/one/a", UNMODIFIED, seconds(first)).await.expect(200);
        let reply = home.get_with("/storage/one/a", UNMODIFIED, seconds(first - 10)).await.expect(412);
        assert_eq!((reply.text.as_str(), reply.modified()), ("", first));
        let reply = send_if_unmodified_since(&home, "PUT", "/storage/one/a", &seconds(first - 10), "{\"payload\":\"y\"}")
            .await
            .expect(412);
        assert_eq!((reply.text.as_str(), reply.modified()), ("", first));
        send_if_unmodified_since(&home, "DELETE", "/storage/one/a", &seconds(first - 10), "").await.expect(412);
        assert_eq!(home.get("/storage/one/a").await.json()["payload"], "x");
        send_if_unmodified_since(&home, "PUT", "/storage/one/a", &seconds(first), "{\"payload\":\"y\"}").await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn precondition_of_collection_request_uses_modification_time_of_collection() {
    on_both(async |home| {
        let first = home.write("/storage/one/a", json!({ "payload": "x" })).await.modified();
        let second = home.write("/storage/one/b", json!({ "payload": "x" })).await.modified();
        home.write("/storage/two/b", json!({ "payload": "x" })).await.expect(200);
        assert_eq!(home.get_with("/storage/one", MODIFIED, seconds(second)).await.expect(304).modified(), second);
        home.get_with("/storage/one", MODIFIED, seconds(first)).await.expect(200);
        home.get_with("/storage/one", UNMODIFIED, seconds(first)).await.expect(412);
        for (method, path, body) in [
            ("POST", "/storage/one", "[{\"id\":\"a\",\"payload\":\"y\"}]"),
            ("DELETE", "/storage/one?ids=a", ""),
            ("DELETE", "/storage/one", ""),
            ("POST", "/storage/one?batch=true", "[]"),
        ] {
            let reply = send_if_unmodified_since(&home, method, path, &seconds(first), body).await.expect(412);
            assert_eq!((reply.text.as_str(), reply.modified()), ("", second), "{method} {path}");
        }
        assert_eq!(home.get("/storage/one/a").await.json()["payload"], "x");
        let reply =
            send_if_unmodified_since(&home, "POST", "/storage/one", &seconds(second), "[{\"id\":\"a\"}]").await.expect(200);
        send_if_unmodified_since(&home, "DELETE", "/storage/one?ids=a", &seconds(reply.modified()), "").await.expect(200);
        home.get_with("/storage/nothing", MODIFIED, "0").await.expect(304);
        home.get_with("/storage/nothing", UNMODIFIED, "0").await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn precondition_of_store_request_uses_time_of_newest_write() {
    on_both(async |home| {
        let first = home.post("/storage/one", objects(0..1, "x")).await.modified();
        let last = home.post("/storage/two", objects(0..1, "x")).await.modified();
        for path in ["/info/collections", "/info/collection_counts", "/info/collection_usage", "/info/quota"] {
            assert_eq!(home.get_with(path, MODIFIED, seconds(last)).await.expect(304).modified(), last, "{path}");
            assert_eq!(home.get_with(path, MODIFIED, seconds(first)).await.expect(200).modified(), last, "{path}");
            home.get_with(path, UNMODIFIED, seconds(first)).await.expect(412);
        }
        assert_eq!(send_if_unmodified_since(&home, "DELETE", "/storage", &seconds(first), "").await.expect(412).modified(), last);
        send_if_unmodified_since(&home, "DELETE", "/storage", &seconds(last), "").await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn request_with_both_preconditions_or_invalid_number_is_refused() {
    on_both(async |home| {
        let headers = [(MODIFIED, "1"), (UNMODIFIED, "1")];
        home.ask_as(1, "GET", "/storage/one", &headers, "").await.refused(400, 0);
        home.ask_as(1, "PUT", "/storage/one/a", &headers, "{}").await.refused(400, 0);
        for wrong in ["-3", "x", "1e3"] {
            home.get_with("/storage/one", MODIFIED, wrong).await.refused(400, 0);
            send_if_unmodified_since(&home, "PUT", "/storage/one/a", wrong, "{}").await.refused(400, 0);
        }
    })
    .await;
}

#[tokio::test]
async fn precondition_of_zero_allows_only_creation() {
    on_both(async |home| {
        send_if_unmodified_since(&home, "PUT", "/storage/one/a", "0", "{\"payload\":\"x\",\"ttl\":10}").await.expect(200);
        send_if_unmodified_since(&home, "PUT", "/storage/one/a", "0", "{}").await.expect(412);
        home.advance_clock(10_000);
        send_if_unmodified_since(&home, "PUT", "/storage/one/a", "0", "{\"ttl\":null}").await.expect(200);
        assert_eq!(home.get("/storage/one/a").await.json()["payload"], "", "an expired object does not return");
        home.delete("/storage/one/a").await.expect(200);
        send_if_unmodified_since(&home, "PUT", "/storage/one/a", "0.00", "{}").await.expect(200);
        send_if_unmodified_since(&home, "POST", "/storage/one", "0", "[]").await.expect(412);
        send_if_unmodified_since(&home, "POST", "/storage/new", "0", "[]").await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn requests_are_checked_in_fixed_order() {
    on_both(async |home| {
        home.write("/storage/one/a", json!({ "payload": "x" })).await.expect(200);
        let ask =
            async |path: &str, headers: &[(&str, &str)], body: &str| home.ask_as(1, "POST", path, headers, body.to_owned()).await;
        let (kind, since, count) = (("content-type", "x/y"), (UNMODIFIED, "-1"), ("x-weave-records", "x"));
        home.send(Default::default(), "POST", "/1.5/1/nowhere", &[kind], "{").await.refused(404, 0);
        home.send(Default::default(), "POST", "/1.5/1/storage/one", &[kind], "{").await.refused(401, 0);
        ask("/storage/one?newer=x", &[kind, since], "{").await.expect(415);
        ask("/storage/one", &[since, count], "{").await.refused(400, 0);
        ask("/storage/one", &[count], "{").await.refused(400, 1);
        ask("/storage/one", &[(UNMODIFIED, "0")], "{").await.refused(400, 8);
        ask("/storage/one?batch=x", &[(UNMODIFIED, "0")], "[]").await.expect(412);
        ask("/storage/one?batch=x", &[], "[]").await.refused(400, 0);
        home.app.store.set_quota(1, Some(0)).await.unwrap();
        ask("/storage/one?batch=x", &[], "[]").await.refused(400, 0);
        ask("/storage/one", &[(UNMODIFIED, "0")], "[{\"id\":\"a\",\"payload\":\"xxx\"}]").await.expect(412);
        ask("/storage/one", &[], "[{\"id\":\"a\",\"payload\":\"xxx\"}]").await.refused(403, 14);
    })
    .await;
}
