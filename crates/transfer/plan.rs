//! What is durable, what is missing, and from where to ask again. [pure]

use serde::{Deserialize, Serialize};

/// What a resume asks for again and compares before it joins anything (see `identity`).
pub(crate) const OVERLAP: u64 = 64 << 10;

/// Byte ranges `[start, end)` of one file: sorted, disjoint, not touching, none empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub(crate) struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// The first `length` bytes.
    pub fn first(length: u64) -> Self {
        Self(if length == 0 { Vec::new() } else { vec![(0, length)] })
    }

    /// How many bytes lie in one piece at the start of the file: what one stream can go on from.
    pub fn prefix(&self) -> u64 {
        match self.0.first() {
            Some((0, end)) => *end,
            _ => 0,
        }
    }
}

impl TryFrom<Vec<(u64, u64)>> for Ranges {
    type Error = &'static str;

    fn try_from(ranges: Vec<(u64, u64)>) -> Result<Self, Self::Error> {
        let mut last = None;
        for (start, end) in &ranges {
            if start >= end || last.is_some_and(|last| last >= *start) {
                return Err("the durable ranges are not in order");
            }
            last = Some(*end);
        }
        Ok(Self(ranges))
    }
}

impl From<Ranges> for Vec<(u64, u64)> {
    fn from(ranges: Ranges) -> Self {
        ranges.0
    }
}

/// What one stream asks for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Everything is there.
    Nothing,
    /// The whole file, without a range.
    Whole,
    /// `bytes=from-`, of which everything below `held` is there and is only compared.
    From {
        /// The first byte asked for.
        from: u64,
        /// The first byte missing.
        held: u64,
    },
}

/// What to ask for when the first `held` bytes of `total` are there.
pub(crate) fn next(held: u64, total: Option<u64>) -> Next {
    if total == Some(held) {
        Next::Nothing
    } else if held == 0 {
        Next::Whole
    } else {
        Next::From { from: held.saturating_sub(OVERLAP), held }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resume_asks_for_an_overlap_and_a_finished_file_for_nothing() {
        assert_eq!(next(0, None), Next::Whole);
        assert_eq!(next(0, Some(5)), Next::Whole);
        assert_eq!(next(0, Some(0)), Next::Nothing);
        assert_eq!(next(5, Some(5)), Next::Nothing);
        assert_eq!(next(5, Some(9)), Next::From { from: 0, held: 5 });
        assert_eq!(next(OVERLAP + 7, None), Next::From { from: 7, held: OVERLAP + 7 });
    }

    #[test]
    fn ranges_that_make_no_sense_are_not_read() {
        for text in ["[[1,1]]", "[[2,1]]", "[[0,5],[5,6]]", "[[0,5],[3,9]]", "[[9,12],[0,3]]", "[[-1,3]]", "{}"] {
            assert!(serde_json::from_str::<Ranges>(text).is_err(), "{text}");
        }
        let ranges: Ranges = serde_json::from_str("[[0,5],[6,9]]").unwrap();
        assert_eq!(ranges.prefix(), 5);
        assert_eq!(serde_json::to_string(&ranges).unwrap(), "[[0,5],[6,9]]");
    }

    #[test]
    fn only_a_piece_at_the_start_counts_for_one_stream() {
        let ranges: Ranges = serde_json::from_str("[[6,9]]").unwrap();
        assert_eq!(ranges.prefix(), 0);
        assert_eq!(Ranges::first(0), Ranges::default());
        assert_eq!(Ranges::first(3).prefix(), 3);
    }
}
