//! Answers on the socket: every line is one call of the engine. Decides nothing, and survives whatever is sent.
//!
//! On one connection calls are carried out one after the other; whoever wants them side by side opens another one.
//! What a slow reader has not taken waits here in a short queue, and behind that it loses events and is told so.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::{Engine, EngineError};
use rustix::process::geteuid;
use serde_json::Value;
use tokio::{
    io::BufReader,
    net::{
        UnixListener, UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::{Semaphore, mpsc, watch},
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};
use tracing::{debug, error, info, warn};

use crate::{
    event_feed::EventFeed,
    framing::{self, FramedLine, LineFramer},
    message::{self, IncomingLine, MalformedMessage, RpcRequest},
    session::ClientSession,
    socket_path,
};

/// How much one peer may ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndpointLimits {
    /// Bytes of one message: a set of 100,000 links must fit.
    pub message: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Lines that wait for a peer to read them.
    pub waiting: usize,
}

pub(crate) const LIMITS: EndpointLimits = EndpointLimits { message: 64 * 1024 * 1024, connections: 64, waiting: 32 };

/// How long an answer that is under way may still take when serving stops.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves an engine on the socket of its data folder, until [`Endpoint::stop`].
#[derive(Debug)]
pub struct SocketEndpoint {
    path: PathBuf,
    data_dir: PathBuf,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl SocketEndpoint {
    /// Opens the socket that belongs to `data_dir`, whose lock `engine` holds: a socket file that is there is a dead
    /// one's and is replaced.
    ///
    /// Fails where no private folder for a socket can be made.
    pub fn serve(engine: Engine, data_dir: &Path) -> io::Result<Self> {
        for path in socket_path::sockets(data_dir)? {
            match Self::serve_at(engine.clone(), data_dir, path.clone(), LIMITS) {
                Ok(endpoint) => return Ok(endpoint),
                Err(error) => debug!(path = %path.display(), %error, "no socket can be opened here"),
            }
        }
        Self::serve_at(engine, data_dir, socket_path::random(data_dir)?, LIMITS)
    }

    /// Serves on the socket `path`; its folder is made private.
    pub(crate) fn serve_at(engine: Engine, data_dir: &Path, path: PathBuf, limits: EndpointLimits) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            socket_path::make_private(folder)?;
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(socket_path::SocketAddress::for_path(&path)?.path())?;
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(accept(listener, engine, limits, stopped));
        debug!(path = %path.display(), "the socket is open");
        Ok(Self { path, data_dir: data_dir.to_owned(), stop, task })
    }

    /// Where the socket is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the socket away, lets answers that are under way finish, and closes every connection. To be called while
    /// the engine still holds its folder: the next holder may open a socket of the same name right after.
    pub async fn stop(self) {
        if let Err(error) = fs::remove_file(&self.path) {
            debug!(%error, "the socket file was gone already");
        }
        socket_path::discard_random(&self.data_dir, &self.path);
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            warn!(%error, "serving the socket ended badly");
        }
    }
}

async fn accept(listener: UnixListener, engine: Engine, limits: EndpointLimits, mut stopped: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    warn!(%error, "no connection could be accepted");
                    // Out of file descriptors, most likely: accepting at once again would only spin.
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            () = until_stopped(&mut stopped) => break,
        };
        while connections.try_join_next().is_some() {}
        match stream.peer_cred() {
            Ok(peer) if peer.uid() == geteuid().as_raw() => {}
            Ok(peer) => {
                warn!(uid = peer.uid(), "somebody else's program was turned away");
                continue;
            }
            Err(error) => {
                warn!(%error, "a program that cannot be told apart was turned away");
                continue;
            }
        }
        match places.clone().try_acquire_owned() {
            Ok(place) => {
                let connection = converse(stream, engine.clone(), limits, stopped.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(_) => {
                warn!(connections = limits.connections, "a connection too many was turned away");
                turn_away(stream, MalformedMessage::busy(limits.connections));
            }
        }
    }
    drop(listener);
    let finished = timeout(PATIENCE, async { while connections.join_next().await.is_some() {} }).await;
    if finished.is_err() {
        debug!("some connections did not end by themselves");
        connections.shutdown().await;
    }
}

/// Ends when serving stops.
async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    // An error means that the endpoint was dropped, which stops it just the same.
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// Says why without waiting: the answer fits into the socket's own buffer, or is dropped.
fn turn_away(stream: UnixStream, why: MalformedMessage) {
    if let Ok(mut line) = message::misshapen(why) {
        line.push(b'\n');
        if let Err(error) = stream.try_write(&line) {
            debug!(%error, "it did not hear why");
        }
    }
}

/// One connection from its first line to its last.
async fn converse(stream: UnixStream, engine: Engine, limits: EndpointLimits, stopped: watch::Receiver<bool>) {
    let (reader, writer) = stream.into_split();
    let (out, lines) = mpsc::channel(limits.waiting);
    let mut speaker = JoinSet::new();
    let speaking = tokio::spawn(speak(writer, lines));
    let ended = listen(reader, &engine, limits, stopped, &out, &mut speaker).await;
    if let Err(error) = ended {
        debug!(%error, "a connection broke");
    }
    // Events stop first, so that the last answer is also the last line.
    speaker.shutdown().await;
    drop(out);
    if let Err(error) = speaking.await {
        debug!(%error, "writing to a connection ended badly");
    }
}

/// Writes what is handed to it, in that order, until nobody hands anything or nobody reads.
async fn speak(mut writer: OwnedWriteHalf, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if let Err(error) = framing::write(&mut writer, &line).await {
            debug!(%error, "a connection takes no more answers");
            return;
        }
    }
}

/// Reads lines and carries them out, until the other side closes, serving stops, or a line is too long.
async fn listen(
    reader: OwnedReadHalf,
    engine: &Engine,
    limits: EndpointLimits,
    mut stopped: watch::Receiver<bool>,
    out: &mpsc::Sender<Vec<u8>>,
    subscription: &mut JoinSet<()>,
) -> io::Result<()> {
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    let mut lines = LineFramer::new(BufReader::new(reader), limits.message);
    let session = ClientSession::new(engine.clone());
    loop {
        let line = tokio::select! {
            line = lines.next() => line?,
            () = until_stopped(&mut stopped) => return Ok(()),
            () = out.closed() => return Ok(()),
        };
        let parsed = match line {
            FramedLine::End => return Ok(()),
            FramedLine::TooLong => Err(MalformedMessage::too_long(limits.message)),
            FramedLine::Whole => message::parse(lines.text()),
        };
        let request = match parsed {
            Ok(request) => request,
            Err(misshapen) => {
                let MalformedMessage { code, trouble, .. } = &misshapen;
                // A person sees it without asking for more: the program that sent it does not do what it was made for.
                error!(code, trouble.text, "a message on the socket does not fit its schema, and was refused");
                out.send(message::misshapen(misshapen)?).await.map_err(gone)?;
                if line == FramedLine::TooLong {
                    return Ok(());
                }
                continue;
            }
        };
        // The line of a large set is not kept beside the set itself.
        lines.forget();
        let RpcRequest { id, asked } = request;
        let mut feed = None;
        let answer = match asked {
            IncomingLine::Greet(greeting) => session.greet(greeting),
            // Listening begins before the answer: nothing that happens after it is missed.
            IncomingLine::Subscribe(wanted) => session.subscribe(wanted).await.map(|opened| {
                feed = Some(opened);
                Value::Null
            }),
            IncomingLine::Call(call) => session.call(*call).await,
        };
        if let Err(error) = &answer {
            info!(code = error.code(), %error, "refused");
        }
        if let Some(id) = id {
            out.send(write_answer(&id, &answer)?).await.map_err(gone)?;
        }
        if let Some(feed) = feed
            && subscription.is_empty()
        {
            subscription.spawn(forward_events(feed, out.clone()));
        }
    }
}

fn write_answer(id: &Value, answer: &Result<Value, EngineError>) -> Result<Vec<u8>, serde_json::Error> {
    match answer {
        Ok(value) => message::result(id, value),
        Err(error) => message::refusal(id, error),
    }
}

/// Passes events on as fast as they are read. A reader who is slower than what happens is told `Lagged` by the engine's
/// own queue, which is the same for everybody and does not grow.
async fn forward_events(mut events: EventFeed, out: mpsc::Sender<Vec<u8>>) {
    while let Some(event) = events.next().await {
        match message::notification(&event) {
            Ok(line) => {
                if out.send(line).await.is_err() {
                    return;
                }
            }
            Err(error) => warn!(%error, "an event could not be written as JSON"),
        }
    }
}
