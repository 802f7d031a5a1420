//! Cuts the power at a random moment of a session with downloads and uploads.
//!
//! A session has files of all sizes, many small files, or only large files. Files that were reported as complete exist
//! and are correct. The claims of journals and ledger are true. In the end, every file arrives once.

use std::{fs, sync::Arc, time::Duration};

use anyhow::{Result, ensure};
use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
    volume::{PowerCut, Volume},
};
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::peers::{self, HostilePeer},
    tally::{RunTally, lanes},
    world::{DrawnLoad, TortureWorld},
};

/// Number of test environments that run in parallel. Each of them mostly waits.
const AT_ONCE: usize = 4;
/// Number of power cuts in each test environment.
const CUTS: u64 = 25;
/// Maximum duration of a session, in milliseconds.
const LONGEST: u64 = 400;
/// Loads of the test environments. Each environment gets the next load in turn.
const LOADS: [DrawnLoad; 3] = [DrawnLoad::Heavy, DrawnLoad::Many, DrawnLoad::Large];
/// Number of random power cuts for each power cut that follows a program's success report.
const BESIDE: u64 = 50;

/// Makes the requested number of power cuts.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict_beside(beside))
}

/// Returns the label that counts power cuts with this load.
fn cuts(load: DrawnLoad) -> &'static str {
    match load {
        DrawnLoad::Heavy | DrawnLoad::Light => "cuts during downloads of every size",
        DrawnLoad::Many => "cuts during many small downloads",
        DrawnLoad::Large => "cuts during large downloads",
    }
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let load = LOADS[usize::try_from(turn)? % LOADS.len()];
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let volume = Volume::make()?;
    let machine = Machine::on(&volume.path());
    volume.sync()?;
    let mut world = TortureWorld::new(random.random(), load, machine).await;
    for _ in 0..CUTS {
        if !tally.wants_more() {
            break;
        }
        let moment = Duration::from_millis(random.random_range(0..LONGEST));
        if world.is_ready_within(if random.random_bool(0.1) { moment / 5 } else { Duration::MAX }).await? {
            world.look_at_ledger().await?;
            world.live(moment).await;
        } else {
            tally.count("cuts happened during a start", 1);
        }
        world.kill().await;
        volume.cut(PowerCut::draw(&mut random))?;
        let found = world.look_at_disk()?;
        tally.count("bytes that journals claimed were on disk", found.claimed);
        tally.count("files that were reported as complete were on disk", found.files);
        tally.count(cuts(load), 1);
        tally.done(1);
    }
    world.finish().await?;
    tally.count("files were complete in the end, each exactly once", world.files());
    Ok(())
}

/// Lets every program, including Ashore, fetch a file and report success. Then cuts the power.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let runs = (ask.runs / BESIDE).max(1);
        let volume = Volume::make()?;
        let machine = Machine::on(&volume.path());
        let origin = Origin::start().await;
        let body = Body::seeded(ask.seed, 1_500_000);
        let folder = machine.target().display().to_string();
        let mut all: Vec<PeerColumn> = Vec::new();
        for peer in std::iter::once(None).chain(HostilePeer::here().into_iter().map(Some)) {
            let name = peer.map_or("ashore", HostilePeer::name);
            let (mut made, mut bad) = (0, 0);
            for run in (0..runs).take_while(|_| ask.has(peers::PATIENCE)) {
                let file = format!("{name}-{run}.bin");
                origin.file(&format!("/{file}"), body.clone());
                let address = origin.url(&format!("/{file}")).to_string();
                volume.sync()?;
                let is_done = match peer {
                    None => machine.run(["get", "--dir", &folder, &address]).await.status.success(),
                    Some(peer) => peer.fetch(&address, &machine.target(), &file, 4).await,
                };
                ensure!(is_done, "{name} did not download {address}");
                volume.cut(PowerCut::Bare)?;
                made += 1;
                let found = fs::read(machine.target().join(&file)).unwrap_or_default();
                bad += u64::from(found != body.slice(0, body.length()));
            }
            all.push(PeerColumn { name: name.to_owned(), runs: made, bad });
        }
        Ok(all)
    })
}
