//! Queries each download folder in a separate thread.
//!
//! Called by the loop, at the start of the engine, and to explain why a download waits.
//!
//! - A sleeping network share or a stopped FUSE program blocks one thread, but never the loop, a transaction or a
//!   caller.
//! - Each folder has at most one query in flight; at most [`MOST`] folders are queried at the same time.
//! - An answer is used while it is fresh. Without a fresh answer, nothing starts in the folder. A new answer wakes the
//!   loop.
//! - `availability` decides whether a download may start in a folder; `known_folders` stores the volume of each folder
//!   at its last use.

mod availability;
pub(crate) mod gate;
mod known_folders;
#[cfg(test)]
mod tests;
mod waiting;

use ashore_messages::message;
use std::{
    collections::{HashMap, HashSet},
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::{
    model::{FolderTrouble, GateReport, UniqueId},
    platform::sync,
};
pub(crate) use availability::{FolderStanding, PendingProbe, VolumeState, kind_at, look_at, may_go_on, numbers_anew};
pub(crate) use known_folders::FolderMemory;
pub(crate) use waiting::{FolderWaits, silent};

/// Maximum number of folders queried at the same time.
///
/// A blocked thread is cheap, but a list may have any number of folders.
const MOST: usize = 64;
/// Maximum age of an answer that makes a new query unnecessary.
const FRESH: Duration = Duration::from_millis(100);
/// Maximum age of an answer that is used while a new query is in flight.
const USABLE: Duration = Duration::from_millis(500);
/// Time after which a folder that has not answered is reported as the reason why downloads wait.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum number of folders with a stored answer. Other folders are queried again.
const KEPT: usize = 1024;

/// Answer to a query of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FolderAnswer {
    pub standing: FolderStanding,
    /// Free bytes on the volume of the folder; `None` if the system does not report them.
    pub free: Option<u64>,
}

/// Queries a folder. The second argument is the volume of the folder at the last use. Blocks until the disk answers.
type Ask = dyn Fn(&Path, Option<VolumeState>) -> FolderAnswer + Send + Sync;

/// Latest answers of the download folders, and the requests that wait for a folder.
pub(crate) struct KnownFolders {
    pub memory: FolderMemory,
    ask: Arc<Ask>,
    seen: Arc<Seen>,
    waits: Mutex<FolderWaits>,
    /// Folders that a search for startable requests skipped, because they had not answered.
    wanted: Mutex<HashSet<PathBuf>>,
    /// Whether queries run in the calling thread instead of a separate one.
    ///
    /// True in tests, whose clock and disk belong to the thread of the test.
    is_in_place: bool,
}

#[derive(Default)]
struct Seen {
    folders: Mutex<HashMap<PathBuf, FolderKnowledge>>,
    /// Notifies the loop that a folder has answered.
    answered: Notify,
    /// Notifies callers that wait for particular folders.
    each: Notify,
}

#[derive(Default)]
struct FolderKnowledge {
    last: Option<(Instant, FolderAnswer)>,
    /// Start of the pending query, including the time spent waiting for a thread.
    asked: Option<Instant>,
    /// Whether the query waits for a free thread.
    is_put_off: bool,
}

/// Result of a request for the answer of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FolderProbe {
    /// The folder has a recent answer.
    Fresh(FolderAnswer),
    /// A query is in flight, and there is no recent answer.
    Asked,
}

impl fmt::Debug for KnownFolders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folders").finish_non_exhaustive()
    }
}

impl KnownFolders {
    /// Creates the known folders. `memory` contains the volume of each folder at its last use.
    ///
    /// `free` returns the free bytes of a folder.
    pub(crate) fn new(memory: FolderMemory, free: fn(&Path) -> Option<u64>) -> Self {
        let ask = move |folder: &Path, was: Option<VolumeState>| {
            let standing = look_at(folder, was);
            FolderAnswer { free: standing.is_available().then(|| free(folder)).flatten(), standing }
        };
        Self::asking(memory, Arc::new(ask), cfg!(test))
    }

    fn asking(memory: FolderMemory, ask: Arc<Ask>, is_in_place: bool) -> Self {
        Self { memory, ask, seen: Arc::default(), waits: Mutex::default(), wanted: Mutex::default(), is_in_place }
    }

    /// Returns the last answer of `folder` if it is recent enough.
    ///
    /// Otherwise starts a query and returns [`FolderProbe::Asked`]. The caller skips the requests to `folder`, and
    /// [`Self::refresh`] reports the answer.
    pub(crate) fn look(&self, folder: &Path) -> FolderProbe {
        let now = sync::now();
        if self.is_in_place {
            self.ask(folder);
        }
        let known = self.seen.folders().get(folder).and_then(|known| known.last.clone());
        let age = known.as_ref().map(|(at, _)| now.saturating_duration_since(*at));
        if age.is_none_or(|age| age > FRESH) {
            self.ask(folder);
        }
        match known {
            Some((_, answer)) if age.is_some_and(|age| age <= USABLE) => FolderProbe::Fresh(answer),
            _ => {
                self.wanted().insert(folder.to_owned());
                FolderProbe::Asked
            }
        }
    }

    /// Returns the last answer of `folder`, of any age.
    pub(crate) fn last(&self, folder: &Path) -> Option<FolderAnswer> {
        if self.is_in_place {
            self.ask(folder);
        }
        self.seen.folders().get(folder).and_then(|known| Some(known.last.as_ref()?.1.clone()))
    }

    /// Queries `folder` unless a query is in flight.
    pub(crate) fn ask(&self, folder: &Path) {
        let was = self.memory.volume(folder);
        if self.is_in_place {
            let answer = (self.ask)(folder, was);
            self.seen.folders().entry(folder.to_owned()).or_default().last = Some((sync::now(), answer));
            return;
        }
        {
            let mut folders = self.seen.folders();
            let threads = folders.values().filter(|known| known.asked.is_some() && !known.is_put_off).count();
            if folders.len() >= KEPT {
                folders.retain(|_, known| known.asked.is_some());
            }
            let known = folders.entry(folder.to_owned()).or_default();
            if known.asked.is_some() && !known.is_put_off {
                return;
            }
            known.asked.get_or_insert_with(sync::now);
            known.is_put_off = threads >= MOST;
            if known.is_put_off {
                return;
            }
        }
        let (seen, ask, asked) = (Arc::clone(&self.seen), Arc::clone(&self.ask), folder.to_owned());
        let work = move || {
            let answer = ask(&asked, was);
            seen.answer(&asked, answer);
        };
        if std::thread::Builder::new().name("ashore-folder".to_owned()).spawn(work).is_err()
            && let Some(known) = self.seen.folders().get_mut(folder)
        {
            known.is_put_off = true;
        }
    }

    /// Queries the `wanted` folders and waits at most `limit`. Returns the answers received in this time.
    pub(crate) async fn ask_within(&self, wanted: &[PathBuf], limit: Duration) -> HashMap<PathBuf, FolderAnswer> {
        let began = sync::now();
        let deadline = tokio::time::Instant::now() + limit;
        let fresh = || -> HashMap<PathBuf, FolderAnswer> {
            let folders = self.seen.folders();
            let said = |folder: &PathBuf| {
                let (at, answer) = folders.get(folder)?.last.as_ref()?;
                (*at >= began).then(|| (folder.clone(), answer.clone()))
            };
            wanted.iter().filter_map(said).collect()
        };
        loop {
            let mut answered = std::pin::pin!(self.seen.each.notified());
            answered.as_mut().enable();
            let known = fresh();
            let is_all = wanted.iter().all(|folder| known.contains_key(folder));
            if is_all {
                return known;
            }
            wanted.iter().filter(|folder| !known.contains_key(*folder)).for_each(|folder| self.ask(folder));
            if self.is_in_place || tokio::time::timeout_at(deadline, answered).await.is_err() {
                return fresh();
            }
        }
    }

    /// Waits for the next answer of a queried folder. Called only by the loop.
    pub(crate) async fn answered(&self) {
        self.seen.answered.notified().await;
    }

    /// Whether a query of `folder` has been pending for longer than [`PATIENCE`].
    pub(crate) fn is_silent(&self, folder: &Path) -> bool {
        self.seen.folders().get(folder).is_some_and(FolderKnowledge::is_silent)
    }

    /// Returns the folders that must answer before a transfer may start in them.
    ///
    /// The caller skips the requests to these folders. Therefore [`Self::refresh`] reports the answer of each of them,
    /// even if another part of the program started the query.
    pub(crate) fn skip_unanswered(&self) -> Vec<PathBuf> {
        let now = sync::now();
        let is_usable =
            |known: &FolderKnowledge| known.last.as_ref().is_some_and(|(at, _)| now.saturating_duration_since(*at) <= USABLE);
        let mut wanted = self.wanted();
        let folders = self.seen.folders();
        let unanswered = folders.iter().filter(|(_, known)| known.asked.is_some() && !is_usable(known));
        let skipped: Vec<PathBuf> = unanswered.map(|(folder, _)| folder.clone()).collect();
        wanted.extend(skipped.iter().cloned());
        skipped
    }

    /// Whether a request waits for a folder, or a query is in flight.
    pub(crate) fn is_waited_for(&self) -> bool {
        !self.waits().is_empty() || self.seen.folders().values().any(|known| known.asked.is_some())
    }

    /// Queries `others`, and every folder for which a request waits.
    pub(crate) fn ask_waited_for(&self, others: Vec<PathBuf>) {
        let mut waited: HashSet<PathBuf> = self.waits().folders().map(Path::to_owned).collect();
        waited.extend(self.seen.folders().iter().filter(|(_, known)| known.is_put_off).map(|(folder, _)| folder.clone()));
        waited.extend(others);
        waited.iter().for_each(|folder| self.ask(folder));
    }

    /// Whether a request of the registration `id` may start in `folder`.
    ///
    /// Queries the folder if it has no recent answer. If its answer does not allow the start, records `id` as waiting.
    pub(crate) fn is_ready(&self, id: UniqueId, folder: &Path, begun: Option<&PendingProbe>) -> bool {
        let FolderProbe::Fresh(answer) = self.look(folder) else { return false };
        let mut waits = self.waits();
        if waits.is_let_through(id, &answer.standing) || may_go_on(&answer.standing, begun) {
            if let Some(volume) = answer.standing.volume()
                && !waits.has_others_in(folder, id)
            {
                self.memory.note(folder, volume);
            }
            return true;
        }
        waits.add(id, folder, answer.standing);
        false
    }

    /// Allows a retry of `id` now, even if its `folder` is missing. Called when a person requests the retry.
    pub(crate) fn let_through(&self, id: UniqueId, folder: Option<&Path>) {
        let standing = folder.and_then(|folder| self.seen.folders().get(folder)?.last.clone()).map(|(_, answer)| answer.standing);
        self.waits().let_through(id, standing);
    }

    /// Releases the registrations whose folder has changed its state, so that they are checked again.
    ///
    /// Returns true if a waiting request may be able to start.
    pub(crate) fn refresh(&self) -> bool {
        let has_answered = {
            let mut wanted = self.wanted();
            let before = wanted.len();
            let folders = self.seen.folders();
            wanted.retain(|folder| folders.get(folder).is_some_and(|known| known.asked.is_some()));
            wanted.len() < before
        };
        self.waits().retain(|folder, standing| self.last(folder).is_none_or(|answer| answer.standing == *standing))
            || has_answered
    }

    /// Whether a missing or silent disk caused a failure in `folder`.
    ///
    /// Returns false after a person requested a retry, so that the failure is reported. Also ends that exception for
    /// `id`.
    pub(crate) fn is_away(&self, id: UniqueId, folder: &Path, begun: &PendingProbe) -> bool {
        if self.waits().was_let_through(id) {
            return false;
        }
        let is_absent = |answer: FolderAnswer| !may_go_on(&answer.standing, Some(begun));
        let is_unanswered = self.seen.folders().get(folder).is_some_and(|known| known.asked.is_some());
        is_unanswered || self.last(folder).is_some_and(is_absent)
    }

    /// Returns the gate of `id` if the gate is closed; `None` otherwise. `folder` is the target folder of `id`.
    pub(crate) fn closed(&self, id: UniqueId, folder: &Path) -> Option<GateReport> {
        if self.is_silent(folder) {
            return Some(silent(folder));
        }
        self.waits().closed(id)
    }

    /// Returns the gates of all folders for which a request waits.
    pub(crate) fn gates(&self) -> Vec<GateReport> {
        let silent_ones = self.silent();
        let mut gates: Vec<GateReport> = silent_ones.iter().map(|folder| silent(folder)).collect();
        gates.extend(self.waits().gates(|folder| silent_ones.iter().any(|one| one == folder)));
        gates
    }

    /// Whether the registration `id` waits for its folder.
    pub(crate) fn is_waiting(&self, id: UniqueId) -> bool {
        self.waits().closed(id).is_some()
    }

    /// Returns the registrations that wait for their folder.
    pub(crate) fn waiting(&self) -> Vec<UniqueId> {
        self.waits().registrations()
    }

    /// Returns a problem for each of `folders` that is missing, unreadable or silent. [pure]
    ///
    /// `answers` is the result of [`Self::ask_within`].
    pub(crate) fn troubles(folders: Vec<PathBuf>, answers: &HashMap<PathBuf, FolderAnswer>) -> Vec<FolderTrouble> {
        let trouble = |path: PathBuf| {
            let message = match answers.get(&path) {
                Some(answer) => answer.standing.trouble()?,
                None => message!("folder-fault.silent"),
            };
            Some(FolderTrouble { path, message })
        };
        folders.into_iter().filter_map(trouble).collect()
    }

    fn silent(&self) -> Vec<PathBuf> {
        let folders = self.seen.folders();
        let mut silent: Vec<PathBuf> =
            folders.iter().filter(|(_, known)| known.is_silent()).map(|(folder, _)| folder.clone()).collect();
        silent.sort_unstable();
        silent
    }

    fn wanted(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waits(&self) -> MutexGuard<'_, FolderWaits> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn folders(&self) -> MutexGuard<'_, HashMap<PathBuf, FolderKnowledge>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, folder: &Path, answer: FolderAnswer) {
        let mut folders = self.folders();
        let known = folders.entry(folder.to_owned()).or_default();
        known.asked = None;
        known.is_put_off = false;
        known.last = Some((sync::now(), answer));
        drop(folders);
        self.answered.notify_one();
        self.each.notify_waiters();
    }
}

impl FolderKnowledge {
    fn is_silent(&self) -> bool {
        self.asked.is_some_and(|asked| sync::now().saturating_duration_since(asked) >= PATIENCE)
    }
}
