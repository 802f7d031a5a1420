//! Result of a merge, and the edits that lost in it. [pure]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::records::{DeviceId, HybridStamp};

/// Time for which a conflict is kept, in milliseconds.
pub const CONFLICT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Field that two devices edited independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConflictField {
    /// Title of a download.
    Title,
    /// Requested state of a download.
    Requested,
    /// Home device of a download.
    Home,
    /// Requests of a download.
    Request,
    /// The download was removed, and another device edited it at the same time. Its requests are still in the record.
    Removed,
    /// Choice for a setting.
    Choice,
}

/// Edit that lost against another one. The person can apply the losing value again, as a new edit.
///
/// A merge that is repeated after a crash reports the same conflict again. `field` and `lost_at` identify the edit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeConflict {
    /// Field that both edits concern.
    pub field: ConflictField,
    /// Value that lost. For `Removed`, this is the title, unless the removal itself lost.
    pub losing: Value,
    /// Value that won.
    pub winning: Value,
    /// Stamp of the edit that lost.
    pub lost_at: HybridStamp,
    /// Time of the merge, in milliseconds of server time.
    pub merged_ms: i64,
}

impl MergeConflict {
    /// Device whose edit lost.
    pub fn device(&self) -> &DeviceId {
        self.lost_at.device()
    }

    /// Whether the conflict is too old to be kept.
    pub fn is_expired(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.merged_ms) > CONFLICT_MS
    }
}

/// Circumstances of a merge.
#[derive(Clone, Copy, Debug)]
pub struct MergeContext<'a> {
    /// Device that merges.
    pub device: &'a DeviceId,
    /// Server time of the sync cycle, in milliseconds. Stamps of this device that are later count as this time.
    pub server_ms: i64,
}

/// Result of a merge.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeOutcome<T> {
    /// Merged record.
    pub record: T,
    /// Edits that lost.
    pub conflicts: Vec<MergeConflict>,
    /// Whether the merged record differs from the one on this device.
    pub is_here_changed: bool,
    /// Whether the merged record differs from the one on the server.
    pub is_there_changed: bool,
}
