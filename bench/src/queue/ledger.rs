//! Measures single operations of the ledger, by running tests of the engine that normal test runs skip.
//!
//! Also creates a large list that a user would need years to build up.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, de::DeserializeOwned};

use crate::figure::{BenchFigure, FigureBound};

/// Maximum factor by which picking a download from a long list may be slower than from the shortest list.
const LONGER: f64 = 2.0;
/// Maximum factor by which adding and completing a download may be slower with sync than without.
const MARKED: f64 = 1.15;

#[derive(Deserialize)]
struct Picks {
    picks: Vec<Pick>,
    is_same_plan: bool,
}

#[derive(Deserialize)]
struct Pick {
    pending: u64,
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct SyncRounds {
    /// Microseconds of each round: `[[add, complete] without sync, [add, complete] with sync]`.
    rounds: Vec<[[f64; 2]; 2]>,
}

#[derive(Deserialize)]
struct Operations {
    operations: Vec<(String, f64)>,
}

/// Measures the time to pick the next download for a growing number of pending downloads.
pub fn picks() -> Result<Vec<BenchFigure>> {
    let Picks { picks, is_same_plan } = test("dispatch_is_timed_with_growing_number_of_waiting_requests", None)?;
    let base = picks.first().context("no download was chosen")?.times.clone();
    let differ =
        BenchFigure::new("different plans for choosing the next download", 0, "", vec![f64::from(u8::from(!is_same_plan))]);
    let mut figures = vec![differ.bound(FigureBound::Most(0.0))];
    for (index, Pick { pending, times }) in picks.into_iter().enumerate() {
        let figure = BenchFigure::new("choice of the next download, behind 10,000 paused ones", pending, "µs", times);
        figures.push(if index == 0 { figure } else { figure.bound(FigureBound::Times(LONGER, base.clone())) });
    }
    Ok(figures)
}

/// Measures all ledger operations of transfers.
pub fn operations() -> Result<Vec<BenchFigure>> {
    let Operations { operations } = test("ledger_operations_are_timed", None)?;
    Ok(operations.into_iter().map(|(name, micros)| BenchFigure::new(&name, 100_000, "µs", vec![micros])).collect())
}

/// Measures the cost of collecting changes for sync, with 100,000 downloads in 10 rounds.
pub fn changes_for_sync() -> Result<Vec<BenchFigure>> {
    let SyncRounds { rounds } = test("collecting_changes_for_sync_is_timed", None)?;
    let of = |part: usize, is_on: usize| rounds.iter().map(|round| round[is_on][part]).collect::<Vec<_>>();
    let both = |is_on: usize| rounds.iter().map(|round| round[is_on].iter().sum()).collect::<Vec<_>>();
    let figure = |what: &str, samples| BenchFigure::new(what, 100_000, "µs", samples);
    Ok(vec![
        figure("adding and completing a download, sync on", both(1)).bound(FigureBound::Times(MARKED, both(0))),
        figure("adding a download, sync off", of(0, 0)),
        figure("adding a download, sync on", of(0, 1)),
        figure("completing a download, sync off", of(1, 0)),
        figure("completing a download, sync on", of(1, 1)),
    ])
}

/// Creates a ledger at `path` with 100,000 finished registrations.
pub fn finished(path: &Path) -> Result<()> {
    run("ledger_with_many_finished_registrations_is_created", Some(path)).map(drop)
}

fn test<T: DeserializeOwned>(name: &str, path: Option<&Path>) -> Result<T> {
    let said = run(name, path)?;
    let line = said.lines().find_map(|line| line.strip_prefix("timings: ")).context("the test printed no timings")?;
    Ok(serde_json::from_str(line)?)
}

fn run(name: &str, path: Option<&Path>) -> Result<String> {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet", "--locked", "--release", "-p", "ashore-engine", "--lib", "--"]);
    command.args(["--ignored", "--nocapture", "--exact", &format!("store::tests::timings::{name}")]);
    if let Some(path) = path {
        command.env("ASHORE_FINISHED", path);
    }
    let output = command.output().context("cargo could not be started")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Ok(said)
}
