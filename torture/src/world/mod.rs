//! Downloads and uploads of a user, the user's actions while the engine runs, and the invariants after each crash of
//! the engine:
//!
//! - a file reported as complete exists under its name, byte for byte;
//! - bytes claimed by a journal are in its partial file;
//! - an acknowledged registration is listed as last changed; a removed one is not;
//! - in the end every file has arrived once, and no other files exist beside them.

mod claimed;
mod draw;
mod edits;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use ashore_tests::{
    machine::{Cut, Died, Machine},
    origin::{Body, Origin, Route},
};
pub use draw::DrawnLoad;
use edits::WorldEdit;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::claims;

/// Unsettled registrations that the user maintains; half of it for short sessions.
const AT_ONCE: usize = 5;
/// Time limit until everything has arrived in the end.
const PATIENCE: Duration = Duration::from_secs(60);
/// Interval between reads of the list until everything is idle. Each read transfers the whole list, which costs both
/// sides time.
const LOOK_EVERY: Duration = Duration::from_millis(60);
/// Part of the name of every partial file.
const PARTIAL: &str = ".part";
/// Prefix that FUSE gives to a file removed while open. The file remains if the FUSE program exits first.
const HIDDEN: &str = ".fuse_hidden";
/// Prefix of the user's own files.
pub const OWN: &str = "own-";
/// Time without a response or progress after which the engine counts as hung.
const HANGS: Duration = Duration::from_secs(5);
/// Claimed bytes that may be fetched again per connection of a file: bytes that a resume compares, bytes that two
/// connections both fetched, and bytes in flight to the killed process.
const AGAIN: u64 = (64 << 10) + (1 << 20);
/// Value of [`AGAIN`] for a disk slower than the network, where connection buffers may be full.
const AGAIN_OF_SLOW: u64 = 8 << 20;
/// Settings with many retries and several connections.
const SETTINGS: &str = "parallel = 6\nparallel-per-host = 6\nattempts = 50\nconnections = 4\n";

/// Machine, server and downloads of a user.
#[derive(Debug)]
pub struct TortureWorld {
    random: StdRng,
    load: DrawnLoad,
    machine: Machine,
    origin: Origin,
    /// Files on the server, by name.
    shelf: BTreeMap<String, Shelved>,
    asked: Vec<AskedDownload>,
    /// Files reported as complete and not checked since.
    done: BTreeSet<String>,
    /// Files reported as complete and found right after a crash; checked again only at the end.
    sure: BTreeSet<String>,
    /// Bytes of a file that may be fetched again per connection.
    again: u64,
    /// Whether the download folder moves to other devices.
    has_moved: bool,
    /// Returns whether the user may retry a failure with this code in the end.
    forgiven: fn(&str) -> bool,
    /// Downloads that failed or waited, each with the message.
    troubles: BTreeSet<(String, String)>,
    /// Method of a call without a response.
    hung: Option<String>,
}

/// File on the server.
#[derive(Debug)]
struct Shelved {
    /// Addresses that serve the file.
    routes: Vec<Route>,
    /// Addresses that the list may show: the current one, and a new one whose change was not acknowledged.
    addresses: Vec<String>,
    body: Body,
    /// Body of an upload to this file, if any.
    sent: Option<Vec<u8>>,
    /// Bytes claimed by the journal after the last crash, and bytes sent by the server until then.
    held: Option<(u64, u64)>,
}

/// Requested registration.
#[derive(Debug)]
struct AskedDownload {
    name: String,
    requests: Vec<Value>,
    /// Whether the engine acknowledged the registration.
    is_acknowledged: bool,
    /// Titles that the list may show: the current one, and a new one whose change was not acknowledged.
    titles: Vec<String>,
    is_cancelled: WorldEdit,
    is_removed: WorldEdit,
}

/// Counts of the checks on disk after a crash.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorldFinding {
    /// Bytes claimed by journals and found.
    pub claimed: u64,
    /// Files reported as complete since the last check and found.
    pub files: u64,
}

/// Observations of the list once everything is idle.
#[derive(Debug, Default)]
pub struct WorldLook {
    /// Messages that were not seen before.
    pub said: Vec<ReportedState>,
    /// Downloads whose result is visible. A paused download does not show its earlier failures.
    pub seen: Vec<String>,
}

/// Reason why a download failed or waits.
#[derive(Debug)]
pub struct ReportedState {
    pub of: String,
    pub code: String,
    pub text: String,
}

impl TortureWorld {
    /// Creates a world without downloads on `machine`, which must be new.
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

    /// Allows downloads to fail with a reason; the user retries them in the end.
    pub fn forgiving(self) -> Self {
        Self { forgiven: |code| !code.is_empty() && code != "internal", ..self }
    }

    /// Allows more bytes to be fetched again.
    ///
    /// With a disk slower than the network, connection buffers are full when the engine is killed.
    pub fn with_slow_disk(self) -> Self {
        Self { again: AGAIN_OF_SLOW, ..self }
    }

    /// Marks the download folder as moving between devices.
    ///
    /// The user retries downloads that wait for the old device.
    pub fn with_moving_folder(self) -> Self {
        Self { has_moved: true, ..self }
    }

    /// Returns the number of files on the server.
    pub fn files(&self) -> u64 {
        self.shelf.len() as u64
    }

    /// Starts the engine with this command prefix from now on.
    pub fn start_under(&mut self, words: Vec<String>) {
        self.machine.start_under(words);
    }

    /// Starts the engine; returns whether it is up.
    ///
    /// Allowed are a kill by the prefix of `start_under` and a refusal with a message.
    pub async fn begin_start(&mut self) -> Result<bool> {
        let before = self.log().len();
        let Ok(started) = tokio::time::timeout(HANGS, self.machine.serve(None)).await else {
            bail!("the engine is not ready after {HANGS:?}: {}", self.log());
        };
        let Err(died) = started else { return Ok(true) };
        let said = self.log().split_off(before);
        // The dynamic loader has messages of its own.
        let has_sentence = said.lines().any(|line| line.ends_with('.')) || said.contains("while loading shared libraries");
        ensure!(died.signal == Some(9) || died.signal.is_none() && has_sentence, "it did not start: {died:?}, {said}");
        Ok(false)
    }

    /// Starts the engine; returns whether it is ready within `patience`. Fails where the start crashes.
    pub async fn is_ready_within(&mut self, patience: Duration) -> Result<bool> {
        match tokio::time::timeout(patience, self.machine.serve(None)).await {
            Ok(Ok(())) => Ok(true),
            Ok(Err(died)) => bail!("the engine does not start ({died:?}): {}", self.machine.log()),
            Err(_) => Ok(false),
        }
    }

    /// Lets the user act on downloads until `moment` is over or the engine is down.
    pub async fn live(&mut self, moment: Duration) {
        if self.load != DrawnLoad::Heavy {
            // A short session tests nothing while everything is paused.
            self.call("resume", json!({ "unique_id": null })).await.ok();
        }
        // The engine is killed in the middle of an action, so the timeout interrupts the user at any point.
        let _ = tokio::time::timeout(moment, self.meddle()).await;
    }

    /// Waits until every download has settled or waits with a reason; returns observations.
    ///
    /// Fails where nothing changes for `HANGS` before.
    pub async fn settle(&mut self) -> Result<WorldLook> {
        self.call("resume", json!({ "unique_id": null })).await.ok();
        let (mut last, mut moved) = (Vec::new(), Instant::now());
        loop {
            let Ok(list) = self.list().await else { return Ok(WorldLook::default()) };
            self.note(&list).await.ok();
            let is_resting = |one: &Value| {
                one["state"] == "settled"
                    || one["state"] == "paused"
                    || one["state"] == "waiting" && one["waiting_for"].is_object()
            };
            let still: Vec<Value> = list.into_iter().filter(|one| !is_resting(one)).collect();
            if still.is_empty() {
                break;
            }
            if still != last {
                (last, moved) = (still, Instant::now());
            } else if moved.elapsed() > HANGS {
                bail!("nothing moves any more: {}\n{}", last[0], self.log());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let mut look = WorldLook::default();
        for one in self.list().await.unwrap_or_default() {
            let of = one["developer_id"].to_string();
            for trouble in [&one["failure"], &one["waiting_for"]] {
                let (Some(code), Some(text)) = (trouble["code"].as_str(), trouble["text"].as_str()) else { continue };
                ensure!(text.ends_with('.') && code != "internal", "these are no words: {trouble}\n{}", self.log());
                if self.troubles.insert((of.clone(), text.to_owned())) {
                    look.said.push(ReportedState { of: of.clone(), code: code.to_owned(), text: text.to_owned() });
                }
            }
            if one["state"] != "paused" {
                look.seen.push(of);
            }
        }
        match &self.hung {
            Some(method) => bail!("{method} is not answered in {HANGS:?}: {}", self.log()),
            None => Ok(look),
        }
    }

    /// Returns whether the process of the engine has ended, for any reason.
    pub fn has_died(&mut self) -> bool {
        self.machine.has_died().is_some() || !self.machine.is_running()
    }

    /// Fails unless the engine runs and has answered every call in time.
    pub fn is_well(&mut self) -> Result<()> {
        ensure!(!self.has_died(), "the engine ended by itself: {}", self.log());
        match &self.hung {
            Some(method) => bail!("{method} is not answered in {HANGS:?}: {}", self.log()),
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
}

/// Invariants.
impl TortureWorld {
    /// Checks, while the engine is down, that completed files and claimed bytes exist.
    pub fn look_at_disk(&mut self) -> Result<WorldFinding> {
        let mut found = WorldFinding::default();
        for name in std::mem::take(&mut self.done) {
            self.is_right(&name).with_context(|| format!("{name} was called done"))?;
            self.sure.insert(name);
            found.files += 1;
        }
        self.shelf.values_mut().for_each(|shelved| shelved.held = None);
        for entry in fs::read_dir(self.machine.target())? {
            let path = entry?.path();
            let own = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_ours = self.shelf.contains_key(own) || own.contains(PARTIAL) || is_others(own);
            ensure!(is_ours, "{own} is there, and nobody asked for it: {:?}\n{}", names_in(&self.machine.target()), self.log());
            let Some(part) = path.to_str().and_then(|path| path.strip_suffix(claims::ENDING)) else { continue };
            let Some(claim) = claims::read(&path)? else { continue };
            let name = claim.url.rsplit('/').next().unwrap_or_default();
            let shelved = self.shelf.get_mut(name).with_context(|| format!("{} is nobody's", path.display()))?;
            shelved.held = Some((claim.bytes(), shelved.bytes_sent()));
            let body = &shelved.body;
            // Without hard links the partial file is renamed to its final name before the ledger records that, and the
            // journal still exists. A power cut may also keep the removal of the partial file but not the later removal
            // of the journal.
            let placed = self.machine.target().join(name);
            let is_placed = !Path::new(part).exists() && placed.exists();
            let held = claim.hold_against(if is_placed { &placed } else { part.as_ref() }, |range| {
                body.slice(range.start, range.end - range.start)
            });
            held.with_context(|| format!("there are {:?}", names_in(&self.machine.target())))?;
            found.claimed += claim.bytes();
        }
        Ok(found)
    }

    /// Checks, while the engine runs, the list against the acknowledged registrations.
    ///
    /// Files that the list reports as complete must exist.
    pub async fn look_at_ledger(&mut self) -> Result<()> {
        let Ok(list) = self.list().await else { return Ok(()) };
        let known: HashMap<&str, &Value> = list.iter().filter_map(|one| Some((one["developer_id"].as_str()?, one))).collect();
        for asked in self.asked.iter().filter(|asked| asked.is_acknowledged && asked.is_removed == WorldEdit::No) {
            ensure!(
                known.contains_key(asked.name.as_str()),
                "{} was acknowledged, and is gone from the list of {}: asked for {}\n{}",
                asked.name,
                list.len(),
                self.asked.len(),
                self.log()
            );
        }
        self.look_at_edits(&list).await?;
        for one in &list {
            if one["succeeded"].as_u64() > Some(0) {
                self.note_records(one).await.ok();
            }
        }
        for name in self.done.clone().difference(&self.sure) {
            self.is_right(name).with_context(|| format!("the list calls {name} done"))?;
        }
        Ok(())
    }

    /// Runs the engine until everything has arrived; checks that each file came once and nothing is left over.
    pub async fn finish(&mut self) -> Result<()> {
        ensure!(self.is_ready_within(Duration::MAX).await?);
        self.look_at_ledger().await?;
        for index in 0..self.asked.len() {
            let AskedDownload { name, is_removed, .. } = &self.asked[index];
            if *is_removed == WorldEdit::No && self.machine.find(name).await.map_err(dead)?.is_none() {
                self.ask(index).await.map_err(dead)?;
            }
        }
        self.call("resume", json!({ "unique_id": null })).await.map_err(dead)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut is_over = true;
            for one in self.list().await.map_err(dead)? {
                let id = json!({ "unique_id": one["unique_id"] });
                if one["state"] == "paused" {
                    self.call("resume", id).await.map_err(dead)?;
                } else if edits::was_cancelled(&one) {
                    ensure!(self.may_be_cancelled(&one), "it was cancelled, and nobody wanted that: {one}");
                    continue;
                } else if one["state"] == "settled" && one["result"] != "success" {
                    let code = one["failure"]["code"].as_str().unwrap_or_default();
                    ensure!((self.forgiven)(code), "it failed: {one}\n{}", self.machine.log());
                    self.call("retry", id).await.map_err(dead)?;
                } else if one["state"] == "settled" {
                    continue;
                } else if one["waiting_for"]["code"] == "disk-full" || self.has_moved && one["waiting_for"]["code"] == "folder" {
                    // The engine retries within a minute, but a user who sees free space retries immediately. For a
                    // download without bytes, only the user can confirm that the folder is the right one.
                    self.call("retry", id).await.map_err(dead)?;
                }
                is_over = false;
                ensure!(Instant::now() < deadline, "it does not end: {one}\n{}", self.machine.log());
            }
            if is_over {
                break;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let count = self.list().await.map_err(dead)?.len();
        let wanted = self.asked.iter().filter(|asked| asked.is_removed == WorldEdit::No).count();
        ensure!(count == wanted, "{wanted} were asked for and not removed, and {count} are in the list");
        let outcome = self.machine.outcome(self.origin.url("/").as_str(), 0).await.map_err(dead)?;
        let left = outcome.leftovers;
        ensure!(left.is_empty(), "{left:?} are left: {:?}\n{}", names_in(&self.machine.target()), self.log());
        for name in outcome.files.keys().filter(|name| !is_others(name)) {
            ensure!(
                self.shelf.contains_key(name),
                "{name} is there, and nobody asked for it: {:?}\n{}",
                names_in(&self.machine.target()),
                self.log()
            );
        }
        let unwanted = self.unwanted();
        for (name, shelved) in &self.shelf {
            if unwanted.contains(name) && !outcome.files.contains_key(name) {
                ensure!(!self.sure.contains(name), "{name} was called done, and went with its place in the list");
                continue;
            }
            let is_unwanted = unwanted.contains(name);
            self.is_right(name)
                .with_context(|| if is_unwanted { "left of a download that was given up" } else { "at the end" })?;
            if is_unwanted {
                continue;
            }
            shelved.came_once(self.again).with_context(|| name.clone())?;
            let Some(sent) = &shelved.sent else { continue };
            let is_whole = shelved.routes.iter().flat_map(Route::requests).any(|request| request.body == *sent);
            ensure!(is_whole, "{name} was sent, and never came whole");
        }
        self.kill().await;
        Ok(())
    }

    fn is_right(&self, name: &str) -> Result<()> {
        let body = &self.shelf.get(name).with_context(|| format!("nobody asked for {name}"))?.body;
        let bytes = fs::read(self.machine.target().join(name)).with_context(|| format!("{name} is not there"))?;
        let length = body.length();
        ensure!(bytes.len() as u64 == length, "{name} has {} bytes instead of {length}", bytes.len());
        ensure!(bytes == body.slice(0, length), "{name} has other bytes than it should");
        Ok(())
    }
}

/// Actions of the user.
impl TortureWorld {
    async fn meddle(&mut self) -> Result<(), Died> {
        loop {
            let list = self.list().await?;
            self.note(&list).await?;
            let unsettled: Vec<&Value> = list.iter().filter(|one| one["state"] != "settled").collect();
            let is_missing = |asked: &AskedDownload| {
                asked.is_removed == WorldEdit::No && !list.iter().any(|one| one["developer_id"] == asked.name)
            };
            let forgotten = self.asked.iter().position(is_missing);
            if let Some(index) = forgotten {
                self.ask(index).await?;
            } else if unsettled.len() < if self.load == DrawnLoad::Heavy { AT_ONCE } else { AT_ONCE / 2 } {
                let asked = draw::registration(
                    &mut self.random,
                    self.load,
                    &self.origin,
                    &mut self.shelf,
                    &self.machine,
                    self.asked.len(),
                );
                self.asked.push(asked);
                self.ask(self.asked.len() - 1).await?;
            } else {
                let which = unsettled[self.random.random_range(0..unsettled.len())].clone();
                self.verb(&which, &list).await?;
            }
            tokio::time::sleep(Duration::from_millis(self.random.random_range(1..15))).await;
        }
    }

    async fn verb(&mut self, which: &Value, list: &[Value]) -> Result<(), Died> {
        let id = json!({ "unique_id": which["unique_id"] });
        if self.random.random_bool(0.15) {
            return self.edit(which).await;
        }
        match self.random.random_range(0..10) {
            0 => self.call("pause", id).await?,
            1 => self.call("pause", json!({ "unique_id": null })).await?,
            2 | 3 => self.call("resume", json!({ "unique_id": null })).await?,
            4..=6 => match list.iter().find(|one| one["state"] == "paused") {
                Some(paused) => self.call("resume", json!({ "unique_id": paused["unique_id"] })).await?,
                None => Value::Null,
            },
            7 | 8 => {
                let place = ["now", "top", "bottom"][self.random.random_range(0..3)];
                self.call("move", json!({ "unique_id": which["unique_id"], "place": place })).await?
            }
            _ => match list.iter().find(|one| one["state"] == "settled") {
                Some(settled) => self.call("claim", json!({ "unique_id": settled["unique_id"] })).await?,
                None => Value::Null,
            },
        };
        Ok(())
    }

    async fn ask(&mut self, index: usize) -> Result<(), Died> {
        let AskedDownload { name, requests, .. } = &self.asked[index];
        let folder = self.machine.target();
        let new = json!({ "owner": "torture", "developer_id": name, "title": name, "folder": folder, "requests": requests });
        if self.call("create", new).await?.is_object() {
            self.asked[index].is_acknowledged = true;
        }
        Ok(())
    }

    /// Records the files that the list reports as complete.
    async fn note(&mut self, list: &[Value]) -> Result<(), Died> {
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

    async fn note_records(&mut self, one: &Value) -> Result<(), Died> {
        let page = json!({ "unique_id": one["unique_id"], "from": 0, "limit": 0 });
        let records = self.call("records", page).await?;
        for record in records.as_array().into_iter().flatten().filter(|record| record["outcome"] == "success") {
            self.done.extend(name_of(&record["url"]).filter(|name| !self.sure.contains(name)));
        }
        Ok(())
    }

    /// Returns the result of a call; null where it is refused, because the download may have settled in between.
    async fn call(&mut self, method: &str, params: Value) -> Result<Value, Died> {
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

    /// Returns the whole list, newest first. A failed read is repeated, because an injected fault may hit it once.
    async fn list(&mut self) -> Result<Vec<Value>, Died> {
        for _ in 0..3 {
            if let Value::Array(list) = self.call("list", json!({})).await? {
                return Ok(list);
            }
        }
        self.hung.get_or_insert("list".to_owned());
        Ok(Vec::new())
    }
}

impl Shelved {
    fn bytes_sent(&self) -> u64 {
        self.routes.iter().map(Route::bytes_sent).sum()
    }

    /// Fails where bytes claimed after the last crash were fetched again.
    ///
    /// Bytes that must be compared are exempt.
    fn came_once(&self, again: u64) -> Result<()> {
        let Some((claimed, sent)) = self.held.filter(|_| self.sent.is_none()) else { return Ok(()) };
        let (came, missing) = (self.bytes_sent() - sent, self.body.length().saturating_sub(claimed));
        let connections = if self.body.length() > draw::SHARED { 4 } else { 1 };
        ensure!(came <= missing + again * connections, "{missing} bytes of it were missing, and {came} came");
        Ok(())
    }
}

/// Returns whether a file name belongs to neither a download nor a partial file.
fn is_others(name: &str) -> bool {
    name.starts_with(HIDDEN) || name.starts_with(OWN)
}

/// Returns every name in a folder with its length, to describe a failure.
fn names_in(folder: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let length = |entry: &fs::DirEntry| entry.metadata().map_or(0, |found| found.len());
    let mut names: Vec<_> = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), length(&entry))).collect();
    names.retain(|(name, _)| !name.starts_with(OWN));
    names.sort();
    names
}

fn name_of(url: &Value) -> Option<String> {
    url.as_str()?.rsplit('/').next().map(str::to_owned)
}

fn dead(died: Died) -> anyhow::Error {
    anyhow::anyhow!("the engine died by itself: {died:?}")
}
