//! Configures transfers: timeouts, connections, checkpoints, proxies and credentials.

use std::{collections::HashMap, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use crate::http::{auth::credentials::HostCredentials, cookies::jar::CookieJar, proxy::ProxyRules};

/// Factor by which the maximum wait for the first byte exceeds the stall timeout.
///
/// Before the first byte, a server may search for the file, wake a disk or compress the content.
const THINKING: u32 = 3;

/// Configuration shared by all transfers.
#[derive(Clone, Debug)]
pub struct TransferConfig {
    /// Value of the `User-Agent` header.
    pub user_agent: String,
    /// Maximum time to connect, including TLS.
    pub connect_timeout: Duration,
    /// Maximum time between two pieces of a body. A server may take longer before the first piece.
    pub stall_timeout: Duration,
    /// Period in which the speed of a server is measured. Below 1 KiB per second, the server counts as silent.
    pub slow_window: Duration,
    /// Maximum number of connections for one file, at least 1.
    pub connections: usize,
    /// Maximum time between two checkpoints of the progress.
    pub checkpoint_interval: Duration,
    /// Maximum number of new bytes between two checkpoints.
    ///
    /// A checkpoint is made when this limit or the time limit is reached.
    pub checkpoint_bytes: u64,
    /// Whether written blocks get checksums. A later run uses them to detect corruption on disk.
    pub checksums: bool,
    /// Maximum size in bytes of a file that is kept in memory until it is published.
    ///
    /// The file must also arrive quickly.
    pub held_in_memory: u32,
    /// Number of bytes written as one batch. A smaller batch is written after 50 ms.
    pub batch_bytes: usize,
    /// Number of bytes of the body that must arrive before space is reserved for the rest.
    ///
    /// A response head alone reserves no space.
    pub reserve_after: u64,
    /// Maximum duration of one run of a transfer.
    pub total_timeout: Option<Duration>,
    /// Proxies, credentials, cookies and certificates.
    pub http: HttpConfig,
    /// Minimum number of missing bytes that justifies several connections. A file of at least this size also gets
    /// several connections if an earlier run has left more than `least_split` bytes.
    pub least_shared: u64,
    /// Minimum size of a range request in bytes. Files are split at multiples of this size.
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
    /// Whether a file of `total` bytes is worth several connections while `missing` bytes are missing. [pure]
    ///
    /// A large file keeps several connections almost to its end. Its end must not be slower after a pause, when the
    /// connections of the earlier run have left a gap each.
    pub(crate) fn justifies_sharing(&self, total: u64, missing: u64) -> bool {
        missing >= self.least_shared || (total >= self.least_shared && missing > self.least_split)
    }

    /// Returns the timeout for the first byte of a response.
    ///
    /// The timeout applies separately to the head and to the body.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.stall_timeout.saturating_mul(THINKING)
    }
}

/// Configuration of HTTP requests and connections.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Whether to use HTTP/2 for many files from one secure server that offers HTTP/2.
    pub http2: bool,
    /// Whether redirects from https to http are followed.
    pub insecure_redirects: bool,
    /// Page on which the links were found. Used for requests without their own `Referer`.
    pub referrer: Option<String>,
    /// Proxies for outgoing connections.
    pub proxies: ProxyRules,
    /// PEM file of certificates that are trusted in addition to those of the system.
    pub ca_certificate: Option<PathBuf>,
    /// Credentials by origin.
    pub credentials: Arc<HostCredentials>,
    /// Cookie jar.
    pub cookies: CookieJar,
    /// Fixed addresses by name. These names are not looked up. Port 0 stands for the port of the link.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_of_large_file_is_worth_several_connections() {
        let config = TransferConfig { least_shared: 16, least_split: 2, ..TransferConfig::default() };
        for (total, missing, is_worth) in
            [(16, 16, true), (15, 15, false), (100, 15, true), (100, 3, true), (100, 2, false), (15, 3, false)]
        {
            assert_eq!(config.justifies_sharing(total, missing), is_worth, "{missing} of {total}");
        }
    }
}
