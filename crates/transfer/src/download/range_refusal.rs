//! Handles refused ranges, and responses that contradict or do not reach a stated length.
//!
//! Called by `download`. Some servers refuse every range of a file, or refuse ranges while another connection is open.
//! Therefore a link counts as expired, or a server as broken, only after a request without a range has also failed.

use url::Url;

use crate::{
    download::run::{TransferEnd, TransferRun, blocking},
    http::{
        exchange::{ByteSpan, Response, bad_status},
        response_claim::{self, PlainClaim},
        response_head::{self, length},
        resume_validation::{self, RestartCause},
    },
    model::{failure::TransferFailure, failure_kind::FailureKind},
    partial::state::PartialState,
};

/// Number of consecutive short responses after which their stated length counts as wrong.
///
/// Counts responses to requests without a range that all end at the same byte.
const MOST_SHORT_ENDS: u32 = 3;

/// Response to a request for a part of the file.
pub(super) enum PartAnswer {
    /// The server did not refuse the part. `resume_validation` judges the response.
    Part(Response, Url),
    /// The server refused the part and serves the whole file.
    Whole(Response, Url),
}

impl TransferRun {
    /// Requests `span` of a file, of which `held` is already on disk.
    ///
    /// If the server refuses, requests the whole file, but only once per run. If the server sends the whole file and
    /// its refusal was transient, requests the part once more, in order to keep the bytes on disk.
    pub(super) async fn ask_part(
        &self,
        span: ByteSpan,
        held: &PartialState,
        choice: (usize, &[Url]),
        asked_plainly: bool,
    ) -> Result<PartAnswer, TransferEnd> {
        let refused = match self.part_or_refusal(span, held, choice).await? {
            Ok((answered, url)) => return Ok(PartAnswer::Part(answered, url)),
            Err(failure) => failure,
        };
        if asked_plainly || !refused.may_be_about_ranges() {
            return Err(refused.into());
        }
        let plain = match self.ask_any(None, Some(held), choice).await {
            Ok((answered, url)) if self.is_served_whole(held, &answered, &url) => (answered, url),
            Err(TransferEnd::Stopped) => return Err(TransferEnd::Stopped),
            Ok(_) | Err(TransferEnd::Failed(_)) => return Err(refused.into()),
        };
        tracing::info!(guid = %self.spec.guid, why = refused.detail, "server refuses range requests but serves the whole file");
        if refused.is_transient()
            && let Ok((answered, url)) = self.part_or_refusal(span, held, choice).await?
        {
            return Ok(PartAnswer::Part(answered, url));
        }
        Ok(PartAnswer::Whole(plain.0, plain.1))
    }

    /// Returns the response to the request for `span`, or the failure of the request.
    async fn part_or_refusal(
        &self,
        span: ByteSpan,
        held: &PartialState,
        choice: (usize, &[Url]),
    ) -> Result<Result<(Response, Url), TransferFailure>, TransferEnd> {
        match self.ask_any(Some(span), Some(held), choice).await {
            Ok((answered, url)) => {
                let status = answered.response.status().as_u16();
                let is_answer = response_claim::carries_file(status) || status == 416;
                Ok(if is_answer { Ok((answered, url)) } else { Err(bad_status(&answered, held.have.count())) })
            }
            Err(TransferEnd::Failed(failure)) => Ok(Err(failure)),
            Err(TransferEnd::Stopped) => Err(TransferEnd::Stopped),
        }
    }

    /// Whether a response with the whole file may replace the bytes of `held`.
    ///
    /// The response must come from the same server, and must not be a web page. It may contain a new version of the
    /// file. If its strong validator is the known one, its length must be the known one too.
    fn is_served_whole(&self, held: &PartialState, answered: &Response, url: &Url) -> bool {
        let answer = response_head::answer_of(&answered.response);
        let whole = match response_claim::plain(&answer) {
            PlainClaim::Whole | PlainClaim::Unverified => length(&answered.response),
            PlainClaim::Beginning { complete, .. } => Some(complete),
            PlainClaim::Useless(_) | PlainClaim::NoFile => return false,
        };
        let fits = resume_validation::anew(&held.record.validators, held.record.total, &answer.validators, whole);
        fits != RestartCause::Contradiction && self.is_own(held, url) && !self.is_a_page(Some(&held.record.head), answered)
    }

    /// Ends the run, because `length` contradicts the size in `previous` under the same strong validator.
    ///
    /// The journal stores `length`. If a retry gets the same length again, the file restarts.
    pub(super) async fn contradict<T>(&self, previous: Option<PartialState>, length: Option<u64>) -> Result<T, TransferEnd> {
        let mut total = None;
        if let Some(mut held) = previous {
            total = held.record.total;
            if held.has_journal() {
                held.record.contradicted = length;
                let rewritten = blocking(move || held.rewrite_record()).await?;
                rewritten.map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
            }
        }
        let number = |bytes: Option<u64>| bytes.map_or_else(|| "an unknown number of".to_owned(), |bytes| bytes.to_string());
        let text = format!("{} bytes under the validator of {} bytes", number(length), number(total));
        Err(TransferFailure::new(FailureKind::UntrueLength, text).into())
    }

    /// Counts a response to a request without a range, if `failure` ended the response before its stated length.
    ///
    /// Returns `UntrueLength` if too many of these responses ended at the same byte, else `failure`.
    pub(super) async fn ended_short(
        &self,
        mut held: PartialState,
        failure: TransferFailure,
    ) -> Result<TransferFailure, TransferEnd> {
        let (end, total) = (held.have.end(), held.record.total);
        let is_short = matches!(failure.kind, FailureKind::Truncated | FailureKind::Reset | FailureKind::Timeout)
            && held.have.count() == end
            && total.is_some_and(|total| end < total);
        if !is_short || !held.has_journal() {
            return Ok(failure);
        }
        let times = match held.record.short_end {
            Some((at, times)) if at == end => times + 1,
            _ => 1,
        };
        let is_untrue = times >= MOST_SHORT_ENDS;
        // Reset the count, so that a retry by the user gets the same number of attempts. `compare_offer` then accepts
        // `end` as the length of the file.
        held.record.short_end = Some((end, if is_untrue { 0 } else { times }));
        let rewritten = blocking(move || held.rewrite_record()).await?;
        rewritten.map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
        let Some(total) = total.filter(|_| is_untrue) else { return Ok(failure) };
        let text = format!("{total} bytes are announced, and {end} came, {times} times");
        Ok(TransferFailure::new(FailureKind::UntrueLength, text))
    }
}
