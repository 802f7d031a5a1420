//! Where things are: the data folder, and the socket that belongs to it. Says so, and makes the socket's folder
//! private; never opens a socket.

use std::{
    env, fs, io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::process::geteuid;
use sha2::{Digest, Sha256};

/// Longer addresses do not fit into every system's `sockaddr_un` (104 bytes on macOS, 108 on Linux).
const LONGEST: usize = 100;

/// The data folder of this user when nobody names another one: `ashore` in the XDG data home. None without a home.
pub fn data_dir() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(home.join("ashore"))
}

/// The places where the socket of `data_dir` may be, the best first. A client looks in all of them: the holder may have
/// been started where `XDG_RUNTIME_DIR` is not set.
///
/// Fails when the data folder is not there.
pub(crate) fn sockets(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    Ok(candidates(&fs::canonicalize(data_dir)?, runtime, &env::temp_dir(), geteuid().as_raw()))
}

fn candidates(data_dir: &Path, runtime: Option<PathBuf>, temp: &Path, uid: u32) -> Vec<PathBuf> {
    let digest = Sha256::digest(data_dir.as_os_str().as_bytes());
    let name = format!("{}.sock", hex::encode(&digest[..8]));
    let runtime = runtime.filter(|path| path.is_absolute()).map(|path| path.join("ashore"));
    let folders = runtime.into_iter().chain([temp.join(format!("ashore-{uid}"))]);
    folders.map(|folder| folder.join(&name)).filter(|path| path.as_os_str().len() <= LONGEST).collect()
}

/// Makes `folder` with mode 0700, or makes sure that it is a real folder of ours that nobody else may enter.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check_ours(folder)?;
    if fs::symlink_metadata(folder)?.mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// A folder in a place where everybody may write could be somebody else's, or a link to somewhere else.
pub(crate) fn check_ours(folder: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if found.is_dir() && found.uid() == geteuid().as_raw() {
        Ok(())
    } else {
        let text = format!("{} belongs to somebody else", folder.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_socket_is_named_by_the_folder_and_lies_in_the_runtime_folder_first() {
        let found = candidates(Path::new("/home/a/data"), Some("/run/user/7".into()), Path::new("/tmp"), 7);
        let name = found[0].file_name().unwrap().to_str().unwrap();
        assert_eq!(name.len(), 16 + ".sock".len());
        assert_eq!(found, [Path::new("/run/user/7/ashore").join(name), Path::new("/tmp/ashore-7").join(name)]);
        let other = candidates(Path::new("/home/a/data2"), None, Path::new("/tmp"), 7);
        assert_ne!(other[0].file_name().unwrap(), name);
    }

    #[test]
    fn a_runtime_folder_that_cannot_hold_a_socket_is_left_out() {
        let long = format!("/{}", "x".repeat(100));
        for unusable in ["relative/run", long.as_str()] {
            let found = candidates(Path::new("/d"), Some(unusable.into()), Path::new("/tmp"), 7);
            assert_eq!(found.len(), 1, "{unusable}");
            assert!(found[0].starts_with("/tmp/ashore-7"));
        }
    }

    #[test]
    fn the_folder_is_private_even_where_it_was_open_before() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("ashore");
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_link_and_a_file_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert_eq!(make_private(&link).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(make_private(&file).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        if !geteuid().is_root() {
            // Not `eprintln!`, which nobody sees of a test that passes.
            let _ = io::Write::write_all(&mut io::stderr(), b"LEFT OUT: only root can give a folder away.\n");
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("theirs");
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::chown(&folder, Some(12345), None).unwrap();
        assert_eq!(make_private(&folder).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
