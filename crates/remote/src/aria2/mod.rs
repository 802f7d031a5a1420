//! The interface of aria2, in JSON-RPC and XML-RPC, with which existing programs and extensions add and control downloads.
//!
//! - `wire` parses requests in JSON and composes answers, and `xml` does the same in XML. `params` reads parameters,
//!   `gids` reads GIDs, and `options` reads options. [pure]
//! - `status` describes a registration in aria2's terms, and `notify` derives notifications from events. [pure]
//! - `session_file` reads and writes the session files of aria2.
//! - `socket` is the WebSocket. `notification_hub` sends the notifications to all of them.
//! - `methods` carries out the calls.
//! - `requests` answers requests in JSON. `http` serves `/jsonrpc` and `/rpc`. `access` opens it for the programs that have a token.
//!
//! One aria2 download is one registration of the owner [`OWNER`], whose `developer_id` is the GID. With
//! `Aria2Config::shows_all`, clients also see the registrations of other owners. An ended download is shown until a
//! client removes its result. Removing the result acknowledges the end event, but the history keeps the
//! registration. The owner never registers a client, so unacknowledged results do not keep rows from expiring.
//!
//! The server checks `Host` and `Origin` before these routes. Cookies have no effect here.

mod access;
mod gids;
mod http;
mod methods;
mod notification_hub;
mod notify;
mod options;
mod params;
mod requests;
mod session_file;
mod socket;
mod status;
#[cfg(test)]
mod tests;
mod wire;
mod xml;

pub use access::Aria2Access;
pub(crate) use access::{Aria2Options, routes_for_programs};
pub use session_file::{Aria2SessionEntry, ReadAria2Session, SessionDownload, read_session, session_entry, write_session};

/// Owner of the downloads of this interface.
pub(crate) use ashore_engine::ARIA2 as OWNER;
