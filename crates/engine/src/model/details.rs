//! What is known of one file beside its record: every try, and what was said of it when it was asked for.

use ashore_transfer::RestartReason as WhyRestarted;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UserMessage;

/// What is known of one file beside its record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RegistrationDetails {
    /// Newest first: the one under way or the one that brought the file, and of those that failed the latest twenty.
    pub attempts: Vec<RequestAttempt>,
    /// The page on which the link was found, as the creator gave it.
    pub referrer: Option<String>,
    /// Further addresses of the same file.
    pub mirrors: Vec<String>,
    /// What the file must hash to, as `sha-256=HEX`.
    pub checksums: Vec<String>,
    /// When it was there, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub finished: Option<i64>,
}

/// One try to fetch a file. What is set aside by a person or a gate is no try of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RequestAttempt {
    /// Counted from 1.
    pub number: u32,
    /// In milliseconds of Unix time; null where nobody wrote it down.
    #[ts(type = "number | null")]
    pub started: Option<i64>,
    /// In milliseconds of Unix time; null while it is under way.
    #[ts(type = "number | null")]
    pub ended: Option<i64>,
    /// The HTTP status with which the server refused.
    pub status: Option<u16>,
    /// Body bytes that it added to those that were there; null where nobody wrote it down.
    #[ts(type = "number | null")]
    pub brought: Option<u64>,
    /// Body bytes that were there when it ended, or are there by now.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Every address on the way, where it was sent on and failed at the last of them; else empty.
    pub url_chain: Vec<String>,
    /// Why it ended; null for one that is under way, or brought the file.
    pub trouble: Option<UserMessage>,
    /// It failed, and no other try followed by itself.
    pub is_final: bool,
    /// It began the file anew, though some of it had come.
    pub restart: Option<RecordedRestart>,
}

/// A file was begun anew. What had come is kept beside it until it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedRestart {
    /// Why.
    pub why: RecordedRestartReason,
    /// Body bytes that had come before.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// Why a file was begun anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedRestartReason {
    /// The file on the server is another one now.
    Changed,
    /// The server does not go on in the middle of a file, or not as it was asked.
    NoRanges,
    /// The server does not say that it is another file, and gives other bytes than those that had come.
    Differs,
    /// What had come was moved or deleted meanwhile; nothing is kept.
    Gone,
}

impl From<ashore_transfer::TransferRestart> for RecordedRestart {
    fn from(restart: ashore_transfer::TransferRestart) -> Self {
        let why = match restart.why {
            WhyRestarted::Changed => RecordedRestartReason::Changed,
            WhyRestarted::NoRanges => RecordedRestartReason::NoRanges,
            WhyRestarted::Differs => RecordedRestartReason::Differs,
            WhyRestarted::Gone => RecordedRestartReason::Gone,
        };
        Self { why, bytes: restart.bytes }
    }
}
