//! Holds the state that all requests share.

use std::sync::{Arc, atomic::AtomicUsize};

use tokio::sync::watch;

use super::{HttpSettings, ServerMetrics, changes::ChangeStreams};
use crate::{
    auth::{limit::EnrolRates, token::ServerSecret},
    clock::ServerClock,
    store::SyncStore,
};

/// State shared by all requests.
#[derive(Debug)]
pub struct SyncApp {
    /// Database.
    pub store: SyncStore,
    /// Secret that signs tokens.
    pub secret: ServerSecret,
    /// Source of time.
    pub clock: ServerClock,
    /// Settings of the operator.
    pub settings: HttpSettings,
    /// Counts of requests.
    pub metrics: ServerMetrics,
    pub(super) changes: ChangeStreams,
    pub(super) enrolments: EnrolRates,
    pub(super) requests: EnrolRates,
    pub(super) under_way: AtomicUsize,
    pub(super) closing: watch::Sender<bool>,
}

/// State shared by handlers.
pub(super) type SharedApp = Arc<SyncApp>;

impl SyncApp {
    /// Creates the state for requests.
    pub fn new(store: SyncStore, secret: ServerSecret, clock: ServerClock, settings: HttpSettings) -> Arc<Self> {
        let requests = EnrolRates::new(settings.rate.0, settings.rate.1);
        Arc::new(Self {
            store,
            secret,
            clock,
            settings,
            metrics: ServerMetrics::default(),
            changes: ChangeStreams::new(),
            enrolments: EnrolRates::new(10.0 / 60.0, 10.0),
            requests,
            under_way: AtomicUsize::new(0),
            closing: watch::Sender::new(false),
        })
    }

    /// Closes event streams and listening sockets. Requests in progress are still answered.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits until the server ends.
    pub async fn closed(&self) {
        let _ = self.closing().wait_for(|closing| *closing).await;
    }

    /// Returns a flag that becomes true when the server ends.
    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
