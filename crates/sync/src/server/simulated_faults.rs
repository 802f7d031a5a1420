//! Defines the faults that a test injects into the simulated server.

use super::simulated_store::SimulatedStore;

/// Function that chooses the fault of each request. Called once for each request, before the request is carried out.
pub type FaultPlan = Box<dyn FnMut(&ServerOperation) -> Option<InjectedFault> + Send>;

/// Request to the simulated server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOperation {
    /// Number of earlier requests of all devices.
    pub number: u64,
    /// Kind of the request.
    pub kind: OperationKind,
    /// Collection that the request concerns; `None` if it does not concern exactly one.
    pub collection: Option<String>,
    /// Device that sends the request; `None` without a token.
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
    /// Whether a request of this kind changes what other devices read.
    pub fn is_write(self) -> bool {
        use OperationKind::{BatchCommit, BatchWhole, DeleteCollection, DeleteObjects, PutObject};
        matches!(self, PutObject | BatchWhole | BatchCommit | DeleteObjects | DeleteCollection)
    }
}

/// Fault of one request.
#[derive(Clone, Debug)]
pub enum InjectedFault {
    /// The request is carried out, but its reply is lost: the caller sees `TimedOut`.
    LostReply,
    /// The connection ends before the request is carried out.
    CutConnection,
    /// 401, although the device exists.
    Unauthorized,
    /// 412, although nothing was modified.
    Conflict,
    /// 403 with code 14, although there is room.
    Full,
    /// 503 with `Retry-After`.
    Busy {
        /// Wait in seconds that `Retry-After` requests.
        retry_after_s: u64,
    },
    /// An HTML page instead of an answer; the request is not carried out.
    HtmlAnswer,
    /// The server is restored from a backup before the request is carried out.
    RollBack(SimulatedSnapshot),
    /// A page that was already returned from this collection to any device is returned again.
    RepeatedPage,
    /// All times of the answer are earlier by this number of milliseconds.
    TimeBackwards(i64),
    /// The first two objects of a page have each other's payload.
    SwappedPayloads,
}

/// Content of the simulated server at one moment.
#[derive(Clone, Debug)]
pub struct SimulatedSnapshot(pub(super) SimulatedStore);
