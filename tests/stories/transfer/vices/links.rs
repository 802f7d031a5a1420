//! Single-use links, and links that expire during a transfer.

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::FailureKind;

use super::lives::{LENGTH, Lives, alone, body, killed, patient};

const GONE: [u16; 5] = [400, 401, 403, 404, 410];

#[tokio::test]
async fn single_use_link_is_requested_only_once() {
    for status in GONE {
        let (origin, mut lives) = (Origin::start().await, Lives::new(patient()));
        let file = origin.file("/a.bin", body()).one_shot(status);
        let spec = lives.spec(origin.url("/a.bin"));
        lives.completed_with(&spec, &body()).await;
        assert_eq!(file.bytes_sent(), LENGTH, "nothing was wasted on a probe");
    }
}

#[tokio::test]
async fn interrupted_download_of_a_single_use_link_resumes_with_a_new_link() {
    for status in GONE {
        let mut story = killed(|file| file.one_shot(status)).await;
        for _ in 0..2 {
            story.fails(FailureKind::LinkExpired).await;
        }
        // The new link is another address of the same file.
        let signed = story.origin.file("/signed/b.bin", body());
        story.spec.url = story.origin.url("/signed/b.bin");
        let durable = story.durable;
        story.completes_with(&body()).await;
        assert!(signed.requests()[0].range_start().is_some_and(|from| from <= durable));
    }
}

#[tokio::test]
async fn all_bytes_are_kept_when_link_expires_during_transfer() {
    for status in GONE {
        let mut story = killed(|file| file).await;
        story.file = story.file.end_after(100_000).times(1).runs_out(status);
        story.fails(FailureKind::Truncated).await;
        let (failure, _) = story.lives.failed(&story.spec).await;
        assert_eq!((failure.kind, failure.status), (FailureKind::LinkExpired, Some(status)));
        assert!(!failure.is_transient(), "a later retry would not help");
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn sign_in_challenge_during_transfer_is_not_reported_as_link_expiry() {
    let mut story = killed(|file| file).await;
    story.file = story.file.header("WWW-Authenticate", "Basic realm=\"here\"").status(401);
    story.fails(FailureKind::BadStatus).await;
    story.resumes_and_completes().await;
}

#[tokio::test]
async fn link_that_never_worked_is_not_reported_as_expired() {
    for status in GONE {
        alone(|file| file.runs_out(status), Some(FailureKind::BadStatus)).await;
    }
}

#[tokio::test]
async fn bytes_of_another_file_behind_new_link_are_never_mixed_in() {
    let mut story = killed(|file| file.one_shot(403)).await;
    story.fails(FailureKind::LinkExpired).await;
    let other = Body::seeded(2, LENGTH);
    story.origin.file("/new.bin", other.clone()).no_validators();
    story.spec.url = story.origin.url("/new.bin");
    story.lives.completed_with(&story.spec, &other).await;
}
