//! Summarises which parts of a file are present and which are being fetched, for display. [pure]
//!
//! The map is built from the plan on request, so that it costs nothing without a display.

use std::ops::Range;

use crate::plan::byte_ranges::ByteRanges;

/// Map of a running transfer's file: the present bytes in each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentMap {
    /// Size of the file in bytes.
    pub total: u64,
    /// Percentage of received bytes in each part. Bytes that are not durable yet also count.
    ///
    /// The parts are in order and have equal size. A value of 100 means that the part is complete.
    pub there: Vec<u8>,
    /// For each active connection, the range from its next byte to the end of its job.
    pub fetching: Vec<Range<u64>>,
}

impl SegmentMap {
    /// Builds the map of a file of `total` bytes from its `missing` ranges.
    ///
    /// The map has at most `parts` parts. No part is empty.
    pub(crate) fn from_ranges(total: u64, missing: &ByteRanges, fetching: Vec<Range<u64>>, parts: usize) -> Self {
        let parts = u64::try_from(parts).unwrap_or(u64::MAX).min(total);
        let there = (0..parts).map(|part| {
            let range = start(part, total, parts)..start(part + 1, total, parts);
            let absent = missing.count_in(&range);
            let length = range.end - range.start;
            u8::try_from(u128::from(length - absent) * 100 / u128::from(length)).unwrap_or(100)
        });
        Self { total, there: there.collect(), fetching }
    }
}

/// Returns the offset in the file at which a part begins.
pub(crate) fn start(part: u64, total: u64, parts: u64) -> u64 {
    u64::try_from(u128::from(total) * u128::from(part) / u128::from(parts)).unwrap_or(total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranges(pairs: &[(u64, u64)]) -> ByteRanges {
        let mut ranges = ByteRanges::default();
        pairs.iter().for_each(|(start, end)| ranges.insert(*start..*end));
        ranges
    }

    #[test]
    fn part_of_segment_map_shows_100_percent_only_if_all_of_its_bytes_are_received() {
        let map = SegmentMap::from_ranges(
            4000,
            &ranges(&[(999, 1000), (2000, 2500), (3000, u64::MAX)]),
            vec![2000..2500, 3000..4000],
            4,
        );
        assert_eq!(map.there, [99, 100, 50, 0]);
        assert_eq!((map.total, map.fetching), (4000, vec![2000..2500, 3000..4000]));
    }

    #[test]
    fn segment_map_has_fewer_parts_for_short_file_and_none_for_empty_file() {
        assert_eq!(SegmentMap::from_ranges(3, &ranges(&[(1, 2)]), Vec::new(), 128).there, [100, 0, 100]);
        assert_eq!(SegmentMap::from_ranges(0, &ByteRanges::default(), Vec::new(), 128).there, [0; 0]);
        assert_eq!(SegmentMap::from_ranges(u64::MAX, &ByteRanges::default(), Vec::new(), 2).there, [100, 100]);
    }

    proptest! {
        #[test]
        fn parts_of_segment_map_together_cover_the_file(total in 1_u64..500, parts in 1_usize..40, gaps in prop::collection::vec((0_u64..600, 0_u64..60), 0..6)) {
            let missing = ranges(&gaps.iter().map(|(start, length)| (*start, start + length)).collect::<Vec<_>>());
            let map = SegmentMap::from_ranges(total, &missing, Vec::new(), parts);
            let is_there = missing.missing(total).iter().map(|range| range.end - range.start).sum::<u64>() == total;
            prop_assert_eq!(map.there.iter().all(|percent| *percent == 100), is_there);
            prop_assert_eq!(map.there.len() as u64, total.min(parts as u64));
        }
    }
}
