//! Tests that take minutes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a story that cannot go on has failed")]

mod executor;
mod generated;
mod kills;
mod large;
mod soak;
mod speed;
