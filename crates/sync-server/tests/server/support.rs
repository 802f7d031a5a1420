//! Runs a server in this process, on either database, with a clock that the test controls.

use std::{
    collections::BTreeMap,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use ashore_sync_server::{
    auth::{
        hawk::{HawkHeader, HawkSignature},
        token::ServerSecret,
    },
    clock::ServerClock,
    http::{ConnectedPeer, HttpSettings, SyncApp, answer},
    protocol::ProtocolLimits,
    store::{DatabasePool, SyncStore},
};
use ashore_testkit::sync_server::postgres::postgres;
use axum::body::Body;
use http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use serde_json::Value;
use sqlx::PgConnection;

/// Time at the start of every test, in milliseconds.
pub const BEGIN: i64 = 1_700_000_000_000;

/// Value of the header `Host`.
pub const HOST: &str = "sync.example:5000";

/// Maximum wait for an operation that is already in progress.
const PATIENCE: Duration = Duration::from_secs(60);

/// Server that receives requests without a network.
#[derive(Clone)]
pub struct Home {
    pub app: Arc<SyncApp>,
    pub time: Arc<AtomicI64>,
    pub database: DatabasePool,
    nonces: Arc<AtomicU64>,
    _folder: Arc<tempfile::TempDir>,
}

/// Response of the server.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

/// Settings of a server.
#[derive(Clone)]
pub struct Setup {
    pub limits: ProtocolLimits,
    pub settings: HttpSettings,
}

impl Default for Setup {
    fn default() -> Self {
        Self { limits: ProtocolLimits::default(), settings: HttpSettings { allows_new_users: true, ..HttpSettings::default() } }
    }
}

/// Runs the test `story` on SQLite, and on PostgreSQL if PostgreSQL is installed.
pub async fn on_both(story: impl AsyncFn(Home)) {
    with(Setup::default(), story).await;
}

/// Runs the test `story` with the settings in `setup`, on SQLite and, if installed, PostgreSQL.
pub async fn with(setup: Setup, story: impl AsyncFn(Home)) {
    story(Home::on_sqlite(setup.clone()).await).await;
    match Home::on_postgres(setup).await {
        Ok(home) => story(home).await,
        Err(reason) => eprintln!("PostgreSQL was left out, because {reason}."),
    }
}

impl Home {
    pub async fn on_sqlite(setup: Setup) -> Self {
        // Use a folder in memory if possible, because the speed of a disk is not tested.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let database = DatabasePool::Folder(folder.path().join("data"));
        Self::open(setup, database, Arc::new(folder)).await
    }

    pub async fn on_postgres(setup: Setup) -> Result<Self, String> {
        Ok(Self::on_address(setup, postgres()?.database().await).await)
    }

    pub async fn on_address(setup: Setup, address: String) -> Self {
        Self::open(setup, DatabasePool::Postgres(address), Arc::new(tempfile::tempdir().unwrap())).await
    }

    async fn open(setup: Setup, database: DatabasePool, folder: Arc<tempfile::TempDir>) -> Self {
        let time = Arc::new(AtomicI64::new(BEGIN));
        let store = SyncStore::open(&database, setup.limits, "a test", BEGIN).await.unwrap();
        let told = Arc::clone(&time);
        let clock = ServerClock::new(move || told.load(Ordering::Relaxed));
        let app = SyncApp::new(store, ServerSecret::new("secret of the tests"), clock, setup.settings);
        Self { app, time, database, nonces: Arc::default(), _folder: folder }
    }

    /// Opens another node on the same database, with the same clock.
    pub async fn open_another_node(&self) -> Self {
        let setup = Setup { settings: self.app.settings.clone(), limits: *self.app.store.limits() };
        let store = SyncStore::open(&self.database, setup.limits, "another node", BEGIN).await.unwrap();
        let told = Arc::clone(&self.time);
        let clock = ServerClock::new(move || told.load(Ordering::Relaxed));
        let app = SyncApp::new(store, ServerSecret::new("secret of the tests"), clock, setup.settings);
        Self { app, ..self.clone() }
    }

    /// Advances the clock by `milliseconds`; a negative number sets it back.
    pub fn advance_clock(&self, milliseconds: i64) {
        self.time.fetch_add(milliseconds, Ordering::Relaxed);
    }

    pub fn now(&self) -> i64 {
        self.time.load(Ordering::Relaxed)
    }

    /// Returns a token and its key, as another program that knows the secret would create them.
    ///
    /// The token expires after an hour.
    pub fn token(&self, uid: i64) -> (String, String) {
        self.token_at(uid, self.now())
    }

    pub fn token_at(&self, uid: i64, made: i64) -> (String, String) {
        foreign_token("secret of the tests", uid, made / 1000 + 3600)
    }

    /// Returns a Hawk header for a request.
    pub fn sign(&self, uid: i64, method: &str, path: &str) -> String {
        let (id, key) = self.token(uid);
        let nonce = self.nonces.fetch_add(1, Ordering::Relaxed).to_string();
        let (host, port) = HOST.split_once(':').unwrap();
        let signed = HawkSignature { method, resource: path, host, port: port.parse().unwrap() };
        HawkHeader::write(&id, &key, &signed, self.now() / 1000, &nonce)
    }

    /// Sends a request of user `uid`; `path` is relative to the root of the user.
    pub async fn ask_as(&self, uid: i64, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Reply {
        let path = format!("/1.5/{uid}{path}");
        let signature = self.sign(uid, method, &path);
        let mut all = vec![("authorization", signature.as_str())];
        all.extend_from_slice(headers);
        self.send(ConnectedPeer::default(), method, &path, &all, body).await
    }

    /// Sends a request with exactly these headers and the header `Host`.
    pub async fn send(
        &self,
        peer: ConnectedPeer,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("host", HOST);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = answer(Arc::clone(&self.app))(peer, request.body(body.into()).unwrap()).await;
        let (parts, body) = response.into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Reply { status: parts.status.as_u16(), headers: parts.headers, text }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.ask_as(1, "GET", path, &[], Body::empty()).await
    }

    pub async fn get_with(&self, path: &str, name: &str, value: impl Display) -> Reply {
        self.ask_as(1, "GET", path, &[(name, &value.to_string())], Body::empty()).await
    }

    pub async fn write(&self, path: &str, body: Value) -> Reply {
        self.ask_as(1, "PUT", path, &[], body.to_string()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.ask_as(1, "POST", path, &[], body.to_string()).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.ask_as(1, "DELETE", path, &[], Body::empty()).await
    }

    /// Returns the ids of a listing, in the order of the listing.
    pub async fn ids(&self, path: &str) -> Vec<String> {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        serde_json::from_str(&reply.text).unwrap()
    }

    /// Panics if a counter of any collection is wrong.
    pub async fn recount(&self) {
        let (wrong, lengths) = self.app.store.recount().await.unwrap();
        assert!(wrong.is_empty() && lengths == 0, "{wrong:?} {lengths}");
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns a header; an empty text if the header is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns X-Last-Modified, in milliseconds.
    pub fn modified(&self) -> i64 {
        milliseconds(self.header("x-last-modified"))
    }

    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Panics unless the response is a refusal with this status and code.
    pub fn refused(self, status: u16, code: u8) -> Self {
        assert_eq!((self.status, self.text.as_str()), (status, code.to_string().as_str()), "{self:?}");
        assert_eq!(self.header("content-type"), "application/json");
        self
    }
}

/// Waits until `number` sessions in the database of `connection` are waiting for a lock.
pub async fn wait_for_waiting(connection: &mut PgConnection, number: i64) {
    const WAITING: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waiting = async {
        while sqlx::query_scalar::<_, i64>(WAITING).fetch_one(&mut *connection).await.unwrap() < number {
            tokio::time::sleep(Duration::from_millis(5)).await;
            // Within a transaction, the activity view keeps the values of its first read.
            sqlx::raw_sql("SELECT pg_stat_clear_snapshot()").execute(&mut *connection).await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("sessions wait for a lock");
}

/// Converts a time of the protocol to milliseconds. The time must have two decimals.
pub fn milliseconds(text: &str) -> i64 {
    let (seconds, decimals) = text.split_once('.').unwrap_or_else(|| panic!("no time: {text:?}"));
    assert_eq!(decimals.len(), 2, "{text}");
    format!("{seconds}{decimals}0").parse().unwrap()
}

/// Returns a token as a separate token server with the same secret would create it.
///
/// Such a token has other fields than a token of this server, and its uid is a number.
fn foreign_token(secret: &str, uid: i64, expires: i64) -> (String, String) {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE};
    use hmac::{Hmac, KeyInit as _, Mac as _};
    let derive = |salt: Option<&[u8]>, info: &[u8]| {
        let mut key = [0; 32];
        hkdf::Hkdf::<sha2::Sha256>::new(salt, secret.as_bytes()).expand(info, &mut key).unwrap();
        key
    };
    let said =
        serde_json::json!({ "uid": uid, "node": "https://elsewhere", "expires": expires, "salt": "c0ffee", "fxa_uid": "x" });
    let mut bytes = said.to_string().into_bytes();
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(&derive(None, b"services.mozilla.com/tokenlib/v1/signing")).unwrap();
    mac.update(&bytes);
    bytes.extend_from_slice(&mac.finalize().into_bytes());
    let id = URL_SAFE.encode(bytes);
    let info = format!("services.mozilla.com/tokenlib/v1/derive/{id}");
    let key = URL_SAFE.encode(derive(Some(b"c0ffee"), info.as_bytes()));
    (id, key)
}

/// Returns objects with this payload; the ids are written with two digits: 00, 01 and so on
pub fn objects(ids: impl IntoIterator<Item = u32>, payload: &str) -> Value {
    ids.into_iter().map(|id| serde_json::json!({ "id": format!("{id:02}"), "payload": payload })).collect()
}

/// Converts a JSON object to a map of numbers.
pub fn numbers(value: &Value) -> BTreeMap<String, f64> {
    value.as_object().unwrap().iter().map(|(name, number)| (name.clone(), number.as_f64().unwrap())).collect()
}
