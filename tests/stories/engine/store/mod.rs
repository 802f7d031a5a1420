//! Tests the data that the engine keeps and reports, and its recovery.
//!
//! The data is the list, events, settings and totals.

mod details;
mod events;
mod forget;
mod ledger;
mod list;
mod recovery;
mod saved;
mod settings;
mod statistics;
