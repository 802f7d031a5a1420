//! Writes the answers of an origin, byte by byte.

use std::io;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use super::{
    Request,
    route::{Framing, Gate, Settings, Spot, State},
    vice::Vice,
};

/// Size of the oversized response head, in bytes. No client reads such a large head.
const LARGE_HEAD: usize = 1 << 20;

/// Whether and how the connection continues after an answer.
#[derive(PartialEq, Eq)]
pub(super) enum After {
    Keep,
    Close,
    Reset,
}

/// Sends a small page with this status.
pub(super) async fn page(
    stream: &mut BufReader<TcpStream>,
    status: u16,
    headers: &[(String, Vec<u8>)],
    text: &str,
) -> io::Result<After> {
    let mut head = format!("HTTP/1.1 {status} {}\r\nContent-Length: {}\r\n", reason(status), text.len()).into_bytes();
    push_headers(&mut head, headers);
    head.extend_from_slice(text.as_bytes());
    stream.get_mut().write_all(&head).await?;
    Ok(After::Keep)
}

/// Sends these bytes as the whole file in gzip. If the claimed length exceeds the number of bytes, the connection ends
/// early.
pub(super) async fn gzipped(
    stream: &mut BufReader<TcpStream>,
    settings: &Settings,
    packed: &[u8],
    claimed: usize,
) -> io::Result<After> {
    let mut head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {claimed}\r\n").into_bytes();
    let mut headers = settings.headers.clone();
    headers.extend(settings.etag.clone().map(|etag| ("ETag".to_owned(), etag.into_bytes())));
    push_headers(&mut head, &headers);
    stream.get_mut().write_all(&head).await?;
    stream.get_mut().write_all(packed).await?;
    Ok(if claimed == packed.len() { After::Keep } else { After::Close })
}

/// The part of the file that an answer sends, and the part that it claims to send.
struct AnswerRange {
    status: u16,
    /// Offset of the first byte that is sent.
    start: u64,
    end: u64,
    /// Requested part of the file.
    asked: (u64, u64),
    /// Complete length stated in `Content-Range`; `None` if the header is omitted.
    stated: Option<String>,
}

impl AnswerRange {
    /// Returns the requested part. If the request must be refused, returns the `Content-Range` of the refusal as the
    /// error.
    fn requested(request: &Request, settings: &Settings, vice: Option<&Vice>) -> Result<Self, Option<String>> {
        let length = settings.content.length();
        let whole = Self { status: settings.answer_status, start: 0, end: length, asked: (0, length), stated: None };
        let asked = request.header("range").and_then(|_| request.range_start());
        match (vice, asked) {
            (Some(Vice::IgnoreRange), _) | (_, None) => Ok(whole),
            (Some(Vice::RefuseRange(text)), Some(_)) => Err(text.clone()),
            (_, Some(from)) if from >= length => Err(Some(format!("bytes */{length}"))),
            (_, Some(from)) => {
                let end = request.range_end().map_or(length, |last| length.min(last.saturating_add(1)).max(from));
                Ok(Self { status: 206, start: from, end, asked: (from, end), stated: Some(length.to_string()) })
            }
        }
    }

    /// Changes the part that is sent, as the fault requires.
    fn distort(&mut self, vice: Option<&Vice>, length: u64) {
        match vice {
            Some(Vice::ShiftRange(by)) => self.start = self.start.saturating_add_signed(*by).min(self.end),
            Some(Vice::MisplaceRange(by)) => {
                self.start = self.start.saturating_add_signed(*by).min(length);
                self.end = self.end.saturating_add_signed(*by).min(length);
            }
            Some(Vice::ShortenRange(count)) => self.end = self.end.min(self.start + count),
            Some(Vice::UnstatedRange) => self.stated = None,
            Some(Vice::ClaimTotal(total)) => self.stated = Some(total.clone()),
            Some(Vice::PartUnasked(count)) => {
                (self.status, self.end, self.stated) = (206, length.min(*count), Some(length.to_string()));
            }
            _ => {}
        }
    }

    fn content_range(&self, vice: Option<&Vice>) -> Option<String> {
        let total = self.stated.as_ref()?;
        let is_lie = matches!(vice, Some(Vice::MisplaceRange(_)));
        let (first, last) = if is_lie { self.asked } else { (self.start, self.end) };
        Some(format!("bytes {first}-{}/{total}", last.saturating_sub(1)))
    }

    /// Returns the value for the header `Content-Length`.
    fn claimed_length(&self, vice: Option<&Vice>) -> u64 {
        match vice {
            Some(Vice::ClaimLength(claim)) => *claim,
            Some(Vice::MisstateLength(by)) => (self.end - self.start).saturating_add_signed(*by),
            // State the length of the requested part, so that it matches the false `Content-Range`.
            Some(Vice::MisplaceRange(_)) => self.asked.1 - self.asked.0,
            _ => self.end - self.start,
        }
    }
}

/// Sends the file or the requested part, as far as the fault permits.
pub(super) async fn file(
    stream: &mut BufReader<TcpStream>,
    request: &Request,
    settings: &Settings,
    state: &State,
    vice: Option<Vice>,
) -> io::Result<After> {
    let mut headers = settings.headers.clone();
    let mut part = match AnswerRange::requested(request, settings, vice.as_ref()) {
        Ok(part) => part,
        Err(range) => {
            headers.extend(range.map(|range| ("Content-Range".to_owned(), range.into_bytes())));
            return page(stream, 416, &headers, "no such range").await;
        }
    };
    part.distort(vice.as_ref(), settings.content.length());
    if let Some(Vice::EncodeRange(coding)) = &vice {
        headers.push(("Content-Encoding".to_owned(), coding.clone().into_bytes()));
    }
    headers.extend(part.content_range(vice.as_ref()).map(|range| ("Content-Range".to_owned(), range.into_bytes())));
    headers.extend(validators(settings, vice.as_ref()));
    if matches!(vice, Some(Vice::LargeHead)) {
        headers.push(("X-Large".to_owned(), vec![b'a'; LARGE_HEAD]));
    }
    let version = if settings.framing == Framing::Http10UntilClose { "HTTP/1.0" } else { "HTTP/1.1" };
    let mut head = format!("{version} {} {}\r\n", part.status, reason(part.status)).into_bytes();
    let is_bodiless = matches!(part.status, 204 | 304);
    match settings.framing {
        _ if is_bodiless => {}
        Framing::Length => {
            let claimed = part.claimed_length(vice.as_ref());
            head.extend_from_slice(format!("Content-Length: {claimed}\r\n").as_bytes());
        }
        Framing::Chunked => head.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
        Framing::UntilClose => head.extend_from_slice(b"Connection: close\r\n"),
        Framing::Http10UntilClose => {}
    }
    push_headers(&mut head, &headers);
    wait_at_gate(stream, state, Spot::Head).await?;
    stream.get_mut().write_all(&head).await?;
    if is_bodiless || request.method == "HEAD" {
        return Ok(After::Keep);
    }
    body(stream, settings, state, vice, part.start, part.end).await
}

/// Returns the validators of the file. The faults `FickleEtag` and `FickleDate` change a validator with each answer.
fn validators(settings: &Settings, vice: Option<&Vice>) -> impl Iterator<Item = (String, Vec<u8>)> {
    let etag = match vice {
        Some(Vice::FickleEtag) => Some(format!("\"turn-{}\"", settings.served)),
        Some(Vice::FickleDate) => None,
        _ => settings.etag.clone(),
    };
    let last_modified = match vice {
        Some(Vice::FickleDate) => Some(format!("Wed, 21 Oct 2015 07:28:{:02} GMT", settings.served % 60)),
        _ => settings.last_modified.clone(),
    };
    let named = [("ETag", etag), ("Last-Modified", last_modified)].into_iter();
    named.filter_map(|(name, value)| Some((name.to_owned(), value?.into_bytes())))
}

async fn body(
    stream: &mut BufReader<TcpStream>,
    settings: &Settings,
    state: &State,
    vice: Option<Vice>,
    start: u64,
    end: u64,
) -> io::Result<After> {
    let chunked = settings.framing == Framing::Chunked;
    let stop = match vice {
        Some(Vice::ResetAfter(count) | Vice::StallAfter(count) | Vice::EndAfter(count)) => end.min(start + count),
        _ => end,
    };
    let (most, pause) = match vice {
        Some(Vice::Trickle(count, pause)) => (count as u64, Some(pause)),
        _ => (64 << 10, None),
    };
    let mut at = start;
    while at < stop {
        let gate = wait_at_gate(stream, state, Spot::Byte(at)).await?;
        let mut until = stop.min(at + most);
        if let Some(gate) = gate.filter(|gate| *gate > at) {
            until = until.min(gate);
        }
        let piece = settings.content.slice(at, until - at);
        write_piece(stream.get_mut(), &piece, chunked).await?;
        state.sent.send_modify(|sent| *sent += until - at);
        at = until;
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
    }
    // If the next gate is after the last byte, delay the end of the body there.
    wait_at_gate(stream, state, Spot::Byte(at)).await?;
    match vice {
        Some(Vice::ResetAfter(_)) => return Ok(After::Reset),
        Some(Vice::StallAfter(_)) => {
            let _ = stream.read_u8().await;
            return Ok(After::Close);
        }
        Some(Vice::EndAfter(_) | Vice::ClaimLength(_) | Vice::MisstateLength(_) | Vice::MisplaceRange(_)) => {
            return Ok(After::Close);
        }
        _ => {}
    }
    match settings.framing {
        Framing::Length => Ok(After::Keep),
        Framing::Chunked => {
            stream.get_mut().write_all(b"0\r\n\r\n").await?;
            Ok(After::Keep)
        }
        Framing::UntilClose | Framing::Http10UntilClose => Ok(After::Close),
    }
}

/// Waits as long as the gate is at `spot`. Returns the offset of the next gate in the body, if any. Fails if the client
/// disconnects first.
async fn wait_at_gate(stream: &mut BufReader<TcpStream>, state: &State, spot: Spot) -> io::Result<Option<u64>> {
    let in_body = |gate: &Gate| match gate.at {
        Some(Spot::Byte(at)) => Some(at),
        Some(Spot::Head) | None => None,
    };
    let mut gate = state.gate.subscribe();
    let now: Gate = *gate.borrow_and_update();
    if now.at != Some(spot) {
        return Ok(in_body(&now));
    }
    state.gate.send_modify(|gate| gate.held += 1);
    tokio::select! {
        biased;
        _ = stream.read_u8() => {
            state.gate.send_modify(|gate| gate.held -= u32::from(gate.at == Some(spot)).min(gate.held));
            Err(io::ErrorKind::ConnectionAborted.into())
        }
        opened = gate.wait_for(|gate| gate.at != Some(spot)) => Ok(opened.ok().and_then(|gate| in_body(&gate))),
    }
}

async fn write_piece(stream: &mut TcpStream, piece: &[u8], chunked: bool) -> io::Result<()> {
    if !chunked {
        return stream.write_all(piece).await;
    }
    let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
    chunk.extend_from_slice(piece);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk).await
}

fn push_headers(head: &mut Vec<u8>, headers: &[(String, Vec<u8>)]) {
    for (name, value) in headers {
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value);
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        206 => "Partial Content",
        301 | 302 | 303 | 307 | 308 => "Elsewhere",
        404 => "Not Found",
        416 => "Range Not Satisfiable",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Whatever",
    }
}
