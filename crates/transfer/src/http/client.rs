//! The HTTP client and its manners: which way a request takes, what it shows of the person who asks, what it believes.
//!
//! Two clients that do nothing by themselves: no redirects, no retries, no decoding. One speaks HTTP/1.1, and gives each
//! request at once a connection of its own; the other takes HTTP/2 from a secure server that offers it, where a crowd
//! shares one connection. A file that has its server nearly to itself is asked for by the first: it comes with less work
//! (`make bench ONLY=tls` shows what HTTP/2 costs curl and wget2), and others can join it, while several streams of one
//! connection share one path and gain nothing. A server that speaks nothing but HTTP/2 gets its way; for transfers that
//! are held to a speed, by a third client whose connections they share with nobody else. What may only go to the public
//! internet (`address_policy`) has clients of its own. Where HTTP/2 breaks, what is asked next gets a new connection, and after the
//! second break HTTP/1.1 (`http2_fallback`).
//!
//! Requests over HTTP/1.1 that send no body and need no proxy go through `direct`, which watches where each answer begins and
//! ends (`framing`, `head`, `fields`).
//!
//! `proxy` decides the way, `dns` finds the address, `credentials`, `netrc`, `challenge` and `digest` sign in,
//! `proxy_tunnel` asks a proxy what it wants to hear, `wrong_scheme` a server what it speaks, `cookies` are the jar,
//! `referrer` says where the link was found, `error` puts errors into words. Nothing in here follows a redirect: that is
//! `exchange`'s.

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
        outcome::{FailureCause, FailureKind, TransferFailure},
    },
};

/// The part of the time to connect that a name may be looked up for.
const LOOKING_UP: f64 = 0.8;
/// No file of certificates has more bytes; some files have no end.
const LONGEST_BUNDLE: u64 = 16 << 20;
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

/// How servers are asked: the clients, and what they were made of. Every clone shares their connections.
#[derive(Clone, Debug)]
pub(crate) struct HttpClient {
    config: Arc<TransferConfig>,
    certificates: Arc<Roots>,
    anywhere: Arc<Clients>,
    /// Those of transfers that may not go everywhere, made for the first of them. They share no connection with the others:
    /// one that is open already asks nobody for an address.
    public: Arc<OnceLock<Clients>>,
    distrust: Arc<Http2Fallback>,
    wrong_ports: Arc<WrongPorts>,
    is_crowd: bool,
    is_limited: bool,
}

/// A request, as a client is to send it.
#[derive(Debug)]
pub(crate) struct OutgoingRequest<'a> {
    pub method: Method,
    pub url: &'a Url,
    pub headers: HeaderMap,
    pub body: Option<reqwest::Body>,
    pub reach: AddressPolicy,
    /// Of a server that would not speak HTTP/1.1.
    pub insists: bool,
    /// Over a connection that nothing has happened to, where the client can tell.
    pub is_fresh: bool,
    /// The `Proxy-Authorization` for the tunnel, where it differs from the sign-in in the proxy's address.
    pub tunnel: Option<HeaderValue>,
}

/// Certificates that are trusted beside the system's, as each client wants them.
#[derive(Debug, Default)]
struct Roots {
    reqwest: Vec<Certificate>,
    rustls: Vec<CertificateDer<'static>>,
}

/// The clients of one reach.
#[derive(Debug)]
struct Clients {
    http1: reqwest::Client,
    direct: Http1Connection,
    http2: Http2Client,
    /// That of transfers that are held to a speed.
    limited: Http2Client,
}

/// An HTTP/2 client, made for the first that needs it, and let go with its connections after they broke: whoever uses it goes
/// on with it.
#[derive(Debug, Default)]
struct Http2Client(Mutex<Option<reqwest::Client>>);

/// An exchange over HTTP/2, as far as it matters when it breaks.
#[derive(Clone, Debug)]
pub(crate) struct HttpExchange {
    /// Whom with.
    pub url: Url,
    /// Since when.
    pub began: Instant,
}

impl HttpClient {
    /// Fails when the extra certificates cannot be read, and when no client can be made.
    pub fn new(config: TransferConfig) -> Result<Self, TransferFailure> {
        let certificates = Arc::new(match &config.http.ca_certificate {
            Some(path) => certificates(path)?,
            None => Roots::default(),
        });
        let anywhere = Arc::new(Clients::new(&config, &certificates, AddressPolicy::Anywhere)?);
        let (config, public, distrust, wrong_ports) = (Arc::new(config), Arc::default(), Arc::default(), Arc::default());
        Ok(Self { config, certificates, anywhere, public, distrust, wrong_ports, is_crowd: false, is_limited: false })
    }

    /// What it was made of.
    pub fn config(&self) -> &TransferConfig {
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

    /// The same, remembering what `other` does.
    pub fn remembering(self, other: &Self) -> Self {
        Self { distrust: other.distrust.clone(), ..self }
    }

    /// Sends a request. The outer error is that of [`Http::new`].
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

    /// The reqwest client for `url`. Fails as [`Http::new`] does.
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

    /// A client for one request to `url` alone, whose tunnel through the proxy is asked for with this `Proxy-Authorization`: an
    /// answer to a challenge holds once. Fails as [`Http::new`] does.
    fn client_for_tunnel(&self, reach: AddressPolicy, authorization: HeaderValue) -> Result<reqwest::Client, TransferFailure> {
        let proxies = self.config.http.proxies.clone();
        let proxy =
            reqwest::Proxy::custom(move |url| proxies.proxy_for(url).map(proxy::without_sign_in)).custom_http_auth(authorization);
        // The first proxy that takes an address is the one that is used.
        made(bare(&self.config, &self.certificates, reach).proxy(proxy).http1_only())
    }

    /// Whether there is another client to ask `url` by after the first was refused.
    pub fn has_other(&self, url: &Url, is_upload: bool) -> bool {
        self.may_share(url) && !self.shares(url, is_upload)
    }

    /// The `exchange` failed: where it broke, what is asked next gets a connection that nothing has happened to.
    pub fn failed(&self, exchange: &HttpExchange, failure: &TransferFailure) {
        if !http2_fallback::is_break(failure.kind) {
            return;
        }
        match self.distrust.broke(&exchange.url, exchange.began, Instant::now()) {
            Http2Breakage::Known => return,
            Http2Breakage::Again => {}
            Http2Breakage::TooOften => {
                let host = exchange.url.host_str();
                tracing::info!(host, "its HTTP/2 broke twice: it is asked over HTTP/1.1 for an hour");
            }
        }
        for clients in std::iter::once(&*self.anywhere).chain(self.public.get()) {
            clients.http2.release();
            clients.limited.release();
        }
    }

    /// The `failure` of a request to `url` that went through no proxy, with the fault where the link has the wrong scheme.
    pub async fn explained(&self, failure: TransferFailure, url: &Url) -> TransferFailure {
        match self.wrong_ports.fault(&failure, url).await {
            // The status is that of an answer to something that was no request.
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

    /// Whether HTTP/2 is an answer for `url` at all.
    fn may_share(&self, url: &Url) -> bool {
        self.config.http.http2 && url.scheme() == "https"
    }

    /// Whether it is the first choice. An upload has nobody to share a connection with, and its stream's window would be the
    /// server's to choose.
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
        // Within the time to connect, or a name server that is slow would look like a server that is.
        patience: config.connect_timeout.mul_f64(LOOKING_UP),
    }
}

fn plain(config: &TransferConfig, certificates: &Roots, reach: AddressPolicy) -> ClientBuilder {
    let proxies = config.http.proxies.clone();
    let client = bare(config, certificates, reach);
    // Asked for every request, so only where there is one at all.
    match proxies.is_none() {
        true => client,
        false => client.proxy(reqwest::Proxy::custom(move |url| proxies.proxy_for(url).cloned())),
    }
}

/// A client that goes through no proxy.
fn bare(config: &TransferConfig, certificates: &Roots, reach: AddressPolicy) -> ClientBuilder {
    let client = reqwest::Client::builder()
        .user_agent(&config.user_agent)
        .connect_timeout(config.connect_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // Keeps the environment out: what it says is in `proxies` already, read by our own rules.
        .no_proxy()
        // `direct` accepts these too. A line that is not a field stays an error here: it may have framed the body.
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
    fn a_certificate_file_that_holds_none_is_refused_by_its_name() {
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
