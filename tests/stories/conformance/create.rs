//! Tests creating a registration: refused requests, the initial state, and the final event.

use ashore_engine::{
    FailureReason, FileCategory, ImageResource, MessageArgument, NewRegistration, RecordOutcome, RecordState,
    RecordedVerification, Registration, RegistrationResult, RegistrationState, RequestSource,
};
use ashore_testkit::{
    home::{EventListener, Home, get, owed_in, png},
    origin::{Body, Origin},
};

use super::{assert_refused, registration_count};

/// Item CRED-1 of the conformance list.
#[tokio::test]
async fn url_without_credentials_is_fetched() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

/// The error message must not contain any part of the user name or password.
async fn assert_credentials_are_refused(name_and_password: &str) {
    let home = Home::open().await;
    let address = format!("http://{name_and_password}@127.0.0.1:8080/a");
    let error = assert_refused(&home, home.create(Home::ask([address])).await, "credentials").await;
    for secret in name_and_password.split(':').filter(|part| !part.is_empty()) {
        assert!(!error.to_string().contains(secret), "{error}");
    }
}

/// Item CRED-2 of the conformance list.
#[tokio::test]
async fn url_with_user_name_and_password_is_refused() {
    assert_credentials_are_refused("somebody:hunter2").await;
}

/// Item CRED-3 of the conformance list.
#[tokio::test]
async fn url_with_user_name_only_is_refused() {
    assert_credentials_are_refused("somebody").await;
}

/// Item CRED-4 of the conformance list.
#[tokio::test]
async fn url_with_password_only_is_refused() {
    assert_credentials_are_refused(":hunter2").await;
}

/// Item FET-2 of the conformance list.
#[tokio::test]
async fn empty_list_or_bad_scheme_or_bad_port_is_refused() {
    let home = Home::open().await;
    let nothing: [&str; 0] = [];
    assert_refused(&home, home.create(Home::ask(nothing)).await, "empty").await;
    for address in ["ftp://127.0.0.1/a", "file:///etc/hostname", "data:,a", "chrome://settings"] {
        assert_refused(&home, home.create(Home::ask([address])).await, "bad-scheme").await;
    }
    assert_refused(&home, home.create(Home::ask(["http://127.0.0.1:587/a"])).await, "bad-port").await;
    // One bad address is enough to refuse the whole registration.
    let mixed = Home::ask(["http://127.0.0.1:8080/a", "ftp://127.0.0.1/b"]);
    assert_refused(&home, home.create(mixed).await, "bad-scheme").await;
}

/// Item FET-3 of the conformance list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_concurrent_registration_with_same_id_is_refused() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::bytes("a")).gate_at(0);
    for round in 0..10 {
        let ask = || NewRegistration { developer_id: Some(format!("round {round}")), ..Home::ask([origin.url("/a")]) };
        let (one, other) = ((*home).clone(), (*home).clone());
        let (ask_one, ask_other) = (ask(), ask());
        let one = tokio::spawn(async move { one.create(ask_one).await });
        let other = tokio::spawn(async move { other.create(ask_other).await });
        let answers = [one.await.unwrap(), other.await.unwrap()];
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
        let refused = answers.into_iter().find_map(Result::err).unwrap();
        assert_eq!(refused.code(), "id-taken");
        assert_eq!(registration_count(&home).await, round + 1);
    }
    file.release();
}

/// Item FET-7 of the conformance list.
#[tokio::test]
async fn new_registration_is_returned_with_all_initial_fields() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/text", Body::bytes("Background Fetch")).gate_at(0);
    let icon = home.source("icon.png", &png(64));
    let made = home
        .create(NewRegistration {
            developer_id: Some("mine".to_owned()),
            title: Some("A title".to_owned()),
            icon: Some(icon.clone()),
            download_total: 1000,
            ..Home::ask([origin.url("/text")])
        })
        .await
        .unwrap();
    let expected = Registration {
        unique_id: made.unique_id,
        developer_id: "mine".to_owned(),
        owner: "story".to_owned(),
        title: "A title".to_owned(),
        description: String::new(),
        icon: Some(icon.clone()),
        icons: vec![ImageResource { sizes: "64x64".to_owned(), ..ImageResource::from_source(icon) }],
        // Copy the state, because the scheduler may have already started the registration.
        state: made.state,
        result: RegistrationResult::None,
        failure_reason: FailureReason::None,
        failure: None,
        downloaded: 0,
        download_total: 1000,
        expected_total: 0,
        uploaded: 0,
        upload_total: 0,
        records_available: true,
        event_number: 0,
        requests: 1,
        has_more: false,
        unmeasured: false,
        succeeded: 0,
        failed: 0,
        active: made.active,
        urgent: false,
        rank: made.rank,
        next_try: None,
        waiting_for: None,
        path: None,
        folder: home.downloads(),
        category: FileCategory::Other,
        source: RequestSource::Program,
        page: None,
        awaited_link: None,
        created: made.created,
        first_enqueued: made.created,
        last_updated: made.created,
        settled: None,
        expires: None,
    };
    assert_eq!(made, expected);
    assert!(matches!(made.state, RegistrationState::Waiting | RegistrationState::Running));
    assert_eq!(made.unique_id.0.get_version_num(), 4);
    assert!(made.created > 1_500_000_000_000, "milliseconds of Unix time");
    file.release();
    home.settled(made.unique_id).await;
}

/// Item FET-8 of the conformance list.
#[tokio::test]
async fn successful_fetch_emits_one_event_with_final_state() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    let mut ear = EventListener::to(&home);
    let made = home.create(Home::ask([origin.url("/text")])).await.unwrap();
    let owed = owed_in(&ear.hear_until_owed().await);
    assert_eq!(owed.len(), 1);
    let handle = home.show(made.unique_id).await.unwrap();
    assert_eq!(owed[0], handle, "the event and the creator's own handle say the same");
    assert_eq!(handle.result, RegistrationResult::Success);
    assert_eq!((handle.failure_reason, handle.failure.clone()), (FailureReason::None, None));
    assert_eq!((handle.requests, handle.succeeded, handle.failed, handle.active), (1, 1, 0, 0));
    assert_eq!((handle.downloaded, handle.expected_total), (16, 16));
    assert_eq!(handle.path, Some(home.downloads().join("text")));
    assert!(handle.settled.unwrap() >= handle.created);

    let records = home.records(made.unique_id, 0, 0).await.unwrap();
    assert_eq!(records.len(), 1);
    let record = &records[0];
    assert_eq!((record.index, record.url.as_str(), record.method.as_str()), (0, origin.url("/text").as_str(), "GET"));
    assert_eq!((record.state, record.outcome), (RecordState::Completed, Some(RecordOutcome::Success)));
    assert_eq!((record.status, record.status_text.as_deref()), (Some(200), Some("OK")));
    assert_eq!(record.url_chain, [origin.url("/text").as_str()]);
    assert!(record.headers.iter().any(|(name, value)| name.eq_ignore_ascii_case("content-length") && value == "16"));
    assert_eq!((record.size, record.downloaded, record.attempts), (Some(16), 16, 1));
    assert_eq!((record.code.clone(), record.text.clone()), (None, None));
    assert_eq!(record.verified, Some(RecordedVerification::No));
    assert_eq!(std::fs::read(record.path.as_ref().unwrap()).unwrap(), b"Background Fetch");
    home.until_names(&["text"]).await;
}

/// Item FET-9 of the conformance list.
#[tokio::test]
async fn declared_total_above_quota_is_refused() {
    let home = Home::open().await;
    let ask = NewRegistration { download_total: (1 << 53) - 1, ..Home::ask(["http://127.0.0.1:8080/a"]) };
    let error = assert_refused(&home, home.create(ask).await, "quota-exceeded").await;
    assert_eq!(error.message().args["needed"], MessageArgument::size((1 << 53) - 1), "{error}");
}

/// Item FET-10 of the conformance list.
#[tokio::test]
async fn duplicate_url_is_fetched_into_two_files() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a.txt", Body::bytes("twice"));
    let id = home.fetch([origin.url("/a.txt"), origin.url("/a.txt")]).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 2));
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records.len(), 2);
    assert_ne!(records[0].path, records[1].path);
    for record in &records {
        assert_eq!(record.outcome, Some(RecordOutcome::Success));
        assert_eq!(std::fs::read(record.path.as_ref().unwrap()).unwrap(), b"twice");
    }
    assert_eq!(file.requests().len(), 2);
    home.until_names(&["a (1).txt", "a.txt"]).await;
}

/// Item FET-12 of the conformance list.
#[tokio::test]
async fn registration_fails_with_bad_status_on_status_404() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let gone = origin.refuses("/gone", 404);
    let mut ear = EventListener::to(&home);
    let id = home.create(Home::ask_for([get(origin.url("/gone"))])).await.unwrap().unique_id;
    let owed = owed_in(&ear.hear_until_owed().await);
    assert_eq!((owed[0].unique_id, owed[0].result), (id, RegistrationResult::Failure));
    assert_eq!(owed[0].failure_reason, FailureReason::BadStatus);
    let records = home.records(id, 0, 0).await.unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].status, records[0].outcome), (Some(404), Some(RecordOutcome::Failure)));
    assert_eq!(records[0].state, RecordState::Dead);
    assert_eq!(records[0].code.as_deref(), Some("bad-status"));
    assert!(records[0].text.as_ref().unwrap().contains("File not found on the server"));
    assert_eq!(gone.requests().len(), 1, "a missing file is not requested again");
    home.until_names(&[]).await;
}
