//! The files of a pass on the disk: written, made durable, named, and taken back where that fails. `worker` calls it.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags},
    io::{Errno, retry_on_intr},
};

use crate::{
    model::outcome::{FailureKind, TransferFailure},
    partial::{
        self, MOST_NAMES,
        batch_publish::job::{PublishReply, PublishResult, StagedSmallFile, send_reply},
        origin_xattr::mark,
        part::SyncOutcome,
    },
};

/// From so many files on, the whole volume is synced with one call instead of each file.
pub(super) const TOGETHER: usize = 4;
/// Another program writes much to a volume whose sync takes longer than this: its bytes are not to be waited for...
const PATIENCE: Duration = Duration::from_millis(300);
/// ...for so long.
pub(super) const ALONE_FOR: Duration = Duration::from_secs(30);

/// A file on its way through a pass.
pub(super) struct StagedFile {
    pub file: File,
    pub part: String,
    pub inode: (u64, u64),
    pub landing: StagedSmallFile,
    pub answer: PublishReply,
}

/// A partial with all its bytes, its name, and its device and inode.
pub(super) type StagedWrites = (File, String, (u64, u64));

/// Makes the partial with all its bytes. A file of its name is one of ours that nothing vouches for, and is replaced. None where
/// the file system takes no name of this length.
pub(super) fn write(folder: &File, landing: &StagedSmallFile) -> Result<Option<StagedWrites>, TransferFailure> {
    let part = landing.part();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The mode of an ordinary file: it is whole before anybody can know its name.
    let create = || retry_on_intr(|| rustix::fs::openat(folder, &*part, flags, Mode::from_raw_mode(0o666)));
    let created = match create() {
        Err(Errno::EXIST) => rustix::fs::unlinkat(folder, &*part, AtFlags::empty()).and_then(|()| create()),
        created => created,
    };
    if matches!(created, Err(Errno::NAMETOOLONG)) {
        return Ok(None);
    }
    let mut file = File::from(created.map_err(|error| TransferFailure::of_target(&error.into(), "making the partial"))?);
    let written = landing.pieces.iter().try_for_each(|piece| file.write_all(piece));
    let inode = written.and_then(|()| {
        mark(&file, &landing.origin);
        Ok(rustix::fs::fstat(&file)?)
    });
    match inode {
        Ok(found) => Ok(Some((file, part, (found.st_dev, found.st_ino)))),
        Err(error) => {
            let _ = rustix::fs::unlinkat(folder, &*part, AtFlags::empty());
            Err(TransferFailure::of_disk(&error, "writing the file"))
        }
    }
}

/// Gives it its final name; none where that takes more than a link.
pub(super) fn link(doors: &FolderHandles, folder: &File, it: &StagedFile) -> Result<Option<String>, TransferFailure> {
    if !is_inode(folder, &it.part, it.inode) {
        return Err(TransferFailure::new(FailureKind::Target, "the partial was moved or replaced while it was written"));
    }
    for number in 0..MOST_NAMES {
        let name = partial::candidate(&it.landing.name, number);
        match (doors.link)(folder, &it.part, &name) {
            Ok(()) => return Ok(Some(name)),
            Err(Errno::EXIST) => {}
            Err(error) if partial::has_no_links(error) || error == Errno::NAMETOOLONG => return Ok(None),
            Err(error) => return Err(TransferFailure::of_target(&error.into(), "giving the file its name")),
        }
    }
    Err(TransferFailure::new(FailureKind::Target, "every name tried is taken"))
}

/// Takes both of its names, for the reason that [`crate::partial::part::Part::place`] has.
pub(super) fn take_back(folder: &File, name: &str, it: &StagedFile) -> Result<(), Errno> {
    if is_inode(folder, name, it.inode) {
        rustix::fs::unlinkat(folder, name, AtFlags::empty())?;
    }
    rustix::fs::unlinkat(folder, &*it.part, AtFlags::empty())
}

fn is_inode(folder: &File, name: &str, inode: (u64, u64)) -> bool {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| (found.st_dev, found.st_ino) == inode)
}

/// How files become durable, and get their names.
#[derive(Clone, Copy, Debug)]
pub(super) struct FolderHandles {
    /// Makes everything on a folder's volume durable. Fails where any file of the volume could not be written.
    pub sync_volume: fn(&File) -> io::Result<()>,
    pub sync_file: fn(&File) -> io::Result<()>,
    /// Gives the folder's first name a second one.
    pub link: fn(&File, &str, &str) -> Result<(), Errno>,
    /// Makes the names in a folder durable.
    pub sync_folder: fn(&Path) -> io::Result<SyncOutcome>,
}

impl FolderHandles {
    pub fn real() -> Self {
        Self {
            sync_volume: |folder| Ok(rustix::fs::syncfs(folder)?),
            sync_file: File::sync_all,
            link: |folder, part, name| rustix::fs::linkat(folder, part, folder, name, AtFlags::empty()),
            sync_folder: partial::part::sync_folder,
        }
    }
}

/// Decides between one sync for all and one for each.
pub(super) struct FolderSyncs {
    /// Whether a sync of the volume says what could not be written: Linux before 5.8 does not.
    pub is_told: bool,
    /// Until then each file is synced alone.
    pub alone_until: Option<Instant>,
}

impl FolderSyncs {
    pub fn new() -> Self {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self { is_told: version(&release) >= Some((5, 8)), alone_until: None }
    }

    /// Makes `files` durable and returns those that are. The others have been told why, and their names are gone.
    pub fn all(&mut self, doors: &FolderHandles, folder: &File, files: Vec<StagedFile>) -> Vec<StagedFile> {
        let is_alone = self.alone_until.is_some_and(|until| Instant::now() < until);
        if files.len() >= TOGETHER && self.is_told && !is_alone {
            let begun = Instant::now();
            let synced = (doors.sync_volume)(folder);
            if begun.elapsed() > PATIENCE {
                self.alone_until = Some(Instant::now() + ALONE_FOR);
            }
            if synced.is_ok() {
                return files;
            }
            // The error may be of another program's file, so each file is synced alone to learn its own.
        }
        let mut durable = Vec::with_capacity(files.len());
        for it in files {
            match (doors.sync_file)(&it.file) {
                Ok(()) => durable.push(it),
                Err(error) => {
                    let _ = rustix::fs::unlinkat(folder, &*it.part, AtFlags::empty());
                    let is_missing = partial::part::is_sync_missing(&error);
                    let failure = || TransferFailure::of_disk(&error, "making the file durable");
                    send_reply(it.answer, if is_missing { Ok(PublishResult::Unsuited) } else { Err(failure()) });
                }
            }
        }
        durable
    }
}

/// The first two numbers of a kernel's release, such as `6.1.0-13-amd64`.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_by_its_first_two_numbers() {
        assert_eq!(version("6.1.0-13-amd64"), Some((6, 1)));
        assert_eq!(version("5.15"), Some((5, 15)));
        assert_eq!(version("unknown"), None);
    }
}
