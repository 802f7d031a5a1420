//! Decides whether a response to a range request belongs to the same file. [pure]
//!
//! Every response is checked before any byte of its body is used. A 206 alone is no evidence. The checks, in this
//! order:
//!
//! - The body has no encoding.
//! - `Content-Range` parses, starts at the requested byte and states the known complete length. Without a complete
//!   length, the response is accepted if no length was known, or if its strong validator is the known one.
//! - The validators show no change.
//!
//! Later, `segment` compares the overlap before it stores any byte. This also works with servers that send no
//! validators.
//!
//! `If-Range` is not used, because some servers then answer with 200 although they can resume. The checks here do not
//! need it.

use crate::{
    http::{
        content_range::{ContentRange, RangeAnswer, parse},
        response_claim::{self, ClaimedExtent},
    },
    model::validators::{Validators, is_same_by_strong, strong},
};

/// Verdict about a response to a range request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResumeVerdict {
    /// The response continues the file up to byte `last`. Its bytes can be compared and joined.
    Join {
        /// Offset of the last byte of this response, inclusive.
        last: u64,
        /// Complete length of the file, if the response states it.
        complete: Option<u64>,
    },
    /// The body is the whole file, from the first byte.
    Whole,
    /// No bytes are missing.
    Complete,
    /// The file has changed. The reason is for the log.
    Changed(&'static str),
    /// This server's ranges cannot be used. The reason is for the log.
    Unusable(&'static str),
    /// The response is a success, but is neither the requested part nor a whole file of the known size.
    ///
    /// To learn which file the server has now, a request without a range is necessary. The reason is for the log.
    Contradicts(&'static str),
    /// The status refuses the request.
    Refused,
}

/// Judges `answer`, the response to a request for `bytes=from-`.
///
/// The known file has the validators `known` and the length `total`. Of this file, `held` bytes are on disk.
pub(crate) fn judge(known: &Validators, total: Option<u64>, from: u64, held: u64, answer: &RangeAnswer) -> ResumeVerdict {
    match answer.status {
        206 => judge_part(known, total, from, answer),
        status if response_claim::carries_file(status) => match response_claim::extent(answer) {
            ClaimedExtent::Part { .. } => judge_part(known, total, from, answer),
            ClaimedExtent::Whole | ClaimedExtent::Doubtful => judge_whole(known, total, answer),
            ClaimedExtent::Nowhere(why) => ResumeVerdict::Contradicts(why),
        },
        416 => {
            if let Some(reason) = changed(known, &answer.validators, false) {
                return ResumeVerdict::Changed(reason);
            }
            match answer.content_range.as_deref().and_then(parse) {
                Some(ContentRange::Unsatisfied { complete }) if complete == held && total.is_none_or(|t| t == held) => {
                    ResumeVerdict::Complete
                }
                Some(ContentRange::Unsatisfied { .. }) => ResumeVerdict::Changed("the server says that the range does not exist"),
                _ => ResumeVerdict::Unusable("a range refused, and no complete length stated"),
            }
        }
        _ => ResumeVerdict::Refused,
    }
}

/// Judges a success that ignores the requested range.
///
/// The body must have the known length to count as the whole file, because some servers send the requested part with
/// status 200.
fn judge_whole(known: &Validators, total: Option<u64>, answer: &RangeAnswer) -> ResumeVerdict {
    match (total, answer.length) {
        (Some(total), Some(length)) if total == length && !answer.is_encoded => ResumeVerdict::Whole,
        _ if changed(known, &answer.validators, false).is_some() => ResumeVerdict::Contradicts("a success with other validators"),
        (Some(_), Some(_)) => ResumeVerdict::Contradicts("a success of another length than the file's"),
        _ => ResumeVerdict::Contradicts("a success to a range, and no length that says whether it is the whole file"),
    }
}

fn judge_part(known: &Validators, total: Option<u64>, from: u64, answer: &RangeAnswer) -> ResumeVerdict {
    if answer.is_encoded {
        return ResumeVerdict::Unusable("an encoded answer to a range");
    }
    let Some(ContentRange::Part { first, last, complete }) = answer.content_range.as_deref().and_then(parse) else {
        return ResumeVerdict::Unusable("a part without a Content-Range that can be read");
    };
    if answer.length.is_some_and(|length| length != last - first + 1) {
        return ResumeVerdict::Unusable("a body of another length than its Content-Range states");
    }
    if first != from {
        return ResumeVerdict::Unusable("a part from elsewhere than asked");
    }
    match (total, complete) {
        (Some(then), Some(now)) if then != now => return ResumeVerdict::Changed("the complete length differs"),
        (Some(then), None) if last >= then => return ResumeVerdict::Changed("more than the complete length"),
        // A response without the known length must have the same strong validator.
        (Some(_), None) if !is_same_by_strong(known, &answer.validators) => {
            return ResumeVerdict::Unusable("a part that does not state the complete length");
        }
        _ => {}
    }
    match changed(known, &answer.validators, true) {
        Some(reason) => ResumeVerdict::Changed(reason),
        None => ResumeVerdict::Join { last, complete },
    }
}

/// Returns whether a response may belong to the same file.
///
/// Missing validators are no contradiction.
pub(crate) fn may_be_same(then: &Validators, now: &Validators) -> bool {
    changed(then, now, false).is_none()
}

/// Returns why the validators cannot belong to the same file, or `None` if they can.
///
/// If `bound` is true, a missing validator is also such a reason.
fn changed(then: &Validators, now: &Validators, bound: bool) -> Option<&'static str> {
    match (strong(&then.etag), strong(&now.etag)) {
        (Some(then), Some(now)) if then == now => return None,
        (Some(_), Some(_)) => return Some("the ETag differs"),
        _ => {}
    }
    if let (Some(then), Some(now)) = (&then.etag, &now.etag)
        && opaque(then) != opaque(now)
    {
        return Some("the ETag differs");
    }
    match (&then.last_modified, &now.last_modified) {
        (Some(then), Some(now)) if then == now => None,
        (Some(_), Some(_)) => Some("Last-Modified differs"),
        (Some(_), None) if bound => Some("Last-Modified is gone, and no strong ETag stands for it"),
        (None, _) if bound && strong(&then.etag).is_some() => Some("the strong ETag is gone"),
        _ => None,
    }
}

/// Result of comparing the size of a response from offset zero with the known size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestartCause {
    /// The size is equal or was unknown, or the validators show that the file has changed.
    Fits,
    /// The size differs, but no validator shows that the file has changed.
    ///
    /// Either size may be the correct one.
    Unattested,
    /// The size differs under the same strong validator, so the server contradicts itself.
    Contradiction,
}

/// Compares a response from offset zero with the known file.
///
/// The known file has the size `total` and the validators `then`. The response has `length` and the validators `now`.
pub(crate) fn anew(then: &Validators, total: Option<u64>, now: &Validators, length: Option<u64>) -> RestartCause {
    match (total, length) {
        (Some(total), Some(length)) if total != length => {}
        _ => return RestartCause::Fits,
    }
    match changed(then, now, true) {
        _ if is_same_by_strong(then, now) => RestartCause::Contradiction,
        Some(_) => RestartCause::Fits,
        None => RestartCause::Unattested,
    }
}

fn opaque(etag: &str) -> &str {
    etag.strip_prefix("W/").or_else(|| etag.strip_prefix("w/")).unwrap_or(etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn validators(etag: &str, last_modified: &str) -> Validators {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Validators { etag: some(etag), last_modified: some(last_modified) }
    }

    fn part(range: &str, validators: Validators) -> RangeAnswer {
        RangeAnswer { status: 206, content_range: Some(range.to_owned()), validators, ..RangeAnswer::default() }
    }

    fn judged(then: (&str, &str), now: (&str, &str)) -> ResumeVerdict {
        let answer = part("bytes 100-999/1000", validators(now.0, now.1));
        judge(&validators(then.0, then.1), Some(1000), 100, 500, &answer)
    }

    const JOIN: ResumeVerdict = ResumeVerdict::Join { last: 999, complete: Some(1000) };

    #[test]
    fn part_with_same_validators_is_joined_to_file() {
        assert_eq!(judged(("\"a\"", "mon"), ("\"a\"", "mon")), JOIN);
        assert_eq!(judged(("\"a\"", "mon"), ("\"a\"", "tue")), JOIN, "a strong ETag is enough");
        assert_eq!(judged(("\"a\"", "mon"), ("", "mon")), JOIN);
        assert_eq!(judged(("W/\"a\"", "mon"), ("W/\"a\"", "mon")), JOIN);
        assert_eq!(judged(("", ""), ("", "")), JOIN, "the overlap decides");
        assert_eq!(judged(("", ""), ("\"a\"", "mon")), JOIN);
    }

    #[test]
    fn parts_are_combined_only_if_strong_etag_is_the_same() {
        let same =
            |then: (&str, &str), now: (&str, &str)| validators(then.0, then.1).is_same_by_strong(&validators(now.0, now.1));
        assert!(same(("\"a\"", ""), ("\"a\"", "")) && same(("\"a\"", "mon"), ("\"a\"", "tue")));
        for (then, now) in [
            (("\"a\"", "mon"), ("\"b\"", "mon")),
            (("\"a\"", "mon"), ("W/\"a\"", "mon")),
            (("W/\"a\"", "mon"), ("W/\"a\"", "mon")),
            (("\"a\"", "mon"), ("", "mon")),
            (("", "mon"), ("", "mon")),
            (("", ""), ("", "")),
        ] {
            assert!(!same(then, now), "{then:?} {now:?}");
        }
        assert!(validators("\"a\"", "").has_strong());
        assert!(
            !validators("W/\"a\"", "mon").has_strong() && !validators("", "mon").has_strong() && !validators("", "").has_strong()
        );
    }

    #[test]
    fn changed_or_missing_validator_counts_as_changed_file() {
        for (then, now) in [
            (("\"a\"", "mon"), ("\"b\"", "mon")),
            (("\"a\"", ""), ("", "")),
            (("W/\"a\"", "mon"), ("W/\"b\"", "mon")),
            (("\"a\"", "mon"), ("W/\"b\"", "mon")),
            (("", "mon"), ("", "tue")),
            (("", "mon"), ("", "")),
            (("W/\"a\"", "mon"), ("W/\"a\"", "tue")),
        ] {
            assert!(matches!(judged(then, now), ResumeVerdict::Changed(_)), "{then:?} {now:?}");
        }
    }

    #[test]
    fn part_must_match_the_requested_range() {
        let known = validators("\"a\"", "");
        let judge = |range: &str, total| judge(&known, total, 100, 500, &part(range, known.clone()));
        let elsewhere = ["bytes 101-999/1000", "bytes 0-999/1000", "bytes 99-999/1000", "items 100-999/1000", "bytes */1000"];
        for range in elsewhere {
            assert!(matches!(judge(range, Some(1000)), ResumeVerdict::Unusable(_)), "{range}");
        }
        for range in ["bytes 100-999/1001", "bytes 100-499/500", "bytes 100-1000/*"] {
            assert!(matches!(judge(range, Some(1000)), ResumeVerdict::Changed(_)), "{range}");
        }
        assert_eq!(judge("bytes 100-599/1000", Some(1000)), ResumeVerdict::Join { last: 599, complete: Some(1000) });
        assert_eq!(judge("bytes 100-999/*", Some(1000)), ResumeVerdict::Join { last: 999, complete: None });
        assert_eq!(judge("bytes 100-999/1000", None), JOIN);
    }

    #[test]
    fn range_response_without_total_length_is_usable_only_with_a_strong_validator() {
        let judge = |etag: &str, last_modified: &str, total| {
            let known = validators(etag, last_modified);
            judge(&known, total, 100, 500, &part("bytes 100-999/*", known.clone()))
        };
        let join = ResumeVerdict::Join { last: 999, complete: None };
        for (etag, last_modified) in [("W/\"a\"", "mon"), ("W/\"a\"", ""), ("", "mon"), ("", "")] {
            assert!(matches!(judge(etag, last_modified, Some(1000)), ResumeVerdict::Unusable(_)), "{etag} {last_modified}");
            assert_eq!(judge(etag, last_modified, None), join, "no length was ever known: the overlap decides");
        }
        assert_eq!(judge("\"a\"", "mon", Some(1000)), join);
        let gone = part("bytes 100-999/*", validators("", "mon"));
        assert!(matches!(super::judge(&validators("\"a\"", "mon"), Some(1000), 100, 500, &gone), ResumeVerdict::Unusable(_)));
    }

    #[test]
    fn changed_file_size_is_not_trusted_if_the_validator_has_not_changed() {
        let anew = |then: (&str, &str), now: (&str, &str), length| {
            anew(&validators(then.0, then.1), Some(1000), &validators(now.0, now.1), length)
        };
        for length in [Some(1000), None] {
            assert_eq!(anew(("\"a\"", "mon"), ("\"a\"", "mon"), length), RestartCause::Fits);
        }
        for length in [Some(0), Some(999), Some(1001)] {
            assert_eq!(anew(("\"a\"", "mon"), ("\"a\"", "tue"), length), RestartCause::Contradiction, "{length:?}");
            for now in [("\"b\"", "mon"), ("", "mon"), ("", "")] {
                let expected = if now == ("", "mon") { RestartCause::Unattested } else { RestartCause::Fits };
                assert_eq!(anew(("\"a\"", "mon"), now, length), expected, "{now:?}");
            }
            assert_eq!(anew(("W/\"a\"", "mon"), ("W/\"a\"", "mon"), length), RestartCause::Unattested);
            assert_eq!(anew(("", "mon"), ("", "tue"), length), RestartCause::Fits);
            assert_eq!(anew(("", ""), ("", ""), length), RestartCause::Unattested);
        }
    }

    #[test]
    fn part_with_encoding_or_without_range_is_unusable() {
        let mut answer = part("bytes 100-999/1000", Validators::default());
        answer.is_encoded = true;
        assert!(matches!(judge(&Validators::default(), Some(1000), 100, 500, &answer), ResumeVerdict::Unusable(_)));
        (answer.is_encoded, answer.content_range) = (false, None);
        assert!(matches!(judge(&Validators::default(), Some(1000), 100, 500, &answer), ResumeVerdict::Unusable(_)));
    }

    #[test]
    fn status_416_means_completion_only_if_size_matches() {
        let known = validators("\"a\"", "mon");
        let answer = |range: Option<&str>, etag| RangeAnswer {
            status: 416,
            content_range: range.map(str::to_owned),
            validators: validators(etag, ""),
            ..RangeAnswer::default()
        };
        let judge = |range, etag, total| judge(&known, total, 100, 500, &answer(range, etag));
        assert_eq!(judge(Some("bytes */500"), "", None), ResumeVerdict::Complete);
        assert_eq!(judge(Some("bytes */500"), "\"a\"", Some(500)), ResumeVerdict::Complete);
        assert!(matches!(judge(Some("bytes */500"), "\"b\"", None), ResumeVerdict::Changed(_)));
        assert!(matches!(judge(Some("bytes */500"), "", Some(1000)), ResumeVerdict::Changed(_)));
        assert!(matches!(judge(Some("bytes */499"), "", None), ResumeVerdict::Changed(_)));
        assert!(matches!(judge(None, "", None), ResumeVerdict::Unusable(_)), "nothing is known of the file");
        assert!(matches!(judge(Some("junk"), "", None), ResumeVerdict::Unusable(_)));
    }

    #[test]
    fn status_that_never_comes_with_file_content_counts_as_refusal() {
        for status in [202, 204, 205, 207, 301, 404, 500] {
            let answer = RangeAnswer { status, ..RangeAnswer::default() };
            assert_eq!(judge(&Validators::default(), None, 0, 1, &answer), ResumeVerdict::Refused, "{status}");
        }
    }

    #[test]
    fn response_without_range_counts_as_whole_file_only_if_length_matches() {
        let known = validators("\"a\"", "mon");
        let judge = |status, total, length, range: Option<&str>| {
            let content_range = range.map(str::to_owned);
            let answer = RangeAnswer { status, content_range, length, validators: known.clone(), ..RangeAnswer::default() };
            judge(&known, total, 100, 500, &answer)
        };
        for status in [200, 201, 203] {
            assert_eq!(judge(status, Some(1000), Some(1000), None), ResumeVerdict::Whole, "{status}");
            assert_eq!(judge(status, Some(1000), Some(1000), Some("bytes 0-999/1000")), ResumeVerdict::Whole, "{status}");
            assert_eq!(judge(status, Some(1000), Some(900), Some("bytes 100-999/1000")), JOIN, "{status}");
            assert!(
                matches!(judge(status, Some(1000), Some(900), Some("bytes 100-999/1001")), ResumeVerdict::Changed(_)),
                "{status}"
            );
            assert!(
                matches!(judge(status, Some(1000), Some(1000), Some("bytes 100-999/1000")), ResumeVerdict::Whole),
                "{status}"
            );
            for (total, length) in
                [(Some(1000), Some(900)), (Some(1000), Some(0)), (Some(1000), None), (None, Some(900)), (None, None)]
            {
                assert!(
                    matches!(judge(status, total, length, None), ResumeVerdict::Contradicts(_)),
                    "{status} {total:?} {length:?}"
                );
            }
        }
    }

    #[test]
    fn part_with_wrong_body_length_is_unusable() {
        let known = validators("\"a\"", "mon");
        for (status, length) in [(206, 899), (206, 1), (206, 1000), (206, 901)] {
            let answer = RangeAnswer { status, length: Some(length), ..part("bytes 100-999/1000", known.clone()) };
            assert!(matches!(judge(&known, Some(1000), 100, 500, &answer), ResumeVerdict::Unusable(_)), "{length}");
        }
        let answer = RangeAnswer { length: Some(900), ..part("bytes 100-999/1000", known.clone()) };
        assert_eq!(judge(&known, Some(1000), 100, 500, &answer), JOIN);
    }

    #[test]
    fn content_range_is_parsed_only_if_consistent() {
        assert_eq!(parse("Bytes 1-2/*"), Some(ContentRange::Part { first: 1, last: 2, complete: None }));
        assert_eq!(parse("bytes */7"), Some(ContentRange::Unsatisfied { complete: 7 }));
        for text in [
            "",
            "bytes",
            "bytes 1-2",
            "bytes 2-1/9",
            "bytes 1-9/9",
            "bytes +1-2/9",
            "bytes -1/9",
            "bytes */*",
            "bytes 1-99999999999999999999999/*",
            "bytes 1-18446744073709551615/*",
            "bytes 1-2/junk",
            "pages 1-2/3",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
