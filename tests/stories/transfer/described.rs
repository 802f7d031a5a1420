//! Tests Metalinks that are linked from the response for a file (RFC 6249, section 4).
//!
//! The Metalink provides the digest if there is no other source. If the received file has the wrong digest, the
//! Metalink shows which piece is wrong.

use ashore_testkit::origin::{Body, Origin, Route, content};
use ashore_transfer::{FailureKind, TransferOutcome, Verification};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::desk::{TransferBench, assert_kind, eager};

const LENGTH: u64 = 2 << 20;
const PIECE: usize = 300_000;
const OVERLAP: u64 = 64 << 10;
const LINK: &str = "</a.meta4>; rel=describedby; type=\"application/metalink4+xml\"";

fn bytes() -> Vec<u8> {
    content(1, LENGTH)
}

/// Returns the content with one byte changed.
fn wrong() -> Body {
    let mut wrong = bytes();
    wrong[1_000_000] ^= 1;
    Body::bytes(wrong)
}

/// Returns a Metalink with the digests of `bytes`, for a file of `size` bytes.
fn description(bytes: &[u8], size: u64) -> Body {
    let hex = |bytes: &[u8]| hex::encode(Sha256::digest(bytes));
    let pieces: String = bytes.chunks(PIECE).map(|piece| format!("<hash>{}</hash>", hex(piece))).collect();
    Body::bytes(format!(
        "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"a.bin\"><size>{size}</size>\
         <hash type=\"sha-256\">{}</hash><pieces length=\"{PIECE}\" type=\"sha-256\">{pieces}</pieces>\
         <url>http://a.test/a.bin</url></file></metalink>",
        hex(bytes)
    ))
}

fn ranges(file: &Route) -> Vec<(u64, Option<u64>)> {
    file.requests().iter().filter_map(|asked| Some((asked.range_start()?, asked.range_end()))).collect()
}

#[tokio::test]
async fn file_without_other_digest_is_verified_by_metalink() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    origin.file("/a.bin", Body::bytes(bytes())).header("Link", LINK);
    let description = origin.file("/a.meta4", description(&bytes(), LENGTH));
    let spec = desk.spec(origin.url("/a.bin"));
    let completed = desk.completed_with(&spec, &Body::bytes(bytes())).await;
    assert_eq!((completed.verified, description.requests().len()), (Verification::ByDigest, 1));
}

#[tokio::test]
async fn only_the_piece_that_does_not_match_the_metalink_is_fetched_again() {
    let digest = format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(bytes())));
    for promised in [None, Some(digest)] {
        let (origin, mirror, mut desk) = (Origin::start().await, Origin::start().await, TransferBench::with(eager()));
        let bad = origin.file("/a.bin", wrong()).header("Link", LINK);
        let bad = match &promised {
            Some(digest) => bad.header("Repr-Digest", digest),
            None => bad,
        };
        let description = origin.file("/a.meta4", description(&bytes(), LENGTH));
        let good = mirror.file("/a.bin", Body::bytes(bytes()));
        let mut spec = desk.spec(origin.url("/a.bin"));
        spec.mirrors.push(mirror.url("/a.bin"));
        let completed = desk.completed_with(&spec, &Body::bytes(bytes())).await;
        assert_eq!(completed.verified, Verification::ByDigest);
        assert_eq!(ranges(&good), [(900_000 - OVERLAP, Some(1_199_999))], "{promised:?}");
        assert_eq!((bad.requests().len(), description.requests().len()), (1, 1), "{promised:?}");
    }
}

#[tokio::test]
async fn metalink_mismatch_without_good_mirror_fails() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    origin.file("/a.bin", wrong()).header("Link", LINK);
    origin.file("/a.meta4", description(&bytes(), LENGTH));
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, kept) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::DigestMismatch);
    assert_eq!((kept, desk.names()), (0, vec![]));
}

#[tokio::test]
async fn all_bytes_are_kept_if_download_stops_while_waiting_for_metalink() {
    let digest = format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(bytes())));
    for (content, promised) in [(Body::bytes(bytes()), None), (wrong(), Some(digest))] {
        let (origin, mut desk) = (Origin::start().await, TransferBench::new());
        let file = origin.file("/a.bin", content).header("Link", LINK);
        if let Some(digest) = &promised {
            let _ = file.header("Repr-Digest", digest);
        }
        let description = origin.file("/a.meta4", description(&bytes(), LENGTH)).gate_at(0);
        let spec = desk.spec(origin.url("/a.bin"));
        desk.transfers.start(spec.clone());
        desk.head().await.1.send(()).unwrap();
        description.held().await;
        desk.transfers.stop(spec.guid);
        assert_eq!(desk.outcome().await, TransferOutcome::Stopped { bytes: LENGTH, sent: 0 }, "{promised:?}");
    }
}

#[tokio::test]
async fn correct_pieces_are_kept_if_one_piece_cannot_be_repaired() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/a.bin", wrong()).header("Link", LINK).one_shot(503);
    origin.file("/a.meta4", description(&bytes(), LENGTH));
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, kept) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::BadStatus);
    assert_eq!(kept, LENGTH - PIECE as u64);
}

#[tokio::test]
async fn missing_or_mismatching_metalink_is_ignored() {
    let other = description(&bytes(), LENGTH + 1);
    for document in [None, Some(Body::bytes("no Metalink")), Some(Body::seeded(1, 5 << 20)), Some(other)] {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
        origin.file("/a.bin", wrong()).header("Link", LINK);
        match document {
            Some(document) => origin.file("/a.meta4", document),
            None => origin.refuses("/a.meta4", 404),
        };
        let spec = desk.spec(origin.url("/a.bin"));
        let completed = desk.completed_with(&spec, &wrong()).await;
        assert_eq!(completed.verified, Verification::No);
    }
}
