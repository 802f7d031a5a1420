//! Tests that an active registration is found by its developer id and its owner.

use ashore_engine::NewRegistration;
use ashore_testkit::{
    home::Home,
    origin::{Body, Origin},
};

/// Item GET-2 of the conformance list.
#[tokio::test]
async fn unknown_developer_id_finds_no_registration() {
    let home = Home::open().await;
    assert_eq!(home.find("story", "never heard of").await.unwrap(), None);
    assert_eq!(home.find("nobody", "never heard of").await.unwrap(), None);
}

/// Item GET-3 of the conformance list.
#[tokio::test]
async fn found_active_registration_has_current_values() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(0);
    let ask = NewRegistration {
        developer_id: Some("mine".to_owned()),
        title: Some("Mine".to_owned()),
        download_total: 5000,
        ..Home::ask([origin.url("/a")])
    };
    let made = home.create(ask).await.unwrap();
    file.held().await;
    let shown = home.until(made.unique_id, |now| now.active == 1 && now.expected_total == 1000).await;
    let found = home.find("story", "mine").await.unwrap().unwrap();
    assert_eq!(found, shown);
    assert_eq!(
        (found.unique_id, &found.developer_id, &found.title, found.download_total, found.created),
        (made.unique_id, &made.developer_id, &made.title, 5000, made.created)
    );
    assert_eq!(home.find("somebody else", "mine").await.unwrap(), None);
    file.release();
}

/// Item IDS-1 of the conformance list.
#[tokio::test]
async fn new_owner_has_an_empty_id_list() {
    let home = Home::open().await;
    assert!(home.ids("story").await.unwrap().is_empty());
}

/// Item IDS-2 of the conformance list.
#[tokio::test]
async fn id_is_listed_until_its_registration_settles() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(500);
    let ask = || NewRegistration { developer_id: Some("mine".to_owned()), ..Home::ask([origin.url("/a")]) };
    let first = home.create(ask()).await.unwrap().unique_id;
    assert_eq!(home.ids("story").await.unwrap(), ["mine"]);
    assert!(home.ids("somebody else").await.unwrap().is_empty());
    file.release();
    home.settled(first).await;
    assert!(home.ids("story").await.unwrap().is_empty());
    assert_eq!(home.find("story", "mine").await.unwrap(), None);
    // The id becomes free when the first registration settles.
    let second = home.create(ask()).await.unwrap().unique_id;
    assert_ne!(first, second);
    home.settled(second).await;
}
