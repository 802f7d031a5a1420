//! Tests the operations that the window offers: pause, resume, list after a kill, abort.

use ashore_engine::{FailureReason, NewRegistration, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{EventListener, Home, owed_in},
    origin::{Body, Origin, content},
};

/// Item WK-1 of the conformance list.
#[tokio::test]
async fn paused_registration_continues_only_after_resume() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;

    home.pause(Some(id)).await.unwrap();
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Paused);
    let paused = home.until(id, |now| now.active == 0).await;
    assert_eq!((paused.state, paused.downloaded), (RegistrationState::Paused, 600_000), "every byte is kept");
    file.release();
    // A paused registration stays paused when another event wakes the scheduler.
    origin.file("/b", Body::bytes("b"));
    let other = home.fetch([origin.url("/b")]).await;
    home.settled(other).await;
    assert_eq!(home.show(id).await.unwrap(), paused);
    assert_eq!(file.requests().len(), 1);

    home.resume(Some(id)).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 1_000_000));
    assert_eq!(home.bytes("a"), content(1, 1_000_000));
    let requests = file.requests();
    assert_eq!(requests.len(), 2);
    let from = requests[1].range_start().unwrap();
    assert!((1..=600_000).contains(&from), "the transfer resumed at {from}");
    assert!(file.bytes_sent() <= 1_000_000 + (64 << 10), "only the overlap was sent twice");
}

/// Item WK-2 of the conformance list.
#[tokio::test]
async fn registrations_continue_after_engine_crash() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let files = ["/a", "/b"].map(|path| origin.file(path, Body::seeded(1, 1_000_000)).gate_at(500_000));
    let ask = |path: &str, name: &str| NewRegistration { developer_id: Some(name.to_owned()), ..Home::ask([origin.url(path)]) };
    let first = home.create(ask("/a", "first")).await.unwrap();
    let second = home.create(ask("/b", "second")).await.unwrap();
    for file in &files {
        file.held().await;
    }
    home.crash().await;
    home.reopen().await;
    assert_eq!(home.ids("story").await.unwrap(), ["first", "second"]);
    for made in [&first, &second] {
        let again = home.find("story", &made.developer_id).await.unwrap().unwrap();
        assert_eq!((again.unique_id, again.created, &again.title), (made.unique_id, made.created, &made.title));
        assert_eq!(again.state, RegistrationState::Running, "a running registration continues without user action");
    }
    for file in &files {
        file.release();
    }
    for made in [&first, &second] {
        assert_eq!(home.settled(made.unique_id).await.result, RegistrationResult::Success);
    }
    assert_eq!(home.bytes("a"), content(1, 1_000_000));
    assert_eq!(home.bytes("b"), content(1, 1_000_000));
    home.until_names(&["a", "b"]).await;
    assert!(home.ids("story").await.unwrap().is_empty());
}

/// Item WK-3 of the conformance list.
#[tokio::test]
async fn abort_emits_exactly_one_event() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let files = ["/a", "/b"].map(|path| origin.file(path, Body::seeded(1, 1000)).gate_at(500));
    let ask = NewRegistration { owner: "window".to_owned(), ..Home::ask([origin.url("/a")]) };
    let mine = home.create(ask).await.unwrap();
    let other = home.fetch([origin.url("/b")]).await;
    files[0].held().await;
    let mut ear = EventListener::to(&home);
    assert!(home.abort(mine.unique_id).await.unwrap());
    // When the other registration settles, all events of the abort have been emitted.
    files[1].release();
    let owed = owed_in(&ear.hear_until_owed_for(other).await);
    let ours: Vec<_> = owed.iter().filter(|now| now.unique_id == mine.unique_id).collect();
    assert_eq!(ours.len(), 1);
    assert_eq!(ours[0].failure_reason, FailureReason::Aborted);
    assert_eq!(owed.len(), 2);
}
