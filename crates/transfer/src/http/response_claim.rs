//! The claim of an answer: the whole file, a part of it, or no file at all. [pure]
//!
//! `run`, `small_file` and `pending_responses` ask it about answers to a plain request; `resume_validation` asks it where the body of an answer to
//! a range belongs.
//!
//! - Status, `Content-Range` and length of the body must agree. Where they do not, the answer is either refused, or believed
//!   as what a client without knowledge of ranges would store, and then marked as unverified.
//! - `Content-Range` has no meaning in a 200 (RFC 9110, section 14.4), but scripts send a part under 200. It is believed
//!   where the length of the body confirms it.

use crate::http::content_range::{ContentRange, RangeAnswer};

/// Statuses of success that carry no file: accepted for later, no content, reset content, and lists of results.
const NO_FILE: [u16; 5] = [202, 204, 205, 207, 208];

/// Where the body of an answer belongs in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The whole file.
    Whole,
    /// The whole file for a client that does not know ranges; status, range and length contradict each other.
    Doubtful,
    /// The bytes `first..=last`.
    Part {
        /// The first byte.
        first: u64,
        /// The last byte.
        last: u64,
        /// The complete length, where it is stated.
        complete: Option<u64>,
    },
    /// Nothing that can be placed; the reason is for the log.
    Nowhere(&'static str),
}

/// The content that an answer to a request without a range carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// The whole file.
    Whole,
    /// A body that may be the whole file; nothing confirms its length.
    Unverified,
    /// The first `reach` bytes of `complete`.
    Beginning {
        /// One more than the last byte of this answer.
        reach: u64,
        /// The complete length.
        complete: u64,
    },
    /// A part from which no file can be made.
    Useless(&'static str),
    /// A status that carries no file.
    NoFile,
}

/// Whether an answer with this status carries a file, or a part of one.
pub(crate) fn carries_file(status: u16) -> bool {
    (200..300).contains(&status) && !NO_FILE.contains(&status)
}

/// Where the body of `answer` belongs. The status must be one that carries a file.
pub(crate) fn extent(answer: &RangeAnswer) -> Extent {
    let is_part = answer.status == 206;
    let range = match answer.content_range.as_deref() {
        None => return if is_part { Extent::Doubtful } else { Extent::Whole },
        Some(range) => crate::http::content_range::parse(range),
    };
    let Some(ContentRange::Part { first, last, complete }) = range else {
        return if is_part { Extent::Nowhere("a Content-Range that cannot be read") } else { Extent::Doubtful };
    };
    let width = last - first + 1;
    let is_all = first == 0 && complete == Some(width);
    match answer.length {
        Some(length) if length != width => match complete == Some(length) {
            true => Extent::Doubtful,
            false => Extent::Nowhere("a body of another length than its Content-Range states"),
        },
        _ if is_all => Extent::Whole,
        _ => Extent::Part { first, last, complete },
    }
}

/// The content that `answer` to a request without a range carries.
pub(crate) fn plain(answer: &RangeAnswer) -> Plain {
    if !carries_file(answer.status) {
        return Plain::NoFile;
    }
    match extent(answer) {
        // Chunks state no length, and this Content-Range does.
        Extent::Whole if answer.length.is_none() && !answer.is_encoded => match stated(answer) {
            Some(complete) => Plain::Beginning { reach: complete, complete },
            None => Plain::Whole,
        },
        Extent::Whole => Plain::Whole,
        Extent::Doubtful => Plain::Unverified,
        Extent::Part { first: 0, last, complete: Some(complete) } if !answer.is_encoded => {
            Plain::Beginning { reach: last + 1, complete }
        }
        Extent::Part { first: 0, complete: None, .. } => Plain::Unverified,
        Extent::Part { .. } => Plain::Useless("a part that nobody asked for, and not the beginning of the file"),
        Extent::Nowhere(why) => Plain::Useless(why),
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
    fn status_without_file_is_no_file() {
        for status in [202, 204, 205, 207, 208, 300, 304, 404, 500] {
            assert_eq!(plain(&answer(status, None, Some(9))), Plain::NoFile, "{status}");
        }
        for status in [200, 201, 203, 226, 299] {
            assert_eq!(plain(&answer(status, None, Some(9))), Plain::Whole, "{status}");
        }
    }

    #[test]
    fn slice_under_200_is_placed_by_its_content_range() {
        let slice = Extent::Part { first: 5, last: 9, complete: Some(10) };
        for length in [Some(5), None] {
            assert_eq!(extent(&answer(200, Some("bytes 5-9/10"), length)), slice, "{length:?}");
            assert_eq!(extent(&answer(203, Some("bytes 5-9/10"), length)), slice, "{length:?}");
        }
        assert_eq!(extent(&answer(200, Some("bytes 0-9/10"), Some(10))), Extent::Whole);
    }

    #[test]
    fn contradictory_range_and_length_are_not_placed() {
        for status in [200, 206] {
            assert_eq!(extent(&answer(status, Some("bytes 5-9/10"), Some(10))), Extent::Doubtful, "{status}");
            assert!(matches!(extent(&answer(status, Some("bytes 5-9/10"), Some(4))), Extent::Nowhere(_)), "{status}");
        }
        assert_eq!(extent(&answer(206, None, Some(5))), Extent::Doubtful);
        assert!(matches!(extent(&answer(206, Some("items 5-9/10"), Some(5))), Extent::Nowhere(_)));
        assert_eq!(extent(&answer(200, Some("items 5-9/10"), Some(5))), Extent::Doubtful);
    }

    #[test]
    fn unrequested_part_is_accepted_only_at_offset_zero() {
        let beginning = Plain::Beginning { reach: 5, complete: 10 };
        for status in [200, 206] {
            assert_eq!(plain(&answer(status, Some("bytes 0-4/10"), Some(5))), beginning, "{status}");
            assert_eq!(plain(&answer(status, Some("bytes 0-9/10"), Some(10))), Plain::Whole, "{status}");
            let chunked = plain(&answer(status, Some("bytes 0-9/10"), None));
            assert_eq!(chunked, Plain::Beginning { reach: 10, complete: 10 }, "{status}");
            assert!(matches!(plain(&answer(status, Some("bytes 5-9/10"), Some(5))), Plain::Useless(_)), "{status}");
        }
        assert_eq!(plain(&answer(206, None, Some(5))), Plain::Unverified);
        assert_eq!(plain(&answer(206, Some("bytes 0-4/*"), Some(5))), Plain::Unverified);
        let encoded = RangeAnswer { is_encoded: true, ..answer(206, Some("bytes 0-4/10"), Some(5)) };
        assert!(matches!(plain(&encoded), Plain::Useless(_)));
    }
}
