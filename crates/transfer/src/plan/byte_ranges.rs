//! Records the present bytes of a file, as sorted, disjoint ranges `[start, end)`. [pure]

use std::ops::Range;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

/// Byte ranges of one file: sorted, disjoint, never adjacent and never empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub(crate) struct ByteRanges(RangeSet<u64>);

impl ByteRanges {
    /// Returns the range of the first `length` bytes.
    #[cfg(test)]
    pub fn first(length: u64) -> Self {
        let mut ranges = Self::default();
        ranges.insert(0..length);
        ranges
    }

    /// Adds the bytes of `range`.
    pub fn insert(&mut self, range: Range<u64>) {
        if !range.is_empty() {
            self.0.insert(range);
        }
    }

    /// Removes the bytes of `range`.
    pub fn remove(&mut self, range: Range<u64>) {
        if !range.is_empty() {
            self.0.remove(range);
        }
    }

    /// Returns the number of contiguous bytes at the start of the file.
    pub fn prefix(&self) -> u64 {
        self.0.first().filter(|first| first.start == 0).map_or(0, |first| first.end)
    }

    /// Returns the number of present bytes.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Returns the number of present bytes within `range`.
    pub fn count_in(&self, range: &Range<u64>) -> u64 {
        self.0.overlapping(range).map(|held| held.end.min(range.end) - held.start.max(range.start)).sum()
    }

    /// Returns the exclusive end of the last range, or 0 without ranges.
    pub fn end(&self) -> u64 {
        self.0.last().map_or(0, |last| last.end)
    }

    /// Returns the number of contiguous present bytes directly before `at`.
    pub fn before(&self, at: u64) -> u64 {
        let last = at.checked_sub(1).and_then(|last| self.0.get(&last));
        last.map_or(0, |range| at - range.start)
    }

    /// Whether all bytes of `range` are present.
    pub fn contains(&self, range: &Range<u64>) -> bool {
        self.0.gaps(range).next().is_none()
    }

    /// Returns the missing ranges of the first `total` bytes, in order.
    pub fn missing(&self, total: u64) -> Vec<Range<u64>> {
        self.0.gaps(&(0..total)).collect()
    }

    /// Returns the ranges within the first `length` bytes of the file.
    pub fn below(&self, length: u64) -> Self {
        let mut below = self.clone();
        below.remove(length..u64::MAX);
        below
    }

    /// Iterates over the ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = &Range<u64>> {
        self.0.iter()
    }
}

impl TryFrom<Vec<(u64, u64)>> for ByteRanges {
    type Error = &'static str;

    fn try_from(pairs: Vec<(u64, u64)>) -> Result<Self, Self::Error> {
        let mut ranges = Self::default();
        let mut last = None;
        for (start, end) in pairs {
            if start >= end || last.is_some_and(|last| last >= start) {
                return Err("the ranges are not in order");
            }
            ranges.insert(start..end);
            last = Some(end);
        }
        Ok(ranges)
    }
}

impl From<ByteRanges> for Vec<(u64, u64)> {
    fn from(ranges: ByteRanges) -> Self {
        ranges.0.into_iter().map(|range| (range.start, range.end)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_ranges_are_rejected_by_decoding() {
        for text in ["[[1,1]]", "[[2,1]]", "[[0,5],[5,6]]", "[[0,5],[3,9]]", "[[9,12],[0,3]]", "[[-1,3]]", "{}"] {
            assert!(serde_json::from_str::<ByteRanges>(text).is_err(), "{text}");
        }
        let ranges: ByteRanges = serde_json::from_str("[[0,5],[6,9]]").unwrap();
        assert_eq!((ranges.prefix(), ranges.count(), ranges.end()), (5, 8, 9));
        assert_eq!((ranges.before(5), ranges.before(6), ranges.before(8)), (5, 0, 2));
        assert_eq!(serde_json::to_string(&ranges).unwrap(), "[[0,5],[6,9]]");
        assert_eq!(ranges.below(7), serde_json::from_str("[[0,5],[6,7]]").unwrap());
    }

    #[test]
    fn prefix_of_ranges_is_empty_if_first_byte_is_missing() {
        let ranges: ByteRanges = serde_json::from_str("[[6,9]]").unwrap();
        assert_eq!(ranges.prefix(), 0);
        assert_eq!(ByteRanges::first(0), ByteRanges::default());
        assert_eq!(ByteRanges::first(3).prefix(), 3);
        assert_eq!(ranges.missing(12), [0..6, 9..12]);
    }

    proptest! {
        #[test]
        fn ranges_behave_like_a_set_of_bytes(steps in prop::collection::vec((any::<bool>(), 0u64..64, 0u64..64), 0..20)) {
            let (mut ranges, mut bytes) = (ByteRanges::default(), [false; 64]);
            for (is_insert, one, other) in steps {
                let range = one.min(other)..one.max(other);
                bytes[one.min(other) as usize..one.max(other) as usize].fill(is_insert);
                if is_insert { ranges.insert(range) } else { ranges.remove(range) }
            }
            prop_assert_eq!(ranges.count(), bytes.iter().filter(|byte| **byte).count() as u64);
            prop_assert_eq!(ranges.prefix(), bytes.iter().take_while(|byte| **byte).count() as u64);
            for gap in ranges.missing(64) {
                prop_assert!(bytes[gap.start as usize..gap.end as usize].iter().all(|byte| !byte));
            }
            let text = serde_json::to_string(&ranges).unwrap();
            prop_assert_eq!(serde_json::from_str::<ByteRanges>(&text).unwrap(), ranges);
        }
    }
}
