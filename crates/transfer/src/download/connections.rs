//! Fetches one file over several connections.
//!
//! - The first connection leads. Additional connections join after a response proves that range requests work.
//! - Each additional connection takes the next segment from the plan. `other_connections` fetches this segment.
//! - A network failure of an additional connection does not stop the other connections. An exhausted quota or a failed
//!   writer ends the transfer.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::{
    download::{
        context::RunContext,
        other_connections::{Other, OtherConnections},
        segment::{self, ConnectionContext, ExpectedPrefix, RangeSupport, SegmentEnd},
    },
    http::{client::HttpClient, content_encoding::BodyDecoder, resume_validation::ResumeVerdict},
    model::{byte_budget::ByteReservation, failure::TransferFailure, spec::TransferSpec},
    partial::{part::PartialFile, writer::PartialWriter},
    plan::{
        connection_count::ConnectionTuner,
        mirrors::MirrorSources,
        progress::ByteCounters,
        segment_plan::{JobId, SegmentJob, SegmentPlan},
    },
    rate_limit::ThroughputMeter,
};

/// Interval between checks of whether an additional connection can take over work from a slow one.
const LOOK: Duration = Duration::from_millis(100);
/// Number of consecutive failures after which no further connections join.
const MOST_FAILURES: u32 = 3;

/// Response of the leading connection.
pub(crate) struct LeadingResponse {
    pub body: BodyDecoder,
    /// Bytes on disk. The beginning of the body must repeat these bytes, so that the two can be compared.
    pub overlap: Vec<u8>,
    /// Offset in the file at which the response ends, exclusive.
    pub reach: u64,
}

/// Inputs for fetching one file.
pub(crate) struct SegmentedFetch<'a> {
    pub shared: &'a RunContext,
    /// Client for the additional connections.
    pub client: &'a HttpClient,
    pub spec: &'a TransferSpec,
    pub counters: &'a ByteCounters,
    pub meter: &'a Arc<ThroughputMeter>,
    pub stop: &'a CancellationToken,
    /// Receives the caller's acknowledgement that the head is persisted.
    ///
    /// If the sending end of the channel is dropped, the transfer stops.
    pub ack: &'a mut Option<oneshot::Receiver<()>>,
    pub claim: &'a Mutex<ByteReservation>,
    pub writer: &'a PartialWriter,
    pub part: Arc<PartialFile>,
    pub sources: &'a MirrorSources,
    pub plan: SegmentPlan,
    /// Complete size of the file. `None` if no additional connections may join.
    pub shared_size: Option<u64>,
}

/// Result of fetching one file.
pub(crate) struct FetchedFile {
    pub ended: SegmentEnd,
    /// Whether a response proved that ranges work.
    pub ranges_work: bool,
    /// Whether any response has an unverified length.
    pub is_unverified: bool,
}

enum Done {
    Lead(JobId, SegmentEnd),
    Other(JobId, Other),
}

type Working<'a> = FuturesUnordered<Pin<Box<dyn Future<Output = Done> + Send + 'a>>>;

/// Limits for additional connections.
struct ConnectionPool {
    /// Maximum number of simultaneous connections.
    most: usize,
    /// Whether additional connections are still allowed.
    is_open: bool,
    failures: u32,
}

impl SegmentedFetch<'_> {
    /// Downloads as many of the missing bytes as possible.
    pub async fn run(self, lead: LeadingResponse) -> FetchedFile {
        let Self { shared, client, spec, counters, meter, stop, ack, claim, writer, part, sources, plan, shared_size } = self;
        let config = client.config();
        let most = config.connections.min(spec.connections.unwrap_or(usize::MAX)).max(1);
        let plan = Arc::new(Mutex::new(plan));
        counters.show(&plan);
        let halt = stop.child_token();
        let backlog = Mutex::new(ConnectionTuner::new(Instant::now()));
        let (proof, has_news, moved) = (RangeSupport::default(), Notify::new(), Notify::new());
        let unverified = AtomicBool::new(false);
        let lane = ConnectionContext {
            config,
            most,
            counters,
            stop: &halt,
            claim,
            writer,
            plan: &plan,
            backlog: &backlog,
            proof: &proof,
            moved: &moved,
            unverified: &unverified,
        };
        let others = OtherConnections { client, spec, meter, lane: &lane, part: &part, sources, has_news: &has_news };
        let Some(SegmentJob { id, .. }) = lane_plan(&plan).lead(std::time::Instant::now()) else {
            return FetchedFile { ended: SegmentEnd::Cleanly, ranges_work: false, is_unverified: false };
        };
        let mut fetching = RunningFetch::new(shared, &others, shared_size);
        fetching.start_leading(id, lead);
        fetching.run_to_end(ack, writer).await;
        let ended = fetching.into_end();
        FetchedFile { ended, ranges_work: proof.is_given(), is_unverified: unverified.load(Ordering::Acquire) }
    }
}

/// Running connections of one file, and the results of ended connections.
struct RunningFetch<'a> {
    shared: &'a RunContext,
    others: &'a OtherConnections<'a>,
    /// Complete size of the file. `None` if no additional connections may join.
    shared_size: Option<u64>,
    pool: ConnectionPool,
    working: Working<'a>,
    /// Reason why all connections are stopped. `None` while they may continue.
    stopping_end: Option<SegmentEnd>,
    /// Last failure that ended only one connection, not the transfer.
    failed: Option<TransferFailure>,
    /// Whether a body ended without any new bytes.
    is_short: bool,
}

impl<'a> RunningFetch<'a> {
    fn new(shared: &'a RunContext, others: &'a OtherConnections<'a>, shared_size: Option<u64>) -> Self {
        let connections = others.lane.most;
        let is_open = shared_size.is_some() && connections > 1;
        let pool = ConnectionPool { most: connections, is_open, failures: 0 };
        Self { shared, others, shared_size, pool, working: Working::new(), stopping_end: None, failed: None, is_short: false }
    }

    fn start_leading(&mut self, id: JobId, LeadingResponse { body, overlap, reach }: LeadingResponse) {
        let lane = self.others.lane;
        self.working.push(Box::pin(async move {
            Done::Lead(id, lane.stream_into(id, body, ExpectedPrefix::Held(overlap), reach).await)
        }));
    }

    /// Runs the connections until all of them have ended.
    async fn run_to_end(&mut self, ack: &mut Option<oneshot::Receiver<()>>, writer: &PartialWriter) {
        let (lane, has_news) = (self.others.lane, self.others.has_news);
        let mut checkpoint_at = Instant::now() + lane.config.checkpoint_interval;
        loop {
            let most = if lane.proof.is_given() { self.pool.most } else { self.pool.most.min(2) };
            lane.backlog().looked(Instant::now());
            self.add_connections(most);
            let has_room = self.pool.is_open && self.working.len() < most;
            tokio::select! {
                biased;
                answered = stored(ack) => {
                    *ack = None;
                    if answered.is_err() {
                        self.stop_all(SegmentEnd::Stopped);
                    }
                }
                done = self.working.next() => match done {
                    Some(done) => self.on_done(done),
                    None => break,
                },
                () = has_news.notified() => {}
                () = sleep_until(checkpoint_at) => {
                    writer.checkpoint();
                    checkpoint_at = Instant::now() + lane.config.checkpoint_interval;
                }
                () = sleep(LOOK), if has_room => {}
            }
        }
    }

    /// Starts connections as long as the plan has jobs, up to `most` connections in total.
    fn add_connections(&mut self, most: usize) {
        let others = self.others;
        let OtherConnections { lane, meter, .. } = others;
        let Some(total) = self.shared_size else { return };
        while self.pool.is_open
            && self.stopping_end.is_none()
            && self.working.len() < meter.connections(most).min(lane.connections())
        {
            let job = {
                let mut plan = lane_plan(lane.plan);
                plan.share(lane.most);
                plan.next(lane.connections(), std::time::Instant::now())
            };
            let Some(job) = job else { break };
            lane.proof.await_it();
            lane.moved.notify_waiters();
            self.working.push(Box::pin(async move { Done::Other(job.id, others.work(&job, total).await) }));
        }
    }

    /// Records the end of a connection.
    fn on_done(&mut self, done: Done) {
        let lane = self.others.lane;
        let (job, ended) = match done {
            Done::Lead(job, ended) => (job, ended),
            Done::Other(job, other) => {
                (job, self.pool.on_segment_end(other, lane.proof.is_given(), self.shared, self.others.sources))
            }
        };
        lane_plan(lane.plan).end(job, std::time::Instant::now());
        lane.proof.decide();
        lane.moved.notify_waiters();
        match ended {
            SegmentEnd::Cleanly => {}
            SegmentEnd::Short => self.is_short = true,
            SegmentEnd::Failed(failure) if !failure.kind.ends_all() => self.failed = Some(failure),
            other => self.stop_all(other),
        }
    }

    /// Stops all connections. Stores `ended` as the reason, unless an earlier call has already set a reason.
    fn stop_all(&mut self, ended: SegmentEnd) {
        self.stopping_end.get_or_insert(ended);
        self.others.lane.stop.cancel();
    }

    /// Returns the result of the whole fetch.
    fn into_end(self) -> SegmentEnd {
        let is_done = lane_plan(self.others.lane.plan).is_done();
        match (self.stopping_end, self.failed) {
            (Some(ended), _) => ended,
            (None, Some(failure)) if !is_done => SegmentEnd::Failed(failure),
            (None, None) if !is_done && self.is_short => SegmentEnd::Short,
            (None, _) => SegmentEnd::Cleanly,
        }
    }
}

impl ConnectionPool {
    /// Records the end of an additional connection, and returns its effect on the whole transfer.
    ///
    /// Also decides whether further connections may join.
    fn on_segment_end(&mut self, other: Other, proved: bool, shared: &RunContext, sources: &MirrorSources) -> SegmentEnd {
        match other {
            Other::Poured(SegmentEnd::Short) => {
                self.on_segment_end(Other::Poured(SegmentEnd::Failed(segment::short())), proved, shared, sources)
            }
            Other::Poured(SegmentEnd::Cleanly) => {
                self.failures = 0;
                SegmentEnd::Cleanly
            }
            Other::Poured(SegmentEnd::Failed(failure)) if failure.kind.ends_all() => SegmentEnd::Failed(failure),
            Other::Poured(SegmentEnd::Failed(failure)) => {
                tracing::debug!(kind = failure.kind.code(), detail = failure.detail, "additional connection failed");
                self.failures += 1;
                self.is_open &= proved && self.failures < MOST_FAILURES;
                if matches!(failure.status, Some(429 | 503)) {
                    self.most = self.most.saturating_sub(1).max(1);
                }
                // The connection broke after its response had begun. Report the failure in the same way as for a single
                // connection.
                if proved && failure.status.is_none() { SegmentEnd::Failed(failure) } else { SegmentEnd::Cleanly }
            }
            Other::Poured(ended) => ended,
            Other::Unusable(verdict) => {
                tracing::debug!(?verdict, "additional connection is not usable; no further connections are opened");
                self.is_open = false;
                if matches!(verdict, ResumeVerdict::Whole | ResumeVerdict::Unusable(_) | ResumeVerdict::Contradicts(_)) {
                    shared.hosts.without_ranges(sources.first());
                }
                SegmentEnd::Cleanly
            }
            Other::BadSource => SegmentEnd::Cleanly,
        }
    }
}

/// Waits for the caller's acknowledgement. Without `ack`, waits forever.
async fn stored(ack: &mut Option<oneshot::Receiver<()>>) -> Result<(), oneshot::error::RecvError> {
    match ack {
        Some(ack) => ack.await,
        None => std::future::pending().await,
    }
}

fn lane_plan(plan: &Mutex<SegmentPlan>) -> MutexGuard<'_, SegmentPlan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}
