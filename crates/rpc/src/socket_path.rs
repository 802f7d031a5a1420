//! Locates the data folder and its socket. This module makes the socket's folder private, but opens no socket.
//!
//! - The socket is in a folder that no other user can write to, create in advance, or replace: the runtime folder, the
//!   data folder, or a new folder with a random name. A predictable name in a shared temporary folder is never used.
//! - Clients look in all of these places, since the program with the engine may have been started with another
//!   environment.

use std::{
    env, fs,
    io::{self, Read as _, Write as _},
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::{
            ffi::{OsStrExt, OsStringExt},
            fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        },
    },
    path::{Path, PathBuf},
};

use ashore_engine::atomic_file::{self, SymlinkPolicy};
use ashore_messages::message;
use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};
use sha2::{Digest, Sha256};

/// Maximum length of an address that fits into every system's `sockaddr_un` (104 bytes on macOS, 108 on Linux).
const LONGEST: usize = 100;

/// Name of a socket in its own folder.
const SOCKET: &str = "ashore.sock";

/// Maximum length of the pointer's content, in bytes; no path is longer.
const LONGEST_POINTER: u64 = 4096;

/// Pointer file in the data folder. It contains the path of a socket in a random folder.
const POINTER: &str = "ashore.sock.path";

/// Returns the default data folder of this user: `ashore` in the XDG data home. `None` if the home folder is unknown.
pub fn data_dir() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(home.join("ashore"))
}

/// Returns the places where the socket of `data_dir` may be, in order of preference.
///
/// Fails if the data folder does not exist.
pub(crate) fn sockets(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let data_dir = fs::canonicalize(data_dir)?;
    let mut places = fixed(&data_dir, env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from));
    places.extend(pointed(&data_dir));
    Ok(places)
}

/// Returns the places with known names: in the runtime folder, and in the data folder.
fn fixed(data_dir: &Path, runtime: Option<PathBuf>) -> Vec<PathBuf> {
    let digest = Sha256::digest(data_dir.as_os_str().as_bytes());
    let name = format!("{}.sock", hex::encode(&digest[..8]));
    let runtime = runtime.filter(|path| path.is_absolute()).map(|path| path.join("ashore").join(name));
    runtime.into_iter().chain([data_dir.join(SOCKET)]).collect()
}

/// Returns the socket that the data folder's pointer names; `None` if there is no pointer.
fn pointed(data_dir: &Path) -> Option<PathBuf> {
    let file = atomic_file::open(&data_dir.join(POINTER), fs::File::options().read(true), SymlinkPolicy::Refused).ok()?;
    let mut text = Vec::new();
    file.take(LONGEST_POINTER).read_to_end(&mut text).ok()?;
    Some(PathBuf::from(std::ffi::OsString::from_vec(text))).filter(|path| path.is_absolute())
}

/// Creates a folder for the socket under a random name, and writes a pointer to this folder into the data folder.
///
/// Used for a data folder whose file system does not support sockets. Fails if the temporary folder or the data folder
/// cannot be written to.
pub(crate) fn random(data_dir: &Path) -> io::Result<PathBuf> {
    let data_dir = fs::canonicalize(data_dir)?;
    let private = fs::Permissions::from_mode(0o700);
    let path = tempfile::Builder::new().prefix("ashore-").permissions(private).tempdir()?.keep().join(SOCKET);
    // Replace a symbolic link at the path of the pointer. Do not write to the target of the link.
    let mut pointer = tempfile::NamedTempFile::new_in(&data_dir)?;
    pointer.write_all(path.as_os_str().as_bytes())?;
    pointer.persist(data_dir.join(POINTER))?;
    Ok(path)
}

/// Removes the folder and the pointer of the socket `path`, if [`random`] created them.
pub(crate) fn discard_random(data_dir: &Path, path: &Path) {
    let discarded = || -> io::Result<()> {
        let data_dir = fs::canonicalize(data_dir)?;
        if pointed(&data_dir).is_none_or(|pointed| pointed != path) {
            return Ok(());
        }
        fs::remove_file(data_dir.join(POINTER))?;
        path.parent().map_or(Ok(()), fs::remove_dir)
    };
    if let Err(error) = discarded() {
        tracing::debug!(%error, "socket folder could not be removed");
    }
}

/// Address of the socket at `path`, short enough for a `sockaddr_un`. Valid as long as this value lives.
pub(crate) struct SocketAddress {
    path: PathBuf,
    /// Handle of the open socket folder. The address uses this handle if the path itself is too long.
    _folder: Option<OwnedFd>,
}

impl SocketAddress {
    /// Returns the address of `path`. Fails if the folder of a long path cannot be opened.
    pub(crate) fn for_path(path: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a socket needs a folder and a name"));
        };
        if path.as_os_str().len() <= LONGEST {
            return Ok(Self { path: path.to_owned(), _folder: None });
        }
        let folder = rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let path = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
        Ok(Self { path, _folder: Some(folder) })
    }

    /// Returns the path to bind or connect to.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Creates `folder` with mode 0700, or ensures that an existing one is private.
///
/// An existing folder must be a real folder of this user, and no other user may enter it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check_ours(folder)?;
    if fs::symlink_metadata(folder)?.mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    if fs::symlink_metadata(folder)?.mode() & 0o022 == 0 {
        return Ok(());
    }
    // Some file systems have the same mode for all files, and ignore a change of the mode.
    let text = format!("other users can write to {}", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}

/// Fails if `folder` is a symbolic link, or if it is not a folder of this user. In a shared place, another user could
/// have created it.
pub(crate) fn check_ours(folder: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if found.is_dir() && found.uid() == geteuid().as_raw() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message!("fault-peer.other-user", path = folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn socket_in_runtime_folder_is_preferred_to_socket_in_data_folder() {
        let found = fixed(Path::new("/home/a/data"), Some("/run/user/7".into()));
        let name = found[0].file_name().unwrap().to_str().unwrap();
        assert_eq!(name.len(), 16 + ".sock".len());
        assert_eq!(found, [Path::new("/run/user/7/ashore").join(name), "/home/a/data/ashore.sock".into()]);
        let other = fixed(Path::new("/home/a/data2"), Some("/run/user/7".into()));
        assert_ne!(other[0].file_name().unwrap(), name);
    }

    #[test]
    fn missing_or_relative_runtime_folder_is_skipped() {
        for unusable in [None, Some("relative/run".into())] {
            assert_eq!(fixed(Path::new("/d"), unusable), [Path::new("/d/ashore.sock")]);
        }
    }

    #[test]
    fn random_socket_folder_is_private_and_found_by_pointer_file() {
        let data = tempfile::tempdir().unwrap();
        let first = random(data.path()).unwrap();
        let folder = first.parent().unwrap();
        assert_eq!(fs::metadata(folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(sockets(data.path()).unwrap().last(), Some(&first));
        let second = random(data.path()).unwrap();
        assert_ne!(first, second, "its name cannot be guessed");
        discard_random(data.path(), &second);
        assert!(!second.parent().unwrap().exists() && pointed(data.path()).is_none());
        discard_random(data.path(), &first);
        assert!(folder.exists(), "nothing points to it any more");
        fs::remove_dir(folder).unwrap();
    }

    #[test]
    fn pointer_file_that_is_a_symlink_is_ignored_and_replaced() {
        let data = tempfile::tempdir().unwrap();
        let (pointer, own) = (data.path().join(POINTER), data.path().join("own"));
        fs::write(&own, "/mine").unwrap();
        std::os::unix::fs::symlink(&own, &pointer).unwrap();
        assert_eq!(pointed(data.path()), None);
        let path = random(data.path()).unwrap();
        assert_eq!((fs::read(&own).unwrap(), pointed(data.path())), (b"/mine".to_vec(), Some(path.clone())));
        discard_random(data.path(), &path);
        rustix::fs::mknodat(rustix::fs::CWD, &pointer, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        assert_eq!(pointed(data.path()), None);
    }

    #[test]
    fn socket_whose_path_is_too_long_is_reached_through_a_handle_of_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let long = place.path().join("x".repeat(120)).join("y".repeat(120));
        fs::create_dir_all(&long).unwrap();
        let address = SocketAddress::for_path(&long.join(SOCKET)).unwrap();
        assert!(address.path().as_os_str().len() <= LONGEST);
        let listener = std::os::unix::net::UnixListener::bind(address.path()).unwrap();
        assert!(long.join(SOCKET).exists());
        drop(address);
        let again = SocketAddress::for_path(&long.join(SOCKET)).unwrap();
        std::os::unix::net::UnixStream::connect(again.path()).unwrap();
        drop(listener);
    }

    #[test]
    fn existing_socket_folder_is_made_private() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("ashore");
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn symlink_or_file_in_place_of_socket_folder_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert_eq!(make_private(&link).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(make_private(&file).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn socket_folder_of_another_user_is_refused() {
        if !geteuid().is_root() {
            // Write directly, because the output of `eprintln!` stays hidden when a test passes.
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
