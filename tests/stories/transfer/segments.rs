//! Tests several connections for one file.
//!
//! Further connections open as soon as the server has proved that range requests work. The connections share the work
//! and never corrupt the file.

use ashore_testkit::origin::{Body, Origin, Route, content};
use ashore_transfer::{DigestAlgorithm, FailureKind, PieceHashes, TransferConfig, TransferOutcome, Verification};
use async_compression::tokio::bufread::GzipEncoder;
use sha2::{Digest as _, Sha256};

use super::{
    desk::{TransferBench, assert_kind, eager},
    fresh::encoded,
};

const KIB: u64 = 1 << 10;
const LENGTH: u64 = 4 << 20;
const OVERLAP: u64 = 64 << 10;

/// Config with four connections even for files of a few hundred KiB.
fn shared() -> TransferConfig {
    TransferConfig { connections: 4, least_shared: 256 * KIB, least_split: 64 * KIB, ..eager() }
}

fn body() -> Body {
    Body::seeded(1, LENGTH)
}

type Vice = fn(Route) -> Route;

/// Returns the requested ranges.
fn ranges(file: &Route) -> Vec<(u64, Option<u64>)> {
    file.requests().iter().filter_map(|asked| Some((asked.range_start()?, asked.range_end()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn large_file_uses_several_connections_without_refetching() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let file = origin.file("/a.bin", body());
    let spec = desk.spec(origin.url("/a.bin"));
    let completed = desk.completed_with(&spec, &body()).await;
    assert_eq!(completed.verified, Verification::No);
    assert!(file.requests()[0].header("range").is_none(), "the first GET is the probe");
    let asked = ranges(&file);
    assert!(asked.len() >= 3, "{asked:?}");
    // Each segment starts 4 KiB early, and so overlaps its neighbour's end.
    assert!(asked.iter().all(|(start, last)| (start + 4 * KIB).is_multiple_of(64 * KIB) && last.is_some()), "{asked:?}");
    assert!(file.requests().iter().all(|request| request.header("if-range").is_none()));
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a.bin"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn running_transfer_reports_its_segment_map() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let file = origin.file("/a.bin", body()).gate_at(100_000);
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.transfers.map(spec.guid, 64), None);
    desk.transfers.start(spec.clone());
    file.held().await;
    desk.reach(&spec, 1 << 20).await;
    let map = desk.transfers.map(spec.guid, 64).unwrap();
    assert_eq!((map.total, map.there.len(), map.there[0]), (LENGTH, 64, 100));
    assert!(map.there[1] < 100 && map.there[2..].contains(&100), "{map:?}");
    assert!(map.fetching.iter().all(|range| range.start < range.end && range.end <= LENGTH), "{map:?}");
    file.release();
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    assert_eq!(desk.transfers.map(spec.guid, 64), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_file_or_unsuitable_server_gets_one_connection() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let small = Body::seeded(2, 200 * KIB);
    let few = origin.file("/small", small.clone());
    let none = origin.file("/none", body()).header("Accept-Ranges", "none");
    let vague = origin.file("/vague", body()).no_validators();
    let chunked = origin.file("/chunked", body()).chunked();
    for (path, file, content) in
        [("/small", few, small), ("/none", none, body()), ("/vague", vague, body()), ("/chunked", chunked, body())]
    {
        let spec = desk.spec(origin.url(path));
        desk.completed_with(&spec, &content).await;
        let requests = file.requests();
        assert_eq!(requests.iter().filter(|request| request.method == "GET").count(), 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_with_unusable_answers_are_closed_and_first_connection_continues() {
    let vices: [(&str, Vice); 6] = [
        ("200", Route::ignore_ranges),
        ("416", |file| file.refuse_ranges(None)),
        ("elsewhere", |file| file.shift_ranges(-7)),
        ("unstated", Route::unstated_ranges),
        ("another length", |file| file.claim_total("4194305")),
        ("encoded", |file| file.encode_ranges("gzip")),
    ];
    for (name, vice) in vices {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
        let file = vice(origin.file("/a.bin", body()));
        desk.completed_with(&desk.spec(origin.url("/a.bin")), &body()).await;
        assert_eq!(file.requests().len(), 2, "{name}: one range request tests the server");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn misplaced_segments_are_detected_at_their_boundaries() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let file = origin.file("/a.bin", body()).misplace_ranges(1);
    desk.completed_with(&desk.spec(origin.url("/a.bin")), &body()).await;
    // Search all later requests. The new start may not be the last request, because another connection may have sent
    // one just before.
    let is_begun_again = file.requests().iter().skip(1).any(|request| request.header("range").is_none());
    assert!(is_begun_again, "the file was begun again over one connection: {:?}", file.requests());
}

#[tokio::test(flavor = "multi_thread")]
async fn misplaced_segment_is_detected_after_restart() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let file = origin.file("/a.bin", body()).misplace_ranges(-3).gate_at(100_000);
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    file.held().await;
    desk.reach(&spec, 1 << 20).await;
    desk.transfers.stop(spec.guid);
    assert!(matches!(desk.outcome().await, TransferOutcome::Stopped { .. }));
    let _honest = file.clone().honest();
    file.release();
    desk.restart(shared());
    desk.completed_with(&spec, &body()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn host_that_ignores_ranges_is_remembered() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let first = origin.file("/1", body()).ignore_ranges();
    let second = origin.file("/2", body()).ignore_ranges();
    for path in ["/1", "/2"] {
        let spec = desk.spec(origin.url(path));
        desk.completed_with(&spec, &body()).await;
    }
    assert_eq!((first.requests().len(), second.requests().len()), (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_with_changed_validators_are_never_mixed_into_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    let file = origin.file("/a.bin", body()).gate_at(100_000);
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    file.held().await;
    // Later requests get another file. The response that is already running continues unchanged.
    let file = file.content(Body::seeded(2, LENGTH));
    file.release();
    match desk.outcome().await {
        TransferOutcome::Completed(completed) => {
            let bytes = std::fs::read(completed.path.unwrap()).unwrap();
            assert!(bytes == content(1, LENGTH) || bytes == content(2, LENGTH), "never a mixture");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_with_gaps_resumes_only_the_missing_bytes() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
    // Throttle the server. Otherwise, most of an answer would already be in flight when the test interrupts it.
    let pace = std::time::Duration::from_millis(5);
    let file = origin.file("/a.bin", body()).gate_at(1 << 20).trickle(64 << 10, pace);
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    file.held().await;
    desk.reach(&spec, 1 << 20).await;
    desk.transfers.stop(spec.guid);
    let TransferOutcome::Stopped { bytes: durable, .. } = desk.outcome().await else { panic!("it was to stop") };
    assert_eq!(desk.survey()[0].bytes, durable);
    let before = file.requests().len();
    let sent = file.bytes_sent();
    file.release();
    desk.restart(shared());
    let completed = desk.completed_with(&spec, &body()).await;
    assert_eq!(completed.verified, Verification::OnResume);
    let again = file.bytes_sent() - sent;
    let asked = (file.requests().len() - before) as u64;
    // Each request may repeat up to `OVERLAP` bytes. Bytes that were in flight at an interruption are also sent again.
    assert!(again <= LENGTH - durable + asked * OVERLAP + 4 * (256 * KIB), "{again} sent, {durable} were there");
}

#[tokio::test(flavor = "multi_thread")]
async fn resumed_end_of_large_file_is_shared_by_several_connections() {
    // A rest of this file is always smaller than the file, and so smaller than `least_shared`.
    let config = || TransferConfig { least_shared: LENGTH, ..shared() };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(config()));
    // The connection at the start of the file never gets further than the gate. The other connections do.
    let file = origin.file("/a.bin", body()).gate_at(100_000).trickle(64 << 10, std::time::Duration::from_millis(5));
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    file.held().await;
    desk.reach(&spec, LENGTH / 2).await;
    desk.transfers.stop(spec.guid);
    assert!(matches!(desk.outcome().await, TransferOutcome::Stopped { .. }));
    desk.restart(config());
    desk.transfers.start(spec.clone());
    // The first connection is held again, so the other connections fetch everything behind its segment.
    desk.reach(&spec, LENGTH - 768 * KIB).await;
    file.release();
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    assert!(std::fs::read(desk.path("a.bin")).unwrap() == content(1, LENGTH));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_corrupt_block_is_fetched_again() {
    const MIB: u64 = 1 << 20;
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = origin.file("/a.bin", body()).gate_at(3 * MIB + 5);
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.stopped_at(&spec, 3 * MIB + 5).await, 3 * MIB + 5);
    let part = desk.survey()[0].part.clone();
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[(MIB + 77) as usize] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    file.release();
    desk.restart(eager());
    desk.completed_with(&spec, &body()).await;
    assert_eq!(ranges(&file), [(3 * MIB + 5 - OVERLAP, None), (MIB - OVERLAP, Some(2 * MIB - 1))]);
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a.bin"]);
}

fn pieces(length: u64) -> PieceHashes {
    let bytes = content(1, LENGTH);
    let digests = bytes.chunks(length as usize).map(|piece| Sha256::digest(piece).to_vec()).collect();
    PieceHashes { algorithm: DigestAlgorithm::Sha256, length, digests }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_piece_is_fetched_again_from_a_mirror() {
    let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(eager()));
    let mut wrong = content(1, LENGTH);
    wrong[1_000_000] ^= 1;
    let bad = origin.file("/a.bin", Body::bytes(wrong));
    let good = mirror.file("/a.bin", body());
    let mut spec = desk.spec(origin.url("/a.bin"));
    spec.mirrors.push(mirror.url("/a.bin"));
    spec.expected.pieces = Some(pieces(300_000));
    let completed = desk.completed_with(&spec, &body()).await;
    assert_eq!(completed.verified, Verification::ByDigest);
    assert_eq!(bad.requests().len(), 1);
    assert_eq!(ranges(&good), [(900_000 - OVERLAP, Some(1_199_999))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn single_piece_file_with_wrong_digest_is_refetched_from_mirror() {
    for desk in [TransferBench::with(eager()), TransferBench::new()] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, desk);
        let mut wrong = content(1, LENGTH);
        wrong[1_000_000] ^= 1;
        origin.file("/a.bin", Body::bytes(wrong));
        mirror.file("/a.bin", body());
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        spec.expected.pieces = Some(pieces(LENGTH));
        assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn encoded_file_with_wrong_piece_is_refetched_completely_from_mirror() {
    let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::new());
    let mut wrong = content(1, LENGTH);
    wrong[1_000_000] ^= 1;
    for (origin, bytes) in [(&origin, wrong), (&mirror, content(1, LENGTH))] {
        let encoded = encoded(GzipEncoder::new(&bytes[..])).await;
        origin.file("/a.bin", Body::bytes(encoded)).header("Content-Encoding", "gzip");
    }
    let mut spec = desk.spec(origin.url("/a.bin"));
    spec.mirrors.push(mirror.url("/a.bin"));
    spec.expected.pieces = Some(pieces(300_000));
    assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_fails_and_leaves_nothing_if_one_piece_stays_wrong() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let mut wrong = content(1, LENGTH);
    wrong[1_000_000] ^= 1;
    origin.file("/a.bin", Body::bytes(wrong));
    let mut spec = desk.spec(origin.url("/a.bin"));
    spec.expected.pieces = Some(pieces(300_000));
    let (failure, kept) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::DigestMismatch);
    assert_eq!((kept, desk.names()), (0, vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn segment_of_stalled_connection_is_taken_over() {
    let patient = TransferConfig { stall_timeout: std::time::Duration::from_secs(3600), ..shared() };
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(patient));
    // The first connection stalls. The other connections fetch all other segments, and then the rest of the first
    // segment.
    let file = origin.file("/a.bin", body()).stall_after(64 * KIB).times(1);
    let spec = desk.spec(origin.url("/a.bin"));
    desk.completed_with(&spec, &body()).await;
    assert!(ranges(&file).iter().any(|(start, _)| *start == 60 * KIB), "{:?}", ranges(&file));
}
