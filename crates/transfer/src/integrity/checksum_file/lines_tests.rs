//! Tests all published forms of one line, and the forms of several lines.

use crate::integrity::checksum_file::lines::*;

const SHA: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const NAME: &str = "kit-2.1 (x64).zip";

fn stated(text: &str) -> Vec<(Option<String>, String)> {
    read(text).into_iter().map(|listed| (listed.name, listed.digest.to_string())).collect()
}

fn assert_single_digest(text: &str, name: Option<&str>) {
    assert_eq!(stated(text), [(name.map(str::to_owned), format!("sha-256={SHA}"))], "{text}");
}

fn in_groups(digits: &str, length: usize) -> String {
    let groups: Vec<&str> = digits.as_bytes().chunks(length).map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(" ")
}

#[test]
fn line_with_file_name_is_parsed_in_any_order() {
    let upper = SHA.to_uppercase();
    for text in [
        format!("{NAME}  {SHA}"),
        format!("{NAME}: {SHA}"),
        format!("{NAME}: sha256:{SHA}"),
        format!("{NAME} SHA256={upper}"),
        format!("{SHA}, {NAME}"),
        format!("{SHA};{NAME}"),
        format!("{NAME},{SHA}"),
        format!("{NAME},sha256,{SHA}"),
        format!("sha256,{SHA},{NAME}"),
        format!("SHA256 {NAME} {SHA}"),
        format!("SHA256 checksum of {NAME}: {SHA}"),
        format!("| {NAME} | `{SHA}` |"),
        format!("| `{SHA}` | [{NAME}](https://a.test/kit) |"),
        format!("- `{NAME}`: `{SHA}`").replace("- ", "* "),
        format!("{SHA}  \"{NAME}\""),
        format!("'{NAME}' = '{SHA}'"),
        format!("SHA-256 ({NAME}) = {SHA}"),
        format!("SHA2-256({NAME})= {SHA}"),
        format!("sha256:{SHA}  {NAME}"),
    ] {
        assert_single_digest(&text, Some(NAME));
    }
}

#[test]
fn lone_digest_is_parsed_with_and_without_label() {
    for text in [
        SHA.to_owned(),
        format!("sha256:{SHA}"),
        format!("SHA256: {SHA}"),
        format!("SHA-256 = {}", SHA.to_uppercase()),
        format!("Checksum: {SHA}"),
        format!("sha256 hash: {SHA}"),
        "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=".to_owned(),
        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=".to_owned(),
        "sha256: ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=".to_owned(),
        in_groups(&SHA.to_uppercase(), 8),
    ] {
        assert_single_digest(&text, None);
    }
}

#[test]
fn reports_of_windows_programs_are_parsed() {
    let upper = SHA.to_uppercase();
    assert_single_digest(
        &format!("\r\nAlgorithm : SHA256\r\nHash      : {upper}\r\nPath      : C:\\out\\{NAME}\r\n"),
        Some(&format!("C:\\out\\{NAME}")),
    );
    assert_single_digest(
        &format!(
            "Algorithm       Hash             Path\r\n---------       ----     ----\r\nSHA256     {upper}     C:\\out\\{NAME}\r\n"
        ),
        Some(&format!("C:\\out\\{NAME}")),
    );
    assert_single_digest(
        &format!("SHA256 hash of {NAME}:\r\n{SHA}\r\nCertUtil: -hashfile command completed successfully.\r\n"),
        Some(NAME),
    );
    assert_single_digest(&format!("SHA256 hash of file {NAME}:\r\n{}\r\nCertUtil: done.\r\n", in_groups(SHA, 2)), Some(NAME));
    assert_single_digest(&format!("SHA256-Hash von Datei {NAME}:\r\n{SHA}\r\nCertUtil: OK\r\n"), None);
    assert_single_digest(&format!("Name: {NAME}\r\nSize: 120000 bytes (117 KiB)\r\nSHA256: {SHA}\r\n"), None);
}

#[test]
fn grouped_digests_over_several_lines_are_parsed() {
    let upper = SHA.to_uppercase();
    assert_single_digest(&format!("{NAME}: {}\n", in_groups(&upper, 8)), Some(NAME));
    assert_single_digest(&format!("{NAME}:\n{}\n    {}\n", in_groups(&upper[..32], 4), in_groups(&upper[32..], 4)), Some(NAME));
    assert_single_digest(
        &format!("{NAME}: SHA256 = {}\n                  {}\n", in_groups(&upper[..48], 8), in_groups(&upper[48..], 8)),
        Some(NAME),
    );
    let long = "AB".repeat(64);
    let text =
        format!("a.tgz: {}\n       {}\nb.tgz: {}\n", in_groups(&long[..64], 8), in_groups(&long[64..], 8), in_groups(&upper, 8));
    let found = stated(&text);
    assert_eq!(found[0], (Some("a.tgz".to_owned()), format!("sha-512={}", long.to_lowercase())));
    assert_eq!(found[1], (Some("b.tgz".to_owned()), format!("sha-256={SHA}")));
    let both = format!("{NAME}: RMD160 = {}\n{NAME}: SHA256 = {}\n", in_groups(&upper[..40], 4), in_groups(&upper, 8));
    assert_single_digest(&both, Some(NAME));
}

#[test]
fn debian_sections_and_fedora_lists_are_parsed() {
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    let text = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nFormat: 3.0\nChecksums-Sha256:\n {SHA} 1234 a_1.0.tar.xz\nFiles:\n {md5} 1234 a_1.0.tar.xz\n\
         -----BEGIN PGP SIGNATURE-----\n\n{SHA}\n-----END PGP SIGNATURE-----\n"
    );
    let expected =
        [(Some("a_1.0.tar.xz".to_owned()), format!("sha-256={SHA}")), (Some("a_1.0.tar.xz".to_owned()), format!("md5={md5}"))];
    assert_eq!(stated(&text), expected);
    assert_single_digest(&format!("# a.iso: 2000 bytes\nSHA256 (a.iso) = {SHA}\n"), Some("a.iso"));
    assert_single_digest(&format!("{SHA}  1234 a.iso\n"), Some("1234 a.iso"));
}

#[test]
fn unsupported_algorithms_are_ignored_and_supported_ones_are_distinguished() {
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    let both = [(Some("a.zip".to_owned()), format!("md5={md5}")), (Some("a.zip".to_owned()), format!("sha-256={SHA}"))];
    for text in [
        format!("MD5 (a.zip) = {md5}\nSHA256 (a.zip) = {SHA}\n"),
        format!("a.zip  md5:{md5}  sha256:{SHA}"),
        format!("| a.zip | {md5} | {SHA} |"),
        format!("a.zip:\nMD5: {md5}\nSHA256: {SHA}\n"),
    ] {
        assert_eq!(stated(&text), both, "{text}");
    }
    for text in [
        format!("SHA3-256 (a.zip) = {SHA}"),
        format!("BLAKE2s(a.zip)= {SHA}"),
        format!("sha3-256: {SHA}"),
        format!("BLAKE2s-256:\n{SHA}  a.zip\n"),
        format!("# BLAKE3\n{SHA}  a.zip\n"),
        format!("a.zip: RMD160 = {}", &SHA[..40]),
        format!("SHA512 (a) = {SHA}"),
    ] {
        assert_eq!(stated(&text), [], "{text}");
    }
}

#[test]
fn file_name_that_resembles_digest_or_label_is_not_split() {
    let git = format!("a-{}.tar.gz", &SHA[..40]);
    assert_single_digest(&format!("{SHA}  {git}"), Some(&git));
    assert_single_digest(&format!("{git}: {SHA}"), Some(&git));
    assert_single_digest(&format!("{SHA}  sha3-tool.zip"), Some("sha3-tool.zip"));
    assert_single_digest(&format!("{SHA}  md5 of all.txt"), Some("md5 of all.txt"));
    assert_single_digest(&format!("crc.zip: {SHA}"), Some("crc.zip"));
}
