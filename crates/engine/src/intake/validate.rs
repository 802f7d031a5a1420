//! Validates new registrations completely before storing anything.

use std::path::{Path, PathBuf};

use ashore_messages::{MessageArgument, UserMessage, message};
use ashore_transfer::{DigestAlgorithm, FileDigest, NotADigest, PieceHashes, is_bad_port};
use url::Url;

use crate::{
    EngineError,
    intake::{fingerprint, icons::accept_icons, url_error::link_fault, userinfo::link_without_sign_in},
    model::{
        FollowUpRule, NewPieces, NewRegistration, NewRequest, QueuePlace, UniqueId,
        accepted::{AcceptedRegistration, AcceptedRequest, FileExpectation},
        values::{http_method::accept_method, retention::RetentionPeriod, shortened::shortened},
    },
    platform::env,
};

/// Maximum length of a `developer_id` in bytes.
const LONGEST_ID: usize = 1 << 20;

/// Maximum length of a description in bytes.
const LONGEST_DESCRIPTION: usize = 64 << 10;

/// Maximum length of the address of a page in bytes.
const LONGEST_PAGE: usize = 64 << 10;

/// Maximum number of mirrors of one file.
const MOST_MIRRORS: usize = 64;
/// Maximum number of pieces of one file: a terabyte in pieces of a megabyte.
const MOST_PIECES: usize = 1 << 20;

/// Header fields that the transfer sets itself, in lower case.
pub const RESERVED_HEADERS: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "if-range",
    "proxy-authorization",
    "range",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Checks the registration `new`, and adds an id and the present day.
///
/// The paths of upload bodies stay those of the caller's files.
///
/// Refuses with `Empty` or `Invalid`; then, for each request in order, with `BadUrl`, `BadScheme`, `Credentials`,
/// `BadPort`, `Invalid` or `UploadSource`; then with `Target`, `QuotaExceeded`, `Icon` or `Invalid`. Writes nothing.
pub(crate) fn accept(
    new: NewRegistration,
    unique_id: UniqueId,
    default_folder: &Path,
    today: i64,
) -> Result<AcceptedRegistration, EngineError> {
    accept_into(new, unique_id, default_folder, today, usable_folder)
}

/// Same as [`accept`]. `look` returns the number of free bytes that Ashore may use in a folder.
pub(crate) fn accept_into(
    new: NewRegistration,
    unique_id: UniqueId,
    default_folder: &Path,
    today: i64,
    look: impl FnOnce(&Path) -> Result<u64, EngineError>,
) -> Result<AcceptedRegistration, EngineError> {
    if new.requests.is_empty() {
        return Err(EngineError::Empty);
    }
    if u32::try_from(new.requests.len()).is_err() {
        return Err(EngineError::Invalid(message!("invalid.files")));
    }
    let has_own_name = new.developer_id.is_some();
    let developer_id = new.developer_id.unwrap_or_else(|| unique_id.to_string());
    if developer_id.is_empty() || developer_id.len() > LONGEST_ID {
        return Err(EngineError::Invalid(message!("invalid.id")));
    }
    crate::model::owner::check_name(&new.owner)?;
    if let Some(parallel) = new.parallel.filter(|parallel| !(1..=64).contains(parallel)) {
        return Err(EngineError::Invalid(message!("invalid.parallel", value = parallel.to_string())));
    }
    let keep_for = new.keep_for_seconds.map(RetentionPeriod::of_seconds).transpose().map_err(EngineError::Invalid)?;
    let requests = new.requests.into_iter().map(accept_request).collect::<Result<Vec<_>, _>>()?;
    let folder = new.folder.unwrap_or_else(|| default_folder.to_owned());
    let free = look(&folder)?;
    if new.download_total > free {
        return Err(EngineError::QuotaExceeded { needed: new.download_total, free, path: folder });
    }
    let icons = accept_icons(new.icon.as_deref(), new.icons)?;
    let description = new.description.as_deref().map(accept_description).transpose()?;
    let delivers = crate::model::owner::delivers(&new.owner, new.deliver);
    let title = new.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    Ok(AcceptedRegistration {
        unique_id,
        owner: new.owner,
        developer_id,
        is_titled: title.is_some(),
        title: title.unwrap_or_else(|| default_title(&requests)),
        description,
        icons,
        source: new.source,
        day: today,
        content: if has_own_name { None } else { fingerprint::content(&folder, &requests) },
        merges_repeats: fingerprint::is_one_download(&requests),
        download_total: new.download_total,
        folder,
        paused: new.paused,
        place: new.place.unwrap_or(QueuePlace::Bottom),
        parallel: new.parallel.unwrap_or_default(),
        connections: new.connections.map_or(0, |connections| connections.max(1)),
        owner_data: new.owner_data.unwrap_or_default(),
        keep_for,
        takes_files: new.takes_files,
        delivers,
        page: new.page.as_deref().and_then(accept_page),
        first_url: new.first_url.as_deref().and_then(accept_page),
        requests,
    })
}

/// Returns the description without surrounding blanks. Refuses with `Invalid` if it is too long.
pub(crate) fn accept_description(text: &str) -> Result<String, EngineError> {
    let text = text.trim();
    match text.len() > LONGEST_DESCRIPTION {
        true => Err(EngineError::Invalid(message!("invalid.description"))),
        false => Ok(text.to_owned()),
    }
}

/// Checks one address, for callers that read many addresses and report each invalid one.
///
/// Accepts a name and password, because they are removed when the link is added. Fails with `BadUrl`, `BadScheme` or
/// `BadPort`.
pub fn check_link(text: &str) -> Result<(), EngineError> {
    accept_url(&link_without_sign_in(text)).map(drop)
}

/// Checks one address. The errors and their order are those of [`accept`].
pub(crate) fn accept_url(text: &str) -> Result<Url, EngineError> {
    let text = text.trim();
    let bad = |why: UserMessage| EngineError::BadUrl { url: shown(text), why: why.into() };
    let mut url = Url::parse(text).map_err(|error| bad(link_fault(error)))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(EngineError::BadScheme(shown(text)));
    }
    let host = url.host_str().ok_or_else(|| bad(message!("fault-link.server")))?.to_owned();
    if !url.username().is_empty() || url.password().is_some() {
        return Err(EngineError::Credentials(host));
    }
    if let Some(port) = url.port()
        && is_bad_port(port)
    {
        return Err(EngineError::BadPort { host, port });
    }
    url.set_fragment(None);
    Ok(url)
}

/// Returns the address of a page without credentials; `None` if it is not a usable `http` or `https` address.
pub(crate) fn accept_page(text: &str) -> Option<String> {
    let text = link_without_sign_in(Some(text).filter(|text| text.len() <= LONGEST_PAGE)?.trim());
    let mut page = accept_url(&text).ok()?;
    // The script of a page may need the fragment to show the right content.
    page.set_fragment(Url::parse(&text).ok()?.fragment());
    Some(page.into())
}

/// Checks one request. The errors and their order are those of [`accept`].
pub(crate) fn accept_request(new: NewRequest) -> Result<AcceptedRequest, EngineError> {
    let url = accept_url(&new.url)?;
    let method = accept_method(new.method.as_deref(), new.upload_file.is_some())?;
    for (name, value) in &new.headers {
        accept_header(name, value)?;
    }
    let (digest, expectation) = accept_expectation(&new, &url)?;
    let body = new.upload_file.map(upload_source).transpose()?;
    if expectation.is_some() && method != "GET" {
        return Err(EngineError::Invalid(message!("invalid.expectation", method = method)));
    }
    if let Some(next) = &new.next {
        accept_next(next)?;
    }
    let headers = new.headers.into_iter().map(without_user).collect();
    let (name, optional, next) = (new.name, new.optional, new.next.map(Box::new));
    Ok(AcceptedRequest { method, url, headers, body, name, digest, expectation, optional, next, guid: new.probe })
}

/// Returns the first expected digest of the file, and all its other expectations.
fn accept_expectation(new: &NewRequest, url: &Url) -> Result<(Option<FileDigest>, Option<Box<FileExpectation>>), EngineError> {
    let mut digests: Vec<FileDigest> = Vec::new();
    for text in new.checksum.iter().chain(&new.checksums) {
        let digest: FileDigest =
            text.parse().map_err(|NotADigest(text)| EngineError::Invalid(message!("invalid.checksum", value = text)))?;
        match digests.iter().find(|known| known.algorithm == digest.algorithm) {
            None => digests.push(digest),
            Some(known) if *known == digest => {}
            Some(_) => {
                let name = MessageArgument::display(digest.algorithm);
                return Err(EngineError::Invalid(message!("invalid.checksums", name = name)));
            }
        }
    }
    if new.mirrors.len() > MOST_MIRRORS {
        return Err(EngineError::Invalid(message!("invalid.mirrors", most = MOST_MIRRORS)));
    }
    let mut mirrors: Vec<Url> = Vec::new();
    for text in &new.mirrors {
        let mirror = accept_url(text)?;
        if mirror != *url && !mirrors.contains(&mirror) {
            mirrors.push(mirror);
        }
    }
    let pieces = new.pieces.as_ref().map(|pieces| accept_pieces(pieces, new.size)).transpose()?;
    let first = (!digests.is_empty()).then(|| digests.remove(0));
    let known = FileExpectation { size: new.size, digests, pieces, mirrors, skip_existing: new.skip_existing };
    Ok((first, (known != FileExpectation::default()).then(|| Box::new(known))))
}

fn accept_pieces(new: &NewPieces, size: Option<u64>) -> Result<PieceHashes, EngineError> {
    let refuse = |why: UserMessage| EngineError::Invalid(message!("invalid.pieces", why = why));
    let algorithm = DigestAlgorithm::named(&new.algorithm).ok_or_else(|| refuse(message!("fault-pieces.kind")))?;
    if new.length == 0 {
        return Err(refuse(message!("fault-pieces.length")));
    }
    if new.digests.is_empty() || new.digests.len() > MOST_PIECES {
        return Err(refuse(message!("fault-pieces.count")));
    }
    if size.is_some_and(|size| size.div_ceil(new.length) != new.digests.len() as u64) {
        return Err(refuse(message!("fault-pieces.size")));
    }
    let digests = new.digests.iter().map(|digits| FileDigest::from_hex(algorithm, digits).map(|digest| digest.bytes));
    let digests = digests.collect::<Option<_>>().ok_or_else(|| refuse(message!("fault-pieces.checksum")))?;
    Ok(PieceHashes { algorithm, length: new.length, digests })
}

fn accept_header(name: &str, value: &str) -> Result<(), EngineError> {
    let is_token =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
    if !is_token {
        return Err(EngineError::Invalid(message!("invalid.header", name = shortened(name))));
    }
    if value.bytes().any(|byte| (byte < 0x20 && byte != b'\t') || byte == 0x7f) {
        return Err(EngineError::Invalid(message!("invalid.header-value", name = name)));
    }
    if RESERVED_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(EngineError::Invalid(message!("invalid.header-own", name = name)));
    }
    Ok(())
}

/// Removes user and password from a `Referer`. They are never sent, so they are not persisted.
fn without_user((name, value): (String, String)) -> (String, String) {
    if !name.eq_ignore_ascii_case("referer") {
        return (name, value);
    }
    let page = Url::parse(&value).ok().and_then(|mut page| {
        page.set_username("").ok()?;
        page.set_password(None).ok()?;
        Some(page.into())
    });
    // Replace a value that is not a URL with an empty value.
    (name, page.unwrap_or_default())
}

fn upload_source(path: PathBuf) -> Result<(PathBuf, u64), EngineError> {
    let refuse = |why: MessageArgument| EngineError::UploadSource { path: path.clone(), why };
    let meta = std::fs::metadata(&path).map_err(|error| refuse((&error).into()))?;
    if !meta.is_file() {
        return Err(refuse(message!("fault-path.not-file").into()));
    }
    std::fs::File::open(&path).map_err(|error| refuse((&error).into()))?;
    Ok((path, meta.len()))
}

/// Returns the free bytes that Ashore may use in `folder`.
///
/// Refuses a folder that is not absolute, does not exist or is not writable. Returns `u64::MAX` if the system does not
/// report the free bytes. The transfer then shows whether the space suffices.
pub(crate) fn usable_folder(folder: &Path) -> Result<u64, EngineError> {
    let refuse = |why: MessageArgument| EngineError::Target { path: folder.to_owned(), why };
    if !folder.is_absolute() {
        return Err(refuse(message!("fault-path.relative").into()));
    }
    let meta = std::fs::metadata(folder).map_err(|error| refuse((&error).into()))?;
    if !meta.is_dir() {
        return Err(refuse(message!("fault-path.not-folder").into()));
    }
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|error| refuse((&std::io::Error::from(error)).into()))?;
    Ok(env::volume(folder).map_or(u64::MAX, |(free, _)| free))
}

fn default_title(requests: &[AcceptedRequest]) -> String {
    let Some(first) = requests.first() else { return String::new() };
    let host = first.url.host_str().unwrap_or_default();
    if requests.len() > 1 {
        return format!("{} files from {host}", requests.len());
    }
    if let Some(name) = &first.name {
        return name.clone();
    }
    let last = first.url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or_default();
    let decoded = percent_encoding::percent_decode_str(last).decode_utf8_lossy();
    let printable: String = decoded.chars().filter(|letter| !letter.is_control()).take(200).collect();
    if printable.is_empty() { host.to_owned() } else { printable }
}

/// Returns the text of an invalid address for display. Leaves out the part before its last `@`, which may contain a
/// password.
fn shown(text: &str) -> String {
    let begin = text.find("://").map_or(0, |at| at + 3);
    match text.rfind('@') {
        Some(at) if at >= begin => shortened(&format!("{}\u{2026}{}", &text[..begin], &text[at..])),
        _ => shortened(text),
    }
}

/// Checks the rule for follow-up requests. Fails with `Invalid`, or with the error of the first wrong follow-up request.
pub(crate) fn accept_next(next: &FollowUpRule) -> Result<(), EngineError> {
    let invalid = |message: UserMessage| Err(EngineError::Invalid(message));
    match next {
        FollowUpRule::Series(series) => {
            if series.url.matches(HOLE).count() != 1 {
                return invalid(message!("invalid.series-address", hole = HOLE));
            }
            if series.name.as_ref().is_some_and(|name| name.matches(HOLE).count() != 1) {
                return invalid(message!("invalid.series-names", hole = HOLE));
            }
            if series.until < series.number || series.until - series.number >= MOST_PAGES || series.width > 20 {
                return invalid(message!("invalid.series-pages", most = MOST_PAGES));
            }
            for number in [series.number, series.until] {
                accept_url(&series.url.replacen(HOLE, &series.digits(number), 1))?;
            }
        }
        FollowUpRule::List(requests) => {
            if requests.is_empty() || requests.len() > MOST_LISTED {
                return invalid(message!("invalid.next-list", most = MOST_LISTED));
            }
            for request in requests {
                if request.next.is_some() || request.upload_file.is_some() {
                    return invalid(message!("invalid.next-download"));
                }
                accept_request(request.clone())?;
            }
        }
        FollowUpRule::Parts { .. } => {}
    }
    Ok(())
}

/// Placeholder for the number in a series.
pub(crate) const HOLE: &str = "{}";

/// Maximum number of requests in one list.
pub(crate) const MOST_LISTED: usize = 1000;

/// Maximum number of pages in one series.
pub(crate) const MOST_PAGES: u64 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn code(url: &str) -> &'static str {
        match accept_url(url) {
            Ok(_) => "ok",
            Err(error) => error.code(),
        }
    }

    #[test]
    fn invalid_address_reports_matching_error_code() {
        for (url, expected) in [
            ("https://example.org/a", "ok"),
            ("  http://example.org:8080/a \n", "ok"),
            ("http://example.org:80/", "ok"),
            ("http://example.org:443/", "ok"),
            ("http://[::1]:9000/a", "ok"),
            ("", "bad-url"),
            ("nonsense", "bad-url"),
            ("http://", "bad-url"),
            ("ftp://example.org/a", "bad-scheme"),
            ("file:///etc/passwd", "bad-scheme"),
            ("data:text/plain,hi", "bad-scheme"),
            ("http://user:pw@example.org/", "credentials"),
            ("http://user@example.org/", "credentials"),
            ("http://:pw@example.org/", "credentials"),
            ("http://example.org:587/", "bad-port"),
            ("http://example.org:10080/", "bad-port"),
        ] {
            assert_eq!(code(url), expected, "{url}");
        }
    }

    #[test]
    fn possible_password_is_not_quoted_in_errors() {
        for url in [
            "ftp://ann:canary@a.test/x",
            "http://ann:can/canary@a.test/",
            "ann:canary@a.test",
            "http://ann:canary@",
            "http://ann:c@canary@[/",
        ] {
            let said = accept_url(url).unwrap_err().to_string();
            assert!(said.contains('@') && !said.contains("canary"), "{said}");
        }
        assert!(accept_url("ftp://a.test/x@y").unwrap_err().to_string().contains("y\""));
    }

    fn known(change: impl FnOnce(&mut NewRequest)) -> Result<AcceptedRequest, EngineError> {
        let mut new = NewRequest { url: "http://example.org/a".to_owned(), ..NewRequest::default() };
        change(&mut new);
        accept_request(new)
    }

    #[test]
    fn expected_file_properties_are_stored_only_if_they_are_given_with_the_request() {
        assert_eq!(known(|_| ()).unwrap().expectation, None);
        let (sha, md5) = (format!("sha-256={}", "a".repeat(64)), format!("md5={}", "b".repeat(32)));
        let one = known(|new| new.checksums = vec![sha.clone(), sha.clone()]).unwrap();
        assert_eq!((one.digest.unwrap().to_string(), one.expectation), (sha.clone(), None));
        let all = known(|new| {
            (new.checksum, new.checksums, new.size) = (Some(sha.clone()), vec![md5.clone(), sha.clone()], Some(5));
            let addresses = ["http://b.test/#x", "http://b.test/", "http://example.org/a", "https://c.test/"];
            new.mirrors = addresses.map(str::to_owned).to_vec();
            let digests = vec!["c".repeat(40); 2];
            new.pieces = Some(NewPieces { algorithm: "sha-1".to_owned(), length: 4, digests });
        });
        let all = all.unwrap();
        let expectation = all.expectation.unwrap();
        assert_eq!(all.digest.unwrap().to_string(), sha);
        assert_eq!(expectation.digests.iter().map(ToString::to_string).collect::<Vec<_>>(), [md5]);
        assert_eq!(expectation.mirrors.iter().map(Url::as_str).collect::<Vec<_>>(), ["http://b.test/", "https://c.test/"]);
        assert_eq!((expectation.size, expectation.pieces.unwrap().digests.len()), (Some(5), 2));
    }

    #[test]
    fn contradictory_or_invalid_expected_file_properties_are_refused() {
        let code = |change: fn(&mut NewRequest)| known(change).unwrap_err().code();
        let digests = |letter: &str| vec![format!("md5={}", letter.repeat(32))];
        let two = known(|new| (new.checksum, new.checksums) = (digests("a").pop(), digests("b")));
        assert_eq!(two.unwrap_err().code(), "invalid");
        assert_eq!(code(|new| new.checksums = vec!["crc=1".to_owned()]), "invalid");
        assert_eq!(code(|new| new.mirrors = vec!["ftp://a/".to_owned()]), "bad-scheme");
        assert_eq!(code(|new| new.mirrors = vec!["http://a:b@c/".to_owned()]), "credentials");
        assert_eq!(code(|new| new.mirrors = vec!["http://a/".to_owned(); MOST_MIRRORS + 1]), "invalid");
        for (algorithm, length, digits, count) in
            [("crc", 4, 40, 2), ("sha-1", 0, 40, 2), ("sha-1", 4, 40, 0), ("sha-1", 4, 40, 3), ("sha-1", 4, 38, 2)]
        {
            let pieces = NewPieces { algorithm: algorithm.to_owned(), length, digests: vec!["a".repeat(digits); count] };
            let refused = known(|new| (new.size, new.pieces) = (Some(5), Some(pieces)));
            assert_eq!(refused.unwrap_err().code(), "invalid", "{algorithm} {length} {digits} {count}");
        }
        let sent = tempfile::NamedTempFile::new().unwrap();
        let path = sent.path().to_owned();
        assert_eq!(known(|new| (new.upload_file, new.size) = (Some(path), Some(1))).unwrap_err().code(), "invalid");
    }

    #[test]
    fn referrer_loses_user_and_password() {
        let said = |page: &str| {
            let headers = vec![("Referer".to_owned(), page.to_owned()), ("X-A".to_owned(), "http://a:b@c/".to_owned())];
            known(|new| new.headers = headers).unwrap().headers
        };
        for (page, expected) in [
            ("https://ann:canary@a.test/x?y", "https://a.test/x?y"),
            ("https://a.test/x", "https://a.test/x"),
            ("ann:canary@a.test", ""),
            ("no page: canary", ""),
        ] {
            assert_eq!(said(page)[0].1, expected);
            assert_eq!(said(page)[1].1, "http://a:b@c/", "a value that is not a referrer is unchanged");
        }
    }

    #[test]
    fn header_injection_is_refused() {
        assert!(accept_header("X-Good", "yes").is_ok());
        for (name, value) in [("X-Bad", "a\r\nHost: b"), ("X Bad", "a"), ("", "a"), ("Range", "bytes=0-"), ("host", "b")] {
            assert!(accept_header(name, value).is_err(), "{name}: {value}");
        }
    }

    #[test]
    fn missing_title_is_derived_from_requests() {
        let title = |urls: &[&str]| {
            let requests =
                urls.iter().map(|url| accept_request(NewRequest { url: (*url).to_owned(), ..NewRequest::default() }).unwrap());
            default_title(&requests.collect::<Vec<_>>())
        };
        assert_eq!(title(&["http://example.org/a/big%20file.iso?x=1"]), "big file.iso");
        assert_eq!(title(&["http://example.org/"]), "example.org");
        assert_eq!(title(&["http://example.org/a", "http://example.org/b"]), "2 files from example.org");
    }

    #[test]
    fn declared_size_over_free_space_is_refused_without_writing() {
        let folder = tempfile::tempdir().unwrap();
        let new = NewRegistration {
            owner: "test".to_owned(),
            download_total: (1 << 53) - 1,
            requests: vec![NewRequest { url: "http://example.org/a".to_owned(), ..NewRequest::default() }],
            ..NewRegistration::default()
        };
        let refused = accept(new, UniqueId(uuid::Uuid::nil()), folder.path(), 0).unwrap_err();
        assert_eq!(refused.code(), "quota-exceeded");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
