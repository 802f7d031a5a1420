//! Tests of sync cycles between machines with real engines, on a simulated or a real server.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod actions;
mod conflicts;
mod copies;
mod during_cycles;
mod household;
mod long_pages;
mod lost_writes;
mod machine;
mod names;
mod never_synced;
mod newer_machines;
mod parts;
mod rejoin;
mod relay;
mod removals;
mod resets;
mod restored_ledgers;
mod rolled_back_keys;
mod sends;
mod server_kills;
mod wrong_keys;
