//! Client for the program that holds the data folder.
//!
//! Keeps a few connections open and uses each for one call at a time. A cancelled call drops the connection, so that a
//! late answer never reaches the next call.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_engine::EngineEvent;
use ashore_messages::message;
use rustix::process::geteuid;
use serde::de::DeserializeOwned;
use tokio::{io::BufReader, net::UnixStream, sync::Semaphore, time::timeout};
use tracing::debug;

use crate::{
    call_error::CallFailure,
    endpoint::LIMITS,
    framing::{self, FramedLine, LineFramer},
    message,
    methods::MethodCall,
    owner_scope, socket_path,
};

/// Maximum number of simultaneous calls; further calls wait.
const SIDE_BY_SIDE: usize = 8;

/// Maximum size of an answer in bytes. Answers may be longer than calls.
const LONGEST_ANSWER: usize = 256 * 1024 * 1024;

/// Maximum time for the program that holds the folder to answer a greeting. The answer does not depend on the engine,
/// so only a suspended program takes longer. The system accepts connections and data for a suspended program, so
/// without this limit the client would wait forever.
const PATIENCE: Duration = Duration::from_secs(10);

/// Client of the engine in another program. Cheap to clone; all clones share it.
#[derive(Clone, Debug)]
pub struct SocketClient {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// Owner that every connection acts for; `None` for the user.
    acts_for: Option<String>,
    idle: Mutex<Vec<Wire>>,
    turns: Semaphore,
}

#[derive(Debug)]
struct Wire {
    lines: LineFramer<BufReader<UnixStream>>,
    asked: u64,
}

impl SocketClient {
    /// Connects to the program that holds `data_dir`.
    ///
    /// Fails with the system's error if no program listens, or if the listening program belongs to another user. Fails
    /// with `TimedOut` if a program listens but does not answer.
    pub async fn connect(data_dir: &Path) -> io::Result<Self> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for path in socket_path::sockets(data_dir)? {
            let wire = match Wire::open(&path).await {
                Ok(wire) => wire,
                Err(error) => {
                    last = error;
                    continue;
                }
            };
            return Self::over(path, None).begin(wire).await;
        }
        Err(last)
    }

    /// Returns a client that acts for `owner` only, connected to the same engine.
    ///
    /// Fails with `Refused` if this client already acts for another owner. The first call fails if the engine does not
    /// accept the name.
    pub fn acting_for(&self, owner: &str) -> Result<Self, CallFailure> {
        match &self.inner.acts_for {
            Some(acts_for) => owner_scope::same(owner, acts_for).map(|()| self.clone()).map_err(CallFailure::from),
            None => Ok(Self::over(self.inner.path.clone(), Some(owner.to_owned()))),
        }
    }

    fn over(path: PathBuf, acts_for: Option<String>) -> Self {
        Self { inner: Arc::new(Inner { path, acts_for, idle: Mutex::default(), turns: Semaphore::new(SIDE_BY_SIDE) }) }
    }

    /// Returns the path of the socket.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Sends a call, and waits for the answer.
    ///
    /// Fails with `Refused` if the engine refuses, and with `Unreachable` if the other program has ended. A greeting
    /// precedes each call. Without the greeting, a suspended program could carry out a call long after the caller
    /// cancelled it.
    pub async fn call<T: DeserializeOwned>(&self, call: &MethodCall) -> Result<T, CallFailure> {
        let turn = self.inner.turns.acquire().await;
        let turn = turn.map_err(|_| CallFailure::Unreachable(io::ErrorKind::NotConnected.into()))?;
        let idle = self.lock().pop();
        let mut wire = match idle {
            Some(wire) => wire,
            None => Wire::open(&self.inner.path).await.map_err(CallFailure::Unreachable)?,
        };
        wire.greet(self.acts_for()).await?;
        let id = wire.next_id();
        let line = message::request(id, call).map_err(|error| CallFailure::misshapen(&error))?;
        if line.len() > LIMITS.message {
            return Err(CallFailure::Refused(message!("too-long")));
        }
        wire.write(&line).await.map_err(CallFailure::Unreachable)?;
        drop(line);
        wire.read().await.map_err(CallFailure::Unreachable)?;
        let answer = message::answer(wire.lines.text(), id).map_err(|error| CallFailure::misshapen(&error))?;
        let answer = match answer {
            Ok(raw) => serde_json::from_str(raw.get()).map_err(|error| CallFailure::misshapen(&error)),
            Err(refusal) => Err(CallFailure::Refused(refusal)),
        };
        self.lock().push(wire);
        drop(turn);
        answer
    }

    /// Subscribes to all events.
    pub async fn events(&self) -> Result<ClientEvents, CallFailure> {
        let mut wire = Wire::open(&self.inner.path).await.map_err(CallFailure::Unreachable)?;
        wire.greet(self.acts_for()).await?;
        let id = wire.next_id();
        wire.write(&message::subscription(id)).await.map_err(CallFailure::Unreachable)?;
        wire.read().await.map_err(CallFailure::Unreachable)?;
        match message::answer(wire.lines.text(), id) {
            Ok(Ok(_)) => Ok(ClientEvents { wire }),
            Ok(Err(refusal)) => Err(CallFailure::Refused(refusal)),
            Err(error) => Err(CallFailure::misshapen(&error)),
        }
    }

    async fn begin(self, mut wire: Wire) -> io::Result<Self> {
        match wire.greet(self.acts_for()).await {
            Ok(()) => self.lock().push(wire),
            // A program still holds the folder, so this client counts as connected. The next call returns the refusal.
            Err(CallFailure::Refused(_) | CallFailure::Closed(_)) => {}
            Err(CallFailure::Unreachable(error)) => return Err(error),
        }
        Ok(self)
    }

    fn acts_for(&self) -> Option<&str> {
        self.inner.acts_for.as_deref()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Wire>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Events from another program.
#[derive(Debug)]
pub struct ClientEvents {
    wire: Wire,
}

impl ClientEvents {
    /// Returns the next event; `None` when the other program has closed. Cancel safe.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        if let Err(error) = self.wire.read().await {
            debug!(%error, "event stream ended");
            return None;
        }
        match message::event(self.wire.lines.text()) {
            Ok(event) => Some(event),
            Err(error) => {
                // A newer program may send unknown events. `Lagged` makes the caller read a snapshot instead.
                debug!(%error, "event could not be parsed; reported as a lag");
                Some(EngineEvent::Lagged)
            }
        }
    }
}

impl Wire {
    async fn open(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            socket_path::check_ours(folder)?;
        }
        let stream = UnixStream::connect(socket_path::SocketAddress::for_path(path)?.path()).await?;
        if stream.peer_cred()?.uid() != geteuid().as_raw() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message!("fault-peer.other-user", path = path)));
        }
        Ok(Self { lines: LineFramer::new(BufReader::new(stream), LONGEST_ANSWER), asked: 0 })
    }

    /// Greets the other program, and states the owner that this connection acts for.
    ///
    /// Fails with `Unreachable` if the other program has ended or does not answer, and with `Refused` if the other
    /// program accepts no more connections or does not support owners.
    async fn greet(&mut self, acts_for: Option<&str>) -> Result<(), CallFailure> {
        let id = self.next_id();
        let greeting = message::greeting(id, acts_for).map_err(|error| CallFailure::misshapen(&error))?;
        let greeted = timeout(PATIENCE, async {
            self.write(&greeting).await?;
            self.read().await
        });
        let stopped = |_| Err(io::Error::new(io::ErrorKind::TimedOut, message!("fault-peer.stopped")));
        greeted.await.unwrap_or_else(stopped).map_err(CallFailure::Unreachable)?;
        match message::answer(self.lines.text(), id).map_err(|error| CallFailure::misshapen(&error))? {
            // A program of an earlier version does not know the greeting. This matters only for a connection that acts
            // for an owner.
            Err(refusal) if refusal.code != message::UNKNOWN || acts_for.is_some() => Err(CallFailure::Refused(refusal)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn next_id(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    async fn write(&mut self, line: &[u8]) -> io::Result<()> {
        framing::write(self.lines.writer(), line).await
    }

    /// Reads the next line. Cancel safe.
    async fn read(&mut self) -> io::Result<()> {
        match self.lines.next().await? {
            FramedLine::Whole => Ok(()),
            FramedLine::End => Err(io::Error::new(io::ErrorKind::UnexpectedEof, message!("fault-peer.closed"))),
            FramedLine::TooLong => Err(io::Error::new(io::ErrorKind::InvalidData, message!("fault-peer.endless"))),
        }
    }
}
