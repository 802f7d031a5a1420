//! Encrypts and decrypts one object of the server with XChaCha20-Poly1305. [pure]
//!
//! Called by the key ring for records, and by join links for root keys.
//!
//! - The payload is `{"v":1,"k":kid,"n":nonce,"c":ciphertext}` with base64url without padding. `kid` is the key id.
//! - The associated data names the user, the list, the collection, the id and the key. A payload therefore cannot be
//!   opened in another place.
//! - Each part of the associated data has its length as a prefix (big-endian u32), so that two places never have equal
//!   associated data.
//! - A nonce is random: 24 bytes are enough to avoid collisions.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{AeadInOut as _, KeyInit as _, XChaCha20Poly1305, XNonce};
use serde::{Deserialize, de::IgnoredAny};
use zeroize::Zeroizing;

use super::{
    padding::{pad, padded_len, unpad},
    secrets::SealingKey,
};

/// Maximum length of a payload on the server, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 2_621_440;

/// Length of a nonce, in bytes.
pub const NONCE_BYTES: usize = 24;

/// Protocol name, the first part of all associated data.
pub(super) const PROTOCOL: &str = "ashore-sync/1";

/// Version of the payload format.
const VERSION: u64 = 1;

/// Maximum length of a key id, in characters.
const LONGEST_KID: usize = 64;

/// Length of the tag after the ciphertext, in bytes.
const TAG: usize = 16;

/// Reason why an object could not be sealed or opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealFault {
    /// The payload is longer than [`MAX_PAYLOAD_BYTES`].
    #[error("the payload is too large")]
    TooLarge,
    /// The text is not a sealed object.
    #[error("the payload is not a sealed object")]
    NotAnEnvelope,
    /// A newer version of Ashore wrote the object. The value is the format version.
    #[error("the payload has the newer version {0}")]
    Newer(u64),
    /// The object was sealed with a key that is not in the key ring. The value is the key id.
    #[error("the key {0} of the payload is unknown")]
    UnknownKey(String),
    /// The object was tampered with, was sealed for another place, or was sealed with another key.
    #[error("the payload was changed or belongs to another object")]
    Tampered,
    /// The decrypted content has no valid padding.
    #[error("the padding of the payload is not valid")]
    Padding,
}

/// Place of an object on the server. An object cannot be opened in another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace<'a> {
    /// User.
    pub uid: i64,
    /// Id of the download list, from `meta/global`.
    pub sync_id: &'a str,
    /// Collection.
    pub collection: &'a str,
    /// Id of the object in its collection.
    pub id: &'a str,
}

/// Payload as it is stored on the server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    #[serde(rename = "v")]
    _version: IgnoredAny,
    k: &'a str,
    n: &'a str,
    c: &'a str,
}

/// Format version. Read before the other fields, because a newer version may have changed those.
#[derive(Deserialize)]
struct EnvelopeVersion {
    v: u64,
}

/// Encrypts the content of an object. Returns the payload.
///
/// `nonce` must be random, and must be used only once. Fails with `TooLarge`, or with `UnknownKey` if the key id is not
/// valid.
pub fn seal_record(
    key: &SealingKey,
    kid: &str,
    place: &RecordPlace<'_>,
    content: &[u8],
    nonce: [u8; NONCE_BYTES],
) -> Result<String, SealFault> {
    seal(key, kid, &place.associated_data(kid), content, nonce)
}

/// Decrypts the payload of an object. Returns the content.
///
/// `key` returns the key for a key id. Fails with any [`SealFault`].
pub fn open_record<'k>(
    key: impl FnOnce(&str) -> Option<&'k SealingKey>,
    place: &RecordPlace<'_>,
    payload: &str,
) -> Result<Zeroizing<Vec<u8>>, SealFault> {
    open(key, |kid| place.associated_data(kid), payload)
}

/// Returns the key id of a payload without opening it.
///
/// The key id is not authenticated: anyone who can write to the server can change it. Fails with `TooLarge`,
/// `NotAnEnvelope` or `Newer`.
pub fn kid_of_payload(payload: &str) -> Result<&str, SealFault> {
    read_envelope(payload).map(|envelope| envelope.k)
}

impl RecordPlace<'_> {
    fn associated_data(&self, kid: &str) -> Vec<u8> {
        let uid = self.uid.to_string();
        length_prefixed(&[PROTOCOL, &uid, self.sync_id, self.collection, self.id, kid])
    }
}

/// Encrypts content with the given associated data. Returns the payload.
pub(super) fn seal(
    key: &SealingKey,
    kid: &str,
    associated_data: &[u8],
    content: &[u8],
    nonce: [u8; NONCE_BYTES],
) -> Result<String, SealFault> {
    if !is_kid(kid) {
        return Err(SealFault::UnknownKey(kid.to_owned()));
    }
    if padded_len(content.len()) > MAX_PAYLOAD_BYTES {
        return Err(SealFault::TooLarge);
    }
    let mut buffer = pad(content, TAG).ok_or(SealFault::TooLarge)?;
    let cipher = XChaCha20Poly1305::new(key.bytes().into());
    let nonce = XNonce::from(nonce);
    cipher.encrypt_in_place(&nonce, associated_data, &mut *buffer).map_err(|_| SealFault::TooLarge)?;
    let (nonce, text) = (URL_SAFE_NO_PAD.encode(nonce), URL_SAFE_NO_PAD.encode(&*buffer));
    let payload = format!(r#"{{"v":{VERSION},"k":"{kid}","n":"{nonce}","c":"{text}"}}"#);
    if payload.len() > MAX_PAYLOAD_BYTES { Err(SealFault::TooLarge) } else { Ok(payload) }
}

/// Decrypts a payload. Calls `key` and `associated_data` with the key id of the payload.
pub(super) fn open<'k>(
    key: impl FnOnce(&str) -> Option<&'k SealingKey>,
    associated_data: impl FnOnce(&str) -> Vec<u8>,
    payload: &str,
) -> Result<Zeroizing<Vec<u8>>, SealFault> {
    let envelope = read_envelope(payload)?;
    let nonce = URL_SAFE_NO_PAD.decode(envelope.n).map_err(|_| SealFault::NotAnEnvelope)?;
    let nonce = XNonce::try_from(nonce.as_slice()).map_err(|_| SealFault::NotAnEnvelope)?;
    let mut buffer = Zeroizing::new(URL_SAFE_NO_PAD.decode(envelope.c).map_err(|_| SealFault::NotAnEnvelope)?);
    let key = key(envelope.k).ok_or_else(|| SealFault::UnknownKey(envelope.k.to_owned()))?;
    let cipher = XChaCha20Poly1305::new(key.bytes().into());
    cipher.decrypt_in_place(&nonce, &associated_data(envelope.k), &mut *buffer).map_err(|_| SealFault::Tampered)?;
    unpad(buffer).ok_or(SealFault::Padding)
}

/// Joins texts, each with its length as a prefix (big-endian u32).
pub(super) fn length_prefixed(parts: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(parts.iter().map(|part| part.len() + 4).sum());
    for part in parts {
        // Texts of the protocol are far below 4 GiB: ids and names have at most 64 characters.
        bytes.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

fn read_envelope(payload: &str) -> Result<Envelope<'_>, SealFault> {
    if payload.len() > MAX_PAYLOAD_BYTES {
        return Err(SealFault::TooLarge);
    }
    let EnvelopeVersion { v } = serde_json::from_str(payload).map_err(|_| SealFault::NotAnEnvelope)?;
    if v > VERSION {
        return Err(SealFault::Newer(v));
    }
    let envelope: Envelope<'_> = serde_json::from_str(payload).map_err(|_| SealFault::NotAnEnvelope)?;
    if v == VERSION && is_kid(envelope.k) { Ok(envelope) } else { Err(SealFault::NotAnEnvelope) }
}

/// Whether a key id is short, and needs no escapes in the JSON of a payload.
fn is_kid(text: &str) -> bool {
    let is_meant = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-');
    (1..=LONGEST_KID).contains(&text.len()) && text.bytes().all(is_meant)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Expected values were computed in Python with a hand-written HChaCha20, and ChaCha20-Poly1305 from the package
    /// `cryptography`.
    const PAYLOAD: &str = concat!(
        r#"{"v":1,"k":"k1k1k1k1","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":"8Qxz4iDSgDOPfhLxzIz5MFAuEwArLe-D6Mf1DEJVDcgA"#,
        r#"PBB9K22ffTHT4Uluk15awRGqFKw7pHCu5JdXfWaUPUHg4oRi27xlxXIZmeSuyb5LV8kLpRw8-gTXFBUWppGKQosDKflDCsYD5HbWd6OresEAyj"#,
        r#"O2D3JGmpu_sytZNZdGSigtdX_R05s50AJVT4KuXZrJ51Uowh343K_Gd9bR2eVlyWtHcfXuSKx67Ci-mzhOOSo7HPLEQd5r15ueu3WqBLmqzrmR"#,
        r#"BbsCv7H5AK_js6fFFqev7Y7Si5CwzU7B_1utaMTc89ysp2pLuWKby0nyS4OQEjtiNHuF9o0OLhQDT4ADRxlw2JTbrSFljmAmHfL9ZXRKZszfod"#,
        r#"40pQ3Fo_TPfT4XRd6VBDbvSGMGkeGvJbjAafBJcFL6JPZtXlB-h0hGeVleAtQKPnxQZH8Q1YKS69GvOajkGGAFvbQLLg3mUe4J8Iz4vp0ghRSZ"#,
        r#"TzVjt9cQrwht6je2elayQfekQbf27fdQs-LfVXyeO40QjEgLocIENYwnPwOaIW9OOUGfp0RmQQmY9iJMEAgG-K7PBkQP77FEc3ECKPNBrSjHTD"#,
        r#"Fr-oViTchMZrZesfZSrwz5a0xJI8itzY0h0J16ReFF5JafSnXN_pbkIldtF3ATEcEtpyfeLL5cFuXrSH_f__NZlR1A-C6tW8cwQcCHvBx0SELh"#,
        r#""}"#,
    );
    const CONTENT: &[u8] = br#"{"title":"debian.iso"}"#;
    const KID: &str = "k1k1k1k1";
    const PLACE: RecordPlace<'_> =
        RecordPlace { uid: 1_234_567_890, sync_id: "c3luY2lkc3luY2lk", collection: "dl-items", id: "aWRpZGlkaWRpZGlk" };

    fn key() -> SealingKey {
        SealingKey::from_bytes(std::array::from_fn(|at| 0x80 + at as u8))
    }

    fn sealed() -> String {
        seal_record(&key(), KID, &PLACE, CONTENT, std::array::from_fn(|at| 0x40 + at as u8)).unwrap()
    }

    fn open_with(key: &SealingKey, place: &RecordPlace<'_>, payload: &str) -> Result<Vec<u8>, SealFault> {
        open_record(|kid| (kid == KID).then_some(key), place, payload).map(|content| content.to_vec())
    }

    #[test]
    fn sealed_record_matches_independent_test_vector() {
        assert_eq!(sealed(), PAYLOAD);
        assert_eq!(sealed().len(), 772);
        assert_eq!(open_with(&key(), &PLACE, PAYLOAD).unwrap(), CONTENT);
        assert_eq!(kid_of_payload(PAYLOAD), Ok(KID));
    }

    #[test]
    fn sealed_record_opens_only_for_its_user_and_collection_and_id() {
        let sealed = sealed();
        assert_eq!(open_with(&key(), &PLACE, &sealed).unwrap(), CONTENT);
        let places = [
            RecordPlace { uid: 1_234_567_891, ..PLACE },
            RecordPlace { sync_id: "c3luY2lkc3luY2lj", ..PLACE },
            RecordPlace { collection: "dl-parts", ..PLACE },
            RecordPlace { id: "aWRpZGlkaWRpZGlj", ..PLACE },
            // When joined, the parts of this place form the same text as those of `PLACE`. Only the boundary between
            // two parts differs.
            RecordPlace { collection: "dl-itemsa", id: "WRpZGlkaWRpZGlk", ..PLACE },
        ];
        for place in places {
            assert_eq!(open_with(&key(), &place, &sealed), Err(SealFault::Tampered), "{place:?}");
        }
        assert_eq!(open_with(&SealingKey::from_bytes([1; 32]), &PLACE, &sealed), Err(SealFault::Tampered));
    }

    #[test]
    fn record_whose_key_id_was_changed_cannot_be_decrypted_with_any_key() {
        let renamed = sealed().replace(KID, "k2k2k2k2");
        assert_eq!(open_with(&key(), &PLACE, &renamed), Err(SealFault::UnknownKey("k2k2k2k2".to_owned())));
        let key = key();
        assert_eq!(open_record(|_| Some(&key), &PLACE, &renamed).err(), Some(SealFault::Tampered));
    }

    #[test]
    fn payload_with_any_flipped_bit_is_refused() {
        let sealed = sealed();
        assert!(open_with(&key(), &PLACE, &sealed).is_ok());
        for at in 0..sealed.len() {
            for bit in 0..8 {
                let mut bytes = sealed.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                if let Ok(text) = std::str::from_utf8(&bytes) {
                    assert!(open_with(&key(), &PLACE, text).is_err(), "bit {bit} of byte {at}");
                }
            }
        }
    }

    #[test]
    fn every_truncated_payload_is_refused() {
        for length in 0..PAYLOAD.len() {
            assert_eq!(open_with(&key(), &PLACE, &PAYLOAD[..length]), Err(SealFault::NotAnEnvelope), "{length}");
        }
        let text = r#"{"v":1,"k":"k1k1k1k1","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":""}"#;
        assert_eq!(open_with(&key(), &PLACE, text), Err(SealFault::Tampered));
    }

    #[test]
    fn malformed_payload_is_not_an_envelope() {
        let kid = "k".repeat(LONGEST_KID + 1);
        for text in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"v":0,"k":"a","n":"","c":""}"#,
            r#"{"v":-1,"k":"a","n":"","c":""}"#,
            r#"{"v":"1","k":"a","n":"","c":""}"#,
            r#"{"v":1,"k":"","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":""}"#,
            r#"{"v":1,"k":"a b","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":""}"#,
            r#"{"v":1,"k":"a","n":"QEFC","c":""}"#,
            r#"{"v":1,"k":"a","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":"A"}"#,
            r#"{"v":1,"k":"a","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":"AA=="}"#,
            r#"{"v":1,"v":1,"k":"a","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":""}"#,
            r#"{"v":1,"k":"a","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":"","x":1}"#,
            &format!(r#"{{"v":1,"k":"{kid}","n":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZX","c":""}}"#),
        ] {
            assert_eq!(open_with(&key(), &PLACE, text), Err(SealFault::NotAnEnvelope), "{text}");
        }
    }

    #[test]
    fn newer_payload_is_reported_with_its_version() {
        assert_eq!(open_with(&key(), &PLACE, r#"{"x":[1],"v":2}"#), Err(SealFault::Newer(2)));
        assert_eq!(kid_of_payload(r#"{"v":7,"k":1}"#), Err(SealFault::Newer(7)));
    }

    #[test]
    fn oversized_payload_is_refused_before_decoding() {
        let payload = format!("{}{}", PAYLOAD, " ".repeat(MAX_PAYLOAD_BYTES - PAYLOAD.len()));
        assert_eq!(open_with(&key(), &PLACE, &payload).unwrap(), CONTENT);
        assert_eq!(open_with(&key(), &PLACE, &(payload + " ")), Err(SealFault::TooLarge));
        for length in [1_933_308, 1_933_309, MAX_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES + 1] {
            let outcome = seal_record(&key(), KID, &PLACE, &vec![0; length], [0; NONCE_BYTES]);
            assert_eq!(outcome.as_ref().err(), (length > 1_933_308).then_some(&SealFault::TooLarge), "{length}");
            assert!(outcome.is_err() || outcome.is_ok_and(|payload| payload.len() <= MAX_PAYLOAD_BYTES));
        }
    }

    #[test]
    fn content_without_valid_padding_is_refused() {
        let cipher = XChaCha20Poly1305::new(key().bytes().into());
        let mut buffer = vec![0, 0, 0, 9, 1];
        let nonce = XNonce::from([5; NONCE_BYTES]);
        cipher.encrypt_in_place(&nonce, &PLACE.associated_data(KID), &mut buffer).unwrap();
        let (nonce, text) = (URL_SAFE_NO_PAD.encode(nonce), URL_SAFE_NO_PAD.encode(buffer));
        let payload = format!(r#"{{"v":1,"k":"{KID}","n":"{nonce}","c":"{text}"}}"#);
        assert_eq!(open_with(&key(), &PLACE, &payload), Err(SealFault::Padding));
    }

    proptest! {
        #[test]
        fn any_content_survives_round_trip(content: Vec<u8>, nonce: [u8; NONCE_BYTES]) {
            let payload = seal_record(&key(), KID, &PLACE, &content, nonce).unwrap();
            prop_assert_eq!(open_with(&key(), &PLACE, &payload), Ok(content));
        }

        #[test]
        fn opening_any_text_never_panics(text: String, k: String, n: String, c: String) {
            prop_assert!(open_with(&key(), &PLACE, &text).is_err());
            let text = serde_json::json!({ "v": 1, "k": k, "n": n, "c": c }).to_string();
            prop_assert!(open_with(&key(), &PLACE, &text).is_err());
        }
    }
}
