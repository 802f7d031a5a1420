//! The engine on a local socket (JSON-RPC 2.0): one holder of a data folder, any number of clients.
//!
//! [`connect`] is the way in for every shell: it opens the engine where the folder is free, and becomes a client of
//! whoever holds it otherwise. The rooms: `methods` is the vocabulary, `message` the JSON-RPC around it, `line` the
//! framing, `session` what a connection has said and holds, `actor` what it may ask for, `feed` which events it gets, `places` says where folder and socket are, `endpoint` answers, `client` asks, `connection` is both in one
//! shape. Nothing is decided in here: every verb is the engine's.

mod actor;
mod client;
mod connection;
#[cfg(test)]
mod document;
mod endpoint;
mod failure;
mod feed;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod line;
mod message;
mod methods;
#[cfg(test)]
mod owners;
mod places;
#[cfg(test)]
mod round_trip;
mod session;

pub use client::{Client, ClientEvents};
pub use connection::{Connection, Listener, Own, connect, connect_with, hold};
pub use endpoint::Endpoint;
pub use failure::Failure;
pub use feed::Feed;
pub use methods::Call;
pub use places::data_dir;
