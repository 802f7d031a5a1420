//! Finds partial files that belong to no registration in the list, and adds them to the list from their journals.
//!
//! - A journal holds address, size and validators, so an adopted transfer resumes with the same checks as any other
//!   transfer.
//! - The user adopts partial files one by one. After a copy replaced a damaged list, all partial files that the copy
//!   lacks are adopted.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{Guid, RediscoveredFile, RediscoveryQuery, RediscoveryRequest, disk, is_in_use};

use crate::{
    EngineError,
    context::{partial_cleanup, shared::EngineContext},
    intake::validate::accept,
    model::{
        FileCategory, FoundAgain, NewRegistration, NewRequest, OrphanPartial, RequestSource, UniqueId,
        accepted::AcceptedRegistration,
    },
    platform::{day, env::EngineEnv},
    scheduler::expected,
    startup::ledger_recovery,
};

/// Owner of adopted registrations: the user, regardless of the earlier owner.
const OWNER: &str = "window";

/// Brings the list up to date after a copy replaced a damaged ledger. Returns the newly added registrations.
///
/// Partial files show which transfers began after the copy was made. A request that the copy lists as not begun gets
/// its partial file. A registration that the copy lists as given up is retried if it has a partial file. Every other
/// partial file is added as a new registration.
pub(crate) async fn bring_up_to_date(shared: &EngineContext) -> Result<Vec<FoundAgain>, EngineError> {
    let surveyed = partial_cleanup::survey_all(shared, folders(shared, i64::MIN).await?).await.found;
    recognise(shared, &surveyed).await?;
    let mut given_up = Vec::new();
    for found in surveyed.values().flatten() {
        let Some(guid) = found.guid else { continue };
        if found.placed.is_none()
            && shared.store.wants_partial(guid).await? == Some(false)
            && let Some(id) = shared.store.whose(guid).await?
        {
            given_up.push(id);
        }
    }
    let now = shared.env.now();
    let mut found_again = Vec::new();
    let strangers = unknown(shared, surveyed.into_values().flatten()).await?;
    let mut ledger = shared.store.begin().await?;
    given_up.sort_unstable();
    given_up.dedup();
    for id in given_up {
        // The registration stays unchanged if another registration has taken its name, or if it was removed and only
        // its files remain.
        match ledger.retry(id).await {
            Ok(_) | Err(EngineError::IdTaken(_) | EngineError::Unknown(_)) => {}
            Err(error) => return Err(error),
        }
    }
    for stranger in strangers {
        if ledger.give_guid_to_unstarted(&stranger.asked.url, stranger.folder(), stranger.guid).await? {
            continue;
        }
        if let Some(why) = stranger.refusal() {
            tracing::warn!(part = %stranger.part.display(), %why, "partial file cannot be adopted; left in place");
            continue;
        }
        let (part, env) = (stranger.part.clone(), shared.env);
        // A partial file that cannot be adopted is kept, and `ashore doctor` lists it.
        match disk::spawn(move || stranger.accept(&env)).await.map_err(|_| EngineError::Closed)? {
            Ok(accepted) => {
                ledger.create_registration(&accepted, now).await?;
                found_again.push(FoundAgain { unique_id: accepted.unique_id, title: accepted.title });
            }
            Err(error) => tracing::warn!(part = %part.display(), %error, "partial file cannot be adopted; left in place"),
        }
    }
    let announced = ledger_recovery::announce(&shared.data_dir, &found_again)?;
    ledger.commit().await?;
    let mut there = Vec::new();
    for one in announced {
        if shared.store.registration(one.unique_id).await?.is_some() {
            there.push(one);
        }
    }
    Ok(there)
}

/// Recognises files that were completed after the copy was made. Such a file no longer has a partial file. If a file
/// matches in every way, the download of the file counts as published when the download resumes. Any other file is
/// fetched again.
async fn recognise(shared: &EngineContext, surveyed: &HashMap<PathBuf, Vec<RediscoveredFile>>) -> Result<(), EngineError> {
    let copied = ledger_recovery::read(&shared.data_dir).and_then(|recovery| u64::try_from(recovery.copy_of?).ok());
    let Some(since) = copied.map(|copied| UNIX_EPOCH + Duration::from_millis(copied)) else { return Ok(()) };
    let mut unaware = Vec::new();
    for (request, name, size) in shared.store.begun().await? {
        let has_partial = surveyed.get(&request.folder).is_some_and(|all| all.iter().any(|one| one.tag == request.guid.tag()));
        if !has_partial
            && let Ok(url) = request.url.parse()
            && let Ok(expected) = expected(&request)
        {
            unaware.push(RediscoveryQuery { guid: request.guid, folder: request.folder, name, size, url, expected, since });
        }
    }
    let recognised = move || {
        for one in unaware {
            match one.recognise() {
                Ok(Some(path)) => {
                    tracing::info!(path = %path.display(), "finished file found that completed after the ledger backup")
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, name = one.name, "finished file could not be checked; will download again")
                }
            }
        }
    };
    disk::spawn(recognised).await.map_err(|_| EngineError::Closed)
}

/// A partial file that has a journal and belongs to no registration in the list.
pub(crate) struct OrphanCandidate {
    guid: Guid,
    asked: RediscoveryRequest,
    pub(crate) part: PathBuf,
    bytes: u64,
    is_placed: bool,
}

impl OrphanCandidate {
    fn folder(&self) -> &Path {
        self.part.parent().unwrap_or(Path::new("."))
    }

    /// Returns the reason why the partial file cannot be adopted; `None` if the partial file can be adopted.
    pub(crate) fn refusal(&self) -> Option<UserMessage> {
        if is_in_use(&self.part) {
            return Some(message!("wrong-state.worked-on", path = &self.part));
        }
        if self.asked.method != "GET" || !self.asked.may_resume && !self.is_placed {
            return Some(message!("wrong-state.partial", path = &self.part, url = &self.asked.url));
        }
        None
    }

    pub(crate) fn accept(self, env: &EngineEnv) -> Result<AcceptedRegistration, EngineError> {
        let folder = self.folder().to_owned();
        let request =
            NewRequest { url: self.asked.url, name: Some(self.asked.name), probe: Some(self.guid), ..NewRequest::default() };
        let new = NewRegistration {
            owner: OWNER.to_owned(),
            source: RequestSource::Window,
            folder: Some(folder.clone()),
            requests: vec![request],
            ..NewRegistration::default()
        };
        accept(new, UniqueId(env.guid()), &folder, day::today(env))
    }

    pub(crate) fn into_orphan(self) -> OrphanPartial {
        let may_resume = self.refusal().is_none();
        let RediscoveryRequest { url, name, size, .. } = self.asked;
        OrphanPartial { path: self.part, name, url, bytes: self.bytes, size, may_resume }
    }
}

/// Returns the folders that may hold partial files. These are the folders of unsettled registrations, the folders of
/// registrations settled after `ended_since_us` (microseconds), every folder ever used, and the default folders.
pub(crate) async fn folders(shared: &EngineContext, ended_since_us: i64) -> Result<Vec<PathBuf>, EngineError> {
    let mut folders = shared.store.folders_with_partials(ended_since_us).await?;
    folders.extend(shared.folders.memory.all());
    let settings = shared.settings();
    folders.push(settings.download_folder());
    folders.extend(FileCategory::ALL.into_iter().map(|category| settings.folder_of(category)));
    folders.sort_unstable();
    folders.dedup();
    Ok(folders)
}

pub(crate) async fn strangers(shared: &EngineContext, folders: Vec<PathBuf>) -> Result<Vec<OrphanCandidate>, EngineError> {
    unknown(shared, partial_cleanup::survey_all(shared, folders).await.found.into_values().flatten()).await
}

/// Returns the partial files in `found` that belong to no registration in the list. Includes partial files whose files
/// are complete and published, since the list does not have those files.
async fn unknown(
    shared: &EngineContext,
    found: impl Iterator<Item = RediscoveredFile>,
) -> Result<Vec<OrphanCandidate>, EngineError> {
    let mut left = Vec::new();
    for found in found {
        let RediscoveredFile { guid: Some(guid), asked: Some(asked), part, bytes, placed, tag } = found else { continue };
        if shared.store.whose(guid).await?.is_none() {
            left.push((tag, OrphanCandidate { guid, asked, part, bytes, is_placed: placed.is_some() }));
        }
    }
    let tags: Vec<&str> = left.iter().map(|(tag, _)| tag.as_str()).collect();
    let completed = shared.store.completed_of_tags(&tags).await?;
    left.retain(|(_, one)| completed.iter().all(|(guid, _)| *guid != one.guid));
    Ok(left.into_iter().map(|(_, one)| one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_of_orphan_partial_file_names_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("a.00000007.part");
        std::fs::write(&part, "a").unwrap();
        let stranger = |method: &str, may_resume, is_placed| {
            let url = "https://a.example/a".to_owned();
            let asked = RediscoveryRequest { method: method.to_owned(), url, name: "a".to_owned(), size: None, may_resume };
            OrphanCandidate { guid: Guid(uuid::Uuid::from_u128(7)), asked, part: part.clone(), bytes: 1, is_placed }
        };
        for sound in [stranger("GET", true, false), stranger("GET", false, true)] {
            assert_eq!(sound.refusal(), None);
            assert!(sound.into_orphan().may_resume);
        }
        for (one, why) in [
            (stranger("GET", false, false), "Add the link again: https://a.example/a"),
            (stranger("POST", true, true), "cannot be resumed"),
        ] {
            let refusal = one.refusal().unwrap();
            assert!(refusal.variant.as_deref() == Some("partial") && refusal.text.contains(why), "{refusal}");
            assert!(!one.into_orphan().may_resume);
        }
        let held = std::fs::File::open(&part).unwrap();
        held.lock().unwrap();
        let refusal = stranger("GET", true, false).refusal().unwrap();
        assert_eq!(refusal, message!("wrong-state.worked-on", path = &part));
    }
}
