//! The unencrypted object `global` of the collection `meta`. [pure]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{RecordFault, SyncRecord, judge::check_id};

/// Storage version that this program writes.
pub const STORAGE_VERSION: u32 = 1;

/// Format and identity of the data on the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetadataRecord {
    /// Format version of the record.
    pub v: u32,
    /// Storage version of all collections. A version above [`STORAGE_VERSION`] stops the sync.
    pub storage_version: u32,
    /// Random id that changes when the data is reset.
    pub sync_id: String,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SyncRecord for MetadataRecord {
    const COLLECTION: &'static str = "meta";

    fn judged(self, _: i64) -> Result<Self, RecordFault> {
        check_id("sync_id", &self.sync_id)?;
        Ok(self)
    }
}
