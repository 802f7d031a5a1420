//! The end of a partial: it gets its final name as a second name, which fails where the name is taken. Until its caller has
//! written down that it finished, both names stay, and the shared inode is the evidence of it after a crash.

use std::path::{Path, PathBuf};

use rustix::{
    fs::{CWD, RenameFlags},
    io::Errno,
};

use super::{Part, folder_of, is_inode, sync_folder};
use crate::{
    crashpoint, filename,
    outcome::{Failure, FailureKind},
};

/// How many names are tried when one is taken.
pub(crate) const MOST_NAMES: u32 = 100_000;

impl Part {
    /// Gives the sealed partial its final name in its folder: `name`, or the next `name (1)` that is free, by trying.
    /// Where the file system has no links, `before_rename` is told the name first, and the partial's own name goes.
    pub fn place(
        &self,
        name: &str,
        before_rename: impl FnMut(&str) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        if !self.is_in_place() {
            return Err(Failure::new(FailureKind::PartialChanged, "the partial was moved or replaced while it was written"));
        }
        let folder = folder_of(&self.path);
        let placed = match self.place_by(Means::Link, name, folder) {
            Err(error) if has_no_links(error) => {
                self.place_by_renaming(name, folder, before_rename)?
            }
            placed => placed.map_err(|error| Failure::of_target(&error.into(), "giving the file its name"))?,
        };
        crashpoint::hit("transfer.linked");
        if let Err(error) = sync_folder(folder) {
            self.take_back(&placed);
            return Err(Failure::of_disk(&error, "making the file's name durable"));
        }
        crashpoint::hit("transfer.placed");
        Ok(placed)
    }

    /// Takes the name back that it has just got. Whoever heard that this failed, gave it up and asked again would else have a
    /// second copy beside the first. Where that fails as well, the next run finds what was placed.
    fn take_back(&self, placed: &Path) {
        if !is_inode(placed, self.inode) {
            return;
        }
        let taken = match self.is_in_place() {
            true => std::fs::remove_file(placed),
            false => rustix::fs::renameat_with(CWD, placed, CWD, &self.path, RenameFlags::NOREPLACE).map_err(Into::into),
        };
        if let Err(error) = taken {
            tracing::warn!(%error, "a name that is not durable could not be taken back");
        }
    }

    fn place_by_renaming(
        &self,
        name: &str,
        folder: &Path,
        mut before_rename: impl FnMut(&str) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        for number in 0..MOST_NAMES {
            let candidate = candidate(name, number);
            // Looked at first only to spare the journal a write; the rename itself decides.
            if std::fs::symlink_metadata(folder.join(&candidate)).is_ok() {
                continue;
            }
            before_rename(&candidate)?;
            match self.place_by(Means::RenameOnly, &candidate, folder) {
                Err(Errno::EXIST) => {}
                placed => return placed.map_err(|error| Failure::of_target(&error.into(), "giving the file its name")),
            }
        }
        Err(Failure::new(FailureKind::Target, "every name tried is taken"))
    }

    fn place_by(&self, means: Means, name: &str, folder: &Path) -> Result<PathBuf, Errno> {
        for number in 0..MOST_NAMES {
            let path = folder.join(candidate(name, number));
            match means {
                Means::Link => match rustix::fs::link(&self.path, &path) {
                    Err(Errno::EXIST) => {}
                    linked => return linked.map(|()| path),
                },
                Means::RenameOnly => {
                    let renamed = rustix::fs::renameat_with(CWD, &self.path, CWD, &path, RenameFlags::NOREPLACE);
                    return renamed.map(|()| path);
                }
            }
        }
        Err(Errno::EXIST)
    }
}

#[derive(Clone, Copy)]
enum Means {
    Link,
    RenameOnly,
}

/// The name that is tried after so many were taken.
pub(crate) fn candidate(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { filename::numbered(name, number) }
}

/// Whether a link failed with this because the file system or the file can have none.
pub(crate) fn has_no_links(error: Errno) -> bool {
    matches!(error, Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK | Errno::XDEV)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::{super::{remove, tests::written}, *};

    #[test]
    fn placing_takes_the_next_free_name_and_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("a (1).bin")).unwrap();
        let part = written(folder.path());
        let placed = part.place("a.bin", |_| unreachable!("links work here")).unwrap();
        assert_eq!(placed, folder.path().join("a (2).bin"));
        assert_eq!(std::fs::read(&placed).unwrap(), b"hello");
        assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), b"mine");
        assert_eq!(std::fs::metadata(&placed).unwrap().nlink(), 2);
        remove(part.path()).unwrap();
        assert_eq!(std::fs::metadata(&placed).unwrap().nlink(), 1);
    }

    #[test]
    fn without_links_it_is_renamed_and_still_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        let part = written(folder.path());
        let mut told = Vec::new();
        let placed = part.place_by_renaming("a.bin", folder.path(), |name| {
            told.push(name.to_owned());
            Ok(())
        });
        assert_eq!(placed.unwrap(), folder.path().join("a (1).bin"));
        assert_eq!(told, ["a (1).bin"]);
        assert!(!part.path().exists());
    }

    #[test]
    fn a_name_is_taken_back_whichever_way_it_was_given_and_nobody_elses_is() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        let linked = part.place_by(Means::Link, "a.bin", folder.path()).unwrap();
        part.take_back(&linked);
        assert!(!linked.exists() && part.is_in_place());
        let renamed = part.place_by(Means::RenameOnly, "a.bin", folder.path()).unwrap();
        part.take_back(&renamed);
        assert!(!renamed.exists() && part.is_in_place());
        std::fs::write(&linked, "theirs").unwrap();
        part.take_back(&linked);
        assert_eq!(std::fs::read(&linked).unwrap(), b"theirs");
    }

    #[test]
    fn a_partial_that_was_swapped_is_not_placed() {
        let folder = tempfile::tempdir().unwrap();
        let part = written(folder.path());
        std::fs::remove_file(part.path()).unwrap();
        std::fs::write(part.path(), "other").unwrap();
        assert_eq!(part.place("a.bin", |_| Ok(())).unwrap_err().kind, FailureKind::PartialChanged);
        assert!(!folder.path().join("a.bin").exists());
    }
}
