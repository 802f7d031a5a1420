//! Tests the tray by reading and clicking its menu, as a panel would.

use ashore_engine::{LimitScope, ProgressTotals, RegistrationState};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin, Route, content},
    waits::until,
};

use crate::{
    page::WindowPage,
    panel::Line,
    stage::{Stage, file, kill, terminate},
};

const MIB: u64 = 1 << 20;

fn labels(menu: Vec<Line>) -> Vec<String> {
    menu.into_iter().map(|line| line.label).collect()
}

/// Waits until the menu item of the speed limit `label` is checked. Returns all items of the submenu.
async fn limit_is(stage: &Stage, label: &str) -> Vec<Line> {
    until(&format!("{label} is ticked"), async || {
        let menu = stage.panel.menu().await;
        let limits = menu.into_iter().find(|line| line.label == "Speed limit")?.children;
        let ticked: Vec<_> = limits.iter().filter(|line| line.ticked).map(|line| line.label.as_str()).collect();
        (ticked == [label]).then_some(limits)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn tray_menu_shows_totals_and_controls_downloads_and_window() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(1, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore_in_tray().await;
    assert_eq!(stage.windows(), 0);
    let rest = ["Add from clipboard", "Pause all", "Speed limit", "When finished", "Open Ashore", "Quit"];
    assert_eq!(labels(stage.panel.menu().await), [&["No downloads are running"], &rest[..]].concat());
    stage.panel.looks("idle").await;

    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    let totals = stage.panel.line("what is running", |label| label.starts_with("1 running · ")).await;
    assert!(totals.label.contains("/s") && !totals.enabled, "{totals:?}");
    stage.panel.looks("running").await;

    stage.panel.click("Pause all").await;
    stage.registration(&made, "it is paused", |now| now.state == RegistrationState::Paused).await;
    stage.panel.line("that all is paused", |label| label == "Everything is paused").await;
    route.release();
    stage.panel.click("Resume all").await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    file(&stage.downloads().join("a.bin"), &content(1, 4 * MIB)).await;
    stage.panel.line("that nothing is running", |label| label == "No downloads are running").await;

    stage.panel.click("Open Ashore").await;
    stage.windows_are(1).await;
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await, "it ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_icon_stays_until_the_window_is_opened() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/gone.pdf", Body::seeded(5, MIB)).status(404);
    let held = origin.file("/held.bin", Body::seeded(5, 4 * MIB)).gate_at(MIB);
    let _ashore = stage.ashore_in_tray().await;
    stage.panel.looks("idle").await;
    stage.add(origin.url("/held.bin"), "held").await;
    stage.panel.looks("running").await;
    stage.add(origin.url("/gone.pdf"), "gone").await;
    stage.panel.looks("attention").await;
    stage.panel.click("Open Ashore").await;
    stage.panel.looks("running").await;
    held.release();
    stage.panel.looks("idle").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_keeps_bytes_on_quit_and_resumes_at_next_start() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/b.bin", Body::seeded(2, 4 * MIB)).gate_at(3 * MIB);
    let mut ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/b.bin"), "b").await;
    route.held().await;
    stage.registration(&made, "three quarters are there", |now| now.downloaded == 3 * MIB).await;
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await, "it ends well");

    route.release();
    let mut ashore = stage.ashore_in_tray().await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    file(&stage.downloads().join("b.bin"), &content(2, 4 * MIB)).await;
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    // After a resume, the last 64 KiB are fetched again and compared with the partial file.
    assert!(starts.last().is_some_and(|start| *start >= 3 * MIB - 64 * 1024), "the transfer resumed at its offset: {starts:?}");

    terminate(ashore.pid());
    assert!(ashore.ended().await, "it ends well when the system asks");
}

#[tokio::test(flavor = "multi_thread")]
async fn new_instance_takes_over_if_it_starts_while_the_old_one_exits() {
    let stage = Stage::new().await;
    let first = stage.ashore_in_tray().await;
    let name = stage.name_on_bus(".SingleInstance").await;
    kill(first.pid());
    drop(first);
    // The bus name of a killed program exists until the bus notices its death. Until then, calls to that name get no
    // answer.
    let dying = stage.claim_name(&name).await;
    let mut next = stage.ashore(&["--hidden"]);
    drop(dying.asked().await);
    stage.client().await;
    assert!(next.is_running());

    stage.panel.click("Quit").await;
    let mut last = stage.ashore_in_tray().await;
    assert!(next.ended().await, "it ends well");
    assert!(last.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn tray_shows_running_downloads_and_selects_row_on_click() {
    let stage = Stage::new().await;
    std::fs::write(stage.data().join("ashore.toml"), "parallel = 8\nparallel-per-host = 8\n").unwrap();
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
    let routes = paths.map(|path| origin.file(path, Body::seeded(1, 4 * MIB)).gate_at(MIB));
    for (path, route) in paths.iter().zip(&routes) {
        stage.add(origin.url(path), &format!("R&D_{}", &path[1..])).await;
        route.held().await;
    }
    // The menu doubles each underscore of a title.
    let wanted = ["a", "b", "c", "d", "e"].map(|name| format!("R&D__{name} · 25 %"));
    until("the menu names five and counts the others", async || {
        let shown = labels(stage.panel.menu().await);
        (shown[1..6] == wanted && shown[6] == "and 1 more").then_some(())
    })
    .await;
    let line = stage.panel.line("the second one", |label| label == wanted[1]).await;
    stage.panel.click_on(&line).await;
    page.chosen(&["R&D_b"]).await;

    routes[1].release();
    let wanted = ["a", "c", "d", "e", "f"].map(|name| format!("R&D__{name} · 25 %"));
    until("another download replaces the finished one", async || {
        let shown = labels(stage.panel.menu().await);
        (shown[1..6] == wanted && shown[6] == "Add from clipboard").then_some(())
    })
    .await;
    routes.iter().for_each(Route::release);
    until("nothing is left of them", async || (labels(stage.panel.menu().await)[1] == "Add from clipboard").then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn speed_limit_chosen_in_tray_menu_applies_and_is_ticked() {
    let stage = Stage::new().await;
    let _ashore = stage.ashore_in_tray().await;
    let client = stage.client().await;
    let limits = limit_is(&stage, "No limit").await;
    assert_eq!(labels(limits.clone()), ["No limit", "100 kB/s", "250 kB/s", "500 kB/s", "1 MB/s", "5 MB/s", "10 MB/s"]);
    stage.panel.click_on(&limits[4]).await;
    until("it holds", async || {
        let totals: ProgressTotals = client.call(&MethodCall::Totals).await.ok()?;
        (totals.speed_limit == Some(1_000_000)).then_some(())
    })
    .await;
    let limits = limit_is(&stage, "1 MB/s").await;
    // After a second click on a checked item, the panel unchecks it, but the limit stays in force.
    stage.panel.click_on(&limits[4]).await;
    limit_is(&stage, "1 MB/s").await;

    let own = MethodCall::Limit { scope: LimitScope::All, bytes_per_second: Some(2 << 20) };
    client.call::<()>(&own).await.unwrap();
    assert_eq!(limit_is(&stage, "2.1 MB/s").await.len(), 8);
    let limits = limit_is(&stage, "2.1 MB/s").await;
    stage.panel.click_on(&limits[0]).await;
    assert_eq!(limit_is(&stage, "No limit").await.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn clipboard_text_is_offered_in_the_add_dialog() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    // The dialog also opens if the clipboard is empty.
    stage.panel.click("Add from clipboard").await;
    assert_eq!(page.value("add-links").await, "");
    page.keys("add-links", "\u{e00c}").await;

    // On X11, copied text is served by the program in which it was copied. So copy the text in a program on this
    // screen.
    page.click("search").await;
    page.write("search", "http://127.0.0.1:1587/copied.iso").await;
    page.keys("search", "\u{e009}ac\u{e009}").await;
    page.clear("search").await;
    stage.panel.click("Add from clipboard").await;
    until("it is in the dialog", async || (page.value("add-links").await == "http://127.0.0.1:1587/copied.iso").then_some(()))
        .await;
}
