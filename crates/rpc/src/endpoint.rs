//! Serves calls on the socket: every line is one call of the engine.
//!
//! The endpoint makes no decisions, and no input makes it fail.
//!
//! - `conversation` carries out the messages of a connection; use several connections for simultaneous calls.
//! - Lines for a slow reader wait in a short queue. When that queue is full, the reader loses events and receives
//!   `Lagged`.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_sync::service::SyncService;
use rustix::process::geteuid;
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
use tracing::{debug, warn};

use crate::{
    conversation::PeerConversation,
    framing::{self, FramedLine, LineFramer},
    message::{self, MalformedMessage},
    socket_path,
};

/// Limits of one endpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndpointLimits {
    /// Maximum size of a message in bytes: a registration with 100,000 links must fit.
    pub message: usize,
    /// Maximum number of simultaneous connections.
    pub connections: usize,
    /// Maximum number of lines that wait for one peer.
    pub waiting: usize,
}

pub(crate) const LIMITS: EndpointLimits = EndpointLimits { message: 64 * 1024 * 1024, connections: 64, waiting: 32 };

/// Maximum time to send pending answers after [`SocketEndpoint::stop`].
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves an engine on the socket of its data folder, until [`SocketEndpoint::stop`].
#[derive(Debug)]
pub struct SocketEndpoint {
    path: PathBuf,
    data_dir: PathBuf,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl SocketEndpoint {
    /// Opens the socket of the folder `data_dir`. The engine must hold the lock of this folder. An existing socket file
    /// is left over from a dead process and is replaced.
    ///
    /// Fails if no private folder for a socket can be created.
    pub fn serve(sync: SyncService, data_dir: &Path) -> io::Result<Self> {
        for path in socket_path::sockets(data_dir)? {
            match Self::serve_at(sync.clone(), data_dir, path.clone(), LIMITS) {
                Ok(endpoint) => return Ok(endpoint),
                Err(error) => debug!(path = %path.display(), %error, "socket could not be opened here; trying the next path"),
            }
        }
        Self::serve_at(sync, data_dir, socket_path::random(data_dir)?, LIMITS)
    }

    /// Serves the engine on the socket `path`, and makes the folder of the socket private.
    pub(crate) fn serve_at(
        sync: impl Into<SyncService>,
        data_dir: &Path,
        path: PathBuf,
        limits: EndpointLimits,
    ) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            socket_path::make_private(folder)?;
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(socket_path::SocketAddress::for_path(&path)?.path())?;
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(accept(listener, sync.into(), limits, stopped));
        debug!(path = %path.display(), "socket is open");
        Ok(Self { path, data_dir: data_dir.to_owned(), stop, task })
    }

    /// Returns the path of the socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the socket, lets pending answers finish, and closes every connection.
    ///
    /// Call this function while the engine still holds its folder: as soon as the folder is free, the next program may
    /// open a socket of the same name.
    pub async fn stop(self) {
        if let Err(error) = fs::remove_file(&self.path) {
            debug!(%error, "socket file could not be removed");
        }
        socket_path::discard_random(&self.data_dir, &self.path);
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            warn!(%error, "socket accept task failed");
        }
    }
}

async fn accept(listener: UnixListener, sync: SyncService, limits: EndpointLimits, mut stopped: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    warn!(%error, "connection could not be accepted; will retry");
                    // The usual cause is a lack of file descriptors. Accepting again immediately would only waste
                    // processor time.
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
                warn!(uid = peer.uid(), "connection from another user refused");
                continue;
            }
            Err(error) => {
                warn!(%error, "connection without known peer credentials refused");
                continue;
            }
        }
        match places.clone().try_acquire_owned() {
            Ok(place) => {
                let connection = converse(stream, sync.clone(), limits, stopped.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
            Err(_) => {
                warn!(connections = limits.connections, "connection limit reached; new connection refused");
                turn_away(stream, MalformedMessage::busy(limits.connections));
            }
        }
    }
    drop(listener);
    let finished = timeout(PATIENCE, async { while connections.join_next().await.is_some() {} }).await;
    if finished.is_err() {
        debug!("connections did not close in time; aborted");
        connections.shutdown().await;
    }
}

/// Waits until serving is stopped.
async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    // An error means that the endpoint was dropped, which stops serving too.
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// Sends the reason for the refusal, but does not wait for the peer. An answer that does not fit into the socket's
/// buffer is dropped.
fn turn_away(stream: UnixStream, why: MalformedMessage) {
    if let Ok(mut line) = message::misshapen(why) {
        line.push(b'\n');
        if let Err(error) = stream.try_write(&line) {
            debug!(%error, "reason for the refusal could not be sent");
        }
    }
}

/// Serves one connection until it ends.
async fn converse(stream: UnixStream, sync: SyncService, limits: EndpointLimits, stopped: watch::Receiver<bool>) {
    let (reader, writer) = stream.into_split();
    let (out, lines) = mpsc::channel(limits.waiting);
    let speaking = tokio::spawn(speak(writer, lines));
    let mut conversation = PeerConversation::new(sync, out);
    if let Err(error) = listen(reader, limits, stopped, &mut conversation).await {
        debug!(%error, "connection failed");
    }
    conversation.end().await;
    if let Err(error) = speaking.await {
        debug!(%error, "connection writer task failed");
    }
}

/// Writes lines in order, until all senders are dropped or the peer stops reading.
async fn speak(mut writer: OwnedWriteHalf, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if let Err(error) = framing::write(&mut writer, &line).await {
            debug!(%error, "write to a connection failed");
            return;
        }
    }
}

/// Reads lines and carries them out, until the peer closes, serving is stopped, or a line is too long.
async fn listen(
    reader: OwnedReadHalf,
    limits: EndpointLimits,
    mut stopped: watch::Receiver<bool>,
    conversation: &mut PeerConversation,
) -> io::Result<()> {
    let mut lines = LineFramer::new(BufReader::new(reader), limits.message);
    loop {
        let line = tokio::select! {
            line = lines.next() => line?,
            () = until_stopped(&mut stopped) => return Ok(()),
            () = conversation.closed() => return Ok(()),
        };
        let message = match line {
            FramedLine::End => return Ok(()),
            FramedLine::TooLong => return conversation.refuse_too_long(limits.message).await,
            FramedLine::Whole => conversation.understand(lines.text()).await?,
        };
        // Free the line: for a large registration, it takes as much memory as the parsed call.
        lines.forget();
        if let Some(message) = message {
            conversation.carry_out(message).await?;
        }
    }
}
