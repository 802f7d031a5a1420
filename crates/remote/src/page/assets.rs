//! The files of the page, compiled in by the build script from the same folder as in the window.

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};

include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Content security policy of the window, plus the network access of a page that a server delivers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Name of the first file of a page.
const INDEX: &str = "index.html";
/// Folder of files whose names contain a hash of their content.
const HASHED: &str = "assets/";
/// Response of a program that was built when the files of its page did not exist yet.
const WITHOUT_PAGE: &str = "This program was built without its page. Run `npm --prefix ui run build`, and build it again.\n";

/// File of the page.
struct PageFile {
    path: &'static str,
    plain: &'static [u8],
    /// Compressed content, if the file is not tiny.
    brotli: Option<&'static [u8]>,
    /// Hash of the content in hexadecimal.
    tag: &'static str,
}

/// Returns the file that a request names.
pub(super) async fn answer(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => INDEX,
        path => path,
    };
    match FILES.iter().find(|file| file.path == path) {
        Some(file) => found(file, &headers),
        None if FILES.is_empty() && path == INDEX => (StatusCode::SERVICE_UNAVAILABLE, WITHOUT_PAGE).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn found(file: &PageFile, headers: &HeaderMap) -> Response {
    let has_brotli = accepts_brotli(headers);
    let (bytes, encoding) = match file.brotli.filter(|_| has_brotli) {
        Some(bytes) => (bytes, Some("br")),
        None => (file.plain, None),
    };
    // The compressed form and the plain form have different tags, because a tag names exact bytes.
    let tag = format!("\"{}{}\"", file.tag, encoding.map(|encoding| format!("-{encoding}")).unwrap_or_default());
    let mut response = Response::new(Body::from(Bytes::from_static(bytes)));
    if is_known(headers, &tag) {
        response = StatusCode::NOT_MODIFIED.into_response();
    }
    let lifetime = if file.path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let sent = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type(file.path)),
        (header::CACHE_CONTROL, lifetime),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::VARY, "Accept-Encoding"),
    ] {
        sent.insert(name, HeaderValue::from_static(value));
    }
    if let Some(encoding) = encoding {
        sent.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    if let Ok(tag) = HeaderValue::try_from(tag) {
        sent.insert(header::ETAG, tag);
    }
    response
}

/// Whether the client accepts Brotli. [pure]
fn accepts_brotli(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_zero = |part: &str| part.strip_prefix("q=").is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty());
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br")) && !parts.any(is_zero)
    })
}

/// Whether the client has the version with this tag. [pure]
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}

/// Returns the type of a file of the page. [pure]
fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;

    #[test]
    fn content_security_policy_of_page_matches_window_except_for_network() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tauri.conf.json");
        let window: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut expected: BTreeMap<String, String> = serde_json::from_value(window["app"]["security"]["csp"].clone()).unwrap();
        expected.insert("connect-src".to_owned(), "'self'".to_owned());
        expected.insert("manifest-src".to_owned(), "'self'".to_owned());
        let own = POLICY.split("; ").map(|one| one.split_once(' ').unwrap());
        let own: BTreeMap<String, String> = own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        assert_eq!(own, expected);
    }

    #[test]
    fn brotli_is_sent_only_if_accepted() {
        for (value, is_accepted) in [
            ("gzip, br", true),
            ("BR;q=0.5", true),
            ("gzip, deflate", false),
            ("br;q=0", false),
            ("br; q=0.000", false),
            ("brotli", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, value.parse().unwrap())]);
            assert_eq!(accepts_brotli(&headers), is_accepted, "{value}");
        }
        assert!(!accepts_brotli(&HeaderMap::new()));
    }

    #[test]
    fn etag_is_found_in_list_of_if_none_match_header() {
        for (value, is_same) in [("\"a\"", true), ("\"b\", W/\"a\"", true), ("\"b\"", false), ("a", false)] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value.parse().unwrap())]);
            assert_eq!(is_known(&headers, "\"a\""), is_same, "{value}");
        }
    }

    #[tokio::test]
    async fn page_is_served_with_its_content_security_policy() {
        let uri = |path: &'static str| Uri::from_static(path);
        let response = answer(Method::GET, uri("/"), HeaderMap::new()).await;
        if FILES.is_empty() {
            return assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        }
        assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], POLICY);
        let tag = response.headers()[header::ETAG].clone();
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag)]);
        assert_eq!(answer(Method::GET, uri("/"), known).await.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(answer(Method::GET, uri("/nothing"), HeaderMap::new()).await.status(), StatusCode::NOT_FOUND);
        assert_eq!(answer(Method::POST, uri("/"), HeaderMap::new()).await.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}
