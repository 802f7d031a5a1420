//! Sync in the real window, with a real sync server and other machines that run `ashore serve`.
//!
//! - `household` contains the server and the machines.
//! - This file contains the steps that many tests share.
//! - All other files contain tests, grouped by topic.

mod conflicts;
mod faults;
mod household;
mod joining;
mod machines;
mod other_machines;
mod own_server;
mod sends;
mod server_data;

use std::fs;

use ashore_testkit::waits::until;

use self::household::{Machine, SETTINGS};
use crate::{
    page::WindowPage,
    stage::{Stage, kill},
};

const SERVER: &str = "Run the sync server on this machine?";
const SET_UP: &str = "Create a list?";
const INVITE: &str = "Add a machine?";
const JOIN: &str = "Join the list?";
const WORDS: &str = "Show the recovery words?";
const TRUST: &str = "Start downloads without asking?";
const REMOVE: &str = "Remove a machine?";

/// Returns a stage for a window. A sync server that starts on this stage listens only on loopback.
async fn home() -> Stage {
    let mut stage = Stage::new().await;
    stage.set("ASHORE_SYNC_LISTEN", "127.0.0.1");
    fs::write(stage.data().join("ashore.toml"), format!("{SETTINGS}folder = {:?}\n", stage.downloads())).unwrap();
    stage
}

/// Opens the window.
async fn open(stage: &Stage) -> WindowPage {
    let page = WindowPage::open(stage).await;
    stage.windows_are(1).await;
    page
}

/// Turns sync on in the window, with a server on this machine.
async fn set_up(stage: &Stage, page: &WindowPage) {
    page.click("sync-button").await;
    page.click("sync-way-server").await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.agree(SERVER).await;
    write_down(page).await;
}

/// Turns sync on in the window. The list is on the server that printed `link`.
async fn set_up_on(stage: &Stage, page: &WindowPage, link: &str) {
    enter_link(page, link, "Desktop").await;
    page.click("sync-submit").await;
    stage.agree(SET_UP).await;
    write_down(page).await;
}

/// Confirms that the user has written down the words of a new list.
async fn write_down(page: &WindowPage) {
    page.css("[data-testid='sync-words-grid'] li:nth-child(24) [data-testid='sync-word']").await;
    page.click("sync-written").await;
    page.find("sync-machines").await;
}

/// Uses the window to join the list of `link`, with `name` as the name of this machine.
async fn join(stage: &Stage, page: &WindowPage, link: &str, name: &str) {
    enter_link(page, link, name).await;
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    page.find("sync-machines").await;
}

/// Enters a link in the form of the view `Sync`.
async fn enter_link(page: &WindowPage, link: &str, name: &str) {
    page.click("sync-button").await;
    page.click("sync-way-link").await;
    page.write("sync-link", link).await;
    page.write("sync-name", name).await;
}

/// Uses the window to invite a machine, and returns the link.
async fn invite(stage: &Stage, page: &WindowPage) -> String {
    page.click("sync-invite").await;
    stage.agree(INVITE).await;
    page.css("[data-testid='sync-invite-code'] path").await;
    let link = until("the link is shown", async || {
        let link = page.value("sync-invite-link").await;
        link.starts_with("ashore://join/").then_some(link)
    })
    .await;
    page.click("sync-invite-close").await;
    link
}

/// Starts the machine `Laptop`, invites it, and waits until the window lists it.
async fn invite_laptop<'a>(stage: &'a Stage, page: &WindowPage) -> Machine<'a> {
    let laptop = Machine::start(stage, "laptop");
    laptop.join(&invite(stage, page).await, "Laptop").await;
    page.text("sync-machines", "the machine is listed", |text| text.contains("Laptop")).await;
    laptop
}

/// Makes the window join the list of `other`, as the machine "Desktop". Kills the program after its first cycle. This
/// cycle has made the machine known to the others.
async fn join_and_end(stage: &Stage, other: &Machine<'_>) {
    let page = open(stage).await;
    join(stage, &page, &other.invite().await, "Desktop").await;
    sync_now(&page).await;
    kill(page.pid());
}

/// Runs a sync cycle in the window and waits for its end.
async fn sync_now(page: &WindowPage) {
    page.click("sync-now").await;
    page.css("[data-testid='sync-now']:enabled").await;
}

/// Waits until the text of the element with this test id is exactly `sentence`.
async fn reads(page: &WindowPage, name: &str, sentence: &str) {
    page.text(name, sentence, |text| text.trim() == sentence).await;
}

/// Returns the recovery words that the page shows.
async fn shown_words(page: &WindowPage) -> Vec<String> {
    page.css("[data-testid='sync-words-grid'] li:nth-child(24) [data-testid='sync-word']").await;
    texts(page, "[data-testid='sync-word']").await
}

/// Returns the texts of all elements that a selector matches.
async fn texts(page: &WindowPage, css: &str) -> Vec<String> {
    let script = format!("return [...document.querySelectorAll(`{css}`)].map((element) => element.textContent.trim())");
    let texts = page.run(&script).await;
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}
