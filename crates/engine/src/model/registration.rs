//! Registrations and their states, and the result of adding one.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FileCategory, ImageResource, RequestSource, UniqueId, UserMessage};

/// Result of adding a registration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", tag = "how")]
#[ts(export)]
pub enum AddOutcome {
    /// The registration was added to the list.
    New(Box<Registration>),
    /// The same registration was already in the list and waited.
    ///
    /// Adding it again moved it to the top, or to the requested place, and resumed it if it was paused.
    Moved(Box<Registration>),
    /// The same registration is being downloaded already.
    Running(Box<Registration>),
    /// A program, a feed or the clipboard repeated a registration within a minute.
    ///
    /// The existing registration has not ended. Its title, description and icons are updated.
    Merged(Box<Registration>),
    /// Nothing was added, because everything is paused and the caller asked for that in this case.
    Ignored,
}

impl AddOutcome {
    /// The registration in the list, new or not; `None` where nothing was added.
    pub fn registration(&self) -> Option<&Registration> {
        match self {
            Self::New(one) | Self::Moved(one) | Self::Running(one) | Self::Merged(one) => Some(one),
            Self::Ignored => None,
        }
    }
}

/// State of a registration, in a single word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum RegistrationState {
    /// At least one transfer is running.
    Running,
    /// The registration starts or continues automatically, when its turn comes or a retry is due.
    Waiting,
    /// The registration waits until it is resumed.
    Paused,
    /// The registration has ended; nothing more happens automatically.
    Settled,
}

/// The specification's `result`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub enum RegistrationResult {
    /// The registration has not settled.
    #[default]
    #[serde(rename = "")]
    None,
    /// Every request succeeded, except optional ones.
    #[serde(rename = "success")]
    Success,
    /// A request failed, or the registration was aborted.
    #[serde(rename = "failure")]
    Failure,
}

/// The specification's `failureReason`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub enum FailureReason {
    /// No failure.
    #[default]
    #[serde(rename = "")]
    None,
    /// A person or a program aborted the registration.
    #[serde(rename = "aborted")]
    Aborted,
    /// A server refused a request with a status.
    #[serde(rename = "bad-status")]
    BadStatus,
    /// A file could not be fetched completely.
    #[serde(rename = "fetch-error")]
    FetchError,
    /// There was not enough space.
    #[serde(rename = "quota-exceeded")]
    QuotaExceeded,
    /// More bytes arrived than were declared.
    #[serde(rename = "download-total-exceeded")]
    DownloadTotalExceeded,
}

/// Current data of a registration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Registration {
    /// Unique key.
    pub unique_id: UniqueId,
    /// Name that the owner gave the registration.
    pub developer_id: String,
    /// The owner: `window`, `command-line`, or the name that the caller gave.
    pub owner: String,
    /// Title shown to users.
    pub title: String,
    /// Text that describes the download, beside its title; empty where none was given.
    #[serde(default)]
    pub description: String,
    /// The image file of `icons` that is shown beside the title.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// All icons of the registration, in the order in which they were given.
    #[serde(default)]
    pub icons: Vec<ImageResource>,
    /// Current state.
    pub state: RegistrationState,
    /// Result; `""` before the end.
    pub result: RegistrationResult,
    /// Reason of the registration's earliest failure; `""` where nothing has failed.
    #[serde(rename = "failureReason")]
    pub failure_reason: FailureReason,
    /// Detailed reason of the failure, for users and programs.
    pub failure: Option<UserMessage>,
    /// Body bytes received so far.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Total bytes that the creator declared; 0: unknown.
    #[serde(rename = "downloadTotal")]
    #[ts(type = "number")]
    pub download_total: u64,
    /// Total body bytes of all requests, once every size is known; otherwise 0.
    #[ts(type = "number")]
    pub expected_total: u64,
    /// Body bytes sent.
    #[ts(type = "number")]
    pub uploaded: u64,
    /// Body bytes to send.
    #[serde(rename = "uploadTotal")]
    #[ts(type = "number")]
    pub upload_total: u64,
    /// True until the end event was handled.
    ///
    /// An event that goes to a client of the owner is handled when the client acknowledges it; any other event, when it
    /// is shown to the person. The records themselves can be read as long as the registration exists.
    #[serde(rename = "recordsAvailable")]
    pub records_available: bool,
    /// Number of times that the registration has settled; 0 before the first time.
    ///
    /// The latest end event of the registration has the same number.
    pub event_number: u32,
    /// Number of requests.
    pub requests: u32,
    /// Whether more requests will follow.
    pub has_more: bool,
    /// Whether the registration has received a file whose size is uncertain.
    ///
    /// Either no size was stated, or the stated sizes contradict each other.
    pub unmeasured: bool,
    /// Number of requests that succeeded.
    pub succeeded: u32,
    /// Number of requests that failed permanently.
    pub failed: u32,
    /// Number of requests that are being fetched.
    pub active: u32,
    /// Whether a person asked for an immediate start.
    ///
    /// An urgent registration precedes all registrations that are not urgent.
    pub urgent: bool,
    /// Rank among unsettled registrations of equal urgency; the lowest rank goes first.
    ///
    /// Of equal ranks, the older registration goes first. Ranks have gaps between them, so only their order is
    /// meaningful.
    #[ts(type = "number")]
    pub rank: i64,
    /// Time of the next attempt in milliseconds of Unix time.
    ///
    /// `None` while the registration waits for its turn or for a person.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
    /// Gate or failure that the registration waits for.
    pub waiting_for: Option<UserMessage>,
    /// Path of the only file once it is complete; `None` for several files.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// Folder of the registration's files.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Kind of the file; for several files, the most frequent kind.
    ///
    /// Derived from the names in the requests.
    pub category: FileCategory,
    /// Source of the request for this registration.
    pub source: RequestSource,
    /// Creation time in milliseconds of Unix time.
    #[ts(type = "number")]
    pub created: i64,
    /// Time at which the registration was first requested, in milliseconds of Unix time.
    ///
    /// Repetitions do not change it.
    #[ts(type = "number")]
    pub first_enqueued: i64,
    /// Time at which the registration was last requested, in milliseconds of Unix time.
    ///
    /// A merged repetition changes it.
    #[ts(type = "number")]
    pub last_updated: i64,
    /// Time at which the registration ended, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub settled: Option<i64>,
    /// Time at which the registration leaves the list, in milliseconds of Unix time.
    ///
    /// The registration never leaves the list before its end was reported.
    #[ts(type = "number | null")]
    pub expires: Option<i64>,
}
