//! Reduces the number of open files and connections if the system allows few open files (`ulimit -n`).
//!
//! The engine then opens fewer files at the same time instead of failing. `startup` refuses a limit that is too low.
//! This module computes the number of readers for `store`, and the number of parallel transfers for `scheduler` and
//! `settings`.

use rustix::process::{Resource, getrlimit};

/// Minimum open-file limit with which the engine can work.
///
/// Without transfers and with a single ledger reader, fewer than 20 files are open. A transfer needs a few more.
pub(crate) const LEAST_OPEN: u64 = 24;
/// Number of open files when no transfer is running and all readers of the ledger are open.
const AT_REST: u64 = 24;
/// Number of open files per transfer: connection, partial file, journal and, briefly, the folder.
const OF_A_FILE: u64 = 4;
/// Open-file limit at which no reductions are necessary.
const PLENTY: u64 = 512;

/// Returns the maximum number of open files and connections of this process; `None` without a limit.
pub(crate) fn allowed() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Returns the number of ledger readers, each of which opens two files. [pure]
pub(crate) fn readers(allowed: Option<u64>) -> u32 {
    match allowed {
        Some(..32) => 1,
        Some(..64) => 2,
        _ => 3,
    }
}

/// Returns the number of parallel files, from 1 to `wanted`. [pure]
pub(crate) fn files(allowed: Option<u64>, wanted: u32) -> u32 {
    bounded(allowed, OF_A_FILE, wanted)
}

/// Returns the number of parallel connections for one file, from 1 to `wanted`. [pure]
///
/// Each connection counts twice, because other files are fetched at the same time.
pub(crate) fn connections(allowed: Option<u64>, wanted: u32) -> u32 {
    bounded(allowed, 2 * OF_A_FILE, wanted)
}

fn bounded(allowed: Option<u64>, each: u64, wanted: u32) -> u32 {
    match allowed.filter(|allowed| *allowed < PLENTY) {
        Some(allowed) => wanted.min(u32::try_from(allowed.saturating_sub(AT_REST) / each).unwrap_or(u32::MAX)).max(1),
        None => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_descriptor_limit_reduces_files_and_connections() {
        let cases = [
            (None, 3, 16, 16),
            (Some(1024), 3, 16, 16),
            (Some(256), 3, 16, 16),
            (Some(64), 3, 10, 5),
            (Some(40), 2, 4, 2),
            (Some(32), 2, 2, 1),
            (Some(24), 1, 1, 1),
            (Some(0), 1, 1, 1),
        ];
        for (allowed, of_ledger, at_once, of_one) in cases {
            assert_eq!(
                (readers(allowed), files(allowed, 16), connections(allowed, 16)),
                (of_ledger, at_once, of_one),
                "{allowed:?}"
            );
            assert_eq!((files(allowed, 1), connections(allowed, 1)), (1, 1), "not more than requested");
        }
    }
}
