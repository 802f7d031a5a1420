//! Engine methods for partial files that are not in the ledger.

use ashore_messages::message;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use ashore_transfer::disk;

use crate::{
    Engine, EngineError,
    model::{OrphanPartial, Registration},
    startup::adopt::{OrphanCandidate, folders, strangers},
};

impl Engine {
    /// Returns the partial files that have a journal but belong to no registration.
    ///
    /// Searches all folders that were ever used, and the folders of the settings.
    pub async fn orphans(&self) -> Result<Vec<OrphanPartial>, EngineError> {
        let mut orphans: Vec<OrphanPartial> = strangers(&self.shared, folders(&self.shared, i64::MAX).await?)
            .await?
            .into_iter()
            .map(OrphanCandidate::into_orphan)
            .collect();
        orphans.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(orphans)
    }

    /// Adds `partials` to the list and resumes them. If `partials` is empty, adopts every orphaned partial file that
    /// can be resumed.
    ///
    /// If one file is refused, nothing is adopted or written. Fails with `Invalid` if a path is not an orphaned partial
    /// file of Ashore, with `WrongState` if the file cannot be resumed or is in use by another program, and with the
    /// errors of `create`.
    pub async fn adopt(&self, partials: Vec<PathBuf>) -> Result<Vec<Registration>, EngineError> {
        let found = match partials.is_empty() {
            true => {
                let mut all = strangers(&self.shared, folders(&self.shared, i64::MAX).await?).await?;
                all.retain(|one| one.refusal().is_none());
                all
            }
            false => self.named(&partials).await?,
        };
        let mut accepted = Vec::new();
        for stranger in found {
            let (env, now) = (self.shared.env, self.shared.env.now());
            let checked = disk::spawn(move || stranger.accept(&env)).await.map_err(|_| EngineError::Closed)??;
            accepted.push((checked, now));
        }
        let mut ledger = self.shared.store.begin().await?;
        for (one, now) in &accepted {
            ledger.create_registration(one, *now).await?;
        }
        ledger.commit().await?;
        let mut adopted = Vec::new();
        for (one, _) in accepted {
            self.changed(one.unique_id).await;
            adopted.push(self.show(one.unique_id).await?);
        }
        Ok(adopted)
    }

    async fn named(&self, partials: &[PathBuf]) -> Result<Vec<OrphanCandidate>, EngineError> {
        let parents = partials.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect();
        let mut all: HashMap<PathBuf, OrphanCandidate> =
            strangers(&self.shared, parents).await?.into_iter().map(|one| (one.part.clone(), one)).collect();
        let mut named = Vec::new();
        for path in partials {
            let stranger = all.remove(path).ok_or_else(|| EngineError::Invalid(message!("invalid.partial", path = path)))?;
            if let Some(why) = stranger.refusal() {
                return Err(EngineError::WrongState(why));
            }
            named.push(stranger);
        }
        Ok(named)
    }
}
