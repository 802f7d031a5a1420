//! What is known at this moment and decides what may start, in one place: the watchers write it, the loop and whoever shows
//! something read it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, watch};

use super::{Desktop, Facts, Pace, closed, gates, space::Space};
use crate::{env::Env, model::Gate, schedule::Rest, settings::Settings};

/// What is known. Nothing of it outlives the process.
#[derive(Debug)]
pub(crate) struct Known {
    /// What the desktop says.
    pub desktop: watch::Sender<Desktop>,
    /// The current pace: the one place to ask how fast things may go.
    pub pace: watch::Sender<Pace>,
    /// Nothing is under way that sleep would cut, and all of it is durable.
    pub is_at_rest: watch::Sender<bool>,
    /// The loop's tick, for whoever has to look again and is told by nobody.
    pub tick: Notify,
    unfinished: Mutex<Option<String>>,
    space: Mutex<Space>,
    resting: Mutex<HashMap<i64, Rest>>,
}

impl Known {
    pub(crate) fn new() -> Self {
        Self {
            desktop: watch::Sender::new(Desktop::unknown("nobody has asked the desktop")),
            pace: watch::Sender::new(Pace::Full),
            is_at_rest: watch::Sender::new(false),
            tick: Notify::new(),
            unfinished: Mutex::new(None),
            space: Mutex::default(),
            resting: Mutex::default(),
        }
    }

    /// Every gate as it is now.
    pub(crate) fn gates(&self, env: &Env, settings: &Settings, is_paused: bool) -> Vec<Gate> {
        let (unfinished, desktop) = (self.unfinished().clone(), self.desktop.borrow().clone());
        let unfinished = unfinished.as_deref();
        let facts = Facts { now_us: env.now(), local: env.local, is_paused, unfinished, desktop: &desktop };
        gates(&facts, settings)
    }

    /// The first that is closed now.
    pub(crate) fn closed(&self, env: &Env, settings: &Settings, is_paused: bool) -> Option<Gate> {
        closed(self.gates(env, settings, is_paused))
    }

    /// Who waits for free space.
    pub(crate) fn space(&self) -> MutexGuard<'_, Space> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hosts that nothing starts from for a while, as the loop has them.
    pub(crate) fn resting(&self) -> MutexGuard<'_, HashMap<i64, Rest>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the one-time work of this version is not done; none when it is.
    pub(crate) fn unfinished(&self) -> MutexGuard<'_, Option<String>> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
