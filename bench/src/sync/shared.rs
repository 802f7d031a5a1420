//! Includes the server and its client of the torture tests, and the PostgreSQL of the server's tests.

#[path = "../../../crates/sync-server/tests/support/keeper.rs"]
mod keeper;
#[expect(clippy::unwrap_used, reason = "shared with the tests of the server; without the database, the contest fails")]
#[path = "../../../crates/sync-server/tests/support/postgres.rs"]
pub mod postgres;
#[path = "../../../torture/src/goals/sync_server/server.rs"]
pub mod server;
#[path = "../../../torture/src/goals/sync_server/wire.rs"]
pub mod wire;
