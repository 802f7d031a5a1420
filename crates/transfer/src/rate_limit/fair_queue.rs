//! Decides which waiting transfer gets the next portion, under all limits. [pure]
//!
//! - A portion passes when every limit on its route is open, so the tightest limit applies.
//! - If several transfers could pass, the one that recently received the fewest bytes goes first, regardless of its
//!   number of connections. Transfers with the same limit therefore get equal shares. If one of them also has a tighter
//!   limit, the others get the bandwidth that it cannot use.
//! - Recent usage fades within half a second, so that old usage does not affect the order. A new transfer starts with
//!   the usage of the existing transfers, so that ten thousand small files do not starve a large file.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use uuid::Uuid;

use crate::rate_limit::{RateLimit, token_bucket::TokenBucket};

/// Time constant with which the recent usage of a transfer fades.
const FADES: Duration = Duration::from_millis(500);

/// Transfers to which a limit applies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlowScope {
    /// All transfers together.
    All,
    /// Transfers from this host, or redirected by this host. The name has the same form as in a URL.
    Host(String),
    /// All transfers of one group.
    Group(Uuid),
}

/// Number that identifies a transfer among all transfers with shared limits.
pub(super) type FlowKey = u64;

/// All limits, and the requests that wait for them.
///
/// `T` is the channel for the answer to a request.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    buckets: HashMap<FlowScope, TokenBucket>,
    flows: HashMap<FlowKey, Got>,
    waiting: Vec<Waiting<T>>,
}

/// Recent usage of a transfer.
#[derive(Debug)]
struct Got {
    bytes: f64,
    since: Instant,
    way: Arc<[FlowScope]>,
    /// Time at which the transfer last had to wait.
    held_back: Option<Instant>,
}

impl Got {
    fn of_late(&self, now: Instant) -> f64 {
        self.bytes * (-(now.saturating_duration_since(self.since).as_secs_f64() / FADES.as_secs_f64())).exp()
    }
}

#[derive(Debug)]
struct Waiting<T> {
    flow: FlowKey,
    way: Arc<[FlowScope]>,
    wanted: usize,
    tell: T,
}

/// Result of serving the waiting requests.
#[derive(Debug)]
pub(super) struct ServedFlow<T> {
    /// Requests that may pass now, each with its number of bytes, which is never 0.
    pub granted: Vec<(T, usize)>,
    /// Time at which the next waiting request may pass.
    pub due: Option<Instant>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { buckets: HashMap::new(), flows: HashMap::new(), waiting: Vec::new() }
    }
}

impl<T> FairQueue<T> {
    /// Sets a limit, or removes it.
    pub fn limit(&mut self, scope: FlowScope, rate: Option<RateLimit>, now: Instant) {
        match rate {
            None => drop(self.buckets.remove(&scope)),
            Some(rate) => match self.buckets.get_mut(&scope) {
                Some(bucket) => bucket.change(rate),
                None => drop(self.buckets.insert(scope, TokenBucket::new(rate, now))),
            },
        }
    }

    /// Returns whether any limit applies to this route.
    pub fn is_limited(&self, way: &[FlowScope]) -> bool {
        way.iter().any(|scope| self.buckets.contains_key(scope))
    }

    /// Lets up to `wanted` bytes of `flow` pass immediately. Returns the number of passed bytes.
    ///
    /// Returns `None` if the route is not open, or if other requests are waiting. The caller must then call `ask`.
    pub fn pass(&mut self, flow: FlowKey, way: &Arc<[FlowScope]>, wanted: usize, now: Instant) -> Option<usize> {
        let is_open = self.open_at(way).is_none_or(|open_at| open_at <= now);
        if !is_open || !self.waiting.is_empty() {
            return None;
        }
        self.join(flow, way, now);
        Some(self.grant(flow, way, wanted, now))
    }

    /// Queues a request of `flow` for at most `wanted` bytes. `serve` will answer it.
    pub fn ask(&mut self, flow: FlowKey, way: &Arc<[FlowScope]>, wanted: usize, tell: T, now: Instant) {
        self.join(flow, way, now);
        self.waiting.push(Waiting { flow, way: way.clone(), wanted, tell });
    }

    /// Grants the waiting requests that may pass at the time `now`, in fair order.
    ///
    /// Drops requests for which `is_gone` is true.
    pub fn serve(&mut self, now: Instant, is_gone: impl Fn(&T) -> bool) -> ServedFlow<T> {
        self.waiting.retain(|waiting| !is_gone(&waiting.tell));
        let mut granted = Vec::new();
        while let Some(index) = self.next(now) {
            let Waiting { flow, way, wanted, tell } = self.waiting.remove(index);
            granted.push((tell, self.grant(flow, &way, wanted, now)));
        }
        for waiting in &self.waiting {
            if let Some(got) = self.flows.get_mut(&waiting.flow) {
                got.held_back = Some(now);
            }
        }
        let due = self.waiting.iter().filter_map(|waiting| self.open_at(&waiting.way)).min();
        ServedFlow { granted, due }
    }

    /// Removes an ended transfer.
    pub fn leave(&mut self, flow: FlowKey) {
        self.flows.remove(&flow);
        self.waiting.retain(|waiting| waiting.flow != flow);
    }

    /// Returns the time at which the transfer last had to wait, if it ever had to.
    pub fn held_back(&self, flow: FlowKey) -> Option<Instant> {
        self.flows.get(&flow)?.held_back
    }

    /// Returns the speed that one transfer gets on this route if all transfers use their full share.
    ///
    /// The unit is bytes per second. Returns `None` if no limit applies.
    pub fn share(&self, way: &[FlowScope]) -> Option<u64> {
        let among = |scope| self.flows.values().filter(|got| got.way.contains(scope)).count().max(1) as u64;
        way.iter().filter_map(|scope| Some(self.buckets.get(scope)?.rate().bytes() / among(scope))).min()
    }

    fn join(&mut self, flow: FlowKey, way: &Arc<[FlowScope]>, now: Instant) {
        if !self.flows.contains_key(&flow) {
            let bytes = self.level(way, now);
            self.flows.insert(flow, Got { bytes, since: now, way: way.clone(), held_back: None });
        }
    }

    /// Grants a portion of at most `wanted` bytes. Returns its size.
    fn grant(&mut self, flow: FlowKey, way: &[FlowScope], wanted: usize, now: Instant) -> usize {
        let most = way.iter().filter_map(|scope| self.buckets.get(scope)).map(TokenBucket::portion).min();
        let bytes = wanted.min(most.and_then(|most| usize::try_from(most).ok()).unwrap_or(wanted));
        for scope in way {
            if let Some(bucket) = self.buckets.get_mut(scope) {
                bucket.pay(bytes as u64, now);
            }
        }
        if let Some(got) = self.flows.get_mut(&flow) {
            (got.bytes, got.since) = (got.of_late(now) + as_float(bytes as u64), now);
        }
        bytes
    }

    /// Returns the index of the next request that may pass at the time `now`.
    fn next(&self, now: Instant) -> Option<usize> {
        let may_go = |waiting: &Waiting<T>| self.open_at(&waiting.way).is_none_or(|open_at| open_at <= now);
        let of_late = |waiting: &Waiting<T>| self.flows.get(&waiting.flow).map_or(0.0, |got| got.of_late(now));
        let able = self.waiting.iter().enumerate().filter(|(_, waiting)| may_go(waiting));
        let able = able.map(|(index, waiting)| (index, of_late(waiting)));
        able.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(index, _)| index)
    }

    /// Returns the time at which all limits on this route are open, or `None` if no limit applies.
    fn open_at(&self, way: &[FlowScope]) -> Option<Instant> {
        way.iter().filter_map(|scope| self.buckets.get(scope)).map(TokenBucket::open_at).max()
    }

    /// Returns the initial usage of a new transfer.
    ///
    /// For each limit, determines the highest recent usage of its transfers. Returns the lowest of these values.
    fn level(&self, way: &[FlowScope], now: Instant) -> f64 {
        let limits = way.iter().filter(|scope| self.buckets.contains_key(scope));
        let most = |scope| {
            let sharing = self.flows.values().filter(|got| got.way.contains(scope));
            sharing.map(|got| got.of_late(now)).fold(0.0, f64::max)
        };
        limits.map(most).min_by(f64::total_cmp).unwrap_or(0.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "the values are only compared")]
fn as_float(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(test)]
#[path = "fair_queue_tests.rs"]
mod tests;
