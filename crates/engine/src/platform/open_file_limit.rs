//! How much the engine opens at once where a login allows few open files (`ulimit -n`): less at a time, rather than failures.
//! `startup` refuses what is too little, `store` takes the number of its readers from here, `scheduler` and `settings` how much may
//! be fetched at once.

use rustix::process::{Resource, getrlimit};

/// The least number of open files that the engine works with. At rest and with one reader, fewer than 20 are open; a file
/// that is fetched needs a few more.
pub(crate) const LEAST_OPEN: u64 = 24;
/// Open at rest, with every reader.
const AT_REST: u64 = 24;
/// Open for a file that is fetched: its connection, its partial, its journal, and its folder for a moment.
const OF_A_FILE: u64 = 4;
/// A login that allows so many is not short of them.
const PLENTY: u64 = 512;

/// How many files and connections this process may have open; none where nobody counts.
pub(crate) fn allowed() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Readers of the ledger, each of which has two files open. [pure]
pub(crate) fn readers(allowed: Option<u64>) -> u32 {
    match allowed {
        Some(..32) => 1,
        Some(..64) => 2,
        _ => 3,
    }
}

/// How many files may be fetched at once, where `wanted` are to be. At least one. [pure]
pub(crate) fn files(allowed: Option<u64>, wanted: u32) -> u32 {
    bounded(allowed, OF_A_FILE, wanted)
}

/// How many connections may bring parts of one file, where `wanted` are to: others are fetched beside it. At least one. [pure]
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
    fn few_descriptors_mean_fewer_files_and_connections_and_never_none() {
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
            assert_eq!((files(allowed, 1), connections(allowed, 1)), (1, 1), "no more than is wanted");
        }
    }
}
