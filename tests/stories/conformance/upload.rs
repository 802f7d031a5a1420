//! Tests that uploads are recorded, counted, and sent unchanged.

use ashore_engine::{EngineEvent, NewRegistration, RecordOutcome, RegistrationResult};
use ashore_testkit::{
    home::{EventListener, Home, upload},
    origin::{Body, Origin, content},
};

/// Item UPL-1 of the conformance list.
#[tokio::test]
async fn upload_is_sent_and_its_answer_is_recorded() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("thank you"));
    let source = home.source("letter", b"Background Fetch!");
    let made = home.create(Home::ask_for([upload("POST", origin.url("/form"), &source)])).await.unwrap();
    assert_eq!((made.upload_total, made.uploaded), (17, 0));
    let settled = home.settled(made.unique_id).await;
    assert_eq!(settled.result, RegistrationResult::Success);
    assert_eq!((settled.uploaded, settled.upload_total, settled.downloaded), (17, 17, 9));
    assert_eq!(form.requests()[0].body, b"Background Fetch!");
    let record = &home.records(made.unique_id, 0, 0).await.unwrap()[0];
    assert_eq!((record.method.as_str(), record.status), ("POST", Some(200)));
    assert_eq!(std::fs::read(record.path.as_ref().unwrap()).unwrap(), b"thank you");
    home.close().await;
    // The engine's copy of an uploaded file is removed after the upload.
    assert_eq!(std::fs::read_dir(home.data().join("bodies")).unwrap().count(), 0);
}

/// Item UPL-2 of the conformance list.
#[tokio::test]
async fn all_sent_bytes_are_counted_before_answer_bytes() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::seeded(2, 200_000)).gate_at(100_000);
    let source = home.source("letter", &content(1, 3_000_000));
    let mut ear = EventListener::to(&home);
    let made = home.create(Home::ask_for([upload("POST", origin.url("/form"), &source)])).await.unwrap();
    form.held().await;
    let on_its_way = home.until(made.unique_id, |now| now.downloaded > 0).await;
    assert_eq!(on_its_way.uploaded, 3_000_000);
    form.release();
    home.settled(made.unique_id).await;
    let mut last = 0;
    for event in ear.hear_until_owed().await {
        let (uploaded, downloaded) = match event {
            EngineEvent::Progress { uploaded, downloaded, .. } => (uploaded, downloaded),
            EngineEvent::Changed { registration: now } | EngineEvent::Owed { registration: now } => {
                (now.uploaded, now.downloaded)
            }
            _ => continue,
        };
        assert!(uploaded == 3_000_000 || downloaded == 0, "{downloaded} bytes of the answer after {uploaded} sent bytes");
        assert!(uploaded >= last, "the number of sent bytes never decreases");
        last = uploaded;
    }
    assert_eq!(form.requests()[0].body, content(1, 3_000_000));
}

/// Item UPL-3 of the conformance list.
#[tokio::test]
async fn each_upload_sends_its_stored_body_exactly_once() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("ok"));
    let (one, other) = (home.source("one", &content(1, 1_000_000)), home.source("other", b"upload 2"));
    let url = origin.url("/form");
    let ask = NewRegistration { download_total: 100, ..Home::ask_for([upload("POST", &url, &one), upload("PUT", &url, &other)]) };
    let made = home.create(ask).await.unwrap();
    assert_eq!(made.upload_total, 1_000_008);
    // Later changes to the file do not matter, because the engine sends its own copy.
    std::fs::remove_file(&one).unwrap();
    std::fs::write(&other, b"something else entirely").unwrap();
    let settled = home.settled(made.unique_id).await;
    assert_eq!((settled.result, settled.uploaded), (RegistrationResult::Success, 1_000_008));
    let requests = form.requests();
    assert_eq!(requests.len(), 2);
    for (method, body) in [("POST", content(1, 1_000_000)), ("PUT", b"upload 2".to_vec())] {
        let sent: Vec<_> = requests.iter().filter(|request| request.method == method).collect();
        assert!(sent.len() == 1 && sent[0].body == body, "{method} sent the very bytes once");
    }
    let records = home.records(made.unique_id, 0, 0).await.unwrap();
    assert_eq!(records.len(), 2);
    assert_ne!(records[0].path, records[1].path);
    for record in records {
        assert_eq!(record.outcome, Some(RecordOutcome::Success));
        assert_eq!(std::fs::read(record.path.unwrap()).unwrap(), b"ok");
    }
}
