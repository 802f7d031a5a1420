//! The JSON-RPC interface of aria2, by which existing programs and extensions add and control downloads.
//!
//! - `wire` parses requests and composes answers; `params` reads parameters, `gids` reads GIDs, and `options` reads options.
//!   [pure]
//! - `status` describes a registration in aria2's terms, and `notify` derives notifications from events. [pure]
//!
//! One aria2 download is one registration of the owner [`OWNER`], whose `developer_id` is the GID. A download that ended is
//! shown until a client removes its result, which acknowledges the end event. The history keeps the registration. The owner
//! never registers a client, so unacknowledged results do not keep rows from expiring.
//!
//! No server has routes for it yet.

mod gids;
mod notify;
mod options;
mod params;
mod status;
#[cfg(test)]
mod tests;
mod wire;

/// Owner of the downloads of this interface.
pub(crate) const OWNER: &str = "aria2";
