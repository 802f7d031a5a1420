//! Tests the ways in which a registration ends: abort, reopening, removal and deletion. Also tests the races between
//! these operations.

use crate::{
    model::{
        FollowUpRule, RecordOutcome, RecordState, RecordedRestart, RecordedRestartReason, RegistrationResult, RegistrationState,
    },
    store::{FileIdentity, PendingFileRemoval, ReleaseOutcome, tests::*},
};

const IDENTITY: FileIdentity = FileIdentity { device: 1, inode: 2, size: 10, modified_ns: 4 };

#[tokio::test]
async fn second_abort_of_a_registration_changes_nothing() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    assert_eq!(ledger.abort(new.unique_id).await, Some(vec![taken.guid]));
    assert_eq!(ledger.abort(new.unique_id).await, None);

    let shown = ledger.show(new.unique_id).await;
    assert_eq!(
        (shown.state, shown.result, shown.failure_reason),
        (RegistrationState::Settled, RegistrationResult::Failure, FailureReason::Aborted)
    );
    assert_eq!((shown.failure, shown.settled), (Some(trouble("aborted")), Some(6_000)));
    assert!(ledger.take().await.is_none(), "a pending request is not dispatched");
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), [new.unique_id]);
    assert_eq!(ledger.store.running_and_waiting().await.unwrap(), (0, 0));
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn abort_keeps_completed_records_but_ends_remaining_requests() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://a.example/0", "https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    ledger.create(&new).await.unwrap();
    let (zero, one, two) = (ledger.take().await.unwrap(), ledger.take().await.unwrap(), ledger.take().await.unwrap());
    ledger.complete(zero.guid).await;
    ledger.abort(new.unique_id).await;
    let states = async || {
        let records = ledger.store.records(new.unique_id, 0, 10, false).await.unwrap();
        records.iter().map(|record| (record.state, record.outcome)).collect::<Vec<_>>()
    };
    let (done, aborted) =
        ((RecordState::Completed, Some(RecordOutcome::Success)), (RecordState::Aborted, Some(RecordOutcome::Aborted)));
    assert_eq!(states().await, [done, aborted, aborted, aborted]);

    // Both reports come too late: the completion of one request, and the release of the other. Neither report settles
    // the registration or creates another notification.
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.claim(new.unique_id, 1).await.unwrap());
    writing.commit().await.unwrap();
    assert_eq!(ledger.complete(one.guid).await, Some(false));
    let mut writing = ledger.store.begin().await.unwrap();
    let how = ReleaseOutcome::Waiting {
        not_before_us: 1,
        trouble: trouble("dns"),
        status: None,
        progressed: false,
        run: RunRow::default(),
    };
    assert_eq!(writing.put_back(two.guid, 7, &how, 1).await.unwrap(), Some(new.unique_id));
    writing.commit().await.unwrap();
    assert_eq!(states().await, [done, done, aborted, aborted]);
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!(ledger.store.next_due().await.unwrap(), None);
    assert_eq!(ledger.store.guids_of(new.unique_id).await.unwrap(), [(two.guid, new.folder)]);
    assert_eq!(ledger.audit().await, [""; 0]);
}

/// Item X8 of the conformance list.
#[tokio::test]
async fn registration_is_ended_by_either_abort_or_last_completion() {
    for abort_first in [true, false] {
        let ledger = Ledger::new().await;
        let new = asked("a", &["https://example.org/0"]);
        ledger.create(&new).await.unwrap();
        let taken = ledger.take().await.unwrap();
        let (aborted, settled) = if abort_first {
            tokio::join!(biased; ledger.abort(new.unique_id), ledger.complete(taken.guid))
        } else {
            let (settled, aborted) = tokio::join!(biased; ledger.complete(taken.guid), ledger.abort(new.unique_id));
            (aborted, settled)
        };
        let shown = ledger.show(new.unique_id).await;
        assert_ne!(aborted.is_some(), settled == Some(true), "exactly one of them ended it");
        assert_eq!(shown.result == RegistrationResult::Failure, aborted.is_some(), "the answer agrees with the event");
        assert_eq!(ledger.store.pending_notifications().await.unwrap(), [new.unique_id]);
        let record = ledger.store.records(new.unique_id, 0, 1, false).await.unwrap().remove(0);
        assert_eq!(record.state, RecordState::Completed, "the file exists in both cases");
        assert_eq!(ledger.audit().await, [""; 0]);
    }
}

/// Item X9 of the conformance list.
#[tokio::test]
async fn id_of_old_registration_gives_its_old_records_and_never_aborts_a_newer_registration() {
    let ledger = Ledger::new().await;
    let (old, new) = (asked("same", &["https://example.org/old"]), asked("same", &["https://example.org/new"]));
    ledger.create(&old).await.unwrap();
    ledger.abort(old.unique_id).await.unwrap();
    ledger.create(&new).await.unwrap();
    assert_eq!(ledger.abort(old.unique_id).await, None);
    assert_eq!(ledger.store.records(old.unique_id, 0, 1, false).await.unwrap()[0].url, "https://example.org/old");
    let found = ledger.store.find("window", "same").await.unwrap().unwrap();
    assert_eq!((found.unique_id, found.state), (new.unique_id, RegistrationState::Waiting));
}

#[tokio::test]
async fn failure_reason_of_registration_is_replaced_when_its_declared_total_is_exceeded() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    ledger.create(&new).await.unwrap();
    let zero = ledger.take().await.unwrap();
    ledger.fail(zero.guid, &failed(FailureReason::FetchError, "dns")).await;
    let mut writing = ledger.store.begin().await.unwrap();
    let reason = FailureReason::DownloadTotalExceeded;
    writing.mark_registration_for_deletion(new.unique_id, reason, &trouble("total"), 1).await.unwrap().unwrap();
    writing.commit().await.unwrap();
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.failure_reason, shown.failure), (reason, Some(trouble("total"))));
}

#[tokio::test]
async fn waiting_request_of_aborted_registration_is_never_due() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let how = ReleaseOutcome::Waiting {
        not_before_us: 100,
        trouble: trouble("dns"),
        status: None,
        progressed: false,
        run: RunRow::default(),
    };
    writing.put_back(taken.guid, 0, &how, 1).await.unwrap();
    writing.commit().await.unwrap();
    ledger.abort(new.unique_id).await;
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.wake_due(200, 10).await.unwrap(), []);
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.next_due().await.unwrap(), None);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn retry_reopens_failed_requests_until_registration_settles_again() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://one.example/0", "https://two.example/1", "https://one.example/2"]);
    ledger.create(&new).await.unwrap();
    let (zero, one, two) = (ledger.take().await.unwrap(), ledger.take().await.unwrap(), ledger.take().await.unwrap());
    let refused = FailedResponse { status: Some(404), bytes: 5, ..failed(FailureReason::BadStatus, "http-404") };
    ledger.fail(zero.guid, &refused).await;
    ledger.complete(one.guid).await;
    assert_eq!(ledger.fail(two.guid, &failed(FailureReason::FetchError, "dns")).await, Some(true));
    let record = ledger.store.records(new.unique_id, 0, 1, false).await.unwrap().remove(0);
    assert_eq!((record.state, record.outcome, record.status), (RecordState::Dead, Some(RecordOutcome::Failure), Some(404)));
    assert_eq!(record.code.as_deref(), Some("http-404"));

    let mut writing = ledger.store.begin().await.unwrap();
    assert!(writing.claim(new.unique_id, 1).await.unwrap());
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 2);
    writing.commit().await.unwrap();
    let shown = ledger.show(new.unique_id).await;
    assert_eq!(
        (shown.state, shown.result, shown.failure_reason),
        (RegistrationState::Waiting, RegistrationResult::None, FailureReason::None)
    );
    assert_eq!((shown.succeeded, shown.failed, shown.settled, shown.failure), (1, 0, None, None));
    assert_eq!(ledger.store.ids("window").await.unwrap(), ["a"]);
    assert_eq!(ledger.audit().await, [""; 0]);

    let again = [ledger.take().await.unwrap(), ledger.take().await.unwrap()];
    assert_eq!((again[0].guid, again[0].kept, again[0].attempt), (zero.guid, 5, 0));
    assert_eq!(again[1].guid, two.guid);
    ledger.complete(zero.guid).await;
    assert_eq!(ledger.complete(two.guid).await, Some(true));
    assert_eq!(ledger.show(new.unique_id).await.result, RegistrationResult::Success);
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), [new.unique_id]);

    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 0, "nothing failed");
    let unknown = UniqueId(Uuid::new_v4());
    assert!(matches!(writing.retry(unknown).await, Err(EngineError::Unknown(id)) if id == unknown));
    writing.commit().await.unwrap();
    assert_eq!(ledger.show(new.unique_id).await.state, RegistrationState::Settled);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn retry_of_active_registration_does_not_repeat_its_failed_requests() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1", "https://example.org/2"]);
    ledger.create(&new).await.unwrap();
    let (zero, one) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    ledger.fail(zero.guid, &failed(FailureReason::FetchError, "dns")).await;
    let mut writing = ledger.store.begin().await.unwrap();
    let how = ReleaseOutcome::Waiting {
        not_before_us: i64::MAX,
        trouble: trouble("dns"),
        status: None,
        progressed: false,
        run: RunRow::default(),
    };
    writing.put_back(one.guid, 0, &how, 1).await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 1);
    writing.commit().await.unwrap();
    assert_eq!(ledger.take().await.unwrap().index, 1);
    assert_eq!(ledger.show(new.unique_id).await.failed, 1);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn retry_of_aborted_registration_continues_unfinished_requests() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0", "https://example.org/1", "https://example.org/2"]);
    ledger.create(&new).await.unwrap();
    let (zero, one) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    ledger.complete(zero.guid).await;
    ledger.abort(new.unique_id).await;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.put_back(one.guid, 3, &ReleaseOutcome::Pending, 1).await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 2);
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!((ledger.take().await.unwrap().index, ledger.take().await.unwrap().index), (1, 2));
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn retry_is_refused_if_newer_registration_uses_same_name() {
    let ledger = Ledger::new().await;
    let old = asked("same", &["https://example.org/0"]);
    ledger.create(&old).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.fail(taken.guid, &failed(FailureReason::FetchError, "dns")).await;
    ledger.create(&asked("same", &["https://example.org/1"])).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(matches!(writing.retry(old.unique_id).await, Err(EngineError::IdTaken(id)) if id == "same"));
    drop(writing);
    assert_eq!(ledger.show(old.unique_id).await.state, RegistrationState::Settled);
}

#[tokio::test]
async fn files_and_partial_files_are_found_in_folder_with_non_utf8_name() {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt, path::PathBuf};
    let ledger = Ledger::new().await;
    let folder = PathBuf::from(OsString::from_vec(b"/downloads/M\xe4rz".to_vec()));
    let mut new = asked("a", &["https://example.org/0", "https://example.org/1"]);
    new.folder.clone_from(&folder);
    ledger.create(&new).await.unwrap();
    let (one, two) = (ledger.take().await.unwrap(), ledger.take().await.unwrap());
    let path = folder.join("a");
    let response = CompletedResponse { path: Some(path.clone()), ..completed(10) };
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(one.guid, &head(200, Some(10))).await.unwrap();
    writing.write_completed_download_response(one.guid, &response, Some(IDENTITY), 1).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.guids_of(new.unique_id).await.unwrap(), [(two.guid, folder)]);
    let placed = ledger.store.placed("https://example.org/0").await.unwrap();
    assert_eq!(placed.iter().map(|placed| &placed.path).collect::<Vec<_>>(), [&path]);
}

#[tokio::test]
async fn removed_registration_is_unlisted_and_deleted_in_chunks() {
    let ledger = Ledger::new().await;
    let addresses: Vec<String> = (0..25).map(|number| format!("https://host{number}.example/")).collect();
    let mut new = asked("a", &addresses.iter().map(String::as_str).collect::<Vec<_>>());
    new.requests[0].body = Some(("/data/bodies/0".into(), 4));
    ledger.create(&new).await.unwrap();
    let other = asked("b", &["https://host7.example/x"]);
    ledger.create(&other).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let second = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(taken.guid, &head(200, Some(10))).await.unwrap();
    writing.write_completed_download_response(taken.guid, &completed(10), Some(IDENTITY), 1).await.unwrap();
    writing.mark_for_removal(new.unique_id, true).await.unwrap();
    assert!(matches!(writing.mark_for_removal(new.unique_id, true).await, Err(EngineError::Unknown(_))));
    writing.commit().await.unwrap();

    assert!(ledger.store.registration(new.unique_id).await.unwrap().is_none());
    assert_eq!(ledger.store.records(new.unique_id, 0, 10, false).await.unwrap(), []);
    assert_eq!(ledger.store.list_page(&Default::default(), None).await.unwrap().registrations.len(), 1);
    assert_eq!(ledger.store.ids("window").await.unwrap(), ["b"]);
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!(ledger.store.guids_of(new.unique_id).await.unwrap(), [(second.guid, new.folder.clone())]);

    let chunk = async || {
        let mut writing = ledger.store.begin().await.unwrap();
        let is_gone = writing.delete_registration(new.unique_id, 10).await.unwrap();
        writing.commit().await.unwrap();
        is_gone
    };
    assert!(!chunk().await, "one is still active");
    assert_eq!(ledger.count("request").await, 26);
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.garbage_collect().await.unwrap(), []);
    writing.put_back(second.guid, 0, &ReleaseOutcome::Pending, 1).await.unwrap();
    assert_eq!(writing.garbage_collect().await.unwrap(), [new.unique_id]);
    writing.commit().await.unwrap();

    assert!(!chunk().await);
    assert_eq!(ledger.count("request").await, 16);
    let mut calls = 1;
    while !chunk().await {
        calls += 1;
        assert!(calls < 10);
    }
    assert!(chunk().await, "and it stays gone");
    let tables = ["request", "req_state", "registration", "given", "face", "active_name", "lane"];
    for table in tables {
        assert_eq!(ledger.count(table).await, 1, "{table} keeps only the row of the other registration");
    }
    for table in ["response_head", "response_done", "attempt"] {
        assert_eq!(ledger.count(table).await, 0, "{table}");
    }
    assert_eq!(ledger.count("host").await, 1, "the server of the other registration is still known");

    let files = ledger.store.file_gc().await.unwrap();
    let placed = "/home/somebody/Downloads/file".into();
    assert_eq!(
        files,
        [
            PendingFileRemoval { path: "/data/bodies/0".into(), identity: None, outright: false },
            PendingFileRemoval { path: placed, identity: Some(IDENTITY), outright: false },
        ]
    );
    let mut writing = ledger.store.begin().await.unwrap();
    for file in files {
        writing.forget_file(&file.path).await.unwrap();
    }
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.file_gc().await.unwrap(), []);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn removal_that_keeps_files_schedules_no_file_deletion() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_completed_download_response(taken.guid, &completed(10), Some(IDENTITY), 1).await.unwrap();
    writing.mark_for_removal(new.unique_id, false).await.unwrap();
    assert!(writing.delete_registration(new.unique_id, 10).await.unwrap());
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.file_gc().await.unwrap(), []);
}

#[tokio::test]
async fn latest_restart_of_each_attempt_is_kept_until_registration_is_deleted() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let restart = |why, bytes| RecordedRestart { why, bytes };
    for (why, bytes) in [(RecordedRestartReason::Changed, 5), (RecordedRestartReason::Gone, 7)] {
        let mut writing = ledger.store.begin().await.unwrap();
        let answer = head(200, Some(10));
        writing.write_answers(&[ResponseHeadRow::Head(taken.guid, &answer, Some(restart(why, bytes)))], 0).await.unwrap();
        writing.write_active_download_metadata(taken.guid, &answer).await.unwrap();
        writing.commit().await.unwrap();
    }
    let known = ledger.store.restarts(new.unique_id, 0).await.unwrap();
    assert_eq!(known.into_iter().collect::<Vec<_>>(), [(1, restart(RecordedRestartReason::Gone, 7))], "the last time in one try");

    let waiting = ReleaseOutcome::Waiting {
        not_before_us: 0,
        trouble: trouble("reset"),
        status: None,
        progressed: true,
        run: RunRow::default(),
    };
    let mut writing = ledger.store.begin().await.unwrap();
    writing.put_back(taken.guid, 3, &waiting, 0).await.unwrap();
    writing.wake_due(i64::MAX, 100).await.unwrap();
    writing.commit().await.unwrap();
    let again = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let answer = ResponseHeadRow::Head(again.guid, &head(200, Some(10)), Some(restart(RecordedRestartReason::NoRanges, 3)));
    writing.write_answers(&[answer], 0).await.unwrap();
    writing.commit().await.unwrap();
    let known = ledger.store.restarts(new.unique_id, 0).await.unwrap();
    assert_eq!((known.len(), known[&2]), (2, restart(RecordedRestartReason::NoRanges, 3)));
    assert!(ledger.store.restarts(new.unique_id, 1).await.unwrap().is_empty());

    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_completed_download_response(again.guid, &completed(10), Some(IDENTITY), 1).await.unwrap();
    writing.mark_for_removal(new.unique_id, false).await.unwrap();
    assert!(writing.delete_registration(new.unique_id, 10).await.unwrap());
    writing.commit().await.unwrap();
    assert_eq!(ledger.count("restart").await, 0);
}

#[tokio::test]
async fn deletion_of_owner_removes_registrations_and_creates_no_end_event() {
    let ledger = Ledger::new().await;
    let (active, settled, mut foreign) =
        (asked("1", &["https://a.example/1"]), asked("2", &["https://a.example/2"]), asked("3", &["https://a.example/3"]));
    foreign.owner = "somebody".to_owned();
    ledger.create(&settled).await.unwrap();
    let done = ledger.take().await.unwrap();
    ledger.complete(done.guid).await;
    ledger.create(&active).await.unwrap();
    ledger.create(&foreign).await.unwrap();
    let taken = ledger.take().await.unwrap();

    let mut writing = ledger.store.begin().await.unwrap();
    let (ids, guids) = writing.doom_owner("window").await.unwrap();
    assert_eq!(writing.doom_owner("nobody").await.unwrap(), (vec![], vec![]));
    writing.commit().await.unwrap();
    assert_eq!((ids, guids), (vec![settled.unique_id, active.unique_id], vec![taken.guid]));
    assert_eq!(ledger.store.pending_notifications().await.unwrap(), []);
    assert_eq!(ledger.store.list_page(&Default::default(), None).await.unwrap().registrations[0].unique_id, foreign.unique_id);
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn follow_up_requests_are_created_only_once() {
    let ledger = Ledger::new().await;
    let mut new = asked("a", &["https://a.example/0"]);
    new.requests[0].next = Some(Box::new(FollowUpRule::Parts { optional: false }));
    ledger.create(&new).await.unwrap();
    let first = ledger.take().await.unwrap();
    assert!(first.next.is_some());
    let following = ["https://a.example/1", "https://b.example/2"].map(request);
    let mut writing = ledger.store.begin().await.unwrap();
    let touched =
        writing.write_failed_download_response(first.guid, &failed(FailureReason::BadStatus, "x"), Some(&following), 1).await;
    assert!(!touched.unwrap().unwrap().settled, "the follow-up requests are still missing");
    writing.commit().await.unwrap();
    assert_eq!((ledger.count("follow_on").await, ledger.show(new.unique_id).await.requests), (0, 3));
    for _ in 0..2 {
        let next = ledger.take().await.unwrap();
        ledger.complete(next.guid).await;
    }
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 1);
    writing.commit().await.unwrap();
    let again = ledger.take().await.unwrap();
    assert!(again.next.is_none(), "that was made");
    let mut writing = ledger.store.begin().await.unwrap();
    let touched = writing
        .write_answers(&[ResponseHeadRow::Completed(again.guid, &completed(10), None, Some(&following))], 2)
        .await
        .unwrap();
    writing.commit().await.unwrap();
    assert!(touched[0].unwrap().settled);
    assert_eq!(ledger.show(new.unique_id).await.requests, 3, "and is not made again");
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn completion_with_empty_follow_up_list_settles_registration() {
    let ledger = Ledger::new().await;
    let mut new = asked("a", &["https://a.example/0"]);
    new.requests[0].next = Some(Box::new(FollowUpRule::Parts { optional: false }));
    ledger.create(&new).await.unwrap();
    let first = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let touched =
        writing.write_answers(&[ResponseHeadRow::Completed(first.guid, &completed(10), None, Some(&[]))], 2).await.unwrap();
    writing.commit().await.unwrap();
    assert!(touched[0].unwrap().settled);
    assert_eq!((ledger.count("follow_on").await, ledger.show(new.unique_id).await.requests), (0, 1));
}
