//! A registration as it is now, and what became of one that was added.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Category, ImageResource, Source, Trouble, UniqueId};

/// What became of a registration that was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", tag = "how")]
#[ts(export)]
pub enum Added {
    /// It is in the list now.
    New(Box<Registration>),
    /// It was there and waited: it stands on top now, or where it was to stand, and goes on if it was paused.
    Moved(Box<Registration>),
    /// It is under way already.
    Running(Box<Registration>),
    /// A program, a feed or the clipboard asked for the very same in this minute, and it is not over; what people see of it is
    /// the latest.
    Merged(Box<Registration>),
    /// Everything is paused, and it was not to be added then.
    Ignored,
}

impl Added {
    /// The one in the list, new or not.
    pub fn registration(&self) -> Option<&Registration> {
        match self {
            Self::New(one) | Self::Moved(one) | Self::Running(one) | Self::Merged(one) => Some(one),
            Self::Ignored => None,
        }
    }
}

/// What is going on with a registration, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum State {
    /// At least one transfer is under way.
    Running,
    /// It will go on by itself: its turn has not come, or it tries again later.
    Waiting,
    /// It goes on when somebody says so.
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
    /// Somebody aborted it.
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
    /// Who asked.
    pub owner: String,
    /// What people see.
    pub title: String,
    /// What it is, in more words; empty where nobody said so.
    #[serde(default)]
    pub description: String,
    /// The image file of `icons` that is shown beside the title.
    #[serde(default, with = "crate::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// All of its icons, in the order in which they were given.
    #[serde(default)]
    pub icons: Vec<ImageResource>,
    /// What is going on.
    pub state: State,
    /// How it ended, `""` before.
    pub result: RegistrationResult,
    /// The first failure in time, `""` without one.
    #[serde(rename = "failureReason")]
    pub failure_reason: FailureReason,
    /// The finer reason beside it, for people and programs.
    pub failure: Option<Trouble>,
    /// Body bytes that are there.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// What the creator declared; 0 unknown.
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
    /// Why it tries again later.
    pub waiting_for: Option<Trouble>,
    /// The only file's path once it is there; for several files, none.
    #[serde(default, with = "crate::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub path: Option<PathBuf>,
    /// The folder its files go to.
    #[serde(with = "crate::path_text")]
    #[ts(as = "PathBuf")]
    pub folder: PathBuf,
    /// What kind of file it is; for several files, what most of them are by the names they were asked for with.
    pub category: Category,
    /// How it came to be asked for.
    pub source: Source,
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
