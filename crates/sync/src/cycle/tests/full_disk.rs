//! Tests that a full disk at any write of a cycle loses nothing.

use std::collections::BTreeSet;

use ashore_engine::SyncRecordRow;

use super::{fleet::Fleet, scenes::end, server_faults::busy_fleet};
use crate::{
    cycle::{SyncFault, known_version},
    records::{DownloadRecord, SyncRecord as _},
};

/// Returns the number of downloads that the machine still has to create because it is their home.
fn hand_overs(fleet: &Fleet, at: usize) -> usize {
    let machine = &fleet.machines[at];
    let ledger = machine.list.ledger();
    let is_missing = |row: &&SyncRecordRow| {
        let is_home = known_version(row).is_some_and(|record| record.home.value == machine.device);
        is_home && ledger.of_sync_id(&row.id).is_none() && row.collection == DownloadRecord::COLLECTION
    };
    ledger.records.values().filter(is_missing).count()
}

/// Repeats the same cycle, with a different failing write each time. Asserts that the cycle reports the full disk, and
/// that the machines agree afterwards. Returns the list methods that failed.
fn fail_each_write(is_rolled_back: bool) -> BTreeSet<&'static str> {
    let mut failed = BTreeSet::new();
    for writes in 0.. {
        let (fleet, backup) = busy_fleet();
        if is_rolled_back {
            fleet.server.restore(&backup);
        }
        let machine = &fleet.machines[1];
        assert_eq!(hand_overs(&fleet, 1), 1);
        machine.list.fill_disk_after(writes);
        let outcome = fleet.quiet_cycle(1);
        let Some(method) = machine.list.failed_write() else {
            assert!(outcome.is_ok() && writes > 10, "the cycle has only {writes} writes");
            return failed;
        };
        failed.insert(method);
        assert!(matches!(&outcome, Err(SyncFault::Engine(error)) if error.code() == "disk"), "{writes} {method}: {outcome:?}");
        fleet.pass(1000);
        fleet.quiet_cycle(1).unwrap();
        assert_eq!(fleet.is_restored(1), is_rolled_back, "{writes} {method}");
        end(fleet);
    }
    failed
}

#[test]
fn full_disk_at_any_write_is_reported_and_nothing_is_lost() {
    assert_eq!(fail_each_write(false), BTreeSet::from(["receive", "set_setting", "write"]));
}

#[test]
fn nothing_is_lost_if_disk_is_full_while_server_is_restored() {
    assert_eq!(fail_each_write(true), BTreeSet::from(["receive", "restart", "write"]));
}
