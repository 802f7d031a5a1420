//! Counts the runs and failures of one goal, and decides when to stop.

use std::{
    any::Any,
    collections::BTreeMap,
    future::Future,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use tokio::task::{JoinError, JoinSet};

use crate::{
    digits::grouped,
    goal::{GoalVerdict, PeerColumn, RunRequest},
};

/// Number of failures after which a goal stops.
const ENOUGH: usize = 20;

/// Counts the turns, runs and failures of a goal so far.
///
/// Each turn creates one test environment, and performs many runs in it.
#[derive(Debug)]
pub struct RunTally {
    ask: RunRequest,
    turns: AtomicU64,
    runs: AtomicU64,
    left_out: AtomicU64,
    bad: Mutex<Vec<String>>,
    /// Number of failures after which the goal stops.
    enough: usize,
    sums: Mutex<BTreeMap<String, u64>>,
}

impl RunTally {
    /// Creates an empty tally for this request.
    pub fn new(ask: &RunRequest) -> Arc<Self> {
        Self::up_to(ask, ENOUGH)
    }

    /// Creates a tally that continues despite any number of failures.
    pub fn of_every_run(ask: &RunRequest) -> Arc<Self> {
        Self::up_to(ask, usize::MAX)
    }

    fn up_to(ask: &RunRequest, enough: usize) -> Arc<Self> {
        Arc::new(Self {
            ask: *ask,
            turns: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            bad: Mutex::default(),
            enough,
            sums: Mutex::default(),
        })
    }

    /// Returns whether to continue: runs and time are left, and the number of failures is below the limit.
    pub fn wants_more(&self) -> bool {
        self.runs() < self.ask.runs && self.ask.has(Duration::ZERO) && lock(&self.bad).len() < self.enough
    }

    /// Returns the number of completed runs.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Acquire)
    }

    /// Returns whether this number of runs of the whole goal is completed. Always false if only one turn is repeated.
    pub fn has_run(&self, count: u64) -> bool {
        self.ask.turn.is_none() && self.runs() >= count
    }

    /// Adds completed runs.
    pub fn done(&self, count: u64) {
        let before = self.runs.fetch_add(count, Ordering::AcqRel);
        let step = (self.ask.runs / 10).max(1);
        if before / step != (before + count) / step {
            eprintln!("  {} of {}", before + count, self.ask.runs);
        }
    }

    /// Adds `count` to the counter `what`. In the results, the count and this name form a sentence.
    pub fn count(&self, what: &str, count: u64) {
        *lock(&self.sums).entry(what.to_owned()).or_default() += count;
    }

    /// Returns the value of a counter.
    pub fn counted(&self, what: &str) -> u64 {
        lock(&self.sums).get(what).copied().unwrap_or_default()
    }

    /// Counts a run that is impossible on this machine. `what` gives the reason.
    pub fn leave_out(&self, what: &str) {
        self.left_out.fetch_add(1, Ordering::AcqRel);
        self.count(what, 1);
    }

    /// Records the maximum of all values named `what`. In the results, the maximum and this name form a sentence.
    pub fn most(&self, what: &str, value: u64) {
        let mut sums = lock(&self.sums);
        let known = sums.entry(what.to_owned()).or_default();
        *known = value.max(*known);
    }

    /// Records the failure of a turn.
    pub fn wrong(&self, turn: u64, story: &str) {
        let seed = self.ask.seed;
        let mut bad = lock(&self.bad);
        if bad.len() < ENOUGH {
            eprintln!("  turn {turn} failed (ASHORE_SEED={seed} ASHORE_RUN={turn} repeats it): {story}");
        }
        bad.push(format!("turn {turn}: {story}"));
    }

    /// Returns the seed of a turn.
    pub fn seed(&self, turn: u64) -> u64 {
        self.ask.seed.wrapping_mul(1_000_003).wrapping_add(turn)
    }

    /// Returns the verdict.
    pub fn verdict(&self) -> GoalVerdict {
        let notes = lock(&self.sums).iter().map(|(what, count)| format!("{} {what}.", grouped(*count))).collect();
        let left_out = self.left_out.load(Ordering::Acquire);
        GoalVerdict { runs: self.runs(), left_out, bad: lock(&self.bad).clone(), notes, beside: Vec::new() }
    }

    /// Adds the results of other programs to the verdict, in the remaining time.
    ///
    /// Skips the other programs if only one turn is repeated.
    pub fn verdict_beside(&self, others: impl FnOnce(&RunRequest) -> Result<Vec<PeerColumn>>) -> GoalVerdict {
        let beside = if self.ask.turn.is_some() { Ok(Vec::new()) } else { others(&self.ask) };
        let beside = beside.unwrap_or_else(|error| {
            lock(&self.bad).push(format!("comparison with other programs: {error:#}"));
            Vec::new()
        });
        GoalVerdict { beside: beside.into_iter().filter(|one| one.runs > 0).collect(), ..self.verdict() }
    }
}

/// Runs all turns and returns the verdict. Fails as [`lanes`] does.
pub fn run_turns<Turn, Made>(tally: &Arc<RunTally>, at_once: usize, turn: Turn) -> Result<GoalVerdict>
where
    Turn: Fn(u64, Arc<RunTally>) -> Made + Clone + Send + Sync + 'static,
    Made: Future<Output = Result<()>> + Send + 'static,
{
    lanes(tally, at_once, turn)?;
    Ok(tally.verdict())
}

/// Runs turns in parallel until the tally is complete. Records a turn that fails or panics as a failure.
///
/// Fails if no async runtime can be started.
pub fn lanes<Turn, Made>(tally: &Arc<RunTally>, at_once: usize, turn: Turn) -> Result<()>
where
    Turn: Fn(u64, Arc<RunTally>) -> Made + Clone + Send + Sync + 'static,
    Made: Future<Output = Result<()>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut lanes = JoinSet::new();
        let at_once = if tally.ask.turn.is_some() { 1 } else { at_once };
        for _ in 0..at_once {
            let (tally, turn) = (tally.clone(), turn.clone());
            lanes.spawn(async move {
                while tally.wants_more() {
                    let drawn = tally.turns.fetch_add(1, Ordering::AcqRel);
                    let number = tally.ask.turn.unwrap_or(drawn);
                    match tokio::spawn(turn(number, tally.clone())).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => tally.wrong(number, &format!("{error:#}")),
                        Err(error) => tally.wrong(number, &end_text(error)),
                    }
                    if tally.ask.turn.is_some() {
                        return;
                    }
                }
            });
        }
        lanes.join_all().await;
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(())
}

/// Returns the message of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a panic without a message".to_owned(),
    }
}

fn end_text(error: JoinError) -> String {
    error.try_into_panic().map_or_else(|error| error.to_string(), |panic| panic_text(panic.as_ref()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn of_five() -> Arc<RunTally> {
        RunTally::new(&RunRequest { runs: 5, seed: 1, turn: None, begun: Instant::now(), patience: Duration::from_secs(60) })
    }

    #[test]
    fn failed_or_panicked_turn_is_counted_as_bad_and_other_turns_continue() {
        let tally = of_five();
        lanes(&tally, 2, |turn, tally| async move {
            match turn {
                1 => anyhow::bail!("no"),
                2 => panic!("out of order"),
                _ => tally.done(1),
            }
            Ok(())
        })
        .unwrap();
        let verdict = tally.verdict();
        assert!(verdict.runs >= 5, "{verdict:?}");
        let mut bad = verdict.bad;
        bad.sort();
        assert_eq!(bad, ["turn 1: no", "turn 2: out of order"]);
    }

    #[test]
    fn torture_runs_that_cannot_be_carried_out_are_counted_separately() {
        let tally = of_five();
        tally.done(3);
        tally.count("bytes came again", 12_345);
        tally.leave_out("could not be made");
        let verdict = tally.verdict();
        assert_eq!((verdict.runs, verdict.left_out), (3, 1));
        assert_eq!(verdict.notes, ["12,345 bytes came again.", "1 could not be made."]);
    }

    #[test]
    fn no_more_runs_are_requested_after_time_limit() {
        let late = RunRequest { runs: 5, seed: 1, turn: None, begun: Instant::now(), patience: Duration::ZERO };
        assert!(of_five().wants_more() && !RunTally::new(&late).wants_more());
    }

    #[test]
    fn failed_comparison_with_other_programs_is_reported_as_bad() {
        let tally = of_five();
        tally.done(5);
        let verdict = tally.verdict_beside(|_| anyhow::bail!("no disk"));
        assert_eq!((verdict.runs, verdict.bad), (5, vec!["comparison with other programs: no disk".to_owned()]));
        let one = |runs| PeerColumn { name: "other".to_owned(), runs, bad: 0 };
        assert_eq!(tally.verdict_beside(|_| Ok(vec![one(3), one(0)])).beside.len(), 1, "one that had no time left was not tried");
    }
}
