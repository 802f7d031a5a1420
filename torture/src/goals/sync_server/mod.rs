//! Kills the sync server at random moments while several clients write: single objects, lists, deletions, batches, and
//! conditional writes. After each start, the server has every acknowledged write, and no data that was never written.
//!
//! Each crash kills the program while clients write. In half of the crashes, the power of the data disk is then cut, so
//! that the disk loses unsynced data. Half of the crashes use SQLite, half PostgreSQL.
//!
//! In each turn (group of runs), the server of one user crashes several times. Every fifth turn has no crash: it
//! promotes a synchronous PostgreSQL standby under load.

mod cluster;
mod load;
mod model;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use ashore_testkit::{
    sync_server::{
        place::{PATIENCE, RunningServer, ServerPlace},
        standby,
        wire::SyncWire,
    },
    tools::built,
    volume::{PowerCut, Volume},
    waits::blocking::until_done,
};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tokio::task::{JoinSet, block_in_place};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
};
use cluster::PostgresCluster;
use model::ServerModel;

/// The program under test.
const PROGRAM: &str = "ashore-sync-server";
/// Number of crashes and promotions. Each of the 20 promotions is a separate turn.
pub const RUNS: u64 = 1_020;
/// Number of crashes per turn. Each crash may leave one open batch per writer, and the server permits 64 open batches
/// per user.
const DEATHS: u64 = 12;
/// Clients that write concurrently.
const WRITERS: u64 = 4;
/// Maximum time from the start of the load to the crash, in milliseconds.
const LOAD: u64 = 300;
/// Maximum time from the start of a server to its kill, in milliseconds, for a kill before the server is ready.
const START: u64 = 60;

/// Makes the requested number of crashes and promotions.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    built(PROGRAM)?;
    run_turns(&RunTally::new(ask), 2, turn)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    match turn % 5 {
        4 => promotion(turn, tally).await,
        kind => deaths(turn, kind % 2 == 1, tally).await,
    }
}

/// Crashes one user's server repeatedly, by a kill or a power cut of its data disk.
async fn deaths(turn: u64, is_postgres: bool, tally: Arc<RunTally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let mut home = match block_in_place(|| Home::make(is_postgres)) {
        Ok(home) => home,
        Err(why) => {
            (0..DEATHS).for_each(|_| tally.leave_out(&format!("kills were skipped, because: {why:#}")));
            return Ok(());
        }
    };
    let mut first = home.place.start().await?;
    let token = first.enrol().await?;
    first.child.kill().await?;
    let model = Arc::new(Mutex::new(ServerModel::default()));
    for death in 0..DEATHS {
        if random.random_ratio(1, 8) {
            let mut starting = home.place.command().spawn()?;
            tokio::time::sleep(Duration::from_millis(random.random_range(0..START))).await;
            starting.kill().await?;
            tally.count("kills happened during a start", 1);
        }
        let mut server = home.place.start().await?;
        let mut load = WriteLoad::start(&server, &token, &model, &mut random);
        let time = Duration::from_millis(random.random_range(1..LOAD));
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            Some(ended) = load.writers.join_next() => {
                ended??;
                bail!("a writer ended before the server did");
            }
        }
        let cut = random.random_bool(0.5).then(|| PowerCut::draw(&mut random));
        let how = if cut.is_some() { "power cut" } else { "kill" };
        server.child.kill().await?;
        load.end().await.with_context(|| format!("on {}, before {how} {death}", home.place.kind()))?;
        // Cut the power only after the kill, because a real machine without power does not answer. While ext4 shuts
        // down, a sync may report success without effect, and a running server would acknowledge the lost write.
        if let Some(cut) = cut {
            block_in_place(|| home.cut(cut))?;
        }
        let mut server = home.place.start().await?;
        compare(&server, &token, &model, &tally)
            .await
            .with_context(|| format!("on {}, after {how} {death}", home.place.kind()))?;
        // Wait for the exit, so that the next start finds the folder unlocked.
        server.child.kill().await?;
        tally.count(&format!("{how}s on {}", home.place.kind()), 1);
        tally.done(1);
    }
    home.place.recount().await
}

/// Data of a server on a disk whose power can be cut.
struct Home {
    place: ServerPlace,
    cluster: Option<PostgresCluster>,
    /// Disk of the data. Fields are dropped in order, so the disk is unmounted after the cluster has ended.
    volume: Volume,
}

impl Home {
    /// Creates the disk and, for PostgreSQL, a cluster on it. Blocks.
    fn make(is_postgres: bool) -> Result<Self> {
        let volume = Volume::make()?;
        let cluster = is_postgres.then(|| PostgresCluster::make(&volume)).transpose()?;
        let database = cluster.as_ref().map(PostgresCluster::address);
        Ok(Self {
            place: ServerPlace { program: built(PROGRAM)?, folder: volume.path().join("data"), database },
            cluster,
            volume,
        })
    }

    /// Cuts and restores the power, so that the disk loses unsynced data. Blocks.
    fn cut(&mut self, how: PowerCut) -> Result<()> {
        if let Some(cluster) = &mut self.cluster {
            cluster.kill();
        }
        self.volume.fail(how)?;
        until_done("the disk is released", || self.volume.restart())?;
        if let Some(cluster) = &mut self.cluster {
            cluster.start();
        }
        Ok(())
    }
}

/// Promotes a standby while clients write, and then kills the server.
async fn promotion(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let Ok(pair) = tokio::task::spawn_blocking(standby::Pair::start).await? else {
        tally.leave_out("promotions were skipped, because PostgreSQL is not installed");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let place = ServerPlace { program: built(PROGRAM)?, folder: folder.path().join("data"), database: Some(pair.address()) };
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let model = Arc::new(Mutex::new(ServerModel::default()));
    let mut server = place.start().await?;
    let token = server.enrol().await?;
    let load = WriteLoad::start(&server, &token, &model, &mut random);
    tokio::time::sleep(Duration::from_millis(random.random_range(LOAD..LOAD * 3))).await;
    let _pair = tokio::task::spawn_blocking(|| pair.promote()).await?;
    load.end().await.context("before the promotion")?;
    compare(&server, &token, &model, &tally).await.context("after the promotion")?;
    let load = WriteLoad::start(&server, &token, &model, &mut random);
    tokio::time::sleep(Duration::from_millis(LOAD)).await;
    server.child.kill().await?;
    load.end().await.context("on the promoted standby")?;
    compare(&place.start().await?, &token, &model, &tally).await.context("after the promotion and a kill")?;
    tally.count("promotions of a standby", 1);
    tally.done(1);
    place.recount().await
}

/// Running clients.
struct WriteLoad {
    writers: JoinSet<Result<()>>,
    is_over: Arc<AtomicBool>,
}

impl WriteLoad {
    fn start(server: &RunningServer, token: &str, model: &Arc<Mutex<ServerModel>>, random: &mut StdRng) -> Self {
        let (mut writers, is_over) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
        for writer in 0..WRITERS {
            let (address, token, model, is_over) =
                (server.address.clone(), token.to_owned(), Arc::clone(model), Arc::clone(&is_over));
            writers.spawn(load::write(address, token, model, is_over, writer, random.random()));
        }
        Self { writers, is_over }
    }

    /// Waits for running requests. Fails if a response was wrong.
    async fn end(mut self) -> Result<()> {
        self.is_over.store(true, Ordering::Relaxed);
        while let Some(ended) = self.writers.join_next().await {
            ended??;
        }
        Ok(())
    }
}

/// Compares the server with the acknowledged writes.
async fn compare(server: &RunningServer, token: &str, model: &Mutex<ServerModel>, tally: &RunTally) -> Result<()> {
    let begun = Instant::now();
    let found = loop {
        let wire = SyncWire::new(&server.address, token)?;
        match model::ModelFinding::read(&wire).await {
            Ok(found) => break found,
            // Retry: after a restart of the database, the server may still have a stale connection.
            Err(error) if begun.elapsed() > PATIENCE || !error.is::<std::io::Error>() => return Err(error),
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    for (what, count) in lock(model).compare(&found)? {
        tally.count(what, count);
    }
    Ok(())
}

fn lock(model: &Mutex<ServerModel>) -> std::sync::MutexGuard<'_, ServerModel> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}
