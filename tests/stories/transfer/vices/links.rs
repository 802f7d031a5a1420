//! Links for one use, and links that run out while the file is on its way.

use ashore_tests::origin::{Body, Origin};
use ashore_transfer::FailureKind;

use super::lives::{LENGTH, Lives, alone, body, killed, patient};

const GONE: [u16; 5] = [400, 401, 403, 404, 410];

#[tokio::test]
async fn a_link_for_one_use_is_used_once_and_suffices() {
    for status in GONE {
        let (origin, mut lives) = (Origin::start().await, Lives::new(patient()));
        let file = origin.file("/a.bin", body()).one_shot(status);
        let spec = lives.spec(origin.url("/a.bin"));
        lives.completed_with(&spec, &body()).await;
        assert_eq!(file.bytes_sent(), LENGTH, "nothing was wasted on a probe");
    }
}

#[tokio::test]
async fn a_link_for_one_use_that_was_cut_keeps_its_bytes_for_a_new_link() {
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
async fn a_link_that_runs_out_in_mid_transfer_keeps_every_byte_and_asks_for_a_new_one() {
    for status in GONE {
        let mut story = killed(|file| file).await;
        story.file = story.file.end_after(100_000).times(1).runs_out(status);
        story.fails(FailureKind::Truncated).await;
        let (failure, _) = story.lives.failed(&story.spec).await;
        assert_eq!((failure.kind, failure.status), (FailureKind::LinkExpired, Some(status)));
        assert!(!failure.is_transient(), "waiting does not mend it");
        story.goes_on().await;
    }
}

#[tokio::test]
async fn who_asks_for_a_sign_in_in_mid_transfer_has_a_link_that_works_still() {
    let mut story = killed(|file| file).await;
    story.file = story.file.header("WWW-Authenticate", "Basic realm=\"here\"").status(401);
    story.fails(FailureKind::BadStatus).await;
    story.goes_on().await;
}

#[tokio::test]
async fn a_link_that_never_worked_has_not_run_out() {
    for status in GONE {
        alone(|file| file.runs_out(status), Some(FailureKind::BadStatus)).await;
    }
}

#[tokio::test]
async fn a_new_link_that_leads_to_another_file_is_not_joined_to_the_old_one() {
    let mut story = killed(|file| file.one_shot(403)).await;
    story.fails(FailureKind::LinkExpired).await;
    let other = Body::seeded(2, LENGTH);
    story.origin.file("/new.bin", other.clone()).no_validators();
    story.spec.url = story.origin.url("/new.bin");
    story.lives.completed_with(&story.spec, &other).await;
}
