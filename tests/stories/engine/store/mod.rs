//! Tests what the engine keeps and reports: the list, its events, settings and totals, and their recovery.

mod details;
mod events;
mod forget;
mod ledger;
mod list;
mod recovery;
mod saved;
mod settings;
mod statistics;
