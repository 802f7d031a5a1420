//! Tests `ashore serve --remote`: the real program over HTTP, with a plain HTTP and WebSocket client.

use std::{collections::HashMap, fs, os::unix::fs::PermissionsExt as _};

use ashore_testkit::{
    LOCAL, ONE_FOLDER,
    origin::{Body, Origin},
    waits::until,
};
use futures_util::{SinkExt as _, StreamExt as _};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpStream, UnixStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest as _},
};

use crate::cli::program::{Person, Running, SOON};

/// Response to a request of the test client.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

/// Browser on another device: the address of the page, the browser's cookie, and the other half of the browser's key.
pub(super) struct Device {
    host: String,
    /// Path of the page, without a slash at its end.
    base: String,
    cookie: String,
    key: String,
}

/// WebSocket of a signed-in device.
pub(super) struct PageSocket(WebSocketStream<TcpStream>);

impl HttpAnswer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}

/// Sends a request on a connection, and returns the response.
pub(super) async fn exchange(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    line: &str,
    host: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> HttpAnswer {
    let mut head = format!("{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut bytes = Vec::new();
    timeout(SOON, stream.read_to_end(&mut bytes)).await.expect("the server answers in time").unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    HttpAnswer { status, headers, body: bytes[end + 4..].to_vec() }
}

pub(super) async fn ask(host: &str, line: &str, headers: &[(&str, &str)], body: &[u8]) -> HttpAnswer {
    exchange(&mut TcpStream::connect(host).await.unwrap(), line, host, headers, body).await
}

impl Device {
    /// Signs in with the token or with the code of a link.
    async fn sign_in(host: &str, secret: &Value) -> Self {
        Self::sign_in_at(host, "", secret).await
    }

    /// Signs in to a page with the path `base`.
    pub(super) async fn sign_in_at(host: &str, base: &str, secret: &Value) -> Self {
        let line = format!("POST {base}/api/session");
        let answered = ask(host, &line, &[], secret.to_string().as_bytes()).await;
        assert_eq!(answered.status, 200, "{answered:?}");
        let cookie = answered.headers["set-cookie"].split(';').next().unwrap().to_owned();
        Self { host: host.to_owned(), base: base.to_owned(), cookie, key: answered.json()["key"].as_str().unwrap().to_owned() }
    }

    async fn ask(&self, line: &str, body: &[u8]) -> HttpAnswer {
        ask(&self.host, line, &[("Cookie", &self.cookie), ("Ashore-Key", &self.key)], body).await
    }

    pub(super) async fn socket(&self) -> PageSocket {
        let mut request = format!("ws://{}{}/api/socket", self.host, self.base).into_client_request().unwrap();
        request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        request.headers_mut().insert("origin", format!("http://{}", self.host).parse().unwrap());
        let stream = TcpStream::connect(&self.host).await.unwrap();
        let mut socket = PageSocket(client_async(request, stream).await.unwrap().0);
        socket.call("authenticate", json!({ "key": self.key })).await;
        socket
    }
}

impl PageSocket {
    /// Makes a call, and returns its result. Ignores events.
    pub(super) async fn call(&mut self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
        self.0.send(Message::text(message.to_string())).await.unwrap();
        loop {
            let answer = self.next().await.unwrap_or_else(|code| panic!("{method}: closed with {code:?}"));
            if answer["id"] == method {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].clone();
            }
        }
    }

    /// Returns the next message. If the server has closed the connection, returns its close code as the error.
    async fn next(&mut self) -> Result<Value, Option<u16>> {
        loop {
            match timeout(SOON, self.0.next()).await.expect("the server sends something in time") {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }
}

pub(super) fn person() -> Person {
    let person = Person::new();
    person.settings(&format!("folder = {:?}\n{LOCAL}{ONE_FOLDER}", person.downloads()));
    person
}

/// Starts the server on a free port. Also returns the value for the `Host` header.
pub(super) async fn serve(person: &Person, more: &[&str]) -> (Running, String) {
    let mut serving = person.start([&["serve", "--json", "--listen", "127.0.0.1:0"][..], more].concat());
    let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
    let host = ready["remote"][0].as_str().unwrap().strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    (serving, host)
}

pub(super) async fn token(person: &Person) -> Value {
    json!({ "token": person.object(&["remote", "token", "--json"]).await["token"], "name": "Phone" })
}

#[tokio::test(flavor = "multi_thread")]
async fn device_adds_download_and_fetches_its_file() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(7, 300_000));
    let (serving, host) = serve(&person, &[]).await;
    let link = person.object(&["remote", "link", "--json"]).await;
    let (address, code) = link["url"].as_str().unwrap().split_once("#pair=").unwrap();
    assert_eq!((address, &link["is_local"]), (format!("http://{host}/").as_str(), &json!(true)));
    let device = Device::sign_in(&host, &json!({ "pairing": code, "name": "Phone" })).await;
    let mut socket = device.socket().await;
    assert_eq!(socket.call("greet", json!({ "version": 1 })).await["version"], 1);
    socket.call("subscribe", Value::Null).await;
    let added = json!({ "owner": "window", "source": "window", "requests": [{ "url": origin.url("/disk.iso") }] });
    socket.call("add", added).await;
    let id = socket.call("list", json!({})).await[0]["unique_id"].as_str().unwrap().to_owned();
    person.shows(&id, |shown| shown["state"] == "settled").await;
    let events = loop {
        let event = socket.next().await.unwrap();
        if event["params"]["type"] == "changed" {
            break event["method"].clone();
        }
    };
    assert_eq!(events, "event");

    let wanted = json!({ "unique_id": id, "index": 0 }).to_string();
    let path = device.ask("POST /api/tickets", wanted.as_bytes()).await.json()["path"].as_str().unwrap().to_owned();
    // When the browser itself downloads a file, its request has none of the headers that the page adds to its own
    // requests.
    let file = ask(&host, &format!("GET /{path}"), &[("Range", "bytes=100-299999")], b"").await;
    assert_eq!((file.status, file.body), (206, person.file("disk.iso")[100..].to_vec()));
    assert_eq!(file.headers["content-disposition"], "attachment; filename*=UTF-8''disk.iso");
    assert_eq!(ask(&host, &format!("GET /{path}"), &[], b"").await.status, 404);

    serving.signal(Signal::TERM);
    // Events can arrive before the end of the connection.
    let ended = loop {
        if let Err(code) = socket.next().await {
            break code;
        }
    };
    assert_eq!(ended, Some(1001));
    assert_eq!(serving.end().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn device_stays_signed_in_after_restart_until_signed_out() {
    let person = person();
    let (serving, host) = serve(&person, &[]).await;
    let device = Device::sign_in(&host, &token(&person).await).await;
    serving.signal(Signal::TERM);
    serving.end().await;
    let port = host.split(':').nth(1).unwrap().to_owned();
    let listen = format!("127.0.0.1:{port}");
    let mut serving = person.start(["serve", "--json", "--listen", &listen]);
    serving.line().await;
    let mut socket = device.socket().await;
    let listed = person.run(["remote", "list", "--json"]).await.objects();
    assert_eq!((&listed[0]["name"], &listed[0]["scope"]), (&json!("Phone"), &json!("control")));
    assert_eq!(person.run(["remote", "sign-out", "Phone"]).await.code, Some(0));
    assert_eq!(socket.next().await.err(), Some(Some(4401)));
    assert_eq!(device.ask("GET /api/folders", b"").await.status, 401);
    let again = person.run(["remote", "sign-out", "Phone", "--json"]).await;
    assert_eq!((again.code, &again.objects()[0]["error"]["code"]), (Some(1), &json!("remote-device")));
}

#[tokio::test(flavor = "multi_thread")]
async fn renewed_token_signs_devices_out() {
    let person = person();
    let (_serving, host) = serve(&person, &[]).await;
    let old = token(&person).await;
    let mut socket = Device::sign_in(&host, &old).await.socket().await;
    let renewed = person.object(&["remote", "token", "--renew", "--json"]).await;
    assert_ne!(renewed["token"], old["token"]);
    assert_eq!(socket.next().await.err(), Some(Some(4401)));
    assert_eq!(ask(&host, "POST /api/session", &[], old.to_string().as_bytes()).await.status, 401);
    Device::sign_in(&host, &json!({ "token": renewed["token"] })).await;
    let program = person.object(&["remote", "token", "--name", "sonarr", "--scope", "add", "--json"]).await;
    let bearer = format!("Bearer {}", program["token"].as_str().unwrap());
    assert_eq!(ask(&host, "GET /api/folders", &[("Authorization", &bearer)], b"").await.status, 200);
    let taken = person.run(["remote", "token", "--name", "sonarr", "--json"]).await;
    assert_eq!((taken.code, taken.error_code().as_str()), (Some(4), "remote-device"));
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_does_not_listen_without_the_listen_option() {
    let person = person();
    let (_serving, ready) = person.serve().await;
    assert_eq!(ready.get("remote"), None);
    assert!(!person.data().join("remote-token").exists() && !person.data().join("remote-page.json").exists());
    let link = person.run(["remote", "link", "--json"]).await;
    assert_eq!((link.code, link.error_code().as_str()), (Some(4), "remote-listen"));
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_fails_if_port_is_in_use_or_token_file_is_readable_by_others() {
    let (one, other) = (person(), person());
    let (_serving, host) = serve(&one, &[]).await;
    let refused = other.run(["serve", "--json", "--listen", &host]).await;
    assert_eq!((refused.code, refused.error_code().as_str()), (Some(1), "remote-listen"));
    let token = other.data().join("remote-token");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = other.run(["serve", "--json", "--listen", "127.0.0.1:0"]).await;
    assert_eq!((refused.code, refused.error_code().as_str()), (Some(2), "remote-token"));
    assert!(refused.stderr.contains("chmod 600"), "{refused:?}");
    let invalid = other.run(["serve", "--json", "--listen", "nowhere"]).await;
    assert_eq!((invalid.code, invalid.error_code().as_str()), (Some(2), "remote-listen"));
    // The engine has been closed, so the data folder is no longer locked.
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    serve(&other, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_can_be_served_through_unix_socket_with_public_address() {
    let person = person();
    let socket = person.home().join("proxy.sock");
    let listen = format!("unix:{}", socket.display());
    let options = ["serve", "--json", "--listen", &listen, "--public-url", "https://nas.example/ashore", "--root", "/srv"];
    let mut serving = person.start(options);
    serving.line().await;
    let link = person.object(&["remote", "link", "--json"]).await;
    let (address, code) = link["url"].as_str().unwrap().split_once("#pair=").unwrap();
    assert_eq!(address, "https://nas.example/ashore/");
    let secret = json!({ "pairing": code }).to_string();
    let sign_in = async |host: &str, origin: &str, body: &str| {
        let mut stream = UnixStream::connect(&socket).await.unwrap();
        exchange(&mut stream, "POST /ashore/api/session", host, &[("Origin", origin)], body.as_bytes()).await
    };
    // Send these requests without a body: a server that refuses a request without reading its body may reset the
    // connection.
    assert_eq!(sign_in("attacker.example", "https://attacker.example", "").await.status, 421);
    assert_eq!(sign_in("nas.example", "http://nas.example", "").await.status, 403);
    let signed_in = sign_in("nas.example", "https://nas.example", &secret).await;
    assert_eq!(signed_in.status, 200, "{signed_in:?}");
    let cookie = &signed_in.headers["set-cookie"];
    assert!(cookie.starts_with("__Secure-ashore=") && cookie.contains("Path=/ashore/;") && cookie.ends_with("; Secure"));
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
    until("the socket file is removed", async || (!socket.exists()).then_some(())).await;
}
