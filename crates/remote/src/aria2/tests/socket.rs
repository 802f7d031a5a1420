//! Calls and notifications through a WebSocket.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{io::AsyncReadExt as _, time::timeout};

use crate::{
    aria2::tests::peer::{Aria2Peer as _, AshorePeer, PATIENCE, exchange, next, web_server},
    server::{LIMITS, RemoteLimits},
};

/// Ping without content from a server (RFC 6455, section 5.2).
const EMPTY_PING: [u8; 2] = [0x89, 0];

fn notification(name: &str, gid: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": format!("aria2.onDownload{name}"), "params": [{ "gid": gid }] })
}

#[tokio::test]
async fn web_socket_gives_the_same_answers_as_post_requests() {
    let peer = AshorePeer::open().await;
    let mut socket = peer.socket().await;
    for (message, expected) in [
        (
            r#"{"id":1,"method":"x"}"#,
            json!({ "id": 1, "jsonrpc": "2.0", "error": { "code": 1, "message": "No such method: x" } }),
        ),
        ("{", json!({ "id": null, "jsonrpc": "2.0", "error": { "code": -32700, "message": "Parse error." } })),
        ("[]", json!([])),
        (r#"{"id":1}"#, json!({ "id": 1, "jsonrpc": "2.0", "error": { "code": -32600, "message": "Invalid Request." } })),
    ] {
        assert_eq!(exchange(&mut socket, message).await, expected, "{message}");
    }
}

#[tokio::test]
async fn answer_to_add_call_precedes_start_and_end_notifications() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let mut socket = peer.socket().await;
    for (path, end) in [("ok", "Complete"), ("missing", "Error")] {
        let call = json!({ "id": 1, "method": "aria2.addUri", "params": [[format!("{web}/{path}")]] });
        let answer = exchange(&mut socket, &call.to_string()).await;
        let gid = answer["result"].as_str().unwrap();
        assert_eq!(next(&mut socket).await, notification("Start", gid));
        assert_eq!(next(&mut socket).await, notification(end, gid));
    }
}

#[tokio::test]
async fn pause_and_removal_are_reported_to_every_client() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.add_paused(&format!("{web}/slow"), json!({})).await;
    let mut sockets = [peer.socket().await, peer.socket().await];
    for socket in &mut sockets {
        // The answer shows that the server has read the list by now.
        exchange(socket, "[]").await;
    }
    for (method, status, name) in [
        ("unpause", "active", "Start"),
        ("pause", "paused", "Pause"),
        ("unpause", "active", "Start"),
        ("remove", "removed", "Stop"),
    ] {
        assert_eq!(peer.call(&format!("aria2.{method}"), json!([gid])).await, gid);
        peer.reach(&gid, status).await;
        for socket in &mut sockets {
            assert_eq!(next(socket).await, notification(name, &gid), "{method}");
        }
    }
    // Pausing or removing a download that never ran must cause no notification.
    let waiting = peer.add_paused(&format!("{web}/ok"), json!({})).await;
    peer.call("aria2.remove", json!([waiting])).await;
    let done = peer.call("aria2.addUri", json!([[format!("{web}/ok")]])).await;
    for socket in &mut sockets {
        assert_eq!(next(socket).await, notification("Start", done.as_str().unwrap()));
    }
}

#[tokio::test]
async fn client_that_does_not_answer_pings_is_disconnected() {
    let (ping, silence) = (Duration::from_millis(20), Duration::from_millis(100));
    let peer = AshorePeer::open_with(RemoteLimits { ping, silence, ..LIMITS }).await;
    // The library would answer pings, so read the bytes of the connection itself.
    let mut stream = peer.socket().await.into_inner();
    let mut bytes = Vec::new();
    // A read error means that the server has closed the connection, too.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server closes the connection");
    assert_eq!(bytes[..2], EMPTY_PING);
}

#[tokio::test]
async fn web_socket_is_closed_when_server_stops() {
    let peer = AshorePeer::open().await;
    let mut socket = peer.socket().await;
    exchange(&mut socket, "[]").await;
    let restarted = peer.restart().await;
    let message = futures_util::StreamExt::next(&mut socket).await;
    assert!(message.is_none_or(|message| message.is_err() || message.unwrap().is_close()));
    drop(restarted);
}
