//! Folders in which devices may choose folders, and in which their downloads may be stored.
//!
//! - Symbolic links in the path of a folder are resolved before the folder is compared, so that no link leads outside.
//! - Hidden folders below a root are never offered, because files can take effect there automatically.
//! - All functions read the disk and block for a moment.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::Serialize;

/// Maximum number of folders in a list.
const MOST_FOLDERS: usize = 10_000;

/// Folders that devices may use. Symbolic links in their paths are resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderRoots(Vec<PathBuf>);

/// Folders inside a folder.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FolderList {
    /// The folder; empty for the list of all roots.
    pub path: PathBuf,
    /// Parent folder; `None` if the folder is a root.
    pub parent: Option<PathBuf>,
    /// Sorted names of the folders inside this folder. For the list of all roots, these are absolute paths.
    pub folders: Vec<String>,
}

impl FolderRoots {
    /// Returns `folders` as roots. If a folder does not exist yet, the path that it will have is used.
    pub(crate) fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut roots: Vec<PathBuf> = folders.into_iter().filter_map(|folder| resolved(&folder)).collect();
        roots.sort();
        roots.dedup();
        Self(roots)
    }

    /// Returns the path of `folder` with symbolic links resolved, if it is in a root and not hidden. The folder need
    /// not exist.
    pub(crate) fn resolve(&self, folder: &Path) -> Option<PathBuf> {
        let folder = resolved(folder)?;
        let is_offered = |root: &PathBuf| folder.strip_prefix(root).is_ok_and(|inside| !inside.iter().any(is_hidden));
        self.0.iter().any(is_offered).then_some(folder)
    }

    /// Returns the roots themselves.
    pub(crate) fn list_roots(&self) -> FolderList {
        let folders = self.0.iter().filter(|root| root.is_dir()).map(|root| root.to_string_lossy().into_owned()).collect();
        FolderList { path: PathBuf::new(), parent: None, folders }
    }

    /// Returns the folders in `folder`; `None` if it is outside of the roots or hidden.
    ///
    /// Fails if the folder cannot be read.
    pub(crate) fn list(&self, folder: &Path) -> io::Result<Option<FolderList>> {
        let Some(path) = self.resolve(folder) else { return Ok(None) };
        let mut folders = Vec::new();
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            let is_folder = match kind.is_symlink() {
                true => entry.path().is_dir() && self.resolve(&entry.path()).is_some(),
                false => kind.is_dir(),
            };
            // Omit a name that is not UTF-8, because it could not be sent back.
            if let Some(name) = name.to_str()
                && is_folder
                && !is_hidden(name)
            {
                folders.push(name.to_owned());
            }
            if folders.len() >= MOST_FOLDERS {
                break;
            }
        }
        folders.sort();
        let parent = path.parent().and_then(|parent| self.resolve(parent));
        Ok(Some(FolderList { path, parent, folders }))
    }
}

fn is_hidden(name: impl AsRef<OsStr>) -> bool {
    name.as_ref().as_encoded_bytes().starts_with(b".")
}

/// Returns an absolute path with symbolic links resolved.
///
/// Folders at the end of the path that do not exist are kept as they are. Returns `None` if one of these folders is
/// `..`.
fn resolved(folder: &Path) -> Option<PathBuf> {
    if !folder.is_absolute() {
        return None;
    }
    let mut missing = Vec::new();
    for existing in folder.ancestors() {
        match fs::canonicalize(existing) {
            Ok(path) => return Some(missing.into_iter().rev().fold(path, |path, name| path.join(name))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Refuse a symbolic link whose target does not exist, because a folder would be created at the target.
                if fs::symlink_metadata(existing).is_ok() {
                    return None;
                }
                match existing.components().next_back()? {
                    Component::Normal(name) => missing.push(name.to_owned()),
                    _ => return None,
                }
            }
            Err(_) => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Folder `root` with `a`, `a/b`, `.hidden`, and symbolic links, beside a folder `outside`.
    fn tree() -> (tempfile::TempDir, PathBuf, FolderRoots) {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("root");
        for name in ["a/b", ".hidden/c"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        fs::create_dir_all(base.join("outside")).unwrap();
        fs::write(root.join("file"), "").unwrap();
        symlink(base.join("outside"), root.join("out")).unwrap();
        symlink(root.join("a/b"), root.join("in")).unwrap();
        symlink(root.join(".hidden"), root.join("seen")).unwrap();
        symlink(base.join("nowhere"), root.join("dangling")).unwrap();
        let roots = FolderRoots::new([root.clone()]);
        (folder, root, roots)
    }

    #[test]
    fn list_of_folders_omits_hidden_ones_and_links_that_leave_the_root() {
        let (_folder, root, roots) = tree();
        let list = roots.list(&root).unwrap().unwrap();
        assert_eq!(list, FolderList { path: root.clone(), parent: None, folders: vec!["a".to_owned(), "in".to_owned()] });
        let inner = roots.list(&root.join("a")).unwrap().unwrap();
        assert_eq!((inner.parent, inner.folders), (Some(root.clone()), vec!["b".to_owned()]));
        assert_eq!(roots.list_roots().folders, [root.to_string_lossy()]);
    }

    #[test]
    fn path_to_folder_outside_of_roots_is_refused() {
        let (_folder, root, roots) = tree();
        let base = root.parent().unwrap();
        for refused in [
            base.to_owned(),
            base.join("outside"),
            base.join("root2"),
            root.join("out"),
            root.join("out/new"),
            root.join("../outside"),
            root.join("a/../../outside"),
            root.join("new/../../outside"),
            root.join(".hidden"),
            root.join(".hidden/c"),
            root.join("seen"),
            root.join("a/.new"),
            root.join("dangling"),
            root.join("dangling/new"),
            root.join("file/new"),
            PathBuf::from("a"),
            PathBuf::from("/"),
        ] {
            assert_eq!(roots.resolve(&refused), None, "{}", refused.display());
            assert_eq!(roots.list(&refused).unwrap(), None, "{}", refused.display());
        }
    }

    #[test]
    fn path_to_new_folder_or_through_link_inside_root_is_resolved() {
        let (_folder, root, roots) = tree();
        assert_eq!(roots.resolve(&root.join("new/er")), Some(root.join("new/er")));
        assert_eq!(roots.resolve(&root.join("in/new")), Some(root.join("a/b/new")));
        assert_eq!(roots.resolve(&root.join("a/../a")), Some(root.join("a")));
    }

    #[test]
    fn root_folder_is_offered_even_if_it_is_hidden() {
        let (_folder, root, _) = tree();
        let roots = FolderRoots::new([root.join(".hidden")]);
        assert_eq!(roots.resolve(&root.join(".hidden/c")), Some(root.join(".hidden/c")));
    }
}
