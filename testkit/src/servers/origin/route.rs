//! Resource of one path: its content, validators, framing, gate, and received requests.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::sync::watch;

use super::{
    Body,
    request::{Request, Requests, lock},
    vice::Vice,
};

/// Resource at one path. All clones share one state.
#[derive(Clone, Debug)]
pub struct Route {
    path: String,
    requests: Requests,
    pub(super) state: Arc<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub settings: Mutex<Settings>,
    /// Position at which the gate stops answers, and the number of stopped answers.
    pub gate: watch::Sender<Gate>,
    pub sent: watch::Sender<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gate {
    pub at: Option<Spot>,
    /// Number of answers that are stopped at the gate now.
    pub held: u32,
}

/// Position at which the gate can stop an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Before the first byte of the answer.
    Head,
    /// Before the byte at this offset of the file.
    Byte(u64),
}

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub content: Body,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub headers: Vec<(String, Vec<u8>)>,
    pub framing: Framing,
    /// Faults in the order of their addition, each with the number of requests to which it will still apply.
    pub vices: Vec<(Vice, Option<u32>)>,
    pub served: u32,
    pub answer_status: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    Length,
    Chunked,
    UntilClose,
    Http10UntilClose,
}

impl State {
    /// Returns a route without faults and with a strong `ETag`.
    pub fn new(content: Body) -> Self {
        let settings = Settings {
            etag: Some(format!("\"{}\"", tag_of(&content))),
            content,
            last_modified: Some("Wed, 21 Oct 2015 07:28:00 GMT".to_owned()),
            headers: Vec::new(),
            framing: Framing::Length,
            vices: Vec::new(),
            served: 0,
            answer_status: 200,
        };
        Self { settings: Mutex::new(settings), gate: watch::Sender::new(Gate::default()), sent: watch::Sender::new(0) }
    }
}

/// Functions that set the properties of a route.
impl Route {
    pub(super) fn new(path: &str, requests: Requests, state: Arc<State>) -> Self {
        Self { path: path.to_owned(), requests, state }
    }

    /// Replaces the content and its `ETag`, as if the file had been replaced.
    pub fn content(self, content: Body) -> Self {
        self.change(|settings| {
            settings.etag = Some(format!("\"{}\"", tag_of(&content)));
            settings.content = content;
        })
    }

    /// Replaces the content but keeps the validators, which are then wrong.
    pub fn content_with_same_validators(self, content: Body) -> Self {
        self.change(|settings| settings.content = content)
    }

    /// Sets the `ETag` field to exactly this text (with its quotes, and `W/` if it is weak).
    pub fn etag(self, etag: &str) -> Self {
        self.change(|settings| settings.etag = Some(etag.to_owned()))
    }

    /// Replaces the strong `ETag` by a weak one.
    pub fn weak_etag(self) -> Self {
        self.change(|settings| settings.etag = Some("W/\"weak\"".to_owned()))
    }

    /// Removes the `ETag`.
    pub fn no_etag(self) -> Self {
        self.change(|settings| settings.etag = None)
    }

    /// Sets the `Last-Modified` field to exactly this text.
    pub fn last_modified(self, date: &str) -> Self {
        self.change(|settings| settings.last_modified = Some(date.to_owned()))
    }

    /// Removes `ETag` and `Last-Modified`.
    pub fn no_validators(self) -> Self {
        self.change(|settings| (settings.etag, settings.last_modified) = (None, None))
    }

    /// Adds a header field to every answer. The value may contain any bytes.
    pub fn header(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.change(|settings| settings.headers.push((name.to_owned(), value.as_ref().to_vec())))
    }

    /// Sends the body in chunks, without a length.
    pub fn chunked(self) -> Self {
        self.change(|settings| settings.framing = Framing::Chunked)
    }

    /// Sends the body without a length. The closed connection marks its end.
    pub fn until_close(self) -> Self {
        self.change(|settings| settings.framing = Framing::UntilClose)
    }

    /// Sends the body as an HTTP/1.0 server does. The closed connection marks its end.
    pub fn http10(self) -> Self {
        self.change(|settings| settings.framing = Framing::Http10UntilClose)
    }

    /// Sets the status of each answer that sends the whole content. The default is 200.
    ///
    /// An upload, for example, may be answered with 201 or 204. Faults can replace the status.
    pub fn answers_with(self, status: u16) -> Self {
        self.change(|settings| settings.answer_status = status)
    }

    /// Removes all faults from the route.
    pub fn honest(self) -> Self {
        self.change(|settings| settings.vices.clear())
    }

    pub(super) fn change(self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut lock(&self.state.settings));
        self
    }
}

/// Gate functions: answers stop at an exact position until the test releases them.
impl Route {
    /// Holds every body at `offset` of the file until [`Self::release`].
    pub fn gate_at(self, offset: u64) -> Self {
        self.state.gate.send_replace(Gate { at: Some(Spot::Byte(offset)), held: 0 });
        self
    }

    /// Holds every answer, head and body, until [`Self::release`].
    pub fn gate_answer(self) -> Self {
        self.state.gate.send_replace(Gate { at: Some(Spot::Head), held: 0 });
        self
    }

    /// Waits until an answer is held at the gate; panics after 20 seconds.
    pub async fn held(&self) {
        let mut gate = self.state.gate.subscribe();
        let held = gate.wait_for(|gate| gate.held > 0);
        let held = tokio::time::timeout(Duration::from_secs(20), held).await;
        held.expect("the answer reached the gate in time").expect("it lives");
    }

    /// Waits until all clients with a stopped answer have disconnected. A later release then affects only new clients.
    /// Panics after 20 seconds.
    pub async fn left(&self) {
        let mut gate = self.state.gate.subscribe();
        let left = gate.wait_for(|gate| gate.held == 0);
        let left = tokio::time::timeout(Duration::from_secs(20), left).await;
        left.expect("the client went away").expect("it lives");
    }

    /// Opens the gate permanently.
    pub fn release(&self) {
        self.state.gate.send_replace(Gate::default());
    }
}

/// Functions that report received requests and sent bytes.
impl Route {
    /// Returns the requests to this path, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.requests).iter().filter(|request| request.path == self.path).cloned().collect()
    }

    /// Returns the number of body bytes that were written for this path, over all requests.
    pub fn bytes_sent(&self) -> u64 {
        *self.state.sent.borrow()
    }

    /// Waits until `count` body bytes have been written; panics after 20 seconds.
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
