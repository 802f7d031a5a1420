//! Facts about a download, written only by its home device. [pure]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    DeviceId, HybridStamp, RecordFault, clamped,
    judge::{check_id, check_name, check_number, check_time, clean_arguments},
};

/// State of a download on its home device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DownloadState {
    /// The download waits for its turn.
    Queued,
    /// The download is running.
    Running,
    /// The download is paused.
    Paused,
    /// The download has ended, and its files are complete.
    Done,
    /// The download has ended, but some of its files are missing.
    Failed,
    /// The download was removed. The record is a tombstone.
    Removed,
}

/// Result of a download that has settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReportedResult {
    /// The download has not settled.
    #[default]
    #[serde(rename = "")]
    None,
    /// All requests succeeded, except for optional ones.
    #[serde(rename = "success")]
    Success,
    /// A request failed, or the download was aborted.
    #[serde(rename = "failure")]
    Failure,
}

/// Message about a failure. The device that shows the message renders it in its own language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedFailure {
    /// Stable identifier, such as `dns`.
    pub code: String,
    /// Variant of the message, for a code that has several messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Values of the placeholders in the message, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

/// Facts that one device reported about a download while the device was its home device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DownloadFacts {
    /// Device that wrote the facts.
    pub by: DeviceId,
    /// Revision of the facts. Each new report has a higher revision than all facts in the record.
    pub revision: u64,
    /// Stamp of the field `home` at the time of the report.
    ///
    /// If a download is moved away from a device and back again, this stamp shows that facts from before the moves are
    /// outdated.
    pub home_at: HybridStamp,
    /// Kind of file, such as `video`.
    pub kind: String,
    /// Time at which the download was added, in milliseconds of Unix time.
    pub created_ms: i64,
    /// State.
    pub state: DownloadState,
    /// Result.
    #[serde(default)]
    pub result: ReportedResult,
    /// Failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ReportedFailure>,
    /// Size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Time at which the download settled or was removed, in milliseconds of Unix time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_ms: Option<i64>,
    /// Id of the command that sent or handed over the download to this device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl DownloadFacts {
    /// Returns the facts with sanitised texts. Fails with the fault of the first field that is not valid.
    pub(crate) fn judged(mut self) -> Result<Self, RecordFault> {
        check_number("revision", self.revision)?;
        check_name("kind", &self.kind)?;
        check_time("created_ms", self.created_ms)?;
        self.size.map_or(Ok(()), |size| check_number("size", size))?;
        self.settled_ms.map_or(Ok(()), |ms| check_time("settled_ms", ms))?;
        self.command.as_deref().map_or(Ok(()), |command| check_id("command", command))?;
        if let Some(failure) = &mut self.failure {
            check_name("failure", &failure.code)?;
            failure.variant.as_deref().map_or(Ok(()), |variant| check_name("failure", variant))?;
            failure.args = clean_arguments("failure", std::mem::take(&mut failure.args))?;
        }
        Ok(self)
    }

    /// Whether these facts replace the facts `other`. Both must be facts of the same device.
    ///
    /// Facts with the same revision differ only if the data folder was copied. The choice between them is arbitrary, but
    /// the same on every device.
    pub(crate) fn is_later_than(&self, other: &Self) -> bool {
        let text = |facts: &Self| serde_json::to_string(facts).unwrap_or_default();
        self.revision > other.revision || self.revision == other.revision && self != other && text(self) > text(other)
    }

    /// Applies [`clamped`] to the stamp of the facts.
    pub(crate) fn clamp(&mut self, modified_ms: i64) {
        self.home_at = clamped(&self.home_at, modified_ms);
    }
}
