//! Builds the `Referer` of a request from the page on which the link was found. [pure]
//!
//! The policy is `strict-origin-when-cross-origin` (Referrer Policy, section 3.7), the default of browsers:
//!
//! - Requests to the same origin get the whole URL.
//! - Requests to another origin get only the origin.
//! - Requests from https to http get nothing.

use http::HeaderValue;
use url::Url;

/// Returns the `Referer` for a request to `url`.
///
/// Returns `None` if the policy forbids a `Referer`, or if `referrer` is not a web address.
pub(crate) fn referrer_for(referrer: &str, url: &Url) -> Option<HeaderValue> {
    let mut from = Url::parse(referrer).ok()?;
    if !matches!(from.scheme(), "http" | "https") || (from.scheme() == "https" && url.scheme() == "http") {
        return None;
    }
    // Remove the private parts: the fragment and the credentials. Removing credentials from an http URL never fails.
    from.set_fragment(None);
    from.set_username("").ok()?;
    from.set_password(None).ok()?;
    let said = match from.origin() == url.origin() {
        true => from.to_string(),
        false => format!("{}/", from.origin().ascii_serialization()),
    };
    HeaderValue::from_str(&said).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referrer_follows_the_policy_strict_origin_when_cross_origin() {
        for (from, to, expected) in [
            ("https://a.test/page?q=1#part", "https://a.test/file", Some("https://a.test/page?q=1")),
            ("https://u:p@a.test/page", "https://a.test/file", Some("https://a.test/page")),
            ("https://a.test/page", "https://b.test/file", Some("https://a.test/")),
            ("https://a.test/page", "https://a.test:8443/file", Some("https://a.test/")),
            ("http://a.test/page", "https://a.test/file", Some("http://a.test/")),
            ("http://a.test:8080/page", "http://b.test/file", Some("http://a.test:8080/")),
            ("https://a.test/page", "http://a.test/file", None),
            ("about:blank", "http://a.test/file", None),
            ("not an address", "http://a.test/file", None),
            ("", "http://a.test/file", None),
        ] {
            let said = referrer_for(from, &Url::parse(to).unwrap());
            assert_eq!(said.as_ref().map(|said| said.to_str().unwrap()), expected, "{from} to {to}");
        }
    }
}
