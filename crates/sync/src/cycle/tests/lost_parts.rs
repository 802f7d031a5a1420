//! Tests parts that the server loses in the middle of a cycle, because it is restored from a backup.

use std::sync::atomic::Ordering;

use super::{
    fleet::{Fleet, drive, long_requests},
    parts::{assert_named_parts_exist, create, delete_parts, stored_parts},
    scenes::{cycles, end, fleet, is_push, spoil},
    steps::MachineAction,
};
use crate::{
    records::{DownloadRecord, PartRecord, SyncRecord as _},
    server::{InjectedFault, OperationKind, ServerOperation, SimulatedSnapshot},
};

/// Function that returns machines and a backup of their server. Machine 0 is about to send a long download.
type Scene = fn() -> (Fleet, SimulatedSnapshot);

/// The backup has the state of the server before the cycle. This state includes another long download of machine 0.
fn backup_with_parts() -> (Fleet, SimulatedSnapshot) {
    let mut fleet = fleet();
    fleet.act(0, &MachineAction::CreateLong);
    cycles(&fleet, &[0, 1, 0]);
    let backup = fleet.server.snapshot();
    (fleet, backup)
}

/// The backup has the state of the server before the cycle. This state includes no parts.
fn backup_without_parts() -> (Fleet, SimulatedSnapshot) {
    let fleet = fleet();
    let backup = fleet.server.snapshot();
    (fleet, backup)
}

/// The backup lacks a long download and a short one. Machine 0 sent both before the cycle.
fn older_backup() -> (Fleet, SimulatedSnapshot) {
    let (mut fleet, backup) = backup_with_parts();
    fleet.act(0, &MachineAction::CreateLong);
    cycles(&fleet, &[0]);
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0]);
    (fleet, backup)
}

const SCENES: [(&str, Scene); 3] = [("parts", backup_with_parts), ("no parts", backup_without_parts), ("older", older_backup)];

/// Adds a long download to machine 0. The server has none of its parts.
fn create_other(fleet: &Fleet) {
    fleet.pass(1000);
    let mut requests = long_requests(100);
    requests.remove(0);
    requests.extend(long_requests(101).pop());
    create(fleet, 0, requests);
}

fn end_with_all_parts(fleet: Fleet, when: &str) {
    assert_named_parts_exist(&end(fleet), when);
}

#[test]
fn parts_are_sent_again_if_server_loses_them_at_any_request_of_cycle() {
    for (name, scene) in SCENES {
        for needs_review in [true, false] {
            for request in 0.. {
                let (fleet, backup) = scene();
                create_other(&fleet);
                let first = fleet.server.operations();
                let is_meant = move |operation: &ServerOperation| operation.number - first == request;
                let lost = spoil(&fleet, is_meant, InjectedFault::RollBack(backup));
                drive(fleet.machines[0].cycle_of(fleet.keys.clone(), needs_review), |_| true).unwrap().unwrap();
                fleet.server.clear_faults();
                let is_lost = lost.load(Ordering::Relaxed) > 0;
                end_with_all_parts(fleet, &format!("{name}, request {request}"));
                if !is_lost {
                    assert!(request > 4, "{name}: the cycle has only {request} requests");
                    break;
                }
            }
        }
    }
}

#[test]
fn parts_lost_by_server_before_their_record_is_sent_are_sent_again_after_kill() {
    for killed_at in 0.. {
        let (fleet, backup) = backup_with_parts();
        create_other(&fleet);
        let mut is_first = true;
        let is_meant = move |operation: &ServerOperation| {
            let is_record = is_push(operation) && operation.collection.as_deref() == Some(DownloadRecord::COLLECTION);
            is_record && std::mem::take(&mut is_first)
        };
        let lost = spoil(&fleet, is_meant, InjectedFault::RollBack(backup));
        let machine = fleet.machines[0].clone();
        let is_complete = drive(machine.cycle(fleet.keys.clone()), |number| number != killed_at).is_some();
        machine.list.on_kill();
        fleet.server.clear_faults();
        if is_complete {
            assert_named_parts_exist(&fleet, "complete");
            assert_eq!(lost.load(Ordering::Relaxed), 1);
            assert!(killed_at > 40, "the cycle has only {killed_at} awaits");
            return;
        }
        end_with_all_parts(fleet, &format!("killed at {killed_at}"));
    }
}

#[test]
fn parts_are_sent_again_before_record_if_server_has_lost_both() {
    let (fleet, backup) = older_backup();
    create_other(&fleet);
    let is_look_up = |operation: &ServerOperation| operation.kind == OperationKind::ReadObject;
    let mut is_first = true;
    let is_meant = move |operation: &ServerOperation| is_look_up(operation) && std::mem::take(&mut is_first);
    let lost = spoil(&fleet, is_meant, InjectedFault::RollBack(backup));
    let machine = fleet.machines[0].clone();
    let cycle = drive(machine.cycle(fleet.keys.clone()), |_| {
        assert_named_parts_exist(&fleet, "during the cycle");
        true
    });
    assert!(cycle.unwrap().unwrap().is_restored && lost.load(Ordering::Relaxed) == 1);
    end_with_all_parts(fleet, "end");
}

#[test]
fn second_loss_of_same_parts_is_detected() {
    let (fleet, _) = backup_with_parts();
    create_other(&fleet);
    let before = stored_parts(&fleet);
    cycles(&fleet, &[0]);
    let new: Vec<String> = stored_parts(&fleet).difference(&before).cloned().collect();
    delete_parts(&fleet, &new);
    // The cycle finds the loss and sends the parts. Then the server loses them again, and its time equals the time of
    // the latest check.
    let without = fleet.server.snapshot();
    cycles(&fleet, &[0]);
    assert_named_parts_exist(&fleet, "sent again");
    fleet.server.restore(&without);
    end_with_all_parts(fleet, "lost again");
}

#[test]
fn sync_cycle_checks_only_once_that_server_has_the_sent_parts() {
    let (fleet, _) = backup_with_parts();
    let looks = || {
        spoil(
            &fleet,
            |operation| operation.collection.as_deref() == Some(PartRecord::COLLECTION) && !is_push(operation),
            InjectedFault::TimeBackwards(0),
        )
    };
    create_other(&fleet);
    for (needs_review, expected) in [(false, 1), (false, 0), (true, 0)] {
        let looked = looks();
        drive(fleet.machines[0].cycle_of(fleet.keys.clone(), needs_review), |_| true).unwrap().unwrap();
        assert_eq!(looked.load(Ordering::Relaxed), expected);
    }
}
