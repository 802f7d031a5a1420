//! Tests the parts of a machine that never runs again: it has left the list, was removed, or no longer exists.

use std::{collections::BTreeSet, sync::atomic::Ordering};

use super::{
    checks::on_server,
    fleet::{Fleet, drive, long_requests},
    parts::{LATER_MS, assert_named_parts_exist, create, remembered_parts, stored_parts, take, with_long_download},
    scenes::{cycles, end, fleet, only_download, only_record, spoil},
    steps::MachineAction,
};
use crate::{
    merge::CONFLICT_MS,
    records::{DownloadRecord, PartRecord, SyncRecord as _},
    server::{InjectedFault, OperationKind},
    service::RemoteChange,
};

/// Asserts that machines 1 and 2 keep the parts for 30 days, and that one of them then deletes the parts.
fn assert_deleted_by_others(fleet: &Fleet) {
    let before = stored_parts(fleet);
    assert!(!before.is_empty());
    cycles(fleet, &[1, 2]);
    fleet.pass(CONFLICT_MS - 10_000);
    cycles(fleet, &[1, 2]);
    assert_eq!(stored_parts(fleet), before, "30 days have not passed yet");
    fleet.pass(LATER_MS);
    cycles(fleet, &[1, 2]);
    assert_eq!(stored_parts(fleet), BTreeSet::new());
    assert_eq!([1, 2].map(|at| remembered_parts(fleet, at)), [0, 0]);
}

#[test]
fn parts_of_removed_download_are_deleted_by_another_machine() {
    let mut fleet = with_long_download();
    fleet.act(0, &MachineAction::Remove(0));
    cycles(&fleet, &[0]);
    assert_deleted_by_others(&fleet);
}

#[test]
fn parts_without_any_record_are_deleted_by_another_machine() {
    let fleet = fleet();
    create(&fleet, 0, long_requests(1));
    // Machine 0 is killed after it has sent the parts, but before it sends the record.
    let machine = fleet.machines[0].clone();
    drive(machine.cycle(fleet.keys.clone()), |_| stored_parts(&fleet).is_empty());
    machine.list.on_kill();
    assert!(on_server::<DownloadRecord>(&fleet).is_empty());
    assert_deleted_by_others(&fleet);
    // If machine 0 comes back, it first sends the parts once more, and then the record.
    let fleet = end(fleet);
    assert_eq!(stored_parts(&fleet).len(), 2);
}

#[test]
fn parts_are_kept_while_other_machines_show_the_download() {
    let mut fleet = with_long_download();
    let before = stored_parts(&fleet);
    for _ in 0..3 {
        fleet.pass(LATER_MS);
        cycles(&fleet, &[1, 2]);
    }
    assert_eq!(stored_parts(&fleet), before, "a person can still take the download");
    take(&fleet, 1, RemoteChange::MoveHere).unwrap();
    assert_eq!(only_download(&fleet, 1).unwrap().synced.requests, long_requests(1));
    fleet.act(1, &MachineAction::Start(0));
    cycles(&fleet, &[1, 2]);
    fleet.act(1, &MachineAction::Remove(0));
    cycles(&fleet, &[1]);
    assert!(only_record(&fleet).is_removed());
    assert_deleted_by_others(&fleet);
}

#[test]
fn parts_of_other_machines_are_kept_while_a_record_is_unreadable() {
    let mut fleet = with_long_download();
    fleet.act(0, &MachineAction::Remove(0));
    fleet.act(2, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0, 2]);
    let live = on_server::<DownloadRecord>(&fleet).into_iter().find(|(_, record)| !record.is_removed()).unwrap().0;
    let sound = fleet.server.stored(DownloadRecord::COLLECTION).into_iter().find(|object| object.id == live).unwrap().payload;
    fleet.server.tamper(DownloadRecord::COLLECTION, &live, "x");
    cycles(&fleet, &[1]);
    fleet.pass(LATER_MS);
    cycles(&fleet, &[1, 1]);
    assert_eq!(stored_parts(&fleet).len(), 2);
    fleet.server.tamper(DownloadRecord::COLLECTION, &live, &sound);
    cycles(&fleet, &[1]);
    assert_eq!(stored_parts(&fleet).len(), 0);
    end(fleet);
}

#[test]
fn part_that_another_machine_deleted_is_sent_again_with_new_record() {
    let mut fleet = with_long_download();
    fleet.act(0, &MachineAction::Remove(0));
    cycles(&fleet, &[0]);
    assert_deleted_by_others(&fleet);
    // Machine 0 still remembers the parts. Its new download has the same parts.
    create(&fleet, 0, long_requests(1));
    cycles(&fleet, &[0]);
    assert_named_parts_exist(&fleet, "sent again");
    end(fleet);
}

#[test]
fn list_of_parts_is_requested_only_after_parts_have_changed() {
    let mut fleet = fleet();
    let listed = spoil(
        &fleet,
        |operation| operation.kind == OperationKind::ListIds && operation.collection.as_deref() == Some(PartRecord::COLLECTION),
        InjectedFault::TimeBackwards(0),
    );
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0, 1, 2, 0, 1, 2]);
    assert_eq!(listed.load(Ordering::Relaxed), 0, "the list has no parts");
    fleet.act(0, &MachineAction::CreateLong);
    cycles(&fleet, &[0, 1, 2, 0, 1, 2]);
    assert_eq!(listed.load(Ordering::Relaxed), 3, "each machine looks once");
}
