//! Decides which unfinished download a click in the browser continues. [pure]
//!
//! Called when a browser hands over a file. A wrong match does not mix two files, because the transfer compares bytes before
//! it resumes. It would replace one file by the other, however, so every doubt makes the click a download of its own.

use url::Url;

use crate::model::{UniqueId, UserMessage};

/// Facts about the file behind a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedFile {
    /// Address of the file, and of its link before redirects.
    pub addresses: Vec<Url>,
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

/// Equal facts as evidence that two links lead to the same file, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    HostAndSize,
    NameAndSize,
    Address,
}

/// Returns the download that the file `clicked` continues. Of equally good ones, returns the first.
///
/// A download that waits for a link needs any evidence. Any other download must have failed because its link or sign-in has
/// expired, and then only a click on the same address continues it.
pub(crate) fn continued(candidates: &[LinkCandidate], clicked: &LinkedFile) -> Option<UniqueId> {
    let rank = |candidate: &LinkCandidate| {
        let evidence = evidence(&candidate.file, clicked)?;
        let has_expired = candidate.failure.as_ref().is_some_and(needs_new_link);
        let is_enough = candidate.is_awaited || (has_expired && evidence == Evidence::Address);
        is_enough.then_some((candidate.is_awaited, evidence))
    };
    let ranked = candidates.iter().rev().filter_map(|candidate| Some((rank(candidate)?, candidate.unique_id)));
    ranked.max_by_key(|(rank, _)| *rank).map(|(_, unique_id)| unique_id)
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
    if kept.addresses.iter().any(|address| clicked.addresses.contains(address)) {
        return Some(Evidence::Address);
    }
    if kept.size.is_none() || clicked.size.is_none() {
        return None;
    }
    if kept.names.iter().any(|name| clicked.names.contains(name)) {
        return Some(Evidence::NameAndSize);
    }
    let is_series = kept.names.iter().any(|one| clicked.names.iter().any(|other| differ_in_number(one, other)));
    let host =
        |file: &LinkedFile| file.addresses.first().map(|url| (url.host_str().map(str::to_owned), url.port_or_known_default()));
    (!is_series && host(kept).is_some() && host(kept) == host(clicked)).then_some(Evidence::HostAndSize)
}

/// Whether two different names differ only in their numbers. Parts of an archive have such names, and often the same size.
fn differ_in_number(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    one != other && letters(one) == letters(other)
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;
    use uuid::Uuid;

    use super::*;

    fn file(address: &str, name: &str, size: Option<u64>) -> LinkedFile {
        let addresses = address.split(' ').map(|address| address.parse().unwrap()).collect();
        LinkedFile { addresses, names: vec![name.to_owned()], size }
    }

    fn candidate(number: u128, file: LinkedFile) -> LinkCandidate {
        LinkCandidate { unique_id: UniqueId(Uuid::from_u128(number)), file, failure: None, is_awaited: true }
    }

    #[test]
    fn awaited_download_is_continued_by_same_name_or_host_with_same_size() {
        let kept = file("https://a.test/f?s=1 https://page.test/get", "f.iso", Some(7));
        let cases = [
            (file("https://a.test/f?s=1", "f.iso", Some(7)), true, "same address"),
            (file("https://a.test/f?s=1", "f.iso", None), true, "same address, unknown size"),
            (file("https://b.test/x https://page.test/get", "g.iso", None), true, "same address before redirects"),
            (file("https://a.test/f?s=1", "f.iso", Some(8)), false, "same address, other size"),
            (file("https://b.test/x", "f.iso", Some(7)), true, "same name and size"),
            (file("https://b.test/x", "f.iso", None), false, "same name, unknown size"),
            (file("https://b.test/x", "f.iso", Some(8)), false, "same name, other size"),
            (file("https://a.test/x", "g.iso", Some(7)), true, "same host and size"),
            (file("https://a.test:8443/x", "g.iso", Some(7)), false, "other port"),
            (file("https://a.test/x", "g.iso", Some(8)), false, "same host, other size"),
            (file("https://b.test/x", "g.iso", Some(7)), false, "only the same size"),
        ];
        for (clicked, is_continued, case) in cases {
            assert_eq!(continued(&[candidate(1, kept.clone())], &clicked).is_some(), is_continued, "{case}");
        }
    }

    #[test]
    fn unknown_size_of_download_allows_only_same_address() {
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
    fn other_part_of_series_continues_nothing() {
        for (kept, clicked, is_continued) in [
            ("a.part1.rar", "a.part2.rar", false),
            ("a.part1.rar", "a.part1.rar", true),
            ("disk.iso", "disk (1).iso", true),
            ("9", "10", false),
        ] {
            let kept = candidate(1, file("https://a.test/1", kept, Some(7)));
            let clicked = file("https://a.test/2", clicked, Some(7));
            assert_eq!(continued(&[kept], &clicked).is_some(), is_continued, "{clicked:?}");
        }
    }

    #[test]
    fn download_that_is_not_awaited_is_continued_after_refusal_by_same_address_only() {
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
    fn awaited_download_precedes_and_stronger_evidence_precedes() {
        let clicked = file("https://a.test/f", "f.iso", Some(7));
        let by_host = candidate(1, file("https://a.test/x", "g.iso", Some(7)));
        let by_name = candidate(2, file("https://b.test/x", "f.iso", Some(7)));
        let refused = LinkCandidate {
            failure: Some(message!("link-expired")),
            is_awaited: false,
            ..candidate(3, file("https://a.test/f", "f.iso", Some(7)))
        };
        let later = candidate(4, by_name.file.clone());
        let pick = |candidates: &[&LinkCandidate]| {
            let candidates: Vec<_> = candidates.iter().map(|&one| one.clone()).collect();
            continued(&candidates, &clicked).map(|id| id.0.as_u128())
        };
        assert_eq!(pick(&[&by_host, &by_name, &refused]), Some(2));
        assert_eq!(pick(&[&refused, &by_host]), Some(1));
        assert_eq!(pick(&[&later, &by_name]), Some(4), "the first of equals");
        assert_eq!(pick(&[&refused]), Some(3));
        assert_eq!(pick(&[]), None);
    }
}
