//! Classifies a response: the whole file, a part of the file, or no file at all. [pure]
//!
//! - `run`, `small_file` and `pending_responses` use this module for requests without a range. `resume_validation` uses
//!   it to find the position of the body after a range request.
//! - Status, `Content-Range` and length of the body must agree. If they do not, the response is either refused, or
//!   stored as the whole file and marked as unverified.
//! - `Content-Range` has no meaning in a 200 (RFC 9110, section 14.4), but some scripts send a part with status 200.
//!   The field is trusted unless the length of the body contradicts it.

use crate::http::content_range::{ContentRange, RangeAnswer};

/// Success statuses without a file: accepted for later processing, no content, reset content, and lists of results.
const NO_FILE: [u16; 5] = [202, 204, 205, 207, 208];

/// Position of a response body in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimedExtent {
    /// The whole file.
    Whole,
    /// Status, range and length contradict each other.
    ///
    /// The body is treated as the whole file, as a client without range support would treat it.
    Doubtful,
    /// The bytes `first..=last`.
    Part {
        /// Offset of the first byte.
        first: u64,
        /// Offset of the last byte, inclusive.
        last: u64,
        /// Complete length of the file, if the response states it.
        complete: Option<u64>,
    },
    /// The position of the body is unknown. The reason is for the log.
    Nowhere(&'static str),
}

/// Content of a response to a request without a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainClaim {
    /// The whole file.
    Whole,
    /// Possibly the whole file. Nothing confirms the length.
    Unverified,
    /// The first `reach` bytes of a file of `complete` bytes.
    Beginning {
        /// Offset after the last byte of this response.
        reach: u64,
        /// Complete length of the file.
        complete: u64,
    },
    /// A part that cannot be the beginning of a file. The reason is for the log.
    Useless(&'static str),
    /// A status without a file.
    NoFile,
}

/// Returns whether a response with this status contains a file, or a part of a file.
pub(crate) fn carries_file(status: u16) -> bool {
    (200..300).contains(&status) && !NO_FILE.contains(&status)
}

/// Returns where the body of `answer` belongs in the file.
///
/// [`carries_file`] must be true for the status of `answer`.
pub(crate) fn extent(answer: &RangeAnswer) -> ClaimedExtent {
    let is_part = answer.status == 206;
    let range = match answer.content_range.as_deref() {
        None => return if is_part { ClaimedExtent::Doubtful } else { ClaimedExtent::Whole },
        Some(range) => crate::http::content_range::parse(range),
    };
    let Some(ContentRange::Part { first, last, complete }) = range else {
        return if is_part { ClaimedExtent::Nowhere("a Content-Range that cannot be read") } else { ClaimedExtent::Doubtful };
    };
    let width = last - first + 1;
    let is_all = first == 0 && complete == Some(width);
    match answer.length {
        Some(length) if length != width => match complete == Some(length) {
            true => ClaimedExtent::Doubtful,
            false => ClaimedExtent::Nowhere("a body of another length than its Content-Range states"),
        },
        _ if is_all => ClaimedExtent::Whole,
        _ => ClaimedExtent::Part { first, last, complete },
    }
}

/// Classifies `answer`, the response to a request without a range.
pub(crate) fn plain(answer: &RangeAnswer) -> PlainClaim {
    if !carries_file(answer.status) {
        return PlainClaim::NoFile;
    }
    match extent(answer) {
        // A chunked body states no length, but its `Content-Range` does.
        ClaimedExtent::Whole if answer.length.is_none() && !answer.is_encoded => match stated(answer) {
            Some(complete) => PlainClaim::Beginning { reach: complete, complete },
            None => PlainClaim::Whole,
        },
        ClaimedExtent::Whole => PlainClaim::Whole,
        ClaimedExtent::Doubtful => PlainClaim::Unverified,
        ClaimedExtent::Part { first: 0, last, complete: Some(complete) } if !answer.is_encoded => {
            PlainClaim::Beginning { reach: last + 1, complete }
        }
        ClaimedExtent::Part { first: 0, complete: None, .. } => PlainClaim::Unverified,
        ClaimedExtent::Part { .. } => PlainClaim::Useless("an unrequested part that is not the beginning of the file"),
        ClaimedExtent::Nowhere(why) => PlainClaim::Useless(why),
    }
}

fn stated(answer: &RangeAnswer) -> Option<u64> {
    match answer.content_range.as_deref().and_then(crate::http::content_range::parse) {
        Some(ContentRange::Part { complete, .. }) => complete,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, range: Option<&str>, length: Option<u64>) -> RangeAnswer {
        RangeAnswer { status, content_range: range.map(str::to_owned), length, ..RangeAnswer::default() }
    }

    #[test]
    fn status_without_content_yields_no_file() {
        for status in [202, 204, 205, 207, 208, 300, 304, 404, 500] {
            assert_eq!(plain(&answer(status, None, Some(9))), PlainClaim::NoFile, "{status}");
        }
        for status in [200, 201, 203, 226, 299] {
            assert_eq!(plain(&answer(status, None, Some(9))), PlainClaim::Whole, "{status}");
        }
    }

    #[test]
    fn partial_response_with_status_200_is_placed_according_to_its_content_range() {
        let slice = ClaimedExtent::Part { first: 5, last: 9, complete: Some(10) };
        for length in [Some(5), None] {
            assert_eq!(extent(&answer(200, Some("bytes 5-9/10"), length)), slice, "{length:?}");
            assert_eq!(extent(&answer(203, Some("bytes 5-9/10"), length)), slice, "{length:?}");
        }
        assert_eq!(extent(&answer(200, Some("bytes 0-9/10"), Some(10))), ClaimedExtent::Whole);
    }

    #[test]
    fn bytes_of_a_response_are_not_placed_if_its_range_contradicts_its_length() {
        for status in [200, 206] {
            assert_eq!(extent(&answer(status, Some("bytes 5-9/10"), Some(10))), ClaimedExtent::Doubtful, "{status}");
            assert!(matches!(extent(&answer(status, Some("bytes 5-9/10"), Some(4))), ClaimedExtent::Nowhere(_)), "{status}");
        }
        assert_eq!(extent(&answer(206, None, Some(5))), ClaimedExtent::Doubtful);
        assert!(matches!(extent(&answer(206, Some("items 5-9/10"), Some(5))), ClaimedExtent::Nowhere(_)));
        assert_eq!(extent(&answer(200, Some("items 5-9/10"), Some(5))), ClaimedExtent::Doubtful);
    }

    #[test]
    fn unrequested_part_is_accepted_only_from_offset_zero() {
        let beginning = PlainClaim::Beginning { reach: 5, complete: 10 };
        for status in [200, 206] {
            assert_eq!(plain(&answer(status, Some("bytes 0-4/10"), Some(5))), beginning, "{status}");
            assert_eq!(plain(&answer(status, Some("bytes 0-9/10"), Some(10))), PlainClaim::Whole, "{status}");
            let chunked = plain(&answer(status, Some("bytes 0-9/10"), None));
            assert_eq!(chunked, PlainClaim::Beginning { reach: 10, complete: 10 }, "{status}");
            assert!(matches!(plain(&answer(status, Some("bytes 5-9/10"), Some(5))), PlainClaim::Useless(_)), "{status}");
        }
        assert_eq!(plain(&answer(206, None, Some(5))), PlainClaim::Unverified);
        assert_eq!(plain(&answer(206, Some("bytes 0-4/*"), Some(5))), PlainClaim::Unverified);
        let encoded = RangeAnswer { is_encoded: true, ..answer(206, Some("bytes 0-4/10"), Some(5)) };
        assert!(matches!(plain(&encoded), PlainClaim::Useless(_)));
    }
}
