//! Writes a response into the file, and decides how the download continues after the end of the response.
//!
//! Called by `resume_loop`. A response may end early, add no bytes, or leave the size of the file unknown.

use std::ops::Range;

use url::Url;

use crate::{
    download::{
        connections::LeadingResponse,
        resume_state::{MissingPart, ResumeState},
        run::{ShareableResult, TransferEnd, TransferRun},
        segment::{self, SegmentEnd},
    },
    http::client::HttpExchange,
    model::{failure::TransferFailure, failure_kind::FailureKind, outcome::RestartReason, validators::Validators},
    partial::{state::PartialState, writer::PartialWriter},
};

/// Facts about a response that are known from its head.
pub(super) struct ArrivedResponse {
    /// Address of the request.
    pub url: Url,
    /// Requested part. `None` if the whole file was requested, or is sent instead of the part.
    pub part: Option<MissingPart>,
    /// Number of bytes on disk before the request.
    pub before: u64,
    /// HTTP/2 exchange of the response. `None` if the response did not use HTTP/2.
    pub exchange: Option<HttpExchange>,
    /// Whether a strong validator proves that the response belongs to the file on disk.
    pub is_vouched_for: bool,
    /// Validators of the file on disk. If no bytes on disk came from this address, these are the validators of the
    /// response.
    pub known: Validators,
}

/// Facts about a response that has ended.
struct EndedResponse {
    arrived: ArrivedResponse,
    /// Part that the response should contain. `None` for the whole file.
    part: Option<Range<u64>>,
    /// Whether the response continued the bytes of an earlier response.
    is_resume: bool,
    /// Whether a response proved that range requests work.
    ranges_work: bool,
}

impl TransferRun {
    /// Writes the response into the file, and updates `state` for the next request.
    pub(super) async fn receive(
        &mut self,
        state: &mut ResumeState,
        arrived: ArrivedResponse,
        (writer, (work, lead)): (PartialWriter, (ShareableResult, LeadingResponse)),
    ) -> Result<(), TransferEnd> {
        let is_resume = arrived.part.is_some() && !lead.overlap.is_empty();
        // `arrived.part` is `None` if the response contains the whole file, even if the request had a range.
        let part = arrived.part.map_or(0, |part| part.missing)..lead.reach;
        let part = Some(part).filter(|part| part.end < u64::MAX);
        let (held, ended, ranges_work) = self.stream_into(writer, (work, lead)).await?;
        let response = EndedResponse { arrived, part, is_resume, ranges_work };
        match self.on_end(state, held, ended, &response).await? {
            Some(held) => self.settle(state, held, &response).await,
            None => Ok(()),
        }
    }

    /// Returns the bytes on disk if the body ended without an error.
    ///
    /// If the body ended with an error, updates `state` for the next request, or fails.
    async fn on_end(
        &self,
        state: &mut ResumeState,
        held: PartialState,
        ended: SegmentEnd,
        response: &EndedResponse,
    ) -> Result<Option<PartialState>, TransferEnd> {
        let url = &response.arrived.url;
        match ended {
            SegmentEnd::Cleanly => return Ok(Some(held)),
            // A mirror with a different file does not invalidate the bytes on disk.
            SegmentEnd::Differs if *url != self.spec.url && !held.is_torn => {
                tracing::info!(guid = %self.spec.guid, host = url.host_str(), "mirror content differs; refused");
                state.refused.push(url.clone());
                let (kept, saved) = self.checkpoint(held).await?;
                saved?;
                state.held = Some(kept);
            }
            SegmentEnd::Differs => self.again(state, held, (RestartReason::Differs, "the overlap differs")).await?,
            SegmentEnd::Vanished => self.fetch_anew(state, held.have.count()).await?,
            SegmentEnd::Stopped | SegmentEnd::WriterGone => return Err(TransferEnd::Stopped),
            // A proxy may have caused the first response without new bytes. After the second one, request the whole
            // file.
            SegmentEnd::Short if response.arrived.part.is_some() && !response.ranges_work && *url == self.spec.url => {
                if state.count_short_part() {
                    state.held = Some(held);
                } else {
                    self.shared.hosts.without_ranges(self.spec.url.clone());
                    self.again(state, held, (RestartReason::NoRanges, "parts end before anything new")).await?;
                }
            }
            SegmentEnd::Short => return Err(segment::short().into()),
            SegmentEnd::Failed(failure) => {
                if let Some(exchange) = &response.arrived.exchange {
                    self.client.failed(exchange, &failure);
                }
                let is_plain = response.part.is_none() && !response.ranges_work;
                return Err(if is_plain { self.ended_short(held, failure).await? } else { failure }.into());
            }
        }
        Ok(None)
    }

    /// Decides how the download continues after a body ended without an error.
    async fn settle(&self, state: &mut ResumeState, mut held: PartialState, response: &EndedResponse) -> Result<(), TransferEnd> {
        let before = if response.part.is_some() { response.arrived.before } else { 0 };
        let gained = held.have.count().saturating_sub(before);
        if gained == 0 && response.part.as_ref().is_some_and(|part| !part.is_empty()) {
            // This server marks the end of a response by closing the connection. An end before the stated end of the
            // part may therefore be an interruption, and proves nothing about the file.
            return Err(TransferFailure::new(FailureKind::Truncated, "the part ended before anything new").into());
        }
        held.record.resumed |= response.is_resume;
        held.record.by_overlap |= response.is_resume && !response.arrived.is_vouched_for;
        match held.record.total {
            Some(_) if held.is_whole() => {}
            // A file of unknown length is complete if a response with the whole file has ended, or if a part adds no
            // bytes.
            None if response.part.is_none() || gained == 0 => {
                return self.settle_size(state, held, &response.arrived.url).await;
            }
            // Without ranges, the missing bytes cannot be requested. With ranges, the next requests fetch them, like
            // the rest of a short part.
            _ if response.part.is_none() && !response.ranges_work => {
                let failure = TransferFailure::new(FailureKind::Truncated, "the body ended too early");
                return Err(self.ended_short(held, failure).await?.into());
            }
            // A part may be shorter than requested. Request the rest as long as responses add new bytes.
            _ if gained == 0 => {
                return self.again(state, held, (RestartReason::NoRanges, "a part without new bytes")).await;
            }
            _ => state.count_gain(gained)?,
        }
        state.held = Some(held);
        Ok(())
    }

    /// Determines the size of a file of unknown length after its response has ended.
    ///
    /// The file is complete, unless the server at `url` states that there are more bytes.
    async fn settle_size(&self, state: &mut ResumeState, mut held: PartialState, url: &Url) -> Result<(), TransferEnd> {
        let came = held.have.end();
        let size = self.measure(&held, url).await?;
        match size {
            // A cut connection looks the same as the end of a body, so request the bytes after `came`.
            Some(size) if size > came && came > 0 && self.has_more(&held, url, size).await? => {
                held.record.total = Some(size);
                self.counters.set_total(held.record.total);
                held = self.save(held).await?;
            }
            // Ranges do not work here, but another response with the whole file may be complete.
            Some(size) if size > came && !state.asked_plainly => {
                state.request_whole(came);
                held = self.save(held).await?;
            }
            _ => {
                held.record.total = Some(came);
                let is_measured = size == Some(came) && !held.record.is_unmeasured;
                held.record.is_unmeasured = !is_measured && self.spec.expected.size.is_none();
                self.counters.set_total(held.record.total);
            }
        }
        state.held = Some(held);
        Ok(())
    }
}
