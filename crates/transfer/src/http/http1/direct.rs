//! Sends HTTP/1.1 requests without a proxy, over connections that `framing` watches.
//!
//! - `HttpClient` uses this module for requests without a body. reqwest handles proxies, HTTP/2 and uploads.
//! - reqwest gives no access to the bytes between its sockets and its parser. This access is needed to detect bytes
//!   after the end of a body, and to accept the same heads as browsers.
//! - Name lookup, TLS and limits are the same as in the reqwest clients.

use std::{
    error::Error,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{
    HeaderMap, HeaderValue, Method, Request, Uri,
    header::{ACCEPT, USER_AGENT},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{
        Client,
        connect::{HttpConnector, dns::Name},
    },
    rt::{TokioExecutor, TokioIo, TokioTimer},
};
use reqwest::{
    Body, ResponseBuilderExt as _,
    dns::{Addrs, Resolve as _},
};
use rustls::{ClientConfig, crypto::aws_lc_rs, pki_types::CertificateDer};
use rustls_platform_verifier::Verifier;
use tower_service::Service;
use url::Url;

use crate::{
    http::{
        config::TransferConfig,
        dns::DnsLookup,
        error::{ConnectTimedOut, NoResponse},
        http1::framing::{FramedBody, FramingNotes},
    },
    model::{failure::TransferFailure, failure_kind::FailureKind},
};

/// Maximum number of fields in a head. Legitimate heads have far fewer.
const MOST_FIELDS: usize = 1000;
/// Keepalive interval. Equal to that of reqwest, so that both detect a vanished peer equally fast.
const KEEPALIVE: Duration = Duration::from_secs(15);
const KEEPALIVE_PROBES: u32 = 3;
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(90);

/// Notes about one response on a watched connection.
#[derive(Clone, Debug)]
pub(crate) struct WatchedStream {
    pub(crate) notes: FramingNotes,
    answer: u64,
}

impl WatchedStream {
    /// Returns whether the length of the body is unverified.
    ///
    /// The length is unverified if bytes arrived after the end of the body, or if the head leaves doubt about the end.
    /// Call this only after the whole body was read. Before that, it is unknown whether bytes follow the body.
    pub fn is_unverified(&self) -> bool {
        self.notes.has_surplus(self.answer) || self.notes.is_doubtful(self.answer)
    }
}

/// HTTP/1.1 client with watched connections.
#[derive(Clone, Debug)]
pub(crate) struct Http1Connection {
    kept: Client<Connector, Body>,
    /// Client that opens a new connection for every request.
    fresh: Client<Connector, Body>,
    agent: Option<HeaderValue>,
}

impl Http1Connection {
    /// Creates a client that trusts `roots` in addition to the system's certificates.
    pub fn new(config: &TransferConfig, roots: Vec<CertificateDer<'static>>, lookup: DnsLookup) -> Result<Self, TransferFailure> {
        let connector = Connector { https: https(config, roots, lookup)?, patience: config.connect_timeout };
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).http1_max_headers(MOST_FIELDS);
        let kept = builder.build(connector.clone());
        let fresh = builder.pool_max_idle_per_host(0).build(connector);
        Ok(Self { kept, fresh, agent: HeaderValue::from_str(&config.user_agent).ok() })
    }

    /// Sends a request without a body, over a new or a reused connection.
    ///
    /// `is_fresh` requires a new connection.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        is_fresh: bool,
    ) -> Result<reqwest::Response, NoResponse> {
        let broken = |error| NoResponse::Direct { error, is_secure: url.scheme() == "https" };
        let uri = uri(url)?;
        let mut request = Request::new(Body::default());
        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
        let fields = request.headers_mut();
        fields.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        if let Some(agent) = &self.agent {
            fields.entry(USER_AGENT).or_insert(agent.clone());
        }
        let client = if is_fresh { &self.fresh } else { &self.kept };
        let (parts, body) = client.request(request).await.map_err(broken)?.into_parts();
        let whole = http::Response::builder().url(url.clone()).body(Body::wrap(body));
        let mut response = whole.map_err(|_| NoResponse::BadAddress)?;
        (*response.status_mut(), *response.version_mut(), *response.headers_mut()) = (parts.status, parts.version, parts.headers);
        let mut extensions = parts.extensions;
        if let Some(notes) = extensions.remove::<FramingNotes>() {
            extensions.insert(WatchedStream { answer: notes.requests(), notes });
        }
        response.extensions_mut().extend(extensions);
        Ok(response.into())
    }
}

/// Returns the URL without its fragment and its credentials.
///
/// Credentials are sent in a header instead.
fn uri(url: &Url) -> Result<Uri, NoResponse> {
    let mut url = url.clone();
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Uri::try_from(url.as_str()).map_err(|_| NoResponse::BadAddress)
}

fn https(
    config: &TransferConfig,
    roots: Vec<CertificateDer<'static>>,
    lookup: DnsLookup,
) -> Result<HttpsConnector<HttpConnector<Names>>, TransferFailure> {
    let failed =
        |error: rustls::Error| TransferFailure::new(FailureKind::Internal, format!("the HTTP client could not be made: {error}"));
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = match roots.is_empty() {
        true => Verifier::new(provider.clone()),
        false => Verifier::new_with_extra_roots(roots, provider.clone()),
    };
    let verifier = Arc::new(verifier.map_err(failed)?);
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(failed)?;
    // This is the system's own certificate verifier. rustls requires `dangerous` for setting any verifier.
    let mut tls = tls.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let mut http = HttpConnector::new_with_resolver(Names(lookup));
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_connect_timeout(Some(config.connect_timeout));
    http.set_keepalive(Some(KEEPALIVE));
    http.set_keepalive_interval(Some(KEEPALIVE));
    http.set_keepalive_retries(Some(KEEPALIVE_PROBES));
    http.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
    Ok(HttpsConnector::from((http, tls)))
}

/// Connector that opens connections within a time limit.
#[derive(Clone, Debug)]
struct Connector {
    https: HttpsConnector<HttpConnector<Names>>,
    patience: Duration,
}

type Boxed = Box<dyn Error + Send + Sync>;
type Made = TokioIo<FramedBody<TokioIo<<HttpsConnector<HttpConnector<Names>> as Service<Uri>>::Response>>>;

impl Service<Uri> for Connector {
    type Response = Made;
    type Error = Boxed;
    type Future = Pin<Box<dyn Future<Output = Result<Made, Boxed>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Boxed>> {
        self.https.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (made, patience) = (self.https.call(uri), self.patience);
        Box::pin(async move {
            let stream = tokio::time::timeout(patience, made).await.map_err(|_| ConnectTimedOut)??;
            Ok(TokioIo::new(FramedBody::new(TokioIo::new(stream))))
        })
    }
}

/// Name lookup in the form that hyper-util requires.
#[derive(Clone, Debug)]
struct Names(DnsLookup);

impl Service<Name> for Names {
    type Response = Addrs;
    type Error = Boxed;
    type Future = Pin<Box<dyn Future<Output = Result<Addrs, Boxed>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Boxed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let lookup = self.0.clone();
        Box::pin(async move { lookup.resolve(name.as_str().parse()?).await })
    }
}
