//! Prints and stores the results of goals, and writes the results page and the totals in the README.

use std::{fmt::Write as _, fs, time::Duration};

use anyhow::{Context, Result};
use ashore_testkit::results::{ResultStore, machine};
use serde::{Deserialize, Serialize};

use crate::{
    digits::grouped,
    goal::{GoalVerdict, RunRequest, TortureGoal},
    promises::GOALS,
};

const README: &str = "README.md";
/// Markers around the generated text in the README.
const MARKS: [&str; 2] = ["<!-- written by make torture -->\n", "<!-- until here -->"];
/// Maximum number of failures that are described. All failures are counted.
const STORIES: usize = 10;

#[derive(Debug)]
pub struct TortureResults {
    store: ResultStore,
    machine: String,
}

/// Stored result of a goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    seed: u64,
    date: String,
    machine: String,
    revision: String,
    /// Duration in seconds; missing in older results.
    #[serde(default)]
    seconds: Option<u64>,
    verdict: GoalVerdict,
    /// Reason why the goal was skipped in the last run. If set, the other fields are from an earlier run, if there was
    /// one.
    missing: Option<String>,
}

impl TortureResults {
    /// Opens the output. Results are stored if `is_kept`, and otherwise only printed.
    pub fn open(is_kept: bool) -> Result<Self> {
        Ok(Self { store: ResultStore::open("torture", is_kept)?, machine: machine() })
    }

    /// Records a goal that cannot run on this machine, with the reason.
    pub fn skip(&self, goal: &TortureGoal, missing: &str) -> Result<()> {
        let now = Kept { missing: Some(missing.to_owned()), ..self.result(goal, 0, None, GoalVerdict::default()) };
        print(goal, &now);
        self.save(self.store.read(goal.name).map_or(now.clone(), |before| Kept { missing: now.missing, ..before }))
    }

    /// Records the result of a goal and its duration.
    pub fn add(&self, goal: &TortureGoal, ask: &RunRequest, verdict: GoalVerdict, took: Duration) -> Result<()> {
        let now = self.result(goal, ask.seed, Some(took.as_secs()), verdict);
        print(goal, &now);
        self.save(now)
    }

    /// Prints where the results were written.
    pub fn finish(&self) {
        self.store.finish();
    }

    fn result(&self, goal: &TortureGoal, seed: u64, seconds: Option<u64>, verdict: GoalVerdict) -> Kept {
        Kept {
            name: goal.name.to_owned(),
            seed,
            date: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M").to_string(),
            machine: self.machine.clone(),
            revision: self.store.revision(&[README]),
            seconds,
            verdict,
            missing: None,
        }
    }

    fn save(&self, kept: Kept) -> Result<()> {
        self.store.save(&kept.name, &serde_json::to_vec_pretty(&kept)?)?;
        if self.store.is_kept() {
            let all: Vec<_> = GOALS.iter().map(|goal| (goal, self.store.read(goal.name))).collect();
            self.store.keep_page(&page(&all)?)?;
            let told =
                readme(&fs::read_to_string(README).context(README)?, &all).context("the README has no markers for the totals")?;
            fs::write(README, told).context(README)?;
        }
        Ok(())
    }
}

#[expect(clippy::print_stdout, reason = "printing is the purpose of this function")]
fn print(goal: &TortureGoal, kept: &Kept) {
    println!("{}", row(goal, Some(kept)));
    for line in result_lines(kept) {
        println!("    {line}");
    }
    if let Some(seconds) = kept.seconds {
        println!("    The goal took {} s.", grouped(seconds));
    }
}

impl Kept {
    /// Returns whether the goal has ever run.
    fn was_tried(&self) -> bool {
        self.missing.is_none() || self.verdict.runs > 0 || !self.verdict.bad.is_empty()
    }

    /// Returns the tested revision, with a mark if the last run skipped the goal.
    fn tried_of(&self) -> String {
        let also = if self.missing.is_some() { ", skipped in the last run" } else { "" };
        format!("{}{also}", self.revision)
    }
}

/// Returns the page of all stored results, each with its date, revision and machine.
fn page(all: &[(&TortureGoal, Option<Kept>)]) -> Result<String> {
    let mut page = String::from(
        "# Results of fault injection\n\n\
         Written by `make torture`, which runs the real program on real downloads from servers on loopback and injects faults.\n\
         A run is one fault. A run is bad if a promise was broken after the fault. The same seed selects the same downloads and\n\
         faults, but the timing of the machine differs in every run. The script injected the same faults into the programs\n\
         beside Ashore.\n\n",
    );
    writeln!(page, "| # | goal | promise | runs | bad | seed | revision | other programs: bad of runs |")?;
    writeln!(page, "|---:|---|---|---:|---:|---:|---|---|")?;
    for (goal, kept) in all {
        writeln!(page, "{}", row(goal, kept.as_ref()))?;
    }
    for (goal, kept) in all {
        let Some(kept) = kept else { continue };
        writeln!(page, "\n## {}: {}\n", goal.name, goal.promise)?;
        if let Some(why) = &kept.missing {
            writeln!(page, "Skipped in the last run: {why}\n")?;
        }
        if !kept.was_tried() {
            continue;
        }
        let took = kept.seconds.map_or_else(String::new, |seconds| format!(" in {} s,", grouped(seconds)));
        writeln!(page, "{},{took} revision {}, {}.\n", kept.date, kept.revision, kept.machine)?;
        for line in result_lines(kept) {
            writeln!(page, "- {line}")?;
        }
    }
    Ok(page)
}

/// Returns `text`, the README, with the line of totals inserted.
///
/// Returns `None` if the markers are missing.
fn readme(text: &str, all: &[(&TortureGoal, Option<Kept>)]) -> Option<String> {
    let (before, rest) = text.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    let tried: Vec<&Kept> = all.iter().filter_map(|(_, kept)| kept.as_ref()).filter(|kept| kept.was_tried()).collect();
    let bad: usize = tried.iter().map(|kept| kept.verdict.bad.len()).sum();
    let untried = match all.len() - tried.len() {
        0 => String::new(),
        count => format!(" Not run yet: {count}."),
    };
    let line = format!(
        "**{bad} bad runs in {} goals.**{untried} [torture/RESULTS.md](torture/RESULTS.md) has the runs and the revision of each goal.\n",
        tried.len(),
    );
    Some([before, MARKS[0], &line, MARKS[1], after].concat())
}

/// Returns the table row of a goal.
fn row(goal: &TortureGoal, kept: Option<&Kept>) -> String {
    let TortureGoal { number, name, promise, .. } = goal;
    let rest = match kept {
        None => "| | | | not run yet".to_owned(),
        Some(Kept { missing: Some(why), .. }) if !kept.is_some_and(Kept::was_tried) => format!("| | | | skipped: {why}"),
        Some(kept @ Kept { verdict, seed, .. }) => {
            let beside = verdict.beside.iter().map(|one| format!("{} {} of {}", one.name, one.bad, one.runs));
            let beside: Vec<String> = beside.collect();
            let (runs, bad) = (grouped(verdict.runs), verdict.bad.len());
            format!("{runs} | {bad} | {seed} | {} | {}", kept.tried_of(), beside.join(", "))
        }
    };
    format!("| {number} | {name} | {promise} | {rest} |")
}

/// Returns the failures and notes of a goal.
fn result_lines(kept: &Kept) -> impl Iterator<Item = String> {
    let bad = kept.verdict.bad.iter().take(STORIES).map(|story| {
        let first: String = story.lines().take(3).collect::<Vec<_>>().join(" ").chars().take(400).collect();
        format!("**Bad**: {first}")
    });
    bad.chain(kept.verdict.notes.iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::PeerColumn;

    fn kept() -> Kept {
        let beside = vec![PeerColumn { name: "other".to_owned(), runs: 20, bad: 7 }];
        Kept {
            name: "power".to_owned(),
            seed: 5,
            date: "today".to_owned(),
            machine: "a small machine".to_owned(),
            revision: "abc".to_owned(),
            seconds: Some(1_234),
            verdict: GoalVerdict {
                runs: 1_000,
                left_out: 0,
                bad: vec!["turn 3: gone".to_owned()],
                notes: vec!["More.".to_owned()],
                beside,
            },
            missing: None,
        }
    }

    #[test]
    fn results_row_shows_runs_and_failures_or_reason_for_skipping() {
        let goal = GOALS.iter().find(|goal| goal.name == "power").unwrap();
        assert!(row(goal, Some(&kept())).ends_with("| 1,000 | 1 | 5 | abc | other 7 of 20 |"));
        assert!(row(goal, None).ends_with("not run yet |"));
        let skipped = Kept { missing: Some("No disk.".to_owned()), verdict: GoalVerdict::default(), ..kept() };
        assert!(row(goal, Some(&skipped)).ends_with("skipped: No disk. |"));
    }

    #[test]
    fn goal_that_was_skipped_in_the_last_run_is_shown_with_its_previous_result() {
        let goal = GOALS.iter().find(|goal| goal.name == "power").unwrap();
        let skipped = Kept { missing: Some("No disk.".to_owned()), ..kept() };
        assert!(row(goal, Some(&skipped)).contains("| 1,000 | 1 | 5 | abc, skipped in the last run |"));
        let page = page(&[(goal, Some(skipped.clone()))]).unwrap();
        assert!(page.contains("Skipped in the last run: No disk.") && page.contains("revision abc"), "{page}");
        let text = [MARKS[0], MARKS[1]].concat();
        let told = readme(&text, &[(goal, Some(skipped))]).unwrap();
        assert!(told.contains("**1 bad runs in 1 goals.** [torture"), "{told}");
    }

    #[test]
    fn readme_totals_are_written_between_markers() {
        let goal = GOALS.iter().find(|goal| goal.name == "power").unwrap();
        let text = format!("Before.\n{}Stale.\n{}\nAfter.", MARKS[0], MARKS[1]);
        let told = readme(&text, &[(goal, Some(kept()))]).unwrap();
        let line =
            "**1 bad runs in 1 goals.** [torture/RESULTS.md](torture/RESULTS.md) has the runs and the revision of each goal.\n";
        assert!(told.starts_with("Before.\n<!--") && told.ends_with("-->\nAfter.") && told.contains(line), "{told}");
        assert!(!told.contains("Stale") && readme(&told, &[(goal, Some(kept()))]).is_some());
        let untried = readme(&text, &[(goal, None)]).unwrap();
        assert!(untried.contains("**0 bad runs in 0 goals.** Not run yet: 1. [torture"), "{untried}");
        assert!(readme("no place", &[]).is_none());
        assert!(readme(include_str!("../../README.md"), &[]).is_some(), "the README has a place for it");
    }

    #[test]
    fn stored_result_without_duration_can_be_read() {
        let mut text = serde_json::to_value(kept()).unwrap();
        text.as_object_mut().unwrap().remove("seconds").unwrap();
        let old: Kept = serde_json::from_value(text).unwrap();
        let goal = GOALS.iter().find(|goal| goal.name == old.name).unwrap();
        assert!(page(&[(goal, Some(old))]).unwrap().contains("today, revision abc, a small machine."));
    }

    #[test]
    fn results_page_has_a_row_for_every_goal_and_describes_the_machine() {
        let all: Vec<_> = GOALS.iter().map(|goal| (goal, (goal.name == "power").then(kept))).collect();
        let page = page(&all).unwrap();
        assert_eq!(page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| #")).count(), GOALS.len());
        assert!(page.contains("**Bad**: turn 3: gone") && page.contains("1,000"));
        assert!(page.contains("today, in 1,234 s, revision abc, a small machine."));
    }
}
