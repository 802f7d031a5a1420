//! Performs one request with its redirects and sign-ins, up to the head of the response.
//!
//! - Redirects are followed here, and every URL is recorded.
//! - Redirects lead only to http and https, and from https to http only if the user allows it.
//! - Headers of the caller (except `User-Agent`) and credentials are never sent to another origin.
//! - Cookies and the referrer follow their own rules.

use std::time::{Duration, Instant, SystemTime};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version,
    header::{
        ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, COOKIE, LOCATION, PROXY_AUTHORIZATION, RANGE, REFERER, USER_AGENT,
        WWW_AUTHENTICATE,
    },
};
use percent_encoding::percent_decode_str;
use url::{Origin, Position, Url};
use uuid::Uuid;

pub(crate) use crate::http::failure_of;
use crate::{
    http::{
        AddressPolicy, HttpSecret, NoResponse, SentCredentials,
        blocked_ports::is_bad_port,
        by_proxy, challenge_of_tunnel,
        client::{HttpClient, HttpExchange, OutgoingRequest},
        config::TransferConfig,
        digest_headers::{contradicted, digests},
        referrer_for, response_head,
        upload_body::{UploadSource, interrupted},
    },
    model::{
        digest::FileDigest,
        event::ResponseSummary,
        outcome::{FailureKind, TransferFailure},
        spec::TransferSpec,
    },
};

/// Maximum number of redirects that are followed.
const MOST_HOPS: usize = 10;

/// Maximum number of challenges answered for one address.
///
/// After the first challenge, only a challenge that reports a stale nonce is answered.
const MOST_CHALLENGES: usize = 3;

/// Maximum number of bytes, and maximum time, for reading a discarded response.
const MOST_DRAINED: u64 = 64 << 10;
const DRAIN_PATIENCE: Duration = Duration::from_millis(500);

/// Headers of the caller that are ignored.
///
/// This crate sets them itself, or they would change the meaning of a response.
const OURS: [&str; 15] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "proxy-authorization",
    "range",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Response head that is not a redirect, and the URLs that led to it.
#[derive(Debug)]
pub(crate) struct Response {
    pub response: reqwest::Response,
    pub chain: Vec<Url>,
    /// Time at which the request was sent.
    pub asked: Instant,
}

impl Response {
    /// Returns the head to report for a file of `size` bytes.
    ///
    /// `wanted` is the name that the caller requests for the file.
    pub fn head(&self, size: Option<u64>, wanted: Option<&str>) -> ResponseSummary {
        let status = self.response.status();
        let reason = match self.response.extensions().get::<hyper::ext::ReasonPhrase>() {
            Some(reason) => String::from_utf8_lossy(reason.as_bytes()),
            None => status.canonical_reason().unwrap_or_default().into(),
        };
        response_head::head(status, &reason, self.response.headers(), &self.chain, size, wanted)
    }

    /// Returns the exchange of this response if it used HTTP/2.
    pub fn exchange(&self) -> Option<HttpExchange> {
        let url = self.chain.last().filter(|_| self.response.version() == Version::HTTP_2)?;
        Some(HttpExchange { url: url.clone(), began: self.asked })
    }

    /// Returns a digest in `known` that the response contradicts.
    ///
    /// Digests of an error response are ignored, because they describe the error page (RFC 9530, section 3).
    pub fn contradicts<'a>(&self, known: &'a [FileDigest]) -> Option<&'a FileDigest> {
        let is_of_the_file = self.response.status().is_success();
        contradicted(known, &digests(self.response.headers())).filter(|_| is_of_the_file)
    }
}

/// Returns the failure for an unsuccessful response, where `held` bytes had arrived before.
pub(crate) fn bad_status(Response { response, chain, .. }: &Response, held: u64) -> TransferFailure {
    #[expect(clippy::disallowed_methods, reason = "a date in Retry-After can only be held against the wall clock")]
    let retry_after = response_head::retry_after(response.headers(), SystemTime::now());
    let asks = response.headers().contains_key(WWW_AUTHENTICATE);
    TransferFailure::of_status(response.status().as_u16(), asks, held, retry_after).by_way_of(chain)
}

#[cfg(test)]
impl Response {
    /// Creates a response from `http://a.test/disk.iso` with this head.
    pub fn with_head(status: u16, headers: &[(&str, &str)]) -> Self {
        let mut response = http::Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        let response = response.body("bytes").unwrap().into();
        Self { response, chain: vec![Url::parse("http://a.test/disk.iso").unwrap()], asked: Instant::now() }
    }
}

/// Byte range to request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSpan {
    /// Offset of the first byte.
    pub from: u64,
    /// Offset of the last byte, inclusive. `None` requests everything from the first byte on.
    pub to: Option<u64>,
}

impl ByteSpan {
    fn header(self) -> HeaderValue {
        let Self { from, to } = self;
        let text = to.map_or_else(|| format!("bytes={from}-"), |to| format!("bytes={from}-{to}"));
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("bytes=0-"))
    }
}

/// Requests `span`, or the whole file without `span`, from `url`.
///
/// Sends `source` as the body if given. `url` is the address in the spec or a mirror.
pub(crate) async fn ask(
    client: &HttpClient,
    spec: &TransferSpec,
    url: &Url,
    span: Option<ByteSpan>,
    source: Option<&UploadSource>,
) -> Result<Response, TransferFailure> {
    let mut chain = vec![url.clone()];
    match follow(client, spec, &mut chain, span, source).await {
        Ok((response, asked)) => Ok(Response { response, chain, asked }),
        Err(failure) => Err(failure.by_way_of(&chain)),
    }
}

/// Follows redirects from the only URL in `chain` to the final response.
///
/// Adds every URL on the way to `chain`. Returns the response and the time at which its request was sent.
async fn follow(
    client: &HttpClient,
    spec: &TransferSpec,
    chain: &mut Vec<Url>,
    span: Option<ByteSpan>,
    source: Option<&UploadSource>,
) -> Result<(reqwest::Response, Instant), TransferFailure> {
    let config = client.config();
    let Some(mut url) = chain.last().cloned() else {
        return Err(TransferFailure::new(FailureKind::Internal, "there is no address to ask"));
    };
    let mut method = spec.method.clone();
    let mut caller = RequestHeaders::from_spec(spec, config)?;
    let mut source = source;
    let mut answer_to_challenge = None;
    let (mut challenges, mut proxy_challenges) = (0, 0);
    let mut is_second_try = false;
    let mut insists = false;
    if url.origin() != spec.url.origin() {
        caller.leave_origin();
    }
    loop {
        let proxy = config.http.proxies.proxy_for(&url);
        if !spec.reach.covers(&url, proxy.is_some()) {
            return Err(TransferFailure::new(
                FailureKind::PrivateAddress,
                format!("{} is not on the public internet", host(&url)),
            ));
        }
        let (mut headers, sent) = caller.headers_for(&url, &method, config, answer_to_challenge.take()).await;
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let credentials = &config.http.credentials;
        let tunnel = proxy.filter(|_| url.scheme() == "https");
        let tunnel = tunnel.and_then(|proxy| credentials.proxy_authorization(proxy, "CONNECT", &authority(&url)));
        if let Some(proxy) = proxy.filter(|_| url.scheme() == "http") {
            let target = &url[Position::BeforePath..Position::AfterQuery];
            let said = credentials.proxy_authorization(proxy, method.as_str(), target);
            headers.extend(said.map(|said| (PROXY_AUTHORIZATION, said)));
        }
        if let Some(span) = span {
            headers.insert(RANGE, span.header());
        }
        match source {
            Some(source) => drop(headers.insert(CONTENT_LENGTH, source.length().into())),
            // Fetch standard, section 4.6: POST and PUT without a body state a length of 0.
            None if matches!(method, Method::POST | Method::PUT) => drop(headers.insert(CONTENT_LENGTH, 0.into())),
            None => {}
        }
        let outgoing = OutgoingRequest {
            method: method.clone(),
            url: &url,
            headers,
            body: source.map(UploadSource::body),
            reach: spec.reach,
            insists,
            // The server may be closing a reused connection, and then it is unknown whether the request arrived.
            is_fresh: is_second_try || !method.is_safe(),
            tunnel,
        };
        let asked = Instant::now();
        let answer = match patient(client.send(outgoing), config, source).await {
            // The handshake failed before the request was sent, so another client can be used.
            Ok(Err(error)) if !insists && error.speaks_another_protocol() && client.has_other(&url, source.is_some()) => {
                insists = true;
                continue;
            }
            Ok(Err(error)) if error.may_be_stale() && source.is_none() && method.is_safe() && !is_second_try => {
                is_second_try = true;
                continue;
            }
            Ok(answer) => answer.map_err(|error| {
                let failure = error.failure();
                if error.broke_http2() {
                    client.failed(&HttpExchange { url: url.clone(), began: asked }, &failure);
                }
                failure
            }),
            Err(failure) => Err(failure),
        };
        // The proxy refused the tunnel before the server received a request, so the request can be repeated.
        if let Err(TransferFailure { kind: FailureKind::ProxySignIn, .. }) = &answer
            && let Some(proxy) = proxy
            && proxy_challenges < MOST_CHALLENGES
            && let Some(refusal) = challenge_of_tunnel(proxy, &authority(&url), config.answer_timeout()).await
            && config.http.credentials.may_answer_proxy(proxy, &refusal, proxy_challenges == 0)
        {
            proxy_challenges += 1;
            continue;
        }
        let answer = match answer {
            Err(failure) if proxy.is_none() && spec.reach == AddressPolicy::Anywhere => {
                Err(client.explained(failure, &url).await)
            }
            answer => answer,
        };
        let response = answer.map_err(|failure| {
            let failure = match proxy {
                Some(proxy) => by_proxy(failure, proxy),
                None => failure,
            };
            match source {
                Some(source) => source.cut(failure),
                None if spec.method.is_safe() => failure,
                None => interrupted(failure, chain.len() > 1),
            }
        })?;
        let status = response.status();
        config.http.cookies.learn(&url, response.headers(), caller.download);
        if status == StatusCode::PROXY_AUTHENTICATION_REQUIRED
            && let Some(proxy) = proxy
        {
            if proxy_challenges < MOST_CHALLENGES
                && source.is_none()
                && config.http.credentials.may_answer_proxy(proxy, response.headers(), proxy_challenges == 0)
            {
                proxy_challenges += 1;
                drain(response).await;
                continue;
            }
            let failure = TransferFailure::new(FailureKind::ProxySignIn, "the proxy asks for a sign-in");
            return Err(TransferFailure { status: Some(status.as_u16()), ..failure });
        }
        // Do not answer the challenge if the caller sent its own `Authorization`, or if a body was sent.
        if status == StatusCode::UNAUTHORIZED && challenges < MOST_CHALLENGES && !caller.signs_in() && source.is_none() {
            let linked = caller.linked_to(&url);
            answer_to_challenge = credentials.answer(&url, response.headers(), sent.as_ref(), linked, challenges == 0).await;
            challenges += 1;
            if answer_to_challenge.is_some() {
                drain(response).await;
                continue;
            }
        }
        if status == StatusCode::BAD_REQUEST && url.scheme() == "http" && proxy.is_none() && spec.reach == AddressPolicy::Anywhere
        {
            let refused = TransferFailure::of_status(status.as_u16(), false, 0, None);
            let explained = client.explained(refused, &url).await;
            if explained.fault.is_some() {
                return Err(explained);
            }
        }
        let Some((next, linked)) = redirect(status, response.headers(), &url, config.http.insecure_redirects)? else {
            return Ok((response, asked));
        };
        if chain.len() > MOST_HOPS {
            let text = format!("{MOST_HOPS} redirects, the last to {}", host(&next));
            return Err(TransferFailure::new(FailureKind::TooManyRedirects, text));
        }
        let becomes_get = match status {
            StatusCode::SEE_OTHER => method != Method::GET && method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => method == Method::POST,
            _ => false,
        };
        if becomes_get {
            method = Method::GET;
            source = None;
            caller.drop_body();
        } else if let Some(source) = source
            && source.sent() > 0
        {
            let text = "sent on to another address after the body had left";
            return Err(source.cut(TransferFailure::new(FailureKind::RefusedRedirect, text)));
        }
        if next.origin() != url.origin() {
            caller.leave_origin();
        }
        if let Some(secret) = linked {
            caller.linked = Some((next.origin(), secret));
        }
        drain(response).await;
        (challenges, insists) = (0, false);
        chain.push(next.clone());
        url = next;
    }
}

/// Headers and credentials of the caller, adjusted at each redirect.
struct RequestHeaders<'a> {
    /// Headers set by the caller; sent only to the original origin.
    headers: HeaderMap,
    /// `User-Agent` header of the caller. It is sent to other origins too, because it only names the program.
    agent: Option<HeaderValue>,
    /// Page on which the link was found; the referrer policy decides how much of its URL is sent.
    referrer: Option<&'a str>,
    /// User name and password in the URL of a redirect, and their origin. Never stored.
    linked: Option<(Origin, HttpSecret)>,
    /// Download that the request belongs to; cookies are kept per download.
    download: Uuid,
}

impl<'a> RequestHeaders<'a> {
    fn from_spec(spec: &'a TransferSpec, config: &'a TransferConfig) -> Result<Self, TransferFailure> {
        let (referrer, download) = (config.http.referrer.as_deref(), spec.group.unwrap_or(spec.guid.0));
        let mut caller = Self { headers: HeaderMap::new(), agent: None, referrer, linked: None, download };
        for (name, value) in &spec.headers {
            let bad = || TransferFailure::new(FailureKind::Internal, format!("the header {name:?} cannot be sent"));
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            let mut header = HeaderValue::from_str(value).map_err(|_| bad())?;
            match key.as_str() {
                "referer" => caller.referrer = Some(value),
                "user-agent" => caller.agent = Some(header),
                name if OURS.contains(&name) => {}
                _ => {
                    // Keep the value out of debug output, because any header may be a secret.
                    header.set_sensitive(true);
                    caller.headers.append(key, header);
                }
            }
        }
        Ok(caller)
    }

    /// Returns the headers for `url`, and the credentials that Ashore added to the headers.
    ///
    /// The credentials are `answer`, else those in the address that led here, else those known for the origin.
    async fn headers_for(
        &self,
        url: &Url,
        method: &Method,
        config: &TransferConfig,
        answer: Option<HttpSecret>,
    ) -> (HeaderMap, Option<SentCredentials>) {
        let mut headers = self.headers.clone();
        if let Some(agent) = &self.agent {
            headers.insert(USER_AGENT, agent.clone());
        }
        if let Some(referrer) = self.referrer.and_then(|referrer| referrer_for(referrer, url)) {
            headers.insert(REFERER, referrer);
        }
        // A `Cookie` header of the caller takes precedence.
        if !headers.contains_key(COOKIE) {
            let given = config.http.credentials.cookies_of(url).await;
            headers.extend(config.http.cookies.beside(given.as_deref(), url, self.download).map(|cookies| (COOKIE, cookies)));
        }
        if self.signs_in() {
            return (headers, None);
        }
        let secret = match answer.or_else(|| self.linked_to(url).cloned()) {
            Some(secret) => Some(secret),
            None => config.http.credentials.secret_for(url).await,
        };
        let said = secret.and_then(|secret| config.http.credentials.authorization(&secret, method, url));
        let sent = said.map(|(header, sent)| {
            headers.insert(AUTHORIZATION, header);
            sent
        });
        (headers, sent)
    }

    fn linked_to(&self, url: &Url) -> Option<&HttpSecret> {
        self.linked.as_ref().filter(|(origin, _)| *origin == url.origin()).map(|(_, secret)| secret)
    }

    fn signs_in(&self) -> bool {
        self.headers.contains_key(AUTHORIZATION)
    }

    fn drop_body(&mut self) {
        let about_body = ["content-encoding", "content-language", "content-location", "content-type"];
        about_body.into_iter().for_each(|name| drop(self.headers.remove(name)));
    }

    /// Drops the headers of the caller for good, even if a later redirect returns to the origin.
    fn leave_origin(&mut self) {
        self.headers.clear();
    }
}

/// Reads the rest of a short discarded response, so that its connection can be reused.
///
/// A new connection costs less than reading a response that is long or of unknown length.
async fn drain(response: reqwest::Response) {
    if response.content_length().is_some_and(|length| length <= MOST_DRAINED) {
        // Ignore the result: the next request gets a working connection in any case.
        let _ = tokio::time::timeout(DRAIN_PATIENCE, response.bytes()).await;
    }
}

/// Waits for a response head or an error; fails if neither arrives in time.
///
/// During an upload, the wait is extended if bytes were sent, or if a speed limit held the bytes back.
async fn patient(
    answer: impl Future<Output = Result<Result<reqwest::Response, NoResponse>, TransferFailure>>,
    config: &TransferConfig,
    source: Option<&UploadSource>,
) -> Result<Result<reqwest::Response, NoResponse>, TransferFailure> {
    let mut answer = std::pin::pin!(answer);
    let mut sent = source.map_or(0, UploadSource::sent);
    let mut patience = config.connect_timeout + config.answer_timeout();
    loop {
        if let Ok(answer) = tokio::time::timeout(patience, &mut answer).await {
            return answer;
        }
        let now = source.map_or(0, UploadSource::sent);
        if now == sent && source.is_none_or(|source| source.take_wait().is_zero()) {
            return Err(TransferFailure::new(FailureKind::Timeout, "no answer came"));
        }
        (sent, patience) = (now, config.answer_timeout());
    }
}

/// Returns the target of a redirect, and the credentials in that URL as a secret.
///
/// The returned URL has no user name and no password. Returns `None` if the response is not a redirect.
pub(crate) fn redirect(
    status: StatusCode,
    headers: &HeaderMap,
    url: &Url,
    may_go_down: bool,
) -> Result<Option<(Url, Option<HttpSecret>)>, TransferFailure> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = headers.get(LOCATION) else { return Ok(None) };
    let refuse = |why: &str| TransferFailure {
        status: Some(status.as_u16()),
        ..TransferFailure::new(FailureKind::RefusedRedirect, format!("a redirect {why}"))
    };
    let location = std::str::from_utf8(location.as_bytes()).map_err(|_| refuse("to an address that is no text"))?;
    let mut next = url.join(location).map_err(|_| refuse("to an address that cannot be read"))?;
    match (url.scheme(), next.scheme()) {
        (_, "https") | ("http", "http") => {}
        (_, "http") if may_go_down => {}
        (_, "http") => return Err(refuse("from https back to http")),
        (_, other) => return Err(refuse(&format!("to the scheme {other}:"))),
    }
    if let Some(port) = next.port()
        && is_bad_port(port)
    {
        return Err(refuse(&format!("to port {port}, which is another service's")));
    }
    let linked = linked(&next);
    // An http or https URL has a host, so both changes succeed.
    let _ = (next.set_username(""), next.set_password(None));
    Ok(Some((next, linked)))
}

/// Returns the user name and password in a URL.
fn linked(url: &Url) -> Option<HttpSecret> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let is_said = !url.username().is_empty() || url.password().is_some();
    is_said.then(|| HttpSecret::Basic { user: decoded(url.username()), password: decoded(url.password().unwrap_or_default()) })
}

/// Returns `host:port`, the target of a tunnel request.
fn authority(url: &Url) -> String {
    format!("{}:{}", host(url), url.port_or_known_default().unwrap_or_default())
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or("nowhere")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(status: u16, location: &str, from: &str) -> Result<Option<String>, FailureKind> {
        next_allowed(status, location, from, false)
    }

    fn next_allowed(status: u16, location: &str, from: &str, may_go_down: bool) -> Result<Option<String>, FailureKind> {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_str(location).unwrap());
        let status = StatusCode::from_u16(status).unwrap();
        let next = redirect(status, &headers, &Url::parse(from).unwrap(), may_go_down);
        next.map(|next| next.map(|(url, _)| url.to_string())).map_err(|failure| failure.kind)
    }

    #[test]
    fn redirects_are_limited_to_http_and_https_without_downgrade() {
        let refused = Err(FailureKind::RefusedRedirect);
        assert_eq!(next(302, "/b?c", "http://a.test/x/"), Ok(Some("http://a.test/b?c".to_owned())));
        assert_eq!(next(308, "https://b.test/", "http://a.test/"), Ok(Some("https://b.test/".to_owned())));
        assert_eq!(next(302, "http://a.test/", "https://a.test/"), refused);
        assert_eq!(next(302, "file:///etc/passwd", "http://a.test/"), refused);
        assert_eq!(next(302, "ftp://a.test/", "http://a.test/"), refused);
        assert_eq!(next(302, "data:,x", "http://a.test/"), refused);
        assert_eq!(next(302, "http://[", "http://a.test/"), refused);
        assert_eq!(next(302, "http://a.test:25/", "http://a.test/"), refused);
        assert_eq!(next(200, "/b", "http://a.test/"), Ok(None));
        assert_eq!(next(304, "/b", "http://a.test/"), Ok(None));
    }

    #[test]
    fn redirect_credentials_are_removed_from_url() {
        let headers = |location| HeaderMap::from_iter([(LOCATION, HeaderValue::from_static(location))]);
        let to = |location| {
            redirect(StatusCode::FOUND, &headers(location), &Url::parse("http://a.test/").unwrap(), false).unwrap().unwrap()
        };
        let basic = |user: &str, password: &str| Some(HttpSecret::Basic { user: user.to_owned(), password: password.to_owned() });
        for (location, url, secret) in [
            ("http://kim:p%40ss@b.test/x", "http://b.test/x", basic("kim", "p@ss")),
            ("//token@[::1]:8080/", "http://[::1]:8080/", basic("token", "")),
            ("/y", "http://a.test/y", None),
        ] {
            let (found, linked) = to(location);
            assert_eq!((found.as_str(), linked), (url, secret), "{location}");
        }
    }

    #[test]
    fn https_to_http_redirect_requires_permission() {
        let down = |may| next_allowed(302, "http://a.test/", "https://a.test/", may);
        assert_eq!(down(true), Ok(Some("http://a.test/".to_owned())));
        assert_eq!(down(false), Err(FailureKind::RefusedRedirect));
        let refused = next_allowed(302, "file:///etc/passwd", "https://a.test/", true);
        assert_eq!(refused, Err(FailureKind::RefusedRedirect));
    }
}
