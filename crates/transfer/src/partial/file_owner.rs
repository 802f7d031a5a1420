//! Determines whether a file belongs to the user that Ashore runs as.
//!
//! Called by `scan`, `journal` and `part`, because a file or journal of another user does not prove that Ashore wrote
//! the data.
//!
//! Some file systems (vfat, CIFS, NFS with squashed users) assign one owner to all files. On these, a file counts as
//! the user's if it has the same owner as a new file.

use std::{
    fs::{Metadata, OpenOptions},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// Whether a file in `folder` belongs to the user that this process runs as.
///
/// `found` is the metadata of the file. Returns `false` if the owner cannot be determined.
pub fn is_ours(found: &Metadata, folder: &Path) -> bool {
    found.uid() == rustix::process::geteuid().as_raw() || owner_of_new_files(folder).is_ok_and(|owner| owner == found.uid())
}

/// Returns the owner of new files of this process in `folder`.
fn owner_of_new_files(folder: &Path) -> io::Result<u32> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".ashore-owner-{}-{number}", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let owner = file.metadata().map(|made| made.uid());
    std::fs::remove_file(&path)?;
    owner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_created_to_find_out_the_owner_of_new_files_is_removed_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "x").unwrap();
        assert!(is_ours(&path.metadata().unwrap(), folder.path()));
        assert_eq!(owner_of_new_files(folder.path()).unwrap(), rustix::process::geteuid().as_raw());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn file_of_another_user_does_not_count_as_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "x").unwrap();
        if !rustix::process::geteuid().is_root() {
            return drop(io::Write::write_all(&mut io::stderr(), b"LEFT OUT: only root may give a file away.\n"));
        }
        std::os::unix::fs::chown(&path, Some(65_534), None).unwrap();
        assert!(!is_ours(&path.metadata().unwrap(), folder.path()));
        assert!(!is_ours(&path.metadata().unwrap(), &folder.path().join("gone")), "the owner is unknown");
    }
}
