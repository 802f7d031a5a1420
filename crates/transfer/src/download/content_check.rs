//! Compares the bytes on disk with the server's bytes at several offsets.
//!
//! `download` makes this comparison before it joins bytes of the server to the file, unless a strong validator proves
//! that the file is the same (RFC 9110, section 15.3.7.3).

use std::{ops::Range, time::Duration};

use futures_util::StreamExt;
use url::Url;

use crate::{
    download::run::{TransferEnd, TransferRun, blocking},
    http::{
        exchange::ByteSpan,
        response_head,
        resume_validation::{self, ResumeVerdict},
    },
    model::{failure::TransferFailure, validators::Validators},
    partial::state::PartialState,
    plan::{comparison_samples, segment_plan::OVERLAP},
};

/// Time limit for the response at each offset.
///
/// Needed for servers that handle one request at a time. Such a server does not respond while its response with the
/// remaining bytes is still open.
const PATIENCE: Duration = Duration::from_secs(5);

/// Result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentComparison {
    /// The bytes are the same at every offset.
    Same,
    /// The bytes differ, or a response belongs to another file.
    Differs,
    /// The server does not allow a comparison.
    Unknown,
}

impl TransferRun {
    /// Compares the bytes of `held` with the file at `url`.
    ///
    /// `known` are the validators of the file on disk. Skips the bytes directly before `missing`: the next response
    /// repeats them, and they are compared then.
    pub(super) async fn compare(
        &self,
        held: &PartialState,
        url: &Url,
        known: &Validators,
        missing: u64,
    ) -> Result<ContentComparison, TransferEnd> {
        let mut there = held.have.clone();
        there.remove(missing.saturating_sub(OVERLAP)..missing);
        for place in comparison_samples::places(&there) {
            let compared = self.compare_at(held, url, known, place.clone()).await?;
            if compared != ContentComparison::Same {
                tracing::info!(guid = %held.record.guid, host = url.host_str(), at = place.start, ?compared, "partial file could not be confirmed against the server");
                return Ok(compared);
            }
        }
        Ok(ContentComparison::Same)
    }

    async fn compare_at(
        &self,
        held: &PartialState,
        url: &Url,
        known: &Validators,
        place: Range<u64>,
    ) -> Result<ContentComparison, TransferEnd> {
        let part = held.part.clone();
        let (first, last) = (place.start, place.end - 1);
        let there = blocking(move || part.read_there(place)).await?;
        let there = there.map_err(|error| TransferFailure::of_disk(&error, "reading the partial"))?;
        // Another program has truncated the file. The bytes that are left prove nothing about the server.
        let Some(there) = there else { return Ok(ContentComparison::Unknown) };
        let gate = self.meter.gate(std::slice::from_ref(url));
        let compare = async {
            let answered = match self.ask(url, Some(ByteSpan { from: first, to: Some(last) }), None).await {
                Ok(answered) => answered,
                Err(TransferEnd::Stopped) => return Err(TransferEnd::Stopped),
                Err(TransferEnd::Failed(_)) => return Ok(ContentComparison::Unknown),
            };
            let answer = response_head::answer_of(&answered.response);
            match resume_validation::judge(known, held.record.total, first, held.have.prefix(), &answer) {
                ResumeVerdict::Join { last: end, .. } if end >= last => {}
                ResumeVerdict::Changed(_) => return Ok(ContentComparison::Differs),
                _ => return Ok(ContentComparison::Unknown),
            }
            let mut left = there.as_slice();
            let mut body = answered.response.bytes_stream();
            while let Some(Ok(piece)) = body.next().await {
                // A server may send more bytes than requested.
                let piece = &piece[..piece.len().min(left.len())];
                gate.pass_all(piece.len()).await;
                let Some(rest) = left.strip_prefix(piece) else { return Ok(ContentComparison::Differs) };
                left = rest;
                if left.is_empty() {
                    return Ok(ContentComparison::Same);
                }
            }
            Ok(ContentComparison::Unknown)
        };
        match self.stop.run_until_cancelled(gate.within(PATIENCE, compare)).await {
            Some(compared) => compared.unwrap_or(Ok(ContentComparison::Unknown)),
            None => Err(TransferEnd::Stopped),
        }
    }
}
