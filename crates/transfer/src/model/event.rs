//! The events of a transfer, and the head of its first response.

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::model::{
    outcome::{TransferOutcome, TransferRestart},
    spec::Guid,
};

/// An event of a transfer. For one GUID: any number of heads, `Fetched` where it gets so far, then exactly one `Done` per
/// start.
#[derive(Debug)]
pub enum TransferEvent {
    /// The first answer, or the 200 that replaced it. The file is not placed before `stored` is answered: what is on
    /// disk under its final name always has its head in the caller's ledger.
    Head {
        /// Whose.
        guid: Guid,
        /// Head of its response.
        head: ResponseSummary,
        /// The file begins anew with it, though some of it had come.
        restart: Option<TransferRestart>,
        /// Answered by the caller once the head is durable; dropped to stop the transfer.
        stored: oneshot::Sender<()>,
    },
    /// All bytes have come and are the right ones: this run has no more to do with the network.
    Fetched {
        /// Whose.
        guid: Guid,
    },
    /// This run is over.
    Done {
        /// Whose.
        guid: Guid,
        /// How.
        outcome: TransferOutcome,
    },
}

/// The head of an answer, as kept for people and for the next resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseSummary {
    /// The HTTP status code.
    pub status: u16,
    /// Its reason phrase, possibly empty.
    pub status_text: String,
    /// All headers in order, values as text (lossy where they are not UTF-8).
    pub headers: Vec<(String, String)>,
    /// Every address on the way, the last one answered.
    pub url_chain: Vec<String>,
    /// The complete size of the file in bytes, where it is known.
    pub total_size: Option<u64>,
    /// The name the file will have if nothing else has it.
    pub name: String,
}
