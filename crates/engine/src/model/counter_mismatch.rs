//! Contradictions between rows of the ledger, as `doctor` reports them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// Row of the ledger that contradicts the rows it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CounterMismatch {
    /// The kind of contradiction.
    pub kind: MiscountKind,
    /// The registration; `None` for `usage`.
    pub unique_id: Option<UniqueId>,
    /// The registration's title; for `usage` the owner.
    pub name: String,
}

/// The rows that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum MiscountKind {
    /// A registration's counters and its requests.
    Counters,
    /// The queue of a registration for one host, and its requests to that host.
    Lanes,
    /// An owner's usage and the requests of that owner.
    Usage,
    /// The name that a registration holds while it is active.
    Name,
    /// An active registration without any unfinished request.
    Unsettled,
    /// The digest of a completed file and that of its checksum file.
    Digest,
    /// A completed request and the record of its response.
    Response,
}

impl MiscountKind {
    /// Whether the wrong value follows from other rows, so that it can be recomputed.
    pub fn is_repairable(self) -> bool {
        match self {
            Self::Counters | Self::Lanes | Self::Usage | Self::Name | Self::Unsettled => true,
            Self::Digest | Self::Response => false,
        }
    }
}
