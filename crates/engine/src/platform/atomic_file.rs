//! Reads and replaces small files of the data folder.
//!
//! - A file is replaced as a whole or not at all. The new file is unreadable for other users, even during the write.
//! - A pipe or a device at the path is refused immediately, because opening it could block a start.
//! - A link is refused at paths where only Ashore creates files, because another program could use a link to redirect a
//!   write.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use ashore_messages::message;
use rustix::fs::OFlags;
use tempfile::NamedTempFile;

/// Maximum size of a file to read, in bytes. A file that lists 100,000 folders is several times smaller.
const LONGEST: u64 = 64 << 20;

/// Whether `open` follows a symbolic link at the path of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymlinkPolicy {
    /// Follow links. For files that the user may edit and store elsewhere.
    Followed,
    /// Refuse links. For files that only Ashore creates, because Ashore creates no links.
    Refused,
}

/// Opens the file at `path` with `options`. Never blocks.
///
/// Fails if `path` is not a regular file, or is a link that `links` refuses.
pub fn open(path: &Path, options: &mut OpenOptions, links: SymlinkPolicy) -> io::Result<File> {
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, links == SymlinkPolicy::Refused);
    let file = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, message!("fault-path.not-file"))),
    }
}

/// Returns the text of the file at `path`.
///
/// Fails as [`open`] does, and with `FileTooLarge` for more than 64 MiB.
pub fn read(path: &Path, links: SymlinkPolicy) -> io::Result<String> {
    let mut text = String::new();
    open(path, OpenOptions::new().read(true), links)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

/// Replaces the file at `path` durably with a new file that contains `bytes`.
///
/// Fails if the folder of `path` is not writable.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = written(path, bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    File::open(folder_of(path))?.sync_all()
}

/// Replaces the file like [`replace`], but does not wait for the disk. For values that may be lost.
///
/// After a power failure, `path` may have the old content or an empty file.
pub fn replace_soon(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes)?.persist(path)?;
    Ok(())
}

/// Returns a new temporary file with `bytes` in the folder of `path`.
fn written(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(folder_of(path))?;
    file.write_all(bytes)?;
    Ok(file)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn replaced_file_is_complete_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for replace in [replace, replace_soon] {
            std::fs::write(&path, "before, and longer").unwrap();
            replace(&path, b"now").unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"now");
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            assert!(replace(&folder.path().join("nowhere/a"), b"").is_err());
        }
    }

    #[test]
    fn special_file_or_oversized_file_or_disallowed_symlink_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let [file, pipe, link] = ["file", "pipe", "link"].map(|name| folder.path().join(name));
        std::fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from_raw_mode(0o600), 0)
            .unwrap();
        assert_eq!(read(&file, SymlinkPolicy::Refused).unwrap(), "text");
        assert_eq!(read(&link, SymlinkPolicy::Followed).unwrap(), "text");
        let large = folder.path().join("large");
        File::create(&large).unwrap().set_len(LONGEST + 1).unwrap();
        assert_eq!(read(&large, SymlinkPolicy::Refused).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read(&link, SymlinkPolicy::Refused).is_err());
        for links in [SymlinkPolicy::Followed, SymlinkPolicy::Refused] {
            assert!(read(&pipe, links).is_err() && read(folder.path(), links).is_err());
            assert!(open(&pipe, OpenOptions::new().read(true).write(true), links).is_err());
            assert!(open(&pipe, OpenOptions::new().append(true), links).is_err());
        }
    }
}
