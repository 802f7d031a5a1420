//! Real connections: clients that send too much, and clients that send too slowly.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use ashore_sync_server::http::{Listener, Settings, tls};
use tokio_rustls::TlsAcceptor;

use crate::support::{BEGIN, Home, Setup};

/// No test waits longer for a connection to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves on a port of its own until the test ends.
async fn served(settings: Settings, acceptor: Option<TlsAcceptor>) -> (Home, SocketAddr) {
    let home = Home::on_sqlite(Setup { settings, ..Setup::default() }).await;
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), acceptor.is_some(), &home.app).await.unwrap();
    let address = listener.address();
    tokio::spawn(listener.serve(Arc::clone(&home.app), acceptor));
    (home, address)
}

fn connect(address: SocketAddr) -> TcpStream {
    let connection = TcpStream::connect(address).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.set_write_timeout(Some(PATIENCE)).unwrap();
    connection
}

/// Runs a client that blocks beside the server.
async fn beside<T: Send + 'static>(client: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(client).await.unwrap()
}

/// Sends a whole request before reading, as most simple clients do. Returns the response.
fn send_all(address: SocketAddr, head: &str, bytes: usize) -> String {
    let mut connection = connect(address);
    connection.write_all(head.as_bytes()).unwrap();
    let part = [b'x'; 65_536];
    let mut left = bytes;
    while left > 0 {
        let some = left.min(part.len());
        connection.write_all(&part[..some]).unwrap_or_else(|error| panic!("{left} bytes before the end: {error}"));
        left -= some;
    }
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap_or_else(|error| panic!("{error} after {text:?}"));
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn refusal_reaches_client_that_sends_its_whole_body_first() {
    let (home, address) = served(Setup::default().settings, None).await;
    let path = "/1.5/1/storage/one";
    let signature = |method| {
        let (id, key) = home.token(1);
        let signed = ashore_sync_server::auth::hawk::Signed { method, resource: path, host: "sync.example", port: 80 };
        ashore_sync_server::auth::hawk::Hawk::write(&id, &key, &signed, home.now() / 1000, "n")
    };
    let bytes = 10 << 20;
    for (authorization, status) in [(signature("POST"), "413"), ("Bearer 1.a.b".to_owned(), "401")] {
        for length in [format!("Content-Length: {bytes}"), format!("Connection: close\r\nContent-Length: {bytes}")] {
            let head = format!("POST {path} HTTP/1.1\r\nHost: sync.example\r\nAuthorization: {authorization}\r\n{length}\r\n\r\n");
            let text = beside(move || send_all(address, &head, bytes)).await;
            assert_eq!(text.split(' ').nth(1), Some(status), "{text}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    std::fs::write(&file, vec![b'x'; bytes]).unwrap();
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--max-time", "20", "--request", "POST", "--write-out", "%{http_code} ", "--header", "Expect:"]);
    curl.args(["--header", "Content-Type: application/json"]);
    curl.args(["--header", "Host: sync.example", "--header"]).arg(format!("Authorization: {}", signature("POST")));
    curl.arg("--data-binary").arg(format!("@{}", file.display())).arg(format!("http://{address}{path}"));
    match beside(move || curl.output()).await {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "17413 ", "body and status: {output:?}"),
        Err(_) => eprintln!("curl was left out, because it is not installed."),
    }
    home.app.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_its_refused_request_is_cut_off() {
    let (home, address) = served(Setup::default().settings, None).await;
    beside(move || {
        let mut connection = connect(address);
        connection.write_all(b"PUT /1.5/1/storage/one/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
        let mut sent = 0u64;
        let chunk = [b"10000\r\n".as_slice(), &[b'x'; 65_536], b"\r\n"].concat();
        while connection.write_all(&chunk).is_ok() {
            sent += 65_536;
            assert!(sent < 1 << 30, "the server takes everything");
        }
    })
    .await;
    home.app.close();
}

/// Sends one byte of `text` after the other, again and again. Returns the time until the server ends the connection.
fn trickle(address: SocketAddr, text: &[u8]) -> Duration {
    let mut connection = connect(address);
    let begun = Instant::now();
    connection.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    for byte in text.iter().cycle() {
        assert!(begun.elapsed() < PATIENCE, "the connection is still open");
        let ended = match connection.read(&mut [0; 1024]) {
            Ok(0) => true,
            Ok(_) => false,
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        if ended || (!text.is_empty() && connection.write_all(&[*byte]).is_err()) {
            break;
        }
    }
    begun.elapsed()
}

/// The time until the server ends a connection on which nothing is sent.
fn wait(mut connection: TcpStream) -> Duration {
    let begun = Instant::now();
    let _ = connection.read_to_end(&mut Vec::new());
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_its_head_is_dropped() {
    let time = Duration::from_millis(300);
    let (home, address) = served(Settings { head_time: time, ..Setup::default().settings }, None).await;
    let slow = thread::spawn(move || trickle(address, b"X-Filler: x\r\n"));
    let mute = thread::spawn(move || wait(connect(address)));
    let idle = thread::spawn(move || {
        let mut connection = connect(address);
        connection.write_all(b"GET /__lbheartbeat__ HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        assert!(connection.read(&mut [0; 1024]).unwrap() > 0);
        wait(connection)
    });
    for (name, client) in [("slow", slow), ("mute", mute), ("idle", idle)] {
        let took = beside(move || client.join().unwrap()).await;
        assert!((time..PATIENCE / 2).contains(&took), "{name}: {took:?}");
    }
    home.app.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_its_handshake_is_dropped() {
    let time = Duration::from_millis(300);
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = tls::make(folder.path(), &["localhost".to_owned()]).unwrap();
    let acceptor = tls::read(&certificate, &key, BEGIN).unwrap().acceptor;
    // The head has all the time it wants: only the handshake is tried.
    let settings = Settings { handshake_time: time, head_time: PATIENCE * 2, ..Setup::default().settings };
    let (home, address) = served(settings, Some(acceptor)).await;
    // The begin of a TLS record of 16 KiB, which never becomes whole.
    let slow = thread::spawn(move || trickle(address, &[0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc, 3, 3]));
    let mute = thread::spawn(move || wait(connect(address)));
    for (name, client) in [("slow", slow), ("mute", mute)] {
        let took = beside(move || client.join().unwrap()).await;
        assert!((time..PATIENCE / 2).contains(&took), "{name}: {took:?}");
    }
    home.app.close();
}

#[test]
fn documented_times_are_those_of_the_server() {
    let documented = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sync-server.md")).unwrap();
    let Settings { handshake_time, head_time, body_time, .. } = Settings::default();
    let [handshake, head, body] = [handshake_time, head_time, body_time].map(|time| time.as_secs());
    let sentence = format!("{handshake} s for the TLS handshake, {head} s for the head of a request and {body} s for its body");
    assert!(documented.split_whitespace().collect::<Vec<_>>().join(" ").contains(&sentence), "{sentence}");
}
