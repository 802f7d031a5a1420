//! Streams of server-sent events: which collection of the user has changed.
//!
//! - Writes of this node are announced when they are committed.
//! - Writes of other nodes are found by comparing the times of all collections of the users who listen here. A write of this
//!   node moves no mark of that search, because an older write of another node may not have been found yet.
//! - A stream that falls behind ends: a client that connects again reads `info/collections` anyway.

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

/// A proxy ends a connection on which nothing comes for a minute.
const COMMENT: Duration = Duration::from_secs(50);

/// How soon a write of another node is seen.
const LOOK: Duration = Duration::from_secs(2);

/// Changes that a listener may be behind.
const BACKLOG: usize = 1024;

/// Listeners, and what they are told.
#[derive(Debug)]
pub(super) struct ChangeStreams {
    sender: broadcast::Sender<Change>,
    listening: Mutex<HashMap<i64, Listened>>,
}

/// A user with open streams.
#[derive(Debug, Default)]
struct Listened {
    streams: usize,
    known: KnownVersions,
}

/// State of a store as its streams have announced it.
#[derive(Debug, Default)]
struct KnownVersions {
    /// Newest time that a look at the database has found. Writes of this node do not raise it. None before the first look.
    looked: Option<Timestamp>,
    /// Announced time of each collection.
    collections: BTreeMap<String, Timestamp>,
}

impl KnownVersions {
    /// Takes in the first look. Writes of this node may have been announced since it was taken.
    fn begin(&mut self, times: CollectionTimes) {
        if self.looked.is_none() {
            self.looked = Some(times.modified);
            for (name, time) in times.collections {
                self.write(Some(&name), time, false);
            }
        }
    }

    /// Takes in a write of this node.
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

    /// Takes in a look at the database. Returns the changes that were not announced yet: a collection, or all of them.
    fn look(&mut self, times: CollectionTimes) -> Vec<(Option<String>, Timestamp)> {
        if self.looked.is_none_or(|looked| times.modified <= looked) {
            return Vec::new();
        }
        self.looked = Some(times.modified);
        let mut changes = Vec::new();
        // A collection that was written after the look cannot be missed by it.
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
    /// None: all of them.
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

    /// Sends the changes that a look at the database has found.
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

/// Keeps count of one listener.
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
    // Before the look, so that a write between the two is announced.
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

/// Looks for writes of other nodes until the server ends. Only PostgreSQL has other nodes.
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
            Err(error) => tracing::warn!(%error, "writes of other nodes cannot be looked for"),
        }
    }
}

/// Users with open streams, and up to which time a look has found their writes.
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
    fn write_of_this_node_hides_no_older_one_of_another() {
        let mut known = known(10, &[("a", 10)]);
        known.write(Some("b"), Timestamp(30), false);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), [named("a", 20)]);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), []);
    }

    #[test]
    fn write_beside_the_first_look_is_kept() {
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
