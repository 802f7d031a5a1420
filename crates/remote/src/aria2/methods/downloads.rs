//! Finds downloads, and reads the values that this interface keeps with them.

use std::sync::Arc;

use ashore_engine::{ListQuery, OwnerChoices, Registration, UniqueId};

use crate::aria2::{
    OWNER,
    gids::GidPrefix,
    methods::{Aria2Methods, refusal},
    options::mapping::KeptDownload,
    wire::Aria2Failure,
};

/// Maximum number of results that clients see, as in aria2.
pub(super) const MOST_RESULTS: u32 = 1000;
/// Maximum number of downloads in a list of unfinished downloads.
const MOST_UNFINISHED: u32 = 1_000_000;

impl Aria2Methods {
    /// Returns the download that a client names.
    pub(super) async fn find(&self, gid: &GidPrefix) -> Result<Registration, Aria2Failure> {
        let found = self.engine().find_by_prefix(OWNER, &gid.digits, 2).await.map_err(refusal)?;
        match <[Registration; 1]>::try_from(found) {
            Ok([download]) => Ok(download),
            Err(found) if found.is_empty() => Err(Aria2Failure::new(format!("GID {} is not found", gid.given))),
            Err(_) => Err(Aria2Failure::new(format!("GID {} is not unique", gid.given))),
        }
    }

    /// Returns the downloads that have not ended, in the order of the queue.
    pub(super) async fn unfinished(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let owner = Some(OWNER.to_owned());
        let query = ListQuery { owner, active: Some(true), limit: MOST_UNFINISHED, ..ListQuery::default() };
        let mut downloads = self.engine().list(query).await.map_err(refusal)?;
        // The list begins with the newest download. Reverse it, so that the oldest of several downloads with equal
        // ranks comes first.
        downloads.reverse();
        downloads.sort_by_key(|download| (!download.urgent, download.rank));
        Ok(downloads)
    }

    /// Returns the ended downloads whose results no client has removed, the earliest first.
    pub(super) async fn results(&self) -> Result<Vec<Registration>, Aria2Failure> {
        let mut results = self.engine().unacknowledged(OWNER, MOST_RESULTS).await.map_err(refusal)?;
        results.reverse();
        Ok(results)
    }

    /// Returns the values that this interface keeps with a download. They are empty if another program wrote them.
    pub(super) async fn kept(&self, id: UniqueId) -> Result<Arc<KeptDownload>, Aria2Failure> {
        if let Some(kept) = self.kept.get(id) {
            return Ok(kept);
        }
        let OwnerChoices { data, .. } = self.engine().owner_choices(id).await.map_err(refusal)?;
        let kept: Arc<KeptDownload> = Arc::new(serde_json::from_str(&data).unwrap_or_default());
        self.kept.put(id, Arc::clone(&kept));
        Ok(kept)
    }
}
