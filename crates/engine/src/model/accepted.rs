//! A new registration after validation: what the ledger writes.

use std::path::PathBuf;

use ashore_transfer::{FileDigest, Guid, PieceHashes};
use url::Url;

use crate::model::{FollowUpRule, ImageResource, QueuePlace, RequestSource, UniqueId, values::retention::RetentionPeriod};

/// A registration that has been checked and may be written.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedRegistration {
    pub unique_id: UniqueId,
    pub owner: String,
    pub developer_id: String,
    pub title: String,
    /// The caller gave the title; else it is derived from the requests.
    pub is_titled: bool,
    /// In more words, where somebody gave them.
    pub description: Option<String>,
    pub icons: Vec<ImageResource>,
    pub source: RequestSource,
    /// The day that it counts for, in days since 1970-01-01.
    pub day: i64,
    /// By which it is known when it is asked for again.
    pub content: Option<RegistrationFingerprint>,
    /// It is one download, and what repeats it within a minute is merged into it, where no person asks.
    pub merges_repeats: bool,
    pub download_total: u64,
    pub folder: PathBuf,
    pub paused: bool,
    pub place: QueuePlace,
    /// Of its requests at once; 0: no limit of its own.
    pub parallel: u32,
    /// How long it stays in the list when it is over; none: as the settings say.
    pub keep_for: Option<RetentionPeriod>,
    /// Its files go to the trash with it.
    pub takes_files: bool,
    /// Receiver of its end event beside the person: 0 none, 1 a client registered for the owner, 2 the owner in any case.
    pub delivers: i64,
    pub requests: Vec<AcceptedRequest>,
}

/// A request that has been checked and may be written.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedRequest {
    pub method: String,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    /// Our own durable copy of the body, and its size.
    pub body: Option<(PathBuf, u64)>,
    pub name: Option<String>,
    pub digest: Option<FileDigest>,
    /// Further expectations of the file; boxed, because most requests are an address and nothing else.
    pub expectation: Option<Box<FileExpectation>>,
    pub optional: bool,
    /// Request that follows it.
    pub next: Option<Box<FollowUpRule>>,
    /// The GUID of the answer that waits for it. None: it gets one when it is handed out.
    pub guid: Option<Guid>,
}

/// Expectations of a file beyond one digest, given by the creator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileExpectation {
    pub size: Option<u64>,
    /// Digests beside the one of the request.
    pub digests: Vec<FileDigest>,
    pub pieces: Option<PieceHashes>,
    pub mirrors: Vec<Url>,
    /// A file that is there already, and right, is not fetched.
    pub skip_existing: bool,
}

/// The first half of a SHA-256.
pub(crate) type RegistrationFingerprint = [u8; 16];
