//! Sync: one download list on all machines of a person, encrypted end to end.
//!
//! A folder imports only from folders before it in this sequence: `keys`, `records`, `merge`, `server`, `cycle`,
//! `service`.
//!
//! - `keys` derives keys, seals records, and reads words and links. `records` defines the records.
//! - `merge` decides which of two versions wins. `server` is the interface to the sync server.
//! - `cycle` reads, merges and sends records. The engine stores the state of this machine.
//! - `service` offers the operations for users, and runs the cycles.

pub mod cycle;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
pub mod keys;
pub mod merge;
pub mod records;
pub mod server;
pub mod service;
