//! Machine with the engine under test: its start, its calls and its end.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use anyhow::{Result, bail, ensure};
use ashore_testkit::{
    machine::{Cut, Died, Machine},
    origin::Origin,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::world::{
    draw::DrawnLoad,
    shelf::{AskedDownload, Shelved, name_of},
};

/// Interval between two reads of the list while waiting for idle downloads. Each read transfers the whole list, which
/// takes time.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(60);
/// Time without a response or progress after which the engine counts as hung.
pub(super) const HANGS: Duration = Duration::from_secs(5);
/// Number of claimed bytes that may be fetched again per connection of a file: bytes that a resume compares, bytes that
/// two connections both fetched, and bytes in flight to the killed process.
const AGAIN: u64 = (64 << 10) + (1 << 20);
/// Value of [`AGAIN`] for a disk that is slower than the network. The connection buffers may then be full.
const AGAIN_OF_SLOW: u64 = 8 << 20;
/// Settings with many retries and several connections.
const SETTINGS: &str = "parallel = 6\nparallel-per-host = 6\nattempts = 50\nconnections = 4\n";

/// Machine, server and downloads of a user.
#[derive(Debug)]
pub struct TortureWorld {
    pub(super) random: StdRng,
    pub(super) load: DrawnLoad,
    pub(super) machine: Machine,
    pub(super) origin: Origin,
    /// Files on the server, by name.
    pub(super) shelf: BTreeMap<String, Shelved>,
    pub(super) asked: Vec<AskedDownload>,
    /// Files that were reported as complete and have not been checked since.
    pub(super) done: BTreeSet<String>,
    /// Files that were reported as complete and found correct after a crash. They are checked again only at the end.
    pub(super) sure: BTreeSet<String>,
    /// Number of bytes that may be fetched again per connection of a file.
    pub(super) again: u64,
    /// Whether the download folder moves to other devices.
    pub(super) has_moved: bool,
    /// Function that returns whether the user may retry a failure with this code at the end.
    pub(super) forgiven: fn(&str) -> bool,
    /// Downloads that failed or waited, each with its message.
    pub(super) troubles: BTreeSet<(String, String)>,
    /// Method of a call that the engine did not answer in time, if any.
    pub(super) hung: Option<String>,
}

impl TortureWorld {
    /// Creates a test environment without downloads on the new machine `machine`.
    pub async fn new(seed: u64, load: DrawnLoad, machine: Machine) -> Self {
        machine.settings(SETTINGS);
        Self {
            random: StdRng::seed_from_u64(seed),
            load,
            machine,
            origin: Origin::start().await,
            shelf: BTreeMap::new(),
            asked: Vec::new(),
            done: BTreeSet::new(),
            sure: BTreeSet::new(),
            again: AGAIN,
            has_moved: false,
            forgiven: |code| code == "upload-interrupted",
            troubles: BTreeSet::new(),
            hung: None,
        }
    }

    /// Permits downloads to fail with a reason. The user retries them at the end.
    pub fn forgiving(self) -> Self {
        Self { forgiven: |code| !code.is_empty() && code != "internal", ..self }
    }

    /// Permits more bytes to be fetched again.
    ///
    /// If the disk is slower than the network, connection buffers are full when the engine is killed.
    pub fn with_slow_disk(self) -> Self {
        Self { again: AGAIN_OF_SLOW, ..self }
    }

    /// Declares that the download folder moves between devices.
    ///
    /// The user retries downloads that wait for the old device.
    pub fn with_moving_folder(self) -> Self {
        Self { has_moved: true, ..self }
    }

    /// Returns the number of files on the server.
    pub fn files(&self) -> u64 {
        self.shelf.len() as u64
    }

    /// Sets the command prefix for later starts of the engine.
    pub fn start_under(&mut self, words: Vec<String>) {
        self.machine.start_under(words);
    }

    /// Starts the engine. Returns whether it is running.
    ///
    /// The command prefix of `start_under` may kill the engine during its start. The engine may also refuse to start
    /// with a message.
    pub async fn begin_start(&mut self) -> Result<bool> {
        let before = self.log().len();
        let Ok(started) = tokio::time::timeout(HANGS, self.machine.serve(None)).await else {
            bail!("the engine was not ready within {HANGS:?}: {}", self.log());
        };
        let Err(died) = started else { return Ok(true) };
        let said = self.log().split_off(before);
        // Accept messages of the dynamic loader, which do not end with a full stop.
        let has_sentence = said.lines().any(|line| line.ends_with('.')) || said.contains("while loading shared libraries");
        ensure!(died.signal == Some(9) || died.signal.is_none() && has_sentence, "the engine did not start: {died:?}, {said}");
        Ok(false)
    }

    /// Starts the engine. Returns whether it is ready within `patience`. Fails if the engine crashes during the start.
    pub async fn is_ready_within(&mut self, patience: Duration) -> Result<bool> {
        match tokio::time::timeout(patience, self.machine.serve(None)).await {
            Ok(Ok(())) => Ok(true),
            Ok(Err(died)) => bail!("the engine did not start ({died:?}): {}", self.machine.log()),
            Err(_) => Ok(false),
        }
    }

    /// Returns whether the engine's process has ended, for any reason.
    pub fn has_died(&mut self) -> bool {
        self.machine.has_died().is_some() || !self.machine.is_running()
    }

    /// Fails unless the engine is running and has answered every call in time.
    pub fn is_well(&mut self) -> Result<()> {
        ensure!(!self.has_died(), "the engine ended unexpectedly: {}", self.log());
        match &self.hung {
            Some(method) => bail!("{method} got no answer within {HANGS:?}: {}", self.log()),
            None => Ok(()),
        }
    }

    /// Returns the log of the engine.
    pub fn log(&self) -> String {
        self.machine.log()
    }

    /// Kills the engine if it is running.
    pub async fn kill(&mut self) {
        if !self.has_died() {
            self.machine.kill().await;
        }
    }

    /// Records the files that the list reports as complete.
    pub(super) async fn note(&mut self, list: &[Value]) -> Result<(), Died> {
        for one in list {
            let is_known = self.asked.iter().position(|asked| one["developer_id"] == asked.name.as_str());
            let Some(asked) = is_known.map(|index| &self.asked[index]) else { continue };
            if one["state"] == "settled" && one["result"] == "success" {
                let names: Vec<String> = asked.names().filter(|name| !self.sure.contains(name)).collect();
                self.done.extend(names);
            } else if one["succeeded"].as_u64() > Some(0) && self.random.random_bool(0.2) {
                self.note_records(one).await?;
            }
        }
        Ok(())
    }

    /// Records the files of one download that the engine reports as complete.
    pub(super) async fn note_records(&mut self, one: &Value) -> Result<(), Died> {
        let page = json!({ "unique_id": one["unique_id"], "from": 0, "limit": 0 });
        let records = self.call("records", page).await?;
        for record in records.as_array().into_iter().flatten().filter(|record| record["outcome"] == "success") {
            self.done.extend(name_of(&record["url"]).filter(|name| !self.sure.contains(name)));
        }
        Ok(())
    }

    /// Returns the result of a call.
    ///
    /// Returns null if the engine refuses the call, because the download may have settled by then.
    pub(super) async fn call(&mut self, method: &str, params: Value) -> Result<Value, Died> {
        if !self.machine.is_running() {
            return Err(Died { signal: None });
        }
        match tokio::time::timeout(HANGS, self.machine.call(method, params)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Cut::Refused(_))) => Ok(Value::Null),
            Ok(Err(Cut::Died(died))) => Err(died),
            Err(_) => {
                self.hung = Some(method.to_owned());
                Ok(Value::Null)
            }
        }
    }

    /// Returns the whole list, newest first. Repeats a failed read, because an injected fault may affect one read.
    pub(super) async fn list(&mut self) -> Result<Vec<Value>, Died> {
        for _ in 0..3 {
            if let Value::Array(list) = self.call("list", json!({})).await? {
                return Ok(list);
            }
        }
        self.hung.get_or_insert("list".to_owned());
        Ok(Vec::new())
    }
}

/// Returns the test error that reports the death of the engine.
pub(super) fn dead(died: Died) -> anyhow::Error {
    anyhow::anyhow!("the engine died unexpectedly: {died:?}")
}
