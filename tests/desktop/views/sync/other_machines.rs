//! Tests that the window can control downloads of other machines, fetch them too, take them over, and remove them from
//! their machine.

use std::fs;

use ashore_testkit::origin::{Body, Origin, content};

use super::{
    home,
    household::{Machine, Server},
    invite_laptop, join, open, reads, set_up,
};
use crate::{
    page::{WindowPage, row},
    stage::file,
};

/// Clicks a menu item of the only download in the other machines' list.
async fn choose(page: &WindowPage, item: &str) {
    page.click("others-menu").await;
    page.click_on(&format!("[data-testid='{item}']")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn window_runs_server_and_invites_machine_and_pauses_download_of_that_machine() {
    let stage = home().await;
    let origin = Origin::start().await;
    let route = origin.file("/debian.dat", Body::seeded(8, 4_000_000)).gate_at(1_000_000);
    let page = open(&stage).await;
    set_up(&stage, &page).await;

    let laptop = invite_laptop(&stage, &page).await;
    laptop.run(&["add", origin.url("/debian.dat").as_str()]).await;
    route.held().await;
    laptop.run(&["sync", "now"]).await;
    page.click("others-button").await;
    page.text("others", "the download is listed", |text| text.contains("debian.dat") && text.contains("Laptop is fetching it"))
        .await;

    // Compare only the start of the text. The size follows only if the laptop already knew the size when it sent the
    // record.
    page.text("others-words", "the laptop fetches it", |text| text.trim().starts_with("Laptop is fetching it")).await;
    page.click_on("[data-testid='others-action'][data-change='pause']").await;
    laptop.has("debian.dat", "paused").await;
    page.text("others", "the result is shown", |text| text.contains("Paused on Laptop")).await;
    route.release();
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_download_is_resumed_on_its_own_machine() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    let route = origin.file("/report.dat", Body::bytes("report"));
    let laptop = Machine::first(&stage, &server).await;
    laptop.run(&["add", origin.url("/report.dat").as_str(), "--paused"]).await;
    laptop.run(&["sync", "now"]).await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;

    page.click("others-button").await;
    reads(&page, "others-words", "Paused on Laptop").await;
    let resume = "[data-testid='others-action'][data-change='resume']";
    page.text_of(resume, "the button resumes it", |text| text.trim() == "Resume there").await;
    assert_eq!(route.requests().len(), 0, "it is paused");
    page.click_on(resume).await;
    laptop.has("report.dat", "settled").await;
    reads(&page, "others-words", "Finished on Laptop · 6 B").await;
    assert_eq!(fs::read(laptop.file("report.dat")).unwrap(), b"report");
    assert_eq!(route.requests().len(), 1, "only its own machine fetches it");
    page.click("others-back").await;
    page.rows(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_moved_to_this_machine_continues_and_is_removed_from_other_machine() {
    const SIZE: u64 = 4_000_000;
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    let route = origin.file("/debian.dat", Body::seeded(8, SIZE)).gate_at(SIZE / 4);
    let laptop = Machine::first(&stage, &server).await;
    laptop.run(&["add", origin.url("/debian.dat").as_str()]).await;
    route.held().await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;

    page.click("others-button").await;
    // Compare only the start of the text. The size follows only if the laptop already knew the size when it sent the
    // record.
    page.text("others-words", "the laptop fetches it", |text| text.trim().starts_with("Laptop is fetching it")).await;
    choose(&page, "others-move-here").await;
    reads(&page, "notice", "This machine continues “debian.dat”. Laptop pauses it.").await;
    page.find("others-empty").await;
    // The laptop removes its partial file as soon as this machine starts to fetch the download.
    laptop.has_nothing().await;
    assert!(!laptop.file("debian.dat").exists());
    route.release();
    page.click("others-back").await;
    page.css(&format!("{}[data-result='success']", row("debian.dat"))).await;
    file(&stage.downloads().join("debian.dat"), &content(8, SIZE)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_download_of_other_machine_can_be_fetched_and_removed() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    let route = origin.file("/report.dat", Body::bytes("report"));
    let laptop = Machine::first(&stage, &server).await;
    laptop.fetch(&origin.url("/report.dat"), "report.dat").await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;

    page.click("others-button").await;
    reads(&page, "others-words", "Finished on Laptop · 6 B").await;
    page.click_on("[data-testid='others-action'][data-change='fetch-here']").await;
    reads(&page, "notice", "This machine fetches “report.dat” too.").await;
    file(&stage.downloads().join("report.dat"), b"report").await;
    assert_eq!(route.requests().len(), 2, "each machine fetches it once");

    choose(&page, "others-remove").await;
    page.text("sync-question", "the question names the machine", |text| text.contains("Remove it from Laptop?")).await;
    page.click("sync-question-submit").await;
    laptop.has_nothing().await;
    page.find("others-empty").await;
    assert_eq!(fs::read(laptop.file("report.dat")).unwrap(), b"report", "no other machine deletes a file");
    page.click("others-back").await;
    page.rows(&["report.dat"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_already_downloaded_link_is_shown_in_add_dialog() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    origin.file("/report.dat", Body::bytes("report"));
    let laptop = Machine::first(&stage, &server).await;
    laptop.fetch(&origin.url("/report.dat"), "report.dat").await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;
    page.text("sync-row-dl-history", "the past download is read", |text| text.contains('1')).await;

    page.click("sync-back").await;
    page.click("add-button").await;
    page.keys("add-links", &format!("{}\u{e004}", origin.url("/report.dat"))).await;
    let day = page.run("return new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })").await;
    reads(&page, "add-past", &format!("Laptop downloaded this on {}.", day.as_str().unwrap())).await;
}
