//! Tests the server against its contract, on SQLite and on PostgreSQL.
//!
//! Each test starts with an empty database, and never collects its statistics with `ANALYZE`.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod auth;
mod bad_input;
mod batches;
mod connections;
mod contract;
mod documented;
mod full_disk;
mod kills;
mod nodes;
mod pgbouncer;
mod preconditions;
mod programs;
mod proxy;
mod python;
mod races;
mod refused_databases;
mod regressions;
mod standby;
mod support;
mod waiting;
