//! Initial states of three machines for tests, and short names for the steps of these tests.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;

use super::{
    checks::{check, on_server},
    fleet::{Fleet, drive},
    memory_list::MemoryDownload,
    steps::{FleetStep, Interruption, MACHINES, MachineAction, RequestFault},
};
use crate::{
    cycle::SyncFault,
    records::{DownloadRecord, SyncRecord as _},
    server::{InjectedFault, OperationKind, PageOffset, ServerOperation},
    service::{RemoteChange, remote},
};

pub const HOUR_MS: i64 = 60 * 60 * 1000;
/// Upper limit of the number of awaits in a cycle of these tests.
pub const AWAITS: usize = 200;

pub fn fleet() -> Fleet {
    Fleet::new([0; MACHINES], 500)
}

pub fn cycles(fleet: &Fleet, machines: &[usize]) {
    for at in machines {
        fleet.pass(1000);
        fleet.quiet_cycle(*at).unwrap();
    }
}

/// Runs a cycle of a machine after the given time.
pub fn send_later(fleet: &Fleet, at: usize, milliseconds: i64) {
    fleet.pass(milliseconds);
    fleet.quiet_cycle(at).unwrap();
}

pub fn end(mut fleet: Fleet) -> Fleet {
    fleet.end();
    check(&fleet);
    fleet
}

pub fn set(setting: usize) -> MachineAction {
    MachineAction::Set { setting, is_default: false }
}

pub fn ask(fleet: &mut Fleet, at: usize, change: RemoteChange) {
    fleet.pass(1000);
    fleet.act(at, &MachineAction::Ask(0, change, None));
}

/// Returns a fleet in which machine 0 has one running download that all machines know.
pub fn with_download(errors_ms: [i64; MACHINES]) -> Fleet {
    let mut fleet = Fleet::new(errors_ms, 500);
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0, 1, 2]);
    fleet
}

pub fn only_download(fleet: &Fleet, at: usize) -> Option<MemoryDownload> {
    let ledger = fleet.machines[at].list.ledger();
    assert!(ledger.downloads.len() <= 1);
    ledger.downloads.values().next().cloned()
}

pub fn only_record(fleet: &Fleet) -> DownloadRecord {
    let records = on_server::<DownloadRecord>(fleet);
    assert_eq!(records.len(), 1);
    records.into_values().next().unwrap()
}

pub fn conflict_count(fleet: &Fleet) -> usize {
    fleet.machines.iter().map(|machine| machine.list.ledger().conflicts.len()).sum()
}

/// Sends a download from one machine to another; the next cycle of the sender delivers it to the server.
pub fn send(fleet: &Fleet, at: usize, to: usize) -> Result<String, SyncFault> {
    let machine = &fleet.machines[at];
    let content = ("title".to_owned(), vec![json!({ "url": "https://a.test/" })]);
    let sending = remote::send(&machine.list, &machine.env, &machine.account, fleet.machines[to].device.clone(), content);
    drive(sending, |_| true).unwrap()
}

/// Injects `fault` into each request that `is_meant` chooses. Returns a counter of these requests, which grows while
/// the cycles run.
pub fn spoil(
    fleet: &Fleet,
    mut is_meant: impl FnMut(&ServerOperation) -> bool + Send + 'static,
    fault: InjectedFault,
) -> Arc<AtomicUsize> {
    let spoiled = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&spoiled);
    fleet.server.set_faults(Box::new(move |operation| {
        is_meant(operation).then(|| {
            count.fetch_add(1, Ordering::Relaxed);
            fault.clone()
        })
    }));
    spoiled
}

/// Returns a step in which a machine runs a cycle. Each fault is given with the number of the request that it
/// affects.
pub fn faulty_cycle(at: usize, faults: Vec<(u64, RequestFault)>) -> FleetStep {
    FleetStep::Cycle { at, faults, interruptions: Vec::new(), killed_at: None }
}

/// Returns a step in which a machine runs a cycle and is interrupted at the await number `poll`.
pub fn interrupted_cycle(at: usize, poll: usize, interruption: Interruption) -> FleetStep {
    FleetStep::Cycle { at, faults: Vec::new(), interruptions: vec![(poll, interruption)], killed_at: None }
}

/// Asserts that a machine has every download up to its read position, and none after it. Returns the number of these
/// downloads.
pub fn known_behind_cursor(fleet: &Fleet, at: usize) -> u64 {
    let ledger = fleet.machines[at].list.ledger();
    let cursor = ledger.cursors.get(DownloadRecord::COLLECTION).cloned().unwrap_or_default();
    let offset: Option<PageOffset> = cursor.page_offset.as_deref().map(|text| serde_json::from_str(text).unwrap());
    let mut known = 0;
    for object in fleet.server.stored(DownloadRecord::COLLECTION) {
        let is_known = ledger.records.contains_key(&(DownloadRecord::COLLECTION.to_owned(), object.id.clone()));
        let place = (object.modified_ms, object.id.as_str());
        let is_passed = place.0 <= cursor.modified || offset.as_ref().is_some_and(|end| place <= (end.modified_ms, &*end.id));
        assert_eq!(is_known, is_passed, "{place:?} {cursor:?}");
        known += u64::from(is_known);
    }
    known
}

/// Codes under which a machine holds records back.
pub fn held_codes(fleet: &Fleet, at: usize) -> Vec<String> {
    fleet.machines[at].list.ledger().records.values().filter_map(|row| row.held_code.clone()).collect()
}

/// Whether a request sends a batch, or a part of it.
pub fn is_push(operation: &ServerOperation) -> bool {
    use OperationKind::{BatchAppend, BatchBegin, BatchCommit, BatchWhole};
    matches!(operation.kind, BatchWhole | BatchBegin | BatchAppend | BatchCommit)
}

/// Whether a request reads a page of downloads.
pub fn is_read_of_downloads(operation: &ServerOperation) -> bool {
    operation.kind == OperationKind::ReadPage && operation.collection.as_deref() == Some(DownloadRecord::COLLECTION)
}
