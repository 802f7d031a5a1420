//! Kills a download half-way and starts it again.
//!
//! Measures the bytes fetched twice and the time to finish, and checks the file.

use std::{
    fs,
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::waits::blocking::pause;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use crate::{
    documents::BenchDocument,
    float,
    origin::OriginAddress,
    rounds::{BESIDE, BenchSetup, clear, empty},
    tools::{BenchTool, ToolJob},
};

const DOCUMENT: BenchDocument = BenchDocument::Medium;
/// Contestants and their numbers of connections.
const CONTESTANTS: [(BenchTool, u32); 6] = [
    (BenchTool::Ashore, 1),
    (BenchTool::Curl, 1),
    (BenchTool::Wget2, 1),
    (BenchTool::Aria2, 1),
    (BenchTool::Ashore, 16),
    (BenchTool::Aria2, 16),
];
/// Interval at which the number of written bytes is polled.
const GLANCE: Duration = Duration::from_micros(200);
const PATIENCE: Duration = Duration::from_secs(120);

/// Results of one contestant in all rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResumeFigure {
    /// Program.
    pub tool: BenchTool,
    /// Number of connections.
    pub connections: u32,
    /// Samples, one for each round.
    pub samples: Vec<ResumeSample>,
}

/// Result of one kill.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ResumeSample {
    /// Bytes written at the time of the kill.
    pub held: u64,
    /// Bytes that the server sent after the kill, minus the bytes that were missing at the time of the kill.
    pub again: u64,
    /// Seconds from the second start to the end.
    pub wall: f64,
    /// Whether every byte is correct.
    pub is_right: bool,
}

/// Runs all contestants for `runs` rounds.
pub fn hold(runs: u32, ground: &BenchSetup) -> Result<Vec<ResumeFigure>> {
    let mut all = CONTESTANTS.map(|(tool, connections)| ResumeFigure { tool, connections, samples: Vec::new() }).to_vec();
    for _ in 0..runs {
        for one in &mut all {
            let sample = run(one.tool, one.connections, ground).with_context(|| one.tool.name())?;
            one.samples.push(sample);
        }
    }
    Ok(all)
}

fn run(tool: BenchTool, connections: u32, ground: &BenchSetup) -> Result<ResumeSample> {
    let (target, home) = empty(&ground.memory)?;
    float::give(&ground.memory, DOCUMENT.size() + BESIDE)?;
    let (names, size) = (DOCUMENT.names(), DOCUMENT.size());
    let address = ground.origin.address(OriginAddress::Counted, DOCUMENT.folder());
    let job = ToolJob {
        address: &address,
        names: &names,
        size,
        connections,
        parallel: 1,
        sha256: None,
        authority: None,
        target: &target,
        home: &home,
    };
    let held = kill_half_way(tool.command(&job)?, size)?;
    // The server logs the bytes of a response when the response ends.
    let before = settled(ground)?;
    let mut second = tool.command(&job)?;
    second.args(match tool {
        BenchTool::Aria2 | BenchTool::Wget2 => &["-c"][..],
        BenchTool::Curl => &["-C", "-"],
        _ => &[],
    });
    let begun = Instant::now();
    let status = second.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let wall = begun.elapsed().as_secs_f64();
    let sent = settled(ground)? - before;
    let again = sent.saturating_sub(size.saturating_sub(held));
    let is_right = status.success() && DOCUMENT.is_in(&ground.documents, &target)?;
    clear(&target)?;
    clear(&home)?;
    Ok(ResumeSample { held, again, wall, is_right })
}

/// Runs `command` until half of `size` bytes are written, then kills it. Returns the bytes written.
fn kill_half_way(mut command: Command, size: u64) -> Result<u64> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (pid, account) = (Pid::from_child(&child), format!("/proc/{}/io", child.id()));
    let begun = Instant::now();
    while written(&account).unwrap_or_default() < size / 2 {
        ensure!(child.try_wait()?.is_none(), "the program ended before the kill");
        ensure!(begun.elapsed() < PATIENCE, "the program did not reach half of the file in time");
        pause(GLANCE);
    }
    // Stop the process first, so that no bytes are written between the count and the kill.
    kill_process(pid, Signal::STOP)?;
    let held = written(&account);
    kill_process(pid, Signal::KILL)?;
    let status = child.wait()?;
    ensure!(status.signal() == Some(Signal::KILL.as_raw()), "the program ended before the kill");
    held.context("/proc/PID/io of the stopped process could not be read").map(|held| held.min(size))
}

fn written(account: &str) -> Option<u64> {
    let text = fs::read_to_string(account).ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar: "))?.parse().ok()
}

/// Returns the number of bytes that the server has sent. Waits until this number no longer changes.
fn settled(ground: &BenchSetup) -> Result<u64> {
    let mut last = ground.origin.sent()?;
    let mut quiet = Instant::now();
    while quiet.elapsed() < Duration::from_millis(150) {
        pause(Duration::from_millis(10));
        let now = ground.origin.sent()?;
        if now != last {
            (last, quiet) = (now, Instant::now());
        }
    }
    Ok(last)
}
