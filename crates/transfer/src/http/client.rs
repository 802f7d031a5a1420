//! Sends HTTP requests, and chooses the client, proxy and connection for each request.
//!
//! - Clients follow no redirects, retry no requests and decode no bodies.
//! - The HTTP/1.1 client opens a separate connection for each concurrent request. It is used while few transfers run
//!   from the same server. HTTP/1.1 costs less CPU time (`make bench ONLY=tls` shows the cost of HTTP/2 for curl and
//!   wget2), and allows additional connections. Several HTTP/2 streams would share one connection, and therefore gain
//!   nothing.
//! - The HTTP/2 client is used for many files from one secure server that offers HTTP/2. The files share one
//!   connection.
//! - A server that supports only HTTP/2 always gets HTTP/2 requests.
//! - Transfers with a speed limit use a third client, also with HTTP/2. Transfers without a limit never share its
//!   connections.
//! - Transfers that are limited to the public internet (`address_policy`) have their own clients.
//! - After HTTP/2 breaks once, the next request uses a new connection. After HTTP/2 breaks twice, requests use HTTP/1.1
//!   (`http2_fallback`).
//! - HTTP/1.1 requests without a body and without a proxy go through `direct`, which detects the bounds of each
//!   response (`framing`, `head`, `fields`).
//!
//! Related modules: `proxy` selects the proxy, and `dns` resolves the name. `credentials`, `netrc`, `challenge` and
//! `digest` authenticate. `proxy_tunnel` reads the challenge of a proxy, and `wrong_scheme` detects a link with the
//! wrong scheme. `cookies` holds the jar, `referrer` builds the `Referer`, and `error` converts errors to failures.
//! `exchange` follows redirects.

use std::{
    fs::File,
    io::Read as _,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use http::{HeaderMap, HeaderValue, Method};
use reqwest::{Certificate, ClientBuilder};
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use url::Url;

use crate::{
    http::{
        config::TransferConfig,
        dns,
        error::NoResponse,
        http1::direct::Http1Connection,
        http2_fallback::{self, Http2Breakage, Http2Fallback},
        proxy,
        wrong_scheme::WrongPorts,
    },
    model::{
        address_policy::AddressPolicy,
        failure::TransferFailure,
        failure_kind::{FailureCause, FailureKind},
    },
};

/// Fraction of the connect timeout that the name lookup may take.
const LOOKING_UP: f64 = 0.8;
/// Maximum size of a certificate file in bytes. Needed because a path may lead to an endless file.
const LONGEST_BUNDLE: u64 = 16 << 20;
/// Receive window of one HTTP/2 stream in bytes.
///
/// The default of 64 KiB limits a file to 64 KiB per round trip. This window sustains 100 MB/s at a round trip of 80
/// ms.
const STREAM_WINDOW: u32 = 8 << 20;
/// Receive window of one HTTP/2 connection in bytes.
///
/// Enough for two full streams, or for more streams if the disk keeps up.
const CONNECTION_WINDOW: u32 = 16 << 20;
/// Receive window, in bytes, of a stream with a speed limit.
///
/// A throttled stream fills its window. The connection window holds 64 such windows, so that throttled streams do not
/// block other transfers.
const LIMITED_STREAM_WINDOW: u32 = 1 << 20;
const LIMITED_CONNECTION_WINDOW: u32 = 64 << 20;
/// Maximum HTTP/2 frame size in bytes.
///
/// Larger frames mean fewer frames for the same data. The server may use smaller frames.
const FRAME: u32 = 256 << 10;
/// Interval of HTTP/2 pings on a connection in use.
///
/// Pings detect a dead connection, so that the next attempt does not reuse it.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_PATIENCE: Duration = Duration::from_secs(10);

/// HTTP clients and their configuration. Clones share connections.
#[derive(Clone, Debug)]
pub(crate) struct HttpClient {
    config: Arc<TransferConfig>,
    certificates: Arc<Roots>,
    anywhere: Arc<Clients>,
    /// Clients for transfers that are limited to the public internet. Created for the first such transfer.
    ///
    /// Other transfers do not share these connections: an open connection is reused without a name lookup, and
    /// therefore without the address check.
    public: Arc<OnceLock<Clients>>,
    distrust: Arc<Http2Fallback>,
    wrong_ports: Arc<WrongPorts>,
    is_crowd: bool,
    is_limited: bool,
}

/// HTTP request that a client is to send.
#[derive(Debug)]
pub(crate) struct OutgoingRequest<'a> {
    pub method: Method,
    pub url: &'a Url,
    pub headers: HeaderMap,
    pub body: Option<reqwest::Body>,
    pub reach: AddressPolicy,
    /// Whether HTTP/2 must be used because the server refused HTTP/1.1.
    pub insists: bool,
    /// Whether to use a new connection. Only some clients support this.
    pub is_fresh: bool,
    /// `Proxy-Authorization` for the tunnel. `None` to send the credentials that the address of the proxy contains.
    pub tunnel: Option<HeaderValue>,
}

/// Certificates that are trusted in addition to those of the system, in the format of each client.
#[derive(Debug, Default)]
struct Roots {
    reqwest: Vec<Certificate>,
    rustls: Vec<CertificateDer<'static>>,
}

/// Clients for transfers with the same address policy.
#[derive(Debug)]
struct Clients {
    http1: reqwest::Client,
    direct: Http1Connection,
    http2: Http2Client,
    /// HTTP/2 client of transfers with a speed limit.
    limited: Http2Client,
}

/// HTTP/2 client, created on first use and dropped after its connections break.
///
/// Running requests continue to use a dropped client.
#[derive(Debug, Default)]
struct Http2Client(Mutex<Option<reqwest::Client>>);

/// Target and start time of an HTTP/2 exchange. Used to record that the exchange broke.
#[derive(Clone, Debug)]
pub(crate) struct HttpExchange {
    /// URL of the request.
    pub url: Url,
    /// Time at which the request was sent.
    pub began: Instant,
}

impl HttpClient {
    /// Creates the clients. Fails if the extra certificates cannot be read or a client cannot be created.
    pub fn new(config: TransferConfig) -> Result<Self, TransferFailure> {
        let certificates = Arc::new(match &config.http.ca_certificate {
            Some(path) => certificates(path)?,
            None => Roots::default(),
        });
        let anywhere = Arc::new(Clients::new(&config, &certificates, AddressPolicy::Anywhere)?);
        let (config, public, distrust, wrong_ports) = (Arc::new(config), Arc::default(), Arc::default(), Arc::default());
        Ok(Self { config, certificates, anywhere, public, distrust, wrong_ports, is_crowd: false, is_limited: false })
    }

    /// Returns the configuration of the clients.
    pub fn config(&self) -> &TransferConfig {
        &self.config
    }

    /// Returns a handle for a transfer with connections of its own.
    pub fn of_a_single_one(&self) -> Self {
        Self { is_crowd: false, is_limited: false, ..self.clone() }
    }

    /// Returns a handle for a transfer that shares a connection where possible.
    ///
    /// Used if many transfers run from the same server.
    pub fn of_a_crowd(&self) -> Self {
        Self { is_crowd: true, ..self.clone() }
    }

    /// Returns a handle for a transfer with a speed limit.
    ///
    /// Its unread data must not block a connection that it shares with transfers without a limit.
    pub fn of_a_limited_one(&self) -> Self {
        Self { is_limited: true, ..self.clone() }
    }

    /// Makes this handle use the same record of broken HTTP/2 connections as `other`.
    pub fn remembering(self, other: &Self) -> Self {
        Self { distrust: other.distrust.clone(), ..self }
    }

    /// Sends a request.
    ///
    /// The outer error has the same causes as in [`HttpClient::new`]. The inner error means that no response arrived.
    pub async fn send(&self, request: OutgoingRequest<'_>) -> Result<Result<reqwest::Response, NoResponse>, TransferFailure> {
        let OutgoingRequest { method, url, headers, body, reach, insists, is_fresh, tunnel } = request;
        let is_plain = body.is_none() && self.config.http.proxies.proxy_for(url).is_none();
        let is_shared = self.may_share(url) && (insists || self.shares(url, body.is_some()));
        if is_plain && !is_shared {
            return Ok(self.clients(reach)?.direct.send(method, url, headers, is_fresh).await);
        }
        let client = match tunnel {
            Some(authorization) => self.client_for_tunnel(reach, authorization)?,
            None => self.client(url, reach, body.is_some(), insists)?,
        };
        let mut request = client.request(method, url.clone()).headers(headers);
        if let Some(body) = body {
            request = request.body(body);
        }
        Ok(request.send().await.map_err(NoResponse::Client))
    }

    /// Returns the reqwest client for `url`. Fails like [`HttpClient::new`].
    pub(crate) fn client(
        &self,
        url: &Url,
        reach: AddressPolicy,
        is_upload: bool,
        insists: bool,
    ) -> Result<reqwest::Client, TransferFailure> {
        let clients = self.clients(reach)?;
        if !self.may_share(url) || !(insists || self.shares(url, is_upload)) {
            return Ok(clients.http1.clone());
        }
        let plain = || plain(&self.config, &self.certificates, reach);
        match self.is_limited {
            true => clients.limited.client(|| with_http2(plain(), LIMITED_STREAM_WINDOW, LIMITED_CONNECTION_WINDOW)),
            false => clients.http2.client(|| with_http2(plain(), STREAM_WINDOW, CONNECTION_WINDOW)),
        }
    }

    /// Creates a client for one request, with this `Proxy-Authorization` for the proxy tunnel.
    ///
    /// The client is not reused, because an answer to a challenge is valid only once. Fails like [`HttpClient::new`].
    fn client_for_tunnel(&self, reach: AddressPolicy, authorization: HeaderValue) -> Result<reqwest::Client, TransferFailure> {
        let proxies = self.config.http.proxies.clone();
        let proxy =
            reqwest::Proxy::custom(move |url| proxies.proxy_for(url).map(proxy::without_sign_in)).custom_http_auth(authorization);
        // Start from `bare`, which has no proxy: reqwest uses the first matching proxy, so there must be no other.
        made(bare(&self.config, &self.certificates, reach).proxy(proxy).http1_only())
    }

    /// Returns whether another client can request `url` after the server refused the first client.
    pub fn has_other(&self, url: &Url, is_upload: bool) -> bool {
        self.may_share(url) && !self.shares(url, is_upload)
    }

    /// Records that `exchange` failed. If HTTP/2 broke, later requests use a new connection.
    pub fn failed(&self, exchange: &HttpExchange, failure: &TransferFailure) {
        if !http2_fallback::is_break(failure.kind) {
            return;
        }
        match self.distrust.broke(&exchange.url, exchange.began, Instant::now()) {
            Http2Breakage::Known => return,
            Http2Breakage::Again => {}
            Http2Breakage::TooOften => {
                let host = exchange.url.host_str();
                tracing::info!(host, "HTTP/2 failed twice; using HTTP/1.1 for this host for one hour");
            }
        }
        for clients in std::iter::once(&*self.anywhere).chain(self.public.get()) {
            clients.http2.release();
            clients.limited.release();
        }
    }

    /// Adds the cause to `failure` if the link has the wrong scheme.
    ///
    /// The request to `url` must not have used a proxy.
    pub async fn explained(&self, failure: TransferFailure, url: &Url) -> TransferFailure {
        match self.wrong_ports.fault(&failure, url).await {
            // Drop the status: the server did not recognise the request as HTTP.
            Some(fault) if failure.kind == FailureKind::BadStatus => {
                TransferFailure { kind: FailureKind::Protocol, fault: Some(fault), status: None, ..failure }
            }
            Some(FailureCause::NotTls) => {
                TransferFailure { kind: FailureKind::TlsHandshake, fault: Some(FailureCause::NotTls), ..failure }
            }
            Some(fault) => TransferFailure { kind: FailureKind::Protocol, fault: Some(fault), ..failure },
            None => failure,
        }
    }

    /// Returns whether the settings and the scheme of `url` permit HTTP/2.
    fn may_share(&self, url: &Url) -> bool {
        self.config.http.http2 && url.scheme() == "https"
    }

    /// Returns whether HTTP/2 is the first choice for `url`.
    ///
    /// Uploads prefer HTTP/1.1: they share no connection, and with HTTP/2 the server's window would limit their speed.
    fn shares(&self, url: &Url, is_upload: bool) -> bool {
        self.is_crowd && !is_upload && self.distrust.allows(url, Instant::now())
    }

    fn clients(&self, reach: AddressPolicy) -> Result<&Clients, TransferFailure> {
        if reach == AddressPolicy::Anywhere {
            return Ok(&self.anywhere);
        }
        if let Some(clients) = self.public.get() {
            return Ok(clients);
        }
        let clients = Clients::new(&self.config, &self.certificates, reach)?;
        Ok(self.public.get_or_init(|| clients))
    }
}

impl Clients {
    fn new(config: &TransferConfig, certificates: &Roots, reach: AddressPolicy) -> Result<Self, TransferFailure> {
        let http1 = made(plain(config, certificates, reach).http1_only())?;
        let direct = Http1Connection::new(config, certificates.rustls.clone(), lookup(config, reach))?;
        Ok(Self { http1, direct, http2: Http2Client::default(), limited: Http2Client::default() })
    }
}

impl Http2Client {
    pub(crate) fn client(&self, make: impl FnOnce() -> ClientBuilder) -> Result<reqwest::Client, TransferFailure> {
        let mut client = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*client {
            Some(client) => Ok(client.clone()),
            None => Ok(client.insert(made(make())?).clone()),
        }
    }

    fn release(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn made(client: ClientBuilder) -> Result<reqwest::Client, TransferFailure> {
    client
        .build()
        .map_err(|error| TransferFailure::new(FailureKind::Internal, format!("the HTTP client could not be made: {error}")))
}

fn lookup(config: &TransferConfig, reach: AddressPolicy) -> dns::DnsLookup {
    dns::DnsLookup {
        given: config.http.hosts.clone(),
        reach,
        // Keep the lookup limit below the connect timeout. Otherwise a slow name server would look like a slow server.
        patience: config.connect_timeout.mul_f64(LOOKING_UP),
    }
}

fn plain(config: &TransferConfig, certificates: &Roots, reach: AddressPolicy) -> ClientBuilder {
    let proxies = config.http.proxies.clone();
    let client = bare(config, certificates, reach);
    // reqwest calls this function for every request, so register it only if there is a proxy.
    match proxies.is_none() {
        true => client,
        false => client.proxy(reqwest::Proxy::custom(move |url| proxies.proxy_for(url).cloned())),
    }
}

/// Returns the builder of a client without a proxy.
fn bare(config: &TransferConfig, certificates: &Roots, reach: AddressPolicy) -> ClientBuilder {
    let client = reqwest::Client::builder()
        .user_agent(&config.user_agent)
        .connect_timeout(config.connect_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // Ignore the environment: `proxies` already contains its values, parsed by Ashore's own rules.
        .no_proxy()
        // Accept folded fields and spaces after a field name, as `direct` does. Reject a line that is not a field: it
        // may have stated where the body ends.
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .dns_resolver(Arc::new(lookup(config, reach)));
    match certificates.reqwest.is_empty() {
        true => client,
        false => client.tls_certs_merge(certificates.reqwest.iter().cloned()),
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

fn certificates(path: &std::path::Path) -> Result<Roots, TransferFailure> {
    let fail =
        |why: String| TransferFailure::new(FailureKind::Internal, format!("the certificates in {}: {why}", path.display()));
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_BUNDLE + 1).read_to_end(&mut text));
    read.map_err(|error| fail(error.to_string()))?;
    if text.len() as u64 > LONGEST_BUNDLE {
        return Err(fail("there are more than 16 MiB of them".to_owned()));
    }
    let reqwest = Certificate::from_pem_bundle(&text).map_err(|error| fail(error.to_string()))?;
    if reqwest.is_empty() {
        return Err(fail("there are none, or not as PEM".to_owned()));
    }
    let rustls: Result<_, _> = CertificateDer::pem_slice_iter(&text).collect();
    Ok(Roots { reqwest, rustls: rustls.map_err(|error| fail(error.to_string()))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_certificate_file_is_refused_with_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        let refused = |path: &std::path::Path| certificates(path).unwrap_err().detail;
        assert!(refused(&path).contains("ca.pem"));
        std::fs::write(&path, "no certificate").unwrap();
        assert!(refused(&path).contains("there are none"));
        File::create(&path).unwrap().set_len(LONGEST_BUNDLE + 1).unwrap();
        assert!(refused(&path).contains("16 MiB"));
    }
}
