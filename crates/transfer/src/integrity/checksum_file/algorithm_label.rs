//! Recognises names of digest algorithms next to digests, for the parsers of checksum files. [pure]

use crate::model::digest::{DigestAlgorithm, FileDigest};

/// Algorithm next to a digest in a checksum file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlgorithmLabel {
    /// Supported algorithm.
    Known(DigestAlgorithm),
    /// Unsupported algorithm. Its digests may be as long as those of a known algorithm.
    Foreign,
}

/// Prefixes of the names of unsupported algorithms.
const FOREIGN: &[&str] = &[
    "sha3",
    "sha224",
    "sha384",
    "sha2224",
    "sha2384",
    "sha512/",
    "sha2512/",
    "sha512t",
    "shake",
    "keccak",
    "blake",
    "b2sum",
    "b3sum",
    "rmd",
    "ripemd",
    "tiger",
    "whirlpool",
    "md2",
    "md4",
    "md6",
    "crc",
    "sm3",
    "gost",
    "streebog",
    "xxh",
    "adler",
    "ed2k",
    "tth",
    "tlsh",
    "ssdeep",
];

/// Returns the algorithm with the name `word`, or `None` if there is none.
pub(super) fn label(word: &str) -> Option<AlgorithmLabel> {
    let whole = word.trim().to_ascii_lowercase();
    let word = whole.as_str();
    let word = word.strip_prefix("checksums-").unwrap_or(word);
    let word = word.strip_suffix("sums").or_else(|| word.strip_suffix("sum")).unwrap_or(word);
    let word = word.strip_suffix('-').unwrap_or(word);
    if word == "sha" {
        return None;
    }
    if let Some(algorithm) = DigestAlgorithm::named(word).or_else(|| DigestAlgorithm::named(&word.replace(['_', ' '], "-"))) {
        return Some(AlgorithmLabel::Known(algorithm));
    }
    let letters: String = whole.chars().filter(|letter| !matches!(letter, '-' | '_')).collect();
    let is_word = letters.len() <= 12 && letters.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '/');
    (is_word && FOREIGN.iter().any(|start| letters.starts_with(start))).then_some(AlgorithmLabel::Foreign)
}

/// Returns whether `word` announces a digest, but names no algorithm.
pub(super) fn is_neutral(word: &str) -> bool {
    const NEUTRAL: &[&str] = &[
        "hash",
        "hashes",
        "digest",
        "digests",
        "checksum",
        "checksums",
        "sum",
        "integrity",
        "value",
        "of",
        "for",
        "file",
        "hex",
    ];
    NEUTRAL.iter().any(|neutral| word.eq_ignore_ascii_case(neutral))
}

/// Parses hexadecimal digits as a digest of `label`.
///
/// Without `label`, the length of the digest determines the algorithm.
pub(super) fn from_digits(label: Option<AlgorithmLabel>, digits: &str) -> Option<FileDigest> {
    let algorithm = match label {
        Some(AlgorithmLabel::Known(algorithm)) => algorithm,
        Some(AlgorithmLabel::Foreign) => return None,
        None => DigestAlgorithm::of_length(digits.len() / 2)?,
    };
    FileDigest::from_hex(algorithm, digits)
}

/// Parses a Base64 digest (as in `sha256-...` of Subresource Integrity), with or without padding.
pub(super) fn from_base64(label: Option<AlgorithmLabel>, text: &str) -> Option<FileDigest> {
    use base64::{
        Engine as _, alphabet,
        engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    };
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );

    let bytes = LENIENT.decode(text.replace('-', "+").replace('_', "/")).ok()?;
    let algorithm = match label {
        Some(AlgorithmLabel::Known(algorithm)) => algorithm,
        Some(AlgorithmLabel::Foreign) => return None,
        None => DigestAlgorithm::of_length(bytes.len())?,
    };
    FileDigest::new(algorithm, bytes)
}

/// Parses a digest and its algorithm in one word: `sha256:HEX`, `sha256=HEX`, `sha256-BASE64`, `HEX`.
pub(super) fn from_word(outer: Option<AlgorithmLabel>, word: &str) -> Option<FileDigest> {
    let word = word.trim();
    if let Some((name, digits)) = word.split_once([':', '='])
        && let Some(own) = label(name)
    {
        return from_digits(Some(own), digits.trim()).or_else(|| from_base64(Some(own), digits.trim()));
    }
    if let Some((name, text)) = word.split_once('-')
        && let Some(own @ AlgorithmLabel::Known(_)) = label(name)
    {
        return from_base64(Some(own), text);
    }
    from_digits(outer, word).or_else(|| outer.and_then(|_| from_base64(outer, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithm_names_are_recognised_in_every_spelling() {
        for (word, algorithm) in [
            ("SHA256", DigestAlgorithm::Sha256),
            ("sha-256", DigestAlgorithm::Sha256),
            ("SHA2-256", DigestAlgorithm::Sha256),
            ("SHA_512", DigestAlgorithm::Sha512),
            ("sha256sum", DigestAlgorithm::Sha256),
            ("MD5Sum", DigestAlgorithm::Md5),
            ("Checksums-Sha1", DigestAlgorithm::Sha1),
            ("MD5", DigestAlgorithm::Md5),
        ] {
            assert_eq!(label(word), Some(AlgorithmLabel::Known(algorithm)), "{word}");
        }
        for word in [
            "SHA3-256",
            "sha384",
            "SHA-224",
            "SHA512/256",
            "BLAKE2b-512",
            "BLAKE2s",
            "RMD160",
            "RIPEMD-160",
            "CRC32",
            "b2sum",
            "SM3",
        ] {
            assert_eq!(label(word), Some(AlgorithmLabel::Foreign), "{word}");
        }
        for word in ["", "kit.zip", "tigers-of-india.zip", "blake-and-mortimer", "sha", "256", "md"] {
            assert_eq!(label(word), None, "{word}");
        }
    }

    #[test]
    fn digest_length_must_match_algorithm_named_in_same_word() {
        let expected = FileDigest::new(DigestAlgorithm::Sha256, vec![0xab; 32]).unwrap();
        for word in
            [&format!("sha256:{}", "ab".repeat(32)), &"AB".repeat(32), "sha256-q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="]
        {
            assert_eq!(from_word(None, word), Some(expected.clone()), "{word}");
        }
        for word in
            [&format!("sha512:{}", "ab".repeat(32)), &format!("blake2s:{}", "ab".repeat(32)), "sha256-q6ur", "sha256:", ""]
        {
            assert_eq!(from_word(None, word), None, "{word}");
        }
    }
}
