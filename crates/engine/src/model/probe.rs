//! What can be said of links before they are added.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FileCategory, Registration, UserMessage};

/// What a server says of a file. Its answer waits, with its body, for the request that is added with this `probe`.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProbeReport {
    /// Names the answer that waits; null where none does.
    #[ts(type = "string | null")]
    pub probe: Option<Guid>,
    /// So long does it wait, in seconds; whoever adds the request later has the server asked anew.
    #[ts(type = "number")]
    pub waits_seconds: u64,
    /// What the server answered with; null where nobody did.
    pub status: Option<u16>,
    /// What the file will be called.
    pub name: Option<String>,
    /// Bytes; null where the server does not say.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Whether it could go on where it broke off; null where the server does not say.
    pub may_resume: Option<bool>,
    /// Why there is no answer, or why it is none that can be downloaded as it is: the gate that is closed, or what a failed
    /// request would say.
    pub trouble: Option<UserMessage>,
}

/// What is known of links and of a name in a folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExistingLinks {
    /// Files in the list that come from these links: of each link at most one, the latest.
    pub files: Vec<KnownFile>,
    /// What most of the links lead to, by their names.
    pub category: FileCategory,
    /// Where they go when nobody chooses a folder.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Something in the folder has that name: the file would get another one.
    pub is_name_taken: bool,
}

/// A file that is in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownFile {
    /// Which of the links that were asked about, from 0.
    pub link: u32,
    /// It is that very link; otherwise they differ in what follows the question mark, as links do that expire.
    pub is_same: bool,
    /// Its place in its registration.
    pub index: u32,
    /// Whose it is.
    pub registration: Registration,
}
