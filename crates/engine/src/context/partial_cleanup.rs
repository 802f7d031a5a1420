//! Partials that the ledger has no more use for: a kill between a commit and what follows it on disk leaves them behind.

use std::{
    collections::{HashMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use ashore_transfer::{Guid, RediscoveredFile, survey};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    EngineError,
    context::shared::EngineContext,
    folders::{FolderStanding, PendingProbe, look_at, may_go_on},
    store::{PartialDisposition, StartableRequest},
};

/// Folders that are read at once.
const READERS: usize = 16;
/// When no folder has answered for so long, those that have not are silent.
const SILENCE: Duration = Duration::from_secs(3);

/// Removes partials of requests that are complete or given up, among those that were `found`. One that no request knows is
/// somebody's, and stays; one of a request that is `running` is its evidence.
pub(crate) async fn tidy(
    shared: &EngineContext,
    found: &HashMap<PathBuf, Vec<RediscoveredFile>>,
    running: &[StartableRequest],
) -> Result<(), EngineError> {
    let every: Vec<_> = found.iter().flat_map(|(folder, found)| found.iter().map(move |found| (folder, found))).collect();
    let mut left = Vec::new();
    for (folder, found) in every {
        // Also of one that was given up since it got its name: without this, the same file would come a second time.
        if running.iter().any(|request| is_of(request.guid, found)) {
            continue;
        }
        match found.guid {
            Some(guid) => match shared.store.wants_partial(guid).await? {
                Some(true) => {}
                Some(false) => shared.transfers.discard(guid, folder).await,
                None => left.push((folder, found)),
            },
            // A second name of a file that is in its place: evidence for whoever may be tried again, and else nobody's.
            None if found.placed.is_some() => {
                if !is_awaited(shared, &found.tag).await? {
                    shared.transfers.drop_name(found.clone()).await;
                }
            }
            // No journal, so its name alone says whose it is.
            None => {
                let owners = shared.store.guids_of_tag(&found.tag).await?;
                if owners.is_empty() {
                    left.push((folder, found));
                }
                let mut is_given_up = true;
                for guid in &owners {
                    is_given_up &= match shared.store.fate_of_partial(*guid).await? {
                        Some(PartialDisposition::GivenUp) => true,
                        // Of a file that is wrong nothing is kept, but for what was set aside before it came.
                        Some(PartialDisposition::Wrong) => found.part.symlink_metadata().is_ok(),
                        Some(PartialDisposition::Wanted) | None => false,
                    };
                }
                for guid in owners.into_iter().filter(|_| is_given_up) {
                    shared.transfers.discard(guid, folder).await;
                }
            }
        }
    }
    let tags: Vec<&str> = left.iter().map(|(_, found)| found.tag.as_str()).collect();
    let completed = shared.store.completed_of_tags(&tags).await?;
    for (folder, found) in left {
        let mut is_known = false;
        for (guid, _) in completed.iter().filter(|(guid, _)| is_of(*guid, found)) {
            is_known = true;
            shared.transfers.discard(*guid, folder).await;
        }
        if !is_known && found.guid.is_some() {
            tracing::warn!(part = %found.part.display(), "no download in the list knows this partial; it is kept");
        }
    }
    Ok(())
}

/// Whether this is the transfer's, as far as the disk says.
fn is_of(guid: Guid, found: &RediscoveredFile) -> bool {
    found.guid.map_or_else(|| guid.tag() == found.tag, |own| own == guid)
}

/// Whether a request may still go on with the partial of this tag.
async fn is_awaited(shared: &EngineContext, tag: &str) -> Result<bool, EngineError> {
    for guid in shared.store.guids_of_tag(tag).await? {
        if shared.store.wants_partial(guid).await? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Partials on disk, by folder.
#[derive(Debug, Default)]
pub(crate) struct SurveyedFolder {
    pub found: HashMap<PathBuf, Vec<RediscoveredFile>>,
    /// Identity of each folder that could be read.
    pub standing: HashMap<PathBuf, FolderStanding>,
}

impl SurveyedFolder {
    /// Whether nobody could say what `folder` has of a request: its disk is not there, does not answer, or is another one.
    pub(crate) fn is_away(&self, folder: &Path, begun: Option<&PendingProbe>) -> bool {
        self.standing.get(folder).is_none_or(|standing| !may_go_on(standing, begun))
    }
}

/// The partials on the disk, by folder, of the folders that answer. Each is read by a thread of its own. Where all that are
/// left are silent, they are waited for no longer than [`SILENCE`].
pub(crate) async fn survey_all(shared: &EngineContext, folders: Vec<PathBuf>) -> SurveyedFolder {
    let mut wanted = folders;
    wanted.retain(|folder| !shared.folders.is_silent(folder));
    wanted.sort_unstable();
    wanted.dedup();
    let mut left = wanted.len();
    let asked: VecDeque<_> = wanted.into_iter().map(|folder| (shared.folders.memory.volume(&folder), folder)).collect();
    let (threads, asked) = (asked.len().min(READERS), Arc::new(Mutex::new(asked)));
    let (say, mut said) = mpsc::unbounded_channel();
    for _ in 0..threads {
        let (asked, say) = (Arc::clone(&asked), say.clone());
        let next = move || asked.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let read = move || {
            while let Some((was, folder)) = next() {
                let standing = look_at(&folder, was);
                let found = if standing.is_available() { survey(&folder) } else { Ok(Vec::new()) };
                // The caller may have stopped waiting.
                let _ = say.send((folder, standing, found));
            }
        };
        if thread::Builder::new().name("ashore-survey".to_owned()).spawn(read).is_err() {
            tracing::warn!("there is no thread left to look into folders with");
        }
    }
    drop(say);
    let mut surveyed = SurveyedFolder::default();
    while left > 0
        && let Ok(Some((folder, standing, found))) = timeout(SILENCE, said.recv()).await
    {
        left -= 1;
        match found {
            Ok(found) => {
                surveyed.found.insert(folder.clone(), found);
                surveyed.standing.insert(folder, standing);
            }
            Err(error) => tracing::warn!(folder = %folder.display(), %error, "a folder cannot be read"),
        }
    }
    if left > 0 {
        tracing::warn!(left, "folders do not answer; what is in them is seen when they do");
    }
    surveyed
}
