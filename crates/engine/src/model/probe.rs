//! Information about links before they are added.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FileCategory, Registration, UserMessage};

/// Response head of a probe.
///
/// The response and its body wait for a request that is added with this `probe`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProbeReport {
    /// GUID of the waiting response; null where no response waits.
    #[ts(type = "string | null")]
    pub probe: Option<Guid>,
    /// Seconds for which the response waits.
    ///
    /// For a request that is added later, the server is contacted again.
    #[ts(type = "number")]
    pub waits_seconds: u64,
    /// HTTP status of the response; null where there was none.
    pub status: Option<u16>,
    /// Name that the file will have.
    pub name: Option<String>,
    /// Size in bytes; null where the server does not state it.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Media type with its parameters, as the server states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content_type: Option<String>,
    /// Codings of the body, as the server states them; absent where the body is the file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content_encoding: Option<String>,
    /// Entity tag with its quotes, as the server states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub etag: Option<String>,
    /// Time of the last change, as the server states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_modified: Option<String>,
    /// Whether the download could be resumed; null where the server does not state it.
    pub may_resume: Option<bool>,
    /// Reason why there is no response, or why the response cannot be downloaded as it is.
    ///
    /// The reason is a closed gate, or the failure that a download of this request would report.
    pub trouble: Option<UserMessage>,
}

/// Information about links, and about a name in a folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExistingLinks {
    /// Files in the list that come from these links, at most one per link.
    ///
    /// An exact match is preferred; otherwise the latest file is returned.
    pub files: Vec<KnownFile>,
    /// Most frequent kind of the files. The kind of a file is derived from its name.
    pub category: FileCategory,
    /// Default folder of the links.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Whether the folder already contains a file of that name, so that the new file would get another name.
    pub is_name_taken: bool,
    /// Downloads of these links by other machines of the list, at most one per link. Only the socket's operation
    /// `known` fills this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<PastDownloadReport>>", optional)]
    pub past_downloads: Vec<PastDownloadReport>,
}

/// A download of a link, completed by another machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PastDownloadReport {
    /// Index, from 0, of the requested link that the download belongs to.
    pub link: u32,
    /// Title of the download.
    pub title: String,
    /// Size in bytes; null where the other machine did not report it.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Time at which the download ended, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub time_ms: i64,
    /// Name of the machine.
    pub machine: String,
}

/// File that is already in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownFile {
    /// Index, from 0, of the requested link that the file comes from.
    pub link: u32,
    /// Whether both links are identical.
    ///
    /// Otherwise only their queries differ, as with expiring links.
    pub is_same: bool,
    /// Index of the file in its registration.
    pub index: u32,
    /// Registration of the file.
    pub registration: Registration,
}
