//! Calls and events of one connection, independent of its transport. Called by `endpoint` for lines of the socket, and by
//! the HTTP server for frames of a WebSocket.
//!
//! - Messages of one connection are carried out one after the other.
//! - Answers and events share one bounded queue. While it is full, the peer loses events and receives `Lagged` from the
//!   engine's event queue, which is bounded too.

use std::io;

use ashore_engine::{EngineError, RequestSource, UserMessage};
use ashore_sync::service::SyncService;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinSet};
use tracing::{error, info, warn};

use crate::{
    call_error::CallFailure,
    event_feed::EventFeed,
    message::{self, IncomingLine, MalformedMessage, RpcRequest},
    methods::MethodCall,
    session::{ClientSession, EventSubscription, ServerGreeting},
};

/// Valid message from a peer. The message has not been carried out yet.
#[derive(Debug)]
pub struct PeerMessage(RpcRequest);

impl PeerMessage {
    /// Returns the call; `None` for a greeting or a subscription.
    pub fn call(&self) -> Option<&MethodCall> {
        match &self.0.asked {
            IncomingLine::Call(call) => Some(call),
            IncomingLine::Subscribe(_) | IncomingLine::Greet(_) => None,
        }
    }

    /// Returns the call, so that the transport can restrict it; `None` for a greeting or a subscription.
    pub fn call_mut(&mut self) -> Option<&mut MethodCall> {
        match &mut self.0.asked {
            IncomingLine::Call(call) => Some(call),
            IncomingLine::Subscribe(_) | IncomingLine::Greet(_) => None,
        }
    }

    /// Whether this is a subscription to events.
    pub fn is_subscription(&self) -> bool {
        matches!(self.0.asked, IncomingLine::Subscribe(_))
    }

    /// Whether a greeting or a subscription names an owner.
    pub fn names_owner(&self) -> bool {
        match &self.0.asked {
            IncomingLine::Subscribe(EventSubscription { owner }) | IncomingLine::Greet(ServerGreeting { owner, .. }) => {
                owner.is_some()
            }
            IncomingLine::Call(_) => false,
        }
    }
}

/// State of one connection, and the queue of its answers and events.
#[derive(Debug)]
pub struct PeerConversation {
    session: ClientSession,
    output: mpsc::Sender<Vec<u8>>,
    /// Task that forwards events. It runs from the moment when the peer subscribes.
    subscription: JoinSet<()>,
}

impl PeerConversation {
    /// Returns a conversation that acts for the user until it is greeted with an owner. Sends answers and events to
    /// `output`, each as one JSON text.
    pub fn new(sync: SyncService, output: mpsc::Sender<Vec<u8>>) -> Self {
        Self { session: ClientSession::new(sync), output, subscription: JoinSet::new() }
    }

    /// Sets `source` as the source of everything that the peer requests, even if the peer states another source.
    pub fn from_source(self, source: RequestSource) -> Self {
        let session = ClientSession::of_source(self.session.service(), Some(source));
        Self { session, ..self }
    }

    /// Parses a message. If the message is not valid, answers with the error and returns `None`.
    ///
    /// Fails if the peer is gone.
    pub async fn understand(&self, text: &[u8]) -> io::Result<Option<PeerMessage>> {
        match message::parse(text) {
            Ok(request) => Ok(Some(PeerMessage(request))),
            Err(malformed) => self.refuse_malformed(malformed).await.map(|()| None),
        }
    }

    /// Answers a message that is longer than `cap` bytes. Fails if the peer is gone.
    pub async fn refuse_too_long(&self, cap: usize) -> io::Result<()> {
        self.refuse_malformed(MalformedMessage::too_long(cap)).await
    }

    /// Answers a valid message with a refusal by the transport. Fails if the peer is gone.
    pub async fn refuse(&self, PeerMessage(request): PeerMessage, why: UserMessage) -> io::Result<()> {
        info!(code = why.code, %why, "refused");
        match request.id {
            Some(id) => self.send(message::refused(&id, why)?).await,
            None => Ok(()),
        }
    }

    /// Answers a valid message with a result of the transport. Fails if the peer is gone.
    pub async fn answer(&self, PeerMessage(request): PeerMessage, result: &Value) -> io::Result<()> {
        match request.id {
            Some(id) => self.send(message::result(&id, result)?).await,
            None => Ok(()),
        }
    }

    /// Carries out a call that the transport makes for the peer. Fails with the errors of the call.
    pub async fn call<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, CallFailure> {
        serde_json::from_value(self.session.call(call).await?).map_err(|error| CallFailure::misshapen(&error))
    }

    /// Subscribes to the events for the owner of this conversation. If it has no owner, subscribes to the events for the
    /// user. Fails with the errors of the call.
    pub async fn events(&self) -> Result<EventFeed, CallFailure> {
        Ok(self.session.subscribe(EventSubscription::default()).await?)
    }

    /// Carries out a message and answers it. Fails if the peer is gone.
    pub async fn carry_out(&mut self, PeerMessage(RpcRequest { id, asked }): PeerMessage) -> io::Result<()> {
        let mut feed = None;
        let answer = match asked {
            IncomingLine::Greet(greeting) => self.session.greet(greeting),
            // Subscribe before the answer is sent, so that no later event is missed.
            IncomingLine::Subscribe(wanted) => self.session.subscribe(wanted).await.map(|opened| {
                feed = Some(opened);
                Value::Null
            }),
            IncomingLine::Call(call) => self.session.call(*call).await,
        };
        if let Err(error) = &answer {
            info!(code = error.code(), %error, "refused");
        }
        if let Some(id) = id {
            self.send(write_answer(&id, &answer)?).await?;
        }
        if let Some(feed) = feed
            && self.subscription.is_empty()
        {
            self.subscription.spawn(forward_events(feed, self.output.clone()));
        }
        Ok(())
    }

    /// Waits until it is no longer possible to deliver answers. Cancel safe.
    pub async fn closed(&self) {
        self.output.closed().await;
    }

    /// Ends the events, so that the last answer is also the last text.
    pub async fn end(mut self) {
        self.subscription.shutdown().await;
    }

    async fn refuse_malformed(&self, malformed: MalformedMessage) -> io::Result<()> {
        let MalformedMessage { code, message: why, .. } = &malformed;
        // Log an error, which is visible by default, because the program that sent the message has a defect.
        error!(code, why.text, "message does not fit its schema; refused");
        self.send(message::misshapen(malformed)?).await
    }

    async fn send(&self, text: Vec<u8>) -> io::Result<()> {
        self.output.send(text).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

fn write_answer(id: &Value, answer: &Result<Value, EngineError>) -> Result<Vec<u8>, serde_json::Error> {
    match answer {
        Ok(value) => message::result(id, value),
        Err(error) => message::refusal(id, error),
    }
}

/// Sends events as fast as the peer reads them.
async fn forward_events(mut events: EventFeed, output: mpsc::Sender<Vec<u8>>) {
    while let Some(event) = events.next().await {
        match message::notification(&event) {
            Ok(text) => {
                if output.send(text).await.is_err() {
                    return;
                }
            }
            Err(error) => warn!(%error, "event could not be serialised as JSON; dropped"),
        }
    }
}
