//! Stored bodies, and the messages of the local socket by POST.

use std::fs;

use ashore_engine::UniqueId;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{
    page_place::{HttpAnswer, PagePlace},
    rest::{TokenClient, paused},
};
use crate::token_scope::TokenScope;

/// Sends a body, and returns the response.
async fn stored(client: &TokenClient<'_>, body: &[u8]) -> HttpAnswer {
    let bearer = format!("Bearer {}", client.token);
    client.place.ask("PUT", "api/v1/bodies", &[("Authorization", &bearer)], body).await
}

/// Returns the number of temporary files in the data folder.
fn temporary_files(place: &PagePlace) -> usize {
    let names = fs::read_dir(place.data_dir()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with(".remote-")).count()
}

fn upload(id: &str, url: &str) -> Value {
    json!({ "paused": true, "requests": [{ "url": url, "method": "POST", "upload_file": format!("body:{id}") }] })
}

#[tokio::test]
async fn stored_body_is_sent_by_one_download() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    place
        .own
        .engine
        .set(ashore_engine::SettingKey::LocalForPrograms, Some(ashore_engine::SettingValue::Flag(true)))
        .await
        .unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/in", listener.local_addr().unwrap());
    let answered = stored(&client, b"hello body").await;
    assert_eq!((answered.status, &answered.json()["size"]), (201, &json!(10)));
    let id = answered.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(temporary_files(&place), 1);
    let mut new = upload(&id, &url);
    new["paused"] = json!(false);
    let key = [("Idempotency-Key", "7")];
    let added = client.ask_with("POST", "api/v1/downloads", &key, &new).await;
    assert_eq!(added.status, 201, "{added:?}");
    assert_eq!(temporary_files(&place), 0);
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut received = Vec::new();
    while !received.ends_with(b"hello body") {
        assert!(stream.read_buf(&mut received).await.unwrap() > 0);
    }
    assert!(received.starts_with(b"POST /in "));
    stream.write_all(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    // The body is gone, but a repeated request returns the same download.
    assert_eq!(client.ask_with("POST", "api/v1/downloads", &key, &new).await.status, 200);
    let refused = client.ask("POST", "api/v1/downloads", &new).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "stored-body"));
}

#[tokio::test]
async fn stored_body_can_be_used_again_after_its_download_was_refused() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let id = stored(&client, b"x").await.json()["id"].as_str().unwrap().to_owned();
    for method in ["GET", "DELETE"] {
        let mut wrong = upload(&id, "http://a.example/in");
        wrong["requests"][0]["method"] = json!(method);
        assert_eq!(client.ask("POST", "api/v1/downloads", &wrong).await.status, 400, "{method}");
    }
    assert_eq!(client.ask("POST", "api/v1/downloads", &upload(&id, "ftp://a.example/in")).await.status, 422);
    let mut twice = upload(&id, "http://a.example/in");
    let again = twice["requests"][0].clone();
    twice["requests"].as_array_mut().unwrap().push(again);
    let refused = client.ask("POST", "api/v1/downloads", &twice).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "stored-body"));
    assert_eq!(client.ask("POST", "api/v1/downloads", &upload(&id, "http://a.example/in")).await.status, 201);
}

#[tokio::test]
async fn only_sender_with_control_can_store_and_use_a_body() {
    let place = PagePlace::new().await;
    let [control, add] = [TokenScope::Control, TokenScope::Add].map(|scope| TokenClient::new(&place, scope));
    assert_eq!(stored(&add, b"x").await.status, 403);
    let id = stored(&control, b"x").await.json()["id"].as_str().unwrap().to_owned();
    let used = add.ask("POST", "api/v1/downloads", &upload(&id, "http://a.example/in")).await;
    assert_eq!((used.status, used.code().as_str()), (403, "remote-sign-in.token-scope"));
    let device = place.sign_in().await;
    let foreign = place.post("api/v1/downloads", &device, &upload(&id, "http://a.example/in")).await;
    assert_eq!((foreign.status, foreign.code().as_str()), (422, "stored-body"));
    for file in ["/etc/passwd", "body", &place.data_dir().join("remote-token").display().to_string()] {
        let new = json!({ "requests": [{ "url": "http://a.example/in", "upload_file": file }] });
        let refused = control.ask("POST", "api/v1/downloads", &new).await;
        assert_eq!((refused.status, refused.code().as_str()), (422, "invalid.message"), "{file}");
    }
    // A request without a stored body must not change anything at a server.
    let new = json!({ "requests": [{ "url": "http://a.example/in", "method": "DELETE" }] });
    assert_eq!(control.ask("POST", "api/v1/downloads", &new).await.status, 422);
}

#[tokio::test]
async fn number_of_stored_bodies_is_limited() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    for _ in 0..16 {
        assert_eq!(stored(&client, b"x").await.status, 201);
    }
    let refused = stored(&client, b"x").await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "stored-body.busy"));
}

/// Sends a message to `/api/rpc`, and returns the answer.
async fn call(client: &TokenClient<'_>, message: &Value) -> Value {
    let answered = client.ask("POST", "api/rpc", message).await;
    assert_eq!(answered.status, 200, "{answered:?}");
    assert_eq!(answered.headers["content-type"], "application/json");
    answered.json()
}

#[tokio::test]
async fn posted_message_is_answered_as_on_the_local_socket() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let message = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    for method in ["create", "add"] {
        let added = call(&client, &message(method, paused(&format!("http://a.example/{method}")))).await;
        let download = &added["result"];
        assert_eq!((&added["id"], &download["owner"]), (&json!(7), &json!("api/control")), "{added}");
        assert_eq!(download["source"], "program");
    }
    let listed = call(&client, &message("list", json!({}))).await;
    assert_eq!(listed["result"].as_array().unwrap().len(), 2);
    let id: UniqueId = serde_json::from_value(listed["result"][0]["unique_id"].clone()).unwrap();
    assert_eq!(call(&client, &message("resume", json!({ "unique_id": id }))).await["result"], Value::Null);
    assert_eq!(call(&client, &message("greet", json!({}))).await["result"]["version"], 1);
    let notification = client.ask("POST", "api/rpc", &json!({ "jsonrpc": "2.0", "method": "totals" })).await;
    assert_eq!((notification.status, notification.body.len()), (204, 0));
}

#[tokio::test]
async fn key_of_download_that_a_posted_message_created_is_refused_for_another_request() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let mut new = paused("http://a.example/x");
    new["developer_id"] = json!("k");
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "create", "params": new.clone() });
    let id = call(&client, &message).await["result"]["unique_id"].clone();
    let key = [("Idempotency-Key", "k")];
    let same = client.ask_with("POST", "api/v1/downloads", &key, &new).await;
    assert_eq!((same.status, &same.json()["unique_id"]), (200, &id));
    let other = client.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/y")).await;
    assert_eq!((other.status, other.code().as_str()), (422, "idempotency-key"));
}

#[tokio::test]
async fn posted_message_that_is_not_permitted_is_answered_with_an_error() {
    let place = PagePlace::new().await;
    let [control, read, metrics] =
        [TokenScope::Control, TokenScope::Read, TokenScope::Metrics].map(|scope| TokenClient::new(&place, scope));
    let message = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let of_window = json!({ "owner": "window", "requests": [{ "url": "http://a.example/" }] });
    let file = json!({ "requests": [{ "url": "http://a.example/", "upload_file": "/etc/passwd" }] });
    let cases = [
        (&control, message("subscribe", json!({})), -32000, "invalid"),
        (&control, message("greet", json!({ "owner": "feeds" })), -32000, "invalid"),
        (&control, message("create", of_window), -32000, "remote-request"),
        (&control, message("create", file), -32000, "invalid"),
        (&control, message("sync", json!({ "verb": "others" })), -32000, "invalid"),
        (&control, message("sync", json!({ "verb": "leave" })), -32000, "invalid"),
        (&control, message("recovery", json!({})), -32000, "invalid"),
        (&control, message("add_cookies", json!({ "file": "/etc/passwd" })), -32000, "invalid"),
        (&control, message("set", json!({ "key": "proxy", "value": "" })), -32000, "remote-sign-in"),
        (&control, message("nonsense", json!({})), -32601, "unknown-method"),
        (&control, message("show", json!({})), -32602, "bad-params"),
        (&control, json!([message("totals", json!({}))]), -32600, "invalid-request"),
        (&read, message("create", paused("http://a.example/")), -32000, "remote-sign-in"),
        (&read, message("pause", json!({ "unique_id": null })), -32000, "remote-sign-in"),
    ];
    for (client, message, code, reason) in cases {
        let error = &call(client, &message).await["error"];
        assert_eq!((&error["code"], &error["data"]["code"]), (&json!(code), &json!(reason)), "{message}: {error}");
    }
    assert_eq!(metrics.ask("POST", "api/rpc", &message("totals", json!({}))).await.status, 403);
    assert_eq!(place.ask("POST", "api/rpc", &[], b"{}").await.status, 401);
    let long = json!({ "text": "a".repeat(2 << 20) });
    assert_eq!(control.ask("POST", "api/rpc", &long).await.status, 413);
}
