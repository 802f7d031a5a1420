//! The count of one goal: how many runs, which went wrong, and when it is time to stop.

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use tokio::task::{JoinError, JoinSet};

use crate::goal::{Ask, Beside, Verdict};

/// No goal takes longer.
const PATIENCE: Duration = Duration::from_secs(600);
/// When so many went wrong, there is enough to look at.
const ENOUGH: usize = 20;

/// What a goal has counted so far. Turns are what runs are made in: one world, with many of them.
#[derive(Debug)]
pub struct Tally {
    ask: Ask,
    until: Instant,
    turns: AtomicU64,
    runs: AtomicU64,
    bad: Mutex<Vec<String>>,
    /// Stop when so many went wrong.
    enough: usize,
    sums: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    /// Nothing yet, of so many.
    pub fn new(ask: &Ask) -> Arc<Self> {
        Self::until(ask, ENOUGH)
    }

    /// The same, which goes on however many go wrong.
    pub fn of_every_run(ask: &Ask) -> Arc<Self> {
        Self::until(ask, usize::MAX)
    }

    fn until(ask: &Ask, enough: usize) -> Arc<Self> {
        Arc::new(Self {
            ask: *ask,
            until: Instant::now() + PATIENCE,
            turns: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            bad: Mutex::default(),
            enough,
            sums: Mutex::default(),
        })
    }

    /// Whether there are runs to be made, and time for them.
    pub fn wants_more(&self) -> bool {
        self.runs() < self.ask.runs && Instant::now() < self.until && lock(&self.bad).len() < self.enough
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

    /// Whether it was counted at all.
    pub fn has_counted(&self, what: &str) -> bool {
        lock(&self.sums).get(what).is_some_and(|count| *count > 0)
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

    /// What came of it. A goal that had to stop early says so.
    pub fn verdict(&self, beside: Vec<Beside>) -> Verdict {
        let runs = self.runs();
        let mut notes: Vec<String> =
            lock(&self.sums).iter().map(|(what, count)| format!("{} {what}.", grouped(*count))).collect();
        if runs < self.ask.runs && self.ask.turn.is_none() {
            notes.push(format!("Stopped at {} of {} runs.", grouped(runs), grouped(self.ask.runs)));
        }
        Verdict { runs, bad: lock(&self.bad).clone(), notes, beside }
    }
}

/// Makes turns, so many at once, until the tally wants no more. A turn that fails or panics has gone wrong.
pub fn lanes<Turn, Made>(tally: &Arc<Tally>, at_once: usize, turn: Turn) -> Result<()>
where
    Turn: Fn(u64, Arc<Tally>) -> Made + Clone + Send + Sync + 'static,
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
                        Err(panic) => tally.wrong(number, &panic_text(panic)),
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

fn panic_text(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(text), _) => text.clone(),
            (_, Some(text)) => (*text).to_owned(),
            _ => "a panic without words".to_owned(),
        },
        Err(error) => error.to_string(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: Ask = Ask { runs: 5, seed: 1, turn: None };

    #[test]
    fn what_fails_and_what_panics_is_bad_and_the_others_go_on() {
        let tally = Tally::new(&ASK);
        lanes(&tally, 2, |turn, tally| async move {
            match turn {
                1 => anyhow::bail!("no"),
                2 => panic!("out of order"),
                _ => tally.done(1),
            }
            Ok(())
        })
        .unwrap();
        let verdict = tally.verdict(Vec::new());
        assert!(verdict.runs >= 5, "{verdict:?}");
        let mut bad = verdict.bad;
        bad.sort();
        assert_eq!(bad, ["turn 1: no", "turn 2: out of order"]);
    }

    #[test]
    fn what_was_not_made_is_said() {
        let tally = Tally::new(&ASK);
        tally.done(3);
        tally.count("bytes came again", 12_345);
        assert_eq!(tally.verdict(Vec::new()).notes, ["12,345 bytes came again.", "Stopped at 3 of 5 runs."]);
    }
}
