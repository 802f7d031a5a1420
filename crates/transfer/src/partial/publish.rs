//! Gives a partial file its final name.
//!
//! The final name is a hard link, because creating a link fails if the name is taken. Both names stay until the caller
//! has persisted the completion. After a crash, the shared inode proves that the file was completed.
//!
//! A file system without hard links needs another method. These methods are tried in this order, and the first one that
//! works is used:
//!
//! 1. a rename that fails if the name is taken
//! 2. a rename over an empty file that was created exclusively under the name
//! 3. a plain rename after a check that the name is free
//! 4. an exclusively created copy, which is visible before it is complete
//!
//! No method overwrites a file that existed before the call. Methods 2 and 3 can replace a file that another program
//! creates or fills between the check and the rename. [`MissingGuarantee`] lists the guarantees that a method does not
//! give.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, OFlags, RenameFlags},
    io::Errno,
};

use crate::{
    failpoint,
    filename::numbered_names::NumberedNames,
    model::{failure::TransferFailure, failure_kind::FailureKind, outcome::MissingGuarantee},
    partial::part::{PartialFile, SyncOutcome, folder_of, is_inode, sync_folder, synced},
};

/// Number of bytes per step of a copy.
const COPIED_AT_ONCE: u64 = 1 << 20;

/// File that has its final name, and the guarantees that its file system does not give.
#[derive(Debug)]
pub(crate) struct PublishedFile {
    pub path: PathBuf,
    pub missing: Vec<MissingGuarantee>,
}

impl PartialFile {
    /// Gives the sealed file its final name in its folder.
    ///
    /// The final name is `name`, or the next free numbered name, such as `name (1)`.
    ///
    /// On a file system without hard links, the file is renamed, or copied if every rename fails. `before_rename` is
    /// called with each free name before that name is tried. `announced` is the final name that an earlier run recorded
    /// in its call of `before_rename`.
    pub fn place(
        &self,
        calls: &PublishSyscalls,
        name: &str,
        announced: Option<&str>,
        before_rename: impl FnMut(&str) -> Result<(), TransferFailure>,
    ) -> Result<PublishedFile, TransferFailure> {
        if !self.is_in_place() {
            return Err(TransferFailure::new(
                FailureKind::PartialChanged,
                "the partial was moved or replaced while it was written",
            ));
        }
        let folder = folder_of(&self.path);
        let mut published = match self.link_as(calls, name, folder) {
            Err(error) if has_no_links(error) => self.place_without_links(calls, name, announced, before_rename)?,
            linked => {
                let path = linked.map_err(|error| TransferFailure::of_target(&error.into(), "giving the file its name"))?;
                PublishedFile { path, missing: Vec::new() }
            }
        };
        failpoint::hit("transfer.linked");
        match (calls.sync_folder)(folder) {
            Ok(SyncOutcome::Durably) => {}
            Ok(SyncOutcome::NotSupported) => published.missing.push(MissingGuarantee::FolderSync),
            Err(error) => {
                self.take_back(&published.path);
                return Err(TransferFailure::of_disk(&error, "making the file's name durable"));
            }
        }
        failpoint::hit("transfer.placed");
        Ok(published)
    }

    /// Removes the new final name of the file, because the name is not durable.
    ///
    /// Otherwise a new download of the file would leave two copies. If the removal also fails, the next run finds the
    /// placed file.
    fn take_back(&self, placed: &Path) {
        if !is_inode(placed, self.inode) {
            return;
        }
        let taken = match self.is_in_place() {
            true => std::fs::remove_file(placed),
            false => rename_back(placed, &self.path),
        };
        if let Err(error) = taken {
            tracing::warn!(%error, "file name that is not durable could not be reverted");
        }
    }

    fn link_as(&self, calls: &PublishSyscalls, name: &str, folder: &Path) -> Result<PathBuf, Errno> {
        let mut names = NumberedNames::from_name(name);
        while let Some(candidate) = names.current() {
            let path = folder.join(candidate);
            match (calls.link)(&self.path, &path) {
                Err(error) if names.failed(error) => {}
                linked => return linked.map(|()| path),
            }
        }
        Err(Errno::EXIST)
    }

    fn place_without_links(
        &self,
        calls: &PublishSyscalls,
        name: &str,
        announced: Option<&str>,
        mut before_rename: impl FnMut(&str) -> Result<(), TransferFailure>,
    ) -> Result<PublishedFile, TransferFailure> {
        let folder = folder_of(&self.path);
        let mut names = NumberedNames::from_name(name);
        while let Some(candidate) = names.current() {
            let path = folder.join(&candidate);
            let is_own = announced == Some(candidate.as_str()) && self.is_own_remainder(&path);
            // This check only saves a write to the journal. If the name is taken, the calls below also fail.
            if !is_own && std::fs::symlink_metadata(&path).is_ok() {
                names.failed(Errno::EXIST);
                continue;
            }
            before_rename(&candidate)?;
            if is_own {
                std::fs::remove_file(&path)
                    .map_err(|error| TransferFailure::of_target(&error, "removing what an earlier run left"))?;
            }
            match self.place_as(calls, &path) {
                Ok(missing) => return Ok(PublishedFile { path, missing }),
                Err(error) if names.failed(error) => {}
                Err(error) => return Err(TransferFailure::of_target(&error.into(), "giving the file its name")),
            }
        }
        Err(TransferFailure::new(FailureKind::Target, "every name tried is taken"))
    }

    /// Gives the file the name `path` by the first method that works.
    pub(super) fn place_as(&self, calls: &PublishSyscalls, path: &Path) -> Result<Vec<MissingGuarantee>, Errno> {
        match (calls.rename_exclusively)(&self.path, path) {
            Ok(()) => return Ok(Vec::new()),
            Err(error) if is_missing(error) => {}
            Err(error) => return Err(error),
        }
        let placeholder = create_exclusively(path, 0o600)?;
        let renamed = if is_same(path, &placeholder) { (calls.rename)(&self.path, path) } else { Err(Errno::EXIST) };
        let Err(error) = renamed else { return Ok(vec![MissingGuarantee::ExclusiveName]) };
        if is_same(path, &placeholder) && std::fs::symlink_metadata(path).is_ok_and(|found| found.len() == 0) {
            std::fs::remove_file(path).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        } else {
            // Another program took the name in the meantime.
            return Err(Errno::EXIST);
        }
        drop(placeholder);
        if !is_missing(error) && error != Errno::EXIST {
            return Err(error);
        }
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(Errno::EXIST);
        }
        match (calls.rename)(&self.path, path) {
            Ok(()) => Ok(vec![MissingGuarantee::ExclusiveName]),
            Err(error) if is_missing(error) => self.copy_to(path),
            Err(error) => Err(error),
        }
    }

    /// Copies the file to `path`, and makes the copy durable. Creates the copy exclusively.
    ///
    /// The partial file keeps its name.
    fn copy_to(&self, path: &Path) -> Result<Vec<MissingGuarantee>, Errno> {
        let mut copy = create_exclusively(path, 0o666)?;
        let mut copied = || {
            let length = self.length()?;
            for from in (0..length).step_by(usize::try_from(COPIED_AT_ONCE).unwrap_or(usize::MAX)) {
                copy.write_all(&self.read(from..length.min(from + COPIED_AT_ONCE))?)?;
            }
            synced(copy.sync_all())
        };
        match copied() {
            Ok(SyncOutcome::Durably) => Ok(vec![MissingGuarantee::AtOnce]),
            Ok(SyncOutcome::NotSupported) => Ok(vec![MissingGuarantee::AtOnce, MissingGuarantee::Sync]),
            Err(error) => {
                if is_same(path, &copy) {
                    let _ = std::fs::remove_file(path);
                }
                Err(Errno::from_io_error(&error).unwrap_or(Errno::IO))
            }
        }
    }

    /// Whether the file at `path` comes from a killed run of this transfer.
    ///
    /// The killed run recorded this name in the journal. The file is empty or a copy of the beginning of the partial
    /// file, so no bytes are lost if it is removed.
    fn is_own_remainder(&self, path: &Path) -> bool {
        let looked = || {
            let other = Self::open(path.to_owned())?;
            let length = other.length()?;
            if length > self.length()? {
                return Ok(false);
            }
            for from in (0..length).step_by(usize::try_from(COPIED_AT_ONCE).unwrap_or(usize::MAX)) {
                let range = from..length.min(from + COPIED_AT_ONCE);
                if self.read(range.clone())? != other.read(range)? {
                    return Ok(false);
                }
            }
            Ok::<_, io::Error>(true)
        };
        std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.nlink() == 1) && looked().unwrap_or(false)
    }
}

/// System calls that some file systems do not support.
pub(crate) struct PublishSyscalls {
    pub(super) link: fn(&Path, &Path) -> Result<(), Errno>,
    pub(super) rename_exclusively: fn(&Path, &Path) -> Result<(), Errno>,
    pub(super) rename: fn(&Path, &Path) -> Result<(), Errno>,
    pub(super) sync_folder: fn(&Path) -> io::Result<SyncOutcome>,
}

impl PublishSyscalls {
    pub fn real() -> Self {
        Self {
            link: |from, to| rustix::fs::link(from, to),
            rename_exclusively: |from, to| rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE),
            rename: |from, to| rustix::fs::rename(from, to),
            sync_folder,
        }
    }

    /// Returns the system calls of a file system without hard links.
    #[cfg(test)]
    pub fn without_links() -> Self {
        Self { link: |_, _| Err(Errno::PERM), ..Self::real() }
    }
}

/// Renames a placed file back to `part`, the name of its partial file, if this name is unused.
fn rename_back(placed: &Path, part: &Path) -> io::Result<()> {
    let calls = PublishSyscalls::real();
    match (calls.rename_exclusively)(placed, part) {
        Err(error) if is_missing(error) && std::fs::symlink_metadata(part).is_err() => Ok((calls.rename)(placed, part)?),
        renamed => Ok(renamed?),
    }
}

fn create_exclusively(path: &Path, mode: u32) -> Result<File, Errno> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    options.open(path).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

/// Whether `path` leads to the open `file`.
fn is_same(path: &Path, file: &File) -> bool {
    file.metadata().is_ok_and(|found| is_inode(path, (found.dev(), found.ino())))
}

/// Whether a link failed because the file system or the file does not support links.
pub(crate) fn has_no_links(error: Errno) -> bool {
    is_missing(error) || error == Errno::MLINK
}

/// Whether a call failed because the file system does not support it, rather than because of the names.
pub(super) fn is_missing(error: Errno) -> bool {
    matches!(error, Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::NOTTY | Errno::XDEV)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::part::{remove, tests::written};

    /// Returns the system calls of a file system on which links fail with `link`, and exclusive renames fail with
    /// `exclusive`.
    fn without(link: Errno, exclusive: Errno) -> PublishSyscalls {
        LACKING.with(|lacking| lacking.set((link, exclusive)));
        PublishSyscalls {
            link: |_, _| Err(LACKING.with(|lacking| lacking.get().0)),
            rename_exclusively: |_, _| Err(LACKING.with(|lacking| lacking.get().1)),
            ..PublishSyscalls::real()
        }
    }

    thread_local! {
        static LACKING: std::cell::Cell<(Errno, Errno)> = const { std::cell::Cell::new((Errno::PERM, Errno::INVAL)) };
    }

    const LACKS: [Errno; 7] =
        [Errno::PERM, Errno::ACCESS, Errno::OPNOTSUPP, Errno::NOSYS, Errno::INVAL, Errno::NOTTY, Errno::XDEV];

    /// Creates a partial file in a folder that contains another program's file `a.bin`.
    fn beside_another() -> (tempfile::TempDir, PartialFile) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        let part = written(folder.path());
        (folder, part)
    }

    /// Asserts that the file was placed as `a (1).bin`, and that `a.bin` is unchanged.
    fn assert_is_beside_another(folder: &tempfile::TempDir, published: &PublishedFile) {
        assert_eq!(published.path, folder.path().join("a (1).bin"));
        assert_eq!(std::fs::read(&published.path).unwrap(), b"hello");
        assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), b"mine");
    }

    #[test]
    fn finished_file_gets_next_free_name_and_overwrites_no_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("a (1).bin")).unwrap();
        let part = written(folder.path());
        let published = part.place(&PublishSyscalls::real(), "a.bin", None, |_| unreachable!("links work here")).unwrap();
        let placed = published.path;
        assert!(published.missing.is_empty());
        assert_eq!(placed, folder.path().join("a (2).bin"));
        assert_eq!(std::fs::read(&placed).unwrap(), b"hello");
        assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), b"mine");
        assert_eq!(std::fs::metadata(&placed).unwrap().nlink(), 2);
        remove(part.path()).unwrap();
        assert_eq!(std::fs::metadata(&placed).unwrap().nlink(), 1);
    }

    #[test]
    fn exclusive_rename_gives_file_its_name_if_hard_links_are_unsupported() {
        for error in LACKS.into_iter().chain([Errno::MLINK]) {
            let (folder, part) = beside_another();
            let calls = PublishSyscalls {
                rename_exclusively: PublishSyscalls::real().rename_exclusively,
                ..without(error, Errno::INVAL)
            };
            let mut told = Vec::new();
            let published = part.place(&calls, "a.bin", None, |name| {
                told.push(name.to_owned());
                Ok(())
            });
            let published = published.unwrap();
            assert_is_beside_another(&folder, &published);
            assert!(published.missing.is_empty(), "{error:?}");
            assert_eq!(told, ["a (1).bin"]);
            assert!(!part.path().exists());
        }
    }

    #[test]
    fn rename_over_placeholder_is_used_if_exclusive_rename_is_unsupported() {
        for error in LACKS {
            let (folder, part) = beside_another();
            let published = part.place(&without(error, error), "a.bin", None, |_| Ok(())).unwrap();
            assert_is_beside_another(&folder, &published);
            assert_eq!(published.missing, [MissingGuarantee::ExclusiveName], "{error:?}");
            assert!(!part.path().exists());
        }
    }

    #[test]
    fn file_is_renamed_without_placeholder_if_a_rename_cannot_replace_the_placeholder() {
        for error in [Errno::EXIST, Errno::PERM, Errno::OPNOTSUPP] {
            thread_local!(static ERROR: std::cell::Cell<Errno> = const { std::cell::Cell::new(Errno::EXIST) });
            ERROR.with(|it| it.set(error));
            let (folder, part) = beside_another();
            let rename: fn(&Path, &Path) -> Result<(), Errno> = |from, to| match to.exists() {
                true => Err(ERROR.with(std::cell::Cell::get)),
                false => (PublishSyscalls::real().rename)(from, to),
            };
            let calls = PublishSyscalls { rename, ..without(Errno::PERM, Errno::INVAL) };
            let published = part.place(&calls, "a.bin", None, |_| Ok(())).unwrap();
            assert_is_beside_another(&folder, &published);
            assert_eq!(published.missing, [MissingGuarantee::ExclusiveName], "{error:?}");
        }
    }

    #[test]
    fn copy_is_used_and_reported_if_every_rename_fails() {
        for error in LACKS {
            thread_local!(static ERROR: std::cell::Cell<Errno> = const { std::cell::Cell::new(Errno::XDEV) });
            ERROR.with(|it| it.set(error));
            let (folder, part) = beside_another();
            let calls = PublishSyscalls { rename: |_, _| Err(ERROR.with(std::cell::Cell::get)), ..without(error, error) };
            let published = part.place(&calls, "a.bin", None, |_| Ok(())).unwrap();
            assert_is_beside_another(&folder, &published);
            assert_eq!(published.missing, [MissingGuarantee::AtOnce], "{error:?}");
            assert!(part.is_in_place(), "until its caller knows of the copy");
        }
    }

    #[test]
    fn failed_folder_sync_removes_final_name_but_unsupported_sync_is_only_reported() {
        let (folder, part) = beside_another();
        let calls = PublishSyscalls { sync_folder: |_| synced(Err(Errno::INVAL.into())), ..PublishSyscalls::real() };
        let published = part.place(&calls, "a.bin", None, |_| Ok(())).unwrap();
        assert_is_beside_another(&folder, &published);
        assert_eq!(published.missing, [MissingGuarantee::FolderSync]);
        let (folder, part) = beside_another();
        for calls in [PublishSyscalls::real(), without(Errno::PERM, Errno::INVAL)] {
            let calls = PublishSyscalls { sync_folder: |_| synced(Err(Errno::IO.into())), ..calls };
            let failure = part.place(&calls, "a.bin", None, |_| Ok(())).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Disk);
            assert!(part.is_in_place() && !folder.path().join("a (1).bin").exists());
        }
    }

    #[test]
    fn disk_error_does_not_count_as_unsupported_system_call() {
        for error in [Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::STALE] {
            let (folder, part) = beside_another();
            assert!(part.place(&without(error, error), "a.bin", None, |_| Ok(())).is_err(), "{error:?}");
            let (other, flags) = beside_another();
            assert!(flags.place(&without(Errno::PERM, error), "a.bin", None, |_| Ok(())).is_err(), "{error:?}");
            for (folder, part) in [(folder, part), (other, flags)] {
                assert!(part.is_in_place() && !folder.path().join("a (1).bin").exists(), "{error:?}");
            }
        }
    }

    #[test]
    fn leftover_file_of_killed_run_is_replaced_but_any_other_file_is_kept() {
        for (left, is_own) in [("", true), ("hel", true), ("hello", true), ("help", false), ("hello!", false)] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.bin"), left).unwrap();
            let part = written(folder.path());
            let calls = without(Errno::PERM, Errno::INVAL);
            let published = part.place(&calls, "a.bin", Some("a.bin"), |_| Ok(())).unwrap();
            let name = if is_own { "a.bin" } else { "a (1).bin" };
            assert_eq!(published.path, folder.path().join(name), "{left}");
            assert_eq!(std::fs::read(&published.path).unwrap(), b"hello");
            assert!(is_own || std::fs::read(folder.path().join("a.bin")).unwrap() == left.as_bytes());
        }
        // A file under the final name is compared only if the journal announced this name.
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "").unwrap();
        let part = written(folder.path());
        let published = part.place(&without(Errno::PERM, Errno::INVAL), "a.bin", None, |_| Ok(())).unwrap();
        assert_eq!(published.path, folder.path().join("a (1).bin"));
    }

    #[test]
    fn name_too_long_for_disk_keeps_extension_and_number() {
        let name = format!("{}.mkv", "a".repeat(139));
        let mut names = NumberedNames::from_name(&name);
        assert_eq!(names.current().unwrap(), name);
        assert!(names.failed(Errno::EXIST));
        assert!(names.current().unwrap().len() > 143);
        assert!(names.failed(Errno::NAMETOOLONG));
        let short = names.current().unwrap();
        assert!(short.len() <= 143 && short.ends_with(" (1).mkv"), "{short}");
        assert!(!names.failed(Errno::NAMETOOLONG), "no shorter one is tried");
        assert!(!names.failed(Errno::IO));
    }

    #[test]
    fn undoing_placement_removes_final_name_unless_another_file_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        let linked = part.link_as(&PublishSyscalls::real(), "a.bin", folder.path()).unwrap();
        part.take_back(&linked);
        assert!(!linked.exists() && part.is_in_place());
        let renamed = folder.path().join("a.bin");
        part.place_as(&PublishSyscalls::real(), &renamed).unwrap();
        part.take_back(&renamed);
        assert!(!renamed.exists() && part.is_in_place());
        std::fs::write(&linked, "theirs").unwrap();
        part.take_back(&linked);
        assert_eq!(std::fs::read(&linked).unwrap(), b"theirs");
    }

    #[test]
    fn file_that_replaced_the_partial_file_is_never_given_the_final_name() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        std::fs::remove_file(part.path()).unwrap();
        std::fs::write(part.path(), "other").unwrap();
        assert_eq!(
            part.place(&PublishSyscalls::real(), "a.bin", None, |_| Ok(())).unwrap_err().kind,
            FailureKind::PartialChanged
        );
        assert!(!folder.path().join("a.bin").exists());
    }
}
