//! Information about links before they are added.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FileCategory, Registration, UserMessage};

/// Result of a probe: the head of the response.
///
/// The response with its body is stored for a request with this `probe` GUID.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProbeReport {
    /// GUID of the stored response; null if none is stored.
    #[ts(type = "string | null")]
    pub probe: Option<Guid>,
    /// Number of seconds that the response is stored.
    ///
    /// A request that is added after this time contacts the server again.
    #[ts(type = "number")]
    pub waits_seconds: u64,
    /// HTTP status of the response; null without a response.
    pub status: Option<u16>,
    /// Name that the downloaded file would have.
    pub name: Option<String>,
    /// Size in bytes; null if unknown.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Media type from the server, with parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content_type: Option<String>,
    /// Content codings of the body, as stated by the server; absent if the body is the file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content_encoding: Option<String>,
    /// Entity tag from the server, with quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub etag: Option<String>,
    /// Time of the last change, as stated by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_modified: Option<String>,
    /// Whether the download could be resumed; null if unknown.
    pub may_resume: Option<bool>,
    /// Reason why there is no usable response: a closed gate, or the failure that a download would now have.
    pub trouble: Option<UserMessage>,
}

/// Information about links, and about a name in a folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExistingLinks {
    /// Files of these links that are already in the list, at most one per link.
    ///
    /// An exact match takes precedence over the latest file.
    pub files: Vec<KnownFile>,
    /// Most frequent kind of the files, according to their names.
    pub category: FileCategory,
    /// Default folder for downloads of the links.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Whether the folder already contains this name, so that the new file would get another name.
    pub is_name_taken: bool,
    /// Downloads of these links by other machines that share the list, at most one per link.
    ///
    /// Filled only by the socket's operation `known`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<PastDownloadReport>>", optional)]
    pub past_downloads: Vec<PastDownloadReport>,
}

/// Completed download of a link on another machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PastDownloadReport {
    /// Index of the requested link, from 0.
    pub link: u32,
    /// Title of the download.
    pub title: String,
    /// Size in bytes; null if the other machine did not report it.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// End of the download in milliseconds of Unix time.
    #[ts(type = "number")]
    pub time_ms: i64,
    /// Name of the machine.
    pub machine: String,
}

/// File that is already in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownFile {
    /// Index of the requested link, from 0.
    pub link: u32,
    /// Whether both links are identical. If false, only their queries differ, as with expiring links.
    pub is_same: bool,
    /// Index of the file in its registration.
    pub index: u32,
    /// Registration of the file.
    pub registration: Registration,
}
