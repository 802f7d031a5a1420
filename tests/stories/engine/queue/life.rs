//! Tests unusual sequences of download states.

use ashore_engine::{FailureReason, NewRegistration, RecordOutcome, RecordState, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{Home, upload},
    origin::{Body, Origin, content},
};

#[tokio::test]
async fn download_added_while_fetching_is_off_starts_after_reopening() {
    let (origin, mut home) = (Origin::start().await, Home::open_without_fetching().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Waiting);
    home.close().await;
    assert!(origin.requests().is_empty());
    home.fetching(true);
    home.reopen().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn downloads_can_be_changed_in_engine_that_does_not_fetch() {
    let (origin, mut home) = (Origin::start().await, Home::open_without_fetching().await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(home.fetch([origin.url("/a")]).await);
    }
    home.pause(Some(ids[0])).await.unwrap();
    assert!(home.abort(ids[1]).await.unwrap() && !home.abort(ids[1]).await.unwrap());
    home.remove(ids[2], true).await.unwrap();
    assert_eq!(home.show(ids[0]).await.unwrap().state, RegistrationState::Paused);
    assert_eq!(home.show(ids[1]).await.unwrap().failure_reason, FailureReason::Aborted);
    assert_eq!(home.show(ids[2]).await.unwrap_err().code(), "unknown");
    assert_eq!(home.pending_notifications().await.unwrap().iter().map(|now| now.unique_id).collect::<Vec<_>>(), [ids[1]]);
    assert_eq!(home.retry(ids[1]).await.unwrap(), 1);
    assert_eq!(home.show(ids[1]).await.unwrap().state, RegistrationState::Waiting);
    home.close().await;
}

#[tokio::test]
async fn paused_or_waiting_download_can_be_aborted() {
    let (origin, home) = (Origin::start().await, Home::open_with("retry-after-seconds = 600\n").await);
    origin.refuses("/busy", 503);
    let paused = home.create(NewRegistration { paused: true, ..Home::ask([origin.url("/a")]) }).await.unwrap().unique_id;
    let waiting = home.fetch([origin.url("/busy")]).await;
    home.until(waiting, |now| now.next_try.is_some()).await;
    for id in [paused, waiting] {
        assert!(home.abort(id).await.unwrap());
        let now = home.show(id).await.unwrap();
        assert_eq!((now.state, now.failure_reason), (RegistrationState::Settled, FailureReason::Aborted));
        assert_eq!((now.next_try, now.waiting_for), (None, None));
        let record = &home.records(id, 0, 0).await.unwrap()[0];
        assert_eq!((record.outcome, record.code.as_deref()), (Some(RecordOutcome::Aborted), Some("aborted")));
        assert!(home.claim(id).await.unwrap());
    }
    let totals = home.totals().await.unwrap();
    assert_eq!((totals.running, totals.waiting), (0, 0));
}

#[tokio::test]
async fn rapid_abort_and_retry_produce_one_correct_file() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for round in 0..10 {
        let path = format!("/{round}");
        let file = origin.file(&path, Body::seeded(round, 300_000)).gate_at(200_000);
        let id = home.fetch([origin.url(&path)]).await;
        file.held().await;
        assert!(home.abort(id).await.unwrap());
        assert_eq!(home.retry(id).await.unwrap(), 1, "in round {round}");
        file.release();
        let settled = home.settled(id).await;
        assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 300_000));
        assert!(home.bytes(&round.to_string()) == content(round, 300_000));
    }
    home.until_names(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]).await;
}

#[tokio::test]
async fn upload_that_runs_at_close_is_reported_as_interrupted() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::seeded(1, 1000)).gate_at(0);
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("PUT", origin.url("/form"), &source)])).await.unwrap().unique_id;
    form.held().await;
    home.close().await;
    form.release();
    home.reopen().await;
    let now = home.show(id).await.unwrap();
    assert_eq!((now.state, now.failure.unwrap().code.as_str()), (RegistrationState::Settled, "upload-interrupted"));
    assert_eq!(home.pending_notifications().await.unwrap().len(), 1);
    assert_eq!(form.requests().len(), 1);
}

#[tokio::test]
async fn download_with_missing_folder_fails_and_other_downloads_continue() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let folder = home.downloads().join("below");
    std::fs::create_dir(&folder).unwrap();
    let ask = NewRegistration { folder: Some(folder.clone()), paused: true, ..Home::ask([origin.url("/a")]) };
    let id = home.create(ask).await.unwrap().unique_id;
    let other = home.create(NewRegistration { paused: true, ..Home::ask([origin.url("/a")]) }).await.unwrap().unique_id;
    std::fs::remove_dir(&folder).unwrap();
    home.resume(Some(id)).await.unwrap();
    home.resume(Some(other)).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failure.unwrap().code.as_str()), (RegistrationResult::Failure, "target"));
    assert_eq!(home.settled(other).await.result, RegistrationResult::Success);
    // A retry succeeds after the folder exists again.
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(std::fs::read(folder.join("a")).unwrap(), b"a");
}

#[tokio::test]
async fn lost_folder_of_download_is_replaced_by_another_one() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let half = origin.file("/half", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let [gone, lost] = ["gone", "lost"].map(|name| home.downloads().join(name));
    std::fs::create_dir(&gone).unwrap();
    let ask = NewRegistration { folder: Some(gone.clone()), paused: true, ..Home::ask([origin.url("/a")]) };
    let id = home.create(ask).await.unwrap().unique_id;
    std::fs::remove_dir(&gone).unwrap();
    home.resume(Some(id)).await.unwrap();
    assert_eq!(home.settled(id).await.failure.unwrap().code, "target");
    for other in ["/nowhere", "beside"] {
        assert_eq!(home.put_into(id, other.into()).await.unwrap_err().code(), "target");
    }
    home.put_into(id, home.downloads().to_owned()).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), b"a");

    // The partial file is lost together with its folder, so the download begins again.
    std::fs::create_dir(&lost).unwrap();
    let id =
        home.create(NewRegistration { folder: Some(lost.clone()), ..Home::ask([origin.url("/half")]) }).await.unwrap().unique_id;
    half.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    std::fs::remove_dir_all(&lost).unwrap();
    half.release();
    home.put_into(id, home.downloads().to_owned()).await.unwrap();
    home.resume(Some(id)).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("half"), content(1, 1_000_000));
    assert_eq!(
        home.put_into("6a2ab1c0-1111-4222-8333-444455556661".parse().unwrap(), home.downloads().to_owned())
            .await
            .unwrap_err()
            .code(),
        "unknown"
    );
}

#[tokio::test]
async fn next_engine_resumes_from_bytes_that_closed_engine_received() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.close().await;
    file.release();
    home.reopen().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a") == content(1, 1_000_000));
    assert!(file.requests()[1].range_start().unwrap() > 0);
    assert!(file.bytes_sent() <= 1_000_000 + (64 << 10));
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.verified), (RecordState::Completed, Some(ashore_engine::RecordedVerification::OnResume)));
}

#[tokio::test]
async fn dropped_engine_releases_its_folder() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 300_000)).gate_at(200_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    for _ in 0..5 {
        home.crash().await;
        home.reopen().await;
    }
    file.release();
    home.settled(id).await;
    assert!(home.bytes("a") == content(1, 300_000));
    home.until_names(&["a"]).await;
}
