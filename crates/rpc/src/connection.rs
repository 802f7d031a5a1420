//! One shape for both ways to an engine: our own, or that of the program that holds the folder. What stands on this
//! does not know which.
//!
//! A connection does not heal itself. When its events end, or a call fails with [`Failure::lost`], the holder is gone:
//! [`connect`] again, and become the holder if nobody else did.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_engine::{Engine, EngineEnv, EngineError, EngineEvent, EngineOptions, SettingOverrides};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};
use tracing::{debug, warn};

use crate::{
    call_error::CallFailure,
    client::{ClientEvents, SocketClient},
    endpoint::SocketEndpoint,
    event_feed::EventFeed,
    methods::MethodCall,
    session::{ClientSession, EventSubscription, ServerGreeting},
};

/// How long the holder of a folder may take until it answers: it is starting, stopping, or has the ledger open for a
/// moment only.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);
/// Descriptors that making a private folder and listening in it take.
const FOR_SOCKET: usize = 2;

/// A way to the engine of a data folder. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub enum PeerStream {
    /// The engine is here.
    Own(OwnProcess),
    /// The engine is in another program.
    Remote(SocketClient),
}

/// An engine of our own, and the socket it is served on.
#[derive(Clone, Debug)]
pub struct OwnProcess {
    /// The engine.
    pub engine: Engine,
    socket: Option<PathBuf>,
    endpoint: Arc<Mutex<Option<SocketEndpoint>>>,
    session: ClientSession,
}

/// Opens the engine of `data_dir` as `holder`; where another program holds the folder, becomes its client.
///
/// With `fetch` the engine downloads and is served on the socket. Without, only the ledger is opened, for a moment, and
/// others wait until it is closed again.
///
/// Fails with `Closed`: the ledger cannot be opened, or its holder is not reached; with `Unreachable`: its holder takes
/// questions and answers none.
pub async fn connect(data_dir: &Path, holder: &str, fetch: bool) -> Result<PeerStream, CallFailure> {
    connect_with(data_dir, holder, fetch, SettingOverrides::default()).await
}

/// The same; an engine of our own has `overrides` in place of its settings. Those of another program's hold.
pub async fn connect_with(
    data_dir: &Path,
    holder: &str,
    fetch: bool,
    overrides: SettingOverrides,
) -> Result<PeerStream, CallFailure> {
    let started = Instant::now();
    loop {
        let held = match open(data_dir, holder, fetch, overrides.clone()).await {
            Ok(own) => return Ok(PeerStream::Own(own)),
            Err(error @ EngineError::Held { .. }) => error,
            Err(error) => return Err(CallFailure::Closed(error.trouble())),
        };
        match SocketClient::connect(data_dir).await {
            Ok(client) => return Ok(PeerStream::Remote(client)),
            // It is there to stay, and was waited for.
            Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(CallFailure::Unreachable(error)),
            Err(error) => debug!(%error, "the holder does not answer yet"),
        }
        if started.elapsed() > PATIENCE {
            return Err(CallFailure::Closed(held.trouble()));
        }
        sleep(PAUSE).await;
    }
}

/// Opens the engine of `data_dir` as `holder`, with `overrides` in place of its settings, downloading and served on the
/// socket; never becomes a client.
///
/// Fails with `Closed`: the ledger cannot be opened, another program holds the folder, or there is no place for a
/// socket.
pub async fn hold(data_dir: &Path, holder: &str, overrides: SettingOverrides) -> Result<OwnProcess, CallFailure> {
    let started = Instant::now();
    loop {
        let held = match open(data_dir, holder, true, overrides.clone()).await {
            Ok(own) if own.socket.is_some() => return Ok(own),
            Ok(own) => {
                own.close().await;
                let what = "The socket for other programs could not be opened".to_owned();
                let source = io::Error::other("see the log");
                return Err(CallFailure::Closed(EngineError::Io { what, source }.trouble()));
            }
            Err(error @ EngineError::Held { .. }) => error,
            Err(error) => return Err(CallFailure::Closed(error.trouble())),
        };
        // Who answers on the socket is there to stay; who does not has the ledger open for a moment only.
        if started.elapsed() > PATIENCE || SocketClient::connect(data_dir).await.is_ok() {
            return Err(CallFailure::Closed(held.trouble()));
        }
        sleep(PAUSE).await;
    }
}

async fn open(data_dir: &Path, holder: &str, fetch: bool, overrides: SettingOverrides) -> Result<OwnProcess, EngineError> {
    let (data_dir, holder) = (data_dir.to_owned(), holder.to_owned());
    let options = EngineOptions { data_dir: data_dir.clone(), holder, fetch, overrides, env: EngineEnv::default() };
    // What goes on at once may take all that the system allows to be open, before there is a socket.
    let kept_free: Vec<_> = (0..FOR_SOCKET).map_while(|_| File::open("/dev/null").ok()).collect();
    let engine = Engine::open(options).await?;
    drop(kept_free);
    let endpoint = if fetch {
        SocketEndpoint::serve(engine.clone(), &data_dir)
            .inspect_err(|error| warn!(%error, "other programs cannot reach this engine: there is no socket"))
            .ok()
    } else {
        None
    };
    let socket = endpoint.as_ref().map(|endpoint| endpoint.path().to_owned());
    let session = ClientSession::new(engine.clone());
    Ok(OwnProcess { engine, socket, endpoint: Arc::new(Mutex::new(endpoint)), session })
}

impl OwnProcess {
    /// Where others reach this engine, if they can.
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// Takes the socket away, makes every byte durable, and lets the folder go.
    pub async fn close(&self) {
        let endpoint = self.endpoint.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(endpoint) = endpoint {
            endpoint.stop().await;
        }
        self.engine.close().await;
    }
}

impl PeerStream {
    /// The same, which acts for `owner` alone from now on: it sees and changes nothing of anybody else. None: it goes on as it
    /// was, for the person unless an owner was named before.
    ///
    /// Fails with `Refused` where no owner can have this name, or another one was named before.
    pub fn acting_for(self, owner: Option<&str>) -> Result<Self, CallFailure> {
        let Some(owner) = owner else { return Ok(self) };
        match self {
            Self::Own(own) => {
                own.session.greet(ServerGreeting { owner: Some(owner.to_owned()), ..ServerGreeting::default() })?;
                Ok(Self::Own(own))
            }
            Self::Remote(client) => Ok(Self::Remote(client.acting_for(owner)?)),
        }
    }

    /// Whether the engine is here.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// Carries out `call`; `T` is what its variant says it answers.
    pub async fn call<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, CallFailure> {
        match self {
            Self::Own(own) => {
                let value = own.session.call(call).await?;
                serde_json::from_value(value).map_err(|error| CallFailure::misshapen(&error))
            }
            Self::Remote(client) => client.call(&call).await,
        }
    }

    /// From now on, everything that happens.
    pub async fn events(&self) -> Result<SocketListener, CallFailure> {
        match self {
            Self::Own(own) => Ok(SocketListener::Own(Box::new(own.session.subscribe(EventSubscription::default()).await?))),
            Self::Remote(client) => Ok(SocketListener::Remote(Box::new(client.events().await?))),
        }
    }

    /// Closes our own engine with everything durable; lets another program's go on.
    pub async fn close(&self) {
        if let Self::Own(own) = self {
            own.close().await;
        }
    }
}

/// Where events come out.
#[derive(Debug)]
pub enum SocketListener {
    /// Of our own engine.
    Own(Box<EventFeed>),
    /// Of another program's.
    Remote(Box<ClientEvents>),
}

impl SocketListener {
    /// The next event; none when the engine is closed. May be given up and called again: nothing is lost by it.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        match self {
            Self::Own(events) => events.next().await,
            Self::Remote(events) => events.next().await,
        }
    }
}
