//! Matches checksum files with the files they verify, and reads their digests. [pure]
//!
//! The matches and the digests depend only on the requests, so they are the same after any crash and in any order.
//! Names in a checksum file are relative to its own folder, so a file is first looked up by its address. The address of
//! a file on a mirror does not match the checksum file of the original site. Such a file is looked up by its name.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use ashore_transfer::{
    DigestAlgorithm, FileDigest, charset,
    checksum_file::{self, ChecksumFileKind, ListedChecksum},
};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::model::accepted::AcceptedRequest;

/// Maximum number of checksum lists for one file. Further lists are ignored.
const MOST_LISTS: usize = 4;

/// Pair of a checksum file and a file that it may verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChecksumLink {
    /// Index of the checksum file.
    pub by: usize,
    /// Index of the file that may be verified.
    pub of: usize,
    /// Algorithm for hashing the file during the transfer, so that the file need not be read again.
    pub algorithm: DigestAlgorithm,
}

/// Address and name of a request.
#[derive(Clone, Debug)]
pub(crate) struct NamedChecksum {
    pub url: Url,
    /// File name that was requested, if any.
    pub name: Option<String>,
}

impl NamedChecksum {
    fn name(&self) -> Cow<'_, str> {
        name(&self.url, self.name.as_deref())
    }
}

/// Returns the pairs of a checksum file and a file that it may verify, sorted.
///
/// A file is hashed with a single algorithm. The algorithm is the first of these that exists:
///
/// - the algorithm of the checksum file that is named after the file;
/// - the strongest algorithm of the lists in the file's folder, or else in the nearest parent folder with lists;
/// - the strongest algorithm of all lists.
///
/// A file whose checksum is part of the request has no pair.
pub(crate) fn vouchers(requests: &[AcceptedRequest]) -> Vec<ChecksumLink> {
    let is_download = |request: &&AcceptedRequest| request.method == "GET";
    let sums: BTreeMap<usize, ChecksumFileKind> = (0..)
        .zip(requests)
        .filter(|(_, request)| is_download(request))
        .filter_map(|(index, request)| Some((index, checksum_file::kind(&name(&request.url, request.name.as_deref()))?)))
        .collect();
    if sums.is_empty() {
        return Vec::new();
    }
    let is_vouched_for = |request: &AcceptedRequest| {
        request.digest.is_some() || request.expectation.as_ref().is_some_and(|known| !known.digests.is_empty())
    };
    let files: Vec<(usize, &AcceptedRequest)> = (0..)
        .zip(requests)
        .filter(|(index, request)| is_download(request) && !sums.contains_key(index) && !is_vouched_for(request))
        .collect();
    let (own, lists) = own_and_lists(requests, &sums, &files);
    let mut by_folder: HashMap<String, Vec<usize>> = HashMap::new();
    for list in &lists {
        by_folder.entry(folder(&place(&requests[*list].url)).to_owned()).or_default().push(*list);
    }
    let mut vouchers = Vec::new();
    for (of, request) in files {
        let asked = own.get(&of).unwrap_or_else(|| nearest(&by_folder, &request.url).unwrap_or(&lists));
        let asked = &asked[..asked.len().min(MOST_LISTS)];
        let Some(algorithm) = asked.iter().filter_map(|by| Some(sums.get(by)?.algorithm)).min() else { continue };
        let asked = asked.iter().filter(|by| sums.get(by).is_some_and(|kind| kind.algorithm == algorithm));
        vouchers.extend(asked.map(|by| ChecksumLink { by: *by, of, algorithm }));
    }
    vouchers.sort_unstable();
    vouchers
}

/// Returns the checksum lists, and the checksum files that are named after a requested file, grouped by that file.
///
/// If the name of a checksum file matches no requested file, the checksum file counts as a list, provided that lists
/// may have such a name.
fn own_and_lists(
    requests: &[AcceptedRequest],
    sums: &BTreeMap<usize, ChecksumFileKind>,
    files: &[(usize, &AcceptedRequest)],
) -> (HashMap<usize, Vec<usize>>, Vec<usize>) {
    let mut by_name: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::new();
    for (index, request) in files {
        by_name.entry(name(&request.url, request.name.as_deref())).or_default().push(*index);
    }
    let mut by_stem: Option<HashMap<String, Vec<usize>>> = None;
    let mut own: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut lists = Vec::new();
    for (by, kind) in sums {
        let same_name = kind.about.as_deref().and_then(|about| {
            by_name.get(about).or_else(|| by_stem.get_or_insert_with(|| stems(files)).get(about).filter(|found| found.len() == 1))
        });
        let Some(same_name) = same_name else {
            if kind.may_list {
                lists.push(*by);
            }
            continue;
        };
        let home = place(&requests[*by].url);
        let is_beside = |of: &&usize| folder(&place(&requests[**of].url)) == folder(&home);
        let beside: Vec<usize> = same_name.iter().filter(is_beside).copied().collect();
        let about = match (beside.as_slice(), same_name.as_slice()) {
            ([], [only]) => vec![*only],
            _ => beside,
        };
        for of in about {
            own.entry(of).or_default().push(*by);
        }
    }
    (own, lists)
}

/// Returns the files by their names without extension, because the checksum file of `kit.zip` may be named `kit.md5`.
fn stems(files: &[(usize, &AcceptedRequest)]) -> HashMap<String, Vec<usize>> {
    let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, request) in files {
        by_stem.entry(stem(&name(&request.url, request.name.as_deref())).to_owned()).or_default().push(*index);
    }
    by_stem
}

/// Returns the name without its extension. A double extension such as `.tar.gz` counts as one.
fn stem(name: &str) -> &str {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.strip_suffix(".tar").unwrap_or(stem)
}

fn nearest<'a>(by_folder: &'a HashMap<String, Vec<usize>>, url: &Url) -> Option<&'a Vec<usize>> {
    let place = place(url);
    let mut above = folder(&place);
    loop {
        if let Some(lists) = by_folder.get(above) {
            return Some(lists);
        }
        above = folder(above.strip_suffix('/')?);
        if above.is_empty() {
            return None;
        }
    }
}

/// Finds the digests of the files `asked` in the `lines` of the checksum file `by`. Returns them in the order of
/// `asked`.
///
/// Leaves out a file that no line names, or that has different digests in several lines.
pub(crate) fn digests_for(
    by: &NamedChecksum,
    lines: &[ListedChecksum],
    algorithm: DigestAlgorithm,
    asked: impl IntoIterator<Item = (i64, NamedChecksum)>,
) -> Result<Vec<(i64, FileDigest)>, UnusableChecksums> {
    let kind = checksum_file::kind(&by.name());
    let is_empty = lines.is_empty() || kind.as_ref().is_some_and(|kind| kind.is_foreign);
    let lines = if is_empty { &[] } else { lines };
    let lines: Vec<&ListedChecksum> = lines.iter().filter(|line| line.digest.algorithm == algorithm).collect();
    let about = kind.and_then(|kind| kind.about);
    let home = place(&by.url);
    let mut by_place: HashMap<String, Option<&FileDigest>> = HashMap::new();
    let mut by_name: HashMap<String, Option<&FileDigest>> = HashMap::new();
    for line in &lines {
        let Some(name) = &line.name else { continue };
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let at = format!("{}{name}", folder(&home));
        note(&mut by_place, at, &line.digest);
        note(&mut by_name, last.to_owned(), &line.digest);
        // Windows ignores case in names. An exact match takes precedence.
        let lower = last.to_lowercase();
        if lower != last {
            note(&mut by_name, format!("/{lower}"), &line.digest);
        }
    }
    // Digest that is the same in all lines, if there is one. It is used because the checksum file of a single file may
    // list that file under another name.
    let only = lines.first().filter(|first| lines.iter().all(|line| line.digest == first.digest));
    let is_own = |name: &str| about.as_deref().is_some_and(|about| about == name || about == stem(name));
    let of = |file: &NamedChecksum| {
        if let Some(digest) = by_place.get(&place(&file.url)) {
            return digest.cloned();
        }
        let name = file.name();
        let lower = name.to_lowercase();
        let by_case = || by_name.get(&format!("/{lower}")).or_else(|| by_name.get(&lower));
        if let Some(digest) = by_name.get(name.as_ref()).or_else(by_case) {
            return digest.cloned();
        }
        only.filter(|_| is_own(&name)).map(|only| only.digest.clone())
    };
    let mut said = Vec::new();
    let mut has_own = false;
    for (index, file) in asked {
        has_own |= is_own(&file.name());
        said.extend(of(&file).map(|digest| (index, digest)));
    }
    match said.is_empty() {
        true if is_empty => Err(UnusableChecksums::Unread),
        true if lines.is_empty() => Err(UnusableChecksums::OtherKind),
        // A checksum file for a single file must name that file. A list for many files may omit the requested file.
        true if has_own => Err(UnusableChecksums::OtherFile),
        _ => Ok(said),
    }
}

/// Records the `digest` of a name. A name with two different digests is ambiguous and gets none.
fn note<'a>(known: &mut HashMap<String, Option<&'a FileDigest>>, name: String, digest: &'a FileDigest) {
    known.entry(name).or_insert(Some(digest)).take_if(|known| *known != digest);
}

/// Reason why a checksum file verifies nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnusableChecksums {
    /// The file contains no readable checksum.
    Unread,
    /// The algorithm of the checksums differs from the one in the name of the checksum file.
    OtherKind,
    /// The checksum file has no checksum for the file that it is named after.
    OtherFile,
}

/// Returns the name for the lookup of a file: the requested name, or else the last segment of the address.
fn name<'a>(url: &'a Url, wanted: Option<&'a str>) -> Cow<'a, str> {
    match wanted {
        Some(wanted) => Cow::Borrowed(wanted),
        None => decoded(url.path().rsplit('/').next().unwrap_or_default()),
    }
}

/// Returns the server and the path of an address, without the scheme and the query.
fn place(url: &Url) -> String {
    let port = url.port_or_known_default().filter(|port| !matches!(port, 80 | 443)).unwrap_or_default();
    format!("{}:{port}{}", url.host_str().unwrap_or_default(), decoded(url.path()))
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes: Cow<'_, [u8]> = percent_decode_str(text).into();
    Cow::Owned(charset::decoded(&bytes).into_owned())
}

/// Returns the part of `place` up to and including the last slash.
fn folder(place: &str) -> &str {
    place.rfind('/').map_or("", |slash| &place[..=slash])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{intake::validate::accept_request, model::NewRequest};

    fn request(url: &str) -> AcceptedRequest {
        accept_request(NewRequest { url: url.to_owned(), ..NewRequest::default() }).unwrap()
    }

    fn found(urls: &[&str]) -> Vec<(usize, usize)> {
        let requests: Vec<_> = urls.iter().map(|url| request(url)).collect();
        vouchers(&requests).iter().map(|voucher| (voucher.by, voucher.of)).collect()
    }

    fn named(url: &str) -> NamedChecksum {
        NamedChecksum { url: url.parse().unwrap(), name: None }
    }

    fn digest(number: u8) -> FileDigest {
        FileDigest::new(DigestAlgorithm::Sha256, vec![number; 32]).unwrap()
    }

    fn line(name: Option<&str>, number: u8) -> ListedChecksum {
        ListedChecksum { name: name.map(str::to_owned), digest: digest(number) }
    }

    fn says(by: &str, lines: &[ListedChecksum], urls: &[&str]) -> Vec<(i64, u8)> {
        let asked = (0..).zip(urls.iter().map(|url| named(url)));
        let said = digests_for(&named(by), lines, DigestAlgorithm::Sha256, asked).unwrap_or_default();
        said.into_iter().map(|(index, digest)| (index, digest.bytes[0])).collect()
    }

    #[test]
    fn requests_without_checksum_file_have_no_checksum_links() {
        assert_eq!(found(&["http://a.test/a", "http://a.test/b"]), []);
        assert_eq!(found(&["http://a.test/SHA256SUMS"]), []);
    }

    #[test]
    fn checksum_file_is_linked_to_download_with_matching_name() {
        assert_eq!(found(&["http://a.test/a.iso", "http://a.test/b.iso", "http://a.test/a.iso.sha256"]), [(2, 0)]);
        assert_eq!(found(&["http://a.test/a%20b.iso", "http://sums.test/x/a%20b.iso.md5?x=1"]), [(1, 0)], "elsewhere");
        let same = ["http://a.test/x/a", "http://a.test/y/a", "http://a.test/y/a.sha256"];
        assert_eq!(found(&same), [(2, 1)], "the one beside it");
        let neither = ["http://a.test/x/a", "http://a.test/y/a", "http://a.test/a.sha256"];
        assert_eq!(found(&neither), [], "the file is ambiguous");
        let mut renamed = [request("http://a.test/download?id=1"), request("http://a.test/a.iso.sha256")];
        renamed[0].name = Some("a.iso".to_owned());
        assert_eq!(vouchers(&renamed), [ChecksumLink { by: 1, of: 0, algorithm: DigestAlgorithm::Sha256 }]);
    }

    #[test]
    fn checksum_list_prefers_files_in_its_own_folder() {
        let urls = ["http://a.test/x/SHA256SUMS", "http://a.test/x/a", "http://a.test/x/y/b", "http://mirror.test/c"];
        assert_eq!(found(&urls), [(0, 1), (0, 2), (0, 3)]);
        let two = ["http://a.test/x/SHA256SUMS", "http://a.test/y/SHA256SUMS", "http://a.test/x/a", "http://a.test/y/a"];
        assert_eq!(found(&two), [(0, 2), (1, 3)]);
        let many: Vec<String> = (0..9).map(|number| format!("http://s{number}.test/SHA256SUMS")).collect();
        let mut urls: Vec<&str> = many.iter().map(String::as_str).collect();
        urls.push("http://a.test/a");
        assert_eq!(found(&urls), [(0, 9), (1, 9), (2, 9), (3, 9)]);
    }

    #[test]
    fn file_is_hashed_only_with_strongest_algorithm() {
        let urls = ["http://a.test/MD5SUMS", "http://a.test/SHA512SUMS", "http://a.test/SHA256SUMS", "http://a.test/a"];
        assert_eq!(found(&urls), [(1, 3)]);
        let own = ["http://a.test/SHA512SUMS", "http://a.test/a.md5", "http://a.test/a"];
        assert_eq!(found(&own), [(1, 2)], "its own checksum file is surely about it");
    }

    #[test]
    fn file_gets_no_checksum_link_if_it_is_an_upload_or_its_digest_is_given() {
        let mut requests = [request("http://a.test/SHA256SUMS"), request("http://a.test/a"), request("http://a.test/b")];
        requests[1].digest = Some(digest(1));
        requests[2].method = "PUT".to_owned();
        assert_eq!(vouchers(&requests), []);
    }

    #[test]
    fn checksum_line_matches_file_by_path_then_by_name() {
        let list = "http://a.test/x/SHA256SUMS";
        let lines = [line(Some("a b"), 1), line(Some("y/a b"), 2), line(Some("c"), 3)];
        let urls = ["https://a.test/x/a%20b?x=1", "http://a.test/x/y/a%20b", "http://mirror.test/pub/c", "http://a.test/x/d"];
        assert_eq!(says(list, &lines, &urls), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(says(list, &lines, &["http://mirror.test/a%20b"]), [], "two of that name differ");
    }

    #[test]
    fn contradictory_checksum_lines_are_ignored() {
        let list = "http://a.test/SHA256SUMS";
        assert_eq!(says(list, &[line(Some("a"), 1), line(Some("a"), 2)], &["http://a.test/a"]), []);
        assert_eq!(says(list, &[line(Some("a"), 1), line(Some("a"), 1)], &["http://a.test/a"]), [(0, 1)]);
        let md5 =
            ListedChecksum { name: Some("a".to_owned()), digest: FileDigest::new(DigestAlgorithm::Md5, vec![9; 16]).unwrap() };
        assert_eq!(says(list, &[md5], &["http://a.test/a"]), [], "hashed otherwise");
    }

    #[test]
    fn checksum_file_a_iso_sha256_with_a_single_checksum_applies_to_file_a_iso() {
        let by = "http://a.test/a.iso.sha256";
        assert_eq!(says(by, &[line(None, 1)], &["http://a.test/a.iso"]), [(0, 1)]);
        assert_eq!(says(by, &[line(Some("build/out.iso"), 1)], &["http://a.test/a.iso"]), [(0, 1)]);
        assert_eq!(says(by, &[line(None, 1), line(None, 2)], &["http://a.test/a.iso"]), []);
        assert_eq!(says("http://a.test/SHA256SUMS", &[line(None, 1)], &["http://a.test/a.iso"]), []);
    }

    #[test]
    fn unusable_checksum_file_reports_reason() {
        let of = |by: &str, lines: &[ListedChecksum]| {
            let asked = [(0, named("http://a.test/a.iso"))];
            digests_for(&named(by), lines, DigestAlgorithm::Sha256, asked).map(|said| said.len())
        };
        let md5 = ListedChecksum { name: None, digest: FileDigest::new(DigestAlgorithm::Md5, vec![9; 16]).unwrap() };
        for (by, lines, expected) in [
            ("http://a.test/a.iso.sha256", vec![], Err(UnusableChecksums::Unread)),
            ("http://a.test/SHA256SUMS", vec![], Err(UnusableChecksums::Unread)),
            // A BLAKE3 digest must not count as a SHA-256 digest of the same length.
            ("http://a.test/a.iso.b3", vec![line(None, 1)], Err(UnusableChecksums::Unread)),
            ("http://a.test/a.iso.sha256", vec![md5.clone()], Err(UnusableChecksums::OtherKind)),
            ("http://a.test/a.iso.hash", vec![md5], Err(UnusableChecksums::OtherKind)),
            ("http://a.test/a.iso.sha256", vec![line(Some("b"), 1), line(Some("c"), 2)], Err(UnusableChecksums::OtherFile)),
            (
                "http://a.test/a.iso.sha256",
                vec![line(Some("a.iso"), 1), line(Some("a.iso"), 2)],
                Err(UnusableChecksums::OtherFile),
            ),
            ("http://a.test/SHA256SUMS", vec![line(Some("b"), 1), line(Some("c"), 2)], Ok(0)),
            ("http://a.test/a.iso.sha256", vec![line(Some("b"), 1), line(None, 1)], Ok(1)),
        ] {
            assert_eq!(of(by, &lines), expected, "{by}");
        }
    }

    #[test]
    fn names_in_checksum_file_match_regardless_of_case_or_extension() {
        let list = "http://a.test/SHA256SUMS";
        assert_eq!(says(list, &[line(Some("KIT.ZIP"), 1), line(Some("b"), 2)], &["http://a.test/kit.zip"]), [(0, 1)]);
        assert_eq!(says(list, &[line(Some("kit.zip"), 1), line(Some("b"), 2)], &["http://a.test/Kit.zip"]), [(0, 1)]);
        let both = [line(Some("KIT.zip"), 1), line(Some("kit.zip"), 2)];
        assert_eq!(says(list, &both, &["http://a.test/kit.zip", "http://a.test/KIT.zip"]), [(0, 2), (1, 1)]);
        assert_eq!(found(&["http://a.test/kit.zip", "http://a.test/kit.md5"]), [(1, 0)]);
        assert_eq!(found(&["http://a.test/kit-1.0.tar.gz", "http://a.test/kit-1.0.sha256"]), [(1, 0)]);
        assert_eq!(says("http://a.test/kit.sha256", &[line(None, 1)], &["http://a.test/kit.zip"]), [(0, 1)]);
        assert_eq!(found(&["http://a.test/go.mod", "http://a.test/go.sum"]), [(1, 0)]);
        assert_eq!(found(&["http://a.test/main.go", "http://a.test/go.sum"]), []);
    }
}
