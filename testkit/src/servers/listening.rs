//! Accepts connections on loopback for the HTTP servers and proxies of this folder.
//!
//! - Each connection has its own task. Errors of a connection are ignored, because clients disconnect in most tests.
//! - Dropping the listener stops accepting and closes the connections.

use std::net::SocketAddr;

use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use url::Url;

/// A listener, and the task that accepts its connections.
#[derive(Debug)]
pub(crate) struct Listening {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Listening {
    /// Listens on a free port of 127.0.0.1 and passes every connection to `serve`.
    pub async fn start<Served>(serve: impl Fn(TcpStream) -> Served + Send + 'static) -> Self
    where
        Served: Future + Send + 'static,
    {
        Self::on(TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port"), serve)
    }

    /// Passes every connection of `listener` to `serve`.
    pub fn on<Served>(listener: TcpListener, serve: impl Fn(TcpStream) -> Served + Send + 'static) -> Self
    where
        Served: Future + Send + 'static,
    {
        let address = listener.local_addr().expect("a bound socket has an address");
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        if let Ok((stream, _)) = accepted {
                            let served = serve(stream);
                            connections.spawn(async move { drop(served.await) });
                        }
                    }
                    Some(_) = connections.join_next() => {}
                }
            }
        });
        Self { address, task }
    }

    /// Address on which connections are accepted.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the `http` URL of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        url_at(self.address, path)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns the `http` URL of `path` on a server at `address`; `path` starts with a slash.
pub(crate) fn url_at(address: SocketAddr, path: &str) -> Url {
    Url::parse(&format!("http://{address}{path}")).expect("an address and a path make a URL")
}
