//! Tests the states of a request: created, dispatched, answered, released, woken, done.

use std::{future::poll_fn, task::Poll};

use crate::{
    model::{RegistrationResult, RegistrationState},
    store::{ReleaseOutcome, UpdatedRequest, tests::*},
};

#[tokio::test]
async fn created_registration_stores_everything_its_transfer_needs() {
    let ledger = Ledger::new().await;
    let mut new = asked("a", &["https://example.org/one?x=1"]);
    new.download_total = 77;
    new.requests[0].headers = vec![("x-a".to_owned(), "1".to_owned())];
    new.requests[0].method = "PUT".to_owned();
    new.requests[0].body = Some(("/data/bodies/1".into(), 123));
    new.requests[0].name = Some("one.bin".to_owned());
    new.requests[0].digest = Some(format!("sha-256={}", "ab".repeat(32)).parse().unwrap());
    ledger.create(&new).await.unwrap();

    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.developer_id.as_str(), shown.owner.as_str()), ("a", "window"));
    assert_eq!((shown.state, shown.result, shown.requests), (RegistrationState::Waiting, RegistrationResult::None, 1));
    assert_eq!((shown.download_total, shown.upload_total, shown.created), (77, 123, 1_000));

    let guid = fresh();
    let mut writing = ledger.store.begin().await.unwrap();
    let taken = writing.next_pending_request_and_mark_it_active(guid, &[]).await.unwrap().unwrap();
    writing.commit().await.unwrap();
    assert_eq!((taken.unique_id, taken.index, taken.guid), (new.unique_id, 0, guid));
    assert_eq!((taken.method.as_str(), taken.url.as_str()), ("PUT", "https://example.org/one?x=1"));
    assert_eq!(taken.headers, new.requests[0].headers);
    assert_eq!(taken.body, new.requests[0].body);
    assert_eq!((taken.folder, taken.name), (new.folder, Some("one.bin".to_owned())));
    assert_eq!(taken.digest.as_deref(), Some(format!("sha-256={}", "ab".repeat(32)).as_str()));
    assert_eq!((taken.download_total, taken.is_wanted, taken.is_paused, taken.attempt, taken.kept), (77, true, false, 0, 0));
    assert_eq!(ledger.show(new.unique_id).await.state, RegistrationState::Running);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn new_registration_is_refused_if_its_owner_already_uses_the_same_id() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("same", &["https://example.org/1"])).await.unwrap();
    let refused = ledger.create(&asked("same", &["https://example.org/2"])).await;
    assert!(matches!(refused, Err(EngineError::IdTaken(id)) if id == "same"));
    assert_eq!((ledger.count("registration").await, ledger.count("request").await), (1, 1));

    let mut other = asked("same", &["https://example.org/3"]);
    other.owner = "command-line".to_owned();
    ledger.create(&other).await.unwrap();
}

#[tokio::test]
async fn exactly_one_of_two_simultaneous_creations_succeeds() {
    let ledger = Ledger::new().await;
    let (one, two) = (asked("same", &["https://example.org/1"]), asked("same", &["https://example.org/2"]));
    let (one, two) = tokio::join!(ledger.create(&one), ledger.create(&two));
    assert_eq!(u8::from(one.is_ok()) + u8::from(two.is_ok()), 1);
}

#[tokio::test]
async fn requests_are_dispatched_in_creation_and_index_order() {
    let ledger = Ledger::new().await;
    let addresses: Vec<String> = (0..12).map(|number| format!("https://example.org/{number}")).collect();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let (first, second) = (asked("first", &addresses), asked("second", &["https://example.org/x"]));
    ledger.create(&first).await.unwrap();
    ledger.create(&second).await.unwrap();
    let mut order = Vec::new();
    while let Some(taken) = ledger.take().await {
        order.push((taken.unique_id, taken.index));
    }
    let mut expected: Vec<_> = (0..12).map(|index| (first.unique_id, index)).collect();
    expected.push((second.unique_id, 0));
    assert_eq!(order, expected);
}

#[tokio::test]
async fn released_request_keeps_its_queue_position_and_guid() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    ledger.create(&new).await.unwrap();
    let first = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(first.guid, &head(200, Some(1000))).await.unwrap();
    assert_eq!(writing.put_back(first.guid, 500, &ReleaseOutcome::Pending, 1).await.unwrap(), Some(new.unique_id));
    assert_eq!(writing.put_back(first.guid, 600, &ReleaseOutcome::Pending, 1).await.unwrap(), None, "it is not active");
    writing.commit().await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.downloaded, 500);

    let again = ledger.take().await.unwrap();
    assert_eq!((again.index, again.guid, again.kept, again.attempt), (0, first.guid, 500, 0));
    assert_eq!(ledger.take().await.unwrap().index, 1);
    assert_eq!(ledger.store.whose(first.guid).await.unwrap(), Some(new.unique_id));
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn dispatch_skips_requests_to_hosts_in_cooldown() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["http://one.example/0", "https://one.example/1", "http://two.example/2", "http://one.example:80/3"]);
    ledger.create(&new).await.unwrap();
    let first = ledger.take().await.unwrap();
    let other_port = ledger.take_unless(&[first.host]).await.unwrap();
    assert_eq!(other_port.index, 1, "another port is another host");
    let second = ledger.take_unless(&[first.host, other_port.host]).await.unwrap();
    assert_eq!(second.index, 2);
    assert!(ledger.take_unless(&[first.host]).await.is_none());
    assert_eq!(ledger.take().await.unwrap().host, first.host);
}

#[tokio::test]
async fn paused_registration_is_skipped_until_resumed() {
    let ledger = Ledger::new().await;
    let (mut held, free) =
        (asked("held", &["https://example.org/1"]), asked("free", &["https://example.org/2", "https://example.org/3"]));
    held.paused = true;
    ledger.create(&held).await.unwrap();
    ledger.create(&free).await.unwrap();
    assert_eq!(ledger.show(held.unique_id).await.state, RegistrationState::Paused);
    assert_eq!(ledger.take().await.unwrap().unique_id, free.unique_id);

    set_paused(&ledger, None, true).await;
    assert!(ledger.store.is_paused().await.unwrap());
    assert!(ledger.take().await.is_none());
    assert_eq!(ledger.show(free.unique_id).await.state, RegistrationState::Paused);
    set_paused(&ledger, None, false).await;
    set_paused(&ledger, Some(held.unique_id), false).await;
    assert_eq!(ledger.take().await.unwrap().unique_id, held.unique_id);

    let mut writing = ledger.store.begin().await.unwrap();
    let unknown = UniqueId(Uuid::new_v4());
    assert!(matches!(writing.set_paused(Some(unknown), true, 1).await, Err(EngineError::Unknown(id)) if id == unknown));
}

#[tokio::test]
async fn registration_moved_to_top_is_dispatched_first() {
    let ledger = Ledger::new().await;
    let (one, two, three) =
        (asked("1", &["https://a.example/"]), asked("2", &["https://a.example/"]), asked("3", &["https://a.example/"]));
    for new in [&one, &two, &three] {
        ledger.create(new).await.unwrap();
    }
    for id in [two.unique_id, three.unique_id] {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.move_to(id, QueuePlace::Top).await.unwrap();
        writing.commit().await.unwrap();
    }
    let mut order = Vec::new();
    while let Some(taken) = ledger.take().await {
        order.push(taken.unique_id);
    }
    assert_eq!(order, [three.unique_id, two.unique_id, one.unique_id]);
}

#[tokio::test]
async fn failed_request_waits_with_its_reason_until_retry_is_due() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    put_off(&ledger, taken.guid, 9_000_000, false).await;

    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.state, shown.next_try, shown.waiting_for), (RegistrationState::Waiting, Some(9_000), Some(trouble("dns"))));
    assert_eq!(ledger.store.running_and_waiting().await.unwrap(), (0, 1));
    assert_eq!(ledger.store.next_due().await.unwrap(), Some(9_000_000));
    assert!(ledger.take().await.is_none());

    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.wake_due(8_999_999, 10).await.unwrap(), []);
    assert_eq!(writing.wake_due(9_000_000, 10).await.unwrap(), [new.unique_id]);
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.next_due().await.unwrap(), None);
    assert_eq!(ledger.take().await.unwrap().attempt, 1);
    put_off(&ledger, taken.guid, 1, false).await;
    wake(&ledger).await;
    assert_eq!(ledger.take().await.unwrap().attempt, 2);
    put_off(&ledger, taken.guid, 1, true).await;
    wake(&ledger).await;
    assert_eq!(ledger.take().await.unwrap().attempt, 1, "progress starts the count over");
    assert_eq!(ledger.store.records(new.unique_id, 0, 10, false).await.unwrap()[0].attempts, 4);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn request_keeps_its_latest_twenty_attempts() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    for _ in 0..25 {
        let taken = ledger.take().await.unwrap();
        put_off(&ledger, taken.guid, 1, true).await;
        wake(&ledger).await;
    }
    assert_eq!(ledger.count("attempt").await, 20);
    let record = ledger.store.records(new.unique_id, 0, 1, false).await.unwrap().remove(0);
    assert_eq!((record.attempts, record.code.as_deref()), (25, Some("dns")));
}

#[tokio::test]
async fn stored_response_head_is_not_replaced_by_partial_response() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let status = async || ledger.store.records(new.unique_id, 0, 1, false).await.unwrap()[0].status;
    let write = async |head: ResponseSummary| {
        let mut writing = ledger.store.begin().await.unwrap();
        assert_eq!(writing.write_active_download_metadata(taken.guid, &head).await.unwrap(), Some(new.unique_id));
        writing.commit().await.unwrap();
    };
    write(head(200, Some(1000))).await;
    assert_eq!(ledger.show(new.unique_id).await.expected_total, 1000);
    put_back(&ledger, taken.guid, 400).await;
    ledger.take().await.unwrap();
    write(head(206, Some(1000))).await;
    assert_eq!((status().await, ledger.show(new.unique_id).await.downloaded), (Some(200), 400));
    write(ResponseSummary { status_text: "Again".to_owned(), ..head(200, None) }).await;
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.downloaded, shown.expected_total), (0, 0), "the whole file again, with an unknown size");
    assert_eq!(ledger.store.records(new.unique_id, 0, 1, false).await.unwrap()[0].status_text.as_deref(), Some("Again"));

    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.write_active_download_metadata(fresh(), &head(200, None)).await.unwrap(), None);
    drop(writing);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn registration_settles_and_notifies_and_frees_name_at_last_completion() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let (one, two) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    assert_eq!(ledger.complete(two.guid).await, Some(false));
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!(ledger.complete(one.guid).await, Some(true));
    assert_eq!(ledger.complete(one.guid).await, None, "only once");

    let shown = ledger.show(new.unique_id).await;
    assert_eq!(
        (shown.state, shown.result, shown.failure_reason),
        (RegistrationState::Settled, RegistrationResult::Success, FailureReason::None)
    );
    assert_eq!((shown.succeeded, shown.downloaded, shown.expected_total, shown.settled), (2, 20, 20, Some(5_000)));
    assert_eq!(shown.path, None, "there are two");
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), [new.unique_id]);
    assert_eq!(ledger.store.ids("window").await.unwrap(), [""; 0]);
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();

    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.claim(new.unique_id, 1).await.unwrap());
    assert!(!writing.claim(new.unique_id, 1).await.unwrap());
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn registration_keeps_first_failure_but_tries_remaining_requests() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1", "https://example.org/2"]);
    ledger.create(&new).await.unwrap();
    let (zero, one, two) = (ledger.take().await.unwrap(), ledger.take().await.unwrap(), ledger.take().await.unwrap());
    let refused = FailedResponse { status: Some(404), bytes: 3, ..failed(FailureReason::BadStatus, "http-404") };
    assert_eq!(ledger.fail(one.guid, &refused).await, Some(false));
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.state, shown.failure_reason, shown.failed), (RegistrationState::Running, FailureReason::BadStatus, 1));
    assert_eq!(ledger.fail(zero.guid, &failed(FailureReason::FetchError, "dns")).await, Some(false));
    assert_eq!(ledger.complete(two.guid).await, Some(true));

    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.result, shown.failure_reason), (RegistrationResult::Failure, FailureReason::BadStatus));
    assert_eq!(shown.failure, Some(trouble("http-404")));
    assert_eq!((shown.downloaded, shown.expected_total), (13, 13));
    assert_eq!(ledger.store.folders_with_partials(i64::MAX).await.unwrap(), [new.folder], "the failed one kept bytes");
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn failure_of_optional_request_does_not_fail_registration() {
    let ledger = Ledger::new().await;
    let mut new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    new.requests[0].optional = true;
    ledger.create(&new).await.unwrap();
    let (zero, one) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    assert_eq!(ledger.fail(zero.guid, &failed(FailureReason::BadStatus, "http-404")).await, Some(false));
    assert_eq!(ledger.complete(one.guid).await, Some(true));
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.result, shown.failure_reason, shown.failed), (RegistrationResult::Success, FailureReason::None, 1));
}

#[tokio::test]
async fn paused_registration_settles_with_last_completion() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    set_paused(&ledger, Some(new.unique_id), true).await;
    set_paused(&ledger, None, true).await;
    assert_eq!(ledger.complete(taken.guid).await, Some(true));
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.state, shown.path), (RegistrationState::Settled, Some("/home/somebody/Downloads/file".into())));
}

#[tokio::test]
async fn uncommitted_changes_are_discarded() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let taken = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap();
    writing.write_completed_download_response(taken.guid, &completed(10), None, 1).await.unwrap();
    drop(writing);
    assert_eq!(ledger.store.whose(taken.guid).await.unwrap(), None);
    assert_eq!(ledger.complete(taken.guid).await, None, "nothing of it is remembered either");

    // Copy the files as if the process had died during the transaction. The copy must not contain the changes of the
    // transaction.
    let mut writing = ledger.store.begin().await.unwrap();
    writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap().unwrap();
    let copy = ledger.folder.path().join("copy.db");
    for suffix in ["", "-wal"] {
        std::fs::copy(format!("{}{suffix}", ledger.path().display()), format!("{}{suffix}", copy.display())).unwrap();
    }
    drop(writing);
    let after = LedgerStore::open(&copy, false).await.unwrap();
    assert_eq!(after.active_guids(None).await.unwrap(), []);
    assert_eq!(after.registration(new.unique_id).await.unwrap().unwrap().state, RegistrationState::Waiting);
    after.close().await;
}

#[tokio::test]
async fn cached_active_request_matches_the_ledger() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://example.org/0"])).await.unwrap();
    let taken = ledger.take().await.unwrap();
    for (size, is_committed) in [(1000, false), (2000, true), (3000, false)] {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.write_active_download_metadata(taken.guid, &head(200, Some(size))).await.unwrap();
        if is_committed {
            writing.commit().await.unwrap();
        }
    }
    assert_eq!(ledger.audit().await, [""; 0]);
    assert_eq!(ledger.complete(taken.guid).await, Some(true));
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn completed_transfer_is_found_only_by_tag_of_its_partial_file() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    ledger.create(&new).await.unwrap();
    let (done, running) = (ledger.take().await.unwrap().guid, ledger.take().await.unwrap().guid);
    ledger.complete(done).await;
    let (store, tags) = (&ledger.store, [done.tag(), running.tag(), "no tag".to_owned()]);
    assert_eq!((store.whose(done).await.unwrap(), store.wants_partial(done).await.unwrap()), (None, None));
    assert_eq!(store.guids_of_tag(&done.tag()).await.unwrap(), []);
    assert_eq!(store.guids_of_tag(&running.tag()).await.unwrap(), [running]);
    let completed = store.completed_of_tags(&tags.each_ref().map(String::as_str)).await.unwrap();
    assert_eq!(completed, [(done, new.unique_id)]);
}

#[tokio::test]
async fn cancelled_operation_leaves_no_transaction_open() {
    let ledger = Ledger::new().await;
    let many: Vec<String> = (0..5000).map(|number| format!("https://example.org/{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for polls in 1..40 {
        let new = asked("a", &many);
        let mut creating = Box::pin(ledger.create(&new));
        for _ in 0..polls {
            if poll_fn(|context| Poll::Ready(creating.as_mut().poll(context))).await.is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(creating);
        // Wherever the operation was cancelled, the next transaction can begin. It sees either all changes of the
        // operation or none.
        let mut writing = ledger.store.begin().await.unwrap();
        let taken = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap();
        if taken.is_some() {
            assert_eq!(ledger.show(new.unique_id).await.requests, 5000);
            writing.mark_for_removal(new.unique_id, false).await.unwrap();
        }
        writing.commit().await.unwrap();
        assert_eq!(ledger.audit().await, [""; 0]);
    }
}

#[tokio::test]
async fn restart_finds_all_active_requests() {
    let ledger = Ledger::new().await;
    let (one, two, done) = (
        asked("1", &["https://example.org/0", "https://example.org/1"]),
        asked("2", &["https://example.org/2"]),
        asked("3", &["https://example.org/3"]),
    );
    ledger.create(&done).await.unwrap();
    let finished = ledger.take().await.unwrap();
    ledger.complete(finished.guid).await;
    ledger.create(&one).await.unwrap();
    ledger.create(&two).await.unwrap();
    let mut guids = Vec::new();
    for _ in 0..3 {
        guids.push(ledger.take().await.unwrap().guid);
    }
    ledger.store.close().await;

    let store = LedgerStore::open(&ledger.path(), false).await.unwrap();
    let found = store.options_and_download_guids_for_active_registrations().await.unwrap();
    assert_eq!(found.iter().map(|found| found.unique_id).collect::<Vec<_>>(), [one.unique_id, two.unique_id]);
    assert_eq!(found[0].title, "Title of 1");
    let mut of_one = found[0].guids.clone();
    of_one.sort();
    let mut expected = vec![guids[0], guids[1]];
    expected.sort();
    assert_eq!((of_one, &found[1].guids), (expected, &vec![guids[2]]));

    let again = store.active_requests().await.unwrap();
    assert_eq!(again.len(), 3);
    let third = again.iter().find(|request| request.guid == guids[2]).unwrap();
    assert_eq!((third.unique_id, third.url.as_str(), third.is_wanted), (two.unique_id, "https://example.org/2", true));
    assert_eq!(store.pending_notifications().await.unwrap(), [done.unique_id]);
    assert_eq!(store.running_and_waiting().await.unwrap(), (2, 0));
    store.close().await;
}

#[tokio::test]
async fn finished_registration_is_settled_if_crash_left_it_unsettled() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await;
    let mut beside = ledger.beside().await;
    sqlx::raw_sql(
        "UPDATE registration SET active = 1, result = 0, event = 0;
         INSERT INTO active_name SELECT reg_id, owner_id, 'a', NULL FROM registration",
    )
    .execute(&mut beside)
    .await
    .unwrap();
    assert_eq!(ledger.store.finished_but_unsettled().await.unwrap(), [new.unique_id]);
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.settle(new.unique_id, 7_000_000).await.unwrap());
    assert!(!writing.settle(new.unique_id, 7_000_000).await.unwrap());
    assert!(!writing.settle(UniqueId(Uuid::new_v4()), 7_000_000).await.unwrap());
    writing.commit().await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.result, RegistrationResult::Success);
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), [new.unique_id]);
}

#[tokio::test]
async fn result_for_a_request_with_unknown_guid_changes_nothing() {
    let ledger = Ledger::new().await;
    let mut writing = ledger.store.begin().await.unwrap();
    let nobody = fresh();
    let none: Option<UpdatedRequest> = None;
    assert_eq!(writing.write_completed_download_response(nobody, &completed(1), None, 1).await.unwrap(), none);
    assert_eq!(
        writing.write_failed_download_response(nobody, &failed(FailureReason::FetchError, "dns"), None, 1).await.unwrap(),
        none
    );
    assert_eq!(writing.put_back(nobody, 1, &ReleaseOutcome::Pending, 1).await.unwrap(), None);
    assert_eq!(writing.write_active_download_metadata(nobody, &head(200, None)).await.unwrap(), None);
    writing.commit().await.unwrap();
}

#[tokio::test]
async fn program_that_sent_the_latest_heartbeat_is_recorded_in_executor_row() {
    let ledger = Ledger::new().await;
    for (holder, now) in [("window", 1), ("window", 5), ("serve", 9)] {
        ledger.store.beat(holder, now).await.unwrap();
    }
    let row: (String, i64, i64) =
        sqlx::query_as("SELECT holder, started_us, heartbeat_us FROM executor").fetch_one(ledger.store.readers()).await.unwrap();
    assert_eq!(row, ("serve".to_owned(), 9, 9));
}

async fn set_paused(ledger: &Ledger, id: Option<UniqueId>, paused: bool) {
    let mut writing = ledger.store.begin().await.unwrap();
    writing.set_paused(id, paused, 1).await.unwrap();
    writing.commit().await.unwrap();
}

async fn put_back(ledger: &Ledger, guid: Guid, bytes: u64) {
    let mut writing = ledger.store.begin().await.unwrap();
    writing.put_back(guid, bytes, &ReleaseOutcome::Pending, 1).await.unwrap().unwrap();
    writing.commit().await.unwrap();
}

async fn put_off(ledger: &Ledger, guid: Guid, not_before_us: i64, progressed: bool) {
    let mut writing = ledger.store.begin().await.unwrap();
    let how =
        ReleaseOutcome::Waiting { not_before_us, trouble: trouble("dns"), status: None, progressed, run: RunRow::default() };
    writing.put_back(guid, 0, &how, 2).await.unwrap().unwrap();
    writing.commit().await.unwrap();
}

async fn wake(ledger: &Ledger) {
    let mut writing = ledger.store.begin().await.unwrap();
    writing.wake_due(i64::MAX, 100).await.unwrap();
    writing.commit().await.unwrap();
}
