//! The handles that every run shares, and the list of running transfers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use url::Origin;

use crate::{
    download::pending_responses::Answers,
    http::client::Http,
    model::{event::Event, outcome::Outcome, spec::Guid},
    partial::{batch_publish::batch::Batch, scan::Index, space_reservation::Promises},
    plan::{mirrors::Hosts, progress::Counters},
    rate_limit::Throttle,
};

/// Handles that every run shares.
#[derive(Debug)]
pub(crate) struct Shared {
    /// How what starts from now on asks servers; what runs keeps what it began with.
    pub(crate) client: RwLock<Http>,
    pub events: mpsc::UnboundedSender<Event>,
    pub index: Arc<Index>,
    pub batch: Batch,
    pub memory: Semaphore,
    pub hosts: Hosts,
    pub(crate) throttle: Throttle,
    pub promises: Promises,
    pub(crate) answers: Answers,
    pub(crate) running: Mutex<HashMap<Guid, Running>>,
}

#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) origin: Origin,
    pub(crate) counters: Arc<Counters>,
    pub(crate) stop: CancellationToken,
    pub(crate) ended: CancellationToken,
}

impl Shared {
    pub(crate) fn client(&self) -> Http {
        self.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn running(&self) -> MutexGuard<'_, HashMap<Guid, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the list and tells, in one step: who hears that it is done may start it again.
    pub(crate) fn done(&self, guid: Guid, outcome: Outcome) {
        let mut running = self.running();
        running.remove(&guid);
        let _ = self.events.send(Event::Done { guid, outcome });
    }
}
