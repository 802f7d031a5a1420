//! Holds the root key of a download list, and derives its other keys. [pure]
//!
//! Called by the set-up, joining and recovery of a device, and by the sync cycle to open `crypto/keys`.
//!
//! - The recovery words are the root key in another form.
//! - The server stores only the hash of the enrolment proof that is derived from the root key.

use super::secrets::{AuthProof, SealingKey, SecretBytes, derive, derive_auth, derive_wrap};

/// Info text of the fingerprint.
const CHECK_INFO: &str = "ashore-sync/1/check";

/// Characters of a fingerprint: letters and digits except the lookalikes 0, O, 1 and I.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Number of characters in a fingerprint, and in each group of a fingerprint.
const FINGERPRINT_LETTERS: usize = 16;
const GROUP_LETTERS: usize = 4;

/// Root key of a download list: 32 bytes that all devices of a user share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootKey(SecretBytes);

impl RootKey {
    /// Returns the root key with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(SecretBytes::new(bytes))
    }

    /// Returns a new root key from 32 bytes of `random`.
    pub fn generate(random: &mut dyn FnMut(&mut [u8])) -> Self {
        Self(SecretBytes::generate(random))
    }

    /// Returns the bytes, for the keychain.
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }

    /// Returns the key that encrypts `crypto/keys`.
    pub fn wrap(&self, uid: i64) -> SealingKey {
        derive_wrap(self.bytes(), uid)
    }

    /// Returns the proof that a device sends to enrol without an invite.
    pub fn auth(&self, uid: i64) -> AuthProof {
        derive_auth(self.bytes(), uid)
    }

    /// Returns the fingerprint that people compare: four groups of four letters and digits.
    ///
    /// The 80 bits identify the root key, but do not help to compute it.
    pub fn check(&self, uid: i64) -> String {
        let bytes = derive(self.bytes(), uid, CHECK_INFO);
        let mut text = String::with_capacity(FINGERPRINT_LETTERS + FINGERPRINT_LETTERS / GROUP_LETTERS);
        let (mut bits, mut count, mut rest) = (0_u32, 0, bytes.bytes().iter());
        for letter in 0..FINGERPRINT_LETTERS {
            if letter > 0 && letter % GROUP_LETTERS == 0 {
                text.push('-');
            }
            if count < 5 {
                bits = (bits << 8) | u32::from(rest.next().copied().unwrap_or_default());
                count += 8;
            }
            count -= 5;
            text.push(char::from(LETTERS[(bits >> count) as usize % LETTERS.len()]));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values were computed in Python with `hmac` and `hashlib`, as in RFC 5869.
    const WRAP: &str = "4b17593b7985530c7e05e212d18e412c6f728a555046ccd5703567c3cdc3e6cc";
    const AUTH: &str = "ba5a35d8eaae3ab29ee16784586c24f4f670f2abbdbb8b94e3dd98714283d0dc";
    const AUTH_HASH: &str = "a8671360d7d03430d057ac3f65996fad563bec74e8a3aa5842179dd9ecbb7bd2";
    const CHECK: &str = "X3D9-V35T-J773-36ND";

    fn root() -> RootKey {
        RootKey::from_bytes(std::array::from_fn(|at| at as u8))
    }

    #[test]
    fn derived_keys_match_independent_test_vectors() {
        let uid = 1_234_567_890;
        assert_eq!(hex::encode(root().wrap(uid).bytes()), WRAP);
        assert_eq!(root().auth(uid).as_str(), AUTH);
        assert_eq!(root().auth(uid).hash(), AUTH_HASH);
        assert_eq!(root().check(uid), CHECK);
    }

    #[test]
    fn derived_keys_differ_if_user_or_root_key_differs() {
        let other = RootKey::from_bytes([7; 32]);
        for (root, uid) in [(&root(), 2), (&other, 1)] {
            assert_ne!(root.wrap(uid), self::root().wrap(1));
            assert_ne!(root.auth(uid), self::root().auth(1));
            assert_ne!(root.check(uid), self::root().check(1));
        }
    }

    #[test]
    fn generated_root_key_consists_of_the_given_random_bytes() {
        let mut filled = 0;
        let root = RootKey::generate(&mut |bytes| {
            filled += bytes.len();
            bytes.fill(9);
        });
        assert_eq!((filled, root), (32, RootKey::from_bytes([9; 32])));
    }
}
