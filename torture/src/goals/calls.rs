//! Kills the engine at its system calls: at every kind of call that writes, syncs, names or removes files.
//!
//! A session has mixed downloads and uploads, many small files, or one large file over several connections. After each
//! kill, the next start is killed too. In the end, every file has arrived once, and no durable byte was fetched again.

use std::{fs, process::Stdio, sync::Arc, time::Duration};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
    system_calls::{TracedFate, words},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IteratorRandom};

use crate::{
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::{
        census::{self, CallCounts, LifeCounts},
        peers::{self, BusName, HostilePeer},
    },
    tally::{RunTally, lanes},
    world::TortureWorld,
};

/// Number of test environments that run in parallel. Each of them mostly waits.
const AT_ONCE: usize = 6;
/// Number of engine sessions in each test environment.
const LIVES: u64 = 20;
/// Maximum time until a session is killed.
const MOMENT: Duration = Duration::from_secs(1);

/// Number of kills of Ashore per kill of another program.
const BESIDE: u64 = 50;
/// Number of runs within which each system call must have been hit.
const ENOUGH: u64 = 1_000;

/// System calls that change a disk. The goal fails unless the sessions make all of these calls, because only calls that
/// are made can be tested.
const MADE: &[&str] = &[
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "syncfs",
    "linkat",
    "unlink",
    "rename",
    "renameat2",
    "mkdir",
    "ftruncate",
    "fallocate",
    "fchmod",
    "fsetxattr",
];
/// Further system calls that change a disk. Sessions do not have to make these calls. If a session makes them, the
/// engine may be killed at them too.
const OTHERS: &[&str] = &[
    "open",
    "openat2",
    "creat",
    "writev",
    "pwritev",
    "pwritev2",
    "sendfile",
    "copy_file_range",
    "splice",
    "sync",
    "sync_file_range",
    "msync",
    "link",
    "unlinkat",
    "rmdir",
    "renameat",
    "mkdirat",
    "mknod",
    "mknodat",
    "symlink",
    "symlinkat",
    "truncate",
    "chmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "setxattr",
    "lsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "utime",
    "utimes",
    "utimensat",
    "futimesat",
    "flock",
];

/// Makes the requested number of kills.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let kinds: Arc<[LifeCounts]> = census::take(ask)?.into();
    let all = census::all(&kinds);
    let missing: Vec<_> = MADE.iter().filter(|call| !all.contains(**call)).collect();
    ensure!(missing.is_empty(), "no session makes the calls {missing:?}");
    let tally = RunTally::new(ask);
    let lived = kinds.clone();
    lanes(&tally, AT_ONCE, move |number, tally| turn(number, tally, lived.clone()))?;
    if tally.has_run(ENOUGH) {
        for call in MADE.iter().filter(|call| tally.counted(&deaths(call)) == 0) {
            tally.wrong(0, &format!("no session was killed at {call}, although sessions make this call"));
        }
    }
    Ok(tally.verdict_beside(beside))
}

/// Kills every program, including Ashore, during a download. Then resumes the download.
///
/// Counts a program as bad if it reports a file with wrong bytes as complete.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let runs = (ask.runs / BESIDE).max(1);
        let origin = Origin::start().await;
        let body = Body::seeded(ask.seed, 4 << 20);
        let mut all = Vec::new();
        for peer in std::iter::once(None).chain(HostilePeer::here().into_iter().map(Some)) {
            let name = peer.map_or("ashore", HostilePeer::name);
            let mut random = StdRng::seed_from_u64(ask.seed);
            let (machine, mut made, mut bad) = (Machine::new(), 0, 0);
            for run in (0..runs).take_while(|_| ask.has(peers::PATIENCE)) {
                let file = format!("{name}-{run}.bin");
                origin.file(&format!("/{file}"), body.clone()).trickle(64 << 10, Duration::from_millis(4));
                let (address, folder) = (origin.url(&format!("/{file}")).to_string(), machine.target());
                let command = || match peer {
                    None => {
                        let mut command = machine.command();
                        command.args(["get", "--dir"]).arg(&folder).arg(&address).stdout(Stdio::null()).stderr(Stdio::null());
                        command
                    }
                    Some(peer) => peer.command(&address, &folder, BusName::Given(&file), 4),
                };
                peers::killed_after(command(), Duration::from_millis(random.random_range(20..400))).await?;
                let is_done = peers::is_done(command()).await;
                made += 1;
                let found = fs::read(folder.join(&file)).unwrap_or_default();
                bad += u64::from(is_done && found != body.slice(0, body.length()));
                ensure!(peer.is_some() || is_done, "ashore did not resume {address}");
            }
            all.push(PeerColumn { name: name.to_owned(), runs: made, bad });
        }
        Ok(all)
    })
}

/// System calls that give a file its final name. `OF_WHICH` is the share of sessions that are killed at these calls.
const NAMING: &[&str] = &["linkat", "rename", "renameat2"];
const OF_WHICH: f64 = 1.0 / 4.0;

/// Draws the system call to hit, and the number of its occurrence in a thread.
///
/// Draws only calls of the session that change a disk.
fn draw(made: &CallCounts, random: &mut StdRng) -> Option<(String, u32)> {
    let is_in = |calls: &[&str], call: &String| calls.contains(&call.as_str());
    let names = made.iter().filter(|(call, _)| is_in(NAMING, call)).choose(random).filter(|_| random.random_bool(OF_WHICH));
    let any = || made.iter().filter(|(call, _)| is_in(MADE, call) || is_in(OTHERS, call)).choose(random);
    let (call, most) = names.or_else(any)?;
    Some((call.clone(), census::which(*most, random)))
}

fn deaths(call: &str) -> String {
    format!("kills at {call}")
}

async fn turn(turn: u64, tally: Arc<RunTally>, kinds: Arc<[LifeCounts]>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let machine = Machine::new();
    let log = machine.disk().join("calls");
    let lives = &kinds[usize::try_from(turn)? % kinds.len()];
    let mut world = TortureWorld::new(random.random(), lives.load, machine).await;
    for life in 0..LIVES {
        if !tally.wants_more() {
            break;
        }
        let (call, when) = draw(lives.in_life(life), &mut random).context("a session made no calls")?;
        world.start_under(words(&call, when, TracedFate::Death, lives.lacks, &log));
        if world.begin_start().await? {
            world.look_at_ledger().await?;
            world.live(MOMENT).await;
        }
        if world.has_died() {
            tally.count(&deaths(&call), 1);
            tally.done(1);
        } else {
            tally.count(&format!("sessions did not reach the kill at {call}"), 1);
            world.kill().await;
        }
        world.look_at_disk()?;
    }
    world.start_under(lives.lacks.words_alone(&log));
    world.check_received_bytes_are_claimed().await?;
    tally.count("downloads had time for a checkpoint, and their journals claimed all received bytes", 1);
    world.finish().await?;
    tally.count("files were complete in the end, each exactly once", world.files());
    Ok(())
}
