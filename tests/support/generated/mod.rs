//! Generated servers: kinds drawn from a grammar, a server that behaves so, and a model of what a client may report.
//! Called by the long tests, by `make test` with a small number, and by `torture`.
//!
//! - A kind is one choice in each dimension: status, framing, head, ranges, validators, length, encoding, connection, change.
//!   Combinations that nobody listed are drawn as often as all others.
//! - The model knows the true bytes. A file reported as complete has the bytes of one version, or says that its size is
//!   unknown. A file that one plain request fetches whole has to be complete in the end.
//! - Everything follows from one seed, but for the pace of the machine: `ASHORE_SEED` and `ASHORE_RUN` repeat one server.

mod beside;
mod kind;
mod model;
mod reply;
mod server;
mod trial;

pub use beside::fetched_by_curl_alone;
pub use kind::Kind;
pub use trial::{Way, trials};
