//! Goal `folders`: the download folder fails while the engine runs, and the engine is killed.
//!
//! The faults are: a folder vanishes and returns, its disk stops responding, the folder moves to another device between
//! two starts, the folder contains 100,000 files, or the log cannot be written. Every call is answered, each start is
//! ready in time, and every file arrives once.

mod place;

use std::{fs::File, path::PathBuf, pin::pin, sync::Arc, time::Duration};

use anyhow::{Result, ensure};
use ashore_testkit::{
    machine::{Log, Machine},
    stacked::{FileSystem, Stacked},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use tokio::{task::block_in_place, time::timeout};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
    world::{DrawnLoad, OWN, TortureWorld},
};
use place::{FolderAbsence, TortureFolder};

/// Total number of crashes with all faults.
pub const RUNS: u64 = 500;
/// Number of test environments that run in parallel. Each of them mostly waits.
const AT_ONCE: usize = 4;
/// Mean number of crashes in each test environment.
const DEATHS: u32 = 10;
/// Maximum duration of each part of a session, in milliseconds.
const LONGEST: u64 = 400;
/// Time limit of a start, with any fault.
const READY: Duration = Duration::from_secs(10);
/// Number of files in the folder before the first download.
const CROWD: u32 = 100_000;
/// Time after which a stopped disk continues. A process that waits for a stopped disk cannot even be killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Fault of the download folder or of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FolderTroubleKind {
    Vanishes,
    Hangs,
    Moves,
    Crowded,
    NoLog,
}

const TROUBLES: [FolderTroubleKind; 5] = [
    FolderTroubleKind::Vanishes,
    FolderTroubleKind::Hangs,
    FolderTroubleKind::Moves,
    FolderTroubleKind::NoLog,
    FolderTroubleKind::Crowded,
];

impl FolderTroubleKind {
    /// Returns the sentence that reports the number of crashes with this fault.
    fn deaths(self) -> &'static str {
        match self {
            Self::Vanishes => "kills with a folder that vanished and came back",
            Self::Hangs => "kills with a folder that did not answer for a while",
            Self::Moves => "kills before a folder moved to another device",
            Self::Crowded => "kills with a folder of 100,000 files",
            Self::NoLog => "kills with a log that could not be written",
        }
    }
}

/// Makes the requested number of crashes.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    let silent = match Stacked::make(FileSystem::Ntfs).and_then(|disk| disk.stop().and_then(|()| disk.resume())) {
        Ok(()) => true,
        Err(error) => {
            tally.leave_out(&format!("kind of folder was skipped, one that does not answer: {error:#}"));
            false
        }
    };
    let troubles: Arc<[FolderTroubleKind]> =
        TROUBLES.into_iter().filter(|trouble| silent || *trouble != FolderTroubleKind::Hangs).collect();
    run_turns(&tally, AT_ONCE, move |number, tally| turn(number, troubles.clone(), tally))
}

async fn turn(number: u64, troubles: Arc<[FolderTroubleKind]>, tally: Arc<RunTally>) -> Result<()> {
    let trouble = troubles[usize::try_from(number)? % troubles.len()];
    let mut story = Story { random: StdRng::seed_from_u64(tally.seed(number)), trouble, tally: tally.clone() };
    match trouble {
        FolderTroubleKind::Vanishes => {
            let place = block_in_place(TortureFolder::make)?;
            let mut world = story.world(Machine::on_two(&folder_beside(&place)?, &place.path())).await;
            while story.crashes_again() {
                story.vanishes(&mut world, &place).await?;
            }
            story.ends(&mut world).await
        }
        FolderTroubleKind::Hangs => {
            let disk = block_in_place(|| Stacked::make(FileSystem::Ntfs))?;
            let mut world = story.world(Machine::on_two(&disk.path_below(), disk.path())).await.with_slow_disk();
            while story.crashes_again() {
                story.hangs(&mut world, &disk).await?;
            }
            story.ends(&mut world).await
        }
        FolderTroubleKind::Moves => {
            let mut place = block_in_place(TortureFolder::make)?;
            let mut world = story.world(Machine::on_two(&folder_beside(&place)?, &place.path())).await.with_moving_folder();
            while story.crashes_again() {
                story.lives_and_dies(&mut world).await?;
                block_in_place(|| place.move_to_another_device())?;
            }
            story.ends(&mut world).await
        }
        FolderTroubleKind::Crowded => {
            let machine = Machine::new();
            let target = machine.target();
            block_in_place(|| (0..CROWD).try_for_each(|number| File::create(target.join(format!("{OWN}{number}"))).map(drop)))?;
            let mut world = story.world(machine).await;
            while story.crashes_again() {
                story.lives_and_dies(&mut world).await?;
            }
            story.ends(&mut world).await
        }
        FolderTroubleKind::NoLog => {
            let mut machine = Machine::new();
            machine.log_to([Log::Full, Log::Unread][story.random.random_range(0..2)]);
            let mut world = story.world(machine).await;
            while story.crashes_again() {
                story.lives_and_dies(&mut world).await?;
            }
            story.ends(&mut world).await
        }
    }
}

/// Creates a folder for the ledger. The disk of this folder never fails.
fn folder_beside(place: &TortureFolder) -> Result<PathBuf> {
    let folder = place.beside().join("home");
    std::fs::create_dir(&folder)?;
    Ok(folder)
}

/// Random choices of a test environment, its fault, and the tally of crashes.
struct Story {
    random: StdRng,
    trouble: FolderTroubleKind,
    tally: Arc<RunTally>,
}

impl Story {
    async fn world(&mut self, machine: Machine) -> TortureWorld {
        let load = [DrawnLoad::Heavy, DrawnLoad::Many, DrawnLoad::Large][self.random.random_range(0..3)];
        TortureWorld::new(self.random.random(), load, machine).await.forgiving()
    }

    /// Decides at random whether to crash again. The average number of crashes is `DEATHS`.
    fn crashes_again(&mut self) -> bool {
        self.tally.wants_more() && self.random.random_ratio(DEATHS - 1, DEATHS)
    }

    fn moment(&mut self) -> Duration {
        Duration::from_millis(self.random.random_range(0..LONGEST))
    }

    async fn starts(&self, world: &mut TortureWorld) -> Result<()> {
        ensure!(world.is_ready_within(READY).await?, "the engine was not ready within {READY:?}: {}", world.log());
        Ok(())
    }

    /// Checks the disk while the engine is stopped and the folder is available. Counts the crash.
    fn died(&self, world: &mut TortureWorld) -> Result<()> {
        let found = world.look_at_disk()?;
        self.tally.count("files that were reported as complete were on disk", found.files);
        self.tally.count(self.trouble.deaths(), 1);
        self.tally.done(1);
        Ok(())
    }

    /// Starts the engine, checks its list, and lets it run for a moment.
    async fn begin_life(&mut self, world: &mut TortureWorld) -> Result<()> {
        self.starts(world).await?;
        world.look_at_ledger().await?;
        world.live(self.moment()).await;
        Ok(())
    }

    /// Lets the engine continue for a moment, and checks that it still responds.
    async fn run_on(&mut self, world: &mut TortureWorld) -> Result<()> {
        world.live(self.moment()).await;
        world.is_well()
    }

    async fn lives_and_dies(&mut self, world: &mut TortureWorld) -> Result<()> {
        self.begin_life(world).await?;
        world.is_well()?;
        world.kill().await;
        self.died(world)
    }

    /// Removes the folder during a session. The session then continues.
    ///
    /// The next start may also happen without the folder.
    async fn vanishes(&mut self, world: &mut TortureWorld, place: &TortureFolder) -> Result<()> {
        self.begin_life(world).await?;
        let away = [FolderAbsence::Renamed, FolderAbsence::Unmounted][self.random.random_range(0..2)];
        block_in_place(|| place.take_away(away))?;
        self.run_on(world).await?;
        if self.random.random_bool(0.5) {
            world.kill().await;
            self.starts(world).await?;
            self.run_on(world).await?;
        }
        let dies_first = self.random.random_bool(0.5);
        if dies_first {
            world.kill().await;
        }
        block_in_place(|| place.bring_back(away))?;
        if !dies_first {
            self.run_on(world).await?;
            world.kill().await;
        }
        self.died(world)
    }

    /// Stops the folder's disk during a session. The session then continues.
    ///
    /// The next start may happen while the disk is still stopped.
    async fn hangs(&mut self, world: &mut TortureWorld, disk: &Stacked) -> Result<()> {
        self.begin_life(world).await?;
        disk.stop()?;
        let stopped = self.beside(world, disk).await;
        disk.resume()?;
        stopped?;
        if self.random.random_bool(0.5) {
            self.run_on(world).await?;
        }
        world.kill().await;
        self.died(world)
    }

    async fn beside(&mut self, world: &mut TortureWorld, disk: &Stacked) -> Result<()> {
        self.run_on(world).await?;
        if self.random.random_bool(0.5) {
            {
                let mut dying = pin!(world.kill());
                if timeout(PATIENCE, &mut dying).await.is_err() {
                    disk.resume()?;
                    dying.await;
                }
            }
            self.starts(world).await?;
            self.run_on(world).await?;
        }
        Ok(())
    }

    async fn ends(&self, world: &mut TortureWorld) -> Result<()> {
        world.finish().await?;
        self.tally.count("files were complete in the end, each exactly once", world.files());
        Ok(())
    }
}
