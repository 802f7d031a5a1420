//! Other programs change a partial file during the download.
//!
//! - Damaged bytes are fetched again.
//! - A file that replaced the partial file stays unchanged.
//! - A file with wrong bytes never completes.

use std::{fs::OpenOptions, os::unix::fs::FileExt, path::PathBuf, time::Duration};

use ashore_testkit::origin::{Body, Origin, Route, content};
use ashore_transfer::{DigestAlgorithm, FailureKind, FileDigest, TransferConfig, TransferEvent, TransferOutcome, TransferSpec};
use sha2::{Digest as _, Sha256};

use crate::transfer::desk::{TransferBench, assert_kind, eager};

const MIB: u64 = 1 << 20;
const LENGTH: u64 = 12 * MIB;
/// Offset at which the server pauses.
const GATE: u64 = 7 * MIB + MIB / 2;
const OVERLAP: u64 = 64 << 10;

/// Transfer whose server has paused in the middle of the file. All earlier bytes are on disk.
struct Story {
    _origin: Origin,
    file: Route,
    desk: TransferBench,
    spec: TransferSpec,
    part: PathBuf,
}

async fn waiting(connections: usize, shape: impl FnOnce(&mut TransferSpec)) -> Story {
    let config = TransferConfig { connections, least_shared: MIB, ..eager() };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(config));
    let file = origin.file("/a.bin", Body::seeded(1, LENGTH)).gate_at(GATE);
    let mut spec = desk.spec(origin.url("/a.bin"));
    shape(&mut spec);
    desk.transfers.start(spec.clone());
    desk.head().await.1.send(()).unwrap();
    file.held().await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while desk.survey().first().is_none_or(|found| found.bytes < GATE) {
        assert!(tokio::time::Instant::now() < deadline, "the received bytes are durable in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let part = desk.survey()[0].part.clone();
    Story { _origin: origin, file, desk, spec, part }
}

impl Story {
    fn cut(&self, length: u64) {
        OpenOptions::new().write(true).open(&self.part).unwrap().set_len(length).unwrap();
    }

    fn edit(&self, at: u64) {
        edit(&self.part, at);
    }

    /// Replaces the partial file with another file of the same size, and returns the new content.
    fn replace(&self) -> Vec<u8> {
        let theirs = content(9, std::fs::metadata(&self.part).unwrap().len());
        std::fs::write(self.desk.path("theirs"), &theirs).unwrap();
        #[expect(clippy::disallowed_methods, reason = "the new file is meant to replace the partial file")]
        std::fs::rename(self.desk.path("theirs"), &self.part).unwrap();
        theirs
    }

    /// Lets the server continue, and checks that the transfer completes with the right bytes.
    async fn completes(&mut self) {
        self.file.release();
        let outcome = self.desk.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{outcome:?}");
        assert!(std::fs::read(self.desk.path("a.bin")).unwrap() == content(1, LENGTH), "the bytes are right");
        ashore_testkit::forget(&self.desk.transfers, self.spec.guid, self.desk.folder.path()).await;
    }

    /// Returns the first and last byte of each requested range.
    fn asked(&self) -> Vec<(u64, u64)> {
        self.file.requests().iter().filter_map(|asked| Some((asked.range_start()?, asked.range_end()?))).collect()
    }
}

fn edit(part: &PathBuf, at: u64) {
    let file = OpenOptions::new().read(true).write(true).open(part).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).unwrap();
    file.write_all_at(&[!byte[0]], at).unwrap();
}

fn sum(spec: &mut TransferSpec) {
    let bytes = Sha256::digest(content(1, LENGTH)).to_vec();
    spec.expected.digests = vec![FileDigest { algorithm: DigestAlgorithm::Sha256, bytes }];
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_is_fetched_again_if_truncated_during_write() {
    for connections in [1, 4] {
        for length in [0, MIB, 5 * MIB + 77] {
            for shape in [|_: &mut TransferSpec| {}, sum] {
                let mut story = waiting(connections, shape).await;
                story.cut(length);
                story.completes().await;
                assert_eq!(story.desk.names(), ["a.bin"], "{connections} {length}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_is_fetched_again_from_its_end_if_truncated_before_resume() {
    for (connections, has_strong_validator) in [(1, true), (1, false), (4, true)] {
        let config = TransferConfig { connections, least_shared: MIB, ..eager() };
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(config));
        let mut file = origin.file("/a.bin", Body::seeded(1, LENGTH)).gate_at(GATE);
        if !has_strong_validator {
            file = file.no_validators();
        }
        let spec = desk.spec(origin.url("/a.bin"));
        desk.stopped_at(&spec, GATE).await;
        let file = file.gate_answer();
        desk.transfers.start(spec.clone());
        file.held().await;
        let part = desk.survey()[0].part.clone();
        OpenOptions::new().write(true).open(&part).unwrap().set_len(MIB).unwrap();
        file.release();
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
        assert!(std::fs::read(desk.path("a.bin")).unwrap() == content(1, LENGTH), "the bytes are right");
        ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
        assert_eq!(desk.names(), ["a.bin"], "{connections} {has_strong_validator}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_block_is_refetched_if_byte_is_edited_during_write() {
    for connections in [1, 4] {
        // Test with and without an expected digest. The digest covers the received bytes, not the bytes on disk.
        for shape in [|_: &mut TransferSpec| {}, sum] {
            let mut story = waiting(connections, shape).await;
            story.edit(2 * MIB + 77);
            story.completes().await;
            assert_eq!(story.asked().last(), Some(&(2 * MIB - OVERLAP, 3 * MIB - 1)), "{connections}");
            assert_eq!(story.desk.names(), ["a.bin"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn edit_of_incomplete_block_is_detected() {
    let mut story = waiting(1, |_| {}).await;
    story.edit(GATE - 77);
    story.completes().await;
    assert_eq!(story.asked(), [(7 * MIB - OVERLAP, 8 * MIB - 1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_is_not_fetched_again_if_another_program_only_opens_it() {
    let mut story = waiting(1, |_| {}).await;
    drop(OpenOptions::new().append(true).open(&story.part).unwrap());
    std::fs::read(&story.part).unwrap();
    story.completes().await;
    assert_eq!(story.file.requests().len(), 1);
    assert_eq!(story.file.bytes_sent(), LENGTH);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_that_replaced_the_partial_file_stays_unchanged() {
    for connections in [1, 4] {
        let mut story = waiting(connections, |_| {}).await;
        let theirs = story.replace();
        story.completes().await;
        assert!(std::fs::read(&story.part).unwrap() == theirs, "{connections}");
        let name = story.part.file_name().unwrap().to_str().unwrap();
        assert_eq!(story.desk.names(), ["a.bin", name], "{connections}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn change_of_partial_file_is_detected_while_waiting_for_acknowledgement() {
    let meddling: [fn(&PathBuf); 4] = [
        |part| OpenOptions::new().write(true).open(part).unwrap().set_len(5 * MIB).unwrap(),
        |part| edit(part, LENGTH - 1),
        |part| std::fs::remove_file(part).unwrap(),
        |part| drop(OpenOptions::new().write(true).open(part).unwrap()),
    ];
    for meddle in meddling {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
        origin.file("/a.bin", Body::seeded(1, LENGTH));
        let spec = desk.spec(origin.url("/a.bin"));
        desk.transfers.start(spec.clone());
        let (_, stored) = desk.head().await;
        assert!(matches!(desk.event().await, TransferEvent::Fetched { .. }));
        meddle(&desk.survey()[0].part);
        stored.send(()).unwrap();
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
        assert!(std::fs::read(desk.path("a.bin")).unwrap() == content(1, LENGTH), "the bytes are right");
        ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
        assert_eq!(desk.names(), ["a.bin"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn download_fails_with_clear_reason_if_partial_file_is_repeatedly_deleted() {
    let mut story = waiting(1, |_| {}).await;
    std::fs::remove_file(&story.part).unwrap();
    story.file.release();
    story.file = story.file.gate_at(GATE);
    story.desk.head().await.1.send(()).unwrap();
    story.file.held().await;
    std::fs::remove_file(&story.part).unwrap();
    story.file.release();
    match story.desk.outcome().await {
        TransferOutcome::Failed { failure, bytes } => {
            assert_kind(&failure, FailureKind::PartialChanged);
            assert!(failure.is_transient(), "the other program may have stopped by then");
            assert_eq!(bytes, 0);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(story.desk.names(), [""; 0]);
    story.desk.completed_with(&story.spec, &Body::seeded(1, LENGTH)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_does_not_change_file_that_replaced_the_partial_file() {
    let mut story = waiting(1, |_| {}).await;
    let theirs = story.replace();
    story.desk.transfers.stop(story.spec.guid);
    assert_eq!(story.desk.outcome().await, TransferOutcome::Stopped { bytes: 0, sent: 0 });
    assert!(std::fs::read(&story.part).unwrap() == theirs);
    story.file.release();
    story.desk.completed_with(&story.spec, &Body::seeded(1, LENGTH)).await;
    ashore_testkit::forget(&story.desk.transfers, story.spec.guid, story.desk.folder.path()).await;
    assert!(std::fs::read(&story.part).unwrap() == theirs);
}
