//! Implements a Sync Storage 1.5 server on SQLite or PostgreSQL.
//!
//! The server is meant for a person, a household or a company.
//!
//! - `protocol` has the formats, `store` every SQL statement, `auth` the authentication, and `http` the routes.
//! - `failpoint` has the points at which tests kill the server.
//! - The program, `main.rs`, runs the subcommands in `verbs`.
//! - A folder imports only from folders before it in this list.

pub mod auth;
pub mod clock;
pub mod failpoint;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
pub mod http;
pub mod protocol;
pub mod store;
