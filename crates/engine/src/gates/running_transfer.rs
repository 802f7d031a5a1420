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
    /// Bytes of it that the ledger already counts.
    pub kept: u64,
    /// Bytes on disk when it was dispatched.
    pub(crate) had: u64,
    /// Bytes on disk when it was dispatched, or 0 if the file started over since. More than that is progress.
    pub progress_from: u64,
    /// Number of failed attempts before this one.
    pub attempt: u32,
    /// Time of dispatch, in µs of Unix time.
    pub begun_us: i64,
    /// Its folder may contain a partial file of it.
    pub has_begun: bool,
    /// Its file is a checksum file that other files may be checked against.
    pub vouches: bool,
    /// Its registration limits its parallel requests: when this one ends, others of it may start.
    pub is_limited: bool,
    /// The request is tried once, and its failure does not hold up the registration.
    pub is_optional: bool,
    /// The request ends without a try, because its host is in cooldown.
    pub is_skipped: bool,
    /// Conditions under which a file on disk may answer the request.
    pub wanted: Option<WantedTransfer>,
    /// File on disk that answers the request, so that nothing is fetched.
    pub existing: Option<PathBuf>,
    /// Requests that follow this one.
    pub chain: Option<Box<FollowUpChain>>,
    /// All bytes have been received, so it no longer uses the network.
    pub is_fetched: bool,
    pub folder: PathBuf,
    /// Its reservation under quotas.
    pub room: Option<Arc<QuotaReservation>>,
    pub(crate) progress: TransferProgress,
    /// Its event could not be written to the ledger yet.
    pub(crate) is_held: bool,
    /// Time of its last progress, or of its dispatch.
    pub(crate) moved: Instant,
}

/// Conditions for a file that is on disk already.
#[derive(Clone, Debug)]
pub(crate) struct WantedTransfer {
    pub folder: PathBuf,
    pub name: Option<String>,
    pub has_digests: bool,
}
