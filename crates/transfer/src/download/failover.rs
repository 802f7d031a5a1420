//! Which of a file's addresses is asked, and what the answer of a mirror is worth in the place of the first one.
//!
//! What is held is worth more than a mirror: one that cannot go on with it, has a file of another size, or promises
//! another digest is passed over, and the first address's failure stands. Only where time does not mend that may a mirror begin
//! the file anew.

use url::Url;

use crate::{
    download::run::{TransferEnd, TransferRun, web_page},
    http::{
        exchange::{ByteSpan, Response, bad_status},
        response_head::{self, length},
        resume_validation::{self, ResumeVerdict},
    },
    model::{
        outcome::{FailureKind, TransferFailure},
        validators::Validators,
    },
    partial::state::PartialState,
};

impl TransferRun {
    /// Asks for the file, at its own address first and at its mirrors where that fails. After `mended` looks at wrong
    /// bytes another address comes first; those that were `refused` are not asked. Returns what answered, and which address
    /// that was.
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

    /// All addresses of the file: its own, those that the caller names, those that its first answer did.
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

    /// Whether a mirror's answer serves in the place of the address that `failed`.
    fn may_stand_in(
        &self,
        answered: &Response,
        span: Option<ByteSpan>,
        held: Option<&PartialState>,
        failed: Option<&TransferFailure>,
    ) -> bool {
        let host = answered.chain.last().and_then(Url::host_str);
        if let Some(digest) = answered.contradicts(&self.spec.digests(held.map(|held| &held.record.head))) {
            tracing::info!(guid = %self.spec.guid, host, %digest, "a mirror promises another digest: refused");
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
            // What is held and not gone on with is another file than the one that is asked for.
            (_, held) => {
                let known = held.filter(|held| held.have.count() == 0).and_then(|held| held.record.total);
                is_as_long(self.spec.expected.size.or(known), whole)
            }
        };
        if !serves {
            tracing::info!(guid = %self.spec.guid, host, status, "a mirror does not go on with what is there: passed over");
        }
        serves
    }
}

/// Whether an answer of this length may be a file that is `known` to be so long.
fn is_as_long(known: Option<u64>, length: Option<u64>) -> bool {
    match (known, length) {
        (Some(known), Some(length)) => known == length,
        _ => true,
    }
}
