//! The engine on a local socket (JSON-RPC 2.0): one program holds a data folder, and any number of clients connect.
//!
//! All shells use [`connect`]: it opens the engine if the folder is free, and otherwise becomes a client of the program
//! that holds the folder. This crate makes no decisions: the engine carries out every call.
//!
//! - `methods` defines the calls, `answers` composes some of their results.
//! - `message` defines the JSON-RPC messages, `framing` the lines.
//! - `session` is the state of a connection, `owner_scope` its permissions, `event_feed` its events. `conversation`
//!   carries out the messages of a connection, whichever transport it has.
//! - `permissions` are the calls that a page may make, in the window or in a browser.
//! - `socket_path` locates folder and socket; `endpoint` answers, `client` asks, and `connection` is the common
//!   interface of both.

mod answers;
mod call_error;
mod client;
mod connection;
mod conversation;
mod endpoint;
mod event_feed;
mod framing;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod message;
mod methods;
mod owner_scope;
pub mod permissions;
mod session;
mod socket_path;
mod tests;

pub use call_error::CallFailure;
pub use client::{ClientEvents, SocketClient};
pub use connection::{OwnProcess, PeerStream, SocketListener, connect, connect_with, hold};
pub use conversation::{PeerConversation, PeerMessage};
pub use endpoint::SocketEndpoint;
pub use event_feed::EventFeed;
pub use methods::MethodCall;
pub use socket_path::data_dir;
