//! Tests the clients of the sync server, with the real server, and with servers that give wrong answers.
//!
//! The real server is `ashore-sync-server`. Build it before the tests: `cargo build -p ashore-sync-server --bins`.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod bad_answers;
mod certificates;
mod contract;
mod contract_runs;
mod simulated_faults;
mod support;
