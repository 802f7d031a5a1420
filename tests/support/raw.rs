//! A server that answers every request with bytes a test gives, head included: for answers that no honest server sends.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};
use url::Url;

use crate::listening::Listening;

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub struct RawRequest {
    /// `GET`, `HEAD`, ...
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// First and last byte of its `Range`; the last where it is stated.
    pub range: Option<(usize, Option<usize>)>,
    /// How many requests came before it over its connection.
    pub nth: usize,
}

/// The answer of a server to a request, and the fate of the connection.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Sent as they are.
    pub bytes: Vec<u8>,
    /// The connection stays open.
    pub keeps: bool,
}

impl Reply {
    /// These bytes, and the end of the connection.
    pub fn closing(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), keeps: false }
    }

    /// These bytes over a connection that stays open.
    pub fn keeping(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), keeps: true }
    }

    /// This head, which ends with its empty line, and this body, and the end of the connection.
    pub fn of(head: &str, body: &[u8]) -> Self {
        Self::closing([head.as_bytes(), body].concat())
    }
}

/// The server. Dropped, it stops.
#[derive(Debug)]
pub struct RawServer {
    listening: Listening,
    requests: Arc<Mutex<Vec<RawRequest>>>,
}

impl RawServer {
    /// Answers each request with what `answer` makes of its number, counted from 0, and of itself.
    pub async fn start(answer: impl Fn(usize, &RawRequest) -> Reply + Send + Sync + 'static) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), requests.clone());
        let listening = Listening::start(move |stream| serve(stream, answer.clone(), seen.clone())).await;
        Self { listening, requests }
    }

    /// The address of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        self.listening.url(path)
    }

    /// Every request that came, in order.
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
            // In order, so that everything that was sent arrives.
            stream.get_mut().shutdown().await.ok()?;
            return None;
        }
    }
    None
}
