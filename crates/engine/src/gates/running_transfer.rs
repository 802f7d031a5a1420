//! Holds the state of a running transfer that the gates and the scheduler need.

use std::{path::PathBuf, sync::Arc, time::Instant};

use ashore_transfer::TransferProgress;

use crate::{intake::follow_up::FollowUpChain, model::UniqueId, store::quota_room::QuotaReservation};

/// State of one running transfer.
#[derive(Debug)]
pub(crate) struct RunningTransfer {
    pub unique_id: UniqueId,
    pub index: u32,
    pub host: i64,
    /// Bytes of the request body; 0 for an unsafe method without a body, `None` for a plain download.
    pub body_size: Option<u64>,
    /// Bytes of the file that the ledger already counts.
    pub kept: u64,
    /// Bytes on disk when the transfer was dispatched.
    pub(crate) had: u64,
    /// Bytes on disk at dispatch, or 0 if the file was restarted since.
    ///
    /// Bytes beyond this number count as progress.
    pub progress_from: u64,
    /// Number of failed attempts before this one.
    pub attempt: u32,
    /// Time of dispatch, in µs of Unix time.
    pub begun_us: i64,
    /// The folder of the transfer may contain its partial file.
    pub has_begun: bool,
    /// The file is a checksum file: other files may be checked against this file.
    pub vouches: bool,
    /// The registration limits its parallel requests.
    ///
    /// When this request ends, other requests of the registration may start.
    pub is_limited: bool,
    /// The request is tried only once, and its failure does not delay the registration.
    pub is_optional: bool,
    /// The request ends without an attempt, because its host is in cooldown.
    pub is_skipped: bool,
    /// Conditions under which a file on disk may answer the request.
    pub wanted: Option<WantedTransfer>,
    /// File on disk that answers the request, so that nothing is fetched.
    pub existing: Option<PathBuf>,
    /// Requests that follow this request.
    pub chain: Option<Box<FollowUpChain>>,
    /// All bytes have been received, so the transfer no longer uses the network.
    pub is_fetched: bool,
    pub folder: PathBuf,
    /// Reservation of the transfer under quotas.
    pub room: Option<Arc<QuotaReservation>>,
    pub(crate) progress: TransferProgress,
    /// The event of the transfer could not be written to the ledger yet.
    pub(crate) is_held: bool,
    /// Time at which the transfer last made progress, or of its dispatch before any progress.
    pub(crate) moved: Instant,
}

/// Conditions under which a file that is already on disk may be used.
#[derive(Clone, Debug)]
pub(crate) struct WantedTransfer {
    pub folder: PathBuf,
    pub name: Option<String>,
    pub has_digests: bool,
}
