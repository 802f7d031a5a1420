//! Parses `Content-Range`, and describes the response to a range request. [pure]
//!
//! See RFC 9110, section 14.4.

use crate::model::validators::Validators;

/// Response to a range request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RangeAnswer {
    /// HTTP status.
    pub status: u16,
    /// Value of `Content-Range`. Empty if there are several such fields.
    pub content_range: Option<String>,
    /// Whether the body is encoded in any way.
    pub is_encoded: bool,
    /// Length of the encoded body, if the head states it.
    pub length: Option<u64>,
    /// Validators of the response.
    pub validators: Validators,
}

/// Parsed `Content-Range` in bytes (RFC 9110, section 14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentRange {
    /// `bytes first-last/complete`, where the complete length may be `*`.
    Part {
        /// Offset of the first byte.
        first: u64,
        /// Offset of the last byte, inclusive.
        last: u64,
        /// Complete length of the file.
        complete: Option<u64>,
    },
    /// `bytes */complete`.
    Unsatisfied {
        /// Complete length of the file.
        complete: u64,
    },
}

/// Parses a `Content-Range`.
///
/// Returns `None` if the unit is not bytes, or if the value is malformed or contradicts itself.
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

/// Parse only digits, because Rust's own parser would also accept a sign.
fn number(digits: &str) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
