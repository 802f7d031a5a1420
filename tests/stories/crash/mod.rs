//! Tests power cuts: a kill at any failpoint must lead to the same final state as an undisturbed run.
//!
//! - The same records, and each file once, with the right bytes.
//! - No leftovers.
//! - A single event, which exactly one caller can claim.

mod defects;
mod given_up;
pub mod moving;
mod play;
pub mod recovery;
pub mod saving;
mod scripts;

use std::{collections::BTreeSet, sync::Arc};

use ashore_testkit::machine::{BUSY_DISK, Outcome};
use tokio::{sync::Semaphore, task::JoinSet};

use self::{
    play::play,
    scripts::{CUTS, Script},
};

/// Number of simulated machines that run at the same time.
const SIDE_BY_SIDE: usize = 6;

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_point_leads_to_result_of_undisturbed_run() {
    let _disk = BUSY_DISK.lock().await;
    let turns = Arc::new(Semaphore::new(SIDE_BY_SIDE));
    let scripts: BTreeSet<&str> = CUTS.iter().map(|(name, _, _)| *name).collect();
    let mut undisturbed = JoinSet::new();
    for name in scripts {
        let turns = turns.clone();
        undisturbed.spawn(async move {
            let _turn = turns.acquire_owned().await.unwrap();
            (name, play(&Script::named(name), None).await.outcome)
        });
    }
    let expected: Vec<(&str, Outcome)> = undisturbed.join_all().await;
    for (name, outcome) in &expected {
        assert_eq!(outcome.leftovers, Script::named(name).kept, "{name}, undisturbed, leaves something");
    }
    let mut runs = JoinSet::new();
    for (name, from_start, point) in CUTS {
        let expected = expected.iter().find(|(known, _)| known == name).map(|(_, outcome)| outcome.clone()).unwrap();
        let turns = turns.clone();
        runs.spawn(async move {
            let _turn = turns.acquire_owned().await.unwrap();
            let at = format!("{name}, killed at {point}");
            // A failed run panics with its reason. The other runs continue, so that all failures are reported together.
            let run = tokio::spawn(async move { play(&Script::named(name), Some((*from_start, *point))).await });
            match run.await {
                Err(error) => Err(format!("{at}: {}", panic_text(error))),
                Ok(run) if !run.was_cut => Err(format!("{at}: never came to that point")),
                Ok(run) if run.outcome != expected => {
                    Err(format!("{at}: ended otherwise:\n{}\n{}", difference(&expected, &run.outcome), run.log))
                }
                Ok(_) => Ok(()),
            }
        });
    }
    let results = runs.join_all().await;
    let count = results.len();
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} of {count} power cuts went wrong:\n\n{}", failures.len(), failures.join("\n\n"));
    println!("{count} power cuts at {} points, each with the right end", points().len());
}

#[test]
fn every_failpoint_is_used_by_a_crash_test() {
    let mut planned: BTreeSet<&str> = CUTS.iter().map(|(_, _, point)| point.split(':').next().unwrap()).collect();
    planned.extend(recovery::RESTORING.iter().chain(recovery::COPYING).chain(saving::POINTS).chain(moving::POINTS));
    let known = points();
    assert_eq!(known.difference(&planned).collect::<Vec<_>>(), Vec::<&&str>::new(), "points that no story is cut at");
    assert_eq!(planned.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "points that are not in the code");
    assert!(known.len() >= 25);
}

fn points() -> BTreeSet<&'static str> {
    ashore_transfer::failpoint::POINTS.iter().chain(ashore_engine::failpoint::POINTS).copied().collect()
}

/// Returns the lines that differ. Expected lines start with `-`, actual lines with `+`.
fn difference(expected: &Outcome, outcome: &Outcome) -> String {
    let (expected, outcome) = (format!("{expected:#?}"), format!("{outcome:#?}"));
    let only = |one: &str, other: &str, sign: char| -> Vec<String> {
        let lines = one.lines().filter(|line| !other.lines().any(|known| known == *line));
        lines.map(|line| format!("{sign} {line}")).collect()
    };
    let lines = [only(&expected, &outcome, '-'), only(&outcome, &expected, '+')].concat();
    if lines.is_empty() { format!("the same lines in another order:\n{outcome}") } else { lines.join("\n") }
}

fn panic_text(error: tokio::task::JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(text), _) => text.clone(),
            (_, Some(text)) => (*text).to_owned(),
            _ => "a panic without words".to_owned(),
        },
        Err(error) => error.to_string(),
    }
}
