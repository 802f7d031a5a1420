//! Types for the recovery of a damaged list, backup copies, and orphaned partial files.

use std::path::PathBuf;

use ashore_messages::{MessageArgument, UserMessage};
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// Recovery of a damaged list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecoveryReport {
    /// Time when the damage was found, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found: i64,
    /// Reason as a clause. SQLite errors have only a text.
    #[serde(deserialize_with = "message_or_text")]
    pub why: UserMessage,
    /// Path of the damaged file; `None` if no file was left.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub kept_as: Option<PathBuf>,
    /// Time of the copy that replaced the list, in milliseconds of Unix time.
    ///
    /// `None`: there was no copy, and a new list was created.
    #[ts(type = "number | null")]
    pub copy_of: Option<i64>,
    /// Downloads that the copy lacked but the recovery found again.
    pub found_again: Vec<FoundAgain>,
    /// Whether the recovery will take place at the next start, because the damage was found while Ashore was running.
    pub is_ahead: bool,
}

/// Reads a message, or the plain text of an older version.
fn message_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UserMessage, D::Error> {
    MessageArgument::deserialize(deserializer).map(UserMessage::from)
}

/// Download that the recovery added to the list again.
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

/// Partial file with a journal, but without a registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OrphanPartial {
    /// The partial file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Intended file name.
    pub name: String,
    /// Address of the file.
    pub url: String,
    /// Number of durable bytes in the partial file.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Size of the whole file in bytes, if known.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Whether the partial file can be resumed. If false, it is unknown from which version of the file the bytes came.
    pub may_resume: bool,
}

#[cfg(test)]
mod tests {
    use ashore_messages::{Catalogue, message};

    use super::*;

    #[test]
    fn ledger_recovery_reason_is_read_from_message_or_from_text_of_older_version() {
        let report = RecoveryReport { why: message!("fault-ledger.gone"), ..RecoveryReport::default() };
        let note = serde_json::to_value(&report).unwrap();
        let read: RecoveryReport = serde_json::from_value(note.clone()).unwrap();
        assert_eq!(read, report);
        assert_ne!(read.why.render(&Catalogue::new("de")), report.why.text);
        let mut older = note;
        older["why"] = "malformed".into();
        let read: RecoveryReport = serde_json::from_value(older).unwrap();
        assert_eq!(read.why, UserMessage::from_text("malformed"));
    }
}
