//! One connection of an origin: requests are read, the route's vice is picked, the answer is written byte by byte.

use std::{
    io,
    sync::{Arc, atomic::Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

use super::{Framing, Gate, Request, Route, Settings, Shared, State, Vice, lock};

/// Accepts until it is aborted; its connections die with it.
pub(super) async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    shared.connections.fetch_add(1, Ordering::AcqRel);
                    let shared = shared.clone();
                    connections.spawn(async move {
                        // A client that goes away is part of most stories.
                        let _ = serve(stream, shared).await;
                    });
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// What becomes of the connection after an answer.
#[derive(PartialEq, Eq)]
enum After {
    Keep,
    Close,
    Reset,
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = read_head(&mut stream).await? {
        match answer(&mut stream, request, &shared).await? {
            After::Keep => {}
            After::Close => break,
            After::Reset => {
                stream.get_ref().set_zero_linger()?;
                return Ok(());
            }
        }
    }
    // An orderly end, whatever the client still sends.
    stream.get_mut().shutdown().await
}

async fn read_head(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return Ok(None),
        }
    }
    let text = String::from_utf8_lossy(&head);
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query.to_owned())),
        None => (target, None),
    };
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), query, headers, body: Vec::new() }))
}

async fn answer(stream: &mut BufReader<TcpStream>, request: Request, shared: &Shared) -> io::Result<After> {
    let index = {
        let mut requests = lock(&shared.requests);
        requests.push(request.clone());
        requests.len() - 1
    };
    let route = lock(&shared.routes).get(&request.path).cloned();
    let Some(route) = route else {
        read_upload(stream, &request, shared, index, u64::MAX).await?;
        return page(stream, 404, &[], "nothing here").await;
    };
    let (settings, vice) = pick(&route, &request);

    match &vice {
        Some(Vice::ResetUploadAfter(count)) => {
            read_upload(stream, &request, shared, index, *count).await?;
            return Ok(After::Reset);
        }
        Some(Vice::AnswerBeforeUpload(status)) => {
            page(stream, *status, &settings.headers, "enough").await?;
            return Ok(After::Close);
        }
        _ => read_upload(stream, &request, shared, index, u64::MAX).await?,
    }
    match vice {
        Some(Vice::HangBeforeHead) => {
            // Held until the client gives up.
            let _ = stream.read_u8().await;
            Ok(After::Close)
        }
        Some(Vice::CloseBeforeHead) => Ok(After::Close),
        Some(Vice::Status(status)) => page(stream, status, &settings.headers, "an error page").await,
        Some(Vice::Redirect(status, location)) => {
            let mut headers = settings.headers.clone();
            headers.push(("Location".to_owned(), location.into_bytes()));
            page(stream, status, &headers, "elsewhere").await
        }
        vice => file(stream, &request, &settings, &route.state, vice).await,
    }
}

/// The settings as they are now, and the first vice that applies, its count taken down.
fn pick(route: &Route, request: &Request) -> (Settings, Option<Vice>) {
    let mut settings = lock(&route.state.settings);
    let ranged = request.header("range").is_some();
    let picked = settings.vices.iter_mut().find(|(vice, left)| {
        *left != Some(0) && (ranged || !vice.concerns_ranges()) && !(ranged && matches!(vice, Vice::PartUnasked(_)))
    });
    let vice = picked.map(|(vice, left)| {
        if let Some(left) = left {
            *left -= 1;
        }
        vice.clone()
    });
    (settings.clone(), vice)
}

/// Reads at most `limit` bytes of the request's body into the record of requests.
async fn read_upload(
    stream: &mut BufReader<TcpStream>,
    request: &Request,
    shared: &Shared,
    index: usize,
    limit: u64,
) -> io::Result<()> {
    let declared = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0u64);
    let mut left = declared.min(limit);
    let mut piece = vec![0; 64 << 10];
    while left > 0 {
        let most = piece.len().min(left as usize);
        let count = stream.read(&mut piece[..most]).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        left -= count as u64;
        lock(&shared.requests)[index].body.extend_from_slice(&piece[..count]);
    }
    Ok(())
}

async fn page(
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

async fn file(
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
            stated = Some(length.to_string());
        }
    }
    match &vice {
        Some(Vice::ShiftRange(by)) => start = start.saturating_add_signed(*by).min(length),
        Some(Vice::ShortenRange(count)) => end = length.min(start + count),
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
        let last = end.saturating_sub(1);
        headers.push(("Content-Range".to_owned(), format!("bytes {start}-{last}/{total}").into_bytes()));
    }
    let version = if settings.framing == Framing::Http10UntilClose { "HTTP/1.0" } else { "HTTP/1.1" };
    let mut head = format!("{version} {status} {}\r\n", reason(status)).into_bytes();
    let bodiless = matches!(status, 204 | 304);
    match settings.framing {
        _ if bodiless => {}
        Framing::Length => {
            let claimed = if let Some(Vice::ClaimLength(claim)) = vice { claim } else { end - start };
            head.extend_from_slice(format!("Content-Length: {claimed}\r\n").as_bytes());
        }
        Framing::Chunked => head.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
        Framing::UntilClose => head.extend_from_slice(b"Connection: close\r\n"),
        Framing::Http10UntilClose => {}
    }
    for (name, value) in [("ETag", &settings.etag), ("Last-Modified", &settings.last_modified)] {
        headers.extend(value.clone().map(|value| (name.to_owned(), value.into_bytes())));
    }
    push_headers(&mut head, &headers);
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
        let gate = wait_at_gate(stream, state, at).await?;
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
    // A gate at the very end holds the end itself.
    wait_at_gate(stream, state, at).await?;
    match vice {
        Some(Vice::ResetAfter(_)) => return Ok(After::Reset),
        Some(Vice::StallAfter(_)) => {
            let _ = stream.read_u8().await;
            return Ok(After::Close);
        }
        Some(Vice::EndAfter(_) | Vice::ClaimLength(_)) => return Ok(After::Close),
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

/// Where the next gate is. Waits while `at` is that gate; a client that goes away meanwhile ends the answer.
async fn wait_at_gate(stream: &mut BufReader<TcpStream>, state: &State, at: u64) -> io::Result<Option<u64>> {
    let mut gate = state.gate.subscribe();
    let now: Gate = *gate.borrow_and_update();
    if now.at != Some(at) {
        return Ok(now.at);
    }
    state.gate.send_modify(|gate| gate.held = true);
    tokio::select! {
        opened = gate.wait_for(|gate| gate.at != Some(at)) => {
            Ok(opened.ok().and_then(|gate| gate.at))
        }
        _ = stream.read_u8() => Err(io::ErrorKind::ConnectionAborted.into()),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use crate::origin::{Body, Origin, content};

    async fn ask(origin: &Origin, request: &str) -> Vec<u8> {
        let url = origin.url("/");
        let mut stream = TcpStream::connect(("127.0.0.1", url.port().unwrap())).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn it_answers_ranges_and_cuts_where_told() {
        let origin = Origin::start().await;
        let file = origin.file("/a", Body::seeded(3, 100)).end_after(10).times(1);
        let cut = ask(&origin, "GET /a HTTP/1.1\r\nRange: bytes=50-\r\n\r\n").await;
        let text = String::from_utf8_lossy(&cut);
        assert!(text.contains("206") && text.contains("Content-Range: bytes 50-99/100"), "{text}");
        assert!(cut.ends_with(&content(3, 60)[50..]));
        file.clone().until_close();
        assert!(ask(&origin, "GET /a HTTP/1.1\r\n\r\n").await.ends_with(&content(3, 100)));
        assert_eq!(file.requests()[0].range_start(), Some(50));
        assert_eq!(file.bytes_sent(), 110);
    }

    #[tokio::test]
    async fn a_gate_holds_the_body_until_it_is_released() {
        let origin = Origin::start().await;
        let file = origin.file("/a", Body::seeded(3, 100)).until_close().gate_at(40);
        let watcher = file.clone();
        let (answer, ()) = tokio::join!(ask(&origin, "GET /a HTTP/1.1\r\n\r\n"), async {
            watcher.held().await;
            assert_eq!(watcher.bytes_sent(), 40);
            watcher.release();
        });
        assert!(answer.ends_with(&content(3, 100)));
    }
}
