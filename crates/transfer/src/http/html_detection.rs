//! Detects a web page that arrives instead of a promised file. [pure]
//!
//! Sign-in pages, notices of expired links and landing pages all have status 200. Without detection, they would be
//! stored as the file.
//!
//! - The decision uses only the response head, so that an existing partial file survives.
//! - Type and size must be those of a page, and a file must have been promised: by the requested name, a URL in the
//!   chain, the expected size, or an earlier response from the same address.
//! - A wrong refusal is worse than a missed page. Therefore every sign of a file prevents detection: a name in
//!   `Content-Disposition`, a size that no page has, or a request for a page by name.

use url::Url;

use crate::filename;

/// Maximum size of a page in bytes.
///
/// A larger response counts as a file whose type the server does not know.
const LARGEST_PAGE: u64 = 4 << 20;

/// Response that would begin a file, and the expectations of the caller.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ResponseInfo<'a> {
    /// Name that the caller wants.
    pub wanted: Option<&'a str>,
    /// Size that the caller expects, in bytes.
    pub expected: Option<u64>,
    /// `Content-Type` of the response that began the partial file.
    ///
    /// Empty if this response had no type. `None` if there is no partial file.
    pub began_as: Option<&'a str>,
    /// All requested URLs, including redirects.
    pub chain: &'a [Url],
    /// `Content-Type` of the response.
    pub content_type: Option<&'a str>,
    /// Raw `Content-Disposition` of the response.
    pub disposition: Option<&'a [u8]>,
    /// Length of the body in bytes, if stated.
    pub length: Option<u64>,
}

/// Returns whether the response looks like a web page although a file was promised.
pub(crate) fn is_instead_of_a_file(came: &ResponseInfo) -> bool {
    let is_page = came.content_type.is_some_and(is_page_type) && came.length.is_none_or(|length| length <= LARGEST_PAGE);
    if !is_page || came.length == Some(0) {
        return false;
    }
    match came.disposition.and_then(filename::name::stated).as_deref().and_then(filename::extension) {
        Some(stated) if !filename::is_of_a_page(&stated) => return false,
        _ => {}
    }
    if came.expected.is_some() && came.expected == came.length {
        return false;
    }
    if let Some(wanted) = came.wanted.and_then(filename::extension) {
        return filename::is_of_no_page(&wanted);
    }
    came.began_as.is_some_and(|began| !is_page_type(began))
        || (came.expected.is_some() && came.length.is_some())
        || came.chain.iter().any(promises_a_file)
}

fn is_page_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml"].iter().any(|page| essence.eq_ignore_ascii_case(page))
}

fn promises_a_file(url: &Url) -> bool {
    let extension = filename::name::in_url(url).and_then(|name| filename::extension(&name));
    extension.is_some_and(|extension| filename::is_of_no_page(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: Option<&str> = Some("text/html; charset=utf-8");

    fn is_detected(addresses: &[&str], came: ResponseInfo) -> bool {
        let chain: Vec<Url> = addresses.iter().map(|address| Url::parse(address).unwrap()).collect();
        is_instead_of_a_file(&ResponseInfo { chain: &chain, ..came })
    }

    fn page() -> ResponseInfo<'static> {
        ResponseInfo { content_type: HTML, length: Some(5000), ..ResponseInfo::default() }
    }

    #[test]
    fn html_page_at_file_address_is_detected() {
        for address in ["http://a.test/x.zip", "http://a.test/x.ISO?token=1", "http://a.test/d/r%C3%A9sum%C3%A9.pdf#p2"] {
            assert!(is_detected(&[address], page()), "{address}");
            assert!(is_detected(&[address], ResponseInfo { length: None, ..page() }), "{address}");
            assert!(is_detected(&[address, "http://a.test/login"], page()), "{address}, sent on to sign in");
        }
        assert!(is_detected(&["http://a.test/latest", "http://a.test/x-2.0.tar.gz", "http://a.test/sorry.html"], page()));
        assert!(is_detected(&["http://a.test/x.zip"], ResponseInfo { content_type: Some("Application/XHTML+xml"), ..page() }));
    }

    #[test]
    fn html_page_at_ordinary_address_is_accepted() {
        for address in [
            "http://a.test/",
            "http://a.test/x",
            "http://a.test/x.html",
            "http://a.test/download.php?file=x.zip",
            "http://a.test/wiki/Node.js",
            "http://a.test/wiki/Booking.com",
            "http://a.test/v1.2",
            "http://a.test/README.md",
            "http://a.test/x.zip/",
            "http://a.zip/",
        ] {
            assert!(!is_detected(&[address], page()), "{address}");
        }
    }

    #[test]
    fn response_with_evidence_of_file_is_not_detected_as_page() {
        let zip = &["http://a.test/x.zip"];
        assert!(!is_detected(zip, ResponseInfo { content_type: Some("application/zip"), ..page() }));
        assert!(!is_detected(zip, ResponseInfo { content_type: Some("text/plain"), ..page() }));
        assert!(!is_detected(zip, ResponseInfo { content_type: None, ..page() }));
        assert!(!is_detected(zip, ResponseInfo { length: Some(700 << 20), ..page() }), "mislabelled, and too large for a page");
        assert!(!is_detected(zip, ResponseInfo { length: Some(0), ..page() }), "an empty body is not a page");
        assert!(
            !is_detected(zip, ResponseInfo { disposition: Some(b"attachment; filename=x.zip"), ..page() }),
            "mislabelled, and named"
        );
        assert!(!is_detected(zip, ResponseInfo { expected: Some(5000), ..page() }), "of the very size");
        assert!(!is_detected(zip, ResponseInfo { wanted: Some("page.html"), ..page() }), "the request was for a page");
        assert!(!is_detected(zip, ResponseInfo { wanted: Some("notes.md"), ..page() }));
        assert!(is_detected(zip, ResponseInfo { disposition: Some(b"inline"), ..page() }));
        assert!(is_detected(zip, ResponseInfo { disposition: Some(b"inline; filename=login.html"), ..page() }));
        assert!(is_detected(zip, ResponseInfo { wanted: Some("mine"), ..page() }), "a name without an extension is no evidence");
    }

    #[test]
    fn html_page_is_detected_if_caller_expects_file_or_partial_file_exists() {
        let plain = &["http://a.test/get"];
        assert!(is_detected(plain, ResponseInfo { wanted: Some("a.iso"), ..page() }));
        assert!(is_detected(plain, ResponseInfo { expected: Some(700 << 20), ..page() }));
        assert!(!is_detected(plain, ResponseInfo { expected: Some(700 << 20), length: None, ..page() }), "its length will show");
        assert!(is_detected(plain, ResponseInfo { began_as: Some("application/octet-stream"), ..page() }));
        assert!(is_detected(plain, ResponseInfo { began_as: Some(""), ..page() }));
        assert!(!is_detected(plain, ResponseInfo { began_as: HTML, ..page() }), "it was a page from the start");
    }
}
