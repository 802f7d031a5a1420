//! Tests the settings in the real window: each change is saved and takes effect immediately.
//!
//! Covers changes with the keyboard and in the week grid. Invalid values are refused in their field.

use std::fs;

use ashore_testkit::{
    origin::{Body, Origin, Route},
    waits::until,
};

use crate::{page::WindowPage, stage::Stage};

#[tokio::test(flavor = "multi_thread")]
async fn settings_apply_immediately_if_changed_by_keyboard_or_week_grid() {
    let stage = Stage::new().await;
    let settings = stage.data().join("ashore.toml");
    fs::write(&settings, "# mine\nparallel = 1\nparallel-per-host = 9\npatience = 7\n").unwrap();
    let written = |what: &'static str| {
        let settings = settings.clone();
        async move {
            until(&format!("{what} is in the file"), async || {
                fs::read_to_string(&settings).ok().filter(|text| text.contains(what)).map(drop)
            })
            .await;
        }
    };
    let origin = Origin::start().await;
    let routes = ["/one", "/two"].map(|path| origin.file(path, Body::bytes(path)).gate_at(1));
    let page = WindowPage::open(&stage).await;
    page.text("notice", "the slip is said", |text| text.contains("patience is not a setting")).await;
    for name in ["one", "two"] {
        stage.add(origin.url(&format!("/{name}")), name).await;
    }
    routes[0].held().await;

    page.click("settings-button").await;
    page.text("settings-troubles", "the slip is said here", |text| text.contains("patience is not a setting")).await;
    page.clear("setting-parallel").await;
    page.keys("setting-parallel", "65\u{e007}").await;
    page.text("setting-parallel-failure", "it is refused", |text| text.contains("must be from 1 to 64")).await;
    assert_eq!(page.value("setting-parallel").await, "65", "the typed text is still in the field");
    page.clear("setting-parallel").await;
    page.keys("setting-parallel", "2\u{e007}").await;
    routes[1].held().await;
    written("# mine\nparallel = 2").await;

    page.write("settings-search", "paint").await;
    page.drag("[data-cell='5-20']", "[data-cell='6-31']").await;
    page.release_button().await;
    written("hours = [\"sat").await;
    page.text("week-lines", "it is said in words", |text| text.starts_with("Sat")).await;
    page.click("setting-hours-reset").await;
    until("the hours are gone from the file", async || {
        fs::read_to_string(&settings).ok().filter(|text| !text.contains("hours")).map(drop)
    })
    .await;
    // The first Escape clears the search, the second leaves the settings.
    page.keys("settings-search", "\u{e00c}").await;
    assert_eq!(page.value("settings-search").await, "");
    page.keys("settings-search", "\u{e00c}").await;
    page.find("list").await;
    routes.iter().for_each(Route::release);
}
