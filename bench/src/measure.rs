//! Measures the duration and the cost of one run of one program.
//!
//! A small process starts the program as its only child. Therefore the resource usage of its children is the usage of
//! this run alone.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

/// Time limit of a run; a longer run is killed and counts as failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Cost of one run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ProcessCost {
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds until all data was on stable storage; None if no sync was requested.
    pub durable: Option<f64>,
    /// Processor seconds of the whole process tree, including system time.
    pub cpu: f64,
    /// Peak resident memory, bytes.
    pub memory: u64,
    /// Number of context switches, both voluntary and involuntary.
    pub switches: u64,
    /// Whether the program reported success.
    pub is_success: bool,
}

/// Runs `command`, writes its output to `log`, and returns the cost.
///
/// If `sync` is given, this file or folder is synced after the run. The durable time includes the sync.
pub fn run(command: &Command, log: &Path, sync: Option<&Path>) -> Result<ProcessCost> {
    let report = log.with_extension("report");
    let words = File::create(log)?;
    let mut own = Command::new(std::env::current_exe()?);
    own.arg("measure").arg(&report);
    if let Some(sync) = sync {
        own.arg("--sync").arg(sync);
    }
    own.arg("--").arg(command.get_program()).args(command.get_args());
    own.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        own.current_dir(folder);
    }
    own.stdin(Stdio::null()).stdout(words.try_clone()?).stderr(words);
    std::os::unix::process::CommandExt::process_group(&mut own, 0);
    let mut child = own.spawn().context("the measuring process could not be started")?;
    let group = Pid::from_child(&child);
    let (over, is_over) = channel::<()>();
    let watch = std::thread::spawn(move || {
        let waited = is_over.recv_timeout(PATIENCE);
        if waited == Err(RecvTimeoutError::Timeout) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        waited == Err(RecvTimeoutError::Timeout)
    });
    let status = child.wait()?;
    drop(over);
    if watch.join().unwrap_or(true) {
        eprintln!("{} took more than {PATIENCE:?} and was killed", command.get_program().display());
        let wall = PATIENCE.as_secs_f64();
        return Ok(ProcessCost { wall, durable: sync.map(|_| wall), ..ProcessCost::default() });
    }
    ensure!(status.success(), "{}: {}", command.get_program().display(), std::fs::read_to_string(log)?);
    Ok(serde_json::from_slice(&std::fs::read(&report)?)?)
}

/// Entry point of the small process: runs `words` and writes the cost to `report`.
pub fn measure(report: &Path, words: &[String], sync: Option<PathBuf>) -> Result<()> {
    let (program, arguments) = words.split_first().context("the command is missing")?;
    let begun = Instant::now();
    let status = Command::new(program).args(arguments).status().with_context(|| format!("{program} could not be started"))?;
    let wall = begun.elapsed().as_secs_f64();
    let durable = match sync {
        Some(path) => {
            rustix::fs::syncfs(File::open(path)?)?;
            Some(begun.elapsed().as_secs_f64())
        }
        None => None,
    };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let switches = usage.voluntary_context_switches() + usage.involuntary_context_switches();
    let cost = ProcessCost {
        wall,
        durable,
        cpu: seconds(usage.user_time()) + seconds(usage.system_time()),
        memory: u64::try_from(usage.max_rss())? << 10,
        switches: u64::try_from(switches)?,
        is_success: status.success(),
    };
    Ok(std::fs::write(report, serde_json::to_vec(&cost)?)?)
}
