//! WebSocket of `/jsonrpc`: calls, their answers, and notifications.
//!
//! - The caller receives the answer to a call before the notifications about the effects of this call.
//! - A client receives notifications without a secret, as in aria2. Until it has sent a valid secret, these concern only
//!   downloads that clients of this interface have added. A notification contains only a GID.
//! - A client may disappear without closing the connection. A missing answer to a ping reveals this.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::ws::{Message, WebSocket},
};
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};

use crate::{
    aria2::{
        methods::{Aria2Caller, Aria2Methods},
        notification_hub::NotificationHub,
        notify::Aria2Notification,
        requests::answer_request,
        wire::notification,
    },
    server::{RemoteLimits, RemotePeer, until_stopped},
};

/// Everything that the WebSockets of a server share.
#[derive(Debug)]
pub(super) struct Aria2Sockets {
    pub methods: Arc<Aria2Methods>,
    pub hub: NotificationHub,
    pub limits: RemoteLimits,
    /// True when the server stops.
    pub stopped: watch::Receiver<bool>,
}

impl Aria2Sockets {
    /// Exchanges messages with a client until one side ends the connection.
    pub(super) async fn converse(&self, socket: WebSocket, peer: RemotePeer) {
        let mut client = SocketClient { socket, limits: self.limits };
        self.serve(&mut client, &peer).await;
        client.close().await;
    }

    async fn serve(&self, client: &mut SocketClient, peer: &RemotePeer) {
        let mut stopped = self.stopped.clone();
        let mut notifications = self.hub.subscribe(&self.methods, &stopped).await;
        let mut pings = interval_at(Instant::now() + self.limits.ping, self.limits.ping);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard_at = Instant::now();
        // Sender of the latest request with a secret.
        let mut caller = Aria2Caller::new(peer.address);
        loop {
            let is_open = tokio::select! {
                frame = client.receive() => {
                    heard_at = Instant::now();
                    match frame {
                        Some(SocketFrame::Request(request)) => {
                            let mut sender = Aria2Caller::new(peer.address);
                            let (_, answer) = answer_request(&self.methods, &request, &mut sender).await;
                            // A call may take long, for example if it moves files. The client cannot be heard meanwhile.
                            heard_at = Instant::now();
                            if sender.has_needed_secret() {
                                caller = sender;
                            }
                            client.send(Message::Text(answer.to_string().into())).await
                        }
                        Some(SocketFrame::KeepAlive) => true,
                        None => false,
                    }
                }
                received = notifications.recv() => match received {
                    Ok(Aria2Notification { method, gid, is_own }) => {
                        let is_shown = is_own || caller.is_signed_in();
                        !is_shown || client.send(Message::Text(notification(method, &gid).to_string().into())).await
                    }
                    // The client has missed notifications. It has to connect again, and to read the list.
                    Err(_) => false,
                },
                _ = pings.tick() => {
                    // A program may have been signed out in the meantime.
                    self.methods.check_again(&mut caller).await;
                    heard_at.elapsed() <= self.limits.silence && client.send(Message::Ping(Bytes::new())).await
                }
                () = until_stopped(&mut stopped) => false,
            };
            if !is_open {
                return;
            }
        }
    }
}

/// Message from a client.
enum SocketFrame {
    Request(Bytes),
    /// Sign of life, such as the answer to a ping.
    KeepAlive,
}

struct SocketClient {
    socket: WebSocket,
    limits: RemoteLimits,
}

impl SocketClient {
    /// Returns the next message; `None` when the client is gone. Cancel safe.
    async fn receive(&mut self) -> Option<SocketFrame> {
        match self.socket.recv().await?.ok()? {
            Message::Text(text) => Some(SocketFrame::Request(text.into())),
            Message::Binary(bytes) => Some(SocketFrame::Request(bytes)),
            Message::Ping(_) | Message::Pong(_) => Some(SocketFrame::KeepAlive),
            Message::Close(_) => None,
        }
    }

    /// Sends a message. Returns false if the client is gone or does not read.
    async fn send(&mut self, message: Message) -> bool {
        timeout(self.limits.send, self.socket.send(message)).await.is_ok_and(|sent| sent.is_ok())
    }

    async fn close(mut self) {
        // Ignore the result: the connection may be closed already.
        self.send(Message::Close(None)).await;
    }
}
