//! Tests pausing all downloads or a single one. The pause survives a restart.

use ashore_engine::{NewRegistration, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::Home,
    origin::{Body, Origin, content},
};

#[tokio::test]
async fn pause_of_everything_survives_restart() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let files = ["/a", "/b"].map(|path| origin.file(path, Body::seeded(1, 1_000_000)).gate_at(600_000));
    let (a, b) = (home.fetch([origin.url("/a")]).await, home.fetch([origin.url("/b")]).await);
    for (id, file) in [a, b].into_iter().zip(&files) {
        file.held().await;
        home.until(id, |now| now.downloaded == 600_000).await;
    }
    home.pause(None).await.unwrap();
    assert!(home.totals().await.unwrap().paused);
    for id in [a, b] {
        let paused = home.until(id, |now| now.active == 0).await;
        assert_eq!((paused.state, paused.downloaded), (RegistrationState::Paused, 600_000));
    }
    // A download that is added during the pause also waits.
    origin.file("/c", Body::bytes("c"));
    let c = home.fetch([origin.url("/c")]).await;
    assert_eq!(home.show(c).await.unwrap().state, RegistrationState::Paused);

    home.close().await;
    for file in &files {
        file.release();
    }
    home.reopen().await;
    let totals = home.totals().await.unwrap();
    assert_eq!((totals.paused, totals.running, totals.waiting), (true, 0, 0));
    assert_eq!(home.show(a).await.unwrap().downloaded, 600_000);
    assert_eq!(origin.requests().len(), 2, "nothing starts by itself");

    home.resume(None).await.unwrap();
    for id in [a, b, c] {
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    }
    for (name, file) in ["a", "b"].iter().zip(&files) {
        assert!(home.bytes(name) == content(1, 1_000_000));
        assert!(file.requests()[1].range_start().unwrap() > 0);
    }
}

#[tokio::test]
async fn pause_of_single_download_survives_resume_of_everything() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    origin.file("/b", Body::bytes("b"));
    home.pause(None).await.unwrap();
    let (a, b) = (home.fetch([origin.url("/a")]).await, home.fetch([origin.url("/b")]).await);
    home.pause(Some(a)).await.unwrap();
    home.resume(None).await.unwrap();
    home.settled(b).await;
    assert_eq!(home.show(a).await.unwrap().state, RegistrationState::Paused);
    home.resume(Some(a)).await.unwrap();
    home.settled(a).await;
}

#[tokio::test]
async fn download_added_as_paused_stays_paused_through_restarts() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    origin.file("/b", Body::bytes("b"));
    let ask = NewRegistration { paused: true, ..Home::ask([origin.url("/a")]) };
    let made = home.create(ask).await.unwrap();
    assert_eq!(made.state, RegistrationState::Paused);
    for is_crash in [false, true] {
        if is_crash {
            home.crash().await;
        } else {
            home.close().await;
        }
        home.reopen().await;
        let other = home.fetch([origin.url("/b")]).await;
        home.settled(other).await;
        assert_eq!(home.show(made.unique_id).await.unwrap().state, RegistrationState::Paused);
    }
    assert!(origin.requests().iter().all(|request| request.path == "/b"));
    home.resume(Some(made.unique_id)).await.unwrap();
    assert_eq!(home.settled(made.unique_id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn paused_download_frees_its_slot_for_others() {
    let (origin, home) = (Origin::start().await, Home::open_with("parallel = 1\n").await);
    let slow = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    origin.file("/next", Body::bytes("next"));
    let first = home.fetch([origin.url("/slow")]).await;
    slow.held().await;
    let next = home.fetch([origin.url("/next")]).await;
    home.pause(Some(first)).await.unwrap();
    assert_eq!(home.settled(next).await.result, RegistrationResult::Success);
    assert_eq!(home.show(first).await.unwrap().state, RegistrationState::Paused);
    slow.release();
    home.resume(Some(first)).await.unwrap();
    home.settled(first).await;
    assert_eq!(home.bytes("slow"), content(1, 1000));
}

#[tokio::test]
async fn rapid_pause_and_resume_produce_one_correct_file() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 300_000)).gate_at(200_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    for _ in 0..20 {
        home.pause(Some(id)).await.unwrap();
        home.resume(Some(id)).await.unwrap();
    }
    file.release();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 300_000));
    assert!(home.bytes("a") == content(1, 300_000));
    home.until_names(&["a"]).await;
}
