//! Checks of the lists at the end of a random history, when no machine has anything left to sync.

use std::collections::BTreeMap;

use ashore_engine::{RegistrationResult, SyncRecordRow};
use serde_json::{Value, json};

use super::{
    fleet::{EditedRecord, Fleet, Machine},
    steps::MACHINES,
};
use crate::{
    cycle::render::render,
    merge::{ConflictField, MergeConflict},
    records::{
        DeviceRecord, DownloadRecord, DownloadRequest, HistoryRecord, PartRecord, ReadRecord, RequestedState, SendRecord,
        SettingRecord, SyncRecord, read_record,
    },
};

type Records<T> = BTreeMap<String, T>;

/// Returns the records of a collection on the server.
pub fn on_server<T: SyncRecord>(fleet: &Fleet) -> Records<T> {
    let uid = fleet.machines[0].account.uid;
    let read = |object: crate::server::StoredObject| {
        let cleartext = fleet.keys.open_record(uid, T::COLLECTION, &object.id, &object.payload).unwrap();
        let ReadRecord::Known(record) = read_record::<T>(&cleartext, object.modified_ms).unwrap() else { panic!("newer") };
        (object.id, record)
    };
    fleet.server.stored(T::COLLECTION).into_iter().map(read).collect()
}

fn on_machine<T: SyncRecord>(machine: &Machine) -> Records<T> {
    let ledger = machine.list.ledger();
    let rows = ledger.records.values().filter(|row| row.collection == T::COLLECTION);
    let read = |row: &SyncRecordRow| {
        let text = row.local.as_ref().or(row.base.as_ref());
        // The version is missing if the download was removed before it was sent.
        assert!(text.is_some() || row.is_gone, "{} has no version", row.id);
        Some((row.id.clone(), serde_json::from_str(text?).unwrap()))
    };
    rows.filter_map(read).collect()
}

/// Asserts all properties that must hold at the end of a history.
pub fn check(fleet: &Fleet) {
    same_records::<DeviceRecord>(fleet);
    same_records::<SettingRecord>(fleet);
    same_records::<DownloadRecord>(fleet);
    same_records::<HistoryRecord>(fleet);
    nothing_due(fleet);
    history_cleared(fleet);
    let downloads = on_server::<DownloadRecord>(fleet);
    for (id, record) in &downloads {
        one_home(fleet, id, record);
        no_invented_state(fleet, id, record);
    }
    parts_known(fleet, &downloads);
    local_downloads(fleet, &downloads);
    settings_applied(fleet);
    edits_known(fleet, &downloads);
    removals_known(fleet, &downloads);
    sends_delivered(fleet);
}

fn same_records<T: SyncRecord + PartialEq + std::fmt::Debug>(fleet: &Fleet) {
    let there = on_server::<T>(fleet);
    for (at, machine) in fleet.machines.iter().enumerate() {
        let here = on_machine::<T>(machine);
        for (id, record) in &there {
            assert_eq!(here.get(id), Some(record), "{} {id}: machine {at} differs from the server", T::COLLECTION);
        }
        assert_eq!(here.len(), there.len(), "{}: machine {at} has a record that the server lacks", T::COLLECTION);
    }
}

/// Asserts that the history contains no download that ended before the time up to which the history was cleared.
fn history_cleared(fleet: &Fleet) {
    let records = on_server::<HistoryRecord>(fleet);
    let cleared = records.values().filter_map(|record| match record {
        HistoryRecord::Cleared(cleared) => Some(cleared.cleared_before_ms),
        HistoryRecord::Past(_) => None,
    });
    let before_ms = cleared.max().unwrap_or_default();
    let is_kept = |record: &HistoryRecord| !matches!(record, HistoryRecord::Past(past) if past.time_ms < before_ms);
    assert!(records.values().all(is_kept), "{records:?}");
}

fn nothing_due(fleet: &Fleet) {
    for (at, machine) in fleet.machines.iter().enumerate() {
        let ledger = machine.list.ledger();
        for row in ledger.records.values() {
            assert!(row.change <= row.sent || row.change == 0, "machine {at}: a row is due: {row:?}");
            assert_eq!(row.held_code, None, "machine {at}: a row is held: {row:?}");
        }
        for download in ledger.downloads.values() {
            assert!(download.synced.change <= download.sent, "machine {at}: a download is due: {download:?}");
        }
        assert!(ledger.cursors.values().all(|cursor| cursor.page_offset.is_none()), "machine {at}: a read is incomplete");
    }
}

/// Asserts that every download that is not removed is on its home machine, and that no other machine fetches it.
fn one_home(fleet: &Fleet, id: &str, record: &DownloadRecord) {
    for (at, machine) in fleet.machines.iter().enumerate() {
        let ledger = machine.list.ledger();
        let all: Vec<_> = ledger.downloads.values().filter(|one| one.synced.sync_id.as_deref() == Some(id)).collect();
        assert!(all.len() <= 1, "machine {at} has {id} twice");
        let is_home = record.home.value == machine.device;
        match all.first() {
            None => assert!(!is_home || record.is_removed(), "{id} is not on its home machine {at}: {record:?}"),
            Some(_) if record.is_removed() => panic!("{id} was removed, and machine {at} still has it: {record:?}"),
            Some(one) if is_home => {
                assert_ne!(record.requested.value, RequestedState::Removed, "{id} is to be removed on machine {at}");
                assert!(record.home_facts().is_some(), "home machine {at} reports nothing about {id}: {record:?}");
                let rendered = render(&one.synced, Some(record), &machine.device, machine.split(&fleet.keys));
                assert_eq!(&rendered, record, "the download of machine {at} differs from its record");
            }
            Some(one) => {
                let is_fetching = one.synced.result == RegistrationResult::None && !one.synced.is_paused;
                assert!(!is_fetching, "machine {at} fetches {id}, whose home is elsewhere: {record:?}");
                assert_eq!(one.synced.title, record.title.value, "title of {id} on machine {at}");
            }
        }
    }
}

/// Asserts that the requested state of a download is its initial state, or was requested by a person.
fn no_invented_state(fleet: &Fleet, id: &str, record: &DownloadRecord) {
    let value = json!(record.requested.value);
    let is_asked = fleet.edits.iter().any(|edit| {
        sync_id(fleet, &edit.record).as_deref() == Some(id) && edit.field == ConflictField::Requested && edit.value == value
    });
    let is_initial = record.requested.at.ms() <= record.request.at.ms();
    assert!(is_asked || is_initial, "no person requested the state {value} of {id}: {record:?}");
}

/// Asserts that the server has every part that a download names, and that the home machine of the download remembers
/// each part.
fn parts_known(fleet: &Fleet, downloads: &Records<DownloadRecord>) {
    let parts = on_server::<PartRecord>(fleet);
    for (id, record) in downloads.iter().filter(|(_, record)| !record.is_removed()) {
        let DownloadRequest::Parts(list) = &record.request.value else { continue };
        let home = fleet.machines.iter().find(|machine| machine.device == record.home.value).unwrap();
        for (index, part_id) in list.ids.iter().enumerate() {
            assert_eq!(parts.get(part_id).map(|part| part.index as usize), Some(index), "part {part_id} of {id}");
            let key = (PartRecord::COLLECTION.to_owned(), part_id.clone());
            assert!(home.list.ledger().records.contains_key(&key), "the home of {id} does not remember {part_id}");
        }
    }
}

fn local_downloads(fleet: &Fleet, downloads: &Records<DownloadRecord>) {
    for (at, machine) in fleet.machines.iter().enumerate() {
        for download in machine.list.ledger().downloads.values() {
            let id = download.synced.sync_id.as_ref().unwrap_or_else(|| panic!("machine {at} never sent {download:?}"));
            assert!(downloads.contains_key(id), "machine {at} has {id}, which the server lacks");
        }
    }
}

fn settings_applied(fleet: &Fleet) {
    let all = fleet.machines.iter().map(|machine| machine.list.ledger().settings.clone()).collect::<Vec<_>>();
    assert!(all.iter().all(|one| *one == all[0]), "settings differ: {all:?}");
}

/// Returns the id of an edited record; `None` if the download was removed before it was sent.
fn sync_id(fleet: &Fleet, record: &EditedRecord) -> Option<String> {
    match record {
        EditedRecord::Record(id) => Some(id.clone()),
        EditedRecord::Download(at, id) => fleet.machines[*at].list.ledger().assigned.get(id).cloned(),
    }
}

fn conflicts(fleet: &Fleet, id: &str) -> Vec<MergeConflict> {
    let mut all = Vec::new();
    for machine in &fleet.machines {
        let ledger = machine.list.ledger();
        let of_record = ledger.conflicts.values().filter(|conflict| conflict.id == id);
        all.extend(of_record.map(|stored| serde_json::from_str::<MergeConflict>(&stored.conflict).unwrap()));
    }
    all
}

/// Asserts that no edit is lost. The value of an edit is the final value, or is in a conflict, or was replaced by an
/// edit whose author saw it.
fn edits_known(fleet: &Fleet, downloads: &Records<DownloadRecord>) {
    let settings = on_server::<SettingRecord>(fleet);
    for edit in &fleet.edits {
        let Some(id) = sync_id(fleet, &edit.record) else { continue };
        let (shown, is_moot) = match (downloads.get(&id), settings.get(&id)) {
            (Some(record), _) => {
                // A download that has ended can be neither paused nor resumed.
                let is_settled =
                    record.facts.settled_ms.is_some() || record.former_facts.iter().any(|one| one.settled_ms.is_some());
                match edit.field {
                    ConflictField::Title => (json!(record.title.value), false),
                    ConflictField::Home => (json!(record.home.value), false),
                    _ => (json!(record.requested.value), is_settled),
                }
            }
            (None, Some(record)) => (json!(record.choice.value), false),
            // The download was removed before its first send, or the setting was set back to its default.
            (None, None) => (Value::Null, edit.field != ConflictField::Choice || edit.value == json!("default")),
        };
        let is_same = |other: &super::fleet::PersonEdit| {
            sync_id(fleet, &other.record).as_deref() == Some(&*id) && other.field == edit.field
        };
        // A person removed a download with this title after seeing the title.
        let is_seen = edit.field == ConflictField::Title
            && fleet
                .removals
                .iter()
                .any(|(removed, title)| edit.value == json!(title) && sync_id(fleet, removed).as_ref() == Some(&id));
        let is_replaced = is_seen || fleet.edits.iter().any(|other| is_same(other) && other.replaced == edit.value);
        let is_kept = |one: &MergeConflict| {
            let is_field = one.field == edit.field || (one.field == ConflictField::Removed && edit.field == ConflictField::Title);
            is_field && one.losing == edit.value
        };
        let is_listed = conflicts(fleet, &id).iter().any(is_kept);
        let is_known = shown == edit.value || is_moot || is_replaced || is_listed;
        assert!(is_known, "the edit {edit:?} is lost; {id} shows {shown}, conflicts {:?}", conflicts(fleet, &id));
    }
}

/// Asserts that the person had seen the latest title of each removed download before the removal.
fn removals_known(fleet: &Fleet, downloads: &Records<DownloadRecord>) {
    for (id, record) in downloads.iter().filter(|(_, record)| record.is_removed()) {
        let mut of_record = fleet.removals.iter().filter(|(removed, _)| sync_id(fleet, removed).as_deref() == Some(&**id));
        let is_asked = fleet
            .edits
            .iter()
            .any(|edit| edit.value == json!("removed") && sync_id(fleet, &edit.record).as_deref() == Some(&**id));
        let title = json!(record.title.value);
        let is_replaced =
            fleet.edits.iter().any(|edit| edit.replaced == title && sync_id(fleet, &edit.record).as_deref() == Some(&**id));
        let is_seen = is_replaced || of_record.any(|(_, title)| *title == record.title.value);
        let is_kept = |one: &MergeConflict| one.field == ConflictField::Removed && one.losing == title;
        let is_listed = conflicts(fleet, id).iter().any(is_kept);
        assert!(is_asked || is_seen || is_listed, "the removal of {id} hides the title {title}");
    }
    let is_removed = |id: &str| downloads.get(id).is_some_and(|record| record.is_removed());
    for id in downloads.keys().filter(|id| is_removed(id)) {
        let is_asked =
            fleet.edits.iter().any(|edit| edit.value == json!("removed") && sync_id(fleet, &edit.record).as_ref() == Some(id));
        let is_done = fleet.removals.iter().any(|(removed, _)| sync_id(fleet, removed).as_ref() == Some(id));
        assert!(is_asked || is_done, "no person removed {id}");
    }
}

fn sends_delivered(fleet: &Fleet) {
    for (id, to) in &fleet.sends {
        for at in 0..MACHINES {
            let count = fleet.machines[at].list.ledger().created_by.iter().filter(|command| *command == id).count();
            assert_eq!(count, usize::from(at == *to), "send {id} to machine {to} created {count} downloads on machine {at}");
        }
    }
    assert_eq!(fleet.server.stored(SendRecord::COLLECTION), [], "a send stays on the server");
}
