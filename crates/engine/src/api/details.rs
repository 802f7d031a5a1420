//! The verbs for whoever looks closely: what is known of one file, whether it still is the one that was placed, and where the
//! bytes of what runs lie. They are asked for by somebody who looks, and cost nothing before.

use std::{fs, path::PathBuf};

use ashore_transfer::disk;

use crate::{
    Engine, EngineError,
    api::engine::DOES_NOT_ANSWER,
    context::patience::FOLDER_WAITS,
    model::{RegistrationDetails, RequestAttempt, SegmentReport, UniqueId},
    store::{FileIdentity, FinishedRequest},
};

/// Parts that a map has: more than one pixel each, and few enough to be sent twice a second.
const PARTS: usize = 128;

impl Engine {
    /// Tries, referrer, mirrors and checksums of the file at `index`. `Unknown` when its registration is not in the list, and
    /// nothing of an index that it does not have.
    pub async fn details(&self, id: UniqueId, index: u32) -> Result<RegistrationDetails, EngineError> {
        self.show(id).await?;
        self.read_details(id, index).await
    }

    /// The same, of whatever has rows.
    pub(crate) async fn read_details(&self, id: UniqueId, index: u32) -> Result<RegistrationDetails, EngineError> {
        let live = self.shared.live.read().await;
        let mut details = self.shared.store.details(id, index).await?;
        if let Some(transfer) = live.transfers_of(id).find(|(_, transfer)| transfer.index == index).map(|(_, transfer)| transfer)
        {
            let number = details.attempts.first().map_or(1, |last| last.number + 1);
            details.attempts.insert(
                0,
                RequestAttempt {
                    number,
                    started: Some(transfer.begun_us.div_euclid(1000)),
                    ended: None,
                    status: None,
                    brought: Some(transfer.brought(transfer.downloaded())),
                    bytes: transfer.downloaded(),
                    url_chain: Vec::new(),
                    trouble: None,
                    is_final: false,
                    restart: None,
                },
            );
        }
        let mut restarts = self.shared.store.restarts(id, index).await?;
        for attempt in &mut details.attempts {
            attempt.restart = restarts.remove(&attempt.number);
        }
        Ok(details)
    }

    /// Where the finished file at `index` is. `Unknown` when its registration is not in the list, `FileUnfinished`,
    /// `FileGone`, and `FileChanged` where what is there is not the file that was placed.
    pub async fn file(&self, id: UniqueId, index: u32) -> Result<PathBuf, EngineError> {
        self.show(id).await?;
        self.read_file(id, index).await
    }

    /// The same, of whatever has rows.
    pub(crate) async fn read_file(&self, id: UniqueId, index: u32) -> Result<PathBuf, EngineError> {
        let finished = self.shared.store.finished(id, index).await?.ok_or(EngineError::FileUnfinished)?;
        let path = finished.path.clone();
        let folder = path.parent().unwrap_or(&path).to_owned();
        let silent = || EngineError::Target { path: folder, why: DOES_NOT_ANSWER.to_owned() };
        match disk::within(FOLDER_WAITS, move || fs::symlink_metadata(path)).await.ok_or_else(silent)? {
            Ok(found) if found.is_file() && is_still(&finished, FileIdentity::from(&found)) => Ok(finished.path),
            Ok(_) => Err(EngineError::FileChanged(finished.path)),
            Err(_) => Err(EngineError::FileGone(finished.path)),
        }
    }

    /// Maps of the files of a registration that are being fetched, in their order; of those whose size nobody knows, none.
    pub async fn segments(&self, id: UniqueId) -> Result<Vec<SegmentReport>, EngineError> {
        let live = self.shared.live.read().await;
        let map = |guid| self.shared.transfers.map(guid, PARTS);
        let mut maps: Vec<SegmentReport> = live
            .transfers_of(id)
            .filter_map(|(guid, transfer)| Some(SegmentReport::from_map(transfer.index, map(guid)?)))
            .collect();
        maps.sort_by_key(|map| map.index);
        Ok(maps)
    }
}

/// Whether the file that is there is the one that was placed. By its number on the disk; some file systems give every file
/// another one at each mount, and then the moment of its last change has to do.
fn is_still(placed: &FinishedRequest, there: FileIdentity) -> bool {
    match placed.identity {
        None => i64::try_from(placed.size) == Ok(there.size),
        Some(placed) => there.size == placed.size && (there.inode == placed.inode || there.modified_ns == placed.modified_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_number_or_by_the_moment_of_its_last_change_and_always_by_its_size() {
        let identity = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        let placed = FinishedRequest { path: PathBuf::new(), size: 3, identity: Some(identity) };
        assert!(is_still(&placed, identity));
        assert!(is_still(&placed, FileIdentity { device: 9, inode: 9, ..identity }), "its disk was mounted again");
        assert!(is_still(&placed, FileIdentity { modified_ns: 9, ..identity }), "somebody touched it");
        assert!(!is_still(&placed, FileIdentity { inode: 9, modified_ns: 9, ..identity }), "another one took its place");
        assert!(!is_still(&placed, FileIdentity { size: 9, ..identity }), "it has grown");
        let unknown = FinishedRequest { identity: None, ..placed };
        assert!(is_still(&unknown, FileIdentity { inode: 9, modified_ns: 9, ..identity }));
        assert!(!is_still(&unknown, FileIdentity { size: 9, ..identity }));
    }
}
