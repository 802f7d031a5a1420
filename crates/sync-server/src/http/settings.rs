//! Defines the settings that the operator chooses for HTTP.

use std::{net::IpAddr, time::Duration};

use ipnet::IpNet;

/// Settings of the operator.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// Whether a token with a valid signature creates its user.
    pub allows_new_users: bool,
    /// URL of the server for clients, without a slash at the end; `None` to use the header `Host`.
    pub public_url: Option<String>,
    /// Proxies that may connect without TLS and report the address of the client.
    pub proxies: Vec<IpNet>,
    /// Time limit for the body of a request; afterwards 408.
    pub body_time: Duration,
    /// Time limit for the head of a request; afterwards the connection is closed.
    pub head_time: Duration,
    /// Time limit for a TLS handshake; afterwards the connection is closed.
    pub handshake_time: Duration,
    /// Time limit for a client to accept a part of a long listing; afterwards the response is cut off.
    pub reader_time: Duration,
    /// Time limit for pending requests when the server ends.
    pub ending_time: Duration,
    /// Rate limit of a device on another machine: requests per second, and size of a burst.
    pub rate: (f64, f64),
    /// Number of concurrent requests above which responses carry X-Weave-Backoff.
    pub busy: usize,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            allows_new_users: false,
            public_url: None,
            proxies: Vec::new(),
            body_time: Duration::from_secs(60),
            head_time: Duration::from_secs(30),
            handshake_time: Duration::from_secs(10),
            reader_time: Duration::from_secs(60),
            ending_time: Duration::from_secs(10),
            rate: (200.0, 2000.0),
            busy: 256,
        }
    }
}

impl HttpSettings {
    /// Whether this address is one of the proxies that the operator named.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }
}
