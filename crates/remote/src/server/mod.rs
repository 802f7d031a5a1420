//! Accepts connections within limits. The browser channel, the page and the interfaces for programs share this server.
//!
//! `access_control` decides by `Host` and `Origin` who may connect, `trusted_proxy` finds the address of a client behind
//! a proxy [pure], and `write_limit` ends a connection whose peer does not read.
//!
//! - A connection over the limit is closed at once, so that it costs nothing.
//! - A request whose `Host` does not name this server is refused before any route.
//! - A WebSocket counts as a connection until it ends.
//! - A connection ends if its peer stops reading.

pub(crate) mod access_control;
pub(crate) mod trusted_proxy;
mod write_limit;

use std::{
    collections::HashMap,
    convert::Infallible,
    io,
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_messages::message;
use axum::{
    Router,
    extract::Request,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};
use tower_service::Service as _;

use self::{access_control::AcceptedHosts, write_limit::WriteLimited};
use crate::{failure_rate::network, problem::RequestProblem};

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteLimits {
    /// Maximum number of simultaneous connections, and of those from one address or IPv6 network.
    pub connections: usize,
    pub of_address: usize,
    /// Maximum time to receive the head of a request.
    pub head: Duration,
    /// Maximum time to receive the body of a request. If the body is a file, maximum time between two of its parts.
    pub body: Duration,
    /// Maximum time from the upgrade of a WebSocket to its sign-in.
    pub sign_in: Duration,
    /// Maximum time to send a message.
    pub send: Duration,
    /// Maximum time without progress of a write. A write makes progress when the peer reads.
    pub write: Duration,
    /// Time between two pings of a WebSocket.
    pub ping: Duration,
    /// Maximum time without any frame from the client of a WebSocket.
    pub silence: Duration,
}

pub(crate) const LIMITS: RemoteLimits = RemoteLimits {
    connections: 64,
    of_address: 32,
    head: Duration::from_secs(10),
    body: Duration::from_secs(30),
    sign_in: Duration::from_secs(10),
    send: Duration::from_secs(10),
    write: Duration::from_secs(30),
    ping: Duration::from_secs(30),
    silence: Duration::from_secs(75),
};

/// Maximum time for connections to end after [`RemoteServer::stop`].
const PATIENCE: Duration = Duration::from_secs(2);

/// Socket that a server listens on.
#[derive(Debug)]
pub(crate) enum RemoteListener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// Connection that a listener accepted.
enum RemoteStream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl RemoteListener {
    /// Returns the next connection and the address of its peer. A peer on a Unix socket is on this machine, and has the address
    /// 127.0.0.1. Cancel safe.
    async fn accept(&self) -> io::Result<(RemoteStream, IpAddr)> {
        match self {
            Self::Tcp(listener) => listener.accept().await.map(|(stream, from)| (RemoteStream::Tcp(stream), from.ip())),
            Self::Unix(listener) => {
                listener.accept().await.map(|(stream, _)| (RemoteStream::Unix(stream), Ipv4Addr::LOCALHOST.into()))
            }
        }
    }
}

/// Peer of a connection, and its place in the limits. Each request contains this value as an extension.
#[derive(Clone, Debug)]
pub(crate) struct RemotePeer {
    /// Address of the peer. In a request from a trusted proxy, the address of the proxy's client.
    pub address: IpAddr,
    _place: Arc<Place>,
}

#[cfg(test)]
impl RemotePeer {
    /// Returns a peer without a connection.
    pub(crate) fn without_connection(address: IpAddr) -> Self {
        let places = Places { free: Arc::new(Semaphore::new(1)), taken: Arc::default() };
        Self { address, _place: Arc::new(places.take(address, 1).expect("the place is free")) }
    }
}

/// Server that accepts connections until it is stopped.
#[derive(Debug)]
pub(crate) struct RemoteServer {
    stop: watch::Sender<bool>,
    places: Places,
    limits: RemoteLimits,
    /// Tasks of the listeners.
    tasks: Vec<JoinHandle<()>>,
}

/// Listens on the first of these ports of 127.0.0.1 that is free. Returns the listener, its port, and the position of
/// the port.
///
/// Fails if none of the ports is free.
pub(crate) async fn bind(ports: &[u16]) -> io::Result<(TcpListener, u16, usize)> {
    let mut failure = io::ErrorKind::InvalidInput.into();
    for (index, port) in ports.iter().enumerate() {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).await {
            Ok(listener) => {
                let port = listener.local_addr()?.port();
                return Ok((listener, port, index));
            }
            Err(error) => {
                tracing::debug!(port, %error, "port cannot be used");
                failure = error;
            }
        }
    }
    Err(failure)
}

impl RemoteServer {
    /// Serves the router that `routes` makes. When the argument of `routes` becomes true, the router closes its
    /// WebSockets.
    pub(crate) fn start(
        listeners: Vec<RemoteListener>,
        hosts: AcceptedHosts,
        limits: RemoteLimits,
        routes: impl FnOnce(watch::Receiver<bool>) -> Router,
    ) -> Self {
        let (stop, stopped) = watch::channel(false);
        let places = Places { free: Arc::new(Semaphore::new(limits.connections)), taken: Arc::default() };
        let entry = RemoteEntry { router: routes(stopped.clone()), hosts: Arc::new(hosts), limits };
        let accept = |listener| tokio::spawn(accept(listener, entry.clone(), places.clone(), stopped.clone()));
        let tasks = listeners.into_iter().map(accept).collect();
        Self { stop, places, limits, tasks }
    }

    /// Closes the listeners and all connections.
    pub(crate) async fn stop(self) {
        self.stop.send_replace(true);
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::warn!(%error, "server task failed");
            }
        }
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        if timeout(PATIENCE, self.places.free.acquire_many(all)).await.is_err() {
            tracing::debug!("connections did not close in time");
        }
    }
}

/// Returns when the server stops.
pub(crate) async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    // An error means that the server is gone.
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// Everything that a new connection needs.
#[derive(Clone)]
struct RemoteEntry {
    router: Router,
    hosts: Arc<AcceptedHosts>,
    limits: RemoteLimits,
}

async fn accept(listener: RemoteListener, entry: RemoteEntry, places: Places, mut stopped: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            // An error means that the server was dropped, which stops it too.
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, address)) => match places.take(address, entry.limits.of_address) {
                Some(place) => {
                    let peer = RemotePeer { address, _place: Arc::new(place) };
                    match stream {
                        RemoteStream::Tcp(stream) => {
                            // Ignore the error: without this option, small messages are only slower.
                            let _ = stream.set_nodelay(true);
                            connections.spawn(serve(stream, entry.clone(), peer));
                        }
                        RemoteStream::Unix(stream) => {
                            connections.spawn(serve(stream, entry.clone(), peer));
                        }
                    }
                }
                None => tracing::debug!("too many connections; new connection closed"),
            },
            Err(error) => {
                tracing::warn!(%error, "connection could not be accepted; will retry");
                // The usual cause is a lack of file descriptors. Accepting again immediately would only waste processor time.
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    connections.shutdown().await;
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, entry: RemoteEntry, peer: RemotePeer) {
    let (head, stream) = (entry.limits.head, WriteLimited::new(stream, entry.limits.write));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        answer(request.map(axum::body::Body::new), entry.clone(), peer.clone())
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await {
        tracing::debug!(%error, "connection failed");
    }
}

async fn answer(mut request: Request, mut entry: RemoteEntry, peer: RemotePeer) -> Result<Response, Infallible> {
    if !entry.hosts.has_host(request.headers()) {
        let problem = RequestProblem::new(StatusCode::MISDIRECTED_REQUEST, message!("remote-request.host"));
        return Ok(problem.into_response());
    }
    let address = entry.hosts.client_address(peer.address, request.headers());
    request.extensions_mut().insert(RemotePeer { address, ..peer });
    // A router is always ready.
    entry.router.call(request).await
}

/// The free places for connections. Each connection takes one place.
#[derive(Clone, Debug)]
struct Places {
    free: Arc<Semaphore>,
    /// Number of connections of each address or IPv6 network.
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// Place of a connection. Dropping this value frees the place.
#[derive(Debug)]
struct Place {
    address: IpAddr,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
    _permit: OwnedSemaphorePermit,
}

impl Places {
    /// Returns a place for a connection from `address`; `None` if there are too many.
    fn take(&self, address: IpAddr, of_address: usize) -> Option<Place> {
        let address = network(address);
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(address).or_default();
        if *count >= of_address {
            return None;
        }
        *count += 1;
        Some(Place { address, taken: Arc::clone(&self.taken), _permit: permit })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}
