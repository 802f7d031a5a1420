//! Oversized response heads, and redirects that loop or lead to forbidden schemes.

use ashore_testkit::origin::{Origin, Route};
use ashore_transfer::FailureKind;

use super::lives::{Lives, OVERLAP, alone, body, killed, patient};

type Vice = fn(Route) -> Route;

const ASTRAY: [(Vice, FailureKind); 5] = [
    (|file| file.large_head(), FailureKind::Protocol),
    (|file| file.redirect(302, "/a.bin"), FailureKind::TooManyRedirects),
    (|file| file.redirect(302, "ftp://127.0.0.1/a.bin"), FailureKind::RefusedRedirect),
    (|file| file.redirect(301, "file:///etc/passwd"), FailureKind::RefusedRedirect),
    (|file| file.redirect(307, "javascript:alert(1)"), FailureKind::RefusedRedirect),
];

#[tokio::test]
async fn bad_head_or_redirect_fails_with_a_clear_reason() {
    for (vice, kind) in ASTRAY {
        alone(vice, Some(kind)).await;
    }
}

#[tokio::test]
async fn bad_head_or_redirect_after_power_cut_loses_no_bytes() {
    for (vice, kind) in ASTRAY {
        let mut story = killed(|file| file).await;
        story.file = vice(story.file);
        story.fails(kind).await;
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn bytes_survive_kill_at_end_of_redirect_chain() {
    let mut story = killed(|file| file).await;
    let moved = story.origin.file("/moved.bin", body()).gate_answer();
    story.origin.redirect_chain("/hop", 8, "/moved.bin");
    story.file = story.file.redirect(302, "/hop");
    let durable = story.durable;
    for _ in 0..2 {
        story.lives.transfers.start(story.spec.clone());
        moved.held().await;
        story.lives.kill(patient()).await;
        moved.left().await;
        assert_eq!(story.lives.durable(), durable);
    }
    moved.release();
    story.completes_with(&body()).await;
    let from = moved.requests().last().unwrap().range_start().unwrap();
    assert!(from + OVERLAP >= durable, "from {from}, with {durable} here");
}

#[tokio::test]
async fn bytes_survive_kill_during_oversized_response_head() {
    let mut story = killed(|file| file).await;
    story.file = story.file.large_head();
    let asked = story.file.requests().len();
    story.lives.transfers.start(story.spec.clone());
    while story.file.requests().len() == asked {
        tokio::task::yield_now().await;
    }
    story.lives.kill(patient()).await;
    assert_eq!(story.lives.durable(), story.durable);
    story.fails(FailureKind::Protocol).await;
    story.resumes_and_completes().await;
}

#[tokio::test]
async fn redirect_loop_between_two_addresses_is_detected() {
    let (origin, mut lives) = (Origin::start().await, Lives::new(patient()));
    let there = origin.redirects("/there.bin", 302, "/a.bin");
    let mut story = killed(|file| file).await;
    let away = origin.url("/there.bin");
    story.file = story.file.redirect(302, away.as_str());
    let _back = there.honest().redirect(302, story.origin.url("/a.bin").as_str());
    story.fails(FailureKind::TooManyRedirects).await;
    story.resumes_and_completes().await;

    origin.redirects("/one", 302, "/two");
    origin.redirects("/two", 302, "/one");
    let spec = lives.spec(origin.url("/one"));
    let (failure, _) = lives.failed(&spec).await;
    assert_eq!(failure.kind, FailureKind::TooManyRedirects);
}

#[tokio::test]
async fn redirect_after_power_cut_is_followed_and_bytes_are_compared() {
    let mut story = killed(|file| file).await;
    let moved = story.origin.file("/moved.bin", body());
    story.file = story.file.redirect(301, "/moved.bin");
    let durable = story.durable;
    story.completes_with(&body()).await;
    assert_eq!(moved.requests().len(), 1);
    assert!(moved.requests()[0].range_start().unwrap() <= durable);
}
