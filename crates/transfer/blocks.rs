//! Checksums of the blocks of one file, made while they are written, so that a block that went bad on the disk between two
//! runs is found and fetched again alone. [pure]
//!
//! A CRC of 32 bits a mebibyte: it finds torn and rotten blocks, costs next to nothing beside the copy into the kernel,
//! and is no defence against people; that is what the digests of `verify` are for.

use std::{collections::HashMap, ops::Range};

/// Bytes in a block; the last one of a file may be shorter.
pub(crate) const BLOCK: u64 = 1 << 20;

/// The bytes of block `index` of a file of `size` bytes.
pub(crate) fn range_of(index: u64, size: u64) -> Range<u64> {
    let start = index.saturating_mul(BLOCK);
    start..start.saturating_add(BLOCK).min(size)
}

/// A checksum of one block and its length, as kept in the journal: eight bytes, never all zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checksum(u64);

impl Checksum {
    /// The checksum of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::made(crc32fast::hash(bytes), bytes.len() as u64)
    }

    fn made(crc: u32, length: u64) -> Self {
        Self((length << 32) | u64::from(crc))
    }

    /// As it is kept.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// As it was kept; none where nothing was.
    pub fn from_bytes(bytes: [u8; 8]) -> Option<Self> {
        let number = u64::from_le_bytes(bytes);
        (number != 0).then_some(Self(number))
    }
}

/// The checksums of a file that is being written.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// Begun and written from their first byte without a gap: the checksum so far, and how many bytes it covers.
    begun: HashMap<u64, (crc32fast::Hasher, u64)>,
    /// Finished since they were last taken.
    finished: Vec<(u64, Checksum)>,
}

impl Blocks {
    /// These bytes were written at `offset`. What does not follow on what was seen of its block leaves that block without
    /// a checksum.
    pub fn written(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (index, within) = (offset / BLOCK, offset % BLOCK);
            let room = usize::try_from(BLOCK - within).unwrap_or(usize::MAX);
            let (now, rest) = bytes.split_at(bytes.len().min(room));
            if within == 0 {
                self.begun.insert(index, (crc32fast::Hasher::new(), 0));
            }
            match self.begun.get_mut(&index) {
                Some((hasher, covered)) if *covered == within => {
                    hasher.update(now);
                    *covered += now.len() as u64;
                    if *covered == BLOCK {
                        self.finish(index);
                    }
                }
                Some(_) => drop(self.begun.remove(&index)),
                None => {}
            }
            offset += now.len() as u64;
            bytes = rest;
        }
    }

    /// The file ends at `size`: its last block may be shorter.
    pub fn ended(&mut self, size: u64) {
        let index = size / BLOCK;
        if self.begun.get(&index).is_some_and(|(_, covered)| *covered > 0 && *covered == size % BLOCK) {
            self.finish(index);
        }
    }

    /// The checksums finished since the last call.
    pub fn take(&mut self) -> Vec<(u64, Checksum)> {
        std::mem::take(&mut self.finished)
    }

    fn finish(&mut self, index: u64) {
        if let Some((hasher, covered)) = self.begun.remove(&index) {
            self.finished.push((index, Checksum::made(hasher.finalize(), covered)));
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
    fn a_block_written_in_pieces_has_the_checksum_of_its_bytes() {
        let bytes = content(2 * SIZE + 10);
        let mut blocks = Blocks::default();
        for (number, piece) in bytes.chunks(300_000).enumerate() {
            blocks.written(number as u64 * 300_000, piece);
        }
        assert_eq!(blocks.take(), [(0, Checksum::of(&bytes[..SIZE])), (1, Checksum::of(&bytes[SIZE..2 * SIZE]))]);
        blocks.ended(bytes.len() as u64);
        assert_eq!(blocks.take(), [(2, Checksum::of(&bytes[2 * SIZE..]))]);
        assert_eq!(blocks.take(), []);
    }

    #[test]
    fn a_block_with_a_gap_has_none_until_it_is_written_again() {
        let bytes = content(SIZE);
        let mut blocks = Blocks::default();
        blocks.written(0, &bytes[..100]);
        blocks.written(200, &bytes[200..]);
        blocks.written(100, &bytes[100..200]);
        assert_eq!(blocks.take(), []);
        blocks.written(0, &bytes);
        assert_eq!(blocks.take(), [(0, Checksum::of(&bytes))]);
        blocks.ended(0);
        assert_eq!(blocks.take(), [], "a file that ends on a block has no shorter one");
    }

    #[test]
    fn a_checksum_survives_its_bytes_and_nothing_is_none() {
        let checksum = Checksum::of(b"abc");
        assert_eq!(Checksum::from_bytes(checksum.to_bytes()), Some(checksum));
        assert_eq!(Checksum::from_bytes([0; 8]), None);
        assert_ne!(Checksum::of(&[0]), Checksum::of(&[0, 0]), "the length counts");
        assert_eq!(range_of(1, BLOCK + 5), BLOCK..BLOCK + 5);
    }
}
