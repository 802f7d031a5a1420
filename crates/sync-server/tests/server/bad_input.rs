//! Tests requests that are not valid, and requests during failures of the database.

use std::{str::FromStr as _, time::Duration};

use ashore_sync_server::{http::HttpSettings, store::DatabasePool};
use ashore_testkit::sync_server::postgres::postgres;
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use serde_json::json;
use sqlx::{AssertSqlSafe, ConnectOptions as _, postgres::PgConnectOptions};

use crate::support::{Home, Setup, objects, on_both, wait_for_waiting, with};

#[tokio::test]
async fn ten_megabyte_body_is_refused_before_reading() {
    on_both(async |home| {
        let announced = home.ask_as(1, "POST", "/storage/one", &[("content-length", "10485760")], Body::empty()).await;
        announced.refused(413, 17);
        let parts = stream::repeat_with(|| Ok::<_, std::convert::Infallible>(Bytes::from(vec![b' '; 65_536])));
        home.ask_as(1, "POST", "/storage/one", &[], Body::from_stream(parts)).await.refused(413, 17);
    })
    .await;
}

#[tokio::test]
async fn request_with_slow_body_times_out() {
    let settings = HttpSettings { allows_new_users: true, body_time: Duration::from_millis(50), ..HttpSettings::default() };
    with(Setup { settings, ..Setup::default() }, async |home| {
        let never = stream::pending::<Result<Bytes, std::convert::Infallible>>();
        home.ask_as(1, "POST", "/storage/one", &[], Body::from_stream(never)).await.refused(408, 0);
        home.write("/storage/one/a", json!({})).await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn deeply_nested_json_and_duplicate_keys_are_refused() {
    on_both(async |home| {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        home.ask_as(1, "POST", "/storage/one", &[], deep.clone()).await.refused(400, 8);
        home.ask_as(1, "PUT", "/storage/one/a", &[], deep.clone()).await.refused(400, 8);
        let entry = format!("[{{\"id\":\"a\",\"payload\":{deep}}},{{\"id\":\"b\"}}]");
        let reply = home.ask_as(1, "POST", "/storage/one", &[], entry).await.expect(200).json();
        assert_eq!(reply["success"], json!(["b"]));
        let twice = "[{\"id\":\"a\",\"payload\":\"x\",\"payload\":\"y\"}]";
        let reply = home.ask_as(1, "POST", "/storage/one", &[], twice).await.expect(200).json();
        assert!(reply["failed"].get("a").is_some());
        home.ask_as(1, "PUT", "/storage/one/a", &[], "{\"ttl\":1,\"ttl\":2}").await.refused(400, 8);
        home.ask_as(1, "POST", "/storage/one", &[], vec![b'[', 0xff, b']']).await.refused(400, 8);
        assert_eq!(home.ids("/storage/one").await, ["b"]);
    })
    .await;
}

#[tokio::test]
async fn malformed_query_values_are_refused() {
    on_both(async |home| {
        for wrong in ["newer=1e400", "older=nan", "limit=-1", "limit=99999999999", "offset=AAAA", "newer=1&newer=2", "ids=%00"] {
            home.get(&format!("/storage/one?{wrong}")).await.refused(400, 0);
            home.get(&format!("/storage/one?sort=index&{wrong}")).await.refused(400, 0);
        }
        let body = objects(0..1, "x");
        home.post("/storage/one?batch='%20OR%201=1", body).await.refused(400, 0);
    })
    .await;
}

#[tokio::test]
async fn truncated_authorization_header_or_swapped_token_id_is_refused() {
    on_both(async |home| {
        home.write("/storage/one/a", json!({})).await.expect(200);
        let path = "/1.5/1/storage/one";
        let right = home.sign(1, "GET", path);
        let ask = async |header: &str| home.send(Default::default(), "GET", path, &[("authorization", header)], "").await.status;
        assert_eq!(ask(&right).await, 200);
        for at in (5..right.len() - 1).step_by(7) {
            assert_eq!(ask(&right[..at]).await, 401, "{at}");
        }
        let other = home.sign(2, "GET", path);
        assert_eq!(ask(&other).await, 400, "a token of another user is no token for this path");
        let swapped = right.replace(&home.token(1).0, &home.token(2).0);
        assert_eq!(ask(&swapped).await, 401);
        assert_eq!(ask("Bearer 1.a.b").await, 401);
        assert_eq!(ask("Basic YTpi").await, 401);
    })
    .await;
}

#[tokio::test]
async fn requests_get_503_while_database_is_unavailable() {
    let Ok(home) = Home::on_postgres(Setup::default()).await else {
        return eprintln!("PostgreSQL is not there, so it cannot go away.");
    };
    let DatabasePool::Postgres(address) = &home.database else { panic!("not PostgreSQL") };
    let options = PgConnectOptions::from_str(address).unwrap();
    let name = options.get_database().unwrap().to_owned();
    let mut keeper = PgConnectOptions::from_str(&postgres().unwrap().address("postgres")).unwrap().connect().await.unwrap();
    let mut run = async |text: String| {
        sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut keeper).await.unwrap();
    };
    home.write("/storage/one/a", json!({ "payload": "x" })).await.expect(200);
    // A transaction of another program locks the user, so the write waits for the lock and is interrupted.
    let mut other = options.connect().await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT * FROM users FOR UPDATE").execute(&mut other).await.unwrap();
    let waiting = tokio::spawn({
        let home = home.clone();
        async move { home.write("/storage/one/a", json!({ "payload": "y" })).await }
    });
    wait_for_waiting(&mut other, 1).await;
    run(format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
    run(format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")).await;
    let reply = waiting.await.unwrap();
    assert_eq!(reply.header("retry-after"), "5");
    reply.refused(503, 0);
    assert_eq!(home.get("/storage/one/a").await.status, 503);
    let beat = home.send(Default::default(), "GET", "/__heartbeat__", &[], "").await;
    assert_eq!((beat.status, beat.json()["database"].clone()), (503, json!("error")));
    home.send(Default::default(), "GET", "/__lbheartbeat__", &[], "").await.expect(200);
    run(format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).await;
    assert_eq!(home.get("/storage/one/a").await.expect(200).json()["payload"], "x", "nothing half done");
    home.write("/storage/one/a", json!({ "payload": "z" })).await.expect(200);
    home.send(Default::default(), "GET", "/__heartbeat__", &[], "").await.expect(200);
    home.recount().await;
}

#[tokio::test]
async fn null_bytes_in_names_and_invites_are_refused() {
    on_both(async |home| {
        home.write("/storage/one/a", json!({})).await.expect(200);
        home.post("/storage/one?batch=a%00", json!([])).await.refused(400, 0);
        home.post("/storage/one?batch=a%00&commit=true", json!([])).await.refused(400, 0);
        home.get("/storage/one/a%00").await.refused(404, 0);
        home.get("/storage/o%00ne").await.refused(404, 0);
        home.get("/storage/one?ids=a%00").await.refused(400, 0);
        let body = json!({ "uid": 1, "invite": "a\0", "auth": "x\0", "name": "Lap\0top" }).to_string();
        home.send(Default::default(), "POST", "/1.0/enrol", &[], body).await.refused(401, 0);
    })
    .await;
}
