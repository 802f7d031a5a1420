//! Tests a file and its checksum file in one registration.
//!
//! The file is verified before the registration settles, even if the checksum file arrives last. A wrong file must not
//! remain on disk under its final name.

use ashore_engine::{
    FailureReason, NewRequest, RecordOutcome, RecordState, RecordedVerification, RegistrationResult, ResponseRecord,
};
use ashore_testkit::{
    home::{EventListener, Home, get, owed_in},
    origin::{Body, Origin, content},
};
use sha2::{Digest, Sha256};

const SIZE: u64 = 300_000;

/// Returns the line of a checksum file for `name`, with the digest of the content that `seed` generates.
fn line(seed: u64, name: &str) -> String {
    format!("{}  {name}\n", hex::encode(Sha256::digest(content(seed, SIZE))))
}

fn is_right(record: &ResponseRecord, seed: u64) -> bool {
    let digest = format!("sha-256={}", hex::encode(Sha256::digest(content(seed, SIZE))));
    record.verified == Some(RecordedVerification::ByDigest) && record.digest == Some(digest) && record.path.is_some()
}

fn is_wrong(record: &ResponseRecord) -> bool {
    let end = (record.state, record.outcome, record.code.as_deref());
    end == (RecordState::Dead, Some(RecordOutcome::Failure), Some("digest-mismatch")) && record.path.is_none()
}

#[tokio::test]
async fn file_is_verified_whether_checksum_file_arrives_first_or_last() {
    for (gated, other) in [("/a.bin", 1), ("/a.bin.sha256", 0)] {
        let (origin, home) = (Origin::start().await, Home::open().await);
        let file = origin.file("/a.bin", Body::seeded(1, SIZE));
        let sums = origin.file("/a.bin.sha256", Body::bytes(line(1, "a.bin")));
        let held = if gated == "/a.bin" { file.gate_at(100_000) } else { sums.gate_at(10) };
        let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
        home.until_record(id, other, |record| record.state == RecordState::Completed).await;
        held.release();
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        let records = home.records(id, 0, 0).await.unwrap();
        assert!(is_right(&records[0], 1), "{gated} last: {:?}", records[0]);
        assert_eq!(records[1].verified, Some(RecordedVerification::No));
    }
}

#[tokio::test]
async fn file_with_wrong_checksum_fails_before_end_event_is_emitted() {
    for (gated, other) in [("/a.bin", 1), ("/a.bin.sha256", 0)] {
        let (origin, home) = (Origin::start().await, Home::open().await);
        let mut ear = EventListener::to(&home);
        let file = origin.file("/a.bin", Body::seeded(1, SIZE));
        let sums = origin.file("/a.bin.sha256", Body::bytes(line(2, "a.bin")));
        let held = if gated == "/a.bin" { file.gate_at(100_000) } else { sums.gate_at(10) };
        let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
        home.until_record(id, other, |record| record.state == RecordState::Completed).await;
        held.release();
        let owed = owed_in(&ear.hear_until_owed_for(id).await);
        assert_eq!((owed[0].result, owed[0].failure_reason), (RegistrationResult::Failure, FailureReason::FetchError));
        assert_eq!(owed[0].failure.as_ref().unwrap().code, "digest-mismatch");
        assert_eq!((owed[0].succeeded, owed[0].failed), (1, 1));
        let records = home.records(id, 0, 0).await.unwrap();
        assert!(is_wrong(&records[0]), "{gated} last: {:?}", records[0]);
        home.until_names(&["a.bin.sha256"]).await;
    }
}

#[tokio::test]
async fn checksum_list_verifies_only_files_that_it_contains() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for (path, seed) in [("/pub/a.bin", 1), ("/pub/sub/b.bin", 2), ("/pub/c.bin", 3), ("/mirror/d.bin", 4)] {
        origin.file(path, Body::seeded(seed, SIZE));
    }
    let list = [line(1, "a.bin"), line(2, "./sub/b.bin"), line(9, "missing.bin"), line(4, "d.bin")].concat();
    origin.file("/pub/SHA256SUMS", Body::bytes(list));
    let paths = ["/pub/a.bin", "/pub/SHA256SUMS", "/pub/sub/b.bin", "/pub/c.bin", "/mirror/d.bin"];
    let id = home.fetch(paths.map(|path| origin.url(path))).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let records = home.records(id, 0, 0).await.unwrap();
    for (index, seed) in [(0, 1), (2, 2), (4, 4)] {
        assert!(is_right(&records[index], seed), "{:?}", records[index]);
    }
    assert_eq!((records[3].verified, records[3].digest.as_deref()), (Some(RecordedVerification::No), None));
}

#[tokio::test]
async fn every_kind_of_checksum_file_is_understood() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let bytes = content(1, SIZE);
    let sha512 = hex::encode(sha2::Sha512::digest(&bytes));
    // The digests of "abc" from RFC 1321, appendix A.5, and FIPS 180-2, appendix A.1.
    origin.file("/m.bin", Body::bytes("abc"));
    origin.file("/m.bin.md5", Body::bytes("MD5 (m.bin) = 900150983cd24fb0d6963f7d28e17f72\n"));
    origin.file("/s.bin", Body::seeded(1, SIZE));
    origin.file("/s.bin.sha512", Body::bytes(sha512.to_uppercase()));
    let paths = ["/m.bin", "/m.bin.md5", "/s.bin", "/s.bin.sha512"];
    let id = home.fetch(paths.map(|path| origin.url(path))).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let records = home.records(id, 0, 0).await.unwrap();
    for index in [0, 2] {
        assert_eq!(records[index].verified, Some(RecordedVerification::ByDigest), "{:?}", records[index]);
    }
    assert_eq!(records[0].digest.as_deref(), Some("md5=900150983cd24fb0d6963f7d28e17f72"));
    assert_eq!(records[2].digest, Some(format!("sha-512={sha512}")));
}

#[tokio::test]
async fn crash_between_file_and_checksum_file_does_not_change_result() {
    for (seed, result) in [(1, RegistrationResult::Success), (2, RegistrationResult::Failure)] {
        for (gated, other) in [("/a.bin", 1), ("/a.bin.sha256", 0)] {
            let (origin, mut home) = (Origin::start().await, Home::open().await);
            let file = origin.file("/a.bin", Body::seeded(1, SIZE));
            let sums = origin.file("/a.bin.sha256", Body::bytes(line(seed, "a.bin")));
            let held = if gated == "/a.bin" { file.gate_at(100_000) } else { sums.gate_at(10) };
            let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
            home.until_record(id, other, |record| record.state == RecordState::Completed).await;
            home.crash().await;
            held.release();
            home.reopen().await;
            assert_eq!(home.settled(id).await.result, result, "{gated} last");
            let records = home.records(id, 0, 0).await.unwrap();
            if result == RegistrationResult::Success {
                assert!(is_right(&records[0], 1), "{:?}", records[0]);
                home.until_names(&["a.bin", "a.bin.sha256"]).await;
            } else {
                assert!(is_wrong(&records[0]), "{:?}", records[0]);
                home.until_names(&["a.bin.sha256"]).await;
            }
        }
    }
}

#[tokio::test]
async fn file_with_wrong_checksum_is_replaced_by_correct_file_on_retry() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a.bin", Body::seeded(2, SIZE));
    origin.file("/SHA256SUMS", Body::bytes(line(1, "a.bin")));
    let id = home.fetch([origin.url("/a.bin"), origin.url("/SHA256SUMS")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    home.until_names(&["SHA256SUMS"]).await;
    // The server still sends the wrong content. But the right checksum is known from the first try, so this time the
    // file does not get its final name.
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    assert!(is_wrong(&home.records(id, 0, 1).await.unwrap()[0]));
    let _ = file.content(Body::seeded(1, SIZE));
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(is_right(&home.records(id, 0, 1).await.unwrap()[0], 1));
    home.until_names(&["SHA256SUMS", "a.bin"]).await;
    assert_eq!(home.bytes("a.bin"), content(1, SIZE));
}

#[tokio::test]
async fn wrong_file_is_detected_even_if_its_checksum_file_arrives_late() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a.bin", Body::seeded(1, SIZE));
    let sums = origin.file("/a.bin.sha256", Body::bytes(line(2, "a.bin"))).status(404).times(1);
    let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.failure_reason, settled.succeeded), (FailureReason::BadStatus, 1));
    assert_eq!(home.records(id, 0, 1).await.unwrap()[0].verified, Some(RecordedVerification::No));
    assert_eq!(home.retry(id).await.unwrap(), 1);
    let settled = home.settled(id).await;
    assert_eq!(settled.failure.unwrap().code, "digest-mismatch");
    assert!(is_wrong(&home.records(id, 0, 1).await.unwrap()[0]));
    home.until_names(&["a.bin.sha256"]).await;
    assert_eq!(sums.requests().len(), 2);
}

#[tokio::test]
async fn file_with_wrong_checksum_is_kept_if_user_has_edited_it() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a.bin", Body::seeded(1, SIZE));
    let sums = origin.file("/a.bin.sha256", Body::bytes(line(2, "a.bin"))).gate_at(10);
    let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
    home.until_record(id, 0, |record| record.state == RecordState::Completed).await;
    std::fs::write(home.downloads().join("a.bin"), "mine").unwrap();
    sums.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    assert!(is_wrong(&home.records(id, 0, 1).await.unwrap()[0]));
    home.until_names(&["a.bin", "a.bin.sha256"]).await;
    assert_eq!(home.bytes("a.bin"), b"mine");
}

#[tokio::test]
async fn optional_file_with_wrong_checksum_is_removed_and_download_succeeds() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a.bin", Body::seeded(1, SIZE));
    origin.file("/a.bin.sha256", Body::bytes(line(2, "a.bin")));
    let optional = NewRequest { optional: true, ..get(origin.url("/a.bin")) };
    let id = home.create(Home::ask_for([optional, get(origin.url("/a.bin.sha256"))])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(is_wrong(&home.records(id, 0, 1).await.unwrap()[0]));
    home.until_names(&["a.bin.sha256"]).await;
}

#[tokio::test]
async fn unusable_checksum_file_is_reported_and_unverified_file_is_kept() {
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    let of_others = [line(3, "b.bin"), line(4, "c.bin")].concat();
    let forms = ["<!doctype html><html>Please sign in.</html>", "", "\0\u{1}binary", md5, of_others.as_str()];
    for (index, text) in forms.into_iter().enumerate() {
        for (gated, other) in [("/a.bin", 1), ("/a.bin.sha256", 0)] {
            let (origin, home) = (Origin::start().await, Home::open().await);
            let file = origin.file("/a.bin", Body::seeded(1, SIZE));
            let sums = origin.file("/a.bin.sha256", Body::bytes(text.to_owned()));
            let held = (index == 0).then(|| if gated == "/a.bin" { file.gate_at(100_000) } else { sums.gate_at(10) });
            let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
            if let Some(held) = held {
                home.until_record(id, other, |record| !matches!(record.state, RecordState::Pending | RecordState::Active)).await;
                held.release();
            }
            let settled = home.settled(id).await;
            assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Failure, 1), "{text:?}");
            assert_eq!(settled.failure.unwrap().code, "checksum-file", "{text:?}");
            let records = home.records(id, 0, 0).await.unwrap();
            assert_eq!((records[0].verified, records[0].digest.as_deref()), (Some(RecordedVerification::No), None), "{text:?}");
            assert_eq!((records[1].state, records[1].path.as_deref()), (RecordState::Dead, None), "{text:?}");
            home.until_names(&["a.bin"]).await;
        }
    }
}

#[tokio::test]
async fn unusable_checksum_file_is_replaced_on_retry() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a.bin", Body::seeded(1, SIZE));
    let sums = origin.file("/a.bin.sha256", Body::bytes("Sign in."));
    let id = home.fetch([origin.url("/a.bin"), origin.url("/a.bin.sha256")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    let _ = sums.content(Body::bytes(line(1, "a.bin")));
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(is_right(&home.records(id, 0, 1).await.unwrap()[0], 1));
}

#[tokio::test]
async fn every_published_checksum_format_accepts_correct_and_rejects_wrong_file() {
    for seed in [1, 2] {
        let digest = hex::encode(Sha256::digest(content(seed, SIZE)));
        let wide: Vec<u8> = format!("\u{feff}{digest}  a.bin\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let forms: [(&str, Vec<u8>); 6] = [
            ("/a.bin.sha256", wide),
            ("/a.bin.sha256", format!("{}  other\r{digest}  C:\\out\\a.bin\r", "0".repeat(64)).into()),
            ("/a.bin.checksum", format!("SHA256: {}\n", digest.to_uppercase()).into()),
            ("/CHECKSUM", format!("# a.bin: 3 bytes\nSHA256 (a.bin) = {digest}\n").into()),
            ("/a.sha256", format!("SHA256 hash of file a.bin:\r\n{digest}\r\nCertUtil: done.\r\n").into()),
            ("/checksums.json", format!("{{\"a.bin\": {{\"sha256\": \"{digest}\"}}}}").into()),
        ];
        for (path, bytes) in forms {
            let (origin, home) = (Origin::start().await, Home::open().await);
            origin.file("/a.bin", Body::seeded(1, SIZE));
            origin.file(path, Body::bytes(bytes));
            let id = home.fetch([origin.url("/a.bin"), origin.url(path)]).await;
            let result = home.settled(id).await.result;
            let record = home.records(id, 0, 1).await.unwrap().remove(0);
            match seed {
                1 => assert!(result == RegistrationResult::Success && is_right(&record, 1), "{path}: {record:?}"),
                _ => assert!(result == RegistrationResult::Failure && is_wrong(&record), "{path}: {record:?}"),
            }
        }
    }
}

#[tokio::test]
async fn checksum_of_caller_overrides_checksum_file() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a.bin", Body::seeded(1, SIZE));
    origin.file("/a.bin.sha256", Body::bytes(line(2, "a.bin")));
    let checksum = Some(format!("sha-256={}", hex::encode(Sha256::digest(content(1, SIZE)))));
    let sure = NewRequest { checksum, ..get(origin.url("/a.bin")) };
    let id = home.create(Home::ask_for([sure, get(origin.url("/a.bin.sha256"))])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(is_right(&home.records(id, 0, 1).await.unwrap()[0], 1));
}
