//! Contract tests, group 6: authentication.

use std::{
    io,
    sync::{Arc, Mutex},
};

use ashore_sync_server::{
    auth::{
        enrol::auth_of,
        hash,
        hawk::{HawkHeader, HawkSignature},
    },
    http::{ConnectedPeer, HttpSettings, set_up_invite},
    store::{EnrolledDevice, StoreError},
};
use serde_json::{Value, json};

use crate::support::{HOST, Home, Reply, Setup, on_both, with};

fn remote_peer() -> ConnectedPeer {
    ConnectedPeer { address: "192.0.2.7".parse().unwrap(), is_secure: true }
}

/// Runs the test `story` on a server with default settings, which admit only invited devices.
async fn on_default_server(story: impl AsyncFn(Home)) {
    with(Setup { settings: HttpSettings::default(), ..Setup::default() }, story).await;
}

async fn send(home: &Home, method: &str, path: &str, token: &str, body: Value) -> Reply {
    let bearer = format!("Bearer {token}");
    home.send(ConnectedPeer::default(), method, path, &[("authorization", &bearer)], body.to_string()).await
}

async fn enrol(home: &Home, uid: i64, invite: Option<&str>, auth: &str) -> Reply {
    let body = json!({ "uid": uid, "invite": invite, "auth": auth, "name": "Laptop" }).to_string();
    home.send(ConnectedPeer::default(), "POST", "/1.0/enrol", &[], body).await
}

/// Creates a user with one device; returns uid, device and token.
async fn join(home: &Home) -> (i64, String, String) {
    let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
    let reply = enrol(home, 0, Some(&id), &auth_of(&secret, 0)).await.expect(201).json();
    let text = |name: &str| reply[name].as_str().unwrap().to_owned();
    (reply["uid"].as_i64().unwrap(), text("device"), text("token"))
}

#[tokio::test]
async fn invite_can_be_used_only_once() {
    on_default_server(async |home| {
        let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        let reply = enrol(&home, 0, Some(&id), &auth_of(&secret, 0)).await.expect(201).json();
        let (uid, token) = (reply["uid"].as_i64().unwrap(), reply["token"].as_str().unwrap().to_owned());
        assert!((1_000_000_000..=9_999_999_999).contains(&uid));
        enrol(&home, 0, Some(&id), &auth_of(&secret, 0)).await.refused(401, 0);
        send(&home, "PUT", &format!("/1.5/{uid}/storage/tabs/a"), &token, json!({ "payload": "x" })).await.expect(200);
        let auth = "what the second device shows";
        let invite = send(&home, "POST", "/1.0/invites", &token, json!({ "auth_hash": hash(auth), "wrapped": "key" }))
            .await
            .expect(201)
            .json();
        let second = enrol(&home, uid, invite["id"].as_str(), auth).await.expect(201).json();
        assert_eq!((second["uid"].as_i64(), second["wrapped"].as_str()), (Some(uid), Some("key")));
        let devices = send(&home, "GET", "/1.0/devices", &token, json!(null)).await.expect(200).json();
        assert_eq!(devices.as_array().unwrap().len(), 2);
        let devices = devices.as_array().unwrap();
        assert_eq!(devices.iter().filter(|device| device["is_own"] == true && device["id"] == reply["device"]).count(), 1);
    })
    .await;
}

#[tokio::test]
async fn id_of_existing_user_is_never_assigned_again() {
    on_default_server(async |home| {
        let (taken, ..) = join(&home).await;
        let (id, _) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        let device = EnrolledDevice { id: "another", name: "Another", secret_hash: &hash("a secret") };
        let used = home.app.store.use_invite((0, &id), |_| true, taken, &device, home.now()).await;
        assert!(matches!(used, Err(StoreError::Taken)), "{used:?}");
        let used = home.app.store.use_invite((0, &id), |_| true, taken + 1, &device, home.now()).await;
        assert_eq!(used.unwrap().unwrap().0, taken + 1, "the invite is still good");
    })
    .await;
}

#[tokio::test]
async fn invite_expires_after_ten_minutes() {
    on_default_server(async |home| {
        let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        home.advance_clock(600_000);
        enrol(&home, 0, Some(&id), &auth_of(&secret, 0)).await.refused(401, 0);
        assert_eq!(home.app.store.purge(home.now()).await.unwrap().invites, 1);
        assert!(!home.app.store.has_users().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn invite_is_void_after_five_wrong_guesses() {
    on_default_server(async |home| {
        let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        for _ in 0..4 {
            enrol(&home, 0, Some(&id), "guess").await.refused(401, 0);
        }
        enrol(&home, 0, Some(&id), &auth_of(&secret, 0)).await.expect(201);
        let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        for _ in 0..5 {
            enrol(&home, 0, Some(&id), "guess").await.refused(401, 0);
        }
        home.advance_clock(60_000);
        enrol(&home, 0, Some(&id), &auth_of(&secret, 0)).await.refused(401, 0);
    })
    .await;
}

#[tokio::test]
async fn recovery_words_enrol_a_device() {
    on_default_server(async |home| {
        let (uid, _, token) = join(&home).await;
        enrol(&home, uid, None, "words").await.refused(401, 0);
        send(&home, "PUT", "/1.0/account/auth", &token, json!({ "auth_hash": hash("words") })).await.expect(200);
        enrol(&home, uid, None, "other words").await.refused(401, 0);
        let reply = enrol(&home, uid, None, "words").await.expect(201).json();
        assert_eq!(reply["uid"].as_i64(), Some(uid));
        send(&home, "PUT", "/1.0/account/auth", &token, json!({ "auth_hash": "short" })).await.refused(400, 8);
    })
    .await;
}

#[tokio::test]
async fn removed_device_is_refused_immediately() {
    on_default_server(async |home| {
        let (uid, device, token) = join(&home).await;
        let credentials = send(&home, "GET", "/1.0/sync/1.5", &token, json!(null)).await.expect(200).json();
        let text = |name: &str| credentials[name].as_str().unwrap().to_owned();
        assert_eq!((text("api_endpoint"), text("hashalg")), (format!("http://{HOST}/1.5/{uid}"), "sha256".to_owned()));
        let path = format!("/1.5/{uid}/info/collections");
        let (host, port) = HOST.split_once(':').unwrap();
        let signed = HawkSignature { method: "GET", resource: &path, host, port: port.parse().unwrap() };
        let hawk = HawkHeader::write(&text("id"), &text("key"), &signed, home.now() / 1000, "n");
        home.send(ConnectedPeer::default(), "GET", &path, &[("authorization", &hawk)], "").await.expect(200);
        let other = send(&home, "DELETE", "/1.0/devices/none", &token, json!(null)).await;
        other.refused(404, 0);
        send(&home, "DELETE", &format!("/1.0/devices/{device}"), &token, json!(null)).await.expect(200);
        send(&home, "GET", &path, &token, json!(null)).await.refused(401, 0);
        home.send(ConnectedPeer::default(), "GET", &path, &[("authorization", &hawk)], "").await.refused(401, 0);
    })
    .await;
}

#[tokio::test]
async fn user_id_in_path_must_match_token() {
    on_default_server(async |home| {
        let (uid, _, token) = join(&home).await;
        for other in ["1", "abc", "12345678901", &format!("0{uid}")] {
            let path = format!("/1.5/{other}/info/collections");
            send(&home, "GET", &path, &token, json!(null)).await.refused(400, 0);
        }
        let (id, key) = home.token(5);
        let signed = HawkSignature { method: "GET", resource: "/1.5/5/info/collections", host: "sync.example", port: 5000 };
        let hawk = HawkHeader::write(&id, &key, &signed, home.now() / 1000, "n");
        home.send(ConnectedPeer::default(), "GET", signed.resource, &[("authorization", &hawk)], "").await.refused(401, 0);
    })
    .await;
}

#[tokio::test]
async fn expired_token_may_read_only_info_collections() {
    on_both(async |home| {
        home.write("/storage/tabs/a", json!({ "payload": "x" })).await.expect(200);
        let ask = async |path: &str| {
            let (id, key) = home.token_at(1, home.now() - 3_700_000);
            let path = format!("/1.5/1{path}");
            let signed = HawkSignature { method: "GET", resource: &path, host: "sync.example", port: 5000 };
            let hawk = HawkHeader::write(&id, &key, &signed, home.now() / 1000, "n");
            home.send(ConnectedPeer::default(), "GET", &path, &[("authorization", &hawk)], "").await
        };
        assert_eq!(ask("/info/collections").await.expect(200).json().as_object().unwrap().len(), 1);
        ask("/info/quota").await.refused(401, 0);
        ask("/storage/tabs").await.refused(401, 0);
    })
    .await;
}

#[tokio::test]
async fn hawk_signature_covers_host_and_port_and_time() {
    on_both(async |home| {
        let path = "/1.5/1/info/collections?x=%20";
        let (id, key) = home.token(1);
        let ask = async |host: &str, port: u16, header: &str, ts: i64, key: &str| {
            let signed = HawkSignature { method: "GET", resource: path, host, port };
            let hawk = HawkHeader::write(&id, key, &signed, home.now() / 1000 + ts, "n");
            let request = http::Request::builder().uri(path).header("host", header).header("authorization", hawk);
            let peer = ConnectedPeer { is_secure: true, ..ConnectedPeer::default() };
            let answer = ashore_sync_server::http::answer(Arc::clone(&home.app));
            answer(peer, request.body(axum::body::Body::empty()).unwrap()).await.status().as_u16()
        };
        assert_eq!(ask("sync.example", 5000, "Sync.Example:5000", 0, &key).await, 200);
        assert_eq!(ask("sync.example", 443, "sync.example", 0, &key).await, 200);
        assert_eq!(ask("::1", 8000, "[::1]:8000", 0, &key).await, 401);
        assert_eq!(ask("[::1]", 8000, "[::1]:8000", 0, &key).await, 200);
        assert_eq!(ask("other.example", 5000, HOST, 0, &key).await, 401);
        assert_eq!(ask("sync.example", 5001, HOST, 0, &key).await, 401);
        assert_eq!(ask("sync.example", 5000, HOST, 0, "key").await, 401);
        assert_eq!(ask("sync.example", 5000, HOST, 15 * 60, &key).await, 200);
        assert_eq!(ask("sync.example", 5000, HOST, 15 * 60 + 1, &key).await, 401);
        assert_eq!(ask("sync.example", 5000, HOST, -15 * 60 - 1, &key).await, 401);
    })
    .await;
}

#[tokio::test]
async fn rate_limits_apply_except_on_loopback() {
    let settings = HttpSettings { allows_new_users: true, rate: (10.0, 20.0), ..HttpSettings::default() };
    with(Setup { settings, ..Setup::default() }, async |home| {
        let ask = async |peer, uid| {
            let path = format!("/1.5/{uid}/info/collections");
            let hawk = home.sign(uid, "GET", &path);
            home.send(peer, "GET", &path, &[("authorization", &hawk)], "").await
        };
        for _ in 0..20 {
            ask(remote_peer(), 1).await.expect(200);
        }
        let refused = ask(remote_peer(), 1).await;
        assert_eq!(refused.header("retry-after"), "1");
        refused.refused(429, 0);
        ask(remote_peer(), 2).await.expect(200);
        ask(ConnectedPeer::default(), 1).await.expect(200);
        home.advance_clock(100);
        ask(remote_peer(), 1).await.expect(200);
        for _ in 0..10 {
            enrol(&home, 0, Some("none"), "x").await.refused(401, 0);
        }
        let refused = enrol(&home, 0, Some("none"), "x").await;
        assert_eq!(refused.header("retry-after"), "6");
        refused.refused(429, 0);
    })
    .await;
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn log_contains_refusal_reasons_but_no_secrets() {
    let log = Log::default();
    let writer = log.clone();
    // Set the subscriber for all threads, because `tracing` caches for the whole process whether a call site is logged.
    let everything = tracing_subscriber::fmt().with_writer(move || writer.clone()).with_max_level(tracing::Level::TRACE);
    let everything = everything.with_ansi(false).with_thread_ids(true).finish();
    tracing::subscriber::set_global_default(everything).expect("no other test sets one");
    let own = format!("{:?}", std::thread::current().id());
    on_default_server(async |home| {
        log.0.lock().unwrap().clear();
        let (id, secret) = set_up_invite(&home.app.store, home.now()).await.unwrap();
        let auth = auth_of(&secret, 0);
        let reply = enrol(&home, 0, Some(&id), &auth).await.expect(201).json();
        let token = reply["token"].as_str().unwrap();
        let uid = reply["uid"].as_i64().unwrap();
        let path = format!("/1.5/{uid}/storage/tabs/a");
        send(&home, "PUT", &path, token, json!({ "payload": "canary" })).await.expect(200);
        send(&home, "PUT", &path, &format!("{token}x"), json!({ "payload": "canary" })).await.refused(401, 0);
        let credentials = send(&home, "GET", "/1.0/sync/1.5", token, json!(null)).await.expect(200).json();
        let (hawk_id, key) = (credentials["id"].as_str().unwrap(), credentials["key"].as_str().unwrap());
        let ask = async |port, ts| {
            let signed = HawkSignature { method: "GET", resource: &path, host: "sync.example", port };
            let hawk = HawkHeader::write(hawk_id, key, &signed, home.now() / 1000 + ts, "nonce");
            home.send(ConnectedPeer::default(), "GET", &path, &[("authorization", &hawk)], "").await
        };
        ask(5000, 0).await.expect(200);
        ask(81, 0).await.refused(401, 0);
        ask(5000, 1000).await.refused(401, 0);
        home.advance_clock(3_600_000);
        ask(5000, 0).await.refused(401, 0);
        home.send(ConnectedPeer::default(), "GET", &path, &[], "").await.refused(401, 0);
        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let told: Vec<&str> = text.lines().filter(|line| line.contains(&own)).collect();
        for reason in
            ["reason=revoked", "reason=mac", "sync.example port 5000", "reason=skew", "reason=expired", "reason=unknown"]
        {
            assert!(told.iter().any(|line| line.contains(reason)), "{reason}: {told:?}");
        }
        for canary in [secret.as_str(), auth.as_str(), token.rsplit('.').next().unwrap(), key, "canary"] {
            assert!(!text.contains(canary), "{canary}: {text}");
        }
    })
    .await;
}
