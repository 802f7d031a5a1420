//! One running transfer, as the gates and the scheduler see it.

use std::{path::PathBuf, sync::Arc, time::Instant};

use ashore_transfer::TransferProgress;

use crate::{intake::follow_up::FollowUpChain, model::UniqueId, store::quota_room::QuotaReservation};

/// One running transfer.
#[derive(Debug)]
pub(crate) struct RunningTransfer {
    pub unique_id: UniqueId,
    pub index: u32,
    pub host: i64,
    /// Bytes of the body it sends, for whatever does more at a server than to read: 0 without a body.
    pub body_size: Option<u64>,
    /// Bytes that the ledger already counts for it.
    pub kept: u64,
    /// Bytes that were there when it was handed out.
    pub(crate) had: u64,
    /// Bytes that were there when it was handed out, or none where it began anew since: what is more is progress.
    pub progress_from: u64,
    /// Failed tries before this one.
    pub attempt: u32,
    /// Handed out, in microseconds of Unix time.
    pub begun_us: i64,
    /// A partial of it may be in its folder.
    pub has_begun: bool,
    /// It is a checksum file that may vouch for others.
    pub vouches: bool,
    /// Its registration wants only so many at once: when it ends, others of it may start.
    pub is_limited: bool,
    /// The request is tried once, and its failure holds nothing up.
    pub is_optional: bool,
    /// The request ends without a try, because its host rests.
    pub is_skipped: bool,
    /// A file that is there already may be what it fetches.
    pub wanted: Option<WantedTransfer>,
    /// That file, where it is right: nothing is fetched.
    pub existing: Option<PathBuf>,
    /// Requests that follow it.
    pub chain: Option<Box<FollowUpChain>>,
    /// Everything has come: it counts against no limit any more.
    pub is_fetched: bool,
    pub folder: PathBuf,
    /// Its reservation under quotas.
    pub room: Option<Arc<QuotaReservation>>,
    pub(crate) progress: TransferProgress,
    /// Its event cannot be written to the ledger yet.
    pub(crate) is_held: bool,
    /// When it was last seen to get on, or was handed out.
    pub(crate) moved: Instant,
}

/// Conditions for a file that is on disk already.
#[derive(Clone, Debug)]
pub(crate) struct WantedTransfer {
    pub folder: PathBuf,
    pub name: Option<String>,
    pub has_digests: bool,
}
