//! The program `ashore-sync-server`, its database and a client that acts as a device.
//!
//! - `place` starts the program. `wire` is a client that implements the protocol without code of the server.
//! - `relay` records the bytes between devices and a server.
//! - `postgres` runs one PostgreSQL server for many tests. `standby` runs a primary with a standby.
//! - `script` and `keeper` start the shell scripts of `postgres` and `standby`.

pub mod keeper;
pub mod place;
pub mod postgres;
pub mod relay;
pub mod script;
pub mod standby;
pub mod wire;
