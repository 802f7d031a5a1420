//! Sync server as the client sees it: an interface with an HTTP client and a simulated server.
//!
//! - `sync_server` is the interface, with the types of `server_types` and the faults of `server_fault`.
//! - `http_server` implements it over HTTP with `http_exchange`, `answer_head`, `answer_body` and `event_stream`.
//! - `simulated_server` implements it in memory, with faults that a test injects.

mod answer_body;
mod answer_head;
mod batch_plan;
mod certificate_pin;
mod device_token;
mod event_stream;
mod http_exchange;
mod http_server;
mod page_check;
mod server_address;
mod server_fault;
mod server_time;
mod server_types;
#[cfg(any(test, feature = "simulated"))]
mod simulated_faults;
#[cfg(any(test, feature = "simulated"))]
mod simulated_server;
#[cfg(any(test, feature = "simulated"))]
mod simulated_store;
mod sync_server;

pub use certificate_pin::CertificatePin;
pub use device_token::DeviceToken;
pub use event_stream::EventStreamParser;
pub use http_server::{HttpServer, LONGEST_PAGE};
pub use server_address::{AddressRefusal, ServerAddress, ServerTrust};
pub use server_fault::{ServerAnswer, ServerFailure, ServerFault, ServerHints, ServerResult, UnexpectedAnswer, UnreachableCause};
pub use server_types::{
    BatchReceipt, BatchStep, CollectionListing, CollectionPoll, CreatedInvite, DeviceEnrolled, DeviceEnrolment, InviteRequest,
    ListedDevice, ListedIds, ObjectPage, ObjectPost, OutgoingObject, PageOffset, PageRequest, PostReceipt, RejectReason,
    ServerChange, ServerLimits, SpaceUsage, StoredObject,
};
#[cfg(any(test, feature = "simulated"))]
pub use simulated_faults::{FaultPlan, InjectedFault, OperationKind, ServerOperation, SimulatedSnapshot};
#[cfg(any(test, feature = "simulated"))]
pub use simulated_server::SimulatedServer;
pub use sync_server::{ChangeStream, SyncServer};
