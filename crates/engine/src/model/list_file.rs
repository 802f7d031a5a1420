//! Results of an export and of an import of the list.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Result of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExportSummary {
    /// Path of the saved list.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Number of registrations in the saved list.
    #[ts(type = "number")]
    pub registrations: u64,
    /// Number of requests in the saved list.
    #[ts(type = "number")]
    pub requests: u64,
    /// Number of requests whose header fields were left out, because these fields may contain secrets.
    #[ts(type = "number")]
    pub without_headers: u64,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportSummary {
    /// Number of registrations that were added.
    #[ts(type = "number")]
    pub registrations: u64,
    /// Number of requests that were added.
    #[ts(type = "number")]
    pub requests: u64,
    /// Number of registrations that were already in the list and were not changed.
    #[ts(type = "number")]
    pub known: u64,
    /// Number of new registrations whose folder is not usable on this machine. Their files go to the default folder.
    #[ts(type = "number")]
    pub elsewhere: u64,
    /// Number of new requests whose header fields are missing in the file. An export leaves out fields that may contain
    /// secrets.
    #[ts(type = "number")]
    pub without_headers: u64,
}
