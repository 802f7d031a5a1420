//! What became of a list that was damaged, and of partial files that nothing in the list knows.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// The list was damaged, and this is what was done about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecoveryReport {
    /// When that was found, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found: i64,
    /// What was wrong, as SQLite or the system says it.
    pub why: String,
    /// Where the damaged file is now. None: there was none left.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub kept_as: Option<PathBuf>,
    /// From when the copy is that was taken, in milliseconds of Unix time. None: there was no copy, and a new list was begun.
    #[ts(type = "number | null")]
    pub copy_of: Option<i64>,
    /// Downloads that the copy did not have.
    pub found_again: Vec<FoundAgain>,
    /// Nothing has been done about it yet: it was found while Ashore was at work, and is mended at its next start.
    pub is_ahead: bool,
}

/// A download that is in the list again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FoundAgain {
    /// Its id.
    pub unique_id: UniqueId,
    /// Its title.
    pub title: String,
}

/// A copy of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LedgerBackup {
    /// Where.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// From when, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub taken: i64,
    /// How large it is.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// A partial file with a journal that nothing in the list knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OrphanPartial {
    /// The partial file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// What the file was to be called.
    pub name: String,
    /// Where it came from.
    pub url: String,
    /// Durable bytes in it.
    #[ts(type = "number")]
    pub bytes: u64,
    /// How many there will be, where that is known.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// It can be gone on with; else nobody can say to which file its bytes belong.
    pub may_resume: bool,
}
