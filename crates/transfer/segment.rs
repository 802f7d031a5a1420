//! One answer's body, from the network to the writer: compared where it overlaps, paid for, watched for silence and
//! slowness, ended where it was to end.

use std::{sync::atomic::Ordering, time::Duration};

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::{
    sync::oneshot,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::{
    crashpoint,
    outcome::{Failure, FailureKind},
    request::failure_of,
    service::{Config, Counters},
    spec::Claim,
    writer::Writer,
};

/// A batch for the disk is this large, or this old.
const BATCH: usize = 512 << 10;
const BATCH_AGE: Duration = Duration::from_millis(50);
/// Below this many bytes a second, over a whole window, a server counts as silent.
const SLOWEST: u64 = 1 << 10;

/// What a body is poured with.
pub(crate) struct Pour<'a> {
    pub config: &'a Config,
    pub counters: &'a Counters,
    pub stop: &'a CancellationToken,
    /// The caller's answer that the head is stored. It dropping the question means to stop.
    pub ack: &'a mut Option<oneshot::Receiver<()>>,
    pub claim: &'a mut Claim,
    pub writer: &'a Writer,
}

/// How a body ended. What was handed to the writer is good in every case.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It came to its end, or to where it was to end.
    Cleanly,
    /// The overlap is not what is on disk; nothing was joined.
    Differs,
    /// It was told to stop.
    Stopped,
    /// The partial was taken away while it was written.
    Vanished,
    /// The writer ended early, and says why when closed.
    WriterGone,
    /// The body broke off or was refused.
    Failed(Failure),
}

impl Pour<'_> {
    /// Pours `response`. The first bytes must equal `overlap`; at most `expected` bytes are taken, overlap included.
    pub async fn pour(&mut self, response: reqwest::Response, overlap: &[u8], expected: Option<u64>) -> Ended {
        let mut body = response.bytes_stream();
        let mut overlap = overlap;
        let mut left = expected.unwrap_or(u64::MAX);
        let mut batch = Batch::default();
        let mut silence = Silence::new(self.config);
        let mut checkpoint_at = Instant::now() + self.config.checkpoint_interval;
        let mut unsaved = 0u64;
        let ended = loop {
            if left == 0 {
                break Ended::Cleanly;
            }
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break Ended::Stopped,
                answered = stored(self.ack) => match answered {
                    Ok(()) => *self.ack = None,
                    Err(_) => break Ended::Stopped,
                },
                piece = body.next() => {
                    let mut piece = match piece {
                        None => break Ended::Cleanly,
                        Some(Err(error)) => break Ended::Failed(failure_of(&error)),
                        Some(Ok(piece)) => piece,
                    };
                    // Surplus bytes are never stored; the connection ends with this answer.
                    piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
                    left -= piece.len() as u64;
                    if let Err(failure) = silence.heard(piece.len()) {
                        break Ended::Failed(failure);
                    }
                    if !overlap.is_empty() {
                        let compared = piece.len().min(overlap.len());
                        if piece[..compared] != overlap[..compared] {
                            break Ended::Differs;
                        }
                        overlap = &overlap[compared..];
                        if overlap.is_empty() {
                            crashpoint::hit("transfer.overlap-checked");
                        }
                        piece = piece.slice(compared..);
                    }
                    if piece.is_empty() {
                        continue;
                    }
                    let count = piece.len() as u64;
                    if !self.claim.take(count) {
                        let text = "more came than was declared";
                        break Ended::Failed(Failure::new(FailureKind::DownloadTotalExceeded, text));
                    }
                    self.counters.downloaded.fetch_add(count, Ordering::AcqRel);
                    unsaved += count;
                    batch.push(piece);
                }
                () = sleep_until(batch.due()), if !batch.is_empty() => {}
                () = sleep_until(checkpoint_at), if unsaved > 0 => {}
                () = sleep_until(silence.until()) => {
                    break Ended::Failed(Failure::new(FailureKind::Timeout, "the server fell silent in mid-body"));
                }
            }
            let now = Instant::now();
            let is_due = unsaved > 0 && (now >= checkpoint_at || unsaved >= self.config.checkpoint_bytes);
            if batch.size >= BATCH || (!batch.is_empty() && (is_due || now >= batch.due())) {
                if self.writer.write(batch.take()).await.is_err() {
                    break Ended::WriterGone;
                }
                silence.was_ours(now.elapsed());
            }
            if is_due {
                if self.writer.checkpoint().await.is_err() {
                    break Ended::WriterGone;
                }
                (unsaved, checkpoint_at) = (0, Instant::now() + self.config.checkpoint_interval);
            }
        };
        if !batch.is_empty() && self.writer.write(batch.take()).await.is_err() {
            return Ended::WriterGone;
        }
        ended
    }
}

/// The caller's answer, once; never, when it was given already.
async fn stored(ack: &mut Option<oneshot::Receiver<()>>) -> Result<(), oneshot::error::RecvError> {
    match ack {
        Some(ack) => ack.await,
        None => std::future::pending().await,
    }
}

/// Pieces that wait to be written together.
#[derive(Default)]
struct Batch {
    pieces: Vec<Bytes>,
    size: usize,
    begun: Option<Instant>,
}

impl Batch {
    fn push(&mut self, piece: Bytes) {
        self.begun.get_or_insert_with(Instant::now);
        self.size += piece.len();
        self.pieces.push(piece);
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn due(&self) -> Instant {
        self.begun.unwrap_or_else(Instant::now) + BATCH_AGE
    }

    fn take(&mut self) -> Vec<Bytes> {
        std::mem::take(self).pieces
    }
}

/// Notices servers that say nothing, and those that say next to nothing for long. Time that the disk took is not
/// theirs.
struct Silence {
    stall: Duration,
    window: Duration,
    last: Instant,
    window_began: Instant,
    window_bytes: u64,
}

impl Silence {
    fn new(config: &Config) -> Self {
        let now = Instant::now();
        Self { stall: config.stall_timeout, window: config.slow_window, last: now, window_began: now, window_bytes: 0 }
    }

    fn heard(&mut self, count: usize) -> Result<(), Failure> {
        self.last = Instant::now();
        self.window_bytes += count as u64;
        let length = self.last.duration_since(self.window_began);
        if length >= self.window {
            let fewest = SLOWEST.saturating_mul(u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX)) / 1000;
            if self.window_bytes < fewest {
                return Err(Failure::new(FailureKind::Timeout, "next to nothing came for too long"));
            }
            (self.window_began, self.window_bytes) = (self.last, 0);
        }
        Ok(())
    }

    fn was_ours(&mut self, time: Duration) {
        self.last += time;
        self.window_began += time;
    }

    fn until(&self) -> Instant {
        self.last + self.stall
    }
}
