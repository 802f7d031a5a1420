//! The count of one goal: how many runs, which went wrong, and when it is time to stop.

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

use crate::goal::{GoalVerdict, PeerColumn, RunRequest};

/// When so many went wrong, there is enough to look at.
const ENOUGH: usize = 20;

/// What a goal has counted so far. Turns are what runs are made in: one world, with many of them.
#[derive(Debug)]
pub struct RunTally {
    ask: RunRequest,
    turns: AtomicU64,
    runs: AtomicU64,
    left_out: AtomicU64,
    bad: Mutex<Vec<String>>,
    /// Stop when so many went wrong.
    enough: usize,
    sums: Mutex<BTreeMap<String, u64>>,
}

impl RunTally {
    /// Nothing yet, of so many.
    pub fn new(ask: &RunRequest) -> Arc<Self> {
        Self::up_to(ask, ENOUGH)
    }

    /// The same, which goes on however many go wrong.
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

    /// Whether there are runs to be made, and time for them.
    pub fn wants_more(&self) -> bool {
        self.runs() < self.ask.runs && self.ask.has(Duration::ZERO) && lock(&self.bad).len() < self.enough
    }

    /// Runs that came to their end.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Acquire)
    }

    /// Whether so many did, of the goal itself and not of one turn of it.
    pub fn has_run(&self, count: u64) -> bool {
        self.ask.turn.is_none() && self.runs() >= count
    }

    /// So many more runs came to their end.
    pub fn done(&self, count: u64) {
        let before = self.runs.fetch_add(count, Ordering::AcqRel);
        let step = (self.ask.runs / 10).max(1);
        if before / step != (before + count) / step {
            eprintln!("  {} of {}", before + count, self.ask.runs);
        }
    }

    /// Something else that is counted, by what it is called in a sentence.
    pub fn count(&self, what: &str, count: u64) {
        *lock(&self.sums).entry(what.to_owned()).or_default() += count;
    }

    /// How much of it was counted.
    pub fn counted(&self, what: &str) -> u64 {
        lock(&self.sums).get(what).copied().unwrap_or_default()
    }

    /// A run that nobody can make on this machine, and what is said of all such.
    pub fn leave_out(&self, what: &str) {
        self.left_out.fetch_add(1, Ordering::AcqRel);
        self.count(what, 1);
    }

    /// The largest of something, by what it is called in a sentence.
    pub fn most(&self, what: &str, value: u64) {
        let mut sums = lock(&self.sums);
        let known = sums.entry(what.to_owned()).or_default();
        *known = value.max(*known);
    }

    /// A turn went wrong.
    pub fn wrong(&self, turn: u64, story: &str) {
        let seed = self.ask.seed;
        let mut bad = lock(&self.bad);
        if bad.len() < ENOUGH {
            eprintln!("  turn {turn} went wrong (ASHORE_SEED={seed} ASHORE_RUN={turn} makes it again): {story}");
        }
        bad.push(format!("turn {turn}: {story}"));
    }

    /// The seed of a turn.
    pub fn seed(&self, turn: u64) -> u64 {
        self.ask.seed.wrapping_mul(1_000_003).wrapping_add(turn)
    }

    /// What came of it.
    pub fn verdict(&self) -> GoalVerdict {
        let notes = lock(&self.sums).iter().map(|(what, count)| format!("{} {what}.", grouped(*count))).collect();
        let left_out = self.left_out.load(Ordering::Acquire);
        GoalVerdict { runs: self.runs(), left_out, bad: lock(&self.bad).clone(), notes, beside: Vec::new() }
    }

    /// The same, and what comes of other programs in the time that is left; where one turn was asked for, nobody asks them.
    pub fn verdict_beside(&self, others: impl FnOnce(&RunRequest) -> Result<Vec<PeerColumn>>) -> GoalVerdict {
        let beside = if self.ask.turn.is_some() { Ok(Vec::new()) } else { others(&self.ask) };
        let beside = beside.unwrap_or_else(|error| {
            lock(&self.bad).push(format!("beside other programs: {error:#}"));
            Vec::new()
        });
        GoalVerdict { beside: beside.into_iter().filter(|one| one.runs > 0).collect(), ..self.verdict() }
    }
}

/// Makes the turns of a goal that has nothing else to do, and returns its verdict. Fails as [`lanes`] does.
pub fn run_turns<Turn, Made>(tally: &Arc<RunTally>, at_once: usize, turn: Turn) -> Result<GoalVerdict>
where
    Turn: Fn(u64, Arc<RunTally>) -> Made + Clone + Send + Sync + 'static,
    Made: Future<Output = Result<()>> + Send + 'static,
{
    lanes(tally, at_once, turn)?;
    Ok(tally.verdict())
}

/// Makes turns, so many at once, until the tally wants no more. A turn that fails or panics has gone wrong. Fails where no
/// runtime can be started.
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

/// 12345 as 12,345.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// What it said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a panic without words".to_owned(),
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
    fn what_fails_and_what_panics_is_bad_and_the_others_go_on() {
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
    fn what_nobody_can_make_here_is_counted_apart() {
        let tally = of_five();
        tally.done(3);
        tally.count("bytes came again", 12_345);
        tally.leave_out("could not be made");
        let verdict = tally.verdict();
        assert_eq!((verdict.runs, verdict.left_out), (3, 1));
        assert_eq!(verdict.notes, ["12,345 bytes came again.", "1 could not be made."]);
    }

    #[test]
    fn there_is_an_end_to_its_time() {
        let late = RunRequest { runs: 5, seed: 1, turn: None, begun: Instant::now(), patience: Duration::ZERO };
        assert!(of_five().wants_more() && !RunTally::new(&late).wants_more());
    }

    #[test]
    fn what_goes_wrong_with_other_programs_leaves_the_count_and_is_bad() {
        let tally = of_five();
        tally.done(5);
        let verdict = tally.verdict_beside(|_| anyhow::bail!("no disk"));
        assert_eq!((verdict.runs, verdict.bad), (5, vec!["beside other programs: no disk".to_owned()]));
        let one = |runs| PeerColumn { name: "other".to_owned(), runs, bad: 0 };
        assert_eq!(tally.verdict_beside(|_| Ok(vec![one(3), one(0)])).beside.len(), 1, "one that had no time left was not tried");
    }
}
