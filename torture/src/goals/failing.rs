//! Tests system calls that fail once and writes that are cut short: no panic, no hang, a correct message, and no loss
//! of data.
//!
//! Each fault is injected into one start of the engine, and then the test environment continues to run. The engine may
//! refuse to start with a message, and may fail downloads with a correct code. At the end, no more faults are injected,
//! and every file arrives.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    fault::{self, Shim},
    machine::Machine,
    origin::{Body, Origin},
    system_calls::{self, TraceGap, TracedFate, has_happened, words},
};
use rand::{
    Rng, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, IteratorRandom},
};

use crate::{
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::{
        census::{self, CallCounts, LifeCounts},
        peers::{self, BusName, HostilePeer},
    },
    tally::{RunTally, lanes},
    world::{ReportedState, TortureWorld},
};

/// Number of test environments that run in parallel. Each of them mostly waits.
const AT_ONCE: usize = 6;
/// Number of engine sessions in each test environment.
const LIVES: u64 = 12;
/// Maximum number of draws to find a system call that has not failed yet.
const DRAWS: usize = 8;
/// Number of faults within which each system call must have failed.
const ENOUGH: u64 = 1_000;
/// Number of faults in Ashore for each fault in another program.
///
/// In other programs, one of the first `LATEST` writes fails, with an error from `OF_WRITES`.
const BESIDE: u64 = 50;
const OF_WRITES: [&str; 2] = ["EIO", "ENOSPC"];
const LATEST: u32 = 40;
/// Time in each session during which the user makes requests. Afterwards, the session continues until all downloads are
/// idle.
const MOMENT: Duration = Duration::from_millis(300);

/// Codes that a fault may cause, as the reason why a download fails or waits.
///
/// An empty list means that the fault must have no visible effect.
type Words = &'static [&'static str];
const NOTHING: Words = &[];
const DISK: Words = &["disk"];
const FULL: Words = &["disk-full"];
const FOLDER: Words = &["target"];
/// Codes for a file whose name cannot be examined. One of them is `partial-changed`, because the name may by then refer to
/// another file.
const NAME: Words = &["disk", "target", "partial-changed"];
/// Codes for the temporary state of too many open files.
const OPEN: Words = &["too-many-open"];
const OPEN_OR_LINE: Words = &["too-many-open", "connect", "connect-timeout", "reset", "truncated", "timeout"];
/// Codes for a folder or an upload file that cannot be opened.
const FOLDER_OR_BODY: Words = &["target", "upload-source"];
const LINE: Words = &["connect", "connect-timeout", "reset", "truncated", "timeout"];
/// Codes that are valid after every fault. Kills between sessions interrupt uploads, and users cancel downloads.
const ALWAYS: Words = &["upload-interrupted", "aborted"];
/// Code that is valid after every file fault. Every download waits for the initial setup at the first start, and the
/// fault may interrupt this setup.
const FIRST_START: Words = &["bootstrap"];

/// System call that may fail, with the valid codes for each error.
type Refusals = (&'static str, &'static [(&'static str, Words)]);

/// System calls on files that this goal makes fail.
///
/// `read`, `write` and `fcntl` are not in the list, because timers and thread wake-ups also use them and never fail
/// with EIO. Instead, these calls and positioned reads fail once per process. SQLite has a thread per connection, so a
/// fault in each thread would affect all connections to the ledger instead of one.
const OF_FILES: &[Refusals] = &[
    ("openat", &[("EIO", DISK), ("ENOSPC", FULL), ("EMFILE", OPEN), ("EACCES", FOLDER_OR_BODY)]),
    ("openat", &[("EINTR", NOTHING)]),
    ("open", &[("EIO", DISK), ("EMFILE", OPEN), ("EACCES", FOLDER)]),
    ("access", &[("EIO", NOTHING)]),
    ("openat", &[("EROFS", FOLDER)]),
    ("pwrite64", &[("EIO", DISK), ("ENOSPC", FULL), ("EINTR", NOTHING)]),
    ("fdatasync", &[("EIO", DISK), ("ENOSPC", FULL), ("EINTR", NOTHING)]),
    ("fsync", &[("EIO", DISK), ("ENOSPC", FULL), ("EINTR", NOTHING)]),
    ("syncfs", &[("EIO", DISK), ("ENOSPC", FULL)]),
    ("linkat", &[("EIO", DISK), ("ENOSPC", FULL), ("EDQUOT", FULL), ("EROFS", FOLDER)]),
    ("unlink", &[("EIO", DISK), ("EROFS", FOLDER)]),
    ("unlinkat", &[("EIO", DISK)]),
    ("rename", &[("EIO", DISK), ("ENOSPC", FULL)]),
    ("renameat2", &[("EIO", DISK), ("ENOSPC", FULL)]),
    ("ftruncate", &[("EIO", DISK), ("ENOSPC", FULL), ("EROFS", FOLDER), ("EINTR", NOTHING)]),
    ("fallocate", &[("EIO", DISK), ("ENOSPC", FULL), ("EOPNOTSUPP", NOTHING), ("EINTR", NOTHING)]),
    ("fchmod", &[("EIO", DISK), ("EPERM", FOLDER), ("EROFS", FOLDER)]),
    ("chmod", &[("EIO", NOTHING), ("EPERM", NOTHING)]),
    ("fchown", &[("EIO", NOTHING), ("EPERM", NOTHING)]),
    ("fsetxattr", &[("EIO", NOTHING), ("ENOSPC", NOTHING), ("EOPNOTSUPP", NOTHING)]),
    ("lgetxattr", &[("EIO", NOTHING), ("EOPNOTSUPP", NOTHING)]),
    ("copy_file_range", &[("EIO", NOTHING), ("ENOSPC", NOTHING), ("EOPNOTSUPP", NOTHING)]),
    ("fstat", &[("EIO", DISK)]),
    ("lseek", &[("EIO", DISK)]),
    ("mkdir", &[("ENOSPC", NOTHING), ("EACCES", NOTHING)]),
    ("getdents64", &[("EIO", DISK)]),
    ("statx", &[("EIO", NAME)]),
    ("newfstatat", &[("EIO", NAME)]),
    ("statfs", &[("EIO", DISK)]),
    ("fstatfs", &[("EIO", DISK)]),
    ("flock", &[("EIO", NOTHING)]),
    ("readlink", &[("EIO", DISK)]),
    ("inotify_init1", &[("EMFILE", NOTHING)]),
    ("inotify_add_watch", &[("ENOSPC", NOTHING), ("EMFILE", NOTHING)]),
    ("inotify_rm_watch", &[("EINVAL", NOTHING)]),
];
/// Network and machine system calls that this goal makes fail.
const OF_OTHERS: &[Refusals] = &[
    ("socket", &[("EMFILE", OPEN_OR_LINE), ("ENOBUFS", LINE)]),
    ("connect", &[("ENETUNREACH", LINE), ("ECONNREFUSED", LINE), ("EINTR", LINE)]),
    ("recvfrom", &[("ECONNRESET", LINE), ("EIO", LINE), ("EINTR", LINE)]),
    ("sendto", &[("EPIPE", LINE), ("ENOBUFS", LINE)]),
    ("writev", &[("EPIPE", LINE)]),
    ("getsockopt", &[("ENOBUFS", LINE)]),
    ("setsockopt", &[("ENOBUFS", LINE)]),
    ("shutdown", &[("ENOTCONN", LINE)]),
    ("clone3", &[("EAGAIN", DISK)]),
    ("accept4", &[("EMFILE", NOTHING), ("ECONNABORTED", NOTHING)]),
    ("bind", &[("EADDRINUSE", NOTHING), ("EACCES", NOTHING)]),
    ("eventfd2", &[("EMFILE", NOTHING)]),
    ("epoll_create1", &[("EMFILE", NOTHING)]),
];
/// Faults of the process: name, kind, highest call number, and valid codes.
const OF_PROCESS: &[(&str, fault::Fault, u32, Words)] = &[
    ("writes", fault::Fault::Write("short"), 200, &["disk-full"]),
    ("writes", fault::Fault::Write("EIO"), 200, &["disk"]),
    ("writes", fault::Fault::Write("ENOSPC"), 200, &["disk-full"]),
    ("reads", fault::Fault::Read, 120, &["disk"]),
    ("locks", fault::Fault::Lock("EIO"), 200, &["disk"]),
    ("locks", fault::Fault::Lock("ENOLCK"), 200, &[]),
];
/// System calls of the sessions that are deliberately in none of the lists above.
///
/// Some of them fail through [`OF_PROCESS`]. For each of the others, it suffices that a related system call fails.
const ELSEWHERE: &[&str] = &[
    "read",
    "write",
    "pread64",
    "fcntl",
    "ioctl",
    "getpeername",
    "getsockname",
    "listen",
    "socketpair",
    "sysinfo",
    "restart_syscall",
];
/// System calls that only some sessions make. A recording may lack them.
const SOMETIMES: &[&str] = &["lgetxattr", "unlinkat"];

/// Injects the requested number of faults.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let kinds: Arc<[LifeCounts]> = census::take(ask)?.into();
    let made = census::all(&kinds);
    let named: BTreeSet<&str> = OF_FILES.iter().chain(OF_OTHERS).map(|(call, _)| *call).collect();
    let unnamed: Vec<_> = made.iter().filter(|call| !named.contains(**call) && !ELSEWHERE.contains(*call)).collect();
    let missing: Vec<_> = named.iter().filter(|call| !made.contains(**call) && !SOMETIMES.contains(*call)).collect();
    ensure!(missing.is_empty(), "the table names {missing:?}, but no session makes these calls");
    ensure!(unnamed.is_empty(), "sessions make the calls {unnamed:?}, but the table has no expected result for them");
    let tally = RunTally::new(ask);
    let lived = kinds.clone();
    lanes(&tally, AT_ONCE, move |number, tally| turn(number, tally, lived.clone()))?;
    if tally.has_run(ENOUGH) {
        for call in named.iter().filter(|call| !SOMETIMES.contains(*call) && tally.counted(&faults(call)) == 0) {
            tally.wrong(0, &format!("{call} never failed, although the table names it"));
        }
    }
    Ok(tally.verdict_beside(beside))
}

/// Makes a write of every other program fail during a download. Then runs the program again.
///
/// Counts a program as bad if it reports a file with wrong bytes as complete in either run.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let runs = (ask.runs / BESIDE).max(1);
        let origin = Origin::start().await;
        let body = Body::seeded(ask.seed, 1 << 20);
        let mut all = Vec::new();
        for peer in HostilePeer::here() {
            let mut random = StdRng::seed_from_u64(ask.seed);
            let (place, mut made, mut bad) = (tempfile::tempdir()?, 0, 0);
            for run in (0..runs).take_while(|_| ask.has(peers::PATIENCE * 2)) {
                let file = format!("{}-{run}.bin", peer.name());
                origin.file(&format!("/{file}"), body.clone());
                let address = origin.url(&format!("/{file}")).to_string();
                let (path, log) = (place.path().join(&file), place.path().join(format!("log-{run}")));
                let how = OF_WRITES.choose(&mut random).context("the table is empty")?;
                let under = system_calls::failing_write(&path, random.random_range(1..=LATEST), how, &log);
                let mut is_deceived = false;
                for under in [&under[..], &[]] {
                    let command = peer.command_under(under, &address, place.path(), BusName::Given(&file), 1);
                    is_deceived |=
                        peers::is_done(command).await && fs::read(&path).unwrap_or_default() != body.slice(0, body.length());
                }
                made += u64::from(system_calls::has_any_happened(&log));
                bad += u64::from(is_deceived);
            }
            all.push(PeerColumn { name: peer.name().to_owned(), runs: made, bad });
        }
        Ok(all)
    })
}

fn faults(call: &str) -> String {
    format!("faults of {call}")
}

async fn turn(turn: u64, tally: Arc<RunTally>, kinds: Arc<[LifeCounts]>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let machine = Machine::new();
    let place = machine.disk().to_owned();
    let shim = Shim::make(&place)?;
    let lives = &kinds[usize::try_from(turn)? % kinds.len()];
    let mut world = TortureWorld::new(random.random(), lives.load, machine).await.forgiving();
    let mut met = Vec::new();
    // `right` contains the valid codes for the fault of each session. `seen` contains the last session in which each
    // download was seen.
    let (mut right, mut seen) = (Vec::new(), HashMap::new());
    for life in 0..LIVES {
        if !tally.wants_more() {
            break;
        }
        let log = place.join(format!("fault-{life}"));
        let mut fault = Fault::draw(lives.in_life(life), &mut random, &log).context("a session made no calls")?;
        // Prefer calls that have not failed yet.
        for _ in 0..DRAWS {
            if tally.counted(&faults(fault.call)) == 0 {
                break;
            }
            fault = Fault::draw(lives.in_life(life), &mut random, &log).context("a session made no calls")?;
        }
        world.start_under(fault.words(lives.lacks, &shim));
        let what = format!("{} in session {life}", fault.what);
        right.push(fault.right.clone());
        let is_up = world.begin_start().await.with_context(|| what.clone())?;
        if is_up {
            world.look_at_ledger().await.with_context(|| what.clone())?;
            world.live(MOMENT).await;
            let look = world.settle().await.with_context(|| what.clone())?;
            for ReportedState { of, code, text } in look.said {
                // A failure can be older than this session: a pause may have hidden it, or an earlier session has not
                // read the list.
                let since = seen.get(&of).copied().unwrap_or(0);
                let is_right = ALWAYS.contains(&&*code) || right[since..].concat().contains(&&*code);
                ensure!(is_right, "{what}: unexpected code {code}: {text}\n{}", world.log());
                tally.count(&format!("downloads failed or waited with {code}"), 1);
            }
            ensure!(!world.has_died(), "{what}: the engine died: {}", world.log());
            seen.extend(look.seen.into_iter().map(|of| (of, right.len() - 1)));
        }
        world.kill().await;
        ensure!(!world.log().contains("panicked"), "{what}: {}", world.log());
        world.look_at_disk().with_context(|| what.clone())?;
        if fault.has_happened() {
            met.push(what);
            tally.count(&faults(fault.call), 1);
            tally.count("starts were refused with a message", u64::from(!is_up));
            tally.done(1);
        } else {
            tally.count("sessions did not reach the call that should fail", 1);
        }
    }
    world.start_under(lives.lacks.words_alone(&place.join("no-fault")));
    world.finish().await.with_context(|| format!("after {}", met.join(", ")))?;
    Ok(())
}

/// Random fault of a session.
#[derive(Debug)]
struct Fault {
    call: &'static str,
    what: String,
    when: u32,
    kind: Kind,
    /// Codes that the fault may cause.
    right: Vec<&'static str>,
    log: PathBuf,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Error of a system call. Each thread gets it at its `when`-th call.
    Call(&'static str),
    /// Fault that occurs once in the whole process.
    Once(fault::Fault),
}

impl Fault {
    /// Draws a fault that can occur in a session with these calls.
    fn draw(made: &CallCounts, random: &mut StdRng, log: &Path) -> Option<Self> {
        let log = log.to_owned();
        if random.random_bool(0.25) {
            let (call, fault, most, right) = *OF_PROCESS.choose(random)?;
            let when = census::which(most * 10, random);
            let right = [right, FIRST_START].concat();
            return Some(Self { call, what: format!("{fault:?}, number {when}"), when, kind: Kind::Once(fault), right, log });
        }
        let (all, besides) = if random.random_bool(0.85) { (OF_FILES, FIRST_START) } else { (OF_OTHERS, NOTHING) };
        let (call, errors) = all.iter().filter(|(call, _)| made.contains_key(*call)).choose(random)?;
        let (how, right) = errors.choose(random)?;
        let right = [*right, besides].concat();
        let when = census::which(*made.get(*call)?, random);
        Some(Self { call, what: format!("{call} {when} fails with {how}"), when, kind: Kind::Call(how), right, log })
    }

    fn words(&self, lacks: TraceGap, shim: &Shim) -> Vec<String> {
        match self.kind {
            Kind::Call(how) => words(self.call, self.when, TracedFate::Error(how), lacks, &self.log),
            Kind::Once(fault) => shim.words(fault, self.when, &self.log),
        }
    }

    fn has_happened(&self) -> bool {
        match self.kind {
            Kind::Call(_) => has_happened(&self.log, self.call),
            Kind::Once(_) => self.log.exists(),
        }
    }
}
