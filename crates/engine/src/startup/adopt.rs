//! Partials that nothing in the list knows, by their journals: which there are, and how they come into the list again. A
//! journal says address, size and validators, so that the bytes are gone on with by the same ladder as any others.
//!
//! A person adopts them one by one. After a damaged list was replaced by a copy, all of them are what the copy did not have.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

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

/// Who asks for what is adopted: a person, whoever it was before.
const OWNER: &str = "window";

/// A copy has taken the place of a damaged ledger: what began after it was made is found by its partials. A request that the
/// copy has and that had not begun gets its partial; what it gave up and has one again is wanted again; everything else is in
/// the list anew. Returns that.
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
        // Where its name is somebody else's by now, or it was removed and only its files are not yet, it stays as it is.
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
            tracing::warn!(part = %stranger.part.display(), why, "it stays beside the list");
            continue;
        }
        let (part, env) = (stranger.part.clone(), shared.env);
        // What cannot be adopted is kept, and `ashore doctor` names it.
        match disk::spawn(move || stranger.accept(&env)).await.map_err(|_| EngineError::Closed)? {
            Ok(accepted) => {
                ledger.create_registration(&accepted, now).await?;
                found_again.push(FoundAgain { unique_id: accepted.unique_id, title: accepted.title });
            }
            Err(error) => tracing::warn!(part = %part.display(), %error, "it stays beside the list"),
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

/// A file that was finished after the copy was made has no partial any more that says so. One that fits in every way is found
/// placed by whoever goes on with its download; another one is fetched again.
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
                Ok(Some(path)) => tracing::info!(path = %path.display(), "it was finished after the copy of the list was made"),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, name = one.name, "a finished file cannot be recognised, and is fetched again")
                }
            }
        }
    };
    disk::spawn(recognised).await.map_err(|_| EngineError::Closed)
}

/// A partial with a journal that nothing in the list knows.
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

    /// Why it cannot be adopted.
    pub(crate) fn refusal(&self) -> Option<String> {
        let (part, url) = (self.part.display(), &self.asked.url);
        if is_in_use(&self.part) {
            return Some(format!("Another program is working on {part}. Close it first."));
        }
        if self.asked.method != "GET" || !self.asked.may_resume && !self.is_placed {
            return Some(format!(
                "{part} cannot be gone on with: its server gave nothing to hold it to. Add its link anew: {url}"
            ));
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

/// Where partials may be: of what is not settled, of what settled since then (µs), every folder that was ever used, and where
/// files go when nobody chooses.
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

/// Those of `found` that nothing in the list knows. One that is placed and complete is a stranger too: its file is there, and
/// the list does not say so.
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
    use crate::tests::error_messages::is_said;

    #[test]
    fn what_cannot_be_gone_on_with_says_why() {
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
            (stranger("GET", false, false), "Add its link anew: https://a.example/a"),
            (stranger("POST", true, true), "cannot be gone on with"),
        ] {
            assert!(one.refusal().unwrap().contains(why));
            assert!(is_said(&EngineError::WrongState(one.refusal().unwrap()).trouble()));
            assert!(!one.into_orphan().may_resume);
        }
        let held = std::fs::File::open(&part).unwrap();
        held.lock().unwrap();
        let refusal = stranger("GET", true, false).refusal().unwrap();
        assert!(refusal.contains("Another program is working on") && is_said(&EngineError::WrongState(refusal).trouble()));
    }
}
