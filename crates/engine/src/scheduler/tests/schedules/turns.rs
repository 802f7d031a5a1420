//! Runs tasks one step at a time, in an order determined by a seed.
//!
//! A step ends at a yield point, or when the task waits for another part of the engine (`crate::platform::sync`).
//! Answers from SQLite or the disk are awaited within the step, so that the order does not depend on their duration.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Wake, Waker},
    time::Duration,
};

use futures_util::future::BoxFuture;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tokio::{sync::Notify, task::coop::unconstrained};

use crate::platform::sync::{self, LockOutcome};

/// Maximum wait for SQLite or the disk.
///
/// A longer wait means that the awaited event will never occur.
const OUTSIDE: Duration = Duration::from_secs(40);
/// Maximum number of steps. A usual schedule has hundreds; more than this maximum means an endless loop.
const MOST: usize = 30_000;
/// Number of latest steps that are reported with a fault.
const TOLD: usize = 60;

struct Flag {
    is_woken: AtomicBool,
    notify: Arc<Notify>,
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.notify.notify_one();
    }
}

struct Actor {
    name: String,
    work: Pin<Box<dyn Future<Output = ()> + Send>>,
    flag: Arc<Flag>,
    /// The task could have continued, but has let other tasks run first.
    is_ready: bool,
    rank: u32,
}

/// Order in which runnable tasks run.
enum Style {
    /// A random order.
    Any,
    /// Order of random ranks.
    ///
    /// New ranks are drawn from time to time. Between two draws, a task may get far ahead of others.
    Ranked,
}

/// All tasks of a schedule.
pub(super) struct ScheduleTasks {
    pub dice: StdRng,
    style: Style,
    actors: Vec<Actor>,
    notify: Arc<Notify>,
    /// Tasks that ran, in order.
    pub past: Vec<String>,
}

impl ScheduleTasks {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let style = if dice.random_bool(0.5) { Style::Any } else { Style::Ranked };
        Self { dice, style, actors: Vec::new(), notify: Arc::default(), past: Vec::new() }
    }

    /// Adds a task.
    pub(super) fn add(&mut self, name: impl Into<String>, work: BoxFuture<'static, ()>) {
        let flag = Arc::new(Flag { is_woken: AtomicBool::new(false), notify: Arc::clone(&self.notify) });
        let rank = self.dice.random();
        self.actors.push(Actor { name: name.into(), work: Box::pin(unconstrained(work)), flag, is_ready: true, rank });
    }

    /// Runs a step of one task. Returns false if no task can run.
    pub(super) async fn step(&mut self) -> bool {
        let is_ready = |actor: &Actor| actor.is_ready || actor.flag.is_woken.load(Ordering::Acquire);
        assert!(self.past.len() < MOST, "it goes on for ever: {}", self.summary());
        let ready: Vec<usize> = (0..self.actors.len()).filter(|at| is_ready(&self.actors[*at])).collect();
        if ready.is_empty() {
            return false;
        }
        let at = match self.style {
            Style::Any => ready[self.dice.random_range(0..ready.len())],
            Style::Ranked => {
                if self.dice.random_bool(0.05) {
                    let at = self.dice.random_range(0..self.actors.len());
                    self.actors[at].rank = self.dice.random();
                }
                ready.into_iter().max_by_key(|at| self.actors[*at].rank).unwrap()
            }
        };
        self.past.push(self.actors[at].name.clone());
        let actor = &mut self.actors[at];
        let waker = Waker::from(Arc::clone(&actor.flag));
        loop {
            actor.flag.is_woken.store(false, Ordering::Release);
            sync::given();
            if actor.work.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                self.actors.remove(at);
                return true;
            }
            match sync::given() {
                Some(given) => {
                    actor.is_ready = given == LockOutcome::Turn;
                    return true;
                }
                None => {
                    let answered = async {
                        while !actor.flag.is_woken.load(Ordering::Acquire) {
                            self.notify.notified().await;
                        }
                    };
                    if tokio::time::timeout(OUTSIDE, answered).await.is_err() {
                        panic!("waits for something that is not outside: {}; {}", self.actors[at].name, self.summary());
                    }
                }
            }
        }
    }

    /// Returns whether a task whose name starts with `beginning` is unfinished.
    pub(super) fn has_any(&self, beginning: &str) -> bool {
        self.actors.iter().any(|actor| actor.name.starts_with(beginning))
    }

    /// Drops all tasks, as a power failure does.
    pub(super) fn end(&mut self) {
        self.actors.clear();
    }

    /// Returns the unfinished tasks and the latest steps, as text.
    pub(super) fn summary(&self) -> String {
        let left: Vec<&str> = self.actors.iter().map(|actor| actor.name.as_str()).collect();
        let past = &self.past[self.past.len().saturating_sub(TOLD)..];
        format!("left are {}; lately went on {}", left.join(", "), past.join(" "))
    }
}
