//! Tests requests: which may be added, which data is sent, and which requests follow.
//!
//! Also tests how often a request may be added.

mod again;
mod chain;
mod face;
mod input;
mod links;
mod methods;
mod optional;
mod own_credentials;
mod probe;
mod reach;
mod total;
mod uploads;
