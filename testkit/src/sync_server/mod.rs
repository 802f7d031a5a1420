//! The program `ashore-sync-server`, its database and the client of a device.
//!
//! - `place` starts the program; `wire` is a client, which speaks the protocol without code of the server.
//! - `postgres` is a PostgreSQL for many tests, and `standby` a pair of them. `script` and `keeper` start scripts that run
//!   them.

pub mod keeper;
pub mod place;
pub mod postgres;
pub mod script;
pub mod standby;
pub mod wire;
