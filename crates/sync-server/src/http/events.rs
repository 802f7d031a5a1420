//! Streams server-sent events with the changed collections of a user.
//!
//! - Writes of this node are announced when they are committed.
//! - Writes of other nodes are found by comparing the times of all collections of the users with open streams. A write
//!   of this node does not advance that search, because an older write of another node may not have been found yet.
//! - A stream that falls behind ends; a client that reconnects reads `info/collections` anyway.

use std::{
    collections::{BTreeMap, HashMap},
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

use super::{SyncApp, enter::EnrolPage, failure::RequestFailure, routes::SharedApp};
use crate::{auth::AuthenticatedCaller, protocol::Timestamp, store::CollectionTimes};

/// Interval of comments that keep a stream open. Proxies close connections after a silent minute.
const COMMENT: Duration = Duration::from_secs(50);

/// Interval at which writes of other nodes are searched for.
const LOOK: Duration = Duration::from_secs(2);

/// Maximum number of changes that a listener may be behind.
const BACKLOG: usize = 1024;

/// Open streams and their announced state.
#[derive(Debug)]
pub(super) struct ChangeStreams {
    sender: broadcast::Sender<Change>,
    listening: Mutex<HashMap<i64, Listened>>,
}

/// User with open streams.
#[derive(Debug, Default)]
struct Listened {
    streams: usize,
    known: KnownVersions,
}

/// State of a store that was announced to its streams.
#[derive(Debug, Default)]
struct KnownVersions {
    /// Newest time found in the database; `None` before the first search.
    ///
    /// Writes of this node do not raise it.
    looked: Option<Timestamp>,
    /// Announced time of each collection.
    collections: BTreeMap<String, Timestamp>,
}

impl KnownVersions {
    /// Applies the first search. Writes of this node may have been announced since it was made.
    fn begin(&mut self, times: CollectionTimes) {
        if self.looked.is_none() {
            self.looked = Some(times.modified);
            for (name, time) in times.collections {
                self.write(Some(&name), time, false);
            }
        }
    }

    /// Applies a write of this node.
    fn write(&mut self, collection: Option<&str>, modified: Timestamp, is_gone: bool) {
        match collection {
            Some(name) if is_gone => _ = self.collections.remove(name),
            Some(name) => {
                let time = self.collections.entry(name.to_owned()).or_default();
                *time = modified.max(*time);
            }
            None => self.collections.clear(),
        }
    }

    /// Applies a search of the database and returns the changes to announce.
    ///
    /// A change without a collection concerns all of them.
    fn look(&mut self, times: CollectionTimes) -> Vec<(Option<String>, Timestamp)> {
        if self.looked.is_none_or(|looked| times.modified <= looked) {
            return Vec::new();
        }
        self.looked = Some(times.modified);
        let mut changes = Vec::new();
        // A collection that was written after the search is not missing from it.
        let is_gone = |name: &String, time: &Timestamp| *time <= times.modified && !times.collections.contains_key(name);
        let gone: Vec<String> =
            self.collections.iter().filter(|(name, time)| is_gone(name, time)).map(|(name, _)| name.clone()).collect();
        let is_empty = !gone.is_empty() && gone.len() == self.collections.len() && times.collections.is_empty();
        for name in gone {
            self.collections.remove(&name);
            if !is_empty {
                changes.push((Some(name), times.modified));
            }
        }
        if is_empty {
            changes.push((None, times.modified));
        }
        for (name, time) in times.collections {
            if self.collections.get(&name).is_none_or(|known| *known < time) {
                self.collections.insert(name.clone(), time);
                changes.push((Some(name), time));
            }
        }
        changes
    }
}

#[derive(Clone, Debug)]
struct Change {
    user: i64,
    /// Collection; `None` for all of them.
    collection: Option<String>,
    modified: Timestamp,
}

impl ChangeStreams {
    pub(super) fn new() -> Self {
        Self { sender: broadcast::Sender::new(BACKLOG), listening: Mutex::default() }
    }

    /// Sends a committed write of this node to the streams of its user.
    pub(super) fn announce(&self, user: i64, collection: Option<String>, modified: Timestamp, is_gone: bool) {
        if let Some(listened) = self.listening().get_mut(&user) {
            listened.known.write(collection.as_deref(), modified, is_gone);
            self.send(user, collection, modified);
        }
    }

    /// Sends the changes that a search of the database has found.
    fn find(&self, user: i64, times: CollectionTimes) {
        if let Some(listened) = self.listening().get_mut(&user) {
            for (collection, modified) in listened.known.look(times) {
                self.send(user, collection, modified);
            }
        }
    }

    fn send(&self, user: i64, collection: Option<String>, modified: Timestamp) {
        // Fails only if all streams have just ended.
        let _ = self.sender.send(Change { user, collection, modified });
    }

    fn listening(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Listened>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
    // Register before the search, so that a write between the two is announced.
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
    // The stream of a removed device ends.
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
/// Only PostgreSQL has other nodes.
pub async fn follow_other_nodes(app: Arc<SyncApp>) {
    let mut closing = app.closing();
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        let users: Vec<(i64, Timestamp)> = looked(&app.changes);
        match app.store.changed(&users).await {
            Ok(changed) => {
                for (user, times) in changed {
                    app.changes.find(user, times);
                }
            }
            Err(error) => tracing::warn!(%error, "changes from other nodes could not be read; will retry"),
        }
    }
}

/// Returns the users with open streams, with the newest time that a search has found.
fn looked(changes: &ChangeStreams) -> Vec<(i64, Timestamp)> {
    changes.listening().iter().filter_map(|(user, listened)| Some((*user, listened.known.looked?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(modified: i64, collections: &[(&str, i64)]) -> KnownVersions {
        let mut known = KnownVersions::default();
        known.begin(times(modified, collections));
        known
    }

    fn times(modified: i64, collections: &[(&str, i64)]) -> CollectionTimes {
        let collections = collections.iter().map(|(name, time)| ((*name).to_owned(), Timestamp(*time))).collect();
        CollectionTimes { modified: Timestamp(modified), collections }
    }

    fn look(known: &mut KnownVersions, modified: i64, collections: &[(&str, i64)]) -> Vec<(Option<String>, i64)> {
        known.look(times(modified, collections)).into_iter().map(|(name, time)| (name, time.0)).collect()
    }

    fn named(name: &str, time: i64) -> (Option<String>, i64) {
        (Some(name.to_owned()), time)
    }

    #[test]
    fn own_write_hides_no_older_write_of_other_node() {
        let mut known = known(10, &[("a", 10)]);
        known.write(Some("b"), Timestamp(30), false);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), [named("a", 20)]);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), []);
    }

    #[test]
    fn write_during_first_search_is_kept() {
        let mut known = KnownVersions::default();
        known.write(Some("a"), Timestamp(20), false);
        assert_eq!(look(&mut known, 20, &[("a", 20)]), [], "streams have not begun");
        known.begin(times(10, &[("a", 10), ("b", 10)]));
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), [named("b", 30)]);
    }

    #[test]
    fn deletions_of_other_nodes_are_found() {
        let mut known = known(10, &[("a", 10), ("b", 10)]);
        known.write(Some("b"), Timestamp(30), false);
        assert_eq!(look(&mut known, 30, &[("b", 30)]), [named("a", 30)]);
        assert_eq!(look(&mut known, 40, &[]), [(None, 40)]);
        known.write(Some("c"), Timestamp(60), false);
        assert_eq!(look(&mut known, 50, &[]), [], "a look from before the write misses it");
        known.write(None, Timestamp(70), true);
        assert_eq!(look(&mut known, 70, &[]), [], "deleted and announced here");
    }
}
