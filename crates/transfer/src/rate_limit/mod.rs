//! Limits the speed of transfers: of all transfers, of a host and of a group. Limits can change at any time.
//!
//! - A received body is passed on in portions. Each portion waits until the limits permit it. Meanwhile no bytes are
//!   read, so the server slows down and no data accumulates here. Sent bytes wait in the same way.
//! - `token_bucket` implements a single limit, and `fair_queue` decides the order. This module contains the clock, and
//!   wakes waiting requests.
//! - Without a limit, a body costs one atomic read per piece.

mod fair_queue;
mod gate;
mod rate;
#[cfg(test)]
mod tests;
mod token_bucket;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    runtime::Handle,
    sync::{Notify, oneshot},
    task::AbortHandle,
    time,
};
use url::Url;
use uuid::Uuid;

pub use fair_queue::FlowScope;
use fair_queue::{FairQueue, FlowKey};
pub(crate) use gate::{RateGate, paced};
pub use rate::{NotARate, RateLimit};

/// If a transfer has not waited for this time, its speed is limited by the server, and not by a speed limit.
const TELLING: Duration = Duration::from_millis(500);
/// Minimum bytes per second for each connection under a limit.
///
/// With a smaller share, another connection is not worthwhile.
const WORTH_A_CONNECTION: u64 = 1 << 20;

/// All speed limits. Exists as long as the transfers that use it.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    common: Arc<Common>,
    clock: AbortHandle,
}

#[derive(Debug)]
struct Common {
    state: Mutex<State>,
    /// Counter that increases with each change of a limit.
    version: AtomicU64,
    next_flow: AtomicU64,
    /// Notification that a request is due before the time at which the clock would wake.
    is_sooner: Notify,
}

#[derive(Debug, Default)]
struct State {
    turns: FairQueue<oneshot::Sender<usize>>,
    /// Time at which the clock wakes.
    wakes: Option<Instant>,
}

/// Handle that a transfer uses to wait for the shared limits.
#[derive(Debug)]
pub(crate) struct ThroughputMeter {
    common: Arc<Common>,
    flow: FlowKey,
    group: Option<Uuid>,
    /// Route of bytes that come directly from the transfer's own URL.
    way: Arc<[FlowScope]>,
    begun: Instant,
    /// Number of bytes that have already waited. The same number of later bytes passes without a wait.
    ahead: AtomicU64,
}

impl RateLimiter {
    /// Starts a limiter without limits. Its clock runs on `runtime`.
    pub fn start(runtime: &Handle) -> Self {
        let common = Arc::new(Common {
            state: Mutex::default(),
            version: AtomicU64::new(1),
            next_flow: AtomicU64::new(0),
            is_sooner: Notify::new(),
        });
        let clock = runtime.spawn(run(common.clone())).abort_handle();
        Self { common, clock }
    }

    /// Sets a limit, or removes it. The change also applies to waiting requests.
    pub fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        let now = now();
        let mut state = self.common.state();
        state.turns.limit(scope, rate, now);
        self.common.version.fetch_add(1, Ordering::AcqRel);
        self.common.turn(&mut state, now);
    }

    /// Creates the meter of a transfer in `group` that requests `url`.
    pub fn meter(&self, url: &Url, group: Option<Uuid>) -> ThroughputMeter {
        let flow = self.common.next_flow.fetch_add(1, Ordering::Relaxed);
        let way = scopes_for(std::slice::from_ref(url), group);
        ThroughputMeter { common: self.common.clone(), flow, group, way, begun: now(), ahead: AtomicU64::new(0) }
    }
}

impl Drop for RateLimiter {
    fn drop(&mut self) {
        self.clock.abort();
    }
}

impl ThroughputMeter {
    /// Creates the gate for bytes that are received or sent through `addresses`.
    ///
    /// The limits of every host in `addresses` apply.
    pub fn gate(self: &Arc<Self>, addresses: &[Url]) -> RateGate {
        RateGate::new(self.clone(), scopes_for(addresses, self.group))
    }

    /// Returns whether a limit applies to the transfer's own URL.
    pub fn is_limited(&self) -> bool {
        self.common.state().turns.is_limited(&self.way)
    }

    /// Returns the useful number of connections, at most `most`.
    ///
    /// If a limit slows down the transfer, more connections gain nothing. Each would be so slow that the server might
    /// close it.
    pub fn connections(&self, most: usize) -> usize {
        let state = self.common.state();
        let Some(share) = state.turns.share(&self.way) else { return most };
        let now = now();
        // Assume that the limit slows down the transfer, until the opposite is observed.
        let last = state.turns.held_back(self.flow).unwrap_or(self.begun).max(self.begun);
        match now.saturating_duration_since(last) < TELLING {
            true => most.min(usize::try_from((share / WORTH_A_CONNECTION).max(1)).unwrap_or(most)),
            false => most,
        }
    }

    /// Records bytes that have already waited. They can then pass without another wait.
    fn release(&self, bytes: u64) {
        self.ahead.fetch_add(bytes, Ordering::AcqRel);
    }

    /// Returns how many of `wanted` bytes have already waited.
    fn take_ahead(&self, wanted: usize) -> usize {
        let taken = self.ahead.fetch_update(Ordering::AcqRel, Ordering::Acquire, |ahead| {
            Some(ahead.saturating_sub(wanted as u64)).filter(|_| ahead > 0)
        });
        taken.map_or(0, |ahead| usize::try_from(ahead).map_or(wanted, |ahead| ahead.min(wanted)))
    }
}

impl Drop for ThroughputMeter {
    fn drop(&mut self) {
        self.common.state().turns.leave(self.flow);
    }
}

impl Common {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grants the requests that may pass, and wakes the clock if the next request is due earlier.
    fn turn(&self, state: &mut State, now: Instant) {
        if let Some(due) = state.serve(now)
            && state.wakes.is_none_or(|wakes| due < wakes)
        {
            state.wakes = Some(due);
            self.is_sooner.notify_one();
        }
    }
}

impl State {
    /// Grants the requests that may pass now.
    ///
    /// Returns the time at which the next waiting request may pass.
    fn serve(&mut self, now: Instant) -> Option<Instant> {
        let served = self.turns.serve(now, oneshot::Sender::is_closed);
        for (tell, bytes) in served.granted {
            // If the request was dropped in the meantime, its granted bytes stay unused.
            let _ = tell.send(bytes);
        }
        served.due
    }
}

/// Grants each request as soon as it may pass.
async fn run(common: Arc<Common>) {
    loop {
        let wakes = {
            let mut state = common.state();
            state.wakes = state.serve(now());
            state.wakes
        };
        let sleep = async {
            match wakes {
                Some(wakes) => time::sleep_until(wakes.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = common.is_sooner.notified() => {}
            () = sleep => {}
        }
    }
}

/// Returns the limits that may apply to bytes from `addresses`.
fn scopes_for(addresses: &[Url], group: Option<Uuid>) -> Arc<[FlowScope]> {
    let mut way = vec![FlowScope::All];
    way.extend(group.map(FlowScope::Group));
    for host in addresses.iter().filter_map(Url::host_str) {
        let scope = FlowScope::Host(host.to_owned());
        if !way.contains(&scope) {
            way.push(scope);
        }
    }
    way.into()
}

/// Returns the current time, from a clock that tests can pause.
fn now() -> Instant {
    time::Instant::now().into_std()
}
