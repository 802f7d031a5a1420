//! Answer of a kind of server to a request. [pure]

use std::sync::Arc;

use crate::servers::packed::packed;

use super::kind::{Change, Connection, Encoding, Framing, Head, Kind, Length, Ranges, Status, Validators};

/// Request, and the state of the server at that moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplyRequest {
    /// First and last requested byte; an open end is `None`.
    pub range: Option<(u64, Option<u64>)>,
    pub is_head: bool,
    /// Number of this request, counted from 0 after the server began to follow its kind.
    pub number: u32,
    /// Whether the connection has carried a request before.
    pub is_reused: bool,
    /// Whether another connection is being answered at the moment.
    pub is_beside_another: bool,
    /// Whether the file has changed already, for kinds whose file changes.
    pub is_after_change: bool,
}

/// Treatment of the connection after the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Keep,
    Close,
    Reset,
}

/// Bytes of an answer; empty if the connection ends without an answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub bytes: Vec<u8>,
    pub after: After,
}

/// Old and new version of a server's file.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    pub old: Arc<Vec<u8>>,
    pub new: Arc<Vec<u8>>,
}

/// Returns the answer to a request.
pub(super) fn reply(kind: Kind, versions: &Versions, asked: ReplyRequest) -> Reply {
    let ends = |after| Reply { bytes: Vec::new(), after };
    match kind.connection {
        Connection::ReusedCloses if asked.is_reused => return ends(After::Close),
        Connection::OneAtATimeReset if asked.is_beside_another => return ends(After::Reset),
        Connection::OneAtATime if asked.is_beside_another => return page(kind, asked, 503, ""),
        _ => {}
    }
    let is_new = kind.change != Change::Never && asked.is_after_change;
    let file = if is_new { &versions.new } else { &versions.old };
    let whole = || (0, file.len() as u64);
    match asked.range {
        Some((first, last)) => ranged(kind, file, is_new, asked, (first, last)),
        None => match kind.status {
            Status::Ok => answer(kind, file, is_new, asked, 200, whole(), String::new()),
            Status::NonAuthoritative => answer(kind, file, is_new, asked, 203, whole(), String::new()),
            Status::PartialWhole => answer(kind, file, is_new, asked, 206, whole(), stated(whole(), file.len() as u64)),
            Status::PartialHalf => {
                let half = (0, file.len() as u64 / 2);
                answer(kind, file, is_new, asked, 206, half, stated(half, file.len() as u64))
            }
            Status::AcceptedOnce if asked.number > 0 => answer(kind, file, is_new, asked, 200, whole(), String::new()),
            Status::UnavailableOnce if asked.number > 0 => answer(kind, file, is_new, asked, 200, whole(), String::new()),
            Status::AcceptedOnce | Status::Accepted => page(kind, asked, 202, ""),
            Status::NoContent => page(kind, asked, 204, ""),
            Status::ResetContent => page(kind, asked, 205, ""),
            Status::RedirectNowhere => page(kind, asked, 302, ""),
            Status::UnavailableOnce => page(kind, asked, 503, ""),
            Status::ErrorPage => page(kind, asked, 500, ""),
        },
    }
}

fn ranged(kind: Kind, file: &[u8], is_new: bool, asked: ReplyRequest, (first, last): (u64, Option<u64>)) -> Reply {
    let size = file.len() as u64;
    let refused = |status, fields: &str| page(kind, asked, status, fields);
    match kind.ranges {
        Ranges::Ignored => return answer(kind, file, is_new, asked, 200, (0, size), String::new()),
        Ranges::EmptyAs200 => return answer(kind, file, is_new, asked, 200, (0, 0), String::new()),
        Ranges::BadRequest => return refused(400, ""),
        Ranges::Forbidden => return refused(403, ""),
        Ranges::NotFound => return refused(404, ""),
        Ranges::NotAllowed => return refused(405, ""),
        Ranges::Gone => return refused(410, ""),
        Ranges::Unsatisfiable => return refused(416, ""),
        Ranges::UnsatisfiableStated => return refused(416, &format!("Content-Range: bytes */{size}\r\n")),
        Ranges::ServerError => return refused(500, ""),
        Ranges::Unavailable => return refused(503, ""),
        Ranges::Reset => return Reply { bytes: Vec::new(), after: After::Reset },
        Ranges::Closed => return Reply { bytes: Vec::new(), after: After::Close },
        _ => {}
    }
    if first >= size {
        return refused(416, &format!("Content-Range: bytes */{size}\r\n"));
    }
    let end = last.map_or(size, |last| last.saturating_add(1).min(size)).max(first);
    let slice = (first, end);
    // A range near the requested one that fits into the file, of the same length where possible.
    let nearby =
        |by: u64| if end + by <= size { (first + by, end + by) } else { (first.saturating_sub(by), end.saturating_sub(by)) };
    let answer = |status, bytes, fields| answer(kind, file, is_new, asked, status, bytes, fields);
    match kind.ranges {
        Ranges::SliceAs200 => answer(200, slice, stated(slice, size)),
        Ranges::SliceAs200Unstated => answer(200, slice, String::new()),
        Ranges::TailAs200Unstated => answer(200, (first, size), String::new()),
        Ranges::Shifted => answer(206, nearby(7), stated(slice, size)),
        Ranges::OtherRange => answer(206, nearby(512), stated(nearby(512), size)),
        Ranges::Unstated => answer(206, slice, String::new()),
        Ranges::Shorter => {
            let shorter = (first, first + ((end - first) / 2).max(1));
            answer(206, shorter, stated(shorter, size))
        }
        Ranges::TotalTooSmall => answer(206, slice, stated(slice, end.max(size - 1))),
        Ranges::TotalTooLarge => answer(206, slice, stated(slice, size + 1)),
        Ranges::TotalUnknown => answer(206, slice, format!("Content-Range: bytes {first}-{}/*\r\n", end - 1)),
        Ranges::Multipart => multipart(kind, file, slice),
        _ => answer(206, slice, stated(slice, size)),
    }
}

/// Returns a `Content-Range` field for these bytes of `size` (RFC 9110, section 14.4).
fn stated((first, end): (u64, u64), size: u64) -> String {
    format!("Content-Range: bytes {first}-{}/{size}\r\n", end.max(1) - 1)
}

fn multipart(kind: Kind, file: &[u8], (first, end): (u64, u64)) -> Reply {
    let mut body = format!("--cut\r\nContent-Type: application/octet-stream\r\n{}\r\n", stated((first, end), file.len() as u64))
        .into_bytes();
    body.extend_from_slice(part(file, (first, end)));
    body.extend_from_slice(b"\r\n--cut--\r\n");
    let fields = format!("Content-Type: multipart/byteranges; boundary=cut\r\nContent-Length: {}\r\n", body.len());
    let mut bytes = head(kind, 206, &fields);
    bytes.extend(body);
    Reply { bytes, after: After::Keep }
}

/// Returns a short page with this status, whatever the kind is.
fn page(kind: Kind, asked: ReplyRequest, status: u16, fields: &str) -> Reply {
    let has_body = !matches!(status, 204 | 205);
    let body = if has_body { "not now" } else { "" };
    let length = if status == 204 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let mut bytes = head(Kind { head: Head::Plain, ..kind }, status, &format!("{fields}Content-Type: text/html\r\n{length}"));
    if !asked.is_head {
        bytes.extend_from_slice(body.as_bytes());
    }
    Reply { bytes, after: After::Keep }
}

fn part(file: &[u8], (first, end): (u64, u64)) -> &[u8] {
    file.get(first as usize..end as usize).unwrap_or_default()
}

/// Returns the bytes `slice` of the file in the framing of the kind.
fn answer(kind: Kind, file: &[u8], is_new: bool, asked: ReplyRequest, status: u16, slice: (u64, u64), more: String) -> Reply {
    let is_whole = slice == (0, file.len() as u64);
    let mut body = part(file, slice).to_vec();
    let mut fields = more + &validators(kind, is_new, asked.number) + "Accept-Ranges: bytes\r\n";
    match kind.encoding {
        Encoding::Unnamed => {}
        Encoding::Identity => fields += "Content-Encoding: identity\r\n",
        Encoding::GzipClaimed => fields += "Content-Encoding: gzip\r\n",
        Encoding::GzipUnasked => {
            fields += "Content-Encoding: gzip\r\n";
            body = packed(&body);
        }
    }
    let is_closing = kind.connection == Connection::Closing;
    if is_closing {
        fields += "Connection: close\r\n";
    }
    let body_length = body.len() as u64;
    let length = |length: u64| format!("Content-Length: {length}\r\n");
    let stated_length = length(match (kind.length, is_whole) {
        (Length::OneTooLarge, true) => body_length + 1,
        (Length::OneTooSmall, true) => body_length.saturating_sub(1),
        (Length::Huge, true) => 1 << 50,
        _ => body_length,
    });
    let is_length_wrong = kind.length != Length::Right && is_whole;
    let mut after = if is_closing || is_length_wrong { After::Close } else { After::Keep };
    let mut framed = Vec::new();
    match kind.framing {
        Framing::Length => fields += &stated_length,
        Framing::Chunked => fields += "Transfer-Encoding: chunked\r\n",
        Framing::ChunksUnended => {
            fields += "Transfer-Encoding: chunked\r\n";
            after = After::Close;
        }
        Framing::UntilClose | Framing::OldUntilClose => after = After::Close,
        Framing::LengthAndChunked => fields += &(stated_length + "Transfer-Encoding: chunked\r\n"),
        Framing::LengthTwice => fields += &(stated_length.clone() + &stated_length),
        Framing::TwoLengths => fields += &(stated_length + &length(body_length / 2)),
        Framing::Surplus | Framing::Glued => fields += &stated_length,
    }
    match kind.framing {
        Framing::Chunked | Framing::LengthAndChunked | Framing::ChunksUnended => {
            for piece in body.chunks(40_000) {
                framed.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
                framed.extend_from_slice(piece);
                framed.extend_from_slice(b"\r\n");
            }
            if kind.framing != Framing::ChunksUnended {
                framed.extend_from_slice(b"0\r\n\r\n");
            }
        }
        Framing::Surplus => {
            framed = body;
            framed.extend_from_slice(b"surplus bytes");
        }
        Framing::Glued => {
            framed = body;
            framed.extend_from_slice(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nglued");
        }
        _ => framed = body,
    }
    let cut = match kind.connection {
        Connection::EndsOnce | Connection::ResetsOnce if asked.number == 0 => Some(framed.len() / 2),
        Connection::EndsTwice if asked.number < 2 => Some(framed.len() / 2),
        _ => None,
    };
    if let Some(cut) = cut {
        framed.truncate(cut);
        after = if kind.connection == Connection::ResetsOnce { After::Reset } else { After::Close };
    }
    let mut bytes = head(kind, status, &fields);
    if !asked.is_head {
        bytes.extend(framed);
    }
    Reply { bytes, after }
}

fn validators(kind: Kind, is_new: bool, number: u32) -> String {
    const OLD: &str = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n";
    const NEW: &str = "Last-Modified: Tue, 02 Jan 2024 00:00:00 GMT\r\n";
    let is_told = is_new && matches!(kind.change, Change::Announced);
    let (tag, date) = if is_told { ("new", NEW) } else { ("old", OLD) };
    match kind.validators {
        Validators::StrongTag => format!("ETag: \"{tag}\"\r\n{date}"),
        Validators::WeakTag => format!("ETag: W/\"{tag}\"\r\n{date}"),
        Validators::Absent => String::new(),
        Validators::DateOnly => date.to_owned(),
        Validators::NewTagEachTime => format!("ETag: \"{tag}-{number}\"\r\n"),
    }
}

fn head(kind: Kind, status: u16, fields: &str) -> Vec<u8> {
    let version = if kind.framing == Framing::OldUntilClose { "HTTP/1.0" } else { "HTTP/1.1" };
    let start = match kind.head {
        Head::NoReason => format!("{version} {status}\r\n"),
        Head::Latin1 => format!("{version} {status} Tr\u{e8}s bien\r\n"),
        _ => format!("{version} {status} Fine\r\n"),
    };
    let (front, more) = match kind.head {
        Head::WarningInFront => ("", "<br />\r\n<b>Warning</b>: something in x.php on line 3<br />\r\n"),
        Head::LineWithoutColon => ("", "Server\r\n"),
        Head::Folded => ("", "X-Policy: one;\r\n two;\r\n three\r\n"),
        Head::ControlByte => ("", "X-Odd: a\u{1}b\r\n"),
        Head::Latin1 => ("", "X-Owner: M\u{fc}ller\r\n"),
        Head::BlankLineFirst => ("\r\n", ""),
        Head::InterimFirst => ("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", ""),
        _ => ("", ""),
    };
    let mut text = format!("{front}{start}{more}{fields}\r\n");
    match kind.head {
        Head::SpaceBeforeColon => text = text.replace(": ", " : "),
        Head::BareLineFeed => text = text.replace("\r\n", "\n"),
        _ => {}
    }
    // Latin-1: one byte per character, because fields may contain any byte.
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}
