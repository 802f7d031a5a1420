//! Client of the engine for the desktop program. The engine makes all decisions about downloads.
//!
//! - The client connects in the background, so that the window does not wait.
//! - If the program that runs the engine exits, the client connects again.
//! - Calls wait in this client until the connection is open.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::{EngineEvent, UserMessage};
use ashore_remote::{BrowserListener, RemoteSwitch};
use ashore_rpc::{CallFailure, MethodCall, PeerStream, SocketListener, connect};
use serde::de::DeserializeOwned;
use tokio::{sync::watch, time::timeout};

/// Name of the desktop program in messages to users, shown while the program uses the data folder.
const HOLDER: &str = "the Ashore window";

/// Delay before another attempt to open the ledger.
const AGAIN: Duration = Duration::from_secs(2);

/// Maximum time for the engine to make everything durable when Ashore closes.
const FAREWELL: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
enum State {
    Opening,
    Open(PeerStream),
    Shut(UserMessage),
    Closed,
}

/// Handle on the connection to the engine. Cheap to clone; all clones refer to the same connection.
#[derive(Clone, Debug)]
pub struct EngineClient(Arc<watch::Sender<State>>);

/// Notice about the engine connection, or an event of the engine.
#[derive(Clone, Debug)]
pub enum ClientNews {
    /// The connection is open; earlier state may be stale.
    Opened,
    /// The ledger cannot be opened and was not changed. Further attempts follow; until one succeeds, calls fail with
    /// the reason.
    Shut,
    /// Event of the engine.
    Event(EngineEvent),
}

impl EngineClient {
    /// Returns a client that is not connected yet; see [`EngineClient::keep_open`].
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(State::Opening)))
    }

    /// Connects to the ledger in `data_dir`, and reconnects when needed, until [`EngineClient::close`].
    ///
    /// Passes every notice to `hear`. Other devices can connect while `remote_switch` is on.
    pub async fn keep_open(&self, data_dir: PathBuf, remote_switch: RemoteSwitch, mut hear: impl FnMut(ClientNews)) {
        let mut closed = self.0.subscribe();
        let mut said = None;
        while !self.is_closed() {
            match self.open(&data_dir).await {
                Ok((connection, mut events)) => {
                    said = None;
                    // Browsers connect to the program that runs the engine.
                    let listener = connection.is_own().then(|| BrowserListener::start(connection.clone(), &data_dir));
                    let remote = remote_switch.start(&connection);
                    hear(ClientNews::Opened);
                    loop {
                        let event = tokio::select! {
                            event = events.next() => event,
                            _ = closed.wait_for(|state| matches!(state, State::Closed)) => None,
                        };
                        match event {
                            Some(event) => hear(ClientNews::Event(event)),
                            None => break,
                        }
                    }
                    tracing::debug!(own = connection.is_own(), "the engine is gone");
                    if let Some(listener) = listener {
                        listener.stop().await;
                    }
                    remote.stop().await;
                    self.move_on(State::Opening);
                }
                Err(failure) => {
                    let message = failure.message();
                    self.move_on(State::Shut(message.clone()));
                    if said.as_ref() != Some(&message) {
                        tracing::error!(message.code, message.text, "engine could not be opened; will retry");
                        hear(ClientNews::Shut);
                        said = Some(message);
                    }
                    let _ = timeout(AGAIN, closed.wait_for(|state| matches!(state, State::Closed))).await;
                }
            }
        }
    }

    async fn open(&self, data_dir: &Path) -> Result<(PeerStream, SocketListener), CallFailure> {
        let connection = connect(data_dir, HOLDER, true).await?;
        let events = connection.events().await?;
        if !self.move_on(State::Open(connection.clone())) {
            // Close the new connection, because the client was closed in the meantime.
            connection.close().await;
        }
        Ok((connection, events))
    }

    /// Waits for the connection, then makes the call. `T` is the result type of the call.
    pub async fn ask<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, UserMessage> {
        let mut state = self.0.subscribe();
        let found = state.wait_for(|state| !matches!(state, State::Opening)).await.map(|state| state.clone());
        match found {
            Ok(State::Open(connection)) => connection.call(call).await.map_err(|failure| failure.message()),
            Ok(State::Shut(message)) => Err(message),
            Ok(State::Opening | State::Closed) | Err(_) => Err(ashore_engine::EngineError::Closed.message()),
        }
    }

    /// Makes everything durable and closes the engine. Later calls fail.
    pub async fn close(&self) {
        if let State::Open(connection) = self.0.send_replace(State::Closed)
            && timeout(FAREWELL, connection.close()).await.is_err()
        {
            tracing::error!("engine did not close in time; will resume from the last checkpoint at the next start");
        }
    }

    fn is_closed(&self) -> bool {
        matches!(*self.0.borrow(), State::Closed)
    }

    /// Sets the next state. Returns false if the client is closed.
    fn move_on(&self, next: State) -> bool {
        self.0.send_if_modified(|state| {
            if matches!(state, State::Closed) {
                return false;
            }
            *state = next;
            true
        })
    }
}
