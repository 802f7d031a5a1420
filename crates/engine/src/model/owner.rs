//! Owners of registrations: names, totals and delivery of end events.

use ashore_messages::message;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::EngineError;

/// Owners that stand for the user. Every other owner is a program.
pub const PERSON: [&str; 2] = ["window", "command-line"];

/// Running totals of an owner's requests. Removing registrations does not change them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueStats {
    /// Number of added requests.
    #[ts(type = "number")]
    pub total: u64,
    /// Number of succeeded requests.
    #[ts(type = "number")]
    pub successes: u64,
    /// Number of failed requests without a later retry.
    #[ts(type = "number")]
    pub failures: u64,
}

/// Values that the clients of an owner chose for a registration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerChoices {
    /// Text that Ashore stores, but does not interpret.
    pub data: String,
    /// Maximum number of connections for each file; `None` for the value in the settings. 0 counts as 1.
    pub connections: Option<u32>,
}

/// Speed and connections of a running registration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferRate {
    /// Body bytes per second, received and sent together, over the last seconds.
    pub speed: u64,
    /// Number of connections that transfer bytes.
    pub connections: u32,
}

/// Checks the name of an owner. Fails with `Invalid`. [pure]
pub fn check_name(owner: &str) -> Result<(), EngineError> {
    match owner.is_empty() || owner.len() > LONGEST_NAME {
        true => Err(EngineError::Invalid(message!("invalid.owner"))),
        false => Ok(()),
    }
}

/// Returns the receiver of a registration's end event, in addition to the user. [pure]
///
/// 0: no other receiver; 1: a client that registered for the owner; 2: the owner, even without a registered client.
pub(crate) fn delivers(owner: &str, asked: Option<bool>) -> i64 {
    match asked {
        Some(true) => 2,
        Some(false) => 0,
        None => i64::from(!PERSON.contains(&owner)),
    }
}

/// Maximum length of an owner's name in bytes.
const LONGEST_NAME: usize = 256;
