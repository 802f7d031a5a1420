//! Lists all goals with their promises, by number.

use crate::{
    goal::TortureGoal,
    goals::{
        attacks, calls, checkpoints, clocks, commands, failing, filesystems, folders, growth, kept, ledger, list, names, power,
        servers, starts, sync_server,
    },
    tools::ToolNeed,
};

/// All goals, by number.
pub const GOALS: &[TortureGoal] = &[
    TortureGoal {
        number: 1,
        name: "servers",
        promise: "bad servers, downloads begun and gone on with, 1, 4 and 16 connections: no wrong byte is called done",
        runs: servers::RUNS,
        needs: &[],
        prepare: None,
        prove: servers::prove,
    },
    TortureGoal {
        number: 2,
        name: "power",
        promise: "the power is cut at a random moment: what was called done is there and right, what ledger and journals claim is on the disk",
        runs: 1_000,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: power::prove,
    },
    TortureGoal {
        number: 3,
        name: "calls",
        promise: "killed at a system call of a whole life, of every kind that changes a disk: right in the end, what came is durable a checkpoint later, and nothing that was durable comes again",
        runs: 2_000,
        needs: &[ToolNeed::Strace],
        prepare: None,
        prove: calls::prove,
    },
    TortureGoal {
        number: 4,
        name: "failing",
        promise: "a system call fails once, or a write is cut short: no panic, no hang of 5 s, the right words, nothing lost",
        runs: 1_500,
        needs: &[ToolNeed::Strace, ToolNeed::Compiler],
        prepare: None,
        prove: failing::prove,
    },
    TortureGoal {
        number: 5,
        name: "kept",
        promise: "adds and edits are acknowledged while files come and uploads go, and the power is cut: every one of them is as it was acknowledged",
        runs: 10_000,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: kept::prove,
    },
    TortureGoal {
        number: 6,
        name: "ledger",
        promise: "the ledger is damaged, cut, emptied or gone: the engine starts, every partial is kept, 99 % of the entries are there, what is set aside is kept and told",
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
        promise: "hostile servers: at any moment memory has grown by at most 64 MiB, and what is written by what came and 64 MiB; reserved room is given back",
        runs: growth::RUNS,
        needs: &[],
        prepare: None,
        prove: growth::prove,
    },
    TortureGoal {
        number: 10,
        name: "attacks",
        promise: "attacks on the socket, on what programs may ask for, on names and on files: all refused, nothing changed",
        runs: attacks::RUNS,
        needs: &[],
        prepare: None,
        prove: attacks::prove,
    },
    TortureGoal {
        number: 11,
        name: "names",
        promise: "names made of everything that deceives: none leaves its folder, none has control or bidi characters",
        runs: 5_000_000,
        needs: &[],
        prepare: None,
        prove: names::prove,
    },
    TortureGoal {
        number: 11,
        name: "canary",
        promise: "secrets are given in every way, through kills, panics and exports: each is where it is kept and with whom it is for, and nowhere else",
        runs: commands::STORIES,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_canary),
        prove: commands::canary,
    },
    TortureGoal {
        number: 12,
        name: "starts",
        promise: "twenty starts at once on one folder, and the death of who got it: one works, the others say who, death frees it",
        runs: starts::RUNS,
        needs: &[],
        prepare: None,
        prove: starts::prove,
    },
    TortureGoal {
        number: 12,
        name: "clocks",
        promise: "the clock is set by hours, days and past 2038: no wait ends by it, none is longer, and what runs does not notice",
        runs: 20,
        needs: &[ToolNeed::Clock],
        prepare: None,
        prove: clocks::prove,
    },
    TortureGoal {
        number: 12,
        name: "schedules",
        promise: "10,000 schedules of people, transfers, the loop and kills: no dead lock, no second writer, nothing lost, doubled or left behind",
        runs: 10_000,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_schedules),
        prove: commands::schedules,
    },
    TortureGoal {
        number: 12,
        name: "fuzz",
        promise: "libFuzzer at every reader of foreign bytes, 30 s each: no crash, no hang, and what is promised of it holds",
        runs: commands::READERS,
        needs: &[ToolNeed::Sources],
        prepare: Some(commands::prepare_fuzz),
        prove: commands::fuzz,
    },
    TortureGoal {
        number: 13,
        name: "filesystems",
        promise: "xfs, btrfs, vfat, exfat and NTFS, as far as they can be mounted: the engine is killed, its disk goes, or the power is cut; no wrong file is called done, and no start hangs",
        runs: filesystems::RUNS,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: filesystems::prove,
    },
    TortureGoal {
        number: 14,
        name: "folders",
        promise: "folders vanish, answer nobody, move to another device or hold 100,000 files, and the log cannot be written, with kills among it: no start and no call hangs, and every file comes, once",
        runs: folders::RUNS,
        needs: &[ToolNeed::Mounts, ToolNeed::Compiler],
        prepare: None,
        prove: folders::prove,
    },
    TortureGoal {
        number: 15,
        name: "sync-server",
        promise: "the sync server is killed while clients write, and its disk may lose what was not synced, on SQLite and PostgreSQL: acknowledged writes are there once, others whole or not at all, counters right, times later and later",
        runs: sync_server::RUNS,
        needs: &[ToolNeed::Mounts],
        prepare: None,
        prove: sync_server::prove,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_numbers_in_order() {
        assert!(GOALS.is_sorted_by(|one, next| one.number <= next.number));
        for goal in GOALS {
            assert_eq!(GOALS.iter().filter(|other| other.name == goal.name).count(), 1, "{}", goal.name);
        }
    }
}
