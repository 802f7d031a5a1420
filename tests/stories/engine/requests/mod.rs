//! Tests requests: which may be added and how often, what is sent, and which requests follow.

mod again;
mod chain;
mod face;
mod input;
mod links;
mod methods;
mod optional;
mod probe;
mod reach;
mod total;
mod uploads;
