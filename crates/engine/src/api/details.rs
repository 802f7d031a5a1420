//! Engine methods for details of single files, for segment maps, and for checks that a finished file is unchanged.
//!
//! Everything is computed on request.

use std::{fs, path::PathBuf};

use ashore_transfer::disk;

use crate::{
    Engine, EngineError,
    api::engine::does_not_answer,
    context::patience::FOLDER_WAITS,
    model::{RegistrationDetails, RequestAttempt, SegmentReport, UniqueId},
    store::{FileIdentity, FinishedRequest},
};

/// Number of parts in a segment map.
///
/// Each part is wider than one pixel on the screen, and the map is small enough to be sent twice a second.
const PARTS: usize = 128;

impl Engine {
    /// Returns the attempts, headers, mirrors and checksums of the file at `index`.
    ///
    /// Fails with `Unknown` if the registration is not in the list. Returns empty details if it has no file at `index`.
    pub async fn details(&self, id: UniqueId, index: u32) -> Result<RegistrationDetails, EngineError> {
        self.show(id).await?;
        self.read_details(id, index).await
    }

    /// Same as [`Self::details`], but also works for a removed registration if the rows of the registration still
    /// exist.
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

    /// Returns the path of the finished file at `index`.
    ///
    /// Fails with `Unknown` if the registration is not in the list, with `FileUnfinished`, with `FileGone`, or with
    /// `FileChanged` if another file is now at the path.
    pub async fn file(&self, id: UniqueId, index: u32) -> Result<PathBuf, EngineError> {
        self.show(id).await?;
        self.read_file(id, index).await
    }

    /// Same as [`Self::file`], but also works for a removed registration if the rows of the registration still exist.
    pub(crate) async fn read_file(&self, id: UniqueId, index: u32) -> Result<PathBuf, EngineError> {
        let finished = self.shared.store.finished(id, index).await?.ok_or(EngineError::FileUnfinished)?;
        let path = finished.path.clone();
        let folder = path.parent().unwrap_or(&path).to_owned();
        let silent = || EngineError::Target { path: folder, why: does_not_answer() };
        match disk::within(FOLDER_WAITS, move || fs::symlink_metadata(path)).await.ok_or_else(silent)? {
            Ok(found) if found.is_file() && is_still(&finished, FileIdentity::from(&found)) => Ok(finished.path),
            Ok(_) => Err(EngineError::FileChanged(finished.path)),
            Err(_) => Err(EngineError::FileGone(finished.path)),
        }
    }

    /// Returns the segment map of each running file in a registration, with the index of the file.
    ///
    /// Files of unknown size have no map.
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

/// Whether `there` is the identity of the finished file `placed`.
///
/// The sizes must be equal. In addition, the inodes or the modification times must be equal. Some file systems assign
/// new inode numbers at each mount.
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
    fn downloaded_file_is_recognised_if_its_size_and_either_its_inode_or_mtime_match() {
        let identity = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        let placed = FinishedRequest { path: PathBuf::new(), size: 3, identity: Some(identity) };
        assert!(is_still(&placed, identity));
        assert!(is_still(&placed, FileIdentity { device: 9, inode: 9, ..identity }), "its disk was mounted again");
        assert!(is_still(&placed, FileIdentity { modified_ns: 9, ..identity }), "the file was modified");
        assert!(!is_still(&placed, FileIdentity { inode: 9, modified_ns: 9, ..identity }), "another one took its place");
        assert!(!is_still(&placed, FileIdentity { size: 9, ..identity }), "it has grown");
        let unknown = FinishedRequest { identity: None, ..placed };
        assert!(is_still(&unknown, FileIdentity { inode: 9, modified_ns: 9, ..identity }));
        assert!(!is_still(&unknown, FileIdentity { size: 9, ..identity }));
    }
}
