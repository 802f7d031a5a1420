//! Goals that run another command of this repository and count the results in its output.

use std::{
    env,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use crate::{
    digits::grouped,
    goal::{GoalVerdict, RunRequest},
};

/// Number of parsers of untrusted bytes that libFuzzer tests.
pub const READERS: u64 = 35;
/// Number of end-to-end tests that search all outputs and files for secrets.
pub const STORIES: u64 = 2;
/// Number of runs of the tests in real browsers.
pub const BROWSER_RUNS: u64 = 496;
/// Duration of the test of each parser, in seconds.
const EACH: u64 = 30;
/// Number of output lines that are shown if a command fails.
const TOLD: usize = 12;

/// Arguments that select the engine tests. `OF_STORIES` selects the end-to-end tests.
const OF_ENGINE: &[&str] = &["-p", "ashore-engine", "--lib"];
const OF_STORIES: &[&str] = &["-p", "ashore-tests", "--test", "stories"];

/// Compiles the tests that `schedules` runs.
pub fn prepare_schedules() -> Result<()> {
    built(test(OF_ENGINE).arg("--no-run"))
}

/// Runs the requested number of random schedules in an engine test, starting at the seed.
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

/// Compiles the tests that `canary` runs.
pub fn prepare_canary() -> Result<()> {
    built(test(OF_STORIES).arg("--no-run"))
}

/// Runs the end-to-end tests that give Ashore secrets in every supported way, and search all outputs and files for
/// them.
pub fn canary(_: &RunRequest) -> Result<GoalVerdict> {
    let (is_good, said) = output_of(test(OF_STORIES).arg("cli::canary::"))?;
    let passed = said.lines().filter_map(|line| line.split_once(" passed;")?.0.rsplit(' ').next()?.parse::<u64>().ok());
    Ok(verdict(is_good, passed.sum(), Vec::new(), &said))
}

/// Compiles the programs that `fuzz` runs.
pub fn prepare_fuzz() -> Result<()> {
    built(Command::new("scripts/fuzz").arg("0"))
}

/// Runs libFuzzer on every parser.
pub fn fuzz(ask: &RunRequest) -> Result<GoalVerdict> {
    let seconds = (EACH * ask.runs / READERS).max(1);
    let mut command = Command::new("scripts/fuzz");
    command.arg(seconds.to_string()).env("ASHORE_SEED", (ask.seed % u64::from(u32::MAX)).to_string());
    let (is_good, said) = output_of(&mut command)?;
    let tried: Vec<&str> = said.lines().filter(|line| line.ends_with(" 0 bad")).collect();
    let inputs = tried.iter().filter_map(|line| line.split_once(": ")?.1.split_once(" runs")?.0.parse::<u64>().ok());
    let notes = vec![format!("{} inputs were tested, for {seconds} s each.", grouped(inputs.sum()))];
    Ok(verdict(is_good, tried.len() as u64, notes, &said))
}

/// Builds the browser extension that `browsers` loads.
pub fn prepare_browsers() -> Result<()> {
    for arguments in [["ci", "--silent"], ["run", "build"]] {
        built(Command::new("npm").args(["--prefix", "extension"]).args(arguments))?;
    }
    Ok(())
}

/// Runs every test of the extension in Chromium and Firefox, with the programs in the folder of this program.
pub fn browsers(_: &RunRequest) -> Result<GoalVerdict> {
    let programs = env::current_exe()?.with_file_name("");
    let mut command = Command::new("node");
    command.args(["extension/tests/browsers/run.mjs", "--programs"]).arg(programs);
    let (is_good, said) = output_of(&mut command)?;
    let total = said.lines().find(|line| line.contains(" runs, ") && line.contains(" doubled, "));
    let runs = total.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap_or_default();
    let notes = total.map(|line| format!("{line}.")).into_iter().collect();
    Ok(verdict(is_good, runs, notes, &said))
}

fn verdict(is_good: bool, runs: u64, notes: Vec<String>, said: &str) -> GoalVerdict {
    let bad = if is_good { Vec::new() } else { vec![last(said)] };
    GoalVerdict { runs, bad, notes, ..GoalVerdict::default() }
}

/// Returns `cargo test` with these arguments, in the build profile of this program.
fn test(of: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["test", "--locked", "--quiet", "--profile", "asserting"]).args(of);
    command
}

fn built(command: &mut Command) -> Result<()> {
    let (is_good, said) = output_of(command)?;
    ensure!(is_good, "the build failed: {}", last(&said));
    Ok(())
}

fn last(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(TOLD)..].join("\n")
}

/// Runs a command. Returns whether it succeeded, and its output.
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
    fn stated_number_of_fuzzed_parsers_matches_number_of_fuzz_properties() {
        assert_eq!(ashore_fuzz::properties().count() as u64, READERS);
    }
}
