//! Access to the engine through HTTP, in several interfaces. The first is the paired channel for browsers that cannot start
//! `ashore-browser`, because they run in a sandbox. The second is the page in a browser of another device. The others are
//! for programs: REST, metrics, and the interface of aria2. All interfaces are off by default.
//!
//! - `server` accepts connections within its limits, and ends those whose peer does not read. It decides by `Host` and
//!   `Origin` who may connect. All interfaces share it.
//! - `failure_rate` slows down guessing. [pure]
//! - `sessions` are the tokens of browsers, devices and programs, with the permissions of `token_scope`. `pairing` is
//!   the code that a person copies into a browser, and `pairing_link` the code of a link that a device opens.
//!   `secret_hash` hashes all of them. [pure]
//! - `session_file` stores them. Window, command line and server change the same file. `remote_token` is the one secret
//!   in clear text.
//! - `listening` starts and stops the channel of browsers as the setting demands. `browser_channel` is the route of
//!   this channel, with the messages of `channel_messages`. `pair` contains the calls of window and command line about
//!   the channel.
//! - `remote_access` starts the server for other devices, and `remote_switch` opens and closes it for the desktop program.
//!   `page` contains its routes, `remote_sessions` recognises the sender of a request, `roots` are the folders that
//!   devices may use, and `problem` is the form of a refusal. `devices` contains the calls of window and command line
//!   about this server.
//! - `rest` contains the routes for scripts and other programs, and `body_store` the files that they send. `metrics`
//!   contains the route for monitoring.
//! - `listening_state` reports to other programs where a server listens; `page_address` is the address of the page.
//!   [pure]
//! - `aria2` is the interface with which programs made for aria2 add and control downloads.

mod aria2;
mod body_store;
mod browser_channel;
mod channel_messages;
mod clock;
mod devices;
mod failure_rate;
mod listening;
mod listening_state;
mod metrics;
mod page;
mod page_address;
mod pair;
mod pairing;
mod pairing_link;
mod problem;
mod remote_access;
mod remote_sessions;
mod remote_switch;
mod remote_token;
mod rest;
mod roots;
mod secret_hash;
mod server;
mod session_file;
mod sessions;
#[cfg(test)]
mod tests;
mod token_scope;

/// Log filter that every program with a [`BrowserListener`] or [`RemoteAccess`] adds to its own filter. At the level
/// `trace`, the WebSocket library logs whole messages, with tokens and cookies. Even at a less detailed level, the
/// library would add lines to a log that is otherwise quiet.
pub const LOG_LIMIT: &str = "tungstenite=off";

pub use aria2::{Aria2Access, Aria2SessionEntry, ReadAria2Session, SessionDownload, read_session, session_entry, write_session};
pub use devices::{
    ShownLink, SignInLink, SignedInDevice, ensure_token, program_token, renew_token, shown_link, sign_device_out, sign_in_link,
    signed_in_devices,
};
pub use listening::BrowserListener;
pub use pair::{BrowserChannelReport, PairedBrowser, ShownCode, channel_report, start_pairing, unpair};
pub use remote_access::{InheritedListener, ListenAddress, RemoteAccess, RemoteOptions, RemoteStartFault};
pub use remote_switch::{RemoteReport, RemoteSwitch, SwitchPosition, SwitchedServer};
pub use rest::health_client::ask_readiness;
pub use server::trusted_proxy::ProxyNetwork;
pub use token_scope::TokenScope;
