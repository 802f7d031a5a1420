//! Tests the queue under a model of all concurrent events.
//!
//! - Users pause, abort, remove, retry, replace a link, move to the front and quit.
//! - Transfers complete or fail while the loop runs.
//! - The power may fail between any two steps.
//!
//! Engine, loop and ledger are the real ones. `turns` decides which task runs, `mover` simulates the transfers, and
//! `people` simulates the users.
//!
//! Each seed determines one schedule. A failure message states the seed, and `ASHORE_SEED` repeats its schedule:
//!
//! ```text
//! ASHORE_SEED=7 ASHORE_RUNS=1 cargo test -p ashore-engine --lib ten_thousand_schedules_have_no_fault_and_reach_every_state -- --ignored --nocapture
//! ```

mod mover;
mod people;
mod turns;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::Duration,
};

use ashore_messages::message;
use futures_util::future::FutureExt as _;
use rand::Rng as _;

use crate::{
    Engine, EngineError,
    gates::decision::SystemState,
    model::{ListQuery, RecordState, RegistrationState, UniqueId},
    platform::sync,
    scheduler::tests::life::Folder,
    settings::SettingOverrides,
    startup::{
        opening::{self, PreparedLedger},
        options::EngineOptions,
    },
    store::{audit, database::backup_rotation},
};

use mover::Mover;
use people::{Board, Verb, Wish};
use turns::ScheduleTasks;

/// Maximum number of engine lifetimes in one schedule.
///
/// A lifetime lasts from the start of the engine to its end.
const LIVES: u32 = 3;
/// Maximum number of users who act at the same time, and the number of actions of each user.
const PEOPLE: usize = 3;
const WISHES: usize = 4;
/// Number of clock advances after which a schedule without a runnable task counts as stuck.
const PATIENCE: usize = 40;

/// Number of schedules that are enough to reach every state and to perform every kind of action.
const ENOUGH: u64 = 80;

/// Way in which a lifetime of the engine ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The power fails after this number of steps.
    Kill(usize),
    Quit,
    Last,
}

/// States, kinds of actions and steps that were reached by any schedule so far.
#[derive(Clone, Debug, Default)]
struct Reached {
    states: BTreeMap<&'static str, usize>,
    verbs: BTreeSet<Verb>,
    steps: usize,
    /// Tasks that ran in the last schedule, in order.
    past: Vec<String>,
}

struct Schedule {
    folder: Folder,
    turns: ScheduleTasks,
    board: Board,
    seed: u64,
    lives: u32,
    wrong: Vec<String>,
}

struct Life {
    engine: Engine,
    mover: Mover,
}

impl Schedule {
    fn new(seed: u64) -> Self {
        // With high limits, the loop dispatches requests before slots are free. It may have to take these requests back.
        let (parallel, per_host) = if seed.is_multiple_of(8) { (16, 16) } else { (2, 2) };
        let settings = format!("parallel = {parallel}\nparallel-per-host = {per_host}\nattempts = 3\nretry-after-seconds = 10\n");
        let folder = Folder::new(&settings);
        // An up-to-date copy exists, so this ledger is not copied.
        let copy = backup_rotation::next(folder.data(), folder.now());
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::write(copy, "").unwrap();
        sync::begin(seed);
        let board = Board::new(if parallel == 2 { 3 } else { 12 });
        Self { folder, turns: ScheduleTasks::new(seed), board, seed, lives: 0, wrong: Vec::new() }
    }

    async fn play(mut self, reached: &mut Reached) -> Result<(), String> {
        let last = self.turns.dice.random_range(1..=LIVES);
        for life in 1..=last {
            let end = match life == last {
                true => End::Last,
                false if self.turns.dice.random_bool(0.6) => End::Kill(self.turns.dice.random_range(1..400)),
                false => End::Quit,
            };
            let Some(opened) = self.live(end).await? else { continue };
            self.finish(&opened, reached).await?;
        }
        reached.verbs.extend(self.board.known().done.iter());
        reached.steps += self.turns.past.len();
        self.wrong.append(&mut self.board.known().wrong);
        let told = self.turns.summary();
        reached.past = self.turns.past;
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(format!("{}; {told}", self.wrong.join("; "))),
        }
    }

    /// Runs the engine from a start to `end`.
    ///
    /// If `end` is `Last`, returns the engine, which continues to run.
    async fn live(&mut self, end: End) -> Result<Option<Life>, String> {
        let begun = self.turns.past.len();
        let left = |turns: &ScheduleTasks| match end {
            End::Kill(steps) => steps.saturating_sub(turns.past.len() - begun),
            _ => usize::MAX,
        };
        let Some(life) = self.open(left).await? else { return Ok(None) };
        let people = self.turns.dice.random_range(1..=PEOPLE);
        for person in 0..people {
            let mut wishes: Vec<Wish> = (0..WISHES).map(|_| Wish::draw(&mut self.turns.dice)).collect();
            if person == 0 && self.board.known().ids.is_empty() {
                wishes[0] = Wish::with_verb(Verb::Add, &mut self.turns.dice);
            }
            if person == 0 && end == End::Quit {
                let at = self.turns.dice.random_range(1..=wishes.len());
                wishes.insert(at, Wish::with_verb(Verb::Quit, &mut self.turns.dice));
            }
            let acts = self.board.clone().act(life.engine.clone(), self.folder.downloads.clone(), wishes);
            self.turns.add(format!("person{person}"), acts.boxed());
        }
        for name in ["window", "tray"] {
            self.turns.add(name, self.board.clone().listen(life.engine.clone()).boxed());
        }
        self.settle(&life, left, |turns| !turns.has_any("person")).await?;
        match end {
            End::Last => return Ok(Some(life)),
            End::Quit if self.turns.has_any("loop") => {
                return Err(format!("it was closed, and goes on: {}", self.turns.summary()));
            }
            End::Quit => {}
            End::Kill(_) => return self.kill(life).await.map(|()| None),
        }
        self.wrong.append(&mut life.mover.wrong());
        self.turns.end();
        Ok(None)
    }

    /// Runs all tasks until none has work left, or until the maximum number of steps is reached.
    async fn settle(
        &mut self,
        life: &Life,
        left: impl Fn(&ScheduleTasks) -> usize,
        is_done: impl Fn(&ScheduleTasks) -> bool,
    ) -> Result<(), String> {
        let mut patience = PATIENCE;
        while left(&self.turns) > 0 {
            for (name, work) in life.mover.born() {
                self.turns.add(name, work);
            }
            if self.turns.dice.random_bool(0.02)
                && let Some(span) = sync::deadline()
            {
                // Time passes not only while all tasks wait, but also while tasks could run.
                self.pass(span.min(Duration::from_millis(250)));
            }
            if self.turns.step().await {
                continue;
            }
            if is_done(&self.turns) && life.mover.is_at_rest() {
                return Ok(());
            }
            patience -= 1;
            let Some(span) = sync::deadline().filter(|_| patience > 0) else {
                return Err(format!("no task can continue: {}", self.turns.summary()));
            };
            self.pass(span);
        }
        Ok(())
    }

    fn pass(&self, span: Duration) {
        let span = span.max(Duration::from_millis(1));
        self.folder.pass_for(span);
        sync::pass(span);
    }

    /// Starts an engine. The power may also fail during the start.
    async fn open(&mut self, left: impl Fn(&ScheduleTasks) -> usize) -> Result<Option<Life>, String> {
        self.lives += 1;
        let seed = self.seed.wrapping_mul(31).wrapping_add(self.lives.into());
        let options = EngineOptions {
            data_dir: self.folder.data().to_owned(),
            holder: "a schedule".to_owned(),
            fetch: true,
            overrides: SettingOverrides::default(),
            env: crate::scheduler::tests::life::env(),
        };
        let opened = Arc::new(Mutex::new(None));
        let (mover, seen) = (Arc::new(Mutex::new(None)), Arc::clone(&opened));
        let kept = Arc::clone(&mover);
        let work = async move {
            let prepared = opening::prepare(options, |_, news| {
                let mover = Mover::new(seed, news);
                *kept.lock().unwrap() = Some(mover.clone());
                Ok(Box::new(mover))
            });
            *seen.lock().unwrap() = Some(prepared.await);
        };
        self.turns.add("start", work.boxed());
        while self.turns.has_any("start") {
            let born = mover.lock().unwrap().as_ref().map(Mover::born).unwrap_or_default();
            for (name, work) in born {
                self.turns.add(name, work);
            }
            if left(&self.turns) == 0 {
                // End the tasks, so that the lock of this start is dropped and the next start does not wait.
                self.turns.end();
                return Ok(None);
            }
            if !self.turns.step().await {
                return Err(format!("it does not start: {}", self.turns.summary()));
            }
        }
        let prepared = opened.lock().unwrap().take().unwrap();
        let (shared, prepared) = prepared.map_err(|error| format!("it does not start: {error}"))?;
        let PreparedLedger { work, running, orders } = prepared.unwrap();
        shared.known.desktop.send_replace(SystemState::unknown(&message!("cause.not-asked")));
        let mut work = work;
        self.turns.add("loop", async move { work.work(running).await }.boxed());
        let mover = mover.lock().unwrap().take().unwrap();
        Ok(Some(Life { engine: Engine::over(shared, Some(orders)), mover }))
    }

    /// Simulates a power failure: uncommitted changes are lost.
    async fn kill(&mut self, life: Life) -> Result<(), String> {
        self.turns.end();
        self.wrong.append(&mut life.mover.wrong());
        let shared = Arc::clone(&life.engine.shared);
        drop(life);
        self.turns.add(
            "power",
            async move {
                shared.store.close().await;
                let lock = shared.lock.lock().unwrap().take();
                if let Some(lock) = lock {
                    lock.release();
                }
            }
            .boxed(),
        );
        while self.turns.step().await {}
        match self.turns.has_any("power") {
            true => Err(format!("it does not end: {}", self.turns.summary())),
            false => Ok(()),
        }
    }

    /// Lets every request complete, compares all registrations with the disk, and removes them.
    async fn finish(&mut self, life: &Life, reached: &mut Reached) -> Result<(), String> {
        life.mover.always_deliver();
        let ids = self.ids(life).await?;
        let (engine, all) = (life.engine.clone(), ids.clone());
        self.person(life, async move {
            engine.resume(None).await?;
            for id in all {
                engine.resume(Some(id)).await?;
            }
            Ok(())
        })
        .await?;
        for _ in 0..PATIENCE {
            if self.is_settled(life).await? {
                break;
            }
            if let Some(span) = sync::deadline() {
                self.pass(span);
            }
            self.settle(life, |_| usize::MAX, |_| true).await?;
        }
        if !self.is_settled(life).await? {
            self.wrong.push("something waits for ever".to_owned());
        }
        self.check(life, reached).await?;
        let engine = life.engine.clone();
        self.person(life, async move {
            for id in ids {
                engine.remove(id, false).await?;
            }
            Ok(())
        })
        .await?;
        if !self.ids(life).await?.is_empty() {
            self.wrong.push("what was removed is in the list".to_owned());
        }
        for (_, path) in mover::partials(&self.folder.downloads) {
            self.wrong.push(format!("{} is left, and no request knows it", path.display()));
        }
        let engine = life.engine.clone();
        self.person(life, async move {
            engine.close().await;
            Ok(())
        })
        .await?;
        if self.turns.has_any("loop") {
            self.wrong.push("it was closed, and goes on".to_owned());
        }
        self.wrong.append(&mut life.mover.wrong());
        self.turns.end();
        Ok(())
    }

    /// Runs a user's `work` together with all other tasks, until no task can continue.
    async fn person(
        &mut self,
        life: &Life,
        work: impl Future<Output = Result<(), EngineError>> + Send + 'static,
    ) -> Result<(), String> {
        let wrong = Arc::new(Mutex::new(None));
        let told = Arc::clone(&wrong);
        self.turns.add("person", async move { *told.lock().unwrap() = work.await.err() }.boxed());
        self.settle(life, |_| usize::MAX, |turns| !turns.has_any("person")).await?;
        let error = wrong.lock().unwrap().take();
        error.map_or(Ok(()), |error| Err(error.to_string()))
    }

    async fn ids(&mut self, life: &Life) -> Result<Vec<UniqueId>, String> {
        Ok(self.list(life).await?.into_iter().map(|(id, ..)| id).collect())
    }

    async fn is_settled(&mut self, life: &Life) -> Result<bool, String> {
        Ok(self.list(life).await?.into_iter().all(|(_, state)| state == RegistrationState::Settled))
    }

    async fn list(&mut self, life: &Life) -> Result<Vec<(UniqueId, RegistrationState)>, String> {
        let (engine, found) = (life.engine.clone(), Arc::new(Mutex::new(Vec::new())));
        let seen = Arc::clone(&found);
        self.person(life, async move {
            let list = engine.list(ListQuery { limit: 1000, ..ListQuery::default() }).await?;
            *seen.lock().unwrap() = list.into_iter().map(|one| (one.unique_id, one.state)).collect();
            Ok(())
        })
        .await?;
        let found = std::mem::take(&mut *found.lock().unwrap());
        Ok(found)
    }

    /// Checks that ledger, disk and users agree.
    async fn check(&mut self, life: &Life, reached: &mut Reached) -> Result<(), String> {
        let (engine, board) = (life.engine.clone(), self.board.clone());
        let downloads = self.folder.downloads.clone();
        let found = Arc::new(Mutex::new((Vec::new(), Vec::new())));
        let told = Arc::clone(&found);
        self.person(life, async move {
            let mut wrong = audit(&engine.shared.store).await;
            let mut states = Vec::new();
            let mut files = HashSet::new();
            for one in engine.list(ListQuery { limit: 1000, ..ListQuery::default() }).await? {
                let id = one.unique_id;
                for record in engine.records(id, 0, 0).await? {
                    states.push(match record.state {
                        RecordState::Completed => "completed",
                        RecordState::Dead => "dead",
                        RecordState::Aborted => "aborted",
                        _ => "left",
                    });
                    let url: url::Url = record.url.parse().unwrap();
                    let target = downloads.join(url.path().trim_matches('/').replace('/', "-"));
                    let is_there = target.exists();
                    if is_there != (record.state == RecordState::Completed) {
                        wrong.push(format!("{} is {:?}, and its file is there: {is_there}", record.url, record.state));
                    }
                    if is_there && std::fs::read(&target).unwrap() != mover::content(&url) {
                        wrong.push(format!("{} has other bytes", target.display()));
                    }
                    files.insert(target);
                }
                board.claim(&engine, id).await;
                let known = board.known();
                let claimed = known.claimed.get(&id).copied().unwrap_or_default();
                let ends = 1 + known.reopened.get(&id).copied().unwrap_or_default();
                let is_unsure = known.unanswered.get(&id).is_some_and(|count| *count > 0);
                if claimed == 0 && ends == 1 && !is_unsure || claimed > ends {
                    wrong.push(format!("of {id}, which ended at most {ends} times, people were told {claimed} times"));
                }
            }
            for (tag, path) in mover::partials(&downloads) {
                let mut is_wanted = false;
                for guid in engine.shared.store.guids_of_tag(&tag).await? {
                    is_wanted |= engine.shared.store.wants_partial(guid).await? == Some(true);
                }
                if !is_wanted {
                    wrong.push(format!("{} is left, and no request needs it", path.display()));
                }
            }
            board.look(&engine).await?;
            *told.lock().unwrap() = (wrong, states);
            Ok(())
        })
        .await?;
        let (mut wrong, states) = std::mem::take(&mut *found.lock().unwrap());
        self.wrong.append(&mut wrong);
        states.into_iter().for_each(|state| *reached.states.entry(state).or_default() += 1);
        *reached.states.entry("removed").or_default() += self.board.known().removed.len();
        Ok(())
    }
}

/// Runs one schedule. Fails with the faults that were found.
fn play(seed: u64, reached: &mut Reached) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let played = catch_unwind(AssertUnwindSafe(|| runtime.block_on(Schedule::new(seed).play(reached))));
    played.unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        Err(why.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
    })
}

fn again(seed: u64) -> String {
    format!(
        "ASHORE_SEED={seed} ASHORE_RUNS=1 cargo test -p ashore-engine --lib ten_thousand_schedules_have_no_fault_and_reach_every_state -- --ignored --nocapture"
    )
}

/// Runs these schedules on two threads.
///
/// Panics if a schedule has a fault, or if [`ENOUGH`] schedules do not cover every state and every kind of action.
fn run(seeds: std::ops::Range<u64>) {
    let half = |odd: u64| {
        let mut reached = Reached::default();
        let mut wrong = Vec::new();
        for seed in seeds.clone().filter(|seed| seed % 2 == odd) {
            if let Err(why) = play(seed, &mut reached) {
                wrong.push(format!("{why}\n  {}", again(seed)));
            }
            if wrong.len() == 5 {
                break;
            }
        }
        (reached, wrong)
    };
    let halves = std::thread::scope(|scope| {
        let halves = [0, 1].map(|odd| scope.spawn(move || half(odd)));
        halves.map(|half| half.join().unwrap())
    });
    let mut all = Reached::default();
    let mut wrong = Vec::new();
    for (reached, mut told) in halves {
        reached.states.into_iter().for_each(|(state, count)| *all.states.entry(state).or_default() += count);
        all.verbs.extend(reached.verbs);
        all.steps += reached.steps;
        wrong.append(&mut told);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} schedules, {} steps, {:?}, {:?}", seeds.end - seeds.start, all.steps, all.states, all.verbs);
    if seeds.end - seeds.start < ENOUGH {
        return;
    }
    for state in ["completed", "dead", "aborted", "removed"] {
        assert!(all.states.contains_key(state), "nothing was ever {state}: {all:?}");
    }
    assert_eq!(all.verbs.len(), 12, "something was never done: {all:?}");
}

/// On two cores, each seed takes an eighth of a second, because every start of an engine opens a ledger and prepares
/// all statements again.
#[test]
fn eighty_random_schedules_cause_no_fault_and_reach_every_state() {
    run(0..ENOUGH);
}

/// `ASHORE_SEED` is the first seed, and `ASHORE_RUNS` the number of schedules.
#[test]
#[ignore = "takes minutes: `make test-long`, `make torture ONLY=schedules`"]
fn ten_thousand_schedules_have_no_fault_and_reach_every_state() {
    let told = |name: &str, otherwise: u64| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let first = told("ASHORE_SEED", 0);
    run(first..first + told("ASHORE_RUNS", 10_000));
}

#[test]
fn same_seed_gives_same_schedule() {
    for seed in [0, 1, 2, 3, 8, 16] {
        let past = || {
            let mut reached = Reached::default();
            play(seed, &mut reached).unwrap();
            reached.past
        };
        assert_eq!(past(), past(), "seed {seed}");
    }
}
