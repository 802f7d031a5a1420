//! Serves a connection of an origin: reads requests, and selects a fault of the route for each request.

use std::{io, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use super::{
    answer::{After, file, gzipped, page},
    request::{Request, lock},
    route::{Route, Settings},
    shared::OriginState,
    vice::Vice,
};

/// Login page that is shown when a session has expired.
const LOGIN_PAGE: &str = "<!doctype html><title>Sign in</title><form method=post><input name=user></form>";

/// Answers the requests of one connection.
pub(super) async fn serve(stream: TcpStream, shared: Arc<OriginState>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = read_head(&mut stream).await? {
        // `Connection: close` asks to close the connection after this answer (RFC 9112, section 9.6).
        let is_last = request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        match answer(&mut stream, request, &shared).await? {
            After::Keep if is_last => break,
            After::Keep => {}
            After::Close => break,
            After::Reset => {
                stream.get_ref().set_zero_linger()?;
                return Ok(());
            }
        }
    }
    // Close cleanly, even if the client is still sending data.
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

async fn answer(stream: &mut BufReader<TcpStream>, request: Request, shared: &OriginState) -> io::Result<After> {
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
            // Keep the connection open until the client gives up.
            let _ = stream.read_u8().await;
            Ok(After::Close)
        }
        Some(Vice::CloseBeforeHead) => Ok(After::Close),
        Some(Vice::Status(status, retry_after)) => {
            let mut headers = settings.headers.clone();
            headers.extend(retry_after.map(|text| ("Retry-After".to_owned(), text.into_bytes())));
            page(stream, status, &headers, "an error page").await
        }
        Some(Vice::Spent(_, status)) => page(stream, status, &settings.headers, "this link has been used").await,
        Some(Vice::LoginPage) => {
            let html = ("Content-Type".to_owned(), b"text/html; charset=utf-8".to_vec());
            page(stream, 200, &[html], LOGIN_PAGE).await
        }
        Some(Vice::Gzipped(packed, claimed)) => gzipped(stream, &settings, &packed, claimed).await,
        Some(Vice::Redirect(status, location)) => {
            let mut headers = settings.headers.clone();
            headers.push(("Location".to_owned(), location.into_bytes()));
            page(stream, status, &headers, "elsewhere").await
        }
        vice => file(stream, &request, &settings, &route.state, vice).await,
    }
}

/// Returns the route's current settings, and the first of its faults that applies to the request. The fault then
/// applies to one request fewer.
fn pick(route: &Route, request: &Request) -> (Settings, Option<Vice>) {
    let mut settings = lock(&route.state.settings);
    let ranged = request.header("range").is_some();
    let served = settings.served;
    settings.served += 1;
    let picked = settings.vices.iter_mut().find(|(vice, left)| {
        let applies = match vice {
            Vice::PartUnasked(_) => !ranged,
            Vice::Spent(uses, _) => served >= *uses,
            vice => ranged || !vice.concerns_ranges(),
        };
        *left != Some(0) && applies
    });
    let vice = picked.map(|(vice, left)| {
        if let Some(left) = left {
            *left -= 1;
        }
        vice.clone()
    });
    (settings.clone(), vice)
}

/// Reads and records at most `limit` bytes of the request's body.
async fn read_upload(
    stream: &mut BufReader<TcpStream>,
    request: &Request,
    shared: &OriginState,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use crate::servers::origin::{Body, Origin, content};

    async fn ask(origin: &Origin, request: &str) -> Vec<u8> {
        let url = origin.url("/");
        let mut stream = TcpStream::connect(("127.0.0.1", url.port().unwrap())).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn origin_answers_range_requests_and_can_cut_body_at_given_byte() {
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
    async fn test_server_stops_sending_at_a_chosen_byte_until_the_test_continues_it() {
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
