//! Server whose answers are raw bytes that the test provides, including the head of each answer.
//!
//! Used for answers that no honest server sends.

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
    /// Offsets of the first and last byte of the requested range; the last one only if stated.
    pub range: Option<(usize, Option<usize>)>,
    /// Number of earlier requests on the same connection.
    pub nth: usize,
}

/// Answer to a request, and what happens to the connection.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Bytes, sent unchanged.
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

    /// Sends this head and this body, and closes the connection. The head must end with its empty line.
    pub fn from_parts(head: &str, body: &[u8]) -> Self {
        Self::closing([head.as_bytes(), body].concat())
    }
}

/// Server with arbitrary answers; stops when dropped.
#[derive(Debug)]
pub struct RawServer {
    listening: Listening,
    requests: Arc<Mutex<Vec<RawRequest>>>,
}

impl RawServer {
    /// Starts a server that answers each request with the result of `answer`. The arguments of `answer` are the number
    /// of the request, counted from 0, and the request.
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
            // Close cleanly, so that everything sent arrives.
            stream.get_mut().shutdown().await.ok()?;
            return None;
        }
    }
    None
}
