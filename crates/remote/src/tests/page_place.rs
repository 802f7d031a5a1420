//! Server with the page and a real engine, and a client that writes its requests itself.

use std::{
    collections::HashMap,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use ashore_engine::SettingOverrides;
use ashore_rpc::{OwnProcess, hold};
use axum::Router;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

use crate::{
    aria2::{self, Aria2Access, Aria2Options},
    body_store::BodyStore,
    devices,
    page::PageInterface,
    remote_access::{interfaces, merged},
    remote_sessions::RemoteSessions,
    server::access_control::AcceptedHosts,
    server::{LIMITS, RemoteLimits, RemoteListener, RemoteServer},
    session_file::SessionFile,
    token_scope::TokenScope,
};

/// Time limit that only a failed test reaches.
pub(super) const SOON: Duration = Duration::from_secs(60);
pub(super) const NOW: u64 = 1_800_000_000;
/// Origin that may send requests besides the page itself.
pub(super) const ALLOWED_ORIGIN: &str = "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh";

pub(super) type Socket = WebSocketStream<TcpStream>;

/// Server with its data folder and its download folder.
pub(super) struct PagePlace {
    pub folder: TempDir,
    pub own: OwnProcess,
    pub server: RemoteServer,
    /// Routes of the server, for requests without a connection.
    pub router: Router,
    pub port: u16,
    pub base_path: &'static str,
}

/// Response to a request.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

/// Both halves of a device's key.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    pub cookie: String,
    pub key: String,
}

impl HttpAnswer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Returns the code and the variant of a refusal.
    pub(super) fn code(&self) -> String {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{self:?}");
        let problem = self.json();
        assert_eq!((&problem["type"], &problem["detail"]), (&problem["code"], &problem["text"]));
        let variant = problem["variant"].as_str().map(|variant| format!(".{variant}")).unwrap_or_default();
        format!("{}{variant}", problem["code"].as_str().unwrap())
    }
}

impl PagePlace {
    pub(super) async fn new() -> Self {
        Self::with(LIMITS, "/").await
    }

    pub(super) async fn with(limits: RemoteLimits, base_path: &'static str) -> Self {
        // Use memory if possible, because a test makes thousands of durable writes and does not test the disk.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let (data_dir, root) = (folder.path().join("data"), folder.path().join("root"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&data_dir).unwrap();
        std::fs::write(data_dir.join("ashore.toml"), format!("folder = {:?}\n", root.display().to_string())).unwrap();
        let own = hold(&data_dir, "test", SettingOverrides::default()).await.unwrap();
        devices::ensure_token(&data_dir).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut hosts = AcceptedHosts::of_listeners(&[address]);
        hosts.allow_origin(ALLOWED_ORIGIN);
        hosts.trust_proxies(&["127.0.0.1".parse().unwrap()]);
        let origins = Arc::new(hosts.clone());
        let sessions = Arc::new(RemoteSessions::new(&data_dir, || NOW));
        let mut router = Router::new();
        let server = RemoteServer::start(vec![RemoteListener::Tcp(listener)], hosts, limits, |stopped| {
            let aria2 = Aria2Options { access: Aria2Access::Own, data_dir: data_dir.clone(), roots: Vec::new(), stop: None };
            let aria2 = aria2::routes_for_programs(aria2, &own.engine, &sessions, limits, stopped.clone());
            let page = Arc::new(PageInterface {
                service: own.service(),
                sessions,
                data_dir: data_dir.clone(),
                roots: Vec::new(),
                base_path: base_path.to_owned(),
                limits,
                now: || NOW,
                tickets: Mutex::default(),
                bodies: BodyStore::default(),
                stopped,
            });
            router = merged(interfaces(page, aria2), base_path, origins);
            router.clone()
        });
        Self { folder, own, server, router, port: address.port(), base_path }
    }

    pub(super) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("root").canonicalize().unwrap()
    }

    pub(super) fn token(&self) -> String {
        devices::ensure_token(&self.data_dir()).unwrap()
    }

    pub(super) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Sends a request with further headers, and returns the response.
    pub(super) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> HttpAnswer {
        let mut stream = TcpStream::connect(self.address()).await.unwrap();
        let mut head = format!("{method} {}{path} HTTP/1.1\r\nConnection: close\r\n", self.base_path);
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        // The server may answer and close before it has read all of a refused body.
        let _ = stream.write_all(body).await;
        read_answer(&mut stream).await
    }

    pub(super) async fn post(&self, path: &str, halves: &Halves, body: &Value) -> HttpAnswer {
        let headers = [("Cookie", halves.cookie.as_str()), ("Ashore-Key", halves.key.as_str())];
        self.ask("POST", path, &headers, body.to_string().as_bytes()).await
    }

    pub(super) async fn get(&self, path: &str, halves: &Halves) -> HttpAnswer {
        self.ask("GET", path, &[("Cookie", halves.cookie.as_str()), ("Ashore-Key", halves.key.as_str())], b"").await
    }

    pub(super) async fn sign_in_with(&self, content: &Value) -> HttpAnswer {
        self.ask("POST", "api/session", &[], content.to_string().as_bytes()).await
    }

    /// Issues a token for a program.
    ///
    /// Uses the clock of the test. The functions of the command line would use the real clock.
    pub(super) fn program_token(&self, name: &str, scope: TokenScope) -> String {
        let file = SessionFile::new(&self.data_dir());
        file.change(|book| book.issue_to_program(name, scope, NOW, &mut rand::rng())).unwrap().unwrap().token
    }

    /// Signs a device in with the token.
    pub(super) async fn sign_in(&self) -> Halves {
        halves(&self.sign_in_with(&json!({ "token": self.token(), "name": "Phone" })).await)
    }

    /// Opens the WebSocket with this cookie. Fails with the status of a refusal.
    pub(super) async fn open(&self, cookie: &str, origin: Option<&str>) -> Result<Socket, u16> {
        let url = format!("ws://{}{}api/socket", self.address(), self.base_path);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        match client_async(request, TcpStream::connect(self.address()).await.unwrap()).await {
            Ok((socket, _)) => Ok(socket),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens the WebSocket and signs in.
    pub(super) async fn socket(&self, halves: &Halves) -> Socket {
        let mut socket = self.open(&halves.cookie, None).await.unwrap();
        let answer = call(&mut socket, "authenticate", json!({ "key": halves.key })).await;
        assert!(answer["result"]["scope"].is_string(), "{answer}");
        socket
    }
}

/// Reads a response whose connection the server closes.
pub(super) async fn read_answer(stream: &mut TcpStream) -> HttpAnswer {
    let mut bytes = Vec::new();
    // A refused body may reset the connection after the response.
    let _ = timeout(SOON, stream.read_to_end(&mut bytes)).await.unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("no head: {bytes:?}"));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    HttpAnswer { status, headers: headers.collect(), body: bytes[end + 4..].to_vec() }
}

/// Returns the halves of the key in the answer to a sign-in.
pub(super) fn halves(answered: &HttpAnswer) -> Halves {
    assert_eq!(answered.status, 200, "{answered:?}");
    let (cookie, _) = answered.headers["set-cookie"].split_once(';').unwrap();
    Halves { cookie: cookie.to_owned(), key: answered.json()["key"].as_str().unwrap().to_owned() }
}

/// Makes a call and returns its answer. Ignores events.
pub(super) async fn call(socket: &mut Socket, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    socket.send(Message::text(message.to_string())).await.unwrap();
    loop {
        let answer = next(socket).await.unwrap_or_else(|code| panic!("{method}: closed with {code:?}"));
        if answer["id"] == 1 {
            return answer;
        }
    }
}

/// Returns the next message. If the server closed the connection, returns the code for closing it.
pub(super) async fn next(socket: &mut Socket) -> Result<Value, Option<u16>> {
    loop {
        match timeout(SOON, socket.next()).await.unwrap() {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
            Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(None),
        }
    }
}
