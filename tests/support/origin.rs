//! The bad servers: a hand-made HTTP/1.1 origin on loopback that can cut a body anywhere, each vice by its name.
//!
//! ```ignore
//! let origin = Origin::start().await;
//! let file = origin.file("/a.bin", Body::seeded(1, 3 << 20)).gate_at(1 << 20);
//! // ... fetch origin.url("/a.bin") ...
//! file.held().await;                  // the client has been sent exactly 1 MiB and the server holds
//! file.release();                     // go on
//! assert_eq!(file.requests().len(), 1);
//! ```
//!
//! A route is honest unless a vice is named: it has a strong `ETag`, a `Last-Modified`, a `Content-Length`, and answers
//! ranges. What it is (`chunked`, `weak_etag`, `header`, `content`, ...) may be changed at any time, also between two
//! requests. A vice (`reset_after`, `ignore_ranges`, `status`, ...) holds for every request from now on, or with
//! `.times(n)` for the next `n` it applies to; vices are used in the order they were named. Vices about ranges apply to
//! ranged requests only.
//!
//! Offsets: `gate_at` is a position in the *file*; `reset_after`, `stall_after` and `end_after` count the body bytes of
//! one *answer*. Nothing here sleeps, except where a vice is slowness itself.

mod content;
mod serve;

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

pub use content::{Body, content, content_at};
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::watch,
    task::JoinHandle,
};
use url::Url;

/// One origin, `http://127.0.0.1:port`. Dropped, it stops and cuts all its connections.
#[derive(Debug)]
pub struct Origin {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    routes: Mutex<HashMap<String, Route>>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The query without its question mark.
    pub query: Option<String>,
    /// Names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it came.
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Where its `Range: bytes=<start>-` starts.
    pub fn range_start(&self) -> Option<u64> {
        self.header("range")?.strip_prefix("bytes=")?.split('-').next()?.parse().ok()
    }
}

impl Origin {
    /// Listens on a free loopback port.
    pub async fn start() -> Self {
        Self::serve(TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port"))
    }

    /// The same on another address of this machine, such as `::1`.
    pub async fn start_on(address: IpAddr) -> Self {
        Self::serve(TcpListener::bind((address, 0)).await.expect("the address has a free port"))
    }

    /// An address that refuses every connection, until it is opened.
    pub fn closed() -> ClosedOrigin {
        let socket = TcpSocket::new_v4().expect("a socket can be made");
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("loopback has a free port");
        let address = socket.local_addr().expect("a bound socket has an address");
        ClosedOrigin { socket, address }
    }

    fn serve(listener: TcpListener) -> Self {
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared::default());
        let listening = tokio::spawn(serve::listen(listener, shared.clone()));
        Self { address, shared, listening }
    }

    /// The address of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        url_at(self.address, path)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections were taken.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Acquire)
    }

    /// Serves `content` at `path`, in place of what was there.
    pub fn file(&self, path: &str, content: Body) -> Route {
        let route = Route { path: path.to_owned(), origin: self.shared.clone(), state: Arc::new(State::new(content)) };
        lock(&self.shared.routes).insert(path.to_owned(), route.clone());
        route
    }

    /// Answers `status` without a body at `path`.
    pub fn refuses(&self, path: &str, status: u16) -> Route {
        self.file(path, Body::bytes([])).status(status)
    }

    /// Sends `path` on to `location`, with `status`. A `location` of the path itself is a loop.
    pub fn redirects(&self, path: &str, status: u16, location: &str) -> Route {
        self.file(path, Body::bytes([])).redirect(status, location)
    }

    /// A chain of `hops` redirects (302) from `path` to `target`.
    pub fn redirect_chain(&self, path: &str, hops: usize, target: &str) {
        for hop in 0..hops {
            let from = if hop == 0 { path.to_owned() } else { format!("{path}-{hop}") };
            let to = if hop + 1 == hops { target.to_owned() } else { format!("{path}-{}", hop + 1) };
            self.redirects(&from, 302, &to);
        }
    }

    /// Every request that came, to any path, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// A port that is taken and not listened to: whoever connects is refused at once.
#[derive(Debug)]
pub struct ClosedOrigin {
    socket: TcpSocket,
    address: SocketAddr,
}

impl ClosedOrigin {
    /// The address of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        url_at(self.address, path)
    }

    /// Listens from now on.
    pub fn open(self) -> Origin {
        Origin::serve(self.socket.listen(64).expect("a bound socket can listen"))
    }
}

fn url_at(address: SocketAddr, path: &str) -> Url {
    Url::parse(&format!("http://{address}{path}")).expect("a loopback address and a path make a URL")
}

/// What one path serves; every clone is the same route.
#[derive(Clone, Debug)]
pub struct Route {
    path: String,
    origin: Arc<Shared>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    settings: Mutex<Settings>,
    /// Where the body is held, and whether it has been released.
    gate: watch::Sender<Gate>,
    sent: watch::Sender<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    at: Option<u64>,
    held: bool,
}

#[derive(Clone, Debug)]
struct Settings {
    content: Body,
    etag: Option<String>,
    last_modified: Option<String>,
    headers: Vec<(String, Vec<u8>)>,
    framing: Framing,
    vices: Vec<(Vice, Option<u32>)>,
    answer_status: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    Length,
    Chunked,
    UntilClose,
    Http10UntilClose,
}

#[derive(Clone, Debug)]
enum Vice {
    ResetAfter(u64),
    StallAfter(u64),
    EndAfter(u64),
    Trickle(usize, Duration),
    ClaimLength(u64),
    HangBeforeHead,
    CloseBeforeHead,
    IgnoreRange,
    ShiftRange(i64),
    ShortenRange(u64),
    UnstatedRange,
    ClaimTotal(String),
    EncodeRange(String),
    RefuseRange(Option<String>),
    PartUnasked(u64),
    Status(u16),
    Redirect(u16, String),
    ResetUploadAfter(u64),
    AnswerBeforeUpload(u16),
}

impl Vice {
    fn concerns_ranges(&self) -> bool {
        matches!(
            self,
            Self::IgnoreRange
                | Self::ShiftRange(_)
                | Self::ShortenRange(_)
                | Self::UnstatedRange
                | Self::ClaimTotal(_)
                | Self::EncodeRange(_)
                | Self::RefuseRange(_)
        )
    }
}

impl State {
    fn new(content: Body) -> Self {
        let settings = Settings {
            etag: Some(format!("\"{}\"", tag_of(&content))),
            content,
            last_modified: Some("Wed, 21 Oct 2015 07:28:00 GMT".to_owned()),
            headers: Vec::new(),
            framing: Framing::Length,
            vices: Vec::new(),
            answer_status: 200,
        };
        Self {
            settings: Mutex::new(settings),
            gate: watch::Sender::new(Gate::default()),
            sent: watch::Sender::new(0),
        }
    }
}

/// What a route is.
impl Route {
    /// New content with its own new `ETag`: the file was replaced.
    pub fn content(self, content: Body) -> Self {
        self.change(|settings| {
            settings.etag = Some(format!("\"{}\"", tag_of(&content)));
            settings.content = content;
        })
    }

    /// New content under the old validators: the server lies.
    pub fn content_with_same_validators(self, content: Body) -> Self {
        self.change(|settings| settings.content = content)
    }

    /// This `ETag`, as written (with its quotes, and `W/` where it is weak).
    pub fn etag(self, etag: &str) -> Self {
        self.change(|settings| settings.etag = Some(etag.to_owned()))
    }

    /// A weak `ETag` in place of the strong one.
    pub fn weak_etag(self) -> Self {
        self.change(|settings| settings.etag = Some("W/\"weak\"".to_owned()))
    }

    /// No `ETag`.
    pub fn no_etag(self) -> Self {
        self.change(|settings| settings.etag = None)
    }

    /// This `Last-Modified`, as written.
    pub fn last_modified(self, date: &str) -> Self {
        self.change(|settings| settings.last_modified = Some(date.to_owned()))
    }

    /// Neither `ETag` nor `Last-Modified`.
    pub fn no_validators(self) -> Self {
        self.change(|settings| (settings.etag, settings.last_modified) = (None, None))
    }

    /// One more header on every answer. The value goes out as it is, bytes and all.
    pub fn header(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.change(|settings| settings.headers.push((name.to_owned(), value.as_ref().to_vec())))
    }

    /// The body in chunks, without a length.
    pub fn chunked(self) -> Self {
        self.change(|settings| settings.framing = Framing::Chunked)
    }

    /// The body until the connection closes, without a length.
    pub fn until_close(self) -> Self {
        self.change(|settings| settings.framing = Framing::UntilClose)
    }

    /// The same, spoken by an HTTP/1.0 server.
    pub fn http10(self) -> Self {
        self.change(|settings| settings.framing = Framing::Http10UntilClose)
    }

    /// The status of good answers, such as 201 to an upload or 204.
    pub fn answers_with(self, status: u16) -> Self {
        self.change(|settings| settings.answer_status = status)
    }

    /// Forgets every vice named so far.
    pub fn honest(self) -> Self {
        self.change(|settings| settings.vices.clear())
    }

    fn change(self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut lock(&self.state.settings));
        self
    }
}

/// What is wrong with it.
impl Route {
    /// The vice named last holds only for the next `count` requests it applies to.
    pub fn times(self, count: u32) -> Self {
        self.change(|settings| {
            if let Some(last) = settings.vices.last_mut() {
                last.1 = Some(count);
            }
        })
    }

    /// Resets the connection after `count` body bytes of the answer.
    pub fn reset_after(self, count: u64) -> Self {
        self.vice(Vice::ResetAfter(count))
    }

    /// Sends nothing more after `count` body bytes of the answer, and keeps the connection.
    pub fn stall_after(self, count: u64) -> Self {
        self.vice(Vice::StallAfter(count))
    }

    /// Closes the connection in order after `count` body bytes of the answer: shorter than declared.
    pub fn end_after(self, count: u64) -> Self {
        self.vice(Vice::EndAfter(count))
    }

    /// `count` bytes, a pause of `every`, and so on.
    pub fn trickle(self, count: usize, every: Duration) -> Self {
        self.vice(Vice::Trickle(count, every))
    }

    /// Declares `length` whatever it sends: too little, or absurdly much.
    pub fn claim_length(self, length: u64) -> Self {
        self.vice(Vice::ClaimLength(length))
    }

    /// Takes the request and never answers.
    pub fn hang(self) -> Self {
        self.vice(Vice::HangBeforeHead)
    }

    /// Takes the request and closes the connection.
    pub fn close_before_head(self) -> Self {
        self.vice(Vice::CloseBeforeHead)
    }

    /// 200 and the whole file to a range.
    pub fn ignore_ranges(self) -> Self {
        self.vice(Vice::IgnoreRange)
    }

    /// 206 from elsewhere than asked, and says so.
    pub fn shift_ranges(self, by: i64) -> Self {
        self.vice(Vice::ShiftRange(by))
    }

    /// 206 with at most `count` bytes.
    pub fn shorten_ranges(self, count: u64) -> Self {
        self.vice(Vice::ShortenRange(count))
    }

    /// 206 without `Content-Range`.
    pub fn unstated_ranges(self) -> Self {
        self.vice(Vice::UnstatedRange)
    }

    /// 206 with this complete length in its `Content-Range`: a number, `*`, or junk.
    pub fn claim_total(self, total: &str) -> Self {
        self.vice(Vice::ClaimTotal(total.to_owned()))
    }

    /// 206 that says it is encoded.
    pub fn encode_ranges(self, coding: &str) -> Self {
        self.vice(Vice::EncodeRange(coding.to_owned()))
    }

    /// 416 to a range, with this `Content-Range` (such as `bytes */1000`) or none.
    pub fn refuse_ranges(self, content_range: Option<&str>) -> Self {
        self.vice(Vice::RefuseRange(content_range.map(str::to_owned)))
    }

    /// 206 with the first `count` bytes to a request that asked for no range.
    pub fn part_unasked(self, count: u64) -> Self {
        self.vice(Vice::PartUnasked(count))
    }

    /// This status and a small error page. Add `Retry-After` with `header`.
    pub fn status(self, status: u16) -> Self {
        self.vice(Vice::Status(status))
    }

    /// This redirect.
    pub fn redirect(self, status: u16, location: &str) -> Self {
        self.vice(Vice::Redirect(status, location.to_owned()))
    }

    /// Resets the connection after `count` bytes of an upload were read.
    pub fn reset_upload_after(self, count: u64) -> Self {
        self.vice(Vice::ResetUploadAfter(count))
    }

    /// Answers an upload with `status` before reading its body.
    pub fn answer_before_upload(self, status: u16) -> Self {
        self.vice(Vice::AnswerBeforeUpload(status))
    }

    fn vice(self, vice: Vice) -> Self {
        self.change(|settings| settings.vices.push((vice, None)))
    }
}

/// The gate: the body stops at an exact byte until the test says so.
impl Route {
    /// Holds every body at `offset` of the file until [`Self::release`].
    pub fn gate_at(self, offset: u64) -> Self {
        self.state.gate.send_replace(Gate { at: Some(offset), held: false });
        self
    }

    /// Waits until a body is held at the gate. Panics after 20 seconds.
    pub async fn held(&self) {
        let mut gate = self.state.gate.subscribe();
        let held = gate.wait_for(|gate| gate.held);
        let held = tokio::time::timeout(Duration::from_secs(20), held).await;
        held.expect("the body came to the gate").expect("it lives");
    }

    /// Opens the gate for good.
    pub fn release(&self) {
        self.state.gate.send_replace(Gate::default());
    }
}

/// What it has seen.
impl Route {
    /// The requests to this path, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.origin.requests).iter().filter(|request| request.path == self.path).cloned().collect()
    }

    /// Body bytes handed to the network for this path, over all requests.
    pub fn bytes_sent(&self) -> u64 {
        *self.state.sent.borrow()
    }

    /// Waits until `count` body bytes were handed to the network. Panics after 20 seconds.
    pub async fn sent(&self, count: u64) {
        let mut sent = self.state.sent.subscribe();
        let enough = sent.wait_for(|sent| *sent >= count);
        tokio::time::timeout(Duration::from_secs(20), enough).await.expect("as much was sent").expect("it lives");
    }
}

fn tag_of(content: &Body) -> String {
    match content {
        Body::Seeded { seed, length } => format!("{seed}-{length}"),
        Body::Bytes(bytes) => {
            let sum = bytes.iter().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
            format!("{sum:x}-{}", bytes.len())
        }
    }
}

/// A test that panicked while holding the lock has already failed; the others go on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
