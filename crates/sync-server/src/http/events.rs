//! Streams server-sent events with the changed collections of a user.
//!
//! A stream that lags too far behind is closed. No change is lost, because the client reads `info/collections` after
//! it reconnects.

use std::{convert::Infallible, sync::Arc, time::Duration};

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

use super::{SyncApp, app::SharedApp, changes::Change, enter::EnrolPage, failure::RequestFailure};
use crate::auth::AuthenticatedCaller;

/// Interval between the comments that keep a stream open. Proxies close connections after a minute of silence.
const COMMENT: Duration = Duration::from_secs(50);

/// Interval at which writes of other nodes are searched for.
const LOOK: Duration = Duration::from_secs(2);

/// Registration of one listener; dropping it removes the listener.
struct Listening {
    app: SharedApp,
    user: i64,
}

impl Listening {
    fn new(app: SharedApp, user: i64) -> Self {
        app.changes.listening().entry(user).or_default().streams += 1;
        Self { app, user }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut listening = self.app.changes.listening();
        if let Some(listened) = listening.get_mut(&self.user) {
            listened.streams -= 1;
            if listened.streams == 0 {
                listening.remove(&self.user);
            }
        }
    }
}

struct Stream {
    listening: Listening,
    caller: AuthenticatedCaller,
    changes: broadcast::Receiver<Change>,
    closing: watch::Receiver<bool>,
    comment: Interval,
}

/// `GET events`
pub(super) async fn events(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Result<Response, RequestFailure> {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    let user = entered.caller.uid;
    let changes = app.changes.sender.subscribe();
    // Register before the search, so that a write between registration and search is announced.
    let listening = Listening::new(SharedApp::clone(&app), user);
    let times = app.store.times(user).await?;
    if let Some(listened) = app.changes.listening().get_mut(&user) {
        listened.known.begin(times);
    }
    let mut comment = interval_at(tokio::time::Instant::now(), COMMENT);
    comment.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let closing = app.closing();
    let stream = Stream { listening, caller: entered.caller, changes, closing, comment };
    let mut response = Response::new(Body::from_stream(stream::unfold(stream, next)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Prevents nginx from buffering the stream.
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
    // End the stream if its device was removed.
    if let Some(device) = &stream.caller.device {
        let app = &stream.listening.app;
        let known = app.store.device(stream.caller.uid, device).await;
        if !matches!(known, Ok(Some(_))) {
            return None;
        }
    }
    Some((Ok(Bytes::from(text)), stream))
}

/// Searches for writes of other nodes until the server ends.
///
/// Needed only on PostgreSQL, because a SQLite database has a single node.
pub async fn follow_other_nodes(app: Arc<SyncApp>) {
    let mut closing = app.closing();
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        match app.store.changed(&app.changes.looked()).await {
            Ok(changed) => {
                for (user, times) in changed {
                    app.changes.find(user, times);
                }
            }
            Err(error) => tracing::warn!(%error, "changes from other nodes could not be read; will retry"),
        }
    }
}
