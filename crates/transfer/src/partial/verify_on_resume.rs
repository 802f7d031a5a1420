//! Determines from which bytes of a partial file another run may resume.
//!
//! Such bytes are listed in the journal, are still in the file, and have a checksum.
//!
//! Complete blocks are verified when the file is complete. An incomplete block must be verified now, because its final
//! checksum will also cover later bytes. This module reads the bytes of incomplete blocks. Bytes that differ or have no
//! checksum are fetched again.

use std::{collections::BTreeSet, io};

use crate::{
    partial::{
        block_checksums::{self, BLOCK, BlockChecksums},
        journal::{Journal, JournalRecord},
        part::PartialFile,
    },
    plan::byte_ranges::ByteRanges,
};

/// Returns the trusted bytes of `part`, and the state of its incomplete blocks. Waits for disk I/O.
pub(crate) fn vouched(part: &PartialFile, journal: &Journal, record: &JournalRecord) -> io::Result<(ByteRanges, BlockChecksums)> {
    let mut have = record.durable.below(part.length()?);
    let mut blocks = BlockChecksums::default();
    for index in edges(&have) {
        let whole = record.total.map(|total| block_checksums::range_of(index, total));
        if whole.is_some_and(|whole| have.contains(&whole)) && journal.checksum(index)?.is_some() {
            continue;
        }
        let block = block_checksums::range_of(index, u64::MAX);
        let claimed = have.count_in(&block);
        let begun = record.begun.iter().filter(|begun| begun.index() == Some(index) && have.contains(&begun.range()));
        // Bytes that cannot be read count as missing.
        let right = begun.filter(|begun| part.read(begun.range()).is_ok_and(|bytes| begun.holds(&bytes)));
        let right: Vec<_> = right.collect();
        have.remove(block.clone());
        for begun in right {
            have.insert(begun.range());
            blocks.resume(begun);
        }
        if have.count_in(&block) < claimed {
            tracing::info!(guid = %record.guid, block = index, "block is only partly verified; unverified bytes will be downloaded again");
        }
    }
    Ok((have, blocks))
}

/// Returns the indexes of all blocks in which a range begins or ends.
fn edges(have: &ByteRanges) -> BTreeSet<u64> {
    let ends = have.iter().flat_map(|range| [range.start, range.end]);
    ends.filter(|at| !at.is_multiple_of(BLOCK)).map(|at| at / BLOCK).collect()
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::FileExt, path::Path};

    use bytes::Bytes;
    use uuid::Uuid;

    use super::*;
    use crate::{
        model::{event::ResponseSummary, spec::Guid, validators::Validators},
        partial::block_checksums::{BlockChecksum, OpenBlock},
    };

    const SIZE: u64 = 3 * BLOCK + 500;
    /// End of the contiguous bytes in the incomplete second block, as a file offset.
    const BEGUN: u64 = BLOCK + 1000;

    fn record(durable: &[(u64, u64)], begun: Vec<OpenBlock>) -> JournalRecord {
        JournalRecord {
            guid: Guid(Uuid::from_u128(7)),
            method: "GET".to_owned(),
            url: "http://127.0.0.1/a".to_owned(),
            head: ResponseSummary {
                status: 200,
                status_text: String::new(),
                headers: Vec::new(),
                url_chain: Vec::new(),
                total_size: Some(SIZE),
                name: "a".to_owned(),
            },
            validators: Validators { etag: None, last_modified: None },
            total: Some(SIZE),
            may_resume: true,
            durable: durable.to_vec().try_into().unwrap(),
            seams: Vec::new(),
            begun,
            resumed: false,
            by_overlap: false,
            is_unmeasured: false,
            restarts: 0,
            short_end: None,
            contradicted: None,
            placing: None,
        }
    }

    fn content() -> Vec<u8> {
        (0..SIZE).map(|at| (at * 31 % 251) as u8).collect()
    }

    /// Creates a partial file with all its bytes, even those that its journal does not list.
    fn partial(folder: &Path) -> (PartialFile, Journal) {
        let part = PartialFile::create(folder.join("a.part")).unwrap();
        part.write(&[Bytes::from(content())], 0).unwrap();
        (part, Journal::create(&folder.join("a.part.ashore")).unwrap())
    }

    fn begun(at: u64, end: u64) -> OpenBlock {
        let bytes = &content()[usize::try_from(at).unwrap()..usize::try_from(end).unwrap()];
        OpenBlock { at, length: end - at, crc: crc32fast::hash(bytes) }
    }

    fn pairs(have: ByteRanges) -> Vec<(u64, u64)> {
        have.into()
    }

    #[test]
    fn incomplete_block_is_trusted_if_its_checksum_matches() {
        let folder = tempfile::tempdir().unwrap();
        let (part, journal) = partial(folder.path());
        let last = begun(3 * BLOCK, SIZE);
        let claimed = record(&[(0, BEGUN), (2 * BLOCK, SIZE)], vec![begun(BLOCK, BEGUN), last]);
        let (have, mut blocks) = vouched(&part, &journal, &claimed).unwrap();
        assert_eq!(have, claimed.durable);
        blocks.ended(SIZE);
        let whole = content();
        assert_eq!(blocks.take(), [(3, BlockChecksum::of_block(&whole[3 << 20..]))], "the incomplete block is continued");
        assert_eq!(blocks.begun(), [begun(BLOCK, BEGUN)]);

        let file = std::fs::OpenOptions::new().write(true).open(folder.path().join("a.part")).unwrap();
        file.write_all_at(&[!whole[1 << 20]], BLOCK).unwrap();
        let (have, blocks) = vouched(&part, &journal, &claimed).unwrap();
        assert_eq!((pairs(have), blocks.begun()), (vec![(0, BLOCK), (2 * BLOCK, SIZE)], vec![last]));
        file.set_len(SIZE - 1).unwrap();
        let (have, _) = vouched(&part, &journal, &claimed).unwrap();
        assert_eq!(pairs(have), [(0, BLOCK), (2 * BLOCK, 3 * BLOCK)]);
    }

    #[test]
    fn unverified_bytes_are_dropped_and_complete_blocks_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (part, mut journal) = partial(folder.path());
        let of = |journal: &Journal, durable: &[(u64, u64)], begun: &[OpenBlock]| {
            pairs(vouched(&part, journal, &record(durable, begun.to_vec())).unwrap().0)
        };
        assert_eq!(of(&journal, &[(0, BEGUN), (2 * BLOCK + 1, SIZE)], &[]), [(0, BLOCK)], "as an earlier version left it");
        let fragments = [(BLOCK, BEGUN + 1), (BEGUN + 5, BEGUN + 9)];
        assert_eq!(of(&journal, &fragments, &[begun(BLOCK, BEGUN)]), [(BLOCK, BEGUN)]);
        let all = [begun(BLOCK, BEGUN + 1), begun(BEGUN + 5, BEGUN + 9)];
        assert_eq!(of(&journal, &fragments, &all), fragments, "each for itself");
        let absurd = [OpenBlock { at: 0, length: u64::MAX, crc: 0 }, OpenBlock { at: 1, length: 4, crc: 0 }, begun(0, 900)];
        assert_eq!(of(&journal, &[(0, 800)], &absurd), [], "the record claims more bytes than the file has");
        journal.write(&record(&[(0, SIZE)], vec![]), &[(3, BlockChecksum::of_block(b"whatever"))]).unwrap();
        assert_eq!(of(&journal, &[(0, SIZE)], &[]), [(0, SIZE)], "the last block is whole, and looked at like the others");
        assert_eq!(of(&journal, &[(0, SIZE - 1)], &[]), [(0, 3 * BLOCK)]);
    }
}
