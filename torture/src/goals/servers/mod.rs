//! Bad servers: no wrong byte is reported as complete.
//!
//! Each fault affects a new download, a resumed download, and a download that continues after a kill, with one
//! connection and with sixteen. Then the server behaves correctly, and the file arrives. The goal tests all named
//! faults, and each kind of generated server in `ashore_testkit::generated` that has a single oddity.

mod faults;

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    generated::{Kind, Way, trials},
    machine::Machine,
    origin::{Body, Origin, Route},
};
use serde_json::{Value, json};

use crate::{
    claims,
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::peers::{self, HostilePeer},
    tally::{RunTally, lanes},
};
use faults::{FAULTS, FaultExpectation, ServerFault};

/// Number of machines that are tested in parallel.
const AT_ONCE: usize = 2;
/// Number of parallel downloads on each machine.
const BATCH: usize = 10;
/// Number of different generated servers in one turn.
const KINDS: usize = 20;
/// Number of parallel downloads by other programs.
const BESIDE_AT_ONCE: usize = 12;
/// Size in bytes of a file that is fetched over one connection.
const SMALL: u64 = 3 << 20;
/// Size in bytes of a file that may use several connections.
const LARGE: u64 = 19 << 20;
/// Number of received bytes before a resume.
const THERE: u64 = 2 << 20;
/// Number of bytes at the start that may be equal in the old and the changed file.
const ALIKE: u64 = 64 << 10;
/// Duration of the downloads from a bad server.
///
/// Downloads that have not settled by then count as incomplete.
const TOGETHER: Duration = Duration::from_secs(12);
/// Time limit for the arrival of all files after the servers behave correctly.
const PATIENCE: Duration = Duration::from_secs(60);

/// Situations in which the fault occurs. Each situation has a number of connections.
const WAYS: [(Way, u32); 6] =
    [(Way::Fresh, 1), (Way::Resumed, 1), (Way::Killed, 1), (Way::Fresh, 16), (Way::Resumed, 16), (Way::Killed, 16)];

/// Number of runs: every fault and every kind of generated server, in every situation.
pub const RUNS: u64 = ((FAULTS.len() + Kind::SINGLE) * WAYS.len()) as u64;

/// Tests the requested number of faults.
///
/// Each turn uses the next situation, so that even a run with fewer faults covers every situation after a few turns.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict_beside(beside))
}

/// Tests a batch of faults, or of kinds of generated servers, in one situation.
async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let number = usize::try_from(turn)?;
    let (way, connections) = WAYS[number % WAYS.len()];
    let batches = FAULTS.len().div_ceil(BATCH) + Kind::SINGLE.div_ceil(KINDS);
    let batch = (number / WAYS.len()) % batches;
    match FAULTS.chunks(BATCH).nth(batch) {
        Some(faults) => named(turn, faults, way, connections, &tally).await,
        None => drawn(turn, batch - FAULTS.len().div_ceil(BATCH), way, connections, &tally).await,
    }
}

/// Tests kinds of generated servers. The model of the generated servers determines the expected results.
async fn drawn(turn: u64, batch: usize, way: Way, connections: u32, tally: &RunTally) -> Result<()> {
    let kinds: Vec<_> = (0..).zip(Kind::single()).skip(batch * KINDS).take(KINDS).collect();
    let findings = trials(tally.seed(turn), &kinds, way, connections).await;
    ensure!(findings.is_empty(), "{}", findings.join("\n"));
    tally.count("kinds of generated faults were tested", kinds.len() as u64);
    tally.done(kinds.len() as u64);
    Ok(())
}

async fn named(turn: u64, faults: &'static [ServerFault], way: Way, connections: u32, tally: &RunTally) -> Result<()> {
    let is_there = way != Way::Fresh;
    let origin = Origin::start().await;
    let size = if connections == 1 { SMALL } else { LARGE };
    let mut met: Vec<Met> = Vec::new();
    for fault in faults {
        met.push(Met::new(fault, &origin, size, tally.seed(turn) + met.len() as u64));
    }
    let mut machine = Machine::new();
    if is_there {
        machine.settings(&settings(1));
        begin(&mut machine, &origin, &met).await?;
    }
    match way {
        Way::Fresh => {}
        Way::Resumed => {
            for one in list(&mut machine).await? {
                let paused = machine.call("pause", json!({ "unique_id": one["unique_id"] })).await;
                ensure!(paused.is_ok(), "the download could not be paused: {paused:?}");
            }
        }
        Way::Killed => machine.kill().await,
    }
    met.iter().for_each(|one| one.turn_bad(is_there));
    if way == Way::Resumed {
        let set = machine.call("set", json!({ "key": "connections", "value": connections })).await;
        ensure!(set.is_ok(), "the number of connections could not be set: {set:?}");
        for one in list(&mut machine).await? {
            let resumed = machine.call("resume", json!({ "unique_id": one["unique_id"] })).await;
            ensure!(resumed.is_ok(), "the download could not be resumed: {resumed:?}");
        }
    } else {
        machine.settings(&settings(connections));
        ensure!(machine.serve(None).await.is_ok(), "the engine did not start");
    }
    if !is_there {
        ask_for(&mut machine, &origin, &met).await?;
    }
    let begun = Instant::now();
    while begun.elapsed() < TOGETHER && !is_over(&list(&mut machine).await?) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let way = format!("{way:?}, connections: {connections}");
    for one in list(&mut machine).await? {
        let met = met.iter().find(|met| one["developer_id"] == met.fault.name).context("an unknown download is in the list")?;
        let path = machine.target().join(met.name());
        if one["result"] == "success" {
            let bytes =
                fs::read(&path).with_context(|| format!("{}, {way}: reported as complete, but missing", met.fault.name))?;
            ensure!(met.is_right(&bytes), "{}, {way}: {} wrong bytes reported as complete", met.fault.name, bytes.len());
            tally.count("files were complete in spite of the fault", 1);
        } else {
            ensure!(!path.exists(), "{}, {way}: not reported as complete, but a file has its name", met.fault.name);
            tally.count("files were not complete, and were not reported as complete", 1);
        }
    }
    met.iter().for_each(|met| met.turn_honest());
    assert_files_arrive(&mut machine, &met).await.with_context(|| way)?;
    machine.kill().await;
    tally.done(met.len() as u64);
    Ok(())
}

fn settings(connections: u32) -> String {
    format!(
        "connections = {connections}\nparallel = {BATCH}\nparallel-per-host = {BATCH}\nattempts = 4\nstall-seconds = 1.0\n\
         connect-timeout-seconds = 2.0\n"
    )
}

/// Fault, and the file that it affects.
struct Met {
    fault: &'static ServerFault,
    route: Route,
    old: Body,
    /// Changed file, if the fault changes the file.
    new: Body,
}

impl Met {
    fn new(fault: &'static ServerFault, origin: &Origin, size: u64, seed: u64) -> Self {
        let old = Body::seeded(seed, size);
        let mut new = Body::seeded(seed + 1_000_000, if fault.is_longer { size + 1 } else { size });
        if fault.begins_alike {
            new = Body::bytes([old.slice(0, ALIKE), new.slice(ALIKE, size)].concat());
        }
        let route = (fault.is)(origin.file(&format!("/{}.bin", fault.name), old.clone()));
        Self { fault, route, old, new }
    }

    fn name(&self) -> String {
        format!("{}.bin", self.fault.name)
    }

    /// Activates the fault.
    ///
    /// Normally, a change of the file takes effect after half of the file was sent. If `is_there`, some bytes were
    /// already received, so the change takes effect immediately.
    fn turn_bad(&self, is_there: bool) {
        let (route, length) = (self.route.clone(), self.old.length());
        route.release();
        let mut route = (self.fault.does)(route, length);
        if let Some(packs) = self.fault.packs {
            route = packs(route, &self.old.slice(0, length));
        }
        let Some(change) = self.fault.changes else { return };
        if is_there {
            change(route, self.new.clone());
            return;
        }
        let route = route.reset_after(length / 2).times(1);
        let new = self.new.clone();
        tokio::spawn(async move {
            route.sent(length / 2).await;
            change(route, new);
        });
    }

    fn turn_honest(&self) {
        self.route.clone().honest();
    }

    fn is_right(&self, bytes: &[u8]) -> bool {
        let is = |body: &Body| bytes == body.slice(0, body.length());
        let is_first = |count: u64| bytes == self.old.slice(0, count);
        match self.fault.right {
            FaultExpectation::Whole if self.fault.changes.is_some() => is(&self.old) || is(&self.new),
            FaultExpectation::Whole => is(&self.old),
            FaultExpectation::First(part) => is(&self.old) || is_first(part(self.old.length())),
            FaultExpectation::Any => is(&self.old) || self.old.slice(0, bytes.len() as u64) == bytes,
        }
    }
}

/// Starts every file while the servers behave correctly. Waits until `THERE` bytes of each file are durable.
async fn begin(machine: &mut Machine, origin: &Origin, met: &[Met]) -> Result<()> {
    met.iter().for_each(|one| drop(one.route.clone().gate_at(THERE)));
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start");
    ask_for(machine, origin, met).await?;
    let begun = Instant::now();
    while durable_in(&machine.target())? < met.len() {
        ensure!(begun.elapsed() < PATIENCE, "not all downloads started in time: {}", machine.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Returns the number of partial files with more than `THERE / 2` durable bytes.
fn durable_in(folder: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(claims::ENDING) && claims::read(&path)?.is_some_and(|claim| claim.bytes() > THERE / 2)
        {
            count += 1;
        }
    }
    Ok(count)
}

async fn ask_for(machine: &mut Machine, origin: &Origin, met: &[Met]) -> Result<()> {
    let folder = machine.target();
    for one in met {
        let url = origin.url(&format!("/{}", one.name()));
        let requests = json!([{ "url": url, "name": one.name() }]);
        let new = json!({ "owner": "torture", "developer_id": one.fault.name, "folder": folder, "requests": requests });
        let asked = machine.call("create", new).await;
        asked.map_err(|cut| anyhow::anyhow!("{} was refused: {cut:?}", one.fault.name))?;
    }
    Ok(())
}

async fn list(machine: &mut Machine) -> Result<Vec<Value>> {
    machine.list().await.map_err(|died| anyhow::anyhow!("the engine died: {died:?}"))
}

fn is_over(list: &[Value]) -> bool {
    list.iter().all(|one| one["state"] == "settled")
}

/// Checks that every missing file arrives after the servers behave correctly.
async fn assert_files_arrive(machine: &mut Machine, met: &[Met]) -> Result<()> {
    let begun = Instant::now();
    for one in list(machine).await? {
        if one["result"] != "success" {
            // Retry waiting downloads immediately.
            let _ = machine.call("retry", json!({ "unique_id": one["unique_id"] })).await;
        }
    }
    loop {
        let is_to_come = |one: &Value| met.iter().any(|met| one["developer_id"] == met.fault.name && !met.fault.stays);
        let open = list(machine).await?.into_iter().find(|one| one["result"] != "success" && is_to_come(one));
        let Some(one) = open else { break };
        if one["state"] == "settled" {
            let _ = machine.call("retry", json!({ "unique_id": one["unique_id"] })).await;
        }
        ensure!(begun.elapsed() < PATIENCE, "the download fails even from an honest server: {one}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for one in met.iter().filter(|one| !one.fault.stays) {
        let bytes = fs::read(machine.target().join(one.name()))?;
        ensure!(one.is_right(&bytes), "{}: in the end, the file has {} bytes and is wrong", one.fault.name, bytes.len());
    }
    Ok(())
}

/// Tests other programs with the same faults. Counts success reports for files with wrong bytes.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let share = FAULTS.len().min(usize::try_from(ask.runs)?);
        let mut all = Vec::new();
        for peer in HostilePeer::here() {
            let turns = Arc::new(tokio::sync::Semaphore::new(BESIDE_AT_ONCE));
            let mut meetings = tokio::task::JoinSet::new();
            for (number, fault) in FAULTS.iter().enumerate().take(share) {
                for is_there in [false, true] {
                    let (turns, ask) = (turns.clone(), *ask);
                    meetings.spawn(async move {
                        let _turn = turns.acquire_owned().await;
                        // A run may have two parts with separate time limits: the download before the fault, and the
                        // resume.
                        if !ask.has(peers::PATIENCE * 2) {
                            return Ok(None);
                        }
                        is_deceived(peer, fault, is_there, ask.seed + number as u64).await.map(Some)
                    });
                }
            }
            let met: Vec<Option<bool>> = meetings.join_all().await.into_iter().collect::<Result<_>>()?;
            let deceived: Vec<bool> = met.into_iter().flatten().collect();
            let bad = deceived.iter().filter(|is_deceived| **is_deceived).count();
            all.push(PeerColumn { name: peer.name().to_owned(), runs: deceived.len() as u64, bad: bad as u64 });
        }
        Ok(all)
    })
}

/// Returns whether a program reported success for a file with wrong bytes.
async fn is_deceived(peer: HostilePeer, fault: &'static ServerFault, is_there: bool, seed: u64) -> Result<bool> {
    let origin = Origin::start().await;
    let met = Met::new(fault, &origin, SMALL, seed);
    let folder = tempfile::tempdir()?;
    let (name, url) = (met.name(), origin.url(&format!("/{}", met.name())).to_string());
    if is_there {
        met.route.clone().gate_at(THERE);
        let begun = peer.fetch(&url, folder.path(), &name, 1);
        // After the server pauses, give the program a moment to write the received bytes. Then kill the program.
        tokio::select! {
            _ = begun => {}
            () = async { met.route.held().await; tokio::time::sleep(Duration::from_millis(300)).await } => {}
        }
    }
    met.turn_bad(is_there);
    let is_done = peer.fetch(&url, folder.path(), &name, 4).await;
    let bytes = fs::read(folder.path().join(&name)).unwrap_or_default();
    Ok(is_done && !met.is_right(&bytes))
}
