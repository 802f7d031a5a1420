//! TLS origin on loopback: fresh certificates, HTTP/1.1 and HTTP/2, and files that support range requests.
//!
//! ```ignore
//! let authority = Authority::new();
//! let origin = TlsOrigin::start(&authority, Shown::Good).await;
//! origin.file("/a.bin", b"...");
//! // ... fetch origin.url("/a.bin"), trusting authority.pem() ...
//! assert_eq!(origin.connections(), 1);
//! ```

use std::{
    collections::HashMap,
    convert::Infallible,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderMap, Response, StatusCode, Version, header};
use http_body_util::{BodyExt, Collected, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{body::Frame, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use url::Url;

use crate::servers::listening::Listening;

/// Pause between the bytes of a body that is sent one byte at a time.
const DRIP: Duration = Duration::from_millis(50);
/// Maximum time to send the bytes that are already written.
const TO_LEAVE: Duration = Duration::from_millis(200);

type Sending = UnsyncBoxBody<Bytes, Infallible>;

/// Certificate authority that only the tests trust.
#[derive(Debug)]
pub struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Creates an authority.
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key can be made");
        let mut params = CertificateParams::new(Vec::new()).expect("no names are fine");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "The stories' authority");
        let pem = params.self_signed(&key).expect("a certificate can be made").pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// Returns the authority's certificate in PEM form.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Writes the authority's certificate to a file in `folder` and returns the path.
    pub fn file(&self, folder: &Path) -> PathBuf {
        let path = folder.join("authority.pem");
        std::fs::write(&path, &self.pem).expect("a file can be written");
        path
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// Certificate that an origin presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Certificate signed by the authority, valid for `localhost`, `a.test`, `b.test`, `127.0.0.1` and `::1`.
    Good,
    /// Certificate that has expired, but is otherwise good.
    Expired,
    /// Certificate that is self-signed, but is otherwise good.
    SelfSigned,
    /// Certificate that is signed by the authority, but for another server.
    Anothers,
}

/// TLS origin at `https://localhost:port`.
#[derive(Debug)]
pub struct TlsOrigin {
    listening: Listening,
    shared: Arc<TlsServerState>,
}

/// Fault that ends or stalls every HTTP/2 answer after half of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Http2Fault {
    /// Closes the connection immediately and sends GOAWAY.
    GoesAway,
    /// Resets the stream with RST_STREAM.
    Resets,
    /// Stops sending on the stream, as if its window were exhausted. The connection stays alive.
    Stalls,
}

#[derive(Debug, Default)]
struct TlsServerState {
    config: Mutex<Option<Arc<ServerConfig>>>,
    fault: Mutex<Option<Http2Fault>>,
    files: Mutex<HashMap<String, Served>>,
    asked: Mutex<Vec<TlsRequest>>,
    connections: AtomicUsize,
}

#[derive(Clone, Debug)]
enum Served {
    File(Bytes),
    Drips(u64),
    Held(Bytes, usize),
    Redirect(String),
}

/// Received request.
#[derive(Clone, Debug)]
pub struct TlsRequest {
    /// Protocol version.
    pub version: Version,
    /// Requested path.
    pub path: String,
    /// Header fields.
    pub headers: HeaderMap,
}

impl TlsOrigin {
    /// Listens on a free loopback port with HTTP/2 and HTTP/1.1.
    pub async fn start(authority: &Authority, shown: Shown) -> Self {
        Self::speaking(authority, shown, &["h2", "http/1.1"]).await
    }

    /// Listens with HTTP/1.1 only.
    pub async fn start_without_http2(authority: &Authority, shown: Shown) -> Self {
        Self::speaking(authority, shown, &["http/1.1"]).await
    }

    /// Listens with HTTP/2 only.
    pub async fn start_with_http2_alone(authority: &Authority, shown: Shown) -> Self {
        Self::speaking(authority, shown, &["h2"]).await
    }

    async fn speaking(authority: &Authority, shown: Shown, protocols: &[&str]) -> Self {
        let shared = Arc::new(TlsServerState::default());
        *lock(&shared.config) = Some(config(authority, shown, protocols));
        let of_connections = Arc::clone(&shared);
        let listening = Listening::start(move |stream| serve(stream, of_connections.clone())).await;
        Self { listening, shared }
    }

    /// Returns the URL of `path` at `localhost`.
    pub fn url(&self, path: &str) -> Url {
        self.url_as("localhost", path)
    }

    /// Returns the URL of `path` under another name of this machine.
    pub fn url_as(&self, host: &str, path: &str) -> Url {
        Url::parse(&format!("https://{host}:{}{path}", self.listening.address().port())).expect("a host and a path make a URL")
    }

    /// Address on which the origin listens.
    pub fn address(&self) -> SocketAddr {
        self.listening.address()
    }

    /// Serves `bytes` at `path`.
    pub fn file(&self, path: &str, bytes: impl Into<Bytes>) {
        lock(&self.shared.files).insert(path.to_owned(), Served::File(bytes.into()));
    }

    /// Serves `length` bytes at `path`. Sends one byte at a time, with pauses.
    pub fn drips(&self, path: &str, length: u64) {
        lock(&self.shared.files).insert(path.to_owned(), Served::Drips(length));
    }

    /// Serves `bytes` at `path`, but sends only the first `until` of them and then stops.
    pub fn holds(&self, path: &str, bytes: impl Into<Bytes>, until: usize) {
        lock(&self.shared.files).insert(path.to_owned(), Served::Held(bytes.into(), until));
    }

    /// Presents this certificate on later connections.
    pub fn shows(&self, authority: &Authority, shown: Shown) {
        *lock(&self.shared.config) = Some(config(authority, shown, &["h2", "http/1.1"]));
    }

    /// Gives every later HTTP/2 connection this fault.
    pub fn breaks_http2(&self, fault: Http2Fault) {
        *lock(&self.shared.fault) = Some(fault);
    }

    /// Redirects `path` to `location` with a 302.
    pub fn redirects(&self, path: &str, location: &str) {
        lock(&self.shared.files).insert(path.to_owned(), Served::Redirect(location.to_owned()));
    }

    /// Returns all requests, in order.
    pub fn asked(&self) -> Vec<TlsRequest> {
        lock(&self.shared.asked).clone()
    }

    /// Returns the number of completed TLS handshakes.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Acquire)
    }
}

fn config(authority: &Authority, shown: Shown, protocols: &[&str]) -> Arc<ServerConfig> {
    let (certificate, key) = certificate(authority, shown);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("the provider supports the TLS versions").with_no_client_auth();
    let mut config = config.with_single_cert(vec![certificate], key).expect("key and certificate belong together");
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    Arc::new(config)
}

fn certificate(authority: &Authority, shown: Shown) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
    let names: &[&str] = match shown {
        Shown::Anothers => &["another.test"],
        _ => &["localhost", "a.test", "b.test", "127.0.0.1", "::1"],
    };
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut params = CertificateParams::new(names).expect("these are names");
    if shown == Shown::Expired {
        (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
    }
    let key = KeyPair::generate().expect("a key can be made");
    let certificate = match shown {
        Shown::SelfSigned => params.self_signed(&key),
        _ => params.signed_by(&key, &authority.issuer),
    };
    let certificate = certificate.expect("a certificate can be made").der().clone();
    (certificate, PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())))
}

async fn serve(stream: TcpStream, shared: Arc<TlsServerState>) {
    let Some(acceptor) = lock(&shared.config).clone().map(TlsAcceptor::from) else { return };
    // Ignore a failed handshake: in many tests, the client rejects the certificate.
    let Ok(stream) = acceptor.accept(stream).await else { return };
    shared.connections.fetch_add(1, Ordering::AcqRel);
    let fault = *lock(&shared.fault);
    if let (Some(fault), Some(b"h2")) = (fault, stream.get_ref().1.alpn_protocol()) {
        return break_off(stream, &shared, fault).await;
    }
    let service = service_fn(move |request| {
        let answer = answer(&request, &shared);
        async move { Ok::<_, Infallible>(answer) }
    });
    let server = auto::Builder::new(TokioExecutor::new());
    let _ = server.serve_connection(TokioIo::new(stream), service).await;
}

/// Serves HTTP/2 until the fault occurs.
async fn break_off(stream: TlsStream<TcpStream>, shared: &TlsServerState, fault: Http2Fault) {
    let Ok(mut connection) = h2::server::handshake(stream).await else { return };
    let mut open = Vec::new();
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let (mut head, body) = answer(&request, shared).into_parts();
        let Ok(body) = body.collect().await.map(Collected::to_bytes);
        head.headers.insert(header::CONTENT_LENGTH, body.len().into());
        let Ok(mut sending) = respond.send_response(Response::from_parts(head, ()), false) else { return };
        if sending.send_data(body.slice(..body.len() / 2), false).is_err() {
            return;
        }
        // Wait for a request that never arrives. The wait is necessary, because bytes are sent only while the
        // connection is polled.
        let _ = tokio::time::timeout(TO_LEAVE, connection.accept()).await;
        match fault {
            Http2Fault::GoesAway => connection.abrupt_shutdown(h2::Reason::ENHANCE_YOUR_CALM),
            Http2Fault::Resets => sending.send_reset(h2::Reason::INTERNAL_ERROR),
            Http2Fault::Stalls => open.push(sending),
        }
    }
}

fn answer<Sent>(request: &http::Request<Sent>, shared: &TlsServerState) -> Response<Sending> {
    let path = request.uri().path().to_owned();
    let asked = TlsRequest { version: request.version(), path: path.clone(), headers: request.headers().clone() };
    lock(&shared.asked).push(asked);
    let served = lock(&shared.files).get(&path).cloned();
    let builder = Response::builder();
    let answer = match served {
        None => builder.status(StatusCode::NOT_FOUND).body(Full::default().boxed_unsync()),
        Some(Served::Redirect(to)) => {
            builder.status(StatusCode::FOUND).header(header::LOCATION, to).body(Full::default().boxed_unsync())
        }
        Some(Served::Drips(length)) => {
            let drops = stream::repeat(Bytes::from_static(b"x")).take(usize::try_from(length).expect("it is a length"));
            let drops = drops.then(|drop| async {
                tokio::time::sleep(DRIP).await;
                Ok(Frame::data(drop))
            });
            builder.header(header::CONTENT_LENGTH, length).body(StreamBody::new(drops).boxed_unsync())
        }
        Some(Served::Held(bytes, until)) => {
            let length = bytes.len();
            let first = stream::iter([Ok(Frame::data(bytes.slice(..until)))]).chain(stream::pending());
            let builder = builder.header(header::ETAG, "\"one\"").header(header::CONTENT_LENGTH, length);
            builder.body(StreamBody::new(first).boxed_unsync())
        }
        Some(Served::File(bytes)) => {
            let builder = builder.header(header::ETAG, "\"one\"").header(header::ACCEPT_RANGES, "bytes");
            match range(request.headers(), bytes.len()) {
                None => builder.body(Full::new(bytes).boxed_unsync()),
                Some((first, last)) => builder
                    .status(StatusCode::PARTIAL_CONTENT)
                    .header(header::CONTENT_RANGE, format!("bytes {first}-{last}/{}", bytes.len()))
                    .body(Full::new(bytes.slice(first..=last)).boxed_unsync()),
            }
        }
    };
    answer.expect("these are headers")
}

/// Returns the first and last byte of the requested range, if there is exactly one range and it is inside the file.
fn range(headers: &HeaderMap, length: usize) -> Option<(usize, usize)> {
    let range = headers.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?;
    let (first, last) = range.split_once('-')?;
    let first: usize = first.parse().ok()?;
    let last = last.parse().unwrap_or(usize::MAX).min(length.checked_sub(1)?);
    (first <= last).then_some((first, last))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
