//! HTTP client of a device. A request fails if the server is unavailable. Requests are never retried.

use std::io::{self, ErrorKind};

use reqwest::{Client, Method, StatusCode, header::HeaderMap, retry};

/// HTTP client that acts as a device.
pub struct SyncWire {
    client: Client,
    address: String,
    token: String,
    root: String,
}

/// Complete response.
#[derive(Debug)]
pub struct SyncResponse {
    /// HTTP status.
    pub status: u16,
    /// X-Last-Modified in milliseconds; 0 if the header is missing.
    pub modified: i64,
    /// Text of the body.
    pub body: String,
}

impl SyncWire {
    /// Creates a client for the device with this token and the server at `address`.
    ///
    /// A token has the form `uid.device.secret`.
    pub fn new(address: &str, token: &str) -> io::Result<Self> {
        // Disable retries, because a write might be applied twice. Disable proxies, because a proxy of this machine
        // could lead to another server.
        let client = Client::builder().no_proxy().retry(retry::never()).build().map_err(io::Error::other)?;
        let wire = Self { client, address: address.to_owned(), token: String::new(), root: String::new() };
        Ok(wire.with_token(token))
    }

    /// Returns a client for another device. Both clients use the same connections.
    pub fn with_token(&self, token: &str) -> Self {
        let root = format!("/1.5/{}", token.split('.').next().unwrap_or_default());
        Self { client: self.client.clone(), address: self.address.clone(), token: token.to_owned(), root }
    }

    /// Sends a request to a path below the user's root. `unless` is the value of X-If-Unmodified-Since, in
    /// milliseconds.
    pub async fn ask(&self, method: Method, path: &str, unless: Option<i64>, body: &str) -> io::Result<SyncResponse> {
        self.send(method, &format!("{}{path}", self.root), unless, body).await
    }

    /// Sends a request to any path.
    ///
    /// Fails with `InvalidData` if the response violates the protocol. After any other error, a write may or may not
    /// have been applied. A 503 from a server that cannot reach its database also counts as such an error.
    pub async fn send(&self, method: Method, path: &str, unless: Option<i64>, body: &str) -> io::Result<SyncResponse> {
        let mut request = self.client.request(method, format!("http://{}{path}", self.address)).bearer_auth(&self.token);
        if let Some(time) = unless {
            request = request.header("X-If-Unmodified-Since", format!("{}.{:03}", time / 1000, time % 1000));
        }
        let response = request.body(body.to_owned()).send().await.map_err(io::Error::other)?;
        let (status, modified) = (response.status(), modified(response.headers())?);
        let body = response.bytes().await.map_err(io::Error::other)?;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return Err(io::Error::other("the database is away"));
        }
        let body = String::from_utf8(body.into()).map_err(|_| broken("the body is not UTF-8"))?;
        Ok(SyncResponse { status: status.as_u16(), modified, body })
    }
}

fn modified(headers: &HeaderMap) -> io::Result<i64> {
    let Some(time) = headers.get("x-last-modified") else { return Ok(0) };
    time.to_str().ok().and_then(milliseconds).ok_or_else(|| broken("X-Last-Modified is not a time"))
}

/// Parses a time in seconds with two decimals into milliseconds.
pub fn milliseconds(text: &str) -> Option<i64> {
    let (seconds, decimals) = text.split_once('.')?;
    (decimals.len() == 2).then(|| format!("{seconds}{decimals}0").parse().ok()).flatten()
}

fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.to_owned())
}
