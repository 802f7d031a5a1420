//! `make torture`: tests the promises of Ashore under faults, goal by goal, and writes the counts to
//! `torture/RESULTS.md`.
//!
//! - `promises` lists the goals, `tally` counts the runs of a goal, and `results` writes the page. Each goal is a file
//!   with a function `prove`.
//! - The goals share `world` (a user's downloads and their invariants), `claims` (an independent reader of journals),
//!   `census` (system calls of complete sessions), `peers` (other programs with the same faults), and `needs`
//!   (requirements on the machine).
//! - `testkit` contains servers, disks whose power can be cut, and system calls that kill or fail. `scripts/setup
//!   torture` names the packages for Debian.
//! - A goal that consists of cases has a table beside it: `servers/faults`, `attacks/table`, and `attacks/local` for
//!   attacks on the same machine.
//! - The clients and the model of the goal `sync_server` are in its folder. The machines, the simulated user and the
//!   comparison of the goal `sync` are in its folder.
//! - `names` tests a property defined beside its parser, as `ashore-fuzz` does. `commands` runs tests that need another
//!   build.
//! - Nothing in this crate is part of the shipped programs. A goal counts and reports its findings and never repairs
//!   them.

mod claims;
mod digits;
mod goal;
mod goals;
mod needs;
mod promises;
mod results;
mod tally;
mod world;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Result, anyhow, bail, ensure};
use clap::Parser;

use crate::{
    goal::{GoalVerdict, PATIENCE, RunRequest, TortureGoal},
    promises::GOALS,
    results::TortureResults,
};

/// Default seed.
const SEED: u64 = 20_261_122;

/// Test the promises of Ashore under faults; see `make torture`.
#[derive(Debug, Parser)]
#[command(name = "ashore-torture")]
struct Arguments {
    /// Run only these goals, by name or number, separated by commas
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Factor for the number of runs: 0.05 is a quick look; below 1 nothing is written to RESULTS.md, above 1 each goal
    /// has more time
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Seed of all random choices
    #[arg(long, env = "ASHORE_SEED", default_value_t = SEED)]
    seed: u64,
    /// Repeat only this turn of a goal
    #[arg(long, env = "ASHORE_RUN")]
    turn: Option<u64>,
}

fn main() -> ExitCode {
    if let Some(problem) = needs::enter_own_mounts() {
        eprintln!("Disks can be mounted here, but other programs see them as well: {problem}");
    }
    // A panic in a turn counts as a failure of that turn.
    std::panic::set_hook(Box::new(|_| {}));
    match torture(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs the goals. Returns whether all promises were kept.
fn torture(arguments: &Arguments) -> Result<bool> {
    ensure!(arguments.scale > 0.0 && arguments.scale <= 10.0, "SCALE must be above 0 and at most 10.");
    let is_named = |goal: &TortureGoal, word: &String| *word == goal.name || *word == goal.number.to_string();
    if let Some(unknown) = arguments.only.iter().find(|word| !GOALS.iter().any(|goal| is_named(goal, word))) {
        let known: Vec<&str> = GOALS.iter().map(|goal| goal.name).collect();
        bail!("{unknown} is not a goal. ONLY takes one or more of {}, or their numbers.", known.join(","));
    }
    let is_wanted = |goal: &&TortureGoal| arguments.only.is_empty() || arguments.only.iter().any(|word| is_named(goal, word));
    let results = TortureResults::open(arguments.scale >= 1.0 && arguments.turn.is_none())?;
    let mut is_good = true;
    for goal in GOALS.iter().filter(is_wanted) {
        if let Some(missing) = goal.needs.iter().find_map(|need| need.missing()) {
            results.skip(goal, &missing)?;
            continue;
        }
        eprintln!("{}: {}", goal.name, goal.promise);
        let prepared = goal.prepare.map_or(Ok(()), |prepare| prepare());
        let ask = RunRequest {
            runs: scaled(goal.runs, arguments.scale),
            seed: arguments.seed,
            turn: arguments.turn,
            begun: Instant::now(),
            patience: PATIENCE.mul_f64(arguments.scale.max(1.0)),
        };
        // Report an aborted goal as failed, and continue with the remaining goals.
        let proved = prepared.and_then(|()| proved(goal, &ask));
        let took = ask.begun.elapsed();
        let verdict = proved.unwrap_or_else(|error| GoalVerdict::broken_off(&error)).held_to(goal, &ask, took);
        is_good &= verdict.bad.is_empty();
        results.add(goal, &ask, verdict, took)?;
    }
    results.finish();
    Ok(is_good)
}

fn proved(goal: &TortureGoal, ask: &RunRequest) -> Result<GoalVerdict> {
    let proved = catch_unwind(AssertUnwindSafe(|| (goal.prove)(ask)));
    proved.unwrap_or_else(|panic| Err(anyhow!(tally::panic_text(panic.as_ref()))))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is positive, and at most a few millions")]
fn scaled(runs: u64, scale: f64) -> u64 {
    (runs as f64 * scale).ceil().max(1.0) as u64
}
