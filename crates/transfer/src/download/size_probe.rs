//! Determines the size of a file whose response stated no length.
//!
//! Called by `download` after such a response has ended. If a body ends when the connection closes, a cut body looks
//! the same as a complete one. The size is therefore requested by HEAD. If HEAD is refused or ranges are offered, the
//! size is also requested by a range of one byte.
//!
//! The file is kept in every case. Without an answer, its size is recorded as unknown.

use std::time::Duration;

use http::{
    Method,
    header::{ACCEPT_RANGES, CONTENT_LENGTH},
};
use url::Url;

use crate::{
    download::run::{TransferEnd, TransferRun},
    http::{
        WatchedStream,
        content_range::{self, ContentRange},
        exchange::{self, ByteSpan, Response},
        response_claim, response_head, resume_validation,
    },
    model::spec::TransferSpec,
    partial::state::PartialState,
};

/// Time limit for a response about the size.
///
/// The limit is short, because the file has already been received.
const PATIENCE: Duration = Duration::from_secs(10);

impl TransferRun {
    /// Returns the size that the server at `url` states for the file. `held` is the file on disk.
    pub(super) async fn measure(&self, held: &PartialState, url: &Url) -> Result<Option<u64>, TransferEnd> {
        if !held.record.may_resume || !self.is_own(held, url) {
            return Ok(None);
        }
        let spec = TransferSpec { method: Method::HEAD, ..self.spec.clone() };
        let head = self.ask_about(&spec, url, None).await?.filter(|answered| is_same_file(held, answered));
        if let Some(size) = head.as_ref().and_then(size_of_head) {
            return Ok(Some(size));
        }
        let offers =
            held.record.head.headers.iter().any(|(name, value)| {
                name.eq_ignore_ascii_case(ACCEPT_RANGES.as_str()) && value.trim().eq_ignore_ascii_case("bytes")
            });
        if head.is_some() && !offers {
            return Ok(None);
        }
        let first = ByteSpan { from: 0, to: Some(0) };
        let answered = self.ask_about(&self.spec, url, Some(first)).await?;
        Ok(answered.filter(|answered| is_same_file(held, answered)).and_then(|answered| size_of_range(&answered)))
    }

    /// Whether the server has further bytes after those of `held`, up to `size`.
    pub(super) async fn has_more(&self, held: &PartialState, url: &Url, size: u64) -> Result<bool, TransferEnd> {
        let from = held.have.end();
        let answered = self.ask_about(&self.spec, url, Some(ByteSpan { from, to: None })).await?;
        let answer =
            answered.filter(|answered| is_same_file(held, answered)).map(|answered| response_head::answer_of(&answered.response));
        let range = answer.filter(|answer| answer.status == 206).and_then(|answer| answer.content_range);
        let range = range.as_deref().and_then(content_range::parse);
        Ok(matches!(range, Some(ContentRange::Part { first, complete, .. }) if first == from && complete == Some(size)))
    }

    /// Requests the file or its head. Returns the response, if it arrives in time.
    async fn ask_about(&self, spec: &TransferSpec, url: &Url, span: Option<ByteSpan>) -> Result<Option<Response>, TransferEnd> {
        let ask = tokio::time::timeout(PATIENCE, exchange::ask(&self.client, spec, url, span, None));
        match self.stop.run_until_cancelled(ask).await {
            None => Err(TransferEnd::Stopped),
            Some(answered) => Ok(answered.ok().and_then(Result::ok)),
        }
    }
}

/// Whether a response is about the same file as `held`.
fn is_same_file(held: &PartialState, answered: &Response) -> bool {
    let answer = response_head::answer_of(&answered.response);
    let is_answer = response_claim::carries_file(answer.status) || answer.status == 416;
    let is_unverified = answered.response.extensions().get::<WatchedStream>().is_some_and(WatchedStream::is_unverified);
    is_answer
        && !answer.is_encoded
        && !is_unverified
        && resume_validation::may_be_same(&held.record.validators, &answer.validators)
}

/// Returns the size from a response to HEAD.
///
/// Ignores a size of 0, which scripts without support for HEAD often state.
fn size_of_head(answered: &Response) -> Option<u64> {
    let mut lengths = answered.response.headers().get_all(CONTENT_LENGTH).iter();
    let length = lengths.next()?.to_str().ok()?.trim().parse().ok()?;
    (length > 0 && lengths.next().is_none()).then_some(length)
}

/// Returns the complete size from a response to a range request.
fn size_of_range(answered: &Response) -> Option<u64> {
    let answer = response_head::answer_of(&answered.response);
    match (answer.status, answer.content_range.as_deref().and_then(content_range::parse)?) {
        (206, ContentRange::Part { complete, .. }) => complete,
        (416, ContentRange::Unsatisfied { complete }) => Some(complete),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_size_is_read_from_a_head_response_only_if_it_has_one_valid_content_length() {
        assert_eq!(size_of_head(&Response::with_head(200, &[("content-length", " 9 ")])), Some(9));
        for headers in [
            &[][..],
            &[("content-length", "0")],
            &[("content-length", "-9")],
            &[("content-length", "9"), ("content-length", "8")],
        ] {
            assert_eq!(size_of_head(&Response::with_head(200, headers)), None, "{headers:?}");
        }
    }

    #[test]
    fn size_of_range_response_is_the_complete_length() {
        assert_eq!(size_of_range(&Response::with_head(206, &[("content-range", "bytes 0-0/9")])), Some(9));
        assert_eq!(size_of_range(&Response::with_head(416, &[("content-range", "bytes */9")])), Some(9));
        for (status, range) in [(206, "bytes 0-0/*"), (200, "bytes 0-0/9"), (416, "bytes 0-0/9"), (206, "junk")] {
            assert_eq!(size_of_range(&Response::with_head(status, &[("content-range", range)])), None, "{status} {range}");
        }
    }
}
