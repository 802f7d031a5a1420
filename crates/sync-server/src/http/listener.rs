//! Accepts connections, with one task per connection.
//!
//! TLS is used if it is configured. Pending requests are still answered during a shutdown.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::body::Body;
use http::{Request, Response, StatusCode};
use hyper::{
    body::{Body as _, Incoming},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use super::{
    ConnectedPeer, SyncApp,
    linger::LingeringClose,
    routes::{AsyncAnswer, answer},
};

/// Reason why the server cannot listen on an address. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The system refuses the address.
    #[error("{address} cannot be listened on: {source}. Choose another address with --listen.")]
    Taken {
        /// Address.
        address: SocketAddr,
        /// Error that the system reported.
        source: io::Error,
    },
    /// The address has no TLS, so others could read its traffic.
    #[error("{0} would be reachable without TLS. Leave out --plain, or name the proxy in front of it with --proxy.")]
    Plain(SocketAddr),
}

/// Bound address.
#[derive(Debug)]
pub struct HttpListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpListener {
    /// Listens on `address`.
    ///
    /// Without TLS, fails with `Plain` if the address is not loopback and the operator named no proxy.
    pub async fn bind(address: SocketAddr, is_secure: bool, app: &SyncApp) -> Result<Self, ListenError> {
        if !is_secure && !address.ip().is_loopback() && app.settings.proxies.is_empty() {
            return Err(ListenError::Plain(address));
        }
        let taken = |source| ListenError::Taken { address, source };
        let listener = TcpListener::bind(address).await.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        Ok(Self { listener, address })
    }

    /// Listens on an address for metrics, which contain no user data.
    pub async fn bind_for_metrics(address: SocketAddr) -> Result<Self, ListenError> {
        let taken = |source| ListenError::Taken { address, source };
        let listener = TcpListener::bind(address).await.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        Ok(Self { listener, address })
    }

    /// Returns the address with its actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the server ends.
    pub async fn serve(self, app: Arc<SyncApp>, tls: Option<TlsAcceptor>) {
        let (answer, graceful) = (answer(Arc::clone(&app)), GracefulShutdown::new());
        let mut closing = app.closing();
        loop {
            let accepted = tokio::select! {
                _ = closing.wait_for(|closing| *closing) => break,
                accepted = self.listener.accept() => accepted,
            };
            let (stream, from) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // The usual cause is too many open files. Retry, because files are released when other connections
                    // end.
                    tracing::warn!(%error, "connection could not be accepted; will retry");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let _ = stream.set_nodelay(true);
            let (app, answer, watcher, tls) = (Arc::clone(&app), answer.clone(), graceful.watcher(), tls.clone());
            tokio::spawn(async move { connection(stream, from.ip(), app, answer, watcher, tls).await });
        }
        drop(self.listener);
        if tokio::time::timeout(app.settings.ending_time, graceful.shutdown()).await.is_err() {
            tracing::warn!("requests did not finish in time at shutdown; aborted");
        }
    }
}

/// Answers `GET /metrics` on a separate address until the server ends.
pub async fn serve_metrics(listener: HttpListener, app: Arc<SyncApp>) {
    let mut closing = app.closing();
    loop {
        let accepted = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            accepted = listener.listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            let head_time = app.settings.head_time;
            let service = service_fn(move |request: Request<Incoming>| {
                let is_known = request.uri().path() == "/metrics";
                let body = if is_known { app.metrics.render() } else { String::new() };
                let mut response = Response::new(Body::from(body));
                *response.status_mut() = if is_known { StatusCode::OK } else { StatusCode::NOT_FOUND };
                async move { Ok::<_, std::convert::Infallible>(response) }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(head_time).keep_alive(false);
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn connection(
    stream: TcpStream,
    from: IpAddr,
    app: Arc<SyncApp>,
    answer: impl AsyncAnswer,
    watcher: hyper_util::server::graceful::Watcher,
    tls: Option<TlsAcceptor>,
) {
    match tls {
        None => talk(stream, from, false, app, answer, watcher).await,
        Some(tls) => match tokio::time::timeout(app.settings.handshake_time, tls.accept(stream)).await {
            Ok(Ok(stream)) => talk(stream, from, true, app, answer, watcher).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        },
    }
}

async fn talk(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    from: IpAddr,
    is_secure: bool,
    app: Arc<SyncApp>,
    answer: impl AsyncAnswer,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let head_time = app.settings.head_time;
    let is_refused = Arc::new(AtomicBool::new(false));
    let stream = LingeringClose::new(stream, Arc::clone(&is_refused));
    let service = service_fn(move |request: Request<Incoming>| {
        let peer = peer(&app, from, is_secure, &request);
        let (answer, is_refused) = (answer.clone(), Arc::clone(&is_refused));
        async move {
            let has_body = !request.body().is_end_stream();
            let response = match peer {
                Some(peer) => answer(peer, request.map(Body::new)).await,
                None => {
                    let mut refused = Response::new(Body::from("0"));
                    *refused.status_mut() = StatusCode::FORBIDDEN;
                    refused
                }
            };
            let status = response.status();
            is_refused.store(has_body && (status.is_client_error() || status.is_server_error()), Ordering::Relaxed);
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head_time);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "connection failed");
    }
}

/// Returns the sender of a request.
///
/// Returns `None` if the request came over plain HTTP from another machine, and the operator did not name this machine
/// as a proxy.
fn peer(app: &SyncApp, from: IpAddr, is_secure: bool, request: &Request<Incoming>) -> Option<ConnectedPeer> {
    let is_proxy = app.settings.is_proxy(from);
    if !is_proxy {
        return (is_secure || from.to_canonical().is_loopback())
            .then_some(ConnectedPeer { address: from.to_canonical(), is_secure });
    }
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    // Only the last address was appended by the proxy; a client can forge the earlier addresses.
    let address = header("x-forwarded-for").and_then(|list| list.rsplit(',').next()?.trim().parse().ok());
    let was_secure = header("x-forwarded-proto").is_none_or(|scheme| scheme.eq_ignore_ascii_case("https"));
    Some(ConnectedPeer { address: address.unwrap_or(from), is_secure: is_secure || was_secure })
}
