//! Parses objects as clients send them. [pure]
//!
//! - The whole request is refused if its body is not a list of objects, or if an id is missing or duplicate.
//! - If a field is not valid, only the entry with this field fails.
//! - A field that is absent or null leaves the stored value unchanged, except that `ttl: null` removes the expiry.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::value::RawValue;

use super::{ProtocolLimits, ProtocolRefusal, headers::ListFormat};

/// Maximum length of an id in characters.
const LONGEST_ID: usize = 64;
/// Maximum `sortindex`, and maximum `ttl` in seconds.
const LARGEST: i64 = 999_999_999;
/// Collection in which an initialisation vector of zeros is refused.
const CRYPTO: &str = "crypto";

/// Fields of one object; `None` for absent fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncomingBso {
    /// Id within its collection.
    pub id: String,
    /// Payload text, without U+0000, which PostgreSQL cannot store.
    pub payload: Option<String>,
    /// Importance of the object, which can determine the order of a listing.
    pub sortindex: Option<i64>,
    /// Lifetime.
    pub ttl: Option<BsoTtl>,
}

/// Lifetime of an object, counted from its write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BsoTtl {
    /// No expiry.
    Never,
    /// 0 to 999,999,999 seconds.
    Seconds(i64),
}

impl BsoTtl {
    /// Returns the expiry, in milliseconds, of an object that is written at `now`; `None` if the object never expires.
    pub fn expiry(self, now: i64) -> Option<i64> {
        match self {
            Self::Never => None,
            Self::Seconds(seconds) => Some(now + seconds * 1000),
        }
    }
}

/// Body of a POST.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct IncomingBsos {
    /// Valid entries, in the order of the body.
    pub valid: Vec<IncomingBso>,
    /// Reason for each failed entry, by id.
    pub failed: BTreeMap<String, &'static str>,
}

/// Whether `text` is a valid object id: 1 to 64 characters from space to tilde.
pub fn is_id(text: &str) -> bool {
    (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(|letter| (b' '..=b'~').contains(&letter))
}

/// Whether `text` is a valid collection name.
pub fn is_collection_name(text: &str) -> bool {
    let is_meant = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'_' | b'-');
    (1..=32).contains(&text.len()) && text.bytes().all(is_meant)
}

/// Reads the list in the body of a POST to `collection`. Fails with status 400 and code 8.
pub fn read_list(
    body: &[u8],
    format: ListFormat,
    collection: &str,
    limits: &ProtocolLimits,
) -> Result<IncomingBsos, ProtocolRefusal> {
    let text = std::str::from_utf8(body).map_err(|_| ProtocolRefusal::BAD_BODY)?;
    let raw: Vec<&RawValue> = match format {
        ListFormat::Json => serde_json::from_str(text).map_err(|_| ProtocolRefusal::BAD_BODY)?,
        ListFormat::Newlines => read_lines(text)?,
    };
    let (mut entries, mut seen, mut bytes) = (IncomingBsos::default(), HashSet::new(), 0);
    for one in raw {
        let id = id_of(one)?;
        if !seen.insert(id.clone()) {
            return Err(ProtocolRefusal::BAD_BODY);
        }
        let Some(entry) = read_fields(one.get()).and_then(|fields| fields.entry(id.clone())) else {
            entries.failed.insert(id, "invalid bso");
            continue;
        };
        let payload = entry.payload.as_deref().unwrap_or_default();
        if collection == CRYPTO && has_empty_vector(payload) {
            return Err(ProtocolRefusal::BAD_BODY);
        }
        if entries.valid.len() >= limits.max_post_records {
            entries.failed.insert(id, "retry bso");
        } else if payload.len() > limits.max_record_payload_bytes || bytes + payload.len() > limits.max_post_bytes {
            entries.failed.insert(id, "retry bytes");
        } else {
            bytes += payload.len();
            entries.valid.push(entry);
        }
    }
    Ok(entries)
}

/// Reads the object in the body of a PUT to `collection`/`id`.
///
/// Fails with status 400 and code 8 if the body is not valid, and with status 413 and code 17 if the payload is too
/// long.
pub fn read_one(body: &[u8], collection: &str, id: &str, limits: &ProtocolLimits) -> Result<IncomingBso, ProtocolRefusal> {
    let text = std::str::from_utf8(body).map_err(|_| ProtocolRefusal::BAD_BODY)?;
    let raw: &RawValue = serde_json::from_str(text.trim()).map_err(|_| ProtocolRefusal::BAD_BODY)?;
    let fields = raw.get().starts_with('{').then(|| read_fields(raw.get())).flatten().ok_or(ProtocolRefusal::BAD_BODY)?;
    if fields.id.as_ref().is_some_and(|sent| sent != id) {
        return Err(ProtocolRefusal::BAD_BODY);
    }
    let entry = fields.entry(id.to_owned()).ok_or(ProtocolRefusal::BAD_BODY)?;
    let payload = entry.payload.as_deref().unwrap_or_default();
    if collection == CRYPTO && has_empty_vector(payload) {
        return Err(ProtocolRefusal::BAD_BODY);
    }
    if payload.len() > limits.max_record_payload_bytes {
        return Err(ProtocolRefusal::TOO_LARGE);
    }
    Ok(entry)
}

/// Splits the body of `application/newlines` into values.
///
/// An empty body is an empty list. An empty line is an error, except after the last value.
fn read_lines(text: &str) -> Result<Vec<&RawValue>, ProtocolRefusal> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    lines.map(|line| serde_json::from_str(line).map_err(|_| ProtocolRefusal::BAD_BODY)).collect()
}

/// Returns the id of an entry, even if other fields of the entry are not valid.
///
/// Fails with status 400 and code 8 if the entry is not an object, or does not have exactly one id that is text.
fn id_of(entry: &RawValue) -> Result<String, ProtocolRefusal> {
    #[derive(Deserialize)]
    struct Identified {
        id: String,
    }
    // The derived deserializer would also accept a list.
    if !entry.get().starts_with('{') {
        return Err(ProtocolRefusal::BAD_BODY);
    }
    serde_json::from_str::<Identified>(entry.get()).map(|entry| entry.id).map_err(|_| ProtocolRefusal::BAD_BODY)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    payload: Option<String>,
    #[serde(default)]
    sortindex: Option<i64>,
    #[serde(default, deserialize_with = "sent_or_null")]
    ttl: Option<Option<i64>>,
    #[serde(default, rename = "modified")]
    _modified: IgnoredAny,
    #[serde(default, rename = "collection")]
    _collection: IgnoredAny,
}

fn sent_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<i64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

fn read_fields(text: &str) -> Option<Fields> {
    serde_json::from_str(text).ok()
}

impl Fields {
    /// Converts the fields to an entry; `None` if a value is out of range.
    fn entry(self, id: String) -> Option<IncomingBso> {
        let ttl = match self.ttl {
            None => None,
            Some(None) => Some(BsoTtl::Never),
            Some(Some(seconds @ 0..=LARGEST)) => Some(BsoTtl::Seconds(seconds)),
            Some(Some(_)) => return None,
        };
        let is_sound = is_id(&id)
            && self.sortindex.is_none_or(|index| (-LARGEST..=LARGEST).contains(&index))
            && self.payload.as_ref().is_none_or(|payload| !payload.contains('\0'));
        is_sound.then_some(IncomingBso { id, payload: self.payload, sortindex: self.sortindex, ttl })
    }
}

/// Whether the payload was encrypted with an initialisation vector of zeros.
///
/// Some old clients sent such payloads, which reveal keys.
fn has_empty_vector(payload: &str) -> bool {
    #[derive(Deserialize)]
    struct Encrypted {
        #[serde(rename = "IV")]
        vector: String,
    }
    let Ok(encrypted) = serde_json::from_str::<Encrypted>(payload) else { return false };
    let letters = encrypted.vector.trim_end_matches('=');
    !letters.is_empty() && letters.bytes().all(|letter| letter == b'A')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(body: &str) -> Result<IncomingBsos, ProtocolRefusal> {
        read_list(body.as_bytes(), ListFormat::Json, "tabs", &ProtocolLimits::default())
    }

    #[test]
    fn absent_ttl_is_distinguished_from_null_ttl() {
        let read = |body: &str| list(body).unwrap().valid.remove(0);
        assert_eq!(read(r#"[{"id":"a"}]"#), IncomingBso { id: "a".into(), payload: None, sortindex: None, ttl: None });
        assert_eq!(read(r#"[{"id":"a","ttl":null}]"#).ttl, Some(BsoTtl::Never));
        assert_eq!(read(r#"[{"id":"a","ttl":0}]"#).ttl, Some(BsoTtl::Seconds(0)));
        assert_eq!(read(r#"[{"id":"a","payload":null,"sortindex":null}]"#).payload, None);
        assert_eq!(read(r#"[{"id":"a","modified":"x","collection":{"a":1}}]"#).payload, None);
    }

    #[test]
    fn entry_with_invalid_field_fails_without_affecting_other_entries() {
        for bad in [
            r#""sortindex":"1""#,
            r#""sortindex":1000000000"#,
            r#""sortindex":1.5"#,
            r#""payload":42"#,
            r#""payload":"\u0000""#,
            r#""payload":"\ud800""#,
            r#""ttl":-1"#,
            r#""ttl":1000000000"#,
            r#""ttl":"1""#,
            r#""other":1"#,
            r#""ttl":1,"ttl":2"#,
        ] {
            let entries = list(&format!(r#"[{{"id":"good"}},{{"id":"bad",{bad}}}]"#)).unwrap();
            assert_eq!((entries.valid.len(), entries.failed.contains_key("bad")), (1, true), "{bad}");
        }
        let long = "x".repeat(65);
        for id in [r"a\n", r"\u0000", "", "ä", long.as_str()] {
            assert_eq!(list(&format!(r#"[{{"id":"{id}"}}]"#)).unwrap().failed.len(), 1, "{id}");
        }
    }

    #[test]
    fn malformed_body_is_refused_as_a_whole() {
        for body in [
            "",
            "{}",
            "42",
            "\"x\"",
            "[1]",
            "[[]]",
            "[[\"a\"]]",
            r#"[{"payload":"x"}]"#,
            r#"[{"id":1}]"#,
            r#"[{"id":"a"},{"id":"a"}]"#,
            r#"[{"id":"a","id":"b"}]"#,
            "[{\"id\":\"a\"}",
            "[",
        ] {
            assert_eq!(list(body), Err(ProtocolRefusal::BAD_BODY), "{body}");
        }
        let deep = format!(r#"[{{"id":"a","other":{}{}}}]"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(list(&deep).unwrap().failed.len(), 1);
    }

    #[test]
    fn empty_body_is_empty_list_and_other_body_is_split_at_newlines() {
        let lines = |body: &str| read_list(body.as_bytes(), ListFormat::Newlines, "tabs", &ProtocolLimits::default());
        assert_eq!(lines("").unwrap(), IncomingBsos::default());
        assert_eq!(lines("{\"id\":\"a\"}\n{\"id\":\"b\"}").unwrap().valid.len(), 2);
        assert_eq!(lines("{\"id\":\"a\"}\n").unwrap().valid.len(), 1);
        for body in ["\n", "{}", "[]", "{\"id\":\"a\"}\n\n{\"id\":\"b\"}"] {
            assert_eq!(lines(body), Err(ProtocolRefusal::BAD_BODY), "{body:?}");
        }
    }

    #[test]
    fn entries_over_limit_fail_with_reason_that_permits_retry() {
        let limits =
            ProtocolLimits { max_post_records: 2, max_post_bytes: 4, max_record_payload_bytes: 4, ..ProtocolLimits::default() };
        let read = |body: &str| read_list(body.as_bytes(), ListFormat::Json, "tabs", &limits).unwrap();
        let entries = read(r#"[{"id":"a","payload":"xxx"},{"id":"b","payload":"xx"},{"id":"c"},{"id":"d"}]"#);
        assert_eq!(entries.valid.len(), 2);
        assert_eq!(
            entries.failed.into_iter().collect::<Vec<_>>(),
            [("b".to_owned(), "retry bytes"), ("d".to_owned(), "retry bso")]
        );
    }

    #[test]
    fn initialisation_vector_of_zeros_is_refused_only_in_crypto_collection() {
        let body = br#"{"payload":"{\"IV\":\"AAAAAAAAAAAAAAAAAAAAAA==\",\"ciphertext\":\"x\"}"}"#;
        let limits = ProtocolLimits::default();
        assert_eq!(read_one(body, "crypto", "keys", &limits), Err(ProtocolRefusal::BAD_BODY));
        assert!(read_one(body, "tabs", "keys", &limits).is_ok());
        assert_eq!(read_one(br#"{"id":["a"]}"#, "tabs", "a", &limits), Err(ProtocolRefusal::BAD_BODY));
        assert_eq!(read_one(br#"{"id":"b"}"#, "tabs", "a", &limits), Err(ProtocolRefusal::BAD_BODY));
        assert_eq!(read_one(br#"["a"]"#, "tabs", "a", &limits), Err(ProtocolRefusal::BAD_BODY));
    }
}
