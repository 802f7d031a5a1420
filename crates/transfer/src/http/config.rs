//! Configures transfers: timeouts, connections, checkpoints, proxies and credentials.

use std::{collections::HashMap, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use crate::http::{auth::credentials::HostCredentials, cookies::jar::CookieJar, proxy::ProxyRules};

/// Factor by which the wait for the first byte of a response may exceed the stall timeout. Before the first byte, a
/// server may search for the file, wake a disk or compress the content.
const THINKING: u32 = 3;

/// Configuration shared by all transfers.
#[derive(Clone, Debug)]
pub struct TransferConfig {
    /// Value of the `UserRow-Agent` header.
    pub user_agent: String,
    /// Maximum time to connect, TLS included.
    pub connect_timeout: Duration,
    /// Maximum time between two pieces of a body. A server may take longer before the first piece.
    pub stall_timeout: Duration,
    /// Period over which a server that sends less than 1 KiB a second counts as silent.
    pub slow_window: Duration,
    /// Maximum connections of one file where more than one helps; at least 1.
    pub connections: usize,
    /// Maximum time between two checkpoints of the progress.
    pub checkpoint_interval: Duration,
    /// Maximum new bytes between two checkpoints. The limit that is reached first applies.
    pub checkpoint_bytes: u64,
    /// Whether written blocks get checksums, so that a later run detects bytes that were corrupted on disk.
    pub checksums: bool,
    /// Largest file, in bytes, that is held in memory until it is published, provided that it arrives quickly.
    pub held_in_memory: u32,
    /// Bytes that are written as one batch. A smaller batch is written after 50 ms.
    pub batch_bytes: usize,
    /// Body bytes that must arrive before space for the rest is reserved; a response head alone reserves nothing.
    pub reserve_after: u64,
    /// Maximum duration of one run of a transfer.
    pub total_timeout: Option<Duration>,
    /// Proxies, credentials, cookies and certificates.
    pub http: HttpConfig,
    /// Missing bytes below which one connection is enough.
    pub least_shared: u64,
    /// Minimum bytes of a range request. Files are split at multiples of it.
    pub least_split: u64,
}

impl Default for TransferConfig {
    fn default() -> Self {
        Self {
            user_agent: concat!("Ashore/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(10),
            slow_window: Duration::from_secs(30),
            connections: 8,
            checkpoint_interval: Duration::from_secs(1),
            checkpoint_bytes: 32 << 20,
            checksums: true,
            held_in_memory: 1 << 20,
            batch_bytes: 512 << 10,
            reserve_after: 64 << 10,
            total_timeout: None,
            http: HttpConfig::default(),
            least_shared: 16 << 20,
            least_split: 1 << 20,
        }
    }
}

impl TransferConfig {
    /// Returns the timeout for the first byte of a response head and of a body.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.stall_timeout.saturating_mul(THINKING)
    }
}

/// Configuration of HTTP requests and connections.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Whether HTTP/2 is used with secure servers that offer it, for many files from one server.
    pub http2: bool,
    /// Whether redirects from https to http are followed.
    pub insecure_redirects: bool,
    /// Page that links were found on; used for requests without their own `Referer`.
    pub referrer: Option<String>,
    /// Proxies for outgoing connections.
    pub proxies: ProxyRules,
    /// PEM file of certificates trusted in addition to the system's.
    pub ca_certificate: Option<PathBuf>,
    /// Credentials by origin.
    pub credentials: Arc<HostCredentials>,
    /// Cookie jar.
    pub cookies: CookieJar,
    /// Addresses of names that are not looked up. Port 0 stands for the port of the link.
    pub hosts: Arc<HashMap<String, Vec<SocketAddr>>>,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            http2: true,
            insecure_redirects: false,
            referrer: None,
            proxies: ProxyRules::none(),
            ca_certificate: None,
            credentials: Arc::default(),
            cookies: CookieJar::off(),
            hosts: Arc::default(),
        }
    }
}
