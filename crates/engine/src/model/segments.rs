//! Which parts of a file that is being fetched are there, coarsely, for people to see.

use ashore_transfer::SegmentMap;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which parts of one running file are there, and which are being fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SegmentReport {
    /// The file's place in its registration.
    pub index: u32,
    /// Bytes of the whole.
    #[ts(type = "number")]
    pub size: u64,
    /// The file in equal parts, in order: how many percent of each are there. 100 only where nothing of it is missing.
    pub there: Vec<u8>,
    /// Where each connection is at work, in bytes: what comes next, and one more than the last byte it is to bring.
    #[ts(type = "[number, number][]")]
    pub fetching: Vec<(u64, u64)>,
}

impl SegmentReport {
    pub(crate) fn from_map(index: u32, map: SegmentMap) -> Self {
        let fetching = map.fetching.into_iter().map(|range| (range.start, range.end)).collect();
        Self { index, size: map.total, there: map.there, fetching }
    }
}
