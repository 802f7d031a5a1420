//! Reads the free space of a file system, fills it, and reads file attributes.

use std::{fs::File, io, path::Path};

use rustix::{
    fs::{FallocateFlags, fallocate},
    io::Errno,
};

/// Returns the free bytes on the disk of this folder; `None` if unknown.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

/// Creates a file that fills all free space of its disk.
///
/// Writes until the disk is full, because a running program may change the amount of free space at any moment.
pub fn fill_disk(path: &Path) -> io::Result<()> {
    let (file, mut length) = (File::create(path)?, 0);
    for step in [1 << 20, 64 << 10, 4 << 10] {
        loop {
            match fallocate(&file, FallocateFlags::empty(), length, step) {
                Ok(()) => length += step,
                Err(Errno::NOSPC) => break,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

/// Returns the source URL recorded in a file's attributes. `None` if no URL is recorded, for example on a file system
/// without extended attributes.
pub fn mark(path: &Path) -> Option<String> {
    let mut mark = vec![0; 4 << 10];
    let length = rustix::fs::getxattr(path, "user.xdg.origin.url", &mut mark).ok()?;
    Some(String::from_utf8_lossy(&mark[..length]).into_owned())
}
