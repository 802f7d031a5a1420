//! Performs one request with its redirects and sign-ins, until the final response head arrives.
//!
//! - This module follows redirects and records every URL. `redirect` decides which redirects are permitted.
//! - `request_headers` decides which headers and credentials an origin gets.

use std::time::{Duration, Instant, SystemTime};

use http::{
    HeaderValue, Method, StatusCode, Version,
    header::{ACCEPT_ENCODING, CONTENT_LENGTH, PROXY_AUTHORIZATION, RANGE, WWW_AUTHENTICATE},
};
use url::{Position, Url};

use crate::{
    http::{
        AddressPolicy, HttpSecret, NoResponse, SentCredentials, by_proxy, challenge_of_tunnel,
        client::{HttpClient, HttpExchange, OutgoingRequest},
        config::TransferConfig,
        digest_headers::{contradicted, digests},
        redirect::{becomes_get, redirect},
        request_headers::RequestHeaders,
        response_head,
        upload_body::{UploadSource, interrupted},
    },
    model::{
        digest::FileDigest, event::ResponseSummary, failure::TransferFailure, failure_kind::FailureKind, spec::TransferSpec,
    },
};

/// Maximum number of redirects that are followed.
const MOST_HOPS: usize = 10;

/// Maximum number of answered challenges per address.
///
/// Later challenges are answered only if they report a stale nonce.
const MOST_CHALLENGES: usize = 3;

/// Maximum size of a discarded response that is still read, and maximum time for reading it.
const MOST_DRAINED: u64 = 64 << 10;
const DRAIN_PATIENCE: Duration = Duration::from_millis(500);

/// Final response, and the URLs that led to it.
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
    /// `wanted` is the file name that the caller requests.
    pub fn head(&self, size: Option<u64>, wanted: Option<&str>) -> ResponseSummary {
        let status = self.response.status();
        let reason = match self.response.extensions().get::<hyper::ext::ReasonPhrase>() {
            Some(reason) => String::from_utf8_lossy(reason.as_bytes()),
            None => status.canonical_reason().unwrap_or_default().into(),
        };
        response_head::head(status, &reason, self.response.headers(), &self.chain, size, wanted)
    }

    /// Returns the HTTP/2 exchange of this response, or `None` if the response did not use HTTP/2.
    pub fn exchange(&self) -> Option<HttpExchange> {
        let url = self.chain.last().filter(|_| self.response.version() == Version::HTTP_2)?;
        Some(HttpExchange { url: url.clone(), began: self.asked })
    }

    /// Returns a digest in `known` that the response contradicts.
    ///
    /// Ignores digests of an error response, because they describe the error page (RFC 9530, section 3).
    pub fn contradicts<'a>(&self, known: &'a [FileDigest]) -> Option<&'a FileDigest> {
        let is_of_the_file = self.response.status().is_success();
        contradicted(known, &digests(self.response.headers())).filter(|_| is_of_the_file)
    }
}

/// Returns the failure for an unsuccessful response.
///
/// `held` is the number of bytes from earlier responses.
pub(crate) fn bad_status(Response { response, chain, .. }: &Response, held: u64) -> TransferFailure {
    #[expect(clippy::disallowed_methods, reason = "a date in Retry-After can only be compared with the wall clock")]
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
    /// Offset of the last byte, inclusive. `None` for the end of the file.
    pub to: Option<u64>,
}

impl ByteSpan {
    fn header(self) -> HeaderValue {
        let Self { from, to } = self;
        let text = to.map_or_else(|| format!("bytes={from}-"), |to| format!("bytes={from}-{to}"));
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("bytes=0-"))
    }
}

/// Requests `span` of `url`. Without a `span`, requests the whole file.
///
/// Sends `source` as the body, if there is one. `url` is either the address in the spec or the address of a mirror.
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
/// Adds every redirect target to `chain`. Returns the response and the time of its request.
async fn follow(
    client: &HttpClient,
    spec: &TransferSpec,
    chain: &mut Vec<Url>,
    span: Option<ByteSpan>,
    source: Option<&UploadSource>,
) -> Result<(reqwest::Response, Instant), TransferFailure> {
    let config = client.config();
    let Some(url) = chain.last().cloned() else {
        return Err(TransferFailure::new(FailureKind::Internal, "there is no address to ask"));
    };
    let mut exchange = OpenExchange::new(client, spec, url, span, source)?;
    loop {
        let proxy = config.http.proxies.proxy_for(&exchange.url);
        exchange.check_reach(proxy)?;
        let answer_to_challenge = exchange.answer_to_challenge.take();
        let (outgoing, sent) = exchange.outgoing(proxy, answer_to_challenge).await;
        let asked = Instant::now();
        let answer = patient(client.send(outgoing), config, exchange.source).await;
        let response = match exchange.settle(answer, asked) {
            Some(Ok(response)) => response,
            Some(Err(failure)) if exchange.answers_tunnel(&failure, proxy).await => continue,
            Some(Err(failure)) => return Err(exchange.explain(failure, proxy, chain.len() > 1).await),
            None => continue,
        };
        config.http.cookies.learn(&exchange.url, response.headers(), exchange.caller.owner);
        if exchange.answers_proxy(&response, proxy)? || exchange.answers_server(&response, sent.as_ref()).await {
            drain(response).await;
            continue;
        }
        exchange.check_scheme(response.status(), proxy).await?;
        let Some(target) = exchange.target_of(&response)? else { return Ok((response, asked)) };
        if chain.len() > MOST_HOPS {
            let text = format!("{MOST_HOPS} redirects, the last to {}", host(&target.0));
            return Err(TransferFailure::new(FailureKind::TooManyRedirects, text));
        }
        exchange.go_to(target, response.status())?;
        drain(response).await;
        chain.push(exchange.url.clone());
    }
}

/// State of a request between two redirects or sign-ins.
struct OpenExchange<'a> {
    client: &'a HttpClient,
    spec: &'a TransferSpec,
    span: Option<ByteSpan>,
    source: Option<&'a UploadSource>,
    url: Url,
    method: Method,
    caller: RequestHeaders<'a>,
    /// Credentials that the next request sends in answer to a challenge of the server.
    answer_to_challenge: Option<HttpSecret>,
    /// Number of answered challenges of this address.
    challenges: usize,
    /// Number of answered challenges of proxies.
    proxy_challenges: usize,
    /// Whether this is the second attempt.
    ///
    /// It is made if the server may have closed the connection of the first attempt.
    is_second_try: bool,
    /// Whether HTTP/2 must be used because the server refused HTTP/1.1.
    insists: bool,
}

impl<'a> OpenExchange<'a> {
    /// Returns the state before the first request. Fails if a header of the caller cannot be sent.
    fn new(
        client: &'a HttpClient,
        spec: &'a TransferSpec,
        url: Url,
        span: Option<ByteSpan>,
        source: Option<&'a UploadSource>,
    ) -> Result<Self, TransferFailure> {
        let mut caller = RequestHeaders::from_spec(spec, client.config())?;
        if url.origin() != spec.url.origin() {
            caller.leave_origin();
        }
        Ok(Self {
            client,
            spec,
            span,
            source,
            url,
            method: spec.method.clone(),
            caller,
            answer_to_challenge: None,
            challenges: 0,
            proxy_challenges: 0,
            is_second_try: false,
            insists: false,
        })
    }

    /// Fails with `PrivateAddress` if the policy of this transfer forbids the address.
    fn check_reach(&self, proxy: Option<&Url>) -> Result<(), TransferFailure> {
        if self.spec.reach.covers(&self.url, proxy.is_some()) {
            return Ok(());
        }
        let text = format!("{} is not on the public internet", host(&self.url));
        Err(TransferFailure::new(FailureKind::PrivateAddress, text))
    }

    /// Returns the next request and its credentials.
    ///
    /// `answer` contains the credentials that answer a challenge of the server.
    async fn outgoing(&self, proxy: Option<&Url>, answer: Option<HttpSecret>) -> (OutgoingRequest<'_>, Option<SentCredentials>) {
        let config = self.client.config();
        let (mut headers, sent) = self.caller.headers_for(&self.url, &self.method, config, answer).await;
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let credentials = &config.http.credentials;
        let tunnel = proxy.filter(|_| self.url.scheme() == "https");
        let tunnel = tunnel.and_then(|proxy| credentials.proxy_authorization(proxy, "CONNECT", &authority(&self.url)));
        if let Some(proxy) = proxy.filter(|_| self.url.scheme() == "http") {
            let target = &self.url[Position::BeforePath..Position::AfterQuery];
            let said = credentials.proxy_authorization(proxy, self.method.as_str(), target);
            headers.extend(said.map(|said| (PROXY_AUTHORIZATION, said)));
        }
        if let Some(span) = self.span {
            headers.insert(RANGE, span.header());
        }
        match self.source {
            Some(source) => drop(headers.insert(CONTENT_LENGTH, source.length().into())),
            // Fetch standard, section 4.6: POST and PUT without a body need a length of 0.
            None if matches!(self.method, Method::POST | Method::PUT) => drop(headers.insert(CONTENT_LENGTH, 0.into())),
            None => {}
        }
        let outgoing = OutgoingRequest {
            method: self.method.clone(),
            url: &self.url,
            headers,
            body: self.source.map(UploadSource::body),
            reach: self.spec.reach,
            insists: self.insists,
            // If the server closes a reused connection during the request, the client cannot know whether the request
            // arrived. For a request that may change data, therefore use a new connection.
            is_fresh: self.is_second_try || !self.method.is_safe(),
            tunnel,
        };
        (outgoing, sent)
    }

    /// Returns the response or its failure, or `None` if the request must be sent again.
    fn settle(
        &mut self,
        answer: Result<Result<reqwest::Response, NoResponse>, TransferFailure>,
        asked: Instant,
    ) -> Option<Result<reqwest::Response, TransferFailure>> {
        let error = match answer {
            Ok(Ok(response)) => return Some(Ok(response)),
            Ok(Err(error)) => error,
            Err(failure) => return Some(Err(failure)),
        };
        let is_upload = self.source.is_some();
        // The handshake failed before the request was sent, so try another client.
        if !self.insists && error.speaks_another_protocol() && self.client.has_other(&self.url, is_upload) {
            self.insists = true;
            return None;
        }
        if error.may_be_stale() && !is_upload && self.method.is_safe() && !self.is_second_try {
            self.is_second_try = true;
            return None;
        }
        let failure = error.failure();
        if error.broke_http2() {
            self.client.failed(&HttpExchange { url: self.url.clone(), began: asked }, &failure);
        }
        Some(Err(failure))
    }

    /// Returns whether the next request answers the challenge of a proxy that refused the tunnel.
    ///
    /// Repeating the request is safe, because the server has not received it.
    async fn answers_tunnel(&mut self, failure: &TransferFailure, proxy: Option<&Url>) -> bool {
        let config = self.client.config();
        if failure.kind == FailureKind::ProxySignIn
            && let Some(proxy) = proxy
            && self.proxy_challenges < MOST_CHALLENGES
            && let Some(refusal) = challenge_of_tunnel(proxy, &authority(&self.url), config.answer_timeout()).await
            && config.http.credentials.may_answer_proxy(proxy, &refusal, self.proxy_challenges == 0)
        {
            self.proxy_challenges += 1;
            return true;
        }
        false
    }

    /// Returns the failure to report if there was no response.
    async fn explain(&self, failure: TransferFailure, proxy: Option<&Url>, was_sent_on: bool) -> TransferFailure {
        let failure = match proxy {
            Some(proxy) => by_proxy(failure, proxy),
            None if self.spec.reach == AddressPolicy::Anywhere => self.client.explained(failure, &self.url).await,
            None => failure,
        };
        match self.source {
            Some(source) => source.cut(failure),
            None if self.spec.method.is_safe() => failure,
            None => interrupted(failure, was_sent_on),
        }
    }

    /// Returns whether the next request answers a challenge of the proxy.
    ///
    /// Fails with `ProxySignIn` if the proxy demands credentials that are not available.
    fn answers_proxy(&mut self, response: &reqwest::Response, proxy: Option<&Url>) -> Result<bool, TransferFailure> {
        let status = response.status();
        let Some(proxy) = proxy.filter(|_| status == StatusCode::PROXY_AUTHENTICATION_REQUIRED) else { return Ok(false) };
        let credentials = &self.client.config().http.credentials;
        if self.proxy_challenges < MOST_CHALLENGES
            && self.source.is_none()
            && credentials.may_answer_proxy(proxy, response.headers(), self.proxy_challenges == 0)
        {
            self.proxy_challenges += 1;
            return Ok(true);
        }
        let failure = TransferFailure::new(FailureKind::ProxySignIn, "the proxy asks for a sign-in");
        Err(TransferFailure { status: Some(status.as_u16()), ..failure })
    }

    /// Returns whether the next request answers a challenge of the server.
    ///
    /// Never answers if the caller set an `Authorization` header, or if a body was sent.
    async fn answers_server(&mut self, response: &reqwest::Response, sent: Option<&SentCredentials>) -> bool {
        if response.status() != StatusCode::UNAUTHORIZED
            || self.challenges >= MOST_CHALLENGES
            || self.caller.signs_in()
            || self.source.is_some()
        {
            return false;
        }
        let credentials = &self.client.config().http.credentials;
        let linked = self.caller.linked_to(&self.url);
        let answer = credentials.answer(&self.url, response.headers(), sent, linked, self.challenges == 0).await;
        self.answer_to_challenge = answer;
        self.challenges += 1;
        self.answer_to_challenge.is_some()
    }

    /// Checks whether the link has the wrong scheme, if `status` suggests this.
    ///
    /// Fails if a probe of the server confirms that the scheme is wrong.
    async fn check_scheme(&self, status: StatusCode, proxy: Option<&Url>) -> Result<(), TransferFailure> {
        let may_be_wrong = status == StatusCode::BAD_REQUEST && self.url.scheme() == "http";
        if !may_be_wrong || proxy.is_some() || self.spec.reach != AddressPolicy::Anywhere {
            return Ok(());
        }
        let refused = TransferFailure::of_status(status.as_u16(), false, 0, None);
        let explained = self.client.explained(refused, &self.url).await;
        if explained.fault.is_some() { Err(explained) } else { Ok(()) }
    }

    /// Returns the target of a redirect, and the credentials in the target's URL.
    ///
    /// Returns `None` if the response is not a redirect.
    fn target_of(&self, response: &reqwest::Response) -> Result<Option<(Url, Option<HttpSecret>)>, TransferFailure> {
        redirect(response.status(), response.headers(), &self.url, self.client.config().http.insecure_redirects)
    }

    /// Prepares the request to the target of a redirect.
    ///
    /// Fails with `RefusedRedirect` if a part of the body was already sent.
    fn go_to(&mut self, (next, linked): (Url, Option<HttpSecret>), status: StatusCode) -> Result<(), TransferFailure> {
        if becomes_get(status, &self.method) {
            self.method = Method::GET;
            self.source = None;
            self.caller.drop_body();
        } else if let Some(source) = self.source
            && source.sent() > 0
        {
            let text = "sent on to another address after the body had left";
            return Err(source.cut(TransferFailure::new(FailureKind::RefusedRedirect, text)));
        }
        if next.origin() != self.url.origin() {
            self.caller.leave_origin();
        }
        if let Some(secret) = linked {
            self.caller.linked = Some((next.origin(), secret));
        }
        (self.challenges, self.insists) = (0, false);
        self.url = next;
        Ok(())
    }
}

/// Reads the rest of a short discarded response, so that its connection can be reused.
///
/// Does not read a response that is long or of unknown length, because a new connection is cheaper.
async fn drain(response: reqwest::Response) {
    if response.content_length().is_some_and(|length| length <= MOST_DRAINED) {
        // Ignore the result: the next request gets a working connection in any case.
        let _ = tokio::time::timeout(DRAIN_PATIENCE, response.bytes()).await;
    }
}

/// Waits for a response head or an error. Fails if neither arrives in time.
///
/// During an upload, extends the wait if bytes were sent or a speed limit delayed them.
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

/// Returns `host:port`, the target of a tunnel request.
fn authority(url: &Url) -> String {
    format!("{}:{}", host(url), url.port_or_known_default().unwrap_or_default())
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or("nowhere")
}
