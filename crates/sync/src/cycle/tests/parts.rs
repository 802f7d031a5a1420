//! Tests downloads with too many requests for one record. The requests are sent in parts.

use std::{collections::BTreeSet, sync::atomic::Ordering};

use ashore_engine::UniqueId;
use serde_json::{Value, json};

use super::{
    checks::on_server,
    fleet::{Fleet, drive, long_requests, requests_of_two_parts},
    scenes::{cycles, end, faulty_cycle, fleet, only_download, only_record, spoil},
    steps::{MACHINES, MachineAction, RequestFault},
};
use crate::{
    cycle::SyncFault,
    keys::NONCE_BYTES,
    merge::CONFLICT_MS,
    records::{DownloadRecord, DownloadRequest, HybridStamp, LONGEST_REQUESTS, PartList, PartRecord, SyncRecord},
    server::{InjectedFault, OperationKind, OutgoingObject, ServerLimits, SyncServer as _},
    service::RemoteChange,
};

const DOWNLOADS: &str = DownloadRecord::COLLECTION;
const PARTS: &str = PartRecord::COLLECTION;
const TAKING: [RemoteChange; 2] = [RemoteChange::MoveHere, RemoteChange::FetchHere];
/// Time after which a part that no record names is deleted.
pub const LATER_MS: i64 = CONFLICT_MS + 1;

/// Returns three machines that share one download.
///
/// The download belongs to machine 0. Its requests are so many that they are split into several parts.
pub fn with_long_download() -> Fleet {
    let mut fleet = fleet();
    fleet.act(0, &MachineAction::CreateLong);
    cycles(&fleet, &[0, 1, 2, 0]);
    fleet
}

/// Returns three machines that split requests at the real length of the program, not at the short length of other
/// tests.
fn with_real_length() -> Fleet {
    let mut fleet = fleet();
    fleet.machines.iter_mut().for_each(|machine| machine.longest_requests = LONGEST_REQUESTS);
    fleet
}

fn part_list(record: &DownloadRecord) -> PartList {
    let DownloadRequest::Parts(list) = &record.request.value else { panic!("the record names no parts") };
    list.clone()
}

/// Ids of the parts on the server.
pub fn stored_parts(fleet: &Fleet) -> BTreeSet<String> {
    fleet.server.stored(PARTS).into_iter().map(|object| object.id).collect()
}

/// Asserts that the server has all parts that the records of downloads name.
pub fn assert_named_parts_exist(fleet: &Fleet, when: &str) {
    let stored = stored_parts(fleet);
    for record in on_server::<DownloadRecord>(fleet).values().filter(|record| !record.is_removed()) {
        let DownloadRequest::Parts(list) = &record.request.value else { continue };
        assert!(list.ids.iter().all(|id| stored.contains(id)), "{when}: {list:?}, but the server has {stored:?}");
    }
}

/// Makes a machine take over the only download of the list, or fetch the same links as a separate download.
pub fn take(fleet: &Fleet, at: usize, change: RemoteChange) -> Result<(), SyncFault> {
    let machine = &fleet.machines[at];
    let id = fleet.server.stored(DOWNLOADS).remove(0).id;
    drive(machine.change(&fleet.keys, &id, change), |_| true).unwrap()
}

fn ledger(fleet: &Fleet, at: usize) -> String {
    format!("{:?}", fleet.machines[at].list.ledger())
}

pub fn remembered_parts(fleet: &Fleet, at: usize) -> usize {
    fleet.machines[at].list.ledger().records.values().filter(|row| row.collection == PARTS).count()
}

/// Creates a download with given requests on a machine.
pub fn create(fleet: &Fleet, at: usize, requests: Vec<Value>) -> UniqueId {
    fleet.machines[at].list.create_all("long", requests, false)
}

/// Replaces an object on the server by a record that a machine of the list could write.
fn replace<T: SyncRecord>(fleet: &Fleet, id: &str, edit: impl Fn(&mut Value)) {
    let uid = fleet.machines[0].account.uid;
    let mut record = serde_json::to_value(&on_server::<T>(fleet)[id]).unwrap();
    edit(&mut record);
    let text = record.to_string();
    let payload = fleet.keys.seal_record(uid, T::COLLECTION, id, text.as_bytes(), [9; NONCE_BYTES]).unwrap();
    let object = OutgoingObject { id: id.to_owned(), payload, ttl_s: None };
    drive(fleet.server.put_object(T::COLLECTION, &object, None), |_| true).unwrap().unwrap();
}

pub fn delete_parts(fleet: &Fleet, ids: &[String]) {
    drive(fleet.server.delete_objects(PARTS, ids, None), |_| true).unwrap().unwrap();
}

#[test]
fn long_download_is_taken_over_completely() {
    for change in TAKING {
        let fleet = with_long_download();
        let list = part_list(&only_record(&fleet));
        assert_eq!((list.count, list.ids.len()), (2, 2));
        assert_eq!(stored_parts(&fleet), list.ids.into_iter().collect());
        take(&fleet, 1, change).unwrap();
        assert_eq!(only_download(&fleet, 1).unwrap().synced.requests, long_requests(1));
        end(fleet);
    }
}

#[test]
fn download_with_parts_of_full_size_is_taken_over_completely() {
    let fleet = with_real_length();
    let requests = requests_of_two_parts(1, LONGEST_REQUESTS);
    create(&fleet, 0, requests.clone());
    cycles(&fleet, &[0, 1, 2, 0]);
    let stored = fleet.server.stored(PARTS);
    assert!(stored.len() == 2 && stored.iter().all(|part| part.payload.len() > LONGEST_REQUESTS / 2));
    take(&fleet, 1, RemoteChange::MoveHere).unwrap();
    assert_eq!(only_download(&fleet, 1).unwrap().synced.requests, requests);
    end(fleet);
}

#[test]
fn parts_are_not_read_before_download_is_taken_over() {
    let mut fleet = fleet();
    let read = |operation: &crate::server::ServerOperation| {
        let is_read = matches!(operation.kind, OperationKind::ReadPage | OperationKind::ReadObject);
        is_read && operation.collection.as_deref() == Some(PARTS)
    };
    // This fault changes nothing. Inject it only to count the requests.
    let reads = spoil(&fleet, read, InjectedFault::TimeBackwards(0));
    fleet.act(0, &MachineAction::CreateLong);
    cycles(&fleet, &[0, 1, 2, 0, 1, 2]);
    assert_eq!(reads.load(Ordering::Relaxed), 0);
    take(&fleet, 1, RemoteChange::MoveHere).unwrap();
    assert_eq!(reads.load(Ordering::Relaxed), 2);
}

#[test]
fn equal_requests_give_equal_ids_on_all_machines() {
    let fleet = with_long_download();
    let before = stored_parts(&fleet);
    take(&fleet, 1, RemoteChange::FetchHere).unwrap();
    create(&fleet, 2, long_requests(2));
    cycles(&fleet, &[1, 2]);
    let lists: Vec<PartList> = on_server::<DownloadRecord>(&fleet).values().map(part_list).collect();
    let ids: BTreeSet<&String> = lists.iter().flat_map(|list| &list.ids).collect();
    assert_eq!((lists.len(), ids.len()), (3, 3), "one part is shared by three downloads, one by two");
    assert!(before.is_subset(&stored_parts(&fleet)));
    end(fleet);
}

type Spoil = fn(&Fleet, &PartList);

/// Spoils the parts of a download. Asserts that no machine can take over or fetch the download, and that neither the
/// ledger nor the record on the server changes.
fn refuse_spoiled(name: &str, spoil: Spoil, code: &str) {
    for change in TAKING {
        let fleet = with_long_download();
        spoil(&fleet, &part_list(&only_record(&fleet)));
        cycles(&fleet, &[1]);
        let (here, there) = (ledger(&fleet, 1), fleet.server.stored(DOWNLOADS));
        let fault = take(&fleet, 1, change).unwrap_err();
        assert_eq!(fault.code(), code, "{name}: {fault:?}");
        assert_eq!((ledger(&fleet, 1), fleet.server.stored(DOWNLOADS)), (here, there), "{name}");
    }
}

#[test]
fn unusable_part_is_reported_and_nothing_is_written() {
    refuse_spoiled("missing", |fleet, list| delete_parts(fleet, &list.ids[1..]), "sync-incomplete");
    let swapped: Spoil = |fleet, list| {
        let payload = |id| fleet.server.stored(PARTS).into_iter().find(|object| object.id == id).unwrap().payload;
        let [first, second] = [0, 1].map(|at| payload(list.ids[at].clone()));
        fleet.server.tamper(PARTS, &list.ids[0], &second);
        fleet.server.tamper(PARTS, &list.ids[1], &first);
    };
    refuse_spoiled("swapped", swapped, "sync-incomplete");
    let other: Spoil = |fleet, list| {
        replace::<PartRecord>(fleet, &list.ids[1], |part| part["requests"][0]["url"] = json!("https://b.test/"));
    };
    refuse_spoiled("other content", other, "sync-incomplete");
    let shifted: Spoil = |fleet, list| replace::<PartRecord>(fleet, &list.ids[0], |part| part["index"] = json!(1));
    refuse_spoiled("other index", shifted, "sync-incomplete");
    let newer: Spoil = |fleet, list| replace::<PartRecord>(fleet, &list.ids[1], |part| part["v"] = json!(2));
    refuse_spoiled("newer", newer, "sync-newer");
    let reversed: Spoil = |fleet, _| edit_list(fleet, |list| list["ids"].as_array_mut().unwrap().reverse());
    refuse_spoiled("wrong order", reversed, "sync-incomplete");
    let shortened: Spoil = |fleet, _| edit_list(fleet, |list| drop(list["ids"].as_array_mut().unwrap().pop()));
    refuse_spoiled("fewer parts than links", shortened, "sync-incomplete");
    let empty: Spoil = |fleet, _| edit_list(fleet, |list| *list = json!({ "count": 0, "ids": [] }));
    refuse_spoiled("no parts", empty, "sync-incomplete");
}

/// Edits the list of parts in the only record on the server, and gives the edit a later stamp.
fn edit_list(fleet: &Fleet, edit: fn(&mut Value)) {
    let id = fleet.server.stored(DOWNLOADS).remove(0).id;
    replace::<DownloadRecord>(fleet, &id, |record| {
        edit(&mut record["request"]["value"]["parts"]);
        let at: HybridStamp = record["request"]["at"].as_str().unwrap().parse().unwrap();
        record["request"]["at"] = json!(HybridStamp::new(at.ms() + 1000, 0, at.device().clone()));
    });
}

#[test]
fn parts_are_sent_again_after_server_rollback_and_failed_take_over() {
    for first in 0..MACHINES {
        let mut fleet = fleet();
        let backup = fleet.server.snapshot();
        fleet.act(0, &MachineAction::CreateLong);
        cycles(&fleet, &[0, 1, 2]);
        let (id, before) = (fleet.server.stored(DOWNLOADS).remove(0).id, ledger(&fleet, 1));
        fleet.server.restore(&backup);
        let machine = fleet.machines[1].clone();
        let fault = drive(machine.change(&fleet.keys, &id, RemoteChange::MoveHere), |_| true).unwrap().unwrap_err();
        assert_eq!((fault.code(), ledger(&fleet, 1)), ("sync-incomplete", before));
        // In two of the three runs, a machine without the requests sends the record first.
        cycles(&fleet, &[first, 0]);
        assert_named_parts_exist(&fleet, "restored");
        take(&fleet, 1, RemoteChange::MoveHere).unwrap();
        end(fleet);
    }
}

#[test]
fn lost_parts_are_sent_again_by_the_machine_of_the_download() {
    let lose: [fn(&Fleet); 2] = [
        |fleet| delete_parts(fleet, &[fleet.server.stored(PARTS).remove(1).id]),
        |fleet| assert!(drive(fleet.server.delete_collection(PARTS, None), |_| true).unwrap().is_ok()),
    ];
    for lose in lose {
        let fleet = with_long_download();
        lose(&fleet);
        cycles(&fleet, &[1]);
        drive(fleet.machines[0].cycle_of(fleet.keys.clone(), false), |_| true).unwrap().unwrap();
        assert_named_parts_exist(&fleet, "lost");
        end(fleet);
    }
}

#[test]
fn hand_over_is_completed_after_missing_part_arrives() {
    let fleet = with_long_download();
    let (machine, id) = (fleet.machines[1].clone(), fleet.server.stored(DOWNLOADS).remove(0).id);
    // The program is killed after the home was changed, but before the download is created.
    let is_moved = |fleet: &Fleet| fleet.machines[1].known(&id).unwrap().home.value == fleet.machines[1].device;
    drive(machine.change(&fleet.keys, &id, RemoteChange::MoveHere), |_| !is_moved(&fleet));
    machine.list.on_kill();
    delete_parts(&fleet, &part_list(&only_record(&fleet)).ids);
    cycles(&fleet, &[1, 1]);
    assert!(only_download(&fleet, 1).is_none());
    // The former home still has the requests.
    cycles(&fleet, &[0]);
    drive(machine.cycle_of(fleet.keys.clone(), false), |_| true).unwrap().unwrap();
    assert_eq!(only_download(&fleet, 1).unwrap().synced.requests, long_requests(1));
    end(fleet);
}

#[test]
fn record_never_lacks_its_parts_even_if_sending_is_interrupted() {
    for killed_at in 0.. {
        let mut fleet = fleet();
        fleet.act(0, &MachineAction::CreateLong);
        let machine = fleet.machines[0].clone();
        let is_complete = drive(machine.cycle(fleet.keys.clone()), |number| number != killed_at).is_some();
        machine.list.on_kill();
        assert_named_parts_exist(&fleet, "killed");
        if is_complete {
            assert!(killed_at > 40, "the cycle has only {killed_at} awaits");
            break;
        }
        match killed_at % 8 {
            // If this machine had no note of the parts, they would stay on the server forever.
            0 => {
                fleet.act(0, &MachineAction::Remove(0));
                cycles(&fleet, &[0]);
                assert_deleted_later(&fleet);
            }
            4 => drop(end(fleet)),
            _ => {}
        }
    }
}

#[test]
fn record_never_lacks_its_parts_even_if_one_request_to_the_server_fails() {
    for fault in [RequestFault::LostReply, RequestFault::Conflict, RequestFault::Full] {
        for request in 0.. {
            let mut fleet = fleet();
            fleet.act(0, &MachineAction::CreateLong);
            let first = fleet.server.operations();
            fleet.take(&faulty_cycle(0, vec![(request, fault)]));
            assert_named_parts_exist(&fleet, "fault");
            cycles(&fleet, &[0]);
            if fleet.server.operations() - first <= request {
                assert!(request > 6, "the cycles have only {request} requests");
                break;
            }
            end(fleet);
        }
    }
}

/// Asserts that no machine deletes a part early, and that all parts are deleted later.
fn assert_deleted_later(fleet: &Fleet) {
    let before = stored_parts(fleet);
    cycles(fleet, &[0, 1, 2]);
    fleet.pass(CONFLICT_MS - 10_000);
    cycles(fleet, &[0, 1, 2]);
    assert_eq!(stored_parts(fleet), before, "30 days have not passed yet");
    fleet.pass(LATER_MS);
    cycles(fleet, &[0, 1, 2]);
    assert_eq!(stored_parts(fleet), BTreeSet::new());
    assert_eq!(remembered_parts(fleet, 0), 0);
}

#[test]
fn removal_deletes_parts_after_thirty_days() {
    let mut fleet = with_long_download();
    assert_eq!(stored_parts(&fleet).len(), 2);
    fleet.act(0, &MachineAction::Remove(0));
    cycles(&fleet, &[0]);
    assert!(only_record(&fleet).is_removed());
    assert_deleted_later(&fleet);
    end(fleet);
}

#[test]
fn parts_are_deleted_if_machine_removes_download_that_was_moved_to_it() {
    let mut fleet = with_long_download();
    take(&fleet, 1, RemoteChange::MoveHere).unwrap();
    fleet.act(1, &MachineAction::Start(0));
    cycles(&fleet, &[1, 0, 1]);
    // Only the new home runs again.
    fleet.act(1, &MachineAction::Remove(0));
    cycles(&fleet, &[1]);
    fleet.pass(LATER_MS);
    cycles(&fleet, &[1]);
    assert_eq!((stored_parts(&fleet).len(), remembered_parts(&fleet, 1)), (0, 0));
    end(fleet);
}

#[test]
fn part_is_kept_if_another_download_refers_to_it() {
    let mut fleet = with_long_download();
    take(&fleet, 1, RemoteChange::FetchHere).unwrap();
    create(&fleet, 2, long_requests(2));
    cycles(&fleet, &[1, 2, 0]);
    let all = stored_parts(&fleet);
    assert_eq!(all.len(), 3);
    fleet.act(0, &MachineAction::Remove(0));
    cycles(&fleet, &[0, 1, 2]);
    fleet.pass(LATER_MS);
    cycles(&fleet, &[0, 1, 2]);
    assert_eq!(stored_parts(&fleet), all, "machine 1 has the same download");
    fleet.act(1, &MachineAction::Remove(0));
    cycles(&fleet, &[1, 0, 2]);
    fleet.pass(LATER_MS);
    cycles(&fleet, &[0, 1, 2]);
    let records = on_server::<DownloadRecord>(&fleet);
    let last = records.values().find(|record| !record.is_removed()).unwrap();
    assert_eq!(stored_parts(&fleet), part_list(last).ids.into_iter().collect());
    end(fleet);
}

#[test]
fn parts_of_replaced_requests_are_deleted_later() {
    let fleet = with_long_download();
    let before = stored_parts(&fleet);
    let id = only_download(&fleet, 0).unwrap().synced.unique_id;
    fleet.machines[0].list.relink(id, long_requests(7));
    cycles(&fleet, &[0, 1]);
    let ids: BTreeSet<String> = part_list(&only_record(&fleet)).ids.into_iter().collect();
    assert_eq!(stored_parts(&fleet), before.union(&ids).cloned().collect());
    fleet.pass(LATER_MS);
    cycles(&fleet, &[0]);
    assert_eq!((stored_parts(&fleet), remembered_parts(&fleet, 0)), (ids, 2));
    fleet.machines[0].list.relink(id, vec![json!({ "url": "https://a.test/" })]);
    cycles(&fleet, &[0]);
    assert_deleted_later(&fleet);
    end(fleet);
}

#[test]
fn part_is_kept_if_a_record_refers_to_it_again_during_deletion() {
    for requests in 0.. {
        let mut fleet = with_long_download();
        fleet.act(0, &MachineAction::Remove(0));
        cycles(&fleet, &[0, 1, 2]);
        fleet.pass(LATER_MS);
        let (machine, keys, mut is_reached) = (fleet.machines[0].clone(), fleet.keys.clone(), false);
        let first = fleet.server.operations();
        let outcome = drive(machine.cycle(keys), |_| {
            if !is_reached && fleet.server.operations() == first + requests {
                is_reached = true;
                create(&fleet, 2, long_requests(1));
                fleet.quiet_cycle(2).unwrap();
            }
            true
        });
        outcome.unwrap().unwrap();
        assert_named_parts_exist(&fleet, &format!("after {requests} requests"));
        if !is_reached {
            assert!(requests > 4 && stored_parts(&fleet).is_empty(), "the cycle has only {requests} requests");
            break;
        }
        end(fleet);
    }
}

#[test]
fn part_is_not_deleted_if_sent_within_last_day() {
    let mut fleet = with_long_download();
    fleet.act(0, &MachineAction::Remove(0));
    cycles(&fleet, &[0, 1, 2]);
    fleet.pass(LATER_MS);
    // Machine 2 is killed after it has sent the parts, but before it sends the record that names them.
    create(&fleet, 2, long_requests(1));
    let machine = fleet.machines[2].clone();
    let times = |fleet: &Fleet| fleet.server.stored(PARTS).into_iter().map(|part| part.modified_ms).collect::<Vec<_>>();
    let before = times(&fleet);
    drive(machine.cycle(fleet.keys.clone()), |_| times(&fleet) == before);
    machine.list.on_kill();
    assert_eq!(on_server::<DownloadRecord>(&fleet).values().filter(|record| !record.is_removed()).count(), 0);
    cycles(&fleet, &[0, 1]);
    assert_eq!(stored_parts(&fleet).len(), 2);
    cycles(&fleet, &[2]);
    assert_named_parts_exist(&fleet, "sent");
    end(fleet);
}

#[test]
fn no_part_is_deleted_while_record_cannot_be_read() {
    let mut fleet = with_long_download();
    fleet.act(0, &MachineAction::Remove(0));
    fleet.act(2, &MachineAction::Create { is_paused: false });
    cycles(&fleet, &[0, 2]);
    let live = on_server::<DownloadRecord>(&fleet).into_iter().find(|(_, record)| !record.is_removed()).unwrap().0;
    let sound = fleet.server.stored(DOWNLOADS).into_iter().find(|object| object.id == live).unwrap().payload;
    fleet.server.tamper(DOWNLOADS, &live, "x");
    cycles(&fleet, &[0]);
    fleet.pass(LATER_MS);
    cycles(&fleet, &[0, 0]);
    assert_eq!(stored_parts(&fleet).len(), 2);
    fleet.server.tamper(DOWNLOADS, &live, &sound);
    cycles(&fleet, &[0]);
    assert_eq!(stored_parts(&fleet).len(), 0);
    end(fleet);
}

#[test]
fn record_is_not_sent_if_server_refuses_its_parts() {
    let mut fleet = with_real_length();
    fleet.server.set_limits(ServerLimits { payload_bytes: 100_000, ..ServerLimits::default() });
    create(&fleet, 0, requests_of_two_parts(1, LONGEST_REQUESTS));
    fleet.act(0, &MachineAction::Create { is_paused: false });
    assert_eq!(fleet.quiet_cycle(0).unwrap().sent, 1);
    let records = on_server::<DownloadRecord>(&fleet);
    assert!(records.values().all(|record| matches!(record.request.value, DownloadRequest::Requests(_))));
    assert_eq!((records.len(), stored_parts(&fleet).len()), (1, 0));
}
