//! Verifies a complete file, then publishes it with its digests and times.
//!
//! `publish.rs` chooses and creates the final name. All functions block.

use std::{ops::Range, sync::atomic::Ordering};

use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    failpoint,
    model::{
        digest::FileDigest,
        failure::TransferFailure,
        failure_kind::FailureKind,
        spec::{ExpectedContent, PieceHashes},
    },
    partial::{PublishedFile, state::PartialState, stream_hasher::StreamHasher},
    plan::progress::ByteCounters,
};

/// Result of verifying a whole file.
#[derive(Debug)]
pub(crate) enum FinalCheck {
    /// The file is correct. Contains a digest for every requested algorithm.
    Right(Vec<FileDigest>),
    /// Only these bytes are wrong. They must be fetched again.
    Wrong(Vec<Range<u64>>),
    /// The digest differs from the expected one. It is unknown which bytes are wrong.
    Differs { expected: FileDigest, found: FileDigest },
    /// Adjacent segments from different connections do not match. It is unknown which segment is wrong.
    Torn,
    /// Verification was stopped.
    Stopped,
}

/// Result of placing a file.
#[derive(Debug)]
pub(crate) enum PlacedFile {
    At(PublishedFile),
    /// Another program changed these bytes after verification. They must be fetched again.
    Wrong(Vec<Range<u64>>),
    /// The path of the partial file no longer exists, or leads to another file.
    Gone,
}

/// Verifies the whole file.
///
/// Blocks from an earlier run, and blocks that another program may have changed, are compared with their checksums.
/// Pieces and digests are compared with the expected values. Before all this, the journal records that all bytes are
/// present.
pub(crate) fn check(
    mut held: PartialState,
    expected: &ExpectedContent,
    stop: &CancellationToken,
    counters: &ByteCounters,
) -> (PartialState, Result<FinalCheck, TransferFailure>) {
    let checked = look(&mut held, expected, stop, counters);
    (held, checked)
}

fn look(
    held: &mut PartialState,
    expected: &ExpectedContent,
    stop: &CancellationToken,
    counters: &ByteCounters,
) -> Result<FinalCheck, TransferFailure> {
    let Some(total) = held.record.total.filter(|total| held.have.prefix() == *total && held.have.end() == *total) else {
        return Err(TransferFailure::new(FailureKind::Truncated, "the length is not right"));
    };
    let of_disk = |error: std::io::Error| TransferFailure::of_disk(&error, "reading the file");
    // If another program may have changed the file, do not compare the segment boundaries: only the checksums show the
    // changed bytes.
    if !held.is_in_doubt().map_err(of_disk)? && !held.settle_seams().map_err(of_disk)? {
        return Ok(FinalCheck::Torn);
    }
    held.ended(total);
    // If the response stated no length, only the journal contains the length. A later run needs it to recognise the
    // placed file.
    if held.has_journal() || held.record.is_unmeasured || held.record.head.total_size.is_none() {
        held.checkpoint()?;
    }
    counters.durable.store(held.durable(), Ordering::Release);
    let go_on = || !stop.is_cancelled();
    let rotten = held.rotten(go_on).map_err(of_disk)?;
    if !rotten.is_empty() {
        tracing::warn!(guid = %held.record.guid, blocks = rotten.len(), "data read back from disk differs from the data written");
        return Ok(FinalCheck::Wrong(rotten));
    }
    if go_on() && !held.settle_seams().map_err(of_disk)? {
        return Ok(FinalCheck::Torn);
    }
    let mut follower = std::mem::take(&mut held.follower);
    match follower.catch_up(&held.part, total, go_on) {
        Ok(true) if go_on() => {}
        Ok(_) => return Ok(FinalCheck::Stopped),
        Err(error) if is_truncated(&error) => return changed_during_read(held),
        Err(error) => return Err(of_disk(error)),
    }
    let (digests, wrong) = follower.finish();
    if !wrong.is_empty() {
        return Ok(FinalCheck::Wrong(wrong));
    }
    for wanted in &expected.digests {
        if let Some(found) = digests.iter().find(|digest| digest.algorithm == wanted.algorithm)
            && found != wanted
        {
            if held.is_in_doubt().map_err(of_disk)? {
                return changed_during_read(held);
            }
            return Ok(FinalCheck::Differs { expected: wanted.clone(), found: found.clone() });
        }
    }
    Ok(FinalCheck::Right(digests))
}

/// Finds the bytes that another program changed while the file was read.
fn changed_during_read(held: &mut PartialState) -> Result<FinalCheck, TransferFailure> {
    let of_disk = |error: std::io::Error| TransferFailure::of_disk(&error, "reading the file");
    held.doubt();
    let mut wrong = held.rotten(|| true).map_err(of_disk)?;
    if wrong.is_empty() {
        // No checksums show the missing bytes.
        wrong.extend(Some(held.truncated().map_err(of_disk)?).filter(|range| !range.is_empty()));
    }
    Ok(FinalCheck::Wrong(wrong))
}

/// Whether a read failed because another program has truncated the file.
fn is_truncated(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::UnexpectedEof
}

/// Finds the wrong pieces of a whole file.
pub(crate) fn locate(
    mut held: PartialState,
    pieces: PieceHashes,
    stop: &CancellationToken,
) -> (PartialState, Result<FinalCheck, TransferFailure>) {
    let mut follower = StreamHasher::new(&[], Some(pieces));
    let read = follower.catch_up(&held.part, held.have.end(), || !stop.is_cancelled());
    let located = match read {
        Ok(true) => Ok(FinalCheck::Wrong(follower.finish().1)),
        Ok(false) => Ok(FinalCheck::Stopped),
        Err(error) if is_truncated(&error) => changed_during_read(&mut held),
        Err(error) => Err(TransferFailure::of_disk(&error, "reading the file")),
    };
    (held, located)
}

/// Makes the file durable, gives it its final name, and returns the final path.
///
/// Fails if another program changed the file after verification.
pub(crate) fn place(mut held: PartialState, origin: &Url) -> (PartialState, Result<PlacedFile, TransferFailure>) {
    let placed = publish(&mut held, origin);
    (held, placed)
}

fn publish(held: &mut PartialState, origin: &Url) -> Result<PlacedFile, TransferFailure> {
    if !held.part.is_in_place() {
        return Ok(PlacedFile::Gone);
    }
    if held.is_in_doubt().map_err(|error| TransferFailure::of_disk(&error, "looking at the file"))? {
        let rotten = held.rotten(|| true).map_err(|error| TransferFailure::of_disk(&error, "reading the file"))?;
        if !rotten.is_empty() {
            return Ok(PlacedFile::Wrong(rotten));
        }
    }
    held.part.mark(origin);
    let mut missing =
        held.part.seal(held.have.end()).map_err(|error| TransferFailure::of_disk(&error, "making the file durable"))?;
    failpoint::hit("transfer.final-sync");
    let name = held.record.head.name.clone();
    failpoint::hit("transfer.before-place");
    let path = held.part.path().to_owned();
    let mut published = held.place(&name)?;
    missing.append(&mut published.missing);
    published.missing = missing;
    // A restart of the download sets the old file aside. This old file is no longer needed. If it cannot be removed
    // now, it is removed later, together with the name of the partial file.
    let _ = crate::partial::part::remove_aside(&path);
    failpoint::hit("transfer.aside-removed");
    Ok(PlacedFile::At(published))
}

/// Removes the partial file of a response without a body.
pub(crate) fn drop_part(held: &PartialState) -> Result<(), TransferFailure> {
    crate::partial::part::remove(held.part.path()).map_err(|error| TransferFailure::of_target(&error, "tidying up"))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tempfile::TempDir;

    use super::*;
    use crate::{model::digest::DigestAlgorithm, partial::segment_overlap::SegmentOverlap};

    const TEN: &[u8] = b"0123456789";
    /// MD5 digest of [`TEN`].
    ///
    /// [`HALVES`] contains the digest of the first half of [`TEN`], and a digest that matches no bytes.
    const MD5: &str = "md5=781e5e245d69b566979b86e28d23f2c7";
    const HALVES: [&str; 2] = ["4100c4d44da9177247e44a5fc1546778", "1ef2fe43ff6a7d5f4ad4cb7b2f4d5e21"];

    /// Returns the digests of both halves of [`TEN`], with `second` as the digest of the second half.
    fn pieces(second: &str) -> PieceHashes {
        let digests = [HALVES[0], second].map(|digits| digest(&format!("md5={digits}")).bytes).to_vec();
        PieceHashes { algorithm: DigestAlgorithm::Md5, length: 5, digests }
    }

    fn digest(text: &str) -> FileDigest {
        text.parse().unwrap()
    }

    /// Writes [`TEN`] to disk as a file of `total` bytes.
    fn held(folder: &TempDir, total: Option<u64>, follower: StreamHasher) -> PartialState {
        let part = crate::partial::part::PartialFile::create(folder.path().join("a.part")).unwrap();
        part.write(&[Bytes::from_static(TEN)], 0).unwrap();
        let mut held = PartialState::of_nothing(part, total, follower, false);
        held.have.insert(0..10);
        held
    }

    fn without_digests() -> StreamHasher {
        StreamHasher::new(&[], None)
    }

    fn check_result(held: PartialState, expected: &ExpectedContent, is_stopped: bool) -> Result<FinalCheck, FailureKind> {
        let stop = CancellationToken::new();
        if is_stopped {
            stop.cancel();
        }
        check(held, expected, &stop, &ByteCounters::default()).1.map_err(|failure| failure.kind)
    }

    #[test]
    fn file_of_wrong_length_or_with_hole_counts_as_truncated() {
        let folder = TempDir::new().unwrap();
        let of = |total, change: fn(&mut PartialState)| {
            let _ = std::fs::remove_file(folder.path().join("a.part"));
            let mut held = held(&folder, total, without_digests());
            change(&mut held);
            check_result(held, &ExpectedContent::default(), false)
        };
        let wrong = [
            of(None, |_| ()),
            of(Some(11), |_| ()),
            of(Some(9), |_| ()),
            of(Some(10), |held| held.have.remove(4..5)),
            // The file has all its bytes, and further bytes after its end.
            of(Some(10), |held| held.have.insert(12..13)),
        ];
        assert!(wrong.iter().all(|one| matches!(one, Err(FailureKind::Truncated))), "{wrong:?}");
        assert!(matches!(of(Some(10), |_| ()), Ok(FinalCheck::Right(digests)) if digests.is_empty()));
    }

    #[test]
    fn wrong_digest_is_reported_and_uncomputed_digest_is_ignored() {
        let folder = TempDir::new().unwrap();
        let of = |digests: &[FileDigest]| {
            let _ = std::fs::remove_file(folder.path().join("a.part"));
            let held = held(&folder, Some(10), StreamHasher::new(&[DigestAlgorithm::Md5], None));
            check_result(held, &ExpectedContent { digests: digests.to_vec(), ..ExpectedContent::default() }, false).unwrap()
        };
        let other = digest(&MD5.replace('7', "8"));
        assert!(matches!(of(&[digest(MD5)]), FinalCheck::Right(digests) if digests == [digest(MD5)]));
        let FinalCheck::Differs { expected, found } = of(std::slice::from_ref(&other)) else { panic!("it is another") };
        assert_eq!((expected, found), (other, digest(MD5)));
        let unmade = digest(&format!("sha-256={}", "0".repeat(64)));
        assert!(matches!(of(&[unmade]), FinalCheck::Right(_)));
    }

    #[test]
    fn pieces_with_wrong_digests_are_found_by_the_final_check_and_also_by_a_search() {
        let folder = TempDir::new().unwrap();
        let of = |pieces: PieceHashes| {
            let _ = std::fs::remove_file(folder.path().join("a.part"));
            check_result(held(&folder, Some(10), StreamHasher::new(&[], Some(pieces))), &ExpectedContent::default(), false)
                .unwrap()
        };
        let good = "099ebea48ea9666a7da2177267983138";
        assert!(matches!(of(pieces(good)), FinalCheck::Right(_)));
        let is_second_half =
            |checked: &FinalCheck| matches!(checked, FinalCheck::Wrong(ranges) if ranges.len() == 1 && ranges[0] == (5..10));
        assert!(is_second_half(&of(pieces(HALVES[1]))));
        for is_stopped in [false, true] {
            let _ = std::fs::remove_file(folder.path().join("a.part"));
            let stop = CancellationToken::new();
            if is_stopped {
                stop.cancel();
            }
            let located = locate(held(&folder, Some(10), without_digests()), pieces(HALVES[1]), &stop).1.unwrap();
            assert!(if is_stopped { matches!(located, FinalCheck::Stopped) } else { is_second_half(&located) }, "{located:?}");
        }
    }

    #[test]
    fn bytes_of_truncated_file_are_fetched_again_if_it_is_truncated_during_check() {
        let folder = TempDir::new().unwrap();
        let cut =
            |held: &PartialState| std::fs::OpenOptions::new().write(true).open(held.part.path()).unwrap().set_len(5).unwrap();
        for has_checksums in [true, false] {
            let mut truncated = held(&folder, Some(10), without_digests());
            truncated.has_checksums = has_checksums;
            cut(&truncated);
            let (_, located) = locate(truncated, pieces(HALVES[1]), &CancellationToken::new());
            let expected = if has_checksums { 0..10 } else { 5..10 };
            assert!(matches!(located, Ok(FinalCheck::Wrong(ranges)) if ranges == [expected]), "{has_checksums}");
            std::fs::remove_file(folder.path().join("a.part")).unwrap();
        }
    }

    #[test]
    fn segments_are_not_compared_if_another_program_truncated_or_edited_the_file() {
        let folder = TempDir::new().unwrap();
        for bytes in [&b"01"[..], b"xxxxxxxxxx"] {
            let mut changed = held(&folder, Some(10), without_digests());
            changed.record.seams = vec![SegmentOverlap::new(5, &TEN[3..5])];
            std::fs::write(changed.part.path(), bytes).unwrap();
            assert!(changed.settle_seams().unwrap() && !changed.is_torn);
            assert!(changed.is_in_doubt().unwrap() && changed.record.seams.len() == 1);
            std::fs::remove_file(folder.path().join("a.part")).unwrap();
        }
    }

    #[test]
    fn final_check_detects_mismatched_segments_and_stops_if_cancelled() {
        let folder = TempDir::new().unwrap();
        let mut torn = held(&folder, Some(10), without_digests());
        torn.record.seams = vec![SegmentOverlap::new(5, &TEN[3..5])];
        let (mut torn, checked) = check(torn, &ExpectedContent::default(), &CancellationToken::new(), &ByteCounters::default());
        assert!(matches!(checked, Ok(FinalCheck::Right(_))), "they fit");
        torn.record.seams = vec![SegmentOverlap::new(5, b"xx")];
        assert!(matches!(check_result(torn, &ExpectedContent::default(), false), Ok(FinalCheck::Torn)));
        std::fs::remove_file(folder.path().join("a.part")).unwrap();
        assert!(matches!(
            check_result(held(&folder, Some(10), without_digests()), &ExpectedContent::default(), true),
            Ok(FinalCheck::Stopped)
        ));
    }
}
