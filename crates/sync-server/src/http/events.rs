//! Streams of server-sent events: which collection of the user has changed.
//!
//! - Writes of this node are announced when they are committed.
//! - Writes of other nodes are found by asking for the modified time of the users who listen here.
//! - A listener that falls behind is let go: a client that connects anew reads `info/collections` anyway.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderValue, header};
use tokio::{
    sync::{broadcast, watch},
    time::{Interval, MissedTickBehavior, interval_at},
};

use super::{App, enter::Place, failure::Failure, routes::Shared};
use crate::{auth::Caller, protocol::Timestamp};

/// A proxy ends a connection on which nothing comes for a minute.
const COMMENT: Duration = Duration::from_secs(50);

/// How soon a write of another node is seen.
const LOOK: Duration = Duration::from_secs(2);

/// Changes that a listener may be behind.
const BACKLOG: usize = 1024;

/// Listeners, and what they are told.
#[derive(Debug)]
pub(super) struct Changes {
    sender: broadcast::Sender<Change>,
    /// By user: how many listen, and up to which time they were told.
    listening: Mutex<HashMap<i64, (usize, Timestamp)>>,
}

#[derive(Clone, Debug)]
struct Change {
    user: i64,
    /// None: all of them.
    collection: Option<String>,
    modified: Timestamp,
}

impl Changes {
    pub(super) fn new() -> Self {
        Self { sender: broadcast::Sender::new(BACKLOG), listening: Mutex::default() }
    }

    /// Tells whoever listens that a collection was written.
    pub(super) fn announce(&self, user: i64, collection: Option<String>, modified: Timestamp) {
        if let Some((_, told)) = self.listening().get_mut(&user) {
            *told = modified.max(*told);
            // Without listeners the send fails, and there is nothing to report.
            let _ = self.sender.send(Change { user, collection, modified });
        }
    }

    fn listening(&self) -> std::sync::MutexGuard<'_, HashMap<i64, (usize, Timestamp)>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps count of one listener.
struct Listening {
    app: Shared,
    user: i64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut listening = self.app.changes.listening();
        if let Some((count, _)) = listening.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                listening.remove(&self.user);
            }
        }
    }
}

struct Stream {
    listening: Listening,
    caller: Caller,
    changes: broadcast::Receiver<Change>,
    closing: watch::Receiver<bool>,
    comment: Interval,
}

/// `GET events`
pub(super) async fn events(State(app): State<Shared>, place: Place, request: Request) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    let user = entered.caller.uid;
    let changes = app.changes.sender.subscribe();
    let (modified, _) = app.store.user(user).await?;
    app.changes.listening().entry(user).or_insert((0, modified)).0 += 1;
    let mut comment = interval_at(tokio::time::Instant::now(), COMMENT);
    comment.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let closing = app.closing();
    let stream = Stream { listening: Listening { app, user }, caller: entered.caller, changes, closing, comment };
    let mut response = Response::new(Body::from_stream(stream::unfold(stream, next)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // nginx would hold the stream back.
    response.headers_mut().insert(http::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(response)
}

async fn next(mut stream: Stream) -> Option<(Result<Bytes, Infallible>, Stream)> {
    let text = loop {
        tokio::select! {
            _ = stream.closing.wait_for(|closing| *closing) => return None,
            _ = stream.comment.tick() => break ":\n\n".to_owned(),
            change = stream.changes.recv() => match change {
                Ok(change) if change.user == stream.listening.user => {
                    let collection = serde_json::Value::from(change.collection);
                    break format!("data: {{\"collection\":{collection},\"modified\":{}}}\n\n", change.modified);
                }
                Ok(_) => {}
                Err(_) => return None,
            },
        }
    };
    // A device that was removed hears nothing more.
    if let Some(device) = &stream.caller.device {
        let app = &stream.listening.app;
        let known = app.store.device_hash(stream.caller.uid, device, app.clock.now()).await;
        if !matches!(known, Ok(Some(_))) {
            return None;
        }
    }
    Some((Ok(Bytes::from(text)), stream))
}

/// Looks for writes of other nodes until the server ends. Only PostgreSQL has other nodes.
pub async fn follow_other_nodes(app: Arc<App>) {
    let mut closing = app.closing();
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        let users: Vec<(i64, Timestamp)> = app.changes.listening().iter().map(|(user, (_, told))| (*user, *told)).collect();
        match app.store.changed(&users).await {
            Ok(changed) => {
                for (user, collection, modified) in changed {
                    app.changes.announce(user, collection, modified);
                }
            }
            Err(error) => tracing::warn!(%error, "writes of other nodes cannot be looked for"),
        }
    }
}
