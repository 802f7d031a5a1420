//! Who has the word: everything that goes on at the same time, one step of one of them after the other, in an order that
//! follows from a seed. A step ends where the engine lets somebody else have a turn, or waits for itself (`crate::platform::sync`);
//! what it asks of SQLite or of the disk is waited for within the step, so that no order depends on how long that takes.

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

/// Who waits longer for SQLite or the disk waits for something that nobody will ever do.
const OUTSIDE: Duration = Duration::from_secs(40);
/// Hundreds are usual: who takes so many goes round in a circle.
const MOST: usize = 30_000;
/// So many steps of the past are told where something is wrong.
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
    /// It could go on, and has let others go first.
    is_ready: bool,
    rank: u32,
}

/// In which order those who can go on do.
enum Style {
    /// Any of them.
    Any,
    /// The first by a rank that each is given, and that is given anew now and then: one of them is far ahead.
    Ranked,
}

/// Everything that goes on.
pub(super) struct Turns {
    pub dice: StdRng,
    style: Style,
    actors: Vec<Actor>,
    notify: Arc<Notify>,
    /// Who went on, in order.
    pub past: Vec<String>,
}

impl Turns {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let style = if dice.random_bool(0.5) { Style::Any } else { Style::Ranked };
        Self { dice, style, actors: Vec::new(), notify: Arc::default(), past: Vec::new() }
    }

    /// One more thing goes on.
    pub(super) fn add(&mut self, name: impl Into<String>, work: BoxFuture<'static, ()>) {
        let flag = Arc::new(Flag { is_woken: AtomicBool::new(false), notify: Arc::clone(&self.notify) });
        let rank = self.dice.random();
        self.actors.push(Actor { name: name.into(), work: Box::pin(unconstrained(work)), flag, is_ready: true, rank });
    }

    /// Somebody goes on. False where nobody can.
    pub(super) async fn step(&mut self) -> bool {
        let is_ready = |actor: &Actor| actor.is_ready || actor.flag.is_woken.load(Ordering::Acquire);
        assert!(self.past.len() < MOST, "it goes on for ever: {}", self.told());
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
                        panic!("waits for something that is not outside: {}; {}", self.actors[at].name, self.told());
                    }
                }
            }
        }
    }

    /// Whether anybody whose name begins so has not done yet.
    pub(super) fn has_any(&self, beginning: &str) -> bool {
        self.actors.iter().any(|actor| actor.name.starts_with(beginning))
    }

    /// The power goes: nobody gets any further.
    pub(super) fn end(&mut self) {
        self.actors.clear();
    }

    /// Who is left, and who went on lately.
    pub(super) fn told(&self) -> String {
        let left: Vec<&str> = self.actors.iter().map(|actor| actor.name.as_str()).collect();
        let past = &self.past[self.past.len().saturating_sub(TOLD)..];
        format!("left are {}; lately went on {}", left.join(", "), past.join(" "))
    }
}
