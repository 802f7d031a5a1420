//! What signs in, and where that is kept.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What signs in to one server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", tag = "scheme", deny_unknown_fields)]
#[ts(export)]
pub enum SignIn {
    /// A user and a password (RFC 7617).
    Basic {
        /// Who; without a colon.
        user: String,
        /// The password.
        password: String,
    },
    /// A token (RFC 6750).
    Bearer {
        /// The token alone.
        token: String,
    },
}

/// Where what signs in is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum KeptIn {
    /// In the system's keychain.
    System,
    /// In a file of the data folder that only this user can read.
    File,
    /// Nowhere: it is forgotten when the engine closes.
    Memory,
}

/// An origin that something is kept for. Never what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeptSignIn {
    /// Such as `https://example.org`.
    pub origin: String,
    /// Where.
    pub kept: KeptIn,
}
