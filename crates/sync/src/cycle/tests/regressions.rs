//! Contains one test for each kind of fault that the random histories have found.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::{
    checks::on_server,
    fleet::{Fleet, choice, drive},
    scenes::{
        AWAITS, HOUR_MS, ask, conflict_count, cycles, end, faulty_cycle, fleet, interrupted_cycle, only_download, only_record,
        send, set, with_download,
    },
    steps::{Interruption, MACHINES, MachineAction, RequestFault},
};
use crate::{
    cycle::{SyncFault, edit_account, known_send, read_account},
    merge::{ConflictField, MOST_SENDS, SendRefusal},
    records::{DownloadRecord, DownloadRequest, HistoryRecord, RequestedState, SendRecord, SettingRecord, SyncRecord as _},
    service::RemoteChange,
};

#[test]
fn machine_with_fast_clock_does_not_undo_later_edit() {
    let mut fleet = with_download([3 * HOUR_MS, 0, 0]);
    ask(&mut fleet, 1, RemoteChange::Pause);
    cycles(&fleet, &[1, 0]);
    assert!(only_download(&fleet, 0).unwrap().synced.is_paused);
    assert_eq!(conflict_count(&end(fleet)), 0);
}

#[test]
fn one_conflict_remains_if_two_machines_choose_value_of_unset_setting() {
    let mut fleet = fleet();
    fleet.act(0, &set(0));
    fleet.act(1, &set(0));
    cycles(&fleet, &[0, 1]);
    assert_eq!(conflict_count(&end(fleet)), 1);
}

#[test]
fn setting_is_not_lost_if_changed_during_read() {
    for poll in 0..AWAITS {
        let mut fleet = fleet();
        fleet.act(0, &set(0));
        cycles(&fleet, &[0]);
        fleet.take(&interrupted_cycle(1, poll, Interruption::Action(1, set(0))));
        end(fleet);
    }
}

#[test]
fn concurrent_account_changes_are_both_kept() {
    let fleet = fleet();
    let list = &fleet.machines[0].list;
    for poll in 0..AWAITS {
        drive(edit_account(list, |account| account.trusted.clear()), |_| true).unwrap().unwrap();
        let mut changes = 0;
        let renaming = edit_account(list, |account| account.name = poll.to_string());
        let renamed = drive(renaming, |number| {
            if number == poll {
                let other = &fleet.machines[1].device;
                drive(edit_account(list, |account| account.trusted.push(other.clone())), |_| true).unwrap().unwrap();
                changes += 1;
            }
            true
        });
        renamed.unwrap().unwrap();
        let account = drive(read_account(list), |_| true).unwrap().unwrap().unwrap();
        assert_eq!((account.name, account.trusted.len()), (poll.to_string(), changes));
    }
}

#[test]
fn list_is_read_completely_while_another_machine_sends_changes() {
    let mut fleet = Fleet::new([0; MACHINES], 2);
    let add = |fleet: &mut Fleet| {
        fleet.act(0, &MachineAction::Create { is_paused: true });
        cycles(fleet, &[0]);
    };
    (0..40).for_each(|_| add(&mut fleet));
    let machine = fleet.machines[1].clone();
    let cycle = machine.cycle(fleet.keys.clone());
    let report = drive(cycle, |poll| {
        // These changes are so frequent that the machine never reads the whole list between two of them.
        if poll < AWAITS && poll % 10 == 0 {
            add(&mut fleet);
        }
        true
    });
    assert!(report.unwrap().unwrap().received >= 60);
    assert_eq!(on_server::<DownloadRecord>(&fleet).len(), 60);
    end(fleet);
}

#[test]
fn setting_value_that_machine_refuses_stays_on_server() {
    let mut fleet = fleet();
    fleet.act(1, &set(0));
    cycles(&fleet, &[1, 0]);
    fleet.machines[1].list.ledger().refused = Some(json!(2));
    fleet.act(0, &set(0));
    cycles(&fleet, &[0, 1, 0, 1]);
    let records = on_server::<SettingRecord>(&fleet);
    let choices: Vec<_> = records.values().map(|record| json!(record.choice.value)).collect();
    assert_eq!(choices, [choice(Some(json!(2)))]);
    let values = [0, 1].map(|at: usize| fleet.machines[at].list.ledger().settings["order"].clone());
    assert_eq!(values, [json!(2), json!(1)]);
}

#[test]
fn moved_download_runs_on_new_machine_although_former_machine_paused_it() {
    let mut fleet = with_download([0; MACHINES]);
    ask(&mut fleet, 1, RemoteChange::MoveHere);
    fleet.act(1, &MachineAction::Finish(0, false));
    cycles(&fleet, &[1, 0, 1]);
    assert!(only_download(&fleet, 0).unwrap().synced.is_paused);
    assert_eq!(only_record(&fleet).requested.value, RequestedState::Run);
    end(fleet);
}

#[test]
fn download_that_former_machine_paused_resumes_when_it_is_moved_back() {
    let mut fleet = with_download([0; MACHINES]);
    ask(&mut fleet, 1, RemoteChange::MoveHere);
    fleet.act(1, &MachineAction::Finish(0, false));
    cycles(&fleet, &[1, 0]);
    ask(&mut fleet, 0, RemoteChange::MoveHere);
    cycles(&fleet, &[0, 1]);
    assert!(!only_download(&fleet, 0).unwrap().synced.is_paused);
    let record = only_record(&fleet);
    assert_eq!((record.home.value, record.requested.value), (fleet.machines[0].device.clone(), RequestedState::Run));
    end(fleet);
}

#[test]
fn former_machine_keeps_moved_download_until_new_machine_has_started_it() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(0, &MachineAction::Start(0));
    cycles(&fleet, &[0, 1]);
    ask(&mut fleet, 1, RemoteChange::MoveHere);
    cycles(&fleet, &[1, 0, 1, 0]);
    assert!(only_download(&fleet, 0).is_some_and(|kept| kept.synced.is_paused), "the new home has only queued it");
    fleet.act(1, &MachineAction::Start(0));
    cycles(&fleet, &[1, 0]);
    assert!(only_download(&fleet, 0).is_none());
    end(fleet);
}

#[test]
fn download_that_is_moved_back_stays_on_other_machine_until_it_starts() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(0, &MachineAction::Start(0));
    cycles(&fleet, &[0, 1]);
    ask(&mut fleet, 1, RemoteChange::MoveHere);
    cycles(&fleet, &[1, 0]);
    ask(&mut fleet, 0, RemoteChange::MoveHere);
    cycles(&fleet, &[0, 1, 0, 1]);
    assert!(only_download(&fleet, 1).is_some_and(|kept| kept.synced.is_paused), "the response came before the move");
    fleet.act(0, &MachineAction::Start(0));
    cycles(&fleet, &[0, 1]);
    assert!(only_download(&fleet, 1).is_none());
    end(fleet);
}

#[test]
fn interrupted_move_back_to_first_machine_does_not_remove_download() {
    for killed_at in 0..24 {
        let mut fleet = with_download([0; MACHINES]);
        ask(&mut fleet, 1, RemoteChange::MoveHere);
        fleet.act(1, &MachineAction::Start(0));
        cycles(&fleet, &[1, 0, 1]);
        assert!(only_download(&fleet, 0).is_none(), "the former home drops its download");
        fleet.act(0, &MachineAction::Ask(0, RemoteChange::MoveHere, Some(killed_at)));
        cycles(&fleet, &[0, 1]);
        assert!(!only_record(&fleet).is_removed(), "killed at {killed_at}");
        end(fleet);
    }
}

#[test]
fn removal_during_interrupted_move_removes_download() {
    for killed_at in 0..24 {
        let mut fleet = with_download([0; MACHINES]);
        fleet.act(1, &MachineAction::Ask(0, RemoteChange::MoveHere, Some(killed_at)));
        ask(&mut fleet, 2, RemoteChange::Remove);
        cycles(&fleet, &[2, 1, 0]);
        end(fleet);
    }
}

#[test]
fn sanitised_title_causes_no_conflict_after_lost_reply() {
    for request in 0..20 {
        let mut fleet = fleet();
        fleet.machines[0].list.create(" a\u{202e}b", json!({ "url": "https://a.test/" }), false);
        fleet.take(&faulty_cycle(0, vec![(request, RequestFault::LostReply)]));
        cycles(&fleet, &[0, 1, 0]);
        assert_eq!((only_record(&fleet).title.value, conflict_count(&fleet)), ("ab".to_owned(), 0));
    }
}

#[test]
fn request_that_other_machines_would_refuse_is_sent_as_summary() {
    let fleet = fleet();
    let series = json!({ "url": "https://a.test/1", "next": { "series": { "number": 1, "until": 1_000_000 } } });
    fleet.machines[0].list.create("series", series, false);
    fleet.machines[0].list.create("other", json!({ "url": "https://a.test/" }), false);
    cycles(&fleet, &[0]);
    let mut requests: Vec<_> = on_server::<DownloadRecord>(&fleet).into_values().map(|record| record.request.value).collect();
    requests.retain(|request| matches!(request, DownloadRequest::Omitted { count: 1 }));
    assert_eq!(requests.len(), 1);
    end(fleet);
}

#[test]
fn download_is_removed_everywhere_if_removed_after_lost_reply() {
    for request in 0..20 {
        let mut fleet = fleet();
        fleet.act(0, &MachineAction::Create { is_paused: false });
        fleet.take(&faulty_cycle(0, vec![(request, RequestFault::LostReply)]));
        fleet.act(0, &MachineAction::Remove(0));
        cycles(&fleet, &[0, 1]);
        assert!(on_server::<DownloadRecord>(&fleet).values().all(DownloadRecord::is_removed), "request {request}");
        end(fleet);
    }
}

#[test]
fn removal_during_a_sync_is_not_lost() {
    for poll in 0..AWAITS {
        let mut fleet = fleet();
        fleet.act(0, &MachineAction::Create { is_paused: false });
        fleet.take(&interrupted_cycle(0, poll, Interruption::Action(0, MachineAction::Remove(0))));
        end(fleet);
    }
}

#[test]
fn sent_download_is_delivered_once_despite_lost_reply() {
    for request in 0..20 {
        let mut fleet = fleet();
        fleet.act(0, &MachineAction::Send { to: 1 });
        for at in [0, 1] {
            fleet.take(&faulty_cycle(at, vec![(request, RequestFault::LostReply)]));
        }
        let fleet = end(fleet);
        assert!(fleet.edits.iter().all(|edit| edit.field != ConflictField::Home));
    }
}

fn past_downloads(fleet: &Fleet) -> usize {
    on_server::<HistoryRecord>(fleet).values().filter(|record| matches!(record, HistoryRecord::Past(_))).count()
}

#[test]
fn cleared_history_is_forgotten_by_all_machines_and_server() {
    let mut fleet = with_download([0; MACHINES]);
    fleet.act(0, &MachineAction::Finish(0, true));
    cycles(&fleet, &[0, 1, 2]);
    assert_eq!(past_downloads(&fleet), 1);
    let now_ms = fleet.now_ms.load(Ordering::Relaxed);
    fleet.clear_history(1, now_ms - HOUR_MS);
    cycles(&fleet, &[1, 0]);
    assert_eq!(past_downloads(&fleet), 1);
    fleet.clear_history(1, now_ms + 1);
    // Clearing the history up to an earlier time, on any machine, must not undo the clearing up to the later time.
    fleet.clear_history(2, now_ms - HOUR_MS);
    cycles(&fleet, &[1, 0, 2, 1]);
    fleet.clear_history(1, now_ms - HOUR_MS);
    cycles(&fleet, &[1, 0]);
    assert_eq!(past_downloads(&fleet), 0);
    fleet.act(0, &MachineAction::Rename(0));
    cycles(&fleet, &[0, 1]);
    assert_eq!(past_downloads(&fleet), 0);
    let fleet = end(fleet);
    for machine in &fleet.machines {
        let count = machine.list.ledger().records.values().filter(|row| row.collection == HistoryRecord::COLLECTION).count();
        assert_eq!(count, 1, "only the record of the clearing");
    }
}

#[test]
fn sent_downloads_above_hourly_limit_arrive_later() {
    let fleet = fleet();
    for _ in 0..MOST_SENDS {
        send(&fleet, 1, 0).unwrap();
    }
    assert!(matches!(send(&fleet, 1, 0), Err(SyncFault::Send(SendRefusal::TooManySends))));
    fleet.pass(HOUR_MS);
    for _ in 0..5 {
        send(&fleet, 1, 0).unwrap();
    }
    let arrived = |fleet: &Fleet| fleet.machines[0].list.ledger().downloads.len();
    cycles(&fleet, &[1, 0, 1, 0]);
    assert_eq!(arrived(&fleet), MOST_SENDS);
    fleet.pass(HOUR_MS);
    cycles(&fleet, &[0, 1]);
    assert_eq!(arrived(&fleet), MOST_SENDS + 5);
    let ledger = fleet.machines[1].list.ledger();
    let sends = ledger.records.values().filter(|row| row.collection == SendRecord::COLLECTION).filter_map(known_send);
    assert!(sends.into_iter().all(|send| send.answer != Some(crate::records::SendAnswer::Refused)), "none was refused");
}

#[test]
fn hourly_limit_of_sent_downloads_applies_to_each_sender_separately() {
    let fleet = fleet();
    for _ in 0..MOST_SENDS {
        send(&fleet, 1, 0).unwrap();
        send(&fleet, 2, 0).unwrap();
    }
    cycles(&fleet, &[1, 2, 0]);
    assert_eq!(fleet.machines[0].list.ledger().downloads.len(), 2 * MOST_SENDS);
}
