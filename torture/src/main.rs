//! `make torture`: what Ashore promises, held against faults, goal by goal, and the count in `torture/RESULTS.md`.
//!
//! The rooms: `goal` is the list of what is promised and `tally` the count of one of them; `results` writes it down. Each goal
//! is one file with one function, `prove`. What several of them stand on: `world` (a person's downloads, and what must be true
//! of them), `claims` (what a journal says, read without Ashore), `trace` (system calls that kill or fail), `census` (which calls
//! whole lives make), `peers` (the same done with other programs), `tools` (what has to be on the machine). The disks whose power
//! can be cut, of every kind, are in `tests/support`. What is asked for on Debian is named by `scripts/setup torture`.
//!
//! A goal that is made of cases has a table of them beside it: `servers/faults`, `attacks/table` with `attacks/local` for what others
//! do on the same machine. `sync_server` has its clients and the comparison with what they were told beside it. `names` tries a
//! property that stands beside its reader, as `ashore-fuzz` does. `commands` runs what has to be built in another way.
//!
//! Nothing in here is part of what people run. What a goal finds wrong is counted and told, never repaired.

mod claims;
mod goal;
mod goals;
mod results;
mod tally;
mod tools;
mod trace;
mod world;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Result, anyhow, bail, ensure};
use clap::Parser;

use crate::{
    goal::{GOALS, GoalVerdict, PATIENCE, RunRequest, TortureGoal},
    results::TortureResults,
};

/// The seed, where nobody gives another.
const SEED: u64 = 20_261_122;

/// What Ashore promises, held against faults; see `make torture`.
#[derive(Debug, Parser)]
#[command(name = "ashore-torture")]
struct Arguments {
    /// Only these goals, by name or number, separated by commas
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// A part of each goal's number: 0.05 is a quick look; below 1 nothing is written to RESULTS.md, above 1 each has more time
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// What is drawn follows from this
    #[arg(long, env = "ASHORE_SEED", default_value_t = SEED)]
    seed: u64,
    /// Only this turn of a goal, to look at it again
    #[arg(long, env = "ASHORE_RUN")]
    turn: Option<u64>,
}

fn main() -> ExitCode {
    if let Some(problem) = tools::enter_own_mounts() {
        eprintln!("Disks can be mounted here, but not apart from everybody else's: {problem}");
    }
    // What panics in a turn is a story of that turn, and told as one.
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

/// Whether nothing bad was found.
fn torture(arguments: &Arguments) -> Result<bool> {
    ensure!(arguments.scale > 0.0 && arguments.scale <= 10.0, "SCALE is above 0 and at most 10.");
    let is_named = |goal: &TortureGoal, word: &String| *word == goal.name || *word == goal.number.to_string();
    if let Some(unknown) = arguments.only.iter().find(|word| !GOALS.iter().any(|goal| is_named(goal, word))) {
        let known: Vec<&str> = GOALS.iter().map(|goal| goal.name).collect();
        bail!("There is no {unknown}. ONLY is one or more of {}, or their numbers.", known.join(","));
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
        // One that cannot be tried to its end is bad, and the others are still tried.
        let proved = prepared.and_then(|()| proved(goal, &ask));
        let took = ask.begun.elapsed();
        let verdict = proved.unwrap_or_else(|error| GoalVerdict::broken_off(&error)).held_to(goal, &ask, took);
        is_good &= verdict.bad.is_empty();
        results.add(goal, &ask, verdict, took)?;
    }
    results.finish()?;
    Ok(is_good)
}

fn proved(goal: &TortureGoal, ask: &RunRequest) -> Result<GoalVerdict> {
    let proved = catch_unwind(AssertUnwindSafe(|| (goal.prove)(ask)));
    proved.unwrap_or_else(|panic| Err(anyhow!(tally::panic_text(panic.as_ref()))))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few millions at most, and positive")]
fn scaled(runs: u64, scale: f64) -> u64 {
    (runs as f64 * scale).ceil().max(1.0) as u64
}
