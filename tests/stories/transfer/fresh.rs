//! Tests the download of a single file without interruption, from its first byte to its final name.

use std::{os::unix::fs::PermissionsExt, sync::Arc};

use ashore_testkit::origin::{Body, Origin, content};
use ashore_transfer::{ByteBudget, DigestAlgorithm, FailureKind, FileDigest, Verification};
use async_compression::tokio::bufread::{BrotliEncoder, DeflateEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt;

use super::desk::{TransferBench, assert_kind, eager};

fn sha256(bytes: &[u8]) -> FileDigest {
    FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: Sha256::digest(bytes).to_vec() }
}

#[tokio::test]
async fn file_arrives_under_its_name_without_leftovers() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(1, 3 << 20);
    let file = origin.file("/d/a%20b.bin", body.clone());
    let spec = desk.spec(origin.url("/d/a%20b.bin"));
    let completed = desk.completed_with(&spec, &body).await;
    assert_eq!(completed.path, Some(desk.path("a b.bin")));
    assert_eq!(completed.verified, Verification::No);
    assert_eq!(desk.heads.len(), 1);
    assert_eq!((desk.heads[0].status, desk.heads[0].status_text.as_str()), (200, "OK"));
    assert_eq!((desk.heads[0].total_size, desk.heads[0].name.as_str()), (Some(3 << 20), "a b.bin"));
    assert_eq!(desk.heads[0].url_chain, [spec.url.to_string()]);
    let mode = std::fs::metadata(desk.path("a b.bin")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7177, 0o0044 & mode, "never executable");
    assert_eq!(desk.survey()[0].placed, completed.path);
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a b.bin"]);
    let requests = file.requests();
    assert_eq!(requests.len(), 1, "the first GET is the probe");
    assert_eq!(requests[0].header("accept-encoding"), Some("identity"));
    assert_eq!(requests[0].header("range"), None);
}

#[tokio::test]
async fn source_of_file_is_recorded_without_secrets_of_the_link() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let scratch = std::fs::File::create_new(desk.path("scratch")).unwrap();
    if rustix::fs::fsetxattr(&scratch, "user.test", b"-", rustix::fs::XattrFlags::empty()).is_err() {
        return ashore_testkit::left_out(format!("The file system of {} keeps no marks.", desk.folder.path().display()));
    }
    for (name, size) in [("small", 1_000), ("large", 20 << 20)] {
        let body = Body::seeded(size, size);
        origin.file(&format!("/{name}"), body.clone());
        let spec = desk.spec(origin.url(&format!("/{name}?token=secret#secret")));
        desk.completed_with(&spec, &body).await;
        assert_eq!(ashore_testkit::mark(&desk.path(name)), Some(origin.url(&format!("/{name}")).to_string()));
    }
}

#[tokio::test]
async fn every_kind_of_body_framing_is_understood() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(2, 300_001);
    origin.file("/chunked", body.clone()).chunked();
    origin.file("/close", body.clone()).until_close();
    origin.file("/http10", body.clone()).http10();
    origin.file("/length", body.clone());
    for path in ["/chunked", "/close", "/http10", "/length"] {
        let mut spec = desk.spec(origin.url(path));
        let completed = desk.completed_with(&spec, &body).await;
        let verified = if path == "/length" { Verification::No } else { Verification::SizeUnknown };
        assert_eq!(completed.verified, verified, "{path}");
        // The caller may know a size that the server does not state.
        spec = desk.spec(origin.url(path));
        spec.expected.size = Some(300_001);
        assert_eq!(desk.completed_with(&spec, &body).await.verified, Verification::No, "{path}");
        spec = desk.spec(origin.url(path));
        spec.expected.size = Some(300_002);
        let (failure, bytes) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::WrongSize);
        assert_eq!(bytes, 0, "{path}");
    }
    assert_eq!(desk.heads[0].total_size, None);
}

#[tokio::test]
async fn empty_file_completes_but_status_204_fails() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/empty", Body::bytes([]));
    origin.file("/empty-chunked", Body::bytes([])).chunked();
    origin.file("/nothing", Body::bytes([])).answers_with(204);
    for path in ["/empty", "/empty-chunked"] {
        let spec = desk.spec(origin.url(path));
        let completed = desk.completed_with(&spec, &Body::bytes([])).await;
        assert_eq!(completed.path, Some(desk.path(&path[1..])));
        ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    }
    let spec = desk.spec(origin.url("/nothing"));
    let (failure, _) = desk.failed(&spec).await;
    assert_eq!((failure.kind, failure.status), (FailureKind::BadStatus, Some(204)));
    assert_eq!(desk.names(), ["empty", "empty-chunked"]);
}

#[tokio::test]
async fn file_is_verified_if_digest_matches_and_removed_if_digest_differs() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(3, 1 << 20);
    origin.file("/a", body.clone());
    let mut spec = desk.spec(origin.url("/a"));
    spec.expected.digests = vec![sha256(&content(3, 1 << 20))];
    let completed = desk.completed_with(&spec, &body).await;
    assert_eq!((completed.verified, completed.digest), (Verification::ByDigest, spec.expected.digests.first().cloned()));
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;

    let mut spec = desk.spec(origin.url("/a"));
    spec.expected.digests = vec![sha256(b"something else")];
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::DigestMismatch);
    assert!(!failure.is_transient());
    assert_eq!(bytes, 0);
    assert_eq!(desk.names(), ["a"], "only the good one");
}

#[tokio::test]
async fn transfer_stops_before_first_byte_beyond_allowance() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    origin.file("/a", Body::seeded(4, 1 << 20));
    origin.file("/b", Body::seeded(5, 1 << 20)).chunked();
    let allowance = Arc::new(ByteBudget::new((2 << 20) - 1));
    let mut spec = desk.spec(origin.url("/a"));
    spec.allowance = Some(allowance.clone());
    desk.completed(&spec).await;
    let mut spec = desk.spec(origin.url("/b"));
    spec.allowance = Some(allowance.clone());
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::DownloadTotalExceeded);
    assert!(bytes < 1 << 20);
    assert!(!allowance.take(1 << 20) && allowance.take((1 << 20) - 1), "the bytes of an unfinished file are given back");
}

#[tokio::test]
async fn body_in_unrequested_encoding_is_decoded_and_never_appended_to_partial_file() {
    let plain = content(6, 300_000).iter().map(|byte| byte % 7).collect::<Vec<_>>();
    for (coding, encoded) in [
        ("gzip", encoded(GzipEncoder::new(&plain[..])).await),
        ("deflate", encoded(ZlibEncoder::new(&plain[..])).await),
        ("deflate", encoded(DeflateEncoder::new(&plain[..])).await),
        ("br", encoded(BrotliEncoder::new(&plain[..])).await),
        ("zstd", encoded(ZstdEncoder::new(&plain[..])).await),
    ] {
        let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
        let half = encoded.len() as u64 / 2;
        let file = origin.file("/a.txt", Body::bytes(encoded)).header("Content-Encoding", coding).gate_at(half);
        let spec = desk.spec(origin.url("/a.txt"));
        desk.stopped_at(&spec, 1).await;
        file.release();
        desk.completed_with(&spec, &Body::bytes(plain.clone())).await;
        assert_eq!(file.requests()[1].header("range"), None, "{coding}");
        assert_eq!(desk.heads[0].total_size, None, "{coding}");
    }
}

#[tokio::test]
async fn truncated_or_corrupt_encoded_body_fails() {
    let plain = vec![7; 300_000];
    let whole = encoded(GzipEncoder::new(&plain[..])).await;
    let (cut, mut broken) = (whole[..whole.len() - 9].to_vec(), whole);
    let last = broken.len() - 6;
    broken[last] ^= 1;
    for (bytes, kind) in [(cut, FailureKind::Truncated), (broken, FailureKind::Protocol)] {
        let (origin, mut desk) = (Origin::start().await, TransferBench::new());
        origin.file("/a.txt", Body::bytes(bytes)).header("Content-Encoding", "gzip");
        let (failure, kept) = desk.failed(&desk.spec(origin.url("/a.txt"))).await;
        assert_kind(&failure, kind);
        assert_eq!((kept, desk.names()), (0, vec![]));
    }
}

#[tokio::test]
async fn decompression_bomb_is_aborted() {
    let zeros = encoded(ZstdEncoder::new(tokio::io::BufReader::new(tokio::io::repeat(0).take(80 << 20)))).await;
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/a.txt", Body::bytes(zeros)).header("Content-Encoding", "zstd");
    let spec = desk.spec(origin.url("/a.txt"));
    let (failure, kept) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Protocol);
    assert!(failure.detail.contains("swells"), "{failure:?}");
    assert!(kept <= 64 << 20, "{kept} bytes of the disk");
}

#[tokio::test]
async fn compressed_file_and_unknown_encoding_are_stored_as_sent() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(6, 1 << 20);
    for (path, coding) in [("/a.tar.gz", "x-gzip"), ("/a", "sdch")] {
        origin.file(path, body.clone()).header("Content-Encoding", coding);
        desk.completed_with(&desk.spec(origin.url(path)), &body).await;
    }
}

pub async fn encoded(mut encoder: impl tokio::io::AsyncRead + Unpin) -> Vec<u8> {
    let mut bytes = Vec::new();
    encoder.read_to_end(&mut bytes).await.unwrap();
    bytes
}

#[tokio::test]
async fn unrequested_206_is_accepted_only_at_offset_zero() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let body = Body::seeded(7, 1_000_000);
    for (path, count) in [("/little", 400), ("/half", 500_000), ("/all", 1_000_000)] {
        let route = origin.file(path, body.clone()).part_unasked(count);
        let spec = desk.spec(origin.url(path));
        desk.completed_with(&spec, &body).await;
        let ranges: Vec<_> = route.requests().iter().map(|request| request.header("range").map(str::to_owned)).collect();
        assert_eq!(ranges[0], None, "{ranges:?}");
        assert_eq!(ranges.len() > 1, count < 1_000_000, "{ranges:?}");
    }
    for (path, says) in [("/unknown", "bytes 0-399/*"), ("/middle", "bytes 10-399/1000"), ("/unread", "bytes 0-399")] {
        origin.file(path, Body::seeded(7, 400)).status(206).header("Content-Range", says);
        let spec = desk.spec(origin.url(path));
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::Protocol);
        assert!(!desk.path(path.trim_start_matches('/')).exists(), "{path}");
    }
}

#[tokio::test]
async fn hundred_simultaneous_downloads_all_complete() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    for number in 0..100 {
        origin.file(&format!("/{number}/file.bin"), Body::seeded(number, 10_000 + number));
        desk.transfers.start(desk.spec(origin.url(&format!("/{number}/file.bin"))));
    }
    for _ in 0..100 {
        assert!(matches!(desk.outcome().await, ashore_transfer::TransferOutcome::Completed(_)));
    }
    let sizes = (0..100).map(|number| {
        let name = if number == 0 { "file.bin".to_owned() } else { format!("file ({number}).bin") };
        std::fs::metadata(desk.path(&name)).unwrap().len() - 10_000
    });
    assert_eq!(sizes.sum::<u64>(), 99 * 100 / 2, "each file has its own name");
}
