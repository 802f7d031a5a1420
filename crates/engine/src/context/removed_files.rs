//! Removes the files of removed downloads, and decides whether a file is still the one that was published.

use std::{collections::HashSet, path::Path};

use ashore_messages::{UserMessage, message};
use ashore_transfer::disk;

use crate::{
    EngineError, EngineEvent,
    context::{patience::FOLDER_WAITS, shared::EngineContext},
    folders::{FolderStanding, VolumeState, kind_at, look_at, numbers_anew},
    platform::failpoint,
    store::{FileIdentity, PendingFileRemoval},
};

impl EngineContext {
    /// Removes the files that the ledger has released, then deletes their rows.
    ///
    /// A published file goes to the trash, but stays if it has changed since. A file with wrong content is deleted
    /// directly. If a removal fails, the file stays listed with the reason for the user, and the next removal or start
    /// tries again.
    pub(crate) async fn collect_files(&self) -> Result<(), EngineError> {
        let mut silent = HashSet::new();
        let before = self.store.kept_files().await?;
        for doomed in self.store.file_gc().await? {
            let path = doomed.path.clone();
            if path.parent().is_some_and(|folder| silent.contains(folder)) {
                continue;
            }
            let was = path.parent().and_then(|folder| self.folders.memory.volume(folder));
            let Some(removed) = disk::within(FOLDER_WAITS, move || remove_file(&doomed, was)).await else {
                // The file stays in the list, and the next removal tries again.
                tracing::warn!(path = %path.display(), "file of a removed download kept for now; its disk does not respond");
                silent.extend(path.parent().map(Path::to_owned));
                continue;
            };
            failpoint::hit("engine.file-gone");
            let mut ledger = self.store.begin().await?;
            match removed {
                Ok(()) => ledger.forget_file(&path).await?,
                Err(why) => {
                    tracing::error!(path = %path.display(), %why, "file of a removed download could not be removed; kept");
                    ledger.keep_file(&path, &why).await?;
                }
            }
            ledger.commit().await?;
        }
        if self.store.kept_files().await? != before {
            // Make listeners read the list of kept files again, because the removal was already reported to them.
            self.speaker.emit(EngineEvent::Lagged);
        }
        Ok(())
    }
}

/// Removes the file `doomed`. Fails with the reason why the file stays.
///
/// `was` is the volume of its folder at the last use.
fn remove_file(doomed: &PendingFileRemoval, was: Option<VolumeState>) -> Result<(), UserMessage> {
    let there = FileIdentity::from_path(&doomed.path);
    match doomed.identity {
        None => match std::fs::remove_file(&doomed.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(UserMessage::from(&error)),
            _ => Ok(()),
        },
        Some(identity) if there.is_none() && is_away(&doomed.path, identity, was) => Err(message!("kept-file.away")),
        // Keep the file, because another program moved, edited or replaced it.
        Some(identity) if there.is_none_or(|there| !identity.is_still(there, renumbers(&doomed.path))) => Ok(()),
        Some(_) if doomed.outright => std::fs::remove_file(&doomed.path).map_err(|error| UserMessage::from(&error)),
        Some(_) => trash::delete(&doomed.path).map_err(|error| not_in_trash(&error)),
    }
}

/// Returns the reason why a file could not be moved to the trash.
fn not_in_trash(error: &trash::Error) -> UserMessage {
    match error {
        trash::Error::FileSystem { source, .. } => UserMessage::from(source),
        other => message!("kept-file.trash", why = other.to_string()),
    }
}

/// Returns whether a file is missing because its disk is missing. The file may then still exist on that disk.
///
/// `placed` identifies the published file. `was` is the volume of its folder at the last use. If the disk is present
/// but the folder is missing, the file no longer exists.
fn is_away(path: &Path, placed: FileIdentity, was: Option<VolumeState>) -> bool {
    let Some(folder) = path.parent() else { return false };
    match look_at(folder, was) {
        FolderStanding::Same(_) | FolderStanding::Unknown => false,
        FolderStanding::Other { is_alike, .. } => !is_alike,
        FolderStanding::Missing | FolderStanding::NotAFolder => {
            let nearest = folder.ancestors().find_map(FileIdentity::from_path);
            nearest.is_some_and(|nearest| nearest.device != placed.device)
        }
    }
}

impl FileIdentity {
    /// Returns whether `there`, the file now at the path, is the published file.
    ///
    /// Only the published file may be deleted. Disks may get other device numbers at each start (USB, LVM, btrfs). Some
    /// file systems renumber their files at each mount (`renumbers`), even under the same device number. On other file
    /// systems, a file with another inode on the same device is another file.
    pub(crate) fn is_still(self, there: Self, renumbers: bool) -> bool {
        let is_same_number = renumbers || self.inode == there.inode || self.device != there.device;
        is_same_number && (self.size, self.modified_ns) == (there.size, there.modified_ns)
    }

    /// Returns whether the file at `path` is the published file. Waits for the disk.
    pub(crate) fn is_still_at(self, path: &Path) -> bool {
        Self::from_path(path).is_some_and(|there| self.is_still(there, renumbers(path)))
    }

    /// Returns the identity of the file at `path`. Does not follow a symbolic link.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        std::fs::symlink_metadata(path).ok().as_ref().map(Self::from)
    }
}

/// Returns whether the file system at `path` renumbers its files, so that only size and modification time identify
/// them.
fn renumbers(path: &Path) -> bool {
    kind_at(path).is_some_and(numbers_anew)
}

impl From<&std::fs::Metadata> for FileIdentity {
    fn from(meta: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let signed = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
        let modified_ns = meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec());
        Self { device: signed(meta.dev()), inode: signed(meta.ino()), size: signed(meta.size()), modified_ns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_for_failed_move_to_trash_is_translated() {
        let source = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let refused = not_in_trash(&trash::Error::FileSystem { path: "/a".into(), source });
        assert_eq!(refused, message!("io.permission"));
        let other = not_in_trash(&trash::Error::TargetedRoot);
        assert_eq!((other.code.as_str(), other.variant.as_deref()), ("kept-file", Some("trash")));
        let german = other.render(&ashore_messages::Catalogue::new("de"));
        assert!(german.contains("Papierkorb"), "{german}");
    }

    #[test]
    fn downloaded_file_is_recognised_after_its_device_number_changes() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        assert!(placed.is_still(placed, false));
        assert!(placed.is_still(FileIdentity { device: 9, ..placed }, false), "mounted again");
        assert!(
            placed.is_still(FileIdentity { device: 9, inode: 9, ..placed }, false),
            "the disk was mounted again under another number"
        );
    }

    #[test]
    fn downloaded_file_is_recognised_if_file_system_changes_inode_numbers() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        assert!(placed.is_still(FileIdentity { inode: 9, ..placed }, true), "mounted again under the same device number");
        assert!(!renumbers(Path::new("/proc")) && !renumbers(Path::new("/nothing/there")));
    }

    #[test]
    fn removal_of_missing_file_fails_while_its_disk_is_missing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("disk");
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("a.bin");
        std::fs::write(&path, "bytes").unwrap();
        let placed = FileIdentity::from_path(&path).unwrap();
        let was = look_at(&folder, None).volume();
        let remove = |device, was| {
            remove_file(
                &PendingFileRemoval { path: path.clone(), identity: Some(FileIdentity { device, ..placed }), outright: true },
                was,
            )
        };
        let away = Err(message!("kept-file.away"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(remove(placed.device, was), Ok(()), "a person deleted it");
        assert_eq!(remove(placed.device + 1, was), Ok(()), "the same from a disk that was mounted again");
        let other = was.map(|was| VolumeState { inode: was.inode + 1, ..was });
        assert_eq!(remove(placed.device, other), away, "a bare mount point");
        std::fs::remove_dir(&folder).unwrap();
        assert_eq!(remove(placed.device, was), Ok(()), "a person deleted the folder");
        assert_eq!(remove(placed.device + 1, was), away, "the mount point went with the disk");
    }

    #[test]
    fn edited_or_replaced_file_is_not_recognised_as_the_downloaded_file() {
        let placed = FileIdentity { device: 1, inode: 2, size: 3, modified_ns: 4 };
        for device in [1, 9] {
            let there = FileIdentity { device, ..placed };
            for renumbers in [false, true] {
                assert!(!placed.is_still(FileIdentity { size: 9, ..there }, renumbers), "{device}");
                assert!(!placed.is_still(FileIdentity { modified_ns: 9, ..there }, renumbers), "{device}");
            }
        }
        assert!(!placed.is_still(FileIdentity { inode: 9, ..placed }, false), "another file in its place");
    }
}
