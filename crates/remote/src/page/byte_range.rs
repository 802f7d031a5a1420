//! The header `Range` of a request (RFC 9110, section 14). [pure]

/// Part of a file that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// The whole file. Also chosen for a header with several ranges or a header that is not valid, because such a
    /// header may be ignored.
    Whole,
    /// Bytes from `first` to `last`, both included.
    Part { first: u64, last: u64 },
    /// The range begins behind the end of the file.
    Unsatisfiable,
}

impl ByteRange {
    /// Returns the part of a file of `size` bytes that the value of the header asks for.
    pub(super) fn from_header(header: Option<&str>, size: u64) -> Self {
        let spec = header.and_then(|value| value.split_once('=')).filter(|(unit, _)| unit.trim().eq_ignore_ascii_case("bytes"));
        let Some((first, last)) = spec.and_then(|(_, spec)| spec.trim().split_once('-')) else { return Self::Whole };
        match (number(first), number(last)) {
            (Ok(None), Ok(Some(0))) => Self::Unsatisfiable,
            (Ok(None), Ok(Some(_))) if size == 0 => Self::Unsatisfiable,
            (Ok(None), Ok(Some(length))) => Self::Part { first: size.saturating_sub(length), last: size - 1 },
            (Ok(Some(first)), Ok(last)) if last.is_none_or(|last| last >= first) => match first < size {
                true => Self::Part { first, last: last.unwrap_or(u64::MAX).min(size - 1) },
                false => Self::Unsatisfiable,
            },
            _ => Self::Whole,
        }
    }
}

/// Parses a number that consists of digits only. Returns `None` for an empty text.
fn number(text: &str) -> Result<Option<u64>, ()> {
    match text {
        "" => Ok(None),
        text if text.bytes().all(|letter| letter.is_ascii_digit()) => Ok(Some(text.parse().unwrap_or(u64::MAX))),
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_range_of_bytes_is_limited_to_the_length_of_the_file() {
        let part = |first, last| ByteRange::Part { first, last };
        let cases = [
            ("bytes=0-", part(0, 9)),
            ("bytes=0-0", part(0, 0)),
            ("bytes=3-5", part(3, 5)),
            ("Bytes=9-99999999999999999999999", part(9, 9)),
            ("bytes=-3", part(7, 9)),
            ("bytes=-30", part(0, 9)),
            ("bytes=10-", ByteRange::Unsatisfiable),
            ("bytes=-0", ByteRange::Unsatisfiable),
        ];
        for (header, expected) in cases {
            assert_eq!(ByteRange::from_header(Some(header), 10), expected, "{header}");
        }
        assert_eq!(ByteRange::from_header(Some("bytes=0-"), 0), ByteRange::Unsatisfiable);
        assert_eq!(ByteRange::from_header(Some("bytes=-1"), 0), ByteRange::Unsatisfiable);
    }

    #[test]
    fn invalid_or_multiple_ranges_are_ignored() {
        for header in ["", "bytes", "bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=+1-2", "bytes=0-1,3-4", "lines=0-1"] {
            assert_eq!(ByteRange::from_header(Some(header), 10), ByteRange::Whole, "{header}");
        }
        assert_eq!(ByteRange::from_header(None, 10), ByteRange::Whole);
    }
}
