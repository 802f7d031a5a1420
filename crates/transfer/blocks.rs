//! Checksums of the blocks of one file, made while they are written, so that a block that went bad on the disk between two
//! runs is found and fetched again alone. [pure]
//!
//! A CRC of 32 bits a mebibyte: it finds torn and rotten blocks, costs next to nothing beside the copy into the kernel,
//! and is no defence against people; that is what the digests of `verify` are for.

use std::{collections::HashMap, ops::Range};

use serde::{Deserialize, Serialize};

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
    /// Takes the place of one that holds no more.
    pub const NONE: Self = Self(0);

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
        Some(Self(u64::from_le_bytes(bytes))).filter(|checksum| *checksum != Self::NONE)
    }
}

/// A block of which only the beginning has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// The block's first byte.
    pub at: u64,
    /// How many bytes came from there on.
    pub length: u64,
    /// Their CRC.
    pub crc: u32,
}

impl Begun {
    /// Which block it is; none where this makes no sense.
    pub fn index(&self) -> Option<u64> {
        (self.at.is_multiple_of(BLOCK) && (1..BLOCK).contains(&self.length)).then_some(self.at / BLOCK)
    }

    /// Where the bytes lie that it speaks of.
    pub fn range(&self) -> Range<u64> {
        self.at..self.at.saturating_add(self.length)
    }

    /// Whether these are the bytes that came.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        bytes.len() as u64 == self.length && crc32fast::hash(bytes) == self.crc
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

    /// What has come of blocks that are not finished.
    pub fn begun(&self) -> Vec<Begun> {
        let begun = |(index, (hasher, length)): (&u64, &(crc32fast::Hasher, u64))| Begun {
            at: index * BLOCK,
            length: *length,
            crc: hasher.clone().finalize(),
        };
        self.begun.iter().map(begun).collect()
    }

    /// What an earlier run began goes on here.
    pub fn go_on(&mut self, begun: &Begun) {
        self.begun.insert(begun.at / BLOCK, (crc32fast::Hasher::new_with_initial(begun.crc), begun.length));
    }

    /// These bytes are to come again: no checksum stands for their blocks until those are written anew.
    pub fn forget(&mut self, range: &Range<u64>) {
        for index in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            self.begun.remove(&index);
            self.finished.push((index, Checksum::NONE));
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
    fn a_block_that_one_run_began_and_another_ended_has_the_checksum_of_its_bytes() {
        let bytes = content(SIZE);
        let mut first = Blocks::default();
        first.written(BLOCK, &bytes[..700_000]);
        let begun = first.begun();
        assert_eq!((begun.len(), begun[0].index(), begun[0].range()), (1, Some(1), BLOCK..BLOCK + 700_000));
        assert!(begun[0].holds(&bytes[..700_000]) && !begun[0].holds(&bytes[..699_999]) && !begun[0].holds(&bytes[1..700_001]));
        let mut second = Blocks::default();
        second.go_on(&begun[0]);
        second.written(BLOCK + 700_000, &bytes[700_000..]);
        assert_eq!((second.take(), second.begun()), (vec![(1, Checksum::of(&bytes))], vec![]));
    }

    #[test]
    fn what_is_to_come_again_has_no_checksum_until_its_block_is_written_anew() {
        let bytes = content(2 * SIZE);
        let mut blocks = Blocks::default();
        blocks.written(0, &bytes[..SIZE + 10]);
        blocks.forget(&(BLOCK - 1..BLOCK + 1));
        assert_eq!(blocks.begun(), []);
        blocks.written(BLOCK - 1, &bytes[SIZE - 1..SIZE]);
        let sum = Checksum::of(&bytes[..SIZE]);
        assert_eq!(blocks.take(), [(0, sum), (0, Checksum::NONE), (1, Checksum::NONE)], "its last byte alone says nothing");
        blocks.written(0, &bytes);
        assert_eq!(blocks.take(), [(0, sum), (1, Checksum::of(&bytes[SIZE..]))]);
    }

    #[test]
    fn a_beginning_that_makes_no_sense_is_of_no_block() {
        let begun = |at, length| Begun { at, length, crc: 0 }.index();
        assert_eq!((begun(BLOCK, 1), begun(0, BLOCK - 1)), (Some(1), Some(0)));
        assert_eq!([begun(1, 1), begun(0, 0), begun(0, BLOCK), begun(0, u64::MAX)], [None; 4]);
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
