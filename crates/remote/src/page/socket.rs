//! `/api/socket`: a WebSocket with the JSON-RPC of the local socket, one message in each frame.
//!
//! - The first frame contains the second half of the device's key; the cookie contains the first half. If either is
//!   wrong, or the device is signed out later, the connection is closed with the code 4401.
//! - At most sixteen answers and events wait for a slow page. While the queue is full, the page loses events, and
//!   receives `Lagged`.
//! - A page may disappear without closing the connection. A missing answer to a ping reveals this.

use std::{sync::Arc, time::Duration};

use ashore_engine::{RequestSource, UserMessage};
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerConversation, PeerMessage, permissions::not_understood};
use axum::{
    Extension, Router,
    extract::{
        State,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval, timeout},
};

use crate::{
    page::{PageInterface, call_check, call_scope, cookies},
    remote_sessions::{FirstHalf, SentKey},
    server::{RemotePeer, until_stopped},
    sessions::TokenOwner,
    token_scope::TokenScope,
};

/// Maximum length of a message in bytes.
const LONGEST_MESSAGE: usize = 4 * 1024 * 1024;
/// Maximum number of answers and events that wait for a slow page.
const MOST_WAITING: usize = 16;
/// Time between two checks that the device is still signed in.
const CHECK_AGAIN: Duration = Duration::from_secs(1);
/// Codes with which the server closes the connection. The first one is in the range for applications.
const SIGNED_OUT: u16 = 4401;
const GOING_AWAY: u16 = 1001;

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/socket", get(connect))
}

async fn connect(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let first = cookies::first_halves(&headers);
    match upgrade {
        Ok(upgrade) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .on_upgrade(async move |socket| page.converse(socket, peer, first).await),
        Err(rejection) => rejection.into_response(),
    }
}

/// First frame of a page.
#[derive(Deserialize)]
struct AuthenticationFrame {
    #[serde(default)]
    id: Value,
    method: String,
    params: AuthenticationKey,
}

#[derive(Deserialize)]
struct AuthenticationKey {
    key: String,
}

impl PageInterface {
    async fn converse(&self, mut socket: WebSocket, peer: RemotePeer, first: Vec<FirstHalf>) {
        let mut stopped = self.stopped.clone();
        let signed_in = tokio::select! {
            signed_in = timeout(self.limits.sign_in, self.sign_in(&mut socket, &peer, first)) => signed_in.unwrap_or(Err(GOING_AWAY)),
            () = until_stopped(&mut stopped) => return,
        };
        let (mut sink, code) = match signed_in {
            Ok(owner) => self.relay(socket, &owner).await,
            Err(code) => (socket.split().0, code),
        };
        let frame = CloseFrame { code, reason: Utf8Bytes::default() };
        // Ignore the error: it means that the connection is closed already.
        let _ = timeout(self.limits.send, sink.send(Message::Close(Some(frame)))).await;
    }

    /// Reads the first frame and answers it. Returns the device, or the code for closing the connection.
    ///
    /// The code is [`SIGNED_OUT`] only if the key is wrong, because the page forgets its key when it receives this
    /// code.
    async fn sign_in(&self, socket: &mut WebSocket, peer: &RemotePeer, first: Vec<FirstHalf>) -> Result<TokenOwner, u16> {
        let text = loop {
            match socket.recv().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => return Err(SIGNED_OUT),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(GOING_AWAY),
            }
        };
        let frame: AuthenticationFrame = serde_json::from_str(&text).ok().filter(is_authentication).ok_or(SIGNED_OUT)?;
        let key = SentKey::Device { first, second: frame.params.key };
        // A device with the scope for metrics only may not use the page.
        let owner = self.sessions.owner(key, peer.address).await.map_err(|_| GOING_AWAY)?;
        let owner = owner.filter(|owner| owner.scope.includes(TokenScope::Read)).ok_or(SIGNED_OUT)?;
        let result = json!({ "name": owner.name, "scope": owner.scope, "program": env!("CARGO_PKG_VERSION") });
        let answer = json!({ "jsonrpc": "2.0", "id": frame.id, "result": result });
        socket.send(Message::Text(answer.to_string().into())).await.map_err(|_| GOING_AWAY)?;
        Ok(owner)
    }

    /// Exchanges messages until one side ends the connection. Returns the code with which the server closes the
    /// connection.
    async fn relay(&self, socket: WebSocket, owner: &TokenOwner) -> (SplitSink<WebSocket, Message>, u16) {
        let (sink, stream) = socket.split();
        let (output, answers) = mpsc::channel(MOST_WAITING);
        let (pings, pinged) = mpsc::channel(1);
        let mut conversation = PeerConversation::new(self.service.clone(), output);
        if owner.scope != TokenScope::Control {
            conversation = conversation.from_source(RequestSource::Program);
        }
        let write = write(sink, answers, pinged, self.limits.send);
        let read = async {
            let code = self.read(stream, owner, &mut conversation, pings).await;
            // Stop the events, so that no text follows the last answer.
            conversation.end().await;
            code
        };
        tokio::join!(write, read)
    }

    /// Carries out messages until the page is gone, the device is signed out, or the server stops.
    async fn read(
        &self,
        mut stream: SplitStream<WebSocket>,
        owner: &TokenOwner,
        conversation: &mut PeerConversation,
        pings: mpsc::Sender<()>,
    ) -> u16 {
        let mut stopped = self.stopped.clone();
        let (mut checks, mut next_pings) = (interval(CHECK_AGAIN), interval(self.limits.ping));
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        next_pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard_at = Instant::now();
        loop {
            tokio::select! {
                frame = stream.next() => {
                    heard_at = Instant::now();
                    let text = match frame {
                        Some(Ok(Message::Text(text))) => text,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return GOING_AWAY,
                    };
                    if !self.sessions.is_signed_in(&owner.id).await {
                        return SIGNED_OUT;
                    }
                    if self.take(conversation, owner.scope, text.as_bytes()).await.is_err() {
                        return GOING_AWAY;
                    }
                }
                _ = checks.tick() => if !self.sessions.is_signed_in(&owner.id).await { return SIGNED_OUT },
                _ = next_pings.tick() => {
                    if heard_at.elapsed() > self.limits.silence {
                        return GOING_AWAY;
                    }
                    // If the queue is full, the previous ping has not been sent yet.
                    let _ = pings.try_send(());
                }
                () = conversation.closed() => return GOING_AWAY,
                () = until_stopped(&mut stopped) => return GOING_AWAY,
            }
        }
    }

    /// Answers one message. Fails if the page is gone.
    async fn take(&self, conversation: &mut PeerConversation, scope: TokenScope, text: &[u8]) -> std::io::Result<()> {
        let Some(mut message) = conversation.understand(text).await? else { return Ok(()) };
        if let Err(why) = self.admit(conversation, scope, &mut message).await {
            return conversation.refuse(message, why).await;
        }
        if scope != TokenScope::Control && matches!(message.call(), Some(MethodCall::Settings)) {
            return match conversation.call(MethodCall::Settings).await {
                Ok(settings) => conversation.answer(message, &call_scope::without_proxy(settings)).await,
                Err(failure) => conversation.refuse(message, failure.message()).await,
            };
        }
        if let Some(call) = message.call_mut() {
            call_scope::restrict(call, scope);
        }
        conversation.carry_out(message).await
    }

    async fn admit(
        &self,
        conversation: &PeerConversation,
        scope: TokenScope,
        message: &mut PeerMessage,
    ) -> Result<(), UserMessage> {
        // A page acts for the user. If it could act for an owner, it could acknowledge events that a program waits for.
        if message.names_owner() {
            return Err(not_understood(message!("fault-call.unused")));
        }
        match message.call_mut() {
            Some(call) => call_check::check(conversation, &self.service, &self.roots, scope, call).await,
            None => Ok(()),
        }
    }
}

fn is_authentication(frame: &AuthenticationFrame) -> bool {
    frame.method == "authenticate" && matches!(frame.id, Value::Null | Value::Number(_) | Value::String(_))
}

/// Sends answers and pings, until all answers are sent or the page no longer reads. Returns the sink, so that the
/// caller can send the last frame.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut answers: mpsc::Receiver<Vec<u8>>,
    mut pings: mpsc::Receiver<()>,
    longest: Duration,
) -> SplitSink<WebSocket, Message> {
    loop {
        let frame = tokio::select! {
            answer = answers.recv() => match answer.map(String::from_utf8) {
                Some(Ok(text)) => Message::Text(text.into()),
                Some(Err(_)) | None => return sink,
            },
            Some(()) = pings.recv() => Message::Ping(axum::body::Bytes::new()),
        };
        if !timeout(longest, sink.send(frame)).await.is_ok_and(|sent| sent.is_ok()) {
            return sink;
        }
    }
}
