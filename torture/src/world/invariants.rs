//! Checks the invariants on disk and in the list, after a crash and at the end.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::origin::Route;
use serde_json::{Value, json};

use crate::{
    claims,
    world::{
        edits,
        shelf::{AskedDownload, WorldEdit},
        torture_world::{LOOK_EVERY, TortureWorld, dead},
    },
};

/// Time limit for the arrival of all files at the end.
const PATIENCE: Duration = Duration::from_secs(60);
/// Text that the name of every partial file contains.
const PARTIAL: &str = ".part";
/// Prefix that FUSE gives to a file that is removed while it is open. Such a file remains if the FUSE program exits
/// before the file is closed.
const HIDDEN: &str = ".fuse_hidden";
/// Prefix of the user's own files.
pub const OWN: &str = "own-";

/// Counts of the checks on disk after a crash.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorldFinding {
    /// Number of bytes on disk that journals claim.
    pub claimed: u64,
    /// Number of files on disk that were reported as complete since the last check.
    pub files: u64,
}

impl TortureWorld {
    /// Checks that completed files and claimed bytes exist. The engine must be stopped.
    pub fn look_at_disk(&mut self) -> Result<WorldFinding> {
        let mut found = WorldFinding::default();
        for name in std::mem::take(&mut self.done) {
            self.is_right(&name).with_context(|| format!("{name} was reported as complete"))?;
            self.sure.insert(name);
            found.files += 1;
        }
        self.shelf.values_mut().for_each(|shelved| shelved.held = None);
        for entry in fs::read_dir(self.machine.target())? {
            let path = entry?.path();
            let own = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_ours = self.shelf.contains_key(own) || own.contains(PARTIAL) || is_others(own);
            ensure!(is_ours, "{own} belongs to no download: {:?}\n{}", names_in(&self.machine.target()), self.log());
            let Some(part) = path.to_str().and_then(|path| path.strip_suffix(claims::ENDING)) else { continue };
            let Some(claim) = claims::read(&path)? else { continue };
            let name = claim.url.rsplit('/').next().unwrap_or_default();
            let shelved = self.shelf.get_mut(name).with_context(|| format!("{} belongs to no download", path.display()))?;
            shelved.held = Some((claim.bytes(), shelved.bytes_sent()));
            let body = &shelved.body;
            // Without hard links, the partial file is renamed to its final name before the ledger records the
            // completion. The journal still exists at that time. A power cut may also undo the later removal of the
            // journal, but not the removal of the partial file.
            let placed = self.machine.target().join(name);
            let is_placed = !Path::new(part).exists() && placed.exists();
            let held = claim.hold_against(if is_placed { &placed } else { part.as_ref() }, |range| {
                body.slice(range.start, range.end - range.start)
            });
            held.with_context(|| format!("the folder has {:?}", names_in(&self.machine.target())))?;
            found.claimed += claim.bytes();
        }
        Ok(found)
    }

    /// Compares the list of the running engine with the acknowledged registrations.
    ///
    /// Files that the list reports as complete must exist.
    pub async fn look_at_ledger(&mut self) -> Result<()> {
        let Ok(list) = self.list().await else { return Ok(()) };
        let known: HashMap<&str, &Value> = list.iter().filter_map(|one| Some((one["developer_id"].as_str()?, one))).collect();
        for asked in self.asked.iter().filter(|asked| asked.is_acknowledged && asked.is_removed == WorldEdit::No) {
            ensure!(
                known.contains_key(asked.name.as_str()),
                "{} was acknowledged, but is missing in the list of {} (requested: {})\n{}",
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
            self.is_right(name).with_context(|| format!("the list reports {name} as complete"))?;
        }
        Ok(())
    }

    /// Runs the engine until all files have arrived. Checks that each file arrived once and that no other files remain.
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
                    ensure!(self.may_be_cancelled(&one), "a download was cancelled without a request: {one}");
                    continue;
                } else if one["state"] == "settled" && one["result"] != "success" {
                    let code = one["failure"]["code"].as_str().unwrap_or_default();
                    ensure!((self.forgiven)(code), "a download failed: {one}\n{}", self.machine.log());
                    self.call("retry", id).await.map_err(dead)?;
                } else if one["state"] == "settled" {
                    continue;
                } else if one["waiting_for"]["code"] == "disk-full" || self.has_moved && one["waiting_for"]["code"] == "folder" {
                    // Retry immediately, like a user who sees free space. The engine itself retries within a minute. If
                    // no bytes of the download were received, only the user can confirm that the folder is correct.
                    self.call("retry", id).await.map_err(dead)?;
                }
                is_over = false;
                ensure!(Instant::now() < deadline, "a download does not end: {one}\n{}", self.machine.log());
            }
            if is_over {
                break;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let count = self.list().await.map_err(dead)?.len();
        let wanted = self.asked.iter().filter(|asked| asked.is_removed == WorldEdit::No).count();
        ensure!(count == wanted, "the list has {count} downloads instead of {wanted}");
        let outcome = self.machine.outcome(self.origin.url("/").as_str(), 0).await.map_err(dead)?;
        let left = outcome.leftovers;
        ensure!(left.is_empty(), "{left:?} were left behind: {:?}\n{}", names_in(&self.machine.target()), self.log());
        for name in outcome.files.keys().filter(|name| !is_others(name)) {
            ensure!(
                self.shelf.contains_key(name),
                "{name} belongs to no download: {:?}\n{}",
                names_in(&self.machine.target()),
                self.log()
            );
        }
        let unwanted = self.unwanted();
        for (name, shelved) in &self.shelf {
            if unwanted.contains(name) && !outcome.files.contains_key(name) {
                ensure!(!self.sure.contains(name), "{name} was reported as complete, but was removed with its entry");
                continue;
            }
            let is_unwanted = unwanted.contains(name);
            self.is_right(name)
                .with_context(|| if is_unwanted { "file of a removed or cancelled download" } else { "at the end" })?;
            if is_unwanted {
                continue;
            }
            shelved.check_fetched_once(self.again).with_context(|| name.clone())?;
            let Some(sent) = &shelved.sent else { continue };
            let is_whole = shelved.routes.iter().flat_map(Route::requests).any(|request| request.body == *sent);
            ensure!(is_whole, "{name} was sent, but never arrived completely");
        }
        self.kill().await;
        Ok(())
    }

    fn is_right(&self, name: &str) -> Result<()> {
        let body = &self.shelf.get(name).with_context(|| format!("{name} belongs to no download"))?.body;
        let bytes = fs::read(self.machine.target().join(name)).with_context(|| format!("{name} is missing"))?;
        let length = body.length();
        ensure!(bytes.len() as u64 == length, "{name} has {} bytes instead of {length}", bytes.len());
        ensure!(bytes == body.slice(0, length), "{name} has wrong bytes");
        Ok(())
    }
}

/// Returns whether a file name belongs neither to a download nor to a partial file.
fn is_others(name: &str) -> bool {
    name.starts_with(HIDDEN) || name.starts_with(OWN)
}

/// Returns every name in a folder with its length, for the description of a failure.
fn names_in(folder: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let length = |entry: &fs::DirEntry| entry.metadata().map_or(0, |found| found.len());
    let mut names: Vec<_> = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), length(&entry))).collect();
    names.retain(|(name, _)| !name.starts_with(OWN));
    names.sort();
    names
}
