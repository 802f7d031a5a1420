//! What became of saving the list in a file, and of taking one in.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The list is saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExportSummary {
    /// Where.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// How many registrations are in it...
    #[ts(type = "number")]
    pub registrations: u64,
    /// ...and requests.
    #[ts(type = "number")]
    pub requests: u64,
    /// Requests of which header fields are not in it, because they may be secret.
    #[ts(type = "number")]
    pub without_headers: u64,
}

/// A saved list was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportSummary {
    /// How many registrations are in the list now that were not...
    #[ts(type = "number")]
    pub registrations: u64,
    /// ...and requests.
    #[ts(type = "number")]
    pub requests: u64,
    /// Registrations that were in the list already, and were left alone.
    #[ts(type = "number")]
    pub known: u64,
    /// New registrations whose folder cannot be used here: they go where files go when nobody chooses.
    #[ts(type = "number")]
    pub elsewhere: u64,
    /// New requests that had header fields which are not in the file, because they may be secret.
    #[ts(type = "number")]
    pub without_headers: u64,
}
