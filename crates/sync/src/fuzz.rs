//! Defines the properties of the parsers that read bytes from the sync server, from other machines, and from people.
//!
//! Each property panics if it is violated by the given bytes. Tests and fuzzers check the properties; a release build
//! contains none of this code.

use std::str;

use crate::{
    keys::{JoinLink, JoinLinkFault, KeyRing, NONCE_BYTES, RecoveryWords},
    records::{
        DeviceRecord, DownloadRecord, HistoryRecord, MetadataRecord, PartRecord, ReadRecord, SendRecord, SettingRecord,
        SyncRecord, read_record, write_record,
    },
};

/// Function that panics if the given bytes violate the property that it checks.
pub type SyncProperty = fn(&[u8]);

/// All properties, by name.
pub const PROPERTIES: &[(&str, SyncProperty)] =
    &[("sync-join-link", sync_join_link), ("sync-payload", sync_payload), ("sync-record", sync_record)];

/// Time at which the server stored all records of these tests, in milliseconds of Unix time.
const STORED_MS: i64 = 1_700_000_000_000;

/// Content of the only payload that can be decrypted with the keys of [`sync_payload`].
const SEALED: &[u8] = br#"{"v":1}"#;

/// Asserts that a link survives a round trip, and that no text is both a link and recovery words.
fn sync_join_link(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match JoinLink::read(text) {
        Ok(link) => {
            assert_eq!(JoinLink::read(&link.write()).as_ref(), Ok(&link));
            assert!(RecoveryWords::read(text).is_err());
        }
        Err(fault) => assert!(text.contains("ashore://join/") || fault == JoinLinkFault::NotALink),
    }
}

/// Asserts that a sealed payload can be opened only at its own place and only unchanged. Also asserts that no other
/// payload can be opened.
fn sync_payload(data: &[u8]) {
    let mut next = 0_u8;
    let ring = KeyRing::create(&mut |bytes| {
        bytes.fill(next);
        next += 1;
    });
    let sealed = ring.seal_record(7, "dl-items", "a", data, [1; NONCE_BYTES]);
    if let Ok(payload) = &sealed {
        let opened = ring.open_record(7, "dl-items", "a", payload);
        assert!(opened.is_ok_and(|opened| *opened == data));
        for (uid, collection, id) in [(8, "dl-items", "a"), (7, "dl-sends", "a"), (7, "dl-items", "b")] {
            assert!(ring.open_record(uid, collection, id, payload).is_err());
        }
    }
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(opened) = ring.open_record(7, "dl-items", "a", text) {
        assert_eq!(*opened, SEALED);
    }
}

/// Asserts that every record that this machine accepts is written in a form that every machine reads in the same way.
fn sync_record(data: &[u8]) {
    assert_round_trip::<DeviceRecord>(data);
    assert_round_trip::<DownloadRecord>(data);
    assert_round_trip::<HistoryRecord>(data);
    assert_round_trip::<MetadataRecord>(data);
    assert_round_trip::<PartRecord>(data);
    assert_round_trip::<SendRecord>(data);
    assert_round_trip::<SettingRecord>(data);
}

fn assert_round_trip<T: SyncRecord + PartialEq + std::fmt::Debug>(data: &[u8]) {
    let Ok(ReadRecord::Known(record)) = read_record::<T>(data, STORED_MS) else { return };
    let again = write_record(&record).and_then(|written| read_record::<T>(&written, STORED_MS));
    assert_eq!(again, Ok(ReadRecord::Known(record)), "{}", T::COLLECTION);
}
