//! Where a file came from, kept with the file for programs that care: the extended attribute `user.xdg.origin.url` of
//! freedesktop.org's Common Extended Attributes.

use std::{os::fd::AsFd, path::Path};

use rustix::fs::XattrFlags;
use url::Url;

const NAME: &str = "user.xdg.origin.url";

/// Marks `file` as one that came from `url`. A courtesy: a file system that keeps no such thing keeps the file all the same.
pub(crate) fn mark(file: impl AsFd, url: &Url) {
    let _ = rustix::fs::fsetxattr(file, NAME, origin(url).as_bytes(), XattrFlags::empty());
}

/// Whether `file` is marked as one that came from `url`, as far as a mark can say that.
pub(crate) fn says(file: impl AsFd, url: &Url) -> bool {
    let expected = origin(url);
    // One byte more would not fit.
    let mut found = vec![0; expected.len()];
    rustix::fs::fgetxattr(file, NAME, &mut found[..]).is_ok_and(|length| found[..length] == *expected.as_bytes())
}

/// Whether the file at `path` has a mark of any address. Links are not followed.
pub(crate) fn is_on(path: &Path) -> bool {
    let mut any = [0; 0];
    // With no room for it, its length is told.
    rustix::fs::lgetxattr(path, NAME, &mut any[..]).is_ok()
}

/// The address without all that may carry a secret, as a file is copied to where its link is not known. [pure]
fn origin(url: &Url) -> String {
    // Parsed, it has no second @ and no ? or # elsewhere.
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    format!("{}://{host}{}", url.scheme(), url.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_where_from_and_tells_no_secret() {
        for (link, says) in [
            ("https://example.org/a/b.iso", "https://example.org/a/b.iso"),
            ("https://kim:secret@example.org:8443/a.iso?token=secret#secret", "https://example.org:8443/a.iso"),
            ("http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"),
            ("http://b\u{fc}cher.example/\u{e4} b", "http://xn--bcher-kva.example/%C3%A4%20b"),
        ] {
            assert_eq!(origin(&Url::parse(link).unwrap()), says);
        }
    }
}
