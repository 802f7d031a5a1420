//! Chooses the address from which a file is requested, and accepts or refuses mirrors.
//!
//! - Bytes on disk take precedence over a mirror. A mirror is skipped if it cannot continue these bytes, or if the
//!   size or the digest that it states differs from the known one. If all mirrors are skipped, the transfer reports the
//!   failure of the first address.
//! - A mirror may restart the file only if the failure of the first address is permanent.

use url::Url;

use crate::{
    download::run::{TransferEnd, TransferRun, web_page},
    http::{
        exchange::{ByteSpan, Response, bad_status},
        response_head::{self, length},
        resume_validation::{self, ResumeVerdict},
    },
    model::{failure::TransferFailure, failure_kind::FailureKind, validators::Validators},
    partial::state::PartialState,
};

impl TransferRun {
    /// Requests the file from its first address, or from a mirror if that address fails.
    ///
    /// Moves the first `mended` addresses to the end of the list. After a repair of wrong bytes, the requests therefore
    /// begin with another address. Skips the addresses in `refused`. Returns the response and its address.
    pub(super) async fn ask_any(
        &self,
        span: Option<ByteSpan>,
        held: Option<&PartialState>,
        (mended, refused): (usize, &[Url]),
    ) -> Result<(Response, Url), TransferEnd> {
        let mut addresses = self.addresses(held);
        let count = addresses.len();
        addresses.rotate_left(mended % count);
        addresses.retain(|url| !refused.contains(url));
        let begun = held.map_or(0, |held| held.have.count());
        let mut first: Option<TransferFailure> = None;
        for url in addresses {
            let answered = match self.ask(&url, span, None).await {
                Ok(answered) => answered,
                Err(TransferEnd::Stopped) => return Err(TransferEnd::Stopped),
                Err(TransferEnd::Failed(failure)) => {
                    first.get_or_insert(failure);
                    continue;
                }
            };
            let is_good = answered.response.status().is_success() || answered.response.status() == 416;
            if count == 1 {
                return Ok((answered, url));
            }
            if !is_good {
                first.get_or_insert_with(|| bad_status(&answered, begun));
            } else if self.is_a_page(held.map(|held| &held.record.head), &answered) {
                first.get_or_insert_with(web_page);
            } else if url == self.spec.url || self.may_stand_in(&answered, span, held, first.as_ref()) {
                return Ok((answered, url));
            }
        }
        let failure = first.unwrap_or_else(|| TransferFailure::new(FailureKind::Internal, "there is no address to ask"));
        Err(failure.into())
    }

    /// Returns all addresses of the file: the first address, the caller's mirrors, and the mirrors that the first
    /// response promised.
    fn addresses(&self, held: Option<&PartialState>) -> Vec<Url> {
        let promised = held.map(|held| self.spec.promised(&held.record.head).mirrors).unwrap_or_default();
        let mut addresses = vec![self.spec.url.clone()];
        for url in self.spec.mirrors.iter().cloned().chain(promised) {
            if !addresses.contains(&url) {
                addresses.push(url);
            }
        }
        addresses
    }

    /// Whether the response of a mirror may replace the response from the first address.
    ///
    /// `failed` is the failure of the first address.
    fn may_stand_in(
        &self,
        answered: &Response,
        span: Option<ByteSpan>,
        held: Option<&PartialState>,
        failed: Option<&TransferFailure>,
    ) -> bool {
        let host = answered.chain.last().and_then(Url::host_str);
        if let Some(digest) = answered.contradicts(&self.spec.digests(held.map(|held| &held.record.head))) {
            tracing::info!(guid = %self.spec.guid, host, %digest, "mirror announces a different digest; refused");
            return false;
        }
        let status = answered.response.status().as_u16();
        let answer = response_head::answer_of(&answered.response);
        let whole = length(&answered.response).filter(|_| !answer.is_encoded);
        let serves = match (span, held) {
            (Some(span), Some(held)) => {
                let total = held.record.total;
                match resume_validation::judge(&Validators::default(), total, span.from, held.have.prefix(), &answer) {
                    ResumeVerdict::Join { .. } | ResumeVerdict::Complete => true,
                    ResumeVerdict::Whole => is_as_long(total, whole) && failed.is_some_and(|failed| !failed.is_transient()),
                    ResumeVerdict::Changed(_)
                    | ResumeVerdict::Unusable(_)
                    | ResumeVerdict::Contradicts(_)
                    | ResumeVerdict::Refused => false,
                }
            }
            // The request does not continue the bytes on disk. These bytes belong to a different file, so ignore their
            // recorded size.
            (_, held) => {
                let known = held.filter(|held| held.have.count() == 0).and_then(|held| held.record.total);
                is_as_long(self.spec.expected.size.or(known), whole)
            }
        };
        if !serves {
            tracing::info!(guid = %self.spec.guid, host, status, "mirror response does not fit this transfer; skipped");
        }
        serves
    }
}

/// Whether the length of a response matches the known size of the file.
fn is_as_long(known: Option<u64>, length: Option<u64>) -> bool {
    match (known, length) {
        (Some(known), Some(length)) => known == length,
        _ => true,
    }
}
