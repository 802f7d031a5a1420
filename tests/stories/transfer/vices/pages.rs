//! Servers that send a login page instead of a file.

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::{FailureKind, TransferOutcome};

use super::{
    super::desk::{TransferBench, assert_kind},
    lives::{alone, body, killed, patient},
    several::{GATE, begun, several},
};

const PAGE: &str = "<!doctype html><title>Sign in</title>";

#[tokio::test]
async fn web_page_instead_of_file_never_completes() {
    alone(|file| file.login_page(), Some(FailureKind::WebPage)).await;
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let page = || Body::bytes(PAGE);
    origin.file("/login", page()).header("Content-Type", "text/html");
    origin.redirects("/a.iso", 302, "/login");
    origin.file("/b.pdf", page()).header("Content-Type", "text/html; charset=utf-8").chunked();
    origin.file("/c.tar.gz", page()).header("Content-Type", "application/xhtml+xml").no_validators();
    for path in ["/a.iso", "/b.pdf", "/c.tar.gz"] {
        let spec = desk.spec(origin.url(path));
        let (failure, bytes) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::WebPage);
        assert!(!failure.is_transient() && bytes == 0);
    }
    let mut spec = desk.spec(origin.url("/login"));
    spec.expected.size = Some(700 << 20);
    assert_kind(&desk.failed(&spec).await.0, FailureKind::WebPage);
    assert_eq!(desk.names(), [""; 0], "nothing of it is kept");
    assert!(desk.heads.is_empty(), "no head is emitted");
}

#[tokio::test]
async fn all_bytes_are_kept_when_server_signs_user_out() {
    let mut story = killed(|file| file).await;
    story.file = story.file.login_page();
    for _ in 0..2 {
        story.fails(FailureKind::WebPage).await;
    }
    story.origin.file("/signin", Body::bytes(PAGE)).header("Content-Type", "text/html");
    story.file = story.file.honest().redirect(303, "/signin");
    story.fails(FailureKind::WebPage).await;
    story.resumes_and_completes().await;
}

#[tokio::test]
async fn web_page_as_range_answer_does_not_disable_ranges() {
    let mut story = killed(|file| file).await;
    story.lives.kill(several(patient())).await;
    story.file = story.file.login_page();
    story.fails(FailureKind::WebPage).await;
    // The next file of this server is still fetched over several connections.
    let other = story.origin.file("/b.bin", body()).gate_at(GATE);
    let spec = story.lives.spec(story.origin.url("/b.bin"));
    begun(&mut story.lives, &spec, &other).await;
    other.release();
    assert!(matches!(story.lives.outcome().await, TransferOutcome::Completed(_)));
}

#[tokio::test]
async fn requested_web_page_is_an_ordinary_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let html = "text/html; charset=utf-8";
    for path in ["/index.html", "/", "/article", "/wiki/Node.js", "/download.php"] {
        origin.file(path, Body::bytes(PAGE)).header("Content-Type", html);
        let spec = desk.spec(origin.url(path));
        desk.completed_with(&spec, &Body::bytes(PAGE)).await;
    }
    // Files that the server labels as HTML.
    origin.file("/named.zip", body()).header("Content-Type", html).header("Content-Disposition", "attachment; filename=n.zip");
    origin.file("/large.iso", Body::seeded(3, 5 << 20)).header("Content-Type", html);
    for (path, content) in [("/named.zip", body()), ("/large.iso", Body::seeded(3, 5 << 20))] {
        let spec = desk.spec(origin.url(path));
        desk.completed_with(&spec, &content).await;
    }
    // The link looks like an image, but the caller expects a page and the server sends one.
    origin.file("/photo.jpg", Body::bytes(PAGE)).header("Content-Type", html);
    let mut spec = desk.spec(origin.url("/photo.jpg"));
    spec.name = Some("photo.html".to_owned());
    desk.completed_with(&spec, &Body::bytes(PAGE)).await;
}

#[tokio::test]
async fn upload_answer_may_be_a_web_page() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/take.zip", Body::bytes(PAGE)).header("Content-Type", "text/html");
    let mut spec = desk.spec(origin.url("/take.zip"));
    spec.method = http::Method::POST;
    desk.completed_with(&spec, &Body::bytes(PAGE)).await;
}
