//! Defines a property for each parser of untrusted bytes from servers, files and users.
//!
//! A property is a function that panics if its rule is violated. Tests and fuzzers run the properties. A release build
//! does not contain them.

use std::time::{Duration, UNIX_EPOCH};

use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{LOCATION, RETRY_AFTER},
};
use url::Url;

use crate::{
    Netrc, ProxyRules,
    filename::assert_is_safe,
    http::{
        content_range::{ContentRange, RangeAnswer},
        digest_headers, redirect, response_head,
        resume_validation::{self, ResumeVerdict},
    },
    integrity::{checksum_file, metalink},
    is_bad_port,
    model::validators::Validators,
    parse_cookie_file,
    partial::journal,
    plan::byte_ranges::ByteRanges,
};

/// Password that must not appear in any output.
const CANARY: &str = "c4n4ry-0f-p4ssw0rds";

/// Function that panics if these bytes violate its property.
pub type FuzzProperty = fn(&[u8]);

/// All properties by name.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[
    ("names", names),
    ("content-disposition", content_disposition),
    ("ranges", ranges),
    ("content-range", content_range),
    ("retry-after", retry_after),
    ("redirect", redirect),
    ("journal", journal::holds),
    ("checksum-file", checksum_file),
    ("metalink", metalink_file),
    ("promised", promises),
    ("cookie-file", cookie_file),
    ("netrc", netrc),
    ("proxies", proxies),
];

/// Asserts that every chosen name is safe, regardless of its source.
fn names(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    assert_is_safe(&crate::filename::name::choose(Some(&text), None, &somewhere(), None));
    assert_is_safe(&crate::filename::name::choose(
        None,
        Some(format!("attachment; filename=\"{text}\"").as_bytes()),
        &somewhere(),
        None,
    ));
    if let Ok(url) = somewhere().join(&text) {
        assert_is_safe(&crate::filename::name::choose(None, None, &url, Some("text/html")));
    }
}

fn content_disposition(data: &[u8]) {
    assert_is_safe(&crate::filename::name::choose(None, Some(data), &somewhere(), Some("video/mp4")));
}

/// Compares [`ByteRanges`] with an array of flags.
///
/// Each step takes three bytes of input: operation, start and length.
fn ranges(data: &[u8]) {
    const SIZE: usize = 256;
    let (mut held, mut flags) = (ByteRanges::default(), [false; SIZE]);
    for step in data.as_chunks::<3>().0 {
        let [what, from, length] = step.map(usize::from);
        let to = (from + length).min(SIZE);
        let range = from as u64..to as u64;
        if what % 3 > 0 {
            held.insert(range.clone())
        } else {
            held.remove(range.clone())
        }
        flags[from..to].fill(what % 3 > 0);
        let count = |part: &[bool]| part.iter().filter(|flag| **flag).count() as u64;
        assert_eq!(held.count(), count(&flags));
        assert_eq!(held.count_in(&range), count(&flags[from..to]));
        assert_eq!(held.contains(&range), flags[from..to].iter().all(|flag| *flag));
        assert_eq!(held.prefix(), flags.iter().take_while(|flag| **flag).count() as u64);
        assert_eq!(held.before(from as u64), flags[..from].iter().rev().take_while(|flag| **flag).count() as u64);
        assert_eq!(held.end(), flags.iter().rposition(|flag| *flag).map_or(0, |last| last as u64 + 1));
        assert_eq!(held.below(from as u64).count(), count(&flags[..from]));
        let missing: u64 = held.missing(SIZE as u64).iter().map(|gap| gap.end - gap.start).sum();
        assert_eq!(missing, count(&flags.map(|flag| !flag)));
    }
    let pairs = Vec::from(held.clone());
    assert!(pairs.is_sorted_by(|(_, end), (start, _)| end < start), "{pairs:?}");
    assert_eq!(ByteRanges::try_from(pairs), Ok(held));
}

/// Asserts that bytes are joined only at the requested position and inside the file.
fn content_range(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let parsed = crate::http::content_range::parse(&text);
    if let Some(ContentRange::Part { first, last, complete }) = parsed {
        assert!(first <= last && complete.is_none_or(|complete| last < complete), "{parsed:?}");
    }
    let content_range = Some(text.into_owned());
    for (total, from) in [(None, 0), (Some(1000), 10), (Some(u64::MAX), 0)] {
        for status in [200, 206, 416] {
            let validators = Validators::default();
            let answer = RangeAnswer { status, content_range: content_range.clone(), validators, ..RangeAnswer::default() };
            match resume_validation::judge(&Validators::default(), total, from, from, &answer) {
                ResumeVerdict::Join { last, complete } => {
                    assert_ne!(status, 416);
                    assert_eq!(parsed, Some(ContentRange::Part { first: from, last, complete }));
                    assert!(total.is_none_or(|total| last < total), "{last} of {total:?}");
                }
                ResumeVerdict::Complete => {
                    assert_eq!((status, parsed), (416, Some(ContentRange::Unsatisfied { complete: from })));
                }
                _ => {}
            }
        }
    }
}

fn retry_after(data: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(data) else { return };
    let headers = HeaderMap::from_iter([(RETRY_AFTER, value)]);
    for now in [0, 1_800_000_000, 4_000_000_000] {
        let wait = response_head::retry_after(&headers, UNIX_EPOCH + Duration::from_secs(now));
        assert!(wait.is_none_or(|wait| wait <= response_head::LONGEST_RETRY_AFTER), "{wait:?}");
    }
}

fn redirect(data: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(data) else { return };
    let headers = HeaderMap::from_iter([(LOCATION, value)]);
    for (from, may_go_down) in [("http://a.test/b/c?d", false), ("https://a.test/", false), ("https://a.test/", true)] {
        let Ok(from) = Url::parse(from) else { continue };
        let Ok(Some((next, _))) = redirect::redirect(StatusCode::FOUND, &headers, &from, may_go_down) else { continue };
        assert!(matches!(next.scheme(), "http" | "https"), "{next}");
        assert!(next.scheme() == "https" || from.scheme() == "http" || may_go_down, "{next} is not secure");
        assert!(next.username().is_empty() && next.password().is_none(), "{next} signs in");
        assert!(next.has_host() && !next.port().is_some_and(is_bad_port), "{next}");
    }
}

fn checksum_file(data: &[u8]) {
    if let Ok(name) = std::str::from_utf8(data)
        && let Some(about) = checksum_file::kind(name).and_then(|kind| kind.about)
    {
        assert!(!about.is_empty() && name.starts_with(&about), "{about:?} of {name:?}");
    }
    for line in checksum_file::read(data) {
        assert_eq!(line.digest.bytes.len(), line.digest.algorithm.length());
        assert!(line.name.is_none_or(|name| !name.is_empty()));
    }
}

fn metalink_file(data: &[u8]) {
    let Ok(read) = metalink::read(data) else { return };
    assert!((1..=metalink::MOST_FILES).contains(&read.files.len()));
    for file in read.files {
        assert_is_safe(&file.name);
        assert!((1..=metalink::MOST_ADDRESSES).contains(&file.addresses.len()));
        assert!(file.addresses.iter().all(|url| matches!(url.scheme(), "http" | "https")), "{:?}", file.addresses);
    }
}

/// Checks the parser for the digests in a response head.
///
/// Each line of the input is a header field.
fn promises(data: &[u8]) {
    let fields = data.split(|byte| *byte == b'\n').filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        Some((name, HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?))
    });
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        headers.append(name, value);
    }
    let found = digest_headers::promised(&headers, &somewhere());
    let algorithms: Vec<_> = found.digests.iter().map(|digest| digest.algorithm).collect();
    assert!(algorithms.iter().enumerate().all(|(at, one)| !algorithms[..at].contains(one)), "{algorithms:?}");
    assert!(found.mirrors.is_empty() || !found.digests.is_empty(), "mirrors that nothing would show to be wrong");
    let mut addresses = found.mirrors.iter().chain(&found.described_by);
    assert!(addresses.all(|url| matches!(url.scheme(), "http" | "https")));
}

fn cookie_file(data: &[u8]) {
    let Ok(cookies) = parse_cookie_file(&String::from_utf8_lossy(data)) else { return };
    for cookie in cookies {
        let again = parse_cookie_file(&cookie.line());
        assert_eq!(again.as_deref(), Ok(std::slice::from_ref(&cookie)), "{:?}", cookie.line());
    }
}

/// Asserts that the debug output of a netrc file contains no password.
fn netrc(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let netrc = Netrc::parse(&text);
    for url in ["http://a.test/", "https://[::1]:8443/"] {
        let _ = url.parse().map(|url| netrc.find(&url, Some("ann")).or_else(|| netrc.find(&url, None)));
    }
    // Skip input that contains the canary itself: it may be part of a server name, which the output shows in lower
    // case.
    if text.to_lowercase().contains(CANARY) {
        return;
    }
    let told = Netrc::parse(&format!("{text}\nmachine last.test login me password {CANARY}"));
    assert!(!format!("{told:?}").contains(CANARY));
}

/// Asserts that local addresses bypass the proxy by default.
///
/// The first line of the input is the proxy. The other lines are its exceptions.
fn proxies(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (proxy, exceptions) = text.split_once('\n').unwrap_or((&text, ""));
    for cover_loopback in [false, true] {
        let Ok(proxies) = ProxyRules::new(proxy, exceptions, cover_loopback, |_| None) else { continue };
        for address in ["http://127.0.0.1:8080/", "https://[::1]/", "http://localhost/"] {
            let Ok(url) = Url::parse(address) else { continue };
            assert!(proxies.proxy_for(&url).is_none() || cover_loopback, "{address} by {:?}", proxies.proxy_for(&url));
        }
        let _ = proxies.proxy_for(&somewhere());
    }
}

fn somewhere() -> Url {
    static SOMEWHERE: std::sync::LazyLock<Option<Url>> = std::sync::LazyLock::new(|| Url::parse("http://a.test/folder/").ok());
    SOMEWHERE.clone().unwrap_or_else(|| unreachable!("an address of our own"))
}
