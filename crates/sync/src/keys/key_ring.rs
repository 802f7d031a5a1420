//! Holds the content of `crypto/keys`: the keys of all records. [pure]
//!
//! Called by the sync cycle, and by the set-up or removal of a device, which write a new key ring.
//!
//! - The object is sealed with a key derived from the root key. The key id `root-N` contains the generation N of the
//!   root key.
//! - Old keys stay, because records are encrypted again only when they change.
//! - Unknown fields are kept and written back, so that an older version does not lose the data of a newer version.

use std::{collections::BTreeMap, fmt};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{
    Deserialize, Deserializer as _, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
    ser::SerializeMap as _,
};
use serde_json::{Map, Value};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{
    root_key::RootKey,
    sealing::{NONCE_BYTES, RecordPlace, SealFault, kid_of_payload, open_record, seal_record},
    secrets::SealingKey,
};

/// Collection and id of the object.
const COLLECTION: &str = "crypto";
const ID: &str = "keys";

/// Prefix of the key id of a root key. The generation of the root key follows.
const ROOT_KID: &str = "root-";

/// Lengths of derived and of random record ids, in bytes before the base64url encoding.
const DERIVED_ID: usize = 16;
const RANDOM_ID: usize = 12;

/// Largest number that a key id of 6 bytes can hold.
const LARGEST_KID: u64 = (1 << 48) - 1;

/// Keys of all records of a download list.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRing {
    generation: u64,
    sync_id: String,
    keys: BTreeMap<String, SealingKey>,
    kid: String,
    id_key: SealingKey,
    other: Map<String, Value>,
}

/// Reason why a key ring could not be opened or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyRingFault {
    /// The object could not be sealed or opened.
    #[error(transparent)]
    Seal(#[from] SealFault),
    /// The decrypted content is not a key ring of this list and generation.
    #[error("the content of crypto/keys is not valid")]
    NotAKeyRing,
    /// The object is from an earlier generation than this machine has accepted. Such an object is never opened.
    #[error("crypto/keys is of the earlier generation {0}")]
    Older(u64),
}

impl KeyRing {
    /// Returns the first key ring of a new list, with random keys and a random sync id.
    pub fn create(random: &mut dyn FnMut(&mut [u8])) -> Self {
        let mut sync_id = [0; RANDOM_ID];
        random(&mut sync_id);
        let id_key = SealingKey::generate(random);
        let (sync_id, kid) = (random_record_id(sync_id), String::new());
        let empty = Self { generation: 0, sync_id, keys: BTreeMap::new(), kid, id_key, other: Map::new() };
        empty.rotated(random)
    }

    /// Returns the next generation of the key ring, which has a new key for new records and still contains the old
    /// keys.
    ///
    /// The caller seals the new key ring with the root key of the new generation.
    pub fn rotated(&self, random: &mut dyn FnMut(&mut [u8])) -> Self {
        let mut bytes = [0; 8];
        random(&mut bytes[2..]);
        let mut number = u64::from_be_bytes(bytes);
        // Do not reuse a key id: the new key would replace the old key, and the records of the old key would be lost.
        while self.keys.contains_key(&kid_from_number(number)) {
            number = (number + 1) & LARGEST_KID;
        }
        let mut next = self.clone();
        next.generation = self.generation.saturating_add(1);
        next.kid = kid_from_number(number);
        next.keys.insert(next.kid.clone(), SealingKey::generate(random));
        next
    }

    /// Returns the generation of the root key that seals the object.
    ///
    /// The number is not authenticated: anyone who can write to the server can change it. Fails with `TooLarge`,
    /// `NotAnEnvelope` or `Newer`.
    pub fn generation_of_payload(payload: &str) -> Result<u64, SealFault> {
        generation_from_kid(kid_of_payload(payload)?).ok_or(SealFault::NotAnEnvelope)
    }

    /// Decrypts the object. `root` is the root key of `generation`, and `sync_id` comes from `meta/global`.
    ///
    /// Fails with any [`SealFault`], such as `UnknownKey` if another generation of the root key sealed the object.
    /// Fails with `NotAKeyRing` if the content is not valid.
    pub fn open(root: &RootKey, generation: u64, uid: i64, sync_id: &str, payload: &str) -> Result<Self, KeyRingFault> {
        let wrap = root.wrap(uid);
        let place = RecordPlace { uid, sync_id, collection: COLLECTION, id: ID };
        let content = open_record(|kid| (kid == root_kid(generation)).then_some(&wrap), &place, payload)?;
        let ring = Self::read(&content).ok_or(KeyRingFault::NotAKeyRing)?;
        let is_meant = ring.sync_id == sync_id && ring.generation == generation;
        if is_meant { Ok(ring) } else { Err(KeyRingFault::NotAKeyRing) }
    }

    /// Encrypts the object. `root` is the root key of [`Self::generation`]. Fails with `TooLarge`.
    pub fn seal(&self, root: &RootKey, uid: i64, nonce: [u8; NONCE_BYTES]) -> Result<String, KeyRingFault> {
        let content = self.write().ok_or(KeyRingFault::NotAKeyRing)?;
        let place = RecordPlace { uid, sync_id: &self.sync_id, collection: COLLECTION, id: ID };
        Ok(seal_record(&root.wrap(uid), &root_kid(self.generation), &place, &content, nonce)?)
    }

    /// Returns the generation of the root key, from 1.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the id of the list, which `meta/global` contains unencrypted.
    pub fn sync_id(&self) -> &str {
        &self.sync_id
    }

    /// Returns the id of the key for new records.
    pub fn kid_in_use(&self) -> &str {
        &self.kid
    }

    /// Returns the ids of all keys in alphabetical order.
    pub fn kids(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }

    /// Encrypts a record with the key in use. Returns its payload. Fails with `TooLarge`.
    pub fn seal_record(
        &self,
        uid: i64,
        collection: &str,
        id: &str,
        content: &[u8],
        nonce: [u8; NONCE_BYTES],
    ) -> Result<String, SealFault> {
        let key = self.keys.get(&self.kid).ok_or_else(|| SealFault::UnknownKey(self.kid.clone()))?;
        seal_record(key, &self.kid, &self.place(uid, collection, id), content, nonce)
    }

    /// Decrypts the payload of a record. Returns its content. Fails with any [`SealFault`].
    pub fn open_record(&self, uid: i64, collection: &str, id: &str, payload: &str) -> Result<Zeroizing<Vec<u8>>, SealFault> {
        open_record(|kid| self.keys.get(kid), &self.place(uid, collection, id), payload)
    }

    /// Returns the record id that every device derives from `name`, for example from the name of a setting.
    ///
    /// The server cannot guess the name from the id.
    pub fn derived_record_id(&self, collection: &str, name: &str) -> String {
        // HMAC accepts keys of any length, so this conversion never fails.
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(self.id_key.bytes()) else { return String::new() };
        let digest = mac.chain_update(collection).chain_update([0_u8]).chain_update(name).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode(&digest[..DERIVED_ID])
    }

    fn place<'a>(&'a self, uid: i64, collection: &'a str, id: &'a str) -> RecordPlace<'a> {
        RecordPlace { uid, sync_id: &self.sync_id, collection, id }
    }

    fn write(&self) -> Option<Zeroizing<Vec<u8>>> {
        // Reserve enough memory at once: a growing buffer moves, and leaves a copy of the keys behind.
        let mut buffer = Zeroizing::new(Vec::with_capacity(4096 + 128 * self.keys.len()));
        let mut json = serde_json::Serializer::new(&mut *buffer);
        let mut map = json.serialize_map(None).ok()?;
        map.serialize_entry("gen", &self.generation).ok()?;
        map.serialize_entry("sync_id", &self.sync_id).ok()?;
        map.serialize_entry("keys", &KeyTexts(self.keys.clone())).ok()?;
        map.serialize_entry("kid", &self.kid).ok()?;
        map.serialize_entry("id_key", &KeyText(self.id_key.clone())).ok()?;
        for (name, value) in &self.other {
            map.serialize_entry(name, value).ok()?;
        }
        map.end().ok()?;
        Some(buffer)
    }

    fn read(content: &[u8]) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_slice(content);
        let ring = json.deserialize_map(KeyRingVisitor).ok()?;
        json.end().ok()?;
        let is_whole = ring.generation > 0 && !ring.sync_id.is_empty() && ring.keys.contains_key(&ring.kid);
        is_whole.then_some(ring)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kids: Vec<&str> = self.kids().collect();
        formatter.debug_struct("KeyRing").field("generation", &self.generation).field("kids", &kids).finish_non_exhaustive()
    }
}

/// Returns a record id of 12 random bytes. It never begins with `-`, which a command line would read as an option.
pub fn random_record_id(random: [u8; RANDOM_ID]) -> String {
    let id = URL_SAFE_NO_PAD.encode(random);
    id.strip_prefix('-').map(|rest| format!("_{rest}")).unwrap_or(id)
}

/// Reads the fields directly from the JSON, because collecting the fields first would leave copies of the keys in
/// memory.
struct KeyRingVisitor;

impl<'de> Visitor<'de> for KeyRingVisitor {
    type Value = KeyRing;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key ring")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<KeyRing, A::Error> {
        let (mut generation, mut sync_id, mut keys, mut kid, mut id_key) = (None, None, None, None, None);
        let mut other = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "gen" => generation = Some(map.next_value()?),
                "sync_id" => sync_id = Some(map.next_value()?),
                "keys" => keys = Some(map.next_value::<KeyTexts>()?.0),
                "kid" => kid = Some(map.next_value()?),
                "id_key" => id_key = Some(map.next_value::<KeyText>()?.0),
                _ => drop(other.insert(name, map.next_value()?)),
            }
        }
        let missing = A::Error::missing_field;
        Ok(KeyRing {
            generation: generation.ok_or_else(|| missing("gen"))?,
            sync_id: sync_id.ok_or_else(|| missing("sync_id"))?,
            keys: keys.ok_or_else(|| missing("keys"))?,
            kid: kid.ok_or_else(|| missing("kid"))?,
            id_key: id_key.ok_or_else(|| missing("id_key"))?,
            other,
        })
    }
}

struct KeyTexts(BTreeMap<String, SealingKey>);

impl Serialize for KeyTexts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kid, key)| (kid, KeyText(key.clone()))))
    }
}

impl<'de> Deserialize<'de> for KeyTexts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = BTreeMap::<String, KeyText>::deserialize(deserializer)?;
        Ok(Self(texts.into_iter().map(|(kid, key)| (kid, key.0)).collect()))
    }
}

struct KeyText(SealingKey);

impl Serialize for KeyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&Zeroizing::new(URL_SAFE_NO_PAD.encode(self.0.bytes())))
    }
}

impl<'de> Deserialize<'de> for KeyText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Base64url needs no escapes, so the text can always be borrowed from the JSON without a copy.
        let text = <&str>::deserialize(deserializer)?;
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(text).map_err(|_| D::Error::custom("a key is not base64url"))?);
        let key = bytes.as_slice().try_into().map_err(|_| D::Error::custom("a key has no 32 bytes"))?;
        Ok(Self(SealingKey::from_bytes(key)))
    }
}

fn root_kid(generation: u64) -> String {
    format!("{ROOT_KID}{generation}")
}

fn generation_from_kid(kid: &str) -> Option<u64> {
    let generation: u64 = kid.strip_prefix(ROOT_KID)?.parse().ok()?;
    // Accept only one spelling of each number, because `parse` also accepts leading zeros.
    (generation > 0 && root_kid(generation) == kid).then_some(generation)
}

/// Returns the key id for a 48-bit number, as 8 characters.
fn kid_from_number(number: u64) -> String {
    URL_SAFE_NO_PAD.encode(&number.to_be_bytes()[2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const UID: i64 = 1_234_567_890;
    const NONCE: [u8; NONCE_BYTES] = [3; NONCE_BYTES];
    const CONTENT: &str = concat!(
        r#"{"gen":1,"sync_id":"AQIDBAUGBwgJCgsM","keys":{"LS4vMDEy":"MzQ1Njc4OTo7PD0-P0BBQkNERUZHSElKS0xNTk9QUVI"},"#,
        r#""kid":"LS4vMDEy","id_key":"DQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKyw"}"#
    );

    /// Returns a source that fills buffers with the bytes 1, 2, 3 and so on.
    fn counter() -> impl FnMut(&mut [u8]) {
        let mut next = 0_u8;
        move |bytes: &mut [u8]| {
            bytes.fill_with(|| {
                next = next.wrapping_add(1);
                next
            });
        }
    }

    fn ring() -> KeyRing {
        KeyRing::create(&mut counter())
    }

    fn root() -> RootKey {
        RootKey::from_bytes([0xA7; 32])
    }

    fn open(payload: &str) -> Result<KeyRing, KeyRingFault> {
        KeyRing::open(&root(), 1, UID, "AQIDBAUGBwgJCgsM", payload)
    }

    fn sealed(content: &str) -> String {
        let place = RecordPlace { uid: UID, sync_id: "AQIDBAUGBwgJCgsM", collection: "crypto", id: "keys" };
        seal_record(&root().wrap(UID), "root-1", &place, content.as_bytes(), NONCE).unwrap()
    }

    #[test]
    fn written_key_ring_has_fixed_format() {
        assert_eq!(std::str::from_utf8(&ring().write().unwrap()).unwrap(), CONTENT);
        assert_eq!(open(&sealed(CONTENT)).unwrap(), ring());
        assert_eq!((ring().generation(), ring().sync_id(), ring().kid_in_use()), (1, "AQIDBAUGBwgJCgsM", "LS4vMDEy"));
    }

    #[test]
    fn key_ring_opens_only_for_its_owner() {
        let payload = ring().seal(&root(), UID, NONCE).unwrap();
        assert_eq!(payload, sealed(CONTENT));
        assert_eq!(open(&payload).unwrap(), ring());
        assert_eq!(KeyRing::generation_of_payload(&payload), Ok(1));
        let tampered = Err(KeyRingFault::Seal(SealFault::Tampered));
        let other = RootKey::from_bytes([1; 32]);
        assert_eq!(KeyRing::open(&other, 1, UID, ring().sync_id(), &payload), tampered);
        assert_eq!(KeyRing::open(&root(), 1, 2, ring().sync_id(), &payload), tampered);
        assert_eq!(KeyRing::open(&root(), 1, UID, "other", &payload), tampered);
        let unknown = Err(KeyRingFault::Seal(SealFault::UnknownKey("root-1".to_owned())));
        assert_eq!(KeyRing::open(&root(), 2, UID, ring().sync_id(), &payload), unknown);
        let renamed = payload.replace("root-1", "root-2");
        assert_eq!(KeyRing::open(&root(), 2, UID, ring().sync_id(), &renamed), tampered);
    }

    #[test]
    fn unknown_key_ring_fields_survive_write_and_rotation() {
        let content = CONTENT.replacen('{', r#"{"feeds":{"a":[1,null]},"#, 1);
        let rotated = open(&sealed(&content)).unwrap().rotated(&mut counter());
        let text = String::from_utf8(rotated.write().unwrap().to_vec()).unwrap();
        assert!(text.contains(r#""feeds":{"a":[1,null]}"#), "{text}");
        assert_eq!(KeyRing::read(text.as_bytes()).unwrap(), rotated);
    }

    #[test]
    fn invalid_key_ring_content_is_refused() {
        for content in [
            String::new(),
            "[]".to_owned(),
            format!("{CONTENT} {{}}"),
            CONTENT.replace(r#""gen":1"#, r#""gen":0"#),
            CONTENT.replace(r#""gen":1"#, r#""gen":2"#),
            CONTENT.replace("AQIDBAUGBwgJCgsM", ""),
            CONTENT.replace("AQIDBAUGBwgJCgsM", "AQIDBAUGBwgJCgsN"),
            CONTENT.replace(r#""kid":"LS4vMDEy""#, r#""kid":"LS4vMDEz""#),
            CONTENT.replace("MzQ1Njc4", "Mz"),
            CONTENT.replace("DQ4PEBES", "DQ4PEB$S"),
            CONTENT.replace(r#""id_key""#, r#""id""#),
        ] {
            assert_eq!(open(&sealed(&content)), Err(KeyRingFault::NotAKeyRing), "{content}");
        }
    }

    #[test]
    fn rotation_keeps_old_keys_but_encrypts_with_new_key() {
        let old = ring();
        let payload = old.seal_record(UID, "dl-items", "a", b"old", NONCE).unwrap();
        let new = old.rotated(&mut counter());
        assert_eq!((new.generation(), new.kids().count(), new.sync_id()), (2, 2, old.sync_id()));
        assert_eq!(*new.open_record(UID, "dl-items", "a", &payload).unwrap(), b"old");
        assert_eq!(new.derived_record_id("dl-prefs", "order"), old.derived_record_id("dl-prefs", "order"));
        let payload = new.seal_record(UID, "dl-items", "a", b"new", NONCE).unwrap();
        let unknown = SealFault::UnknownKey(new.kid_in_use().to_owned());
        assert_eq!(old.open_record(UID, "dl-items", "a", &payload), Err(unknown));
        assert_eq!(*new.open_record(UID, "dl-items", "a", &payload).unwrap(), b"new");
    }

    #[test]
    fn key_is_not_replaced_if_random_bytes_repeat() {
        let mut ring = KeyRing::create(&mut |bytes| bytes.fill(0xFF));
        for count in 2..6 {
            ring = ring.rotated(&mut |bytes| bytes.fill(0xFF));
            assert_eq!(ring.kids().count(), count);
        }
        assert_eq!(ring.kids().collect::<Vec<_>>(), ["AAAAAAAA", "AAAAAAAB", "AAAAAAAC", "AAAAAAAD", "________"]);
    }

    #[test]
    fn generation_of_root_key_is_read_from_its_key_id_only_if_that_id_is_valid() {
        for (kid, generation) in [
            ("root-1", Some(1)),
            ("root-12", Some(12)),
            ("root-0", None),
            ("root-01", None),
            ("root--1", None),
            ("root-", None),
            ("LS4vMDEy", None),
            ("root-99999999999999999999", None),
        ] {
            let payload = sealed(CONTENT).replace("root-1", kid);
            assert_eq!(KeyRing::generation_of_payload(&payload).ok(), generation, "{kid}");
        }
    }

    #[test]
    fn derived_record_ids_match_independent_test_vectors() {
        // Expected value was computed in Python with the module `hmac`.
        assert_eq!(ring().derived_record_id("dl-prefs", "language"), "3wGhLKWRrH088TNGqZR5ug");
        assert_eq!(ring().derived_record_id("dl-parts", "language"), "iZ2JeBPCNujIQZV_GHJc-Q");
        assert_ne!(ring().derived_record_id("ab", "c"), ring().derived_record_id("a", "bc"));
    }

    #[test]
    fn random_record_id_never_begins_with_hyphen() {
        // The first character encodes the first six bits.
        for first in 0..=u8::MAX {
            let mut random = [0xFB; RANDOM_ID];
            random[0] = first;
            assert!(!random_record_id(random).starts_with('-'), "{first}");
        }
        assert_eq!(random_record_id([0xFB; 12]), "__v7-_v7-_v7-_v7");
    }
}
