//! The nouns, as everybody outside sees them: plain serialisable values, the same on the socket, in the window and in
//! `--json`. No I/O, no rules.
//!
//! Names are the Background Fetch specification's where it has one (`unique_id`, `failureReason`, ...).

use std::{fmt, path::PathBuf, str::FromStr};

use ashore_transfer::Verified as HowVerified;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::gate::Pace;

/// The only key of a registration that anything may hold on to: a version 4 GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(export, type = "string")]
pub struct UniqueId(pub Uuid);

impl fmt::Display for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for UniqueId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}

/// What somebody asks for: an ordered list of requests under one title.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRegistration {
    /// Who asks: `window`, `command-line`, or a name of the caller's own.
    pub owner: String,
    /// How it came to be asked for.
    #[ts(as = "Option<Source>", optional)]
    pub source: Source,
    /// Nothing is added while everything is paused: what is not wanted then is not wanted later.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_when_paused: bool,
    /// The owner's own name for it, 1 byte to 1 MiB; unique among the owner's active ones. None: the `unique_id`.
    pub developer_id: Option<String>,
    /// What people see. None: taken from the requests.
    pub title: Option<String>,
    /// An image file shown beside the title.
    pub icon: Option<PathBuf>,
    /// How many bytes all bodies may have together; 0 when nobody knows.
    #[serde(rename = "downloadTotal")]
    #[ts(as = "Option<u32>", optional)]
    pub download_total: u64,
    /// Where files go. None: the folder of the settings.
    pub folder: Option<PathBuf>,
    /// Wait for `resume` instead of starting.
    #[ts(as = "Option<bool>", optional)]
    pub paused: bool,
    /// Where it stands in the queue. None: where the settings say.
    pub place: Option<Place>,
    /// Of its requests at once, 1 to 64; 1: one after the other, in order. None: as many as the settings allow.
    pub parallel: Option<u32>,
    /// What to fetch, in order.
    pub requests: Vec<NewRequest>,
}

/// How a download came to be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Source {
    /// A person, in the window.
    Window,
    /// A person, with the command.
    CommandLine,
    /// A feed that is followed.
    Feed,
    /// A link that was copied.
    Clipboard,
    /// Another device of the person's.
    Device,
    /// Any other program.
    #[default]
    Program,
}

impl Source {
    /// Somebody meant it, this once.
    pub fn is_person(self) -> bool {
        matches!(self, Self::Window | Self::CommandLine)
    }
}

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
    /// A program, a feed or the clipboard asked for it in this very minute; title and icon are the latest.
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

/// A place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum Place {
    /// Before everything, at once: where there is no room, the last of what runs is set aside with its bytes kept.
    Now,
    /// Next, when there is room.
    Top,
    /// Right before this one, which is active.
    Before(UniqueId),
    /// After everything.
    Bottom,
}

/// One request of a new registration.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRequest {
    /// Where from: `http` or `https`, without credentials.
    pub url: String,
    /// `GET` (the default), `POST` or `PUT`.
    pub method: Option<String>,
    /// Extra header fields, name and value.
    #[ts(as = "Option<Vec<(String, String)>>", optional)]
    pub headers: Vec<(String, String)>,
    /// The file sent as the body; it is copied before the id returns.
    pub upload_file: Option<PathBuf>,
    /// The file's name. None: from the answer and the URL.
    pub name: Option<String>,
    /// What the file must hash to: `sha-256=HEX`.
    pub checksum: Option<String>,
    /// The same in other algorithms; all of them must hold.
    #[ts(as = "Option<Vec<String>>", optional)]
    pub checksums: Vec<String>,
    /// The file's size in bytes.
    #[ts(type = "number", optional)]
    pub size: Option<u64>,
    /// Digests of the file's pieces, so that a bad one is fetched again alone.
    pub pieces: Option<NewPieces>,
    /// Further addresses of the same file, the best first: `http` or `https`, without credentials.
    #[ts(as = "Option<Vec<String>>", optional)]
    pub mirrors: Vec<String>,
    /// A failure of this one does not fail the registration.
    #[ts(as = "Option<bool>", optional)]
    pub optional: bool,
    /// What is fetched when this one is there.
    pub next: Option<Next>,
}

/// What comes after a request, in the same registration: added to the list in the transaction that completes it, so that
/// a crash loses no part and fetches none twice. After a failure of an optional one the chain goes on.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[ts(export)]
pub enum Next {
    /// The next page of a numbered series.
    Series(Series),
    /// The first of these, and the others after it; at most 1,000.
    List(Vec<NewRequest>),
    /// What this file names, one link a line (lines that begin with # aside); at most 10,000 in 4 MiB.
    Parts {
        /// A failure of one of them does not fail the registration.
        #[serde(default)]
        optional: bool,
    },
}

/// Pages that differ by a number; at most 100,000.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export, optional_fields)]
pub struct Series {
    /// The address, with `{}` where the number goes.
    pub url: String,
    /// The number of the next page.
    #[ts(type = "number")]
    pub number: u64,
    /// The number of the last one.
    #[ts(type = "number")]
    pub until: u64,
    /// Numbers are filled up with zeros to so many digits.
    #[serde(default)]
    #[ts(as = "Option<u8>", optional)]
    pub width: u8,
    /// What the pages are called, with `{}` where the number goes. None: what the server calls them.
    pub name: Option<String>,
    /// Pages whose name is there already are not fetched.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub skip_existing: bool,
}

/// Digests of the pieces of a file, all of one length but for the last, which may be shorter.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct NewPieces {
    /// How they were computed: `sha-256`, `sha-512`, `sha-1` or `md5`.
    pub algorithm: String,
    /// Bytes in a piece.
    #[ts(type = "number")]
    pub length: u64,
    /// The digest of each piece in order, in hexadecimal digits.
    pub digests: Vec<String>,
}

/// What signs in to one server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", tag = "scheme", deny_unknown_fields)]
#[ts(export)]
pub enum SignIn {
    /// A user and a password (RFC 7617).
    Basic {
        /// Who; without a colon.
        user: String,
        /// The password.
        password: String,
    },
    /// A token (RFC 6750).
    Bearer {
        /// The token alone.
        token: String,
    },
}

/// Where what signs in is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum KeptIn {
    /// In the system's keychain.
    System,
    /// In a file of the data folder that only this user can read.
    File,
    /// Nowhere: it is forgotten when the engine closes.
    Memory,
}

/// An origin that something is kept for. Never what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeptSignIn {
    /// Such as `https://example.org`.
    pub origin: String,
    /// Where.
    pub kept: KeptIn,
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
    /// An image file shown beside the title.
    pub icon: Option<PathBuf>,
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
    /// Records can be read.
    #[serde(rename = "recordsAvailable")]
    pub records_available: bool,
    /// How many requests there are.
    pub requests: u32,
    /// There will be more: something comes after one of them.
    pub has_more: bool,
    /// How many have succeeded.
    pub succeeded: u32,
    /// How many have failed for good.
    pub failed: u32,
    /// How many are being fetched now.
    pub active: u32,
    /// When the next try is due, in milliseconds of Unix time; none when it waits for its turn or for a person.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
    /// Why it tries again later.
    pub waiting_for: Option<Trouble>,
    /// The only file's path once it is there; for several files, none.
    pub path: Option<PathBuf>,
    /// The folder its files go to.
    pub folder: PathBuf,
    /// How it came to be asked for.
    pub source: Source,
    /// Created, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub created: i64,
    /// Last asked for again, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub asked_again: Option<i64>,
    /// Settled, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub settled: Option<i64>,
}

/// Something that went wrong: a stable word for programs, a sentence with the cure for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Trouble {
    /// Such as `dns` or `changed-on-server`.
    pub code: String,
    /// Such as "The server no longer has this file."
    pub text: String,
}

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
pub struct Record {
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
    pub verified: Option<Verified>,
    /// The digest that was checked, as `sha-256=HEX`.
    pub digest: Option<String>,
    /// How many tries there were.
    pub attempts: u32,
    /// When the next try is due, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub next_try: Option<i64>,
}

/// How far a file's content was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Verified {
    /// Its length is right; nothing vouches for the bytes.
    No,
    /// Each resume compared what it joined.
    OnResume,
    /// It has the digest that was expected.
    ByDigest,
}

impl From<HowVerified> for Verified {
    fn from(how: HowVerified) -> Self {
        match how {
            HowVerified::No => Self::No,
            HowVerified::OnResume => Self::OnResume,
            HowVerified::ByDigest => Self::ByDigest,
        }
    }
}

/// Which records `match` selects (the specification's CacheQueryOptions).
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct MatchOptions {
    /// Compare addresses without their query.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_search: bool,
    /// Also select requests that are not GET.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_method: bool,
    /// The method of the request to match; GET by default.
    pub method: Option<String>,
}

/// A page of the list, newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct ListQuery {
    /// Only titles, addresses and names that contain this.
    pub search: Option<String>,
    /// Only what is not settled (true) or settled (false).
    pub active: Option<bool>,
    /// Only older than this one; for the next page.
    pub before: Option<UniqueId>,
    /// At most so many; 0 means 500.
    #[ts(as = "Option<u32>", optional)]
    pub limit: u32,
}

/// What a speed limit is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[ts(export)]
pub enum LimitScope {
    /// Everything together.
    All,
    /// What comes from a server, or by way of it, and what is sent there.
    Host {
        /// Its name as in a link, without a port. Servers under it are others.
        host: String,
    },
    /// All files of one registration together.
    Registration {
        /// Which.
        unique_id: UniqueId,
    },
}

/// How fast something may come and go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpeedLimit {
    /// For what.
    pub scope: LimitScope,
    /// Body bytes a second, sent ones as well.
    #[ts(type = "number")]
    pub bytes_per_second: u64,
}

/// Everything running, in a few numbers, and what holds the rest back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Totals {
    /// Registrations with a transfer under way.
    pub running: u32,
    /// Registrations that will go on by themselves.
    pub waiting: u32,
    /// Body bytes per second, over the last seconds.
    #[ts(type = "number")]
    pub speed: u64,
    /// Everything is paused.
    pub paused: bool,
    /// How fast everything together may be, in bytes a second. None: as fast as it goes.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub speed_limit: Option<u64>,
    /// How fast things may go by now.
    pub pace: Pace,
    /// The gate that keeps everything from starting, if one is closed.
    pub gate: Option<Gate>,
}

/// Something that decides whether anything may start now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Gate {
    /// Which.
    pub code: GateCode,
    /// How it is.
    pub state: GateState,
    /// A sentence for people with what opens it; empty where it is not closed.
    pub text: String,
    /// What makes it so, such as "NetworkManager says that it is metered".
    pub cause: String,
    /// Until when it is so, in milliseconds of Unix time; none where an event decides.
    #[ts(type = "number | null")]
    pub until: Option<i64>,
}

/// What a gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum GateCode {
    /// The one-time work of a first start or an update.
    Bootstrap,
    /// The wish to pause everything.
    Paused,
    /// A machine that goes to sleep.
    Asleep,
    /// The allowed hours of the week.
    Hours,
    /// Whether there is a network.
    Offline,
    /// A network that wants a sign-in first.
    CaptivePortal,
    /// What traffic costs.
    Metered,
    /// The battery's charge.
    Battery,
    /// Free space where the files go.
    Disk,
}

impl GateCode {
    /// The stable word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bootstrap => "bootstrap",
            Self::Paused => "paused",
            Self::Asleep => "asleep",
            Self::Hours => "hours",
            Self::Offline => "offline",
            Self::CaptivePortal => "captive-portal",
            Self::Metered => "metered",
            Self::Battery => "battery",
            Self::Disk => "disk",
        }
    }
}

/// How a gate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum GateState {
    /// It lets everything through.
    Open,
    /// It lets nothing through.
    Closed,
    /// Nobody can say; it lets everything through.
    Unknown,
}

/// What `doctor` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Report {
    /// `ok`, or what SQLite's check says.
    pub ledger: String,
    /// The ledger file.
    pub path: PathBuf,
    /// Its schema version.
    pub version: u32,
    /// Partials that belong to a request.
    pub partials: Vec<Partial>,
    /// Partials with a journal that no request knows: kept, never deleted unasked.
    pub orphans: Vec<Partial>,
    /// Who works on this folder.
    pub holder: Option<String>,
    /// What decides whether anything may start now.
    pub gates: Vec<Gate>,
}

/// A partial file on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Partial {
    /// Where.
    pub path: PathBuf,
    /// Durable bytes in it.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The registration it belongs to.
    pub unique_id: Option<UniqueId>,
}
