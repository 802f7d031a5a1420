//! Removes the user name and password from a link. [pure]
//!
//! This happens before the link is persisted. The removed sign-in is stored like any other. Called by
//! `link_credentials` for new requests, by `parse` for pasted text, and by the command line.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::model::SignIn;

/// Returns a link without user name and password. Returns other text unchanged.
pub fn link_without_sign_in(link: &str) -> String {
    split(link).map_or_else(|| link.to_owned(), |(bare, _)| bare)
}

/// Returns the link without its sign-in, followed by the sign-in; `None` if the link has no sign-in.
pub(crate) fn split(link: &str) -> Option<(String, SignIn)> {
    let mut url = Url::parse(link.trim()).ok().filter(has_sign_in)?;
    let sign_in = said_in(&url);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some((url.into(), sign_in))
}

/// Same as [`split`], for a text that becomes a link when the placeholder `hole` is replaced.
///
/// The rest of the text keeps its spelling.
pub(crate) fn split_with_hole(link: &str, hole: &str) -> Option<(String, SignIn)> {
    let filled = |text: &str| Url::parse(&text.replacen(hole, "1", 1)).ok();
    let sign_in = said_in(&filled(link).filter(has_sign_in)?);
    let bare = without_sign_in(link);
    // Leave a text unchanged if the result is not a link without sign-in. Such a text is refused later.
    filled(&bare).filter(|url| !has_sign_in(url)).map(|_| (bare, sign_in))
}

fn has_sign_in(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && (!url.username().is_empty() || url.password().is_some())
}

/// Returns the sign-in of a link, percent-decoded (RFC 3986, section 2.1).
///
/// RFC 7617 cannot express an empty user name, or one with a colon or with bytes that are not UTF-8. Such a name is
/// sent as it is, as curl does.
fn said_in(url: &Url) -> SignIn {
    let bytes = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
    let (user, password) = (bytes(url.username()), bytes(url.password().unwrap_or_default()));
    match (str::from_utf8(&user), str::from_utf8(&password)) {
        (Ok(user), Ok(password)) if !user.is_empty() && !user.contains(':') => {
            SignIn::Basic { user: user.to_owned(), password: password.to_owned() }
        }
        _ => SignIn::Other { value: format!("Basic {}", STANDARD.encode([user, vec![b':'], password].concat())) },
    }
}

/// Returns the address without user and password.
///
/// Edits the text without parsing it, because the address may contain a placeholder for a number.
pub(crate) fn without_sign_in(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{rest}"),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basic(user: &str, password: &str) -> SignIn {
        SignIn::Basic { user: user.to_owned(), password: password.to_owned() }
    }

    #[test]
    fn link_credentials_are_decoded_and_removed() {
        for (link, bare, sign_in) in [
            ("http://kim:s3cret@a.test/x?y", "http://a.test/x?y", basic("kim", "s3cret")),
            (" https://kim%40x.org:p%40ss%3Aw@a.test ", "https://a.test/", basic("kim@x.org", "p@ss:w")),
            ("https://ghp12345:@a.test/", "https://a.test/", basic("ghp12345", "")),
            ("https://ghp12345@a.test/", "https://a.test/", basic("ghp12345", "")),
            ("http://kim:pa@ss@[::1]:8080/x", "http://[::1]:8080/x", basic("kim", "pa@ss")),
            ("http:kim:s3cret@a.test/x", "http://a.test/x", basic("kim", "s3cret")),
            ("http://k%C3%BC:%E2%82%AC@a.test/", "http://a.test/", basic("k\u{fc}", "\u{20ac}")),
        ] {
            assert_eq!(split(link), Some((bare.to_owned(), sign_in)), "{link}");
        }
        for none in ["http://a.test/kim:x@b", "http://@a.test/", "ftp://kim:x@a.test/", "kim:x@a.test", ""] {
            assert_eq!((split(none), link_without_sign_in(none)), (None, none.to_owned()));
        }
    }

    #[test]
    fn link_credentials_with_colon_or_non_utf8_keep_their_bytes() {
        for (link, bytes) in [
            ("http://:s3cret@a.test/", &b":s3cret"[..]),
            ("http://a%3Ab:c@a.test/", b"a:b:c"),
            ("http://j%FCrg:x@a.test/", b"j\xfcrg:x"),
        ] {
            let value = format!("Basic {}", STANDARD.encode(bytes));
            assert_eq!(split(link), Some(("http://a.test/".to_owned(), SignIn::Other { value })), "{link}");
        }
    }

    #[test]
    fn placeholder_stays_when_credentials_are_removed_from_link() {
        let found = split_with_hole("http://kim:x@a.test/p-{}.jpg", "{}");
        assert_eq!(found, Some(("http://a.test/p-{}.jpg".to_owned(), basic("kim", "x"))));
        assert_eq!(split_with_hole("http://a.test/p-{}.jpg", "{}"), None);
    }
}
