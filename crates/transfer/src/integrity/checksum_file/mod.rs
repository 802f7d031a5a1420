//! Parses checksum files: file names and digests. [pure]
//!
//! - Called by the engine, which compares the digests.
//! - `lines` parses the text forms of programs, and `json` the output of services. `algorithm_label` recognises the
//!   names of algorithms.
//! - Digests of unknown algorithms are ignored, even if they are as long as those of a known algorithm.
//! - Lines that cannot be parsed are ignored. If the caller gets no digest at all, it must report this.

mod algorithm_label;
mod json;
mod lines;

use crate::{
    filename::charset::plain_text,
    model::digest::{DigestAlgorithm, FileDigest},
};

/// Maximum size of a checksum file in bytes.
pub const LARGEST: u64 = 8 << 20;

/// Algorithms with the name endings of their checksum files.
///
/// The first array contains the name endings for single files, and the second those for lists of files. A list without
/// an algorithm in its name counts as SHA-256, which is common today.
const WRITTEN: &[(DigestAlgorithm, &[&str], &[&str])] = &[
    (
        DigestAlgorithm::Sha512,
        &[".sha512", ".sha-512", ".sha512sum", ".sha512sums"],
        &["sha512sum", "sha512sums", "shasums512", "sha512checksums", "checksums.sha512"],
    ),
    (
        DigestAlgorithm::Sha256,
        &[".sha256", ".sha-256", ".sha256sum", ".sha256sums", ".dsc", ".changes"],
        &[
            "sha256sum",
            "sha256sums",
            "shasums256",
            "sha256checksums",
            "checksums.sha256",
            "checksum",
            "checksums",
            "shasums",
            "inrelease",
        ],
    ),
    (DigestAlgorithm::Sha1, &[".sha1", ".sha-1", ".sha1sum", ".sha1sums"], &["sha1sum", "sha1sums"]),
    (DigestAlgorithm::Md5, &[".md5", ".md5sum", ".md5sums"], &["md5sum", "md5sums"]),
];

/// Name endings without an algorithm. The flag states whether a file with this ending can be a list of files.
///
/// Files of other kinds may also have these endings (`go.sum`). A file with such an ending therefore counts as a
/// checksum file only if the described file is next to it.
const BESIDE: &[(&str, bool)] = &[
    (".checksum", true),
    (".checksums", true),
    (".digest", false),
    (".digests", false),
    (".hash", false),
    (".hashes", false),
    (".sum", false),
    (".sums", false),
    (".sha", false),
    (".sha2", false),
];

/// Name endings of checksum files with unsupported algorithms.
const FOREIGN: &[&str] = &[
    ".sha224",
    ".sha384",
    ".sha3",
    ".sha3-256",
    ".sha3-384",
    ".sha3-512",
    ".b2",
    ".b2sum",
    ".blake2",
    ".blake2b",
    ".blake2s",
    ".b3",
    ".b3sum",
    ".blake3",
    ".crc32",
    ".sfv",
    ".rmd160",
    ".ripemd160",
    ".whirlpool",
    ".tiger",
    ".xxh64",
    ".xxh128",
    ".sm3",
];

/// Names of lists that consist only of an algorithm's name (`SHA256`, OpenBSD), and prefixes that contain an
/// algorithm's name (`CHECKSUM.SHA256-`, FreeBSD).
const BARE: &[(DigestAlgorithm, &str, &str)] = &[
    (DigestAlgorithm::Sha512, "SHA512", "CHECKSUM.SHA512-"),
    (DigestAlgorithm::Sha256, "SHA256", "CHECKSUM.SHA256-"),
    (DigestAlgorithm::Sha1, "SHA1", "CHECKSUM.SHA1-"),
    (DigestAlgorithm::Md5, "MD5", "CHECKSUM.MD5-"),
];

/// Facts that the name of a checksum file reveals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChecksumFileKind {
    /// Algorithm of the digests. Meaningless if `is_foreign`.
    pub algorithm: DigestAlgorithm,
    /// Single file that the checksum file describes. `None` for a list.
    pub about: Option<String>,
    /// Whether the checksum file may be a list of other files. Matters if the file in `about` does not exist.
    ///
    /// If false and the file in `about` does not exist, this is not a checksum file.
    pub may_list: bool,
    /// Whether the algorithm is unsupported.
    ///
    /// This must be reported to callers that rely on the digests.
    pub is_foreign: bool,
}

/// Digest of a file in a checksum file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedChecksum {
    /// Path of the file, relative to the folder of the checksum file. `None` for a bare digest.
    ///
    /// The path separator is `/`.
    pub name: Option<String>,
    /// Digest that the file must have.
    pub digest: FileDigest,
}

/// Returns the kind of a checksum file by its name.
///
/// `NAME.sha256` describes `NAME`. `SHA256SUMS` describes the files in its list. Returns `None` if this is not the name
/// of a checksum file.
pub fn kind(name: &str) -> Option<ChecksumFileKind> {
    let stem = without_ending(without_ending(name, ".asc"), ".txt");
    let stem = without_ending(stem, ".json");
    if let Some((algorithm, ..)) = BARE.iter().find(|(_, name, start)| stem == *name || stem.starts_with(start)) {
        return Some(ChecksumFileKind { algorithm: *algorithm, about: None, may_list: true, is_foreign: false });
    }
    for (ending, may_list) in BESIDE {
        let about = without_ending(stem, ending);
        if about.len() < stem.len() && !about.is_empty() {
            return Some(ChecksumFileKind {
                algorithm: DigestAlgorithm::Sha256,
                about: Some(about.to_owned()),
                may_list: *may_list,
                is_foreign: false,
            });
        }
    }
    for ending in FOREIGN {
        let about = without_ending(stem, ending);
        if about.len() < stem.len() && !about.is_empty() {
            return Some(ChecksumFileKind {
                algorithm: DigestAlgorithm::Sha256,
                about: Some(about.to_owned()),
                may_list: false,
                is_foreign: true,
            });
        }
    }
    for (algorithm, endings, words) in WRITTEN {
        for ending in *endings {
            let about = without_ending(stem, ending);
            if about.len() < stem.len() && !about.is_empty() {
                return Some(ChecksumFileKind {
                    algorithm: *algorithm,
                    about: Some(about.to_owned()),
                    may_list: true,
                    is_foreign: false,
                });
            }
        }
        if words.iter().any(|word| ends_in_word(stem, word)) {
            return Some(ChecksumFileKind { algorithm: *algorithm, about: None, may_list: true, is_foreign: false });
        }
    }
    None
}

/// Returns the digests in a checksum file, in order.
///
/// Reads the values of a JSON file, and the lines of any other file. Returns none if the file is too large or is a web
/// page.
pub fn read(bytes: &[u8]) -> Vec<ListedChecksum> {
    if bytes.len() as u64 > LARGEST {
        return Vec::new();
    }
    let text = plain_text(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if is_page(text) {
        return Vec::new();
    }
    json::read(text).unwrap_or_else(|| lines::read(text))
}

/// Returns whether `text` is a web page.
///
/// The digests on a page are not used, because they may belong to any file.
fn is_page(text: &str) -> bool {
    let start = text.trim_start();
    ["<!doctype", "<html", "<head", "<body"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag)))
}

/// Returns a name in the form that is used for lookups.
///
/// Returns `None` for a name that means standard input. Its digest counts as a bare digest.
fn relative(name: &str) -> Option<String> {
    let mut name = name;
    while let Some(shorter) = name.strip_prefix("./").or_else(|| name.strip_prefix(".\\")) {
        name = shorter;
    }
    (!matches!(name, "" | "-" | "stdin" | "STDIN")).then(|| name.to_owned())
}

fn without_ending<'a>(name: &'a str, ending: &str) -> &'a str {
    let at = name.len().saturating_sub(ending.len());
    match name.get(at..) {
        Some(last) if last.eq_ignore_ascii_case(ending) => &name[..at],
        _ => name,
    }
}

/// Returns whether `name` ends in `word` as a whole word.
///
/// `tool_1.2_SHA256SUMS` ends in the word `sha256sums`, but `MySHA256SUMS` does not.
fn ends_in_word(name: &str, word: &str) -> bool {
    let before = without_ending(name, word);
    before.len() < name.len() && before.chars().next_back().is_none_or(|last| !last.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SHA: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";

    fn lines(text: &str) -> Vec<(Option<String>, String)> {
        read(text.as_bytes()).into_iter().map(|listed| (listed.name, listed.digest.to_string())).collect()
    }

    fn line(text: &str) -> (Option<String>, String) {
        let found = lines(text);
        assert_eq!(found.len(), 1, "{text}");
        found.into_iter().next().unwrap()
    }

    #[test]
    fn algorithm_and_described_file_are_read_from_checksum_file_name() {
        let about = |name: &str| kind(name).map(|kind| (kind.algorithm.to_string(), kind.about.unwrap_or_default()));
        for (name, algorithm, file) in [
            ("disk.iso.sha256", "sha-256", "disk.iso"),
            ("disk.iso.SHA512", "sha-512", "disk.iso"),
            ("disk.iso.md5", "md5", "disk.iso"),
            ("disk.iso.sha1", "sha-1", "disk.iso"),
            ("disk.iso.sha256sum", "sha-256", "disk.iso"),
            ("disk.iso.sha256.txt", "sha-256", "disk.iso"),
            ("SHA256SUMS", "sha-256", ""),
            ("SHA512SUMS", "sha-512", ""),
            ("MD5SUMS", "md5", ""),
            ("sha1sum.txt", "sha-1", ""),
            ("tool_1.2_SHA256SUMS", "sha-256", ""),
            ("SHASUMS256.txt", "sha-256", ""),
            ("tool_1.2_checksums.txt", "sha-256", ""),
            ("Fedora-39-CHECKSUM", "sha-256", ""),
        ] {
            assert_eq!(about(name), Some((algorithm.to_owned(), file.to_owned())), "{name}");
        }
        for (name, algorithm) in
            [("SHA256", "sha-256"), ("MD5.txt", "md5"), ("CHECKSUM.SHA512-FreeBSD-14.0", "sha-512"), ("a_1.dsc", "sha-256")]
        {
            assert_eq!(about(name).map(|found| found.0).as_deref(), Some(algorithm), "{name}");
        }
        for ending in [".checksum", ".digest", ".hash", ".sum", ".SHA256.txt", ".sha256.asc", ".sha-256", ".sha256.json"] {
            let found = kind(&format!("disk.iso{ending}")).unwrap();
            assert_eq!(found.about.as_deref(), Some("disk.iso"), "{ending}");
        }
        assert!(kind("disk.sha384").unwrap().is_foreign && kind("disk.iso.b3").unwrap().is_foreign);
        assert!(!kind("go.sum").unwrap().may_list, "it is about `go`, or no checksum file");
        for name in ["disk.iso", ".sha256", "sha256", "MySHA256SUMS", "SHA256SUMS.gpg", "\u{e4}", "", "md5"] {
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn checksum_line_is_parsed_in_every_form() {
        let named = |name: &str| (Some(name.to_owned()), format!("sha-256={SHA}"));
        for text in [
            format!("{SHA}  a b.iso"),
            format!("{SHA} *a b.iso"),
            format!("{SHA} a b.iso\r"),
            format!("{}\ta b.iso", SHA.to_uppercase()),
            format!("\u{feff}{SHA}  ./a b.iso"),
            format!("SHA256 (a b.iso) = {SHA}"),
            format!("SHA2-256(a b.iso)= {SHA}"),
            format!("sha256 (./a b.iso) = {SHA}"),
        ] {
            assert_eq!(line(&text), named("a b.iso"), "{text}");
        }
        assert_eq!(line(&format!("\\{SHA}  a\\\\b\\nc")), named("a\\b\nc"));
        assert_eq!(line(&format!("{SHA}  a\\nb")), named("a\\nb"));
        assert_eq!(line(&format!("SHA256 (a (1) = b.iso) = {SHA}")), named("a (1) = b.iso"));
        assert_eq!(line(&format!("{SHA}  sub/a")), named("sub/a"));
        for bare in [SHA.to_owned(), format!("{SHA}  -"), format!("  {SHA}\n")] {
            assert_eq!(line(&bare), (None, format!("sha-256={SHA}")), "{bare}");
        }
        assert_eq!(line(&format!("{MD5}  a")).1, format!("md5={MD5}"));
    }

    #[test]
    fn invalid_checksum_lines_are_ignored() {
        let signed = format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n# comment\n{SHA}  a\n\n-----BEGIN PGP SIGNATURE-----\n\n\
             iQIzBAEBCAAdFiEEhHNPTv5RVfrL\n=abcd\n-----END PGP SIGNATURE-----\n"
        );
        assert_eq!(lines(&signed).len(), 1);
        for text in ["", "<html>", "abc  a", "SHA256 (a) = 12", "SHA384 (a) = 00", "() = ", "\\", "\\zz", "= ="] {
            assert_eq!(lines(text), [], "{text}");
        }
        assert_eq!(lines(&format!("{SHA}zz  a\n{}  a", &SHA[1..])), []);
        assert_eq!(lines(&format!("SHA512 (a) = {SHA}")), [], "the label and the length disagree");
        let endless = "a".repeat(usize::try_from(LARGEST).unwrap() + 1);
        assert_eq!(read(endless.as_bytes()), []);
    }

    #[test]
    fn text_is_parsed_in_every_encoding_and_line_ending() {
        let text = format!("{MD5}  first.zip\r\n{SHA}  Ger\u{e4}t.zip\r\n");
        let wide = |to: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(to).collect::<Vec<u8>>();
        let latin = text.chars().map(|letter| letter as u8).collect();
        for bytes in [
            text.clone().into_bytes(),
            text.replace("\r\n", "\r").into_bytes(),
            text.replace("\r\n", "\n").into_bytes(),
            format!("\u{feff}{text}").into_bytes(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
            latin,
        ] {
            let found = read(&bytes);
            assert_eq!(found.len(), 2, "{bytes:?}");
            assert_eq!(
                (found[1].name.as_deref(), found[1].digest.to_string()),
                (Some("Ger\u{e4}t.zip"), format!("sha-256={SHA}"))
            );
        }
        assert_eq!(read(format!("<!DOCTYPE html><html><body>{SHA}  a.zip</body></html>").as_bytes()), [], "a page is no list");
        assert_eq!(read(format!("{{\"file\": \"a.zip\", \"sha256\": \"{SHA}\"}}").as_bytes()).len(), 1);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_parse_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = read(&bytes);
        }

        #[test]
        fn text_resembling_checksums_is_parsed_without_panic(
            text in "(\\\\|[0-9a-f]{32}|SHA256|\\(|\\)|=| |\\*|-|\n|é){0,20}",
        ) {
            let _ = read(text.as_bytes());
            let _ = kind(&text);
        }

        #[test]
        fn file_name_in_line_survives_round_trip_in_every_form(name in "[^\\s*/.\\\\\u{feff}\r\n][^\r\n\t\\\\\u{85}\u{2028}\u{2029}]{0,20}[a-z]") {
            let expected = (Some(name.clone()), format!("sha-256={SHA}"));
            prop_assume!(!matches!(name.as_str(), "-" | "stdin"));
            prop_assert_eq!(line(&format!("{SHA}  {name}")), expected.clone());
            prop_assert_eq!(line(&format!("{SHA} *{name}")), expected.clone());
            prop_assert_eq!(line(&format!("SHA256 ({name}) = {SHA}")), expected);
        }

        #[test]
        fn described_file_name_is_found_in_checksum_file_name(name in "[a-zA-Z0-9._-]{0,20}[a-z]") {
            let found = kind(&format!("{name}.sha512"));
            prop_assert_eq!(found, Some(ChecksumFileKind { algorithm: DigestAlgorithm::Sha512, about: Some(name), may_list: true, is_foreign: false }));
        }
    }
}
