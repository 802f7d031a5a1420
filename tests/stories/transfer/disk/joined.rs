//! Rules for combining bytes in one file, and for accepting a file on disk as finished.
//!
//! - Parts of several answers are combined only if they have the same strong validator.
//! - Bytes of an earlier run or of another server are combined only after a comparison.

use std::{
    fs::{File, OpenOptions},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_testkit::origin::{Body, Origin, Route, content};
use ashore_transfer::{DigestAlgorithm, FileDigest, TransferConfig, TransferSpec, Verification};
use sha2::{Digest as _, Sha256};

use crate::transfer::desk::{TransferBench, eager};

const KIB: u64 = 1 << 10;
const LENGTH: u64 = 4 << 20;
/// Number of bytes that are received before the transfer is stopped.
const HELD: u64 = 3 << 20;

type Shape = fn(Route) -> Route;

/// Routes whose answers have no strong validator.
const WEAK: [Shape; 5] = [
    Route::weak_etag,
    Route::no_etag,
    Route::no_validators,
    |file| file.no_validators().etag("W/\"weak\""),
    |file| file.no_validators().etag("w/\"weak\""),
];

/// Config with four connections even for files of a few hundred KiB.
fn shared() -> TransferConfig {
    TransferConfig { connections: 4, least_shared: 256 * KIB, least_split: 64 * KIB, ..eager() }
}

fn body() -> Body {
    Body::seeded(1, LENGTH)
}

/// Returns a copy of [`body`] with other bytes in the range `changed`.
fn changed(changed: std::ops::Range<u64>) -> Body {
    let mut bytes = content(1, LENGTH);
    let (start, end) = (changed.start as usize, changed.end as usize);
    bytes[start..end].copy_from_slice(&content(2, LENGTH)[start..end]);
    Body::bytes(bytes)
}

fn sha256(of: &Body) -> FileDigest {
    FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: Sha256::digest(of.slice(0, LENGTH)).to_vec() }
}

/// Starts a download, and stops it when it has received `HELD` bytes.
///
/// Then restarts the transfer engine, so that the download can be resumed.
async fn stopped(origin: &Origin, shape: Shape) -> (Route, TransferBench, TransferSpec) {
    let mut desk = TransferBench::with(eager());
    let file = shape(origin.file("/a.bin", body())).gate_at(HELD);
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.stopped_at(&spec, HELD).await, HELD);
    file.left().await;
    file.release();
    desk.restart(eager());
    (file, desk, spec)
}

async fn names_after(desk: &TransferBench, spec: &TransferSpec) -> Vec<String> {
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    desk.names()
}

#[tokio::test(flavor = "multi_thread")]
async fn file_without_strong_validator_uses_one_connection() {
    for shape in WEAK.into_iter().chain([Route::fickle_date as Shape]) {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
        let file = shape(origin.file("/a.bin", body()));
        let completed = desk.completed_with(&desk.spec(origin.url("/a.bin")), &body()).await;
        assert_eq!((file.requests().len(), completed.verified), (1, Verification::No));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_without_strong_validator_are_never_mixed() {
    for shape in WEAK {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(shared()));
        let file = shape(origin.file("/a.bin", body())).gate_at(100_000);
        let spec = desk.spec(origin.url("/a.bin"));
        desk.transfers.start(spec.clone());
        file.held().await;
        // Later requests get other bytes of the same length. The response that is already running continues with the
        // old bytes.
        let file = file.content_with_same_validators(changed(200_000..LENGTH));
        file.release();
        let outcome = desk.outcome().await;
        let ashore_transfer::TransferOutcome::Completed(completed) = outcome else { panic!("{outcome:?}") };
        assert!(std::fs::read(completed.path.unwrap()).unwrap() == content(1, LENGTH), "one version");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn download_without_strong_validator_is_resumed_but_counts_as_unverified() {
    for shape in WEAK {
        let origin = Origin::start().await;
        let (file, mut desk, spec) = stopped(&origin, shape).await;
        let completed = desk.completed_with(&spec, &body()).await;
        assert_eq!(completed.verified, Verification::No);
        assert!(file.requests()[1..].iter().all(|request| request.range_start().is_some()), "it went on");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_without_strong_validator_detects_distant_changes() {
    let changes = [64 * KIB..HELD - 64 * KIB, 256 * KIB..900 * KIB, HELD / 2..HELD - 70_000];
    for shape in WEAK {
        for change in &changes {
            let origin = Origin::start().await;
            let (file, mut desk, spec) = stopped(&origin, shape).await;
            let new = changed(change.clone());
            let _changed = file.content_with_same_validators(new.clone());
            desk.completed_with(&spec, &new).await;
            assert_eq!(names_after(&desk, &spec).await, ["a.bin"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_with_new_single_use_link_continues() {
    for shape in WEAK.into_iter().chain([(|file| file) as Shape]) {
        let origin = Origin::start().await;
        let (_file, mut desk, mut spec) = stopped(&origin, |file| file).await;
        let new = shape(origin.file("/new.bin", body())).one_shot(403);
        spec.url = origin.url("/new.bin");
        desk.completed_with(&spec, &body()).await;
        assert!(new.requests()[0].range_start() > Some(0), "it went on");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_under_strong_validator_sends_one_request() {
    let origin = Origin::start().await;
    let (file, mut desk, spec) = stopped(&origin, |file| file).await;
    assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::OnResume);
    assert_eq!(file.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_compares_bytes_after_strong_validator_becomes_weak() {
    for (new, is_same) in [(body(), true), (changed(256 * KIB..900 * KIB), false)] {
        let origin = Origin::start().await;
        let (file, mut desk, spec) = stopped(&origin, |file| file).await;
        let _weak = file.content_with_same_validators(new.clone()).no_etag();
        assert_eq!(desk.completed_with(&spec, &new).await.verified, Verification::No, "{is_same}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_without_digest_provides_no_bytes() {
    for other in [body(), changed(64 * KIB..LENGTH), changed(2_000_000..2_000_001)] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(shared()));
        origin.file("/a.bin", body()).trickle(64 << 10, Duration::from_millis(5));
        let asked = mirror.file("/a.bin", other);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        desk.completed_with(&spec, &body()).await;
        assert_eq!(asked.bytes_sent(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_of_another_build_never_spoils_verified_file() {
    for other in [changed(64 * KIB..LENGTH), changed(1_500_000..2_500_000), changed(2_000_000..2_000_001)] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(shared()));
        origin.file("/a.bin", body()).trickle(64 << 10, Duration::from_millis(5));
        mirror.file("/a.bin", other);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        spec.expected.digests = vec![sha256(&body())];
        assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_of_another_build_does_not_resume_existing_bytes() {
    for other in [changed(64 * KIB..HELD - 64 * KIB), changed(256 * KIB..900 * KIB)] {
        let (origin, mirror) = (Origin::start().await, Origin::start().await);
        let (_file, mut desk, mut spec) = stopped(&origin, |file| file).await;
        mirror.file("/a.bin", other);
        spec.mirrors.push(mirror.url("/a.bin"));
        origin.refuses("/a.bin", 503);
        let (failure, kept) = desk.failed(&spec).await;
        assert_eq!((failure.status, kept), (Some(503), HELD), "the bytes are kept for the first address");
        origin.file("/a.bin", body());
        desk.restart(eager());
        desk.completed_with(&spec, &body()).await;
    }
}

/// Path of the only partial file in the folder.
fn partial(desk: &TransferBench) -> PathBuf {
    desk.survey()[0].part.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_link_to_partial_file_is_not_a_finished_file() {
    let changes: [fn(&File); 5] = [
        |_| (),
        |file| file.set_len(LENGTH).unwrap(),
        |file| file.set_len(HELD / 2).unwrap(),
        |file| file.write_all_at(&vec![0; 2 << 20], 0).unwrap(),
        |file| file.write_all_at(b"edited", 1_500_000).unwrap(),
    ];
    for change in changes {
        for (name, digest) in [("look.bin", None), ("a.bin", Some(sha256(&body())))] {
            let origin = Origin::start().await;
            let (_file, mut desk, mut spec) = stopped(&origin, |file| file).await;
            std::fs::hard_link(partial(&desk), desk.path(name)).unwrap();
            change(&OpenOptions::new().write(true).open(partial(&desk)).unwrap());
            assert_eq!(desk.survey()[0].placed, None);
            spec.expected.digests = digest.into_iter().collect();
            desk.completed_with(&spec, &body()).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_of_another_user_is_not_changed() {
    if !rustix::process::geteuid().is_root() {
        return drop(std::io::Write::write_all(&mut std::io::stderr(), b"LEFT OUT: only root may give a file away.\n"));
    }
    for is_linked in [false, true] {
        for has_journal in [false, true] {
            let origin = Origin::start().await;
            let (_file, mut desk, spec) = stopped(&origin, |file| file).await;
            let planted = partial(&desk);
            std::fs::remove_file(&planted).unwrap();
            std::fs::write(&planted, vec![7; LENGTH as usize]).unwrap();
            std::os::unix::fs::chown(&planted, Some(65_534), None).unwrap();
            if is_linked {
                std::fs::hard_link(&planted, desk.path("a.bin")).unwrap();
            }
            if !has_journal {
                std::fs::remove_file(journal_of(&planted)).unwrap();
            }
            desk.completed_with(&spec, &body()).await;
            ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
            assert!(std::fs::read(&planted).unwrap() == vec![7; LENGTH as usize], "the file belongs to another program");
        }
    }
}

fn journal_of(partial: &Path) -> PathBuf {
    let mut name = partial.as_os_str().to_owned();
    name.push(".ashore");
    name.into()
}

/// Returns the CRC-32 (ISO 3309) used in the journal's slots.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// Writes `total` into both records of the journal and corrects their checksums.
fn claim_total(journal: &Path, total: u64) {
    let file = OpenOptions::new().read(true).write(true).open(journal).unwrap();
    for slot in [0, 1 << 20] {
        let mut head = [0; 24];
        if file.read_exact_at(&mut head, slot).is_err() || head[..8] != *b"ASHOREJ1" {
            continue;
        }
        let length = u32::from_le_bytes(head[16..20].try_into().unwrap());
        let mut payload = vec![0; length as usize];
        file.read_exact_at(&mut payload, slot + 24).unwrap();
        let mut record: serde_json::Value = serde_json::from_slice(&payload).unwrap();
        record["total"] = total.into();
        let payload = serde_json::to_vec(&record).unwrap();
        head[16..20].copy_from_slice(&u32::try_from(payload.len()).unwrap().to_le_bytes());
        let crc = crc32(&[&head[8..20], &payload].concat());
        head[20..].copy_from_slice(&crc.to_le_bytes());
        file.write_all_at(&[&head[..], &payload].concat(), slot).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn download_restarts_if_journal_has_impossible_total() {
    for total in [0, 10, HELD - 1, u64::MAX, u64::MAX - 1, 1 << 63, i64::MAX as u64, 1 << 50] {
        let origin = Origin::start().await;
        let (_file, mut desk, spec) = stopped(&origin, |file| file).await;
        claim_total(&journal_of(&partial(&desk)), total);
        desk.completed_with(&spec, &body()).await;
        assert_eq!(names_after(&desk, &spec).await, ["a.bin"], "{total}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn download_restarts_if_journal_claims_completion_at_a_size_other_than_the_known_size() {
    let origin = Origin::start().await;
    let (_file, mut desk, mut spec) = stopped(&origin, |file| file).await;
    claim_total(&journal_of(&partial(&desk)), HELD);
    spec.known_size = Some(LENGTH);
    desk.completed_with(&spec, &body()).await;
}
