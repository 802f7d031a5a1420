//! Verifies the boundaries between segments from different connections. [pure]
//!
//! The response for each segment also contains the last bytes of the previous segment. As soon as the previous segment
//! is on disk, its last bytes are compared with those in the response. This detects a response that does not start at
//! its stated offset, even if the previous segment arrived later.

use serde::{Deserialize, Serialize};

/// Number of bytes that each response repeats from the end of the previous segment.
pub(crate) const WIDTH: u64 = 4 << 10;

/// Checksum of the last bytes of a segment, as the response for the next segment repeated them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentOverlap {
    /// Offset of the first byte of the next segment.
    pub at: u64,
    /// Number of bytes before `at` that the response contained.
    pub width: u64,
    /// CRC of the `width` bytes before `at`.
    pub crc: u32,
}

impl SegmentOverlap {
    /// Creates the checksum of `before`, the bytes directly before the offset `at`.
    pub fn new(at: u64, before: &[u8]) -> Self {
        Self { at, width: before.len() as u64, crc: crc32fast::hash(before) }
    }

    /// Returns the byte range that the checksum covers.
    pub fn range(&self) -> std::ops::Range<u64> {
        self.at.saturating_sub(self.width)..self.at
    }

    /// Whether `bytes`, which were read from [`Self::range`], match the checksum.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        crc32fast::hash(bytes) == self.crc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_of_two_segments_matches_only_the_bytes_from_which_it_was_created() {
        let seam = SegmentOverlap::new(10, b"abcd");
        assert_eq!(seam.range(), 6..10);
        assert!(seam.holds(b"abcd"));
        assert!(!seam.holds(b"bcde"));
    }
}
