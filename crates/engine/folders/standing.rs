//! The state of a folder at this moment, and whether a download that has begun there may go on. Called by `folders`.
//!
//! A mount point without its disk is a folder like any other. So a folder is compared with what it was when it was last used, by
//! the numbers of its device and of its inode. Disks get other device numbers from one start to the next; then the time at which
//! the folder was made says the same, where its file system keeps that. The names of partials in it are the better evidence: where
//! the partial is, the disk is, whatever its numbers are now.

use std::{
    collections::BTreeSet,
    fs::Metadata,
    io,
    os::unix::fs::MetadataExt as _,
    path::Path,
    time::UNIX_EPOCH,
};

use ashore_transfer::tags_in;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

/// Which folder of which volume a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Volume {
    pub device: u64,
    pub inode: u64,
    /// When it was made, in nanoseconds of Unix time; none where its file system does not say, or nobody wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<u64>,
}

impl Volume {
    fn of(found: &Metadata) -> Self {
        let born = found.created().ok().and_then(|born| u64::try_from(born.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok());
        Self { device: found.dev(), inode: found.ino(), born }
    }

    /// Whether both are the same folder, mounted again or not. [pure]
    fn is(self, other: Self) -> bool {
        self.inode == other.inode && (self.device == other.device || self.born.is_some() && self.born == other.born)
    }
}

/// State of a folder at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is there, and it is what it was when it was last used, where anybody knows.
    Same(Volume),
    /// Another folder is in its place. With the tags of the partials in it.
    Other(Volume, BTreeSet<String>),
    /// Nothing is there, or what is there leads to nothing.
    Missing,
    /// Something is there that is no folder.
    NotAFolder,
    /// The system does not say. Whoever tries finds out.
    Unknown,
}

/// Trace of a request in its folder: the tag of its partial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begun(pub String);

impl Standing {
    /// Whether a folder is there.
    pub(crate) fn is_there(&self) -> bool {
        self.volume().is_some()
    }

    /// Which folder it is, where one is there.
    pub(crate) fn volume(&self) -> Option<Volume> {
        match self {
            Self::Same(volume) | Self::Other(volume, _) => Some(*volume),
            Self::Missing | Self::NotAFolder | Self::Unknown => None,
        }
    }

    /// The reason why the folder cannot be used, as the rest of a sentence that begins with its path.
    pub(crate) fn trouble(&self) -> Option<&'static str> {
        match self {
            Self::Same(_) | Self::Other(..) => None,
            Self::Missing => Some("it is not there"),
            Self::NotAFolder => Some("it is not a folder"),
            Self::Unknown => Some("it cannot be read"),
        }
    }
}

/// Whether a request may start in a folder of this standing, that has `begun` there or not. [pure]
pub(crate) fn may_go_on(standing: &Standing, begun: Option<&Begun>) -> bool {
    let Some(Begun(tag)) = begun else { return true };
    match standing {
        Standing::Same(_) | Standing::Unknown => true,
        Standing::Other(_, tags) => tags.contains(tag),
        Standing::Missing | Standing::NotAFolder => false,
    }
}

/// The standing of `folder`, which `was` this volume when it was last used. Blocks for as long as its disk does.
pub(crate) fn look_at(folder: &Path, was: Option<Volume>) -> Standing {
    let found = match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => found,
        Ok(_) => return Standing::NotAFolder,
        Err(error) => return of_error(&error),
    };
    let volume = Volume::of(&found);
    if was.is_none_or(|was| was.is(volume)) {
        return Standing::Same(volume);
    }
    match tags_in(folder) {
        Ok(tags) => Standing::Other(volume, tags),
        Err(error) => of_error(&error),
    }
}

fn of_error(error: &io::Error) -> Standing {
    match error.kind() {
        io::ErrorKind::NotFound => Standing::Missing,
        io::ErrorKind::NotADirectory => Standing::NotAFolder,
        // A FUSE whose program has ended, a share whose server forgot it, a disk that was pulled out.
        _ if [Errno::NOTCONN, Errno::CONNABORTED, Errno::STALE, Errno::NODEV, Errno::NXIO, Errno::HOSTDOWN, Errno::IO]
            .iter()
            .any(|gone| error.raw_os_error() == Some(gone.raw_os_error())) =>
        {
            Standing::Missing
        }
        _ => Standing::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(inode: u64) -> Volume {
        Volume { device: 1, inode, born: None }
    }

    #[test]
    fn request_that_has_begun_waits_where_its_partial_and_its_folder_are_gone() {
        let begun = Begun("0000000a".to_owned());
        let (with, without) = (BTreeSet::from(["0000000a".to_owned()]), BTreeSet::from(["0000000b".to_owned()]));
        for (standing, expected) in [
            (Standing::Same(volume(1)), true),
            (Standing::Other(volume(1), with), true),
            (Standing::Other(volume(1), without), false),
            (Standing::Other(volume(1), BTreeSet::new()), false),
            (Standing::Missing, false),
            (Standing::NotAFolder, false),
            (Standing::Unknown, true),
        ] {
            assert_eq!(may_go_on(&standing, Some(&begun)), expected, "{standing:?}");
            assert!(may_go_on(&standing, None), "nothing is lost where nothing began: {standing:?}");
        }
    }

    #[test]
    fn folder_is_recognised_by_its_numbers_and_else_by_its_partials() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("disk");
        assert_eq!(look_at(&folder, None), Standing::Missing);
        std::fs::create_dir(&folder).unwrap();
        let Standing::Same(was) = look_at(&folder, None) else { panic!("nobody knows another one") };
        assert_eq!(look_at(&folder, Some(was)), Standing::Same(was));
        // The first folder of every disk of a kind has the same inode: another disk may be mounted in its place.
        let another = Volume { device: was.device + 1, born: None, ..was };
        assert_eq!(look_at(&folder, Some(another)), Standing::Other(was, BTreeSet::new()));
        let other = Volume { device: was.device + 1, inode: was.inode + 1, ..was };
        assert_eq!(look_at(&folder, Some(other)), Standing::Other(was, BTreeSet::new()));
        for name in ["a.bin.0000000a.part.ashore", "b.0000000b.part", "c.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let tags = ["0000000a", "0000000b"].map(str::to_owned);
        assert_eq!(look_at(&folder, Some(other)), Standing::Other(was, BTreeSet::from(tags)));
    }

    #[test]
    fn folder_is_the_same_under_another_device_number_where_it_was_made_in_the_same_moment() {
        let was = Volume { device: 1, inode: 2, born: Some(3) };
        assert!(was.is(was) && was.is(Volume { device: 9, ..was }), "mounted again");
        assert!(was.is(Volume { born: None, ..was }), "an earlier version wrote down no time");
        assert!(!was.is(Volume { device: 9, born: Some(4), ..was }), "the first folder of another disk");
        assert!(!was.is(Volume { device: 9, born: None, ..was }), "nobody knows");
        assert!(!was.is(Volume { device: 9, inode: 7, ..was }), "a folder beside it, made in the same moment");
        let place = tempfile::tempdir().unwrap();
        let Standing::Same(found) = look_at(place.path(), None) else { panic!("it is there") };
        let mounted_again = Volume { device: found.device + 1, ..found };
        let is_same = look_at(place.path(), Some(mounted_again)) == Standing::Same(found);
        assert_eq!(is_same, found.born.is_some());
    }

    #[test]
    fn path_that_leads_to_no_folder_is_told_apart() {
        let place = tempfile::tempdir().unwrap();
        let [file, dangling, circle] = ["file", "dangling", "circle"].map(|name| place.path().join(name));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert_eq!(look_at(&file, None), Standing::NotAFolder);
        assert_eq!(look_at(&file.join("below"), None), Standing::NotAFolder);
        assert_eq!(look_at(&dangling, None), Standing::Missing);
        assert_eq!(look_at(&circle, None), Standing::Unknown);
        std::fs::create_dir(place.path().join("nowhere")).unwrap();
        assert!(look_at(&dangling, None).is_there());
    }
}
