//! Checks the folder that a client names. The files of all clients stay below the roots.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Returns the folder, and creates it if it does not exist. Symbolic links in its path are resolved.
///
/// Fails if the folder is not absolute, is outside the `roots`, or cannot be created.
pub(super) fn resolve(folder: &Path, roots: &[PathBuf]) -> io::Result<PathBuf> {
    let refused = || io::Error::from(io::ErrorKind::PermissionDenied);
    if !folder.is_absolute() || folder.components().any(|part| matches!(part, Component::ParentDir)) {
        return Err(refused());
    }
    let roots = roots.iter().map(fs::canonicalize).collect::<io::Result<Vec<_>>>()?;
    let is_below = |folder: &Path| roots.iter().any(|root| folder.starts_with(root));
    // Nothing may be created outside the roots, so check the deepest folder that exists first.
    let existing = folder.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok()).ok_or_else(refused)?;
    if !is_below(&fs::canonicalize(existing)?) {
        return Err(refused());
    }
    fs::create_dir_all(folder)?;
    let folder = fs::canonicalize(folder)?;
    if is_below(&folder) && folder.is_dir() { Ok(folder) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn folder_below_root_is_created() {
        let root = tempfile::tempdir().unwrap();
        let roots = [root.path().to_owned()];
        let real = fs::canonicalize(root.path()).unwrap();
        assert_eq!(resolve(root.path(), &roots).unwrap(), real);
        assert_eq!(resolve(&root.path().join("a/b"), &roots).unwrap(), real.join("a/b"));
        assert!(real.join("a/b").is_dir());
    }

    #[test]
    fn folder_outside_roots_is_refused_and_not_created() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(other.path(), root.path().join("link")).unwrap();
        symlink(other.path().join("missing"), root.path().join("broken")).unwrap();
        fs::write(root.path().join("file"), "").unwrap();
        let roots = [root.path().to_owned()];
        for folder in [
            other.path().to_owned(),
            other.path().join("new"),
            root.path().join("../new"),
            root.path().join("link"),
            root.path().join("link/new"),
            root.path().join("broken"),
            root.path().join("file"),
            PathBuf::from("relative"),
            PathBuf::from(""),
        ] {
            assert!(resolve(&folder, &roots).is_err(), "{}", folder.display());
        }
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    }
}
