//! Generated servers: kinds drawn from a grammar, a server, and a model of permitted reports.
//!
//! Called by the long tests, by `torture`, and with a small number of kinds by `make test`.
//!
//! - A kind is one choice in each dimension: status, framing, head, ranges, validators, length, encoding, connection,
//!   change. Combinations are drawn at random, including those that no other test covers.
//! - The model knows the true bytes. A file reported as complete has the bytes of one version, or its size is reported
//!   as unknown. If one plain request fetches the whole file, the download has to complete in the end.
//! - Everything except the speed of the machine follows from one seed: `ASHORE_SEED` and `ASHORE_RUN` repeat one
//!   server.

mod beside;
mod kind;
mod model;
mod reply;
mod server;
mod trial;

pub use beside::fetched_by_curl_alone;
pub use kind::Kind;
pub use trial::{Way, trials};
