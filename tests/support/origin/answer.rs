//! Answer of an origin, written byte by byte.

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

/// Size of an oversized head in bytes, more than any client reads.
const LARGE_HEAD: usize = 1 << 20;

/// Treatment of the connection after an answer.
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

/// Sends these bytes as the whole file in gzip. If the claimed length is larger, the connection ends early.
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

/// Sends the file or the requested part, as far as the vice permits.
pub(super) async fn file(
    stream: &mut BufReader<TcpStream>,
    request: &Request,
    settings: &Settings,
    state: &State,
    vice: Option<Vice>,
) -> io::Result<After> {
    let length = settings.content.length();
    let mut status = settings.answer_status;
    let mut headers = settings.headers.clone();
    let (mut start, mut end) = (0, length);
    let mut stated = None;
    let asked = request.header("range").and_then(|_| request.range_start());
    match (&vice, asked) {
        (Some(Vice::IgnoreRange), _) | (_, None) => {}
        (Some(Vice::RefuseRange(text)), Some(_)) => {
            headers.extend(text.clone().map(|text| ("Content-Range".to_owned(), text.into_bytes())));
            return page(stream, 416, &headers, "no such range").await;
        }
        (_, Some(from)) if from >= length => {
            headers.push(("Content-Range".to_owned(), format!("bytes */{length}").into_bytes()));
            return page(stream, 416, &headers, "no such range").await;
        }
        (_, Some(from)) => {
            (status, start) = (206, from);
            end = request.range_end().map_or(length, |last| length.min(last.saturating_add(1)).max(from));
            stated = Some(length.to_string());
        }
    }
    let (asked_from, asked_to) = (start, end);
    match &vice {
        Some(Vice::ShiftRange(by)) => start = start.saturating_add_signed(*by).min(end),
        Some(Vice::MisplaceRange(by)) => {
            start = start.saturating_add_signed(*by).min(length);
            end = end.saturating_add_signed(*by).min(length);
        }
        Some(Vice::ShortenRange(count)) => end = end.min(start + count),
        Some(Vice::UnstatedRange) => stated = None,
        Some(Vice::ClaimTotal(total)) => stated = Some(total.clone()),
        Some(Vice::EncodeRange(coding)) => {
            headers.push(("Content-Encoding".to_owned(), coding.clone().into_bytes()));
        }
        Some(Vice::PartUnasked(count)) => {
            (status, end, stated) = (206, length.min(*count), Some(length.to_string()));
        }
        _ => {}
    }
    if let Some(total) = stated {
        let is_lie = matches!(vice, Some(Vice::MisplaceRange(_)));
        let (first, last) = if is_lie { (asked_from, asked_to) } else { (start, end) };
        let last = last.saturating_sub(1);
        headers.push(("Content-Range".to_owned(), format!("bytes {first}-{last}/{total}").into_bytes()));
    }
    let version = if settings.framing == Framing::Http10UntilClose { "HTTP/1.0" } else { "HTTP/1.1" };
    let mut head = format!("{version} {status} {}\r\n", reason(status)).into_bytes();
    let bodiless = matches!(status, 204 | 304);
    match settings.framing {
        _ if bodiless => {}
        Framing::Length => {
            let claimed = match vice {
                Some(Vice::ClaimLength(claim)) => claim,
                Some(Vice::MisstateLength(by)) => (end - start).saturating_add_signed(by),
                // State the length of the requested part, which is consistent with the false range.
                Some(Vice::MisplaceRange(_)) => asked_to - asked_from,
                _ => end - start,
            };
            head.extend_from_slice(format!("Content-Length: {claimed}\r\n").as_bytes());
        }
        Framing::Chunked => head.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
        Framing::UntilClose => head.extend_from_slice(b"Connection: close\r\n"),
        Framing::Http10UntilClose => {}
    }
    let etag = match vice {
        Some(Vice::FickleEtag) => Some(format!("\"turn-{}\"", settings.served)),
        Some(Vice::FickleDate) => None,
        _ => settings.etag.clone(),
    };
    let last_modified = match vice {
        Some(Vice::FickleDate) => Some(format!("Wed, 21 Oct 2015 07:28:{:02} GMT", settings.served % 60)),
        _ => settings.last_modified.clone(),
    };
    for (name, value) in [("ETag", etag), ("Last-Modified", last_modified)] {
        headers.extend(value.map(|value| (name.to_owned(), value.into_bytes())));
    }
    if matches!(vice, Some(Vice::LargeHead)) {
        headers.push(("X-Large".to_owned(), vec![b'a'; LARGE_HEAD]));
    }
    push_headers(&mut head, &headers);
    wait_at_gate(stream, state, Spot::Head).await?;
    stream.get_mut().write_all(&head).await?;
    if bodiless || request.method == "HEAD" {
        return Ok(After::Keep);
    }
    body(stream, settings, state, vice, start, end).await
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
    // A gate at the very end holds the end of the body.
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

/// Waits while the gate is at `spot`, and returns the offset of the next gate in the body. Fails if the client
/// disconnects meanwhile.
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
