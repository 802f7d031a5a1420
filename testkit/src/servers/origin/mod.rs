//! Misbehaving servers: an HTTP/1.1 origin on loopback, with one function for each kind of fault.
//!
//! An origin can cut a body anywhere.
//!
//! ```ignore
//! let origin = Origin::start().await;
//! let file = origin.file("/a.bin", Body::seeded(1, 3 << 20)).gate_at(1 << 20);
//! // ... fetch origin.url("/a.bin") ...
//! file.held().await;                  // the server has sent exactly 1 MiB and waits
//! file.release();                     // continue
//! assert_eq!(file.requests().len(), 1);
//! ```
//!
//! - A route behaves correctly unless a fault is set: it sends a strong `ETag`, a `Last-Modified` and a
//!   `Content-Length`, and answers ranges. Its properties (`chunked`, `weak_etag`, `header`, `content`, ...) may be
//!   changed at any time.
//! - A fault (`reset_after`, `ignore_ranges`, `status`, ...; see `named_vices.rs`) applies to every later request, or
//!   with `.times(n)` only to the next `n` matching requests. Faults are used in the order of their addition. Faults in
//!   ranges apply only to range requests.
//! - Bad certificates and redirects from https to http are in `tls.rs`.
//! - `gate_at` is a position in the *file*; `reset_after`, `stall_after` and `end_after` count the body bytes of one
//!   *answer*.
//! - No code here sleeps, except for faults that make the server slow.

mod answer;
mod content;
mod named_vices;
mod request;
mod route;
mod serve;
mod shared;
mod vice;

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, atomic::Ordering},
};

pub use content::{Body, content, content_at};
pub use request::Request;
use request::lock;
pub use route::Route;
use route::State;
use shared::OriginState;
use tokio::net::{TcpListener, TcpSocket};
use url::Url;

use crate::servers::listening::{Listening, url_at};

/// Origin at `http://127.0.0.1:port`. Dropping it stops it and closes all its connections.
#[derive(Debug)]
pub struct Origin {
    listening: Listening,
    shared: Arc<OriginState>,
}

impl Origin {
    /// Listens on a free loopback port.
    pub async fn start() -> Self {
        Self::serve(TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port"))
    }

    /// Listens on another address of this machine, such as `::1`.
    pub async fn start_on(address: IpAddr) -> Self {
        Self::serve(TcpListener::bind((address, 0)).await.expect("the address has a free port"))
    }

    /// Returns an address that refuses every connection until the caller opens it.
    pub fn closed() -> ClosedOrigin {
        let socket = TcpSocket::new_v4().expect("a socket can be made");
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("loopback has a free port");
        let address = socket.local_addr().expect("a bound socket has an address");
        ClosedOrigin { socket, address }
    }

    fn serve(listener: TcpListener) -> Self {
        let shared = Arc::new(OriginState::default());
        let of_connections = Arc::clone(&shared);
        let listening = Listening::on(listener, move |stream| {
            of_connections.connections.fetch_add(1, Ordering::AcqRel);
            serve::serve(stream, of_connections.clone())
        });
        Self { listening, shared }
    }

    /// Returns the URL of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        self.listening.url(path)
    }

    /// Address that the origin listens on.
    pub fn address(&self) -> SocketAddr {
        self.listening.address()
    }

    /// Returns the number of accepted connections.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Acquire)
    }

    /// Serves `content` at `path`. Replaces any earlier route of this path.
    pub fn file(&self, path: &str, content: Body) -> Route {
        let route = Route::new(path, self.shared.requests.clone(), Arc::new(State::new(content)));
        lock(&self.shared.routes).insert(path.to_owned(), route.clone());
        route
    }

    /// Answers every request for `path` with `status` and a small error page.
    pub fn refuses(&self, path: &str, status: u16) -> Route {
        self.file(path, Body::bytes([])).status(status)
    }

    /// Redirects `path` to `location` with `status`. If `location` is `path` itself, clients loop.
    pub fn redirects(&self, path: &str, status: u16, location: &str) -> Route {
        self.file(path, Body::bytes([])).redirect(status, location)
    }

    /// Adds a chain of `hops` redirects (302) from `path` to `target`.
    pub fn redirect_chain(&self, path: &str, hops: usize, target: &str) {
        for hop in 0..hops {
            let from = if hop == 0 { path.to_owned() } else { format!("{path}-{hop}") };
            let to = if hop + 1 == hops { target.to_owned() } else { format!("{path}-{}", hop + 1) };
            self.redirects(&from, 302, &to);
        }
    }

    /// Returns every request to any path, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }
}

/// Port that is bound but does not listen. Every connection to it is refused immediately.
#[derive(Debug)]
pub struct ClosedOrigin {
    socket: TcpSocket,
    address: SocketAddr,
}

impl ClosedOrigin {
    /// Returns the URL that `path` will have when the origin is open.
    pub fn url(&self, path: &str) -> Url {
        url_at(self.address, path)
    }

    /// Starts to accept connections.
    pub fn open(self) -> Origin {
        Origin::serve(self.socket.listen(64).expect("a bound socket can listen"))
    }
}
