//! Creates the folder that a client names. The files of all clients stay below the roots.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::roots::FolderRoots;

/// Creates the folder if it does not exist, and returns it. Symbolic links in its path are resolved.
///
/// Fails if the folder is not absolute, is outside the `roots`, is hidden, or cannot be created.
pub(super) fn create(folder: &Path, roots: Vec<PathBuf>) -> io::Result<PathBuf> {
    let roots = FolderRoots::new(roots);
    let refused = || io::Error::from(io::ErrorKind::PermissionDenied);
    let planned = roots.resolve(folder).ok_or_else(refused)?;
    fs::create_dir_all(&planned)?;
    // Resolve the folder again, because another program may have created a symbolic link in the meantime.
    roots.resolve(&planned).filter(|folder| folder.is_dir()).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn folder_below_root_is_created() {
        let root = tempfile::tempdir().unwrap();
        let roots = vec![root.path().join("root")];
        let real = fs::canonicalize(root.path()).unwrap();
        assert_eq!(create(&roots[0], roots.clone()).unwrap(), real.join("root"));
        assert_eq!(create(&roots[0].join("a/b"), roots.clone()).unwrap(), real.join("root/a/b"));
        assert!(real.join("root/a/b").is_dir());
    }

    #[test]
    fn folder_outside_roots_is_refused_and_not_created() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(other.path(), root.path().join("link")).unwrap();
        symlink(other.path().join("missing"), root.path().join("broken")).unwrap();
        fs::write(root.path().join("file"), "").unwrap();
        for folder in [
            other.path().to_owned(),
            other.path().join("new"),
            root.path().join("../new"),
            root.path().join("link"),
            root.path().join("link/new"),
            root.path().join("broken"),
            root.path().join("file"),
            root.path().join(".hidden"),
            PathBuf::from("relative"),
            PathBuf::from(""),
        ] {
            assert!(create(&folder, vec![root.path().to_owned()]).is_err(), "{}", folder.display());
        }
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    }
}
