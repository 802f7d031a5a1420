//! The route of browsers: a WebSocket with one JSON message in each frame.
//!
//! - A browser first pairs with a code, or signs in with its token. Before the browser sends the token, this server
//!   proves that it knows the token.
//! - After the sign-in, the messages are those of the native host, and the same code answers them.
//! - A removed browser is disconnected within a second. Only the messages that it sent before are still answered.

use std::{
    io,
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_browser::{ExtensionPort, LONGEST_RECEIVED, ids};
use ashore_messages::message;
use axum::{
    Extension, Router,
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::get,
};
use tokio::{
    sync::{mpsc, watch},
    task::spawn_blocking,
    time::{MissedTickBehavior, interval, timeout},
};

use crate::{
    channel_messages::{ChannelAnswer, ChannelRequest},
    failure_rate::FailureRate,
    server::access_control,
    server::{RemoteLimits, RemotePeer},
    session_file::SessionFile,
    sessions::{IssuedToken, SessionBook, TokenCheck},
};

/// Path of the route.
const PATH: &str = "/browser";
/// Maximum number of answers that wait for a slow browser.
const MOST_WAITING: usize = 16;
/// Maximum number of messages before the sign-in.
const MOST_REQUESTS: usize = 4;
/// Maximum length of a nonce in bytes.
const LONGEST_NONCE: usize = 128;
/// Time between two checks that the token of a connection is still valid.
const CHECK_AGAIN: Duration = Duration::from_secs(1);

/// Channel of all browsers.
#[derive(Debug)]
pub(crate) struct BrowserChannel {
    pub data_dir: PathBuf,
    pub file: SessionFile,
    /// Port of the server.
    pub port: u16,
    pub limits: RemoteLimits,
    /// Clock.
    pub now: fn() -> u64,
    /// Number of wrong codes from each address.
    pub wrong_codes: Mutex<FailureRate>,
    /// True when the server stops.
    pub stopped: watch::Receiver<bool>,
}

/// Returns the route of `channel`.
pub(crate) fn routes(channel: BrowserChannel) -> Router {
    Router::new().route(PATH, get(connect)).with_state(Arc::new(channel))
}

async fn connect(
    State(channel): State<Arc<BrowserChannel>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if !access_control::is_of_extension(&headers, ids()) {
        return StatusCode::FORBIDDEN.into_response();
    }
    match upgrade {
        Ok(upgrade) => upgrade
            .max_message_size(LONGEST_RECEIVED)
            .max_frame_size(LONGEST_RECEIVED)
            .on_upgrade(async move |socket| channel.converse(socket, peer).await),
        Err(rejection) => rejection.into_response(),
    }
}

impl BrowserChannel {
    /// Exchanges messages with a browser until one side ends the connection.
    async fn converse(&self, socket: WebSocket, peer: RemotePeer) {
        let mut stopped = self.stopped.clone();
        let mut peer_socket = PeerSocket { socket, send: self.limits.send };
        let conversation = async {
            let signing_in = timeout(self.limits.sign_in, self.sign_in(&mut peer_socket, peer.address));
            if let Ok(Some(id)) = signing_in.await {
                self.relay(&mut peer_socket, id).await;
            }
        };
        tokio::select! {
            () = conversation => {}
            // An error means that the server is gone.
            _ = stopped.wait_for(|stop| *stop) => {}
        }
        peer_socket.close().await;
    }

    /// Pairs the browser, or signs it in. Returns the id of its token after the sign-in.
    async fn sign_in(&self, socket: &mut PeerSocket, address: IpAddr) -> Option<String> {
        for _ in 0..MOST_REQUESTS {
            let request = serde_json::from_str(&socket.receive().await?).ok()?;
            let answer = match request {
                ChannelRequest::Pair { code, browser } => self.pair(code, browser, address).await,
                ChannelRequest::Prove { id, nonce } => self.prove(id, nonce).await,
                ChannelRequest::SignIn { id, token } => {
                    let answer = self.check(id.clone(), token).await;
                    if answer == ChannelAnswer::SignedIn {
                        return socket.answer(&answer).await.then_some(id);
                    }
                    answer
                }
            };
            let is_sent = socket.answer(&answer).await;
            match answer {
                ChannelAnswer::Proof { .. } if is_sent => {}
                ChannelAnswer::Paired { id, .. } if !is_sent => {
                    self.discard(id).await;
                    return None;
                }
                _ => return None,
            }
        }
        None
    }

    async fn pair(&self, code: String, browser: String, address: IpAddr) -> ChannelAnswer {
        let now = (self.now)();
        if self.wrong_codes().wait(address, now).is_some() {
            return ChannelAnswer::refused(&message!("browser-pairing.wait"));
        }
        let port = self.port;
        let redeem = move |book: &mut SessionBook| book.redeem(&code, port, &browser, now, &mut rand::rng());
        match self.change(redeem).await {
            Ok(Some(IssuedToken { id, token, name })) => {
                self.wrong_codes().on_success(address);
                tracing::info!(name, "browser was paired");
                ChannelAnswer::Paired { id, token, name }
            }
            Ok(None) => {
                self.wrong_codes().on_failure(address, now);
                ChannelAnswer::refused(&message!("browser-pairing"))
            }
            Err(error) => self.unreadable(&error),
        }
    }

    /// Drops a token that the browser did not receive. Otherwise the list would name a browser that cannot connect.
    async fn discard(&self, id: String) {
        if let Err(error) = self.change(move |book| book.discard(&id)).await {
            tracing::warn!(%error, "token that no browser received could not be dropped");
        }
    }

    async fn prove(&self, id: String, nonce: String) -> ChannelAnswer {
        let port = self.port;
        let known = self.read(move |book| book.proof(&id, &nonce, port).filter(|_| nonce.len() <= LONGEST_NONCE)).await;
        match known {
            Ok(Some(proof)) => ChannelAnswer::Proof { proof },
            Ok(None) => ChannelAnswer::refused(&message!("browser-pairing.unknown")),
            Err(error) => self.unreadable(&error),
        }
    }

    async fn check(&self, id: String, token: String) -> ChannelAnswer {
        let now = (self.now)();
        let asked = id.clone();
        match self.read(move |book| book.check(&asked, &token, now)).await {
            Ok(TokenCheck::Accepted(is_old)) => {
                if is_old && let Err(error) = self.change(move |book| book.on_seen(&id, now)).await {
                    tracing::warn!(%error, "time of use of a paired browser could not be written");
                }
                ChannelAnswer::SignedIn
            }
            Ok(TokenCheck::Removed) => ChannelAnswer::refused(&message!("browser-pairing.removed")),
            Ok(TokenCheck::Unknown) => ChannelAnswer::refused(&message!("browser-pairing.unknown")),
            Err(error) => self.unreadable(&error),
        }
    }

    /// Answers the messages from the browser that has the token `id`.
    async fn relay(&self, socket: &mut PeerSocket, id: String) {
        let (output, mut answers) = mpsc::channel(MOST_WAITING);
        let mut port = match ExtensionPort::of_running_engine(&self.data_dir, output) {
            Ok(port) => port,
            Err(error) => return tracing::error!(%error, "messages of a browser cannot be answered"),
        };
        let mut checks = interval(CHECK_AGAIN);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                text = socket.receive() => match text {
                    Some(text) if self.is_valid(&id).await => {
                        if let Err(fault) = port.take(text.as_bytes()) {
                            tracing::debug!(%fault, "message of a browser cannot be read; connection closed");
                            break;
                        }
                    }
                    _ => break,
                },
                answer = answers.recv() => {
                    let Some(Ok(text)) = answer.map(String::from_utf8) else { break };
                    if !socket.send(text).await {
                        break;
                    }
                }
                _ = checks.tick() => if !self.is_valid(&id).await { break },
            }
        }
        if self.is_valid(&id).await {
            // Drop the unread answers, so that they do not block the port.
            drop(answers);
            return port.close().await;
        }
        // Still deliver the answers to a removed browser. Without the answer `taken`, the browser would keep its copy
        // of a file that Ashore has registered.
        let delivering = async {
            while let Some(Ok(text)) = answers.recv().await.map(String::from_utf8)
                && socket.send(text).await
            {}
            drop(answers);
        };
        tokio::join!(port.finish(), delivering);
        socket.answer(&ChannelAnswer::refused(&message!("browser-pairing.removed"))).await;
    }

    /// Whether the token is still valid. True if the file cannot be read, because otherwise the browser would forget a
    /// valid token.
    async fn is_valid(&self, id: &str) -> bool {
        let (id, now) = (id.to_owned(), (self.now)());
        self.read(move |book| book.is_valid(&id, now)).await.unwrap_or(true)
    }

    async fn read<T: Send + 'static>(&self, read: impl FnOnce(&SessionBook) -> T + Send + 'static) -> io::Result<T> {
        let file = self.file.clone();
        spawn_blocking(move || file.read().map(|book| read(&book))).await.map_err(io::Error::other)?
    }

    async fn change<T: Send + 'static>(&self, change: impl FnOnce(&mut SessionBook) -> T + Send + 'static) -> io::Result<T> {
        let file = self.file.clone();
        spawn_blocking(move || file.change(change)).await.map_err(io::Error::other)?
    }

    fn unreadable(&self, error: &io::Error) -> ChannelAnswer {
        tracing::error!(%error, "list of paired browsers cannot be read or written");
        ChannelAnswer::refused(&self.file.fault(error))
    }

    fn wrong_codes(&self) -> MutexGuard<'_, FailureRate> {
        self.wrong_codes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// WebSocket of a browser.
struct PeerSocket {
    socket: WebSocket,
    /// Maximum time to send a message.
    send: Duration,
}

impl PeerSocket {
    /// Returns the next text. Returns `None` at the end, or after a frame that is not text. Cancel safe.
    async fn receive(&mut self) -> Option<String> {
        loop {
            match self.socket.recv().await?.ok()? {
                Message::Text(text) => return Some(text.as_str().to_owned()),
                // The WebSocket library answers pings itself.
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Binary(_) | Message::Close(_) => return None,
            }
        }
    }

    /// Sends a text. Returns false if the browser is gone or does not read.
    async fn send(&mut self, text: String) -> bool {
        timeout(self.send, self.socket.send(Message::Text(text.into()))).await.is_ok_and(|sent| sent.is_ok())
    }

    async fn answer(&mut self, answer: &ChannelAnswer) -> bool {
        // Serialization cannot fail, because all values are texts.
        self.send(serde_json::to_string(answer).unwrap_or_default()).await
    }

    async fn close(mut self) {
        // Ignore the error: it means that the connection is closed already.
        let _ = timeout(self.send, self.socket.send(Message::Close(None))).await;
    }
}
