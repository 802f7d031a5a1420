//! Goal `filesystems`: downloads survive crashes on xfs, btrfs, vfat, exfat and NTFS. File systems that this machine
//! cannot mount are skipped. The other goals use ext4.
//!
//! Each crash is one of three events during a session: the engine is killed, its disk is removed, or the power of engine
//! and disk is cut. After each crash:
//!
//! - files that were reported as complete exist and are correct;
//! - bytes that journals claim are on the disk;
//! - the next start does not hang, and in the end every download completes.
//!
//! Home folders often use xfs or btrfs, so the ledger is then on the same disk as the downloads. With any other file
//! system, the ledger is on a disk of its own, and the power of both disks is cut at the same moment.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use ashore_testkit::{
    machine::Machine,
    stacked::{FileSystem, Stacked},
    volume::PowerCut,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tokio::task::block_in_place;

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
    world::{DrawnLoad, TortureWorld},
};

/// Total number of crashes on all file systems.
pub const RUNS: u64 = 1_000;
/// Number of test environments that run in parallel. Each of them mostly waits.
const AT_ONCE: usize = 4;
/// Number of crashes in each test environment.
const DEATHS: u64 = 25;
/// Maximum duration of a session, in milliseconds.
const LONGEST: u64 = 400;
/// Maximum time that the engine runs without its disk, in milliseconds.
const WITHOUT: u64 = 60;
/// Loads of the test environments. Each environment gets the next load in turn.
const LOADS: [DrawnLoad; 3] = [DrawnLoad::Heavy, DrawnLoad::Many, DrawnLoad::Large];

/// Makes the requested number of crashes, divided evenly among the file systems that this machine can mount.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    let mut kinds = Vec::new();
    for kind in FileSystem::ALL {
        match Stacked::make(kind) {
            Ok(_) => kinds.push(kind),
            Err(error) => {
                let why = format!("{error:#}");
                let why = why.lines().next().unwrap_or_default().trim_end_matches('.');
                tally.leave_out(&format!("kind of disk was skipped, {}: {why}", kind.name()));
            }
        }
    }
    if kinds.is_empty() {
        return Ok(tally.verdict());
    }
    let kinds: Arc<[FileSystem]> = kinds.into();
    run_turns(&tally, AT_ONCE, move |number, tally| turn(number, kinds.clone(), tally))
}

async fn turn(number: u64, kinds: Arc<[FileSystem]>, tally: Arc<RunTally>) -> Result<()> {
    let count = kinds.len() as u64;
    let kind = kinds[usize::try_from(number % count)?];
    // Test environments on the same file system have different loads. In every second environment, some crashes only
    // remove the disk. After such a crash, downloads may have failed.
    let round = number / count;
    let (load, is_pulled) = (LOADS[usize::try_from(round)? % LOADS.len()], round % 2 == 1);
    let mut random = StdRng::seed_from_u64(tally.seed(number));
    let mut disk = block_in_place(|| Stacked::make(kind))?;
    let machine = match kind.is_of_homes() {
        true => Machine::on(disk.path()),
        false => Machine::on_two(&disk.path_below(), disk.path()),
    };
    block_in_place(|| disk.sync())?;
    let mut world = TortureWorld::new(random.random(), load, machine).await;
    if !kind.is_of_homes() {
        world = world.with_slow_disk();
    }
    if is_pulled {
        world = world.forgiving();
    }
    for _ in 0..DEATHS {
        if !tally.wants_more() {
            break;
        }
        run_for_a_moment(&mut world, &mut random).await?;
        let how = match random.random_range(0..6) {
            0 => "kills",
            1 | 2 if is_pulled => {
                block_in_place(|| disk.go())?;
                world.live(Duration::from_millis(random.random_range(0..WITHOUT))).await;
                "disks that disappeared"
            }
            _ => "power cuts",
        };
        world.kill().await;
        match how {
            "kills" => {}
            "power cuts" => {
                let cut = PowerCut::draw(&mut random);
                block_in_place(|| disk.cut(cut))?;
            }
            _ => block_in_place(|| disk.restart())?,
        }
        let found = world.look_at_disk()?;
        tally.count("bytes that journals claimed were on disk", found.claimed);
        tally.count("files that were reported as complete were on disk", found.files);
        tally.count(&format!("{how} on {}", kind.name()), 1);
        tally.done(1);
    }
    world.finish().await?;
    tally.count("files were complete in the end, each exactly once", world.files());
    Ok(())
}

/// Starts the engine and lets it run for a moment, which may end before the start is complete.
async fn run_for_a_moment(world: &mut TortureWorld, random: &mut StdRng) -> Result<()> {
    let moment = Duration::from_millis(random.random_range(0..LONGEST));
    if world.is_ready_within(if random.random_bool(0.1) { moment / 5 } else { Duration::MAX }).await? {
        world.look_at_ledger().await?;
        world.live(moment).await;
    }
    Ok(())
}
