//! Tests of all record types: fields of newer versions, newer records, and faults.

use serde_json::{Value, json};

use crate::records::{
    DeviceRecord, DownloadRecord, DownloadRequest, HistoryRecord, LONGEST_TITLE, MetadataRecord, PartRecord, ReadRecord,
    RecordFault, SendRecord, SettingRecord, SyncRecord, TOMBSTONE_MS, read_record, write_record,
};

const MODIFIED: i64 = 1_700_000_000_000;

fn stamp(ms: i64) -> String {
    format!("{ms:013x}-00000-laptop")
}

fn download() -> Value {
    let at = stamp(MODIFIED);
    json!({
        "v": 1,
        "title": { "value": "debian.iso", "at": at },
        "requested": { "value": "run", "at": at },
        "home": { "value": "laptop", "at": at },
        "request": { "value": { "requests": [{ "url": "https://a.test/debian.iso" }] }, "at": at },
        "facts": {
            "by": "laptop", "revision": 3, "home_at": at, "kind": "program", "created_ms": MODIFIED, "state": "failed",
            "result": "failure", "failure": { "code": "dns", "args": { "host": "a.test" } },
        },
    })
}

fn with(mut record: Value, path: &str, value: Value) -> Value {
    let (parent, name) = path.rsplit_once('/').unwrap();
    record.pointer_mut(parent).unwrap()[name] = value;
    record
}

fn read<T: SyncRecord>(record: &Value) -> Result<T, RecordFault> {
    match read_record(&serde_json::to_vec(record).unwrap(), MODIFIED)? {
        ReadRecord::Known(record) => Ok(record),
        ReadRecord::Newer { version, .. } => panic!("version {version}"),
    }
}

/// Asserts that a record of `T` keeps all fields, even unknown ones. Also asserts that a record of a newer version is
/// returned without being interpreted.
fn keeps<T: SyncRecord>(record: Value) {
    let record = with(with(record, "/next_field", json!({ "a": [1, 2.5, null] })), "/v", json!(1));
    let written = write_record(&read::<T>(&record).unwrap()).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), record);
    assert!(written.starts_with(b"{\"v\":1,"), "{}", String::from_utf8_lossy(&written));

    let newer = with(record, "/v", json!(2));
    let staged = read_record::<T>(&serde_json::to_vec(&newer).unwrap(), MODIFIED).unwrap();
    assert!(matches!(staged, ReadRecord::Newer { version: 2, fields } if Value::Object(fields.clone()) == newer));
}

#[test]
fn records_keep_fields_of_newer_versions() {
    let key = "A".repeat(43);
    keeps::<DeviceRecord>(json!({ "id": "laptop", "name": "Laptop", "version": "0.1.0", "public_key": key, "epoch": 2 }));
    keeps::<DownloadRecord>(with(download(), "/facts/next_fact", json!("kept")));
    let parts = json!({ "value": { "parts": { "count": 900, "ids": ["p1", "p2"] } }, "at": stamp(MODIFIED) });
    keeps::<DownloadRecord>(with(download(), "/request", parts));
    keeps::<PartRecord>(json!({ "index": 4, "requests": [{ "url": "https://a.test/", "name": "a" }] }));
    let past =
        json!({ "title": "a", "address": "https://a.test/a", "size": 5, "digest": "md5=00", "time_ms": 5, "device": "laptop" });
    keeps::<HistoryRecord>(past);
    keeps::<HistoryRecord>(json!({ "cleared_before_ms": 7, "device": "laptop" }));
    keeps::<SettingRecord>(json!({ "name": "parallel", "choice": { "value": { "value": 3 }, "at": stamp(5) } }));
    keeps::<SettingRecord>(json!({ "name": "parallel", "choice": { "value": "default", "at": stamp(5) } }));
    let send = json!({ "to": "desktop", "from": "laptop", "title": "a", "requests": [], "sent_ms": 5, "hand_over": "item" });
    keeps::<SendRecord>(send);
    keeps::<MetadataRecord>(json!({ "storage_version": 1, "sync_id": "abc" }));
}

#[test]
fn text_without_valid_record_or_version_is_refused() {
    for bad in ["", "null", "[]", "{", "{\"v\":1}", &"[".repeat(100_000), "{\"v\":1,\"index\":0,\"index\":0,\"requests\":0}"] {
        assert_eq!(read_record::<PartRecord>(bad.as_bytes(), 0), Err(RecordFault::Shape), "{bad:.20}");
    }
    for bad in ["{}", "{\"v\":0}", "{\"v\":-1}", "{\"v\":\"1\"}", "{\"v\":1.5}", "{\"v\":99999999999}"] {
        assert_eq!(read_record::<PartRecord>(bad.as_bytes(), 0), Err(RecordFault::Version), "{bad}");
    }
}

#[test]
fn download_with_bad_fields_is_refused() {
    let foreign = json!({ "value": { "requests": [{ "url": "file:///etc/passwd" }] }, "at": stamp(0) });
    for (path, bad, fault) in [
        ("/request", foreign, RecordFault::NotWebLink),
        ("/title/at", json!("yesterday"), RecordFault::Shape),
        ("/home/value", json!("a\u{202e}b"), RecordFault::Shape),
        ("/requested/value", json!("explode"), RecordFault::Shape),
        ("/facts/state", json!("exploded"), RecordFault::Shape),
        ("/facts/revision", json!(u64::MAX), RecordFault::Field("revision")),
        ("/facts/size", json!(u64::MAX), RecordFault::Field("size")),
        ("/facts/created_ms", json!(i64::MAX), RecordFault::Field("created_ms")),
        ("/facts/settled_ms", json!(i64::MIN), RecordFault::Field("settled_ms")),
        ("/facts/kind", json!("a\0b"), RecordFault::ControlCharacter("kind")),
        ("/facts/command", json!("a\nb"), RecordFault::Field("command")),
        ("/facts/failure/code", json!("a".repeat(257)), RecordFault::TooLong("failure")),
        ("/facts/failure/args", json!({ "a": "b".repeat(5000) }), RecordFault::TooLong("failure")),
    ] {
        assert_eq!(read::<DownloadRecord>(&with(download(), path, bad)), Err(fault), "{path}");
    }
}

#[test]
fn download_texts_are_sanitised_and_cut() {
    let record = with(download(), "/title/value", json!(format!("a\0b\u{202e}{}", "ä".repeat(1 << 20))));
    let record = with(record, "/facts/failure/args", json!({ "host": ["a\u{2066}b"] }));
    let read = read::<DownloadRecord>(&record).unwrap();
    assert_eq!(read.title.value.len(), LONGEST_TITLE);
    assert!(read.title.value.starts_with("abä"));
    assert_eq!(read.facts.failure.unwrap().args["host"], json!(["ab"]));
}

#[test]
fn timestamps_of_year_2099_in_a_download_are_replaced_by_its_modification_time() {
    let late = stamp(4_070_908_800_000);
    let record = with(with(download(), "/title/at", json!(late)), "/facts/home_at", json!(late));
    let read = read::<DownloadRecord>(&with(record, "/home/at", json!(late))).unwrap();
    assert_eq!((read.title.at.ms(), read.home.at.ms()), (MODIFIED, MODIFIED));
    assert_eq!(read.home_facts().map(|facts| facts.revision), Some(3));
}

#[test]
fn download_keeps_the_latest_report_of_each_device() {
    let facts = |by: &str, revision: u64| with(with(download()["facts"].clone(), "/by", json!(by)), "/revision", json!(revision));
    let former = json!([facts("tablet", 9), facts("laptop", 8), facts("desktop", 2), facts("desktop", 1)]);
    let read = read::<DownloadRecord>(&with(download(), "/former_facts", former)).unwrap();
    let former: Vec<_> = read.former_facts.iter().map(|facts| (facts.by.as_str(), facts.revision)).collect();
    assert_eq!((read.facts.revision, former.as_slice()), (8, [("desktop", 2), ("tablet", 9)].as_slice()));
    assert_eq!(read.next_revision(), 10);
}

#[test]
fn tombstone_expires_after_one_year() {
    let removed = with(with(download(), "/facts/state", json!("removed")), "/facts/settled_ms", json!(MODIFIED));
    let removed = read::<DownloadRecord>(&removed).unwrap();
    assert!(removed.is_removed() && !removed.is_expired_tombstone(MODIFIED + TOMBSTONE_MS));
    assert!(removed.is_expired_tombstone(MODIFIED + TOMBSTONE_MS + 1));
    assert!(!read::<DownloadRecord>(&download()).unwrap().is_expired_tombstone(i64::MAX));
}

#[test]
fn record_that_omits_requests_contains_number_of_requests() {
    let omitted = json!({ "value": { "omitted": { "count": 12_000 } }, "at": stamp(0) });
    let displayed = read::<DownloadRecord>(&with(download(), "/request", omitted)).unwrap();
    assert_eq!(displayed.request.value, DownloadRequest::Omitted { count: 12_000 });
    let parts = json!({ "value": { "parts": { "count": 10_001, "ids": [] } }, "at": stamp(0) });
    let refused = read::<DownloadRecord>(&with(download(), "/request", parts));
    assert_eq!(refused, Err(RecordFault::TooLong("parts")));
}

#[test]
fn records_of_device_or_history_or_setting_with_bad_fields_are_refused() {
    let device =
        json!({ "v": 1, "id": "laptop", "name": "a\u{202e}b", "version": "1", "public_key": "A".repeat(43), "epoch": 0 });
    assert_eq!(read::<DeviceRecord>(&device).unwrap().name, "ab");
    assert_eq!(read::<DeviceRecord>(&with(device, "/public_key", json!("AAAA"))), Err(RecordFault::Shape));
    let past = json!({ "v": 1, "title": "a", "address": "https://u:p@a.test/a?b#c", "time_ms": 5, "device": "laptop" });
    let HistoryRecord::Past(read_past) = read(&past).unwrap() else { panic!("a past download") };
    assert_eq!(read_past.address, "https://a.test/a");
    assert_eq!(read::<HistoryRecord>(&with(past, "/address", json!("file:///a"))), Err(RecordFault::NotWebLink));
    let cleared = json!({ "v": 1, "cleared_before_ms": MODIFIED * 2, "device": "laptop" });
    assert!(matches!(read(&cleared), Ok(HistoryRecord::Cleared(one)) if one.cleared_before_ms == MODIFIED));
    let setting = json!({ "v": 1, "name": "a", "choice": { "value": { "value": "b".repeat(5000) }, "at": stamp(0) } });
    assert_eq!(read::<SettingRecord>(&setting), Err(RecordFault::TooLong("choice")));
    let part = json!({ "v": 1, "index": 0, "requests": [{ "url": "https://a.test/", "name": "a".repeat(200 << 10) }] });
    assert_eq!(read::<PartRecord>(&part), Err(RecordFault::TooLong("requests")));
}
