//! REST interface.

use std::net::Ipv4Addr;

use ashore_engine::{EngineEvent, SettingKey, SettingValue};
use axum::{body::Body, extract::Request};
use futures_util::poll;
use serde_json::{Value, json};
use tokio::time::timeout;
use tower_service::Service as _;

use super::page_place::{HttpAnswer, NOW, PagePlace, SOON};
use crate::{
    server::{LIMITS, RemotePeer},
    session_file::SessionFile,
    token_scope::TokenScope,
};

/// Client with a token.
pub(super) struct TokenClient<'a> {
    pub place: &'a PagePlace,
    pub token: String,
}

impl<'a> TokenClient<'a> {
    /// Returns a client with the token of a program that has this scope. The program is named after the scope.
    pub(super) fn new(place: &'a PagePlace, scope: TokenScope) -> Self {
        // Write the token with the clock of the test. The functions of the command line would use the real clock.
        let name = format!("{scope:?}").to_lowercase();
        let issue = |book: &mut crate::sessions::SessionBook| book.issue_to_program(&name, scope, NOW, &mut rand::rng());
        let token = SessionFile::new(&place.data_dir()).change(issue).unwrap().unwrap().token;
        Self { place, token }
    }

    pub(super) async fn ask(&self, method: &str, path: &str, body: &Value) -> HttpAnswer {
        self.ask_with(method, path, &[], body).await
    }

    pub(super) async fn ask_with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> HttpAnswer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [&[("Authorization", bearer.as_str())][..], headers].concat();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.place.ask(method, path, &headers, body.as_bytes()).await
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        let answered = self.ask("GET", path, &Value::Null).await;
        assert_eq!(answered.status, 200, "{answered:?}");
        answered.json()
    }

    /// Adds a paused download. Returns its id.
    pub(super) async fn add(&self, url: &str) -> String {
        let added = self.ask("POST", "api/v1/downloads", &paused(url)).await;
        assert_eq!(added.status, 201, "{added:?}");
        added.json()["unique_id"].as_str().unwrap().to_owned()
    }
}

pub(super) fn paused(url: &str) -> Value {
    json!({ "paused": true, "requests": [{ "url": url }] })
}

#[tokio::test]
async fn download_of_program_is_created_read_changed_and_removed() {
    let place = PagePlace::with(LIMITS, "/a/").await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let added = client.ask("POST", "api/v1/downloads", &paused("http://a.example/a")).await;
    let download = added.json();
    let id = download["unique_id"].as_str().unwrap().to_owned();
    let path = format!("api/v1/downloads/{id}");
    assert_eq!((added.status, added.headers["location"].as_str()), (201, format!("/a/{path}").as_str()));
    // The source `program` limits the download to public addresses, even if the token has the scope for control.
    assert_eq!((&download["owner"], &download["source"]), (&json!("api/control"), &json!("program")));
    assert_eq!(client.get(&path).await["state"], "paused");
    let folder = place.root().join("sub");
    std::fs::create_dir(&folder).unwrap();
    let changes = [
        ("PATCH", "", json!({ "title": "New", "description": "Text" }), 204),
        ("PATCH", "", json!({ "bytes_per_second": 4096 }), 204),
        ("PATCH", "", json!({ "folder": folder }), 204),
        ("POST", "/move", json!({ "place": "top" }), 204),
        ("POST", "/relink", json!({ "index": 0, "url": "http://b.example/a" }), 204),
        ("POST", "/pause", Value::Null, 204),
    ];
    for (method, part, body, status) in changes {
        let answered = client.ask(method, &format!("{path}{part}"), &body).await;
        assert_eq!(answered.status, status, "{method} {part} {body}: {answered:?}");
    }
    let shown = client.get(&path).await;
    assert_eq!((&shown["title"], &shown["description"]), (&json!("New"), &json!("Text")));
    assert_eq!(client.get("api/v1/limits").await[0]["bytes_per_second"], 4096);
    assert_eq!(client.get(&format!("{path}/records")).await[0]["url"], "http://b.example/a");
    assert_eq!(client.ask("DELETE", &format!("{path}?files=true"), &Value::Null).await.status, 204);
    for (method, part) in [("GET", ""), ("DELETE", ""), ("POST", "/resume"), ("POST", "/retry"), ("GET", "/records")] {
        let refused = client.ask(method, &format!("{path}{part}"), &Value::Null).await;
        assert_eq!((refused.status, refused.code().as_str()), (404, "unknown"), "{method} {part}: {refused:?}");
    }
}

#[tokio::test]
async fn repeated_idempotency_key_returns_first_download() {
    let place = PagePlace::new().await;
    let (one, other) = (TokenClient::new(&place, TokenScope::Add), TokenClient::new(&place, TokenScope::Control));
    let key = [("Idempotency-Key", "\"order 7\"")];
    let first = one.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/a")).await;
    let again = one.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/a")).await;
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(first.json()["unique_id"], again.json()["unique_id"]);
    assert_eq!(first.json()["developer_id"], "order 7");
    let foreign = other.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/a")).await;
    assert_eq!(foreign.status, 201);
    // The key still identifies the download after the download has ended.
    let id = first.json()["unique_id"].as_str().unwrap().parse().unwrap();
    place.own.engine.abort(id).await.unwrap();
    let late = one.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/a")).await;
    assert_eq!((late.status, &late.json()["unique_id"]), (200, &first.json()["unique_id"]));
}

#[tokio::test]
async fn idempotency_key_of_another_request_is_refused() {
    let place = PagePlace::with(LIMITS, "/a/").await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let key = [("Idempotency-Key", "7")];
    let first = client.ask_with("POST", "api/v1/downloads", &key, &paused("http://a.example/a")).await.json();
    let path = format!("api/v1/downloads/{}", first["unique_id"].as_str().unwrap());
    let mut titled = paused("http://a.example/a");
    titled["title"] = json!("Other");
    let named = json!({ "developer_id": "7", "requests": [{ "url": "http://a.example/b" }] });
    let other_requests = [
        ("POST", "api/v1/downloads".to_owned(), paused("http://a.example/b")),
        ("POST", "api/v1/downloads".to_owned(), titled),
        ("POST", "api/v1/downloads".to_owned(), named),
        ("POST", format!("{path}/resume"), Value::Null),
        ("PATCH", path.clone(), json!({ "title": "Other" })),
        ("DELETE", path.clone(), Value::Null),
        ("PUT", "api/v1/settings/parallel".to_owned(), json!({ "value": 3 })),
    ];
    for (method, path, body) in other_requests {
        let headers = if body["developer_id"].is_null() { &key[..] } else { &[] };
        let refused = client.ask_with(method, &path, headers, &body).await;
        assert_eq!((refused.status, refused.code().as_str()), (422, "idempotency-key"), "{method} {path} {body}");
    }
    assert_eq!(client.get(&path).await["title"], first["title"]);
    assert_eq!(client.get("api/v1/downloads").await["downloads"].as_array().unwrap().len(), 1);
    assert_eq!(client.ask_with("GET", &path, &key, &Value::Null).await.status, 200);
    // A key that belongs to no download has no effect on other routes.
    assert_eq!(client.ask_with("POST", &format!("{path}/resume"), &[("Idempotency-Key", "8")], &Value::Null).await.status, 204);
}

#[tokio::test]
async fn simultaneous_requests_with_one_key_and_other_bodies_add_one_download() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Add);
    let key = [("Idempotency-Key", "7")];
    let bodies = ["http://a.example/a", "http://a.example/b"].map(paused);
    let ask = |body| client.ask_with("POST", "api/v1/downloads", &key, body);
    let (one, two) = tokio::join!(ask(&bodies[0]), ask(&bodies[1]));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
    assert_eq!(client.get("api/v1/downloads").await["downloads"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn simultaneous_requests_with_one_key_add_one_download() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Add);
    let key = [("Idempotency-Key", "7")];
    let body = paused("http://a.example/a");
    let ask = || client.ask_with("POST", "api/v1/downloads", &key, &body);
    let (one, two, three) = tokio::join!(ask(), ask(), ask());
    let mut statuses = [one.status, two.status, three.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 201]);
    assert_eq!(client.get("api/v1/downloads").await["downloads"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn add_call_is_completed_if_client_disconnects_in_the_middle() {
    let mut place = PagePlace::new().await;
    let bearer = format!("Bearer {}", TokenClient::new(&place, TokenScope::Add).token);
    let body = Body::from(paused("http://a.example/a").to_string());
    let mut request = Request::post("/api/v1/downloads").header("Authorization", bearer).body(body).unwrap();
    request.extensions_mut().insert(RemotePeer::without_connection(Ipv4Addr::LOCALHOST.into()));
    let mut events = place.own.engine.events();
    let mut call = Box::pin(place.router.call(request));
    assert!(poll!(&mut call).is_pending());
    drop(call);
    let added = async {
        loop {
            if let EngineEvent::Changed { registration } = events.next().await.unwrap() {
                return registration;
            }
        }
    };
    assert_eq!(timeout(SOON, added).await.unwrap().owner, "api/add");
}

#[tokio::test]
async fn list_of_downloads_is_read_in_pages() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Add);
    let mut added = Vec::new();
    for number in 0..5 {
        added.push(client.add(&format!("http://a.example/{number}")).await);
    }
    added.reverse();
    let (mut path, mut found, mut pages) = ("api/v1/downloads?limit=2".to_owned(), Vec::new(), 0);
    loop {
        let page = client.get(&path).await;
        let ids = page["downloads"].as_array().unwrap().iter().map(|one| one["unique_id"].as_str().unwrap().to_owned());
        found.extend(ids);
        pages += 1;
        let Some(next) = page["next"].as_str() else { break };
        path = format!("api/v1/downloads?limit=2&before={next}");
    }
    assert_eq!((found, pages), (added, 3));
    for (query, count) in [("search=example%2F3", 1), ("active=false", 0), ("owner=api%2Fadd", 5), ("owner=window", 0)] {
        let page = client.get(&format!("api/v1/downloads?{query}")).await;
        assert_eq!(page["downloads"].as_array().unwrap().len(), count, "{query}");
    }
    for query in ["limit=0", "limit=1001", "limit=x", "before=x", "active=1", "serach=a", "limit=1&limit=2"] {
        let refused = client.ask("GET", &format!("api/v1/downloads?{query}"), &Value::Null).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "remote-request.invalid"), "{query}");
    }
}

#[tokio::test]
async fn next_page_continues_after_download_that_was_removed_in_the_meantime() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let first = client.add("http://a.example/1").await;
    let last = client.add("http://a.example/2").await;
    let page = client.get("api/v1/downloads?limit=1").await;
    assert_eq!(page["downloads"][0]["unique_id"], json!(last));
    assert_eq!(client.ask("DELETE", &format!("api/v1/downloads/{last}"), &Value::Null).await.status, 204);
    let with_id = format!("api/v1/downloads?before={last}");
    let is_gone = async {
        // The row of a removed download exists a moment longer.
        while client.ask("GET", &with_id, &Value::Null).await.status != 404 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, is_gone).await.unwrap();
    let next = client.get(&format!("api/v1/downloads?before={}", page["next"].as_str().unwrap())).await;
    assert_eq!((&next["downloads"][0]["unique_id"], &next["next"]), (&json!(first), &Value::Null));
}

#[tokio::test]
async fn folder_of_call_is_stored_without_symbolic_links() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let (link, real) = (place.root().join("link"), place.root().join("real"));
    std::fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let mut new = paused("http://a.example/a");
    new["folder"] = json!(link);
    let added = client.ask("POST", "api/v1/downloads", &new).await.json();
    assert_eq!(added["folder"], json!(real));
    assert_eq!(client.ask("PUT", "api/v1/settings/folder-video", &json!({ "value": "link" })).await.status, 204);
    let settings = client.get("api/v1/settings").await;
    let video = settings["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == "folder-video").unwrap();
    assert_eq!(video["value"], json!(real));
}

#[tokio::test]
async fn scope_of_token_decides_which_routes_are_allowed() {
    let place = PagePlace::new().await;
    let scopes = [TokenScope::Metrics, TokenScope::Read, TokenScope::Add, TokenScope::Control];
    let clients = scopes.map(|scope| TokenClient::new(&place, scope));
    let path = format!("api/v1/downloads/{}", clients[3].add("http://a.example/a").await);
    let top = json!({ "place": "top" });
    // The last number of a row is the number of scopes, counted from the start of `scopes`, whose tokens are refused.
    let routes = [
        ("GET", "api/v1/downloads".to_owned(), Value::Null, 1),
        ("GET", path.clone(), Value::Null, 1),
        ("GET", format!("{path}/records"), Value::Null, 1),
        ("GET", "api/v1/settings".to_owned(), Value::Null, 1),
        ("GET", "api/v1/limits".to_owned(), Value::Null, 1),
        ("GET", "api/v1/quotas".to_owned(), Value::Null, 1),
        ("GET", "api/v1/statistics?days=1".to_owned(), Value::Null, 1),
        ("POST", "api/v1/understand".to_owned(), json!({ "text": "http://a.example/" }), 1),
        ("POST", "api/v1/downloads".to_owned(), paused("http://a.example/b"), 2),
        ("POST", format!("{path}/pause"), Value::Null, 3),
        ("POST", format!("{path}/move"), top, 3),
        ("PATCH", path, json!({ "title": "New" }), 3),
        ("PUT", "api/v1/settings/parallel".to_owned(), json!({ "value": 3 }), 3),
        ("PUT", "api/v1/limits".to_owned(), json!({ "scope": { "type": "all" }, "bytes_per_second": 4096 }), 3),
        ("PUT", "api/v1/quotas".to_owned(), json!({ "scope": { "owner": "window" }, "bytes": 4096 }), 3),
        ("GET", "api/v1/doctor".to_owned(), Value::Null, 3),
        ("GET", "api/v1/export".to_owned(), Value::Null, 3),
    ];
    for (method, path, body, refused) in routes {
        for (place, client) in clients.iter().enumerate() {
            let answered = client.ask(method, &path, &body).await;
            match place < refused {
                true => assert_eq!(
                    (answered.status, answered.code().as_str()),
                    (403, "remote-sign-in.token-scope"),
                    "{method} {path}"
                ),
                false => assert!((200..300).contains(&answered.status), "{method} {path} {place}: {answered:?}"),
            }
        }
        for headers in [&[][..], &[("Authorization", "Bearer 0")]] {
            let refused = place.ask(method, &path, headers, b"").await;
            assert_eq!((refused.status, refused.code().as_str()), (401, "remote-sign-in.token"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn device_adds_downloads_for_the_user() {
    let place = PagePlace::new().await;
    let added = place.post("api/v1/downloads", &place.sign_in().await, &paused("http://192.168.0.1/a")).await;
    let download = added.json();
    assert_eq!((&download["owner"], &download["source"]), (&json!("window"), &json!("window")), "{download}");
}

#[tokio::test]
async fn invalid_or_forbidden_body_is_refused_with_its_status() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    let request = json!({ "url": "http://a.example/a" });
    let cases = [
        ("POST", "downloads", json!([]), 400, "remote-request.invalid"),
        ("POST", "downloads", json!({ "requests": [request], "x": 1 }), 400, "remote-request.invalid"),
        ("POST", "downloads", json!({ "requests": [request], "owner": "window" }), 400, "remote-request.invalid"),
        ("POST", "downloads", json!({ "requests": [] }), 422, "empty"),
        ("POST", "downloads", json!({ "requests": [{ "url": "ftp://a.example/" }] }), 422, "bad-scheme"),
        ("POST", "downloads", json!({ "requests": [request], "folder": "/etc" }), 403, "remote-folder"),
        (
            "POST",
            "downloads",
            json!({ "requests": [{ "url": "http://a.example/", "method": "POST", "upload_file": "/etc/passwd" }] }),
            422,
            "invalid.message",
        ),
        ("POST", "downloads", json!({ "requests": [request], "icon": "/etc/passwd" }), 422, "invalid.message"),
        ("PUT", "settings/parallel", json!({ "value": "many" }), 422, "invalid.none"),
        ("PUT", "settings/unknown", json!({ "value": 1 }), 400, "remote-request.invalid"),
        ("PUT", "settings/folder", json!({ "value": "/etc" }), 403, "remote-folder"),
        ("PUT", "limits", json!({ "scope": { "type": "all" }, "bytes_per_second": 1 }), 422, "bad-speed"),
        ("GET", "downloads/7", Value::Null, 404, "unknown"),
    ];
    for (method, path, body, status, code) in cases {
        let refused = client.ask(method, &format!("api/v1/{path}"), &body).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{method} {path} {body}");
    }
    assert_eq!(client.get("api/v1/downloads").await["downloads"], json!([]));
}

#[tokio::test]
async fn settings_hide_proxy_from_program_without_control_scope() {
    let place = PagePlace::new().await;
    let (reader, person) = (TokenClient::new(&place, TokenScope::Read), TokenClient::new(&place, TokenScope::Control));
    let proxy = SettingValue::Text("http://robin:secret@127.0.0.1:3128".to_owned());
    place.own.engine.set(SettingKey::Proxy, Some(proxy)).await.unwrap();
    for (client, is_shown) in [(&reader, false), (&person, true)] {
        assert_eq!(client.get("api/v1/settings").await.to_string().contains("robin:secret"), is_shown);
    }
}

#[tokio::test]
async fn exported_list_can_be_imported_again() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    client.add("http://a.example/a").await;
    let exported = client.ask("GET", "api/v1/export", &Value::Null).await;
    assert!(exported.headers["content-disposition"].starts_with("attachment;"), "{exported:?}");
    let bearer = format!("Bearer {}", client.token);
    let other = PagePlace::new().await;
    let importing = TokenClient::new(&other, TokenScope::Control);
    let headers = [("Authorization", format!("Bearer {}", importing.token))];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let refused = other.ask("POST", "api/v1/import", &headers, &exported.body).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "remote-folder"));
    let imported = place.ask("POST", "api/v1/import", &[("Authorization", &bearer)], &exported.body).await;
    assert_eq!((imported.status, imported.json().is_object()), (200, true), "{imported:?}");
}

#[tokio::test]
async fn foreign_page_cannot_use_rest_interface() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    for origin in ["https://attacker.example", "null"] {
        let refused = client.ask_with("POST", "api/v1/downloads", &[("Origin", origin)], &paused("http://a.example/a")).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "remote-request.origin"), "{origin}");
    }
}
