//! Checks and resolves redirects. [pure]
//!
//! - Redirects lead only to http and https, and from https to http only if the user allows it.
//! - Credentials are removed from the URL of a redirect.
//!
//! Called by `exchange`.

use http::{HeaderMap, Method, StatusCode, header::LOCATION};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::{
    http::{HttpSecret, blocked_ports::is_bad_port},
    model::{failure::TransferFailure, failure_kind::FailureKind},
};

/// Returns the target of a redirect, and the credentials in its URL as a secret.
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
    // Never fails: an http or https URL has a host.
    let _ = (next.set_username(""), next.set_password(None));
    Ok(Some((next, linked)))
}

/// Returns the user name and password that a URL contains.
fn linked(url: &Url) -> Option<HttpSecret> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let is_said = !url.username().is_empty() || url.password().is_some();
    is_said.then(|| HttpSecret::Basic { user: decoded(url.username()), password: decoded(url.password().unwrap_or_default()) })
}

/// Returns whether a redirect with `status` changes a request with `method` to a GET (RFC 9110, section 15.4).
pub(super) fn becomes_get(status: StatusCode, method: &Method) -> bool {
    match status {
        StatusCode::SEE_OTHER => method != Method::GET && method != Method::HEAD,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => method == Method::POST,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

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
