//! Creates the requests that follow the end of another request.
//!
//! These requests are the next page of a numbered series, the next request of a list, or the parts of a manifest. A
//! chain ends at a request without `next`. A chain cannot loop: a series counts up, a list gets shorter, and parts of a
//! manifest have no `next`.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use ashore_messages::{MessageArgument, UserMessage, message};
use url::Url;

use crate::{
    intake::{
        url_error::link_fault,
        validate::{HOLE, accept_request},
    },
    model::{FollowUpRule, FollowUpSeries, NewRequest, accepted::AcceptedRequest},
};

/// Maximum number of parts in one manifest.
const MOST_PARTS: usize = 10_000;
/// Maximum size of a manifest in bytes.
const LARGEST: u64 = 4 << 20;

/// Request that leads to further requests.
#[derive(Clone, Debug)]
pub(crate) struct FollowUpChain {
    pub next: FollowUpRule,
    /// Address of the request.
    pub url: Url,
    pub headers: Vec<(String, String)>,
    /// Whether the chain continues after a failure of this request.
    pub is_optional: bool,
}

/// Outcome of a request: success or failure.
#[derive(Clone, Debug)]
pub(crate) enum FollowUpEnd {
    /// The request succeeded.
    Completed {
        /// Path of the file of the request, if any.
        path: Option<PathBuf>,
        /// Final address after all redirects, if known.
        from: Option<Url>,
    },
    /// The request failed permanently.
    Failed,
}

/// Returns the requests that follow the end of the request of `chain`.
///
/// If the file of the request is a manifest, reads it from the disk. Fails if the manifest is not valid.
pub(crate) fn after(chain: &FollowUpChain, end: &FollowUpEnd) -> Result<Vec<AcceptedRequest>, UserMessage> {
    let new = match (&chain.next, end) {
        (_, FollowUpEnd::Failed) if !chain.is_optional => Vec::new(),
        (FollowUpRule::Series(series), _) => page(chain, series).into_iter().collect(),
        (FollowUpRule::List(requests), _) => listed(requests),
        (FollowUpRule::Parts { optional }, FollowUpEnd::Completed { path: Some(path), from }) => {
            parts(chain, path, from.as_ref().unwrap_or(&chain.url), *optional)?
        }
        (FollowUpRule::Parts { .. }, _) => Vec::new(),
    };
    let mut accepted = Vec::with_capacity(new.len());
    for request in new {
        match accept_request(request) {
            Ok(request) => accepted.push(request),
            Err(error) => return Err(message!("bad-manifest.part", why = error.message())),
        }
    }
    Ok(accepted)
}

/// Returns the request for the next page; `None` after the last page.
fn page(chain: &FollowUpChain, series: &FollowUpSeries) -> Option<NewRequest> {
    let number = Some(series.number).filter(|number| *number <= series.until)?;
    let digits = series.digits(number);
    let url = series.url.replacen(HOLE, &digits, 1);
    let rest = FollowUpSeries { number: number + 1, ..series.clone() };
    Some(NewRequest {
        headers: headers(chain, &url),
        url,
        name: series.name.as_ref().map(|name| name.replacen(HOLE, &digits, 1)),
        skip_existing: series.skip_existing,
        optional: chain.is_optional,
        next: (number < series.until).then_some(FollowUpRule::Series(rest)),
        ..NewRequest::default()
    })
}

fn listed(requests: &[NewRequest]) -> Vec<NewRequest> {
    let Some((first, rest)) = requests.split_first() else { return Vec::new() };
    let next = (!rest.is_empty()).then(|| FollowUpRule::List(rest.to_vec()));
    vec![NewRequest { next, ..first.clone() }]
}

/// Returns the requests for the links in a manifest, which has one link per line. Resolves relative links against
/// `base`.
///
/// Skips lines that begin with #, as in a playlist (RFC 8216, section 4.1). Fetches a repeated link once.
fn parts(chain: &FollowUpChain, path: &Path, base: &Url, optional: bool) -> Result<Vec<NewRequest>, UserMessage> {
    let text = read(path).map_err(bad_manifest)?;
    let mut found: Vec<NewRequest> = Vec::new();
    let mut seen = std::collections::HashSet::from([chain.url.clone(), base.clone()]);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let url = base.join(line).map_err(|error| bad_manifest(message!("fault-manifest.link", why = link_fault(error))))?;
        if !seen.insert(url.clone()) {
            continue;
        }
        if found.len() == MOST_PARTS {
            return Err(bad_manifest(message!("fault-manifest.many", most = MOST_PARTS)));
        }
        found.push(NewRequest { headers: headers(chain, url.as_str()), url: url.into(), optional, ..NewRequest::default() });
    }
    if found.is_empty() { Err(bad_manifest(message!("fault-manifest.empty"))) } else { Ok(found) }
}

fn read(path: &Path) -> Result<String, MessageArgument> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => message!("fault-manifest.no-text").into(),
        _ => MessageArgument::from(&error),
    })?;
    if text.len() as u64 > LARGEST { Err(message!("fault-manifest.large").into()) } else { Ok(text) }
}

fn bad_manifest(why: impl Into<MessageArgument>) -> UserMessage {
    message!("bad-manifest", why = why.into())
}

/// Returns the headers of the chain for a request to `url`.
///
/// Returns no headers if the origin of `url` differs from the origin of the chain's request.
fn headers(chain: &FollowUpChain, url: &str) -> Vec<(String, String)> {
    let is_same = Url::parse(url).is_ok_and(|url| url.origin() == chain.url.origin());
    if is_same { chain.headers.clone() } else { Vec::new() }
}

impl FollowUpSeries {
    /// Returns the number as text, padded with zeros as in the addresses of the series.
    pub(crate) fn digits(&self, number: u64) -> String {
        format!("{number:0width$}", width = usize::from(self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::validate::MOST_LISTED;
    use crate::intake::validate::accept_next;

    fn series(number: u64, until: u64) -> FollowUpSeries {
        let url = "https://example.org/page-{}.jpg".to_owned();
        FollowUpSeries { url, number, until, width: 3, name: Some("{}.jpg".to_owned()), skip_existing: false }
    }

    fn chain(next: FollowUpRule) -> FollowUpChain {
        let (url, headers) = ("https://example.org/book/list".parse().unwrap(), vec![("X-Key".to_owned(), "1".to_owned())]);
        FollowUpChain { next, url, headers, is_optional: false }
    }

    fn urls(requests: &[AcceptedRequest]) -> Vec<&str> {
        requests.iter().map(|request| request.url.as_str()).collect()
    }

    fn done() -> FollowUpEnd {
        FollowUpEnd::Completed { path: None, from: None }
    }

    #[test]
    fn page_series_increments_number_until_last_page() {
        let next = after(&chain(FollowUpRule::Series(series(9, 10))), &done()).unwrap();
        assert_eq!(urls(&next), ["https://example.org/page-009.jpg"]);
        assert_eq!((next[0].name.as_deref(), next[0].headers.len()), (Some("009.jpg"), 1));
        let last = after(&chain(next[0].next.as_deref().unwrap().clone()), &done()).unwrap();
        assert_eq!((urls(&last), last[0].next.is_none()), (vec!["https://example.org/page-010.jpg"], true));
    }

    #[test]
    fn skip_existing_option_applies_to_each_page_of_series() {
        let wanted = FollowUpSeries { skip_existing: true, name: None, ..series(2, 3) };
        let next = after(&chain(FollowUpRule::Series(wanted)), &done()).unwrap();
        assert!(next[0].expectation.as_deref().unwrap().skip_existing);
        let last = after(&chain(next[0].next.as_deref().unwrap().clone()), &done()).unwrap();
        assert!(last[0].expectation.as_deref().unwrap().skip_existing && last[0].next.is_none());
    }

    #[test]
    fn follow_up_list_yields_its_requests_one_after_another() {
        let request = |url: &str| NewRequest { url: url.to_owned(), ..NewRequest::default() };
        let list = FollowUpRule::List(vec![request("http://a.test/1"), request("http://a.test/2")]);
        let next = after(&chain(list), &done()).unwrap();
        assert_eq!(urls(&next), ["http://a.test/1"]);
        let last = after(&chain(next[0].next.as_deref().unwrap().clone()), &done()).unwrap();
        assert_eq!((urls(&last), last[0].next.is_none()), (vec!["http://a.test/2"], true));
    }

    #[test]
    fn follow_up_chain_ends_at_failed_request_unless_request_is_optional() {
        let strict = chain(FollowUpRule::Series(series(1, 2)));
        assert!(after(&strict, &FollowUpEnd::Failed).unwrap().is_empty());
        let next = after(&FollowUpChain { is_optional: true, ..strict }, &FollowUpEnd::Failed).unwrap();
        assert!(next[0].optional);
    }

    #[test]
    fn playlist_yields_each_of_its_parts_once_but_not_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, "#EXTM3U\n\n1.ts\n/2.ts\nlist\nhttps://other.test/3.ts\n1.ts\n").unwrap();
        let end = FollowUpEnd::Completed { path: Some(path.clone()), from: None };
        let manifest = chain(FollowUpRule::Parts { optional: true });
        let next = after(&manifest, &end).unwrap();
        assert_eq!(urls(&next), ["https://example.org/book/1.ts", "https://example.org/2.ts", "https://other.test/3.ts"]);
        assert_eq!(next.iter().map(|part| part.headers.len()).collect::<Vec<_>>(), [1, 1, 0], "headers stay at home");
        assert!(next.iter().all(|part| part.optional && part.next.is_none()));
        let from = Some("https://cdn.test/deep/list".parse().unwrap());
        let next = after(&manifest, &FollowUpEnd::Completed { path: Some(path.clone()), from }).unwrap();
        assert_eq!(urls(&next)[0], "https://cdn.test/deep/1.ts");

        let long: String = (0..=MOST_PARTS).map(|number| format!("{number}\n")).collect();
        let refused = |end: &FollowUpEnd| {
            let message = after(&manifest, end).unwrap_err();
            assert_eq!(message.code, "bad-manifest");
            match message.args.get("why") {
                Some(MessageArgument::Message(why)) => why.id(),
                _ => String::new(),
            }
        };
        for (text, why) in [
            ("", "message-fault-manifest.empty"),
            ("# nothing\n", "message-fault-manifest.empty"),
            ("ftp://example.org/a\n", "message-bad-scheme"),
            ("http://[\n", "message-fault-manifest.link"),
            (&long, "message-fault-manifest.many"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(refused(&end), why);
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(refused(&end), "message-fault-manifest.no-text");
        let missing = FollowUpEnd::Completed { path: Some("/nowhere".into()), from: None };
        assert_eq!(refused(&missing), "message-io.not-found");
    }

    #[test]
    fn invalid_follow_up_requests_are_refused() {
        let one = |series| FollowUpRule::Series(series);
        let request = NewRequest { url: "http://a.test/".to_owned(), ..NewRequest::default() };
        for next in [
            one(FollowUpSeries { url: "https://example.org/page.jpg".to_owned(), ..series(1, 2) }),
            one(FollowUpSeries { url: "https://example.org/{}/{}".to_owned(), ..series(1, 2) }),
            one(FollowUpSeries { url: "ftp://example.org/{}".to_owned(), ..series(1, 2) }),
            one(FollowUpSeries { name: Some("page".to_owned()), ..series(1, 2) }),
            one(series(2, 1)),
            one(series(1, 1_000_000)),
            one(series(0, u64::MAX)),
            one(FollowUpSeries { width: 200, ..series(1, 2) }),
            FollowUpRule::List(Vec::new()),
            FollowUpRule::List(vec![request.clone(); MOST_LISTED + 1]),
            FollowUpRule::List(vec![NewRequest { next: Some(FollowUpRule::Parts { optional: false }), ..request.clone() }]),
            FollowUpRule::List(vec![NewRequest { url: "nonsense".to_owned(), ..request.clone() }]),
        ] {
            assert!(accept_next(&next).is_err(), "{next:?}");
        }
        for next in [one(series(1, 100_000)), FollowUpRule::List(vec![request]), FollowUpRule::Parts { optional: true }] {
            accept_next(&next).unwrap();
        }
    }
}
