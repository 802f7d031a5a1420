//! Parses the digests, mirrors and Metalink link in a response head. [pure]
//!
//! Parsing never fails. Unreadable fields are ignored.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::header::{CONTENT_RANGE, HeaderMap, LINK};
use sfv::{BareItem, Dictionary, ListEntry, Parser};
use url::Url;

use crate::{
    http::{blocked_ports::is_bad_port, response_head},
    model::digest::{DigestAlgorithm, FileDigest},
};

/// Maximum length of a field in bytes. Longer fields are ignored.
const LONGEST_FIELD: usize = 64 << 10;
/// Maximum number of mirrors of one file. Further mirrors are ignored.
const MOST_MIRRORS: usize = 32;
/// Priority of a mirror without a stated priority (RFC 6249, section 3.1). 1 is the highest priority.
const LAST: u32 = 999_999;

/// Header fields that are parsed here.
pub(crate) const FIELDS: [&str; 5] = ["repr-digest", "content-digest", "digest", "content-md5", "link"];

/// Digests, mirrors and Metalink link from a response head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DigestHeaders {
    /// Digests of the whole file, strongest first, at most one per algorithm.
    pub digests: Vec<FileDigest>,
    /// Further URLs of the same file, best first.
    ///
    /// Empty if the head has no digest. Without a digest, a wrong file from a mirror would not be noticed (RFC 6249,
    /// section 6).
    pub mirrors: Vec<Url>,
    /// URL of a Metalink that describes the file (RFC 6249, section 4).
    pub described_by: Option<Url>,
}

/// Parses the head of a complete response (200) from `url`. Relative URLs are resolved against `url`.
pub(crate) fn promised(headers: &HeaderMap, url: &Url) -> DigestHeaders {
    let digests = digests(headers);
    let text = field(headers, LINK.as_str()).unwrap_or_default();
    let links = links(&text);
    let mirrors = if digests.is_empty() { Vec::new() } else { mirrors(&links, url) };
    let described_by = links.iter().find(|link| link.has_rel("describedby") && link.is_metalink());
    DigestHeaders { described_by: described_by.and_then(|link| link.resolve(url)), digests, mirrors }
}

/// Returns all digests of the file in the head.
///
/// Returns none for an encoded response: its digests cover the encoded bytes (RFC 9530, section 2), but the file is
/// stored decoded.
pub(crate) fn digests(headers: &HeaderMap) -> Vec<FileDigest> {
    if response_head::is_encoded(headers) {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(field(headers, "repr-digest").map(|text| dictionary(&text)).unwrap_or_default());
    // These digests cover the content of the message. Only a complete response contains the whole file as its content
    // (RFC 9530, section 3).
    if !headers.contains_key(CONTENT_RANGE) {
        found.extend(field(headers, "content-digest").map(|text| dictionary(&text)).unwrap_or_default());
        let digest = field(headers, "content-md5").and_then(|text| from_base64(DigestAlgorithm::Md5, &text));
        found.extend(digest);
    }
    found.extend(field(headers, "digest").map(|text| instance(&text)).unwrap_or_default());
    let mut kinds: BTreeMap<DigestAlgorithm, Option<FileDigest>> = BTreeMap::new();
    for digest in found {
        // Ignore an algorithm with two different values.
        let kind = kinds.entry(digest.algorithm).or_insert_with(|| Some(digest.clone()));
        if kind.as_ref() != Some(&digest) {
            *kind = None;
        }
    }
    kinds.into_values().flatten().collect()
}

/// Returns a digest in `known` that contradicts `others`.
///
/// Two digests contradict each other if they have the same algorithm, but different values.
pub(crate) fn contradicted<'a>(known: &'a [FileDigest], others: &[FileDigest]) -> Option<&'a FileDigest> {
    let is_other = |known: &FileDigest, other: &FileDigest| known.algorithm == other.algorithm && known != other;
    known.iter().find(|known| others.iter().any(|other| is_other(known, other)))
}

/// Returns the name and value of the header field for `digest` (RFC 9530, section 3).
pub(crate) fn promise(digest: &FileDigest) -> (String, String) {
    let value = format!("{}=:{}:", digest.algorithm, BASE64_STANDARD.encode(&digest.bytes));
    ("repr-digest".to_owned(), value)
}

/// Parses `sha-256=:base64:, sha-512=:base64:`, a structured dictionary (RFC 9530, section 2).
///
/// Ignores the whole dictionary if any of it is not valid.
fn dictionary(text: &str) -> Vec<FileDigest> {
    let Ok(members) = Parser::new(text).parse::<Dictionary>() else { return Vec::new() };
    let digests = members.into_iter().filter_map(|(key, value)| match value {
        ListEntry::Item(item) => match item.bare_item {
            BareItem::ByteSequence(bytes) => FileDigest::new(DigestAlgorithm::named(key.as_str())?, bytes),
            _ => None,
        },
        ListEntry::InnerList(_) => None,
    });
    digests.collect()
}

/// Parses `SHA-256=base64,MD5=base64` (RFC 3230, section 4.3.2).
fn instance(text: &str) -> Vec<FileDigest> {
    let digests = text.split(',').filter_map(|entry| {
        let (name, value) = entry.split_once('=')?;
        from_base64(DigestAlgorithm::named(name)?, value)
    });
    digests.collect()
}

fn from_base64(algorithm: DigestAlgorithm, text: &str) -> Option<FileDigest> {
    FileDigest::new(algorithm, BASE64_STANDARD.decode(text.trim()).ok()?)
}

/// Parsed link with its parameters (RFC 8288, section 3).
///
/// Of several parameters with the same name, only the first counts.
struct Link<'a> {
    target: &'a str,
    parameters: Vec<(String, String)>,
}

impl Link<'_> {
    fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn has_rel(&self, wanted: &str) -> bool {
        // A link with an anchor describes another resource than this response (RFC 8288, section 3.2).
        let rel = self.parameter("rel").filter(|_| self.parameter("anchor").is_none());
        rel.is_some_and(|rel| rel.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(wanted)))
    }

    fn is_metalink(&self) -> bool {
        self.parameter("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/metalink4+xml"))
    }

    fn priority(&self) -> u32 {
        self.parameter("pri").and_then(|text| text.parse().ok()).unwrap_or(LAST)
    }

    /// Returns the target URL of the link.
    ///
    /// Returns `None` if Ashore cannot download from this URL, or if the link leads from https to http.
    fn resolve(&self, base: &Url) -> Option<Url> {
        let mut url = base.join(self.target).ok()?;
        let is_safe = url.scheme() == "https" || (url.scheme() == "http" && base.scheme() == "http");
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if !is_safe || has_credentials || url.port().is_some_and(is_bad_port) {
            return None;
        }
        url.set_fragment(None);
        Some(url)
    }
}

fn mirrors(links: &[Link<'_>], url: &Url) -> Vec<Url> {
    let mut duplicates: Vec<_> = links.iter().filter(|link| link.has_rel("duplicate")).collect();
    duplicates.sort_by_key(|link| link.priority());
    let mut mirrors = Vec::new();
    for found in duplicates.into_iter().filter_map(|link| link.resolve(url)) {
        if mirrors.len() < MOST_MIRRORS && found != *url && !mirrors.contains(&found) {
            mirrors.push(found);
        }
    }
    mirrors
}

/// Parses all links in a field. Skips text between links, up to the next `<`.
fn links(text: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((target, after)) = after.split_once('>') else { break };
        let (parameters, left) = parameters(after);
        links.push(Link { target: target.trim(), parameters });
        rest = left;
    }
    links
}

/// Parses `; name=value; name="value"` up to a comma, and returns the rest of the text.
///
/// Converts names to lower case.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix(';') {
        let end = after.find(['=', ';', ',']).unwrap_or(after.len());
        let name = after[..end].trim().to_ascii_lowercase();
        rest = &after[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = parameter_value(after.trim_start());
        }
        if !name.is_empty() && found.iter().all(|(known, _)| *known != name) {
            found.push((name, value));
        }
        rest = rest.trim_start();
    }
    (found, rest)
}

fn parameter_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

/// Returns all lines of a field, joined into one line.
///
/// Returns `None` if the field is missing or the joined line is too long.
fn field(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    let text = lines.join(", ");
    (!lines.is_empty() && text.len() <= LONGEST_FIELD).then_some(text)
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};
    use proptest::prelude::*;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn read(pairs: &[(&'static str, &str)]) -> DigestHeaders {
        promised(&headers(pairs), &Url::parse("http://example.org/pub/file.iso?x=1").unwrap())
    }

    fn digests_of(pairs: &[(&'static str, &str)]) -> Vec<String> {
        read(pairs).digests.iter().map(ToString::to_string).collect()
    }

    /// RFC 9530, appendix B.1: digest of the representation `{"hello": "world"}` and a line feed.
    const HELLO: &str = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
    const HELLO_HEX: &str = "sha-256=44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38";

    #[test]
    fn digests_are_parsed_in_every_format() {
        assert_eq!(digests_of(&[("repr-digest", HELLO)]), [HELLO_HEX]);
        assert_eq!(digests_of(&[("content-digest", HELLO)]), [HELLO_HEX]);
        let old = "SHA-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=, unixsum=30637";
        assert_eq!(digests_of(&[("digest", old)]), [HELLO_HEX]);
        // Example from RFC 1864, section 2.
        assert_eq!(digests_of(&[("content-md5", "Q2hlY2sgSW50ZWdyaXR5IQ==")]), ["md5=436865636b20496e7465677269747921"]);
        // Example from RFC 3230, section 4.3.2.
        let sha = digests_of(&[("digest", "sha=thvDyvhfIqlvFe+A9MYgxAfm1q5=,md5=HUXZLQLMuI/KZ5KDcJPcOA==")]);
        assert_eq!(sha, ["md5=1d45d92d02ccb88fca6792837093dc38"], "its sha has trailing bits and is refused");
    }

    #[test]
    fn digests_are_unique_and_sorted_by_strength() {
        let md5 = "md5=:Q2hlY2sgSW50ZWdyaXR5IQ==:";
        let both = format!("{md5}, {HELLO}, unknown=:AAAA:, sha-512=12, sha=(1 2)");
        let found = digests_of(&[("repr-digest", &both), ("content-digest", HELLO)]);
        assert_eq!(found, [HELLO_HEX, "md5=436865636b20496e7465677269747921"]);
        assert_eq!(digests_of(&[("repr-digest", md5), ("repr-digest", HELLO)]), found, "in two lines");
    }

    #[test]
    fn invalid_or_contradictory_digests_are_ignored() {
        for text in ["", "sha-256", "sha-256=:AAAA:", "sha-256=RK/0qy18", "sha-256=:RK/0=:, ,", "\u{7f}"] {
            let value = HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("?"));
            assert_eq!(digests_of(&[("repr-digest", value.to_str().unwrap())]), [""; 0], "{text}");
        }
        let other = format!("sha-256=:{}:", BASE64_STANDARD.encode([7; 32]));
        assert_eq!(digests_of(&[("repr-digest", HELLO), ("content-digest", &other)]), [""; 0]);
        assert_eq!(digests_of(&[("digest", &"a,".repeat(LONGEST_FIELD))]), [""; 0]);
    }

    #[test]
    fn digests_of_encoded_or_partial_content_are_ignored() {
        assert_eq!(digests_of(&[("repr-digest", HELLO), ("content-encoding", "gzip")]), [""; 0]);
        let range = ("content-range", "bytes 0-1/2");
        assert_eq!(digests_of(&[("content-digest", HELLO), range]), [""; 0]);
        assert_eq!(digests_of(&[("repr-digest", HELLO), range]), [HELLO_HEX]);
    }

    #[test]
    fn two_digests_contradict_each_other_only_if_algorithm_is_equal_and_value_is_not() {
        let of = |text: &str| FileDigest::new(DigestAlgorithm::Sha256, vec![text.len() as u8; 32]).unwrap();
        let md5 = FileDigest::new(DigestAlgorithm::Md5, vec![9; 16]).unwrap();
        let known = [md5.clone(), of("a")];
        assert_eq!(contradicted(&known, &[]), None);
        assert_eq!(contradicted(&known, &[of("a"), md5]), None);
        assert_eq!(contradicted(&known[..1], &[of("bb")]), None);
        assert_eq!(contradicted(&known, &[of("bb")]), Some(&of("a")));
    }

    #[test]
    fn generated_digest_field_is_parsed_back() {
        let digest = FileDigest::new(DigestAlgorithm::Sha512, (0..64).collect()).unwrap();
        let (name, value) = promise(&digest);
        assert_eq!(digests_of(&[("repr-digest", &value)]), [digest.to_string()]);
        assert_eq!(name, "repr-digest");
    }

    #[test]
    fn mirror_links_are_sorted_but_ignored_if_digest_is_missing() {
        let links = "<http://c.test/f>; rel=duplicate, <http://b.test/f>; rel=\"duplicate\"; pri=2; geo=de, \
                     </g?a,b;c>; pri=1; rel=\"nofollow Duplicate\", <ftp://d.test/f>; rel=duplicate, <http://b.test/f>; rel=duplicate";
        let urls = |found: DigestHeaders| found.mirrors.iter().map(Url::to_string).collect::<Vec<_>>();
        let found = urls(read(&[("link", links), ("repr-digest", HELLO)]));
        assert_eq!(found, ["http://example.org/g?a,b;c", "http://b.test/f", "http://c.test/f"]);
        assert_eq!(urls(read(&[("link", links)])), [""; 0]);
    }

    #[test]
    fn unsafe_or_unrelated_links_are_ignored() {
        for link in [
            "<http://a:b@c.test/>; rel=duplicate",
            "<http://c.test:25/>; rel=duplicate",
            "<http://c.test/>; rel=duplicate; anchor=\"/other\"",
            "<http://example.org/pub/file.iso?x=1#self>; rel=duplicate",
            "<http://c.test/>; rel=stylesheet",
            "<http://c.test/>; rel",
            "<http://c.test/; rel=duplicate",
            "http://c.test/; rel=duplicate",
        ] {
            assert_eq!(read(&[("link", link), ("repr-digest", HELLO)]).mirrors, [], "{link}");
        }
        let secure = Url::parse("https://example.org/f").unwrap();
        let all = headers(&[("link", "<http://c.test/>; rel=duplicate"), ("repr-digest", HELLO)]);
        assert_eq!(promised(&all, &secure).mirrors, [], "from https to http");
    }

    #[test]
    fn metalink_description_is_found() {
        let link = "</a.asc>; rel=describedby; type=\"application/pgp-signature\", \
                    <f.meta4>; rel=describedby; type=\"application/metalink4+xml\"";
        let found = read(&[("link", link)]).described_by;
        assert_eq!(found.unwrap().as_str(), "http://example.org/pub/f.meta4");
    }

    proptest! {
        #[test]
        fn arbitrary_headers_parse_without_panic(
            values in prop::collection::vec((0usize..FIELDS.len(), prop::collection::vec(any::<u8>(), 0..200)), 0..6),
        ) {
            let mut headers = HeaderMap::new();
            for (name, value) in values {
                if let Ok(value) = HeaderValue::from_bytes(&value) {
                    headers.append(HeaderName::from_static(FIELDS[name]), value);
                }
            }
            let found = promised(&headers, &Url::parse("https://example.org/").unwrap());
            prop_assert!(found.mirrors.len() <= MOST_MIRRORS);
        }

        #[test]
        fn text_resembling_links_is_parsed_without_panic(text in "[<>;,=\" a-c\\\\/]{0,80}") {
            let _ = links(&text);
        }

        #[test]
        fn digest_survives_round_trip_in_both_formats(bytes in prop::array::uniform32(any::<u8>())) {
            let text = BASE64_STANDARD.encode(bytes);
            let expected = FileDigest::new(DigestAlgorithm::Sha256, bytes.to_vec()).unwrap();
            prop_assert_eq!(dictionary(&format!("sha-256=:{text}:")), [expected.clone()]);
            prop_assert_eq!(instance(&format!("SHA-256={text}")), [expected]);
        }

        #[test]
        fn link_survives_round_trip_with_its_parameters(target in "[a-z/]{1,20}", value in "[ -~]{0,20}", pri in 1u32..1000) {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            let text = format!("<{target}>;title=\"{escaped}\" ; rel=duplicate;pri={pri}, <x>");
            let found = links(&text);
            prop_assert_eq!(found.len(), 2);
            prop_assert_eq!(found[0].target, target.as_str());
            prop_assert_eq!(found[0].parameter("title"), Some(value.as_str()));
            prop_assert!(found[0].has_rel("duplicate") && found[0].priority() == pri);
        }
    }
}
