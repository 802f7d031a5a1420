//! Partials that the ledger has no more use for: a kill between a commit and what follows it on disk leaves them behind.

use std::{collections::HashMap, path::PathBuf};

use ashore_transfer::{Found, Guid, survey};

use crate::{Error, shared::Shared, store::{Activated, Fate}};

/// Removes partials of requests that are complete or given up, among those that were `found`. One that no request knows is
/// somebody's, and stays; one of a request that is `running` is its evidence.
pub(crate) async fn tidy(
    shared: &Shared,
    found: &HashMap<PathBuf, Vec<Found>>,
    running: &[Activated],
) -> Result<(), Error> {
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
                        Some(Fate::GivenUp) => true,
                        // Of a file that is wrong nothing is kept, but for what was set aside before it came.
                        Some(Fate::Wrong) => found.part.symlink_metadata().is_ok(),
                        Some(Fate::Wanted) | None => false,
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
fn is_of(guid: Guid, found: &Found) -> bool {
    found.guid.map_or_else(|| guid.tag() == found.tag, |own| own == guid)
}

/// Whether a request may still go on with the partial of this tag.
async fn is_awaited(shared: &Shared, tag: &str) -> Result<bool, Error> {
    for guid in shared.store.guids_of_tag(tag).await? {
        if shared.store.wants_partial(guid).await? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the disk knows, by folder. A folder that cannot be read is one that holds nothing.
pub(crate) async fn survey_all(folders: Vec<PathBuf>) -> HashMap<PathBuf, Vec<Found>> {
    let read = move || {
        let mut all = HashMap::new();
        for folder in folders {
            all.entry(folder).or_insert_with_key(|folder| survey(folder).unwrap_or_default());
        }
        all
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}
