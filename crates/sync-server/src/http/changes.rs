//! Tracks the open event streams, and the changes announced to these streams.
//!
//! - Writes of this node are announced when they are committed.
//! - Writes of other nodes are found by a periodic search. The search compares the times of all collections of the
//!   users with open streams. A write of this node does not advance the time of the last search, because an older write
//!   of another node may still be undiscovered.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::broadcast;

use crate::{protocol::Timestamp, store::CollectionTimes};

/// Maximum number of changes that wait for a slow listener.
const BACKLOG: usize = 1024;

/// All open streams, and the state that was announced to them.
#[derive(Debug)]
pub(super) struct ChangeStreams {
    pub(super) sender: broadcast::Sender<Change>,
    listening: Mutex<HashMap<i64, Listened>>,
}

/// User with open streams.
#[derive(Debug, Default)]
pub(super) struct Listened {
    pub streams: usize,
    pub known: KnownVersions,
}

/// Times of a user's collections, as last announced to the user's streams.
#[derive(Debug, Default)]
pub(super) struct KnownVersions {
    /// Newest time that a search found in the database; `None` before the first search.
    ///
    /// Writes of this node do not change this time.
    looked: Option<Timestamp>,
    /// Announced time of each collection.
    collections: BTreeMap<String, Timestamp>,
}

impl KnownVersions {
    /// Applies the result of the first search.
    ///
    /// A write of this node may be announced between the search and this call. The time of this write is newer, and is
    /// not replaced.
    pub(super) fn begin(&mut self, times: CollectionTimes) {
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

    /// Applies the result of a search and returns the changes to announce.
    ///
    /// A change without a collection concerns all collections.
    fn look(&mut self, times: CollectionTimes) -> Vec<(Option<String>, Timestamp)> {
        if self.looked.is_none_or(|looked| times.modified <= looked) {
            return Vec::new();
        }
        self.looked = Some(times.modified);
        let mut changes = Vec::new();
        // A collection may be missing from the result because it was written after the search. It was not necessarily
        // deleted.
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

/// A change, as announced to the streams of a user.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub user: i64,
    /// Collection; `None` for all collections.
    pub collection: Option<String>,
    pub modified: Timestamp,
}

impl ChangeStreams {
    pub(super) fn new() -> Self {
        Self { sender: broadcast::Sender::new(BACKLOG), listening: Mutex::default() }
    }

    /// Sends a committed write of this node to all streams of the user.
    pub(super) fn announce(&self, user: i64, collection: Option<String>, modified: Timestamp, is_gone: bool) {
        if let Some(listened) = self.listening().get_mut(&user) {
            listened.known.write(collection.as_deref(), modified, is_gone);
            self.send(user, collection, modified);
        }
    }

    /// Sends the changes that a search of the database has found.
    pub(super) fn find(&self, user: i64, times: CollectionTimes) {
        if let Some(listened) = self.listening().get_mut(&user) {
            for (collection, modified) in listened.known.look(times) {
                self.send(user, collection, modified);
            }
        }
    }

    /// Returns each user with open streams, and the newest time that a search has found for the user.
    pub(super) fn looked(&self) -> Vec<(i64, Timestamp)> {
        self.listening().iter().filter_map(|(user, listened)| Some((*user, listened.known.looked?))).collect()
    }

    fn send(&self, user: i64, collection: Option<String>, modified: Timestamp) {
        // Sending fails only if all streams have just ended.
        let _ = self.sender.send(Change { user, collection, modified });
    }

    /// Locks the map of users with open streams.
    pub(super) fn listening(&self) -> MutexGuard<'_, HashMap<i64, Listened>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    fn local_write_does_not_hide_older_remote_write() {
        let mut known = known(10, &[("a", 10)]);
        known.write(Some("b"), Timestamp(30), false);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), [named("a", 20)]);
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), []);
    }

    #[test]
    fn first_search_for_changes_does_not_announce_a_write_again() {
        let mut known = KnownVersions::default();
        known.write(Some("a"), Timestamp(20), false);
        assert_eq!(look(&mut known, 20, &[("a", 20)]), [], "streams have not begun");
        known.begin(times(10, &[("a", 10), ("b", 10)]));
        assert_eq!(look(&mut known, 30, &[("a", 20), ("b", 30)]), [named("b", 30)]);
    }

    #[test]
    fn deletions_by_other_nodes_are_found() {
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
