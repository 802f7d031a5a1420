//! Servers that close connections early, stop answering, misstate lengths or refuse requests.

use std::time::{Duration, Instant};

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{FailureKind, TransferConfig, TransferOutcome, Verification};
use url::Url;

use super::desk::{TransferBench, assert_kind, eager};

const LENGTH: u64 = 2 << 20;

#[tokio::test]
async fn bytes_of_interrupted_body_are_kept_and_next_try_completes() {
    for chunked in [false, true] {
        let (origin, mut desk) = (Origin::start().await, TransferBench::new());
        let body = Body::seeded(1, LENGTH);
        let shape = |route: Route| if chunked { route.chunked() } else { route };
        shape(origin.file("/reset", body.clone())).reset_after(700_000).times(1);
        shape(origin.file("/ended", body.clone())).end_after(700_000).times(1);
        for (path, kinds) in [("/reset", &[FailureKind::Reset][..]), ("/ended", &[FailureKind::Truncated])] {
            let spec = desk.spec(origin.url(path));
            let (failure, bytes) = desk.failed(&spec).await;
            assert!(kinds.contains(&failure.kind), "{path} {failure:?}");
            assert!(failure.is_transient());
            // A connection reset may discard the last bytes that the server sent before it.
            assert!(bytes <= 700_000 && (path == "/reset" || bytes == 700_000), "{path} {bytes}");
            assert!(!desk.path(&path[1..]).exists(), "never half a file under the final name");
            desk.completed_with(&spec, &body).await;
        }
    }
}

#[tokio::test]
async fn body_shorter_than_declared_fails_as_truncated() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/a", Body::seeded(1, 1000)).claim_length(1001);
    let spec = desk.spec(origin.url("/a"));
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Truncated);
    assert_eq!(bytes, 1000);
}

#[tokio::test]
async fn bytes_after_declared_end_are_not_stored() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/a", Body::seeded(1, LENGTH)).claim_length(1000);
    let spec = desk.spec(origin.url("/a"));
    desk.completed_with(&spec, &Body::seeded(1, 1000)).await;
}

#[tokio::test]
async fn download_from_server_that_closes_repeatedly_is_resumed_until_complete() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(9, LENGTH);
    let file = origin.file("/a", body.clone()).end_after(300_000);
    let spec = desk.spec(origin.url("/a"));
    let mut last = 0;
    let completed = loop {
        match desk.run(&spec).await {
            TransferOutcome::Failed { failure, bytes } => {
                assert_kind(&failure, FailureKind::Truncated);
                assert!(bytes > last, "each try leads on");
                last = bytes;
            }
            TransferOutcome::Completed(completed) => break completed,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(std::fs::read(completed.path.unwrap()).unwrap(), body.slice(0, LENGTH));
    assert!(file.requests().len() < 12);
}

#[tokio::test]
async fn silent_and_nearly_silent_servers_time_out() {
    let config = TransferConfig {
        stall_timeout: Duration::from_millis(400),
        connect_timeout: Duration::from_millis(400),
        slow_window: Duration::from_millis(900),
        ..TransferConfig::default()
    };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(config));
    origin.file("/stall", Body::seeded(1, LENGTH)).stall_after(100_000);
    origin.file("/trickle", Body::seeded(1, LENGTH)).trickle(1, Duration::from_millis(30));
    origin.file("/hang", Body::seeded(1, LENGTH)).hang();
    for (path, kept) in [("/stall", 100_000), ("/trickle", 1), ("/hang", 0)] {
        let spec = desk.spec(origin.url(path));
        let (failure, bytes) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::Timeout);
        assert!(bytes >= kept && failure.is_transient(), "{path} {bytes}");
    }
}

#[tokio::test]
async fn stalled_transfer_with_default_settings_fails_after_ten_seconds_and_loses_no_bytes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let (body, some) = (Body::seeded(1, 4 << 20), 2 << 20);
    let file = origin.file("/a", body.clone()).stall_after(some).times(1);
    let spec = desk.spec(origin.url("/a"));
    let began = Instant::now();
    let (failure, kept) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Timeout);
    assert!((9..13).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    assert_eq!(kept, some);
    desk.completed_with(&spec, &body).await;
    assert_eq!(file.requests()[1].range_start(), Some(some - (64 << 10)));
}

#[tokio::test]
async fn first_byte_may_take_longer_than_the_stall_timeout() {
    let config = TransferConfig {
        stall_timeout: Duration::from_millis(500),
        connect_timeout: Duration::from_millis(1),
        ..TransferConfig::default()
    };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(config));
    let body = Body::seeded(1, 4 << 20);
    let before_its_head = origin.file("/head", body.clone()).gate_answer();
    let before_its_body = origin.file("/body", body.clone()).gate_at(0);
    for (path, file) in [("/head", before_its_head), ("/body", before_its_body)] {
        let spec = desk.spec(origin.url(path));
        desk.transfers.start(spec);
        file.held().await;
        tokio::time::sleep(Duration::from_millis(1000)).await;
        file.release();
        let outcome = desk.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{path}: {outcome:?}");
    }
}

#[tokio::test]
async fn slow_but_steady_transfer_completes() {
    let config = TransferConfig { slow_window: Duration::from_millis(200), ..TransferConfig::default() };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(config));
    let body = Body::seeded(1, 20_000);
    origin.file("/a", body.clone()).trickle(1000, Duration::from_millis(40));
    let spec = desk.spec(origin.url("/a"));
    desk.completed_with(&spec, &body).await;
}

#[tokio::test]
async fn unusable_length_counts_as_unknown_but_oversized_answer_fails() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/pebibyte", Body::seeded(1, 1000)).claim_length(1 << 50);
    origin.file("/two", Body::seeded(1, 1000)).header("Content-Length", "5");
    origin.file("/overflow", Body::seeded(1, 1000)).until_close().header("Content-Length", "99999999999999999999999");
    origin.file("/large-head", Body::seeded(1, 1000)).header("X-Large", "a".repeat(1 << 20));
    let expected = [("/pebibyte", FailureKind::DiskFull), ("/large-head", FailureKind::Protocol)];
    for (path, kind) in expected {
        let spec = desk.spec(origin.url(path));
        let (failure, bytes) = desk.failed(&spec).await;
        assert_kind(&failure, kind);
        assert_eq!((bytes, failure.needs_free), (0, (path == "/pebibyte").then_some(1 << 50)));
    }
    assert_eq!(desk.names(), [""; 0]);
    for path in ["/two", "/overflow"] {
        let spec = desk.spec(origin.url(path));
        assert_eq!(desk.completed_with(&spec, &Body::seeded(1, 1000)).await.verified, Verification::SizeUnknown, "{path}");
    }
}

#[tokio::test]
async fn refusal_is_reported_with_status_and_no_error_page_is_stored() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.refuses("/404", 404);
    origin.refuses("/429", 429).header("Retry-After", "7");
    origin.refuses("/503", 503).header("Retry-After", "soon");
    origin.refuses("/304", 304);
    let expected =
        [("/404", 404, None, false), ("/429", 429, Some(7), true), ("/503", 503, None, true), ("/304", 304, None, false)];
    for (path, status, wait, transient) in expected {
        let spec = desk.spec(origin.url(path));
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::BadStatus);
        assert_eq!((failure.status, failure.retry_after), (Some(status), wait.map(Duration::from_secs)));
        assert_eq!(failure.is_transient(), transient, "{path}");
    }
    assert!(desk.heads.is_empty());
    assert_eq!(desk.names(), [""; 0]);
}

#[tokio::test]
async fn unreachable_servers_have_distinct_failures() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/closes", Body::seeded(1, 10)).close_before_head();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    // A label of this host name is too long, so the lookup fails without a query.
    let no_name = format!("http://{}.invalid/a", "x".repeat(64));
    for (url, kind) in [
        (origin.url("/closes"), FailureKind::Reset),
        (Url::parse(&format!("http://127.0.0.1:{port}/a")).unwrap(), FailureKind::Connect),
        (Url::parse(&no_name).unwrap(), FailureKind::Dns),
    ] {
        let spec = desk.spec(url);
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, kind);
        assert!(failure.is_transient());
    }
}

#[tokio::test]
async fn non_tls_and_non_http_servers_have_distinct_failures() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut desk = TransferBench::new();
    for (scheme, answer, kind) in [
        ("https", &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], FailureKind::TlsHandshake),
        ("https", b"", FailureKind::TlsHandshake),
        ("http", b"SSH-2.0-babble\r\n\r\n", FailureKind::Protocol),
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        // Accept several connections, because after a failure, the client may probe whether the port speaks http or
        // https.
        let babble = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(answer).await;
                let _ = stream.shutdown().await;
                // Keep the connection open until the client has read the whole answer.
                let _ = stream.read_to_end(&mut Vec::new()).await;
            }
        });
        let spec = desk.spec(Url::parse(&format!("{scheme}://127.0.0.1:{port}/a")).unwrap());
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, kind);
        babble.abort();
    }
}

#[tokio::test]
async fn target_that_is_not_a_folder_fails_before_any_request() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = origin.file("/a", Body::seeded(1, 10));
    std::fs::write(desk.path("plain"), "x").unwrap();
    for folder in ["plain", "missing"] {
        let mut spec = desk.spec(origin.url("/a"));
        spec.folder = desk.path(folder);
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::Target);
        assert!(!failure.is_transient());
    }
    assert_eq!(file.requests().len(), 0);
}
