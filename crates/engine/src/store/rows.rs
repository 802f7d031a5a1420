//! Types of the values that the store receives and returns. Contains no SQL and no rules.

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

/// File that was published for an address, with its identity at publication.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRequest {
    pub path: PathBuf,
    pub size: u64,
    pub digest: Option<FileDigest>,
    pub identity: FileIdentity,
}

/// A dispatched request with everything that a transfer needs.
#[derive(Clone, Debug)]
pub(crate) struct StartableRequest {
    pub unique_id: UniqueId,
    pub index: u32,
    /// GUID of the transfer. The caller creates it at the first dispatch. The request stores it, so that a later run
    /// finds the partial file.
    pub guid: Guid,
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<(PathBuf, u64)>,
    pub folder: PathBuf,
    pub name: Option<String>,
    pub digest: Option<String>,
    pub expectation: Option<Box<FileExpectation>>,
    /// Rule for the requests that come after this request.
    pub next: Option<Box<FollowUpRule>>,
    /// Whether a failure of the request leaves the registration's result unaffected.
    pub is_optional: bool,
    /// Whether the request fetches a checksum file that may cover other requests.
    pub vouches: bool,
    /// Digest algorithm of the checksum files that may cover the request.
    pub compute: Option<DigestAlgorithm>,
    /// Checksums that the completed checksum files state for this file.
    pub said: Vec<FileDigest>,
    /// Owner whose quota the request counts against.
    pub owner: i64,
    /// Source that the registration was added from.
    pub source: RequestSource,
    /// Maximum number of connections for each file, if it is lower than the setting.
    pub connections: Option<usize>,
    /// Whether only this registration uses its cookies and sign-ins.
    pub keeps_credentials: bool,
    /// Category under which the request counts in quotas.
    pub category: FileCategory,
    /// Size of the file in bytes, if known; `None` for an upload.
    pub size: Option<u64>,
    /// Reservation of quota for the request, set at dispatch.
    pub room: Option<Arc<QuotaReservation>>,
    /// Host whose connection limit the request counts against.
    pub host: i64,
    /// Number of failed attempts so far.
    pub attempt: u32,
    /// Number of durable bytes when the request last returned to the queue.
    pub kept: u64,
    /// Whether the file of the request was published, but the ledger has not recorded the publication.
    pub is_placed: bool,
    /// Whether the transfer starts even if no slot is free.
    pub is_at_once: bool,
    /// Whether the folder may contain a partial file of the request.
    pub has_begun: bool,
    /// Whether the registration of the request is still active.
    pub is_wanted: bool,
    /// Whether the user paused the registration of the request.
    pub is_paused: bool,
    /// Whether the registration of the request limits how many of its requests run at once.
    pub is_limited: bool,
    /// Total size in bytes that the creator of the registration declared; 0 if unknown.
    pub download_total: u64,
    /// Size in bytes of the registration's completed requests. These bytes count against the total that the creator
    /// declared.
    pub completed_bytes: u64,
}

/// Registration with active requests, as storage operation 1 returns it.
#[derive(Clone, Debug)]
pub(crate) struct ActiveRegistration {
    pub unique_id: UniqueId,
    pub title: String,
    pub icons: Vec<ImageResource>,
    pub guids: Vec<Guid>,
}

/// Report of a transfer, to be persisted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResponseHeadRow<'a> {
    /// Storage operation 5: stores the response head. If the file was restarted after bytes had been received, also
    /// stores the restart.
    Head(Guid, &'a ResponseSummary, Option<RecordedRestart>),
    /// Storage operation 6: stores the completion. If further requests were announced, also stores these requests.
    Completed(Guid, &'a CompletedResponse, Option<FileIdentity>, Option<&'a [AcceptedRequest]>),
}

/// Values that storage operation 6 stores for a completed request.
#[derive(Clone, Debug)]
pub(crate) struct CompletedResponse {
    pub path: Option<PathBuf>,
    pub size: u64,
    pub digest: Option<FileDigest>,
    pub verified: RecordedVerification,
    /// List of the guarantees that the file system could not give for the file.
    pub missing: Vec<RecordedMissingGuarantee>,
    /// Whether the request sent a body. If so, the stored copy of the body is no longer needed.
    pub is_upload: bool,
    /// Body bytes that were sent.
    pub uploaded: u64,
    pub run: RunRow,
}

/// Values that are recorded about an ended run of a request; empty if a crash interrupted the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunRow {
    pub started_us: Option<i64>,
    /// Number of durable body bytes that this run added.
    pub brought: Option<u64>,
    /// All addresses of the redirect chain, if the run was redirected and failed at the last address of the chain.
    pub url_chain: Vec<String>,
}

/// Persisted values of a failure that no retry can fix.
#[derive(Clone, Debug)]
pub(crate) struct FailedResponse {
    pub reason: FailureReason,
    pub trouble: UserMessage,
    /// Status of the response that refused the request, if there was a response; stored as the status of the record.
    pub status: Option<u16>,
    pub bytes: u64,
    pub uploaded: u64,
    pub run: RunRow,
}

/// State that an active request gets when it returns to the queue.
#[derive(Clone, Debug)]
pub(crate) enum ReleaseOutcome {
    /// The request was preempted or paused. It is pending again at its old place in the queue, and no failed attempt
    /// is counted.
    Pending,
    /// The request failed and is retried at `not_before_us`. One more failed attempt is counted; if the transfer
    /// `progressed`, the count restarts at 1.
    Waiting { not_before_us: i64, trouble: UserMessage, status: Option<u16>, progressed: bool, run: RunRow },
    /// The request failed for a reason that does not count against it, and is retried at `not_before_us`. This run is
    /// recorded, but the count of failed attempts does not change.
    Blameless { not_before_us: i64, trouble: UserMessage, run: RunRow },
}

/// Selects the registrations that requests are picked from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OwnerFilter {
    /// The first startable registration of this owner and priority, in queue order.
    Turn(FairTurn),
    /// This registration, wherever it is in the queue.
    Of(UniqueId),
}

/// Hosts, folders, registrations and quotas whose requests are skipped when the next requests are picked.
#[derive(Debug, Default)]
pub(crate) struct SkipSet<'a> {
    /// Hosts that are full or in cooldown.
    pub hosts: &'a [i64],
    /// Folders with too little space, or whose disk has not answered yet.
    pub folders: &'a [PathBuf],
    /// Registrations that wait for space, for their folder, or for a quota.
    pub registrations: &'a [UniqueId],
    /// Owners and categories whose quotas are full.
    pub full: &'a [OwnerScopeKey],
}

/// A request that could be dispatched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpiryCandidate<'a> {
    pub unique_id: UniqueId,
    pub owner: i64,
    pub category: FileCategory,
    pub folder: &'a Path,
    /// GUID of a request that has begun; a partial file tagged with this GUID may be in the folder.
    pub guid: Option<Guid>,
    /// Durable bytes in the folder.
    pub kept: u64,
    /// Size of the file in bytes, if known; `None` for an upload.
    pub size: Option<u64>,
}

/// Result of picking requests.
#[derive(Debug)]
pub(crate) enum PickedRequest {
    /// Requests that are active now; empty if none was ready.
    Some(Vec<StartableRequest>),
    /// The next request needs more room than is free; nothing was changed.
    NoRoom,
}

/// Registration that a write has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UpdatedRequest {
    pub unique_id: UniqueId,
    /// Whether this write settled the registration. Result, reason and pending end event were written in the same
    /// transaction.
    pub settled: bool,
}

/// Decision about a partial file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialDisposition {
    /// A request may still resume from the partial file.
    Wanted,
    /// The downloaded bytes are wrong and are removed. An earlier partial file is kept, because the user may still need
    /// it.
    Wrong,
    /// The user gave up the download, so everything that belongs to it is removed.
    GivenUp,
}

/// A file to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingFileRemoval {
    pub path: PathBuf,
    /// Identity of the file when it was published; `None` for files in the data folder of Ashore.
    pub identity: Option<FileIdentity>,
    /// Whether to delete the file without moving it to the trash, since its content was never correct.
    pub outright: bool,
}

/// A finished file that is to be opened.
#[derive(Clone, Debug)]
pub(crate) struct FinishedRequest {
    pub path: PathBuf,
    /// Size in bytes.
    pub size: u64,
    /// Identity of the file when it was published; `None` for files in the data folder of Ashore.
    pub identity: Option<FileIdentity>,
}

/// Identity of a published file: its device, its inode, its size in bytes, and its modification time in ns. All values
/// are from the time of publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub device: i64,
    pub inode: i64,
    pub size: i64,
    pub modified_ns: i64,
}

/// A priority, and an owner that has a runnable registration of this priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::FromRow)]
pub(crate) struct FairTurn {
    pub priority: i64,
    #[sqlx(rename = "owner_id")]
    pub owner: i64,
}
