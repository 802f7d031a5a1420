//! Tests the faults of the simulated server, on which the tests of the sync cycle rely.

use std::task::{Context, Waker};

use ashore_sync::server::{
    CollectionPoll, InjectedFault, OperationKind, OutgoingObject, PageRequest, ServerFault, ServerOperation, ServerResult,
    SimulatedServer, SyncServer, UnexpectedAnswer, UnreachableCause,
};

use crate::support::object;

const NOW: i64 = 1_700_000_000_000;

fn server() -> SimulatedServer {
    SimulatedServer::with_user(NOW, "Laptop")
}

/// Makes the next request of this kind fail.
fn spoil(server: &SimulatedServer, kind: OperationKind, fault: InjectedFault) {
    let mut fault = Some(fault);
    server.set_faults(Box::new(move |operation: &ServerOperation| if operation.kind == kind { fault.take() } else { None }));
}

fn fault<T>(result: ServerResult<T>) -> ServerFault {
    result.map(|_| ()).expect_err("the request fails").fault
}

fn page() -> PageRequest {
    PageRequest { collection: "dl-items".to_owned(), newer_ms: 0, offset: None, limit: 2, if_unmodified_since_ms: None }
}

async fn put_one(server: &SimulatedServer, id: &str) -> ServerResult<i64> {
    server.put_object("dl-items", &object(id, id), None).await
}

#[tokio::test]
async fn write_is_committed_although_reply_is_lost() {
    let server = server();
    spoil(&server, OperationKind::PutObject, InjectedFault::LostReply);
    assert_eq!(fault(put_one(&server, "a").await), ServerFault::TimedOut);
    assert_eq!(server.stored("dl-items").len(), 1);
    assert!(put_one(&server, "b").await.is_ok(), "only one request is spoiled");
}

#[tokio::test]
async fn refused_request_writes_nothing() {
    let server = server();
    for (spoiled, expected) in [
        (InjectedFault::CutConnection, ServerFault::Unreachable(UnreachableCause::ConnectionLost)),
        (InjectedFault::Conflict, ServerFault::Conflict),
        (InjectedFault::Full, ServerFault::Full),
        (InjectedFault::Unauthorized, ServerFault::Unauthorized),
        (InjectedFault::HtmlAnswer, ServerFault::NotSyncServer(UnexpectedAnswer::ContentType)),
        (InjectedFault::Busy { retry_after_s: 5 }, ServerFault::Busy { retry_after_s: Some(5) }),
    ] {
        spoil(&server, OperationKind::PutObject, spoiled);
        assert_eq!(fault(put_one(&server, "a").await), expected);
        assert_eq!(server.stored("dl-items"), []);
    }
}

#[tokio::test]
async fn batch_stays_invisible_if_connection_is_cut_between_posts() {
    let server = server();
    let objects: Vec<OutgoingObject> = (0..250).map(|number| object(&number.to_string(), "x")).collect();
    for kind in [OperationKind::BatchBegin, OperationKind::BatchAppend, OperationKind::BatchCommit] {
        spoil(&server, kind, InjectedFault::CutConnection);
        assert!(server.post_batch("dl-items", &objects, Some(0)).await.is_err());
        assert_eq!(server.stored("dl-items"), [], "{kind:?}");
    }
    spoil(&server, OperationKind::BatchCommit, InjectedFault::LostReply);
    assert_eq!(fault(server.post_batch("dl-items", &objects, Some(0)).await), ServerFault::TimedOut);
    assert_eq!(server.stored("dl-items").len(), 250);
    assert_eq!(fault(server.post_batch("dl-items", &objects, Some(0)).await), ServerFault::Conflict, "already committed");
}

#[tokio::test]
async fn restored_backup_lowers_times_but_later_writes_get_newer_times() {
    let server = server();
    let first = put_one(&server, "a").await.unwrap().value;
    let backup = server.snapshot();
    server.advance(60_000);
    let lost = put_one(&server, "b").await.unwrap().value;
    spoil(&server, OperationKind::InfoCollections, InjectedFault::RollBack(backup));
    let CollectionPoll::Listed(listing) = server.info_collections(None).await.unwrap().value else { panic!("not conditional") };
    assert_eq!(listing.collections["dl-items"], first);
    assert_eq!(server.stored("dl-items").len(), 1);
    server.advance(10);
    assert!(put_one(&server, "b").await.unwrap().value > lost);
}

#[tokio::test]
async fn repeated_page_is_recognised() {
    let server = server();
    for id in ["a", "b", "c", "d"] {
        put_one(&server, id).await.unwrap();
    }
    let first = server.read_page(&page()).await.unwrap().value;
    spoil(&server, OperationKind::ReadPage, InjectedFault::RepeatedPage);
    let second = PageRequest { offset: first.next_offset, ..page() };
    assert_eq!(fault(server.read_page(&second).await), ServerFault::NotSyncServer(UnexpectedAnswer::WrongPage));
    assert_eq!(server.read_page(&second).await.unwrap().value.objects[0].id, "c");
}

#[tokio::test]
async fn fault_that_swaps_payloads_keeps_ids_and_times() {
    let server = server();
    for id in ["a", "b"] {
        put_one(&server, id).await.unwrap();
    }
    let honest = server.read_page(&page()).await.unwrap().value.objects;
    spoil(&server, OperationKind::ReadPage, InjectedFault::SwappedPayloads);
    let swapped = server.read_page(&page()).await.unwrap().value.objects;
    assert_eq!((swapped[0].payload.as_str(), swapped[1].payload.as_str()), ("b", "a"));
    assert_eq!((&swapped[0].id, swapped[0].modified_ms), (&honest[0].id, honest[0].modified_ms));
}

#[tokio::test]
async fn fault_that_sets_time_back_lowers_all_times_of_answer() {
    let server = server();
    let time = put_one(&server, "a").await.unwrap().value;
    spoil(&server, OperationKind::InfoCollections, InjectedFault::TimeBackwards(5000));
    let answer = server.info_collections(None).await.unwrap();
    let CollectionPoll::Listed(listing) = answer.value else { panic!("not conditional") };
    assert_eq!((listing.collections["dl-items"], listing.last_modified_ms), (time - 5000, time - 5000));
    assert_eq!(answer.hints.server_time_ms, Some(listing.server_time_ms));
}

#[tokio::test]
async fn quota_refuses_only_writes_that_increase_usage() {
    let server = server();
    server.set_quota(Some(10));
    server.put_object("dl-items", &object("a", "0123456789"), None).await.unwrap();
    assert_eq!(fault(put_one(&server, "b").await), ServerFault::Full);
    assert_eq!(fault(server.post_batch("dl-items", &[object("b", "1")], None).await), ServerFault::Full);
    let answer = server.put_object("dl-items", &object("a", "0"), None).await.unwrap();
    assert_eq!(answer.hints.quota_remaining_kb, Some(0));
    server.set_quota(None);
    assert!(put_one(&server, "b").await.is_ok());
}

#[tokio::test]
async fn expired_object_is_missing() {
    let server = server();
    let short = OutgoingObject { ttl_s: Some(60), ..object("a", "x") };
    let time = server.put_object("dl-items", &short, None).await.unwrap().value;
    server.advance(59_999);
    assert_eq!(server.stored("dl-items").len(), 1);
    server.advance(1);
    assert_eq!(server.stored("dl-items"), []);
    assert!(server.put_object("dl-items", &short, Some(0)).await.is_ok(), "create-only over an expired object");
    assert!(server.stored("dl-items")[0].modified_ms >= time + 10);
}

#[tokio::test]
async fn write_times_grow_although_clock_is_set_back() {
    let server = server();
    let first = put_one(&server, "a").await.unwrap().value;
    server.set_now(NOW - 3_600_000);
    assert_eq!(put_one(&server, "b").await.unwrap().value, first + 10);
    assert_eq!(server.read_page(&page()).await.unwrap().value.server_time_ms, first + 10);
}

#[tokio::test]
async fn devices_share_objects_but_fault_plan_distinguishes_devices() {
    let laptop = server();
    let phone = laptop.add_device("Phone");
    let device = phone.token().unwrap().device().to_owned();
    laptop.set_faults(Box::new(move |operation| {
        (operation.device.as_deref() == Some(device.as_str())).then_some(InjectedFault::CutConnection)
    }));
    assert!(put_one(&laptop, "a").await.is_ok());
    assert!(put_one(&phone, "b").await.is_err());
    laptop.clear_faults();
    assert_eq!(phone.read_page(&page()).await.unwrap().value.objects.len(), 1);
    assert_eq!(laptop.operations(), 3);
}

#[tokio::test]
async fn cancelled_write_is_committed_or_absent() {
    let server = server();
    let mut seen = [false; 2];
    for polls in 0..4 {
        let id = polls.to_string();
        let mut writing = Box::pin(put_one(&server, &id));
        for _ in 0..polls {
            if writing.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                break;
            }
        }
        drop(writing);
        seen[usize::from(server.stored("dl-items").iter().any(|object| object.id == id))] = true;
    }
    assert_eq!(seen, [true, true], "a test can cancel before and after the write");
}

#[tokio::test]
async fn tampering_with_stored_object_changes_only_its_payload() {
    let server = server();
    let time = put_one(&server, "a").await.unwrap().value;
    assert!(server.tamper("dl-items", "a", "forged"));
    assert!(!server.tamper("dl-items", "b", "forged"));
    let stored = &server.stored("dl-items")[0];
    assert_eq!((stored.payload.as_str(), stored.modified_ms), ("forged", time));
}
