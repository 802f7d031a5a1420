//! Model of the data that must be on the server: all acknowledged writes. A write that got no response must be present
//! either completely or not at all.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use reqwest::Method;
use serde_json::Value;

use ashore_testkit::sync_server::wire::{SyncWire, milliseconds};

/// Collections: objects, batches, and a counter object that all writers share.
pub const OBJECTS: &str = "tabs";
pub const BATCHES: &str = "history";
pub const SHARED: &str = "prefs";
const ALL: [&str; 3] = [OBJECTS, BATCHES, SHARED];

/// Collection and id.
pub type ModelKey = (&'static str, String);

/// Stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRow {
    pub payload: String,
    /// Time of the last write to the object, in milliseconds.
    pub modified: i64,
}

/// Objects that one request writes atomically. The payload `None` deletes the object.
pub type ModelChange = BTreeMap<ModelKey, Option<String>>;

/// Acknowledged state.
#[derive(Debug, Default)]
pub struct ServerModel {
    rows: BTreeMap<ModelKey, ModelRow>,
    /// Writes that got no response.
    unknown: Vec<ModelChange>,
    /// Numbers of additions to the shared object: those that were acknowledged, and those that got no response.
    added: u64,
    unknown_additions: u64,
    /// Times of all acknowledged writes.
    times: BTreeSet<i64>,
    /// Time of the last acknowledged write to each collection.
    newest: BTreeMap<&'static str, i64>,
    wrong: Vec<String>,
    acknowledged: u64,
}

impl ServerModel {
    /// Returns the latest acknowledged time. Every later write must have a greater time.
    pub fn floor(&self) -> i64 {
        self.times.last().copied().unwrap_or_default()
    }

    /// Returns the objects of a collection whose ids start with this prefix.
    pub fn own(&self, collection: &'static str, prefix: &str) -> Vec<(String, ModelRow)> {
        let all = self.rows.iter().filter(|((of, id), _)| *of == collection && id.starts_with(prefix));
        all.map(|((_, id), row)| (id.clone(), row.clone())).collect()
    }

    /// Records a write that was acknowledged with time `modified`. `floor` is the latest acknowledged time from before
    /// the write was sent.
    pub fn acknowledge(&mut self, change: ModelChange, modified: i64, floor: i64) {
        for ((collection, id), payload) in change {
            self.note(collection, modified);
            match payload {
                Some(payload) => self.rows.insert((collection, id), ModelRow { payload, modified }),
                None => self.rows.remove(&(collection, id)),
            };
        }
        self.time(modified, floor);
    }

    /// Records an acknowledged addition to the shared object.
    pub fn add(&mut self, modified: i64, floor: i64) {
        self.added += 1;
        self.note(SHARED, modified);
        self.time(modified, floor);
    }

    /// Records a write that got no response.
    pub fn forget(&mut self, change: ModelChange) {
        self.unknown.push(change);
    }

    /// Records an addition that got no response.
    pub fn forget_addition(&mut self) {
        self.unknown_additions += 1;
    }

    fn note(&mut self, collection: &'static str, modified: i64) {
        let newest = self.newest.entry(collection).or_default();
        *newest = modified.max(*newest);
    }

    fn time(&mut self, modified: i64, floor: i64) {
        self.acknowledged += 1;
        if modified <= floor || !self.times.insert(modified) {
            self.wrong.push(format!("a write was acknowledged with {modified}, after one with {floor}"));
        }
    }

    /// Compares the model with the server after a crash.
    ///
    /// If a write that got no response is on the server, adds it to the model. Returns counts for the notes.
    pub fn compare(&mut self, found: &ModelFinding) -> Result<Vec<(&'static str, u64)>> {
        ensure!(self.wrong.is_empty(), "{}", self.wrong.join("; "));
        let (mut written, mut unwritten) = (0, 0);
        for change in std::mem::take(&mut self.unknown) {
            match self.find_change(&change, found)? {
                Some(modified) => {
                    written += 1;
                    self.take_over(change, modified, found);
                }
                None => unwritten += 1,
            }
        }
        let shared: u64 = match found.rows.get(&(SHARED, SHARED.to_owned())) {
            None => 0,
            Some(row) => row.payload.parse().context("the shared object is not a number")?,
        };
        let most = self.added + self.unknown_additions;
        ensure!((self.added..=most).contains(&shared), "{} to {most} additions were made, but the sum is {shared}", self.added);
        (self.added, self.unknown_additions) = (shared, 0);
        let is_own = |((collection, _), _): &(&ModelKey, &ModelRow)| *collection != SHARED;
        let there: BTreeMap<&ModelKey, &ModelRow> = found.rows.iter().filter(is_own).collect();
        for (key, row) in &self.rows {
            let other = there.get(key);
            ensure!(other == Some(&row), "{key:?} was acknowledged as {} and is {}", shown(Some(row)), shown(other.copied()));
        }
        for (key, row) in there {
            ensure!(self.rows.contains_key(key), "{key:?} exists as {}, but was never committed", shown(Some(row)));
        }
        found.is_consistent()?;
        for (collection, newest) in &self.newest {
            let told = found.modified.get(*collection).copied().unwrap_or_default();
            ensure!(told >= *newest, "{collection} was modified at {newest}, but reports {told}");
        }
        // A write that was just added to the model may have the latest time. The next write must have a greater time.
        self.times.insert(found.store);
        let acknowledged = std::mem::take(&mut self.acknowledged);
        Ok(vec![
            ("acknowledged writes were stored", acknowledged),
            ("interrupted writes were stored as a whole", written),
            ("interrupted writes were not stored at all", unwritten),
        ])
    }

    /// Returns the time of a write that got no response; `None` if it is not on the server.
    ///
    /// Fails if only a part of the write is on the server.
    fn find_change(&self, change: &ModelChange, found: &ModelFinding) -> Result<Option<i64>> {
        let is_after =
            |(key, payload): (&ModelKey, &Option<String>)| found.rows.get(key).map(|row| &row.payload) == payload.as_ref();
        let is_before = |key: &ModelKey| found.rows.get(key) == self.rows.get(key);
        if change.keys().all(is_before) {
            return Ok(None);
        }
        ensure!(change.iter().all(is_after), "a part of a write is stored: {:?}", change.keys().collect::<Vec<_>>());
        let times: BTreeSet<i64> = change.keys().filter_map(|key| found.rows.get(key)).map(|row| row.modified).collect();
        ensure!(times.len() <= 1, "the objects of one write have {} times", times.len());
        ensure!(times.iter().all(|time| !self.times.contains(time)), "a write has the time of another one");
        Ok(Some(times.first().copied().unwrap_or_default()))
    }

    fn take_over(&mut self, change: ModelChange, modified: i64, found: &ModelFinding) {
        self.times.insert(modified);
        for key in change.into_keys() {
            match found.rows.get(&key) {
                Some(row) => self.rows.insert(key, row.clone()),
                None => self.rows.remove(&key),
            };
        }
    }
}

fn shown(row: Option<&ModelRow>) -> String {
    row.map_or("gone".to_owned(), |row| format!("{} bytes of {}", row.payload.len(), row.modified))
}

/// State of a user on the server.
#[derive(Debug)]
pub struct ModelFinding {
    rows: BTreeMap<ModelKey, ModelRow>,
    /// Times, counts and kilobytes by collection, as reported by `info`.
    modified: BTreeMap<String, i64>,
    counts: BTreeMap<String, u64>,
    usage: BTreeMap<String, f64>,
    used: f64,
    /// Time of the last change in the whole store.
    store: i64,
}

impl ModelFinding {
    pub async fn read(wire: &SyncWire) -> Result<Self> {
        let mut rows = BTreeMap::new();
        for collection in ALL {
            let answer = wire.ask(Method::GET, &format!("/storage/{collection}?full=1"), None, "").await?;
            ensure!(answer.status == 200, "{collection} cannot be read: {answer:?}");
            let listed: Vec<Value> = serde_json::from_str(&answer.body)?;
            for row in listed {
                let text =
                    |name: &str| row[name].as_str().map(str::to_owned).with_context(|| format!("the row has no {name}: {row}"));
                let modified = row["modified"]
                    .as_f64()
                    .map(|time| (time * 100.0).round() as i64 * 10)
                    .context("the response has no time")?;
                let key = (collection, text("id")?);
                let is_new = rows.insert(key.clone(), ModelRow { payload: text("payload")?, modified }).is_none();
                ensure!(is_new, "{key:?} exists twice");
            }
        }
        let store = wire.ask(Method::GET, "/info/collections", None, "").await?;
        // Parse the times as text: as JSON numbers, they would lose precision.
        let times = store.body.trim_matches(['{', '}']).split(',').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, time) = pair.split_once(':').context("the response has no time")?;
            Ok((name.trim_matches('"').to_owned(), milliseconds(time).with_context(|| pair.to_owned())?))
        });
        let modified = times.collect::<Result<_>>()?;
        let counts = wire.ask(Method::GET, "/info/collection_counts", None, "").await?;
        let usage = wire.ask(Method::GET, "/info/collection_usage", None, "").await?;
        let quota = wire.ask(Method::GET, "/info/quota", None, "").await?;
        let quota: (f64, Option<f64>) = serde_json::from_str(&quota.body)?;
        let (counts, usage) = (serde_json::from_str(&counts.body)?, serde_json::from_str(&usage.body)?);
        Ok(Self { rows, modified, counts, usage, used: quota.0, store: store.modified })
    }

    /// Checks that the counters equal a recount, and that no object is newer than its collection.
    fn is_consistent(&self) -> Result<()> {
        let mut total = 0;
        for collection in ALL {
            let own: Vec<&ModelRow> = self.rows.iter().filter(|((of, _), _)| *of == collection).map(|(_, row)| row).collect();
            let (count, bytes) = (own.len() as u64, own.iter().map(|row| row.payload.len()).sum::<usize>());
            total += bytes;
            let told = (self.counts.get(collection).copied().unwrap_or(0), self.usage.get(collection).copied().unwrap_or(0.0));
            ensure!(told == (count, kilobytes(bytes)), "{collection} has {count} objects of {bytes} bytes, but reports {told:?}");
            let newest = own.iter().map(|row| row.modified).max().unwrap_or_default();
            let time = self.modified.get(collection).copied().unwrap_or_default();
            ensure!(
                newest <= time && time <= self.store,
                "{collection} has the time {time}, its newest object {newest}, the store {}",
                self.store
            );
        }
        ensure!(self.used == kilobytes(total), "{total} bytes are stored, but the quota reports {} KB", self.used);
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "the value is a few megabytes")]
fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(payload: &str, modified: i64) -> ModelRow {
        ModelRow { payload: payload.to_owned(), modified }
    }

    fn key(id: &str) -> ModelKey {
        (OBJECTS, id.to_owned())
    }

    fn change(objects: &[(&str, Option<&str>)]) -> ModelChange {
        objects.iter().map(|(id, payload)| (key(id), payload.map(str::to_owned))).collect()
    }

    /// Returns a server with these objects and correct counters.
    fn found(rows: &[(&str, ModelRow)]) -> ModelFinding {
        let rows: BTreeMap<ModelKey, ModelRow> = rows.iter().map(|(id, row)| (key(id), row.clone())).collect();
        let bytes = kilobytes(rows.values().map(|row| row.payload.len()).sum());
        let store = rows.values().map(|row| row.modified).max().unwrap_or_default();
        let of = |name: &str| name.to_owned();
        let counts = BTreeMap::from([(of(OBJECTS), rows.len() as u64)]);
        let (modified, usage) = (BTreeMap::from([(of(OBJECTS), store)]), BTreeMap::from([(of(OBJECTS), bytes)]));
        ModelFinding { rows, modified, counts, usage, used: bytes, store }
    }

    /// Returns a model with an acknowledged write of `a`, and with a write of `b` and `c` that got no response.
    fn model() -> ServerModel {
        let mut model = ServerModel::default();
        model.acknowledge(change(&[("a", Some("x"))]), 10, 0);
        model.forget(change(&[("b", Some("y")), ("c", Some("z"))]));
        model
    }

    fn wrong(found: &ModelFinding) -> String {
        model().compare(found).unwrap_err().to_string()
    }

    #[test]
    fn unanswered_write_must_be_stored_completely_or_not_at_all() {
        assert!(model().compare(&found(&[("a", row("x", 10))])).is_ok());
        let mut whole = model();
        assert!(whole.compare(&found(&[("a", row("x", 10)), ("b", row("y", 20)), ("c", row("z", 20))])).is_ok());
        assert_eq!((whole.own(OBJECTS, "").len(), whole.floor()), (3, 20));
        assert!(wrong(&found(&[("a", row("x", 10)), ("b", row("y", 20))])).contains("a part of a write"));
        assert!(wrong(&found(&[("a", row("x", 10)), ("b", row("y", 20)), ("c", row("z", 30))])).contains("2 times"));
    }

    #[test]
    fn objects_that_are_lost_or_changed_or_were_never_committed_are_rejected() {
        assert!(wrong(&found(&[])).contains("is gone"));
        assert!(wrong(&found(&[("a", row("w", 10))])).contains("acknowledged"));
        assert!(wrong(&found(&[("a", row("x", 20))])).contains("acknowledged"));
        assert!(wrong(&found(&[("a", row("x", 10)), ("d", row("y", 10))])).contains("never committed"));
    }

    #[test]
    fn counters_and_times_that_contradict_the_stored_objects_are_rejected() {
        let right = || found(&[("a", row("x", 10))]);
        assert!(wrong(&ModelFinding { counts: BTreeMap::new(), ..right() }).contains("has 1 objects"));
        assert!(wrong(&ModelFinding { used: 5.0, ..right() }).contains("the quota reports"));
        assert!(wrong(&ModelFinding { store: 0, ..right() }).contains("the store 0"));
        let mut late = model();
        late.acknowledge(change(&[("e", Some("x"))]), 10, 10);
        assert!(late.compare(&right()).unwrap_err().to_string().contains("after one with 10"));
        let mut counted = model();
        counted.add(20, 10);
        assert!(counted.compare(&right()).unwrap_err().to_string().contains("additions"));
    }
}
