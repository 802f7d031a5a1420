//! Tests the action that follows the last download, such as shutting down.
//!
//! - The choice applies only once.
//! - A countdown announces the action.
//! - The user can cancel the countdown with the notification, in the window, or in the tray.

use ashore_engine::RegistrationState;
use ashore_testkit::{
    origin::{Body, Origin},
    peers::{Bus, Login},
    waits::until,
};

use crate::{notifications::Shown, page::WindowPage, stage::Stage};

const MIB: u64 = 1 << 20;

fn is_countdown(shown: &Shown) -> bool {
    shown.category == "x-ashore.countdown"
}

/// Waits until `label` is the only checked item of the tray submenu.
async fn ticked(stage: &Stage, label: &str) {
    until(&format!("{label} is ticked"), async || {
        let menu = stage.panel.menu().await;
        let choices = menu.into_iter().find(|line| line.label == "When finished")?.children;
        let ticked: Vec<_> = choices.iter().filter(|line| line.ticked).map(|line| line.label.as_str()).collect();
        (ticked == [label]).then_some(())
    })
    .await;
}

/// Chooses `label` in the tray submenu.
async fn choose_in_tray(stage: &Stage, label: &str) {
    let menu = stage.panel.line("what comes afterwards", |found| found == "When finished").await;
    let line = menu.children.iter().find(|line| line.label == label).unwrap();
    stage.panel.click_on(line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_is_put_to_sleep_once_after_all_downloads_ended_even_if_one_failed() {
    let bus = Bus::start();
    let mut login = Login::join(&bus).await;
    let mut stage = Stage::new().await;
    stage.on_system(&bus);
    stage.set("ASHORE_COUNTDOWN", "2");
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(1, 4 * MIB)).gate_at(MIB);
    origin.file("/gone", Body::bytes("")).status(404);
    let _ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    let awake = login.kept_awake().await;
    ticked(&stage, "Do nothing").await;
    choose_in_tray(&stage, "Sleep").await;
    ticked(&stage, "Sleep").await;
    let gone = stage.add(origin.url("/gone"), "gone").await;
    stage.registration(&gone, "it has failed", |now| now.state == RegistrationState::Settled).await;
    assert_eq!(login.has_been_told(), None, "something runs");

    route.release();
    let told = stage.notifications.wait("it is counted down", is_countdown).await;
    assert!(told.summary.starts_with("This computer goes to sleep in") && told.has_button("stay-on"), "{told:#?}");
    assert_eq!(login.next_command().await, "suspend");
    awake.released().await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    stage.notifications.closed(told.id).await;
    ticked(&stage, "Do nothing").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn countdown_can_be_cancelled_from_window_or_tray_or_notification() {
    let bus = Bus::start();
    let mut login = Login::join(&bus).await;
    let mut stage = Stage::new().await;
    stage.on_system(&bus);
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    for (name, place) in [("a", "notification"), ("b", "window"), ("c", "tray")] {
        let route = origin.file(&format!("/{name}"), Body::seeded(1, 4 * MIB)).gate_at(MIB);
        stage.add(origin.url(&format!("/{name}")), name).await;
        route.held().await;
        page.click("afterwards").await;
        page.click_on("[data-testid='afterwards-shut-down']").await;
        page.css("[data-testid='afterwards'][aria-label='When finished: Shut down']").await;
        let before = stage.notifications.shown().into_iter().filter(is_countdown).count();
        route.release();
        page.text("countdown", "what happens, and when", |text| {
            text.contains("This computer shuts down in ") && text.contains("No download is running")
        })
        .await;
        until("a notification says so", async || {
            (stage.notifications.shown().into_iter().filter(is_countdown).count() > before).then_some(())
        })
        .await;
        let told = stage.notifications.shown().into_iter().rfind(is_countdown).unwrap();
        match place {
            "notification" => {
                let is_gone = async || {
                    let is_gone = page.run("return document.querySelector('[data-testid=countdown]') === null").await;
                    is_gone.as_bool().filter(|is_gone| *is_gone).map(drop)
                };
                stage.press(told.id, "stay-on", is_gone).await;
            }
            "window" => page.click("stay-on").await,
            _ => stage.panel.click("Cancel").await,
        }
        page.css("[data-testid='afterwards'][aria-label='When finished: Do nothing']").await;
        if place != "notification" {
            stage.notifications.closed(told.id).await;
        }
    }
    assert_eq!(login.has_been_told(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_download_prevents_shutdown_and_refused_shutdown_is_reported() {
    let bus = Bus::start();
    let mut login = Login::join(&bus).await;
    let mut stage = Stage::new().await;
    stage.on_system(&bus);
    stage.set("ASHORE_COUNTDOWN", "1");
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    login.can("challenge").await;
    page.click("afterwards").await;
    page.click_on("[data-testid='afterwards-shut-down']").await;
    page.text("notice", "that it cannot be chosen", |text| text.contains("does not let Ashore shut this computer down")).await;
    page.css("[data-testid='afterwards'][aria-label='When finished: Do nothing']").await;

    login.can("yes").await;
    let route = origin.file("/a", Body::seeded(1, 4 * MIB)).gate_at(MIB);
    let made = stage.add(origin.url("/a"), "a").await;
    route.held().await;
    page.click("afterwards").await;
    page.click_on("[data-testid='afterwards-shut-down']").await;
    page.css("[data-testid='afterwards'][aria-label='When finished: Shut down']").await;
    page.click_on("[data-testid='row-action'][data-step='pause']").await;
    stage.registration(&made, "it is paused", |now| now.state == RegistrationState::Paused && now.active == 0).await;
    page.css("[data-testid='row-action'][data-step='resume']").await;
    assert_eq!(login.has_been_told(), None);
    assert!(!stage.notifications.shown().iter().any(is_countdown), "nothing is over");

    login.refuse(true).await;
    route.release();
    page.click_on("[data-testid='row-action'][data-step='resume']").await;
    page.text_of("[data-testid='notice']:last-child", "why it stays on", |text| {
        text.contains("was not shut down: somebody else holds it back")
    })
    .await;
    page.css("[data-testid='afterwards'][aria-label='When finished: Do nothing']").await;
    let countdowns = stage.notifications.shown().into_iter().filter(is_countdown).filter(|shown| shown.replaces == 0).count();
    assert_eq!((countdowns, login.has_been_told()), (1, None), "only when it was done");
}
