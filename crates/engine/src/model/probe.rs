//! Information about links before they are added.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FileCategory, Registration, UserMessage};

/// Response head of a probe. The response waits, with its body, for a request that is added with this `probe`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProbeReport {
    /// GUID of the waiting response; null where none waits.
    #[ts(type = "string | null")]
    pub probe: Option<Guid>,
    /// Time that the response waits, in seconds; a request added later is sent again.
    #[ts(type = "number")]
    pub waits_seconds: u64,
    /// HTTP status of the response; null where there was none.
    pub status: Option<u16>,
    /// Name that the file will have.
    pub name: Option<String>,
    /// Size in bytes; null where the server does not state it.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Whether the download could be resumed; null where the server does not state it.
    pub may_resume: Option<bool>,
    /// Reason why there is no response, or why it cannot be downloaded as it is.
    ///
    /// Holds the closed gate, or the trouble that a failed request would have.
    pub trouble: Option<UserMessage>,
}

/// Information about links, and about a name in a folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExistingLinks {
    /// Files in the list that come from these links, at most one per link.
    ///
    /// An exact match is preferred, then the latest.
    pub files: Vec<KnownFile>,
    /// Kind of most of the files, judged by their names.
    pub category: FileCategory,
    /// Default folder of the links.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Whether the folder already contains that name, so that the file would get another one.
    pub is_name_taken: bool,
}

/// File that is already in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownFile {
    /// Index of the requested link, from 0.
    pub link: u32,
    /// Whether the links are identical; otherwise they differ in their query, as expiring links do.
    pub is_same: bool,
    /// Index of the file in its registration.
    pub index: u32,
    /// Registration of the file.
    pub registration: Registration,
}
