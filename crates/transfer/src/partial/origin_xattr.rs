//! Marks a file with its origin, for other programs.
//!
//! The extended attribute is `user.xdg.origin.url` of freedesktop.org's Common Extended Attributes.

use std::{os::fd::AsFd, path::Path};

use rustix::fs::XattrFlags;
use url::Url;

const NAME: &str = "user.xdg.origin.url";

/// Marks `file` with its origin `url`.
///
/// Ignores errors, because the mark is optional: on a file system without marks, the download must not fail.
pub(crate) fn mark(file: impl AsFd, url: &Url) {
    let _ = rustix::fs::fsetxattr(file, NAME, origin(url).as_bytes(), XattrFlags::empty());
}

/// Marks `to` with the origin of `from`. Ignores errors, as [`mark`] does.
pub(crate) fn copy(from: impl AsFd, to: impl AsFd) {
    // The mark is an address, and servers and browsers limit addresses to fewer bytes.
    let mut value = vec![0; 8 << 10];
    if let Ok(length) = rustix::fs::fgetxattr(from, NAME, &mut value[..]) {
        let _ = rustix::fs::fsetxattr(to, NAME, &value[..length], XattrFlags::empty());
    }
}

/// Whether `file` is marked with the origin `url`.
pub(crate) fn says(file: impl AsFd, url: &Url) -> bool {
    let expected = origin(url);
    // A value that is too long for this buffer is longer than `url`, and therefore different.
    let mut found = vec![0; expected.len()];
    rustix::fs::fgetxattr(file, NAME, &mut found[..]).is_ok_and(|length| found[..length] == *expected.as_bytes())
}

/// Whether the file at `path` has an origin mark with any URL.
///
/// Does not follow symbolic links.
pub(crate) fn is_on(path: &Path) -> bool {
    let mut any = [0; 0];
    // With an empty buffer, the call returns the length of the value.
    rustix::fs::lgetxattr(path, NAME, &mut any[..]).is_ok()
}

/// Returns the URL without the parts that may contain a secret. [pure]
///
/// A copy of the file keeps the mark, and other people may read it.
fn origin(url: &Url) -> String {
    // A parsed URL has no second `@`, and no other `?` or `#`.
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    format!("{}://{host}{}", url.scheme(), url.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_that_is_recorded_as_the_origin_of_a_file_contains_no_secrets() {
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
