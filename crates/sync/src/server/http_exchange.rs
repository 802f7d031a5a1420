//! Sends one HTTP request to a sync server, and receives its answer within limits of time and length.
//!
//! Called by `http_server`.
//!
//! - There are no redirects and no retries: a request goes to one server, at most once.
//! - A pinned certificate is verified before the first byte of the request is sent.
//! - Errors are reduced to their kind, because their texts contain addresses.

use std::{error::Error, io, pin::pin, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use reqwest::{
    Client, Method, Request, Response,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect, retry,
};
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;
use zeroize::Zeroizing;

use super::{
    answer_head::{check_type, fault_of_status, read_hints},
    certificate_pin::pinned_tls,
    device_token::DeviceToken,
    server_address::{ServerAddress, ServerTrust},
    server_fault::{ServerFailure, ServerFault, ServerHints, UnexpectedAnswer, UnreachableCause},
    server_time::seconds,
};

/// Product and version in `User-Agent`.
const USER_AGENT: &str = concat!("Ashore/", env!("CARGO_PKG_VERSION"));

/// Time limit for connecting, including the TLS handshake.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Maximum time to wait for the next byte of the answer.
const SILENCE: Duration = Duration::from_secs(30);

/// Slowest accepted upload, in bytes per second. The time limit of a request grows with its body.
const SLOWEST_UPLOAD: u64 = 32 << 10;

/// Slowest accepted download, in bytes per second. Needed because a server that sends single bytes never reaches
/// [`SILENCE`].
const SLOWEST_DOWNLOAD: u64 = 8 << 10;

/// Time after which the client closes an unused connection. The server closes it after 30 s.
const IDLE_TIME: Duration = Duration::from_secs(20);

/// Maximum number of unused connections.
const IDLE_CONNECTIONS: usize = 2;

/// Maximum length of the body of an error answer, in bytes. Such a body contains only a number.
const LONGEST_ERROR: usize = 64;

/// Media type of all bodies except event streams.
pub(super) const JSON: &str = "application/json";

const IF_MODIFIED: HeaderName = HeaderName::from_static("x-if-modified-since");
const IF_UNMODIFIED: HeaderName = HeaderName::from_static("x-if-unmodified-since");

/// Connections to one server.
#[derive(Debug)]
pub(super) struct HttpExchange {
    client: Client,
    address: ServerAddress,
}

/// Precondition of a request: a time in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeCondition {
    /// Header `X-If-Modified-Since`.
    Modified(i64),
    /// Header `X-If-Unmodified-Since`.
    Unmodified(i64),
}

/// Request to send.
pub(super) struct ExchangeRequest<'a> {
    pub method: Method,
    pub url: Url,
    /// Media type that the answer must have.
    pub accept: &'static str,
    pub token: Option<&'a DeviceToken>,
    pub condition: Option<TimeCondition>,
    /// Body of the request, as JSON.
    pub body: Option<Zeroizing<String>>,
}

/// Complete answer with status 2xx or 304.
pub(super) struct ExchangeAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub hints: ServerHints,
    pub body: Zeroizing<Vec<u8>>,
}

impl ExchangeAnswer {
    /// Returns a failure with the hints of this answer.
    pub fn fail(&self, why: UnexpectedAnswer) -> ServerFailure {
        ServerFailure { fault: ServerFault::NotSyncServer(why), hints: self.hints }
    }
}

impl HttpExchange {
    /// Prepares the client without opening a connection. Fails if TLS cannot be used on this machine.
    pub fn new(address: ServerAddress) -> Result<Self, ServerFault> {
        let no_tls = ServerFault::Unreachable(UnreachableCause::TlsFailed);
        let mut builder = Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .http1_only()
            .https_only(address.trust() != ServerTrust::Plain)
            .connect_timeout(CONNECT_TIME)
            .pool_idle_timeout(IDLE_TIME)
            .pool_max_idle_per_host(IDLE_CONNECTIONS);
        // Use no proxy from the environment, because without TLS, the proxy could read the token.
        if address.is_loopback() || address.trust() == ServerTrust::Plain {
            builder = builder.no_proxy();
        }
        if let ServerTrust::Pinned(pin) = address.trust() {
            builder = builder.tls_backend_preconfigured(pinned_tls(pin).map_err(|_| no_tls)?);
        }
        let client = builder.build().map_err(|_| no_tls)?;
        Ok(Self { client, address })
    }

    /// Returns the URL whose path consists of `segments`.
    ///
    /// Fails with `Refused` for segments that a URL cannot contain.
    pub fn url(&self, segments: &[&str]) -> Result<Url, ServerFailure> {
        let refused = || ServerFailure::without_answer(ServerFault::Refused { status: 400, code: None });
        let mut url = self.address.root().clone();
        // Refuse empty segments, `.` and `..`: a URL parser resolves them, so that the request would go to another
        // object.
        if segments.iter().any(|segment| matches!(*segment, "" | "." | "..")) {
            return Err(refused());
        }
        url.path_segments_mut().map_err(|()| refused())?.clear().extend(segments);
        Ok(url)
    }

    /// Sends a request, and receives the complete answer with a JSON body of at most `longest` bytes.
    pub async fn exchange(&self, request: ExchangeRequest<'_>, longest: usize) -> Result<ExchangeAnswer, ServerFailure> {
        let (mut response, hints) = self.begin(request).await?;
        let (status, headers) = (response.status().as_u16(), std::mem::take(response.headers_mut()));
        let mut answer = ExchangeAnswer { status, headers, hints, body: Zeroizing::default() };
        if status != 304 {
            check_type(&answer.headers, JSON).map_err(|why| answer.fail(why))?;
            answer.body = read_body(&mut response, longest).await.map_err(|fault| ServerFailure { fault, hints })?;
        }
        Ok(answer)
    }

    /// Sends a request, and receives the head of the answer. The status must be 2xx or 304.
    pub async fn begin(&self, request: ExchangeRequest<'_>) -> Result<(Response, ServerHints), ServerFailure> {
        let length = request.body.as_ref().map_or(0, |body| body.len() as u64);
        let limit = CONNECT_TIME + SILENCE + Duration::from_secs(length / SLOWEST_UPLOAD);
        let mut response = match timeout(limit, self.client.execute(http_request(request)?)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(ServerFailure::without_answer(self.fault_of_error(&error))),
            Err(_) => return Err(ServerFailure::without_answer(ServerFault::TimedOut)),
        };
        let hints = read_hints(response.headers());
        let status = response.status();
        let body = match status.is_client_error() || status.is_server_error() {
            true => read_body(&mut response, LONGEST_ERROR).await.unwrap_or_default(),
            false => Zeroizing::default(),
        };
        match fault_of_status(status.as_u16(), &hints, &body) {
            Some(fault) => Err(ServerFailure { fault, hints }),
            None => Ok((response, hints)),
        }
    }

    /// Reduces an error to its kind.
    fn fault_of_error(&self, error: &reqwest::Error) -> ServerFault {
        if let Some(error) = causes(error).find_map(|cause| cause.downcast_ref::<rustls::Error>()) {
            match (error, self.address.trust()) {
                (rustls::Error::InvalidCertificate(_), ServerTrust::Pinned(_)) => return ServerFault::CertificateChanged,
                (rustls::Error::InvalidCertificate(_), _) => {
                    return ServerFault::Unreachable(UnreachableCause::CertificateNotTrusted);
                }
                _ => {}
            }
        }
        let is_tls = causes(error).any(|cause| cause.is::<rustls::Error>());
        let is_refused = |cause: &io::Error| cause.kind() == io::ErrorKind::ConnectionRefused;
        ServerFault::Unreachable(match error.is_connect() {
            true if is_tls => UnreachableCause::TlsFailed,
            true if causes(error).filter_map(|cause| cause.downcast_ref()).any(is_refused) => UnreachableCause::ConnectionRefused,
            // Compare the text, because the type of a DNS error is private.
            true if causes(error).any(|cause| cause.to_string() == "dns error") => UnreachableCause::NameNotFound,
            true => UnreachableCause::NoConnection,
            false => UnreachableCause::ConnectionLost,
        })
    }
}

/// Builds the request. Fails only for a token that no header can contain.
fn http_request(request: ExchangeRequest<'_>) -> Result<Request, ServerFailure> {
    let mut http = Request::new(request.method, request.url);
    let headers = http.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static(request.accept));
    if let Some(token) = request.token {
        let text = Zeroizing::new(format!("Bearer {}", token.expose()));
        let unauthorized = |_| ServerFailure::without_answer(ServerFault::Unauthorized);
        let mut value = HeaderValue::from_str(&text).map_err(unauthorized)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    let condition = match request.condition {
        None => None,
        Some(TimeCondition::Modified(time)) => Some((IF_MODIFIED, time)),
        Some(TimeCondition::Unmodified(time)) => Some((IF_UNMODIFIED, time)),
    };
    if let Some((name, Ok(value))) = condition.map(|(name, time)| (name, HeaderValue::from_str(&seconds(time)))) {
        headers.insert(name, value);
    }
    if let Some(mut body) = request.body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        *http.body_mut() = Some(std::mem::take(&mut *body).into());
    }
    Ok(http)
}

/// Reads a body of at most `longest` bytes.
async fn read_body(response: &mut Response, longest: usize) -> Result<Zeroizing<Vec<u8>>, ServerFault> {
    let announced = response.content_length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if announced > longest {
        return Err(ServerFault::NotSyncServer(UnexpectedAnswer::TooLong));
    }
    let mut body = Zeroizing::new(Vec::with_capacity(announced));
    let chunks = stream::unfold(response, |response| async move {
        let chunk = response.chunk().await.transpose()?;
        Some((chunk.map_err(|_| ServerFault::Unreachable(UnreachableCause::ConnectionLost)), response))
    });
    read_chunks(pin!(chunks), &mut body, longest).await?;
    Ok(body)
}

/// Appends chunks to `body` until the last one.
///
/// Fails with `TooLong` above `longest` bytes. Fails with `TimedOut` if no bytes arrive for [`SILENCE`], or if they
/// arrive too slowly.
async fn read_chunks(
    mut chunks: impl Stream<Item = Result<Bytes, ServerFault>> + Unpin,
    body: &mut Vec<u8>,
    longest: usize,
) -> Result<(), ServerFault> {
    let started = Instant::now();
    loop {
        let allowed = 2 * SILENCE + Duration::from_secs(body.len() as u64 / SLOWEST_DOWNLOAD);
        let until = (started + allowed).min(Instant::now() + SILENCE);
        let chunk = timeout_at(until, chunks.next()).await.map_err(|_| ServerFault::TimedOut)?;
        match chunk.transpose()? {
            None => return Ok(()),
            Some(bytes) if body.len() + bytes.len() <= longest => body.extend_from_slice(&bytes),
            Some(_) => return Err(ServerFault::NotSyncServer(UnexpectedAnswer::TooLong)),
        }
    }
}

/// Returns the error, its cause, and so on down to the root cause.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&cause| {
        // `source` of an io::Error skips the error that the io::Error wraps, so use `get_ref`.
        match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => cause.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    /// Reads chunks of `length` bytes, with a `pause` before each. Returns the result and the length of the body.
    async fn read(length: usize, pause: Duration, longest: usize) -> (Result<(), ServerFault>, usize) {
        let mut body = Vec::new();
        let chunks = stream::repeat(()).then(|()| async move {
            sleep(pause).await;
            Ok(Bytes::from(vec![0; length]))
        });
        (read_chunks(pin!(chunks), &mut body, longest).await, body.len())
    }

    #[tokio::test(start_paused = true)]
    async fn slow_body_is_read_but_dripping_body_times_out() {
        const PAGE: usize = 8 << 20;
        let (result, length) = read(60 << 10, Duration::from_secs(1), PAGE).await;
        assert_eq!(result, Err(ServerFault::NotSyncServer(UnexpectedAnswer::TooLong)), "it takes longer than two minutes");
        assert!(length > PAGE - (60 << 10), "{length}");
        let (result, length) = read(1, Duration::from_secs(1), PAGE).await;
        assert_eq!((result, length), (Err(ServerFault::TimedOut), 60));
        let (result, length) = read(1, SILENCE * 2, PAGE).await;
        assert_eq!((result, length), (Err(ServerFault::TimedOut), 0));
    }
}
