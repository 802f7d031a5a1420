//! Holds the handles that all runs share, and the list of running transfers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use url::Origin;

use crate::{
    download::pending_responses::PendingResponses,
    http::client::HttpClient,
    model::{event::TransferEvent, outcome::TransferOutcome, spec::Guid},
    partial::{batch_publish::batch::PublishBatch, scan::PartialIndex, space_reservation::SpaceReservations},
    plan::{mirrors::MirrorHosts, progress::ByteCounters},
    rate_limit::RateLimiter,
};

/// Handles shared by all runs.
#[derive(Debug)]
pub(crate) struct RunContext {
    /// Client for new runs. A running transfer keeps its own client.
    pub(crate) client: RwLock<HttpClient>,
    pub events: mpsc::UnboundedSender<TransferEvent>,
    pub index: Arc<PartialIndex>,
    pub batch: PublishBatch,
    pub memory: Semaphore,
    pub hosts: MirrorHosts,
    pub(crate) throttle: RateLimiter,
    pub promises: SpaceReservations,
    pub(crate) answers: PendingResponses,
    pub(crate) running: Mutex<HashMap<Guid, RunningTasks>>,
}

#[derive(Debug)]
pub(crate) struct RunningTasks {
    pub(crate) origin: Origin,
    pub(crate) counters: Arc<ByteCounters>,
    pub(crate) stop: CancellationToken,
    pub(crate) ended: CancellationToken,
}

impl RunContext {
    pub(crate) fn client(&self) -> HttpClient {
        self.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn running(&self) -> MutexGuard<'_, HashMap<Guid, RunningTasks>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the transfer from the list of running transfers, and emits its outcome.
    ///
    /// Both happen under one lock, because the caller may restart the transfer as soon as it receives the outcome.
    pub(crate) fn done(&self, guid: Guid, outcome: TransferOutcome) {
        let mut running = self.running();
        running.remove(&guid);
        let _ = self.events.send(TransferEvent::Done { guid, outcome });
    }
}
