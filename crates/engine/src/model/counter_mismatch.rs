//! Contradictions between rows of the ledger, as `doctor` reports them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// Ledger row that contradicts other rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CounterMismatch {
    /// The kind of contradiction.
    pub kind: MiscountKind,
    /// Registration of the row; `None` for `usage`.
    pub unique_id: Option<UniqueId>,
    /// Title of the registration; for `usage`, the owner.
    pub name: String,
}

/// Kind of contradiction between rows. Each variant names the contradicting rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum MiscountKind {
    /// The counters of a registration contradict its requests.
    Counters,
    /// The queue of a registration for one host contradicts the registration's requests to that host.
    Lanes,
    /// The usage of an owner contradicts the owner's requests.
    Usage,
    /// An active registration has no entry in the table of active names, or an inactive one has an entry.
    Name,
    /// A registration is active, but all its requests are finished.
    Unsettled,
    /// The digest of a completed file contradicts its checksum file.
    Digest,
    /// A completed request has no record of its response, or an unfinished request has one.
    Response,
}

impl MiscountKind {
    /// Whether the correct value can be recomputed from other rows.
    pub fn is_repairable(self) -> bool {
        match self {
            Self::Counters | Self::Lanes | Self::Usage | Self::Name | Self::Unsettled => true,
            Self::Digest | Self::Response => false,
        }
    }
}
