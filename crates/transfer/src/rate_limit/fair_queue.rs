//! Whose turn it is: all limits, everybody who waits, and who gets the next portion. [pure]
//!
//! A portion passes when every limit on its way is open, so the tightest wins. Among those who could go, the transfer that
//! got least of late comes first, however many connections it has: so those who share a limit get equal parts of it, and
//! who is held to less by a limit of his own leaves the rest to the others. "Of late" fades in half a second, so nobody
//! can be owed anything from long ago, and a newcomer starts level with those who are there: ten thousand small files do
//! not shut out a large one.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use uuid::Uuid;

use crate::rate_limit::{RateLimit, token_bucket::TokenBucket};

/// How soon it is forgotten what a transfer got.
const FADES: Duration = Duration::from_millis(500);

/// What a limit is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlowScope {
    /// All transfers together.
    All,
    /// What comes from a host, or by way of it; its name as in a URL.
    Host(String),
    /// All transfers of one group.
    Group(Uuid),
}

/// Names a transfer among those that share limits.
pub(super) type FlowKey = u64;

/// All limits and who waits for them; `T` is how the one who waits is told.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    buckets: HashMap<FlowScope, TokenBucket>,
    flows: HashMap<FlowKey, Got>,
    waiting: Vec<Waiting<T>>,
}

/// What a transfer got of late.
#[derive(Debug)]
struct Got {
    bytes: f64,
    since: Instant,
    way: Arc<[FlowScope]>,
    /// When it last had to wait.
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

/// What a look at those who wait came to.
#[derive(Debug)]
pub(super) struct ServedFlow<T> {
    /// Who may pass, and with how many bytes; never with none.
    pub granted: Vec<(T, usize)>,
    /// When the next of those who still wait may.
    pub due: Option<Instant>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { buckets: HashMap::new(), flows: HashMap::new(), waiting: Vec::new() }
    }
}

impl<T> FairQueue<T> {
    /// Sets a limit, or takes it away.
    pub fn limit(&mut self, scope: FlowScope, rate: Option<RateLimit>, now: Instant) {
        match rate {
            None => drop(self.buckets.remove(&scope)),
            Some(rate) => match self.buckets.get_mut(&scope) {
                Some(bucket) => bucket.change(rate),
                None => drop(self.buckets.insert(scope, TokenBucket::new(rate, now))),
            },
        }
    }

    /// Whether any limit is on this way.
    pub fn is_limited(&self, way: &[FlowScope]) -> bool {
        way.iter().any(|scope| self.buckets.contains_key(scope))
    }

    /// Lets `flow` pass at once with some of `wanted` bytes, and says how many; none where it has to `ask`: its way is not
    /// open, or others wait as well.
    pub fn pass(&mut self, flow: FlowKey, way: &Arc<[FlowScope]>, wanted: usize, now: Instant) -> Option<usize> {
        let is_open = self.open_at(way).is_none_or(|open_at| open_at <= now);
        if !is_open || !self.waiting.is_empty() {
            return None;
        }
        self.join(flow, way, now);
        Some(self.grant(flow, way, wanted, now))
    }

    /// `flow` wants to pass with at most `wanted` bytes; answered by `serve`.
    pub fn ask(&mut self, flow: FlowKey, way: &Arc<[FlowScope]>, wanted: usize, tell: T, now: Instant) {
        self.join(flow, way, now);
        self.waiting.push(Waiting { flow, way: way.clone(), wanted, tell });
    }

    /// Lets pass whoever may by now, in turn. Who `is_gone` loses his place.
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

    /// The transfer is over.
    pub fn leave(&mut self, flow: FlowKey) {
        self.flows.remove(&flow);
        self.waiting.retain(|waiting| waiting.flow != flow);
    }

    /// When it last had to wait, where it did.
    pub fn held_back(&self, flow: FlowKey) -> Option<Instant> {
        self.flows.get(&flow)?.held_back
    }

    /// What one transfer gets of the limits on this way where all want their part: bytes a second. None without a limit.
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

    /// A portion of `wanted` passes.
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

    /// Who goes next, if anybody may by `now`.
    fn next(&self, now: Instant) -> Option<usize> {
        let may_go = |waiting: &Waiting<T>| self.open_at(&waiting.way).is_none_or(|open_at| open_at <= now);
        let of_late = |waiting: &Waiting<T>| self.flows.get(&waiting.flow).map_or(0.0, |got| got.of_late(now));
        let able = self.waiting.iter().enumerate().filter(|(_, waiting)| may_go(waiting));
        let able = able.map(|(index, waiting)| (index, of_late(waiting)));
        able.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(index, _)| index)
    }

    /// When every limit on this way is open; none where there is none.
    fn open_at(&self, way: &[FlowScope]) -> Option<Instant> {
        way.iter().filter_map(|scope| self.buckets.get(scope)).map(TokenBucket::open_at).max()
    }

    /// What those who are there already got of late: of those who share a limit, the most; of several limits, the least.
    fn level(&self, way: &[FlowScope], now: Instant) -> f64 {
        let limits = way.iter().filter(|scope| self.buckets.contains_key(scope));
        let most = |scope| {
            let sharing = self.flows.values().filter(|got| got.way.contains(scope));
            sharing.map(|got| got.of_late(now)).fold(0.0, f64::max)
        };
        limits.map(most).min_by(f64::total_cmp).unwrap_or(0.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "compared, never counted")]
fn as_float(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(test)]
#[path = "fair_queue_tests.rs"]
mod tests;
