//! Tests that a download which another machine sent is announced once: by the first complete cycle after it was created.

use super::{
    fleet::{Fleet, drive},
    scenes::{cycles, end, fleet, is_push, send, spoil},
    steps::{MACHINES, MachineAction},
};
use crate::{records::SendRecord, records::SyncRecord as _, server::InjectedFault};

/// Returns a fleet in which machine 1 has sent a download to machine 0, and machine 0 also has a change to send.
fn with_send() -> Fleet {
    let mut fleet = fleet();
    send(&fleet, 1, 0).unwrap();
    cycles(&fleet, &[1]);
    fleet.act(0, &MachineAction::Create { is_paused: true });
    fleet
}

/// Runs cycles of machine 0 until it has nothing left to do. Returns the number of received downloads that these cycles
/// announce.
fn announced(fleet: &Fleet) -> usize {
    let mut count = 0;
    for _ in 0..MACHINES {
        fleet.pass(1000);
        count += fleet.quiet_cycle(0).unwrap().arrived.len();
    }
    count
}

#[test]
fn sent_download_is_announced_once_if_cycle_is_killed_at_any_await() {
    let mut unannounced = 0;
    for killed_at in 0.. {
        let fleet = with_send();
        let machine = &fleet.machines[0];
        let report = drive(machine.cycle(fleet.keys.clone()), |number| number != killed_at);
        machine.list.on_kill();
        let before = report.as_ref().map_or(0, |report| report.as_ref().unwrap().arrived.len());
        let is_noted = machine.list.ledger().records.values().all(|row| row.collection != SendRecord::COLLECTION);
        let is_created = !machine.list.ledger().created_by.is_empty();
        let after = announced(&fleet);
        match report {
            Some(_) => {
                assert_eq!((before, after), (1, 0));
                assert!(killed_at > 40, "the cycle has only {killed_at} awaits");
                assert!(unannounced < 2, "only a kill between the last write of a cycle and its end hides the announcement");
                return;
            }
            None if is_created && is_noted => {
                unannounced += 1;
                assert_eq!(after, 0, "killed at {killed_at}");
            }
            None => assert_eq!(after, 1, "killed at {killed_at}"),
        }
        end(fleet);
    }
}

#[test]
fn sent_download_is_announced_by_next_cycle_if_cycle_fails_after_arrival() {
    for is_deleted in [false, true] {
        let fleet = with_send();
        match is_deleted {
            true => spoil(&fleet, is_push, InjectedFault::CutConnection),
            false => spoil(&fleet, is_deletion, InjectedFault::CutConnection),
        };
        fleet.quiet_cycle(0).unwrap_err();
        fleet.server.clear_faults();
        assert_eq!(fleet.machines[0].list.ledger().created_by.len(), 1);
        assert_eq!(announced(&fleet), 1, "{is_deleted}");
        end(fleet);
    }
}

#[test]
fn sent_download_is_not_announced_again_if_restored_server_repeats_it() {
    let fleet = with_send();
    let backup = fleet.server.snapshot();
    assert_eq!(announced(&fleet), 1);
    fleet.server.restore(&backup);
    assert_eq!(announced(&fleet), 0);
    assert_eq!(fleet.server.stored(SendRecord::COLLECTION), []);
    end(fleet);
}

fn is_deletion(operation: &crate::server::ServerOperation) -> bool {
    operation.kind == crate::server::OperationKind::DeleteObjects
}
