//! Tests redirects. Ashore follows them according to its own rules and records every hop.

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::FailureKind;

use crate::transfer::desk::{TransferBench, assert_kind};

#[tokio::test]
async fn ten_redirects_are_followed_and_the_eleventh_is_not() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(1, 1000);
    origin.file("/end.bin", body.clone());
    origin.redirect_chain("/ten", 10, "/end.bin");
    origin.redirect_chain("/eleven", 11, "/end.bin");
    origin.redirects("/loop", 302, "/loop");
    let spec = desk.spec(origin.url("/ten"));
    let completed = desk.completed_with(&spec, &body).await;
    assert_eq!(completed.path, Some(desk.path("end.bin")), "the address that answered names the file");
    assert_eq!(desk.heads[0].url_chain.len(), 11);
    assert_eq!(desk.heads[0].url_chain[0], origin.url("/ten").to_string());
    assert_eq!(desk.heads[0].url_chain[10], origin.url("/end.bin").to_string());
    for path in ["/eleven", "/loop"] {
        let spec = desk.spec(origin.url(path));
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::TooManyRedirects);
        assert!(!failure.is_transient());
    }
}

#[tokio::test]
async fn headers_of_caller_are_not_sent_to_other_origins() {
    let (home, away, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::new());
    let body = Body::seeded(1, 1000);
    let back = home.file("/back", body.clone());
    home.redirects("/here", 307, "/there");
    let there = home.redirects("/there", 302, away.url("/away").as_str());
    let far = away.redirects("/away", 302, home.url("/back").as_str());
    let mut spec = desk.spec(home.url("/here"));
    let headers = [("Authorization", "Bearer secret"), ("X-Mine", "secret"), ("Cookie", "id=secret"), ("Range", "bytes=1-")];
    spec.headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    desk.completed_with(&spec, &body).await;
    let at = there.requests();
    assert_eq!((at[0].header("authorization"), at[0].header("x-mine")), (Some("Bearer secret"), Some("secret")));
    assert_eq!(at[0].header("range"), None, "ranges are ours to ask for");
    for request in far.requests().iter().chain(&back.requests()) {
        assert!(!format!("{request:?}").contains("secret"), "{request:?}");
    }
}

#[tokio::test]
async fn redirect_to_unsupported_scheme_is_refused() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    for (path, location) in [("/file", "file:///etc/passwd"), ("/ftp", "ftp://127.0.0.1/a"), ("/junk", "http://[bad")] {
        origin.redirects(path, 302, location);
        let spec = desk.spec(origin.url(path));
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::RefusedRedirect);
        assert!(!failure.is_transient());
    }
    assert_eq!(desk.names(), [""; 0]);
}
