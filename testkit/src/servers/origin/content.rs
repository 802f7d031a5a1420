//! Content of an origin's files: bytes derived from a seed.
//!
//! Even a file of many gigabytes needs neither memory nor disk space. Each position can be checked independently.

/// Content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Bytes derived from a seed.
    Seeded {
        /// Seed of the bytes.
        seed: u64,
        /// Number of bytes.
        length: u64,
    },
    /// Literal bytes.
    Bytes(Vec<u8>),
}

impl Body {
    /// Returns `length` bytes derived from `seed`.
    pub fn seeded(seed: u64, length: u64) -> Self {
        Self::Seeded { seed, length }
    }

    /// Returns content with exactly these bytes.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Bytes(bytes.into())
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        match self {
            Self::Seeded { length, .. } => *length,
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Returns the bytes from `offset` on, at most `count` of them.
    pub fn slice(&self, offset: u64, count: u64) -> Vec<u8> {
        let end = self.length().min(offset.saturating_add(count));
        if offset >= end {
            return Vec::new();
        }
        match self {
            Self::Seeded { seed, .. } => content_at(*seed, offset, end - offset),
            Self::Bytes(bytes) => bytes[offset as usize..end as usize].to_vec(),
        }
    }
}

/// Returns the first `length` bytes derived from `seed`.
pub fn content(seed: u64, length: u64) -> Vec<u8> {
    content_at(seed, 0, length)
}

/// Returns `length` bytes at `offset` of the content that is derived from `seed`.
pub fn content_at(seed: u64, offset: u64, length: u64) -> Vec<u8> {
    let first = offset / 8;
    let skip = (offset % 8) as usize;
    let words = (skip as u64 + length).div_ceil(8);
    let mut bytes = Vec::with_capacity(words as usize * 8);
    for index in first..first + words {
        bytes.extend_from_slice(&word(seed, index).to_le_bytes());
    }
    bytes.drain(..skip);
    bytes.truncate(length as usize);
    bytes
}

/// SplitMix64: each word depends only on the seed and its own index.
fn word(seed: u64, index: u64) -> u64 {
    let mut state = seed.wrapping_mul(0xD6E8_FEB8_6659_FD93).wrapping_add(index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slice_of_generated_content_equals_same_range_of_whole_content() {
        let whole = content(7, 1000);
        for (offset, length) in [(0, 1000), (1, 1), (7, 9), (8, 8), (333, 400), (999, 1), (1000, 0)] {
            assert_eq!(content_at(7, offset, length), whole[offset as usize..(offset + length) as usize]);
        }
        assert_ne!(content(7, 64), content(8, 64));
        assert_eq!(Body::seeded(7, 10).slice(8, 99), whole[8..10]);
    }
}
