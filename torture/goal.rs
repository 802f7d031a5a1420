//! The list of what is promised: a goal is a sentence with a number of runs, and one function that makes them.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::{
    attacks, calls, checkpoints, clocks, commands, failing, growth, kept, ledger, list, names, power, servers, starts, tools::Need,
};

/// One promise.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Its number in the list of promises.
    pub number: u8,
    /// What `ONLY` calls it.
    pub name: &'static str,
    /// What must hold.
    pub promise: &'static str,
    /// So many runs show it.
    pub runs: u64,
    /// What they cannot do without.
    pub needs: &'static [Need],
    /// Makes them.
    pub prove: fn(&Ask) -> Result<Verdict>,
}

/// What is asked of a goal.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// So many runs.
    pub runs: u64,
    /// What is drawn follows from it.
    pub seed: u64,
    /// Only this one of its turns.
    pub turn: Option<u64>,
}

/// What came of a goal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// Runs that came to their end.
    pub runs: u64,
    /// A story for each that went wrong.
    pub bad: Vec<String>,
    /// What else was counted, in sentences.
    pub notes: Vec<String>,
    /// The same done with other programs.
    pub beside: Vec<Beside>,
}

/// Another program under the same fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Beside {
    /// Which.
    pub name: String,
    /// So often.
    pub runs: u64,
    /// Of these, so many ended in what Ashore promises never to do.
    pub bad: u64,
}

/// Every promise there is, by number.
pub const GOALS: &[Goal] = &[
    Goal {
        number: 1,
        name: "servers",
        promise: "bad servers, downloads begun and gone on with, 1, 4 and 16 connections: no wrong byte is called done",
        runs: servers::RUNS,
        needs: &[],
        prove: servers::prove,
    },
    Goal {
        number: 2,
        name: "power",
        promise: "the power is cut at a random moment: what was called done is there and right, what ledger and journals claim is on the disk",
        runs: 1_000,
        needs: &[Need::Mounts, Need::Compiler],
        prove: power::prove,
    },
    Goal {
        number: 3,
        name: "calls",
        promise: "killed at a system call of a whole life, of every kind that changes a disk: right in the end, and nothing that was durable comes again",
        runs: 2_000,
        needs: &[Need::Strace],
        prove: calls::prove,
    },
    Goal {
        number: 4,
        name: "failing",
        promise: "a system call fails once, or a write is cut short: no panic, no hang of 5 s, the right words, nothing lost",
        runs: 1_500,
        needs: &[Need::Strace, Need::Compiler],
        prove: failing::prove,
    },
    Goal {
        number: 5,
        name: "kept",
        promise: "adds and edits are acknowledged while files come and uploads go, and the power is cut: every one of them is as it was acknowledged",
        runs: 10_000,
        needs: &[Need::Mounts, Need::Compiler],
        prove: kept::prove,
    },
    Goal {
        number: 6,
        name: "ledger",
        promise: "the ledger is damaged, cut, emptied or gone: the engine starts, every partial is kept, 99 % of the entries are there, what is set aside is kept and told",
        runs: 1_000,
        needs: &[],
        prove: ledger::prove,
    },
    Goal {
        number: 7,
        name: "checkpoints",
        promise: "checkpoints cost at most 3 % of the throughput",
        runs: checkpoints::RUNS,
        needs: &[Need::Server],
        prove: checkpoints::prove,
    },
    Goal {
        number: 8,
        name: "list",
        promise: "a list of 100,000 files: each start is ready within 2 s, below 300 MB",
        runs: list::RUNS,
        needs: &[],
        prove: list::prove,
    },
    Goal {
        number: 9,
        name: "growth",
        promise: "hostile servers: at any moment memory has grown by at most 64 MiB, and what is written by what came and 64 MiB; reserved room is given back",
        runs: growth::RUNS,
        needs: &[],
        prove: growth::prove,
    },
    Goal {
        number: 10,
        name: "attacks",
        promise: "attacks on the socket, on what programs may ask for, on names and on files: all refused, nothing changed",
        runs: attacks::RUNS,
        needs: &[],
        prove: attacks::prove,
    },
    Goal {
        number: 11,
        name: "names",
        promise: "names made of everything that deceives: none leaves its folder, none has control or bidi characters",
        runs: 5_000_000,
        needs: &[],
        prove: names::prove,
    },
    Goal {
        number: 12,
        name: "starts",
        promise: "twenty starts at once on one folder, and the death of who got it: one works, the others say who, death frees it",
        runs: starts::RUNS,
        needs: &[],
        prove: starts::prove,
    },
    Goal {
        number: 12,
        name: "clocks",
        promise: "the clock is set by hours, days and past 2038: no wait ends by it, none is longer, and what runs does not notice",
        runs: 20,
        needs: &[Need::Clock],
        prove: clocks::prove,
    },
    Goal {
        number: 12,
        name: "schedules",
        promise: "10,000 schedules of people, transfers, the loop and kills: no dead lock, no second writer, nothing lost, doubled or left behind",
        runs: 10_000,
        needs: &[Need::Sources],
        prove: commands::schedules,
    },
    Goal {
        number: 12,
        name: "fuzz",
        promise: "libFuzzer at every reader of foreign bytes, 30 s each: no crash, no hang, and what is promised of it holds",
        runs: commands::READERS,
        needs: &[Need::Sources],
        prove: commands::fuzz,
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
