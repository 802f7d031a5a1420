//! Checks the maximum size of a file in a folder.
//!
//! The maximum depends on the login session (`ulimit -f`, systemd's `LimitFSIZE=`) and on the type of the file system.
//! `begin` calls this module before the first byte is written. Otherwise a download would fail only after 4 GiB.

use std::fs::File;

use rustix::process::{Resource, getrlimit};

use crate::model::{failure::TransferFailure, failure_kind::FailureKind};

/// Type of FAT (msdos, vfat) in `statfs`.
const FAT_MAGIC: i64 = 0x4d44;
/// Maximum size on FAT, whose size field has 32 bits.
const LARGEST_ON_FAT: u64 = u32::MAX as u64;

/// Fails if a file of `size` bytes is too large for `folder`.
///
/// Checks only the limits that the system reports. If the file exceeds another limit, a later write fails.
pub(crate) fn fits(folder: &File, size: u64) -> Result<(), TransferFailure> {
    let kind = rustix::fs::fstatfs(folder).ok().map(|volume| volume.f_type);
    judge(size, getrlimit(Resource::Fsize).current, kind)
}

/// Fails if `size` exceeds the limit of the login session or the file system. [pure]
///
/// `allowed` is the limit of the session in bytes. `kind` is the type of the file system.
fn judge(size: u64, allowed: Option<u64>, kind: Option<i64>) -> Result<(), TransferFailure> {
    let of_disk = (kind == Some(FAT_MAGIC)).then_some(LARGEST_ON_FAT);
    match allowed.into_iter().chain(of_disk).min() {
        Some(largest) if size > largest => {
            let text = format!("{size} bytes, and a file may have {largest} there");
            Err(TransferFailure::new(FailureKind::FileTooLarge, text))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_exceeds_size_limit_of_session_or_file_system_is_refused() {
        const EXT4: Option<i64> = Some(0xEF53);
        let fits = [
            (u64::MAX, None, EXT4),
            (u64::MAX, None, None),
            (100, Some(100), EXT4),
            (LARGEST_ON_FAT, None, Some(FAT_MAGIC)),
            (0, Some(0), Some(FAT_MAGIC)),
        ];
        for (size, allowed, kind) in fits {
            assert_eq!(judge(size, allowed, kind), Ok(()), "{size}");
        }
        let too_large = [
            (101, Some(100), EXT4),
            (101, Some(100), None),
            (101, Some(100), Some(FAT_MAGIC)),
            (LARGEST_ON_FAT + 1, None, Some(FAT_MAGIC)),
            (LARGEST_ON_FAT + 1, Some(u64::MAX), Some(FAT_MAGIC)),
        ];
        for (size, allowed, kind) in too_large {
            let failure = judge(size, allowed, kind).unwrap_err();
            assert!(failure.kind == FailureKind::FileTooLarge && !failure.is_transient(), "{size}");
        }
    }
}
