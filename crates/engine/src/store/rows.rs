//! The values that cross the store's border. No SQL, no rules.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use ashore_transfer::{DigestAlgorithm, FileDigest, Guid, ResponseSummary};

use crate::{
    model::{
        FailureReason, FileCategory, FollowUpRule, ImageResource, RecordedMissingGuarantee, RecordedRestart,
        RecordedVerification, RequestSource, UniqueId, UserMessage,
        accepted::{AcceptedRequest, FileExpectation},
        quota::OwnerScopeKey,
    },
    store::quota_room::QuotaReservation,
};

/// A file that was placed for an address, as it was then.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRequest {
    pub path: PathBuf,
    pub size: u64,
    pub digest: Option<FileDigest>,
    pub identity: FileIdentity,
}

/// A request handed out for fetching, with all that a transfer needs.
#[derive(Clone, Debug)]
pub(crate) struct StartableRequest {
    pub unique_id: UniqueId,
    pub index: u32,
    /// Minted by the caller the first time; the request's own ever after, so that its partial is found again.
    pub guid: Guid,
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<(PathBuf, u64)>,
    pub folder: PathBuf,
    pub name: Option<String>,
    pub digest: Option<String>,
    pub expectation: Option<Box<FileExpectation>>,
    /// What comes after it.
    pub next: Option<Box<FollowUpRule>>,
    /// A failure of it fails nothing else.
    pub is_optional: bool,
    /// It is a checksum file that may vouch for others.
    pub vouches: bool,
    /// How the file is hashed for the checksum files that may vouch for it...
    pub compute: Option<DigestAlgorithm>,
    /// ...and what those that are there say.
    pub said: Vec<FileDigest>,
    /// Whose quota it counts against...
    pub owner: i64,
    /// How it came to be asked for.
    pub source: RequestSource,
    /// ...and as what.
    pub category: FileCategory,
    /// The file's size, where somebody has said so; none of what is sent.
    pub size: Option<u64>,
    /// The room it has under quotas, from when it is handed out.
    pub room: Option<Arc<QuotaReservation>>,
    /// Whose connections it counts against.
    pub host: i64,
    /// Failed tries so far.
    pub attempt: u32,
    /// Durable bytes when it was last put back.
    pub kept: u64,
    /// Its file has its name already, and only the ledger does not know.
    pub is_placed: bool,
    /// A partial of it may be in its folder.
    pub has_begun: bool,
    /// Its registration is still active.
    pub is_wanted: bool,
    /// Its registration's pause wish.
    pub is_paused: bool,
    /// Its registration wants only so many at once.
    pub is_limited: bool,
    /// The registration's declared total, 0 unknown...
    pub download_total: u64,
    /// ...and what its completed requests have used of it.
    pub completed_bytes: u64,
}

/// Op 1: a registration with active requests.
#[derive(Clone, Debug)]
pub(crate) struct ActiveRegistration {
    pub unique_id: UniqueId,
    pub title: String,
    pub icons: Vec<ImageResource>,
    pub guids: Vec<Guid>,
}

/// What a transfer has told, as it is to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResponseHeadRow<'a> {
    /// Op 5; and that the file begins anew with it, where some of it had come.
    Head(Guid, &'a ResponseSummary, Option<RecordedRestart>),
    /// Op 6; with the requests that come after it, where some were to come.
    Completed(Guid, &'a CompletedResponse, Option<FileIdentity>, Option<&'a [AcceptedRequest]>),
}

/// Op 6: what is written of a completed request.
#[derive(Clone, Debug)]
pub(crate) struct CompletedResponse {
    pub path: Option<PathBuf>,
    pub size: u64,
    pub digest: Option<FileDigest>,
    pub verified: RecordedVerification,
    /// Guarantees that the file's file system could not give.
    pub missing: Vec<RecordedMissingGuarantee>,
    /// It sent a body, whose copy is of no further use...
    pub is_upload: bool,
    /// ...and this is how much of it there was.
    pub uploaded: u64,
    pub run: RunRow,
}

/// What is remembered of a run when it has ended; nothing of one that a crash cut short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunRow {
    pub started_us: Option<i64>,
    /// Durable body bytes that were not there before.
    pub brought: Option<u64>,
    /// Every address on the way, where it was sent on and failed at the last of them.
    pub url_chain: Vec<String>,
}

/// A failure that no further try will mend, as written.
#[derive(Clone, Debug)]
pub(crate) struct FailedResponse {
    pub reason: FailureReason,
    pub trouble: UserMessage,
    /// The refusing answer's status, where there was one; stored as the record's.
    pub status: Option<u16>,
    pub bytes: u64,
    pub uploaded: u64,
    pub run: RunRow,
}

/// What became of a request that a transfer let go.
#[derive(Clone, Debug)]
pub(crate) enum PutBack {
    /// Set aside: pending again, in its place, no try counted.
    Pending,
    /// It failed; again at `not_before_us`. One more attempt is counted, or the count starts over at 1 when `progressed`.
    Waiting { not_before_us: i64, trouble: UserMessage, status: Option<u16>, progressed: bool, run: RunRow },
    /// It could not go on, and trying was not at fault; again at `not_before_us`, and no try is counted.
    Blameless { not_before_us: i64, trouble: UserMessage, run: RunRow },
}

/// Whose requests are picked next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OwnerFilter {
    /// Of an owner, the first that may start.
    Turn(FairTurn),
    /// One registration's, whatever its place is.
    Of(UniqueId),
}

/// What is passed over when the next requests are picked.
#[derive(Debug, Default)]
pub(crate) struct SkipSet<'a> {
    /// Hosts that are full, or wish to be left alone.
    pub hosts: &'a [i64],
    /// Folders with too little space.
    pub folders: &'a [PathBuf],
    /// Registrations that did not fit.
    pub registrations: &'a [UniqueId],
    /// Owners and kinds of file whose quotas are full.
    pub full: &'a [OwnerScopeKey],
}

/// A request that could be handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpiryCandidate<'a> {
    pub unique_id: UniqueId,
    pub owner: i64,
    pub category: FileCategory,
    pub folder: &'a Path,
    /// Of a request that has begun there: a partial with its tag may be in the folder.
    pub guid: Option<Guid>,
    /// Durable bytes there.
    pub kept: u64,
    /// Of the file, where somebody has said so; none of what is sent.
    pub size: Option<u64>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum PickedRequest {
    /// These are active now; none where there are none.
    Some(Vec<StartableRequest>),
    /// Those that are next have too little room; nothing was changed.
    NoRoom,
}

/// What a write by GUID found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UpdatedRequest {
    pub unique_id: UniqueId,
    /// This write settled the registration: result, reason and "event owed" are in the same transaction.
    pub settled: bool,
}

/// What is to become of a partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialDisposition {
    /// Somebody may go on with it.
    Wanted,
    /// Its bytes are not those that were meant; what was set aside before it may be what a person wants.
    Wrong,
    /// A person gave up its download, with all that belongs to it.
    GivenUp,
}

/// A file on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingFileRemoval {
    pub path: PathBuf,
    /// Device, inode, size and modification time (ns) when it was placed; None for files of our own data folder.
    pub identity: Option<FileIdentity>,
    /// Not to the trash: it was never what it should be.
    pub outright: bool,
}

/// A finished file, for whoever wants to open it.
#[derive(Clone, Debug)]
pub(crate) struct FinishedRequest {
    pub path: PathBuf,
    /// In bytes.
    pub size: u64,
    /// None for files of our own data folder.
    pub identity: Option<FileIdentity>,
}

/// What a placed file was when it was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub device: i64,
    pub inode: i64,
    pub size: i64,
    pub modified_ns: i64,
}

/// An owner that has something runnable of this priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::FromRow)]
pub(crate) struct FairTurn {
    pub priority: i64,
    #[sqlx(rename = "owner_id")]
    pub owner: i64,
}
