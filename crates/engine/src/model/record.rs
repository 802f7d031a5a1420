//! Records: requests with their responses.

use std::{collections::BTreeMap, path::PathBuf};

use ashore_messages::{MessageArgument, UserMessage};
use ashore_transfer::{MissingGuarantee as NotPromised, Verification as HowVerified};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// State of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum RecordState {
    /// The request has not started.
    Pending,
    /// The request is being fetched.
    Active,
    /// The request will be retried later.
    Waiting,
    /// The request ended; see the outcome.
    Completed,
    /// The request failed, and a retry would not help.
    Dead,
    /// The registration was aborted before the request ended.
    Aborted,
}

/// Outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum RecordOutcome {
    /// The file is complete.
    Success,
    /// The request failed.
    Failure,
    /// The request was aborted.
    Aborted,
}

/// Request with its response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ResponseRecord {
    /// Index in the registration, from 0.
    pub index: u32,
    /// Requested address.
    pub url: String,
    /// HTTP method.
    pub method: String,
    /// Current state.
    pub state: RecordState,
    /// Whether the registration can succeed even if this request fails.
    pub optional: bool,
    /// HTTP status of the response.
    pub status: Option<u16>,
    /// Reason phrase of the status.
    pub status_text: Option<String>,
    /// All header fields of the response.
    pub headers: Vec<(String, String)>,
    /// All addresses in the redirect chain of the request.
    pub url_chain: Vec<String>,
    /// Path of the file, available when the file is complete.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// Size of the whole file in bytes; null if unknown.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Body bytes received so far.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Outcome, available when the request has ended.
    pub outcome: Option<RecordOutcome>,
    /// Detailed code of the latest failure of the request, such as `dns`.
    pub code: Option<String>,
    /// Variant of the message; see [`UserMessage`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variant: Option<String>,
    /// Arguments of the message.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, MessageArgument>>", optional)]
    pub args: BTreeMap<String, MessageArgument>,
    /// English sentence about the last failure and how to correct it.
    pub text: Option<String>,
    /// Extent to which the received bytes were checked.
    pub verified: Option<RecordedVerification>,
    /// Digest that was compared, as `sha-256=HEX`.
    pub digest: Option<String>,
    /// List of the guarantees that the file system does not give for the finished file.
    pub missing_guarantees: Vec<RecordedMissingGuarantee>,
    /// Number of attempts.
    pub attempts: u32,
    /// Time of the next attempt in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
}

impl ResponseRecord {
    /// Message of the latest failure of the request.
    pub fn message(&self) -> Option<UserMessage> {
        let (variant, args) = (self.variant.clone(), self.args.clone());
        self.code.clone().zip(self.text.clone()).map(|(code, text)| UserMessage { code, variant, args, text })
    }
}

/// Guarantee that some file systems (FUSE, CIFS, exFAT, vfat) do not give for finished files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedMissingGuarantee {
    /// The file has the permissions of the file system, not the requested ones.
    Permissions,
    /// The bytes may be lost in a power cut soon after completion.
    Sync,
    /// The name may be lost in a power cut soon after completion.
    FolderSync,
    /// A file of the same name, created by another program at the same moment, may have been replaced.
    ExclusiveName,
    /// The file was copied to its final name, and was visible there before it was complete.
    AtOnce,
}

impl From<NotPromised> for RecordedMissingGuarantee {
    fn from(missing: NotPromised) -> Self {
        match missing {
            NotPromised::Permissions => Self::Permissions,
            NotPromised::Sync => Self::Sync,
            NotPromised::FolderSync => Self::FolderSync,
            NotPromised::ExclusiveName => Self::ExclusiveName,
            NotPromised::AtOnce => Self::AtOnce,
        }
    }
}

/// Extent to which the content of a file was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedVerification {
    /// The response ended properly, but without a stated size; the bytes are not verified.
    SizeUnknown,
    /// The size is correct; the bytes are not verified.
    No,
    /// The size is correct, and the file was unchanged at each resume.
    OnResume,
    /// The file has the expected digest.
    ByDigest,
}

impl From<HowVerified> for RecordedVerification {
    fn from(how: HowVerified) -> Self {
        match how {
            HowVerified::SizeUnknown => Self::SizeUnknown,
            HowVerified::No => Self::No,
            HowVerified::OnResume => Self::OnResume,
            HowVerified::ByDigest => Self::ByDigest,
        }
    }
}
