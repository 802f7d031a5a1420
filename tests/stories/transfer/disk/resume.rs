//! Resuming after an interruption: the bytes are correct, even if the file on the server has changed.

use ashore_testkit::origin::{Body, Origin, Request, Route, content};
use ashore_transfer::{CompletedTransfer, DigestAlgorithm, FailureKind, FileDigest, TransferOutcome, TransferSpec, Verification};
use sha2::{Digest as _, Sha256};

use crate::transfer::desk::{TransferBench, assert_kind, eager};

const LENGTH: u64 = 2 << 20;
const STOP: u64 = 1_000_000;
const OVERLAP: u64 = 64 << 10;
/// Number of bytes that each comparison with the server covers.
const COMPARED: u64 = 16 << 10;
/// Size of a block with its own checksum, in bytes.
const BLOCK: u64 = 1 << 20;

/// Transfer that was stopped with exactly `STOP` durable bytes. After the stop, the transfers were restarted.
struct Interrupted {
    origin: Origin,
    file: Route,
    desk: TransferBench,
    spec: TransferSpec,
}

async fn interrupted(shape: impl FnOnce(Route) -> Route) -> Interrupted {
    interrupted_at(STOP, shape).await
}

async fn interrupted_at(stop: u64, shape: impl FnOnce(Route) -> Route) -> Interrupted {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = shape(origin.file("/a.bin", Body::seeded(1, LENGTH))).gate_at(stop);
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.stopped_at(&spec, stop).await, stop);
    // After all bytes have been sent, the connection has no reason to close.
    if stop < LENGTH {
        file.left().await;
    }
    file.release();
    assert_eq!(desk.survey().len(), 1);
    assert_eq!((desk.survey()[0].bytes, desk.survey()[0].guid), (stop, Some(spec.guid)));
    desk.restart(eager());
    Interrupted { origin, file, desk, spec }
}

impl Interrupted {
    /// Checks that the transfer completes with `content` after requests that start at these offsets.
    ///
    /// `None` means a request without a range.
    async fn completes(&mut self, content: &Body, asked: &[Option<u64>]) -> CompletedTransfer {
        let completed = self.desk.completed_with(&self.spec, content).await;
        // Ignore comparison requests, which the client sends if there is no strong validator.
        let is_compared = |request: &Request| match (request.range_start(), request.range_end()) {
            (Some(first), Some(last)) => last - first < COMPARED,
            _ => false,
        };
        // Ignore the HEAD request that the client sends to find out the size if no response has stated it.
        let requests = self.file.requests().into_iter().skip(1);
        let requests = requests.filter(|request| request.method == "GET" && !is_compared(request));
        let ranges: Vec<_> = requests.map(|request| request.range_start()).collect();
        assert_eq!(ranges, asked);
        assert!(self.file.requests().iter().all(|request| request.header("if-range").is_none()));
        ashore_testkit::forget(&self.desk.transfers, self.spec.guid, self.desk.folder.path()).await;
        assert_eq!(self.desk.names(), ["a.bin"]);
        completed
    }
}

const RESUME: Option<u64> = Some(STOP - OVERLAP);

#[tokio::test]
async fn received_bytes_exclude_those_of_the_partial_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = origin.file("/a.bin", Body::seeded(1, LENGTH)).gate_at(STOP);
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.stopped_at(&spec, STOP).await, STOP);
    desk.restart(eager());
    desk.transfers.start(spec.clone());
    // The gate holds the second answer too, so that no new byte arrives.
    desk.reach(&spec, STOP).await;
    let progress = desk.progress(&spec).unwrap();
    assert_eq!((progress.downloaded, progress.received), (STOP, 0));
    file.release();
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
}

#[tokio::test]
async fn resume_continues_from_any_offset() {
    for stop in [1, OVERLAP - 1, OVERLAP, OVERLAP + 1, STOP, LENGTH - 1] {
        let mut story = interrupted_at(stop, |file| file).await;
        let body = Body::seeded(1, LENGTH);
        let completed = story.completes(&body, &[Some(stop.saturating_sub(OVERLAP))]).await;
        assert_eq!(completed.verified, Verification::OnResume);
        assert_eq!(story.file.bytes_sent(), LENGTH + stop.min(OVERLAP), "only the overlap was sent twice");
        assert_eq!((story.desk.heads.len(), story.desk.heads[0].status), (1, 200), "the first head is emitted again");
    }
}

#[tokio::test]
async fn complete_partial_file_is_finished_without_another_request() {
    let mut story = interrupted_at(LENGTH, |file| file).await;
    story.completes(&Body::seeded(1, LENGTH), &[]).await;
}

#[tokio::test]
async fn resume_without_validators_compares_bytes_and_stays_unverified() {
    type Shape = fn(Route) -> Route;
    let dateless = |file: Route| file.no_validators().etag("W/\"weak\"");
    let shapes: [(Shape, Verification); 4] = [
        (Route::no_validators, Verification::No),
        (dateless, Verification::No),
        (Route::weak_etag, Verification::No),
        (Route::no_etag, Verification::No),
    ];
    for (shape, verified) in shapes {
        let mut story = interrupted(shape).await;
        let completed = story.completes(&Body::seeded(1, LENGTH), &[RESUME]).await;
        assert_eq!(completed.verified, verified);
    }
}

#[tokio::test]
async fn range_answer_without_total_is_appended_only_under_strong_validator() {
    let mut strong = interrupted(|file| file.claim_total("*")).await;
    strong.completes(&Body::seeded(1, LENGTH), &[RESUME]).await;
    for shape in [Route::no_validators, Route::weak_etag, Route::no_etag] {
        let mut story = interrupted(shape).await;
        story.file = story.file.claim_total("*");
        let completed = story.completes(&Body::seeded(1, LENGTH), &[RESUME, None]).await;
        assert_eq!(completed.verified, Verification::No);
    }
}

#[tokio::test]
async fn digest_covers_bytes_of_both_runs() {
    let mut story = interrupted(|file| file).await;
    let sum = Sha256::digest(content(1, LENGTH)).to_vec();
    story.spec.expected.digests = vec![FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: sum }];
    let completed = story.completes(&Body::seeded(1, LENGTH), &[RESUME]).await;
    assert_eq!(completed.verified, Verification::ByDigest);
}

#[tokio::test]
async fn download_of_changed_file_restarts_and_mixes_no_versions() {
    let new = Body::seeded(2, LENGTH);
    let changes: [fn(Route, Body) -> Route; 4] = [
        |file, new| file.content(new),
        |file, new| file.content_with_same_validators(new).no_etag().last_modified("Thu, 22 Oct 2015 07:28:00 GMT"),
        |file, new| file.content_with_same_validators(new).no_validators(),
        |file, new| file.content_with_same_validators(new),
    ];
    for change in changes {
        let mut story = interrupted(|file| file).await;
        story.file = change(story.file, new.clone());
        let completed = story.completes(&new, &[RESUME, None]).await;
        assert_eq!(completed.verified, Verification::No);
        assert_eq!(story.desk.heads.len(), 2, "the new head is emitted");
    }
    // Try lengths above and below that of the partial file, with and without validators.
    for length in [LENGTH + 1, STOP + 1, STOP, STOP - 1, 10, 0] {
        let new = Body::seeded(2, length);
        let mut story = interrupted(Route::no_validators).await;
        story.file = story.file.content_with_same_validators(new.clone());
        let completed = story.completes(&new, &[RESUME, None]).await;
        assert_eq!(completed.verified, Verification::SizeUnknown, "nothing shows that the file has changed");
        let mut story = interrupted(|file| file).await;
        story.file = story.file.content_with_same_validators(new.clone());
        let (failure, bytes) = story.desk.failed(&story.spec).await;
        assert_kind(&failure, FailureKind::UntrueLength);
        assert_eq!(bytes, STOP);
    }
}

#[tokio::test]
async fn download_with_unusable_ranges_falls_back_to_one_connection() {
    let vices: [fn(Route) -> Route; 11] = [
        |file| file.shift_ranges(1),
        |file| file.shift_ranges(-1),
        |file| file.shift_ranges(100_000),
        |file| file.unstated_ranges(),
        |file| file.claim_total("junk"),
        |file| file.claim_total("99"),
        |file| file.claim_total(&(LENGTH + 1).to_string()),
        |file| file.encode_ranges("gzip"),
        |file| file.refuse_ranges(None),
        |file| file.refuse_ranges(Some("bytes */1000000")),
        |file| file.shorten_ranges(OVERLAP),
    ];
    for vice in vices {
        let mut story = interrupted(|file| file).await;
        story.file = vice(story.file);
        story.completes(&Body::seeded(1, LENGTH), &[RESUME, None]).await;
    }
}

#[tokio::test]
async fn range_answer_with_unexpected_start_or_etag_or_length_is_never_appended() {
    let vices: [fn(Route) -> Route; 3] =
        [|file| file.shift_ranges(1), |file| file.etag("\"other\""), |file| file.claim_total("2097153")];
    for vice in vices {
        let mut story = interrupted(|file| file).await;
        story.file = vice(story.file);
        let completed = story.completes(&Body::seeded(1, LENGTH), &[RESUME, None]).await;
        assert_eq!(completed.verified, Verification::No);
    }
}

#[tokio::test]
async fn byte_count_falls_if_download_restarts_after_status_200_for_range() {
    let mut story = interrupted(|file| file).await;
    let at = 300_000;
    story.file = story.file.ignore_ranges().gate_at(at);
    story.desk.transfers.start(story.spec.clone());
    story.file.held().await;
    let (first, stored) = story.desk.head().await;
    stored.send(()).unwrap();
    let (again, stored) = story.desk.head().await;
    stored.send(()).unwrap();
    assert_eq!(first, again);
    story.desk.reach(&story.spec, at).await;
    assert_eq!(story.desk.progress(&story.spec).unwrap().downloaded, at, "it was more before");
    assert!(story.desk.names().iter().any(|name| name.ends_with(".part.old")), "the old bytes are kept for now");
    story.file.release();
    assert!(matches!(story.desk.outcome().await, TransferOutcome::Completed(_)));
    ashore_testkit::forget(&story.desk.transfers, story.spec.guid, story.desk.folder.path()).await;
    assert_eq!(story.desk.names(), ["a.bin"]);
    assert_eq!(std::fs::read(story.desk.path("a.bin")).unwrap(), content(1, LENGTH));
}

#[tokio::test]
async fn file_of_unknown_length_resumes_and_is_complete_on_416_at_end() {
    for vice in [|file: Route| file, |file: Route| file.refuse_ranges(Some("bytes */2097152"))] {
        let mut story = interrupted_at(LENGTH, Route::chunked).await;
        story.file = vice(story.file);
        story.completes(&Body::seeded(1, LENGTH), &[Some(LENGTH - OVERLAP)]).await;
    }
    for shape in [Route::chunked, Route::until_close, Route::http10] {
        let mut story = interrupted(shape).await;
        story.completes(&Body::seeded(1, LENGTH), &[RESUME]).await;
    }
    let mut story = interrupted(|file| file.chunked()).await;
    story.file = story.file.claim_total("*");
    let completed = story.completes(&Body::seeded(1, LENGTH), &[RESUME, Some(LENGTH - OVERLAP)]).await;
    assert_eq!(completed.verified, Verification::SizeUnknown, "no response stated the length");
}

#[tokio::test]
async fn rest_of_range_is_requested_if_range_answer_is_shorter_than_requested() {
    let mut story = interrupted(|file| file).await;
    let part = 400_000;
    story.file = story.file.shorten_ranges(part);
    let gain = part - OVERLAP;
    let held = (0..).map(|turn| STOP + turn * gain).take_while(|held| *held < LENGTH);
    let asked: Vec<_> = held.map(|held| Some(held - OVERLAP)).collect();
    assert!(asked.len() > 2);
    let completed = story.completes(&Body::seeded(1, LENGTH), &asked).await;
    assert_eq!(completed.verified, Verification::OnResume);
}

#[tokio::test]
async fn connection_reset_during_resume_loses_no_bytes() {
    let mut story = interrupted(|file| file).await;
    story.file = story.file.end_after(OVERLAP + 100_000).times(1);
    let (failure, bytes) = story.desk.failed(&story.spec).await;
    assert_kind(&failure, FailureKind::Truncated);
    assert_eq!(bytes, STOP + 100_000);
    story.completes(&Body::seeded(1, LENGTH), &[RESUME, Some(bytes - OVERLAP)]).await;
}

#[tokio::test]
async fn partial_file_is_kept_when_server_refuses_resume() {
    let mut story = interrupted(|file| file).await;
    story.file = story.file.status_until(503, "3").times(1);
    let (failure, bytes) = story.desk.failed(&story.spec).await;
    assert_kind(&failure, FailureKind::BadStatus);
    assert_eq!(bytes, STOP);
    story.completes(&Body::seeded(1, LENGTH), &[RESUME, RESUME]).await;
    // After a 503 without `Retry-After`, a plain request checks whether the server serves the file. Then a range
    // request follows.
    let mut story = interrupted(|file| file).await;
    story.file = story.file.status(503).times(1);
    story.completes(&Body::seeded(1, LENGTH), &[RESUME, None, RESUME]).await;
}

#[tokio::test]
async fn download_of_file_that_keeps_changing_fails() {
    let mut story = interrupted(|file| file).await;
    for turn in 1..=3 {
        story.file = story.file.etag(&format!("\"turn {turn}\"")).gate_at(STOP);
        story.desk.transfers.start(story.spec.clone());
        story.file.held().await;
        // The server pauses the new file's body. The stored response head of the old file is reported first, and then
        // the response head of the new file.
        for _ in 0..2 {
            story.desk.head().await.1.send(()).unwrap();
        }
        story.desk.reach(&story.spec, STOP).await;
        story.desk.transfers.stop(story.spec.guid);
        assert_eq!(story.desk.outcome().await, TransferOutcome::Stopped { bytes: STOP, sent: 0 });
        story.file.release();
    }
    story.file = story.file.etag("\"once more\"");
    let (failure, bytes) = story.desk.failed(&story.spec).await;
    assert_kind(&failure, FailureKind::ChangedOnServer);
    assert_eq!(bytes, STOP);
    let asked = story.file.requests().len();
    story.desk.completed_with(&story.spec, &Body::seeded(1, LENGTH)).await;
    assert_eq!(story.file.requests().len(), asked + 2, "a retry by the user restarts the file");
}

#[tokio::test]
async fn partial_file_without_valid_journal_is_restarted_from_zero() {
    let damage: [fn(&Interrupted); 3] = [
        |story| {
            let journal = journal(story);
            std::fs::write(journal, "junk").unwrap();
        },
        |story| std::fs::remove_file(journal(story)).unwrap(),
        |story| {
            std::fs::remove_file(journal(story)).unwrap();
            let part = story.desk.survey()[0].part.clone();
            std::fs::write(part, vec![0; LENGTH as usize]).unwrap();
        },
    ];
    for damage in damage {
        let mut story = interrupted(|file| file).await;
        damage(&story);
        story.completes(&Body::seeded(1, LENGTH), &[None]).await;
    }
}

#[tokio::test]
async fn deleted_partial_file_is_fetched_again() {
    let mut story = interrupted(|file| file).await;
    std::fs::remove_file(&story.desk.survey()[0].part).unwrap();
    story.completes(&Body::seeded(1, LENGTH), &[None]).await;
}

#[tokio::test]
async fn resume_of_truncated_partial_file_uses_its_remaining_blocks() {
    for (length, asked) in [(1_200_000, Some(BLOCK - OVERLAP)), (BLOCK, Some(BLOCK - OVERLAP)), (500_000, None)] {
        let mut story = interrupted_at(1_500_000, |file| file).await;
        let part = std::fs::OpenOptions::new().write(true).open(&story.desk.survey()[0].part).unwrap();
        part.set_len(length).unwrap();
        story.completes(&Body::seeded(1, LENGTH), &[asked]).await;
    }
}

#[tokio::test]
async fn zeros_at_end_of_partial_file_are_detected_before_resume() {
    let mut story = interrupted(|file| file.no_validators()).await;
    zero(&story, STOP - 4096, 4096);
    story.completes(&Body::seeded(1, LENGTH), &[None]).await;
}

#[tokio::test]
async fn corrupt_incomplete_block_is_fetched_again() {
    let mut story = interrupted_at(BLOCK + BLOCK / 2, |file| file).await;
    zero(&story, BLOCK + 77, 1);
    story.completes(&Body::seeded(1, LENGTH), &[Some(BLOCK - OVERLAP)]).await;
    assert_eq!(story.file.bytes_sent(), LENGTH + BLOCK / 2 + OVERLAP, "the block and the compared overlap");
}

#[tokio::test]
async fn damage_is_detected_in_a_block_that_two_runs_wrote() {
    let mut story = interrupted(|file| file).await;
    story.file = story.file.gate_at(BLOCK + BLOCK / 2);
    assert_eq!(story.desk.stopped_at(&story.spec, BLOCK + BLOCK / 2).await, BLOCK + BLOCK / 2);
    story.file.left().await;
    story.file.release();
    story.desk.restart(eager());
    zero(&story, 77, 1);
    let asked = [RESUME, Some(BLOCK + BLOCK / 2 - OVERLAP), Some(0)];
    story.completes(&Body::seeded(1, LENGTH), &asked).await;
    assert_eq!(story.file.requests().pop().unwrap().range_end(), Some(BLOCK - 1));
}

#[tokio::test]
async fn second_transfer_with_same_guid_tag_leaves_first_partial_file_intact() {
    let mut story = interrupted(|file| file).await;
    let mut other = story.spec.clone();
    other.guid.0 = uuid::Uuid::from_u128(other.guid.0.as_u128() + 1);
    other.name = Some("other.bin".to_owned());
    assert_eq!(other.guid.tag(), story.spec.guid.tag());
    story.desk.completed_with(&other, &Body::seeded(1, LENGTH)).await;
    ashore_testkit::forget(&story.desk.transfers, other.guid, story.desk.folder.path()).await;
    std::fs::remove_file(story.desk.path("other.bin")).unwrap();
    story.completes(&Body::seeded(1, LENGTH), &[None, RESUME]).await;
}

#[tokio::test]
async fn byte_allowance_includes_existing_bytes_but_not_resume_overlap() {
    use std::sync::Arc;
    for (budget, suffices) in [(LENGTH, true), (LENGTH - 1, false), (STOP - 1, false)] {
        let mut story = interrupted(|file| file).await;
        story.spec.allowance = Some(Arc::new(ashore_transfer::ByteBudget::new(budget)));
        match story.desk.run(&story.spec).await {
            TransferOutcome::Completed(_) => assert!(suffices),
            TransferOutcome::Failed { failure, .. } => {
                assert_kind(&failure, FailureKind::DownloadTotalExceeded);
                assert!(!suffices);
            }
            other => panic!("{other:?}"),
        }
    }
}

fn journal(story: &Interrupted) -> std::path::PathBuf {
    let mut path = story.desk.survey()[0].part.clone().into_os_string();
    path.push(".ashore");
    assert!(story.origin.requests().len() == 1 && std::path::Path::new(&path).exists());
    path.into()
}

/// Overwrites bytes of the partial file with zeros.
fn zero(story: &Interrupted, at: u64, count: usize) {
    let part = std::fs::OpenOptions::new().read(true).write(true).open(&story.desk.survey()[0].part).unwrap();
    let mut bytes = vec![0; count];
    std::os::unix::fs::FileExt::read_exact_at(&part, &mut bytes, at).unwrap();
    assert!(bytes.iter().any(|byte| *byte != 0), "there is something to lose");
    std::os::unix::fs::FileExt::write_all_at(&part, &vec![0; count], at).unwrap();
}
