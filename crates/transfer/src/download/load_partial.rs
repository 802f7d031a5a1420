//! Loads the state of an earlier run from disk, and decides whether to trust it.

use std::{io, path::Path};

use tokio_util::sync::CancellationToken;

use crate::{
    download::context::RunContext,
    model::{
        digest::FileDigest,
        failure::{TransferFailure, is_out_of_descriptors},
        failure_kind::FailureKind,
        outcome::{CompletedTransfer, MissingGuarantee, Verification},
        spec::{ExpectedContent, TransferSpec},
    },
    partial::{
        self,
        finalize::{self, FinalCheck},
        journal::{Journal, JournalRecord},
        part::{PartialFile, SyncOutcome},
        scan::remove_placeholder,
        state::PartialState,
        stream_hasher::StreamHasher,
    },
    plan::progress::ByteCounters,
};

/// State of a transfer on disk.
pub(crate) enum LoadedPartial {
    /// No bytes, or only bytes that no record confirms.
    Nothing,
    /// Bytes that can be resumed.
    Partial(Box<PartialState>),
    /// The finished file. The caller has not recorded its completion yet.
    Placed(CompletedTransfer),
    /// The run was stopped before the state was known.
    Stopped,
}

/// State of a file that has two names: its final name, and the name of the partial file.
enum Seen {
    /// The complete file from this transfer.
    Finished(CompletedTransfer),
    /// Another file, or a file that possibly comes from another source.
    Other(&'static str),
    Stopped,
}

/// Loads the state of a transfer from disk. Ends early if `stop` is cancelled. Blocks on disk I/O.
///
/// Fails if the folder cannot be used.
pub(crate) fn on_disk(
    shared: &RunContext,
    spec: &TransferSpec,
    stop: &CancellationToken,
    counters: &ByteCounters,
) -> Result<LoadedPartial, TransferFailure> {
    match std::fs::metadata(&spec.folder) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(TransferFailure::new(FailureKind::Target, "the target is no folder")),
        Err(error) => return Err(TransferFailure::of_target(&error, "looking at the folder")),
    }
    let found = shared.index.find(spec.guid, &spec.folder);
    let Some((found, record)) = found.map_err(|error| TransferFailure::of_target(&error, "reading the folder"))? else {
        return Ok(LoadedPartial::Nothing);
    };
    if let Some(path) = found.placed {
        let seen = match record {
            Some(record) => seen_by_journal(spec, &path, &found.part, record, stop, counters)?,
            None => seen_alone(spec, &path)?,
        };
        match seen {
            Seen::Finished(completed) => {
                let synced = partial::part::sync_folder(&spec.folder);
                let synced = synced.map_err(|error| TransferFailure::of_disk(&error, "making the file's name durable"))?;
                let missing = Vec::from_iter((synced == SyncOutcome::NotSupported).then_some(MissingGuarantee::FolderSync));
                return Ok(LoadedPartial::Placed(CompletedTransfer { missing, ..completed }));
            }
            Seen::Stopped => return Ok(LoadedPartial::Stopped),
            Seen::Other(why) => {
                // Remove only the name of the partial file. The file belongs to the user and keeps its other name.
                tracing::warn!(guid = %spec.guid, path = %path.display(), why, "placed file does not match the transfer; downloading again");
                partial::part::remove_begun(&found.part).map_err(|error| TransferFailure::of_target(&error, "tidying up"))?;
                return Ok(LoadedPartial::Nothing);
            }
        }
    }
    let announced = record.filter(|record| record.guid == spec.guid);
    let journal = Journal::open(&partial::part::journal_of(&found.part));
    let journal = journal.map_err(|error| TransferFailure::of_disk(&error, "reading the journal"))?;
    let may_go_on = |record: &JournalRecord| {
        // The size in this record and `known_size`, which the caller recorded, come from the same response. They must
        // be equal.
        let contradicts = record.total.zip(spec.known_size).is_some_and(|(total, known)| total != known);
        record.may_resume && record.guid == spec.guid && record.is_possible() && !contradicts
    };
    if let Some((journal, record)) = journal.filter(|(_, record)| may_go_on(record))
        && let follower = spec.follower(&record.head)
        && let Some(part) = opened(&found.part)?
        && let Ok(held) = PartialState::reopened(part, journal, record, follower)
        && held.have.count() > 0
    {
        held.cut_untrusted();
        return Ok(LoadedPartial::Partial(Box::new(held)));
    }
    if let Some(record) = &announced {
        remove_placeholder(&found.part, record)
            .map_err(|error| TransferFailure::of_target(&error, "removing what an earlier run left"))?;
    }
    // Remove these bytes: no record confirms them, and the length alone proves nothing. But keep the old file that an
    // earlier restart set aside, until the download is complete.
    partial::part::remove_begun(&found.part).map_err(|error| TransferFailure::of_target(&error, "tidying up"))?;
    Ok(LoadedPartial::Nothing)
}

/// Verifies the file at `path` with the journal of `partial` and the expected digests.
///
/// Reads the whole file again, although it was verified before it was placed.
fn seen_by_journal(
    spec: &TransferSpec,
    path: &Path,
    partial: &Path,
    record: JournalRecord,
    stop: &CancellationToken,
    counters: &ByteCounters,
) -> Result<Seen, TransferFailure> {
    let of_disk = |error: io::Error| TransferFailure::of_disk(&error, "reading the file");
    let journal = Journal::open(&partial::part::journal_of(partial)).map_err(of_disk)?;
    let Some((journal, _)) = journal.filter(|(_, record)| record.guid == spec.guid) else {
        return Ok(Seen::Other("its journal is another one's"));
    };
    let expected = spec.expected_of(&record.head);
    let follower = spec.follower(&record.head);
    let placed = PartialFile::open_placed(path.to_owned()).map_err(of_disk)?;
    let mut held = PartialState::reopened(placed, journal, record, follower).map_err(of_disk)?;
    held.doubt();
    counters.hold(held.have.count(), held.record.total);
    let (held, checked) = finalize::check(held, &expected, stop, counters);
    match checked {
        Ok(FinalCheck::Right(digests)) => {
            let verified = if expected.says_all() { Verification::ByDigest } else { held.record.verified() };
            Ok(Seen::Finished(completed(path, held.have.end(), verified, &expected, &digests)))
        }
        Ok(FinalCheck::Stopped) => Ok(Seen::Stopped),
        Ok(FinalCheck::Wrong(_) | FinalCheck::Torn) => Ok(Seen::Other("its bytes are not those that were written")),
        Ok(FinalCheck::Differs { .. }) => Ok(Seen::Other("its digest is not the expected one")),
        Err(failure) if matches!(failure.kind, FailureKind::Truncated | FailureKind::PartialChanged) => {
            Ok(Seen::Other("not all of it is there"))
        }
        Err(failure) => Err(failure),
    }
}

/// Verifies the file at `path` without a journal.
///
/// The journal is missing if the file was complete before its first checkpoint. The file must have the length from the
/// response, and the expected digests.
fn seen_alone(spec: &TransferSpec, path: &Path) -> Result<Seen, TransferFailure> {
    let of_disk = |error: io::Error| TransferFailure::of_disk(&error, "reading the file");
    let placed = PartialFile::open_placed(path.to_owned()).map_err(of_disk)?;
    let size = placed.length().map_err(of_disk)?;
    let expected = &spec.expected;
    if [spec.known_size, expected.size].into_iter().flatten().any(|known| known != size) {
        return Ok(Seen::Other("it has another length than its answer stated"));
    }
    let mut follower = StreamHasher::new(&expected.algorithms(), expected.pieces.clone());
    follower.catch_up(&placed, size, || true).map_err(of_disk)?;
    let (digests, wrong) = follower.finish();
    if !wrong.is_empty() || expected.digests.iter().any(|digest| !digests.contains(digest)) {
        return Ok(Seen::Other("its digest is not the expected one"));
    }
    let verified = if expected.says_all() { Verification::ByDigest } else { Verification::No };
    Ok(Seen::Finished(completed(path, size, verified, expected, &digests)))
}

fn completed(
    path: &Path,
    size: u64,
    verified: Verification,
    expected: &ExpectedContent,
    digests: &[FileDigest],
) -> CompletedTransfer {
    let computed = digests.iter().find(|digest| expected.compute == Some(digest.algorithm)).cloned();
    CompletedTransfer {
        path: Some(path.to_owned()),
        size,
        verified,
        digest: expected.strongest().cloned(),
        computed,
        missing: Vec::new(),
    }
}

/// Opens the partial file at `path`. Returns `None` if the file is not valid.
///
/// If no file descriptors are left, fails instead of returning `None`, because the file may still be valuable.
fn opened(path: &Path) -> Result<Option<PartialFile>, TransferFailure> {
    match PartialFile::open(path.to_owned()) {
        Err(error) if is_out_of_descriptors(&error) => Err(TransferFailure::of_disk(&error, "opening the partial")),
        opened => Ok(opened.ok()),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{File, OpenOptions},
        os::unix::fs::FileExt,
        path::PathBuf,
    };

    use bytes::Bytes;
    use tempfile::TempDir;
    use uuid::Uuid;

    use super::*;
    use crate::{model::spec::Guid, partial::block_checksums::BLOCK};

    const SIZE: u64 = 2 * BLOCK + 500;

    fn content() -> Vec<u8> {
        (0..SIZE).map(|at| (at * 31 % 251) as u8).collect()
    }

    fn spec(folder: &TempDir, expected: ExpectedContent) -> TransferSpec {
        let url = "http://127.0.0.1/a".parse().unwrap();
        TransferSpec { expected, ..TransferSpec::download(Guid(Uuid::from_u128(7)), url, folder.path().to_owned()) }
    }

    /// Creates a placed file, but does not record its completion.
    ///
    /// This is the state after a kill between these two steps. Returns the partial path, the final path, and the record
    /// in the journal.
    fn placed(folder: &TempDir) -> (PathBuf, PathBuf, JournalRecord) {
        let partial = folder.path().join("a.00000000.part");
        let mut held = PartialState::of_nothing(
            PartialFile::create(partial.clone()).unwrap(),
            Some(SIZE),
            StreamHasher::new(&[], None),
            true,
        );
        held.write(0, &[Bytes::from(content())]).unwrap();
        held.ended(SIZE);
        held.checkpoint().unwrap();
        held.part.seal(SIZE).unwrap();
        let path = held.place("a").unwrap().path;
        (partial, path, held.record)
    }

    type Change = fn(&File);

    fn seen(folder: &TempDir, expected: ExpectedContent, change: Change) -> Seen {
        let (partial, path, record) = placed(folder);
        change(&OpenOptions::new().write(true).open(&path).unwrap());
        let (stop, counters) = (CancellationToken::new(), ByteCounters::default());
        seen_by_journal(&spec(folder, expected), &path, &partial, record, &stop, &counters).unwrap()
    }

    fn sha256(of: &[u8]) -> FileDigest {
        let mut hasher = crate::integrity::hasher::Hasher::new(crate::model::digest::DigestAlgorithm::Sha256);
        hasher.update(of);
        hasher.finish()
    }

    fn expecting(digest: FileDigest) -> ExpectedContent {
        ExpectedContent { digests: vec![digest], ..ExpectedContent::default() }
    }

    #[test]
    fn file_under_its_final_name_counts_as_finished_if_checksums_match() {
        let folder = TempDir::new().unwrap();
        let is_no = |seen: Seen| matches!(seen, Seen::Finished(done) if done.verified == Verification::No && done.size == SIZE);
        assert!(is_no(seen(&folder, ExpectedContent::default(), |_| ())));
        let folder = TempDir::new().unwrap();
        let seen = seen(&folder, expecting(sha256(&content())), |_| ());
        assert!(matches!(seen, Seen::Finished(done) if done.verified == Verification::ByDigest));
    }

    /// Creates a complete file, placed by a rename instead of a hard link. Returns the old and the new path.
    fn renamed(folder: &TempDir) -> (PathBuf, PathBuf) {
        let partial = folder.path().join("a.part");
        let mut held = PartialState::of_nothing(
            PartialFile::create(partial.clone()).unwrap(),
            Some(SIZE),
            StreamHasher::new(&[], None),
            true,
        );
        held.write(0, &[Bytes::from(content())]).unwrap();
        held.ended(SIZE);
        held.part.seal(SIZE).unwrap();
        let path = held.place_by_calls(&partial::PublishSyscalls::without_links(), "a").unwrap().path;
        (partial, path)
    }

    #[test]
    fn renamed_file_is_recognised_as_complete_even_without_a_final_checkpoint() {
        let folder = TempDir::new().unwrap();
        let (partial, path) = renamed(&folder);
        assert!(!partial.exists(), "it was renamed");
        let seen = || {
            let record = partial::journal::read(&partial::part::journal_of(&partial)).unwrap();
            assert!(partial::hard_links::may_be_finished(&path, &path.metadata().unwrap(), Some(&record)));
            let (stop, counters) = (CancellationToken::new(), ByteCounters::default());
            seen_by_journal(&spec(&folder, ExpectedContent::default()), &path, &partial, record, &stop, &counters).unwrap()
        };
        assert!(matches!(seen(), Seen::Finished(done) if done.size == SIZE));
        // Replace the file by another file of the same length.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, vec![7; content().len()]).unwrap();
        assert!(matches!(seen(), Seen::Other(_)));
    }

    #[test]
    fn empty_file_under_final_name_is_removed_only_if_the_journal_announces_it() {
        let folder = TempDir::new().unwrap();
        let (partial, path) = renamed(&folder);
        let record = partial::journal::read(&partial::part::journal_of(&partial)).unwrap();
        remove_placeholder(&partial, &record).unwrap();
        assert!(path.exists(), "it has all of its bytes");

        std::fs::write(&path, "").unwrap();
        let unannounced = JournalRecord { placing: None, ..record.clone() };
        let of_nothing = JournalRecord { durable: crate::plan::byte_ranges::ByteRanges::default(), ..record.clone() };
        for other in [unannounced, of_nothing] {
            remove_placeholder(&partial, &other).unwrap();
            assert!(path.exists(), "{other:?}");
        }
        remove_placeholder(&partial, &record).unwrap();
        assert!(!path.exists());
        remove_placeholder(&partial, &record).unwrap();
    }

    #[test]
    fn file_under_its_final_name_is_not_finished_if_its_bytes_were_changed() {
        let changes: [(&str, Change); 6] = [
            ("edited", |file| file.write_all_at(b"x", BLOCK + 7).unwrap()),
            ("edited at its end", |file| file.write_all_at(b"x", SIZE - 1).unwrap()),
            ("zeroed", |file| file.write_all_at(&vec![0; SIZE as usize], 0).unwrap()),
            ("sparse", |file| file.set_len(0).and_then(|()| file.set_len(SIZE)).unwrap()),
            ("shorter", |file| file.set_len(SIZE - 1).unwrap()),
            ("half", |file| file.set_len(BLOCK).unwrap()),
        ];
        for (what, change) in changes {
            let folder = TempDir::new().unwrap();
            assert!(matches!(seen(&folder, ExpectedContent::default(), change), Seen::Other(_)), "{what}");
        }
    }

    #[test]
    fn file_under_its_final_name_is_not_finished_if_its_digest_is_wrong() {
        let folder = TempDir::new().unwrap();
        assert!(matches!(seen(&folder, expecting(sha256(b"another")), |_| ()), Seen::Other(_)));
    }

    #[test]
    fn file_under_its_final_name_is_not_finished_if_journal_belongs_to_another_transfer() {
        let folder = TempDir::new().unwrap();
        let (partial, path, record) = placed(&folder);
        let other = TransferSpec { guid: Guid(Uuid::from_u128(8)), ..spec(&folder, ExpectedContent::default()) };
        let seen = seen_by_journal(&other, &path, &partial, record, &CancellationToken::new(), &ByteCounters::default());
        assert!(matches!(seen.unwrap(), Seen::Other(_)));
    }

    #[test]
    fn file_under_its_final_name_without_journal_must_match_length_and_digest() {
        let folder = TempDir::new().unwrap();
        let (_, path, _) = placed(&folder);
        let of = |known_size, expected| seen_alone(&TransferSpec { known_size, ..spec(&folder, expected) }, &path).unwrap();
        assert!(matches!(of(Some(SIZE), ExpectedContent::default()), Seen::Finished(done) if done.verified == Verification::No));
        let right = of(None, expecting(sha256(&content())));
        assert!(matches!(right, Seen::Finished(done) if done.verified == Verification::ByDigest));
        for (known_size, expected) in [
            (Some(SIZE + 1), ExpectedContent::default()),
            (Some(SIZE), ExpectedContent { size: Some(SIZE - 1), ..ExpectedContent::default() }),
            (Some(SIZE), expecting(sha256(b"another"))),
        ] {
            assert!(matches!(of(known_size, expected.clone()), Seen::Other(_)), "{known_size:?} {expected:?}");
        }
    }
}
