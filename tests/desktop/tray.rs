//! Stories of the tray: its menu is read and clicked as a panel does it.

use ashore_engine::State;
use ashore_tests::origin::{Body, Origin, content};

use crate::stage::{Stage, file, kill, terminate};

const MIB: u64 = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_says_what_goes_on_and_is_obeyed() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(1, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore_in_tray().await;
    assert_eq!(stage.windows(), 0);
    let labels = |menu: Vec<crate::panel::Line>| menu.into_iter().map(|line| line.label).collect::<Vec<_>>();
    assert_eq!(labels(stage.panel.menu().await), ["Nothing is running", "Pause all", "Open Ashore", "Quit"]);
    let idle = stage.panel.picture().await;

    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    let totals = stage.panel.line("what is running", |label| label.starts_with("1 running · ")).await;
    assert!(totals.label.ends_with("/s") && !totals.enabled, "{totals:?}");
    assert_ne!(stage.panel.picture().await, idle);

    stage.panel.click("Pause all").await;
    stage.registration(&made, "it is paused", |now| now.state == State::Paused).await;
    stage.panel.line("that all is paused", |label| label == "Everything is paused").await;
    route.release();
    stage.panel.click("Resume all").await;
    stage.registration(&made, "it is done", |now| now.state == State::Settled).await;
    file(&stage.downloads().join("a.bin"), &content(1, 4 * MIB)).await;
    stage.panel.line("that nothing is running", |label| label == "Nothing is running").await;

    stage.panel.click("Open Ashore").await;
    stage.windows_are(1).await;
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await, "it ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn quitting_keeps_every_byte_and_the_next_start_goes_on() {
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
    stage.registration(&made, "it is done", |now| now.state == State::Settled).await;
    file(&stage.downloads().join("b.bin"), &content(2, 4 * MIB)).await;
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_tests::origin::Request::range_start).collect();
    // The last 64 KiB are compared with what is there.
    assert!(starts.last().is_some_and(|start| *start >= 3 * MIB - 64 * 1024), "it went on from where it was: {starts:?}");

    terminate(ashore.pid());
    assert!(ashore.ended().await, "it ends well when the system asks");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_start_never_hands_over_to_one_that_is_on_its_way_out() {
    let stage = Stage::new().await;
    let first = stage.ashore_in_tray().await;
    let name = stage.name_on_bus(".SingleInstance").await;
    kill(first.pid());
    drop(first);
    // A killed program has its name until the bus has seen that it is gone; until then it answers nothing.
    let dying = stage.claim_name(&name).await;
    let mut next = stage.ashore(&["--hidden"]);
    drop(dying.asked().await);
    stage.client().await;
    assert!(next.is_there());

    stage.panel.click("Quit").await;
    let mut last = stage.ashore_in_tray().await;
    assert!(next.ended().await, "it ends well");
    assert!(last.is_there());
}
