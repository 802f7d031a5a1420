//! Parses the fields of a head, and determines where the body ends. [pure]
//!
//! - Called by `head`.
//! - Lines that are not fields are dropped, as in curl and browsers. If a dropped line may have stated the end of the
//!   body, the head is doubtful.

/// Fields that state where the body ends, or which part of the file the body contains.
const FRAMING: [&str; 3] = ["content-length", "transfer-encoding", "content-range"];
/// Transfer codings that are also content codings.
const CODINGS: [&str; 5] = ["gzip", "x-gzip", "deflate", "br", "zstd"];

/// Field of a head, with its folded lines.
#[derive(Debug)]
pub(in crate::http) struct HeaderField {
    /// Name as received.
    pub name: Vec<u8>,
    /// Value without surrounding blanks. Control bytes are replaced with blanks.
    pub value: Vec<u8>,
    /// Whether the line has a colon and a valid name.
    pub is_valid: bool,
    /// Whether the value contained control bytes.
    is_damaged: bool,
}

impl HeaderField {
    /// Returns whether this field states the end of the body. `head` writes such fields itself.
    pub fn frames_body(&self) -> bool {
        self.is("content-length") || self.is("transfer-encoding")
    }

    fn is(&self, name: &str) -> bool {
        self.is_valid && self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns whether this line is damaged, and may have stated the end of the body.
    fn is_doubtful(&self) -> bool {
        let letters = self.name.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b'-');
        let name = letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect::<String>();
        let dashed = name.replace('-', "");
        FRAMING.iter().any(|framing| match self.is_valid {
            true => self.is_damaged && name == *framing,
            false => dashed.starts_with(&framing.replace('-', "")),
        })
    }

    fn values(&self) -> impl Iterator<Item = &[u8]> {
        self.value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|value| !value.is_empty())
    }
}

/// Description of a body, derived from the fields of its head.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::http) struct BodyFraming {
    /// End of the body.
    pub framing: MessageFraming,
    /// Whether the body is chunked.
    pub is_chunked: bool,
    /// Transfer codings of the body except `chunked`, in the order in which the server applied them.
    pub codings: Vec<String>,
    /// Whether the fields are damaged or contradict each other.
    pub is_doubtful: bool,
}

/// Adds `line` to `fields`, as a new field or as a continuation of the last field.
pub(in crate::http) fn push(fields: &mut Vec<HeaderField>, line: &[u8]) {
    if line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
        // Drop a continuation line if there is no field that it could continue.
        if let Some(last) = fields.last_mut() {
            let (more, is_damaged) = clean(line);
            last.value.push(b' ');
            last.value.extend(more);
            last.is_damaged |= is_damaged;
        }
        return;
    }
    let colon = line.iter().position(|byte| *byte == b':');
    let (name, value) = line.split_at(colon.unwrap_or(line.len()));
    let name = name.trim_ascii_end().to_vec();
    let (value, is_damaged) = clean(value.get(1..).unwrap_or_default());
    let is_valid = colon.is_some() && !name.is_empty() && name.iter().all(|byte| is_token(*byte));
    fields.push(HeaderField { name, value, is_valid, is_damaged });
}

/// Determines where the body of a head with these fields ends (RFC 9112, section 6.3).
pub(in crate::http) fn body(fields: &[HeaderField]) -> BodyFraming {
    let all = |name| fields.iter().filter(move |field| field.is(name)).flat_map(HeaderField::values);
    let mut codings: Vec<_> =
        all("transfer-encoding").map(|coding| String::from_utf8_lossy(coding).to_ascii_lowercase()).collect();
    let is_encoded = fields.iter().any(|field| field.is("transfer-encoding"));
    let stated: Vec<_> = all("content-length").map(length).collect();
    let mut lengths: Vec<_> = stated.iter().flatten().copied().collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut is_doubtful = fields.iter().any(HeaderField::is_doubtful) || lengths.len() > 1 || stated.contains(&None);
    let is_chunked = codings.last().is_some_and(|coding| coding == "chunked");
    is_doubtful |= is_encoded && !stated.is_empty();
    is_doubtful |= codings.iter().filter(|coding| *coding == "chunked").count() > 1;
    codings.retain(|coding| coding != "chunked" && coding != "identity");
    let is_known = codings.iter().all(|coding| CODINGS.contains(&coding.as_str()));
    is_doubtful |= !is_known;
    let framing = match lengths.as_slice() {
        _ if is_chunked || !codings.is_empty() => MessageFraming::Open,
        [] => MessageFraming::Open,
        [length] => MessageFraming::Length(*length),
        _ => MessageFraming::Lengths(lengths),
    };
    BodyFraming { framing, is_chunked, codings, is_doubtful }
}

fn length(value: &[u8]) -> Option<u64> {
    let is_number = value.iter().all(u8::is_ascii_digit);
    // hyper reserves the two largest numbers for its own use, so reject them here.
    std::str::from_utf8(value).ok()?.parse().ok().filter(|length| is_number && *length < u64::MAX - 1)
}

/// Returns the value without surrounding blanks and control bytes.
///
/// Replaces each control byte with a blank. The flag is true if the value contained control bytes.
fn clean(value: &[u8]) -> (Vec<u8>, bool) {
    let is_bad = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
    let bytes: Vec<_> = value.iter().map(|byte| if is_bad(byte) { b' ' } else { *byte }).collect();
    (bytes.trim_ascii().to_vec(), value.iter().any(is_bad))
}

/// Returns whether `byte` may occur in a token (RFC 9110, section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// End of a response body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum MessageFraming {
    /// The response has no body.
    Empty,
    /// The body ends after this number of bytes.
    Length(u64),
    /// The body ends after one of these lengths, in ascending order.
    ///
    /// The head stated all of them. The body also ends where the connection closes.
    Lengths(Vec<u64>),
    /// The body ends after the last chunk, or where the connection closes.
    Open,
    /// The head is informational and has no body. Another head follows.
    Another,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing_of(lines: &[&str]) -> BodyFraming {
        let mut fields = Vec::new();
        lines.iter().for_each(|line| push(&mut fields, line.as_bytes()));
        body(&fields)
    }

    #[test]
    fn consistent_content_length_determines_body_length() {
        for lines in [
            &["Content-Length: 9"][..],
            &["content-length :  9  "],
            &["Content-Length: 9", "Content-Length: 9"],
            &["Content-Length: 9, 9"],
            &["Content-Length:", " 9"],
            &["Content-Length: 9", "X: y"],
        ] {
            let body = framing_of(lines);
            assert_eq!((body.framing, body.is_doubtful), (MessageFraming::Length(9), false), "{lines:?}");
        }
    }

    #[test]
    fn transfer_encoding_overrides_content_length_but_such_a_conflict_is_noted_as_doubtful() {
        for lines in [
            &["Content-Length: 9", "Transfer-Encoding: chunked"][..],
            &["Transfer-Encoding: chunked, chunked"],
            &["Transfer-Encoding: chunked", "Transfer-Encoding: Chunked"],
            &["Transfer-Encoding: chunked", "Content-Length: 9", "Content-Length: 8"],
        ] {
            let body = framing_of(lines);
            assert_eq!((body.framing, body.is_chunked, body.is_doubtful), (MessageFraming::Open, true, true), "{lines:?}");
        }
        let plain = framing_of(&["Transfer-Encoding: chunked"]);
        assert_eq!((plain.framing, plain.is_chunked, plain.is_doubtful), (MessageFraming::Open, true, false));
        let coded = framing_of(&["Transfer-Encoding: gzip, chunked"]);
        assert_eq!((coded.codings, coded.is_chunked), (vec!["gzip".to_owned()], true));
        let identity = framing_of(&["Transfer-Encoding: identity", "Content-Length: 9"]);
        assert_eq!((identity.framing, identity.is_doubtful), (MessageFraming::Length(9), true));
    }

    #[test]
    fn all_contradictory_content_lengths_are_kept() {
        for lines in [&["Content-Length: 9", "Content-Length: 8"][..], &["Content-Length: 8, 9"], &["Content-Length: 9, 8, 9"]] {
            let body = framing_of(lines);
            assert_eq!((body.framing, body.is_doubtful), (MessageFraming::Lengths(vec![8, 9]), true), "{lines:?}");
        }
    }

    #[test]
    fn damaged_framing_field_makes_head_doubtful() {
        for line in [
            "Content-Length: 9\u{1}",
            "Content-Len\u{1}gth: 9",
            "Content Length: 9",
            "Content-Length 9",
            "Content-Length: -9",
            "Content-Length: 9x",
            "Content-Length: 99999999999999999999999",
            "Transfer-Encoding: chun\u{1}ked",
            "Transfer Encoding: chunked",
            "Content-Range\u{2}: bytes 0-1/2",
            "Content-Range: bytes 0-1\u{2}/2",
        ] {
            assert!(framing_of(&[line]).is_doubtful, "{line:?}");
        }
        for line in
            ["X-Content-Length: 9", "Content-Type: text/plain\u{1}", "<b>Content</b>: length", "Transfer: x", "Range: bytes"]
        {
            assert!(!framing_of(&[line]).is_doubtful, "{line:?}");
        }
    }
}
