//! Server-sent events.

use std::time::Duration;

use ashore_engine::QueuePlace;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::{page_place::PagePlace, rest::TokenClient};
use crate::{
    devices,
    server::{LIMITS, RemoteLimits},
    token_scope::TokenScope,
};

/// Time limit that only a failed test reaches.
const SOON: Duration = Duration::from_secs(60);

/// Response with events.
struct EventReader {
    stream: TcpStream,
    received: String,
}

impl EventReader {
    async fn open(client: &TokenClient<'_>) -> Self {
        let mut stream = TcpStream::connect(client.place.address()).await.unwrap();
        let host = client.place.address();
        let head = format!("GET /api/v1/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n\r\n", client.token);
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut reader = Self { stream, received: String::new() };
        // The server sends the first comment after it has subscribed to the events.
        reader.until("\r\n:\n\n").await;
        reader
    }

    /// Reads until `text` was received. Fails at the end of the response.
    async fn until(&mut self, text: &str) {
        assert!(self.is_received(text).await, "response ended before {text:?}: {}", self.received);
    }

    /// Whether the response contains `text` before its end. Reads no further than necessary.
    async fn is_received(&mut self, text: &str) -> bool {
        let mut buffer = [0; 4096];
        loop {
            if let Some(place) = self.received.find(text) {
                self.received.drain(..place + text.len());
                return true;
            }
            match timeout(SOON, self.stream.read(&mut buffer)).await.unwrap() {
                Ok(0) | Err(_) => return false,
                Ok(count) => self.received.push_str(&String::from_utf8_lossy(&buffer[..count])),
            }
        }
    }
}

#[tokio::test]
async fn events_have_names_of_local_socket_until_server_stops() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let mut events = EventReader::open(&client).await;
    let id = client.add("http://a.example/a").await;
    events.until("event: changed\ndata: {").await;
    events.until(&id).await;
    client.ask("DELETE", &format!("api/v1/downloads/{id}"), &json!(null)).await;
    events.until("event: removed\ndata: {").await;
    place.server.stop().await;
    assert!(!events.is_received("event: never").await);
}

#[tokio::test]
async fn events_end_when_token_is_signed_out() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Read);
    let mut events = EventReader::open(&client).await;
    devices::sign_device_out(&place.data_dir(), "read").unwrap();
    assert!(!events.is_received("event: never").await);
}

#[tokio::test]
async fn token_for_metrics_receives_no_events() {
    let place = PagePlace::new().await;
    let refused = TokenClient::new(&place, TokenScope::Metrics).ask("GET", "api/v1/events", &json!(null)).await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "remote-sign-in.token-scope"));
}

#[tokio::test]
async fn slow_client_of_events_receives_lagged() {
    // Allow a long time for writing, because the client reads nothing until the machine has finished all writes.
    let place = PagePlace::with(RemoteLimits { write: Duration::from_secs(600), ..LIMITS }, "/").await;
    let client = TokenClient::new(&place, TokenScope::Control);
    // Use long events, because they fill the buffers of the connection sooner.
    let long = json!({ "paused": true, "description": "x".repeat(4096), "requests": [{ "url": "http://a.example/" }] });
    let added = client.ask("POST", "api/v1/downloads", &long).await.json();
    let mut events = EventReader::open(&client).await;
    let id = added["unique_id"].as_str().unwrap().parse().unwrap();
    // Cause more events than all queues together can hold. The queue of the engine alone holds 4,096 events.
    for _ in 0..6000 {
        place.own.engine.move_to(id, QueuePlace::Top).await.unwrap();
    }
    events.until("event: lagged\ndata: {\"type\":\"lagged\"}\n\n").await;
}
