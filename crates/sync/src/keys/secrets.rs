//! Holds secret values, and derives keys and proofs from them with HKDF-SHA256. [pure]
//!
//! Called by all other files of this folder.
//!
//! - A dropped secret overwrites its memory.
//! - `Debug` prints no part of a secret, and comparisons take constant time.
//! - Each purpose of a derived key has its own info text, and each user has a different salt.

use std::fmt;

use hkdf::Hkdf;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// Info text of the key that encrypts other keys.
const WRAP_INFO: &str = "ashore-sync/1/wrap";

/// Info text of the proof that the server verifies.
const AUTH_INFO: &str = "ashore-sync/1/auth";

/// Secret of 32 bytes, the base of all keys.
#[derive(Clone)]
pub(super) struct SecretBytes(Zeroizing<[u8; 32]>);

impl SecretBytes {
    /// Returns the secret with these bytes.
    pub(super) fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Returns a new secret from 32 bytes of `random`.
    pub(super) fn generate(random: &mut dyn FnMut(&mut [u8])) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        random(&mut *bytes);
        Self(bytes)
    }

    /// Returns the bytes.
    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SecretBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("..")
    }
}

impl PartialEq for SecretBytes {
    fn eq(&self, other: &Self) -> bool {
        self.bytes().ct_eq(other.bytes()).into()
    }
}

impl Eq for SecretBytes {}

/// Key of the cipher that encrypts records, key rings, and root keys for other devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealingKey(SecretBytes);

impl SealingKey {
    /// Returns the key with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(SecretBytes::new(bytes))
    }

    /// Returns a new key from 32 bytes of `random`.
    pub fn generate(random: &mut dyn FnMut(&mut [u8])) -> Self {
        Self(SecretBytes::generate(random))
    }

    /// Returns the bytes of the key.
    pub(super) fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }
}

/// Proves to the server that the sender knows a root key or the secret of an invite.
///
/// The server stores only the hash of the proof. The proof does not reveal other keys of the same secret.
#[derive(Clone)]
pub struct AuthProof(Zeroizing<String>);

impl AuthProof {
    /// Returns the text to send as `auth`: 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `auth_hash`, the SHA-256 of the text in hexadecimal digits.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }
}

impl fmt::Debug for AuthProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AuthProof(..)")
    }
}

impl PartialEq for AuthProof {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for AuthProof {}

/// Derives 32 bytes from a secret. The salt is the uid as decimal text.
pub(super) fn derive(secret: &[u8], uid: i64, info: &str) -> SecretBytes {
    let mut bytes = Zeroizing::new([0; 32]);
    let outcome = Hkdf::<Sha256>::new(Some(uid.to_string().as_bytes()), secret).expand(info.as_bytes(), &mut *bytes);
    // HKDF-SHA256 fails only for more than 8,160 bytes (RFC 5869, section 2.3).
    debug_assert!(outcome.is_ok());
    SecretBytes(bytes)
}

/// Derives the key that encrypts other keys.
pub(super) fn derive_wrap(secret: &[u8], uid: i64) -> SealingKey {
    SealingKey(derive(secret, uid, WRAP_INFO))
}

/// Derives the proof that the server verifies.
pub(super) fn derive_auth(secret: &[u8], uid: i64) -> AuthProof {
    AuthProof(Zeroizing::new(hex::encode(derive(secret, uid, AUTH_INFO).bytes())))
}
