//! Servers whose answers to range requests contain other bytes than requested.

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{DigestAlgorithm, FailureKind, FileDigest, TransferOutcome, TransferSpec};
use async_compression::tokio::bufread::GzipEncoder;
use sha2::{Digest as _, Sha256};

use super::{
    super::{
        desk::{assert_kind, eager},
        fresh::encoded,
    },
    lives::{LENGTH, Lives, OVERLAP, body, killed, patient},
    several::{GATE, begun, several},
};

type Vice = fn(Route) -> Route;

/// Server faults in the answers to range requests. The bytes must not be appended to the partial file.
const UNUSABLE: [Vice; 19] = [
    |file| file.shift_ranges(1),
    |file| file.shift_ranges(-1),
    |file| file.shift_ranges(100_000),
    |file| file.shift_ranges(-100_000),
    |file| file.misplace_ranges(1),
    |file| file.misplace_ranges(-1),
    |file| file.misplace_ranges(4096),
    |file| file.misplace_ranges(100_000),
    |file| file.unstated_ranges(),
    |file| file.claim_total("junk"),
    |file| file.claim_total("99"),
    |file| file.claim_total("2097153"),
    |file| file.encode_ranges("gzip"),
    |file| file.encode_ranges("br, identity"),
    |file| file.refuse_ranges(None),
    |file| file.refuse_ranges(Some("bytes */1000000")),
    |file| file.refuse_ranges(Some("junk")),
    |file| file.ignore_ranges(),
    |file| file.shorten_ranges(OVERLAP),
];

/// Starts a fresh download with several connections, because a single connection requests no ranges. The server pauses
/// the first connection until another connection has sent a request.
async fn begin_with_several_connections(vice: Vice) -> (Origin, Route, Lives, TransferSpec) {
    let (origin, mut lives) = (Origin::start().await, Lives::new(several(eager())));
    let file = vice(origin.file("/a.bin", body())).gate_at(GATE);
    let spec = lives.spec(origin.url("/a.bin"));
    begun(&mut lives, &spec, &file).await;
    (origin, file, lives, spec)
}

async fn is_right_and_alone(lives: &mut Lives, spec: &TransferSpec) {
    lives.completed_with(spec, &body()).await;
    ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
    assert_eq!(lives.names(), ["a.bin"]);
}

#[tokio::test]
async fn fresh_file_completes_correctly_despite_unusable_ranges() {
    for (number, vice) in UNUSABLE.into_iter().enumerate() {
        let (_origin, file, mut lives, spec) = begin_with_several_connections(vice).await;
        file.release();
        let outcome = lives.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{number}: {outcome:?}");
        is_right_and_alone(&mut lives, &spec).await;
    }
}

#[tokio::test]
async fn fresh_file_with_unusable_ranges_survives_kills() {
    for (number, vice) in UNUSABLE.into_iter().enumerate() {
        let (_origin, file, mut lives, spec) = begin_with_several_connections(vice).await;
        // Restart twice while the server still misbehaves.
        for _ in 0..2 {
            lives.kill(several(patient())).await;
            file.left().await;
            lives.transfers.start(spec.clone());
            file.held().await;
        }
        lives.kill(several(patient())).await;
        file.release();
        match lives.run(&spec).await {
            TransferOutcome::Completed(_) => {}
            // The failure is reported, and the bytes are kept until the server behaves correctly.
            TransferOutcome::Failed { bytes, .. } => {
                assert_eq!(bytes, lives.durable(), "{number}");
                let _honest = file.honest();
            }
            outcome @ TransferOutcome::Stopped { .. } => panic!("{number}: {outcome:?}"),
        }
        is_right_and_alone(&mut lives, &spec).await;
    }
}

#[tokio::test]
async fn bytes_of_unusable_range_answer_are_never_appended_after_power_cut() {
    for vice in UNUSABLE {
        let mut story = killed(|file| file).await;
        story.file = vice(story.file);
        story.completes_with(&body()).await;
    }
}

#[tokio::test]
async fn bytes_of_unusable_range_answer_are_never_appended_without_validators() {
    for vice in UNUSABLE {
        let mut story = killed(|file| file.no_validators()).await;
        story.file = vice(story.file);
        story.completes_with(&body()).await;
    }
}

#[tokio::test]
async fn file_is_correct_after_kill_during_restart_from_zero() {
    for vice in [UNUSABLE[0], UNUSABLE[4], UNUSABLE[14], UNUSABLE[17]] {
        let mut story = killed(|file| file).await;
        story.file = vice(story.file).gate_at(500_000);
        story.kill_during_restart().await;
        story.file.release();
        story.completes_with(&body()).await;
    }
}

#[tokio::test]
async fn old_partial_file_is_kept_until_encoded_file_is_finished() {
    let mut story = killed(|file| file).await;
    let packed = encoded(GzipEncoder::new(&body().slice(0, LENGTH)[..])).await;
    story.file = story.file.content(Body::bytes(packed)).header("Content-Encoding", "gzip").ignore_ranges().gate_at(500_000);
    for _ in 0..2 {
        story.kill_during_restart().await;
    }
    story.file.release();
    story.completes_with(&body()).await;
}

#[tokio::test]
async fn new_file_with_wrong_digest_leaves_old_partial_file_intact() {
    let mut story = killed(|file| file).await;
    story
        .spec
        .expected
        .digests
        .push(FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: Sha256::digest(body().slice(0, LENGTH)).to_vec() });
    story.file = story.file.content(Body::seeded(2, LENGTH));
    let (failure, bytes) = story.lives.failed(&story.spec).await;
    assert_kind(&failure, FailureKind::DigestMismatch);
    assert_eq!(bytes, 0);
    story.keeps_the_first_version();
    story.file = story.file.content(body());
    story.completes_with(&body()).await;
}

#[tokio::test]
async fn temporary_range_error_causes_no_loss_of_bytes() {
    for status in [500, 503] {
        let mut story = killed(|file| file).await;
        story.file = story.file.status(status).times(1);
        story.completes_with(&body()).await;
    }
}

#[tokio::test]
async fn resume_completes_if_response_416_states_length_of_partial_file() {
    let mut story = killed(|file| file.chunked().no_validators()).await;
    let range = format!("bytes */{}", story.durable);
    story.file = story.file.refuse_ranges(Some(&range));
    // The length is unknown, so the server's 416 means that the bytes on disk are the whole file.
    let completed = story.lives.completed(&story.spec).await;
    assert!(completed.size == story.durable && completed.size < LENGTH);
}
