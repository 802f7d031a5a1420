//! Server whose answers, including their heads, are raw bytes from the test.
//!
//! Used for answers that no correct server sends.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};
use url::Url;

use crate::servers::listening::Listening;

/// Received request.
#[derive(Clone, Debug, Default)]
pub struct RawRequest {
    /// `GET`, `HEAD`, ...
    pub method: String,
    /// Path with its query.
    pub path: String,
    /// Offsets of the first and the last byte of the requested range. The last offset is present only if the client
    /// stated it.
    pub range: Option<(usize, Option<usize>)>,
    /// Number of earlier requests on the same connection.
    pub nth: usize,
}

/// Answer to a request, and whether the connection stays open.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer, which is sent unchanged.
    pub bytes: Vec<u8>,
    /// Whether the connection stays open.
    pub keeps: bool,
}

impl Reply {
    /// Sends these bytes and closes the connection.
    pub fn closing(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), keeps: false }
    }

    /// Sends these bytes and keeps the connection open.
    pub fn keeping(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), keeps: true }
    }

    /// Sends this head and this body, and closes the connection. The head must include its final empty line.
    pub fn from_parts(head: &str, body: &[u8]) -> Self {
        Self::closing([head.as_bytes(), body].concat())
    }
}

/// Server that can send any bytes as answers. Dropping it stops it.
#[derive(Debug)]
pub struct RawServer {
    listening: Listening,
    requests: Arc<Mutex<Vec<RawRequest>>>,
}

impl RawServer {
    /// Starts a server that answers each request with the result of `answer`. `answer` gets the request and its number,
    /// counted from 0.
    pub async fn start(answer: impl Fn(usize, &RawRequest) -> Reply + Send + Sync + 'static) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), requests.clone());
        let listening = Listening::start(move |stream| serve(stream, answer.clone(), seen.clone())).await;
        Self { listening, requests }
    }

    /// Returns the URL of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        self.listening.url(path)
    }

    /// Returns all requests, in order.
    pub fn requests(&self) -> Vec<RawRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn serve(
    stream: TcpStream,
    answer: Arc<impl Fn(usize, &RawRequest) -> Reply>,
    seen: Arc<Mutex<Vec<RawRequest>>>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    for nth in 0.. {
        let mut request = RawRequest { nth, ..RawRequest::default() };
        for line in 0.. {
            let mut text = String::new();
            if stream.read_line(&mut text).await.ok()? == 0 {
                return None;
            }
            let text = text.trim();
            let lower = text.to_ascii_lowercase();
            match lower.strip_prefix("range: bytes=").and_then(|range| range.split_once('-')) {
                _ if text.is_empty() => break,
                Some((first, last)) => request.range = Some((first.parse().ok()?, last.parse().ok())),
                None if line == 0 => {
                    let mut words = text.split(' ').map(str::to_owned);
                    (request.method, request.path) = (words.next()?, words.next()?);
                }
                None => {}
            }
        }
        let number = {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(request.clone());
            seen.len() - 1
        };
        let reply = answer(number, &request);
        stream.get_mut().write_all(&reply.bytes).await.ok()?;
        if !reply.keeps {
            // Close cleanly, so that all sent bytes arrive.
            stream.get_mut().shutdown().await.ok()?;
            return None;
        }
    }
    None
}
