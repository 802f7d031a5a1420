//! Details of a file in addition to its record: attempts, and request options.

use ashore_transfer::RestartReason as WhyRestarted;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UserMessage;

/// Details of a file in addition to its record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RegistrationDetails {
    /// Attempts, newest first: the running or successful attempt, and the latest twenty failed ones.
    pub attempts: Vec<RequestAttempt>,
    /// Page with the link, as given by the creator.
    pub referrer: Option<String>,
    /// Header fields of the request that never identify the user, name and value. An exported list contains the same
    /// fields.
    pub headers: Vec<(String, String)>,
    /// Names of the other header fields of the request. Their values may be secret.
    pub hidden_headers: Vec<String>,
    /// Further addresses of the same file.
    pub mirrors: Vec<String>,
    /// Expected digests, as `sha-256=HEX`.
    pub checksums: Vec<String>,
    /// Time of completion in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub finished: Option<i64>,
}

/// Single attempt to fetch a file. Neither a pause nor a closed gate ends an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RequestAttempt {
    /// Number of the attempt, from 1.
    pub number: u32,
    /// Start in milliseconds of Unix time; null if unknown.
    #[ts(type = "number | null")]
    pub started: Option<i64>,
    /// End in milliseconds of Unix time; null while the attempt runs.
    #[ts(type = "number | null")]
    pub ended: Option<i64>,
    /// HTTP status with which a server refused the request.
    pub status: Option<u16>,
    /// Body bytes that this attempt added; null if unknown.
    #[ts(type = "number | null")]
    pub brought: Option<u64>,
    /// Body bytes of the file at the end of the attempt, or now if the attempt is running.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Addresses of the redirect chain, if the attempt was redirected and then failed; otherwise empty.
    pub url_chain: Vec<String>,
    /// Reason why the attempt ended; null if the attempt is still running or has completed the file.
    pub trouble: Option<UserMessage>,
    /// Whether the attempt failed and no automatic retry follows.
    pub is_final: bool,
    /// Restart of the file from its beginning during this attempt; null without a restart.
    ///
    /// Recorded only if bytes had been received before.
    pub restart: Option<RecordedRestart>,
}

/// Restart of a file from its beginning.
///
/// The earlier bytes are kept beside the new file until it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedRestart {
    /// Reason for the restart.
    pub why: RecordedRestartReason,
    /// Number of body bytes that were received before the restart.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// Reason for the restart of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedRestartReason {
    /// The file on the server has changed.
    Changed,
    /// The server cannot resume the file, or ignored the requested range.
    NoRanges,
    /// The server reports no change, but sends bytes that differ from the received ones.
    Differs,
    /// The partial file was moved or deleted; no earlier bytes are left.
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
