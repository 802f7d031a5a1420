//! Moves the files of a download to another folder, which may be on another file system.
//!
//! The engine calls these functions after the user has chosen another folder.
//!
//! - No existing file is overwritten.
//! - A file is removed from its old place only after its bytes and its new name are durable.
//! - After an interruption, each call can be repeated.

use std::{
    fs::{File, FileTimes, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use rustix::{
    fs::{OFlags, SeekFrom},
    io::Errno,
};

use crate::{
    disk::may_wait,
    filename,
    model::spec::Guid,
    partial::{
        journal, origin_xattr,
        part::{PartialFile, folder_of, parts_of, synced},
        publish::{PublishSyscalls, has_no_links, is_missing},
        scan::partials_in,
    },
};

/// Number of bytes per step of a copy.
const COPIED_AT_ONCE: usize = 1 << 20;
/// Suffix of a file while it is copied to another file system.
const COPY_ENDING: &str = ".moving";

/// Result of an attempt to give a published file a name in another folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameAttempt {
    /// The file has the name, and the name is durable.
    Given,
    /// A file with this name already exists, and nothing was changed.
    Taken,
}

/// Gives the published file `source` the name `target`, in another folder.
///
/// `source` remains, so that the caller can record the new name first. It is renamed only if the file system has no hard
/// links. On another file system, `target` becomes a copy with the same mode, modification time and origin mark. An
/// unfinished copy has the name of a partial file with `tag`.
pub fn give_name(source: &Path, target: &Path, tag: &str) -> io::Result<NameAttempt> {
    give_name_with(&PublishSyscalls::real(), source, target, tag)
}

fn give_name_with(calls: &PublishSyscalls, source: &Path, target: &Path, tag: &str) -> io::Result<NameAttempt> {
    may_wait();
    let given = match (calls.link)(source, target) {
        Err(error) if has_no_links(error) => match (calls.rename_exclusively)(source, target) {
            Err(error) if is_missing(error) => copy_as(calls, source, target, tag)?,
            renamed => renamed,
        },
        linked => linked,
    };
    match given {
        Err(Errno::EXIST) => return Ok(NameAttempt::Taken),
        given => given?,
    }
    (calls.sync_folder)(folder_of(target))?;
    Ok(NameAttempt::Given)
}

/// Copies `source` to `target`. The inner result reports whether the name could be given.
fn copy_as(calls: &PublishSyscalls, source: &Path, target: &Path, tag: &str) -> io::Result<Result<(), Errno>> {
    // Fail before the copy of a large file, not after it.
    if std::fs::symlink_metadata(target).is_ok() {
        return Ok(Err(Errno::EXIST));
    }
    let name = target.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let folder = folder_of(target);
    let part = match PartialFile::create(folder.join(filename::name::partial(name, tag))) {
        Err(error) if Errno::from_io_error(&error) == Some(Errno::NAMETOOLONG) => {
            PartialFile::create(folder.join(filename::name::partial_short(name, tag)))?
        }
        created => created?,
    };
    let placed = copy_into(source, &part).map(|()| part.place_as(calls, target).map(drop));
    if !matches!(placed, Ok(Ok(()))) || part.is_in_place() {
        std::fs::remove_file(part.path())?;
    }
    placed
}

/// Copies bytes, mode, modification time and origin mark of the file at `source`, and makes them durable.
fn copy_into(source: &Path, copy: &PartialFile) -> io::Result<()> {
    let file = open(source)?;
    let found = file.metadata()?;
    copy_bytes(&file, found.len(), copy)?;
    let to = OpenOptions::new().write(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(copy.path())?;
    to.set_len(found.len())?;
    origin_xattr::copy(&file, &to);
    // These fail on file systems with a fixed mode or without modification times.
    let _ = to.set_permissions(found.permissions());
    if let Ok(modified) = found.modified() {
        let _ = to.set_times(FileTimes::new().set_modified(modified));
    }
    synced(to.sync_all())?;
    Ok(())
}

/// Copies the data of `from`, whose length is `length`. Leaves out holes, such as the missing ranges of a partial file.
fn copy_bytes(from: &File, length: u64, to: &PartialFile) -> io::Result<()> {
    let mut at = 0;
    while at < length {
        let Some((start, end)) = next_data(from, at, length)? else { break };
        at = start;
        while at < end {
            let count = usize::try_from(end - at).unwrap_or(usize::MAX).min(COPIED_AT_ONCE);
            let mut bytes = vec![0; count];
            from.read_exact_at(&mut bytes, at)?;
            to.write(&[Bytes::from(bytes)], at)?;
            at += count as u64;
        }
    }
    Ok(())
}

/// Returns the next range of data from `at` on; `None` if only a hole follows.
fn next_data(file: &File, at: u64, length: u64) -> io::Result<Option<(u64, u64)>> {
    match rustix::fs::seek(file, SeekFrom::Data(at)) {
        Ok(start) => {
            let end = rustix::fs::seek(file, SeekFrom::Hole(start)).unwrap_or(length);
            Ok(Some((start, end.min(length))))
        }
        Err(Errno::NXIO) => Ok(None),
        // This file system does not report holes.
        Err(_) => Ok(Some((at, length))),
    }
}

/// Whether the files at both paths have the same bytes. Also false if one of them cannot be read.
pub fn has_same_bytes(one: &Path, other: &Path) -> bool {
    may_wait();
    let compared = || {
        let (mut one, mut other) = (open(one)?, open(other)?);
        if one.metadata()?.len() != other.metadata()?.len() {
            return Ok(false);
        }
        let (mut first, mut second) = (vec![0; COPIED_AT_ONCE], vec![0; COPIED_AT_ONCE]);
        loop {
            let count = one.read(&mut first)?;
            if count == 0 {
                return Ok(true);
            }
            other.read_exact(&mut second[..count])?;
            if first[..count] != second[..count] {
                return Ok(false);
            }
        }
    };
    let compared: io::Result<bool> = compared();
    compared.unwrap_or(false)
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// Moves the partial file of `guid`, its journal, and the file that a restart set aside. Returns their old and new paths.
///
/// The result is empty if `from` contains no partial file of this transfer. If one of the files cannot be moved, the others
/// move back. The transfer must not be running.
pub(crate) fn move_partial(guid: Guid, from: &Path, to: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    move_partial_with(&PublishSyscalls::real(), guid, from, to)
}

fn move_partial_with(calls: &PublishSyscalls, guid: Guid, from: &Path, to: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    may_wait();
    let mut moved = Vec::new();
    for (_, name) in partials_in(from)?.into_iter().filter(|(tag, _)| *tag == guid.tag()) {
        let part = from.join(&name);
        let [data, aside, record] = parts_of(&part);
        if journal::read(&record).is_some_and(|record| record.guid != guid) {
            continue;
        }
        // The bytes move before the journal, which claims that they are there.
        let mut done: Vec<(PathBuf, PathBuf)> = Vec::new();
        for source in [data, aside, record] {
            let Some(file) = source.file_name() else { continue };
            let target = to.join(file);
            if let Err(error) = move_file(calls, &source, &target) {
                for (source, target) in done {
                    move_file(calls, &target, &source)?;
                }
                return Err(error);
            }
            done.push((source, target));
        }
        moved.push((part, to.join(name)));
    }
    if !moved.is_empty() {
        (calls.sync_folder)(to)?;
        (calls.sync_folder)(from)?;
    }
    Ok(moved)
}

/// Moves the file at `source`, if it exists. Fails with `AlreadyExists` if another file has the name `target`.
fn move_file(calls: &PublishSyscalls, source: &Path, target: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(source).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(());
    }
    // Both paths can lead to the same file, for example through a symbolic link to the same folder.
    if is_same_file(source, target)? {
        return Ok(());
    }
    match (calls.rename_exclusively)(source, target) {
        Err(error) if is_missing(error) => {}
        Err(Errno::EXIST) => return remove_moved(calls, source, target),
        renamed => return Ok(renamed?),
    }
    if std::fs::symlink_metadata(target).is_ok() {
        return remove_moved(calls, source, target);
    }
    let mut copy = target.as_os_str().to_owned();
    copy.push(COPY_ENDING);
    let copy = PartialFile::create(copy.into())?;
    let placed = copy_into(source, &copy).and_then(|()| Ok(copy.place_as(calls, target)?));
    if placed.is_err() || copy.is_in_place() {
        std::fs::remove_file(copy.path())?;
    }
    placed?;
    (calls.sync_folder)(folder_of(target))?;
    std::fs::remove_file(source)
}

/// Whether both paths lead to the same file. False if one of them does not exist.
fn is_same_file(one: &Path, other: &Path) -> io::Result<bool> {
    let identity = |path: &Path| match std::fs::symlink_metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    Ok(identity(one)?.is_some_and(|one| identity(other).ok().flatten() == Some(one)))
}

/// Removes `source` if an interrupted call has already copied it to `target`.
fn remove_moved(calls: &PublishSyscalls, source: &Path, target: &Path) -> io::Result<()> {
    if !has_same_bytes(source, target) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    (calls.sync_folder)(folder_of(target))?;
    std::fs::remove_file(source)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use uuid::Uuid;

    use super::*;
    use crate::partial::folder_names::names;

    const GUID: Guid = Guid(Uuid::from_u128(7 << 96));

    /// Returns system calls as between two file systems.
    fn across() -> PublishSyscalls {
        PublishSyscalls {
            link: |_, _| Err(Errno::XDEV),
            rename_exclusively: |from, to| match folder_of(from) == folder_of(to) {
                true => (PublishSyscalls::real().rename_exclusively)(from, to),
                false => Err(Errno::XDEV),
            },
            ..PublishSyscalls::real()
        }
    }

    fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| place.path().join(name));
        [&from, &to].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        (place, from, to)
    }

    #[test]
    fn published_file_gets_name_in_other_folder_and_keeps_its_old_name() {
        for (calls, is_link) in [(PublishSyscalls::real(), true), (across(), false)] {
            let (_place, from, to) = folders();
            let (source, target) = (from.join("a.bin"), to.join("a.bin"));
            std::fs::write(&source, vec![7; 3 << 20]).unwrap();
            let old = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
            File::options().write(true).open(&source).unwrap().set_times(old).unwrap();
            assert_eq!(give_name_with(&calls, &source, &target, "0123abcd").unwrap(), NameAttempt::Given);
            let (before, after) = (source.metadata().unwrap(), target.metadata().unwrap());
            assert_eq!(before.ino() == after.ino(), is_link);
            assert_eq!((before.mtime(), before.mode()), (after.mtime(), after.mode()));
            assert!(has_same_bytes(&source, &target));
            assert_eq!((names(&from), names(&to)), (vec!["a.bin".to_owned()], vec!["a.bin".to_owned()]));
        }
    }

    #[test]
    fn existing_file_in_other_folder_is_not_overwritten() {
        for calls in [PublishSyscalls::real(), PublishSyscalls::without_links(), across()] {
            let (_place, from, to) = folders();
            let (source, target) = (from.join("a.bin"), to.join("a.bin"));
            std::fs::write(&source, "ours").unwrap();
            std::fs::write(&target, "mine").unwrap();
            assert_eq!(give_name_with(&calls, &source, &target, "0123abcd").unwrap(), NameAttempt::Taken);
            assert_eq!((std::fs::read(&source).unwrap(), std::fs::read(&target).unwrap()), (b"ours".into(), b"mine".into()));
            assert_eq!(names(&to), ["a.bin"]);
        }
    }

    #[test]
    fn partial_file_moves_with_journal_and_older_file() {
        for calls in [PublishSyscalls::real(), across()] {
            let (_place, from, to) = folders();
            let name = filename::name::partial("a.bin", &GUID.tag());
            let parts = parts_of(&from.join(&name));
            for part in &parts {
                std::fs::write(part, part.as_os_str().as_encoded_bytes()).unwrap();
            }
            // Another transfer and another program have files in the same folder.
            for other in [filename::name::partial("a.bin", "89abcdef"), "a.bin".to_owned()] {
                std::fs::write(from.join(other), "other").unwrap();
            }
            // An interrupted call has copied one of the files.
            std::fs::copy(&parts[0], to.join(&name)).unwrap();
            assert_eq!(move_partial_with(&calls, GUID, &from, &to).unwrap(), [(from.join(&name), to.join(&name))]);
            assert_eq!(names(&from).len(), 2);
            for (part, moved) in parts.iter().zip(parts_of(&to.join(&name))) {
                assert_eq!(std::fs::read(moved).unwrap(), part.as_os_str().as_encoded_bytes());
            }
            assert_eq!(names(&to).len(), 3);
            assert_eq!(move_partial_with(&calls, GUID, &from, &to).unwrap(), []);
        }
    }

    #[test]
    fn partial_file_stays_if_its_name_belongs_to_another_file() {
        let (_place, from, to) = folders();
        let name = filename::name::partial("a.bin", &GUID.tag());
        std::fs::write(from.join(&name), "ours").unwrap();
        std::fs::write(to.join(&name), "mine").unwrap();
        assert!(move_partial_with(&PublishSyscalls::real(), GUID, &from, &to).is_err());
        assert_eq!(std::fs::read(from.join(&name)).unwrap(), b"ours");
        assert_eq!(std::fs::read(to.join(&name)).unwrap(), b"mine");
    }

    #[test]
    fn partial_file_is_kept_if_both_paths_lead_to_the_same_folder() {
        for calls in [PublishSyscalls::real(), across()] {
            let (place, from, _) = folders();
            let link = place.path().join("link");
            std::os::unix::fs::symlink(&from, &link).unwrap();
            let parts = parts_of(&from.join(filename::name::partial("a.bin", &GUID.tag())));
            for part in &parts {
                std::fs::write(part, "ours").unwrap();
            }
            move_partial_with(&calls, GUID, &from, &link).unwrap();
            assert_eq!(parts.map(|part| std::fs::read(part).unwrap()), [b"ours"; 3].map(Vec::from));
        }
    }

    #[test]
    fn partial_file_moves_back_if_its_journal_cannot_move() {
        for calls in [PublishSyscalls::real(), across()] {
            let (_place, from, to) = folders();
            let name = filename::name::partial("a.bin", &GUID.tag());
            let [data, _, record] = parts_of(&from.join(&name));
            std::fs::write(&data, "ours").unwrap();
            std::fs::write(&record, "our journal").unwrap();
            let taken = parts_of(&to.join(&name))[2].clone();
            std::fs::write(&taken, "mine").unwrap();
            assert!(move_partial_with(&calls, GUID, &from, &to).is_err());
            assert_eq!((std::fs::read(data).unwrap(), std::fs::read(record).unwrap()), (b"ours".into(), b"our journal".into()));
            assert_eq!((names(&to).len(), std::fs::read(taken).unwrap()), (1, b"mine".into()));
        }
    }

    #[test]
    fn holes_of_partial_file_are_not_copied() {
        let (_place, from, to) = folders();
        let name = filename::name::partial("a.bin", &GUID.tag());
        let part = PartialFile::create(from.join(&name)).unwrap();
        part.write(&[Bytes::from_static(b"end")], 64 << 20).unwrap();
        drop(part);
        move_partial_with(&across(), GUID, &from, &to).unwrap();
        let moved = to.join(&name).metadata().unwrap();
        assert_eq!(moved.len(), (64 << 20) + 3);
        assert!(moved.blocks() * 512 < 32 << 20, "{moved:?}");
    }
}
