//! Removes partial files that the ledger no longer needs.
//!
//! Such files remain on the disk if the process is killed between a commit and the disk work that follows the commit.

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

/// Number of folders that are read at the same time.
const READERS: usize = 16;
/// Maximum time without an answer from any folder. After this time, the remaining folders count as silent.
const SILENCE: Duration = Duration::from_secs(3);

/// Removes the partial files in `found` whose requests are complete or given up.
///
/// A partial file of an unknown request stays, because another program may own it. The partial file of a `running`
/// request stays, because it shows whether that request was completed.
pub(crate) async fn tidy(
    shared: &EngineContext,
    found: &HashMap<PathBuf, Vec<RediscoveredFile>>,
    running: &[StartableRequest],
) -> Result<(), EngineError> {
    let every: Vec<_> = found.iter().flat_map(|(folder, found)| found.iter().map(move |found| (folder, found))).collect();
    let mut left = Vec::new();
    for (folder, found) in every {
        // Keep this partial file even if its request was given up: it proves that the file was published, which
        // prevents a second download.
        if running.iter().any(|request| is_of(request.guid, found)) {
            continue;
        }
        match found.guid {
            Some(guid) => match shared.store.wants_partial(guid).await? {
                Some(true) => {}
                Some(false) => shared.transfers.discard(guid, folder).await,
                None => left.push((folder, found)),
            },
            // This partial file is a hard link to a published file. It is needed only while its request may be retried.
            None if found.placed.is_some() => {
                if !is_awaited(shared, &found.tag).await? {
                    shared.transfers.drop_name(found.clone()).await;
                }
            }
            // Without a journal, only the tag in the file name identifies the request.
            None => {
                let owners = shared.store.guids_of_tag(&found.tag).await?;
                if owners.is_empty() {
                    left.push((folder, found));
                }
                let mut is_given_up = true;
                for guid in &owners {
                    is_given_up &= match shared.store.fate_of_partial(*guid).await? {
                        Some(PartialDisposition::GivenUp) => true,
                        // Remove the wrong bytes, but not an earlier partial file that was kept beside them.
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
            tracing::warn!(part = %found.part.display(), "partial file belongs to no download in the ledger; kept");
        }
    }
    Ok(())
}

/// Returns whether `found` belongs to the transfer `guid`, according to the data on disk.
fn is_of(guid: Guid, found: &RediscoveredFile) -> bool {
    found.guid.map_or_else(|| guid.tag() == found.tag, |own| own == guid)
}

/// Returns whether any request may still resume from the partial file with this tag.
async fn is_awaited(shared: &EngineContext, tag: &str) -> Result<bool, EngineError> {
    for guid in shared.store.guids_of_tag(tag).await? {
        if shared.store.wants_partial(guid).await? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Partial files that were found on disk, by folder.
#[derive(Debug, Default)]
pub(crate) struct SurveyedFolder {
    pub found: HashMap<PathBuf, Vec<RediscoveredFile>>,
    /// Identity of each folder that could be read.
    pub standing: HashMap<PathBuf, FolderStanding>,
}

impl SurveyedFolder {
    /// Returns whether the content of `folder` is unknown for a request.
    ///
    /// It is unknown if the disk is missing, does not answer, or is another disk.
    pub(crate) fn is_away(&self, folder: &Path, begun: Option<&PendingProbe>) -> bool {
        self.standing.get(folder).is_none_or(|standing| !may_go_on(standing, begun))
    }
}

/// Returns the partial files on disk, by folder. Leaves out folders that do not answer.
///
/// Up to [`READERS`] threads list the folders. If none of the remaining folders answers, the wait ends after
/// [`SILENCE`].
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
                // Ignore the error: sending fails only after the caller has stopped waiting.
                let _ = say.send((folder, standing, found));
            }
        };
        if thread::Builder::new().name("ashore-survey".to_owned()).spawn(read).is_err() {
            tracing::warn!("thread for reading folders could not be started");
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
            Err(error) => tracing::warn!(folder = %folder.display(), %error, "folder could not be read"),
        }
    }
    if left > 0 {
        tracing::warn!(left, "folders did not respond in time; will be read when they respond");
    }
    surveyed
}
