//! Access to the engine through HTTP.
//!
//! Today this crate has one interface: the paired channel of browsers that cannot start `ashore-browser`, because a sandbox
//! surrounds them. It is off by default, and listens only on loopback.
//!
//! - `access_control` decides by `Host` and `Origin` who may connect, and slows down guessing. [pure]
//! - `pairing` is the code that a person copies into the browser, and `sessions` are the tokens that result. `secret_hash` hashes both.
//!   [pure]
//! - `session_file` stores both. Window, command line and server change the same file.
//! - `server` accepts connections within its limits. `browser_channel` is the route of the browsers, with the messages of
//!   `channel_messages`.
//! - `listening` starts and stops the server as the setting demands, and `listening_state` reports its port to other programs.
//! - `pair` contains the calls of window and command line.

mod access_control;
mod browser_channel;
mod channel_messages;
mod clock;
mod listening;
mod listening_state;
mod pair;
mod pairing;
mod secret_hash;
mod server;
mod session_file;
mod sessions;
#[cfg(test)]
mod tests;

/// Log filter that every program with a [`BrowserListener`] adds to its own. At the level `trace`, the WebSocket library logs
/// whole messages, with tokens and cookies. A higher level would add its lines to a log that is otherwise quiet.
pub const LOG_LIMIT: &str = "tungstenite=off";

pub use listening::BrowserListener;
pub use pair::{BrowserChannelReport, PairedBrowser, ShownCode, channel_report, start_pairing, unpair};
