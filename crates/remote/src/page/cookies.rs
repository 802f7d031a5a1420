//! The cookie with the first half of a device's key, and the header with the second half. [pure]
//!
//! - Cookies are not separated by port, so the name contains the port of the `Host`. Two servers on one host then keep their own
//!   cookies.
//! - Whether the page was loaded with TLS follows from its `Origin`, which a page cannot choose.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::{
    remote_sessions::{FirstHalf, SentKey},
    server::access_control::only,
    sessions::SessionKey,
};

/// Header with the second half of the key.
const KEY: HeaderName = HeaderName::from_static("ashore-key");
/// Text in an `Authorization` header before the token of a program.
const BEARER: &str = "Bearer ";
/// Maximum age of a cookie in seconds. Browsers do not accept a longer age. The server ends unused sessions much
/// earlier.
const AGE: u64 = 400 * 24 * 60 * 60;

/// Returns the secrets in the headers of a request; `None` if it has none.
pub(super) fn sent_key(headers: &HeaderMap) -> Option<SentKey> {
    if let Some(second) = only(headers, &KEY) {
        return Some(SentKey::Device { first: first_halves(headers), second: second.to_owned() });
    }
    let token = only(headers, &header::AUTHORIZATION)?.strip_prefix(BEARER)?;
    Some(SentKey::Program(token.to_owned()))
}

/// Returns the first halves of keys from the cookies of a request.
pub(super) fn first_halves(headers: &HeaderMap) -> Vec<FirstHalf> {
    let name = base_name(headers);
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let own =
        pairs.filter(|(sent, _)| ["__Host-", "__Secure-", ""].iter().any(|prefix| sent.strip_prefix(prefix) == Some(&name)));
    own.filter_map(|(_, value)| value.split_once('.'))
        .map(|(id, half)| FirstHalf { id: id.to_owned(), half: half.to_owned() })
        .collect()
}

/// Returns the header that stores the first half of `key`. `base_path` ends with a slash.
pub(super) fn stored(headers: &HeaderMap, base_path: &str, key: &SessionKey) -> Option<HeaderValue> {
    cookie(headers, base_path, &format!("{}.{}", key.id, key.first), AGE)
}

/// Returns the header that removes the first half of the key.
pub(super) fn removed(headers: &HeaderMap, base_path: &str) -> Option<HeaderValue> {
    cookie(headers, base_path, "", 0)
}

fn cookie(headers: &HeaderMap, base_path: &str, value: &str, age: u64) -> Option<HeaderValue> {
    let name = base_name(headers);
    let has_tls = only(headers, &header::ORIGIN).is_some_and(|origin| origin.starts_with("https://"));
    let (prefix, secure) = match (has_tls, base_path) {
        (false, _) => ("", ""),
        (true, "/") => ("__Host-", "; Secure"),
        (true, _) => ("__Secure-", "; Secure"),
    };
    let text = format!("{prefix}{name}={value}; Path={base_path}; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::try_from(text).ok()
}

/// Returns the name of the cookie without its prefix.
fn base_name(headers: &HeaderMap) -> String {
    let port = only(headers, &header::HOST).and_then(|host| host.rsplit_once(':')).map(|(_, port)| port);
    match port.filter(|port| port.bytes().all(|letter| letter.is_ascii_digit())) {
        Some(port) => format!("ashore-{port}"),
        None => "ashore".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    fn key() -> SessionKey {
        SessionKey { id: "07".to_owned(), first: "aa".to_owned(), second: "bb".to_owned() }
    }

    #[test]
    fn cookie_always_has_attribute_samesite_strict_but_attribute_secure_only_under_tls() {
        let plain = headers(&[(header::HOST, "nas:6800"), (header::ORIGIN, "http://nas:6800")]);
        let text = |headers: &HeaderMap, path: &str| stored(headers, path, &key()).unwrap().to_str().unwrap().to_owned();
        assert_eq!(text(&plain, "/"), "ashore-6800=07.aa; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict");
        let tls = headers(&[(header::HOST, "nas.example"), (header::ORIGIN, "https://nas.example")]);
        assert!(text(&tls, "/").starts_with("__Host-ashore=07.aa; Path=/;") && text(&tls, "/").ends_with("; Secure"));
        assert!(text(&tls, "/a/").starts_with("__Secure-ashore=07.aa; Path=/a/;"));
        assert!(removed(&plain, "/").unwrap().to_str().unwrap().starts_with("ashore-6800=; Path=/; Max-Age=0;"));
    }

    #[test]
    fn cookies_for_this_port_are_read_whether_they_have_a_prefix_or_not() {
        let cookies = "a=b; ashore-6800=07.aa; ashore-6801=08.bb; __Host-ashore-6800=09.cc;x; ashore-6800=broken";
        let sent = headers(&[(header::HOST, "[::1]:6800"), (header::COOKIE, cookies)]);
        let ids: Vec<_> = first_halves(&sent).into_iter().map(|half| (half.id, half.half)).collect();
        let pair = |id: &str, half: &str| (id.to_owned(), half.to_owned());
        assert_eq!(ids, [pair("07", "aa"), pair("09", "cc")]);
        assert!(first_halves(&headers(&[(header::HOST, "nas"), (header::COOKIE, cookies)])).is_empty());
    }

    #[test]
    fn device_key_is_read_from_its_header_and_program_key_from_bearer_token() {
        let host = (header::HOST, "nas:1");
        let device = headers(&[host.clone(), (KEY, "bb"), (header::COOKIE, "ashore-1=07.aa")]);
        let first = vec![FirstHalf { id: "07".to_owned(), half: "aa".to_owned() }];
        assert!(sent_key(&device) == Some(SentKey::Device { first, second: "bb".to_owned() }));
        let program = headers(&[host.clone(), (header::AUTHORIZATION, "Bearer tt")]);
        assert!(sent_key(&program) == Some(SentKey::Program("tt".to_owned())));
        assert!(sent_key(&headers(&[host.clone(), (header::COOKIE, "ashore-1=07.aa")])).is_none());
        assert!(sent_key(&headers(&[host, (header::AUTHORIZATION, "Basic tt")])).is_none());
    }
}
