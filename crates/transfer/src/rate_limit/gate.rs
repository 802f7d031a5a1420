//! Delays the bytes of a response or an upload until the speed limits permit them.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use tokio::{sync::oneshot, time};

use crate::rate_limit::{FlowScope, ThroughputMeter, now};

/// Route of a transfer's bytes through the speed limits.
#[derive(Debug)]
pub(crate) struct RateGate {
    meter: Arc<ThroughputMeter>,
    way: Arc<[FlowScope]>,
    /// Twice the last checked version of the limits, plus 1 if a limit applied to this route.
    seen: AtomicU64,
    wait: Mutex<Wait>,
}

/// Time during which the gate let no bytes pass.
#[derive(Debug, Default)]
struct Wait {
    since: Option<Instant>,
    before: Duration,
}

impl RateGate {
    pub(super) fn new(meter: Arc<ThroughputMeter>, way: Arc<[FlowScope]>) -> Self {
        Self { meter, way, seen: AtomicU64::new(0), wait: Mutex::default() }
    }

    /// Waits until bytes may pass. Returns their number, at most `wanted`.
    pub async fn pass(&self, wanted: usize) -> usize {
        if wanted == 0 || !self.is_limited() {
            return wanted;
        }
        let ahead = self.meter.take_ahead(wanted);
        if ahead > 0 {
            return ahead;
        }
        let mut told = {
            let now = now();
            let mut state = self.meter.common.state();
            if let Some(granted) = state.turns.pass(self.meter.flow, &self.way, wanted, now) {
                return granted;
            }
            let (tell, told) = oneshot::channel();
            state.turns.ask(self.meter.flow, &self.way, wanted, tell, now);
            self.meter.common.turn(&mut state, now);
            told
        };
        if let Ok(granted) = told.try_recv() {
            return granted;
        }
        self.wait().since = Some(now());
        let granted = told.await;
        let mut wait = self.wait();
        if let Some(since) = wait.since.take() {
            wait.before += now().saturating_duration_since(since);
        }
        // If the sender of the grant was dropped, no limit applies any more.
        granted.unwrap_or(wanted)
    }

    /// Waits until all `bytes` bytes have passed.
    pub async fn pass_all(&self, bytes: usize) {
        let mut left = bytes;
        while left > 0 {
            left -= self.pass(left).await;
        }
    }

    /// Gives back bytes that have already waited. They can then pass without another wait.
    pub fn release(&self, bytes: usize) {
        if self.is_limited() {
            self.meter.release(bytes as u64);
        }
    }

    /// Returns how long the gate has held back all bytes since the previous call of this function.
    pub fn take_wait(&self) -> Duration {
        let mut wait = self.wait();
        let now = now();
        let under_way = wait.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        wait.since = wait.since.map(|_| now);
        std::mem::take(&mut wait.before) + under_way
    }

    /// Returns the result of `work`, or `None` if `work` takes longer than `most`.
    ///
    /// The time during which the gate lets no bytes pass does not count.
    pub async fn within<T>(&self, most: Duration, work: impl Future<Output = T>) -> Option<T> {
        let mut work = std::pin::pin!(work);
        // Discard the waiting time before the start of `work`.
        self.take_wait();
        let begun = time::Instant::now();
        let mut waited = Duration::ZERO;
        loop {
            if let Ok(done) = time::timeout_at(begun + most + waited, &mut work).await {
                return Some(done);
            }
            waited += self.take_wait();
            if begun.elapsed().saturating_sub(waited) >= most {
                return None;
            }
        }
    }

    /// Returns whether a limit applies to this route.
    fn is_limited(&self) -> bool {
        let version = self.meter.common.version.load(Ordering::Acquire);
        let seen = self.seen.load(Ordering::Relaxed);
        if seen >> 1 == version {
            return seen & 1 == 1;
        }
        let is_limited = self.meter.common.state().turns.is_limited(&self.way);
        self.seen.store(version << 1 | u64::from(is_limited), Ordering::Relaxed);
        is_limited
    }

    fn wait(&self) -> MutexGuard<'_, Wait> {
        self.wait.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Splits the pieces of a body into portions.
///
/// With a limit, each portion waits until it may pass.
pub(crate) fn paced<E>(
    pieces: impl Stream<Item = Result<Bytes, E>> + Unpin,
    gate: Arc<RateGate>,
) -> impl Stream<Item = Result<Bytes, E>> {
    let portions = stream::unfold((pieces, Bytes::new(), gate), |(mut pieces, mut rest, gate)| async move {
        if rest.is_empty() {
            rest = match pieces.next().await? {
                Ok(piece) => piece,
                Err(error) => return Some((Err(error), (pieces, rest, gate))),
            };
        }
        let portion = rest.split_to(gate.pass(rest.len()).await);
        Some((Ok(portion), (pieces, rest, gate)))
    });
    // A caller may poll the body again after its end.
    portions.fuse()
}
