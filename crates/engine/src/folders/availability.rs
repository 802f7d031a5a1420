//! Compares the state of a folder with its state at the last use.
//!
//! The result decides whether a download that has begun in the folder may continue there. Called by `folders`.
//!
//! A folder is identified by its device number and its inode, because a mount point without its disk is an ordinary
//! folder. The device number may change at the next start of the machine. In this case, the creation time of the folder
//! decides, if the file system records creation times. The names of partial files are better evidence: a folder that
//! contains the partial file is on the correct disk, regardless of its numbers.
//!
//! Some file systems renumber their folders at each mount, so that the same folder then looks like a different one. On
//! such a file system, a download without its partial file restarts, because a power cut may have removed a partial
//! file that was never durable. The kind of file system must be the same as before: a mount point without its disk has
//! the file system of the disk below it. Bytes that are known to be durable are never abandoned.

use ashore_messages::{UserMessage, message};
use std::{collections::BTreeSet, fs::Metadata, io, os::unix::fs::MetadataExt as _, path::Path, time::UNIX_EPOCH};

use ashore_transfer::tags_in;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

/// Identity of a folder and of the volume that it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VolumeState {
    pub device: u64,
    pub inode: u64,
    /// Creation time in nanoseconds of Unix time.
    ///
    /// `None` if it was not recorded by the file system or not stored by Ashore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<u64>,
    /// Type of the file system from statfs(2); `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<u32>,
}

impl VolumeState {
    fn from_metadata(folder: &Path, found: &Metadata) -> Self {
        let born = found.created().ok().and_then(|born| u64::try_from(born.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok());
        Self { device: found.dev(), inode: found.ino(), born, kind: kind_at(folder) }
    }

    /// Whether both folders are on the same kind of file system, and file systems of this kind renumber their inodes at
    /// each mount. [pure]
    fn is_alike(self, other: Self) -> bool {
        self.kind == other.kind && self.kind.is_some_and(numbers_anew)
    }

    /// Whether both states belong to the same folder, which may have been mounted again in between. [pure]
    fn is(self, other: Self) -> bool {
        self.inode == other.inode && (self.device == other.device || self.born.is_some() && self.born == other.born)
    }
}

/// State of a folder at the time of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FolderStanding {
    /// The folder exists and is, as far as known, the one that was used last.
    Same(VolumeState),
    /// According to its device and inode numbers, the folder at the path is not the one that was used last.
    Other {
        volume: VolumeState,
        /// Tags of the partial files in the folder at the path.
        tags: BTreeSet<String>,
        /// Whether this may still be the same folder, because its file system renumbers folders.
        is_alike: bool,
    },
    /// The path does not exist, or the link or mount at the path is broken.
    Missing,
    /// The path is not a folder.
    NotAFolder,
    /// The system does not report the state of the folder. Transfers are tried anyway.
    Unknown,
}

/// Evidence that a request has begun in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingProbe {
    /// Tag of the partial file.
    pub tag: String,
    /// Whether the partial file is known to have durable bytes.
    pub has_bytes: bool,
}

impl FolderStanding {
    /// Whether the folder exists.
    pub(crate) fn is_available(&self) -> bool {
        self.volume().is_some()
    }

    /// Returns the identity of the folder, if the folder exists.
    pub(crate) fn volume(&self) -> Option<VolumeState> {
        match self {
            Self::Same(volume) | Self::Other { volume, .. } => Some(*volume),
            Self::Missing | Self::NotAFolder | Self::Unknown => None,
        }
    }

    /// Returns the reason why the folder cannot be used, as the end of a sentence that begins with the path.
    pub(crate) fn trouble(&self) -> Option<UserMessage> {
        match self {
            Self::Same(_) | Self::Other { .. } => None,
            Self::Missing => Some(message!("folder-fault.missing")),
            Self::NotAFolder => Some(message!("folder-fault.file")),
            Self::Unknown => Some(message!("folder-fault.unreadable")),
        }
    }
}

/// Whether a request may start in a folder whose state is `standing`. [pure]
///
/// `begun` is evidence that the request has already begun in the folder; `None` for a new request.
pub(crate) fn may_go_on(standing: &FolderStanding, begun: Option<&PendingProbe>) -> bool {
    let Some(begun) = begun else { return true };
    match standing {
        FolderStanding::Same(_) | FolderStanding::Unknown => true,
        FolderStanding::Other { tags, is_alike, .. } => tags.contains(&begun.tag) || (*is_alike && !begun.has_bytes),
        FolderStanding::Missing | FolderStanding::NotAFolder => false,
    }
}

/// Compares `folder` with `was`, the volume of the folder at the last use. Returns the state of the folder. Blocks
/// until the disk answers.
pub(crate) fn look_at(folder: &Path, was: Option<VolumeState>) -> FolderStanding {
    let found = match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => found,
        Ok(_) => return FolderStanding::NotAFolder,
        Err(error) => return of_error(&error),
    };
    let volume = VolumeState::from_metadata(folder, &found);
    if was.is_none_or(|was| was.is(volume)) {
        return FolderStanding::Same(volume);
    }
    match tags_in(folder) {
        Ok(tags) => FolderStanding::Other { volume, tags, is_alike: was.is_some_and(|was| was.is_alike(volume)) },
        Err(error) => of_error(&error),
    }
}

/// Returns the type of the file system at `path` from statfs(2); `None` if the system does not report it.
pub(crate) fn kind_at(path: &Path) -> Option<u32> {
    // The cast is correct: the field has 32 bits in the kernel, and only its sign depends on the architecture.
    rustix::fs::statfs(path).ok().map(|volume| volume.f_type as u32)
}

/// Whether a file system of this `kind` may renumber inodes at the next mount. [pure]
///
/// This applies to FUSE programs, vfat, exFAT, and shares whose server does not send inode numbers.
pub(crate) fn numbers_anew(kind: u32) -> bool {
    /// Values of `f_type` in statfs(2) for FUSE, msdos and vfat, exFAT, CIFS, SMB 2, and 9P.
    const RENUMBERING: [u32; 6] = [0x6573_5546, 0x4d44, 0x2011_BAB0, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997];
    RENUMBERING.contains(&kind)
}

fn of_error(error: &io::Error) -> FolderStanding {
    match error.kind() {
        io::ErrorKind::NotFound => FolderStanding::Missing,
        io::ErrorKind::NotADirectory => FolderStanding::NotAFolder,
        // Possible causes: a FUSE mount whose program has ended, a share that its server dropped, or an unplugged disk.
        _ if [Errno::NOTCONN, Errno::CONNABORTED, Errno::STALE, Errno::NODEV, Errno::NXIO, Errno::HOSTDOWN, Errno::IO]
            .iter()
            .any(|gone| error.raw_os_error() == Some(gone.raw_os_error())) =>
        {
            FolderStanding::Missing
        }
        _ => FolderStanding::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(inode: u64) -> VolumeState {
        VolumeState { device: 1, inode, born: None, kind: None }
    }

    #[test]
    fn started_request_waits_until_its_folder_or_partial_file_is_found() {
        let begun = |has_bytes| PendingProbe { tag: "0000000a".to_owned(), has_bytes };
        let other = |tags: &[&str], is_alike| FolderStanding::Other {
            volume: volume(1),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            is_alike,
        };
        for (standing, expected) in [
            (FolderStanding::Same(volume(1)), true),
            (other(&["0000000a"], false), true),
            (other(&["0000000b"], false), false),
            (other(&[], false), false),
            (other(&["0000000b"], true), false),
            (FolderStanding::Missing, false),
            (FolderStanding::NotAFolder, false),
            (FolderStanding::Unknown, true),
        ] {
            assert_eq!(may_go_on(&standing, Some(&begun(true))), expected, "{standing:?}");
            assert!(may_go_on(&standing, None), "nothing is lost where nothing began: {standing:?}");
        }
        assert!(may_go_on(&other(&[], true), Some(&begun(false))), "nothing durable is lost");
        assert!(!may_go_on(&other(&[], false), Some(&begun(false))), "it may be a bare mount point");
    }

    #[test]
    fn folder_is_recognised_by_device_and_inode_or_by_its_partial_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("disk");
        assert_eq!(look_at(&folder, None), FolderStanding::Missing);
        std::fs::create_dir(&folder).unwrap();
        let FolderStanding::Same(was) = look_at(&folder, None) else { panic!("there is no earlier folder") };
        assert_eq!(look_at(&folder, Some(was)), FolderStanding::Same(was));
        // The root folders of two disks with the same file system have the same inode number, so this may be another
        // disk.
        let another = VolumeState { device: was.device + 1, born: None, ..was };
        let other_with = |tags| FolderStanding::Other { volume: was, tags, is_alike: false };
        assert_eq!(look_at(&folder, Some(another)), other_with(BTreeSet::new()));
        let other = VolumeState { device: was.device + 1, inode: was.inode + 1, ..was };
        assert_eq!(look_at(&folder, Some(other)), other_with(BTreeSet::new()));
        for name in ["a.bin.0000000a.part.ashore", "b.0000000b.part", "c.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let tags = ["0000000a", "0000000b"].map(str::to_owned);
        assert_eq!(look_at(&folder, Some(other)), other_with(BTreeSet::from(tags)));
    }

    #[test]
    fn folder_is_recognised_by_inode_and_creation_time_if_its_device_number_changes() {
        let was = VolumeState { device: 1, inode: 2, born: Some(3), kind: None };
        assert!(was.is(was) && was.is(VolumeState { device: 9, ..was }), "mounted again");
        assert!(was.is(VolumeState { born: None, ..was }), "an earlier version wrote down no time");
        assert!(!was.is(VolumeState { device: 9, born: Some(4), ..was }), "the first folder of another disk");
        assert!(!was.is(VolumeState { device: 9, born: None, ..was }), "the creation time is unknown");
        assert!(!was.is(VolumeState { device: 9, inode: 7, ..was }), "a folder beside it, made in the same moment");
        let place = tempfile::tempdir().unwrap();
        let FolderStanding::Same(found) = look_at(place.path(), None) else { panic!("it is there") };
        let mounted_again = VolumeState { device: found.device + 1, ..found };
        let is_same = look_at(place.path(), Some(mounted_again)) == FolderStanding::Same(found);
        assert_eq!(is_same, found.born.is_some());
    }

    #[test]
    fn folder_with_new_inode_may_match_if_file_system_changes_inode_numbers() {
        let of_kind = |kind| VolumeState { kind, ..volume(1) };
        let (fuse, ext4) = (Some(0x6573_5546), Some(0xEF53));
        assert!(of_kind(fuse).is_alike(of_kind(fuse)));
        assert!(!of_kind(ext4).is_alike(of_kind(ext4)), "its numbers stay");
        assert!(!of_kind(fuse).is_alike(of_kind(ext4)), "a bare mount point");
        assert!(!of_kind(None).is_alike(of_kind(None)), "nothing is known");
        assert!(kind_at(Path::new("/proc")).is_some() && kind_at(Path::new("/nothing/there")).is_none());
    }

    #[test]
    fn path_that_is_not_a_folder_is_classified_by_cause() {
        let place = tempfile::tempdir().unwrap();
        let [file, dangling, circle] = ["file", "dangling", "circle"].map(|name| place.path().join(name));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert_eq!(look_at(&file, None), FolderStanding::NotAFolder);
        assert_eq!(look_at(&file.join("below"), None), FolderStanding::NotAFolder);
        assert_eq!(look_at(&dangling, None), FolderStanding::Missing);
        assert_eq!(look_at(&circle, None), FolderStanding::Unknown);
        std::fs::create_dir(place.path().join("nowhere")).unwrap();
        assert!(look_at(&dangling, None).is_available());
    }
}
