//! Finds downloads, and reads the values that this interface keeps with them.

use std::sync::Arc;

use ashore_engine::{EngineError, ListQuery, OwnerChoices, QueueWindow, Registration, RegistrationState};

use crate::aria2::{
    OWNER,
    gids::{self, GidPrefix},
    methods::{Aria2Methods, refusal},
    options::mapping::KeptDownload,
    wire::Aria2Failure,
};

/// Maximum number of results that clients see, as in aria2.
pub(super) const MOST_RESULTS: u32 = 1000;
/// Maximum number of downloads in a list of unfinished downloads.
const MOST_UNFINISHED: u32 = 1_000_000;

impl Aria2Methods {
    /// Whether clients see the downloads of this owner.
    pub(crate) fn is_shown(&self, owner: &str) -> bool {
        self.config.shows_all || owner == OWNER
    }

    /// Returns the download that a client names.
    pub(super) async fn find(&self, gid: &GidPrefix) -> Result<Registration, Aria2Failure> {
        let mut found = self.engine().find_by_prefix(OWNER, &gid.digits, 2).await.map_err(refusal)?;
        // A whole GID of an own download names no other download.
        if !(gid.is_whole() && found.len() == 1) {
            found.extend(self.others().await?.filter(|one| gids::gid_of(one).starts_with(&gid.digits)));
        }
        match <[Registration; 1]>::try_from(found) {
            Ok([download]) => Ok(download),
            Err(found) if found.is_empty() => Err(Aria2Failure::new(format!("GID {} is not found", gid.given))),
            Err(_) => Err(Aria2Failure::new(format!("GID {} is not unique", gid.given))),
        }
    }

    /// Returns the downloads of other owners that clients see.
    pub(super) async fn others(&self) -> Result<impl Iterator<Item = Registration>, Aria2Failure> {
        let shown = match self.config.shows_all {
            true => [self.unfinished().await?, self.results().await?],
            false => [Vec::new(), Vec::new()],
        };
        Ok(shown.into_iter().flatten().filter(|one| one.owner != OWNER))
    }

    /// Returns the download that a client names. Fails if the download belongs to another owner.
    pub(super) async fn find_own(&self, gid: &GidPrefix) -> Result<Registration, Aria2Failure> {
        let found = self.find(gid).await?;
        match found.owner == OWNER {
            true => Ok(found),
            false => Err(Aria2Failure::new(format!("GID#{} was not added by a client of this interface", gids::gid_of(&found)))),
        }
    }

    /// Returns the owner whose downloads clients see; `None` if they see the downloads of all owners.
    pub(super) fn shown_owner(&self) -> Option<&'static str> {
        (!self.config.shows_all).then_some(OWNER)
    }

    /// Returns the running downloads in the order of the queue.
    pub(super) async fn running(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let running = self.engine().running(self.shown_owner()).await.map_err(refusal)?;
        self.read_count.add(running.len());
        Ok(running)
    }

    /// Returns a part of the waiting and paused downloads, in the order of the queue.
    pub(super) async fn queue_page(&self, window: QueueWindow) -> Result<Vec<Registration>, Aria2Failure> {
        let page = self.engine().queue_page(self.shown_owner(), window).await.map_err(refusal)?;
        self.read_count.add(page.len());
        Ok(page)
    }

    /// Returns the downloads that have not ended, in the order of the queue.
    pub(crate) async fn unfinished(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let owner = self.shown_owner().map(str::to_owned);
        let query = ListQuery { owner, active: Some(true), limit: MOST_UNFINISHED, ..ListQuery::default() };
        let mut downloads = self.engine().list(query).await.map_err(refusal)?;
        self.read_count.add(downloads.len());
        // The list begins with the newest download. Reverse it, so that the oldest of several downloads with equal
        // ranks comes first.
        downloads.reverse();
        downloads.sort_by_key(|download| (!download.urgent, download.rank));
        Ok(downloads)
    }

    /// Returns all waiting and paused downloads, in the order of the queue.
    pub(super) async fn waiting(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let mut waiting = self.unfinished().await?;
        waiting.retain(|download| download.state != RegistrationState::Running);
        Ok(waiting)
    }

    /// Returns the ended downloads of all owners that clients see, the earliest end first. Omits the results that
    /// clients have removed.
    pub(super) async fn results(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let mut results = self.own_results().await?;
        if self.config.shows_all {
            let query = ListQuery { active: Some(false), limit: MOST_RESULTS, ..ListQuery::default() };
            let ended = self.engine().list(query).await.map_err(refusal)?;
            results.extend(ended.into_iter().filter(|one| one.owner != OWNER));
            results.sort_by_key(|one| one.settled);
            results.drain(..results.len().saturating_sub(MOST_RESULTS as usize));
        }
        Ok(results)
    }

    /// Returns the ended downloads of this interface, the earliest end first. Omits the results that clients have
    /// removed.
    pub(super) async fn own_results(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let mut results = self.engine().unacknowledged(OWNER, MOST_RESULTS).await.map_err(refusal)?;
        results.reverse();
        Ok(results)
    }

    /// Returns the values that this interface keeps with a download. For a download of another owner, returns its
    /// addresses.
    pub(super) async fn kept(&self, download: &Registration) -> Result<Arc<KeptDownload>, Aria2Failure> {
        let id = download.unique_id;
        if download.owner != OWNER {
            // Do not keep these addresses in the cache, because the user may change them.
            // An error usually means that the download was removed in the meantime.
            return Ok(Arc::new(self.addresses(download).await.unwrap_or_default()));
        }
        if let Some(kept) = self.kept.get(id) {
            return Ok(kept);
        }
        let OwnerChoices { data, .. } = self.engine().owner_choices(id).await.map_err(refusal)?;
        let kept: Arc<KeptDownload> = Arc::new(serde_json::from_str(&data).unwrap_or_default());
        self.kept.insert(id, Arc::clone(&kept));
        Ok(kept)
    }

    /// Returns the addresses of the first file of a download. They contain no credentials.
    pub(super) async fn addresses(&self, download: &Registration) -> Result<KeptDownload, EngineError> {
        let records = self.engine().records(download.unique_id, 0, 1).await?;
        let mirrors = self.engine().details(download.unique_id, 0).await?.mirrors;
        let uris = records.into_iter().map(|record| record.url).chain(mirrors).collect();
        Ok(KeptDownload { uris, ..KeptDownload::default() })
    }
}
