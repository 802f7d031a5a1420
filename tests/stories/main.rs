//! End-to-end tests through the public interfaces.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod browser;
mod cli;
mod conformance;
mod crash;
mod crowd;
mod documents;
mod engine;
mod generated;
mod packages;
mod real;
mod soak;
mod transfer;
