//! One request with its redirects and sign-ins, up to the head of the answer.
//!
//! The redirects are followed here: every address is recorded, only http and https are gone to and from https back to
//! http only where a person allows it. No header of the caller's and nothing that signs in crosses to another origin;
//! cookies and the referrer go by rules of their own.

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

/// Redirects that are followed.
const MOST_HOPS: usize = 10;

/// Challenges of one address that are answered, where each but the first says that only its nonce was too old.
const MOST_CHALLENGES: usize = 3;

/// How much of an answer that is only passed is read, and for how long.
const MOST_DRAINED: u64 = 64 << 10;
const DRAIN_PATIENCE: Duration = Duration::from_millis(500);

/// Headers that are this crate's to set, or that would turn an answer into something else than was planned.
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

/// A head that is no redirect, and the way to it.
#[derive(Debug)]
pub(crate) struct Response {
    pub response: reqwest::Response,
    pub chain: Vec<Url>,
    /// When it was asked for.
    pub asked: Instant,
}

impl Response {
    /// What is told of it, for a file of `size` bytes whose caller wants it to be called `wanted`.
    pub fn head(&self, size: Option<u64>, wanted: Option<&str>) -> ResponseSummary {
        let status = self.response.status();
        let reason = match self.response.extensions().get::<hyper::ext::ReasonPhrase>() {
            Some(reason) => String::from_utf8_lossy(reason.as_bytes()),
            None => status.canonical_reason().unwrap_or_default().into(),
        };
        response_head::head(status, &reason, self.response.headers(), &self.chain, size, wanted)
    }

    /// The exchange that it is of, over HTTP/2.
    pub fn exchange(&self) -> Option<HttpExchange> {
        let url = self.chain.last().filter(|_| self.response.version() == Version::HTTP_2)?;
        Some(HttpExchange { url: url.clone(), began: self.asked })
    }

    /// Which of the digests that the file is known to have it contradicts. What refuses speaks of its own page (RFC 9530,
    /// section 3).
    pub fn contradicts<'a>(&self, known: &'a [FileDigest]) -> Option<&'a FileDigest> {
        let is_of_the_file = self.response.status().is_success();
        contradicted(known, &digests(self.response.headers())).filter(|_| is_of_the_file)
    }
}

/// Failure for a response without success, where `held` bytes had come before.
pub(crate) fn bad_status(Response { response, chain, .. }: &Response, held: u64) -> TransferFailure {
    #[expect(clippy::disallowed_methods, reason = "a date in Retry-After can only be held against the wall clock")]
    let retry_after = response_head::retry_after(response.headers(), SystemTime::now());
    let asks = response.headers().contains_key(WWW_AUTHENTICATE);
    TransferFailure::of_status(response.status().as_u16(), asks, held, retry_after).by_way_of(chain)
}

#[cfg(test)]
impl Response {
    /// An answer from `http://a.test/disk.iso` with this head.
    pub fn with_head(status: u16, headers: &[(&str, &str)]) -> Self {
        let mut response = http::Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        let response = response.body("bytes").unwrap().into();
        Self { response, chain: vec![Url::parse("http://a.test/disk.iso").unwrap()], asked: Instant::now() }
    }
}

/// A range to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSpan {
    /// The first byte.
    pub from: u64,
    /// The last byte; none for everything from the first on.
    pub to: Option<u64>,
}

impl ByteSpan {
    fn header(self) -> HeaderValue {
        let Self { from, to } = self;
        let text = to.map_or_else(|| format!("bytes={from}-"), |to| format!("bytes={from}-{to}"));
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("bytes=0-"))
    }
}

/// Asks `url`, the spec's own address or a mirror's, for `span` or the whole file, and sends `source` where there is one.
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

/// From the only address of `chain` to an answer that leads no further, and when that was asked for; every address on the way
/// is added to it.
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
            // Fetch standard, section 4.6: these two say that there is no body.
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
            // Over a connection that the server may be closing, it would be open whether the request arrived.
            is_fresh: is_second_try || !method.is_safe(),
            tunnel,
        };
        let asked = Instant::now();
        let answer = match patient(client.send(outgoing), config, source).await {
            // Before anything was asked of it.
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
        // Before anything was asked of the server.
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
        // A server that refuses what it asked for gets nothing else.
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

/// What the caller sends, hop by hop.
struct RequestHeaders<'a> {
    /// Of the caller's own making; they stay with the origin they were meant for.
    headers: HeaderMap,
    /// Says which program asks and nothing else, so it goes along to other origins.
    agent: Option<HeaderValue>,
    /// Goes along by rules of its own.
    referrer: Option<&'a str>,
    /// A name and password in the address of a redirect, and whom they are for. They are kept nowhere.
    linked: Option<(Origin, HttpSecret)>,
    /// The download that the request belongs to, which has cookies of its own.
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
                    // Kept out of debug output: any of them may be a secret.
                    header.set_sensitive(true);
                    caller.headers.append(key, header);
                }
            }
        }
        Ok(caller)
    }

    /// The headers for `url`, and what in them signs in of Ashore's own knowledge: `answer`, what the address said that led
    /// here, or what is kept for the origin.
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
        // Who brings a header of his own knows what he does.
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

    /// For good: they do not come back when a later hop does.
    fn leave_origin(&mut self) {
        self.headers.clear();
    }
}

/// Reads the little that an answer nobody wants still has to say, so that its connection can be used again. One that
/// has much to say, or does not say how much, costs more than a new connection.
async fn drain(response: reqwest::Response) {
    if response.content_length().is_some_and(|length| length <= MOST_DRAINED) {
        // Whatever becomes of it, the next request is asked on a connection that works.
        let _ = tokio::time::timeout(DRAIN_PATIENCE, response.bytes()).await;
    }
}

/// Waits for a head, or for what broke; fails when neither comes. While a body is being sent, any of it that leaves shows
/// that the server is alive, and so does any that only a limit keeps from leaving.
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

/// Where an answer sends us on to, without a name and password in it, and what those say; none when it is no redirect.
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
    // An address of http or https has a host, and such a one takes both.
    let _ = (next.set_username(""), next.set_password(None));
    Ok(Some((next, linked)))
}

/// The name and password of an address.
fn linked(url: &Url) -> Option<HttpSecret> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let is_said = !url.username().is_empty() || url.password().is_some();
    is_said.then(|| HttpSecret::Basic { user: decoded(url.username()), password: decoded(url.password().unwrap_or_default()) })
}

/// `host:port`, as a tunnel is asked for.
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
    fn redirects_go_to_http_and_https_only_and_never_down() {
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
    fn name_and_password_of_redirect_are_taken_out_of_its_address() {
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
    fn from_https_to_http_is_gone_only_where_somebody_allows_it() {
        let down = |may| next_allowed(302, "http://a.test/", "https://a.test/", may);
        assert_eq!(down(true), Ok(Some("http://a.test/".to_owned())));
        assert_eq!(down(false), Err(FailureKind::RefusedRedirect));
        let refused = next_allowed(302, "file:///etc/passwd", "https://a.test/", true);
        assert_eq!(refused, Err(FailureKind::RefusedRedirect));
    }
}
