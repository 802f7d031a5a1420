//! A registration as it is now, and what became of one that was added.

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
    /// The same registration was in the list and waited. Adding it moved it to the top, or to the place that was asked for, and
    /// resumed it if it was paused.
    Moved(Box<Registration>),
    /// The same registration is being downloaded already.
    Running(Box<Registration>),
    /// A program, a feed or the clipboard asked for the very same in this minute, and it is not over; what people see of it is
    /// the latest.
    Merged(Box<Registration>),
    /// Nothing was added, because everything is paused and the caller asked for nothing to be added then.
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
    /// At least one transfer is under way.
    Running,
    /// The registration starts or continues by itself: its turn has not come, or a retry is due later.
    Waiting,
    /// The registration waits until it is resumed.
    Paused,
    /// Nothing more will happen by itself.
    Settled,
}

/// The specification's `result`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub enum RegistrationResult {
    /// Not settled yet.
    #[default]
    #[serde(rename = "")]
    None,
    /// Every request that matters succeeded.
    #[serde(rename = "success")]
    Success,
    /// At least one did not, or it was aborted.
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
    /// A server refused with a status.
    #[serde(rename = "bad-status")]
    BadStatus,
    /// A file could not be fetched whole.
    #[serde(rename = "fetch-error")]
    FetchError,
    /// There is no room for it.
    #[serde(rename = "quota-exceeded")]
    QuotaExceeded,
    /// More came than was declared.
    #[serde(rename = "download-total-exceeded")]
    DownloadTotalExceeded,
}

/// A registration as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Registration {
    /// Its key.
    pub unique_id: UniqueId,
    /// Its owner's name for it.
    pub developer_id: String,
    /// The owner: `window`, `command-line`, or the name that the caller gave.
    pub owner: String,
    /// Title that people see.
    pub title: String,
    /// Text that describes the download, beside its title; empty where none was given.
    #[serde(default)]
    pub description: String,
    /// The image file of `icons` that is shown beside the title.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// All of its icons, in the order in which they were given.
    #[serde(default)]
    pub icons: Vec<ImageResource>,
    /// Current state.
    pub state: RegistrationState,
    /// The result, `""` before the end.
    pub result: RegistrationResult,
    /// The first failure in time, `""` without one.
    #[serde(rename = "failureReason")]
    pub failure_reason: FailureReason,
    /// The finer reason beside it, for people and programs.
    pub failure: Option<UserMessage>,
    /// Body bytes that are there.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Total bytes that the creator declared; 0: unknown.
    #[serde(rename = "downloadTotal")]
    #[ts(type = "number")]
    pub download_total: u64,
    /// Body bytes that will be there when all requests are done, where every size is known by now; else 0.
    #[ts(type = "number")]
    pub expected_total: u64,
    /// Body bytes sent.
    #[ts(type = "number")]
    pub uploaded: u64,
    /// Body bytes to send.
    #[serde(rename = "uploadTotal")]
    #[ts(type = "number")]
    pub upload_total: u64,
    /// True until the end event was handled: acknowledged by a client of the owner where it goes to one, else shown to the
    /// person. The records themselves can be read as long as the registration is there.
    #[serde(rename = "recordsAvailable")]
    pub records_available: bool,
    /// Times it has settled, which is the number of its latest end event; 0 before the first.
    pub event_number: u32,
    /// How many requests there are.
    pub requests: u32,
    /// There will be more: something comes after one of them.
    pub has_more: bool,
    /// A file has come whose size is not known for certain: nobody stated it, or what was stated contradicts itself.
    pub unmeasured: bool,
    /// How many have succeeded.
    pub succeeded: u32,
    /// How many have failed for good.
    pub failed: u32,
    /// How many are being fetched now.
    pub active: u32,
    /// A person wants it now: it goes before everything that nobody is in such a hurry for.
    pub urgent: bool,
    /// Where it stands among those that are as urgent, and not settled: the lower, the sooner; of two that stand at the same,
    /// the older one. Between one and the next is room for more, so only the order means anything.
    #[ts(type = "number")]
    pub rank: i64,
    /// When the next try is due, in milliseconds of Unix time; none when it waits for its turn or for a person.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
    /// The failure after which the registration waits for a retry.
    pub waiting_for: Option<UserMessage>,
    /// The only file's path once it is there; for several files, none.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// The folder its files go to.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// Kind of the file; for several files, the kind of most of them, judged by the names in their requests.
    pub category: FileCategory,
    /// How the registration came to be requested.
    pub source: RequestSource,
    /// Created, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub created: i64,
    /// First asked for, in milliseconds of Unix time: repeats do not change it.
    #[ts(type = "number")]
    pub first_enqueued: i64,
    /// Last asked for, in milliseconds of Unix time: a repeat that was merged changes it.
    #[ts(type = "number")]
    pub last_updated: i64,
    /// Settled, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub settled: Option<i64>,
    /// Leaves the list, in milliseconds of Unix time, though not before somebody was told how it ended.
    #[ts(type = "number | null")]
    pub expires: Option<i64>,
}
