//! Bodies that abort, stall, arrive too slowly, or differ from their declared length.

use std::time::Duration;

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{FailureKind, TransferOutcome};

use super::{
    super::desk::TransferBench,
    lives::{LENGTH, Lives, OVERLAP, alone, body, killed, patient},
};

const SOME: u64 = 300_000;
/// Pause between two bytes. The resulting rate is below the minimum of 1 KiB per second.
const DRIP: Duration = Duration::from_millis(20);

type Vice = fn(Route) -> Route;

/// Each server fault, with the kind of failure that it causes.
const CUT: [(Vice, FailureKind); 6] = [
    (|file| file.reset_after(SOME), FailureKind::Reset),
    (|file| file.stall_after(SOME), FailureKind::Timeout),
    (|file| file.one_byte_every(DRIP), FailureKind::Timeout),
    (|file| file.end_after(SOME), FailureKind::Truncated),
    (|file| file.close_before_head(), FailureKind::Reset),
    (|file| file.hang(), FailureKind::Timeout),
];

#[tokio::test]
async fn interrupted_body_never_completes_and_resumes_later() {
    for (vice, kind) in CUT {
        alone(vice, Some(kind)).await;
    }
    alone(|file| file.truncated_chunks(SOME), Some(FailureKind::Truncated)).await;
    alone(|file| file.truncated_chunks(LENGTH), Some(FailureKind::Truncated)).await;
    alone(|file| file.misstate_length(1), Some(FailureKind::Truncated)).await;
}

#[tokio::test]
async fn bytes_are_kept_when_body_is_interrupted_after_power_cut() {
    for (vice, kind) in CUT {
        let mut story = killed(|file| file).await;
        story.file = vice(story.file);
        story.fails(kind).await;
        story.resumes_and_completes().await;
    }
    let mut story = killed(|file| file.chunked()).await;
    story.file = story.file.truncated_chunks(SOME);
    story.fails(FailureKind::Truncated).await;
    story.resumes_and_completes().await;
}

#[tokio::test]
async fn download_does_not_restart_if_range_answer_is_cut_inside_the_overlap() {
    let shapes: [Vice; 3] = [|file| file.until_close(), |file| file.http10(), |file| file.http10().no_validators()];
    for shape in shapes {
        let mut story = killed(shape).await;
        story.file = story.file.end_after(OVERLAP / 2);
        story.fails(FailureKind::Truncated).await;
        story.resumes_and_completes().await;
    }
}

#[tokio::test]
async fn durable_bytes_survive_power_cut_during_stall_or_slow_body() {
    let shapes: [Vice; 2] = [|file| file.stall_after(SOME), |file| file.trickle(100_000, Duration::from_millis(30))];
    for shape in shapes {
        let (origin, mut lives) = (Origin::start().await, Lives::new(patient()));
        let file = shape(origin.file("/a.bin", body()));
        let spec = lives.spec(origin.url("/a.bin"));
        lives.begin(&spec, SOME / 2).await;
        lives.kill(patient()).await;
        let durable = lives.durable();
        assert!(durable > 0);
        let _honest = file.clone().honest();
        lives.completed_with(&spec, &body()).await;
        assert!(file.requests()[1..].iter().all(|request| request.range_start().is_some()));
    }
}

#[tokio::test]
async fn single_range_answer_with_wrong_length_does_not_fail_download() {
    for by in [1, 1000, -1, -1000] {
        let mut story = killed(|file| file).await;
        story.file = story.file.misstate_length(by).times(1);
        story.completes_with(&body()).await;
    }
}

#[tokio::test]
async fn file_completes_after_server_corrects_wrong_length() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let route = origin.file("/a.bin", body()).misstate_length(1 << 20);
    let spec = desk.spec(origin.url("/a.bin"));
    let mut kinds = Vec::new();
    while kinds.last() != Some(&FailureKind::UntrueLength) {
        assert!(kinds.len() < 5, "{kinds:?}");
        kinds.push(desk.failed(&spec).await.0.kind);
    }
    let _honest = route.honest();
    desk.completed_with(&spec, &body()).await;
}

#[tokio::test]
async fn bytes_after_declared_end_are_not_stored() {
    let (origin, mut lives) = (Origin::start().await, Lives::new(patient()));
    origin.file("/a.bin", body()).misstate_length(-1000);
    let spec = lives.spec(origin.url("/a.bin"));
    lives.completed_with(&spec, &Body::seeded(1, LENGTH - 1000)).await;
}

#[tokio::test]
async fn download_survives_repeated_resets_and_power_cuts() {
    let mut story = killed(|file| file).await;
    story.file = story.file.end_after(150_000);
    let mut tries = 0;
    while story.durable < LENGTH {
        tries += 1;
        assert!(tries < 40, "each try leads on");
        story.lives.kill(patient()).await;
        match story.lives.run(&story.spec).await {
            TransferOutcome::Completed(_) => break,
            TransferOutcome::Failed { bytes, .. } => {
                assert!(bytes > story.durable, "{bytes} after {}", story.durable);
                story.durable = bytes;
            }
            other => panic!("{other:?}"),
        }
    }
    story.completes_with(&body()).await;
}
