//! Downloads a file that is small enough to arrive within a moment.
//!
//! - The file stays in memory until its head is persisted. It is then published together with other small files.
//! - An unsuitable file is downloaded in the ordinary way, with the open response and the bytes that were already read.
//! - No byte is written to disk before the head is persisted. A kill before this point leaves no file behind, and costs
//!   only the request.
//! - All small files together hold no more bytes in memory than a single file may lose between two checkpoints.
//!
//! Compared to aria2, a thousand files of 1 MiB take two thirds of the time. The same is true of ten thousand files of
//! 10 KiB (`make bench ONLY=small`).

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, atomic::Ordering},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{Method, StatusCode};
use hyper::body::{Body, Frame, SizeHint};
use tokio::{
    sync::{Semaphore, SemaphorePermit, oneshot},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    download::context::RunContext,
    failpoint,
    http::{
        WatchedStream,
        client::HttpClient,
        digest_headers,
        exchange::{self, Response},
        html_detection,
        response_claim::{self, PlainClaim},
        response_head,
    },
    model::{
        byte_budget::ByteReservation,
        event::{ResponseSummary, TransferEvent},
        failure::TransferFailure,
        outcome::{CompletedTransfer, Verification},
        spec::{ExpectedContent, Guid, TransferSpec},
    },
    partial::batch_publish::job::{PublishResult, StagedSmallFile},
    plan::progress::ByteCounters,
    rate_limit::{RateGate, ThroughputMeter},
};

/// Maximum number of bytes that small files hold in memory at the same time.
///
/// Enough for sixteen files of the maximum size. A file that waits too long for memory is downloaded in the ordinary
/// way, which takes more CPU time (`make bench ONLY=thousand`).
const MOST_HELD: usize = 16 << 20;
/// Time limit for receiving a body, and time limit for waiting for memory.
///
/// A file that exceeds a limit is downloaded in the ordinary way, which shows and keeps its progress.
const PATIENCE: Duration = Duration::from_millis(100);

/// Result of an attempt to download a small file.
pub(crate) enum SmallFileAttempt {
    /// The file was placed under its final name.
    Landed(CompletedTransfer),
    /// The file is not suitable. Contains the response, if a request was sent.
    Not(Option<Response>),
    /// The transfer was stopped. No bytes are kept.
    Stopped,
    /// The transfer failed.
    Failed(TransferFailure),
}

impl From<TransferFailure> for SmallFileAttempt {
    fn from(failure: TransferFailure) -> Self {
        Self::Failed(failure)
    }
}

/// Returns the memory budget for small files, in bytes.
pub(crate) fn memory() -> Semaphore {
    Semaphore::new(MOST_HELD)
}

/// Downloads `spec` if it is small and no part of it is on disk.
///
/// If `first` is a response, uses it instead of a request.
pub(crate) async fn fetch(
    shared: &Arc<RunContext>,
    client: &HttpClient,
    (spec, first): (&TransferSpec, Option<Response>),
    counters: &ByteCounters,
    meter: &Arc<ThroughputMeter>,
    stop: &CancellationToken,
    claim: &mut ByteReservation,
) -> SmallFileAttempt {
    let is_plain = spec.method == Method::GET && spec.mirrors.is_empty() && spec.expected == ExpectedContent::default();
    if !is_plain || !shared.index.is_free_of(spec.guid, &spec.folder).await {
        return SmallFileAttempt::Not(first);
    }
    let ask = async {
        if let Some(first) = first {
            return Ok(first);
        }
        failpoint::hit("transfer.request-sent");
        exchange::ask(client, spec, &spec.url, None, None).await
    };
    let answered = tokio::select! {
        biased;
        () = stop.cancelled() => return SmallFileAttempt::Stopped,
        answered = ask => match answered {
            Ok(answered) => answered,
            Err(failure) => return failure.into(),
        },
    };
    let Some(length) = small(&answered, spec, client.config().held_in_memory) else {
        return SmallFileAttempt::Not(Some(answered));
    };
    let room = tokio::select! {
        biased;
        () = stop.cancelled() => return SmallFileAttempt::Stopped,
        room = room(&shared.memory, length) => room,
    };
    let Some(_room) = room else { return SmallFileAttempt::Not(Some(answered)) };
    let length = u64::from(length);
    if let Err(failure) = claim.declare(length) {
        return SmallFileAttempt::Failed(failure);
    }
    let gate = meter.gate(&answered.chain);
    let collected = tokio::select! {
        biased;
        () = stop.cancelled() => return SmallFileAttempt::Stopped,
        collected = collect(answered, length, &gate) => collected,
    };
    let (pieces, answered) = match collected {
        Collected::Whole(pieces, answered) => (pieces, answered),
        Collected::Begun(answered) => return SmallFileAttempt::Not(Some(answered)),
    };
    let ordinarily = |answered, pieces| {
        gate.release(usize::try_from(length).unwrap_or_default());
        SmallFileAttempt::Not(Some(again(answered, pieces, None, length)))
    };
    // The length is unverified. Only a journal can record this for the next run, so download in the ordinary way.
    let is_unverified = answered.response.extensions().get::<WatchedStream>().is_some_and(WatchedStream::is_unverified);
    if is_unverified || claim.take(length).is_err() {
        return ordinarily(answered, pieces);
    }
    failpoint::hit("transfer.head-received");
    counters.hold(0, Some(length));
    counters.receive(length);
    let head = answered.head(Some(length), spec.name.as_deref());
    let name = head.name.clone();
    if !is_head_persisted(shared, spec.guid, head, stop).await {
        return SmallFileAttempt::Stopped;
    }
    failpoint::hit("transfer.head-stored");
    let (folder, origin) = (spec.folder.clone(), spec.url.clone());
    let landing = StagedSmallFile { guid: spec.guid, folder, name, pieces: pieces.clone(), origin };
    match shared.batch.land(landing).await {
        Ok(PublishResult::At(path)) => {
            counters.durable.store(length, Ordering::Release);
            let (path, missing) = (Some(path), Vec::new());
            SmallFileAttempt::Landed(CompletedTransfer {
                path,
                size: length,
                verified: Verification::No,
                digest: None,
                computed: None,
                missing,
            })
        }
        Ok(PublishResult::Unsuited | PublishResult::CutShort) => ordinarily(answered, pieces),
        Err(failure) => failure.into(),
    }
}

/// Emits the head, and waits until the caller has persisted it. Returns `false` if the transfer is stopped.
async fn is_head_persisted(shared: &RunContext, guid: Guid, head: ResponseSummary, stop: &CancellationToken) -> bool {
    let (stored, ack) = oneshot::channel();
    // Without a receiver, the event and its acknowledgement channel are dropped. This stops the transfer.
    let _ = shared.events.send(TransferEvent::Head { guid, head, restart: None, stored });
    let _ = shared.events.send(TransferEvent::Fetched { guid });
    failpoint::hit("transfer.head-told");
    tokio::select! {
        biased;
        () = stop.cancelled() => false,
        answered = ack => answered.is_ok(),
    }
}

/// Reserves `length` bytes of memory. Returns `None` if they do not become free in time.
///
/// Waiting is cheaper than an ordinary download, because the files in memory are usually placed soon.
async fn room(memory: &Semaphore, length: u32) -> Option<SemaphorePermit<'_>> {
    timeout(PATIENCE, memory.acquire_many(length)).await.ok()?.ok()
}

/// Returns the length of the body, if this module can download the file.
///
/// The length must be known and at most `largest`. The body must not be encoded, and the response must not promise a
/// digest.
fn small(answered: &Response, spec: &TransferSpec, largest: u32) -> Option<u32> {
    let Response { response, chain, .. } = answered;
    let headers = response.headers();
    let length = u32::try_from(response.content_length()?).ok().filter(|length| *length <= largest)?;
    let is_plain = response.status() == StatusCode::OK
        && response_claim::plain(&response_head::answer_of(response)) == PlainClaim::Whole
        && !response_head::is_encoded(headers)
        && !digest_headers::FIELDS.iter().any(|name| headers.contains_key(*name))
        && !html_detection::is_instead_of_a_file(&response_head::came(spec, None, headers, chain, Some(length.into())));
    is_plain.then_some(length)
}

enum Collected {
    Whole(Vec<Bytes>, Response),
    /// The body took too long or broke off. The received bytes were put back into the response.
    Begun(Response),
}

async fn collect(mut answered: Response, length: u64, gate: &RateGate) -> Collected {
    let until = Instant::now() + PATIENCE;
    let mut pieces = Vec::new();
    let (mut left, mut passed) = (length, 0);
    let mut error = None;
    while left > 0 {
        match tokio::time::timeout_at(until, answered.response.chunk()).await {
            Ok(Ok(Some(mut piece))) => {
                // Surplus bytes are never stored.
                piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
                left -= piece.len() as u64;
                passed += piece.len();
                pieces.push(piece);
            }
            Ok(Err(broken)) => {
                error = Some(broken);
                break;
            }
            Ok(Ok(None)) | Err(_) => break,
        }
        let mut waiting = pieces.last().map_or(0, Bytes::len);
        while let Ok(portion @ 1..) = tokio::time::timeout_at(until, gate.pass(waiting)).await {
            waiting -= portion;
        }
        if waiting > 0 {
            passed -= waiting;
            left += waiting as u64;
            break;
        }
    }
    if left == 0 {
        return Collected::Whole(pieces, answered);
    }
    gate.release(passed);
    Collected::Begun(again(answered, pieces, error, length))
}

/// Puts the received bytes back into the response.
fn again(answered: Response, pieces: Vec<Bytes>, error: Option<reqwest::Error>, length: u64) -> Response {
    let Response { response, chain, asked } = answered;
    let (parts, rest) = http::Response::<reqwest::Body>::from(response).into_parts();
    let body = ReplayedBody { pieces: pieces.into(), error, rest, left: length };
    let response = http::Response::from_parts(parts, reqwest::Body::wrap(body));
    Response { response: response.into(), chain, asked }
}

/// Body that was read in part. Yields the bytes that were already read, then the rest.
struct ReplayedBody {
    pieces: VecDeque<Bytes>,
    error: Option<reqwest::Error>,
    rest: reqwest::Body,
    left: u64,
}

impl Body for ReplayedBody {
    type Data = Bytes;
    type Error = reqwest::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, reqwest::Error>>> {
        if let Some(piece) = self.pieces.pop_front() {
            self.left = self.left.saturating_sub(piece.len() as u64);
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        if let Some(error) = self.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        let polled = Pin::new(&mut self.rest).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(piece) = frame.data_ref()
        {
            self.left = self.left.saturating_sub(piece.len() as u64);
        }
        polled
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waiting_for_small_file_memory_times_out() {
        let (memory, began) = (memory(), Instant::now());
        let most = u32::try_from(MOST_HELD).unwrap();
        let all = room(&memory, most).await.unwrap();
        assert_eq!(began.elapsed(), Duration::ZERO, "there is room");
        let (waited, ()) = tokio::join!(room(&memory, 1), async {
            tokio::time::sleep(PATIENCE / 2).await;
            drop(all);
        });
        assert!(waited.is_some());
        assert_eq!(began.elapsed(), PATIENCE / 2, "the memory was released");
        assert!(room(&memory, most).await.is_none());
        assert_eq!(began.elapsed(), PATIENCE / 2 + PATIENCE, "the wait timed out");
        drop(waited);
        assert!(room(&memory, most).await.is_some(), "a caller that gave up holds no memory");
    }
}
