//! Runs a contest in rounds. Every contestant runs once per round, so that drift of the machine affects all of them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::{
    contest::BenchContest,
    far::DelayedLink,
    float,
    machine::{ChildUsage, looped, processors},
    measure::{self, ProcessCost},
    origin::{OriginAddress, OriginServer},
    tools::{BenchTool, ToolJob},
};

/// Maximum share of the machine's processor time that other programs may use during a valid run.
const DISTURBING: f64 = 0.05;
/// Resolution of the measured processor time, in seconds.
const GRAIN: f64 = 0.04;
/// Maximum memory of a run in bytes, in addition to the fetched bytes.
pub const BESIDE: u64 = 512 << 20;

/// Folders and servers that all contests use.
#[derive(Debug)]
pub struct BenchSetup {
    /// Folder in the memory file system.
    pub memory: PathBuf,
    /// Folder on disk.
    pub disk: PathBuf,
    /// Folder of the documents.
    pub documents: PathBuf,
    /// Server of the documents.
    pub origin: OriginServer,
    /// Slow link to the server.
    pub far: DelayedLink,
}

/// Measured run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RoundSample {
    /// Cost of the run.
    pub cost: ProcessCost,
    /// Whether exactly the requested bytes are present.
    pub is_right: bool,
    /// Share of the machine's processor time that other programs used during the run.
    pub others: f64,
    /// Bytes transferred in both directions, including headers; None in older results.
    #[serde(default)]
    pub sent: Option<u64>,
}

impl RoundSample {
    /// Returns whether other programs used too much of the machine during the run.
    pub fn is_disturbed(&self) -> bool {
        self.others > DISTURBING
    }
}

/// Results of one contestant in all rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundEntry {
    /// Program.
    pub tool: BenchTool,
    /// Samples, one for each round.
    pub samples: Vec<RoundSample>,
}

/// Runs `contest` for `runs` rounds. If results are stored, a disturbed run is repeated.
pub fn hold(contest: &BenchContest, runs: u32, is_kept: bool, ground: &BenchSetup) -> Result<Vec<RoundEntry>> {
    let mut entries: Vec<RoundEntry> = contest.tools.iter().map(|&tool| RoundEntry { tool, samples: Vec::new() }).collect();
    let sha256 = contest.is_verified.then(|| contest.document.sha256(&ground.documents)).transpose()?;
    // Limit the number of repeated runs, because repeating does not help on a machine that is always busy.
    let mut repeats = if is_kept { runs } else { 0 };
    for round in 0..runs {
        for turn in turns(round, entries.len()) {
            let entry = &mut entries[turn];
            let mut sample = run(contest, entry.tool, sha256.as_deref(), ground)?;
            while sample.is_disturbed() && repeats > 0 {
                repeats -= 1;
                let again = run(contest, entry.tool, sha256.as_deref(), ground)?;
                sample = if again.others < sample.others { again } else { sample };
            }
            entry.samples.push(sample);
        }
    }
    Ok(entries)
}

fn run(contest: &BenchContest, tool: BenchTool, sha256: Option<&str>, ground: &BenchSetup) -> Result<RoundSample> {
    let place = if contest.is_to_disk { &ground.disk } else { &ground.memory };
    let (target, home) = empty(place)?;
    let names = contest.document.names();
    let address = address(contest, ground);
    let is_tls = matches!(contest.face, OriginAddress::Tls1 | OriginAddress::Tls2);
    let authority = ground.origin.authority();
    let job = ToolJob {
        address: &address,
        names: &names,
        size: contest.document.shape().1,
        connections: contest.connections,
        parallel: contest.parallel,
        sha256,
        authority: is_tls.then_some(authority.as_path()),
        target: &target,
        home: &home,
    };
    let command = tool.command(&job)?;
    float::give(&ground.memory, contest.document.size() + BESIDE)?;
    let own = [std::process::id(), ground.origin.id(), ground.far.id()];
    let log = place.join("words.log");
    let (before, looped_before) = (ChildUsage::now(&own)?, looped()?);
    let cost = measure::run(&command, &log, contest.is_to_disk.then_some(&*target))
        .with_context(|| format!("{} in {}", tool.name(), contest.name))?;
    // Over the slow link, every byte crosses the loopback interface twice.
    let sent = (looped()? - looped_before) / if contest.is_far { 2 } else { 1 };
    let others = ChildUsage::now(&own)?.others_since(&before, cost.cpu);
    let lasted = cost.durable.unwrap_or(cost.wall);
    let others = if others <= GRAIN { 0.0 } else { others / (lasted * processors()) };
    let is_right = cost.is_success && contest.document.is_in(&ground.documents, &target)?;
    if !cost.is_success {
        eprintln!("{} in {} failed: {}", tool.name(), contest.name, fs::read_to_string(&log)?.trim_end());
    }
    clear(&target)?;
    clear(&home)?;
    Ok(RoundSample { cost, is_right, others, sent: Some(sent) })
}

fn address(contest: &BenchContest, ground: &BenchSetup) -> String {
    let folder = contest.document.folder();
    if contest.is_far {
        format!("http://127.0.0.1:{}/{folder}", ground.far.port)
    } else {
        ground.origin.address(contest.face, folder)
    }
}

/// Returns the order of the contestants in a round.
///
/// Each round starts with another contestant, and every second round is reversed, so that a contestant does not always
/// run after the same predecessor.
pub fn turns(round: u32, count: usize) -> impl Iterator<Item = usize> {
    let first = usize::try_from(round).unwrap_or(0);
    let is_backwards = round % 2 == 1;
    (0..count).map(move |turn| (first + if is_backwards { count - turn } else { turn }) % count)
}

/// Creates an empty target folder and an empty home in `place`.
///
/// Syncs first, so that pending writes of earlier runs do not slow the next run.
pub fn empty(place: &Path) -> Result<(PathBuf, PathBuf)> {
    rustix::fs::sync();
    let folders = (place.join("target"), place.join("home"));
    for folder in [&folders.0, &folders.1] {
        clear(folder)?;
        fs::create_dir_all(folder)?;
    }
    // Deny access for other users, because the home folder contains a socket.
    fs::set_permissions(&folders.1, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(folders)
}

/// Deletes a folder if it exists.
pub fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).with_context(|| folder.display().to_string()),
        _ => Ok(()),
    }
}

/// Returns the median; for an even number of values, the lower of the two middle values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_runs_every_contestant_and_rotates_first_contestant() {
        assert_eq!(turns(0, 3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(turns(1, 3).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(turns(2, 3).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(turns(5, 3).collect::<Vec<_>>(), [2, 1, 0]);
    }

    #[test]
    fn median_is_always_a_measured_value() {
        assert!(median([3.0, 1.0, 2.0]) == 2.0);
        assert!(median([4.0, 1.0, 2.0, 3.0]) == 2.0);
        assert!(median([]).is_nan());
    }
}
