//! Defines the events of a transfer, and the head of its first response.

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::model::{
    outcome::{TransferOutcome, TransferRestart},
    spec::Guid,
};

/// Event of a transfer.
///
/// Each run emits any number of `Head` events, then `Fetched` if all bytes arrive, and finally exactly one `Done`.
#[derive(Debug)]
pub enum TransferEvent {
    /// The first response arrived, or a response with status 200 restarted the file.
    ///
    /// The file is published only after `stored` is acknowledged. The caller's ledger therefore contains the head of
    /// every published file.
    Head {
        /// Id of the transfer.
        guid: Guid,
        /// Head of the response.
        head: ResponseSummary,
        /// Set if the file restarts from zero, although some bytes had already arrived.
        restart: Option<TransferRestart>,
        /// Channel for the caller's acknowledgement that it has persisted the head.
        ///
        /// The caller drops the channel to stop the transfer.
        stored: oneshot::Sender<()>,
    },
    /// All bytes have arrived and are correct. The run no longer uses the network.
    Fetched {
        /// Id of the transfer.
        guid: Guid,
    },
    /// The run is over.
    Done {
        /// Id of the transfer.
        guid: Guid,
        /// Outcome of the run.
        outcome: TransferOutcome,
    },
}

/// Head of a response. Kept for display and for resuming.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseSummary {
    /// The HTTP status code.
    pub status: u16,
    /// Reason phrase. May be empty.
    pub status_text: String,
    /// Headers in order, without cookies. Bytes that are not UTF-8 are replaced.
    pub headers: Vec<(String, String)>,
    /// All requested URLs. The last one sent the response.
    pub url_chain: Vec<String>,
    /// Complete size of the file in bytes, if known.
    pub total_size: Option<u64>,
    /// Intended name of the file. The final name differs if this name is already taken.
    pub name: String,
}
