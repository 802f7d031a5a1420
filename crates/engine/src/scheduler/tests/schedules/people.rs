//! Simulates users who act at the same time.
//!
//! The actions of each user are drawn in advance. The target of an action is chosen when the action is performed, among
//! the registrations that exist then. If the end of a registration must still be reported, listeners claim the right to
//! report it.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use rand::{Rng as _, rngs::StdRng};

use crate::{
    Engine, EngineError, EngineEvent,
    model::{ListQuery, NewRegistration, NewRequest, QueuePlace, RequestSource, UniqueId},
    platform::sync,
    scheduler::tests::schedules::mover::SIZE,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Verb {
    Add,
    Pause,
    PauseAll,
    GoOn,
    GoOnAll,
    Abort,
    Remove,
    Retry,
    Relink,
    First,
    Look,
    Quit,
}

/// Every kind of action except `Quit`. Kinds that are drawn more often appear several times.
const DRAWN: &[Verb] = &[
    Verb::Add,
    Verb::Add,
    Verb::Add,
    Verb::Pause,
    Verb::Pause,
    Verb::PauseAll,
    Verb::GoOn,
    Verb::GoOn,
    Verb::GoOnAll,
    Verb::Abort,
    Verb::Abort,
    Verb::Remove,
    Verb::Remove,
    Verb::Retry,
    Verb::Retry,
    Verb::Relink,
    Verb::First,
    Verb::Look,
];

/// Action of a user, with its target and its variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub verb: Verb,
    whom: usize,
    how: usize,
}

impl Wish {
    pub(super) fn draw(dice: &mut StdRng) -> Self {
        Self::with_verb(DRAWN[dice.random_range(0..DRAWN.len())], dice)
    }

    pub(super) fn with_verb(verb: Verb, dice: &mut StdRng) -> Self {
        Self { verb, whom: dice.random_range(0..100), how: dice.random_range(0..100) }
    }
}

/// State that all users share.
#[derive(Clone)]
pub(super) struct Board(Arc<Mutex<KnownDownloads>>);

#[derive(Default)]
pub(super) struct KnownDownloads {
    pub ids: Vec<UniqueId>,
    pub removed: HashSet<UniqueId>,
    /// Number of retries of each ended registration. Retries without a confirmation are included.
    pub reopened: HashMap<UniqueId, usize>,
    /// Number of successful claims to report the end of each registration.
    pub claimed: HashMap<UniqueId, usize>,
    /// Number of claims without an answer, for each registration. The power may have failed before the answer arrived.
    pub unanswered: HashMap<UniqueId, usize>,
    pub done: HashSet<Verb>,
    /// Faults that were found.
    pub wrong: Vec<String>,
    added: usize,
    /// Maximum number of files in one registration.
    most: usize,
}

impl Board {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(KnownDownloads { most, ..KnownDownloads::default() })))
    }

    pub(super) fn known(&self) -> MutexGuard<'_, KnownDownloads> {
        self.0.lock().unwrap()
    }

    /// Performs the actions in `wishes` one after the other.
    pub(super) async fn act(self, engine: Engine, folder: PathBuf, wishes: Vec<Wish>) {
        for wish in wishes {
            sync::point().await;
            let done = self.wish(&engine, &folder, wish).await;
            match done {
                Ok(()) => drop(self.known().done.insert(wish.verb)),
                // Another user was faster and has removed or changed the registration, or has closed the engine.
                Err(EngineError::Unknown(_) | EngineError::WrongState(_) | EngineError::Closed) => {}
                Err(error) => self.known().wrong.push(format!("{wish:?}: {error}")),
            }
        }
    }

    async fn wish(&self, engine: &Engine, folder: &std::path::Path, wish: Wish) -> Result<(), EngineError> {
        match wish.verb {
            Verb::Add => return self.add(engine, folder, wish).await,
            Verb::PauseAll => return engine.pause(None).await,
            Verb::GoOnAll => return engine.resume(None).await,
            Verb::Look => return self.look(engine).await,
            Verb::Quit => {
                engine.close().await;
                return Ok(());
            }
            _ => {}
        }
        let id = {
            let known = self.known();
            let Some(at) = wish.whom.checked_rem(known.ids.len()) else { return Ok(()) };
            known.ids[at]
        };
        match wish.verb {
            Verb::Pause => engine.pause(Some(id)).await,
            Verb::GoOn => engine.resume(Some(id)).await,
            Verb::Abort => engine.abort(id).await.map(drop),
            Verb::First => engine.move_to(id, if wish.how.is_multiple_of(2) { QueuePlace::Now } else { QueuePlace::Top }).await,
            Verb::Retry => {
                *self.known().reopened.entry(id).or_default() += 1;
                engine.retry(id).await.map(drop)
            }
            Verb::Relink => {
                *self.known().reopened.entry(id).or_default() += 1;
                let record = engine.records(id, 0, 0).await?.into_iter().next().ok_or(EngineError::Unknown(id))?;
                let mut url: url::Url = record.url.parse().unwrap();
                url.set_host(Some(&format!("host{}.example", wish.how % 3))).unwrap();
                engine.relink(id, record.index, url.as_str(), None).await
            }
            _ => {
                engine.remove(id, false).await?;
                self.known().removed.insert(id);
                Ok(())
            }
        }
    }

    async fn add(&self, engine: &Engine, folder: &std::path::Path, wish: Wish) -> Result<(), EngineError> {
        let (number, most) = {
            let mut known = self.known();
            known.added += 1;
            (known.added, known.most)
        };
        let request = |index| NewRequest {
            url: format!("http://host{}.example/{number}/{index}", (wish.how + index) % 2),
            ..NewRequest::default()
        };
        let new = NewRegistration {
            owner: "people".to_owned(),
            source: RequestSource::CommandLine,
            folder: Some(folder.to_owned()),
            requests: (0..=wish.whom % most).map(request).collect(),
            ..NewRegistration::default()
        };
        let id = engine.create(new).await?.unique_id;
        self.known().ids.push(id);
        Ok(())
    }

    /// Checks that no list contains removed registrations.
    ///
    /// Also checks that no registration has more bytes than its files.
    pub(super) async fn look(&self, engine: &Engine) -> Result<(), EngineError> {
        let removed = self.known().removed.clone();
        let links: Vec<String> = (1..=3).map(|number| format!("http://host0.example/{number}/0")).collect();
        for file in engine.known(&links, None, None).await?.files {
            if removed.contains(&file.registration.unique_id) {
                self.known().wrong.push(format!("{} was removed, and is known", file.link));
            }
        }
        for one in engine.list(ListQuery::default()).await? {
            if removed.contains(&one.unique_id) {
                self.known().wrong.push(format!("{} was removed, and is in the list", one.unique_id));
            }
            if one.downloaded > SIZE * u64::from(one.requests) {
                self.known().wrong.push(format!("{} has {} bytes of {} files", one.unique_id, one.downloaded, one.requests));
            }
        }
        Ok(())
    }

    /// Claims the right to notify the user of each ended registration, as soon as its `Owed` event arrives.
    pub(super) async fn listen(self, engine: Engine) {
        let mut events = engine.events();
        for owed in engine.pending_notifications().await.unwrap_or_default() {
            self.claim(&engine, owed.unique_id).await;
        }
        while let Some(event) = sync::done(events.next()).await {
            if let EngineEvent::Owed { registration } = event {
                self.claim(&engine, registration.unique_id).await;
            }
        }
    }

    pub(super) async fn claim(&self, engine: &Engine, id: UniqueId) {
        *self.known().unanswered.entry(id).or_default() += 1;
        let is_ours = matches!(engine.claim(id).await, Ok(true));
        let mut known = self.known();
        *known.unanswered.entry(id).or_default() -= 1;
        *known.claimed.entry(id).or_default() += usize::from(is_ours);
    }
}
