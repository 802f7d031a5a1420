//! Foreign pages, wrong hosts, limits and bad input.

use std::time::Duration;

use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};
use tokio_tungstenite::tungstenite::Message;

use super::page_place::{PagePlace, call, next, read_answer};
use crate::server::{LIMITS, RemoteLimits};

#[tokio::test]
async fn foreign_pages_are_refused_everywhere() {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    let own = format!("http://{}", place.address());
    for origin in
        ["https://attacker.example", "null", "http://127.0.0.1:1", "moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11"]
    {
        for (method, path) in [("POST", "api/session"), ("GET", ""), ("POST", "api/tickets"), ("POST", "api/import")] {
            let refused =
                place.ask(method, path, &[("Origin", origin), ("Cookie", &key.cookie), ("Ashore-Key", &key.key)], b"{}").await;
            assert_eq!((refused.status, refused.code().as_str()), (403, "remote-request.origin"), "{origin} {path}");
            assert!(refused.headers.keys().all(|name| !name.starts_with("access-control")), "{refused:?}");
        }
        assert_eq!(place.open(&key.cookie, Some(origin)).await.err(), Some(403), "{origin}");
    }
    assert!(place.open(&key.cookie, Some(&own)).await.is_ok());
    assert_eq!(place.ask("OPTIONS", "api/session", &[("Origin", "https://attacker.example")], b"").await.status, 403);
}

#[tokio::test]
async fn request_for_foreign_host_name_is_refused_for_every_path() {
    let place = PagePlace::new().await;
    for host in ["attacker.example", &format!("attacker.example:{}", place.port), "127.0.0.1.attacker.example", "192.0.2.7"] {
        let origin = format!("http://{host}");
        let refused = place.ask("POST", "api/session", &[("Host", host), ("Origin", &origin)], b"{}").await;
        assert_eq!((refused.status, refused.code().as_str()), (421, "remote-request.host"), "{host}");
    }
    let tunnelled = place.ask("GET", "api/folders", &[("Host", "localhost:8080")], b"").await;
    assert_eq!(tunnelled.status, 401);
}

#[tokio::test]
async fn every_response_forbids_content_type_sniffing_and_referrers() {
    let place = PagePlace::new().await;
    for (method, path) in [("GET", ""), ("GET", "nothing"), ("POST", "api/session"), ("GET", "api/folders"), ("GET", "files/x/0")]
    {
        let answered = place.ask(method, path, &[], b"").await;
        assert_eq!(answered.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answered.headers["referrer-policy"], "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn invalid_bodies_get_a_typed_refusal() {
    let place = PagePlace::new().await;
    let deep = format!("{{\"token\":{}", "[".repeat(100_000));
    let bodies: [&[u8]; 8] = [
        b"",
        b"no JSON",
        b"{}",
        b"[]",
        b"{\"token\":\"a\",\"pairing\":\"b\"}",
        b"{\"token\":\"a\",\"more\":1}",
        b"{\"token\":\"\xff\"}",
        deep.as_bytes(),
    ];
    for body in bodies {
        let refused = place.ask("POST", "api/session", &[], body).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "remote-request.invalid"), "{refused:?}");
    }
}

#[tokio::test]
async fn body_over_limit_is_refused() {
    let place = PagePlace::new().await;
    let body = vec![b' '; 2 * 1024 * 1024 + 1];
    let refused = place.ask("POST", "api/session", &[], &body).await;
    assert_eq!((refused.status, refused.code().as_str()), (413, "too-long.message"));
}

#[tokio::test]
async fn slow_request_body_and_silent_socket_are_disconnected() {
    let short = Duration::from_millis(50);
    let place = PagePlace::with(RemoteLimits { body: short, sign_in: short, ..LIMITS }, "/").await;
    let mut stream = TcpStream::connect(place.address()).await.unwrap();
    let head =
        format!("POST /api/session HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{{", place.address());
    stream.write_all(head.as_bytes()).await.unwrap();
    let refused = read_answer(&mut stream).await;
    assert_eq!((refused.status, refused.code().as_str()), (408, "remote-request.slow"));
    let mut socket = place.open("", None).await.unwrap();
    assert_eq!(next(&mut socket).await.err(), Some(Some(1001)));
}

#[tokio::test]
async fn socket_is_closed_after_a_message_that_is_too_long_or_is_not_text() {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    for message in [Message::text("x".repeat(4 * 1024 * 1024 + 1)), Message::binary(b"{}".to_vec())] {
        let mut socket = place.socket(&key).await;
        // The server may close the connection before it has read all of the message.
        let _ = socket.send(message).await;
        assert!(next(&mut socket).await.is_err());
    }
    let mut socket = place.socket(&key).await;
    let long = "x".repeat(3 * 1024 * 1024);
    assert!(call(&mut socket, "search", json!({ "text": long })).await.is_object());
}

#[tokio::test]
async fn page_that_reads_no_messages_is_disconnected() {
    let place = PagePlace::with(RemoteLimits { send: Duration::from_millis(50), ..LIMITS }, "/").await;
    let mut socket = place.socket(&place.sign_in().await).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "sentences", "params": { "language": "de" } }).to_string();
    while socket.send(Message::text(message.clone())).await.is_ok() {}
}

#[tokio::test]
async fn client_that_reads_no_responses_is_disconnected() {
    let place = PagePlace::with(RemoteLimits { write: Duration::from_millis(50), ..LIMITS }, "/").await;
    let mut stream = TcpStream::connect(place.address()).await.unwrap();
    let request = format!("GET /api/folders HTTP/1.1\r\nHost: {}\r\n\r\n", place.address());
    while stream.write_all(request.as_bytes()).await.is_ok() {}
}

#[tokio::test]
async fn slow_page_loses_events_and_receives_a_lagged_event() {
    // Allow a long time for sending, because the page reads nothing until the machine has finished all writes.
    let long = Duration::from_secs(600);
    let place = PagePlace::with(RemoteLimits { send: long, write: long, ..LIMITS }, "/").await;
    let mut socket = place.socket(&place.sign_in().await).await;
    call(&mut socket, "subscribe", Value::Null).await;
    // Long events fill the buffers of the connection sooner.
    let long = "x".repeat(4096);
    let added = json!({ "owner": "window", "description": long, "paused": true, "requests": [{ "url": "http://a.example/" }] });
    let added = call(&mut socket, "add", added).await;
    let unique_id =
        serde_json::from_value(added["result"]["unique_id"].clone()).unwrap_or_else(|error| panic!("{added}: {error}"));
    let engine = place.own.engine.clone();
    // More events than fit into all queues together. The queue of the engine alone holds 4,096.
    for _ in 0..6000 {
        engine.move_to(unique_id, ashore_engine::QueuePlace::Top).await.unwrap();
    }
    let mut count = 0;
    while next(&mut socket).await.unwrap()["params"]["type"] != "lagged" {
        count += 1;
        assert!(count < 6000, "no event was lost, so nothing was measured");
    }
}

#[tokio::test]
async fn page_is_reached_below_its_base_path() {
    let place = PagePlace::with(LIMITS, "/a/b/").await;
    let answered = place.sign_in_with(&json!({ "token": place.token() })).await;
    assert!(answered.headers["set-cookie"].contains("Path=/a/b/;"), "{answered:?}");
    let key = super::page_place::halves(&answered);
    place.socket(&key).await;
    let page = place.ask("GET", "", &[], b"").await;
    assert!([200, 503].contains(&page.status), "{page:?}");
    let mut stream = TcpStream::connect(place.address()).await.unwrap();
    let head = format!("GET /a/b HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", place.address());
    stream.write_all(head.as_bytes()).await.unwrap();
    let redirected = read_answer(&mut stream).await;
    assert_eq!((redirected.status, redirected.headers["location"].as_str()), (308, "/a/b/"));
    let mut stream = TcpStream::connect(place.address()).await.unwrap();
    let head = format!("POST /api/session HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", place.address());
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(read_answer(&mut stream).await.status, 404);
}
