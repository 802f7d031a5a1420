//! Records the system calls of complete sessions of every kind, with the number of calls per thread.
//!
//! Faults can then hit every call that occurs, and only these calls.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::Duration,
};

use anyhow::{Result, ensure};
use ashore_testkit::{
    machine::Machine,
    system_calls::{self, TraceGap},
};
use rand::{Rng, rngs::StdRng};

use crate::{
    goal::RunRequest,
    world::{DrawnLoad, TortureWorld},
};

/// Time in each session during which the user makes requests.
const MOMENT: Duration = Duration::from_secs(2);
/// Number of sessions of each kind. The first session creates the ledger, and the second creates the first backup.
/// Later sessions create neither.
const LIVES: u64 = 3;

/// Number of calls per thread up to which every occurrence may be hit.
///
/// If a thread makes a call more often, only the first tenth of the occurrences may be hit, or the first `FEW` if these
/// are more.
const FEW: u32 = 10;
/// Highest occurrence number that can be drawn.
const LATEST: u32 = 100;

/// System calls for time, memory, signals and the like. Either they never fail, or they only query, or their failure
/// ends every program.
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

/// Recorded sessions of one kind.
#[derive(Debug)]
pub struct LifeCounts {
    pub load: DrawnLoad,
    pub lacks: TraceGap,
    /// System calls of three sessions, each call with its maximum count per thread.
    ///
    /// The sessions are the first session, the second session, which has existing data, and a later session.
    made: Vec<CallCounts>,
}

/// System calls with their counts.
pub type CallCounts = BTreeMap<String, u32>;

impl LifeCounts {
    /// Returns the system calls of the session with this number.
    pub fn in_life(&self, life: u64) -> &CallCounts {
        let last = self.made.len().saturating_sub(1);
        &self.made[usize::try_from(life).map_or(last, |life| life.min(last))]
    }
}

/// Records sessions of every kind, without the calls in `NEVER`.
pub fn take(ask: &RunRequest) -> Result<Vec<LifeCounts>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let loads = [DrawnLoad::Light, DrawnLoad::Many, DrawnLoad::Large];
    let kinds = loads.into_iter().map(|load| (load, TraceGap::Nothing)).chain([(DrawnLoad::Light, TraceGap::Links)]);
    kinds.map(|(load, lacks)| runtime.block_on(record_sessions(ask, load, lacks))).collect()
}

/// Returns the names of all system calls in these sessions.
pub fn all(kinds: &[LifeCounts]) -> BTreeSet<&str> {
    kinds.iter().flat_map(|lives| &lives.made).flat_map(CallCounts::keys).map(String::as_str).collect()
}

/// Draws the number of the occurrence to hit, given the maximum per thread.
///
/// The distribution is logarithmic: occurrences 1 to 10 together are as likely as occurrences 10 to 100.
pub fn which(most: u32, random: &mut StdRng) -> u32 {
    let latest = if most <= FEW { most } else { (most / FEW).clamp(FEW, LATEST) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the drawn value is from 1 to 100")]
    let drawn = random.random_range(0.0..f64::from(latest).ln() + 0.01).exp().round() as u32;
    drawn
}

async fn record_sessions(ask: &RunRequest, load: DrawnLoad, lacks: TraceGap) -> Result<LifeCounts> {
    let machine = Machine::new();
    let place = machine.disk().to_owned();
    let mut world = TortureWorld::new(ask.seed, load, machine).await;
    let mut made = Vec::new();
    for life in 0..LIVES {
        let log = place.join(format!("calls-{life}"));
        world.start_under(system_calls::watching_all_but(NEVER, lacks, &log));
        ensure!(world.begin_start().await?, "the engine did not start under strace: {}", world.log());
        world.live(MOMENT).await;
        world.kill().await;
        let mut calls = system_calls::made(&fs::read_to_string(&log)?);
        if lacks == TraceGap::Links {
            calls.remove("linkat");
        }
        made.push(calls);
    }
    Ok(LifeCounts { load, lacks, made })
}
