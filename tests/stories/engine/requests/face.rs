//! Tests the description and the icon of a registration, which are shown beside the title.

use std::path::PathBuf;

use ashore_engine::{ImageResource, ListQuery, NewRegistration, NotificationIcon};
use ashore_testkit::{
    home::{Home, png},
    origin::Origin,
};

fn described(text: &str) -> NotificationIcon {
    NotificationIcon { description: Some(text.to_owned()), ..NotificationIcon::default() }
}

fn with_icons(icons: Vec<ImageResource>) -> NotificationIcon {
    NotificationIcon { icons: Some(icons), ..NotificationIcon::default() }
}

#[tokio::test]
async fn description_is_stored_and_shown_and_can_be_changed() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let ask = NewRegistration {
        description: Some("  The lecture of Monday\nin two parts ".to_owned()),
        paused: true,
        ..Home::ask([origin.url("/a")])
    };
    let made = home.create(ask).await.unwrap();
    assert_eq!(made.description, "The lecture of Monday\nin two parts");
    home.crash().await;
    home.reopen().await;
    assert_eq!(home.show(made.unique_id).await.unwrap().description, made.description);
    home.update_ui(made.unique_id, described("Tuesday")).await.unwrap();
    home.update_ui(made.unique_id, NotificationIcon { title: Some("Lecture".to_owned()), ..NotificationIcon::default() })
        .await
        .unwrap();
    let listed = home.list(ListQuery::default()).await.unwrap();
    assert_eq!((listed[0].title.as_str(), listed[0].description.as_str()), ("Lecture", "Tuesday"));
    home.update_ui(made.unique_id, described("")).await.unwrap();
    assert_eq!(home.show(made.unique_id).await.unwrap().description, "");

    let long = "a".repeat((64 << 10) + 1);
    assert_eq!(home.update_ui(made.unique_id, described(&long)).await.unwrap_err().code(), "invalid");
    let ask = NewRegistration { description: Some(long), ..Home::ask([origin.url("/a")]) };
    assert_eq!(home.create(ask).await.unwrap_err().code(), "invalid");
}

#[tokio::test]
async fn best_fitting_icon_is_shown_and_all_icons_are_kept() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let source = |side: u32| home.source(&format!("{side}.png"), &png(side));
    let icons: Vec<PathBuf> = [16, 512, 128].map(source).into();
    let photo = home.source("photo", b"\xff\xd8\xff\xe0");
    let mut given: Vec<_> = icons.iter().map(ImageResource::from_source).collect();
    given.push(ImageResource {
        sizes: "64x64".to_owned(),
        media_type: "image/jpeg".to_owned(),
        label: "A lighthouse".to_owned(),
        ..ImageResource::from_source(&photo)
    });
    let ask = NewRegistration { icons: given, paused: true, ..Home::ask([origin.url("/a")]) };
    let made = home.create(ask).await.unwrap();
    assert_eq!(made.icon.as_ref(), Some(&icons[2]));
    let sizes: Vec<_> = made.icons.iter().map(|icon| icon.sizes.as_str()).collect();
    assert_eq!(sizes, ["16x16", "512x512", "128x128", "64x64"]);
    assert_eq!((made.icons[3].media_type.as_str(), made.icons[3].label.as_str()), ("image/jpeg", "A lighthouse"));
    home.close().await;
    home.reopen().await;
    assert_eq!(home.show(made.unique_id).await.unwrap().icons, made.icons);
    home.update_ui(made.unique_id, with_icons(vec![made.icons[0].clone()])).await.unwrap();
    assert_eq!(home.show(made.unique_id).await.unwrap().icon.as_ref(), Some(&icons[0]));
    home.update_ui(made.unique_id, with_icons(Vec::new())).await.unwrap();
    let now = home.show(made.unique_id).await.unwrap();
    assert_eq!((now.icon, now.icons), (None, Vec::new()));
}

#[tokio::test]
async fn invalid_icon_is_refused_and_changes_nothing() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let right = home.source("right.png", &png(16));
    let made =
        home.create(NewRegistration { icon: Some(right.clone()), paused: true, ..Home::ask([origin.url("/a")]) }).await.unwrap();
    let pipe = home.source("pipe", b"").with_file_name("pipe.png");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    let wrong = [
        (home.source("page.png", b"<html><img src='a.png'></html>"), "it is not an image"),
        (home.source("empty.png", b""), "it is not an image"),
        (right.with_file_name("missing.png"), "does not exist"),
        (right.parent().unwrap().to_owned(), "it is not a file"),
        (pipe, "it is not a file"),
        (PathBuf::from("right.png"), "it is not a full path"),
        (PathBuf::from("https://example.org/icon.png"), "it is not a full path"),
        (PathBuf::from("file:///usr/share/icon.png"), "it is not a full path"),
    ];
    for (path, why) in wrong {
        // Try the invalid path together with a valid icon, and as the only icon.
        let icons = vec![ImageResource::from_source(&right), ImageResource::from_source(&path)];
        let asks = [
            NewRegistration { icons: icons.clone(), ..Home::ask([origin.url("/b")]) },
            NewRegistration { icon: Some(path.clone()), ..Home::ask([origin.url("/b")]) },
        ];
        for ask in asks {
            let refused = home.create(ask).await.unwrap_err();
            assert_eq!(refused.code(), "icon", "{refused}");
            assert!(refused.to_string().contains(why) && refused.to_string().contains("Choose a PNG"), "{refused}");
        }
        let changed = NotificationIcon { title: Some("New".to_owned()), icons: Some(icons), ..NotificationIcon::default() };
        assert_eq!(home.update_ui(made.unique_id, changed).await.unwrap_err().code(), "icon");
    }
    let both = NewRegistration {
        icon: Some(right.clone()),
        icons: vec![ImageResource::from_source(&right)],
        ..Home::ask([origin.url("/b")])
    };
    assert_eq!(home.create(both).await.unwrap_err().code(), "invalid");
    let many = NewRegistration { icons: vec![ImageResource::from_source(&right); 33], ..Home::ask([origin.url("/b")]) };
    assert_eq!(home.create(many).await.unwrap_err().code(), "invalid");
    assert_eq!(home.list(ListQuery::default()).await.unwrap(), [made]);
    assert!(origin.requests().is_empty());
}
