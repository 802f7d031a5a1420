//! HTTP/1.1 without a proxy, over connections whose answers are watched (`framing`).
//!
//! `Http` sends requests without a body through this. reqwest does the rest: proxies, HTTP/2 and uploads. It lets nobody
//! between its sockets and its parser, and without that nobody learns of bytes behind the end of a body, or can accept a
//! head that browsers accept. Name lookup, TLS and limits are those of the reqwest clients.

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
    model::outcome::{FailureKind, TransferFailure},
};

/// More fields than any head has that is meant.
const MOST_FIELDS: usize = 1000;
/// The same keepalive as on connections of reqwest, so that a peer that vanishes is noticed as soon.
const KEEPALIVE: Duration = Duration::from_secs(15);
const KEEPALIVE_PROBES: u32 = 3;
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(90);

/// The answer of a connection that is watched.
#[derive(Clone, Debug)]
pub(crate) struct WatchedStream {
    pub(crate) notes: FramingNotes,
    answer: u64,
}

impl WatchedStream {
    /// Whether the length of the body is unverified: more came than it has, or the head does not frame it reliably. Surplus
    /// is known once the body has been read.
    pub fn is_unverified(&self) -> bool {
        self.notes.has_surplus(self.answer) || self.notes.is_doubtful(self.answer)
    }
}

/// The client.
#[derive(Clone, Debug)]
pub(crate) struct Http1Connection {
    kept: Client<Connector, Body>,
    /// The same, with a new connection for every request.
    fresh: Client<Connector, Body>,
    agent: Option<HeaderValue>,
}

impl Http1Connection {
    /// A client with these roots beside the system's.
    pub fn new(config: &TransferConfig, roots: Vec<CertificateDer<'static>>, lookup: DnsLookup) -> Result<Self, TransferFailure> {
        let connector = Connector { https: https(config, roots, lookup)?, patience: config.connect_timeout };
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).http1_max_headers(MOST_FIELDS);
        let kept = builder.build(connector.clone());
        let fresh = builder.pool_max_idle_per_host(0).build(connector);
        Ok(Self { kept, fresh, agent: HeaderValue::from_str(&config.user_agent).ok() })
    }

    /// Sends a request without a body, over a connection that was kept or a `is_fresh` one.
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

/// The address without what signs in, which goes in a header, and without its fragment.
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
    // The verifier is the system's own; rustls calls every way of naming one dangerous.
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

/// Makes connections, within the time that they may take.
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

/// Name lookup as hyper-util asks for it.
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
