//! Asks whoever holds the data folder. Keeps a few connections open and uses each for one call at a time, so that a
//! call that is given up takes its connection with it and never answers the next one.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_engine::{EngineEvent, UserMessage};
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

/// Calls at the same time; more wait for one of them.
const SIDE_BY_SIDE: usize = 8;

/// An answer may be longer than a question, but not endless.
const LONGEST_ANSWER: usize = 256 * 1024 * 1024;

/// How long a holder may take to say that it is there, which asks nothing of its engine. One that was stopped takes connections
/// and questions all the same, and would be waited for without an end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client of the engine in another program. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct SocketClient {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// The owner that every connection acts for; none for the person.
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
    /// Connects to the holder of `data_dir`.
    ///
    /// Fails with what the system says when nobody listens, or when somebody does who is not this user, and with `TimedOut`
    /// when somebody listens and does not answer.
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

    /// A client of the same engine that acts for `owner` alone.
    ///
    /// Fails with `Refused` where this one acts for another owner. Whether the engine takes the name, the first call says.
    pub fn acting_for(&self, owner: &str) -> Result<Self, CallFailure> {
        match &self.inner.acts_for {
            Some(acts_for) => owner_scope::same(owner, acts_for).map(|()| self.clone()).map_err(CallFailure::from),
            None => Ok(Self::over(self.inner.path.clone(), Some(owner.to_owned()))),
        }
    }

    fn over(path: PathBuf, acts_for: Option<String>) -> Self {
        Self { inner: Arc::new(Inner { path, acts_for, idle: Mutex::default(), turns: Semaphore::new(SIDE_BY_SIDE) }) }
    }

    /// Where the socket is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Asks, and waits for the answer.
    ///
    /// Fails with `Refused` when the engine says no, and with `Unreachable` when it is gone. Before it is asked it has to
    /// greet, so that nothing waits at a holder that was stopped, to be done long after it was given up.
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
            return Err(CallFailure::Refused(UserMessage {
                code: "too-long".to_owned(),
                text: "This is too much for one message. Add it in several parts.".to_owned(),
            }));
        }
        wire.write(&line).await.map_err(CallFailure::Unreachable)?;
        drop(line);
        wire.read().await.map_err(CallFailure::Unreachable)?;
        let answer = message::answer(wire.lines.text(), id).map_err(|error| CallFailure::misshapen(&error))?;
        let answer = match answer {
            Ok(raw) => serde_json::from_str(raw.get()).map_err(|error| CallFailure::misshapen(&error)),
            Err(trouble) => Err(CallFailure::Refused(trouble)),
        };
        self.lock().push(wire);
        drop(turn);
        answer
    }

    /// From now on, everything that happens there.
    pub async fn events(&self) -> Result<ClientEvents, CallFailure> {
        let mut wire = Wire::open(&self.inner.path).await.map_err(CallFailure::Unreachable)?;
        wire.greet(self.acts_for()).await?;
        let id = wire.next_id();
        wire.write(&message::subscription(id)).await.map_err(CallFailure::Unreachable)?;
        wire.read().await.map_err(CallFailure::Unreachable)?;
        match message::answer(wire.lines.text(), id) {
            Ok(Ok(_)) => Ok(ClientEvents { wire }),
            Ok(Err(trouble)) => Err(CallFailure::Refused(trouble)),
            Err(error) => Err(CallFailure::misshapen(&error)),
        }
    }

    async fn begin(self, mut wire: Wire) -> io::Result<Self> {
        match wire.greet(self.acts_for()).await {
            Ok(()) => self.lock().push(wire),
            // It is there. Why it takes no more, it says to whoever asks.
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
    /// The next event; none when that program has closed. May be given up and called again: nothing is lost by it.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        if let Err(error) = self.wire.read().await {
            debug!(%error, "no more events");
            return None;
        }
        match message::event(self.wire.lines.text()) {
            Ok(event) => Some(event),
            Err(error) => {
                // A newer holder may know more; the snapshot is right in any case.
                debug!(%error, "an event was not understood");
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
            let text = format!("{} is served by somebody else", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
        Ok(Self { lines: LineFramer::new(BufReader::new(stream), LONGEST_ANSWER), asked: 0 })
    }

    /// Whether somebody is there, who from then on knows for which owner this connection acts.
    ///
    /// Fails with `Unreachable`: it is gone, or says nothing; with `Refused` where it takes no connection more, or knows nothing
    /// of owners.
    async fn greet(&mut self, acts_for: Option<&str>) -> Result<(), CallFailure> {
        let id = self.next_id();
        let greeting = message::greeting(id, acts_for).map_err(|error| CallFailure::misshapen(&error))?;
        let greeted = timeout(PATIENCE, async {
            self.write(&greeting).await?;
            self.read().await
        });
        let stopped = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it may have been stopped"));
        greeted.await.unwrap_or_else(stopped).map_err(CallFailure::Unreachable)?;
        match message::answer(self.lines.text(), id).map_err(|error| CallFailure::misshapen(&error))? {
            // One of an earlier version knows no greeting, and is there all the same; an owner is nothing to leave unsaid.
            Err(trouble) if trouble.code != message::UNKNOWN || acts_for.is_some() => Err(CallFailure::Refused(trouble)),
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

    /// Goes on to the next line. May be given up and called again.
    async fn read(&mut self) -> io::Result<()> {
        match self.lines.next().await? {
            FramedLine::Whole => Ok(()),
            FramedLine::End => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has closed the connection")),
            FramedLine::TooLong => Err(io::Error::new(io::ErrorKind::InvalidData, "its answer does not end")),
        }
    }
}
