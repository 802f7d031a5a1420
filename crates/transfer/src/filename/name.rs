//! Chooses a file name that is safe on every system. [pure]
//!
//! - Servers choose file names. Even with a hostile name, the file stays in its folder and shows its true type. Its
//!   name never looks like an option, a device or a partial file of this program.
//! - `content_disposition` parses the header, and `encoded_words` decodes names that violate the grammar. `sanitize`
//!   removes unsafe parts, and `extension` maps extensions to kinds of content.
//! - This module sets the order of the sources and builds the names of partial files.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

use crate::filename::{
    charset, content_disposition, extension,
    partial_name::JOURNAL_ENDING,
    sanitize::{cut, safe, split},
};

/// Returns the safe name for a response. The first usable source wins:
///
/// - the name that the caller `wanted`
/// - the raw header `disposition`
/// - the last segment of the `url` that sent the response
/// - the word `download` with an extension for `content_type`
pub(crate) fn choose(wanted: Option<&str>, disposition: Option<&[u8]>, url: &Url, content_type: Option<&str>) -> String {
    wanted.and_then(safe).or_else(|| stated(disposition?)).or_else(|| safe(last_component(&in_url(url)?))).unwrap_or_else(|| {
        match content_type.and_then(extension::of_type) {
            Some(extension) => format!("download.{extension}"),
            None => "download".to_owned(),
        }
    })
}

/// Returns the safe name from a `Content-Disposition`.
pub(crate) fn stated(disposition: &[u8]) -> Option<String> {
    safe(last_component(&content_disposition::filename(disposition)?))
}

/// Returns the last segment of a URL's path, decoded.
///
/// The text is UTF-8, or the legacy encoding of an old server.
pub(crate) fn in_url(url: &Url) -> Option<String> {
    let segment = url.path_segments()?.next_back()?;
    let bytes: Cow<'_, [u8]> = percent_decode_str(segment).into();
    Some(charset::decoded(&bytes).into_owned())
}

/// Inserts a number before the extension of a name that is already in use: `name (1).ext`.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    let (stem, extension) = split(name);
    let number = format!(" ({number})");
    let stem = cut(stem, 255 - number.len() - extension.len());
    format!("{stem}{number}{extension}")
}

/// Maximum length in bytes of a name that every file system accepts.
///
/// The lowest limit is 143, from eCryptfs, which encrypts names.
pub(crate) const SHORT: usize = 143;

/// Returns the same name as [`numbered`], shortened to at most [`SHORT`] bytes.
pub(crate) fn numbered_short(name: &str, number: u32) -> String {
    let (stem, extension) = split(name);
    let number = if number == 0 { String::new() } else { format!(" ({number})") };
    let stem = cut(stem, SHORT.saturating_sub(number.len() + extension.len())).trim_end_matches(['.', ' ']);
    format!("{stem}{number}{extension}")
}

/// Returns the name of the partial file for `name`.
///
/// The name contains `tag`, which identifies the transfer even without a record. The name leaves room for the suffix of
/// the journal.
pub(crate) fn partial(name: &str, tag: &str) -> String {
    partial_within(name, tag, 255)
}

/// Returns the same name as [`partial`], shortened to at most [`SHORT`] bytes.
pub(crate) fn partial_short(name: &str, tag: &str) -> String {
    partial_within(name, tag, SHORT)
}

fn partial_within(name: &str, tag: &str, longest: usize) -> String {
    let ending = format!(".{tag}.part");
    let stem = cut(name, longest - ending.len() - JOURNAL_ENDING.len());
    format!("{stem}{ending}")
}

fn last_component(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::filename::partial_name::tag_of_partial;

    fn named(disposition: &str) -> String {
        let url = Url::parse("http://a.test/from-url.bin").unwrap();
        choose(None, Some(disposition.as_bytes()), &url, None)
    }

    fn of_url(url: &str) -> String {
        choose(None, None, &Url::parse(url).unwrap(), Some("text/html; charset=utf-8"))
    }

    #[test]
    fn file_without_disposition_is_named_by_last_url_segment() {
        assert_eq!(of_url("http://a.test/d/a%20b.iso?x=/y.z#w"), "a b.iso");
        assert_eq!(of_url("http://a.test/d/"), "download.html");
        assert_eq!(of_url("http://a.test/%2e%2e%2fevil"), "evil");
        assert_eq!(of_url("http://a.test/%00"), "download.html");
        for (encoded, name) in [
            ("%C8%ED%BC%FE.zip", "软件.zip"),
            ("%8E%91%97%BF.zip", "資料.zip"),
            ("Ger%E4t.zip", "Gerät.zip"),
            ("%C0%DA%B7%E1.zip", "자료.zip"),
            ("%E8%BD%AF%E4%BB%B6.zip", "软件.zip"),
            ("a+b.zip", "a+b.zip"),
            ("a%2Fb.zip", "b.zip"),
            ("100%25.zip", "100%.zip"),
        ] {
            assert_eq!(of_url(&format!("http://a.test/{encoded}")), name, "{encoded}");
        }
        let url = Url::parse("http://a.test/").unwrap();
        assert_eq!(choose(Some("mine.bin"), Some(b"attachment; filename=x"), &url, None), "mine.bin");
    }

    #[test]
    fn unsafe_names_are_made_safe() {
        for (evil, harmless) in [
            ("../../evil", "evil"),
            ("..\\..\\evil", "evil"),
            (".bashrc", "bashrc"),
            ("-rf", "rf"),
            ("a\u{202e}gpj.exe", "agpj.exe"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1.tar.gz", "_com1.tar.gz"),
            ("lpt³", "_lpt³"),
            ("trailing. . ", "trailing"),
            ("a\tb\nc", "abc"),
            ("a<b>:c|d?*e", "a_b__c_d__e"),
            ("cafe\u{301}", "café"),
            ("x.0123abcd.part", "x.0123abcd.part_"),
            ("x.0123abcd.part.ashore", "x.0123abcd.part.ashore_"),
        ] {
            assert_eq!(named(&format!("attachment; filename*=UTF-8''{}", percent(evil))), harmless, "{evil:?}");
        }
    }

    pub(crate) fn percent(text: &str) -> String {
        text.bytes().map(|byte| format!("%{byte:02x}")).collect()
    }

    #[test]
    fn numbered_names_and_names_of_partial_files_fit_length_limit() {
        let long = "ä".repeat(300);
        for extension in [".iso", ".tar.gz", ""] {
            let name = safe(&format!("{long}{extension}")).unwrap();
            let second = numbered(&name, 12);
            assert!(second.len() <= 255 && second.ends_with(&format!(" (12){extension}")), "{second}");
            let partial = partial(&name, "0123abcd");
            assert!(partial.len() + JOURNAL_ENDING.len() <= 255 && tag_of_partial(&partial) == Some("0123abcd"));
        }
        assert_eq!(numbered("a.tar.gz", 1), "a (1).tar.gz");
        assert_eq!(numbered("a", 2), "a (2)");
    }

    #[test]
    fn only_names_with_tag_are_recognised_as_partial_files() {
        assert_eq!(tag_of_partial("a.bin.0123abcd.part"), Some("0123abcd"));
        let others = ["a.part", "a.bin.part", "a.0123ABCD.part", "a.0123abc.part", "a.0123abcd.part.ashore", "0123abcd.part"];
        for other in others {
            assert_eq!(tag_of_partial(other), None, "{other}");
        }
    }
}
