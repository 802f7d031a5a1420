//! The HTTP client and its manners: which way a request takes, what it shows of the person who asks, what it believes.
//!
//! Two clients that do nothing by themselves: no redirects, no retries, no decoding. One speaks HTTP/1.1, and gives each
//! request at once a connection of its own; the other takes HTTP/2 from a secure server that offers it, where a crowd
//! shares one connection. A file that has its server nearly to itself is asked for by the first: it comes with less work
//! (`make bench ONLY=tls` shows what HTTP/2 costs curl and wget2), and others can join it, while several streams of one
//! connection share one path and gain nothing. A server that speaks nothing but HTTP/2 gets its way; for transfers that
//! are held to a speed, by a third client whose connections they share with nobody else.
//!
//! `proxy` decides the way, `lookup` finds the address, `credentials` and `netrc` sign in, `cookies` are the jar,
//! `referrer` says where the link was found, `broken` puts errors into words. Nothing in here follows a redirect: that is
//! `request`'s.

mod broken;
mod cookie_file;
mod cookies;
mod credentials;
mod lookup;
mod netrc;
mod proxy;
mod referrer;

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{Certificate, ClientBuilder};
use url::Url;

pub use self::{
    cookie_file::{FileCookie, NotACookie, parse_cookie_file},
    cookies::Cookies,
    credentials::{Credentials, Secret, Vault},
    netrc::Netrc,
    proxy::Proxies,
};
pub(crate) use self::{
    broken::{by_proxy, failure_of, speaks_another_protocol},
    referrer::referrer_for,
};
use crate::{
    outcome::{Failure, FailureKind},
    service::Config,
};

/// How much of one HTTP/2 stream may be under way. The standard's 64 KiB would hold a single file to 64 KiB a round
/// trip; 8 MiB fill 100 MB/s over 80 ms.
const STREAM_WINDOW: u32 = 8 << 20;
/// The same of a whole connection: two such streams, and more where the disk keeps up.
const CONNECTION_WINDOW: u32 = 16 << 20;
/// The same where a speed limit holds: a stream that is slowed fills its own window, and so many of them that no transfer
/// is left without one never fill their connection's.
const LIMITED_STREAM_WINDOW: u32 = 1 << 20;
const LIMITED_CONNECTION_WINDOW: u32 = 64 << 20;
/// Fewer frames for the same bytes; a server decides for itself how much of it it uses.
const FRAME: u32 = 256 << 10;
/// A connection that died in silence must not be handed to the next try, so one in use is asked whether it lives.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_PATIENCE: Duration = Duration::from_secs(10);

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
    pub proxies: Proxies,
    /// A PEM file of certificates that are trusted beside the system's.
    pub ca_certificate: Option<PathBuf>,
    /// Who signs in where.
    pub credentials: Arc<Credentials>,
    /// The jar.
    pub cookies: Cookies,
    /// Names that are not looked up, with their addresses; port 0 stands for that of the link.
    pub hosts: Arc<HashMap<String, Vec<SocketAddr>>>,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            http2: true,
            insecure_redirects: false,
            referrer: None,
            proxies: Proxies::none(),
            ca_certificate: None,
            credentials: Arc::default(),
            cookies: Cookies::off(),
            hosts: Arc::default(),
        }
    }
}

/// How servers are asked: the clients, and what they were made of. Every clone shares their connections.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    config: Arc<Config>,
    http1: reqwest::Client,
    http2: Option<reqwest::Client>,
    /// The HTTP/2 client of transfers that are held to a speed, made for the first of them that needs it.
    limited: Arc<OnceLock<Option<reqwest::Client>>>,
    is_crowd: bool,
    is_limited: bool,
}

impl Http {
    /// Fails when the extra certificates cannot be read, and when no client can be made.
    pub fn new(config: Config) -> Result<Self, Failure> {
        let certificates = match &config.http.ca_certificate {
            Some(path) => certificates(path)?,
            None => Vec::new(),
        };
        let made = |client: ClientBuilder| {
            let fail = |error| Failure::new(FailureKind::Internal, format!("the HTTP client could not be made: {error}"));
            client.build().map_err(fail)
        };
        let http1 = made(plain(&config, certificates.clone()).http1_only())?;
        let with_http2 = |client| with_http2(client, STREAM_WINDOW, CONNECTION_WINDOW);
        let http2 = config.http.http2.then(|| made(with_http2(plain(&config, certificates)))).transpose()?;
        Ok(Self { config: Arc::new(config), http1, http2, limited: Arc::default(), is_crowd: false, is_limited: false })
    }

    /// What it was made of.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The same for a connection that shares itself with nobody.
    pub fn of_a_single_one(&self) -> Self {
        Self { is_crowd: false, is_limited: false, ..self.clone() }
    }

    /// The same for one of many at the same server, which share a connection where they can.
    pub fn of_a_crowd(&self) -> Self {
        Self { is_crowd: true, ..self.clone() }
    }

    /// The same for one that is held to a speed: what it does not take fills no connection that others share.
    pub fn of_a_limited_one(&self) -> Self {
        Self { is_limited: true, ..self.clone() }
    }

    /// The client for `url`; `insists` of a server that would not speak HTTP/1.1.
    pub fn client(&self, url: &Url, is_upload: bool, insists: bool) -> &reqwest::Client {
        // An upload has nobody to share a connection with, and its stream's window would be the server's to choose.
        let is_shared = insists || (self.is_crowd && !is_upload);
        let Some(http2) = self.http2.as_ref().filter(|_| is_shared && url.scheme() == "https") else { return &self.http1 };
        if self.is_limited { self.limited().unwrap_or(http2) } else { http2 }
    }

    fn limited(&self) -> Option<&reqwest::Client> {
        let make = || {
            let certificates = self.config.http.ca_certificate.as_deref().map(certificates).transpose();
            let client = plain(&self.config, certificates.ok()?.unwrap_or_default());
            with_http2(client, LIMITED_STREAM_WINDOW, LIMITED_CONNECTION_WINDOW).build().ok()
        };
        self.limited.get_or_init(make).as_ref()
    }

    /// Whether there is another client to ask `url` by after the first was refused.
    pub fn has_other(&self, url: &Url, is_upload: bool) -> bool {
        let (first, other) = (self.client(url, is_upload, false), self.client(url, is_upload, true));
        !std::ptr::eq(first, other)
    }
}

fn plain(config: &Config, certificates: Vec<Certificate>) -> ClientBuilder {
    let proxies = config.http.proxies.clone();
    let client = reqwest::Client::builder()
        .user_agent(&config.user_agent)
        .connect_timeout(config.connect_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // Keeps the environment out: what it says is in `proxies` already, read by our own rules.
        .no_proxy()
        .dns_resolver(Arc::new(lookup::Lookup { given: config.http.hosts.clone() }));
    // Asked for every request, so only where there is one at all.
    let client = match proxies.is_none() {
        true => client,
        false => client.proxy(reqwest::Proxy::custom(move |url| proxies.of(url).cloned())),
    };
    match certificates.is_empty() {
        true => client,
        false => client.tls_certs_merge(certificates),
    }
}

fn with_http2(client: ClientBuilder, stream_window: u32, connection_window: u32) -> ClientBuilder {
    client
        .http2_initial_stream_window_size(stream_window)
        .http2_initial_connection_window_size(connection_window)
        .http2_max_frame_size(FRAME)
        .http2_keep_alive_interval(PING_EVERY)
        .http2_keep_alive_timeout(PING_PATIENCE)
}

fn certificates(path: &std::path::Path) -> Result<Vec<Certificate>, Failure> {
    let fail = |why: String| Failure::new(FailureKind::Internal, format!("the certificates in {}: {why}", path.display()));
    let text = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    let certificates = Certificate::from_pem_bundle(&text).map_err(|error| fail(error.to_string()))?;
    if certificates.is_empty() {
        return Err(fail("there are none, or not as PEM".to_owned()));
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_file_that_holds_none_is_refused_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        let refused = |path: &std::path::Path| certificates(path).unwrap_err().detail;
        assert!(refused(&path).contains("ca.pem"));
        std::fs::write(&path, "no certificate").unwrap();
        assert!(refused(&path).contains("there are none"));
    }
}
