//! State of a running transfer for the gates and the scheduler.

use std::{path::PathBuf, sync::Arc, time::Instant};

use ashore_transfer::TransferProgress;

use crate::{intake::follow_up::FollowUpChain, model::UniqueId, store::quota_room::QuotaReservation};

/// State of one running transfer.
#[derive(Debug)]
pub(crate) struct RunningTransfer {
    pub unique_id: UniqueId,
    pub index: u32,
    pub host: i64,
    /// Size of the request body in bytes. 0 for an unsafe method without a body; `None` for a plain download.
    pub body_size: Option<u64>,
    /// Number of the file's bytes that the ledger already counts.
    pub kept: u64,
    /// Number of bytes on disk when the transfer was dispatched.
    pub(crate) had: u64,
    /// Number of bytes on disk at dispatch, or 0 if the file has been restarted from its beginning since then. Bytes
    /// beyond this number count as progress.
    pub progress_from: u64,
    /// Number of failed attempts before the current attempt.
    pub attempt: u32,
    /// Time of dispatch, in µs of Unix time.
    pub begun_us: i64,
    /// Whether the folder of the transfer may contain a partial file of this transfer.
    pub has_begun: bool,
    /// Whether the file is a checksum file that may verify other files.
    pub vouches: bool,
    /// Whether the registration has a limit for parallel requests.
    ///
    /// If true, other requests of the registration may start when this one ends.
    pub is_limited: bool,
    /// Whether the request is optional. An optional request is tried once, and its failure does not delay the
    /// registration.
    pub is_optional: bool,
    /// Whether the request ends without an attempt, because its host is in cooldown.
    pub is_skipped: bool,
    /// Conditions under which a file on disk may be used instead of a download.
    pub wanted: Option<WantedTransfer>,
    /// File on disk that is used instead of a download.
    pub existing: Option<PathBuf>,
    /// Requests to create after the end of this request.
    pub chain: Option<Box<FollowUpChain>>,
    /// Whether all bytes are received, so that the transfer no longer uses the network.
    pub is_fetched: bool,
    pub folder: PathBuf,
    /// Quota reservation of the transfer.
    pub room: Option<Arc<QuotaReservation>>,
    pub(crate) progress: TransferProgress,
    /// Whether an event of the transfer is not in the ledger yet.
    pub(crate) is_held: bool,
    /// Time of the last progress, or of the dispatch.
    pub(crate) moved: Instant,
}

/// Conditions under which a file that is already on disk may be used.
#[derive(Clone, Debug)]
pub(crate) struct WantedTransfer {
    pub folder: PathBuf,
    pub name: Option<String>,
    pub has_digests: bool,
}
