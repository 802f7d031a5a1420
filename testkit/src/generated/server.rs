//! Server of one kind on its own loopback address.
//!
//! Because of the separate address, clients do not treat two servers as one host. A server may first behave well and
//! hold the body at a gate; after `turn`, the server follows its kind.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};
use url::Url;

use super::{
    kind::Kind,
    reply::{After, Reply, ReplyRequest, Versions, reply},
};

/// Maximum size of a head in bytes; no client sends more.
const LONGEST_HEAD: usize = 64 << 10;

/// Server of one kind; stops when dropped.
pub(super) struct Server {
    pub kind: Kind,
    pub versions: Versions,
    url: Url,
    state: Arc<State>,
    _task: JoinSet<()>,
}

struct State {
    kind: Kind,
    versions: Versions,
    /// Bytes of the file sent while the server behaves well; `None` when it follows its kind.
    gate: watch::Sender<Option<usize>>,
    has_been_honest: bool,
    /// Number of requests since the server began to follow its kind.
    requests: AtomicU32,
    answering: AtomicU32,
    told: Mutex<Vec<String>>,
}

impl Server {
    /// Starts a server on the loopback address number `number`. With a gate, the server behaves well until
    /// [`Self::turn`].
    pub async fn start(number: u32, kind: Kind, versions: Versions, gate: Option<usize>) -> io::Result<Self> {
        let [_, high, middle, low] = number.to_be_bytes();
        // All of 127.0.0.0/8 is loopback; addresses ending in .0 and .255 are avoided.
        let address = std::net::Ipv4Addr::new(127, high.saturating_add(1), middle, low.clamp(1, 254));
        let listener = TcpListener::bind((address, 0)).await?;
        let url = Url::parse(&format!("http://{}/file.bin", listener.local_addr()?)).map_err(io::Error::other)?;
        let state = Arc::new(State {
            kind,
            versions: versions.clone(),
            gate: watch::Sender::new(gate),
            has_been_honest: gate.is_some(),
            requests: AtomicU32::new(0),
            answering: AtomicU32::new(0),
            told: Mutex::default(),
        });
        let mut task = JoinSet::new();
        task.spawn(listen(listener, Arc::clone(&state)));
        Ok(Self { kind, versions, url, state, _task: task })
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Makes the server follow its kind from now on.
    pub fn turn(&self) {
        self.state.gate.send_replace(None);
    }

    /// Returns every request since the server began to follow its kind, for the readers of a finding.
    pub fn requests(&self) -> Vec<String> {
        self.state.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn listen(listener: TcpListener, state: Arc<State>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    let state = Arc::clone(&state);
                    connections.spawn(async move {
                        // Clients may disconnect at any moment.
                        let _ = serve(stream, &state).await;
                    });
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let mut is_reused = false;
    while let Some(head) = read_head(&mut stream).await? {
        let gate = *state.gate.borrow();
        if let Some(gate) = gate {
            honest(&mut stream, state, &head, gate).await?;
            return Ok(());
        }
        let number = state.requests.fetch_add(1, Ordering::AcqRel);
        let is_beside_another = state.answering.fetch_add(1, Ordering::AcqRel) > 0;
        let asked = ReplyRequest {
            number,
            is_reused,
            is_beside_another,
            is_after_change: state.has_been_honest || number >= 1,
            ..asked(&head)
        };
        state.told.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{asked:?}"));
        let Reply { bytes, after } = reply(state.kind, &state.versions, asked);
        let written = stream.write_all(&bytes).await;
        state.answering.fetch_sub(1, Ordering::AcqRel);
        written?;
        match after {
            After::Keep => is_reused = true,
            After::Close => return end(stream).await,
            After::Reset => return stream.get_ref().set_zero_linger(),
        }
    }
    Ok(())
}

/// Closes the connection cleanly. Reads all pending input first, because the system resets a connection with unread
/// bytes.
async fn end(mut stream: BufReader<TcpStream>) -> io::Result<()> {
    stream.get_mut().shutdown().await?;
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Answers like a well-behaved server, up to byte `gate` of the file.
async fn honest(stream: &mut BufReader<TcpStream>, state: &State, head: &str, gate: usize) -> io::Result<()> {
    let kind = Kind { validators: state.kind.validators, ..Kind::USUAL };
    let asked = asked(head);
    let first = asked.range.map_or(0, |(first, _)| usize::try_from(first).unwrap_or(usize::MAX));
    let Reply { bytes, .. } = reply(kind, &state.versions, asked);
    let body = bytes.windows(4).position(|window| window == b"\r\n\r\n").map_or(bytes.len(), |end| end + 4);
    let until = bytes.len().min(body + gate.saturating_sub(first));
    stream.write_all(&bytes[..until]).await?;
    let mut turned = state.gate.subscribe();
    let mut byte = [0; 1];
    tokio::select! {
        // The wait ends when the client disconnects or the server starts to follow its kind.
        _ = turned.wait_for(Option::is_none) => {}
        _ = stream.read(&mut byte) => {}
    }
    stream.get_ref().set_zero_linger()
}

async fn read_head(stream: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut head = String::new();
    loop {
        let read = stream.read_line(&mut head).await?;
        if read == 0 || head.len() > LONGEST_HEAD {
            return Ok(None);
        }
        if head.ends_with("\r\n\r\n") {
            return Ok(Some(head));
        }
    }
}

fn asked(head: &str) -> ReplyRequest {
    let field = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
    let range = field.and_then(|value| {
        let (first, last) = value.split_once('-')?;
        Some((first.parse().ok()?, last.trim().parse().ok()))
    });
    ReplyRequest { range, is_head: head.starts_with("HEAD "), ..ReplyRequest::default() }
}
