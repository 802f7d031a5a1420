//! Transfers the body of one response from the network to the writer.
//!
//! - Overlapping bytes are compared, and new bytes are charged to the budget.
//! - Silent and slow servers are detected.
//! - The body ends where the job of another connection begins.
//!
//! Bytes go to the writer in batches. For 4 GiB to a disk, batches took 4.2 s and single pieces 4.6 s; in memory both
//! took the same time (`make bench ONLY=alone`). Bytes of a single connection are written on this thread (see
//! `writer`).

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::{Buf, Bytes};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    failpoint,
    http::{config::TransferConfig, content_encoding::BodyDecoder},
    model::{
        byte_budget::ByteReservation,
        outcome::{FailureKind, TransferFailure},
    },
    partial::{
        segment_overlap::SegmentOverlap,
        writer::{PartialWriter, WriterStopped},
    },
    plan::{
        connection_count::ConnectionTuner,
        progress::ByteCounters,
        segment_plan::{JobId, SegmentPlan},
    },
};

/// Maximum time before a batch is written.
const BATCH_AGE: Duration = Duration::from_millis(50);
/// Maximum time for a response to end after its last byte.
const LAST_WORD: Duration = Duration::from_millis(100);
/// Minimum speed in bytes per second over a whole window.
///
/// A slower server counts as silent.
const SLOWEST: u64 = 1 << 10;

/// State shared by the connections of one file.
pub(crate) struct ConnectionContext<'a> {
    pub config: &'a TransferConfig,
    pub counters: &'a ByteCounters,
    pub stop: &'a CancellationToken,
    pub claim: &'a Mutex<ByteReservation>,
    pub writer: &'a PartialWriter,
    pub plan: &'a Mutex<SegmentPlan>,
    pub backlog: &'a Mutex<ConnectionTuner>,
    /// Evidence that ranges work.
    pub proof: &'a RangeSupport,
    /// Signals that another connection changed the plan.
    pub moved: &'a Notify,
    /// Whether some response has an unverified length.
    pub unverified: &'a AtomicBool,
}

/// Whether this server's ranges work.
///
/// Only the response to a range request proves this. Until that response arrives, the leading connection keeps its own
/// response open, so that it can continue without other connections.
#[derive(Debug, Default)]
pub(crate) struct RangeSupport {
    is_given: AtomicBool,
    is_awaited: AtomicBool,
}

impl RangeSupport {
    /// Records that a range was requested.
    pub fn await_it(&self) {
        self.is_awaited.store(!self.is_given(), Ordering::Release);
    }

    /// Records that a range was answered.
    pub fn give(&self) {
        self.is_given.store(true, Ordering::Release);
        self.decide();
    }

    /// Records that no response to a range request is pending any more.
    pub fn decide(&self) {
        self.is_awaited.store(false, Ordering::Release);
    }

    /// Whether ranges work.
    pub fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Acquire)
    }

    fn is_awaited(&self) -> bool {
        self.is_awaited.load(Ordering::Acquire)
    }
}

/// Bytes before the requested ones that a response also contains.
pub(crate) enum ExpectedPrefix {
    /// These bytes, already on disk from an earlier run; the response must repeat them exactly.
    Held(Vec<u8>),
    /// The last `width` bytes before byte `at`, which another connection fetches.
    ///
    /// These bytes may not be on disk yet.
    Neighbour { at: u64, width: usize },
}

impl ExpectedPrefix {
    fn length(&self) -> u64 {
        match self {
            Self::Held(overlap) => overlap.len() as u64,
            Self::Neighbour { width, .. } => *width as u64,
        }
    }
}

/// How a body ended.
///
/// The bytes that were passed to the writer are valid in every case.
#[derive(Debug)]
pub(crate) enum SegmentEnd {
    /// The body reached its end, or the end of its job.
    Cleanly,
    /// The server ended the body in order, but before its stated end and without any new bytes.
    Short,
    /// The overlap differs from the bytes on disk; nothing was joined.
    Differs,
    /// The transfer was stopped.
    Stopped,
    /// The partial file was removed while it was written.
    Vanished,
    /// The writer ended early; closing it returns the reason.
    WriterGone,
    /// The body broke off or was refused.
    Failed(TransferFailure),
}

/// Returns the failure for a response that ended without any new bytes.
pub(crate) fn short() -> TransferFailure {
    TransferFailure::new(FailureKind::Truncated, "the answer ended before it brought anything")
}

impl ConnectionContext<'_> {
    /// Writes `body` into `job` and returns how the body ended.
    ///
    /// The body starts with the bytes of `before`, then those of the job. Bytes after the job are accepted up to
    /// `reach`, as long as no other connection has begun there.
    pub async fn stream_into(&self, job: JobId, mut body: BodyDecoder, before: ExpectedPrefix, reach: u64) -> SegmentEnd {
        let start = self.plan().place_of(job);
        // Number of bytes still expected from the response, if it states a length.
        let mut to_come = match start.filter(|_| reach < u64::MAX) {
            Some(start) => (reach + before.length()).saturating_sub(start),
            None => 0,
        };
        let (overlap, mut seam) = match before {
            ExpectedPrefix::Held(overlap) => (overlap, None),
            ExpectedPrefix::Neighbour { at, width } => (Vec::new(), Some((at, width, Vec::new()))),
        };
        let mut overlap = overlap.as_slice();
        let mut batch = Batch::default();
        let mut silence = StallDetector::new(self.config);
        // Bytes beyond the end of the job, kept until it is known which connection fetches them.
        let mut beyond = Bytes::new();
        let ended = loop {
            if !beyond.is_empty() {
                match self.take(job, std::mem::take(&mut beyond), reach, &mut batch) {
                    Ok(rest) => beyond = rest,
                    Err(failure) => break SegmentEnd::Failed(failure),
                }
            }
            let has_work = self.plan().left_of(job) > 0 || self.plan().extend(job, self.connections(), reach);
            if !has_work && !self.proof.is_awaited() {
                break SegmentEnd::Cleanly;
            }
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break SegmentEnd::Stopped,
                piece = body.next(), if has_work => {
                    let mut piece = match piece {
                        None if to_come > 0 && self.plan().place_of(job) == start => match body.is_framed {
                            true => break SegmentEnd::Short,
                            // A response that was cut looks the same as a response that has ended.
                            false => break SegmentEnd::Failed(short()),
                        },
                        None => break SegmentEnd::Cleanly,
                        Some(Err(failure)) => break SegmentEnd::Failed(failure),
                        Some(Ok(piece)) => piece,
                    };
                    to_come = to_come.saturating_sub(piece.len() as u64);
                    silence.held_back(body.take_wait());
                    self.backlog().on_bytes(piece.len(), silence.last.elapsed(), Instant::now());
                    if let Err(failure) = silence.on_bytes(piece.len()) {
                        break SegmentEnd::Failed(failure);
                    }
                    if !overlap.is_empty() {
                        let compared = piece.len().min(overlap.len());
                        if piece[..compared] != overlap[..compared] {
                            break SegmentEnd::Differs;
                        }
                        overlap = &overlap[compared..];
                        if overlap.is_empty() {
                            failpoint::hit("transfer.overlap-checked");
                        }
                        piece.advance(compared);
                    }
                    if let Some((at, width, bytes)) = &mut seam {
                        let brought = piece.split_to(piece.len().min(*width - bytes.len()));
                        bytes.extend_from_slice(&brought);
                        if bytes.len() == *width {
                            if self.writer.seam(SegmentOverlap::new(*at, bytes)).await.is_err() {
                                break SegmentEnd::WriterGone;
                            }
                            seam = None;
                        }
                    }
                    match self.take(job, piece, reach, &mut batch) {
                        Ok(rest) => beyond = rest,
                        Err(failure) => break SegmentEnd::Failed(failure),
                    }
                }
                () = self.moved.notified() => {
                    if !has_work {
                        silence.was_ours(silence.last.elapsed());
                    }
                }
                () = sleep_until(batch.due()), if !batch.is_empty() => {}
                () = sleep_until(silence.until()), if has_work => {
                    let held_back = body.take_wait();
                    if !held_back.is_zero() {
                        silence.held_back(held_back);
                        continue;
                    }
                    break SegmentEnd::Failed(TransferFailure::new(FailureKind::Timeout, "the server fell silent in mid-body"));
                }
            }
            let now = Instant::now();
            if batch.size >= self.config.batch_bytes || (!batch.is_empty() && now >= batch.due()) {
                if !self.proof.is_given() {
                    self.writer.keep_pace().await;
                }
                let written = match body.is_plain.then(|| self.write_at_once(&mut batch)).flatten() {
                    Some(written) => written,
                    None => self.hand_over(&mut batch).await,
                };
                if written.is_err() {
                    break SegmentEnd::WriterGone;
                }
                silence.was_ours(now.elapsed());
            }
        };
        if !batch.is_empty() && self.hand_over(&mut batch).await.is_err() {
            return SegmentEnd::WriterGone;
        }
        if matches!(ended, SegmentEnd::Cleanly) {
            // Read the body to its end, so that its connection returns to the pool instead of being closed.
            let _ = timeout(LAST_WORD, body.next()).await;
        }
        if body.is_unverified() {
            self.unverified.store(true, Ordering::Release);
        }
        ended
    }

    /// Adds the bytes of `piece` that belong to the job to the batch.
    ///
    /// Returns the remaining bytes. Surplus bytes are never stored.
    fn take(&self, job: JobId, mut piece: Bytes, reach: u64, batch: &mut Batch) -> Result<Bytes, TransferFailure> {
        while !piece.is_empty() {
            let (at, mine) = self.plan().advance(job, piece.len(), std::time::Instant::now());
            if mine == 0 {
                if self.plan().extend(job, self.connections(), reach) {
                    continue;
                }
                break;
            }
            self.claim.lock().unwrap_or_else(PoisonError::into_inner).take(mine as u64)?;
            self.counters.downloaded.fetch_add(mine as u64, Ordering::AcqRel);
            batch.push(at, piece.split_to(mine));
        }
        Ok(piece)
    }

    /// Writes the batch on this thread.
    ///
    /// `None` if the writer's thread should write it, or if writing on this thread would block.
    fn write_at_once(&self, batch: &mut Batch) -> Option<Result<(), WriterStopped>> {
        if batch.is_empty() || self.proof.is_given() {
            return None;
        }
        let disk = self.writer.at_hand()?;
        let (offset, pieces) = batch.take();
        Some(disk.write(offset, pieces))
    }

    async fn hand_over(&self, batch: &mut Batch) -> Result<(), WriterStopped> {
        let (offset, pieces) = batch.take();
        self.writer.write(offset, pieces).await
    }

    /// Returns the number of connections to use at the same time.
    ///
    /// This is the configured limit, or the highest number that is known to be faster than fewer connections, whichever
    /// is lower.
    pub fn connections(&self) -> usize {
        self.config.connections.min(self.backlog().enough())
    }

    /// Returns the statistics of recently received bytes.
    pub fn backlog(&self) -> MutexGuard<'_, ConnectionTuner> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn plan(&self) -> MutexGuard<'_, SegmentPlan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Contiguous pieces to be written together from an offset.
#[derive(Default)]
struct Batch {
    offset: u64,
    pieces: Vec<Bytes>,
    size: usize,
    begun: Option<Instant>,
}

impl Batch {
    fn push(&mut self, at: u64, piece: Bytes) {
        if self.pieces.is_empty() {
            (self.offset, self.begun) = (at, Some(Instant::now()));
        }
        self.size += piece.len();
        self.pieces.push(piece);
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn due(&self) -> Instant {
        self.begun.unwrap_or_else(Instant::now) + BATCH_AGE
    }

    fn take(&mut self) -> (u64, Vec<Bytes>) {
        let taken = std::mem::take(self);
        (taken.offset, taken.pieces)
    }
}

/// Detects servers that send no data, or almost none for a long time.
///
/// Time spent waiting for the disk or a rate limit is not counted.
struct StallDetector {
    /// Time limit for silence; longer before the first piece has arrived.
    patience: Duration,
    stall: Duration,
    window: Duration,
    last: Instant,
    window_began: Instant,
    window_bytes: u64,
}

impl StallDetector {
    fn new(config: &TransferConfig) -> Self {
        let now = Instant::now();
        let (patience, stall, window) = (config.answer_timeout(), config.stall_timeout, config.slow_window);
        Self { patience, stall, window, last: now, window_began: now, window_bytes: 0 }
    }

    fn on_bytes(&mut self, count: usize) -> Result<(), TransferFailure> {
        (self.last, self.patience) = (Instant::now(), self.stall);
        self.window_bytes += count as u64;
        let length = self.last.duration_since(self.window_began);
        if length >= self.window {
            let fewest = SLOWEST.saturating_mul(u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX)) / 1000;
            if self.window_bytes < fewest {
                return Err(TransferFailure::new(FailureKind::Timeout, "next to nothing came for too long"));
            }
            (self.window_began, self.window_bytes) = (self.last, 0);
        }
        Ok(())
    }

    fn was_ours(&mut self, time: Duration) {
        self.last += time;
        self.window_began += time;
    }

    /// Records that a rate limit held back received bytes for `time`.
    fn held_back(&mut self, time: Duration) {
        if !time.is_zero() {
            self.last = Instant::now();
            self.window_began += time;
        }
    }

    fn until(&self) -> Instant {
        self.last + self.patience
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn default_stall_limit_is_ten_seconds_after_first_bytes() {
        let config = TransferConfig::default();
        let (mut silence, began) = (StallDetector::new(&config), Instant::now());
        assert!(silence.until() >= began + 30 * SECOND, "nothing has come yet");
        advance(29 * SECOND).await;
        silence.on_bytes(1).unwrap();
        assert!(silence.until() <= Instant::now() + 10 * SECOND);
        assert!(config.connect_timeout + config.answer_timeout() >= 45 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn almost_silent_server_times_out_and_slow_server_does_not() {
        let gives_up = async |bytes_a_second: u64| {
            let (mut silence, began) = (StallDetector::new(&TransferConfig::default()), Instant::now());
            while began.elapsed() < 120 * SECOND {
                advance(SECOND).await;
                if silence.on_bytes(usize::try_from(bytes_a_second).unwrap()).is_err() {
                    return Some(began.elapsed());
                }
            }
            None
        };
        assert_eq!(gives_up(SLOWEST - 1).await, Some(30 * SECOND));
        assert_eq!(gives_up(SLOWEST).await, None);
    }
}
