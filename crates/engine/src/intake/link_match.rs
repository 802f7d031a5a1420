//! Decides which unfinished download a click in the browser continues. [pure]
//!
//! Called when a browser hands over a file. A wrong match does not mix two files, because the transfer compares bytes
//! before it resumes. But one file would replace the other. Therefore a click without clear evidence becomes a separate
//! download.
//!
//! - A page can start a download without a click, and choose its name and size. So for a page of another host, only an
//!   equal address counts as evidence.
//! - Files of one server often have the same size, such as disk images. So an equal size counts only together with an
//!   equal name.

use url::Url;

use crate::model::{UniqueId, UserMessage};

/// Facts about the file behind a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedFile {
    /// Address of the file, followed by the address of its link before redirects.
    pub addresses: Vec<Url>,
    /// Page with the link, if known.
    pub page: Option<Url>,
    /// Names of the file, as browser and server gave them.
    pub names: Vec<String>,
    /// Size in bytes, if known.
    pub size: Option<u64>,
}

/// Unfinished download with a single file.
#[derive(Clone, Debug)]
pub(crate) struct LinkCandidate {
    pub unique_id: UniqueId,
    pub file: LinkedFile,
    /// Reason of the failure, if the download has failed.
    pub failure: Option<UserMessage>,
    /// Whether the user asked for a new link from the browser.
    pub is_awaited: bool,
}

/// Evidence that two links lead to the same file: the facts that both have in common. The weakest evidence is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    NameAndSize,
    Address,
}

/// Returns the download that the file `clicked` continues. If several downloads match equally well, returns the first.
///
/// For a download that waits for a link, any evidence is enough. Any other download must have failed because its link
/// or sign-in has expired, and only a click on the same address continues it.
pub(crate) fn continued<'a>(candidates: &'a [LinkCandidate], clicked: &LinkedFile) -> Option<&'a LinkCandidate> {
    let rank = |candidate: &LinkCandidate| {
        let evidence = evidence(&candidate.file, clicked)?;
        let has_expired = candidate.failure.as_ref().is_some_and(needs_new_link);
        let is_enough = candidate.is_awaited || (has_expired && evidence == Evidence::Address);
        is_enough.then_some((candidate.is_awaited, evidence))
    };
    let ranked = candidates.iter().rev().filter_map(|candidate| Some((rank(candidate)?, candidate)));
    ranked.max_by_key(|(rank, _)| *rank).map(|(_, candidate)| candidate)
}

/// Whether the pages of both links are known and have the same host.
pub(crate) fn have_same_page_host(one: &LinkedFile, other: &LinkedFile) -> bool {
    let host = |file: &LinkedFile| file.page.as_ref().and_then(Url::host_str).map(str::to_owned);
    host(one).is_some() && host(one) == host(other)
}

/// Whether a failure means that the link or the sign-in of a download has expired.
fn needs_new_link(failure: &UserMessage) -> bool {
    let is_refused = matches!(failure.variant.as_deref(), Some("sign-in" | "forbidden"));
    failure.code == "link-expired" || (failure.code == "bad-status" && is_refused)
}

fn evidence(kept: &LinkedFile, clicked: &LinkedFile) -> Option<Evidence> {
    if kept.size.zip(clicked.size).is_some_and(|(kept, clicked)| kept != clicked) {
        return None;
    }
    let are_sized = kept.size.is_some() && clicked.size.is_some();
    let are_named = !kept.names.is_empty() && !clicked.names.is_empty();
    let have_same_name = kept.names.iter().any(|one| clicked.names.iter().any(|other| is_same_name(one, other)));
    if are_named && !have_same_name {
        return None;
    }
    let is_address_of_file = kept.addresses.first().is_some_and(|address| clicked.addresses.first() == Some(address));
    // One address, such as `/download.php` after a form, can redirect to many files.
    let is_address_of_link = kept.addresses.iter().any(|address| clicked.addresses.contains(address));
    if is_address_of_file || (is_address_of_link && (have_same_name || are_sized)) {
        return Some(Evidence::Address);
    }
    (have_same_name && are_sized && have_same_page_host(kept, clicked)).then_some(Evidence::NameAndSize)
}

/// Whether two names are equal, apart from the number that a browser adds if a file with this name already exists.
fn is_same_name(one: &str, other: &str) -> bool {
    one == other || without_copy_number(one).as_deref() == Some(other) || without_copy_number(other).as_deref() == Some(one)
}

/// Returns `a.iso` for `a (1).iso` and `a(1).iso`; `None` for a name without such a number.
fn without_copy_number(name: &str) -> Option<String> {
    let (stem, ending) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    let (stem, number) = stem.strip_suffix(')')?.rsplit_once('(')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("{}{ending}", stem.strip_suffix(' ').unwrap_or(stem)))
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;
    use uuid::Uuid;

    use super::*;

    /// Returns a file whose link is on `page.test`.
    fn file(address: &str, name: &str, size: Option<u64>) -> LinkedFile {
        let addresses = address.split(' ').map(|address| address.parse().unwrap()).collect();
        let names = Some(name).filter(|name| !name.is_empty()).map(str::to_owned).into_iter().collect();
        LinkedFile { addresses, page: Some("https://page.test/files".parse().unwrap()), names, size }
    }

    fn candidate(number: u128, file: LinkedFile) -> LinkCandidate {
        LinkCandidate { unique_id: UniqueId(Uuid::from_u128(number)), file, failure: None, is_awaited: true }
    }

    #[test]
    fn click_continues_awaited_download_if_address_matches_or_name_and_size_match() {
        let kept = file("https://a.test/f?s=1 https://page.test/get", "f.iso", Some(7));
        let cases = [
            (file("https://a.test/f?s=1", "f.iso", Some(7)), true, "same address"),
            (file("https://a.test/f?s=1", "f.iso", None), true, "same address, unknown size"),
            (file("https://a.test/f?s=1", "", None), true, "same address, unknown name and size"),
            (file("https://a.test/f?s=1", "f.iso", Some(8)), false, "same address, other size"),
            (file("https://a.test/f?s=1", "g.iso", Some(7)), false, "same address, other name"),
            (file("https://b.test/x https://page.test/get", "f.iso", None), true, "same address before redirects"),
            (file("https://b.test/x https://page.test/get", "", Some(7)), true, "same address before redirects, and size"),
            (file("https://b.test/x https://page.test/get", "g.iso", None), false, "same address before redirects, other name"),
            (file("https://b.test/x https://page.test/get", "g.iso", Some(7)), false, "as before, and same size"),
            (file("https://b.test/x https://page.test/get", "", None), false, "only the same address before redirects"),
            (file("https://b.test/x", "f.iso", Some(7)), true, "same name and size"),
            (file("https://b.test/x", "f.iso", None), false, "same name, unknown size"),
            (file("https://b.test/x", "f.iso", Some(8)), false, "same name, other size"),
            (file("https://a.test/f?s=2", "", Some(7)), false, "same path and size, unknown name"),
            (file("https://a.test/x", "g.iso", Some(7)), false, "same host and size"),
            (file("https://b.test/x", "g.iso", Some(7)), false, "only the same size"),
        ];
        for (clicked, is_continued, case) in cases {
            assert_eq!(continued(&[candidate(1, kept.clone())], &clicked).is_some(), is_continued, "{case}");
        }
    }

    #[test]
    fn click_on_page_of_other_host_continues_only_download_with_same_address() {
        let kept = candidate(1, file("https://a.test/f", "f.iso", Some(7)));
        let pages = [
            (Some("https://page.test/other"), true),
            (Some("https://evil.test/files"), false),
            (Some("https://page.test.evil.test/files"), false),
            (None, false),
        ];
        for (page, is_continued) in pages {
            let page = page.map(|page| page.parse().unwrap());
            let ask = |address| {
                let clicked = LinkedFile { page: page.clone(), ..file(address, "f.iso", Some(7)) };
                continued(std::slice::from_ref(&kept), &clicked).is_some()
            };
            assert_eq!(ask("https://b.test/x"), is_continued, "{page:?}");
            assert!(ask("https://a.test/f"), "{page:?}");
        }
    }

    #[test]
    fn download_of_unknown_size_is_continued_only_by_link_with_same_address() {
        let kept = file("https://a.test/f", "f.iso", None);
        for (clicked, is_continued) in [
            (file("https://a.test/f", "f.iso", Some(7)), true),
            (file("https://a.test/g", "f.iso", Some(7)), false),
            (file("https://a.test/g", "f.iso", None), false),
        ] {
            assert_eq!(continued(&[candidate(1, kept.clone())], &clicked).is_some(), is_continued, "{clicked:?}");
        }
    }

    #[test]
    fn click_on_file_with_different_name_continues_no_download() {
        for (kept, clicked, is_continued) in [
            ("a.part1.rar", "a.part2.rar", false),
            ("a.part1.rar", "a.part1.rar", true),
            ("disk-A.img", "disk-B.img", false),
            ("disk.iso", "disk (1).iso", true),
            ("disk(1).iso", "disk.iso", true),
            ("disk (1).iso", "disk (2).iso", false),
            ("disk.iso", "disk ().iso", false),
            ("9", "10", false),
        ] {
            let kept = candidate(1, file("https://a.test/1", kept, Some(7)));
            let clicked = file("https://a.test/2", clicked, Some(7));
            assert_eq!(continued(&[kept], &clicked).is_some(), is_continued, "{clicked:?}");
        }
    }

    #[test]
    fn refused_download_that_awaits_no_link_is_continued_only_by_a_click_on_its_address() {
        let failures = [
            (None, false),
            (Some(message!("bad-status.sign-in")), true),
            (Some(message!("bad-status.forbidden")), true),
            (Some(message!("link-expired")), true),
            (Some(message!("bad-status.gone")), false),
            (Some(message!("disk-full")), false),
        ];
        for (failure, is_continued) in failures {
            let kept = LinkCandidate { failure, is_awaited: false, ..candidate(1, file("https://a.test/f", "f.iso", Some(7))) };
            let ask = |address| continued(std::slice::from_ref(&kept), &file(address, "f.iso", Some(7))).is_some();
            assert_eq!(ask("https://a.test/f"), is_continued, "{kept:?}");
            assert!(!ask("https://a.test/f?s=2"), "{kept:?}");
        }
    }

    #[test]
    fn click_continues_an_awaited_download_first_and_prefers_equal_address_to_equal_name() {
        let clicked = file("https://a.test/f", "f.iso", Some(7));
        let by_name = candidate(1, file("https://b.test/x", "f.iso", Some(7)));
        let by_address = candidate(2, file("https://a.test/f", "f.iso", None));
        let refused = LinkCandidate {
            failure: Some(message!("link-expired")),
            is_awaited: false,
            ..candidate(3, file("https://a.test/f", "f.iso", Some(7)))
        };
        let later = candidate(4, by_name.file.clone());
        let pick = |candidates: &[&LinkCandidate]| {
            let candidates: Vec<_> = candidates.iter().map(|&one| one.clone()).collect();
            continued(&candidates, &clicked).map(|candidate| candidate.unique_id.0.as_u128())
        };
        assert_eq!(pick(&[&by_name, &by_address, &refused]), Some(2));
        assert_eq!(pick(&[&refused, &by_name]), Some(1));
        assert_eq!(pick(&[&later, &by_name]), Some(4), "the first of equals");
        assert_eq!(pick(&[&refused]), Some(3));
        assert_eq!(pick(&[]), None);
    }
}
