//! Tests uploads: they are sent byte for byte, counted, and never repeated without an explicit retry.

use std::path::PathBuf;

use ashore_testkit::origin::{Body, Origin, content};
use ashore_transfer::{FailureKind, TransferOutcome, TransferSpec};
use http::Method;
use url::Url;

use super::desk::{TransferBench, assert_kind};

/// Size of an upload in bytes, larger than all socket buffers together.
const LARGE: u64 = 24 << 20;

fn upload(desk: &TransferBench, method: Method, url: Url, seed: u64, length: u64) -> TransferSpec {
    let path = source(desk, seed, length);
    TransferSpec { method, body: Some(path), ..desk.spec(url) }
}

fn source(desk: &TransferBench, seed: u64, length: u64) -> PathBuf {
    let sources = desk.path("sources");
    std::fs::create_dir_all(&sources).unwrap();
    let path = sources.join(format!("{seed}"));
    std::fs::write(&path, content(seed, length)).unwrap();
    path
}

#[tokio::test]
async fn upload_sends_exact_bytes_and_stores_the_answer() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let answer = Body::bytes("thanks");
    let route = origin.file("/answer.txt", answer.clone()).answers_with(201);
    for (turn, method) in [Method::POST, Method::PUT].into_iter().enumerate() {
        let mut spec = upload(&desk, method.clone(), origin.url("/answer.txt"), turn as u64, 300_000);
        spec.headers.push(("Content-Type".to_owned(), "text/x-mine".to_owned()));
        let completed = desk.completed_with(&spec, &answer).await;
        assert!(completed.path.is_some());
        assert_eq!(desk.heads[turn].status, 201);
        let request = &route.requests()[turn];
        assert_eq!(request.method, method.as_str());
        assert_eq!(request.header("content-length"), Some("300000"));
        assert_eq!(request.header("content-type"), Some("text/x-mine"));
        assert_eq!(request.body, content(turn as u64, 300_000));
    }
}

#[tokio::test]
async fn upload_answer_without_body_leaves_no_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/none", Body::bytes([])).answers_with(204);
    origin.file("/empty", Body::bytes([]));
    for path in ["/none", "/empty"] {
        for length in [0, 1000] {
            let spec = upload(&desk, Method::PUT, origin.url(path), 1, length);
            assert_eq!(desk.completed(&spec).await.path, None);
        }
    }
    assert_eq!(desk.names(), ["sources"]);
}

#[tokio::test]
async fn all_uploaded_bytes_are_counted_before_answer_completes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a", Body::seeded(1, 1000)).gate_at(500);
    let spec = upload(&desk, Method::POST, origin.url("/a"), 1, LARGE);
    desk.transfers.start(spec.clone());
    desk.reach(&spec, 500).await;
    assert_eq!(desk.progress(&spec).unwrap().uploaded, LARGE);
    route.release();
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
}

#[tokio::test]
async fn upload_is_not_retried_if_interrupted_after_sending() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a", Body::bytes("x")).reset_upload_after(1 << 20);
    let spec = upload(&desk, Method::POST, origin.url("/a"), 1, LARGE);
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::UploadInterrupted);
    assert!(failure.sent >= 1 << 20 && !failure.is_transient());
    assert_eq!(route.requests().len(), 1);

    origin.file("/closes", Body::bytes("x")).close_before_head();
    let spec = upload(&desk, Method::POST, origin.url("/closes"), 1, 0);
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::UploadInterrupted);
    assert!(!failure.is_transient(), "without a body, too, it may have been done");

    origin.file("/half", Body::seeded(1, 1000)).end_after(10);
    let spec = upload(&desk, Method::POST, origin.url("/half"), 1, 1000);
    let (failure, bytes) = desk.failed(&spec).await;
    assert!(failure.sent == 1000 && bytes == 0 && !failure.is_transient(), "{failure:?}");
    assert_eq!(desk.names(), ["sources"]);
}

#[tokio::test]
async fn upload_that_never_reached_server_may_be_retried() {
    let mut desk = TransferBench::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/a", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let spec = upload(&desk, Method::POST, url, 1, 1000);
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Connect);
    assert!(failure.sent == 0 && failure.is_transient());
}

#[tokio::test]
async fn stopped_upload_reports_sent_bytes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a", Body::bytes("x")).hang();
    let spec = upload(&desk, Method::POST, origin.url("/a"), 1, 1000);
    desk.transfers.start(spec.clone());
    let sent = async {
        while desk.progress(&spec).is_none_or(|progress| progress.uploaded < 1000) {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), sent).await.unwrap();
    desk.transfers.stop(spec.guid);
    assert_eq!(desk.outcome().await, TransferOutcome::Stopped { bytes: 0, sent: 1000 });
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn upload_redirect_is_followed_unless_body_must_be_repeated() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let end = origin.file("/end", Body::bytes("done"));
    for (status, method, refused) in [
        (303, Method::POST, false),
        (303, Method::PUT, false),
        (302, Method::POST, false),
        (301, Method::POST, false),
        (302, Method::PUT, true),
        (307, Method::POST, true),
        (308, Method::PUT, true),
    ] {
        let path = format!("/{status}{method}");
        origin.redirects(&path, status, "/end");
        let mut spec = upload(&desk, method, origin.url(&path), 1, 1000);
        spec.headers.push(("Content-Type".to_owned(), "text/x-mine".to_owned()));
        if refused {
            let (failure, _) = desk.failed(&spec).await;
            assert_kind(&failure, FailureKind::RefusedRedirect);
            assert_eq!(failure.sent, 1000);
        } else {
            desk.completed_with(&spec, &Body::bytes("done")).await;
            let request = end.requests().pop().unwrap();
            assert_eq!((request.method.as_str(), request.body.len()), ("GET", 0));
            assert_eq!((request.header("content-type"), request.header("content-length")), (None, None));
        }
    }
    // An upload without bytes follows the redirect with the same method and body.
    origin.redirects("/again", 307, "/end");
    let spec = upload(&desk, Method::POST, origin.url("/again"), 2, 0);
    desk.completed_with(&spec, &Body::bytes("done")).await;
    assert_eq!(end.requests().pop().unwrap().method, "POST");
}

#[tokio::test]
async fn refused_upload_keeps_status_and_sent_bytes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.refuses("/no", 403);
    let spec = upload(&desk, Method::POST, origin.url("/no"), 1, 1000);
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::BadStatus);
    assert_eq!((failure.status, failure.sent), (Some(403), 1000));
}

#[tokio::test]
async fn unreadable_upload_source_fails_before_sending() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a", Body::bytes("x"));
    for name in ["missing", "."] {
        let spec = TransferSpec { method: Method::POST, body: Some(desk.path(name)), ..desk.spec(origin.url("/a")) };
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::UploadSource);
        assert_eq!(failure.sent, 0);
    }
    assert_eq!(route.requests().len(), 0);
}

#[tokio::test]
async fn two_uploads_to_one_address_are_not_merged() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a", Body::bytes("x"));
    for seed in [1, 2] {
        desk.transfers.start(upload(&desk, Method::POST, origin.url("/a"), seed, 1000));
    }
    for _ in 0..2 {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    let mut bodies: Vec<_> = route.requests().into_iter().map(|request| request.body).collect();
    let mut expected = vec![content(1, 1000), content(2, 1000)];
    bodies.sort();
    expected.sort();
    assert_eq!(bodies, expected);
    assert_eq!(desk.names().iter().filter(|name| !name.contains(".part")).count(), 3);
}
