//! Manages an open partial file. All bytes of an ordinary download are written through it.
//!
//! - Nothing is written under a final name.
//! - Symbolic links are not followed.
//! - Files are not overwritten, except for earlier partial files of the same transfer.
//!
//! `publish` gives a finished file its name.

use std::{
    fs::{File, Metadata, OpenOptions, Permissions, TryLockError},
    io::{self, Seek, SeekFrom},
    ops::Range,
    os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use bytes::Bytes;
use rustix::{
    fs::{FallocateFlags, OFlags},
    io::Errno,
};
use url::Url;

use crate::{
    disk::{DiskFile, may_wait},
    failpoint,
    filename::{
        numbered_names::NumberedNames,
        partial_name::{ASIDE_ENDING, JOURNAL_ENDING},
    },
    model::outcome::MissingGuarantee,
    partial::{file_owner::is_ours, inotify::FolderWatch, origin_xattr::mark},
};

/// Mode of a partial file while it is written: only its owner has access.
pub(crate) const PRIVATE: u32 = 0o600;
/// Maximum size in bytes of a file for which space is reserved.
///
/// Prevents a server with a false length from filling the disk.
const MOST_RESERVED: u64 = 64 << 30;
/// Minimum free space in bytes that preallocation leaves on a volume.
///
/// On a large volume, it leaves at least two percent of the volume.
const LEFT_FREE: u64 = 256 << 20;

/// Whether any program, including this one, is currently writing to the partial file at `path`.
pub fn is_in_use(path: &Path) -> bool {
    let mut options = OpenOptions::new();
    let file = options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()).open(path);
    file.is_ok_and(|file| match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
        Ok(()) => {
            let _ = file.unlock();
            false
        }
    })
}

/// Open partial file.
#[derive(Debug)]
pub(crate) struct PartialFile {
    /// Detects other writers. This field is the first, because the watch must end before the file is closed.
    watch: Option<FolderWatch>,
    file: DiskFile,
    pub(crate) path: PathBuf,
    pub(crate) inode: (u64, u64),
}

impl PartialFile {
    /// Creates the partial file at `path`.
    ///
    /// Replaces an existing file with this name, which is an earlier partial file that no record confirms.
    pub fn create(path: PathBuf) -> io::Result<Self> {
        match Self::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_file(&path)?;
                Self::create_new(&path)
            }
            created => created,
        }
    }

    /// Creates the partial file for `name` in `folder`, under an unused name.
    ///
    /// The file system must accept this name, and also the longer name of the journal. Existing files stay unchanged.
    pub fn create_beside(folder: &Path, name: &str, tag: &str) -> io::Result<Self> {
        let mut names = NumberedNames::from_name(name);
        while let Some(candidate) = names.current() {
            let path = folder.join(if names.is_short() {
                crate::filename::name::partial_short(&candidate, tag)
            } else {
                crate::filename::name::partial(&candidate, tag)
            });
            // The file system must also accept the journal's name, which is the longest. Test this without creating the
            // journal.
            let journal = rustix::fs::lstat(journal_of(&path)).err();
            let created = match journal {
                Some(Errno::NAMETOOLONG) => Err(Errno::NAMETOOLONG.into()),
                _ => Self::create_new(&path),
            };
            match created {
                Err(error) if Errno::from_io_error(&error).is_some_and(|error| names.failed(error)) => {}
                created => return created,
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn create_new(path: &Path) -> io::Result<Self> {
        may_wait();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true).mode(PRIVATE);
        let file = options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(path)?;
        // Remove the file on failure. Otherwise it would stay forever, because no other code knows about it.
        let part = Self::from(file, path.to_owned()).inspect_err(|_| drop(std::fs::remove_file(path)))?;
        failpoint::hit("transfer.part-created");
        Ok(part)
    }

    /// Opens the existing partial file at `path`. It must be a regular file that belongs to this user.
    pub fn open(path: PathBuf) -> io::Result<Self> {
        Self::open_to(path, true)
    }

    /// Open a placed file read-only: a running program cannot be opened for writing.
    pub fn open_placed(path: PathBuf) -> io::Result<Self> {
        Self::open_to(path, false)
    }

    fn open_to(path: PathBuf, write: bool) -> io::Result<Self> {
        may_wait();
        let mut options = OpenOptions::new();
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = options.read(true).write(write).custom_flags(flags.bits().cast_signed()).open(&path)?;
        let found = file.metadata()?;
        if !found.is_file() || !is_ours(&found, folder_of(&path)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the partial is no regular file of this user"));
        }
        Self::from(file, path)
    }

    fn from(file: File, path: PathBuf) -> io::Result<Self> {
        let metadata = file.metadata()?;
        // Lock the file, to show other programs that it is in use. Ignore errors, because some file systems do not
        // support locks.
        let _ = file.try_lock();
        Ok(Self { watch: FolderWatch::on(&file), file: DiskFile::new(file), path, inode: (metadata.dev(), metadata.ino()) })
    }

    /// Returns the path of the partial file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current length in bytes.
    ///
    /// The length is only an upper bound of the trusted bytes. `metadata` is not used, because it also returns the file
    /// times: to determine them, a network file system first writes all data.
    pub fn length(&self) -> io::Result<u64> {
        may_wait();
        (&*self.file).seek(SeekFrom::End(0))
    }

    /// Whether another program may have written to the file since the last call.
    ///
    /// Also returns `true` if the file is not watched.
    pub fn was_touched(&self) -> bool {
        self.watch.as_ref().is_none_or(FolderWatch::was_touched)
    }

    /// Writes all `pieces` contiguously from `offset`. Returns the number of written bytes.
    pub fn write(&self, pieces: &[Bytes], offset: u64) -> io::Result<u64> {
        may_wait();
        let mut at = offset;
        for piece in pieces {
            self.file.write_all_at(piece, at)?;
            at += piece.len() as u64;
        }
        Ok(at - offset)
    }

    /// Reads `range`. Fails with `UnexpectedEof` if the file is shorter.
    pub fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let length = usize::try_from(range.end.saturating_sub(range.start)).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        self.read_into(&mut bytes, range.start)?;
        Ok(bytes)
    }

    /// Reads `range`. Returns `None` if the file is shorter.
    pub fn read_there(&self, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        match self.read(range) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            read => read.map(Some),
        }
    }

    /// Fills `bytes` from `offset`. Fails with `UnexpectedEof` if the file is shorter.
    pub fn read_into(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        may_wait();
        self.file.read_exact_at(bytes, offset)
    }

    /// See [`DiskFile::is_on_this_machine`].
    pub fn is_on_this_machine(&self) -> bool {
        self.file.is_on_this_machine()
    }

    /// See [`DiskFile::is_in_memory`].
    pub fn is_in_memory(&self) -> bool {
        self.file.is_in_memory()
    }

    /// Makes the written bytes durable, if the file system supports syncs.
    pub fn sync(&self) -> io::Result<()> {
        may_wait();
        synced(self.file.sync_data()).map(drop)
    }

    /// Whether the path still leads to this file.
    ///
    /// Also returns `true` if the folder cannot be read, for example on a disconnected network share. The next
    /// operation on the file then reports the error.
    pub fn is_in_place(&self) -> bool {
        may_wait();
        match std::fs::symlink_metadata(&self.path) {
            Ok(found) => (found.dev(), found.ino()) == self.inode,
            Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        }
    }

    /// Returns the device number of the volume, its space, and the number of bytes that the file occupies.
    pub fn space(&self) -> io::Result<(u64, VolumeSpace, u64)> {
        may_wait();
        let found = self.file.metadata()?;
        Ok((found.dev(), VolumeSpace::from_file(&self.file)?, found.blocks().saturating_mul(512)))
    }

    /// Reserves space for a file of `size` bytes, of which `missing` bytes are unwritten. Returns whether space was
    /// reserved.
    ///
    /// Does not change the length of the file. Reserves nothing if the volume has too little space, or if the file
    /// system does not support this.
    pub fn reserve(&self, size: u64, missing: u64) -> bool {
        let Ok(room) = VolumeSpace::from_file(&self.file) else { return false };
        if self.is_in_memory() {
            // Do not reserve space for a file in memory: it has no fragmentation, and each page would be created twice.
            return false;
        }
        let fits = size <= MOST_RESERVED && missing.saturating_add(room.kept) <= room.free;
        // Reservation is optional. If it fails, a later write reports the cause.
        fits && rustix::fs::fallocate(&*self.file, FallocateFlags::KEEP_SIZE, 0, size).is_ok()
    }

    /// Releases the reserved space of the `missing` ranges. Ignores errors.
    pub fn release_ranges(&self, missing: &[Range<u64>]) {
        may_wait();
        let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        for range in missing {
            let _ = rustix::fs::fallocate(&*self.file, hole, range.start, range.end - range.start);
        }
        // Truncation also releases the reserved space after the end.
        if let Ok(length) = self.length() {
            let _ = self.file.set_len(length);
        }
    }

    /// Truncates the file to `length` bytes. Keeps a shorter file unchanged.
    pub fn cut(&self, length: u64) -> io::Result<()> {
        match self.length()? > length {
            true => self.file.set_len(length),
            false => Ok(()),
        }
    }

    /// Marks the file with its origin `url`.
    pub fn mark(&self, url: &Url) {
        may_wait();
        mark(&*self.file, url);
    }

    /// Truncates the file to `size`, sets its ordinary mode, and makes it durable.
    ///
    /// Returns the guarantees that the file system does not support. Fails with `UnexpectedEof` if the file is shorter
    /// than `size`, because an extension would add zeros.
    pub fn seal(&self, size: u64) -> io::Result<Vec<MissingGuarantee>> {
        match self.length()? {
            length if length < size => return Err(io::ErrorKind::UnexpectedEof.into()),
            length if length > size => self.file.set_len(size)?,
            _ => {}
        }
        let mut missing = Vec::new();
        // This fails on mounts with a fixed mode for all files (CIFS, vfat).
        if self.file.set_permissions(Permissions::from_mode(0o666 & !umask())).is_err() {
            missing.push(MissingGuarantee::Permissions);
        }
        if synced(self.file.sync_all())? == SyncOutcome::NotSupported {
            missing.push(MissingGuarantee::Sync);
        }
        Ok(missing)
    }

    /// Sets the partial file aside under another name, and creates an empty partial file.
    ///
    /// If another file was set aside earlier, only the longer one is kept: it took longer to download, and the user may
    /// want it back. Lengths are compared, not allocated blocks, because blocks include reserved space.
    pub fn begin_again(&self) -> io::Result<Self> {
        let aside = with_ending(&self.path, ASIDE_ENDING);
        let length = self.length()?;
        let reaches_further = |before: Metadata| before.is_file() && before.len() > length;
        if !std::fs::symlink_metadata(&aside).is_ok_and(reaches_further) {
            #[expect(clippy::disallowed_methods, reason = "both names belong to Ashore, and an older aside file is replaced")]
            std::fs::rename(&self.path, aside)?;
        }
        failpoint::hit("transfer.set-aside");
        let part = Self::create(self.path.clone())?;
        sync_folder(folder_of(&part.path))?;
        Ok(part)
    }
}

pub(crate) fn is_inode(path: &Path, inode: (u64, u64)) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == inode)
}

/// Returns the path of the journal of the partial file at `path`.
pub(crate) fn journal_of(path: &Path) -> PathBuf {
    with_ending(path, JOURNAL_ENDING)
}

/// Returns the paths of the partial file at `path`, of the file that a restart set aside, and of the journal.
pub(crate) fn parts_of(path: &Path) -> [PathBuf; 3] {
    [path.to_owned(), with_ending(path, ASIDE_ENDING), journal_of(path)]
}

/// Removes the journal, the file that a restart set aside, and the partial file, in this order.
///
/// The partial file is the last, because its inode shows whether the file was placed. Ignores missing files.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    remove_if_there(&journal_of(path))?;
    failpoint::hit("transfer.journal-removed");
    remove_if_there(&with_ending(path, ASIDE_ENDING))?;
    remove_if_there(path)?;
    failpoint::hit("transfer.part-removed");
    Ok(())
}

/// Removes the journal of the partial file at `path`. Keeps the partial file itself.
pub(crate) fn remove_journal(path: &Path) -> io::Result<()> {
    remove_if_there(&journal_of(path))
}

/// Removes the partial file at `path` and its journal.
///
/// Keeps the old file that a restart set aside, because the download is incomplete.
pub(crate) fn remove_begun(path: &Path) -> io::Result<()> {
    remove_if_there(&journal_of(path))?;
    remove_if_there(path)
}

/// Removes the old file that a restart set aside for the partial file at `path`.
pub(crate) fn remove_aside(path: &Path) -> io::Result<()> {
    remove_if_there(&with_ending(path, ASIDE_ENDING))
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    may_wait();
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the folder of a partial file or a placed file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Result of a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncOutcome {
    /// All bytes are durable.
    Durably,
    /// The file system does not support syncs, so the bytes may not be durable.
    NotSupported,
}

/// Makes the file names in `folder` durable, if the file system supports this.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<SyncOutcome> {
    match File::open(folder) {
        // A folder with write but no read permission (mode 0300) cannot be opened for a sync.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(SyncOutcome::NotSupported),
        opened => synced(opened?.sync_all()),
    }
}

/// Converts the result of a sync.
///
/// If the file system does not support syncs, the result is `NotSupported`. All other errors stay errors, because bytes
/// may be lost.
pub(crate) fn synced(result: io::Result<()>) -> io::Result<SyncOutcome> {
    match result {
        Ok(()) => Ok(SyncOutcome::Durably),
        Err(error) if is_sync_missing(&error) => Ok(SyncOutcome::NotSupported),
        Err(error) => Err(error),
    }
}

/// Whether a sync failed because the file system does not support syncs.
///
/// Checks for EINVAL (fsync(2)) and for the errors of FUSE programs.
pub(crate) fn is_sync_missing(error: &io::Error) -> bool {
    let known = Errno::from_io_error(error);
    matches!(known, Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOTTY | Errno::PERM | Errno::ACCESS))
}

/// Free space of a volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeSpace {
    /// Number of free bytes.
    pub free: u64,
    /// Number of free bytes that preallocation must not use.
    pub kept: u64,
}

impl VolumeSpace {
    /// Returns the space on the volume of `file`.
    pub fn from_file(file: &File) -> io::Result<Self> {
        let volume = rustix::fs::fstatvfs(file)?;
        if volume.f_blocks == 0 {
            // Zero blocks mean that the volume does not report its size, as with some FUSE programs and network shares.
            return Err(io::ErrorKind::Unsupported.into());
        }
        let block = volume.f_frsize;
        let kept = LEFT_FREE.max(volume.f_blocks.saturating_mul(block) / 50);
        Ok(Self { free: volume.f_bavail.saturating_mul(block), kept })
    }
}

/// Returns the umask of the process.
///
/// Reads it from `/proc`, because the system call can return the umask only by replacing it, which would affect other
/// threads.
fn umask() -> u32 {
    static MASK: OnceLock<u32> = OnceLock::new();
    *MASK.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
        mask.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o022)
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn written(folder: &Path) -> PartialFile {
        let part = PartialFile::create(folder.join("a.bin.0123abcd.part")).unwrap();
        part.write(&[Bytes::from_static(b"hello")], 0).unwrap();
        part
    }

    #[test]
    fn partial_file_is_private_until_sealed() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        assert_eq!(part.file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        part.reserve(1 << 20, 1 << 20);
        assert_eq!(part.length().unwrap(), 5, "reserving is no evidence of bytes");
        part.seal(5).unwrap();
        assert_eq!(part.file.metadata().unwrap().permissions().mode() & 0o777, 0o666 & !umask());
    }

    #[test]
    fn written_bytes_stay_when_reserved_space_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        part.write(&[Bytes::from_static(b"world")], 4 << 20).unwrap();
        let (_, _, before) = part.space().unwrap();
        if !part.reserve(16 << 20, 12 << 20) {
            // Write to the stream directly, because `eprintln!` shows nothing in a passing test.
            return drop(io::Write::write_all(&mut io::stderr(), b"LEFT OUT: this file system reserves nothing.\n"));
        }
        assert!(part.space().unwrap().2 >= 16 << 20);
        part.release_ranges(&[5..4 << 20, (4 << 20) + 5..16 << 20]);
        let (_, _, after) = part.space().unwrap();
        assert!(after <= before + 8192, "{before} bytes of it were taken, and {after} are");
        assert_eq!((part.read(0..5).unwrap(), part.read(4 << 20..(4 << 20) + 5).unwrap()), (b"hello".into(), b"world".into()));
        assert_eq!(part.length().unwrap(), (4 << 20) + 5);
    }

    #[test]
    fn missing_folder_is_reported_and_old_partial_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        let gone = PartialFile::create(folder.path().join("gone/a.bin.0123abcd.part")).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        drop(part);
        assert_eq!(written(folder.path()).length().unwrap(), 5, "and not ten");
        assert!(remove_if_there(folder.path()).is_err(), "a folder is not a partial file");
        remove_if_there(&folder.path().join("nothing")).unwrap();
    }

    #[test]
    fn sealed_partial_file_is_truncated_and_space_is_reserved_only_if_enough_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        assert!(!part.reserve(MOST_RESERVED + 1, 1), "the limit of reservations is exceeded");
        assert!(!part.reserve(1 << 20, u64::MAX));
        part.seal(3).unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.bin.0123abcd.part")).unwrap(), b"hel");
        assert_eq!(part.seal(5).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(part.length().unwrap(), 3, "the file is not extended");
    }

    #[test]
    fn new_partial_file_gets_next_free_name_if_names_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.0123abcd.part", "a (1).0123abcd.part", "a (2).0123abcd.part"].map(|name| folder.path().join(name));
        std::fs::write(&paths[0], "theirs").unwrap();
        std::os::unix::fs::symlink("nowhere", &paths[1]).unwrap();
        let part = PartialFile::create_beside(folder.path(), "a", "0123abcd").unwrap();
        assert_eq!((part.path(), part.length().unwrap()), (&*paths[2], 0));
        assert_eq!(std::fs::read(&paths[0]).unwrap(), b"theirs");
    }

    #[test]
    fn symlinks_and_pipes_are_not_accepted_as_partial_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.0123abcd.part");
        let target = folder.path().join("target");
        std::fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(PartialFile::open(path.clone()).is_err());
        let part = PartialFile::create(path.clone()).unwrap();
        part.write(&[Bytes::from_static(b"new")], 0).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"mine");
        std::fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
        assert!(PartialFile::open(path).is_err());
    }

    #[test]
    fn restarted_partial_file_keeps_old_bytes_in_separate_file() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path()).begin_again().unwrap();
        assert_eq!(part.length().unwrap(), 0);
        let aside = with_ending(part.path(), ASIDE_ENDING);
        assert_eq!(std::fs::read(&aside).unwrap(), b"hello");
        remove_begun(part.path()).unwrap();
        assert_eq!(std::fs::read(&aside).unwrap(), b"hello", "the file is not there yet");
        remove(part.path()).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn longer_of_two_files_that_were_set_aside_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin.0123abcd.part");
        let aside = with_ending(&path, ASIDE_ENDING);
        let of = |bytes: Vec<u8>| {
            let part = PartialFile::create(path.clone()).unwrap();
            part.write(&[bytes.into()], 0).unwrap();
            part.reserve(1 << 20, 1 << 20);
            let begun = part.begin_again().unwrap();
            assert_eq!(begun.length().unwrap(), 0);
            std::fs::read(&aside).unwrap()
        };
        assert_eq!(of(vec![1; 100_000]), [1; 100_000]);
        assert_eq!(of(vec![2; 10_000]), [1; 100_000], "next to nothing is no reason to lose much");
        assert_eq!(of(Vec::new()), [1; 100_000]);
        assert_eq!(of(vec![3; 200_000]), [3; 200_000]);
    }
}
