//! Tests that take minutes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod executor;
mod generated;
mod kills;
mod large;
mod soak;
mod speed;
