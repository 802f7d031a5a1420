//! A long list: each start of the engine is quick and uses little memory.
//!
//! This holds while all entries are paused, while they wait, and after a running engine was interrupted.

use std::{
    fmt::Write as _,
    net::TcpListener,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use ashore_testkit::machine::{Cut, Machine};
use serde_json::json;

use crate::{
    digits::grouped,
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
};

/// Number of starts.
pub const RUNS: u64 = 20;
/// Number of files in the list for a full run. A run with fewer starts has proportionally fewer files.
const FILES: u64 = 100_000;
/// One in this many files is a download of its own. All other files belong to larger registrations.
const ALONE: u64 = 10;
/// Number of files in each larger registration.
const SET: u64 = 10_000;
/// Time limit for the first response.
const READY: Duration = Duration::from_secs(2);
/// Limit of resident memory in bytes.
const MEMORY: u64 = 300_000_000;
/// Number of downloads per page. This is the maximum that the engine permits.
const PAGE: u64 = 500;

/// Makes the requested number of starts, with a proportionally long list.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let (runs, files) = (ask.runs, FILES * ask.runs.min(RUNS) / RUNS);
    run_turns(&RunTally::new(ask), 1, move |_, tally| turn(tally, runs, files))
}

async fn turn(tally: Arc<RunTally>, runs: u64, files: u64) -> Result<()> {
    // Server that accepts connections and never responds.
    let mute = TcpListener::bind("127.0.0.1:0")?;
    let mut machine = Machine::new();
    machine.settings("stall-seconds = 3600.0\n");
    let downloads = fill(&mut machine, files, &format!("http://{}", mute.local_addr()?)).await?;
    for run in 0..runs {
        let begun = Instant::now();
        ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
        machine.call("list", json!({ "limit": PAGE })).await.map_err(refused)?;
        let ready = begun.elapsed();
        let memory = machine.peak_memory();
        tally.most("milliseconds was the longest time until the first response", u64::try_from(ready.as_millis())?);
        tally.most("MB was the maximum of memory", memory / 1_000_000);
        // The time limit applies only if the list has the promised number of files.
        ensure!(ready <= READY || files < FILES, "the engine with {} files was ready after {ready:.1?}", grouped(files));
        ensure!(memory <= MEMORY, "the engine with {} files uses {} bytes of memory", grouped(files), grouped(memory));
        tally.done(1);
        if run == runs / 2 {
            machine.call("resume", json!({ "unique_id": null })).await.map_err(refused)?;
        }
        // Alternate between killing and stopping the engine. In the second half of the runs, downloads are running at
        // that time.
        if run % 2 == 0 { machine.kill().await } else { machine.stop().await }
    }
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
    let there = count(&mut machine).await?;
    ensure!(there == (downloads, files), "{} downloads of {} files are in the list", there.0, there.1);
    machine.kill().await;
    tally.count("files stayed in the list", files);
    Ok(())
}

/// Fills the list with paused downloads. Returns the number of downloads.
async fn fill(machine: &mut Machine, files: u64, server: &str) -> Result<u64> {
    let alone = files / ALONE;
    let mut downloads = alone;
    let folder = machine.target().display().to_string();
    for first in (alone..files).step_by(usize::try_from(SET)?) {
        let mut links = String::new();
        for number in first..files.min(first + SET) {
            writeln!(links, "{server}/{number}.bin")?;
        }
        let links = machine.own_file("links", links.as_bytes()).display().to_string();
        let added = machine.run(["add", "-q", "--paused", "-d", &folder, "-i", &links]).await;
        ensure!(added.status.success(), "links could not be added: {}", String::from_utf8_lossy(&added.stderr));
        downloads += 1;
    }
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
    machine.call("pause", json!({ "unique_id": null })).await.map_err(refused)?;
    for number in 0..alone {
        let new = json!({
            "owner": "torture", "developer_id": number.to_string(), "folder": folder,
            "requests": [{ "url": format!("{server}/{number}.bin") }],
        });
        machine.call("create", new).await.map_err(refused)?;
    }
    machine.stop().await;
    Ok(downloads)
}

/// Returns the numbers of downloads and files in the list.
async fn count(machine: &mut Machine) -> Result<(u64, u64)> {
    let (mut downloads, mut files) = (0, 0);
    let mut page = json!({ "limit": PAGE });
    loop {
        let list = machine.call("list", page).await.map_err(refused)?;
        let Some(last) = list.as_array().and_then(|list| list.last()) else { return Ok((downloads, files)) };
        downloads += list.as_array().map_or(0, |list| list.len() as u64);
        files += list.as_array().into_iter().flatten().filter_map(|one| one["requests"].as_u64()).sum::<u64>();
        page = json!({ "limit": PAGE, "before": last["unique_id"] });
    }
}

fn refused(cut: Cut) -> anyhow::Error {
    anyhow::anyhow!("the call was refused: {cut:?}")
}
