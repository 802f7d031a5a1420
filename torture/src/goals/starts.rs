//! Starts many engines on one data folder at the same time. One engine works. Each of the others refuses to start and
//! names the process of the working engine.
//!
//! After a kill of the working engine, the folder is free immediately. The list is unchanged, and an upload in the list
//! arrives once and completely.

use std::{
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    machine::{Cut, Machine},
    origin::{Body, Origin, content},
};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::Child,
};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
};

/// Number of data folders, tested one after the other.
pub const RUNS: u64 = 20;
/// Number of concurrent starts per killed engine.
const AT_ONCE: usize = 20;
/// Number of engines that are killed per folder.
const DEATHS: usize = 2;
/// Number of downloads in the list. One fetches a link, and the other uploads `SENT` bytes.
const IN_LIST: usize = 2;
const SENT: u64 = 200_000;
/// Time limit of a start while many other engines start.
const PATIENCE: Duration = Duration::from_secs(60);

/// Result of starting an engine.
enum Started {
    /// Running engine that has locked the folder.
    Holds(Child),
    /// Process that has ended, with its exit code and output.
    Ended(Option<i32>, String),
}

/// Tests the requested number of folders.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    run_turns(&RunTally::new(ask), 1, turn)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let mut machine = Machine::new();
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("the upload was accepted"));
    let sent = content(turn, SENT);
    let upload = [json!({ "url": origin.url("/a"), "method": "POST", "upload_file": machine.own_file("sent", &sent) })];
    let new = [json!({ "url": "http://127.0.0.1:4001/a" })];
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
    machine.call("pause", json!({ "unique_id": null })).await.map_err(refused)?;
    for (name, requests) in [("link", new), ("upload", upload)] {
        let new = json!({ "owner": "torture", "developer_id": name, "folder": machine.target(), "requests": requests });
        machine.call("create", new).await.map_err(refused)?;
    }
    machine.stop().await;
    for _ in 0..DEATHS {
        let starting: Vec<Child> = (0..AT_ONCE).map(|_| start(&machine)).collect::<Result<_>>()?;
        let waiting: Vec<_> = starting.into_iter().map(|child| tokio::spawn(wait_for_start(child))).collect();
        let (mut holders, mut refused) = (Vec::new(), 0);
        for one in waiting {
            match one.await?? {
                Started::Holds(child) => holders.push(child),
                Started::Ended(code, said) => {
                    let has_said = said.contains("Another Ashore is working on") && said.contains("process ");
                    ensure!(code.is_some_and(|code| code != 0) && has_said, "the engine ended with {code:?} and printed: {said}");
                    refused += 1;
                }
            }
        }
        ensure!(holders.len() == 1, "{} engines work on one folder", holders.len());
        let mut holder = holders.pop().context("no engine works on the folder")?;
        let named = holder.id().context("the engine has ended")?.to_string();
        let said = refusal(&machine).await?;
        ensure!(said.contains(&format!("process {named})")), "process {named} holds the folder, but the output is: {said}");
        tally.count("starts named the process that works on the folder", refused + 1);
        holder.kill().await?;
        // The kill is enough to release the folder: the next engine can lock the folder and has the list.
        let freed = Instant::now();
        ensure!(machine.serve(None).await.is_ok(), "the folder was not released: {}", machine.log());
        let milliseconds = u64::try_from(freed.elapsed().as_millis())?;
        tally.most("milliseconds was the longest start after the death of the holder", milliseconds);
        let list = machine.call("list", json!({})).await.map_err(|cut| anyhow::anyhow!("{cut:?}"))?;
        ensure!(list.as_array().is_some_and(|list| list.len() == IN_LIST), "the list is {list}");
        ensure!(machine.call("recovery", json!({})).await.is_ok_and(|found| found.is_null()), "the list was damaged");
        machine.kill().await;
        tally.count("holders were killed", 2);
    }
    ensure!(route.requests().is_empty(), "a paused upload was sent");
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
    machine.call("resume", json!({ "unique_id": null })).await.map_err(refused)?;
    let done = machine.until("upload", "sent", |one| one["result"] == "success").await;
    done.map_err(|died| anyhow::anyhow!("the engine died: {died:?}"))?;
    let arrived = route.requests();
    ensure!(arrived.len() == 1 && arrived[0].body == sent, "an upload arrived {} times", arrived.len());
    machine.kill().await;
    tally.done(1);
    Ok(())
}

fn refused(cut: Cut) -> anyhow::Error {
    anyhow::anyhow!("the call was refused: {cut:?}")
}

fn start(machine: &Machine) -> Result<Child> {
    Ok(machine.command().arg("serve").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
}

/// Waits until a started engine prints its address or ends.
async fn wait_for_start(mut child: Child) -> Result<Started> {
    let output = child.stdout.take().context("the output is not piped")?;
    let mut lines = BufReader::new(output);
    let mut line = String::new();
    let read =
        tokio::time::timeout(PATIENCE, lines.read_line(&mut line)).await.context("the engine neither works nor ends")??;
    if read > 0 {
        child.stdout = Some(lines.into_inner());
        return Ok(Started::Holds(child));
    }
    let mut said = String::new();
    child.stderr.take().context("the errors are not piped")?.read_to_string(&mut said).await?;
    Ok(Started::Ended(child.wait().await?.code(), said))
}

/// Starts another engine and returns its refusal.
async fn refusal(machine: &Machine) -> Result<String> {
    match wait_for_start(start(machine)?).await? {
        Started::Ended(_, said) => Ok(said),
        Started::Holds(_) => anyhow::bail!("a second engine works on the folder"),
    }
}
