//! The one way to the engine: opened in the background, so that the window does not wait for it, and opened again when
//! the program that held the folder is gone. Calls wait here until it is open. Decides nothing about downloads.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::{EngineEvent, UserMessage};
use ashore_rpc::{CallFailure, MethodCall, PeerStream, SocketListener, connect};
use serde::de::DeserializeOwned;
use tokio::{sync::watch, time::timeout};

/// Who holds the folder, in words for people.
const HOLDER: &str = "the Ashore window";

/// Until a ledger that could not be opened is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// How long the engine may take to make everything durable when Ashore closes.
const FAREWELL: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
enum State {
    Opening,
    Open(PeerStream),
    Shut(UserMessage),
    Closed,
}

/// The way to the engine. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct EngineClient(Arc<watch::Sender<State>>);

/// What comes through the door by itself.
#[derive(Clone, Debug)]
pub enum ClientNews {
    /// Calls are answered from now on; what was known before may be stale.
    Opened,
    /// The ledger cannot be opened; nothing was changed, and it is tried again. Calls are answered with why.
    Shut,
    /// Something happened in the engine.
    Event(EngineEvent),
}

impl EngineClient {
    /// A door that is still shut; see [`Door::keep_open`].
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(State::Opening)))
    }

    /// Opens it for the ledger in `data_dir`, and again whenever that is needed, until [`Door::close`].
    pub async fn keep_open(&self, data_dir: PathBuf, mut hear: impl FnMut(ClientNews)) {
        let mut closed = self.0.subscribe();
        let mut said = None;
        while !self.is_closed() {
            match self.open(&data_dir).await {
                Ok((connection, mut events)) => {
                    said = None;
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
                    self.move_on(State::Opening);
                }
                Err(failure) => {
                    let trouble = failure.trouble();
                    self.move_on(State::Shut(trouble.clone()));
                    if said.as_ref() != Some(&trouble) {
                        tracing::error!(trouble.code, trouble.text, "the engine cannot be opened");
                        hear(ClientNews::Shut);
                        said = Some(trouble);
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
            // Closed while it opened.
            connection.close().await;
        }
        Ok((connection, events))
    }

    /// Carries out `call`; `T` is what its variant says it answers.
    pub async fn ask<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, UserMessage> {
        let mut state = self.0.subscribe();
        let found = state.wait_for(|state| !matches!(state, State::Opening)).await.map(|state| state.clone());
        match found {
            Ok(State::Open(connection)) => connection.call(call).await.map_err(|failure| failure.trouble()),
            Ok(State::Shut(trouble)) => Err(trouble),
            Ok(State::Opening | State::Closed) | Err(_) => Err(ashore_engine::EngineError::Closed.trouble()),
        }
    }

    /// Closes the engine with everything durable. Nothing can be asked from now on.
    pub async fn close(&self) {
        if let State::Open(connection) = self.0.send_replace(State::Closed)
            && timeout(FAREWELL, connection.close()).await.is_err()
        {
            tracing::error!("the engine did not close in time; it goes on from the last checkpoint at the next start");
        }
    }

    fn is_closed(&self) -> bool {
        matches!(*self.0.borrow(), State::Closed)
    }

    /// False where the door has been closed for good.
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
