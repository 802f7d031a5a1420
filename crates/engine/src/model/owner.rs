//! Verbs about everything of one owner.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Owners of what the person asked for. Every other owner is a program.
pub const PERSON: [&str; 2] = ["window", "command-line"];

/// Running totals of an owner's requests, by the names of the seed. They outlive its registrations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueStats {
    /// Requests that were added.
    #[ts(type = "number")]
    pub total: u64,
    /// Requests that have succeeded.
    #[ts(type = "number")]
    pub successes: u64,
    /// Requests that have failed, and were not tried again since.
    #[ts(type = "number")]
    pub failures: u64,
}
