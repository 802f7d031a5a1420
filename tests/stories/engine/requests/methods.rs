//! Tests methods other than GET, with and without a body.
//!
//! The server receives each request once, and its answer is stored.

use ashore_engine::{NewRequest, RecordOutcome, RegistrationResult, ResponseRecord};
use ashore_testkit::{
    home::{Home, upload},
    origin::{Body, Origin},
};

fn bodiless(method: &str, url: impl Into<String>) -> NewRequest {
    NewRequest { method: Some(method.to_owned()), url: url.into(), ..NewRequest::default() }
}

async fn only_record(home: &Home, request: NewRequest) -> ResponseRecord {
    let id = home.create(Home::ask_for([request])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Success, "{:?}", settled.failure);
    assert_eq!((settled.uploaded, settled.upload_total), (0, 0));
    home.records(id, 0, 0).await.unwrap().remove(0)
}

#[tokio::test]
async fn request_without_body_is_sent_and_its_answer_is_stored() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for (method, length) in [("POST", Some("0")), ("PUT", Some("0")), ("PATCH", None), ("DELETE", None)] {
        let path = format!("/{method}");
        let route = origin.file(&path, Body::bytes(method));
        let record = only_record(&home, bodiless(method, origin.url(&path))).await;
        assert_eq!((record.method.as_str(), record.status, record.outcome), (method, Some(200), Some(RecordOutcome::Success)));
        assert_eq!(std::fs::read(record.path.unwrap()).unwrap(), method.as_bytes());
        let requests = route.requests();
        assert_eq!(requests.len(), 1, "{method}");
        assert_eq!((requests[0].method.as_str(), requests[0].header("content-length")), (method, length));
        assert!(requests[0].body.is_empty() && requests[0].header("transfer-encoding").is_none(), "{method}");
    }
}

#[tokio::test]
async fn response_to_head_request_is_recorded_and_no_file_is_left() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/plain", Body::seeded(1, 500_000));
    origin.file("/zipped", Body::seeded(2, 500_000)).header("Content-Encoding", "gzip");
    origin.file("/none", Body::bytes([])).answers_with(204);
    for (path, status, length) in [("/plain", 200, Some("500000")), ("/zipped", 200, Some("500000")), ("/none", 204, None)] {
        let record = only_record(&home, bodiless("head", origin.url(path))).await;
        assert_eq!((record.method.as_str(), record.status, record.outcome), ("HEAD", Some(status), Some(RecordOutcome::Success)));
        assert_eq!((record.path, record.size), (None, Some(0)), "{path}");
        let said = record.headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value.as_str());
        assert!(length.is_none() || said == length, "{path}: {said:?}");
    }
    assert_eq!(home.names(), <[&str; 0]>::default());
}

#[tokio::test]
async fn bodies_of_patch_and_delete_requests_are_sent() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for method in ["PATCH", "DELETE"] {
        let route = origin.file("/a", Body::bytes("done"));
        let source = home.source("change", b"a change");
        let id = home.create(Home::ask_for([upload(method, origin.url("/a"), &source)])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert_eq!((settled.result, settled.uploaded), (RegistrationResult::Success, 8));
        let requests = route.requests();
        let last = requests.last().unwrap();
        assert_eq!((last.method.as_str(), last.body.as_slice()), (method, b"a change".as_slice()));
    }
}

#[tokio::test]
async fn failed_head_request_is_repeated_but_unsafe_request_is_not() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let [cut, busy, half] = ["cut", "busy", "half"].map(|name| format!("/{method}/{name}"));
        let cases = [
            (&cut, origin.file(&cut, Body::bytes("x")).close_before_head(), "upload-interrupted"),
            (&busy, origin.file(&busy, Body::bytes("x")).answers_with(503), "bad-status"),
            (&half, origin.file(&half, Body::seeded(1, 1000)).end_after(10), "truncated"),
        ];
        for (path, route, code) in cases {
            let id = home.create(Home::ask_for([bodiless(method, origin.url(path))])).await.unwrap().unique_id;
            let settled = home.settled(id).await;
            assert_eq!(settled.failure.map(|trouble| trouble.code).as_deref(), Some(code), "{method} {path}");
            assert_eq!(route.requests().len(), 1, "{method} {path}");
        }
    }
    // Use another server, because requests to the first one are suspended after so many failures.
    let origin = Origin::start().await;
    let route = origin.file("/again", Body::bytes("x")).close_before_head().times(1);
    only_record(&home, bodiless("HEAD", origin.url("/again"))).await;
    assert_eq!(route.requests().len(), 2);
}

#[tokio::test]
async fn unsafe_request_that_runs_at_close_is_repeated_only_by_user() {
    for (method, is_killed, is_sent_again) in
        [("DELETE", true, false), ("POST", false, false), ("HEAD", true, true), ("HEAD", false, true)]
    {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let route = origin.file("/a", Body::bytes("x")).gate_answer();
        let id = home.create(Home::ask_for([bodiless(method, origin.url("/a"))])).await.unwrap().unique_id;
        route.held().await;
        if is_killed {
            home.crash().await;
        } else {
            home.close().await;
        }
        route.release();
        home.reopen().await;
        let settled = home.settled(id).await;
        assert_eq!(settled.result == RegistrationResult::Success, is_sent_again, "{method}");
        assert_eq!(route.requests().len(), if is_sent_again { 2 } else { 1 }, "{method}");
        if !is_sent_again {
            assert_eq!(settled.failure.unwrap().code, "upload-interrupted");
            assert_eq!(home.retry(id).await.unwrap(), 1);
            assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        }
    }
}

#[tokio::test]
async fn unsafe_request_added_twice_is_sent_twice() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let route = origin.file("/a", Body::bytes("x"));
    for _ in 0..2 {
        let added = home.add(Home::ask_for([bodiless("POST", origin.url("/a"))])).await.unwrap();
        home.settled(added.registration().unwrap().unique_id).await;
    }
    assert_eq!(route.requests().len(), 2);
}

#[tokio::test]
async fn unsupported_method_is_refused() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for method in ["TRACE", "CONNECT", "TRACK", "OPTIONS", ""] {
        let refused = home.create(Home::ask_for([bodiless(method, origin.url("/a"))])).await.unwrap_err();
        assert_eq!(refused.code(), "invalid", "{method}");
    }
    let source = home.source("a", b"a");
    for method in ["GET", "HEAD"] {
        let refused = home.create(Home::ask_for([upload(method, origin.url("/a"), &source)])).await.unwrap_err();
        assert_eq!(refused.code(), "invalid", "{method}");
    }
}
