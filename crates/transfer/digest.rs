//! Digests as they are written down: which algorithm, which bytes. Computing them is `verify`'s. [pure]

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A digest algorithm a person may name, weakest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// SHA-512 (RFC 6234).
    Sha512,
    /// SHA-256 (RFC 6234).
    Sha256,
    /// SHA-1, for old lists only.
    Sha1,
    /// MD5, for old lists only.
    Md5,
}

/// An expected or computed digest; its text form is `sha-256=HEX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// How it was computed.
    pub algorithm: Algorithm,
    /// The digest itself, 16 to 64 bytes.
    pub bytes: Vec<u8>,
}

/// Why a digest's text could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("\"{0}\" is not a checksum. Write it as sha-256=HEX (or sha-512, sha-1, md5).")]
pub struct NotADigest(pub String);

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let refuse = || NotADigest(text.to_owned());
        let (name, digits) = text.split_once('=').ok_or_else(refuse)?;
        let (algorithm, length) = match name.trim().to_ascii_lowercase().as_str() {
            "sha-512" | "sha512" => (Algorithm::Sha512, 64),
            "sha-256" | "sha256" => (Algorithm::Sha256, 32),
            "sha-1" | "sha1" => (Algorithm::Sha1, 20),
            "md5" => (Algorithm::Md5, 16),
            _ => return Err(refuse()),
        };
        let bytes = hex::decode(digits.trim()).map_err(|_| refuse())?;
        if bytes.len() == length { Ok(Self { algorithm, bytes }) } else { Err(refuse()) }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.algorithm {
            Algorithm::Sha512 => "sha-512",
            Algorithm::Sha256 => "sha-256",
            Algorithm::Sha1 => "sha-1",
            Algorithm::Md5 => "md5",
        };
        write!(f, "{name}={}", hex::encode(&self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_survives_its_text_form() {
        let text = format!("sha-256={}", "ab".repeat(32));
        assert_eq!(text.parse::<Digest>().map(|digest| digest.to_string()), Ok(text));
    }

    #[test]
    fn a_digest_of_the_wrong_length_or_kind_is_refused() {
        for text in ["", "sha-256", "sha-256=abcd", "crc32=00000000", "md5=zz"] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }
}
