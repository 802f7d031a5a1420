//! Record of the collection `dl-parts`: a part of a long list of requests. A part never changes. [pure]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{RecordFault, SyncRecord, judge::judge_requests};

/// Part of the requests of one download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartRecord {
    /// Version of the record.
    pub v: u32,
    /// Position among the parts, from 0.
    pub index: u32,
    /// Requests in the export format.
    pub requests: Vec<Value>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SyncRecord for PartRecord {
    const COLLECTION: &'static str = "dl-parts";

    fn judged(self, _: i64) -> Result<Self, RecordFault> {
        judge_requests(&self.requests)?;
        Ok(self)
    }
}
