//! Files that change on the server. Their validators change too, stay the same, or are absent.

use ashore_testkit::origin::{Body, Route};
use ashore_transfer::{FailureKind, Verification};

use super::lives::{LENGTH, alone, body, killed};

type Shape = fn(Route) -> Route;

const VALIDATORS: [Shape; 5] = [
    |file| file,
    |file| file.weak_etag(),
    |file| file.no_etag(),
    |file| file.no_validators(),
    |file| file.no_validators().chunked(),
];

#[tokio::test]
async fn weak_or_missing_validators_do_not_prevent_resume() {
    for shape in VALIDATORS {
        alone(shape, None).await;
        let story = killed(shape).await;
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn versions_of_silently_changed_file_are_never_mixed() {
    for shape in VALIDATORS {
        let lengths = [LENGTH, LENGTH - 1, LENGTH + 1, 2 * LENGTH, 1000, 0];
        let is_strong = std::ptr::fn_addr_eq(shape, VALIDATORS[0]);
        for length in lengths.into_iter().take(if is_strong { 1 } else { lengths.len() }) {
            let mut story = killed(shape).await;
            let new = Body::seeded(2, length);
            story.file = story.file.content_with_same_validators(new.clone());
            story.completes_with(&new).await;
        }
    }
    // A different length under the same strong validator is a contradiction.
    for length in [LENGTH - 1, LENGTH + 1, 2 * LENGTH, 1000, 0] {
        let mut story = killed(|file| file).await;
        story.file = story.file.content_with_same_validators(Body::seeded(2, length));
        story.fails(FailureKind::UntrueLength).await;
    }
}

#[tokio::test]
async fn length_that_contradicts_partial_file_is_accepted_if_server_repeats_it() {
    for length in [LENGTH - 1, LENGTH + 1, 2 * LENGTH, 1000, 0] {
        let mut story = killed(|file| file).await;
        let new = Body::seeded(2, length);
        story.file = story.file.content_with_same_validators(new.clone());
        let (first, _) = story.lives.failed(&story.spec).await;
        assert_eq!(first.kind, FailureKind::UntrueLength, "{length}");
        let completed = story.lives.completed_with(&story.spec, &new).await;
        assert_eq!(completed.verified, Verification::SizeUnknown, "{length}: a server with a wrong validator proves no length");
    }
    // A third length contradicts the second.
    let mut story = killed(|file| file).await;
    for length in [LENGTH - 1, LENGTH + 1, LENGTH - 1] {
        story.file = story.file.content_with_same_validators(Body::seeded(2, length));
        let (failure, _) = story.lives.failed(&story.spec).await;
        assert_eq!(failure.kind, FailureKind::UntrueLength, "{length}");
    }
}

#[tokio::test]
async fn download_restarts_if_validators_announce_change() {
    for shape in VALIDATORS {
        let mut story = killed(shape).await;
        let new = Body::seeded(2, LENGTH);
        story.file = story.file.content(new.clone());
        story.completes_with(&new).await;
    }
}

#[tokio::test]
async fn change_near_end_of_partial_file_is_detected_by_overlap() {
    let old = body().slice(0, LENGTH);
    let other = Body::seeded(2, LENGTH).slice(0, LENGTH);
    // The old and new content differ only shortly before the end of the partial file.
    for before in [1, 60_000] {
        let mut story = killed(|file| file.no_validators()).await;
        let at = (story.durable as usize).saturating_sub(before);
        let new = Body::bytes([&old[..at], &other[at..]].concat());
        story.file = story.file.content_with_same_validators(new.clone());
        let completed = story.lives.completed_with(&story.spec, &new).await;
        assert_eq!(completed.verified, Verification::No, "the file was restarted");
    }
}

#[tokio::test]
async fn file_with_changing_etag_completes_with_right_bytes() {
    alone(|file| file.fickle_etag(), None).await;
    let mut story = killed(|file| file).await;
    story.file = story.file.fickle_etag();
    story.completes_with(&body()).await;
}

#[tokio::test]
async fn power_cut_between_two_changes_never_mixes_versions() {
    let mut story = killed(|file| file).await;
    for seed in 2..5 {
        let new = Body::seeded(seed, LENGTH);
        // When the restarted download is killed, it has received fewer bytes than the partial file of the first version
        // contains. So the partial file of the first version is kept.
        story.file = story.file.content(new.clone()).gate_at(120_000);
        story.kill_during_restart().await;
        story.file.release();
    }
    story.completes_with(&Body::seeded(4, LENGTH)).await;
}
