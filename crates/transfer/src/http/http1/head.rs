//! Parses the head of an HTTP/1 response leniently, and rewrites it for hyper's strict parser. [pure]
//!
//! - Called by `framing` for every response.
//! - Accepts the same faults as curl and browsers: lines without a colon, invalid names, spaces before a colon, folded
//!   fields, bare line feeds, control bytes in a value, and a repeated length.
//! - The end of the body is never guessed silently. If the fields that state it are damaged or contradict each other,
//!   the response is marked `is_doubtful`, and its length counts as unknown.
//! - Framing follows RFC 9112, section 6.3: `Transfer-Encoding` overrides `Content-Length`.

use crate::http::http1::fields::{self, HeaderField, MessageFraming};

/// Maximum length of a head in bytes.
///
/// A longer head is passed on unchanged, and the parser refuses it.
const LONGEST: usize = 512 << 10;

/// Parsed head.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::http) struct ResponseHead {
    /// Length of the head in the input, in bytes.
    pub consumed: usize,
    /// The head, rewritten in valid form.
    pub bytes: Vec<u8>,
    /// End of the body.
    pub framing: MessageFraming,
    /// Whether the fields that state the end of the body are damaged or contradict each other.
    pub is_doubtful: bool,
}

/// Result of reading a head from an input.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::http) enum HeadRead {
    /// The head is complete.
    Whole(ResponseHead),
    /// The head is not complete yet.
    Partial,
    /// The input has no readable head.
    Refused,
}

/// Parses the head at the beginning of `input`.
///
/// `is_bodiless` is true for the response to HEAD.
pub(in crate::http) fn read(input: &[u8], is_bodiless: bool) -> HeadRead {
    let mut lines = Lines { input, at: 0 };
    let status_line = loop {
        match lines.next() {
            Some([]) => {}
            Some(line) => break line,
            None => return too_long(input),
        }
    };
    let Some(status) = Status::parse(status_line) else { return HeadRead::Refused };
    let mut fields = Vec::new();
    loop {
        match lines.next() {
            Some([]) => break,
            Some(line) => fields::push(&mut fields, line),
            None => return too_long(input),
        }
    }
    HeadRead::Whole(written(&status, fields, lines.at, is_bodiless))
}

fn too_long(input: &[u8]) -> HeadRead {
    if input.len() > LONGEST { HeadRead::Refused } else { HeadRead::Partial }
}

fn written(status: &Status<'_>, fields: Vec<HeaderField>, consumed: usize, is_bodiless: bool) -> ResponseHead {
    let body = fields::body(&fields);
    let is_informational = (100..200).contains(&status.code);
    let framing = match body.framing.clone() {
        _ if is_informational => MessageFraming::Another,
        _ if is_bodiless || matches!(status.code, 204 | 304) => MessageFraming::Empty,
        framing => framing,
    };
    let is_chunked = body.is_chunked;
    let mut bytes = Vec::with_capacity(consumed + 64);
    // Chunked bodies exist only in HTTP/1.1, so write this version for them. A server that sends chunks with HTTP/1.0
    // closes the connection afterwards, so `Connection: close` is added below.
    let version = if status.is_1_1 || is_chunked { "HTTP/1.1" } else { "HTTP/1.0" };
    bytes.extend_from_slice(format!("{version} {:03} ", status.code).as_bytes());
    bytes.extend(status.reason.iter().filter(|byte| !byte.is_ascii_control()));
    bytes.extend_from_slice(b"\r\n");
    let mut push = |name: &[u8], value: &[u8]| {
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value);
        bytes.extend_from_slice(b"\r\n");
    };
    for field in fields.iter().filter(|field| field.is_valid && !field.frames_body()) {
        push(&field.name, &field.value);
    }
    match &body.framing {
        MessageFraming::Length(length) => push(b"Content-Length", length.to_string().as_bytes()),
        _ if is_chunked => push(b"Transfer-Encoding", b"chunked"),
        _ => {}
    }
    for coding in &body.codings {
        push(b"Content-Encoding", coding.as_bytes());
    }
    if (is_chunked && !status.is_1_1) || matches!(framing, MessageFraming::Lengths(_)) {
        push(b"Connection", b"close");
    }
    bytes.extend_from_slice(b"\r\n");
    ResponseHead { consumed, bytes, framing, is_doubtful: body.is_doubtful && !is_bodiless }
}

/// Lines of a head, without line endings.
///
/// A line ends with a line feed. A carriage return may precede the line feed.
struct Lines<'a> {
    input: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.input[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        self.at += end + 1;
        Some(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))
    }
}

struct Status<'a> {
    is_1_1: bool,
    code: u16,
    reason: &'a [u8],
}

impl<'a> Status<'a> {
    fn parse(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"HTTP/1.")?;
        let (minor, rest) = rest.split_first()?;
        let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
        let (code, reason) = rest.split_at_checked(3)?;
        let is_apart = reason.first().is_none_or(|byte| *byte == b' ');
        if !is_apart || !minor.is_ascii_digit() || !code.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let code = std::str::from_utf8(code).ok()?.parse().ok().filter(|code| *code >= 100)?;
        Some(Self { is_1_1: *minor != b'0', code, reason: reason.trim_ascii() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(input: &[u8]) -> ResponseHead {
        match read(input, false) {
            HeadRead::Whole(head) => head,
            other => panic!("{other:?} of {}", String::from_utf8_lossy(input)),
        }
    }

    fn text(input: &[u8]) -> String {
        String::from_utf8(head(input).bytes).unwrap()
    }

    #[test]
    fn valid_head_keeps_its_fields_and_framing() {
        let input = b"HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello";
        assert_eq!(text(input), "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nX-A: b\r\nContent-Length: 5\r\n\r\n");
        let head = head(input);
        assert_eq!((head.consumed, head.framing, head.is_doubtful), (input.len() - 5, MessageFraming::Length(5), false));
        for end in 0..input.len() - 5 {
            assert_eq!(read(&input[..end], false), HeadRead::Partial, "{end}");
        }
    }

    #[test]
    fn malformed_header_lines_are_dropped_and_content_length_is_kept() {
        for line in [
            "<br />",
            "<b>Warning</b>: something in x.php on line 3<br />",
            "Server",
            "My Field: x",
            ": empty",
            "X-Odd: a\u{1}b",
            "X-Policy: one;\r\n two;\r\n\tthree",
            " a first line that is folded",
        ] {
            for (before, end) in [("\r\n", "\r\n"), ("\n", "\n"), ("\r\n", "\n")] {
                let input = format!("HTTP/1.1 200 OK{before}{line}{end}Content-Length : 7{end}{end}");
                let head = head(input.as_bytes());
                assert_eq!((head.framing, head.is_doubtful), (MessageFraming::Length(7), false), "{line}");
                assert!(head.bytes.is_ascii() && !head.bytes.contains(&1), "{line}");
            }
        }
        assert!(text(b"HTTP/1.1 200 OK\r\nX-Policy: one;\r\n two;\r\n\tthree\r\n\r\n").contains("X-Policy: one; two; three\r\n"));
        assert!(text(b"HTTP/1.1 200 OK\nX-Odd: a\x01b\n\n").contains("X-Odd: a b\r\n"));
    }

    #[test]
    fn status_line_is_parsed_in_all_known_forms() {
        for (line, written) in [
            ("HTTP/1.1 200", "HTTP/1.1 200 \r\n"),
            ("\r\n\r\nHTTP/1.0 200 Fine", "HTTP/1.0 200 Fine\r\n"),
            ("HTTP/1.1  404 Not\u{1} Found", "HTTP/1.1 404 Not Found\r\n"),
        ] {
            assert!(text(format!("{line}\r\n\r\n").as_bytes()).starts_with(written), "{line}");
        }
        for line in ["220 mail.test ESMTP", "HTTP/2 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000", "HTTP/1.1 abc", "<html>"] {
            assert_eq!(read(format!("{line}\r\n\r\n").as_bytes(), false), HeadRead::Refused, "{line}");
        }
        assert_eq!(read(&[b'a'; LONGEST + 1], false), HeadRead::Refused);
    }

    #[test]
    fn response_to_head_request_or_with_status_204_or_304_has_no_body() {
        let input = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        let HeadRead::Whole(head) = read(input, true) else { panic!("no head") };
        assert_eq!(head.framing, MessageFraming::Empty);
        assert!(head.bytes.ends_with(b"Content-Length: 5\r\n\r\n"), "the response to HEAD states the length");
        for status in [204, 304] {
            assert_eq!(
                self::head(format!("HTTP/1.1 {status} A\r\nContent-Length: 5\r\n\r\n").as_bytes()).framing,
                MessageFraming::Empty
            );
        }
        for status in [100, 102, 103] {
            assert_eq!(self::head(format!("HTTP/1.1 {status} A\r\n\r\n").as_bytes()).framing, MessageFraming::Another);
        }
    }

    #[test]
    fn chunked_response_under_http_1_0_closes_connection() {
        let text = text(b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n");
        assert_eq!(text, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    }
}
