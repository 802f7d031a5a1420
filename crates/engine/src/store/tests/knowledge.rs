//! Tests the knowledge of the ledger about a file: its expected properties before the download, and its checksums after
//! the download.

use ashore_transfer::{DigestAlgorithm, FileDigest, PieceHashes, checksum_file::ListedChecksum};

use crate::{
    model::accepted::FileExpectation,
    store::{ChecksumResult, FileIdentity, tests::*},
};

const IDENTITY: FileIdentity = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };

fn digest(number: u8) -> FileDigest {
    FileDigest::new(DigestAlgorithm::Sha256, vec![number; 32]).unwrap()
}

fn line(name: &str, number: u8) -> ListedChecksum {
    ListedChecksum { name: Some(name.to_owned()), digest: digest(number) }
}

fn wrong() -> FailedResponse {
    failed(FailureReason::FetchError, "digest-mismatch")
}

impl Ledger {
    async fn judge(&self, guid: Guid, number: u8) -> ChecksumResult {
        let mut writing = self.store.begin().await.unwrap();
        let judgement = writing.judge(guid, &digest(number)).await.unwrap();
        writing.commit().await.unwrap();
        judgement
    }

    async fn apply_checksums(&self, guid: Guid, lines: &[ListedChecksum]) -> bool {
        let mut writing = self.store.begin().await.unwrap();
        let has_wrong = writing.take_in_checksums(guid, lines, &wrong(), 5_000_000).await.unwrap().has_wrong;
        writing.commit().await.unwrap();
        has_wrong
    }

    async fn place(&self, guid: Guid) -> Option<bool> {
        let mut writing = self.store.begin().await.unwrap();
        let response = completed(10);
        let touched = writing.write_completed_download_response(guid, &response, Some(IDENTITY), 5_000_000).await.unwrap();
        writing.commit().await.unwrap();
        touched.map(|touched| touched.settled)
    }
}

#[tokio::test]
async fn expected_file_properties_are_stored_and_read_with_request() {
    let ledger = Ledger::new().await;
    let known = FileExpectation {
        size: Some(5),
        digests: vec![digest(1)],
        pieces: Some(PieceHashes { algorithm: DigestAlgorithm::Sha1, length: 3, digests: vec![vec![1; 20], vec![2; 20]] }),
        mirrors: vec!["https://mirror.test/a".parse().unwrap()],
        skip_existing: true,
    };
    let mut new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    new.requests[1].expectation = Some(Box::new(known.clone()));
    ledger.create(&new).await.unwrap();
    assert_eq!(ledger.count("expectation").await, 1, "nothing known costs nothing");
    assert_eq!(ledger.take().await.unwrap().expectation, None);
    assert_eq!(ledger.take().await.unwrap().expectation.as_deref(), Some(&known));
    let again = ledger.store.active_requests().await.unwrap();
    assert_eq!(again.iter().filter_map(|request| request.expectation.as_deref()).collect::<Vec<_>>(), [&known]);
}

#[tokio::test]
async fn expected_file_properties_are_deleted_with_their_registration() {
    let ledger = Ledger::new().await;
    let mut new = asked("a", &["https://example.org/a", "https://example.org/SHA256SUMS"]);
    new.requests[0].expectation = Some(Box::new(FileExpectation { size: Some(5), ..FileExpectation::default() }));
    ledger.create(&new).await.unwrap();
    assert_eq!((ledger.count("expectation").await, ledger.count("voucher").await), (1, 1));
    let mut writing = ledger.store.begin().await.unwrap();
    writing.mark_for_removal(new.unique_id, false).await.unwrap();
    assert!(!writing.delete_registration(new.unique_id, 1).await.unwrap());
    assert!(!writing.delete_registration(new.unique_id, 1).await.unwrap());
    while !writing.delete_registration(new.unique_id, 1).await.unwrap() {}
    writing.commit().await.unwrap();
    assert_eq!((ledger.count("expectation").await, ledger.count("voucher").await), (0, 0));
}

#[tokio::test]
async fn file_is_verified_when_both_file_and_its_checksum_file_are_complete() {
    for (number, is_right) in [(1, true), (2, false)] {
        let ledger = Ledger::new().await;
        let new = asked("a", &["https://example.org/a", "https://example.org/a.sha256"]);
        ledger.create(&new).await.unwrap();
        let (file, sums) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
        assert_eq!((file.compute, file.vouches), (Some(DigestAlgorithm::Sha256), false));
        assert_eq!((sums.compute, sums.vouches), (None, true));
        assert_eq!(ledger.judge(file.guid, number).await, ChecksumResult::Open);
        assert_eq!(ledger.place(file.guid).await, Some(false));
        assert_eq!(ledger.apply_checksums(sums.guid, &[line("a", 1)]).await, !is_right);
        assert_eq!(ledger.place(sums.guid).await, Some(true));
        assert_eq!(ledger.audit().await, [""; 0]);
        let record = ledger.store.records(new.unique_id, 0, 1, false).await.unwrap().remove(0);
        let shown = ledger.show(new.unique_id).await;
        if is_right {
            assert_eq!((record.verified, record.digest), (Some(RecordedVerification::ByDigest), Some(digest(1).to_string())));
            assert_eq!((shown.succeeded, ledger.count("file_gc").await), (2, 0));
        } else {
            assert_eq!((record.code.as_deref(), record.path, record.attempts), (Some("digest-mismatch"), None, 1));
            assert_eq!((shown.succeeded, shown.failed, shown.failure.unwrap().code.as_str()), (1, 1, "digest-mismatch"));
            let doomed = ledger.store.file_gc().await.unwrap();
            assert_eq!(doomed.len(), 1);
            assert!(doomed[0].outright && doomed[0].identity == Some(IDENTITY));
            assert_eq!(ledger.store.wants_partial(file.guid).await.unwrap(), Some(false));
        }
    }
}

#[tokio::test]
async fn known_checksums_are_applied_to_waiting_and_running_requests() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/SHA256SUMS", "https://example.org/a", "https://example.org/b"]);
    ledger.create(&new).await.unwrap();
    let (sums, early) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    assert_eq!(early.said, []);
    assert!(!ledger.apply_checksums(sums.guid, &[line("a", 1), line("b", 2)]).await);
    assert_eq!(ledger.place(sums.guid).await, Some(false));
    let late = ledger.take().await.unwrap();
    assert_eq!(late.said, [digest(2)]);
    assert_eq!(ledger.judge(early.guid, 1).await, ChecksumResult::Right);
    assert_eq!(ledger.judge(late.guid, 1).await, ChecksumResult::Wrong);
    assert_eq!(ledger.judge(fresh(), 1).await, ChecksumResult::Open, "the digest is unknown");
}

#[tokio::test]
async fn checksums_are_ignored_after_their_checksum_file_was_completed() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/a", "https://example.org/a.sha256"])).await.unwrap();
    let (file, sums) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    assert_eq!(ledger.place(sums.guid).await, Some(false));
    assert!(!ledger.apply_checksums(sums.guid, &[line("a", 2)]).await);
    assert_eq!(ledger.judge(file.guid, 1).await, ChecksumResult::Open);
}
