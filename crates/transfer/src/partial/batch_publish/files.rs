//! Writes, syncs and links the small files of one batch, and removes them on failure. Called by `worker`.

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
    model::{failure::TransferFailure, failure_kind::FailureKind},
    partial::{
        self, MOST_NAMES,
        batch_publish::job::{PublishReply, PublishResult, StagedSmallFile, send_reply},
        origin_xattr::mark,
        part::SyncOutcome,
    },
};

/// Minimum number of files for which the whole volume is synced with one call.
pub(super) const TOGETHER: usize = 4;
/// Maximum duration of a sync of the volume.
///
/// A longer sync means that another program writes much data to the volume. Files are then synced one by one, to avoid
/// waiting for that data.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time for which files are synced one by one after a slow sync of the volume.
pub(super) const ALONE_FOR: Duration = Duration::from_secs(30);

/// File that is being published by a pass.
pub(super) struct StagedFile {
    pub file: File,
    pub part: String,
    pub inode: (u64, u64),
    pub landing: StagedSmallFile,
    pub answer: PublishReply,
}

/// Partial file that already contains all bytes: handle, name, and device and inode number.
pub(super) type StagedWrites = (File, String, (u64, u64));

/// Creates the partial file with all its bytes.
///
/// Replaces an existing file with this name, which is an earlier partial file that no record confirms. Returns `None`
/// if the name is too long for the file system.
pub(super) fn write(folder: &File, landing: &StagedSmallFile) -> Result<Option<StagedWrites>, TransferFailure> {
    let part = landing.part();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // Use the mode of an ordinary file, because the file is complete before it gets its final name.
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

/// Links the file to its final name.
///
/// Returns `None` if the file system has no links, or if the name is too long for it.
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

/// Removes the final name and the partial file after a failed sync.
///
/// Otherwise a new download of the file would leave two copies. The partial file of a small file has no journal, so no
/// later run could resume it.
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

/// System calls that make files durable and link them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FolderHandles {
    /// Makes all files on the volume of a folder durable. Fails if any file on the volume could not be written.
    pub sync_volume: fn(&File) -> io::Result<()>,
    pub sync_file: fn(&File) -> io::Result<()>,
    /// Creates a hard link in a folder. The first name exists, and the second name is new.
    pub link: fn(&File, &str, &str) -> Result<(), Errno>,
    /// Makes the file names in a folder durable.
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

/// Chooses between one sync of the volume and one sync for each file.
pub(super) struct FolderSyncs {
    /// Whether a sync of the volume reports write errors. `false` on Linux before 5.8.
    pub is_told: bool,
    /// Time until which files are synced one by one.
    pub alone_until: Option<Instant>,
}

impl FolderSyncs {
    pub fn new() -> Self {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self { is_told: version(&release) >= Some((5, 8)), alone_until: None }
    }

    /// Makes `files` durable. Returns the files for which this succeeded.
    ///
    /// For all others, sends the reason to the caller and removes the partial file.
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
            // The error may concern another program's file. Sync each file separately to find out which files are
            // durable.
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

/// Returns the first two numbers of a kernel release, such as `6.1.0-13-amd64`.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_version_is_first_two_numbers_of_release() {
        assert_eq!(version("6.1.0-13-amd64"), Some((6, 1)));
        assert_eq!(version("5.15"), Some((5, 15)));
        assert_eq!(version("unknown"), None);
    }
}
