//! Digests in text form: algorithm and bytes. [pure]
//!
//! `hasher` computes digests.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Digest algorithm that a user may name, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DigestAlgorithm {
    /// SHA-512 (RFC 6234).
    Sha512,
    /// SHA-256 (RFC 6234).
    Sha256,
    /// SHA-1, for old lists only.
    Sha1,
    /// MD5, for old lists only.
    Md5,
}

impl DigestAlgorithm {
    /// Returns the algorithm with this name, in any spelling: `sha-256`, `SHA256`, `sha2-256`.
    ///
    /// The bare name `sha` means SHA-1.
    pub fn named(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "sha-512" | "sha512" | "sha2-512" => Some(Self::Sha512),
            "sha-256" | "sha256" | "sha2-256" => Some(Self::Sha256),
            "sha-1" | "sha1" | "sha" => Some(Self::Sha1),
            "md5" | "md-5" => Some(Self::Md5),
            _ => None,
        }
    }

    /// Returns the algorithm with digests of `bytes` bytes.
    pub fn of_length(bytes: usize) -> Option<Self> {
        [Self::Sha512, Self::Sha256, Self::Sha1, Self::Md5].into_iter().find(|algorithm| algorithm.length() == bytes)
    }

    /// Returns the number of bytes in a digest.
    pub fn length(self) -> usize {
        match self {
            Self::Sha512 => 64,
            Self::Sha256 => 32,
            Self::Sha1 => 20,
            Self::Md5 => 16,
        }
    }
}

impl fmt::Display for DigestAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sha512 => "sha-512",
            Self::Sha256 => "sha-256",
            Self::Sha1 => "sha-1",
            Self::Md5 => "md5",
        })
    }
}

/// Expected or computed digest. The text form is `sha-256=HEX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// Algorithm of the digest.
    pub algorithm: DigestAlgorithm,
    /// Bytes of the digest. The algorithm determines their number: 16 to 64.
    pub bytes: Vec<u8>,
}

/// Error for a text that is not a digest. Contains the text.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a digest")]
pub struct NotADigest(pub String);

impl FileDigest {
    /// Creates a digest from `bytes`.
    ///
    /// Returns `None` if the number of bytes does not match the algorithm.
    pub fn new(algorithm: DigestAlgorithm, bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() == algorithm.length()).then_some(Self { algorithm, bytes })
    }

    /// Creates a digest from hexadecimal digits.
    ///
    /// Returns `None` if the digits are not valid, or if their number does not match the algorithm.
    pub fn from_hex(algorithm: DigestAlgorithm, digits: &str) -> Option<Self> {
        Self::new(algorithm, hex::decode(digits).ok()?)
    }
}

impl FromStr for FileDigest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let refuse = || NotADigest(text.to_owned());
        let (name, digits) = text.split_once('=').ok_or_else(refuse)?;
        let algorithm = DigestAlgorithm::named(name).ok_or_else(refuse)?;
        Self::from_hex(algorithm, digits.trim()).ok_or_else(refuse)
    }
}

impl fmt::Display for FileDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.algorithm, hex::encode(&self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_survives_round_trip_through_text() {
        let text = format!("sha-256={}", "ab".repeat(32));
        assert_eq!(text.parse::<FileDigest>().map(|digest| digest.to_string()), Ok(text));
    }

    #[test]
    fn digest_with_wrong_length_or_algorithm_is_refused() {
        for text in ["", "sha-256", "sha-256=abcd", "crc32=00000000", "md5=zz"] {
            assert!(text.parse::<FileDigest>().is_err(), "{text}");
        }
    }
}
