//! Common interface to an engine in this process or in another program.
//!
//! Callers do not have to know where the engine runs. A connection does not reconnect by itself. If the events end or a
//! call fails with [`CallFailure::lost`], the program that held the engine has ended. In this case, call [`connect`]
//! again: it opens the engine in this process unless another program already did.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_engine::{Engine, EngineEnv, EngineError, EngineEvent, EngineOptions, SettingOverrides};
use ashore_messages::message;
use ashore_sync::service::SyncService;
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

/// Time limit for an answer of the program that holds a folder. That program may be starting or stopping, or may have
/// opened the ledger only briefly.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);
/// Number of file descriptors needed to create a private folder and listen in it.
const FOR_SOCKET: usize = 2;

/// Connection to the engine of a data folder. Cheap to clone; all clones share it.
#[derive(Clone, Debug)]
pub enum PeerStream {
    /// Engine in this process.
    Own(OwnProcess),
    /// Engine in another program.
    Remote(SocketClient),
}

/// Engine in this process, and the socket it is served on.
#[derive(Clone, Debug)]
pub struct OwnProcess {
    /// The engine.
    pub engine: Engine,
    socket: Option<PathBuf>,
    endpoint: Arc<Mutex<Option<SocketEndpoint>>>,
    session: ClientSession,
}

/// Opens the engine of `data_dir` as `holder`, or becomes a client of the program that holds the folder.
///
/// With `fetch`, the engine downloads and is served on the socket. Without `fetch`, only the ledger is opened. The
/// caller should close the ledger soon, because other programs wait for it.
///
/// Fails with `Closed` if the ledger cannot be opened, or if the program that holds it cannot be reached. Fails with
/// `Unreachable` if that program accepts calls but does not answer.
pub async fn connect(data_dir: &Path, holder: &str, fetch: bool) -> Result<PeerStream, CallFailure> {
    connect_with(data_dir, holder, fetch, SettingOverrides::default()).await
}

/// Connects as [`connect`] does. An engine in this process uses `overrides` instead of its own settings. An engine in
/// another program keeps its settings.
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
            Err(error) => return Err(CallFailure::Closed(error.message())),
        };
        match SocketClient::connect(data_dir).await {
            Ok(client) => return Ok(PeerStream::Remote(client)),
            // A program that listens on the socket holds the folder permanently. Do not retry: `SocketClient::connect`
            // has already waited for the answer of this program.
            Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(CallFailure::Unreachable(error)),
            Err(error) => debug!(%error, "holder of the data folder does not respond yet"),
        }
        if started.elapsed() > PATIENCE {
            return Err(CallFailure::Closed(held.message()));
        }
        sleep(PAUSE).await;
    }
}

/// Opens the engine of `data_dir` as `holder`. The engine downloads and is served on the socket. Never becomes a
/// client.
///
/// The engine uses `overrides` instead of its settings.
///
/// Fails with `Closed` if the ledger cannot be opened, another program holds the folder, or no socket can be created.
pub async fn hold(data_dir: &Path, holder: &str, overrides: SettingOverrides) -> Result<OwnProcess, CallFailure> {
    let started = Instant::now();
    loop {
        let held = match open(data_dir, holder, true, overrides.clone()).await {
            Ok(own) if own.socket.is_some() => return Ok(own),
            Ok(own) => {
                own.close().await;
                return Err(CallFailure::Closed(message!("disk.socket")));
            }
            Err(error @ EngineError::Held { .. }) => error,
            Err(error) => return Err(CallFailure::Closed(error.message())),
        };
        // A program that answers on the socket holds the folder permanently; a program without a socket has the ledger
        // open only briefly.
        if started.elapsed() > PATIENCE || SocketClient::connect(data_dir).await.is_ok() {
            return Err(CallFailure::Closed(held.message()));
        }
        sleep(PAUSE).await;
    }
}

async fn open(data_dir: &Path, holder: &str, fetch: bool, overrides: SettingOverrides) -> Result<OwnProcess, EngineError> {
    let (data_dir, holder) = (data_dir.to_owned(), holder.to_owned());
    let options = EngineOptions { data_dir: data_dir.clone(), holder, fetch, overrides, env: EngineEnv::default() };
    // Reserve file descriptors for the socket, because resumed transfers may use up all others.
    let kept_free: Vec<_> = (0..FOR_SOCKET).map_while(|_| File::open("/dev/null").ok()).collect();
    let engine = Engine::open(options).await?;
    drop(kept_free);
    let sync = SyncService::from(engine.clone());
    let endpoint = if fetch {
        sync.start();
        SocketEndpoint::serve(sync.clone(), &data_dir)
            .inspect_err(|error| warn!(%error, "socket could not be opened; other programs cannot reach this engine"))
            .ok()
    } else {
        None
    };
    let socket = endpoint.as_ref().map(|endpoint| endpoint.path().to_owned());
    let session = ClientSession::new(sync);
    Ok(OwnProcess { engine, socket, endpoint: Arc::new(Mutex::new(endpoint)), session })
}

impl OwnProcess {
    /// Returns the path of the socket, if there is one.
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// Returns the service that carries out calls, for a server with a transport of its own.
    pub fn service(&self) -> SyncService {
        self.session.service()
    }

    /// Removes the socket, makes every byte durable, and releases the folder.
    pub async fn close(&self) {
        let endpoint = self.endpoint.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(endpoint) = endpoint {
            endpoint.stop().await;
        }
        self.engine.close().await;
    }
}

impl PeerStream {
    /// Makes the connection act for `owner` only: registrations of other owners can be neither seen nor changed. `None`
    /// changes nothing.
    ///
    /// Fails with `Refused` if the name is not valid, or another owner was named before.
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

    /// Whether the engine is in this process.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// Carries out `call`; `T` is the result type of its variant.
    pub async fn call<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, CallFailure> {
        match self {
            Self::Own(own) => {
                let value = own.session.call(call).await?;
                serde_json::from_value(value).map_err(|error| CallFailure::misshapen(&error))
            }
            Self::Remote(client) => client.call(&call).await,
        }
    }

    /// Subscribes to all events.
    pub async fn events(&self) -> Result<SocketListener, CallFailure> {
        match self {
            Self::Own(own) => Ok(SocketListener::Own(Box::new(own.session.subscribe(EventSubscription::default()).await?))),
            Self::Remote(client) => Ok(SocketListener::Remote(Box::new(client.events().await?))),
        }
    }

    /// Makes everything durable and closes an engine in this process. An engine in another program is not affected.
    pub async fn close(&self) {
        if let Self::Own(own) = self {
            own.close().await;
        }
    }
}

/// Receiver of events.
#[derive(Debug)]
pub enum SocketListener {
    /// Events of an engine in this process.
    Own(Box<EventFeed>),
    /// Events of an engine in another program.
    Remote(Box<ClientEvents>),
}

impl SocketListener {
    /// Returns the next event; `None` when the engine is closed. Cancel safe.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        match self {
            Self::Own(events) => events.next().await,
            Self::Remote(events) => events.next().await,
        }
    }
}
