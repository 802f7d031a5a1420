//! Coarse maps of the parts of files that are being transferred, for display.

use ashore_transfer::SegmentMap;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Map of a file that is being transferred: complete parts, and parts being fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SegmentReport {
    /// Index of the file in its registration.
    pub index: u32,
    /// Size of the whole file in bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// Received percentage of each part, in order; 100 only if nothing is missing.
    ///
    /// All parts have the same size.
    pub there: Vec<u8>,
    /// Byte range of each connection: the next byte, and the end (exclusive).
    #[ts(type = "[number, number][]")]
    pub fetching: Vec<(u64, u64)>,
}

impl SegmentReport {
    pub(crate) fn from_map(index: u32, map: SegmentMap) -> Self {
        let fetching = map.fetching.into_iter().map(|range| (range.start, range.end)).collect();
        Self { index, size: map.total, there: map.there, fetching }
    }
}
