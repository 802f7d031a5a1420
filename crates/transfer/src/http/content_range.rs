//! The response to a range request, and its `Content-Range` (RFC 9110, section 14.4). [pure]

use crate::model::validators::Validators;

/// An answer to a ranged request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RangeAnswer {
    /// The status.
    pub status: u16,
    /// `Content-Range`; empty text where several were sent.
    pub content_range: Option<String>,
    /// Whether the body is encoded in any way.
    pub is_encoded: bool,
    /// The length of the body as it is sent, where the head states it.
    pub length: Option<u64>,
    /// Its validators.
    pub validators: Validators,
}

/// A `Content-Range` of bytes (RFC 9110, section 14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentRange {
    /// `bytes first-last/complete`, the complete length possibly `*`.
    Part {
        /// The first byte.
        first: u64,
        /// The last byte.
        last: u64,
        /// The complete length.
        complete: Option<u64>,
    },
    /// `bytes */complete`.
    Unsatisfied {
        /// The complete length.
        complete: u64,
    },
}

/// Reads a `Content-Range`; none when it is of another unit, malformed, or contradicts itself.
pub(crate) fn parse(text: &str) -> Option<ContentRange> {
    let (unit, rest) = text.trim().split_once(|c: char| c.is_ascii_whitespace() || c == '=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (range, complete) = rest.trim().split_once('/')?;
    let complete = match complete.trim() {
        "*" => None,
        digits => Some(number(digits)?),
    };
    if range.trim() == "*" {
        return Some(ContentRange::Unsatisfied { complete: complete? });
    }
    let (first, last) = range.split_once('-')?;
    let (first, last) = (number(first.trim())?, number(last.trim())?);
    let sound = first <= last && last < u64::MAX && complete.is_none_or(|complete| last < complete);
    sound.then_some(ContentRange::Part { first, last, complete })
}

/// Digits only: Rust's own parser would let a sign through.
fn number(digits: &str) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
