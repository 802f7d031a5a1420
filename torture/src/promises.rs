//! Lists all goals with their promises, by number.

use crate::{
    goal::TortureGoal,
    goals::{
        attacks, calls, checkpoints, clocks, commands, failing, filesystems, folders, growth, kept, ledger, list, names, power,
        servers, starts, sync, sync_server,
    },
    needs::ToolNeed,
};

/// All goals, by number.
pub const GOALS: &[TortureGoal] = &[
    TortureGoal {
        number: 1,
        name: "servers",
        promise: "new and resumed downloads from bad servers, over 1, 4 and 16 connections: no file with a wrong byte is reported as complete",
        runs: servers::RUNS,
        needs: &[],
        prepare: None,
        prove: servers::prove,
    },
    TortureGoal {
        number: 2,
        name: "power",
        promise: "the power is cut at a random moment: files that were reported as complete are on disk and right, and so are all bytes that ledger and journals claim",
        runs: 1_000,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: power::prove,
    },
    TortureGoal {
        number: 3,
        name: "calls",
        promise: "the engine is killed at system calls of complete sessions, at every kind of call that changes a disk: all files are right in the end, received data is durable one checkpoint later, and durable data is never downloaded again",
        runs: 2_000,
        needs: &[ToolNeed::Strace],
        prepare: None,
        prove: calls::prove,
    },
    TortureGoal {
        number: 4,
        name: "failing",
        promise: "a system call fails once, or a write is cut short: no panic, no hang of 5 s, the right message, nothing lost",
        runs: 1_500,
        needs: &[ToolNeed::Strace, ToolNeed::Compiler],
        prepare: None,
        prove: failing::prove,
    },
    TortureGoal {
        number: 5,
        name: "kept",
        promise: "downloads are added and changed during transfers, and the power is cut: every download is in its acknowledged state",
        runs: 10_000,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: kept::prove,
    },
    TortureGoal {
        number: 6,
        name: "ledger",
        promise: "the ledger is damaged, truncated, emptied or missing: the engine starts, every partial file is kept, 99 % of the entries are there, and the damaged ledger is kept and reported",
        runs: 1_000,
        needs: &[],
        prepare: None,
        prove: ledger::prove,
    },
    TortureGoal {
        number: 7,
        name: "checkpoints",
        promise: "checkpoints cost at most 3 % of the throughput",
        runs: checkpoints::RUNS,
        needs: &[ToolNeed::Server],
        prepare: None,
        prove: checkpoints::prove,
    },
    TortureGoal {
        number: 8,
        name: "list",
        promise: "a list of 100,000 files: each start is ready within 2 s, below 300 MB",
        runs: list::RUNS,
        needs: &[],
        prepare: None,
        prove: list::prove,
    },
    TortureGoal {
        number: 9,
        name: "growth",
        promise: "hostile servers: at any moment, memory has grown by at most 64 MiB, and written data exceeds received data by at most 64 MiB; reserved space is released",
        runs: growth::RUNS,
        needs: &[],
        prepare: None,
        prove: growth::prove,
    },
    TortureGoal {
        number: 10,
        name: "attacks",
        promise: "attacks on the socket, on requests of programs, on names and on files, and by the sync server: all are refused, and nothing changes",
        runs: attacks::RUNS,
        needs: &[],
        prepare: None,
        prove: attacks::prove,
    },
    TortureGoal {
        number: 11,
        name: "names",
        promise: "names made of deceptive parts: no file leaves its folder, and no name has control or bidi characters",
        runs: 5_000_000,
        needs: &[],
        prepare: None,
        prove: names::prove,
    },
    TortureGoal {
        number: 11,
        name: "canary",
        promise: "secrets are given in every way, through kills, panics and exports: each secret is only in its store and at its server",
        runs: commands::STORIES,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_canary),
        prove: commands::canary,
    },
    TortureGoal {
        number: 12,
        name: "starts",
        promise: "twenty starts at once on one folder, and the death of the process that holds it: one start works, the others name its process, and its death releases the folder",
        runs: starts::RUNS,
        needs: &[],
        prepare: None,
        prove: starts::prove,
    },
    TortureGoal {
        number: 12,
        name: "clocks",
        promise: "the clock is changed by hours, by days and past 2038: no wait ends early or becomes longer, and running downloads are not affected",
        runs: 20,
        needs: &[ToolNeed::Clock],
        prepare: None,
        prove: clocks::prove,
    },
    TortureGoal {
        number: 12,
        name: "schedules",
        promise: "10,000 schedules of users, transfers, the loop and kills: no deadlock, no second writer, nothing lost, duplicated or left behind",
        runs: 10_000,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_schedules),
        prove: commands::schedules,
    },
    TortureGoal {
        number: 12,
        name: "fuzz",
        promise: "libFuzzer at every parser of untrusted input, 30 s each: no crash, no hang, and every property holds",
        runs: commands::READERS,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_fuzz),
        prove: commands::fuzz,
    },
    TortureGoal {
        number: 13,
        name: "filesystems",
        promise: "xfs, btrfs, vfat, exfat and NTFS, if they can be mounted: the engine is killed, its disk disappears, or the power is cut; no wrong file is reported as complete, and no start hangs",
        runs: filesystems::RUNS,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: filesystems::prove,
    },
    TortureGoal {
        number: 14,
        name: "folders",
        promise: "folders vanish, do not answer, move to another device or hold 100,000 files, or the log cannot be written, with kills in between: no start and no call hangs, and every file is complete exactly once",
        runs: folders::RUNS,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: folders::prove,
    },
    TortureGoal {
        number: 15,
        name: "sync-server",
        promise: "the sync server is killed while clients write, and its disk may lose unsynced data, on SQLite and PostgreSQL: acknowledged writes are stored once, other writes completely or not at all, counters are right, and times increase",
        runs: sync_server::RUNS,
        needs: &[ToolNeed::Mounts],
        prepare: None,
        prove: sync_server::prove,
    },
    TortureGoal {
        number: 16,
        name: "sync",
        promise: "machines with a shared list and their sync server are killed, also at failpoints of sync, or lose their unsynced data: all lists agree, nothing is lost or fetched twice, each send is delivered once, and the server stores nothing in the clear",
        runs: sync::RUNS,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: sync::prove,
    },
    TortureGoal {
        number: 17,
        name: "browsers",
        promise: "downloads in Chromium and Firefox with bad servers, while Ashore is closed, killed or does not answer, faults of host, worker and browser, and attacks by pages and another extension: every file is whole in exactly one place, and cookies reach only their server",
        runs: commands::BROWSER_RUNS,
        needs: &[ToolNeed::Browsers],
        prepare: Some(commands::prepare_browsers),
        prove: commands::browsers,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torture_goals_have_unique_names_and_are_sorted_by_number() {
        assert!(GOALS.is_sorted_by(|one, next| one.number <= next.number));
        for goal in GOALS {
            assert_eq!(GOALS.iter().filter(|other| other.name == goal.name).count(), 1, "{}", goal.name);
        }
    }
}
