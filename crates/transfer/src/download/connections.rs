//! Fetches one file over several connections.
//!
//! - The first connection leads. Further connections join once a response to a range request proves that ranges work.
//! - Each connection takes the next piece from the plan.
//! - A network failure of an additional connection does not stop the other connections. An exhausted quota and a failed
//!   writer end the transfer.

use std::{
    ops::Range,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use http::StatusCode;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::{
    disk::{self, joined},
    download::{
        context::RunContext,
        segment::{self, ConnectionContext, ExpectedPrefix, RangeSupport, SegmentEnd},
    },
    http::{
        client::HttpClient,
        content_encoding::{self, BodyDecoder},
        exchange::{self, ByteSpan},
        response_head,
        resume_validation::{self, ResumeVerdict},
    },
    model::{
        byte_budget::ByteReservation,
        outcome::{FailureKind, TransferFailure},
        spec::TransferSpec,
        validators::Validators,
    },
    partial::{part::PartialFile, segment_overlap, writer::PartialWriter},
    plan::{
        byte_ranges::ByteRanges,
        comparison_samples,
        connection_count::ConnectionTuner,
        mirrors::{MirrorSource, MirrorSources},
        progress::ByteCounters,
        segment_plan::{self, JobId, SegmentJob, SegmentPlan},
    },
    rate_limit::ThroughputMeter,
};

/// Interval at which an idle slot checks whether a connection has become slow.
const LOOK: Duration = Duration::from_millis(100);
/// Number of consecutive failures after which no more connections join.
const MOST_FAILURES: u32 = 3;
/// Minimum number of new bytes in a response that ends before its requested range.
const LEAN: u64 = 64 << 10;

/// Response of the leading connection.
pub(crate) struct LeadingResponse {
    pub body: BodyDecoder,
    /// Bytes that the body must begin with.
    pub overlap: Vec<u8>,
    /// Offset at which the response ends, exclusive.
    pub reach: u64,
}

/// Inputs for fetching one file.
pub(crate) struct SegmentedFetch<'a> {
    pub shared: &'a RunContext,
    /// Client for the connections that join.
    pub client: &'a HttpClient,
    pub spec: &'a TransferSpec,
    pub counters: &'a ByteCounters,
    pub meter: &'a Arc<ThroughputMeter>,
    pub stop: &'a CancellationToken,
    /// Receives the caller's acknowledgement that the head is persisted.
    ///
    /// If the sender is dropped, the transfer stops.
    pub ack: &'a mut Option<oneshot::Receiver<()>>,
    pub claim: &'a Mutex<ByteReservation>,
    pub writer: &'a PartialWriter,
    pub part: Arc<PartialFile>,
    pub sources: &'a MirrorSources,
    pub plan: SegmentPlan,
    /// Complete size, set only if other connections may join.
    pub shared_size: Option<u64>,
}

/// Result of fetching one file.
pub(crate) struct FetchedFile {
    /// How fetching ended.
    pub ended: SegmentEnd,
    /// Whether a response proved that ranges work.
    pub ranges_work: bool,
    /// Whether the length of any response is unverified.
    pub is_unverified: bool,
}

/// How an additional connection ended.
enum Other {
    Poured(SegmentEnd),
    /// Its response cannot be joined to the file.
    Unusable(ResumeVerdict),
    /// The mirror does not have this file and is not used again.
    BadSource,
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
    /// Whether more connections may join at all.
    is_open: bool,
    failures: u32,
}

impl SegmentedFetch<'_> {
    /// Fetches as many of the missing bytes as possible.
    pub async fn run(self, lead: LeadingResponse) -> FetchedFile {
        let Self { shared, client, spec, counters, meter, stop, ack, claim, writer, part, sources, plan, shared_size } = self;
        let config = client.config();
        let plan = Arc::new(Mutex::new(plan));
        counters.show(&plan);
        let halt = stop.child_token();
        let backlog = Mutex::new(ConnectionTuner::new(Instant::now()));
        let (proof, has_news, moved) = (RangeSupport::default(), Notify::new(), Notify::new());
        let unverified = AtomicBool::new(false);
        let lane = ConnectionContext {
            config,
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
        let mut crew = ConnectionPool {
            most: config.connections.max(1),
            is_open: shared_size.is_some() && config.connections > 1,
            failures: 0,
        };

        let mut working = Working::new();
        let Some(SegmentJob { id, .. }) = lane_plan(&plan).lead(std::time::Instant::now()) else {
            return FetchedFile { ended: SegmentEnd::Cleanly, ranges_work: false, is_unverified: false };
        };
        let LeadingResponse { body, overlap, reach } = lead;
        let leading = &lane;
        working.push(Box::pin(async move {
            Done::Lead(id, leading.stream_into(id, body, ExpectedPrefix::Held(overlap), reach).await)
        }));
        let (mut failed, mut is_short) = (None, false);
        let mut ends: Option<SegmentEnd> = None;
        let mut checkpoint_at = Instant::now() + config.checkpoint_interval;
        loop {
            let most = if proof.is_given() { crew.most } else { crew.most.min(2) };
            lane.backlog().looked(Instant::now());
            while crew.is_open && ends.is_none() && working.len() < meter.connections(most).min(lane.connections()) {
                let Some(total) = shared_size else { break };
                let job = {
                    let mut plan = lane_plan(&plan);
                    plan.share(config.connections);
                    plan.next(lane.connections(), std::time::Instant::now())
                };
                let Some(job) = job else { break };
                proof.await_it();
                moved.notify_waiters();
                let others = &others;
                working.push(Box::pin(async move { Done::Other(job.id, others.work(&job, total).await) }));
            }
            let has_room = crew.is_open && working.len() < most;
            tokio::select! {
                biased;
                answered = stored(ack) => {
                    *ack = None;
                    if answered.is_err() {
                        ends.get_or_insert(SegmentEnd::Stopped);
                        halt.cancel();
                    }
                }
                done = working.next() => {
                    let Some(done) = done else { break };
                    let (job, ended) = match done {
                        Done::Lead(job, ended) => (job, ended),
                        Done::Other(job, other) => (job, crew.on_segment_end(other, proof.is_given(), shared, sources)),
                    };
                    lane_plan(&plan).end(job, std::time::Instant::now());
                    proof.decide();
                    moved.notify_waiters();
                    match ended {
                        SegmentEnd::Cleanly => {}
                        SegmentEnd::Short => is_short = true,
                        SegmentEnd::Failed(failure) if !failure.kind.ends_all() => {
                            failed = Some(failure);
                        }
                        other => {
                            ends.get_or_insert(other);
                            halt.cancel();
                        }
                    }
                }
                () = has_news.notified() => {}
                () = sleep_until(checkpoint_at) => {
                    writer.checkpoint();
                    checkpoint_at = Instant::now() + config.checkpoint_interval;
                }
                () = sleep(LOOK), if has_room => {}
            }
        }
        let is_done = lane_plan(&plan).is_done();
        let ended = match (ends, failed) {
            (Some(ended), _) => ended,
            (None, Some(failure)) if !is_done => SegmentEnd::Failed(failure),
            (None, None) if !is_done && is_short => SegmentEnd::Short,
            (None, _) => SegmentEnd::Cleanly,
        };
        FetchedFile { ended, ranges_work: proof.is_given(), is_unverified: unverified.load(Ordering::Acquire) }
    }
}

impl ConnectionPool {
    /// Records the end of an additional connection and returns its effect.
    ///
    /// The record decides whether more connections may join; the effect concerns the whole transfer.
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
                // The connection broke after its response had begun. As the only connection, it would have failed the
                // transfer as well.
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

/// Inputs that all additional connections share.
struct OtherConnections<'a> {
    client: &'a HttpClient,
    spec: &'a TransferSpec,
    meter: &'a Arc<ThroughputMeter>,
    lane: &'a ConnectionContext<'a>,
    part: &'a Arc<PartialFile>,
    sources: &'a MirrorSources,
    has_news: &'a Notify,
}

impl OtherConnections<'_> {
    async fn work(&self, job: &SegmentJob, total: u64) -> Other {
        let prefix = self.lane.counters.prefix.load(Ordering::Acquire);
        let source = self.sources.pick(prefix >= segment_plan::OVERLAP.min(total));
        if source.is_new {
            match self.compare(&source, prefix, total).await {
                Some(validators) => self.sources.trust(&source, validators),
                None => {
                    self.sources.refuse(&source);
                    return Other::BadSource;
                }
            }
        }
        let width = if job.overlap > 0 { 0 } else { segment_overlap::WIDTH.min(job.range.start) };
        let from = job.range.start - job.overlap - width;
        let began = Instant::now();
        let asked = self.ask(&source.url, from..job.range.end).await;
        self.lane.backlog().answered(began.elapsed());
        let answered = match asked {
            Ok(Some(answered)) => answered,
            Ok(None) => return Other::Poured(SegmentEnd::Stopped),
            Err(failure) if source.is_mirror => {
                tracing::debug!(kind = failure.kind.code(), "request to a mirror failed; mirror will not be used again");
                self.sources.refuse(&source);
                return Other::BadSource;
            }
            Err(failure) => return Other::Poured(SegmentEnd::Failed(failure)),
        };
        if source.is_mirror && self.is_contradicted(&answered) {
            self.sources.refuse(&source);
            return Other::BadSource;
        }
        let status = answered.response.status();
        let answer = response_head::answer_of(&answered.response);
        let verdict = resume_validation::judge(&self.sources.known(&source), Some(total), from, from, &answer);
        match verdict {
            // Combine parts only under the same strong validator (RFC 9110, section 15.3.7.3).
            ResumeVerdict::Join { .. } if !self.sources.known(&source).is_same_by_strong(&answer.validators) => {
                match source.is_mirror {
                    true => {
                        self.sources.refuse(&source);
                        Other::BadSource
                    }
                    false => Other::Unusable(ResumeVerdict::Changed("no strong validator says that it is the same file")),
                }
            }
            // The plan would assign the rest of this job again and again, without end.
            ResumeVerdict::Join { last, .. } if is_lean(&job.range, last) => match source.is_mirror {
                true => {
                    self.sources.refuse(&source);
                    Other::BadSource
                }
                false => Other::Unusable(ResumeVerdict::Unusable("a part that ends long before the end of its range")),
            },
            ResumeVerdict::Join { last, .. } => {
                self.lane.proof.give();
                self.lane.moved.notify_waiters();
                self.has_news.notify_one();
                let before = if job.overlap > 0 {
                    match self.read(from..job.range.start).await {
                        Ok(overlap) => ExpectedPrefix::Held(overlap),
                        Err(failure) => return Other::Poured(SegmentEnd::Failed(failure)),
                    }
                } else {
                    ExpectedPrefix::Neighbour { at: job.range.start, width: usize::try_from(width).unwrap_or_default() }
                };
                let body = content_encoding::body(answered.response, &[], self.meter.gate(&answered.chain));
                Other::Poured(self.lane.stream_into(job.id, body, before, last.saturating_add(1)).await)
            }
            _ if source.is_mirror => {
                self.sources.refuse(&source);
                Other::BadSource
            }
            ResumeVerdict::Refused => Other::Poured(SegmentEnd::Failed(refused(status))),
            verdict => Other::Unusable(verdict),
        }
    }

    /// Whether a mirror promises a digest that contradicts the known file.
    fn is_contradicted(&self, answered: &exchange::Response) -> bool {
        let contradicted = answered.contradicts(&self.sources.digests);
        if let Some(digest) = contradicted {
            let host = answered.chain.last().and_then(url::Url::host_str);
            tracing::info!(guid = %self.spec.guid, host, %digest, "mirror announces a different digest; refused");
        }
        contradicted.is_some()
    }

    /// Returns the validators of a mirror if it serves the same file.
    ///
    /// The first `prefix` bytes on disk are compared with the mirror's bytes at several places. All responses must have
    /// the same strong validator, the same size and no contradicting digest.
    async fn compare(&self, source: &MirrorSource, prefix: u64, total: u64) -> Option<Validators> {
        let mut there = ByteRanges::default();
        there.insert(0..prefix);
        let mut known: Option<Validators> = None;
        for place in comparison_samples::places(&there) {
            let now = self.same_at(source, place, total).await?;
            if known.get_or_insert_with(|| now.clone()).is_same_by_strong(&now) {
                continue;
            }
            return None;
        }
        known
    }

    /// Returns the validators of a mirror's response if it matches at `place`.
    async fn same_at(&self, source: &MirrorSource, place: Range<u64>, total: u64) -> Option<Validators> {
        let gate = self.meter.gate(std::slice::from_ref(&source.url));
        let compare = async {
            let answered = self.ask(&source.url, place.clone()).await.ok().flatten()?;
            if self.is_contradicted(&answered) {
                return None;
            }
            let answer = response_head::answer_of(&answered.response);
            let is_joined = |verdict| matches!(verdict, ResumeVerdict::Join { complete: Some(_), .. });
            let verdict = resume_validation::judge(&Validators::default(), Some(total), place.start, place.start, &answer);
            if !is_joined(verdict) {
                return None;
            }
            let held = self.read(place.clone()).await.ok()?;
            let mut held = held.as_slice();
            let mut body = answered.response.bytes_stream();
            while let Some(Ok(piece)) = body.next().await {
                gate.pass_all(piece.len()).await;
                held = held.strip_prefix(&piece[..])?;
            }
            held.is_empty().then_some(answer.validators)
        };
        gate.within(self.client.config().answer_timeout(), compare).await.flatten()
    }

    async fn ask(&self, url: &url::Url, range: Range<u64>) -> Result<Option<exchange::Response>, TransferFailure> {
        let span = ByteSpan { from: range.start, to: Some(range.end - 1) };
        let ask = exchange::ask(self.client, self.spec, url, Some(span), None);
        tokio::select! {
            biased;
            () = self.lane.stop.cancelled() => Ok(None),
            answered = ask => answered.map(Some),
        }
    }

    async fn read(&self, range: Range<u64>) -> Result<Vec<u8>, TransferFailure> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let part = self.part.clone();
        let read = joined(disk::spawn(move || part.read(range))).await?;
        read.map_err(|error| TransferFailure::of_disk(&error, "reading the partial"))
    }
}

/// Whether a response that ends at byte `last` adds too few bytes. [pure]
///
/// Such a response ends before the end of `wanted` and adds fewer than `LEAN` bytes.
fn is_lean(wanted: &Range<u64>, last: u64) -> bool {
    let end = last.saturating_add(1);
    end < wanted.end && end.saturating_sub(wanted.start) < LEAN
}

fn refused(status: StatusCode) -> TransferFailure {
    let text = format!("the server answered {status}");
    TransferFailure { status: Some(status.as_u16()), ..TransferFailure::new(FailureKind::BadStatus, text) }
}

/// Waits for the caller's acknowledgement; waits forever if `ack` is `None`.
async fn stored(ack: &mut Option<oneshot::Receiver<()>>) -> Result<(), oneshot::error::RecvError> {
    match ack {
        Some(ack) => ack.await,
        None => std::future::pending().await,
    }
}

fn lane_plan(plan: &Mutex<SegmentPlan>) -> MutexGuard<'_, SegmentPlan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_is_lean_if_it_ends_early_with_few_bytes() {
        let wanted = 100_000..300_000;
        assert!(is_lean(&wanted, 99_999), "nothing new");
        assert!(is_lean(&wanted, 100_000 + LEAN - 2));
        assert!(!is_lean(&wanted, 100_000 + LEAN - 1));
        assert!(!is_lean(&(100_000..100_001), 100_000), "all that was wanted");
        assert!(!is_lean(&wanted, u64::MAX));
    }
}
