//! Tests real connections: clients that send too much, and clients that send too slowly.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use ashore_sync_server::http::{HttpListener, HttpSettings, tls};
use tokio_rustls::TlsAcceptor;

use crate::support::{BEGIN, Home, Setup};

/// Maximum time that a test waits for a connection to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a server on a separate port. The server runs until the test ends.
async fn start_server(settings: HttpSettings, acceptor: Option<TlsAcceptor>) -> (Home, SocketAddr) {
    let home = Home::on_sqlite(Setup { settings, ..Setup::default() }).await;
    let listener = HttpListener::bind("127.0.0.1:0".parse().unwrap(), acceptor.is_some(), &home.app).await.unwrap();
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

/// Runs a blocking client on a separate thread, so that the server can answer.
async fn run_blocking<T: Send + 'static>(client: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(client).await.unwrap()
}

/// Sends a whole request before reading, as most simple clients do; returns the response.
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
async fn refusal_reaches_client_that_sends_whole_body_first() {
    let (home, address) = start_server(Setup::default().settings, None).await;
    let path = "/1.5/1/storage/one";
    let signature = |method| {
        let (id, key) = home.token(1);
        let signed = ashore_sync_server::auth::hawk::HawkSignature { method, resource: path, host: "sync.example", port: 80 };
        ashore_sync_server::auth::hawk::HawkHeader::write(&id, &key, &signed, home.now() / 1000, "n")
    };
    let bytes = 10 << 20;
    for (authorization, status) in [(signature("POST"), "413"), ("Bearer 1.a.b".to_owned(), "401")] {
        for length in [format!("Content-Length: {bytes}"), format!("Connection: close\r\nContent-Length: {bytes}")] {
            let head =
                format!("POST {path} HTTP/1.1\r\nHost: sync.example\r\nAuthorization: {authorization}\r\n{length}\r\n\r\n");
            let text = run_blocking(move || send_all(address, &head, bytes)).await;
            assert_eq!(text.split(' ').nth(1), Some(status), "{text}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    std::fs::write(&file, vec![b'x'; bytes]).unwrap();
    let mut curl = Command::new("curl");
    curl.args([
        "--silent",
        "--show-error",
        "--max-time",
        "20",
        "--request",
        "POST",
        "--write-out",
        "%{http_code} ",
        "--header",
        "Expect:",
    ]);
    curl.args(["--header", "Content-Type: application/json"]);
    curl.args(["--header", "Host: sync.example", "--header"]).arg(format!("Authorization: {}", signature("POST")));
    curl.arg("--data-binary").arg(format!("@{}", file.display())).arg(format!("http://{address}{path}"));
    match run_blocking(move || curl.output()).await {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "17413 ", "body and status: {output:?}"),
        Err(_) => eprintln!("curl was left out, because it is not installed."),
    }
    home.app.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_a_refused_request_is_disconnected() {
    let (home, address) = start_server(Setup::default().settings, None).await;
    run_blocking(move || {
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

/// Sends the bytes of `text` one by one, in an endless loop.
///
/// Returns the time until the server closes the connection.
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

/// Returns the time until the server closes a silent connection.
fn time_until_close(mut connection: TcpStream) -> Duration {
    let begun = Instant::now();
    let _ = connection.read_to_end(&mut Vec::new());
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_its_request_head_is_disconnected() {
    let time = Duration::from_millis(300);
    let (home, address) = start_server(HttpSettings { head_time: time, ..Setup::default().settings }, None).await;
    let slow = thread::spawn(move || trickle(address, b"X-Filler: x\r\n"));
    let mute = thread::spawn(move || time_until_close(connect(address)));
    let idle = thread::spawn(move || {
        let mut connection = connect(address);
        connection.write_all(b"GET /__lbheartbeat__ HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        assert!(connection.read(&mut [0; 1024]).unwrap() > 0);
        time_until_close(connection)
    });
    for (name, client) in [("slow", slow), ("mute", mute), ("idle", idle)] {
        let took = run_blocking(move || client.join().unwrap()).await;
        assert!((time..PATIENCE / 2).contains(&took), "{name}: {took:?}");
    }
    home.app.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_ends_its_tls_handshake_is_disconnected() {
    let time = Duration::from_millis(300);
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = tls::make(folder.path(), &["localhost".to_owned()]).unwrap();
    let acceptor = tls::read(&certificate, &key, BEGIN).unwrap().acceptor;
    // The time limit for the request head is long, so that only the handshake is tested.
    let settings = HttpSettings { handshake_time: time, head_time: PATIENCE * 2, ..Setup::default().settings };
    let (home, address) = start_server(settings, Some(acceptor)).await;
    // Start of a TLS record of 16 KiB that is never completed.
    let slow = thread::spawn(move || trickle(address, &[0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc, 3, 3]));
    let mute = thread::spawn(move || time_until_close(connect(address)));
    for (name, client) in [("slow", slow), ("mute", mute)] {
        let took = run_blocking(move || client.join().unwrap()).await;
        assert!((time..PATIENCE / 2).contains(&took), "{name}: {took:?}");
    }
    home.app.close();
}

/// Number of parts of a listing. Each part is written by a separate request.
///
/// Together the parts exceed all buffers of a connection.
const PARTS: usize = 20;

/// Writes a long listing and returns a request for it.
async fn with_long_listing(home: &Home) -> String {
    let payload = "x".repeat(500_000);
    for part in 0..PARTS {
        let objects = (0..3).map(|object| serde_json::json!({ "id": format!("{part}-{object}"), "payload": payload }));
        home.post("/storage/one", objects.collect()).await.expect(200);
    }
    let path = "/1.5/1/storage/one?full=1";
    let (id, key) = home.token(1);
    let signed = ashore_sync_server::auth::hawk::HawkSignature { method: "GET", resource: path, host: "sync.example", port: 80 };
    let signature = ashore_sync_server::auth::hawk::HawkHeader::write(&id, &key, &signed, home.now() / 1000, "n");
    format!("GET {path} HTTP/1.1\r\nHost: sync.example\r\nAuthorization: {signature}\r\nConnection: close\r\n\r\n")
}

/// Sends a request and reads only the status of the response.
fn begin_to_read(address: SocketAddr, request: &str) -> TcpStream {
    let mut connection = connect(address);
    connection.write_all(request.as_bytes()).unwrap();
    let mut status = [0; 12];
    connection.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    connection
}

/// Whether the response is complete: its end was received before the connection was closed.
fn is_complete_response(mut connection: TcpStream) -> bool {
    let mut rest = Vec::new();
    // If the server cuts off a response, the read may also fail because the connection was reset.
    let _ = connection.read_to_end(&mut rest);
    rest.ends_with(b"]\r\n0\r\n\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_read_nothing_block_others_only_briefly() {
    let settings = HttpSettings { reader_time: Duration::from_secs(2), ..Setup::default().settings };
    let (home, address) = start_server(settings, None).await;
    let request = with_long_listing(&home).await;
    run_blocking(move || {
        // On SQLite, two clients at a time may read a long listing. The third and fourth client wait for the first two,
        // and the fifth waits for the third and fourth.
        let lazy: Vec<TcpStream> = (0..4).map(|_| begin_to_read(address, &request)).collect();
        assert!(is_complete_response(begin_to_read(address, &request)), "a client that reads has a place");
        for connection in lazy {
            assert!(!is_complete_response(connection), "a response that is broken off looks whole");
        }
    })
    .await;
    home.app.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_waits_for_slow_readers_until_time_limit() {
    for (reads, ending_time) in [(true, PATIENCE * 2), (false, Duration::from_millis(300))] {
        let settings = HttpSettings { ending_time, ..Setup::default().settings };
        let home = Home::on_sqlite(Setup { settings, ..Setup::default() }).await;
        let listener = HttpListener::bind("127.0.0.1:0".parse().unwrap(), false, &home.app).await.unwrap();
        let address = listener.address();
        let serving = tokio::spawn(listener.serve(Arc::clone(&home.app), None));
        let request = with_long_listing(&home).await;
        let connection = run_blocking(move || begin_to_read(address, &request)).await;
        let begun = Instant::now();
        home.app.close();
        let rest = reads.then(|| {
            thread::spawn({
                let connection = connection.try_clone().unwrap();
                move || is_complete_response(connection)
            })
        });
        tokio::time::timeout(PATIENCE, serving).await.expect("the server ends").unwrap();
        assert!(reads || begun.elapsed() >= ending_time, "the server does not wait");
        if let Some(rest) = rest {
            assert!(run_blocking(move || rest.join().unwrap()).await, "a pending request is answered");
        }
    }
}

#[test]
fn documented_time_limits_match_the_server() {
    let documented = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sync-server.md")).unwrap();
    let documented = documented.split_whitespace().collect::<Vec<_>>().join(" ");
    let HttpSettings { handshake_time, head_time, body_time, reader_time, ending_time, .. } = HttpSettings::default();
    let times = [handshake_time, head_time, body_time, reader_time, ending_time];
    let [handshake, head, body, reader, ending] = times.map(|time| time.as_secs());
    for sentence in [
        format!("{handshake} s for the TLS handshake, {head} s for the head of a request and {body} s for its body"),
        format!("where the client takes nothing of it for {reader} s"),
        format!("it waits up to {ending} s for pending requests"),
    ] {
        assert!(documented.contains(&sentence), "{sentence}");
    }
}
