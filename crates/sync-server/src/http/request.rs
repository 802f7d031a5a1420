//! Defines the facts that the listener records about a request: its sender and its arrival time.

use std::net::{IpAddr, Ipv4Addr};

/// Sender of a request.
#[derive(Clone, Copy, Debug)]
pub struct ConnectedPeer {
    /// Address of the client. Behind a proxy that the operator named, this is the address that the proxy reports.
    pub address: IpAddr,
    /// Whether the request used TLS up to this server or its proxy.
    pub is_secure: bool,
}

impl Default for ConnectedPeer {
    fn default() -> Self {
        Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), is_secure: false }
    }
}

/// Arrival time of a request, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestBody(pub i64);
