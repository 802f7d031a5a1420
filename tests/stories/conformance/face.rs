//! Tests the user-visible fields of a registration, and changes of these fields.

use std::path::PathBuf;

use ashore_engine::{EngineEvent, ImageResource, NewRegistration, NotificationIcon};
use ashore_testkit::{
    home::{EventListener, Home, png},
    origin::{Body, Origin},
};

fn shown(title: &str, icon: Option<&PathBuf>) -> NotificationIcon {
    let icons = icon.map(|icon| vec![ImageResource::from_source(icon)]);
    NotificationIcon { title: Some(title.to_owned()), icons, ..NotificationIcon::default() }
}

/// Item UI-1 of the conformance list.
#[tokio::test]
async fn changed_title_and_icon_are_stored_and_emitted() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(0);
    let ask = NewRegistration { title: Some("Before".to_owned()), ..Home::ask([origin.url("/a")]) };
    let made = home.create(ask).await.unwrap();
    assert_eq!((made.title.as_str(), made.icon), ("Before", None));
    let icon = home.source("icon.png", &png(64));
    let mut ear = EventListener::to(&home);
    home.update_ui(made.unique_id, shown("After", Some(&icon))).await.unwrap();
    let now = home.show(made.unique_id).await.unwrap();
    assert_eq!((now.title.as_str(), now.icon.as_ref()), ("After", Some(&icon)));
    ear.hear_until(|event| match event {
        EngineEvent::Changed { registration } => registration.title == "After" && registration.icon.as_ref() == Some(&icon),
        _ => false,
    })
    .await;
    // Omitted fields stay unchanged.
    home.update_ui(made.unique_id, shown("Last", None)).await.unwrap();
    let now = home.show(made.unique_id).await.unwrap();
    assert_eq!((now.title.as_str(), now.icon.as_ref()), ("Last", Some(&icon)));
    file.release();
    let settled = home.settled(made.unique_id).await;
    assert_eq!((settled.title.as_str(), settled.icon), ("Last", Some(icon)));
}

/// Item UI-2 of the conformance list.
#[tokio::test]
async fn changed_title_and_icon_survive_restart_and_crash() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    let icon = home.source("icon.png", &png(64));
    home.update_ui(id, shown("After", Some(&icon))).await.unwrap();
    home.close().await;
    home.reopen().await;
    let now = home.show(id).await.unwrap();
    assert_eq!((now.title.as_str(), now.icon.as_ref()), ("After", Some(&icon)));
    home.update_ui(id, shown("Later", None)).await.unwrap();
    home.crash().await;
    file.release();
    home.reopen().await;
    let settled = home.settled(id).await;
    assert_eq!((settled.title.as_str(), settled.icon), ("Later", Some(icon)));
}
