//! Tests of the HTTP client with servers that violate the protocol, are slow, or are not sync servers.

use std::time::Duration;

use ashore_sync::server::{
    HttpServer, LONGEST_PAGE, PageRequest, ServerAddress, ServerFault, ServerHints, SyncServer, UnexpectedAnswer,
    UnreachableCause,
};
use ashore_testkit::raw::{RawServer, Reply};
use futures_util::StreamExt as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::support::{object, token};

const TIMES: &str = "X-Weave-Timestamp: 1700000000.05\r\nX-Last-Modified: 1700000000.00\r\n";

fn client(address: &str) -> HttpServer {
    HttpServer::new(ServerAddress::from_link(address, "-").unwrap()).unwrap().with_token(token())
}

fn client_of(server: &RawServer) -> HttpServer {
    let url = server.url("/");
    client(&format!("{}:{}", url.host_str().unwrap(), url.port().unwrap()))
}

/// Starts a server that answers every request with `head` and `body`.
async fn answering(head: &str, body: impl Into<Vec<u8>>) -> RawServer {
    let body = body.into();
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n", body.len());
    RawServer::start(move |_, _| Reply::from_parts(&head, &body)).await
}

/// Returns the head of a JSON answer.
fn json(status: &str) -> String {
    format!("{status}\r\n{TIMES}Content-Type: application/json")
}

fn page() -> PageRequest {
    PageRequest { collection: "dl-items".to_owned(), newer_ms: 0, offset: None, limit: 500, if_unmodified_since_ms: None }
}

fn not_sync(why: UnexpectedAnswer) -> ServerFault {
    ServerFault::NotSyncServer(why)
}

#[tokio::test]
async fn login_page_is_not_accepted_as_sync_server() {
    for head in [
        "200 OK\r\nContent-Type: text/html",
        "200 OK\r\nX-Weave-Timestamp: 1.00\r\nX-Last-Modified: 1.00\r\nContent-Type: text/html",
    ] {
        let server = answering(head, "<html>Sign in</html>").await;
        let failure = client_of(&server).info_collections(None).await.unwrap_err();
        assert!(matches!(failure.fault, ServerFault::NotSyncServer(_)), "{head}: {failure:?}");
    }
    let server = answering("401 Unauthorized\r\nContent-Type: text/html", "<html>Sign in</html>").await;
    let failure = client_of(&server).info_collections(None).await.unwrap_err();
    assert_eq!(failure.fault, not_sync(UnexpectedAnswer::MissingTime), "a proxy does not remove a device");
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let server = answering(&format!("302 Found\r\n{TIMES}Location: /other"), "").await;
    let failure = client_of(&server).info_collections(None).await.unwrap_err();
    assert_eq!((failure.fault, server.requests().len()), (not_sync(UnexpectedAnswer::Redirect), 1));
}

#[tokio::test]
async fn answer_without_times_is_rejected() {
    for times in
        ["", "X-Weave-Timestamp: 1.00\r\n", "X-Last-Modified: 1.00\r\n", "X-Weave-Timestamp: 1e9\r\nX-Last-Modified: 1.00\r\n"]
    {
        let server = answering(&format!("200 OK\r\n{times}Content-Type: application/json"), "{}").await;
        let failure = client_of(&server).info_collections(None).await.unwrap_err();
        assert_eq!(failure.fault, not_sync(UnexpectedAnswer::MissingTime), "{times:?}");
    }
}

#[tokio::test]
async fn malformed_body_is_rejected() {
    for body in ["", "[]", "{\"a\":", "{\"a\":\"1.00\"}", "\u{0}"] {
        let server = answering(&json("200 OK"), body).await;
        let failure = client_of(&server).info_collections(None).await.unwrap_err();
        assert_eq!(failure.fault, not_sync(UnexpectedAnswer::Malformed), "{body:?}");
        assert_eq!(failure.hints.server_time_ms, Some(1_700_000_000_050), "hints are kept");
    }
}

#[tokio::test]
async fn unexpected_status_is_rejected() {
    let server = answering(&format!("304 Not Modified\r\n{TIMES}"), "").await;
    let failure = client_of(&server).info_collections(None).await.unwrap_err();
    assert_eq!(failure.fault, not_sync(UnexpectedAnswer::Status));
}

#[tokio::test]
async fn endless_answer_is_aborted() {
    let server = answering(&json("200 OK"), vec![b' '; (2 << 20) + 1]).await;
    assert_eq!(client_of(&server).info_collections(None).await.unwrap_err().fault, not_sync(UnexpectedAnswer::TooLong));
    // Without a stated length, the client stops reading at its limit.
    let body = format!("HTTP/1.1 {}\r\n\r\n{}", json("200 OK"), " ".repeat(LONGEST_PAGE + (1 << 20)));
    let server = RawServer::start(move |_, _| Reply::closing(body.clone())).await;
    assert_eq!(client_of(&server).read_page(&page()).await.unwrap_err().fault, not_sync(UnexpectedAnswer::TooLong));
}

#[tokio::test]
async fn ids_of_all_pages_are_listed() {
    let pages = [("X-Weave-Next-Offset: one\r\n", "[\"a\",\"b\"]"), ("", "[\"c\"]")];
    let texts = pages
        .map(|(offset, body)| format!("HTTP/1.1 {}\r\n{offset}Content-Length: {}\r\n\r\n{body}", json("200 OK"), body.len()));
    let server = RawServer::start(move |number, _| Reply::closing(texts[number].clone())).await;
    assert_eq!(client_of(&server).list_ids("dl-parts", None).await.unwrap().value.ids, ["a", "b", "c"]);
    assert!(server.requests()[1].path.contains("offset=one"));
}

#[tokio::test]
async fn list_of_unusable_ids_is_rejected() {
    for body in ["{}", "[1]", "[\"\"]", "[\"\u{e4}\"]"] {
        let server = answering(&json("200 OK"), body).await;
        let failure = client_of(&server).list_ids("dl-parts", None).await.unwrap_err();
        assert_eq!(failure.fault, not_sync(UnexpectedAnswer::Malformed), "{body}");
    }
    let endless = format!("{}\r\nX-Weave-Next-Offset: one", json("200 OK"));
    let server = answering(&endless, "[]").await;
    let failure = client_of(&server).list_ids("dl-parts", None).await.unwrap_err();
    assert_eq!(failure.fault, not_sync(UnexpectedAnswer::WrongPage));
}

#[tokio::test]
async fn page_with_wrong_objects_is_rejected() {
    let object = |id: &str, time: &str| format!("{{\"id\":{id},\"modified\":{time},\"payload\":\"x\"}}");
    let earlier = object("\"b\"", "1600000000.00");
    for list in [
        format!("[{},{earlier}]", object("\"a\"", "1650000000.00")),
        format!("[{earlier},{earlier}]"),
        format!("[{}]", object("\"a\\n\"", "1600000000.00")),
        format!("[{}]", object("\"a\"", "1800000000.00")),
    ] {
        let server = answering(&json("200 OK"), list.clone()).await;
        let failure = client_of(&server).read_page(&page()).await.unwrap_err();
        assert_eq!(failure.fault, not_sync(UnexpectedAnswer::WrongPage), "{list}");
    }
}

#[tokio::test]
async fn repeated_page_is_rejected() {
    let body = "[{\"id\":\"a\",\"modified\":1600000000.00,\"payload\":\"x\"}]";
    let server = answering(&format!("{}\r\nX-Weave-Next-Offset: later", json("200 OK")), body).await;
    let client = client_of(&server);
    let first = client.read_page(&page()).await.unwrap().value;
    let again = PageRequest { offset: first.next_offset, ..page() };
    assert_eq!(client.read_page(&again).await.unwrap_err().fault, not_sync(UnexpectedAnswer::WrongPage));
}

#[tokio::test]
async fn receipt_for_other_objects_is_rejected() {
    let server = answering(&json("200 OK"), "{\"max_post_records\":100}").await;
    let failure = client_of(&server).post_batch("dl-items", &[object("a", "x")], None).await.unwrap_err();
    assert_eq!(failure.fault, not_sync(UnexpectedAnswer::Malformed));
    assert!(failure.fault.leaves_write_unknown());
}

#[tokio::test]
async fn server_hints_of_refused_request_are_returned() {
    let head = "503 Busy\r\nX-Weave-Timestamp: 1.00\r\nRetry-After: 5\r\nX-Weave-Backoff: 30\r\nX-Weave-Quota-Remaining: 7";
    let server = answering(head, "0").await;
    let failure = client_of(&server).info_collections(None).await.unwrap_err();
    let hints =
        ServerHints { retry_after_s: Some(5), backoff_s: Some(30), quota_remaining_kb: Some(7), server_time_ms: Some(1000) };
    assert_eq!((failure.fault, failure.hints), (ServerFault::Busy { retry_after_s: Some(5) }, hints));
}

#[tokio::test]
async fn truncated_answer_counts_as_lost_connection() {
    let lost = ServerFault::Unreachable(UnreachableCause::ConnectionLost);
    for bytes in [String::new(), format!("HTTP/1.1 {}\r\nContent-Length: 100\r\n\r\n{{", json("200 OK"))] {
        let server = RawServer::start(move |_, _| Reply::closing(bytes.clone())).await;
        let client = client_of(&server);
        assert_eq!(client.put_object("dl-items", &object("a", "x"), None).await.unwrap_err().fault, lost);
        assert_eq!(server.requests().len(), 1, "a write is never retried");
    }
}

#[tokio::test]
async fn absent_server_is_reported_as_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let failure = client(&address).info_collections(None).await.unwrap_err();
    assert_eq!(failure.fault, ServerFault::Unreachable(UnreachableCause::ConnectionRefused));
    // A DNS label has at most 63 characters, so no name server knows this name.
    let failure = client(&format!("{}.example:80", "x".repeat(64))).info_collections(None).await.unwrap_err();
    assert_eq!(failure.fault, ServerFault::Unreachable(UnreachableCause::NameNotFound));
}

/// Starts a server that answers each request with only these bytes, and then stays silent.
async fn silent_after(bytes: &'static str) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, received) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut buffer = [0; 4096];
            let read = stream.read(&mut buffer).await.unwrap();
            stream.write_all(bytes.as_bytes()).await.unwrap();
            let _ = sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned());
            open.push(stream);
        }
    });
    (address, received)
}

#[tokio::test]
async fn silent_server_times_out() {
    for bytes in
        ["", "HTTP/1.1 200 OK\r\nX-Weave-Timestamp: 1.00\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"]
    {
        let (address, mut received) = silent_after(bytes).await;
        let asking = tokio::spawn(async move { client(&address).info_collections(None).await });
        received.recv().await.unwrap();
        // Wait in real time until the client has received the bytes. Afterwards, pause the clock of tokio, so that the
        // time limit of the client passes at once.
        tokio::time::sleep(Duration::from_millis(100)).await;
        tokio::time::pause();
        let before = tokio::time::Instant::now();
        assert_eq!(asking.await.unwrap().unwrap_err().fault, ServerFault::TimedOut);
        assert!((20..=45).contains(&before.elapsed().as_secs()), "{:?}", before.elapsed());
        tokio::time::resume();
    }
}

#[tokio::test]
async fn silent_event_stream_times_out() {
    let head = "HTTP/1.1 200 OK\r\nX-Weave-Timestamp: 1.00\r\nContent-Type: text/event-stream\r\n\r\n:\n\ndata: {\"collection\":\"a\",\"modified\":1.00}\n\n";
    let (address, _received) = silent_after(head).await;
    let mut stream = client(&address).events().await.unwrap().value;
    assert_eq!(stream.next().await.unwrap().unwrap().modified_ms, 1000);
    tokio::time::pause();
    let before = tokio::time::Instant::now();
    assert_eq!(stream.next().await.unwrap().unwrap_err().fault, ServerFault::TimedOut);
    assert!((109..=112).contains(&before.elapsed().as_secs()), "{:?}", before.elapsed());
    assert!(stream.next().await.is_none(), "the stream ends after a failure");
}

#[tokio::test]
async fn program_is_named_in_request_and_token_is_hidden_in_debug_output() {
    let (address, mut received) = silent_after("").await;
    let client = client(&address);
    assert!(!format!("{client:?}").contains("secret"), "{client:?}");
    let asking = tokio::spawn(async move { client.info_collections(Some(1_700_000_000_050)).await });
    let request = received.recv().await.unwrap().to_ascii_lowercase();
    asking.abort();
    assert!(request.starts_with("get /1.5/1234567890/info/collections http/1.1\r\n"), "{request}");
    for header in [
        concat!("user-agent: ashore/", env!("CARGO_PKG_VERSION")),
        "authorization: bearer 1234567890.device.secret",
        "x-if-modified-since: 1700000000.05",
        "accept: application/json",
    ] {
        assert!(request.contains(&format!("\r\n{header}\r\n")), "{header}: {request}");
    }
    assert!(!request.contains("accept-encoding") && !request.contains("cookie"), "{request}");
}
