//! People's folders, asked from threads of their own: a share that sleeps or a stopped FUSE keeps one thread waiting, and never
//! the loop, a transaction or a caller. Called by the loop, by the start, and by whoever shows why a download waits.
//!
//! - A folder has one question under way at a time; at most [`MOST`] folders are asked at once.
//! - An answer is used while it is fresh. Without a fresh answer nothing starts in the folder, and the answer wakes the loop.
//! - Whether a download may start there, `availability` decides; what each folder was when it was used, `known_folders` keeps.

mod availability;
pub(crate) mod gate;
mod known_folders;
#[cfg(test)]
mod tests;
mod waiting;

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

/// Folders that are asked at once. A thread that waits for a disk costs little, but a list may have any number of folders.
const MOST: usize = 64;
/// An answer is as good as a new one for so long...
const FRESH: Duration = Duration::from_millis(100);
/// ...and is still used for so long, while a new one is asked for.
const USABLE: Duration = Duration::from_millis(500);
/// A folder that does not answer for so long is named as what is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Folders whose answers are kept; more are asked again.
const KEPT: usize = 1024;

/// Answer of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FolderAnswer {
    pub standing: FolderStanding,
    /// Free bytes of its volume; none where the system does not say.
    pub free: Option<u64>,
}

/// Asks a folder, which was this when it was last used. Blocks for as long as its disk does.
type Ask = dyn Fn(&Path, Option<VolumeState>) -> FolderAnswer + Send + Sync;

/// Knowledge of people's folders.
pub(crate) struct KnownFolders {
    pub memory: FolderMemory,
    ask: Arc<Ask>,
    seen: Arc<Seen>,
    waits: Mutex<FolderWaits>,
    /// Folders in which something would have started if they had answered.
    wanted: Mutex<HashSet<PathBuf>>,
    /// A test's clock and disk belong to its thread.
    is_in_place: bool,
}

#[derive(Default)]
struct Seen {
    folders: Mutex<HashMap<PathBuf, FolderKnowledge>>,
    /// A folder has answered: for the loop alone.
    answered: Notify,
    /// The same for whoever waits for one answer.
    each: Notify,
}

#[derive(Default)]
struct FolderKnowledge {
    last: Option<(Instant, FolderAnswer)>,
    /// Since when it is being asked, or would be if there were a thread for it.
    asked: Option<Instant>,
    /// No thread asks it yet.
    is_put_off: bool,
}

/// Knowledge of a folder at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FolderProbe {
    /// The folder has just answered.
    Fresh(FolderAnswer),
    /// The folder has been asked and has not answered.
    Asked,
}

impl fmt::Debug for KnownFolders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folders").finish_non_exhaustive()
    }
}

impl KnownFolders {
    /// Folders with this `memory` of them, whose free bytes `free` says.
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

    /// The last answer of `folder`, where it is recent enough. Otherwise the folder is asked, and [`Look::Asked`] is returned.
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
            _ => FolderProbe::Asked,
        }
    }

    /// The last answer of `folder`, however old.
    pub(crate) fn last(&self, folder: &Path) -> Option<FolderAnswer> {
        if self.is_in_place {
            self.ask(folder);
        }
        self.seen.folders().get(folder).and_then(|known| Some(known.last.as_ref()?.1.clone()))
    }

    /// Asks `folder`, unless it is being asked already.
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

    /// Asks these, and waits until they have answered or `limit` has passed. Returns what they say, as far as they do.
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

    /// Returns when a folder that was asked has answered. For the loop.
    pub(crate) async fn answered(&self) {
        self.seen.answered.notified().await;
    }

    /// Whether `folder` has been asked for longer than anybody waits.
    pub(crate) fn is_silent(&self, folder: &Path) -> bool {
        self.seen.folders().get(folder).is_some_and(FolderKnowledge::is_silent)
    }

    /// Folders in which nothing may start before they have answered.
    pub(crate) fn unanswered(&self) -> Vec<PathBuf> {
        let now = sync::now();
        let is_usable =
            |known: &FolderKnowledge| known.last.as_ref().is_some_and(|(at, _)| now.saturating_duration_since(*at) <= USABLE);
        let folders = self.seen.folders();
        folders.iter().filter(|(_, known)| known.asked.is_some() && !is_usable(known)).map(|(folder, _)| folder.clone()).collect()
    }

    /// Whether anything waits for a folder.
    pub(crate) fn is_waited_for(&self) -> bool {
        !self.waits().is_empty() || self.seen.folders().values().any(|known| known.asked.is_some())
    }

    /// Asks every folder that something waits for, and `others`.
    pub(crate) fn ask_waited_for(&self, others: Vec<PathBuf>) {
        let mut waited: HashSet<PathBuf> = self.waits().folders().map(Path::to_owned).collect();
        waited.extend(self.seen.folders().iter().filter(|(_, known)| known.is_put_off).map(|(folder, _)| folder.clone()));
        waited.extend(others);
        waited.iter().for_each(|folder| self.ask(folder));
    }

    /// May a request of `id` start in `folder`? What may not is remembered as waiting, and a folder that is not known is asked.
    pub(crate) fn is_ready(&self, id: UniqueId, folder: &Path, begun: Option<&PendingProbe>) -> bool {
        let FolderProbe::Fresh(answer) = self.look(folder) else {
            self.wanted().insert(folder.to_owned());
            return false;
        };
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

    /// A person wants `id` tried now, whatever is missing in `folder`.
    pub(crate) fn let_through(&self, id: UniqueId, folder: Option<&Path>) {
        let standing = folder.and_then(|folder| self.seen.folders().get(folder)?.last.clone()).map(|(_, answer)| answer.standing);
        self.waits().let_through(id, standing);
    }

    /// Those whose folder says something else than before wait no longer: they are looked at anew. Returns whether anything may
    /// start that could not.
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

    /// Whether what failed in `folder` failed because its disk is not there, or does not answer; `id` then waits for it. A person
    /// who wanted it tried all the same is told how it failed.
    pub(crate) fn is_away(&self, id: UniqueId, folder: &Path, begun: &PendingProbe) -> bool {
        if self.waits().was_let_through(id) {
            return false;
        }
        let is_absent = |answer: FolderAnswer| !may_go_on(&answer.standing, Some(begun));
        let is_unanswered = self.seen.folders().get(folder).is_some_and(|known| known.asked.is_some());
        is_unanswered || self.last(folder).is_some_and(is_absent)
    }

    /// The gate before `id`, whose files go to `folder`, if it is closed.
    pub(crate) fn closed(&self, id: UniqueId, folder: &Path) -> Option<GateReport> {
        if self.is_silent(folder) {
            return Some(silent(folder));
        }
        self.waits().closed(id)
    }

    /// Every folder that something waits for.
    pub(crate) fn gates(&self) -> Vec<GateReport> {
        let silent_ones = self.silent();
        let mut gates: Vec<GateReport> = silent_ones.iter().map(|folder| silent(folder)).collect();
        gates.extend(self.waits().gates(|folder| silent_ones.iter().any(|one| one == folder)));
        gates
    }

    /// Whether `id` waits for its folder.
    pub(crate) fn is_waiting(&self, id: UniqueId) -> bool {
        self.waits().closed(id).is_some()
    }

    /// Registrations that wait for their folder.
    pub(crate) fn waiting(&self) -> Vec<UniqueId> {
        self.waits().registrations()
    }

    /// Names the `folders` that do not exist, cannot be read or did not answer. [`Self::ask_within`] gave the `answers`. [pure]
    pub(crate) fn troubles(folders: Vec<PathBuf>, answers: &HashMap<PathBuf, FolderAnswer>) -> Vec<FolderTrouble> {
        let trouble = |path: PathBuf| {
            let text = match answers.get(&path) {
                Some(answer) => answer.standing.trouble()?,
                None => "it does not answer",
            };
            Some(FolderTrouble { path, text: text.to_owned() })
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
