//! Selects the ranges in which a file is compared with a server's bytes. [pure]
//!
//! A strong validator proves that the file is the same. Without one, `content_check` and `connections` compare these
//! ranges before they join bytes.
//!
//! - The samples include both ends of the present bytes. The others are evenly spaced. A difference that covers more
//!   than an eighth of the present bytes is therefore found.
//! - The cost is small: eight requests for at most 128 KiB in total.

use std::ops::Range;

use crate::plan::byte_ranges::ByteRanges;

/// Number of ranges to compare.
const PLACES: u64 = 8;
/// Number of bytes per range.
const WIDTH: u64 = 16 << 10;

/// Returns the ranges to compare, in order.
///
/// All ranges are within the present bytes. If there are few present bytes, the ranges cover all of them.
pub(crate) fn places(there: &ByteRanges) -> Vec<Range<u64>> {
    let last = there.count().saturating_sub(WIDTH);
    let mut chosen = ByteRanges::default();
    for place in 0..PLACES {
        let at = last / (PLACES - 1) * place + last % (PLACES - 1) * place / (PLACES - 1);
        pick(there, at, &mut chosen);
    }
    chosen.iter().cloned().collect()
}

/// Adds the range that begins after `skip` present bytes.
///
/// The range ends before the next gap.
fn pick(there: &ByteRanges, mut skip: u64, chosen: &mut ByteRanges) {
    for range in there.iter() {
        let length = range.end - range.start;
        if skip < length {
            let start = range.start + skip;
            return chosen.insert(start..range.end.min(start.saturating_add(WIDTH)));
        }
        skip -= length;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn all_received_bytes_are_compared_if_they_are_few() {
        for length in [0, 1, WIDTH - 1, WIDTH, WIDTH + 1, 7 * WIDTH] {
            let all: Vec<_> = ByteRanges::first(length).iter().cloned().collect();
            assert_eq!(places(&ByteRanges::first(length)), all, "{length}");
        }
    }

    #[test]
    fn first_and_last_received_bytes_are_always_compared() {
        let places = places(&ByteRanges::first(100 * MIB));
        assert_eq!(places.len() as u64, PLACES);
        assert_eq!((places[0].clone(), places[7].clone()), (0..WIDTH, 100 * MIB - WIDTH..100 * MIB));
        assert!(places.iter().all(|place| place.end - place.start == WIDTH));
    }

    #[test]
    fn only_bytes_that_were_received_are_compared() {
        let mut there = ByteRanges::first(10);
        there.insert(MIB..MIB + 10);
        there.insert(5 * MIB..6 * MIB);
        let places = places(&there);
        assert_eq!((places[0].clone(), places.last().unwrap().end), (0..10, 6 * MIB));
        assert!(places.iter().all(|place| there.contains(place)));
    }

    proptest! {
        #[test]
        fn change_of_an_eighth_of_the_file_is_always_found(length in 1u64..1 << 40, at in 0.0f64..1.0) {
            let width = length.div_ceil(PLACES - 1);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "the value is only a random position")]
            let start = (length.saturating_sub(width) as f64 * at) as u64;
            let changed = start..(start + width).min(length);
            prop_assert!(places(&ByteRanges::first(length)).iter().any(|place| place.start < changed.end && changed.start < place.end));
        }
    }
}
