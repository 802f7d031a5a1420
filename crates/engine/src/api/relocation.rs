//! Moves the files of a registration to another folder.
//!
//! 1. The transfers of the registration stop, and the ledger records the move.
//! 2. The partial files move. Then the ledger records the new folder.
//! 3. Each complete file gets its new name. Then the ledger records its path, and the old name is removed.
//!
//! The next start continues a move that was interrupted after its first step. No file is overwritten: a complete file gets
//! a numbered name if its name is taken.

use std::{
    collections::BTreeSet,
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    slice,
};

use ashore_messages::message;
use ashore_transfer::{Guid, NameAttempt, disk, give_name, has_same_bytes, numbered_name, tags_in};

use crate::{
    Engine, EngineError,
    api::engine::{apart, does_not_answer},
    context::patience::FOLDER_WAITS,
    intake::validate::usable_folder,
    model::UniqueId,
    platform::failpoint,
    store::{
        FileIdentity,
        registrations::relocation::{AnnouncedMove, PublishedRequest},
    },
};

/// Maximum number of names to try for one file.
const MOST_NAMES: u32 = 10_000;
/// Failures that another folder can end.
const OF_FOLDER: [&str; 3] = ["target", "disk-full", "file-too-large"];

/// Folders of a move.
struct Move {
    id: UniqueId,
    from: PathBuf,
    to: PathBuf,
}

/// Failure of a move.
struct MoveFailure {
    error: EngineError,
    /// Whether some partial files are in the new folder, and others in the old one.
    is_split: bool,
}

impl From<EngineError> for MoveFailure {
    fn from(error: EngineError) -> Self {
        Self { error, is_split: false }
    }
}

/// While this value exists, no other call moves the files of the registration.
struct MoveClaim {
    engine: Engine,
    id: UniqueId,
}

impl Drop for MoveClaim {
    fn drop(&mut self) {
        self.engine.shared.halted.end_move(self.id);
    }
}

impl Engine {
    /// Moves the files of a registration to `folder`. The registration may have any state.
    ///
    /// Running downloads continue there with their received bytes. Failed requests are retried if their folder caused the
    /// failure. If the present folder is not available, its files stay, and unfinished downloads begin again.
    ///
    /// Returns after the last file has moved. If the caller stops waiting, the move continues.
    ///
    /// Fails with `Unknown`; with `Target` if `folder` cannot be used, or if a file cannot be moved; and with
    /// `WrongState` if an upload is running, the files are already moving, or another program has moved a file.
    pub async fn put_into(&self, id: UniqueId, folder: PathBuf) -> Result<(), EngineError> {
        let silent = EngineError::Target { path: folder.clone(), why: does_not_answer() };
        let to = disk::within(FOLDER_WAITS, move || usable_folder(&folder).map(|_| folder)).await.unwrap_or(Err(silent))?;
        let engine = self.clone();
        let moved = tokio::spawn(async move { engine.relocate(id, to).await }).await;
        moved.map_err(|_| EngineError::Closed)?
    }

    async fn relocate(&self, id: UniqueId, to: PathBuf) -> Result<(), EngineError> {
        let halt = self.hold_back(id).await?;
        let claim = self.claim_move(id)?;
        // The folder is read after the claim, because an earlier move may just have changed it.
        let from = self.shared.store.folder_of(id).await?.ok_or(EngineError::Unknown(id))?;
        let is_there = self.is_available(id, &from).await;
        self.shared.folders.memory.add(&to);
        self.shared.folders.memory.write();
        // Keeps the rows until the end of the move, even if the user removes the registration meanwhile.
        let _hold = self.hold(id).await?;
        let active = self.shared.store.active_guids(Some(id)).await?;
        self.stop_and_wait(&halt, &active).await?;
        let the_move = Move { id, from, to };
        if is_there {
            self.look_for_partials(&the_move).await?;
        }
        let mut ledger = self.shared.store.begin().await?;
        ledger.begin_relocation(id, &the_move.to).await?;
        ledger.commit().await?;
        failpoint::hit("engine.move-begun");
        let moved = self.finish_move(&the_move, is_there).await;
        self.retry_in_new_folder(&the_move).await?;
        drop((claim, halt));
        self.changed(id).await;
        moved
    }

    /// Prevents other moves of the files of a halted registration. Fails with `WrongState` if they are already moving.
    fn claim_move(&self, id: UniqueId) -> Result<MoveClaim, EngineError> {
        match self.shared.halted.begin_move(id) {
            true => Ok(MoveClaim { engine: self.clone(), id }),
            false => Err(EngineError::WrongState(message!("wrong-state.moving"))),
        }
    }

    /// Retries requests that can continue in the new folder. Does nothing if the folder has not changed, or if the user has
    /// cancelled or removed the registration during the move.
    async fn retry_in_new_folder(&self, Move { id, to, .. }: &Move) -> Result<(), EngineError> {
        // No other call changes the registration until this transaction ends.
        let mut ledger = self.shared.store.begin().await?;
        let now = match self.show(*id).await {
            Err(EngineError::Unknown(_)) => return Ok(()),
            now => now?,
        };
        let failure = now.failure.as_ref().map(|failure| failure.code.as_str());
        if self.shared.store.folder_of(*id).await?.as_ref() != Some(to) || !may_retry(now.is_settled(), failure) {
            return Ok(());
        }
        ledger.retry(*id).await?;
        self.commit_and_wake(ledger, *id).await
    }

    /// Starts a task that continues the moves of files that an earlier engine did not finish. Does nothing if this engine
    /// runs no transfers.
    pub(crate) fn resume_moves(&self) {
        if self.orders.is_some() {
            let engine = self.clone();
            tokio::spawn(async move { engine.finish_moves().await });
        }
    }

    /// Finishes the recorded moves. Their registrations are halted since the start.
    async fn finish_moves(&self) {
        let moves = match self.shared.store.relocations().await {
            Ok(moves) => moves,
            Err(error) => return tracing::warn!(%error, "interrupted moves of files unknown; will retry at the next start"),
        };
        // A slow disk delays only the moves to or from it.
        for (id, to) in moves {
            let engine = self.clone();
            tokio::spawn(async move { engine.finish_recorded_move(id, to).await });
        }
    }

    /// Finishes one recorded move. Its registration is halted since the start.
    async fn finish_recorded_move(&self, id: UniqueId, to: PathBuf) {
        let halt = self.hold_back(id).await;
        self.shared.halted.end(id);
        let finished = async {
            let _halt = halt?;
            let _claim = self.claim_move(id)?;
            let from = self.shared.store.folder_of(id).await?.ok_or(EngineError::Unknown(id))?;
            let _hold = self.hold(id).await?;
            if !self.is_available(id, &from).await {
                // The registration waits for this folder. A later start continues the move.
                return Ok(());
            }
            self.finish_move(&Move { id, from, to }, true).await
        };
        let finished: Result<(), EngineError> = finished.await;
        if let Err(error) = finished {
            tracing::warn!(%id, %error, "files of a download could not be moved completely");
        }
        self.changed(id).await;
    }

    /// Whether the present folder of a registration answers, and is the folder that the registration has used before.
    async fn is_available(&self, id: UniqueId, folder: &PathBuf) -> bool {
        let said = self.shared.folders.ask_within(slice::from_ref(folder), FOLDER_WAITS).await;
        said.get(folder).is_some_and(|answer| answer.standing.is_available()) && !self.shared.folders.is_waiting(id)
    }

    /// Fails with `WrongState` if another program has moved or removed a partial file.
    async fn look_for_partials(&self, Move { id, from, .. }: &Move) -> Result<(), EngineError> {
        let partials = self.shared.store.partials_of(*id).await?;
        let there = tags_of(from).await?;
        match partials.iter().any(|(guid, kept)| *kept > 0 && !there.contains(&guid.tag())) {
            true => Err(EngineError::WrongState(message!("wrong-state.partial-away", path = from))),
            false => Ok(()),
        }
    }

    /// Moves the files, and removes the record of the move.
    async fn finish_move(&self, the_move: &Move, is_there: bool) -> Result<(), EngineError> {
        let Move { id, from, to } = the_move;
        self.shared.tell_changed(*id).await;
        let moved = async {
            if is_there && !is_same_folder(from, to).await? {
                self.move_partials(the_move).await?;
            }
            failpoint::hit("engine.move-partials-moved");
            let mut ledger = self.shared.store.begin().await?;
            ledger.set_folder(*id, to).await?;
            ledger.commit().await?;
            failpoint::hit("engine.move-folder-written");
            Ok(self.move_published(*id, to, is_there).await?)
        };
        let moved: Result<(), MoveFailure> = moved.await;
        // If the partial files are in both folders, the next start continues the move.
        if !matches!(moved, Err(MoveFailure { is_split: true, .. })) {
            let mut ledger = self.shared.store.begin().await?;
            ledger.end_relocation(*id).await?;
            ledger.commit().await?;
        }
        moved.map_err(|failure| failure.error)
    }

    /// Moves the partial files. If one of them cannot be moved, moves the others back.
    async fn move_partials(&self, the_move: &Move) -> Result<(), MoveFailure> {
        let Move { id, from, to } = the_move;
        let there = tags_of(from).await?;
        let partials = self.shared.store.partials_of(*id).await?;
        let guids: Vec<Guid> = partials.into_iter().map(|(guid, _)| guid).filter(|guid| there.contains(&guid.tag())).collect();
        for (count, guid) in guids.iter().enumerate() {
            if let Err(error) = self.shared.transfers.relocate(*guid, from, to).await {
                self.move_back(the_move, &guids[..count]).await;
                // The new folder may have vanished, together with the files that have moved.
                let there = tags_of(from).await;
                let is_split = !there.is_ok_and(|there| guids.iter().all(|guid| there.contains(&guid.tag())));
                return Err(MoveFailure { is_split, error: unusable(to, &error) });
            }
        }
        Ok(())
    }

    /// Moves the partial files of `guids` back to their old folder.
    async fn move_back(&self, Move { id, from, to }: &Move, guids: &[Guid]) {
        for guid in guids {
            if let Err(error) = self.shared.transfers.relocate(*guid, to, from).await {
                tracing::error!(%id, %error, "partial file could not be moved back to its folder");
            }
        }
    }

    /// Moves the complete files. Fails after the last one if another program has moved any of them.
    async fn move_published(&self, id: UniqueId, to: &Path, is_there: bool) -> Result<(), EngineError> {
        let announced = self.shared.store.announced_move(id).await?;
        let (mut next, mut away) = (Some(0), None);
        while let Some(from) = next
            && let Some(file) = self.shared.store.published_from(id, from).await?
        {
            next = file.index.checked_add(1);
            let planned = announced.as_ref().filter(|planned| planned.index == file.index);
            if let Some(folder) = file.path.parent()
                && is_same_folder(folder, to).await?
            {
                if let (Some(planned), Some(identity)) = (planned.filter(|planned| planned.target == file.path), file.identity) {
                    // The new path is recorded, but the old name may remain.
                    remove_old_name(planned.source.clone(), identity).await?;
                }
                continue;
            }
            if !self.move_file(id, &file, to, planned).await? {
                away.get_or_insert(file.path);
            }
        }
        match away {
            Some(path) if is_there => Err(EngineError::WrongState(message!("wrong-state.away", path = &path))),
            _ => Ok(()),
        }
    }

    /// Moves one complete file. Returns false if another program has moved, removed or changed it.
    ///
    /// `planned` is the move of this file that an earlier engine did not finish.
    async fn move_file(
        &self,
        id: UniqueId,
        file: &PublishedRequest,
        to: &Path,
        planned: Option<&AnnouncedMove>,
    ) -> Result<bool, EngineError> {
        let Some(identity) = file.identity else { return Ok(false) };
        if let Some(planned) = planned {
            let (source, target) = (file.path.clone(), planned.target.clone());
            if let Some(path) = apart(move || Ok(is_moved(identity, &source, &target).then_some(target))).await? {
                self.record_file(id, file, path, identity).await?;
                return Ok(true);
            }
        }
        let source = file.path.clone();
        if !apart(move || Ok(identity.is_still_at(&source))).await? {
            return Ok(false);
        }
        let Some(name) = file.path.file_name() else { return Ok(false) };
        let name = name.to_string_lossy();
        for number in 0..MOST_NAMES {
            let target = to.join(numbered_name(&name, number));
            let looked_at = target.clone();
            if apart(move || Ok(looked_at.symlink_metadata().is_ok())).await? {
                continue;
            }
            let mut ledger = self.shared.store.begin().await?;
            let planned = AnnouncedMove { index: file.index, source: file.path.clone(), target: target.clone() };
            ledger.announce_move(id, &planned).await?;
            ledger.commit().await?;
            failpoint::hit("engine.move-announced");
            let (source, path, tag) = (file.path.clone(), target.clone(), file.guid.tag());
            let folder = to.to_owned();
            let given = apart(move || give_name(&source, &path, &tag).map_err(|error| unusable(&folder, &error))).await?;
            failpoint::hit("engine.move-named");
            if given == NameAttempt::Given {
                self.record_file(id, file, target, identity).await?;
                return Ok(true);
            }
        }
        Err(unusable(to, &io::ErrorKind::AlreadyExists.into()))
    }

    /// Records the new path of a complete file, and removes its old name.
    async fn record_file(
        &self,
        id: UniqueId,
        file: &PublishedRequest,
        path: PathBuf,
        before: FileIdentity,
    ) -> Result<(), EngineError> {
        let looked_at = path.clone();
        let now = apart(move || Ok(FileIdentity::from_path(&looked_at))).await?;
        let now = now.ok_or_else(|| unusable(&path, &io::ErrorKind::NotFound.into()))?;
        let mut ledger = self.shared.store.begin().await?;
        ledger.record_move(id, file.index, &path, now).await?;
        ledger.commit().await?;
        failpoint::hit("engine.move-written");
        remove_old_name(file.path.clone(), before).await
    }
}

/// Removes the old name of a moved file, if it still leads to the file with this identity.
async fn remove_old_name(old: PathBuf, identity: FileIdentity) -> Result<(), EngineError> {
    apart(move || {
        if identity.is_still_at(&old)
            && let Err(error) = std::fs::remove_file(&old)
        {
            tracing::warn!(path = %old.display(), %error, "moved file could not be removed from its old folder");
        }
        Ok(())
    })
    .await
}

/// Whether an interrupted move has already given the file the name `target`.
///
/// `identity` is that of the file at `source`. Waits for disks.
fn is_moved(identity: FileIdentity, source: &Path, target: &Path) -> bool {
    match (identity.is_still_at(source), identity.is_still_at(target)) {
        // The name `target` belongs to another file, or does not exist.
        (_, false) => false,
        (false, true) => true,
        (true, true) => has_same_bytes(source, target),
    }
}

/// Whether the failed requests of a registration are retried after its folder has changed. `failure` is the code of its
/// failure. [pure]
fn may_retry(is_settled: bool, failure: Option<&str>) -> bool {
    !is_settled || failure.is_some_and(|code| OF_FOLDER.contains(&code))
}

/// Returns the tags in the names of the partial files in `folder`.
async fn tags_of(folder: &Path) -> Result<BTreeSet<String>, EngineError> {
    let folder = folder.to_owned();
    apart(move || tags_in(&folder).map_err(|error| unusable(&folder, &error))).await
}

/// Whether both paths lead to the same folder, for example through a symbolic link.
async fn is_same_folder(one: &Path, other: &Path) -> Result<bool, EngineError> {
    if one == other {
        return Ok(true);
    }
    let paths = [one.to_owned(), other.to_owned()];
    apart(move || {
        let [one, other] = paths.map(|path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok());
        Ok(one.is_some() && one == other)
    })
    .await
}

fn unusable(path: &Path, error: &io::Error) -> EngineError {
    EngineError::Target { path: path.to_owned(), why: error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_downloads_and_failures_of_the_folder_are_retried_in_a_new_folder() {
        assert!(may_retry(false, None) && may_retry(true, Some("disk-full")));
        assert!(!may_retry(true, Some("aborted")) && !may_retry(true, Some("not-found")) && !may_retry(true, None));
    }
}
