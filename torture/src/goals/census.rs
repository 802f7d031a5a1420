//! Which system calls the engine makes in whole lives of every kind, and how often one thread makes each: so that what is to kill
//! or to fail is what happens, and nothing that happens is left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::Duration,
};

use anyhow::{Result, ensure};
use ashore_tests::machine::Machine;
use rand::{Rng, rngs::StdRng};

use crate::{
    goal::RunRequest,
    trace::{self, TraceGap},
    world::{DrawnLoad, TortureWorld},
};

/// So long a life asks for more.
const MOMENT: Duration = Duration::from_secs(2);
/// Lives of each kind: the first makes the list, the second the first copy of it, and the others do neither.
const LIVES: u64 = 3;

/// What a life does more often than this is mostly met early.
const FEW: u32 = 10;
/// None is drawn that comes later.
const LATEST: u32 = 100;

/// What no system refuses, and what only asks: time, memory and signals. Where there is no memory, every program ends.
const NEVER: &[&str] = &[
    "arch_prctl",
    "brk",
    "clock_nanosleep",
    "close",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_wait",
    "execve",
    "exit",
    "exit_group",
    "futex",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getrandom",
    "gettid",
    "getuid",
    "madvise",
    "mmap",
    "mprotect",
    "mremap",
    "munmap",
    "nanosleep",
    "poll",
    "ppoll",
    "prctl",
    "prlimit64",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_getaffinity",
    "sched_yield",
    "set_robust_list",
    "set_tid_address",
    "sigaltstack",
    "uname",
];

/// Lives of one kind.
#[derive(Debug)]
pub struct LifeCounts {
    pub load: DrawnLoad,
    pub lacks: TraceGap,
    /// What each made, at most in one thread: the first, the one that finds what it left, and one of those that follow.
    made: Vec<CallCounts>,
}

/// Calls, and how often they are made.
pub type CallCounts = BTreeMap<String, u32>;

impl LifeCounts {
    /// What the life of this number makes.
    pub fn in_life(&self, life: u64) -> &CallCounts {
        let last = self.made.len().saturating_sub(1);
        &self.made[usize::try_from(life).map_or(last, |life| life.min(last))]
    }
}

/// What lives of every kind make, but for `NEVER`.
pub fn take(ask: &RunRequest) -> Result<Vec<LifeCounts>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let loads = [DrawnLoad::Light, DrawnLoad::Many, DrawnLoad::Large];
    let kinds = loads.into_iter().map(|load| (load, TraceGap::Nothing)).chain([(DrawnLoad::Light, TraceGap::Links)]);
    kinds.map(|(load, lacks)| runtime.block_on(lives(ask, load, lacks))).collect()
}

/// All that lives of these kinds make.
pub fn all(kinds: &[LifeCounts]) -> BTreeSet<&str> {
    kinds.iter().flat_map(|lives| &lives.made).flat_map(CallCounts::keys).map(String::as_str).collect()
}

/// Which one of a call to meet that one thread makes so often at most: early ones as often as all the later ones of ten times
/// the number.
pub fn which(most: u32, random: &mut StdRng) -> u32 {
    let latest = if most <= FEW { most } else { (most / FEW).clamp(FEW, LATEST) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "drawn from 1 to a hundred")]
    let drawn = random.random_range(0.0..f64::from(latest).ln() + 0.01).exp().round() as u32;
    drawn
}

async fn lives(ask: &RunRequest, load: DrawnLoad, lacks: TraceGap) -> Result<LifeCounts> {
    let machine = Machine::new();
    let place = machine.disk().to_owned();
    let mut world = TortureWorld::new(ask.seed, load, machine).await;
    let mut made = Vec::new();
    for life in 0..LIVES {
        let log = place.join(format!("calls-{life}"));
        world.start_under(trace::watching_all_but(NEVER, lacks, &log));
        ensure!(world.begin_start().await?, "it does not start under strace: {}", world.log());
        world.live(MOMENT).await;
        world.kill().await;
        let mut calls = trace::made(&fs::read_to_string(&log)?);
        if lacks == TraceGap::Links {
            calls.remove("linkat");
        }
        made.push(calls);
    }
    Ok(LifeCounts { load, lacks, made })
}
