//! Encrypts a new root key to the devices that remain after a removal: `crypto/root-N`. [pure]
//!
//! Called by the removal of a device, and by the sync cycle of the remaining devices.
//!
//! - N is the generation of the new root key. Objects of earlier generations are kept. A device that was off during
//!   several removals opens them one after another.
//! - The new root key is encrypted to each device with X25519, as in HPKE, RFC 9180, mode PSK. The sender uses a new
//!   key pair for each device.
//! - The encryption key also depends on the previous root key. The server therefore cannot forge a root key, even if it
//!   knows the public keys.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{AeadInOut as _, KeyInit as _, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{
    device_key::{DeviceKey, DeviceKeyFault, DevicePublicKey},
    root_key::RootKey,
    sealing::{MAX_PAYLOAD_BYTES, NONCE_BYTES, PROTOCOL, length_prefixed},
    secrets::derive,
};

/// Info texts of HKDF. The first is for the part of the key that depends on the previous root key. The second is for
/// the key of one device.
const RENEW_INFO: &str = "ashore-sync/1/renew";
const ROOT_INFO: &[u8] = b"ashore-sync/1/root";

/// Purpose in the associated data.
const PURPOSE: &str = "root";

/// Version of the content of `crypto/root-N`.
const VERSION: u64 = 1;

/// Lengths of a key and of a tag, in bytes.
const KEY: usize = 32;
const TAG: usize = 16;

/// Length of a sealed root key in bytes: public key, encrypted root key, tag.
const SEALED: usize = KEY + KEY + TAG;

/// Step from one generation of a download list's root key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenewalStep<'a> {
    /// User.
    pub uid: i64,
    /// Id of the download list, from `meta/global`.
    pub sync_id: &'a str,
    /// Generation of the new root key.
    pub generation: u64,
    /// Root key of the previous generation.
    pub previous: &'a RootKey,
}

/// Content of `crypto/root-N`: the new root key, encrypted to each remaining device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRenewal {
    generation: u64,
    sealed: BTreeMap<String, String>,
}

/// Content of the object `crypto/root-N`, as JSON.
#[derive(Serialize, Deserialize)]
struct RenewalContent {
    v: u64,
    #[serde(rename = "gen")]
    generation: u64,
    roots: BTreeMap<String, String>,
}

impl RenewalStep<'_> {
    /// Encrypts the root key to one device. Returns the text that the object contains for this device.
    ///
    /// The random bytes become a private key for this text only. Fails with `PrivateKey` or `PublicKey`.
    pub fn seal_root_to(
        &self,
        device: &str,
        public: &DevicePublicKey,
        root: &RootKey,
        random: [u8; KEY],
    ) -> Result<String, DeviceKeyFault> {
        let ephemeral = DeviceKey::from_bytes(random)?;
        let shared = ephemeral.agree(public)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(SEALED));
        bytes.extend_from_slice(root.bytes());
        let (cipher, nonce) = self.cipher(&shared, &ephemeral.public(), public);
        let sealed = cipher.encrypt_in_place(&nonce, &self.associated_data(device), &mut *bytes);
        // Cannot fail: the text is short.
        sealed.map_err(|_| DeviceKeyFault::Tampered)?;
        Ok(URL_SAFE_NO_PAD.encode([ephemeral.public().bytes(), bytes.as_slice()].concat()))
    }

    /// Decrypts the text for `device` with its key pair `own`. Returns the new root key.
    ///
    /// Fails with `Tampered` if the text was changed, has another form, or contains a public key of low order.
    pub fn open_root_from(&self, device: &str, own: &DeviceKey, text: &str) -> Result<RootKey, DeviceKeyFault> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() == SEALED);
        let bytes = bytes.ok_or(DeviceKeyFault::Tampered)?;
        let (sender, sealed) = bytes.split_first_chunk::<KEY>().ok_or(DeviceKeyFault::Tampered)?;
        let sender = DevicePublicKey::from_bytes(*sender).map_err(|_| DeviceKeyFault::Tampered)?;
        let shared = own.agree(&sender).map_err(|_| DeviceKeyFault::Tampered)?;
        let mut bytes = Zeroizing::new(sealed.to_vec());
        let (cipher, nonce) = self.cipher(&shared, &sender, &own.public());
        let opened = cipher.decrypt_in_place(&nonce, &self.associated_data(device), &mut *bytes);
        opened.map_err(|_| DeviceKeyFault::Tampered)?;
        bytes.as_slice().try_into().map(RootKey::from_bytes).map_err(|_| DeviceKeyFault::Tampered)
    }

    /// Derives the cipher and the nonce for one text. Both are unique, because the sender has a new key pair for each
    /// text.
    fn cipher(&self, shared: &[u8; KEY], from: &DevicePublicKey, to: &DevicePublicKey) -> (XChaCha20Poly1305, XNonce) {
        let previous = derive(self.previous.bytes(), self.uid, RENEW_INFO);
        let secrets = Zeroizing::new([*shared, *previous.bytes()]);
        let salt = [*from.bytes(), *to.bytes()];
        let mut derived = Zeroizing::new([0; KEY + NONCE_BYTES]);
        let outcome = Hkdf::<Sha256>::new(Some(salt.as_flattened()), secrets.as_flattened()).expand(ROOT_INFO, &mut *derived);
        // HKDF-SHA256 fails only for more than 8,160 bytes (RFC 5869, section 2.3).
        debug_assert!(outcome.is_ok());
        let (mut key, mut nonce) = (Zeroizing::new([0; KEY]), [0; NONCE_BYTES]);
        key.copy_from_slice(&derived[..KEY]);
        nonce.copy_from_slice(&derived[KEY..]);
        (XChaCha20Poly1305::new((&*key).into()), XNonce::from(nonce))
    }

    fn associated_data(&self, device: &str) -> Vec<u8> {
        let (uid, generation) = (self.uid.to_string(), self.generation.to_string());
        length_prefixed(&[PROTOCOL, PURPOSE, &uid, self.sync_id, &generation, device])
    }
}

impl RootRenewal {
    /// Encrypts a root key to each remaining device.
    ///
    /// `devices` contains ids and public keys. `random` fills 32 bytes for each device. Fails with `PrivateKey` or
    /// `PublicKey`.
    pub fn seal<'a>(
        step: &RenewalStep<'_>,
        root: &RootKey,
        devices: impl IntoIterator<Item = (&'a str, DevicePublicKey)>,
        random: &mut dyn FnMut(&mut [u8]),
    ) -> Result<Self, DeviceKeyFault> {
        let mut sealed = BTreeMap::new();
        for (device, public) in devices {
            let mut private = Zeroizing::new([0; KEY]);
            random(&mut *private);
            sealed.insert(device.to_owned(), step.seal_root_to(device, &public, root, *private)?);
        }
        Ok(Self { generation: step.generation, sealed })
    }

    /// Decrypts the root key for one device.
    ///
    /// Fails with `NotARenewal` if the generation of the content is not that of the step, or with `NotAddressed` or
    /// `Tampered`.
    pub fn open(&self, step: &RenewalStep<'_>, device: &str, own: &DeviceKey) -> Result<RootKey, DeviceKeyFault> {
        if self.generation != step.generation {
            return Err(DeviceKeyFault::NotARenewal);
        }
        step.open_root_from(device, own, self.sealed.get(device).ok_or(DeviceKeyFault::NotAddressed)?)
    }

    /// Returns the id of the object in `crypto`.
    pub fn record_id(generation: u64) -> String {
        format!("root-{generation}")
    }

    /// Returns the generation of the new root key.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the ids of the devices that receive the root key.
    pub fn devices(&self) -> impl Iterator<Item = &str> {
        self.sealed.keys().map(String::as_str)
    }

    /// Returns the payload of the object.
    pub fn write(&self) -> String {
        let content = RenewalContent { v: VERSION, generation: self.generation, roots: self.sealed.clone() };
        // Cannot fail: the content has only texts and numbers.
        serde_json::to_string(&content).unwrap_or_default()
    }

    /// Reads the payload of the object. Fails with `NotARenewal` or `Newer`.
    pub fn read(payload: &str) -> Result<Self, DeviceKeyFault> {
        /// Format version. Read before the other fields, because a newer version may have changed those.
        #[derive(Deserialize)]
        struct ContentVersion {
            v: u64,
        }
        if payload.len() > MAX_PAYLOAD_BYTES {
            return Err(DeviceKeyFault::NotARenewal);
        }
        let ContentVersion { v } = serde_json::from_str(payload).map_err(|_| DeviceKeyFault::NotARenewal)?;
        if v > VERSION {
            return Err(DeviceKeyFault::Newer(v));
        }
        let content: RenewalContent = serde_json::from_str(payload).map_err(|_| DeviceKeyFault::NotARenewal)?;
        let is_valid = content.v == VERSION && content.generation > 1;
        if is_valid {
            Ok(Self { generation: content.generation, sealed: content.roots })
        } else {
            Err(DeviceKeyFault::NotARenewal)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected value was computed in Python with `hmac`, a hand-written HChaCha20, and X25519 and ChaCha20-Poly1305
    /// from the package `cryptography`.
    const SEALED_TEXT: &str = concat!(
        "Z13VdO13iTELPS52gfN5C0ZsdzsVIf7PNld5WDcepS8vqpLJ9VHMzf5Dy91rzBukGLrzn8N5WF0lNe6xSSw2XGH8IXN5lTNjxuCC",
        "QjisPV4",
    );
    const DEVICE: &str = "ZGV2aWNlZGV2";

    fn previous() -> RootKey {
        RootKey::from_bytes([0xA7; 32])
    }

    fn root() -> RootKey {
        RootKey::from_bytes([0xB8; 32])
    }

    fn step(previous: &RootKey) -> RenewalStep<'_> {
        RenewalStep { uid: 1_234_567_890, sync_id: "c3luY2lkc3luY2lk", generation: 2, previous }
    }

    fn own() -> DeviceKey {
        DeviceKey::from_bytes(std::array::from_fn(|at| 0x20 + at as u8)).unwrap()
    }

    fn random() -> [u8; 32] {
        std::array::from_fn(|at| 0x60 + at as u8)
    }

    #[test]
    fn sealed_root_key_matches_independent_test_vector() {
        let text = step(&previous()).seal_root_to(DEVICE, &own().public(), &root(), random()).unwrap();
        assert_eq!(text, SEALED_TEXT);
        assert_eq!(step(&previous()).open_root_from(DEVICE, &own(), &text), Ok(root()));
    }

    #[test]
    fn encrypted_root_key_can_be_decrypted_only_for_its_own_renewal_step_and_device() {
        let (previous, other) = (previous(), root());
        let own = own();
        let text = &step(&previous).seal_root_to(DEVICE, &own.public(), &root(), random()).unwrap();
        assert_eq!(step(&previous).open_root_from(DEVICE, &own, text), Ok(root()));
        for (step, device) in [
            (RenewalStep { uid: 1, ..step(&previous) }, DEVICE),
            (RenewalStep { sync_id: "other", ..step(&previous) }, DEVICE),
            (RenewalStep { generation: 3, ..step(&previous) }, DEVICE),
            (RenewalStep { previous: &other, ..step(&previous) }, DEVICE),
            (step(&previous), "b3RoZXJvdGhl"),
        ] {
            assert_eq!(step.open_root_from(device, &own, text), Err(DeviceKeyFault::Tampered), "{step:?}");
        }
        let stranger = DeviceKey::from_bytes([9; 32]).unwrap();
        assert_eq!(step(&previous).open_root_from(DEVICE, &stranger, text), Err(DeviceKeyFault::Tampered));
    }

    #[test]
    fn sealed_root_key_with_any_flipped_bit_is_refused() {
        let (previous, own) = (previous(), own());
        for at in 0..SEALED {
            for bit in 0..8 {
                let mut bytes = URL_SAFE_NO_PAD.decode(SEALED_TEXT).unwrap();
                bytes[at] ^= 1 << bit;
                let text = URL_SAFE_NO_PAD.encode(bytes);
                assert_eq!(step(&previous).open_root_from(DEVICE, &own, &text), Err(DeviceKeyFault::Tampered), "{at} {bit}");
            }
        }
        for text in ["", "A", "AA==", &SEALED_TEXT[4..], &format!("AAAA{SEALED_TEXT}"), &"A".repeat(107)] {
            assert_eq!(step(&previous).open_root_from(DEVICE, &own, text), Err(DeviceKeyFault::Tampered), "{text}");
        }
    }

    #[test]
    fn renewal_reaches_only_remaining_devices() {
        let keys: Vec<DeviceKey> = (1..4).map(|byte| DeviceKey::from_bytes([byte; 32]).unwrap()).collect();
        let ids = ["a", "b", "removed"];
        let (previous, mut next) = (previous(), 0_u8);
        let remaining = ids[..2].iter().copied().zip(keys.iter().map(DeviceKey::public));
        let renewal = RootRenewal::seal(&step(&previous), &root(), remaining, &mut |bytes| {
            next += 1;
            bytes.fill(next);
        });
        let renewal = RootRenewal::read(&renewal.unwrap().write()).unwrap();
        assert_eq!((renewal.generation(), renewal.devices().collect::<Vec<_>>()), (2, vec!["a", "b"]));
        for at in 0..2 {
            assert_eq!(renewal.open(&step(&previous), ids[at], &keys[at]), Ok(root()));
        }
        assert_eq!(renewal.open(&step(&previous), "a", &keys[2]), Err(DeviceKeyFault::Tampered));
        assert_eq!(renewal.open(&step(&previous), "removed", &keys[2]), Err(DeviceKeyFault::NotAddressed));
        let later = RenewalStep { generation: 3, ..step(&previous) };
        assert_eq!(renewal.open(&later, "a", &keys[0]), Err(DeviceKeyFault::NotARenewal));
        assert_eq!(RootRenewal::record_id(2), "root-2");
    }

    #[test]
    fn written_renewal_has_fixed_format() {
        let sealed = BTreeMap::from([("a".to_owned(), "x".to_owned())]);
        let renewal = RootRenewal { generation: 2, sealed };
        assert_eq!(renewal.write(), r#"{"v":1,"gen":2,"roots":{"a":"x"}}"#);
        for (text, fault) in [
            ("", DeviceKeyFault::NotARenewal),
            ("{}", DeviceKeyFault::NotARenewal),
            (r#"{"v":0,"gen":2,"roots":{}}"#, DeviceKeyFault::NotARenewal),
            (r#"{"v":1,"gen":1,"roots":{}}"#, DeviceKeyFault::NotARenewal),
            (r#"{"v":1,"gen":2,"roots":{"a":1}}"#, DeviceKeyFault::NotARenewal),
            (r#"{"v":2}"#, DeviceKeyFault::Newer(2)),
        ] {
            assert_eq!(RootRenewal::read(text), Err(fault), "{text}");
        }
        assert_eq!(RootRenewal::read(&" ".repeat(MAX_PAYLOAD_BYTES + 1)), Err(DeviceKeyFault::NotARenewal));
    }
}
