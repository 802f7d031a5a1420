//! Sync: one download list on all machines of a person, encrypted end to end.
//!
//! A folder imports only from folders to its left: `keys`, `records`, `merge`, `server`, `cycle`, `service`.
//!
//! - `keys` derives keys, seals records, and reads words and links; `records` defines what is sealed.
//! - `merge` decides which of two versions wins; `server` is the interface to the sync server.
//! - `cycle` reads, merges and sends; the engine stores what this machine knows. `service` has the operations that
//!   people use, and runs the cycles.

pub mod cycle;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
pub mod keys;
pub mod merge;
pub mod records;
pub mod server;
pub mod service;
