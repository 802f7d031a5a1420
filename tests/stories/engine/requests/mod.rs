//! Tests requests: which ones may be added and how often, which data they send, and which requests follow.

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
mod refresh;
mod total;
mod uploads;
mod withdraw;
