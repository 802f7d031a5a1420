//! A web server with files, an engine with the interface, and clients of the interface.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use ashore_engine::{Engine, EngineEnv, EngineOptions, SettingKey, SettingOverrides, SettingValue};
use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::{SinkExt as _, StreamExt as _, stream};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::{sleep, timeout},
};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

use crate::{
    aria2::{http::routes, methods::Aria2Config},
    server::access_control::AcceptedHosts,
    server::{LIMITS, RemoteLimits, RemoteListener, RemoteServer, bind},
    token_scope::TokenScope,
};

/// Length of the file at paths that begin with `/ok`.
pub(super) const LENGTH: usize = 100_000;
/// Maximum time for something to happen.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Starts a web server, and returns its address without a slash at the end.
///
/// Files at `/ok…` are complete, those at `/slow…` stop after 20,000 of 100,000 bytes, and all others are missing. `/echo…`
/// returns the head of the request.
pub(crate) async fn web_server() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve_files(listener));
    format!("http://{address}")
}

async fn serve_files(listener: TcpListener) {
    let router = Router::new().fallback(async |uri: Uri, headers: HeaderMap| file(uri.path(), &headers));
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        let service = hyper_util::service::TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection =
                hyper::server::conn::http1::Builder::new().serve_connection(hyper_util::rt::TokioIo::new(stream), service);
            // Ignore the error: clients close connections at any time.
            let _ = connection.await;
        });
    }
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let stated = [(header::CONTENT_LENGTH, LENGTH.to_string()), (header::ETAG, "\"1\"".to_owned())];
    if path.starts_with("/ok") {
        return (stated, vec![b'x'; LENGTH]).into_response();
    }
    if path.starts_with("/slow") {
        let start = headers.get(header::RANGE).and_then(|range| range.to_str().ok()?.strip_prefix("bytes=")?.split('-').next());
        if let Some(start) = start.and_then(|start| start.parse::<usize>().ok()) {
            let rest = [
                (header::CONTENT_RANGE, format!("bytes {start}-{}/{LENGTH}", LENGTH - 1)),
                (header::CONTENT_LENGTH, (LENGTH - start).to_string()),
                (header::ETAG, "\"1\"".to_owned()),
            ];
            return (StatusCode::PARTIAL_CONTENT, rest, Body::from_stream(stream::pending::<std::io::Result<Bytes>>()))
                .into_response();
        }
        let begin = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b'y'; LENGTH / 5]))]);
        return (stated, Body::from_stream(begin.chain(stream::pending()))).into_response();
    }
    if path.starts_with("/echo") {
        return format!("{headers:?}").into_response();
    }
    StatusCode::NOT_FOUND.into_response()
}

/// Program with the interface: Ashore or aria2.
pub(crate) trait Aria2Peer {
    /// Returns the port of the interface.
    fn port(&self) -> u16;

    /// Posts a body, and returns the status and the answer.
    async fn post(&self, body: &[u8]) -> (u16, Vec<u8>) {
        let (status, _, answer) = request(self.port(), "POST", body, "").await;
        (status, answer)
    }

    /// Calls a method. Returns the result, or the error.
    async fn call(&self, method: &str, params: Value) -> Value {
        let call = json!({ "jsonrpc": "2.0", "id": "q", "method": method, "params": params });
        let (_, answer) = self.post(call.to_string().as_bytes()).await;
        let mut answer: Value = serde_json::from_slice(&answer).unwrap();
        let key = if answer.get("result").is_some() { "result" } else { "error" };
        answer[key].take()
    }

    /// Calls a method until `is_expected` accepts its result.
    async fn wait(&self, method: &str, params: Value, is_expected: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                let result = self.call(method, params.clone()).await;
                if is_expected(&result) {
                    return result;
                }
                // Poll, because the interface has no call that waits.
                sleep(Duration::from_millis(20)).await;
            }
        };
        match timeout(PATIENCE, waiting).await {
            Ok(result) => result,
            Err(_) => panic!("{method} {params}: {}", self.call(method, params.clone()).await),
        }
    }

    /// Waits until the download has this status.
    async fn reach(&self, gid: &str, status: &str) -> Value {
        self.wait("aria2.tellStatus", json!([gid]), |result| result["status"] == status).await
    }

    async fn socket(&self) -> WebSocketStream<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port())).await.unwrap();
        client_async(format!("ws://127.0.0.1:{}/jsonrpc", self.port()), stream).await.unwrap().0
    }
}

/// Sends a request over HTTP/1.1. Returns the status, the head and the body of the answer.
pub(super) async fn request(port: u16, method: &str, body: &[u8], fields: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let length = body.len();
    let head = format!(
        "{method} /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}\r\n"
    );
    stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    (head[9..12].parse().unwrap(), head, answer[end + 4..].to_vec())
}

/// Returns the next message of a WebSocket.
pub(super) async fn next(socket: &mut WebSocketStream<TcpStream>) -> Value {
    loop {
        match timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Sends a message, and returns the next one.
pub(super) async fn exchange(socket: &mut WebSocketStream<TcpStream>, message: &str) -> Value {
    socket.send(Message::text(message)).await.unwrap();
    next(socket).await
}

fn scope_of(secret: Option<&str>) -> Option<TokenScope> {
    match secret {
        Some("read") => Some(TokenScope::Read),
        Some("add") => Some(TokenScope::Add),
        Some("wrong") => None,
        _ => Some(TokenScope::Control),
    }
}

/// Returns a configuration whose random GIDs begin with `first_gid`.
fn config_of(engine: &Engine, data_dir: &Path, first_gid: u64) -> Aria2Config {
    let number = AtomicU64::new(first_gid);
    Aria2Config {
        engine: engine.clone(),
        data_dir: data_dir.to_owned(),
        roots: Vec::new(),
        shows_all: false,
        scope_of: Box::new(|secret, _| Box::pin(async move { scope_of(secret.as_deref()) })),
        stop: None,
        random: Box::new(move || number.fetch_add(0x10_0001, Ordering::Relaxed)),
    }
}

/// Ashore with the interface.
pub(crate) struct AshorePeer {
    pub engine: Engine,
    pub folder: TempDir,
    server: RemoteServer,
    port: u16,
}

impl Aria2Peer for AshorePeer {
    fn port(&self) -> u16 {
        self.port
    }
}

impl AshorePeer {
    /// Opens an engine with two transfers at a time. Calls without a secret are allowed. The secrets `read` and `add`
    /// restrict the caller, and the secret `wrong` is refused.
    pub(crate) async fn open() -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), false, None, LIMITS).await
    }

    /// Opens an engine in the same way, but with other limits of the server.
    pub(super) async fn open_with(limits: RemoteLimits) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), false, None, limits).await
    }

    /// Opens an engine like `open`, but clients also see the downloads of other owners.
    pub(super) async fn open_for_all() -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), true, None, LIMITS).await
    }

    /// Opens an engine like `open`, but clients may end the program. `stop` is notified when a client does so.
    pub(super) async fn open_stoppable(stop: Arc<Notify>) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), false, Some(stop), LIMITS).await
    }

    async fn open_in(folder: TempDir, shows_all: bool, stop: Option<Arc<Notify>>, limits: RemoteLimits) -> Self {
        let overrides = SettingOverrides { parallel: Some(2), ..SettingOverrides::default() };
        let env = EngineEnv {
            system_bus: || Some("unix:path=/nonexistent".to_owned()),
            session_bus: || Some("unix:path=/nonexistent".to_owned()),
            ..EngineEnv::default()
        };
        let data_dir = folder.path().join("data");
        let options = EngineOptions { data_dir: data_dir.clone(), holder: "a test".to_owned(), fetch: true, overrides, env };
        let engine = Engine::open(options).await.unwrap();
        engine.set(SettingKey::LocalForPrograms, Some(SettingValue::Flag(true))).await.unwrap();
        std::fs::create_dir_all(folder.path().join("files")).unwrap();
        let root = SettingValue::Text(folder.path().join("files").display().to_string());
        engine.set(SettingKey::Folder, Some(root)).await.unwrap();
        let (listener, port, _) = bind(&[0]).await.unwrap();
        let config = Aria2Config { shows_all, stop, ..config_of(&engine, &data_dir, 0x0f00_0000_0000_0000) };
        let listeners = vec![RemoteListener::Tcp(listener)];
        let server =
            RemoteServer::start(listeners, AcceptedHosts::loopback(port), limits, |stopped| routes(config, limits, stopped));
        Self { engine, folder, server, port }
    }

    /// Returns a configuration for calls without a connection.
    pub(crate) fn config(&self) -> Aria2Config {
        config_of(&self.engine, &self.folder.path().join("data"), 0x0e00_0000_0000_0000)
    }

    /// Returns the folder of the downloads.
    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// Ends the program, and starts it again.
    pub(super) async fn restart(self) -> Self {
        self.server.stop().await;
        self.engine.close().await;
        Self::open_in(self.folder, false, None, LIMITS).await
    }

    /// Adds a paused download, and returns its GID.
    pub(crate) async fn add_paused(&self, uri: &str, options: Value) -> String {
        let mut options = options;
        options["pause"] = json!("true");
        let added = self.call("aria2.addUri", json!([[uri], options])).await;
        added.as_str().unwrap_or_else(|| panic!("{added}")).to_owned()
    }
}
