//! Defines the events of a transfer, and the head of its first response.

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::model::{
    outcome::{TransferOutcome, TransferRestart},
    spec::Guid,
};

/// Event of a transfer.
///
/// Each run of a transfer emits any number of `Head`, then `Fetched` if all bytes arrive, and finally exactly one
/// `Done`.
#[derive(Debug)]
pub enum TransferEvent {
    /// The first response arrived, or a response with status 200 replaced the file.
    ///
    /// The file is not published before `stored` is acknowledged. Every file under its final name therefore has its
    /// head in the caller's ledger.
    Head {
        /// Transfer this event belongs to.
        guid: Guid,
        /// Head of the response.
        head: ResponseSummary,
        /// Set if the file restarts from zero although some bytes had been received.
        restart: Option<TransferRestart>,
        /// Channel on which the caller acknowledges that the head is durable.
        ///
        /// The caller drops the channel to stop the transfer.
        stored: oneshot::Sender<()>,
    },
    /// All bytes have arrived and are correct. The run no longer uses the network.
    Fetched {
        /// Transfer this event belongs to.
        guid: Guid,
    },
    /// The run is over.
    Done {
        /// Transfer this event belongs to.
        guid: Guid,
        /// Outcome of the run.
        outcome: TransferOutcome,
    },
}

/// Head of a response, kept for display and for the next resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseSummary {
    /// The HTTP status code.
    pub status: u16,
    /// Reason phrase; may be empty.
    pub status_text: String,
    /// Headers in order, without cookies. Values are text; bytes that are not UTF-8 are replaced.
    pub headers: Vec<(String, String)>,
    /// Every URL on the way; the last URL sent the response.
    pub url_chain: Vec<String>,
    /// Complete size of the file in bytes, if known.
    pub total_size: Option<u64>,
    /// Name that the file gets, unless another file already has this name.
    pub name: String,
}
