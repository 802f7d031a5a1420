//! Tests events.
//!
//! Every listener receives all important events. A download's end event stays pending until a client claims it. Only
//! one claim succeeds.

use std::time::{Duration, Instant};

use ashore_engine::{EngineEvent, NotificationIcon, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{EventListener, Home, owed_in},
    origin::{Body, Origin},
};

#[tokio::test]
async fn lagging_listener_must_reload_everything() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::bytes("a")).gate_at(0);
    let id = home.fetch([origin.url("/a")]).await;
    let mut slow = home.events();
    for _ in 0..4200 {
        home.update_ui(id, NotificationIcon::default()).await.unwrap();
    }
    assert_eq!(slow.next().await, Some(EngineEvent::Lagged));
    // A lagging listener still receives important events.
    file.release();
    home.settled(id).await;
    loop {
        // A lagging listener may lose unimportant events.
        if let EngineEvent::Owed { registration } = slow.next().await.unwrap() {
            break assert_eq!(registration.unique_id, id);
        }
    }
}

#[tokio::test]
async fn every_listener_receives_every_change_in_order() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let mut ears = [EventListener::to(&home), EventListener::to(&home), EventListener::to(&home)];
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    let mut heard = Vec::new();
    for ear in &mut ears {
        heard.push(ear.hear_until_owed().await);
    }
    assert!(heard[0] == heard[1] && heard[1] == heard[2]);
    let states: Vec<RegistrationState> = heard[0]
        .iter()
        .filter_map(|event| match event {
            EngineEvent::Changed { registration } => Some(registration.state),
            _ => None,
        })
        .collect();
    assert_ne!(states[0], RegistrationState::Settled);
    assert_eq!(states.last(), Some(&RegistrationState::Settled), "the change is emitted before the end event");
}

#[tokio::test]
async fn end_event_is_pending_until_first_claim_succeeds() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    for path in ["/a", "/b"] {
        origin.file(path, Body::bytes("x"));
    }
    let a = home.fetch([origin.url("/a")]).await;
    home.settled(a).await;
    let b = home.fetch([origin.url("/b")]).await;
    home.settled(b).await;
    for is_crash in [true, false] {
        if is_crash {
            home.crash().await;
        } else {
            home.close().await;
        }
        home.reopen().await;
        let owed = home.pending_notifications().await.unwrap();
        assert_eq!(owed.iter().map(|now| now.unique_id).collect::<Vec<_>>(), [a, b], "oldest first");
        assert!(owed.iter().all(|now| now.result == RegistrationResult::Success));
    }
    let mut claims = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let engine = (*home).clone();
        claims.spawn(async move { engine.claim(a).await.unwrap() });
    }
    assert_eq!(claims.join_all().await.into_iter().filter(|is_ours| *is_ours).count(), 1);
    home.crash().await;
    home.reopen().await;
    assert!(!home.claim(a).await.unwrap());
    assert_eq!(home.pending_notifications().await.unwrap().iter().map(|now| now.unique_id).collect::<Vec<_>>(), [b]);
}

#[tokio::test]
async fn running_download_has_no_pending_end_event() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    assert!(!home.claim(id).await.unwrap());
    assert!(home.pending_notifications().await.unwrap().is_empty());
    file.release();
    home.settled(id).await;
    assert!(home.claim(id).await.unwrap());
}

#[tokio::test]
async fn downloads_complete_after_crash_and_end_events_are_pending() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let mut ids = Vec::new();
    let mut files = Vec::new();
    for index in 0..4 {
        let path = format!("/{index}");
        files.push(origin.file(&path, Body::seeded(index, 1000)).gate_at(900));
        ids.push(home.fetch([origin.url(&path)]).await);
    }
    files[0].held().await;
    for file in &files {
        file.release();
    }
    home.crash().await;
    home.reopen().await;
    for id in &ids {
        assert_eq!(home.settled(*id).await.result, RegistrationResult::Success);
    }
    let mut owed: Vec<_> = home.pending_notifications().await.unwrap().iter().map(|now| now.unique_id).collect();
    owed.sort();
    ids.sort();
    assert_eq!(owed, ids);
    home.until_names(&["0", "1", "2", "3"]).await;
}

#[tokio::test]
async fn progress_is_emitted_at_most_four_times_a_second() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    // The server sends 50 chunks, one every 20 ms.
    origin.file("/a", Body::seeded(1, 50_000)).trickle(1000, Duration::from_millis(20));
    let mut ear = EventListener::to(&home);
    let begun = Instant::now();
    let id = home.fetch([origin.url("/a")]).await;
    let heard = ear.hear_until_owed().await;
    let mut last = 0;
    let mut count = 0;
    for event in &heard {
        let EngineEvent::Progress { unique_id, downloaded, expected_total, .. } = event else { continue };
        assert_eq!(*unique_id, id);
        assert!([0, 50_000].contains(expected_total), "unknown before the first answer is written down");
        assert!((last..=50_000).contains(downloaded), "it only grows");
        last = *downloaded;
        count += 1;
    }
    let most = begun.elapsed().as_millis() / 250 + 1;
    assert!(count >= 1 && count <= most, "{count} in {:?}", begun.elapsed());
    let is_total =
        |event: &EngineEvent| matches!(event, EngineEvent::Totals { totals } if totals.running == 1 && totals.speed > 0);
    assert!(heard.iter().any(is_total), "and so is the sum of everything");
    assert_eq!(owed_in(&heard)[0].downloaded, 50_000);
}

#[tokio::test]
async fn progress_is_emitted_while_many_small_files_complete() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for index in 0..150 {
        origin.file(&format!("/{index}"), Body::seeded(index, 1000)).trickle(500, Duration::from_millis(5));
    }
    let mut ear = EventListener::to(&home);
    let begun = Instant::now();
    let id = home.fetch((0..150).map(|index| origin.url(&format!("/{index}")))).await;
    let heard = ear.hear_until_owed().await;
    let told = heard.iter().filter(|event| match event {
        EngineEvent::Changed { registration } => registration.unique_id == id && (1..150).contains(&registration.succeeded),
        _ => false,
    });
    let (told, took) = (told.count(), begun.elapsed());
    assert!(told >= 1 && told as u128 <= took.as_millis() / 250 + 1, "{told} in {took:?}");
}
