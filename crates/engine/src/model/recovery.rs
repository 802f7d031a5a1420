//! Types that describe the recovery of a damaged list, backup copies, and orphaned partial files.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// Recovery of a damaged list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecoveryReport {
    /// Time at which the damage was found, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found: i64,
    /// Error message of SQLite or of the system.
    pub why: String,
    /// Path of the damaged file. `None`: no file was left.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub kept_as: Option<PathBuf>,
    /// Time of the copy that replaced the list, in milliseconds of Unix time.
    ///
    /// `None`: there was no copy, and a new list was created.
    #[ts(type = "number | null")]
    pub copy_of: Option<i64>,
    /// Downloads that the copy lacked and that have been found again.
    pub found_again: Vec<FoundAgain>,
    /// Whether the recovery takes place only at the next start, because the damage was found while Ashore was running.
    pub is_ahead: bool,
}

/// Download that was added to the list again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FoundAgain {
    /// Key of the registration.
    pub unique_id: UniqueId,
    /// Title of the registration.
    pub title: String,
}

/// Backup copy of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LedgerBackup {
    /// Path of the copy.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Time of the copy in milliseconds of Unix time.
    #[ts(type = "number")]
    pub taken: i64,
    /// Size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// Partial file that has a journal and belongs to no registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OrphanPartial {
    /// The partial file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Intended file name.
    pub name: String,
    /// Address from which the file was fetched.
    pub url: String,
    /// Number of durable bytes in the partial file.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Size of the whole file in bytes, where it is known.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Whether the partial file can be resumed. If false, it is unknown which file on the server the bytes came from.
    pub may_resume: bool,
}
