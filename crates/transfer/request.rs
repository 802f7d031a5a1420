//! One request with its redirects, up to the head of the answer; and what a broken exchange means.
//!
//! The redirects are followed here: every address is recorded, only http and https are gone to and never from https
//! back to http, and no header of the caller's crosses to another origin.

use std::{error::Error, io, sync::Arc};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT_ENCODING, CONTENT_LENGTH, LOCATION, RANGE},
};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::Url;

use crate::{
    outcome::{Failure, FailureKind},
    port::is_bad_port,
    service::Config,
    spec::Spec,
    upload::Source,
};

/// Redirects that are followed.
const MOST_HOPS: usize = 10;

/// Headers that are this crate's to set, or that would turn an answer into something else than was planned.
const OURS: [&str; 14] = [
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
    "range",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// A client that does nothing by itself: no redirects, no retries, no decoding.
pub(crate) fn client(config: &Config) -> Result<reqwest::Client, Failure> {
    reqwest::Client::builder()
        .user_agent(&config.user_agent)
        .connect_timeout(config.connect_timeout)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .http1_only()
        .dns_resolver(Arc::new(Lookup))
        .build()
        .map_err(|error| Failure::new(FailureKind::Internal, format!("the HTTP client could not be made: {error}")))
}

/// A head that is no redirect, and the way to it.
#[derive(Debug)]
pub(crate) struct Answered {
    pub response: reqwest::Response,
    pub chain: Vec<Url>,
}

/// Asks for `spec`, from byte `from` on or whole, and sends `source` where there is one.
pub(crate) async fn ask(
    client: &reqwest::Client,
    config: &Config,
    spec: &Spec,
    from: Option<u64>,
    source: Option<&Source>,
) -> Result<Answered, Failure> {
    let mut method = spec.method.clone();
    let mut headers = caller_headers(spec)?;
    let mut source = source;
    let mut chain = vec![spec.url.clone()];
    let mut url = spec.url.clone();
    loop {
        let mut request = client.request(method.clone(), url.clone()).headers(headers.clone());
        request = request.header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(from) = from {
            request = request.header(RANGE, format!("bytes={from}-"));
        }
        if let Some(source) = source {
            request = request.header(CONTENT_LENGTH, source.length()).body(source.body());
        }
        let answer = patient(request.send(), config, source).await;
        let response = answer.map_err(|failure| match source {
            Some(source) => source.cut(failure),
            None => failure,
        })?;
        let status = response.status();
        let Some(next) = redirect(status, response.headers(), &url)? else {
            return Ok(Answered { response, chain });
        };
        if chain.len() > MOST_HOPS {
            let text = format!("{MOST_HOPS} redirects, the last to {}", host(&next));
            return Err(Failure::new(FailureKind::TooManyRedirects, text));
        }
        let becomes_get = match status {
            StatusCode::SEE_OTHER => method != Method::GET && method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => method == Method::POST,
            _ => false,
        };
        if becomes_get {
            method = Method::GET;
            source = None;
            let about_body = ["content-encoding", "content-language", "content-location", "content-type"];
            about_body.into_iter().for_each(|name| drop(headers.remove(name)));
        } else if let Some(source) = source
            && source.sent() > 0
        {
            let text = "sent on to another address after the body had left";
            return Err(source.cut(Failure::new(FailureKind::RefusedRedirect, text)));
        }
        if next.origin() != url.origin() {
            // For good: they do not come back when a later hop does.
            headers.clear();
        }
        chain.push(next.clone());
        url = next;
    }
}

/// Waits for a head. While a body is being sent, any of it that leaves shows that the server is alive.
async fn patient(
    answer: impl Future<Output = Result<reqwest::Response, reqwest::Error>>,
    config: &Config,
    source: Option<&Source>,
) -> Result<reqwest::Response, Failure> {
    let mut answer = std::pin::pin!(answer);
    let mut sent = source.map_or(0, Source::sent);
    let mut patience = config.connect_timeout + config.stall_timeout;
    loop {
        if let Ok(answer) = tokio::time::timeout(patience, &mut answer).await {
            return answer.map_err(|error| failure_of(&error));
        }
        let now = source.map_or(0, Source::sent);
        if now == sent {
            return Err(Failure::new(FailureKind::Timeout, "no answer came"));
        }
        (sent, patience) = (now, config.stall_timeout);
    }
}

/// Where an answer sends us on to; none when it is no redirect.
fn redirect(status: StatusCode, headers: &HeaderMap, url: &Url) -> Result<Option<Url>, Failure> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = headers.get(LOCATION) else { return Ok(None) };
    let refuse = |why: &str| Failure {
        status: Some(status.as_u16()),
        ..Failure::new(FailureKind::RefusedRedirect, format!("a redirect {why}"))
    };
    let location = std::str::from_utf8(location.as_bytes()).map_err(|_| refuse("to an address that is no text"))?;
    let next = url.join(location).map_err(|_| refuse("to an address that cannot be read"))?;
    match (url.scheme(), next.scheme()) {
        (_, "https") | ("http", "http") => {}
        (_, "http") => return Err(refuse("from https back to http")),
        (_, other) => return Err(refuse(&format!("to the scheme {other}:"))),
    }
    if !next.username().is_empty() || next.password().is_some() {
        return Err(refuse("to an address with credentials in it"));
    }
    if let Some(port) = next.port()
        && is_bad_port(port)
    {
        return Err(refuse(&format!("to port {port}, which is another service's")));
    }
    Ok(Some(next))
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or("nowhere")
}

fn caller_headers(spec: &Spec) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in &spec.headers {
        let bad = || Failure::new(FailureKind::Internal, format!("the header {name:?} cannot be sent"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
        // Kept out of debug output: any of them may be a secret.
        value.set_sensitive(true);
        if !OURS.contains(&key.as_str()) {
            headers.append(key, value);
        }
    }
    Ok(headers)
}

/// What an error of the HTTP client means, by walking to its root.
pub(crate) fn failure_of(error: &reqwest::Error) -> Failure {
    let mut kind = None;
    let mut words = Vec::new();
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = next {
        kind = kind_of(cause, error).or(kind);
        // Without the address: it may carry a token.
        if !cause.is::<reqwest::Error>() {
            words.push(cause.to_string());
        }
        // An io::Error that wraps another error hides it from `source`.
        next = match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => cause.source(),
        };
    }
    words.dedup();
    let kind = kind.unwrap_or(match error {
        _ if error.is_timeout() && error.is_connect() => FailureKind::Connect,
        _ if error.is_timeout() => FailureKind::Timeout,
        _ if error.is_connect() => FailureKind::Connect,
        _ if error.is_builder() => FailureKind::Internal,
        _ => FailureKind::Protocol,
    });
    Failure::new(kind, words.join(": "))
}

/// The kind that one link of the chain says, if it says one. Deeper links know better.
fn kind_of(cause: &(dyn Error + 'static), whole: &reqwest::Error) -> Option<FailureKind> {
    if cause.is::<LookupFailed>() {
        return Some(FailureKind::Dns);
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return Some(match error {
            rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => FailureKind::Certificate,
            _ => FailureKind::TlsHandshake,
        });
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return match error {
            _ if error.is_incomplete_message() || error.is_closed() || error.is_canceled() => Some(FailureKind::Reset),
            _ if error.is_parse() => Some(FailureKind::Protocol),
            _ => None,
        };
    }
    let error = cause.downcast_ref::<io::Error>()?;
    let is_secure = whole.url().is_some_and(|url| url.scheme() == "https");
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset if whole.is_connect() && is_secure => {
            Some(FailureKind::TlsHandshake)
        }
        _ if whole.is_connect() => Some(FailureKind::Connect),
        io::ErrorKind::UnexpectedEof => Some(FailureKind::Truncated),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            Some(FailureKind::Reset)
        }
        io::ErrorKind::TimedOut => Some(FailureKind::Timeout),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Some(FailureKind::Protocol),
        _ => None,
    }
}

/// The system's own name lookup; its errors are told apart from those of connecting by their type.
struct Lookup;

#[derive(Debug, thiserror::Error)]
#[error("the name {name} could not be looked up: {cause}")]
struct LookupFailed {
    name: String,
    cause: io::Error,
}

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map(Vec::from_iter);
            match found {
                Ok(addresses) => Ok(Box::new(addresses.into_iter()) as Addrs),
                Err(cause) => Err(Box::new(LookupFailed { name, cause }) as Box<dyn Error + Send + Sync>),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(status: u16, location: &str, from: &str) -> Result<Option<String>, FailureKind> {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_str(location).unwrap());
        let status = StatusCode::from_u16(status).unwrap();
        let next = redirect(status, &headers, &Url::parse(from).unwrap());
        next.map(|url| url.map(|url| url.to_string())).map_err(|failure| failure.kind)
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
        assert_eq!(next(302, "http://user:pass@a.test/", "http://a.test/"), refused);
        assert_eq!(next(302, "http://[", "http://a.test/"), refused);
        assert_eq!(next(302, "http://a.test:25/", "http://a.test/"), refused);
        assert_eq!(next(200, "/b", "http://a.test/"), Ok(None));
        assert_eq!(next(304, "/b", "http://a.test/"), Ok(None));
    }
}
