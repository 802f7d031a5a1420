//! Tests conflicts that the server reports without end, as if other machines wrote all the time.

use std::{sync::atomic::Ordering, time::Duration};

use super::{
    checks::on_server,
    fleet::{Fleet, drive},
    scenes::{conflict_count, cycles, end, fleet, is_push, is_read_of_downloads, spoil, with_download},
    steps::{MACHINES, MachineAction},
};
use crate::{
    cycle::{LocalList as _, SyncFault},
    records::{DownloadRecord, SyncRecord as _},
    server::{InjectedFault, ServerOperation},
};

/// Number of rounds after which a cycle gives up. Also the maximum number of attempts to read from the same
/// modification time.
const LIMIT: usize = 5;

/// Checks the random pauses of a cycle: one before each round except the first, with a maximum that doubles.
fn assert_pauses_are_random(fleet: &Fleet) {
    let pauses = std::mem::take(&mut *fleet.pauses.lock().unwrap());
    assert_eq!(pauses.len(), LIMIT - 1);
    for (number, pause) in pauses.iter().enumerate() {
        assert!(*pause <= Duration::from_millis(100 << number), "{pauses:?}");
    }
    assert!(pauses.iter().any(|pause| *pause > Duration::from_millis(50)) && pauses[0] != pauses[1], "{pauses:?}");
}

#[test]
fn cycle_ends_after_limit_if_every_push_meets_a_conflict() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(0, &MachineAction::Rename(0));
    fleet.act(0, &MachineAction::Create { is_paused: true });
    let before = on_server::<DownloadRecord>(&fleet);
    let conflicts = spoil(&fleet, is_push, InjectedFault::Conflict);
    for cycle in 1..=2 {
        let fault = fleet.quiet_cycle(0).unwrap_err();
        assert!(matches!(fault, SyncFault::Contended), "{fault:?}");
        assert_eq!(conflicts.load(Ordering::Relaxed), cycle * LIMIT);
        assert_pauses_are_random(&fleet);
        assert_eq!(on_server::<DownloadRecord>(&fleet), before);
    }
    fleet.server.clear_faults();
    assert_eq!(fleet.quiet_cycle(0).unwrap().sent, 2);
    let fleet = end(fleet);
    let mut titles: Vec<_> = on_server::<DownloadRecord>(&fleet).into_values().map(|record| record.title.value).collect();
    titles.sort();
    assert_eq!((titles, conflict_count(&fleet)), (vec!["title 2".to_owned(), "title 3".to_owned()], 0));
}

#[test]
fn cycle_ends_after_limit_if_every_read_meets_a_conflict() {
    let mut fleet = fleet();
    (0..3).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
    fleet.act(1, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0]);
    let conflicts = spoil(&fleet, is_read_of_downloads, InjectedFault::Conflict);
    let fault = fleet.quiet_cycle(1).unwrap_err();
    assert!(matches!(fault, SyncFault::Contended), "{fault:?}");
    assert_eq!(conflicts.load(Ordering::Relaxed), LIMIT);
    fleet.server.clear_faults();
    let report = fleet.quiet_cycle(1).unwrap();
    assert_eq!((report.received, report.sent), (3, 1));
    assert_eq!(on_server::<DownloadRecord>(&end(fleet)).len(), 4);
}

#[test]
fn cycle_ends_after_limit_if_every_second_page_meets_a_conflict() {
    let mut fleet = Fleet::new([0; MACHINES], 2);
    (0..5).for_each(|_| fleet.act(0, &MachineAction::Create { is_paused: false }));
    cycles(&fleet, &[0]);
    let modified_ms = fleet.server.stored(DownloadRecord::COLLECTION)[0].modified_ms;
    let mut reads = 0;
    let is_second = move |operation: &ServerOperation| {
        reads += usize::from(is_read_of_downloads(operation));
        is_read_of_downloads(operation) && reads % 2 == 0
    };
    let conflicts = spoil(&fleet, is_second, InjectedFault::Conflict);
    let fault = fleet.quiet_cycle(1).unwrap_err();
    assert!(matches!(fault, SyncFault::Contended), "{fault:?}");
    // The first conflict does not count towards the limit, because the page received before it advances the start of
    // the next read. After that, the start no longer advances, because some records with the time of that page are
    // still missing.
    assert_eq!(conflicts.load(Ordering::Relaxed), 1 + LIMIT);
    let list = &fleet.machines[1].list;
    let cursor = drive(list.cursor(DownloadRecord::COLLECTION), |_| true).unwrap().unwrap();
    assert_eq!(cursor.modified, modified_ms - 1);
    fleet.server.clear_faults();
    assert_eq!(fleet.quiet_cycle(1).unwrap().received, 5);
    end(fleet);
}
