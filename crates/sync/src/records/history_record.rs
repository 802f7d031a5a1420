//! Records of the collection `dl-history`: past downloads, and the time up to which the history was cleared. [pure]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    DeviceId, MOST_AHEAD_MS, RecordFault, SyncRecord,
    judge::{check_name, check_number, check_time, clean_title, plain_address},
};

/// Object of the collection `dl-history`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HistoryRecord {
    /// Time up to which the history was cleared.
    Cleared(ClearedRecord),
    /// Past download.
    Past(PastDownload),
}

/// Time up to which a user cleared the history. The list has one such record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClearedRecord {
    /// Format version of the record.
    pub v: u32,
    /// Time in milliseconds of Unix time. The past downloads of all devices are removed if they ended before this time.
    pub cleared_before_ms: i64,
    /// Device on which the user cleared the history.
    pub device: DeviceId,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// Past download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastDownload {
    /// Format version of the record.
    pub v: u32,
    /// Title.
    pub title: String,
    /// Address without user name, password, query and fragment.
    pub address: String,
    /// Size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Digest, such as `sha-256=…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Time at which the download ended, in milliseconds of Unix time.
    pub time_ms: i64,
    /// Device that downloaded the file.
    pub device: DeviceId,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl SyncRecord for HistoryRecord {
    const COLLECTION: &'static str = "dl-history";

    fn judged(self, modified_ms: i64) -> Result<Self, RecordFault> {
        match self {
            Self::Cleared(cleared) => {
                check_time("cleared_before_ms", cleared.cleared_before_ms)?;
                // A time in the future would also remove downloads that have not ended.
                let is_plausible = cleared.cleared_before_ms <= modified_ms.saturating_add(MOST_AHEAD_MS);
                let cleared_before_ms = if is_plausible { cleared.cleared_before_ms } else { modified_ms };
                Ok(Self::Cleared(ClearedRecord { cleared_before_ms, ..cleared }))
            }
            Self::Past(past) => {
                check_time("time_ms", past.time_ms)?;
                past.size.map_or(Ok(()), |size| check_number("size", size))?;
                past.digest.as_deref().map_or(Ok(()), |digest| check_name("digest", digest))?;
                let (title, address) = (clean_title(&past.title), plain_address(&past.address)?);
                Ok(Self::Past(PastDownload { title, address, ..past }))
            }
        }
    }
}
