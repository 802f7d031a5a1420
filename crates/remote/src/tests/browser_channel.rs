//! The channel as a browser sees it: real connections, without an engine.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Mutex,
    time::Duration,
};

use ashore_browser::{LONGEST_RECEIVED, ids};
use futures_util::{SinkExt as _, StreamExt as _};
use rand::{SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpSocket, TcpStream, UnixListener, UnixStream},
    time::sleep,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

use crate::{
    browser_channel::{BrowserChannel, routes},
    pairing::PendingPairing,
    server::access_control::AcceptedHosts,
    server::{LIMITS, RemoteLimits, RemoteListener, RemoteServer, bind},
    session_file::SessionFile,
};

const NOW: u64 = 1000;

/// Server with its data folder.
struct Place {
    folder: TempDir,
    port: u16,
    server: RemoteServer,
}

type Socket = WebSocketStream<TcpStream>;

impl Place {
    async fn new() -> Self {
        Self::with(LIMITS, || NOW).await
    }

    async fn with(limits: RemoteLimits, now: fn() -> u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (listener, port, _) = bind(&[0]).await.unwrap();
        let (data_dir, file) = (folder.path().to_owned(), SessionFile::new(folder.path()));
        let listeners = vec![RemoteListener::Tcp(listener)];
        let server = RemoteServer::start(listeners, AcceptedHosts::loopback(port), limits, |stopped| {
            routes(BrowserChannel { data_dir, file, port, limits, now, wrong_codes: Mutex::default(), stopped })
        });
        Self { folder, port, server }
    }

    /// Makes a code that is valid from `NOW`.
    fn code(&self) -> String {
        let (pairing, code) = PendingPairing::new(self.port, 0, NOW, &mut StdRng::seed_from_u64(5));
        self.file().change(|book| book.pairing = Some(pairing)).unwrap();
        code
    }

    fn file(&self) -> SessionFile {
        SessionFile::new(self.folder.path())
    }

    async fn stream(&self, from: Ipv4Addr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        socket.connect((Ipv4Addr::LOCALHOST, self.port).into()).await.unwrap()
    }

    /// Opens the WebSocket with these headers. Fails with the status of the refusal.
    async fn open(&self, origin: Option<&str>, host: Option<&str>) -> Result<Socket, u16> {
        let mut request = format!("ws://127.0.0.1:{}/browser", self.port).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        if let Some(host) = host {
            request.headers_mut().insert("host", host.parse().unwrap());
        }
        match client_async(request, self.stream(Ipv4Addr::LOCALHOST).await).await {
            Ok((socket, _)) => Ok(socket),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    async fn socket(&self) -> Socket {
        self.open(Some(&own()), None).await.unwrap()
    }

    /// Sends one message on a new connection, and returns the answer.
    async fn ask(&self, message: Value) -> Value {
        exchange(&mut self.socket().await, message).await.unwrap()
    }

    async fn pair(&self, code: &str) -> Value {
        self.ask(json!({ "type": "pair", "code": code, "browser": "Firefox" })).await
    }
}

fn own() -> String {
    format!("chrome-extension://{}", ids().chromium)
}

async fn exchange(socket: &mut Socket, message: Value) -> Option<Value> {
    socket.send(Message::text(message.to_string())).await.unwrap();
    next(socket).await
}

/// Returns the next message; `None` if the server closed the connection.
async fn next(socket: &mut Socket) -> Option<Value> {
    match socket.next().await? {
        Ok(Message::Text(text)) => Some(serde_json::from_str(&text).unwrap()),
        Ok(_) | Err(_) => None,
    }
}

fn sign_in(paired: &Value) -> Value {
    json!({ "type": "sign_in", "id": paired["id"], "token": paired["token"] })
}

fn greet() -> Value {
    json!({ "type": "greet", "version": 1 })
}

#[tokio::test]
async fn paired_browser_signs_in_and_talks_to_host() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    assert_eq!((&paired["type"], &paired["name"]), (&json!("paired"), &json!("Firefox")));
    let mut socket = place.socket().await;
    let proof = exchange(&mut socket, json!({ "type": "prove", "id": paired["id"], "nonce": "n" })).await.unwrap();
    let expected = place.file().read().unwrap().proof(paired["id"].as_str().unwrap(), "n", place.port);
    assert_eq!(proof["proof"].as_str(), expected.as_deref());
    assert_eq!(exchange(&mut socket, sign_in(&paired)).await.unwrap(), json!({ "type": "signed_in" }));
    let greeting = exchange(&mut socket, greet()).await.unwrap();
    assert_eq!((&greeting["type"], &greeting["is_running"]), (&json!("greeting"), &json!(false)));
    let failed = exchange(&mut socket, json!({ "type": "later" })).await.unwrap();
    assert_eq!((&failed["type"], &failed["code"]), (&json!("failed"), &json!("unknown")));
}

#[tokio::test]
async fn messages_of_host_are_not_answered_before_sign_in() {
    let place = Place::new().await;
    for message in [greet(), json!({ "type": "sign_in" }), json!("text"), json!({ "type": "ask", "version": 1, "ask": "a" })] {
        assert_eq!(exchange(&mut place.socket().await, message).await, None);
    }
}

#[tokio::test]
async fn pairing_code_pairs_only_one_browser() {
    let place = Place::new().await;
    let code = place.code();
    assert_eq!(place.pair(&code).await["type"], "paired");
    let second = place.pair(&code).await;
    assert_eq!((&second["type"], &second["code"]), (&json!("refused"), &json!("browser-pairing")));
    assert_eq!(place.file().read().unwrap().valid(NOW).count(), 1);
}

#[tokio::test]
async fn only_one_of_two_simultaneous_uses_of_a_pairing_code_succeeds() {
    let place = Place::new().await;
    let code = place.code();
    let (first, second) = tokio::join!(place.pair(&code), place.pair(&code));
    let mut types = [first["type"].as_str().unwrap(), second["type"].as_str().unwrap()];
    types.sort_unstable();
    assert_eq!(types, ["paired", "refused"]);
}

#[tokio::test]
async fn expired_pairing_code_is_refused() {
    let place = Place::with(LIMITS, || NOW + 300).await;
    assert_eq!(place.pair(&place.code()).await["code"], "browser-pairing");
}

#[tokio::test]
async fn fifth_wrong_attempt_invalidates_the_pairing_code_and_makes_the_address_wait() {
    let place = Place::new().await;
    let code = place.code();
    for _ in 0..5 {
        assert_eq!(place.pair("22222222").await["code"], "browser-pairing");
    }
    assert_eq!(place.pair(&code).await["code"], "browser-pairing.wait");
    assert_eq!(place.file().read().unwrap().pairing, None);
}

#[tokio::test]
async fn removed_browser_is_disconnected_and_receives_the_reason_for_its_removal() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    let mut socket = place.socket().await;
    exchange(&mut socket, sign_in(&paired)).await.unwrap();
    assert!(place.file().change(|book| book.remove("Firefox", NOW)).unwrap());
    let refused = next(&mut socket).await.unwrap();
    assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("browser-pairing.removed")));
    assert_eq!(next(&mut socket).await, None);
    assert_eq!(place.ask(sign_in(&paired)).await["code"], "browser-pairing.removed");
    // The browser believes the removal only if the server proves that it knows the token.
    let proof = place.ask(json!({ "type": "prove", "id": paired["id"], "nonce": "n" })).await;
    assert_eq!(proof["type"], "proof");
}

/// Simulates an engine that removes the browser during the call `withdraw`, and answers `true` later.
async fn answer_after_removal(stream: UnixStream, file: SessionFile) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        let call: Value = serde_json::from_str(&line).unwrap();
        if call["method"] == "withdraw" {
            assert!(file.change(|book| book.remove("Firefox", NOW)).unwrap());
            // The server notices the removal within a second.
            sleep(Duration::from_millis(1500)).await;
        }
        let answer = json!({ "jsonrpc": "2.0", "id": call["id"], "result": true });
        writer.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn removed_browser_receives_pending_answer_before_reason_for_its_removal() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    let listener = UnixListener::bind(place.folder.path().join("ashore.sock")).unwrap();
    let file = place.file();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(answer_after_removal(stream, file.clone()));
        }
    });
    let mut socket = place.socket().await;
    exchange(&mut socket, sign_in(&paired)).await.unwrap();
    let released = exchange(&mut socket, json!({ "type": "let_go", "version": 1, "ask": "a" })).await.unwrap();
    assert_eq!(released["type"], "released");
    assert_eq!(next(&mut socket).await.unwrap()["code"], "browser-pairing.removed");
}

#[tokio::test]
async fn unknown_or_wrong_token_is_refused() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    for message in [
        json!({ "type": "prove", "id": "unknown", "nonce": "n" }),
        json!({ "type": "prove", "id": paired["id"], "nonce": "n".repeat(129) }),
        json!({ "type": "sign_in", "id": paired["id"], "token": "0".repeat(64) }),
        json!({ "type": "sign_in", "id": "", "token": paired["token"] }),
    ] {
        assert_eq!(place.ask(message).await["code"], "browser-pairing.unknown");
    }
}

#[tokio::test]
async fn web_pages_and_requests_for_other_hosts_are_refused() {
    let place = Place::new().await;
    let [page, local] = ["https://a.example".to_owned(), format!("http://127.0.0.1:{}", place.port)];
    for origin in [Some(page.as_str()), Some(&local), Some("null"), None] {
        assert_eq!(place.open(origin, None).await.err(), Some(403), "{origin:?}");
    }
    let rebound = format!("attacker.example:{}", place.port);
    for host in [rebound.as_str(), "127.0.0.1", "127.0.0.1:1"] {
        assert_eq!(place.open(Some(&own()), Some(host)).await.err(), Some(421), "{host}");
    }
    let firefox = "moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11";
    assert!(place.open(Some(firefox), Some(&format!("localhost:{}", place.port))).await.is_ok());
}

#[tokio::test]
async fn request_without_upgrade_gets_no_content() {
    let place = Place::new().await;
    for (path, status) in [("/", "404"), ("/browser", "400"), ("/../browser", "404")] {
        let mut stream = place.stream(Ipv4Addr::LOCALHOST).await;
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: {}\r\nConnection: close\r\n\r\n", place.port, own());
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
}

#[tokio::test]
async fn connections_over_limit_are_closed() {
    let place = Place::new().await;
    let mut open = Vec::new();
    for address in [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)] {
        for _ in 0..LIMITS.of_address {
            open.push(place.stream(address).await);
        }
        assert_eq!(place.stream(address).await.read(&mut [0]).await.unwrap_or(0), 0, "{address}");
    }
    assert_eq!(open.len(), LIMITS.connections);
    // The 65th connection is refused, although its address has no other connection.
    assert_eq!(place.stream(Ipv4Addr::LOCALHOST).await.read(&mut [0]).await.unwrap_or(0), 0);
    drop(open);
    // Retry until the server has noticed a closed connection and accepts again.
    let mut request = format!("ws://127.0.0.1:{}/browser", place.port).into_client_request().unwrap();
    request.headers_mut().insert("origin", own().parse().unwrap());
    while client_async(request.clone(), place.stream(Ipv4Addr::LOCALHOST).await).await.is_err() {}
}

#[tokio::test]
async fn slow_clients_are_disconnected() {
    let short = Duration::from_millis(50);
    let place = Place::with(RemoteLimits { head: short, sign_in: short, ..LIMITS }, || NOW).await;
    let mut stream = place.stream(Ipv4Addr::LOCALHOST).await;
    stream.write_all(b"GET /browser HTTP/1.1\r\nHost: 127").await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(!answer.starts_with(b"HTTP/1.1 101"), "{answer:?}");
    assert_eq!(next(&mut place.socket().await).await, None);
}

#[tokio::test]
async fn browser_that_reads_no_answers_is_disconnected() {
    let place = Place::with(RemoteLimits { send: Duration::from_millis(50), ..LIMITS }, || NOW).await;
    let paired = place.pair(&place.code()).await;
    let mut socket = place.socket().await;
    exchange(&mut socket, sign_in(&paired)).await.unwrap();
    // The answer repeats the wrong value, so the answers soon fill all buffers.
    let message = json!({ "type": "let_go", "version": "x".repeat(200_000) }).to_string();
    while socket.send(Message::text(message.clone())).await.is_ok() {}
}

#[tokio::test]
async fn long_or_binary_or_invalid_message_closes_connection() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    let long = format!("{{\"type\":\"later\",\"a\":\"{}\"}}", "x".repeat(LONGEST_RECEIVED));
    for message in [Message::text(long), Message::binary(b"{}".to_vec()), Message::text("no JSON")] {
        let mut socket = place.socket().await;
        exchange(&mut socket, sign_in(&paired)).await.unwrap();
        // The server may close the connection before it has read all of the message.
        let _ = socket.send(message).await;
        assert_eq!(next(&mut socket).await, None);
    }
}

#[tokio::test]
async fn stopped_server_closes_connections_and_port() {
    let place = Place::new().await;
    let paired = place.pair(&place.code()).await;
    let mut socket = place.socket().await;
    exchange(&mut socket, sign_in(&paired)).await.unwrap();
    let port = place.port;
    place.server.stop().await;
    assert_eq!(next(&mut socket).await, None);
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err());
}

#[tokio::test]
async fn first_free_port_is_used() {
    let (taken, port, _) = bind(&[0]).await.unwrap();
    let (_, _, index) = bind(&[port, 0]).await.unwrap();
    assert_eq!(index, 1);
    assert!(bind(&[port, port]).await.is_err());
    drop(taken);
}
