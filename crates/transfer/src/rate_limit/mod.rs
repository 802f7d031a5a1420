//! How fast bytes may come and go: limits for all transfers, for a host and for a group, changed while they run.
//!
//! What has come of a body is handed on in portions, each of which waits for its turn, and no more is read before: so the
//! server is slowed, and nothing piles up here. What was sent waits in the same way. `token_bucket` is one limit, `fair_queue` says
//! who goes next; here are the clock, and how whoever waits is woken. Where no limit is on the way, a body costs one look
//! at a number for each piece.

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

/// A limited transfer that did not have to wait for so long has a slow server, not a tight limit.
const TELLING: Duration = Duration::from_millis(500);
/// A connection more is worth having where a limit leaves each of them so many bytes a second.
const WORTH_A_CONNECTION: u64 = 1 << 20;

/// All limits. Lives as long as the transfers do.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    common: Arc<Common>,
    clock: AbortHandle,
}

#[derive(Debug)]
struct Common {
    state: Mutex<State>,
    /// Changes whenever a limit does.
    version: AtomicU64,
    next_flow: AtomicU64,
    /// Somebody is due before whoever the clock sleeps for.
    is_sooner: Notify,
}

#[derive(Debug, Default)]
struct State {
    turns: FairQueue<oneshot::Sender<usize>>,
    /// When the clock wakes.
    wakes: Option<Instant>,
}

/// One transfer among those that share limits.
#[derive(Debug)]
pub(crate) struct ThroughputMeter {
    common: Arc<Common>,
    flow: FlowKey,
    group: Option<Uuid>,
    /// The way of its own address.
    way: Arc<[FlowScope]>,
    begun: Instant,
    /// Bytes that had their turn already and come by once more.
    ahead: AtomicU64,
}

impl RateLimiter {
    /// Without any limit; its clock runs on `runtime`.
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

    /// Sets a limit, or takes it away; those who wait are held to it from now on.
    pub fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        let now = now();
        let mut state = self.common.state();
        state.turns.limit(scope, rate, now);
        self.common.version.fetch_add(1, Ordering::AcqRel);
        self.common.turn(&mut state, now);
    }

    /// A transfer of `group` that asks `url`.
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
    /// What bytes pass that come by way of `addresses`, or go there.
    pub fn gate(self: &Arc<Self>, addresses: &[Url]) -> RateGate {
        RateGate::new(self.clone(), scopes_for(addresses, self.group))
    }

    /// Whether a limit is on the way of its own address.
    pub fn is_limited(&self) -> bool {
        self.common.state().turns.is_limited(&self.way)
    }

    /// Of `most` connections, how many are of use: where a limit is what holds the transfer back, more of them bring
    /// nothing, and each would be so slow that its server may give it up.
    pub fn connections(&self, most: usize) -> usize {
        let state = self.common.state();
        let Some(share) = state.turns.share(&self.way) else { return most };
        let now = now();
        // Until it was seen that the limit does not matter, it does.
        let last = state.turns.held_back(self.flow).unwrap_or(self.begun).max(self.begun);
        match now.saturating_duration_since(last) < TELLING {
            true => most.min(usize::try_from((share / WORTH_A_CONNECTION).max(1)).unwrap_or(most)),
            false => most,
        }
    }

    /// `bytes` had their turn and will come by again.
    fn release(&self, bytes: u64) {
        self.ahead.fetch_add(bytes, Ordering::AcqRel);
    }

    /// How many of `wanted` bytes had their turn already.
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

    /// Lets pass whoever may, and wakes the clock where it would sleep too long.
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
    /// Lets pass whoever may. Returns when the next one may.
    fn serve(&mut self, now: Instant) -> Option<Instant> {
        let served = self.turns.serve(now, oneshot::Sender::is_closed);
        for (tell, bytes) in served.granted {
            // Who went away meanwhile leaves one portion unused.
            let _ = tell.send(bytes);
        }
        served.due
    }
}

/// Lets pass whoever may when it is time.
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

/// The limits that may be on the way of bytes that come by way of `addresses`.
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

/// The time, which a test may hold.
fn now() -> Instant {
    time::Instant::now().into_std()
}
