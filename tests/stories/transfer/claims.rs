//! Tests responses that claim to contain the whole file or a part of it. Only consistent responses are accepted.

use ashore_testkit::{
    origin::content,
    raw::{RawRequest, RawServer, Reply},
};
use ashore_transfer::{CompletedTransfer, FailureCause, FailureKind, TransferFailure, TransferOutcome, Verification};

use super::desk::{TransferBench, eager};

const LENGTH: usize = 300_000;
const CUT: usize = 200_000;
const TAG: &str = "ETag: \"one\"\r\n";

fn file() -> Vec<u8> {
    content(7, LENGTH as u64)
}

/// Returns a complete answer that states its length.
fn whole(fields: &str, body: &[u8]) -> Reply {
    Reply::from_parts(&format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n", body.len()), body)
}

/// Returns an answer that declares the length of the whole file, but ends after `CUT` bytes.
fn cut(fields: &str) -> Reply {
    Reply::from_parts(&format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {LENGTH}\r\n\r\n"), &file()[..CUT])
}

/// Runs a transfer of `/a.bin` until it completes or fails permanently, but at most `tries` times.
async fn fetched(server: &RawServer, tries: usize) -> Result<(CompletedTransfer, Vec<u8>), TransferFailure> {
    let mut desk = TransferBench::with(eager());
    let spec = desk.spec(server.url("/a.bin"));
    let mut last = None;
    for _ in 0..tries {
        match desk.run(&spec).await {
            TransferOutcome::Completed(completed) => {
                let bytes = completed.path.as_ref().map(|path| std::fs::read(path).unwrap()).unwrap_or_default();
                return Ok((completed, bytes));
            }
            TransferOutcome::Failed { failure, .. } if failure.is_transient() => last = Some(failure),
            TransferOutcome::Failed { failure, .. } => return Err(failure),
            other => panic!("{other:?}"),
        }
    }
    Err(last.expect("it was tried"))
}

async fn assert_completes(server: &RawServer, tries: usize, verified: Verification, what: &str) {
    let (completed, bytes) = fetched(server, tries).await.unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
    assert!(bytes == file(), "{what}: {} bytes, or others", bytes.len());
    assert_eq!(completed.verified, verified, "{what}");
}

/// Returns the first and last byte of the requested range; `None` without a range.
fn slice(request: &RawRequest) -> Option<(usize, usize)> {
    let (first, last) = request.range?;
    Some((first, last.unwrap_or(LENGTH - 1).min(LENGTH - 1)))
}

#[tokio::test]
async fn partial_content_with_success_status_never_counts_as_whole_file() {
    for (status, has_range, fields) in [
        (200, true, TAG),
        (200, false, TAG),
        (200, true, ""),
        (200, false, ""),
        (203, true, TAG),
        (201, false, ""),
        (200, false, "ETag: W/\"one\"\r\n"),
    ] {
        let server = RawServer::start(move |number, request| match slice(request) {
            Some((first, last)) => {
                let range = format!("Content-Range: bytes {first}-{last}/{LENGTH}\r\n");
                let range = if has_range { range.as_str() } else { "" };
                let head = format!("HTTP/1.1 {status} A\r\n{fields}{range}Content-Length: {}\r\n\r\n", last + 1 - first);
                Reply::from_parts(&head, &file()[first..=last])
            }
            None if number == 0 => cut(fields),
            None => whole(fields, &file()),
        })
        .await;
        let (_, bytes) = fetched(&server, 2).await.unwrap();
        assert!(bytes == file(), "{status} {has_range} {fields:?}: {} bytes", bytes.len());
        let plain = server.requests().iter().filter(|request| request.range.is_none()).count();
        assert_eq!(plain, if has_range { 1 } else { 2 }, "{status} {has_range} {fields:?}");
    }
}

#[tokio::test]
async fn changed_file_size_is_an_error_if_the_strong_validator_stays_the_same() {
    for size in [0, 1000, LENGTH - 1, LENGTH + 1] {
        let body = move || [file(), vec![0]].concat()[..size].to_vec();
        let server = RawServer::start(move |number, _| if number == 0 { cut(TAG) } else { whole(TAG, &body()) }).await;
        assert_eq!(fetched(&server, 3).await.unwrap_err().kind, FailureKind::UntrueLength, "{size}");
        // Without a strong validator, the transfer completes with unknown size.
        for fields in ["", "ETag: W/\"one\"\r\n"] {
            let server = RawServer::start(move |number, _| if number == 0 { cut(fields) } else { whole(fields, &body()) }).await;
            let (completed, _) = fetched(&server, 3).await.unwrap();
            assert_eq!(completed.verified, Verification::SizeUnknown, "{size} {fields:?}");
        }
    }
}

#[tokio::test]
async fn status_without_file_content_fails_the_transfer() {
    for (status, is_transient) in [(202, true), (204, false), (205, false), (207, false), (302, false), (304, false)] {
        for body in ["", "{}"] {
            let body = if matches!(status, 204 | 205 | 304) { "" } else { body };
            let head = format!("HTTP/1.1 {status} A\r\nRetry-After: 7\r\nContent-Length: {}\r\n\r\n", body.len());
            let server = RawServer::start(move |_, _| Reply::from_parts(&head, body.as_bytes())).await;
            let failure = fetched(&server, 1).await.unwrap_err();
            assert_eq!((failure.kind, failure.status), (FailureKind::BadStatus, Some(status)));
            assert_eq!(failure.is_transient(), is_transient, "{status}");
            assert_eq!(failure.retry_after.map(|wait| wait.as_secs()), Some(7), "{status}");
        }
    }
}

#[tokio::test]
async fn unrequested_206_completes_from_offset_zero_and_fails_otherwise() {
    let part = |first: usize, last: usize, range: &str| {
        Reply::from_parts(
            &format!("HTTP/1.1 206 A\r\n{TAG}{range}Content-Length: {}\r\n\r\n", last + 1 - first),
            &file()[first..=last],
        )
    };
    let honest = move |request: &RawRequest| {
        let (first, last) = slice(request).unwrap();
        part(first, last, &format!("Content-Range: bytes {first}-{last}/{LENGTH}\r\n"))
    };
    let server = RawServer::start(move |_, request| match request.range {
        Some(_) => honest(request),
        None => part(0, CUT - 1, &format!("Content-Range: bytes 0-{}/{LENGTH}\r\n", CUT - 1)),
    })
    .await;
    assert!(fetched(&server, 1).await.unwrap().1 == file(), "its beginning");
    let server = RawServer::start(move |_, _| part(0, LENGTH - 1, "")).await;
    assert_completes(&server, 1, Verification::SizeUnknown, "without a range").await;
    let range = format!("Content-Range: bytes 5-{}/{LENGTH}\r\n", LENGTH - 1);
    let server = RawServer::start(move |_, _| part(5, LENGTH - 1, &range)).await;
    let failure = fetched(&server, 1).await.unwrap_err();
    assert_eq!((failure.kind, failure.fault), (FailureKind::Protocol, Some(FailureCause::Part)));
}

#[tokio::test]
async fn refused_range_causes_one_plain_request() {
    for status in [0, 202, 204, 400, 403, 404, 405, 410, 416, 500, 501, 503] {
        let server = RawServer::start(move |number, request| match request.range {
            Some(_) if status == 0 => Reply::closing(""),
            Some(_) => Reply::from_parts(&format!("HTTP/1.1 {status} A\r\nContent-Length: 0\r\n\r\n"), b""),
            None if number == 0 => cut(TAG),
            None => whole(TAG, &file()),
        })
        .await;
        assert_completes(&server, 2, Verification::No, &status.to_string()).await;
        assert_eq!(server.requests().iter().filter(|request| request.range.is_none()).count(), 2, "{status}");
    }
}

#[tokio::test]
async fn bytes_are_kept_when_range_and_plain_requests_are_refused() {
    for (status, kind) in [(403, FailureKind::LinkExpired), (404, FailureKind::LinkExpired), (405, FailureKind::BadStatus)] {
        let server = RawServer::start(move |number, _| match number {
            0 => cut(TAG),
            _ => Reply::from_parts(&format!("HTTP/1.1 {status} A\r\nContent-Length: 0\r\n\r\n"), b""),
        })
        .await;
        let mut desk = TransferBench::with(eager());
        let spec = desk.spec(server.url("/a.bin"));
        desk.failed(&spec).await;
        let (failure, bytes) = desk.failed(&spec).await;
        assert_eq!((failure.kind, bytes), (kind, CUT as u64), "{status}");
        assert_eq!(server.requests().len(), 3, "{status}");
    }
}

#[tokio::test]
async fn temporarily_busy_server_causes_no_loss_of_bytes() {
    for status in [500, 502, 503] {
        let server = RawServer::start(move |number, request| match (number, slice(request)) {
            (0, _) => cut(TAG),
            (1, _) => Reply::from_parts(&format!("HTTP/1.1 {status} A\r\nContent-Length: 0\r\n\r\n"), b""),
            (_, None) => whole(TAG, &file()),
            (_, Some((first, last))) => {
                let range =
                    format!("Content-Range: bytes {first}-{last}/{LENGTH}\r\nContent-Length: {}\r\n\r\n", last + 1 - first);
                Reply::from_parts(&format!("HTTP/1.1 206 A\r\n{TAG}{range}"), &file()[first..=last])
            }
        })
        .await;
        assert_completes(&server, 2, Verification::OnResume, &status.to_string()).await;
    }
}

#[tokio::test]
async fn body_that_never_reaches_declared_length_causes_clear_error() {
    for (surplus, fields) in [(1, TAG), (1, ""), (1000, TAG)] {
        let server = RawServer::start(move |_, _| {
            Reply::from_parts(&format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n", LENGTH + surplus), &file())
        })
        .await;
        assert_eq!(fetched(&server, 9).await.unwrap_err().kind, FailureKind::UntrueLength, "{surplus} {fields:?}");
    }
}

#[tokio::test]
async fn surplus_bytes_after_body_make_the_size_unknown() {
    for size in [LENGTH, 1000] {
        for surplus in ["!", "\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"] {
            let mut bytes = whole(TAG, &file()[..size]).bytes;
            bytes.extend_from_slice(surplus.as_bytes());
            let server = RawServer::start(move |_, _| Reply::keeping(bytes.clone())).await;
            let (completed, got) = fetched(&server, 1).await.unwrap();
            assert!(got == file()[..size], "{size} {surplus:?}");
            assert_eq!(completed.verified, Verification::SizeUnknown, "{size} {surplus:?}");
        }
    }
}

#[tokio::test]
async fn ambiguous_framing_makes_the_size_unknown() {
    let chunked = [format!("{LENGTH:x}\r\n").into_bytes(), file(), b"\r\n0\r\n\r\n".to_vec()].concat();
    let (short, long) = (LENGTH - 1, LENGTH + 1);
    for (fields, body) in [
        (format!("Content-Length: {LENGTH}\r\nTransfer-Encoding: chunked\r\n"), chunked.clone()),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n".to_owned(), chunked.clone()),
        ("Transfer-Encoding: chunked, chunked\r\n".to_owned(), chunked.clone()),
        (format!("Content-Length: {short}\r\nContent-Length: {LENGTH}\r\n"), file()),
        (format!("Content-Length: {LENGTH}\r\nContent-Length: {long}\r\n"), file()),
        (format!("Content-Length: {LENGTH}, {short}\r\n"), file()),
        (format!("Content-Length: {LENGTH}\u{1}\r\n"), file()),
        (format!("Content-Len\u{1}gth: {LENGTH}\r\n"), file()),
        ("Content-Length: many\r\n".to_owned(), file()),
    ] {
        for version in ["1.1", "1.0"] {
            let head = format!("HTTP/{version} 200 OK\r\n{fields}\r\n");
            let (answer, reply) = (head.clone(), body.clone());
            let server = RawServer::start(move |_, request| match request.method.as_str() {
                "HEAD" => Reply::closing(answer.clone()),
                _ => Reply::from_parts(&answer, &reply),
            })
            .await;
            assert_completes(&server, 1, Verification::SizeUnknown, &head).await;
        }
    }
}

#[tokio::test]
async fn malformed_response_head_is_accepted_if_the_length_of_the_body_is_clear() {
    let length = format!("Content-Length: {LENGTH}");
    for head in [
        format!("HTTP/1.1 200 OK\r\n<br />\r\n<b>Warning</b>: x in y.php<br />\r\n{length}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nServer\r\n{length}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nContent-Type : a/b\r\nContent-Length : {LENGTH}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nX-Policy: one;\r\n two;\r\n\tthree\r\n{length}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\n{length}\n\n"),
        format!("HTTP/1.1 200 OK\r\nX-Odd: a\u{1}b\r\n{length}\r\n\r\n"),
        format!("\r\nHTTP/1.1 200\r\n{}{length}\r\n\r\n", "X-Many: a\r\n".repeat(300)),
        format!("HTTP/1.1 103 Early Hints\nLink: a\n\nHTTP/1.1 200 OK\r\n{length}\r\n\r\n"),
    ] {
        let answer = head.clone();
        let server = RawServer::start(move |_, _| Reply::from_parts(&answer, &file())).await;
        assert_completes(&server, 1, Verification::No, &head).await;
    }
}

#[tokio::test]
async fn non_http_answer_fails_and_its_error_is_identified() {
    for (answer, fault) in [
        ("220 mail.test ESMTP\r\n".to_owned(), FailureCause::NotHttp),
        ("<html>\r\n\r\n".to_owned(), FailureCause::NotHttp),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk at all\r\n".to_owned(), FailureCause::Chunks),
        (format!("HTTP/1.1 200 OK\r\nX-Large: {}\r\n\r\n", "a".repeat(600_000)), FailureCause::LargeHead),
    ] {
        let bytes = answer.clone();
        let server = RawServer::start(move |_, _| Reply::closing(bytes.clone())).await;
        let failure = fetched(&server, 1).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Protocol, "{failure:?}");
        if fault != FailureCause::LargeHead {
            assert_eq!(failure.fault, Some(fault), "{}", &answer[..20.min(answer.len())]);
        }
    }
}

#[tokio::test]
async fn missing_length_is_determined_by_another_request() {
    let open = |body: &[u8]| Reply::from_parts(&format!("HTTP/1.1 200 OK\r\n{TAG}Connection: close\r\n\r\n"), body);
    let head = || Reply::closing(format!("HTTP/1.1 200 OK\r\n{TAG}Content-Length: {LENGTH}\r\n\r\n"));
    let range = |first: usize, last: usize| {
        let fields = format!("{TAG}Content-Range: bytes {first}-{last}/{LENGTH}\r\nContent-Length: {}\r\n\r\n", last + 1 - first);
        Reply::from_parts(&format!("HTTP/1.1 206 A\r\n{fields}"), &file()[first..=last])
    };
    let refused = || Reply::from_parts("HTTP/1.1 405 A\r\nContent-Length: 0\r\n\r\n", b"");
    let server = RawServer::start(move |_, request| if request.method == "HEAD" { head() } else { open(&file()) }).await;
    assert_completes(&server, 1, Verification::No, "by HEAD").await;
    let server = RawServer::start(move |_, request| match (request.method.as_str(), slice(request)) {
        ("HEAD", _) => refused(),
        (_, Some((first, last))) => range(first, last),
        _ => open(&file()),
    })
    .await;
    assert_completes(&server, 1, Verification::No, "by a range").await;
    let server = RawServer::start(move |_, request| if request.method == "HEAD" { refused() } else { open(&file()) }).await;
    assert_completes(&server, 1, Verification::SizeUnknown, "by nothing").await;
    let server = RawServer::start(move |_, request| match (request.method.as_str(), slice(request)) {
        ("HEAD", _) => head(),
        (_, Some((first, last))) => range(first, last),
        _ => open(&file()[..CUT]),
    })
    .await;
    assert!(fetched(&server, 1).await.unwrap().1 == file(), "a cut that looked like the end");
}

#[tokio::test]
async fn reused_connection_is_replaced_immediately_if_server_closes_it() {
    let answer = |name: &str| Reply::keeping(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{name}", name.len()));
    let server = RawServer::start(move |_, request| match (request.nth, request.path.as_str()) {
        (0, path) => answer(path),
        // The server closes every connection that the client reuses.
        (_, _) => Reply::closing(""),
    })
    .await;
    let mut desk = TransferBench::new();
    let specs: Vec<_> = ["/a", "/b", "/c"].iter().map(|path| desk.spec(server.url(path))).collect();
    specs.iter().for_each(|spec| desk.transfers.start(spec.clone()));
    for _ in &specs {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    for path in ["/d", "/e", "/f"] {
        let spec = desk.spec(server.url(path));
        assert_eq!(desk.completed(&spec).await.size, 2, "{path}");
    }
}
