//! The engine on a local socket (JSON-RPC 2.0): one holder of a data folder, any number of clients.
//!
//! [`connect`] is the way in for every shell: it opens the engine where the folder is free, and becomes a client of
//! whoever holds it otherwise. The rooms: `methods` is the vocabulary, `message` the JSON-RPC around it, `framing` the
//! framing, `session` what a connection has said and holds, `owner_scope` what it may ask for, `event_feed` which events it gets, `socket_path` says where folder and socket are, `endpoint` answers, `client` asks, `connection` is both in one
//! shape. Nothing is decided in here: every verb is the engine's.

mod call_error;
mod client;
mod connection;
mod endpoint;
mod event_feed;
mod framing;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod message;
mod methods;
mod owner_scope;
mod session;
mod socket_path;
mod tests;

pub use call_error::CallFailure;
pub use client::{ClientEvents, SocketClient};
pub use connection::{OwnProcess, PeerStream, SocketListener, connect, connect_with, hold};
pub use endpoint::SocketEndpoint;
pub use event_feed::EventFeed;
pub use methods::MethodCall;
pub use socket_path::data_dir;
