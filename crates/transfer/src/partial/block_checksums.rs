//! Computes checksums of a file's blocks while the blocks are written. [pure]
//!
//! If the disk damages a block between two runs, only this block is fetched again. The checksum is a 32-bit CRC per
//! mebibyte. It detects blocks that were written only in part or have decayed. It costs almost nothing compared to the
//! copy of the bytes into the kernel. It does not protect against attackers: the digests of `hasher` do.

use std::{collections::HashMap, ops::Range};

use serde::{Deserialize, Serialize};

/// Size of a block in bytes. The last block of a file may be shorter.
pub(crate) const BLOCK: u64 = 1 << 20;

/// Returns the byte range of block `index` in a file of `size` bytes.
pub(crate) fn range_of(index: u64, size: u64) -> Range<u64> {
    let start = index.saturating_mul(BLOCK);
    start..start.saturating_add(BLOCK).min(size)
}

/// Checksum and length of a block, in the form that the journal stores.
///
/// The value has eight bytes, which are never all zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockChecksum(u64);

impl BlockChecksum {
    /// Value for a block without a valid checksum.
    pub const NONE: Self = Self(0);

    /// Computes the checksum of a block's bytes.
    pub fn of_block(bytes: &[u8]) -> Self {
        Self::made(crc32fast::hash(bytes), bytes.len() as u64)
    }

    fn made(crc: u32, length: u64) -> Self {
        Self((length << 32) | u64::from(crc))
    }

    /// Returns the checksum in the form that the journal stores.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// Reads a checksum from the journal. Returns `None` if all bytes are zero.
    pub fn from_bytes(bytes: [u8; 8]) -> Option<Self> {
        Some(Self(u64::from_le_bytes(bytes))).filter(|checksum| *checksum != Self::NONE)
    }
}

/// Contiguous received bytes of an incomplete block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenBlock {
    /// Offset of the first received byte in the file.
    pub at: u64,
    /// Number of received bytes.
    pub length: u64,
    /// CRC of the received bytes.
    pub crc: u32,
}

impl OpenBlock {
    /// Returns the index of the block, or `None` if the received bytes are not within a single block.
    pub fn index(&self) -> Option<u64> {
        ((1..BLOCK).contains(&self.length) && self.at % BLOCK + self.length <= BLOCK).then_some(self.at / BLOCK)
    }

    /// Returns the range of the received bytes in the file.
    pub fn range(&self) -> Range<u64> {
        self.at..self.at.saturating_add(self.length)
    }

    /// Whether `bytes` are equal to the received bytes, according to their CRC.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        bytes.len() as u64 == self.length && crc32fast::hash(bytes) == self.crc
    }
}

/// Checksums of a file that is being written.
#[derive(Debug, Default)]
pub(crate) struct BlockChecksums {
    /// Contiguous pieces of incomplete blocks, by block index.
    ///
    /// Each piece contains its offset in the block and the checksum of its bytes so far.
    begun: HashMap<u64, Vec<Piece>>,
    /// Checksums that were finished since the last call of [`Self::take`].
    finished: Vec<(u64, BlockChecksum)>,
}

#[derive(Debug)]
struct Piece {
    start: u64,
    length: u64,
    hasher: crc32fast::Hasher,
}

impl Piece {
    fn end(&self) -> u64 {
        self.start + self.length
    }
}

impl BlockChecksums {
    /// Records that `bytes` were written at `offset`, where they replace any earlier bytes.
    pub fn written(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (index, within) = (offset / BLOCK, offset % BLOCK);
            let room = usize::try_from(BLOCK - within).unwrap_or(usize::MAX);
            let (now, rest) = bytes.split_at(bytes.len().min(room));
            let pieces = self.begun.entry(index).or_default();
            let before = pieces.iter().position(|piece| piece.end() == within).map(|at| pieces.swap_remove(at));
            // Extend the piece that ends here. This costs nothing, but combining the checksums of two pieces costs
            // time.
            let mut piece = before.unwrap_or_else(|| Piece { start: within, length: 0, hasher: crc32fast::Hasher::new() });
            piece.hasher.update(now);
            piece.length += now.len() as u64;
            self.join(index, piece);
            offset += now.len() as u64;
            bytes = rest;
        }
    }

    /// Records that the file ends at `size`. The last block may therefore be shorter.
    pub fn ended(&mut self, size: u64) {
        self.finish(size / BLOCK, size % BLOCK);
    }

    /// Returns the contiguous pieces of all incomplete blocks.
    pub fn begun(&self) -> Vec<OpenBlock> {
        let begun = |index: u64, piece: &Piece| OpenBlock {
            at: index * BLOCK + piece.start,
            length: piece.length,
            crc: piece.hasher.clone().finalize(),
        };
        self.begun.iter().flat_map(|(index, pieces)| pieces.iter().map(|piece| begun(*index, piece))).collect()
    }

    /// Restores a piece from an earlier run, so that later bytes extend it.
    pub fn resume(&mut self, begun: &OpenBlock) {
        let hasher = crc32fast::Hasher::new_with_initial_len(begun.crc, begun.length);
        self.join(begun.at / BLOCK, Piece { start: begun.at % BLOCK, length: begun.length, hasher });
    }

    /// Discards the checksums of all blocks that `range` touches.
    ///
    /// The bytes are fetched again. These blocks have no checksum until they are rewritten completely.
    pub fn forget(&mut self, range: &Range<u64>) {
        for index in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            self.begun.remove(&index);
            self.finished.push((index, BlockChecksum::NONE));
        }
    }

    /// Returns the checksums that were finished since the last call of this function.
    pub fn take(&mut self) -> Vec<(u64, BlockChecksum)> {
        std::mem::take(&mut self.finished)
    }

    /// Joins a new piece with its neighbours. Discards older pieces that the new piece overwrites.
    fn join(&mut self, index: u64, mut piece: Piece) {
        let pieces = self.begun.entry(index).or_default();
        pieces.retain(|other| other.end() <= piece.start || piece.end() <= other.start);
        if let Some(at) = pieces.iter().position(|other| other.end() == piece.start) {
            let mut before = pieces.swap_remove(at);
            before.hasher.combine(&piece.hasher);
            piece = Piece { length: before.length + piece.length, ..before };
        }
        if let Some(at) = pieces.iter().position(|other| other.start == piece.end()) {
            let after = pieces.swap_remove(at);
            piece.hasher.combine(&after.hasher);
            piece.length += after.length;
        }
        pieces.push(piece);
        self.finish(index, BLOCK);
    }

    /// Computes the checksum of block `index`, if its first `size` bytes are complete.
    fn finish(&mut self, index: u64, size: u64) {
        let Some([piece]) = self.begun.get(&index).map(Vec::as_slice) else { return };
        if piece.start == 0 && piece.length == size {
            let checksum = BlockChecksum::made(piece.hasher.clone().finalize(), size);
            self.begun.remove(&index);
            self.finished.push((index, checksum));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = BLOCK as usize;

    fn content(size: usize) -> Vec<u8> {
        (0..size).map(|at| (at * 31 % 251) as u8).collect()
    }

    #[test]
    fn block_has_correct_checksum_if_it_is_written_in_pieces() {
        let bytes = content(2 * SIZE + 10);
        let mut blocks = BlockChecksums::default();
        for (number, piece) in bytes.chunks(300_000).enumerate() {
            blocks.written(number as u64 * 300_000, piece);
        }
        assert_eq!(
            blocks.take(),
            [(0, BlockChecksum::of_block(&bytes[..SIZE])), (1, BlockChecksum::of_block(&bytes[SIZE..2 * SIZE]))]
        );
        blocks.ended(bytes.len() as u64);
        assert_eq!(blocks.take(), [(2, BlockChecksum::of_block(&bytes[2 * SIZE..]))]);
        assert_eq!(blocks.take(), []);
    }

    #[test]
    fn block_gets_checksum_when_its_gap_is_filled() {
        let bytes = content(SIZE);
        let mut blocks = BlockChecksums::default();
        blocks.written(0, &bytes[..100]);
        blocks.written(200, &bytes[200..]);
        let mut begun = blocks.begun();
        begun.sort_by_key(|begun| begun.at);
        assert_eq!((begun.len(), begun[0].range(), begun[1].range()), (2, 0..100, 200..BLOCK));
        assert!(begun[0].holds(&bytes[..100]) && begun[1].holds(&bytes[200..]));
        assert_eq!(blocks.take(), []);
        blocks.written(100, &bytes[100..200]);
        assert_eq!((blocks.take(), blocks.begun()), (vec![(0, BlockChecksum::of_block(&bytes))], vec![]));
        blocks.written(0, &[1; 300]);
        blocks.written(0, &bytes);
        assert_eq!(blocks.take(), [(0, BlockChecksum::of_block(&bytes))], "the last write counts");
        blocks.ended(0);
        assert_eq!(blocks.take(), [], "a file that ends on a block has no shorter one");
    }

    #[test]
    fn block_has_correct_checksum_if_next_run_continues_it() {
        let bytes = content(SIZE);
        let mut first = BlockChecksums::default();
        first.written(BLOCK, &bytes[..700_000]);
        let begun = first.begun();
        assert_eq!((begun.len(), begun[0].index(), begun[0].range()), (1, Some(1), BLOCK..BLOCK + 700_000));
        assert!(begun[0].holds(&bytes[..700_000]) && !begun[0].holds(&bytes[..699_999]) && !begun[0].holds(&bytes[1..700_001]));
        let mut second = BlockChecksums::default();
        second.resume(&begun[0]);
        second.written(BLOCK + 700_000, &bytes[700_000..]);
        assert_eq!((second.take(), second.begun()), (vec![(1, BlockChecksum::of_block(&bytes))], vec![]));
    }

    #[test]
    fn block_whose_bytes_were_forgotten_has_no_checksum_until_they_are_written_again() {
        let bytes = content(2 * SIZE);
        let mut blocks = BlockChecksums::default();
        blocks.written(0, &bytes[..SIZE + 10]);
        blocks.forget(&(BLOCK - 1..BLOCK + 1));
        assert_eq!(blocks.begun(), []);
        blocks.written(BLOCK - 1, &bytes[SIZE - 1..SIZE]);
        assert_eq!(blocks.begun().len(), 1);
        let sum = BlockChecksum::of_block(&bytes[..SIZE]);
        assert_eq!(
            blocks.take(),
            [(0, sum), (0, BlockChecksum::NONE), (1, BlockChecksum::NONE)],
            "the last byte alone proves nothing"
        );
        blocks.written(0, &bytes);
        assert_eq!(blocks.take(), [(0, sum), (1, BlockChecksum::of_block(&bytes[SIZE..]))]);
    }

    #[test]
    fn received_bytes_have_a_block_index_only_if_they_are_part_of_a_single_block() {
        let begun = |at, length| OpenBlock { at, length, crc: 0 }.index();
        assert_eq!((begun(BLOCK, 1), begun(1, BLOCK - 1), begun(u64::MAX, 1)), (Some(1), Some(0), Some(u64::MAX / BLOCK)));
        assert_eq!([begun(2, BLOCK - 1), begun(0, 0), begun(0, BLOCK), begun(0, u64::MAX)], [None; 4]);
    }

    #[test]
    fn block_checksum_is_restored_from_stored_bytes_unless_they_are_all_zero() {
        let checksum = BlockChecksum::of_block(b"abc");
        assert_eq!(BlockChecksum::from_bytes(checksum.to_bytes()), Some(checksum));
        assert_eq!(BlockChecksum::from_bytes([0; 8]), None);
        assert_ne!(BlockChecksum::of_block(&[0]), BlockChecksum::of_block(&[0, 0]), "the length counts");
        assert_eq!(range_of(1, BLOCK + 5), BLOCK..BLOCK + 5);
    }
}
