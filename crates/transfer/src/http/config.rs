//! How transfers behave: timeouts, connections, checkpoints, proxies and sign-ins.

use std::{collections::HashMap, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use crate::http::{auth::credentials::HostCredentials, cookies::jar::CookieJar, proxy::ProxyRules};

/// So much longer may be waited for the first byte of an answer as between two of them: before it a server may look for the
/// file, wake a disk, or pack what was asked for.
const THINKING: u32 = 3;

/// How transfers behave; the same for all of them.
#[derive(Clone, Debug)]
pub struct TransferConfig {
    /// Sent as `User-Agent`.
    pub user_agent: String,
    /// To connect, TLS included.
    pub connect_timeout: Duration,
    /// Between two pieces of a body; before the first of them a server may think for longer.
    pub stall_timeout: Duration,
    /// A server that sends less than 1 KiB a second over this long counts as silent.
    pub slow_window: Duration,
    /// Connections that one file may have where more than one helps; at least 1.
    pub connections: usize,
    /// Progress is made durable at least this often...
    pub checkpoint_interval: Duration,
    /// ...or before more new bytes than these are at stake, whichever comes first.
    pub checkpoint_bytes: u64,
    /// Written blocks get checksums, so that a later run detects bytes that went bad on the disk meanwhile.
    pub checksums: bool,
    /// The largest file, in bytes, that is held in memory until it lands, where it comes at once.
    pub held_in_memory: u32,
    /// Received bytes are written in batches of this size, or after 50 ms.
    pub batch_bytes: usize,
    /// Body bytes that must have come before space is reserved for the rest: a head alone reserves nothing.
    pub reserve_after: u64,
    /// How long one run of a transfer may take.
    pub total_timeout: Option<Duration>,
    /// Proxies, sign-ins, cookies, certificates.
    pub http: HttpConfig,
    /// With fewer bytes missing, one connection is enough.
    pub least_shared: u64,
    /// Bytes that are worth a request of their own, at least; files are cut at multiples of it.
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
    /// For the first byte of an answer, of its head and of its body.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.stall_timeout.saturating_mul(THINKING)
    }
}

/// How Ashore behaves towards servers, and on the way to them.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// HTTP/2 is spoken with secure servers that offer it, where many files come from one.
    pub http2: bool,
    /// A redirect from https to http is followed.
    pub insecure_redirects: bool,
    /// The page links were found on, for requests that bring no `Referer` of their own.
    pub referrer: Option<String>,
    /// The ways out.
    pub proxies: ProxyRules,
    /// A PEM file of certificates that are trusted beside the system's.
    pub ca_certificate: Option<PathBuf>,
    /// Credentials by origin.
    pub credentials: Arc<HostCredentials>,
    /// The jar.
    pub cookies: CookieJar,
    /// Names that are not looked up, with their addresses; port 0 stands for that of the link.
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
