//! Tests kills and edits at every await of a cycle.

use std::collections::BTreeSet;

use serde_json::json;

use super::{
    checks::on_server,
    fleet::{Fleet, drive},
    scenes::{conflict_count, cycles, end, fleet, known_behind_cursor, only_record},
    steps::{MACHINES, MachineAction},
};
use crate::records::{DownloadRecord, ReportedResult, RequestedState, SyncRecord as _};

#[test]
fn kill_between_records_with_equal_times_neither_loses_nor_repeats_a_record() {
    let mut counts = BTreeSet::new();
    for killed_at in 0.. {
        let mut fleet = Fleet::new([0; MACHINES], 2);
        (0..5).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
        cycles(&fleet, &[0]);
        let times: BTreeSet<i64> = fleet.server.stored(DownloadRecord::COLLECTION).iter().map(|one| one.modified_ms).collect();
        assert_eq!(times.len(), 1);
        let machine = &fleet.machines[1];
        if drive(machine.cycle(fleet.keys.clone()), |number| number != killed_at).is_some() {
            break;
        }
        machine.list.on_kill();
        let known = known_behind_cursor(&fleet, 1);
        counts.insert(known);
        assert_eq!(fleet.quiet_cycle(1).unwrap().received, 5 - known, "killed at {killed_at}");
        assert_eq!(known_behind_cursor(&fleet, 1), 5);
        assert_eq!(on_server::<DownloadRecord>(&end(fleet)).len(), 5);
    }
    assert_eq!(counts, BTreeSet::from([0, 2, 4, 5]));
}

/// Repeats the cycle that sends a download, and changes the download at a different await each time. Asserts the state
/// on all machines afterwards.
fn edit_while_sending(is_paused: bool, action: &MachineAction, is_edited: impl Fn(&Fleet, &DownloadRecord) -> bool) {
    // In the first round, the cycle sends a new download. In the second round, it sends a change of the download.
    for is_new in [true, false] {
        for poll in 0.. {
            let mut fleet = fleet();
            fleet.act(0, &MachineAction::Create { is_paused });
            if !is_new {
                cycles(&fleet, &[0, 1, 2]);
                fleet.act(0, &MachineAction::Rename(0));
            }
            let (machine, keys, mut is_reached) = (fleet.machines[0].clone(), fleet.keys.clone(), false);
            let report = drive(machine.cycle(keys), |number| {
                if number == poll {
                    fleet.act(0, action);
                    is_reached = true;
                }
                true
            });
            report.unwrap().unwrap();
            if !is_reached {
                assert!(poll > 40, "the cycle has only {poll} awaits");
                break;
            }
            let fleet = end(fleet);
            let record = only_record(&fleet);
            assert!(is_edited(&fleet, &record), "await {poll}: {record:?}");
            assert_eq!(conflict_count(&fleet), 0, "await {poll}");
        }
    }
}

#[test]
fn renaming_during_a_sync_is_not_lost() {
    edit_while_sending(false, &MachineAction::Rename(0), |fleet, record| {
        fleet.edits.last().unwrap().value == json!(record.title.value)
    });
}

#[test]
fn pausing_during_a_sync_is_not_lost() {
    edit_while_sending(false, &MachineAction::Pause(0), |_, record| record.requested.value == RequestedState::Paused);
}

#[test]
fn resuming_during_a_sync_is_not_lost() {
    edit_while_sending(true, &MachineAction::Resume(0), |_, record| record.requested.value == RequestedState::Run);
}

#[test]
fn completion_during_a_sync_is_not_lost() {
    for (is_success, result) in [(true, ReportedResult::Success), (false, ReportedResult::Failure)] {
        edit_while_sending(false, &MachineAction::Finish(0, is_success), |_, record| record.facts.result == result);
    }
}
