//! Selects the headers that may be exported from this machine. [pure]
//!
//! Only headers that are known to be harmless are exported, because any other header may be a secret.

use url::Url;

use crate::intake::userinfo::without_sign_in;

/// Header fields that describe a request or response and never identify the user.
const HARMLESS: &[&str] = &[
    "accept",
    "accept-charset",
    "accept-language",
    "cache-control",
    "content-language",
    "content-type",
    "dnt",
    "origin",
    "pragma",
    "priority",
    "referer",
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-ch-ua-platform",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
    "sec-fetch-user",
    "sec-gpc",
    "upgrade-insecure-requests",
    "user-agent",
    // The following are fields of responses.
    "accept-ranges",
    "age",
    "content-digest",
    "content-disposition",
    "content-encoding",
    "content-length",
    "content-range",
    "date",
    "digest",
    "etag",
    "expires",
    "last-modified",
    "repr-digest",
    "retry-after",
    "server",
    "transfer-encoding",
    "vary",
];

/// Whether the value of this header field is never a secret. Only such fields may be exported. [pure]
pub fn may_export_header(name: &str) -> bool {
    HARMLESS.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns the fields that may be exported, and the names of the fields that may not.
pub(crate) fn leaves(headers: Vec<(String, String)>) -> (Vec<(String, String)>, Vec<String>) {
    let (harmless, others): (Vec<_>, Vec<_>) = headers.into_iter().partition(|(name, _)| may_export_header(name));
    let harmless = harmless.into_iter().map(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "referer" | "origin" => (name, without_sign_in(&value)),
        _ => (name, value),
    });
    (harmless.collect(), others.into_iter().map(|(name, _)| name).collect())
}

/// Reduces each `Referer` to its origin. Removes a `Referer` that is not the address of a web page.
pub(crate) fn without_pages(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    let reduced = |(name, value): (String, String)| match name.eq_ignore_ascii_case("referer") {
        true => {
            let page = Url::parse(&value).ok().filter(|page| matches!(page.scheme(), "http" | "https"))?;
            Some((name, format!("{}/", page.origin().ascii_serialization())))
        }
        false => Some((name, value)),
    };
    headers.into_iter().filter_map(reduced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_list_omits_headers_that_may_identify_user() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let all = vec![
            header("Accept", "*/*"),
            header("COOKIE", "a=b"),
            header("Authorization", "Bearer x"),
            header("X-Api-Key", "x"),
            header("Set-Cookie", "a=b"),
            header("Location", "https://me:secret@a.test/"),
            header("Referer", "https://me:secret@a.test/page"),
        ];
        let (left, stays) = leaves(all);
        assert_eq!(left, [header("Accept", "*/*"), header("Referer", "https://a.test/page")]);
        assert_eq!(stays, ["COOKIE", "Authorization", "X-Api-Key", "Set-Cookie", "Location"]);
    }

    #[test]
    fn referrer_is_reduced_to_origin_of_page() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let headers = vec![
            header("Accept", "https://a.test/b"),
            header("referer", "https://me:secret@a.test:8443/list?of=1#x"),
            header("Referer", "file:///etc/passwd"),
            header("Referer", "no address"),
        ];
        let reduced = [header("Accept", "https://a.test/b"), header("referer", "https://a.test:8443/")];
        assert_eq!(without_pages(headers), reduced);
        assert_eq!(without_pages(reduced.to_vec()), reduced);
    }

    #[test]
    fn exported_address_loses_only_user_name_and_password() {
        for (url, bare) in [
            ("https://me:secret@a.test/b?c@d", "https://a.test/b?c@d"),
            ("https://me@secret@a.test", "https://a.test"),
            ("https://a.test/me:x@b", "https://a.test/me:x@b"),
            ("https://a.test/{}", "https://a.test/{}"),
            ("https://me:x@a.test?q", "https://a.test?q"),
            ("nonsense@", "nonsense@"),
        ] {
            assert_eq!(without_sign_in(url), bare);
        }
    }
}
