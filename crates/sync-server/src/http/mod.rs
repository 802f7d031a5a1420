//! Serves the protocol over HTTP: routes, authentication and responses.
//!
//! The order of checks is fixed: route, rate, authentication, formats, headers, length, body; then the database
//! decides.

mod account;
mod enter;
mod events;
mod failure;
mod info;
mod linger;
mod listener;
mod metrics;
mod reply;
mod routes;
mod storage;
pub mod tls;

use std::{
    net::IpAddr,
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use ipnet::IpNet;
use tokio::sync::watch;

#[cfg(debug_assertions)]
pub(crate) use self::account::read_enrolment;
use self::events::ChangeStreams;
pub use self::{
    account::set_up_invite,
    events::follow_other_nodes,
    listener::{HttpListener, ListenError, serve_metrics},
    metrics::ServerMetrics,
    routes::{ConnectedPeer, answer},
};
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
    /// Secret of tokens.
    pub secret: ServerSecret,
    /// Source of time.
    pub clock: ServerClock,
    /// Settings of the operator.
    pub settings: HttpSettings,
    /// Counts of requests.
    pub metrics: ServerMetrics,
    changes: ChangeStreams,
    enrolments: EnrolRates,
    requests: EnrolRates,
    under_way: AtomicUsize,
    closing: watch::Sender<bool>,
}

/// Settings of the operator.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// Whether a token with a valid signature creates its user.
    pub allows_new_users: bool,
    /// URL of the server for clients, without a slash at the end; `None` for that of the header `Host`.
    pub public_url: Option<String>,
    /// Proxies that may connect without TLS and name the client.
    pub proxies: Vec<IpNet>,
    /// Time limit for the body of a request; afterwards 408.
    pub body_time: Duration,
    /// Time limit for the head of a request; afterwards the connection is closed.
    pub head_time: Duration,
    /// Time limit for a TLS handshake; afterwards the connection is closed.
    pub handshake_time: Duration,
    /// Time limit for a client to accept a part of a long listing; afterwards the response is cut.
    pub reader_time: Duration,
    /// Time limit for pending requests when the server ends.
    pub ending_time: Duration,
    /// Requests per second and burst of one device on another machine.
    pub rate: (f64, f64),
    /// Number of concurrent requests above which responses carry X-Weave-Backoff.
    pub busy: usize,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            allows_new_users: false,
            public_url: None,
            proxies: Vec::new(),
            body_time: Duration::from_secs(60),
            head_time: Duration::from_secs(30),
            handshake_time: Duration::from_secs(10),
            reader_time: Duration::from_secs(60),
            ending_time: Duration::from_secs(10),
            rate: (200.0, 2000.0),
            busy: 256,
        }
    }
}

impl HttpSettings {
    /// Whether this address is a named proxy.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }
}

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

    /// Ends event streams and listeners. Requests in progress are answered.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits until the server ends.
    pub async fn closed(&self) {
        let _ = self.closing().wait_for(|closing| *closing).await;
    }

    /// Returns a flag that becomes true when the server ends.
    fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
