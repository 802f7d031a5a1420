//! Sign-in, keys, scopes and the WebSocket of the page.

use serde_json::{Value, json};

use super::page_place::{Halves, PagePlace, call, halves, next};
use crate::{
    devices, pairing_link::PendingLink, session_file::SessionFile, sessions::TokenKind, tests::page_place::NOW,
    token_scope::TokenScope,
};

impl PagePlace {
    /// Signs a device in with a link of this scope.
    async fn pair(&self, scope: TokenScope) -> Halves {
        halves(&self.sign_in_with(&json!({ "pairing": self.link(scope), "name": "Tablet" })).await)
    }

    fn link(&self, scope: TokenScope) -> String {
        let (link, code) = PendingLink::new(scope, NOW, &mut rand::rng());
        SessionFile::new(&self.data_dir()).change(|book| book.link = Some(link)).unwrap();
        code
    }
}

#[tokio::test]
async fn device_signs_in_with_token_and_makes_calls() {
    let place = PagePlace::new().await;
    let answered = place.sign_in_with(&json!({ "token": place.token(), "name": " Phone\u{7} " })).await;
    let answer = answered.json();
    assert_eq!((&answer["name"], &answer["scope"]), (&json!("Phone"), &json!("control")));
    let cookie = &answered.headers["set-cookie"];
    assert!(cookie.ends_with("HttpOnly; SameSite=Strict") && cookie.contains("Path=/;"), "{cookie}");
    let key = halves(&answered);
    let mut socket = place.open(&key.cookie, None).await.unwrap();
    let signed_in = call(&mut socket, "authenticate", json!({ "key": key.key })).await;
    let expected = json!({ "name": "Phone", "scope": "control", "program": env!("CARGO_PKG_VERSION") });
    assert_eq!(signed_in, json!({ "jsonrpc": "2.0", "id": 1, "result": expected }));
    let greeted = call(&mut socket, "greet", json!({ "version": 1 })).await;
    assert_eq!((&greeted["result"]["version"], &greeted["result"]["owner"]), (&json!(1), &Value::Null));
    assert_eq!(call(&mut socket, "subscribe", Value::Null).await["result"], Value::Null);
    call(&mut socket, "pause", json!({ "unique_id": null })).await;
    assert_eq!(call(&mut socket, "totals", Value::Null).await["result"]["paused"], true);
    assert_eq!(call(&mut socket, "format_disk", Value::Null).await["error"]["code"], -32601);
    place.server.stop().await;
    assert_eq!(next(&mut socket).await.err(), Some(Some(1001)));
}

#[tokio::test]
async fn half_of_a_device_key_is_not_accepted() {
    let place = PagePlace::new().await;
    let (one, other) = (place.sign_in().await, place.sign_in().await);
    for (cookie, key) in [(one.cookie.as_str(), other.key.as_str()), (&one.cookie, ""), ("", &one.key), (&other.cookie, &one.key)]
    {
        let mut socket = place.open(cookie, None).await.unwrap();
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "authenticate", "params": { "key": key } });
        futures_util::SinkExt::send(&mut socket, message.to_string().into()).await.unwrap();
        assert_eq!(next(&mut socket).await.err(), Some(Some(4401)));
        let headers = [("Cookie", cookie), ("Ashore-Key", key)];
        let refused = place.ask("POST", "api/tickets", &headers, b"{\"export\":true}").await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "remote-sign-in.out"));
    }
    // Send only the cookie, which another service on this host would receive too.
    let refused = place.ask("GET", "api/folders", &[("Cookie", &one.cookie)], b"").await;
    assert_eq!(refused.status, 401);
    assert!(place.get("api/folders", &one).await.status == 200);
}

#[tokio::test]
async fn first_frame_must_be_the_sign_in() {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    for text in ["{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"totals\"}", "no JSON", "[]"] {
        let mut socket = place.open(&key.cookie, None).await.unwrap();
        futures_util::SinkExt::send(&mut socket, text.into()).await.unwrap();
        assert_eq!(next(&mut socket).await.err(), Some(Some(4401)), "{text}");
    }
}

#[tokio::test]
async fn sign_in_link_works_once_and_grants_its_scope() {
    let place = PagePlace::new().await;
    let code = place.link(TokenScope::Read);
    assert_eq!(place.sign_in_with(&json!({ "pairing": "0".repeat(32) })).await.status, 401);
    let signed_in = place.sign_in_with(&json!({ "pairing": code })).await;
    assert_eq!((signed_in.status, &signed_in.json()["scope"]), (200, &json!("read")));
    let again = place.sign_in_with(&json!({ "pairing": code })).await;
    assert_eq!((again.status, again.code().as_str()), (401, "remote-sign-in"));
}

#[tokio::test]
async fn wrong_tokens_delay_sign_in_but_device_that_is_signed_in_stays_connected() {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    let mut socket = place.socket(&key).await;
    for _ in 0..5 {
        assert_eq!(place.sign_in_with(&json!({ "token": "0".repeat(64) })).await.status, 401);
    }
    for content in [json!({ "token": "0".repeat(64) }), json!({ "token": place.token() }), json!({ "pairing": "0" })] {
        let refused = place.sign_in_with(&content).await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "remote-sign-in.wait"));
        assert_eq!(refused.headers["retry-after"], "1");
    }
    assert!(call(&mut socket, "totals", Value::Null).await["result"].is_object());
    assert_eq!(place.get("api/folders", &key).await.status, 200);
    place.socket(&key).await;
}

#[tokio::test]
async fn wrong_tokens_of_one_client_behind_trusted_proxy_do_not_delay_another() {
    let place = PagePlace::new().await;
    let sign_in = async |client: &str, token: &str| {
        let body = json!({ "token": token }).to_string();
        place.ask("POST", "api/session", &[("X-Forwarded-For", client)], body.as_bytes()).await.status
    };
    for _ in 0..5 {
        assert_eq!(sign_in("203.0.113.1", &"0".repeat(64)).await, 401);
    }
    assert_eq!(sign_in("203.0.113.1", &place.token()).await, 429);
    assert_eq!(sign_in("203.0.113.2", &place.token()).await, 200);
}

#[tokio::test]
async fn scope_of_device_decides_which_calls_are_allowed() {
    let place = PagePlace::new().await;
    let add = json!({ "owner": "window", "paused": true, "source": "window", "requests": [{ "url": "http://a.example/a" }] });
    let mut reader = place.socket(&place.pair(TokenScope::Read).await).await;
    let mut adder = place.socket(&place.pair(TokenScope::Add).await).await;
    let code = |answer: &Value| format!("{}.{}", answer["error"]["data"]["code"], answer["error"]["data"]["variant"]);
    let refusal = "\"remote-sign-in\".\"scope\"";
    for (method, params) in
        [("add", add.clone()), ("pause", json!({ "unique_id": null })), ("set", json!({ "key": "proxy", "value": null }))]
    {
        assert_eq!(code(&call(&mut reader, method, params).await), refusal, "{method}");
    }
    assert!(call(&mut reader, "list", json!({})).await["result"].is_array());
    let added = call(&mut adder, "add", add).await;
    let registration = call(&mut reader, "list", json!({})).await["result"][0].clone();
    assert_eq!((&registration["source"], &added["error"]), (&json!("program"), &Value::Null));
    let one = json!({ "unique_id": registration["unique_id"] });
    for method in ["pause", "abort", "retry", "go_anyway"] {
        assert_eq!(code(&call(&mut adder, method, one.clone()).await), refusal, "{method}");
    }
    // The engine would store this sign-in, and use it for all downloads of the server.
    let with_sign_in = json!({ "url": "http://robin:secret@a.example/a" });
    for (method, params) in [("add", json!({ "owner": "window", "requests": [with_sign_in.clone()] })), ("probe", with_sign_in)] {
        assert_eq!(code(&call(&mut adder, method, params).await), refusal, "{method}");
    }
    let mut person = place.socket(&place.sign_in().await).await;
    let proxy = "http://robin:secret@127.0.0.1:3128";
    assert_eq!(call(&mut person, "set", json!({ "key": "proxy", "value": proxy })).await["error"], Value::Null);
    for (socket, is_shown) in [(&mut reader, false), (&mut adder, false), (&mut person, true)] {
        let settings = call(socket, "settings", Value::Null).await.to_string();
        assert_eq!(settings.contains(proxy), is_shown, "{settings}");
    }
    // A program must not reach local addresses, because they may belong to the internal network.
    let probed = call(&mut adder, "probe", json!({ "url": "http://127.0.0.1:9999/a" })).await;
    assert!(probed.to_string().contains("local"), "{probed}");
}

#[tokio::test]
async fn page_calls_that_page_does_not_need_or_that_reveal_private_data_are_refused() {
    let place = PagePlace::new().await;
    let mut socket = place.socket(&place.sign_in().await).await;
    let outside = place.folder.path().join("outside");
    let calls = [
        ("create", json!({ "owner": "a", "requests": [] }), "invalid"),
        ("export", json!({ "file": "/tmp/list", "replace": true }), "invalid"),
        ("add_cookies", json!({ "file": "/etc/passwd" }), "invalid"),
        ("greet", json!({ "owner": "feeds" }), "invalid"),
        ("subscribe", json!({ "owner": "feeds" }), "invalid"),
        ("adopt", json!({ "partials": ["/etc/passwd"] }), "invalid"),
        ("sync", json!({ "verb": "words" }), "remote-sign-in"),
        ("sync", json!({ "verb": "invite" }), "remote-sign-in"),
        ("add", json!({ "owner": "window", "folder": outside, "requests": [{ "url": "http://a.example/" }] }), "remote-folder"),
        ("set", json!({ "key": "folder", "value": outside }), "remote-folder"),
        ("known", json!({ "links": [], "folder": null, "name": "/etc/passwd" }), "invalid"),
        ("known", json!({ "links": [], "folder": null, "name": "../a" }), "invalid"),
        ("set", json!({ "key": "folder-video", "value": place.root().join(".config/autostart") }), "remote-folder"),
        ("known", json!({ "links": [], "folder": "/etc", "name": "passwd" }), "remote-folder"),
    ];
    for (method, params, code) in calls {
        let answer = call(&mut socket, method, params).await;
        assert_eq!(answer["error"]["data"]["code"], code, "{method}: {answer}");
    }
    let inside =
        json!({ "owner": "window", "paused": true, "folder": place.root(), "requests": [{ "url": "http://a.example/" }] });
    assert!(call(&mut socket, "add", inside).await["result"].is_object());
}

#[tokio::test]
async fn sign_out_closes_socket_and_invalidates_key_of_device() {
    let place = PagePlace::new().await;
    let (key, other) = (place.sign_in().await, place.sign_in().await);
    let (mut socket, mut kept) = (place.socket(&key).await, place.socket(&other).await);
    let headers = [("Cookie", key.cookie.as_str()), ("Ashore-Key", key.key.as_str())];
    let signed_out = place.ask("DELETE", "api/session", &headers, b"").await;
    assert_eq!(signed_out.status, 204);
    assert!(signed_out.headers["set-cookie"].contains("Max-Age=0"), "{signed_out:?}");
    assert_eq!(next(&mut socket).await.err(), Some(Some(4401)));
    assert_eq!(place.get("api/folders", &key).await.status, 401);
    // Sign the other device out by name, as the command line does.
    assert!(call(&mut kept, "totals", Value::Null).await["result"].is_object());
    devices::sign_device_out(&place.data_dir(), "Phone 2").unwrap();
    assert_eq!(next(&mut kept).await.err(), Some(Some(4401)));
}

#[tokio::test]
async fn program_token_permits_requests_but_no_sign_in_to_page() {
    let place = PagePlace::new().await;
    let adder = place.program_token("sonarr", TokenScope::Add);
    let metrics = place.program_token("prometheus", TokenScope::Metrics);
    let ask = async |token: &str, path: &str| {
        place.ask("GET", path, &[("Authorization", &format!("Bearer {token}"))], b"").await.status
    };
    assert_eq!(ask(&adder, "api/folders").await, 200);
    assert_eq!(ask(&metrics, "api/folders").await, 403);
    assert_eq!(ask(&adder[1..], "api/folders").await, 401);
    assert_eq!(place.sign_in_with(&json!({ "token": adder })).await.status, 401);
}

#[tokio::test]
async fn only_token_file_contains_the_token_and_no_file_contains_device_keys() {
    let place = PagePlace::new().await;
    let (key, token) = (place.sign_in().await, place.token());
    place.socket(&key).await;
    let (_, first) = key.cookie.rsplit_once('.').unwrap();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(place.data_dir()).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains(first) && !text.contains(&key.key), "{}", path.display());
        if text.contains(&token) {
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    assert_eq!(names, ["remote-token"]);
    let book = SessionFile::new(&place.data_dir()).read().unwrap();
    assert_eq!(book.valid_of(&[TokenKind::Device], NOW).count(), 1);
}
