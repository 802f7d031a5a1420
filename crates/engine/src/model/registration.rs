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
    /// The same registration was already waiting in the list.
    ///
    /// Adding it again moved it to the top, or to the requested place, and resumed it if it was paused.
    Moved(Box<Registration>),
    /// The same registration is already being downloaded.
    Running(Box<Registration>),
    /// A program, a feed or the clipboard repeated an unfinished registration within a minute.
    ///
    /// The title, description and icons of the existing registration are updated.
    Merged(Box<Registration>),
    /// Nothing was added, because everything is paused and the caller requested this behaviour.
    Ignored,
}

impl AddOutcome {
    /// Returns the registration in the list, new or existing; `None` if nothing was added.
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
    /// The registration starts or continues automatically, at its turn or after a delay.
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
    /// A server refused a request with an HTTP status.
    #[serde(rename = "bad-status")]
    BadStatus,
    /// A file could not be fetched completely.
    #[serde(rename = "fetch-error")]
    FetchError,
    /// There was not enough space.
    #[serde(rename = "quota-exceeded")]
    QuotaExceeded,
    /// More bytes arrived than declared.
    #[serde(rename = "download-total-exceeded")]
    DownloadTotalExceeded,
}

/// State of a download that waits for a new link from the browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AwaitedLink {
    /// End of the wait, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub until: i64,
    /// Title of the latest other file that was clicked in the browser. That file is a separate download.
    pub other: Option<String>,
}

/// Current data of a registration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Registration {
    /// Unique key.
    pub unique_id: UniqueId,
    /// Name that the owner chose for the registration, or else the `unique_id`.
    pub developer_id: String,
    /// Owner: `window`, `command-line`, or a name chosen by the caller.
    pub owner: String,
    /// Displayed title of the registration.
    pub title: String,
    /// Text that describes the download, beside its title; may be empty.
    #[serde(default)]
    pub description: String,
    /// Image file from `icons` that is shown beside the title.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// All icons of the registration, in the original order.
    #[serde(default)]
    pub icons: Vec<ImageResource>,
    /// Current state.
    pub state: RegistrationState,
    /// Result of the registration; `""` before its end.
    pub result: RegistrationResult,
    /// Reason of the registration's earliest failure; `""` without a failure.
    #[serde(rename = "failureReason")]
    pub failure_reason: FailureReason,
    /// Detailed reason of the failure, for users and programs.
    pub failure: Option<UserMessage>,
    /// Body bytes received so far.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Total number of bytes that the creator declared; 0 if unknown.
    #[serde(rename = "downloadTotal")]
    #[ts(type = "number")]
    pub download_total: u64,
    /// Total body bytes of all requests; 0 until every size is known.
    #[ts(type = "number")]
    pub expected_total: u64,
    /// Number of body bytes that have been sent.
    #[ts(type = "number")]
    pub uploaded: u64,
    /// Total number of body bytes to send.
    #[serde(rename = "uploadTotal")]
    #[ts(type = "number")]
    pub upload_total: u64,
    /// True until the end event is handled.
    ///
    /// An event for a client of the owner is handled when the client acknowledges it. Any other event is handled when
    /// it is shown to the user. The records are readable as long as the registration exists.
    #[serde(rename = "recordsAvailable")]
    pub records_available: bool,
    /// Number of times that the registration has settled. Also the number of its latest end event.
    pub event_number: u32,
    /// Number of requests.
    pub requests: u32,
    /// Whether more requests will follow.
    pub has_more: bool,
    /// Whether the registration has received a file of uncertain size.
    ///
    /// The size was not stated, or the stated sizes contradict each other.
    pub unmeasured: bool,
    /// Number of succeeded requests.
    pub succeeded: u32,
    /// Number of permanently failed requests.
    pub failed: u32,
    /// Number of running requests.
    pub active: u32,
    /// Whether a person requested an immediate start.
    ///
    /// An urgent registration precedes all registrations that are not urgent.
    pub urgent: bool,
    /// Rank among unsettled registrations of equal urgency. The lowest rank goes first.
    ///
    /// Of equal ranks, the older registration goes first. Ranks have gaps, so only their order is meaningful.
    #[ts(type = "number")]
    pub rank: i64,
    /// Time of the next attempt in milliseconds of Unix time.
    ///
    /// `None` while the registration waits for its turn or for the user.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
    /// Gate or failure that keeps the registration waiting.
    pub waiting_for: Option<UserMessage>,
    /// Path of the only file after its completion; `None` for several files.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// Folder of the registration's files.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Kind of the file, or most frequent kind of several files, according to the names in the requests.
    pub category: FileCategory,
    /// Source of the request for this registration.
    pub source: RequestSource,
    /// Address of the page with the link, if a browser handed the download over. Never sent to other machines.
    #[serde(default)]
    pub page: Option<String>,
    /// State of the wait for a new link from the browser.
    #[serde(default)]
    pub awaited_link: Option<AwaitedLink>,
    /// Creation time in milliseconds of Unix time.
    #[ts(type = "number")]
    pub created: i64,
    /// Time when the registration was first requested, in milliseconds of Unix time. Repetitions do not change it.
    #[ts(type = "number")]
    pub first_enqueued: i64,
    /// Time when the registration was last requested, in milliseconds of Unix time. A merged repetition changes it.
    #[ts(type = "number")]
    pub last_updated: i64,
    /// End of the registration in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub settled: Option<i64>,
    /// Time when the registration leaves the list, in milliseconds of Unix time.
    ///
    /// The registration stays in the list at least until its end is reported.
    #[ts(type = "number | null")]
    pub expires: Option<i64>,
}
