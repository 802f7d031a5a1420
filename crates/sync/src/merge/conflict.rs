//! Result of a merge, including the edits that lost against other edits. [pure]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::records::{DeviceId, HybridStamp};

/// Time after which a conflict is deleted, in milliseconds.
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
    /// One device removed the download while another edited it. The record still contains the requests of the download.
    Removed,
    /// Value of a setting.
    Choice,
}

/// Edit that lost against another edit. The user can apply the losing value again, as a new edit.
///
/// A merge that is repeated after a crash reports the same conflict again. The repetition has the same `field` and
/// `lost_at`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeConflict {
    /// Field that both edits changed.
    pub field: ConflictField,
    /// Value that lost. For `Removed`: the removal if it lost, otherwise the title of the removed download.
    pub losing: Value,
    /// Value that won.
    pub winning: Value,
    /// Stamp of the edit that lost.
    pub lost_at: HybridStamp,
    /// Time of the merge, in milliseconds of server time.
    pub merged_ms: i64,
}

impl MergeConflict {
    /// Returns the device whose edit lost.
    pub fn device(&self) -> &DeviceId {
        self.lost_at.device()
    }

    /// Whether the conflict is old enough to be deleted.
    pub fn is_expired(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.merged_ms) > CONFLICT_MS
    }
}

/// Values that a merge needs: the device, and the time of the server.
#[derive(Clone, Copy, Debug)]
pub struct MergeContext<'a> {
    /// Device that carries out the merge.
    pub device: &'a DeviceId,
    /// Server time of the sync cycle, in milliseconds. Stamps of this device that are far later than this time are set
    /// back to it.
    pub server_ms: i64,
}

/// Result of a merge.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeOutcome<T> {
    /// Merged record.
    pub record: T,
    /// Edits that lost in the merge.
    pub conflicts: Vec<MergeConflict>,
    /// Whether the merged record differs from the record on this device.
    pub is_here_changed: bool,
    /// Whether the merged record differs from the record on the server.
    pub is_there_changed: bool,
}
