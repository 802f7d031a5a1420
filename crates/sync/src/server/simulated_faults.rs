//! Defines the faults that a test injects into the simulated server.

use super::simulated_store::SimulatedStore;

/// Function that chooses the fault of each request. It runs once per request, before the request is carried out.
pub type FaultPlan = Box<dyn FnMut(&ServerOperation) -> Option<InjectedFault> + Send>;

/// Request to the simulated server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOperation {
    /// Number of earlier requests from all devices.
    pub number: u64,
    /// Kind of the request.
    pub kind: OperationKind,
    /// Collection of the request, or `None` if the request concerns no collection or several.
    pub collection: Option<String>,
    /// Device that sends the request, or `None` without a token.
    pub device: Option<String>,
}

/// Kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is a method of SyncServer, and the batch kinds are the steps of a batch")]
pub enum OperationKind {
    Limits,
    InfoCollections,
    ReadPage,
    ReadObject,
    ListIds,
    PutObject,
    BatchWhole,
    BatchBegin,
    BatchAppend,
    BatchCommit,
    DeleteObjects,
    DeleteCollection,
    Enrol,
    CreateInvite,
    Devices,
    RemoveDevice,
    ChangeAuth,
    CollectionCounts,
    Quota,
    Events,
}

impl OperationKind {
    /// Whether a request of this kind changes the answers that other devices get.
    pub fn is_write(self) -> bool {
        use OperationKind::{BatchCommit, BatchWhole, DeleteCollection, DeleteObjects, PutObject};
        matches!(self, PutObject | BatchWhole | BatchCommit | DeleteObjects | DeleteCollection)
    }
}

/// Fault of one request.
#[derive(Clone, Debug)]
pub enum InjectedFault {
    /// The request is carried out, but its reply is lost. The caller gets `TimedOut`.
    LostReply,
    /// The connection ends before the request is carried out.
    CutConnection,
    /// 401, although the device exists.
    Unauthorized,
    /// 412, although nothing was modified.
    Conflict,
    /// 403 with code 14, although the quota is not used up.
    Full,
    /// 503 with `Retry-After`.
    Busy {
        /// Wait in seconds that `Retry-After` requests.
        retry_after_s: u64,
    },
    /// An HTML page instead of an answer. The request is not carried out.
    HtmlAnswer,
    /// The server is restored from a backup before the request is carried out.
    RollBack(SimulatedSnapshot),
    /// The server returns an old page of this collection, which it has already returned to a device.
    RepeatedPage,
    /// All times in the answer are this number of milliseconds too early.
    TimeBackwards(i64),
    /// The payloads of the first two objects of a page are swapped.
    SwappedPayloads,
}

/// Content of the simulated server at one moment.
#[derive(Clone, Debug)]
pub struct SimulatedSnapshot(pub(super) SimulatedStore);
