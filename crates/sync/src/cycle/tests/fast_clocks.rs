//! Tests a machine whose clock is 10 to 20 minutes ahead. If an edit is sent some minutes later, its stamp is
//! plausible. If an edit is sent at once, its stamp is set back.

use serde_json::json;

use super::{
    checks::on_server,
    fleet::Fleet,
    scenes::{HOUR_MS, conflict_count, cycles, end, is_push, only_record, send_later, set, spoil, with_download},
    steps::{MACHINES, MachineAction},
};
use crate::{
    records::{DownloadRecord, RequestedState, SettingRecord},
    server::InjectedFault,
    service::RemoteChange,
};

const MINUTE_MS: i64 = HOUR_MS / 60;
/// Errors of the clocks. Only the clock of the first machine is wrong: 12 minutes ahead.
const ERRORS_MS: [i64; MACHINES] = [12 * MINUTE_MS, 0, 0];

/// Makes two edits on machine 0. The first one is sent three minutes later, with a stamp that is then 9 minutes ahead.
/// The second one is sent at once, with a stamp that is set back.
fn edit_twice(fleet: &mut Fleet, mut edit: impl FnMut(&mut Fleet, usize)) {
    edit(fleet, 0);
    send_later(fleet, 0, 3 * MINUTE_MS);
    cycles(fleet, &[1, 2]);
    fleet.pass(MINUTE_MS);
    edit(fleet, 1);
    cycles(fleet, &[0, 1, 2]);
}

#[test]
fn second_rename_by_machine_with_fast_clock_overrides_first() {
    let mut fleet = with_download(ERRORS_MS);
    edit_twice(&mut fleet, |fleet, _| fleet.act(0, &MachineAction::Rename(0)));
    let fleet = end(fleet);
    assert_eq!(json!(only_record(&fleet).title.value), fleet.edits.last().unwrap().value);
    assert_eq!(conflict_count(&fleet), 0);
}

#[test]
fn resume_by_machine_with_fast_clock_overrides_its_earlier_pause() {
    let mut fleet = Fleet::new(ERRORS_MS, 500);
    fleet.act(1, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[1, 0, 2]);
    let changes = [RemoteChange::Pause, RemoteChange::Resume];
    edit_twice(&mut fleet, |fleet, number| fleet.act(0, &MachineAction::Ask(0, changes[number], None)));
    let fleet = end(fleet);
    assert_eq!((only_record(&fleet).requested.value, conflict_count(&fleet)), (RequestedState::Run, 0));
}

#[test]
fn second_move_by_machine_with_fast_clock_overrides_first() {
    let mut fleet = Fleet::new(ERRORS_MS, 500);
    fleet.act(1, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[1, 0, 2]);
    fleet.act(0, &MachineAction::Ask(0, RemoteChange::MoveHere, None));
    send_later(&fleet, 0, 3 * MINUTE_MS);
    cycles(&fleet, &[1]);
    // The other machine moves the download back to itself. This move has a later stamp than the move by the fast clock.
    fleet.act(1, &MachineAction::Ask(0, RemoteChange::MoveHere, None));
    cycles(&fleet, &[1, 0]);
    fleet.act(0, &MachineAction::Ask(0, RemoteChange::MoveHere, None));
    cycles(&fleet, &[0, 1, 0]);
    let fleet = end(fleet);
    let record = only_record(&fleet);
    assert_eq!((&record.home.value, conflict_count(&fleet)), (&fleet.machines[0].device, 0));
    assert!(record.home_facts().is_some(), "{record:?}");
}

#[test]
fn second_change_of_setting_by_machine_with_fast_clock_overrides_first() {
    let mut fleet = with_download(ERRORS_MS);
    edit_twice(&mut fleet, |fleet, number| {
        fleet.act(0, &set(0));
        if number == 0 {
            // A changed setting is stamped in the next cycle. Cut the connection of that cycle, so that a later one sends
            // the setting.
            let cut = spoil(fleet, is_push, InjectedFault::CutConnection);
            fleet.quiet_cycle(0).unwrap_err();
            fleet.server.clear_faults();
            assert_eq!(cut.load(std::sync::atomic::Ordering::Relaxed), 1);
        }
    });
    let fleet = end(fleet);
    let choices: Vec<_> = on_server::<SettingRecord>(&fleet).into_values().map(|record| json!(record.choice.value)).collect();
    assert_eq!(choices, [fleet.edits.last().unwrap().value.clone()]);
    assert_eq!(conflict_count(&fleet), 0);
}

#[test]
fn unsent_rename_by_machine_with_fast_clock_survives_server_rollback() {
    let mut fleet = with_download(ERRORS_MS);
    fleet.act(0, &MachineAction::Rename(0));
    send_later(&fleet, 0, 3 * MINUTE_MS);
    let backup = fleet.server.snapshot();
    fleet.act(0, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0, 1, 2]);
    fleet.server.restore(&backup);
    fleet.act(0, &MachineAction::Rename(0));
    cycles(&fleet, &[0, 1, 2]);
    let fleet = end(fleet);
    let titles: Vec<_> = on_server::<DownloadRecord>(&fleet).into_values().map(|record| json!(record.title.value)).collect();
    assert!(titles.contains(&fleet.edits.last().unwrap().value), "{titles:?} {:?}", fleet.edits);
}
