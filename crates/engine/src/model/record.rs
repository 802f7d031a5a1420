//! A request with what is known of its answer.

use std::path::PathBuf;

use ashore_transfer::{MissingGuarantee as NotPromised, Verification as HowVerified};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One request's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum RecordState {
    /// Its turn has not come.
    Pending,
    /// Being fetched.
    Active,
    /// It tries again later.
    Waiting,
    /// Over, well or badly; see the outcome.
    Completed,
    /// A failure that trying again will not mend.
    Dead,
    /// Its registration was aborted before it was done.
    Aborted,
}

/// How one request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum RecordOutcome {
    /// The file is there.
    Success,
    /// It is not.
    Failure,
    /// It was aborted.
    Aborted,
}

/// A request with what is known of its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ResponseRecord {
    /// Its place in the registration, from 0.
    pub index: u32,
    /// What was asked for.
    pub url: String,
    /// How.
    pub method: String,
    /// Where it stands.
    pub state: RecordState,
    /// A failure of it does not fail the registration.
    pub optional: bool,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// Its reason phrase.
    pub status_text: Option<String>,
    /// All header fields of the answer.
    pub headers: Vec<(String, String)>,
    /// Every address on the way.
    pub url_chain: Vec<String>,
    /// Where the file is, once it is there.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// The file's size in bytes: the whole one's where known, else null.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Body bytes there by now.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// How it ended.
    pub outcome: Option<RecordOutcome>,
    /// The finer code of its last failure, such as `dns`.
    pub code: Option<String>,
    /// That failure as a sentence with the cure.
    pub text: Option<String>,
    /// How the bytes were checked.
    pub verified: Option<RecordedVerification>,
    /// The digest that was checked, as `sha-256=HEX`.
    pub digest: Option<String>,
    /// Guarantees that the folder's file system could not give for the finished file.
    pub missing_guarantees: Vec<RecordedMissingGuarantee>,
    /// How many tries there were.
    pub attempts: u32,
    /// When the next try is due, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
}

/// A promise of every finished file that a file system cannot keep (FUSE, CIFS, exFAT, vfat).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedMissingGuarantee {
    /// The file has the permissions that the file system gives, and not those that were asked for.
    Permissions,
    /// Its bytes may be lost in a power cut soon after it was complete.
    Sync,
    /// Its name may be lost in a power cut soon after it was complete.
    FolderSync,
    /// A file that another program gave the same name in the same moment could have been replaced.
    ExclusiveName,
    /// It was copied under its final name, so that the name stood for an unfinished file meanwhile.
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

/// How far a file's content was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RecordedVerification {
    /// It ended in order, and nobody said how long it is; nothing vouches for the bytes.
    SizeUnknown,
    /// Its length is right; nothing vouches for the bytes.
    No,
    /// Its length is right, and at each resume it was the same file.
    OnResume,
    /// It has the digest that was expected.
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
