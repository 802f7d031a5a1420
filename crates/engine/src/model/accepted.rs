//! Types of validated registrations, in the form for the ledger.

use std::path::PathBuf;

use ashore_transfer::{FileDigest, Guid, PieceHashes};
use url::Url;

use crate::model::{FollowUpRule, ImageResource, QueuePlace, RequestSource, UniqueId, values::retention::RetentionPeriod};

/// Registration that was validated and may be written.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedRegistration {
    pub unique_id: UniqueId,
    pub owner: String,
    pub developer_id: String,
    pub title: String,
    /// Whether the caller gave the title. Otherwise it is derived from the requests.
    pub is_titled: bool,
    /// Description, if the caller gave one.
    pub description: Option<String>,
    pub icons: Vec<ImageResource>,
    pub source: RequestSource,
    /// Day for which the statistics count the registration, in days since 1970-01-01.
    pub day: i64,
    /// Fingerprint of the content, which identifies a repeated registration.
    pub content: Option<RegistrationFingerprint>,
    /// Whether repetitions within a minute are merged into this registration.
    ///
    /// True for a single download. Repetitions that a user requests are never merged.
    pub merges_repeats: bool,
    pub download_total: u64,
    pub folder: PathBuf,
    pub paused: bool,
    pub place: QueuePlace,
    /// Maximum number of parallel requests of the registration; 0 for the default in the settings.
    pub parallel: u32,
    /// Maximum number of connections for each file; 0 for the value in the settings.
    pub connections: u32,
    /// Text that the owner's clients store with the registration.
    pub owner_data: String,
    /// Time that the registration stays in the list after its end; `None` for the default in the settings.
    pub keep_for: Option<RetentionPeriod>,
    /// Whether the registration's files go to the trash when the registration leaves the list.
    pub takes_files: bool,
    /// Receiver of the end event, in addition to the user.
    ///
    /// 0: no other receiver; 1: a client that registered for the owner; 2: the owner, even without a registered client.
    pub delivers: i64,
    /// Page with the link, if a browser handed the registration over.
    pub page: Option<String>,
    /// Address of the link before redirects.
    pub first_url: Option<String>,
    pub requests: Vec<AcceptedRequest>,
}

/// Request that was validated and may be written.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedRequest {
    pub method: String,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    /// Durable copy of the upload body, and the size of the copy.
    pub body: Option<(PathBuf, u64)>,
    pub name: Option<String>,
    pub digest: Option<FileDigest>,
    /// Further expectations of the file. Boxed, because most requests have none.
    pub expectation: Option<Box<FileExpectation>>,
    pub optional: bool,
    /// Rule for the requests that follow this one.
    pub next: Option<Box<FollowUpRule>>,
    /// GUID of the stored response for this request; `None` if a GUID is assigned at dispatch.
    pub guid: Option<Guid>,
}

/// Expectations that the creator stated for a file. One digest is stored separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileExpectation {
    pub size: Option<u64>,
    /// Digests besides the digest of the request.
    pub digests: Vec<FileDigest>,
    pub pieces: Option<PieceHashes>,
    pub mirrors: Vec<Url>,
    /// Whether to skip the request if its file already exists and is correct.
    pub skip_existing: bool,
}

/// First half of a SHA-256.
pub(crate) type RegistrationFingerprint = [u8; 16];
