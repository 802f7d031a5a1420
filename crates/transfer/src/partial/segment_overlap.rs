//! Where pieces of different connections meet: each brings along the last bytes of its neighbour, which are held against
//! those that are there as soon as they are. So an answer that comes from elsewhere than it says is found out even where
//! nobody compared it when it began. [pure]

use serde::{Deserialize, Serialize};

/// How many bytes of its neighbour a piece brings along.
pub(crate) const WIDTH: u64 = 4 << 10;

/// The end of a piece as the next one's answer had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentOverlap {
    /// The first byte of the later piece.
    pub at: u64,
    /// How many bytes before it were brought along.
    pub width: u64,
    /// Their CRC.
    pub crc: u32,
}

impl SegmentOverlap {
    /// The seam before byte `at`, before which these bytes came.
    pub fn new(at: u64, before: &[u8]) -> Self {
        Self { at, width: before.len() as u64, crc: crc32fast::hash(before) }
    }

    /// Where the bytes lie that it speaks of.
    pub fn range(&self) -> std::ops::Range<u64> {
        self.at.saturating_sub(self.width)..self.at
    }

    /// Whether these are the bytes that lie there.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        crc32fast::hash(bytes) == self.crc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seam_holds_for_its_own_bytes_alone() {
        let seam = SegmentOverlap::new(10, b"abcd");
        assert_eq!(seam.range(), 6..10);
        assert!(seam.holds(b"abcd"));
        assert!(!seam.holds(b"bcde"));
    }
}
