//! Goals that another command of this repository holds: it is run, and what it prints is counted.

use std::{
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::grouped,
};

/// Readers of foreign bytes that libFuzzer looks for an end of.
pub const READERS: u64 = 30;
/// Stories in which a secret is looked for everywhere.
pub const STORIES: u64 = 2;
/// For so long each, in seconds.
const EACH: u64 = 30;
/// The last lines of a command that failed.
const TOLD: usize = 12;

/// Tests of the engine, and stories through its front doors.
const OF_ENGINE: &[&str] = &["-p", "ashore-engine", "--lib"];
const OF_STORIES: &[&str] = &["-p", "ashore-tests", "--test", "stories"];

/// Compiles what `schedules` runs.
pub fn prepare_schedules() -> Result<()> {
    built(test(OF_ENGINE).arg("--no-run"))
}

/// Draws and plays as many schedules as asked for, by a test of the engine, from the seed on.
pub fn schedules(ask: &RunRequest) -> Result<GoalVerdict> {
    let mut command = test(OF_ENGINE);
    command.args(["ten_thousand_schedules", "--", "--ignored", "--nocapture"]);
    command.env("ASHORE_RUNS", ask.runs.to_string()).env("ASHORE_SEED", ask.seed.to_string());
    let begun = Instant::now();
    let (is_good, said) = output_of(&mut command)?;
    let count = |before: &str| {
        let counted = said.lines().filter_map(|line| line.split_once(before)?.0.rsplit(' ').next()?.parse::<u64>().ok());
        counted.sum::<u64>()
    };
    let notes = vec![
        format!("{} steps in {} s.", grouped(count(" steps,")), begun.elapsed().as_secs()),
        format!("Their seeds are {} to {}.", ask.seed, ask.seed + ask.runs - 1),
    ];
    Ok(verdict(is_good, count(" schedules,"), notes, &said))
}

/// Compiles what `canary` runs.
pub fn prepare_canary() -> Result<()> {
    built(test(OF_STORIES).arg("--no-run"))
}

/// Has the stories told in which secrets are given in every way, and looked for everywhere.
pub fn canary(_: &RunRequest) -> Result<GoalVerdict> {
    let (is_good, said) = output_of(test(OF_STORIES).arg("cli::canary::"))?;
    let passed = said.lines().filter_map(|line| line.split_once(" passed;")?.0.rsplit(' ').next()?.parse::<u64>().ok());
    Ok(verdict(is_good, passed.sum(), Vec::new(), &said))
}

/// Compiles what `fuzz` runs.
pub fn prepare_fuzz() -> Result<()> {
    built(Command::new("scripts/fuzz").arg("0"))
}

/// Lets libFuzzer at every reader.
pub fn fuzz(ask: &RunRequest) -> Result<GoalVerdict> {
    let seconds = (EACH * ask.runs / READERS).max(1);
    let mut command = Command::new("scripts/fuzz");
    command.arg(seconds.to_string()).env("ASHORE_SEED", (ask.seed % u64::from(u32::MAX)).to_string());
    let (is_good, said) = output_of(&mut command)?;
    let tried: Vec<&str> = said.lines().filter(|line| line.ends_with(" 0 bad")).collect();
    let inputs = tried.iter().filter_map(|line| line.split_once(": ")?.1.split_once(" runs")?.0.parse::<u64>().ok());
    let notes = vec![format!("{} inputs were tried, for {seconds} s each.", grouped(inputs.sum()))];
    Ok(verdict(is_good, tried.len() as u64, notes, &said))
}

fn verdict(is_good: bool, runs: u64, notes: Vec<String>, said: &str) -> GoalVerdict {
    let bad = if is_good { Vec::new() } else { vec![last(said)] };
    GoalVerdict { runs, bad, notes, ..GoalVerdict::default() }
}

/// `cargo test` of these, as the program itself was built.
fn test(of: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["test", "--locked", "--quiet", "--profile", "asserting"]).args(of);
    command
}

fn built(command: &mut Command) -> Result<()> {
    let (is_good, said) = output_of(command)?;
    ensure!(is_good, "it could not be built: {}", last(&said));
    Ok(())
}

fn last(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(TOLD)..].join("\n")
}

/// Runs it; whether it went well, and all it said.
fn output_of(command: &mut Command) -> Result<(bool, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{name} could not be started"))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok((output.status.success(), text.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_is_counted() {
        assert_eq!(ashore_fuzz::properties().count() as u64, READERS);
    }
}
