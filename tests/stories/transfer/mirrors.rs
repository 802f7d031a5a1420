//! Several addresses for one file.
//!
//! Mirrors provide bytes immediately, replace a failed first address, and never contribute bytes of another file.

use std::time::Duration;

use ashore_testkit::origin::{Body, Origin, Route, content};
use ashore_transfer::{DigestAlgorithm, FailureKind, FileDigest, TransferConfig, TransferSpec, Verification};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::desk::{TransferBench, assert_kind, eager};

const KIB: u64 = 1 << 10;
const LENGTH: u64 = 4 << 20;
const OVERLAP: u64 = 64 << 10;
/// Number of bytes that were received before the first address failed.
const HELD: u64 = 3 << 20;

/// Config with four connections even for files of a few hundred KiB.
fn shared() -> TransferConfig {
    TransferConfig { connections: 4, least_shared: 256 * KIB, least_split: 64 * KIB, ..eager() }
}

fn body() -> Body {
    Body::seeded(1, LENGTH)
}

/// Returns the requested ranges.
fn ranges(file: &Route) -> Vec<(u64, Option<u64>)> {
    file.requests().iter().filter_map(|asked| Some((asked.range_start()?, asked.range_end()))).collect()
}

/// Returns the start of each requested range that has no end.
fn resumes(file: &Route) -> Vec<u64> {
    ranges(file).into_iter().filter_map(|(first, last)| last.is_none().then_some(first)).collect()
}

/// Download that was interrupted near its end. Since then, its first address answers only with `status`.
struct Interrupted {
    origin: Origin,
    mirror: Origin,
    desk: TransferBench,
    spec: TransferSpec,
    held: u64,
}

impl Interrupted {
    async fn with(status: u16) -> Self {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(eager()));
        let file = origin.file("/a.bin", body()).gate_at(HELD);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        let held = desk.stopped_at(&spec, HELD).await;
        file.release();
        origin.refuses("/a.bin", status);
        desk.restart(eager());
        Self { origin, mirror, desk, spec, held }
    }

    /// Checks that the transfer fails with the first address's status, and resumes when that address works again.
    async fn fails_until_first_address_works(mut self, status: u16) {
        let (failure, kept) = self.desk.failed(&self.spec).await;
        assert_eq!((failure.status, kept), (Some(status), self.held), "the bytes on disk have priority over a mirror");
        let again = self.origin.file("/a.bin", body());
        self.desk.restart(eager());
        self.desk.completed_with(&self.spec, &body()).await;
        assert_eq!(ranges(&again).last(), Some(&(self.held - OVERLAP, None)));
        ashore_testkit::forget(&self.desk.transfers, self.spec.guid, self.desk.folder.path()).await;
        assert_eq!(self.desk.names(), ["a.bin"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirrors_provide_bytes_immediately_and_replace_failing_address() {
    let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(shared()));
    let first = origin.file("/a.bin", body()).trickle(16 << 10, Duration::from_millis(5));
    let second = mirror.file("/elsewhere", body()).etag("\"its own\"");
    let mut spec = desk.spec(origin.url("/a.bin"));
    spec.mirrors.push(mirror.url("/elsewhere"));
    spec.expected.digests.push(FileDigest::new(DigestAlgorithm::Sha256, Sha256::digest(content(1, LENGTH)).to_vec()).unwrap());
    desk.completed_with(&spec, &body()).await;
    assert!(second.bytes_sent() > LENGTH / 4, "the mirror gave {}", second.bytes_sent());
    assert!(first.bytes_sent() > 0);

    let gone = origin.refuses("/gone", 404);
    let mut spec = desk.spec(origin.url("/gone"));
    spec.name = Some("b.bin".to_owned());
    spec.mirrors.push(mirror.url("/elsewhere"));
    desk.completed_with(&spec, &body()).await;
    assert!(gone.bytes_sent() < 1000 && !gone.requests().is_empty(), "its refusal is no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_with_another_file_never_spoils_the_download() {
    let (origin, mirror) = (Origin::start().await, Origin::start().await);
    let slow = Duration::from_millis(5);
    for other in [Body::seeded(9, LENGTH), Body::seeded(1, LENGTH + 1)] {
        let mut desk = TransferBench::with(shared());
        origin.file("/a.bin", body()).trickle(64 << 10, slow);
        mirror.file("/a.bin", other);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        spec.expected
            .digests
            .push(FileDigest::new(DigestAlgorithm::Sha256, Sha256::digest(content(1, LENGTH)).to_vec()).unwrap());
        desk.completed_with(&spec, &body()).await;
    }
}

/// Returns the `Repr-Digest` value for `bytes`.
fn digest_of(bytes: &[u8]) -> String {
    format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

/// Returns `body` with one byte in the middle changed.
fn alike() -> Vec<u8> {
    let mut alike = content(1, LENGTH);
    alike[2_000_000] ^= 1;
    alike
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_provides_no_bytes_if_it_announces_a_different_digest() {
    let (right, other) = (digest_of(&content(1, LENGTH)), digest_of(&alike()));
    for is_expected in [false, true] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(shared()));
        let file = origin.file("/a.bin", body()).trickle(64 << 10, Duration::from_millis(5));
        let wrong = mirror.file("/a.bin", Body::bytes(alike())).header("Repr-Digest", &other);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        match is_expected {
            true => spec
                .expected
                .digests
                .push(FileDigest::new(DigestAlgorithm::Sha256, Sha256::digest(content(1, LENGTH)).to_vec()).unwrap()),
            false => drop(file.header("Repr-Digest", &right)),
        }
        assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
        let asked = ranges(&wrong);
        assert!(!asked.is_empty() && asked.iter().all(|(first, _)| *first == 0), "its beginning alone: {asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_that_replaces_address_must_match_stated_digest() {
    for promises in [true, false] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(eager()));
        let right = digest_of(&content(1, LENGTH));
        let file = origin.file("/a.bin", body()).header("Repr-Digest", &right).gate_at(3 << 20);
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        let held = desk.stopped_at(&spec, 3 << 20).await;
        file.release();
        origin.refuses("/a.bin", 410);
        // The first address answers 410, so a mirror must replace it. This mirror sends only whole files, so the
        // download restarts.
        let wrong = mirror.file("/a.bin", Body::bytes(alike())).ignore_ranges();
        if promises {
            drop(wrong.header("Repr-Digest", digest_of(&alike())));
        }
        desk.restart(eager());
        let (failure, kept) = desk.failed(&spec).await;
        match promises {
            true => assert_eq!((failure.status, kept), (Some(410), held), "nothing that was there is given up for it"),
            false => assert_kind(&failure, FailureKind::DigestMismatch),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_continues_download_of_first_address() {
    for status in [503, 410] {
        let Interrupted { origin: _asked_first, mirror, mut desk, spec, held } = Interrupted::with(status).await;
        let second = mirror.file("/a.bin", body()).etag("\"its own\"");
        desk.completed_with(&spec, &body()).await;
        assert_eq!(resumes(&second), [held - OVERLAP]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_that_cannot_resume_is_skipped() {
    let others: [fn(&Origin) -> Route; 4] = [
        |mirror| mirror.file("/a.bin", Body::seeded(1, LENGTH + 1)),
        |mirror| mirror.file("/a.bin", Body::seeded(9, LENGTH)),
        |mirror| mirror.file("/a.bin", body()).ignore_ranges(),
        |mirror| mirror.file("/a.bin", Body::seeded(9, LENGTH + 1)).ignore_ranges(),
    ];
    for other in others {
        let interrupted = Interrupted::with(503).await;
        let asked = other(&interrupted.mirror);
        interrupted.fails_until_first_address_works(503).await;
        assert!(!asked.requests().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_restarts_failed_download_only_if_length_is_equal() {
    let Interrupted { origin: _asked_first, mirror, mut desk, spec, held: _ } = Interrupted::with(410).await;
    mirror.file("/a.bin", body()).ignore_ranges();
    desk.completed_with(&spec, &body()).await;

    let interrupted = Interrupted::with(410).await;
    interrupted.mirror.file("/a.bin", Body::seeded(1, LENGTH + 1)).ignore_ranges();
    interrupted.fails_until_first_address_works(410).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mirror_is_tried_when_first_address_sends_web_page() {
    let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::new());
    origin.file("/a.zip", body()).login_page();
    mirror.file("/a.zip", body());
    let mut spec = desk.spec(origin.url("/a.zip"));
    spec.mirrors.push(mirror.url("/a.zip"));
    desk.completed_with(&spec, &body()).await;
}

/// Mirrors from a `Link` field (RFC 6249, section 3).
#[tokio::test(flavor = "multi_thread")]
async fn mirror_in_response_header_provides_bytes_and_replaces_failed_address() {
    let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(shared()));
    let link = format!("<{}>; rel=duplicate", mirror.url("/elsewhere"));
    let named = |file: Route| file.header("Link", &link).header("Repr-Digest", digest_of(&content(1, LENGTH)));
    let second = mirror.file("/elsewhere", body());
    named(origin.file("/a.bin", body())).trickle(16 << 10, Duration::from_millis(5));
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
    assert!(second.bytes_sent() > LENGTH / 4, "the mirror gave {}", second.bytes_sent());

    let mut desk = TransferBench::with(eager());
    let file = named(origin.file("/b.bin", body())).gate_at(HELD);
    let spec = desk.spec(origin.url("/b.bin"));
    let held = desk.stopped_at(&spec, HELD).await;
    file.release();
    origin.refuses("/b.bin", 503);
    let before = resumes(&second).len();
    desk.restart(eager());
    assert_eq!(desk.completed_with(&spec, &body()).await.verified, Verification::ByDigest);
    assert_eq!(resumes(&second)[before..], [held - OVERLAP]);
}
