//! Computes a digest of any supported algorithm. [pure]

use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};

use crate::model::digest::{DigestAlgorithm, FileDigest};

/// Digest that is being computed.
#[derive(Clone, Debug)]
pub(crate) enum Hasher {
    Sha512(Sha512),
    Sha256(Sha256),
    Sha1(Sha1),
    Md5(md5::Md5),
}

impl Hasher {
    /// Returns a hasher without any input.
    pub fn new(algorithm: DigestAlgorithm) -> Self {
        match algorithm {
            DigestAlgorithm::Sha512 => Self::Sha512(Sha512::new()),
            DigestAlgorithm::Sha256 => Self::Sha256(Sha256::new()),
            DigestAlgorithm::Sha1 => Self::Sha1(Sha1::new()),
            DigestAlgorithm::Md5 => Self::Md5(md5::Md5::new()),
        }
    }

    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha512(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
            Self::Sha1(hasher) => hasher.update(bytes),
            Self::Md5(hasher) => hasher.update(bytes),
        }
    }

    /// Returns the digest of all bytes added.
    pub fn finish(self) -> FileDigest {
        let (algorithm, bytes) = match self {
            Self::Sha512(hasher) => (DigestAlgorithm::Sha512, hasher.finalize().to_vec()),
            Self::Sha256(hasher) => (DigestAlgorithm::Sha256, hasher.finalize().to_vec()),
            Self::Sha1(hasher) => (DigestAlgorithm::Sha1, hasher.finalize().to_vec()),
            Self::Md5(hasher) => (DigestAlgorithm::Md5, hasher.finalize().to_vec()),
        };
        FileDigest { algorithm, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_yields_its_known_digest() {
        for text in [
            "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha-1=a9993e364706816aba3e25717850c26c9cd0d89d",
            "md5=900150983cd24fb0d6963f7d28e17f72",
            concat!(
                "sha-512=ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a",
                "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ] {
            let expected: FileDigest = text.parse().unwrap();
            let mut hasher = Hasher::new(expected.algorithm);
            hasher.update(b"a");
            hasher.update(b"bc");
            assert_eq!(hasher.finish(), expected);
        }
    }
}
