//! Tests the data that the engine stores and reports: the list, events, settings and totals.
//!
//! Also tests the recovery of this data.

mod details;
mod events;
mod forget;
mod ledger;
mod list;
mod recovery;
mod saved;
mod settings;
mod statistics;
