//! Tests faults of the server. Each fault is reported, causes no loss, and does not affect the next cycle.

use std::sync::atomic::Ordering;

use super::{
    checks::on_server,
    fleet::{Fleet, drive},
    scenes::{
        HOUR_MS, ask, conflict_count, cycles, end, fleet, held_codes, is_push, is_read_of_downloads, known_behind_cursor, set,
        spoil, with_download,
    },
    steps::{MACHINES, MachineAction},
};
use crate::{
    cycle::{COLLECTIONS, CycleReport, SyncFault},
    records::{DownloadRecord, RequestedState, SyncRecord as _},
    server::{InjectedFault, ServerOperation, SimulatedSnapshot, StoredObject},
    service::RemoteChange,
};

const DOWNLOADS: &str = DownloadRecord::COLLECTION;

/// Returns three machines and an old backup of the server. Machine 1 has changes to read and to send in each
/// collection. The backup lacks records of all machines, even in a collection to which machine 1 sends nothing.
pub fn busy_fleet() -> (Fleet, SimulatedSnapshot) {
    let mut fleet = with_download([0; MACHINES]);
    let backup = fleet.server.snapshot();
    for at in 0..MACHINES {
        fleet.act(at, &MachineAction::Create { is_paused: false });
        fleet.act(at, &set(at % 2));
    }
    fleet.act(0, &MachineAction::Finish(0, true));
    cycles(&fleet, &[0, 1, 2, 0, 1, 2]);
    fleet.act(0, &MachineAction::Rename(1));
    fleet.act(0, &MachineAction::Send { to: 1 });
    fleet.act(0, &set(0));
    cycles(&fleet, &[0]);
    ask(&mut fleet, 1, RemoteChange::Pause);
    // Kill the program before it creates the download, so that the cycle finds an unfinished hand-over.
    fleet.act(1, &MachineAction::Ask(1, RemoteChange::MoveHere, Some(16)));
    fleet.act(1, &MachineAction::Create { is_paused: false });
    fleet.act(1, &MachineAction::CreateLong);
    fleet.act(1, &MachineAction::Rename(0));
    fleet.act(1, &MachineAction::Send { to: 2 });
    fleet.act(1, &set(1));
    // Advance the clock: the writes of a restored server must have later times than the backup.
    fleet.pass(1000);
    (fleet, backup)
}

/// Runs a cycle of machine 1 in which the request with the number `request` has a fault. Returns `None` if the cycle
/// has fewer requests.
fn spoiled_cycle(fleet: &Fleet, request: u64, fault: InjectedFault) -> Option<Result<CycleReport, SyncFault>> {
    let first = fleet.server.operations();
    let spoiled = spoil(fleet, move |operation| operation.number - first == request, fault);
    let outcome = drive(fleet.machines[1].cycle(fleet.keys.clone()), |_| true).unwrap();
    fleet.server.clear_faults();
    (spoiled.load(Ordering::Relaxed) > 0).then_some(outcome)
}

/// Repeats the same cycle, with a fault in a different request each time. Asserts that the machines agree afterwards.
fn spoil_each_request(
    fault: impl Fn(SimulatedSnapshot) -> InjectedFault,
    is_expected: impl Fn(Result<CycleReport, SyncFault>) -> bool,
) {
    for request in 0.. {
        let (fleet, backup) = busy_fleet();
        let Some(outcome) = spoiled_cycle(&fleet, request, fault(backup)) else {
            assert!(request > 10, "the cycle has only {request} requests");
            return;
        };
        assert!(is_expected(outcome), "request {request}");
        end(fleet);
    }
}

fn has_code(outcome: &Result<CycleReport, SyncFault>, code: &str) -> bool {
    outcome.as_ref().is_err_and(|fault| fault.code() == code)
}

fn on_server_now(fleet: &Fleet) -> Vec<Vec<StoredObject>> {
    COLLECTIONS.iter().map(|collection| fleet.server.stored(collection)).collect()
}

#[test]
fn repeated_page_is_dropped() {
    let mut fleet = Fleet::new([0; MACHINES], 2);
    (0..5).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
    cycles(&fleet, &[0]);
    let before = on_server_now(&fleet);
    let mut reads = 0;
    let is_second = move |operation: &_| {
        reads += usize::from(is_read_of_downloads(operation));
        is_read_of_downloads(operation) && reads == 2
    };
    let repeated = spoil(&fleet, is_second, InjectedFault::RepeatedPage);
    fleet.act(1, &MachineAction::Create { is_paused: false });
    assert!(has_code(&fleet.quiet_cycle(1), "sync-not-a-server"));
    assert_eq!((repeated.load(Ordering::Relaxed), known_behind_cursor(&fleet, 1)), (1, 2));
    assert_eq!(on_server_now(&fleet), before);
    fleet.server.clear_faults();
    let report = fleet.quiet_cycle(1).unwrap();
    assert_eq!((report.received, report.sent), (3, 1));
    end(fleet);
}

#[test]
fn page_is_dropped_if_server_time_went_back() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(0, &MachineAction::Rename(0));
    fleet.act(1, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0]);
    let (before, ledger) = (on_server_now(&fleet), fleet.machines[1].list.ledger().records.clone());
    spoil(&fleet, is_read_of_downloads, InjectedFault::TimeBackwards(HOUR_MS));
    assert!(has_code(&fleet.quiet_cycle(1), "sync-not-a-server"));
    assert_eq!((on_server_now(&fleet), &ledger), (before, &fleet.machines[1].list.ledger().records));
    fleet.server.clear_faults();
    let report = fleet.quiet_cycle(1).unwrap();
    assert_eq!((report.received, report.sent), (1, 1));
    assert_eq!(conflict_count(&end(fleet)), 0);
}

#[test]
fn nothing_is_lost_if_server_time_goes_back_at_any_request() {
    for by_ms in [1000, 2 * HOUR_MS] {
        spoil_each_request(|_| InjectedFault::TimeBackwards(by_ms), |_| true);
    }
}

#[test]
fn records_with_swapped_payloads_are_set_aside_until_read_again() {
    let mut fleet = fleet();
    (0..2).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
    cycles(&fleet, &[0]);
    let before = on_server_now(&fleet);
    spoil(&fleet, is_read_of_downloads, InjectedFault::SwappedPayloads);
    cycles(&fleet, &[1]);
    assert_eq!(held_codes(&fleet, 1), ["tampered", "tampered"]);
    let rows = fleet.machines[1].list.ledger().records.clone();
    assert!(rows.values().filter(|row| row.collection == DOWNLOADS).all(|row| row.base.is_none() && row.local.is_none()));
    assert_eq!(on_server_now(&fleet), before);
    fleet.server.clear_faults();
    cycles(&fleet, &[1]);
    assert!(held_codes(&fleet, 1).is_empty());
    assert_eq!(on_server::<DownloadRecord>(&end(fleet)).len(), 2);
}

#[test]
fn changes_stay_on_machine_while_server_is_full() {
    let (fleet, _) = busy_fleet();
    let before = on_server_now(&fleet);
    spoil(&fleet, is_push, InjectedFault::Full);
    for _ in 0..2 {
        assert!(has_code(&fleet.quiet_cycle(1), "sync-full"));
        let is_kept =
            |(now, before): (Vec<StoredObject>, &Vec<StoredObject>)| before.iter().filter(|one| !now.contains(one)).count();
        let gone: usize = on_server_now(&fleet).into_iter().zip(&before).map(is_kept).sum();
        assert_eq!(gone, 1, "only the send that arrived is deleted");
    }
    fleet.server.clear_faults();
    end(fleet);
}

#[test]
fn nothing_is_lost_if_server_is_full_at_any_request() {
    spoil_each_request(|_| InjectedFault::Full, |outcome| has_code(&outcome, "sync-full"));
}

#[test]
fn unauthorized_request_is_reported_and_nothing_is_lost() {
    spoil_each_request(|_| InjectedFault::Unauthorized, |outcome| has_code(&outcome, "sync-unauthorized"));
}

#[test]
fn nothing_is_lost_if_server_is_rolled_back_at_any_request() {
    spoil_each_request(InjectedFault::RollBack, |_| true);
}

/// Restores the server during each request of a cycle in which machine 0 sends a new download or a new title. Asserts
/// that earlier downloads of machine 0, which no other machine has read, are not lost.
fn roll_back_while_sending(action: &MachineAction) {
    for request in 0.. {
        let mut fleet = with_download([0; MACHINES]);
        let backup = fleet.server.snapshot();
        for _ in 0..2 {
            fleet.act(0, &MachineAction::Create { is_paused: false });
            cycles(&fleet, &[0]);
        }
        fleet.pass(1000);
        fleet.act(0, action);
        let first = fleet.server.operations();
        let is_meant = move |operation: &ServerOperation| operation.number - first == request;
        let spoiled = spoil(&fleet, is_meant, InjectedFault::RollBack(backup));
        fleet.quiet_cycle(0).unwrap();
        fleet.server.clear_faults();
        if spoiled.load(Ordering::Relaxed) == 0 {
            assert!(request > 3, "the cycle has only {request} requests");
            return;
        }
        end(fleet);
    }
}

#[test]
fn server_rollback_during_upload_of_new_download_is_detected() {
    roll_back_while_sending(&MachineAction::Create { is_paused: false });
}

#[test]
fn server_rollback_during_upload_of_older_title_is_detected() {
    roll_back_while_sending(&MachineAction::Rename(0));
}

#[test]
fn server_rollback_during_upload_of_latest_title_is_detected() {
    roll_back_while_sending(&MachineAction::Rename(2));
}

#[test]
fn server_rollback_before_read_is_repaired_by_next_cycle() {
    let mut fleet = with_download([0; MACHINES]);
    let backup = fleet.server.snapshot();
    fleet.act(1, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[1]);
    fleet.act(0, &MachineAction::Rename(0));
    cycles(&fleet, &[0]);
    fleet.pass(1000);
    spoil(&fleet, is_read_of_downloads, InjectedFault::RollBack(backup));
    assert!(has_code(&fleet.quiet_cycle(1), "sync-not-a-server"));
    fleet.server.clear_faults();
    assert!(fleet.quiet_cycle(1).unwrap().is_restored);
    assert_eq!(on_server::<DownloadRecord>(&end(fleet)).len(), 2);
}

#[test]
fn server_data_loss_is_detected_despite_write_by_another_machine() {
    let mut fleet = with_download([0; MACHINES]);
    let backup = fleet.server.snapshot();
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0]);
    // Rename the download, so that its record is the latest record of machine 0. Machine 1 later writes the same record
    // without this title.
    fleet.act(0, &MachineAction::Rename(0));
    cycles(&fleet, &[0]);
    fleet.server.restore(&backup);
    ask(&mut fleet, 1, RemoteChange::Pause);
    cycles(&fleet, &[1]);
    assert_eq!(on_server::<DownloadRecord>(&fleet).len(), 1);
    fleet.pass(1000);
    assert!(fleet.quiet_cycle(0).unwrap().is_restored);
    let fleet = end(fleet);
    let title = fleet.edits[0].value.clone();
    let is_edited = |record: &DownloadRecord| record.title.value == title && record.requested.value == RequestedState::Paused;
    let records = on_server::<DownloadRecord>(&fleet);
    assert_eq!((records.len(), records.values().filter(|record| is_edited(record)).count()), (2, 1));
}
