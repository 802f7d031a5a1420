//! Tests records that a machine must hold back: records of a newer version, records that were changed on the server,
//! and records that are sealed under an unknown key.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use super::{
    checks::on_server,
    fleet::{Fleet, drive},
    scenes::{ask, cycles, end, fleet, held_codes, set, with_download},
    steps::{MACHINES, MachineAction},
};
use crate::{
    cycle::{COLLECTIONS, SyncEnv},
    keys::{KeyRing, NONCE_BYTES},
    records::{DownloadRecord, RequestedState, SyncRecord as _},
    server::{OperationKind, OutgoingObject, StoredObject, SyncServer as _},
    service::RemoteChange,
};

const DOWNLOADS: &str = DownloadRecord::COLLECTION;

/// Edits the record of an object. Returns the new payload, sealed with the current key of `keys`.
fn sealed_again(fleet: &Fleet, keys: &KeyRing, collection: &str, object: &StoredObject, edit: impl Fn(&mut Value)) -> String {
    let uid = fleet.machines[0].account.uid;
    let mut record: Value =
        serde_json::from_slice(&fleet.keys.open_record(uid, collection, &object.id, &object.payload).unwrap()).unwrap();
    edit(&mut record);
    keys.seal_record(uid, collection, &object.id, record.to_string().as_bytes(), [9; NONCE_BYTES]).unwrap()
}

fn payload(fleet: &Fleet, id: &str) -> String {
    fleet.server.stored(DOWNLOADS).into_iter().find(|object| object.id == id).unwrap().payload
}

/// Function that returns a spoiled payload for an object on the server.
type Spoil = dyn Fn(&Fleet, &StoredObject) -> String;

/// Spoils a download of machine 0 that machine 1 has just paused. Asserts that machine 0 holds the download back under
/// the given code, even if a person renames it there. Returns the machines, and the object as machine 1 wrote it.
fn hold_download(spoil: impl Fn(&Fleet, &StoredObject) -> String, code: &str) -> (Fleet, StoredObject) {
    let mut fleet = with_download([0; MACHINES]);
    ask(&mut fleet, 1, RemoteChange::Pause);
    cycles(&fleet, &[1]);
    let object = fleet.server.stored(DOWNLOADS).remove(0);
    let spoiled = spoil(&fleet, &object);
    assert!(fleet.server.tamper(DOWNLOADS, &object.id, &spoiled));
    fleet.act(2, &MachineAction::Create { is_paused: false });
    fleet.act(0, &MachineAction::Rename(0));
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[2, 0, 2]);
    for at in [0, 2] {
        assert_eq!(held_codes(&fleet, at), [code], "machine {at}");
        assert_eq!(fleet.machines[at].list.ledger().records.values().filter(|row| row.collection == DOWNLOADS).count(), 3);
    }
    for _ in 0..2 {
        fleet.act(0, &MachineAction::Rename(0));
        cycles(&fleet, &[0]);
        assert_eq!((held_codes(&fleet, 0), payload(&fleet, &object.id)), (vec![code.to_owned()], spoiled.clone()));
    }
    assert_eq!(fleet.server.stored(DOWNLOADS).len(), 3, "the other records continue");
    (fleet, object)
}

/// Runs cycles until the machines agree. Asserts that the record contains the pause by machine 1 and the title by
/// machine 0.
fn end_with_both_changes(fleet: Fleet, id: &str) {
    let fleet = end(fleet);
    let record = on_server::<DownloadRecord>(&fleet).remove(id).unwrap();
    let title = fleet.edits.last().unwrap().value.clone();
    assert_eq!((json!(record.title.value), record.requested.value), (title, RequestedState::Paused));
}

#[test]
fn record_of_newer_version_is_set_aside_until_program_is_updated() {
    let newer = |fleet: &Fleet, object: &StoredObject| {
        sealed_again(fleet, &fleet.keys, DOWNLOADS, object, |record| {
            (record["v"], record["feed"]) = (json!(2), json!("https://a.test/feed"));
        })
    };
    let (fleet, object) = hold_download(newer, "newer");
    // Simulate the update: replace the newer payload by one of this version, which this program understands.
    fleet.server.tamper(DOWNLOADS, &object.id, &object.payload);
    for machine in &fleet.machines {
        let mut ledger = machine.list.ledger();
        ledger.records.values_mut().filter_map(|row| row.held.as_mut()).for_each(|held| held.clone_from(&object.payload));
    }
    end_with_both_changes(fleet, &object.id);
}

#[test]
fn corrupted_record_is_set_aside_until_intact_version_is_read() {
    let flipped = |_: &Fleet, object: &StoredObject| {
        let place = object.payload.find("\"c\":\"").unwrap() + 20;
        let letter = if object.payload.as_bytes()[place] == b'A' { "B" } else { "A" };
        let mut payload = object.payload.clone();
        payload.replace_range(place..=place, letter);
        payload
    };
    let cut = |_: &Fleet, object: &StoredObject| object.payload[..object.payload.len() - 20].to_owned();
    let moved = |fleet: &Fleet, object: &StoredObject| {
        let (uid, id) = (fleet.machines[0].account.uid, &object.id);
        let record = fleet.keys.open_record(uid, DOWNLOADS, id, &object.payload).unwrap();
        fleet.keys.seal_record(uid, "dl-history", id, &record, [9; NONCE_BYTES]).unwrap()
    };
    let spoils: [&Spoil; 3] = [&flipped, &cut, &moved];
    for spoil in spoils {
        let (fleet, object) = hold_download(spoil, "tampered");
        fleet.server.tamper(DOWNLOADS, &object.id, &object.payload);
        end_with_both_changes(fleet, &object.id);
    }
}

#[test]
fn records_with_unknown_key_are_left_on_server() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(1, &set(0));
    cycles(&fleet, &[1, 0, 2]);
    let env: &SyncEnv = &fleet.machines[0].env;
    let renewed = fleet.keys.rotated(&mut |bytes| (env.random)(bytes));
    for collection in COLLECTIONS {
        let again = |object: StoredObject| {
            let payload = sealed_again(&fleet, &renewed, collection, &object, |_| {});
            OutgoingObject { id: object.id, payload, ttl_s: None }
        };
        let objects: Vec<OutgoingObject> = fleet.server.stored(collection).into_iter().map(again).collect();
        drive(fleet.server.post_batch(collection, &objects, None), |_| true).unwrap().unwrap();
    }
    let before = COLLECTIONS.map(|collection| fleet.server.stored(collection));
    let writes = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&writes);
    fleet.server.set_faults(Box::new(move |operation| {
        count.fetch_add(usize::from(operation.kind.is_write()), Ordering::Relaxed);
        None
    }));
    fleet.act(0, &MachineAction::Rename(0));
    fleet.act(0, &set(0));
    cycles(&fleet, &[0, 0]);
    assert_eq!(held_codes(&fleet, 0), vec!["unknown-key"; MACHINES + 2], "devices, a setting and a download");
    assert_eq!((writes.load(Ordering::Relaxed), COLLECTIONS.map(|collection| fleet.server.stored(collection))), (0, before));
    fleet.server.clear_faults();
    fleet.keys = renewed;
    let fleet = end(fleet);
    let titles: Vec<Value> = on_server::<DownloadRecord>(&fleet).into_values().map(|record| json!(record.title.value)).collect();
    assert_eq!(titles, ["title 3"]);
}

#[test]
fn whole_collection_is_read_again_if_many_of_its_records_were_set_aside() {
    const COUNT: usize = 150;
    let mut fleet = fleet();
    (0..COUNT).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
    cycles(&fleet, &[0, 1]);
    for row in fleet.machines[1].list.ledger().records.values_mut().filter(|row| row.collection == DOWNLOADS) {
        let (held, held_code) = (Some(payload(&fleet, &row.id)), Some("newer".to_owned()));
        (row.base, row.local, row.modified_ms, row.held, row.held_code) = (None, None, 0, held, held_code);
    }
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    fleet.server.set_faults(Box::new(move |operation| {
        count.fetch_add(usize::from(operation.kind == OperationKind::ReadObject), Ordering::Relaxed);
        None
    }));
    assert_eq!(fleet.quiet_cycle(1).unwrap().received, COUNT as u64);
    assert_eq!((held_codes(&fleet, 1).len(), requests.load(Ordering::Relaxed)), (0, 0));
    end(fleet);
}
