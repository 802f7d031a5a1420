//! The program `ashore-sync-server`, its database and a client that acts as a device.
//!
//! - `place` starts the program; `wire` is a client that implements the protocol without code of the server.
//! - `relay` records the bytes between devices and a server.
//! - `postgres` runs a PostgreSQL for many tests, and `standby` a primary with a standby. Both run in shell scripts,
//!   which `script` and `keeper` start.

pub mod keeper;
pub mod place;
pub mod postgres;
pub mod relay;
pub mod script;
pub mod standby;
pub mod wire;
