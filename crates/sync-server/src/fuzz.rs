//! Defines properties of the parsers of untrusted bytes.
//!
//! Each property panics if it is violated by the given bytes. Tests and fuzzers check the properties; a release build
//! contains none of this code.

use serde_json::json;

use crate::{
    auth::{self, enrol::EnrolLink, hawk},
    protocol::{
        BsoQuery, ProtocolLimits, ProtocolRefusal, bso,
        headers::ListFormat,
        is_collection_name, is_id,
        render::{self, BsoRow},
    },
};

/// Function that panics if these bytes violate its property.
pub type SyncProperty = fn(&[u8]);

/// All properties, by name.
pub const PROPERTIES: &[(&str, SyncProperty)] = &[
    ("sync-bso", sync_bso),
    ("sync-enrol", sync_enrol),
    ("sync-hawk", sync_hawk),
    ("sync-newlines", sync_newlines),
    ("sync-query", sync_query),
];

/// Asserts that entries of a list are within all limits and survive a round trip.
fn holds_of_a_list(data: &[u8], format: ListFormat) {
    let limits =
        ProtocolLimits { max_post_records: 5, max_post_bytes: 100, max_record_payload_bytes: 50, ..ProtocolLimits::default() };
    let read = match bso::read_list(data, format, "crypto", &limits) {
        Ok(read) => read,
        Err(refusal) => return assert_eq!(refusal, ProtocolRefusal::BAD_BODY),
    };
    let bytes: usize = read.valid.iter().filter_map(|entry| entry.payload.as_ref()).map(String::len).sum();
    assert!(read.valid.len() <= 5 && bytes <= 100);
    let mut again = render::ListRenderer::new(format);
    for entry in &read.valid {
        assert!(is_id(&entry.id) && !read.failed.contains_key(&entry.id));
        let payload = entry.payload.clone().unwrap_or_default();
        assert!(payload.len() <= 50 && !payload.contains('\0'));
        again.push(&BsoRow { id: entry.id.clone(), sortindex: entry.sortindex, modified: 10, payload: Some(payload) });
    }
    let again = bso::read_list(again.finish().as_bytes(), format, "tabs", &limits).map(|again| again.valid).unwrap_or_default();
    let shown = |entries: &[bso::IncomingBso]| {
        let fields = |entry: &bso::IncomingBso| (entry.id.clone(), entry.payload.clone().unwrap_or_default(), entry.sortindex);
        entries.iter().map(fields).collect::<Vec<_>>()
    };
    assert_eq!(shown(&again), shown(&read.valid));
}

/// Reads the bytes as the list of a POST and as the object of a PUT, and checks both results.
fn sync_bso(data: &[u8]) {
    holds_of_a_list(data, ListFormat::Json);
    let limits = ProtocolLimits { max_record_payload_bytes: 50, ..ProtocolLimits::default() };
    match bso::read_one(data, "crypto", "a", &limits) {
        Ok(entry) => assert!(entry.id == "a" && entry.payload.is_none_or(|payload| payload.len() <= 50)),
        Err(refusal) => assert!([ProtocolRefusal::BAD_BODY, ProtocolRefusal::TOO_LARGE].contains(&refusal)),
    }
}

/// Reads the bytes as the lines of a POST, and checks the result.
fn sync_newlines(data: &[u8]) {
    holds_of_a_list(data, ListFormat::Newlines);
}

/// Asserts that a query is refused or contains only values that can be stored.
fn sync_query(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let limits = ProtocolLimits { ids: 3, ..ProtocolLimits::default() };
    match BsoQuery::read(text, &limits) {
        Ok(query) => {
            assert!(query.ids.is_none_or(|ids| ids.len() <= 3 && ids.iter().all(|id| is_id(id))));
            assert!(query.newer.unwrap_or(0) >= 0 && query.older.unwrap_or(0) >= 0);
            if let Some(offset) = query.offset {
                assert!(is_id(&offset.id) && text.contains("offset"));
            }
        }
        Err(refusal) => assert_eq!(refusal, ProtocolRefusal::BAD_REQUEST),
    }
    assert!(!is_collection_name(text) || text.len() <= 32);
}

/// Asserts that no unknown key verifies a header, and that a header survives a round trip.
fn sync_hawk(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = (auth::read_bearer(text), hawk::read_host(text));
    let request = hawk::HawkSignature { method: "GET", resource: "/1.5/1/storage", host: "a", port: 1 };
    let Some(read) = hawk::HawkHeader::read(text) else { return };
    assert!(!read.is_of(&request, "an unknown key"));
    let written = hawk::HawkHeader::write(&read.id, "key", &request, read.ts, "n");
    assert!(hawk::HawkHeader::read(&written).is_some_and(|again| again.is_of(&request, "key") && again.id == read.id));
    let secret = auth::token::ServerSecret::new("secret of the fuzzer");
    assert!(secret.read(&read.id, 0).is_err(), "the secret is unknown");
}

/// Asserts that links survive a round trip, and that enrolments have all required fields.
fn sync_enrol(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(link) = EnrolLink::read(text) {
        let again = EnrolLink::read(&link.write());
        assert_eq!(again, Some(link));
    }
    if let Some((uid, auth, name)) = crate::http::read_enrolment(data) {
        assert!(!name.trim().is_empty() && !name.chars().any(char::is_control) && name.chars().count() <= 100);
        let again = json!({ "uid": uid, "auth": auth, "name": name }).to_string();
        assert_eq!(crate::http::read_enrolment(again.as_bytes()), Some((uid, auth, name)));
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    use super::*;

    #[test]
    fn fuzz_properties_hold_for_stored_inputs_and_mutations() {
        let mut dice = StdRng::seed_from_u64(20_261_127);
        for (name, property) in PROPERTIES {
            let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus")).join(name);
            for entry in fs::read_dir(folder).unwrap() {
                let kept = fs::read(entry.unwrap().path()).unwrap();
                property(&kept);
                for _ in 0..2000 {
                    let mut made = kept.clone();
                    for _ in 0..dice.random_range(1..4) {
                        let at = dice.random_range(0..=made.len());
                        match dice.random_range(0..3) {
                            0 if at < made.len() => made[at] = dice.random(),
                            1 => made.truncate(at),
                            _ => made.insert(at, *b"\"{}[],:\\\n=&%0a"[..].get(dice.random_range(0..14)).unwrap()),
                        }
                    }
                    property(&made);
                }
            }
        }
    }
}
