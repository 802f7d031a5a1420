//! Holds the X25519 key pair of a device, and computes the secrets shared with other devices. [pure]
//!
//! Called by `root_renewal`, and by the set-up of a device to create its key.
//!
//! - The private key stays in the keychain of its device. The public key is in the device's record in `clients`.
//! - Public keys of low order are refused, because they make every shared secret zero.

use std::fmt;

use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::secrets::SecretBytes;

/// Private key for the low-order check. With a low-order public key, any private key gives a shared secret of zero.
const PROBE: [u8; 32] = [1; 32];

/// X25519 key pair of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceKey {
    private: SecretBytes,
    public: DevicePublicKey,
}

/// Public X25519 key of a device, checked for low order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DevicePublicKey([u8; 32]);

/// Reason why a device key or a renewed root key is not usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceKeyFault {
    /// The private key is not 32 bytes long, or the cryptography library refused it.
    #[error("the private key of the device is not valid")]
    PrivateKey,
    /// The public key is not 32 bytes long, or is of low order.
    #[error("the public key of the device is not valid")]
    PublicKey,
    /// The text is not the content of `crypto/root-N`.
    #[error("the content of the renewed root key is not valid")]
    NotARenewal,
    /// A newer version of Ashore wrote the content. The value is the format version.
    #[error("the renewed root key has the newer version {0}")]
    Newer(u64),
    /// The content has no root key for this device, because the device was removed.
    #[error("there is no renewed root key for this device")]
    NotAddressed,
    /// The sealed root key was tampered with, or is meant for another device, list or generation.
    #[error("the renewed root key was changed or is meant for another device")]
    Tampered,
}

impl DeviceKey {
    /// Returns the key pair that belongs to a private key from the keychain. Fails with `PrivateKey`.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, DeviceKeyFault> {
        Self::from_secret(SecretBytes::new(bytes))
    }

    /// Returns a new key pair, created from 32 bytes of `random`. Fails with `PrivateKey`.
    pub fn generate(random: &mut dyn FnMut(&mut [u8])) -> Result<Self, DeviceKeyFault> {
        Self::from_secret(SecretBytes::generate(random))
    }

    /// Returns the bytes of the private key, for the keychain.
    pub fn bytes(&self) -> &[u8; 32] {
        self.private.bytes()
    }

    /// Returns the public key.
    pub fn public(&self) -> DevicePublicKey {
        self.public
    }

    /// Returns the secret that this key pair shares with the owner of the public key `other`.
    ///
    /// Do not use the secret as a key: derive a key from it. Fails with `PrivateKey` or `PublicKey`.
    pub(super) fn agree(&self, other: &DevicePublicKey) -> Result<Zeroizing<[u8; 32]>, DeviceKeyFault> {
        agree_bytes(self.private.bytes(), &other.0)
    }

    fn from_secret(private: SecretBytes) -> Result<Self, DeviceKeyFault> {
        let key = PrivateKey::from_private_key(&X25519, private.bytes()).map_err(|_| DeviceKeyFault::PrivateKey)?;
        let public = key.compute_public_key().map_err(|_| DeviceKeyFault::PrivateKey)?;
        let public = public.as_ref().try_into().map_err(|_| DeviceKeyFault::PrivateKey)?;
        Ok(Self { private, public: DevicePublicKey(public) })
    }
}

impl DevicePublicKey {
    /// Returns the public key with these bytes. Fails with `PublicKey`.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, DeviceKeyFault> {
        agree_bytes(&PROBE, &bytes).map(|_| Self(bytes))
    }

    /// Reads a public key from base64url without padding. Fails with `PublicKey`.
    pub fn read(text: &str) -> Result<Self, DeviceKeyFault> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| DeviceKeyFault::PublicKey)?;
        Self::from_bytes(bytes.try_into().map_err(|_| DeviceKeyFault::PublicKey)?)
    }

    /// Returns the key in base64url without padding, for the device's record.
    pub fn write(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the bytes of the public key.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for DevicePublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DevicePublicKey({})", self.write())
    }
}

fn agree_bytes(private: &[u8; 32], public: &[u8; 32]) -> Result<Zeroizing<[u8; 32]>, DeviceKeyFault> {
    let private = PrivateKey::from_private_key(&X25519, private).map_err(|_| DeviceKeyFault::PrivateKey)?;
    // RFC 7748, section 6.1, permits an error if the shared secret is zero. This happens only if the public key is of
    // low order.
    agree(&private, UnparsedPublicKey::new(&X25519, public), DeviceKeyFault::PublicKey, |shared| {
        let mut secret = Zeroizing::new([0; 32]);
        if shared.len() != secret.len() {
            return Err(DeviceKeyFault::PublicKey);
        }
        secret.copy_from_slice(shared);
        Ok(secret)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vector of RFC 7748, section 6.1.
    const ALICE: [&str; 2] = [
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
    ];
    const BOB: [&str; 2] = [
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
    ];
    const SHARED: &str = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";

    /// Points of low order in canonical and non-canonical encodings, from `has_small_order` of libsodium.
    const LOW_ORDER: [&str; 7] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];

    fn bytes(text: &str) -> [u8; 32] {
        hex::decode(text).unwrap().try_into().unwrap()
    }

    #[test]
    fn key_agreement_matches_test_vectors_of_rfc_7748() {
        let [alice, bob] = [ALICE, BOB].map(|pair| (DeviceKey::from_bytes(bytes(pair[0])).unwrap(), bytes(pair[1])));
        assert_eq!((alice.0.public().bytes(), bob.0.public().bytes()), (&alice.1, &bob.1));
        assert_eq!(*alice.0.agree(&bob.0.public()).unwrap(), bytes(SHARED));
        assert_eq!(*bob.0.agree(&alice.0.public()).unwrap(), bytes(SHARED));
    }

    #[test]
    fn public_key_of_low_order_is_refused() {
        let own = DeviceKey::from_bytes([7; 32]).unwrap();
        for text in LOW_ORDER {
            for top in [0, 0x80] {
                let mut point = bytes(text);
                // X25519 ignores the highest bit.
                point[31] |= top;
                assert_eq!(DevicePublicKey::from_bytes(point), Err(DeviceKeyFault::PublicKey), "{text}");
                assert_eq!(own.agree(&DevicePublicKey(point)), Err(DeviceKeyFault::PublicKey), "{text}");
            }
        }
    }

    #[test]
    fn device_key_survives_round_trip() {
        let key = DeviceKey::generate(&mut |bytes| bytes.fill(5)).unwrap();
        assert_eq!(DeviceKey::from_bytes(*key.bytes()).unwrap(), key);
        assert_eq!(DevicePublicKey::read(&key.public().write()).unwrap(), key.public());
        for text in ["", "AA", &format!("{}=", key.public().write()), &"A".repeat(43)] {
            assert_eq!(DevicePublicKey::read(text), Err(DeviceKeyFault::PublicKey), "{text}");
        }
    }
}
