//! Tests a list of 100,000 records that is received over a connection that is cut again and again.

use super::{
    fleet::{Fleet, drive},
    scenes::{fleet, only_record, spoil, with_download},
    steps::MACHINES,
};
use crate::{
    cycle::COLLECTIONS,
    records::{DeviceId, DownloadRecord, HistoryRecord, PastDownload, SyncRecord, write_record},
    server::{InjectedFault, OutgoingObject, SyncServer as _},
};

const RECORDS: usize = 100_000;
/// Number of records in one batch, which is also the size of the batches that a machine sends.
const BATCH: usize = 500;

fn sealed<T: SyncRecord>(fleet: &Fleet, number: usize, record: &T) -> OutgoingObject {
    let (uid, env, id) = (fleet.machines[0].account.uid, &fleet.machines[0].env, format!("record-{number}"));
    let content = write_record(record).unwrap();
    let payload = fleet.keys.seal_record(uid, T::COLLECTION, &id, &content, env.bytes()).unwrap();
    OutgoingObject { id, payload, ttl_s: None }
}

/// Returns a download and a past download. Both belong to a machine outside the fleet.
fn records_of_another_machine() -> (DownloadRecord, HistoryRecord) {
    let mut record = only_record(&with_download([0; MACHINES]));
    let device: DeviceId = "another-machine".parse().unwrap();
    (record.home.value, record.facts.by) = (device.clone(), device.clone());
    let (title, address) = (record.title.value.clone(), "https://a.test/".to_owned());
    let time_ms = record.facts.created_ms;
    let (size, digest, unknown) = (Some(1000), None, serde_json::Map::new());
    (record, HistoryRecord::Past(PastDownload { v: 1, title, address, size, digest, time_ms, device, unknown }))
}

fn received(fleet: &Fleet) -> usize {
    let ledger = fleet.machines[1].list.ledger();
    ledger.records.values().filter(|row| row.base.is_some() && row.id.starts_with("record-")).count()
}

#[test]
#[ignore = "takes minutes: `make test-long`"]
fn hundred_thousand_records_arrive_over_cut_connections() {
    let fleet = fleet();
    let (download, past) = records_of_another_machine();
    for first in (0..RECORDS).step_by(BATCH) {
        let numbers = first..first + BATCH;
        let (collection, objects): (_, Vec<OutgoingObject>) = match first % (2 * BATCH) {
            0 => (DownloadRecord::COLLECTION, numbers.map(|number| sealed(&fleet, number, &download)).collect()),
            _ => (HistoryRecord::COLLECTION, numbers.map(|number| sealed(&fleet, number, &past)).collect()),
        };
        drive(fleet.server.post_batch(collection, &objects, None), |_| true).unwrap().unwrap();
    }
    let (mut known, mut added) = (0, 0);
    for faults in
        [(InjectedFault::CutConnection, "sync-unreachable"), (InjectedFault::LostReply, "sync-timed-out")].iter().cycle()
    {
        let ((fault, code), first) = (faults, fleet.server.operations());
        let [random] = fleet.machines[1].env.bytes::<1>();
        // Allow enough requests: with fewer, the connection could be cut before the cycle has received a new page.
        let requests = 5 + u64::from(random % 8);
        spoil(&fleet, move |operation| operation.number - first >= requests, fault.clone());
        let outcome = fleet.quiet_cycle(1);
        fleet.server.clear_faults();
        let now = received(&fleet);
        let Err(failure) = outcome else { break };
        assert_eq!(failure.code(), *code);
        assert!(now > known, "the cycle received nothing after {known} records");
        known = now;
        // Another machine changes the collection. The read begins again, at the time up to which everything was
        // received.
        fleet.pass(1000);
        let object = sealed(&fleet, RECORDS + added, &download);
        drive(fleet.server.put_object(DownloadRecord::COLLECTION, &object, None), |_| true).unwrap().unwrap();
        added += 1;
    }
    assert!(added > 10, "the connection was cut only {added} times");
    assert_eq!(received(&fleet), RECORDS + added);
    let ledger = fleet.machines[1].list.ledger();
    for collection in COLLECTIONS {
        for object in fleet.server.stored(collection) {
            let row = ledger.records.get(&(collection.to_owned(), object.id));
            assert!(row.is_some_and(|row| row.modified_ms == object.modified_ms && row.held_code.is_none()), "{row:?}");
        }
    }
}
