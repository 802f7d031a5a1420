//! Tests several nodes on one database, event streams, and metrics.

use std::{sync::Arc, time::Duration};

use ashore_sync_server::http::{ConnectedPeer, HttpListener, answer, follow_other_nodes, serve_metrics};
use ashore_testkit::sync_server::postgres::postgres;
use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{HOST, Home, Setup, objects, on_both};

/// Returns the text of the next event in a stream.
async fn next(stream: &mut Body) -> Option<String> {
    let frame = tokio::time::timeout(Duration::from_secs(60), stream.frame()).await.unwrap()?;
    Some(String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
}

async fn listen(home: &Home) -> Body {
    let path = "/1.5/1/events";
    let request = Request::builder().uri(path).header("host", HOST).header("authorization", home.sign(1, "GET", path));
    let response = answer(Arc::clone(&home.app))(ConnectedPeer::default(), request.body(Body::empty()).unwrap()).await;
    assert_eq!((response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()), (200, "text/event-stream"));
    let mut stream = response.into_body();
    assert_eq!(next(&mut stream).await.unwrap(), ":\n\n", "the first comment shows that the stream is open");
    stream
}

#[tokio::test]
async fn events_report_only_committed_writes_of_the_user() {
    on_both(async |home| {
        home.write("/storage/tabs/a", json!({})).await.expect(200);
        let mut stream = listen(&home).await;
        home.ask_as(2, "PUT", "/storage/tabs/a", &[], "{}").await.expect(200);
        home.post("/storage/tabs?batch=true", objects(0..1, "x")).await.expect(202);
        home.write("/storage/tabs/a", json!({ "ttl": -1 })).await.refused(400, 8);
        let written = home.write("/storage/meta/global", json!({})).await.expect(200);
        assert_eq!(
            next(&mut stream).await.unwrap(),
            format!("data: {{\"collection\":\"meta\",\"modified\":{}}}\n\n", written.text)
        );
        let deleted = home.delete("/storage").await.expect(200);
        let time = deleted.header("x-last-modified");
        assert_eq!(next(&mut stream).await.unwrap(), format!("data: {{\"collection\":null,\"modified\":{time}}}\n\n"));
        home.app.close();
        assert_eq!(next(&mut stream).await, None, "it ends with the server");
    })
    .await;
}

#[tokio::test]
async fn nodes_see_collections_and_writes_of_each_other() {
    let Ok(first) = Home::on_postgres(Setup::default()).await else {
        return eprintln!("PostgreSQL is not there, so there are no nodes.");
    };
    let second = first.open_another_node().await;
    first.write("/storage/custom/a", json!({ "payload": "x" })).await.expect(200);
    assert_eq!(second.get("/storage/custom/a").await.expect(200).json()["payload"], "x");
    second.write("/storage/other/a", json!({ "payload": "y" })).await.expect(200);
    assert_eq!(first.get("/info/collections").await.json(), second.get("/info/collections").await.json());
    // The first node begins a batch, and the second node commits it.
    let begun = first.post("/storage/custom?batch=true", objects(0..2, "x")).await.expect(202).json();
    second.post(&format!("/storage/custom?batch={}&commit=true", begun["batch"].as_str().unwrap()), json!([])).await.expect(200);
    assert_eq!(first.ids("/storage/custom").await.len(), 3);
    let mut stream = listen(&first).await;
    let following = tokio::spawn(follow_other_nodes(Arc::clone(&first.app)));
    let written = second.write("/storage/tabs/a", json!({})).await.expect(200);
    assert_eq!(next(&mut stream).await.unwrap(), format!("data: {{\"collection\":\"tabs\",\"modified\":{}}}\n\n", written.text));
    first.app.close();
    following.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_start_together_on_empty_database_all_succeed() {
    let server = match postgres() {
        Ok(server) => server,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    for _ in 0..5 {
        let address = server.database().await;
        let nodes: Vec<_> = (0..4).map(|_| tokio::spawn(Home::on_address(Setup::default(), address.clone()))).collect();
        for (number, node) in (0..).zip(nodes) {
            let home = node.await.expect("the node starts");
            home.write(&format!("/storage/one/{number}"), json!({})).await.expect(200);
            assert_eq!(home.ids("/storage/one").await.len(), number + 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_two_nodes_accepts_simultaneous_creation_of_object() {
    let Ok(first) = Home::on_postgres(Setup::default()).await else {
        return eprintln!("PostgreSQL is not there, so there are no nodes.");
    };
    let second = first.open_another_node().await;
    for round in 0..100 {
        let ask = |home: &Home| {
            let home = home.clone();
            // The collection name is new to both nodes, which assign a number to it simultaneously.
            let path = format!("/storage/c{}/{round}", round % 50);
            tokio::spawn(async move { home.ask_as(1, "PUT", &path, &[("x-if-unmodified-since", "0")], "{}").await.status })
        };
        let (one, other) = tokio::join!(ask(&first), ask(&second));
        assert!(matches!((one.unwrap(), other.unwrap()), (200, 412) | (412, 200)), "round {round}");
    }
    first.recount().await;
}

#[tokio::test]
async fn metrics_are_served_on_a_separate_address() {
    on_both(async |home| {
        home.write("/storage/tabs/a", json!({})).await.expect(200);
        home.get("/storage/nothing/a").await.refused(404, 0);
        let listener = HttpListener::bind_for_metrics("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = listener.address();
        let serving = tokio::spawn(serve_metrics(listener, Arc::clone(&home.app)));
        let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
        connection.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).await.unwrap();
        assert!(text.contains("ashore_sync_requests_total{method=\"PUT\",status=\"200\"} 1\n"), "{text}");
        assert!(text.contains("ashore_sync_requests_total{method=\"GET\",status=\"404\"} 1\n"), "{text}");
        home.send(ConnectedPeer::default(), "GET", "/metrics", &[], "").await.refused(404, 0);
        home.app.close();
        serving.await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn events_include_older_writes_of_other_nodes() {
    let Ok(first) = Home::on_postgres(Setup::default()).await else {
        return eprintln!("PostgreSQL is not there, so there are no nodes.");
    };
    let second = first.open_another_node().await;
    first.write("/storage/forms/a", json!({})).await.expect(200);
    let mut stream = listen(&first).await;
    let foreign = second.write("/storage/tabs/a", json!({})).await.expect(200);
    second.delete("/storage/forms").await.expect(200);
    let own = first.write("/storage/meta/a", json!({})).await.expect(200);
    assert_eq!(next(&mut stream).await.unwrap(), format!("data: {{\"collection\":\"meta\",\"modified\":{}}}\n\n", own.text));
    let following = tokio::spawn(follow_other_nodes(Arc::clone(&first.app)));
    assert_eq!(next(&mut stream).await.unwrap(), format!("data: {{\"collection\":\"forms\",\"modified\":{}}}\n\n", own.text));
    assert_eq!(next(&mut stream).await.unwrap(), format!("data: {{\"collection\":\"tabs\",\"modified\":{}}}\n\n", foreign.text));
    first.app.close();
    following.await.unwrap();
}
