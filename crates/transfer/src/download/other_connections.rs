//! Fetches one segment of a file over an additional connection.
//!
//! - A mirror is compared with the bytes on disk before its bytes are used. A mirror that fails or contradicts the file
//!   is refused.
//! - A response is joined to the file only if both have the same strong validator (RFC 9110, section 15.3.7.3).
//!
//! Called by `connections`.

use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

use futures_util::StreamExt;
use http::StatusCode;
use tokio::{sync::Notify, time::Instant};

use crate::{
    disk::{self, joined},
    download::segment::{ConnectionContext, ExpectedPrefix, SegmentEnd},
    http::{
        client::HttpClient,
        content_encoding,
        exchange::{self, ByteSpan},
        response_head,
        resume_validation::{self, ResumeVerdict},
    },
    model::{failure::TransferFailure, failure_kind::FailureKind, spec::TransferSpec, validators::Validators},
    partial::{part::PartialFile, segment_overlap},
    plan::{
        byte_ranges::ByteRanges,
        comparison_samples,
        mirrors::{MirrorSource, MirrorSources},
        segment_plan::{self, SegmentJob},
    },
    rate_limit::ThroughputMeter,
};

/// Minimum number of new bytes that a response must add if it ends before the end of the requested range.
const LEAN: u64 = 64 << 10;

/// Way in which an additional connection ended.
pub(super) enum Other {
    Poured(SegmentEnd),
    /// The response cannot be joined to the file.
    Unusable(ResumeVerdict),
    /// The mirror does not have this file, and is not used again.
    BadSource,
}

/// Inputs that all additional connections share.
pub(super) struct OtherConnections<'a> {
    pub client: &'a HttpClient,
    pub spec: &'a TransferSpec,
    pub meter: &'a Arc<ThroughputMeter>,
    pub lane: &'a ConnectionContext<'a>,
    pub part: &'a Arc<PartialFile>,
    pub sources: &'a MirrorSources,
    pub has_news: &'a Notify,
}

impl OtherConnections<'_> {
    /// Fetches the segment `job` of a file that has `total` bytes.
    pub async fn work(&self, job: &SegmentJob, total: u64) -> Other {
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
            // Combine parts only if they have the same strong validator (RFC 9110, section 15.3.7.3).
            ResumeVerdict::Join { .. } if !self.sources.known(&source).is_same_by_strong(&answer.validators) => {
                match source.is_mirror {
                    true => {
                        self.sources.refuse(&source);
                        Other::BadSource
                    }
                    false => Other::Unusable(ResumeVerdict::Changed("no strong validator says that it is the same file")),
                }
            }
            // Do not join a response that adds few bytes. Otherwise, the plan would assign the rest of this job again
            // and again.
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

    /// Whether the mirror promises a digest that contradicts the known file.
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
    /// Compares the first `prefix` bytes on disk with the mirror's bytes at several offsets. All responses must have
    /// the same strong validator and the same size, and no response may contradict a digest.
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

    /// Returns the validators of a mirror's response if its bytes match the bytes on disk at `place`.
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
/// It adds too few bytes if they are fewer than `LEAN` and not all of `wanted`.
fn is_lean(wanted: &Range<u64>, last: u64) -> bool {
    let end = last.saturating_add(1);
    end < wanted.end && end.saturating_sub(wanted.start) < LEAN
}

fn refused(status: StatusCode) -> TransferFailure {
    let text = format!("the server answered {status}");
    TransferFailure { status: Some(status.as_u16()), ..TransferFailure::new(FailureKind::BadStatus, text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_that_ends_early_after_few_bytes_counts_as_unproductive() {
        let wanted = 100_000..300_000;
        assert!(is_lean(&wanted, 99_999), "nothing new");
        assert!(is_lean(&wanted, 100_000 + LEAN - 2));
        assert!(!is_lean(&wanted, 100_000 + LEAN - 1));
        assert!(!is_lean(&(100_000..100_001), 100_000), "all requested bytes arrived");
        assert!(!is_lean(&wanted, u64::MAX));
    }
}
