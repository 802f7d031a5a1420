//! Verbs about everything of one owner.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::EngineError;

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

/// Refuses a name that no owner can have. `Invalid`. [pure]
pub fn check_name(owner: &str) -> Result<(), EngineError> {
    match owner.is_empty() || owner.len() > LONGEST_NAME {
        true => Err(EngineError::Invalid("The owner's name has from 1 to 256 bytes.".to_owned())),
        false => Ok(()),
    }
}

/// Whom the end event of a registration goes to, beside the person: 0 nobody, 1 whoever registers for the owner, 2 the owner
/// in any case. [pure]
pub(crate) fn delivers(owner: &str, asked: Option<bool>) -> i64 {
    match asked {
        Some(true) => 2,
        Some(false) => 0,
        None => i64::from(!PERSON.contains(&owner)),
    }
}

/// Bytes of an owner's name, as `create` takes it.
const LONGEST_NAME: usize = 256;
