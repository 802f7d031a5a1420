//! Asks a server whether it is ready. `ashore healthy` calls this module.

use std::{io, time::Duration};

use axum::body::Bytes;
use http_body_util::Empty;
use hyper::{Request, client::conn::http1::handshake, header::HOST};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, time::timeout};
use url::{Host, Position, Url};

/// Maximum time for the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the server whose page has the address `url` whether it is ready. Always connects without TLS.
///
/// Fails if the server does not answer within ten seconds, or answers that it is not ready.
pub async fn ask_readiness(url: &Url) -> io::Result<()> {
    timeout(PATIENCE, ask(url)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

async fn ask(url: &Url) -> io::Result<()> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let host = match url.host().ok_or_else(invalid)? {
        Host::Domain(name) => name.to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    };
    let port = url.port_or_known_default().ok_or_else(invalid)?;
    let stream = TcpStream::connect((host.as_str(), port)).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    let request = Request::get(format!("{}/readyz", url.path().trim_end_matches('/')))
        .header(HOST, &url[Position::BeforeHost..Position::AfterPort])
        .body(Empty::<Bytes>::new())
        .map_err(io::Error::other)?;
    let connection = tokio::spawn(connection);
    let answered = sender.send_request(request).await;
    connection.abort();
    let status = answered.map_err(io::Error::other)?.status();
    if status.is_success() { Ok(()) } else { Err(io::Error::other(format!("HTTP {}", status.as_u16()))) }
}
