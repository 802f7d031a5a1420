//! Record of the collection `dl-sends`: a download that one device sends to another. [pure]
//!
//! - The sender creates the record.
//! - If the recipient accepts the download, it deletes the record.
//! - If the recipient refuses the download, it writes the refusal into the record. The sender then deletes the record.
//! - If the record expires, the sender rewrites it without its requests. The recipient then learns that it missed a
//!   send.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    DeviceId, RecordFault, SyncRecord,
    judge::{check_id, check_time, clean_title, judge_requests},
};

/// One send.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SendRecord {
    /// Format version of the record.
    pub v: u32,
    /// Recipient.
    pub to: DeviceId,
    /// Sender.
    pub from: DeviceId,
    /// Title.
    pub title: String,
    /// Requests in the export format.
    pub requests: Vec<Value>,
    /// Time at which the download was sent, in milliseconds of Unix time.
    pub sent_ms: i64,
    /// Id of an object in `dl-items`. The recipient takes over this download instead of creating a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_over: Option<String>,
    /// Result of the send. The recipient writes `Refused` to the server, and the sender writes `Expired`. `Delivered`
    /// exists only in the sender's own list of sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<SendAnswer>,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// Result of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SendAnswer {
    /// The recipient created the download.
    Delivered,
    /// The recipient did not accept the download.
    Refused,
    /// The recipient did not read the record before the server deleted it.
    Expired,
}

impl SendRecord {
    /// Returns the record with this result. The requests are removed, because they are no longer needed.
    pub fn answered(self, answer: SendAnswer) -> Self {
        Self { requests: Vec::new(), answer: Some(answer), ..self }
    }

    /// Whether this record tells `device` that it missed the send.
    pub fn is_missed_by(&self, device: &DeviceId) -> bool {
        self.to == *device && self.answer == Some(SendAnswer::Expired)
    }

    /// Whether `device` may write this version to the server.
    pub fn is_written_by(&self, device: &DeviceId) -> bool {
        match self.answer {
            None | Some(SendAnswer::Expired) => self.from == *device,
            Some(SendAnswer::Refused) => self.to == *device,
            Some(SendAnswer::Delivered) => false,
        }
    }
}

impl SyncRecord for SendRecord {
    const COLLECTION: &'static str = "dl-sends";

    fn judged(self, _: i64) -> Result<Self, RecordFault> {
        check_time("sent_ms", self.sent_ms)?;
        self.hand_over.as_deref().map_or(Ok(()), |id| check_id("hand_over", id))?;
        judge_requests(&self.requests)?;
        Ok(Self { title: clean_title(&self.title), ..self })
    }
}
