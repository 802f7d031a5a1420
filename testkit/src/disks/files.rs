//! Readings of a file system: its free room, and attributes of its files.

use std::path::Path;

/// Returns the free bytes on the disk of this folder; `None` if unknown.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

/// Returns the source URL recorded in a file's attributes. `None` if no URL is recorded, for example on a file system
/// without extended attributes.
pub fn mark(path: &Path) -> Option<String> {
    let mut mark = vec![0; 4 << 10];
    let length = rustix::fs::getxattr(path, "user.xdg.origin.url", &mut mark).ok()?;
    Some(String::from_utf8_lossy(&mark[..length]).into_owned())
}
