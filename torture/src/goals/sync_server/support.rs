//! Includes the scripts with which the tests of the server run PostgreSQL.

#[path = "../../../../crates/sync-server/tests/support/keeper.rs"]
mod keeper;
#[path = "../../../../crates/sync-server/tests/support/script.rs"]
pub mod script;
#[expect(clippy::unwrap_used, reason = "shared with the tests of the server; a panic is reported as the failure of its turn")]
#[path = "../../../../crates/sync-server/tests/support/standby.rs"]
pub mod standby;
