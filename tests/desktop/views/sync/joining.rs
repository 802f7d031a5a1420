//! Tests joining a list: with a link, with a name that is already in use, and with the recovery words.

use ashore_testkit::{
    origin::{Body, Origin},
    sync_server::relay::ServerRelay,
    waits::until,
};

use super::{
    JOIN, enter_link, home,
    household::{Machine, Server},
    join, open, reads, sync_now, texts,
};
use crate::{page::WindowPage, stage::Stage};

/// Submits the form, confirms the desktop's dialog, and waits until this failure is shown.
async fn fails(stage: &Stage, page: &WindowPage, failure: &str) {
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    reads(page, "sync-set-up-failure", failure).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opened_sync_link_fills_in_form_and_waits_for_user_approval() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    let link = laptop.invite().await;
    let page = open(&stage).await;

    let _second = stage.ashore(&[&link]);
    until("the link is filled in", async || {
        let script = "return document.querySelector(\"[data-testid='sync-link']\")?.value";
        (page.run(script).await == link.as_str()).then_some(())
    })
    .await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    page.text("sync-machines", "both machines are listed", |text| text.contains("Laptop") && text.contains("Desktop")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn join_form_describes_list_and_shows_fingerprint_of_other_machine() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    origin.file("/report.pdf", Body::bytes("report"));
    let laptop = Machine::first(&stage, &server).await;
    laptop.run(&["add", origin.url("/later.pdf").as_str(), "--paused"]).await;
    laptop.fetch(&origin.url("/report.pdf"), "report.pdf").await;
    let page = open(&stage).await;

    enter_link(&page, &laptop.invite().await, "Desktop").await;
    reads(&page, "sync-step", "Step 2 of 2").await;
    reads(&page, "sync-link-kind", "Join the list of Laptop (2 downloads, 1 past one)?").await;
    reads(&page, "sync-submit", "Join the list").await;
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    reads(&page, "notice", "This machine has joined the list. Its downloads appear on your other machines.").await;
    let status = laptop.run(&["sync", "status"]).await.remove(0);
    reads(&page, "sync-fingerprint", status["fingerprint"].as_str().unwrap()).await;
    until("the downloads are read", async || {
        let cells = texts(&page, "[data-testid='sync-row-dl-items'] :is(th, td)").await;
        (cells == ["Downloads", "2", "2", "0", "0"]).then_some(())
    })
    .await;
    let kinds = texts(&page, "[data-testid='sync-table'] tbody th").await;
    assert_eq!(kinds, ["Machines", "Past downloads", "Downloads"]);
    // The laptop now lists the new machine, and the window shows no fault.
    laptop.run(&["sync", "now"]).await;
    let devices = laptop.run(&["sync", "devices"]).await;
    assert!(devices.iter().any(|device| device["name"] == "Desktop"), "{devices:?}");
    sync_now(&page).await;
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn first_sync_cycle_shows_how_much_of_list_is_read() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    for name in ["one", "two"] {
        laptop.run(&["add", &format!("https://files.test/{name}.pdf"), "--paused"]).await;
    }
    laptop.run(&["sync", "now"]).await;
    let relay = ServerRelay::start(&server.running.address).await;
    relay.hold_back("/storage/dl-items");
    let link = laptop.invite().await.replace(&server.running.address, &relay.address());
    let page = open(&stage).await;

    join(&stage, &page, &link, "Desktop").await;
    // Only the laptop's record has been read so far, not the records of the two downloads.
    page.text("sync-reading", "the progress is shown", |text| text.trim() == "Reading 1 of 3").await;
    relay.release();
    until("the downloads are read", async || {
        let cells = texts(&page, "[data-testid='sync-row-dl-items'] td").await;
        (cells == ["2", "2", "0", "0"]).then_some(())
    })
    .await;
    page.find("sync-last").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn number_is_added_to_a_duplicate_machine_name_until_the_user_renames_the_machine() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    laptop.run(&["sync", "now"]).await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Laptop").await;
    reads(&page, "sync-own-name", "Laptop (2)").await;

    page.click("sync-rename-open").await;
    page.write("sync-rename", "Desktop").await;
    page.click("sync-rename-submit").await;
    reads(&page, "sync-own-name", "Desktop").await;
    until("the other machine shows the name", async || {
        laptop.run(&["sync", "now"]).await;
        let devices = laptop.run(&["sync", "devices"]).await;
        devices.iter().any(|device| device["name"] == "Desktop").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_recovery_words_are_explained_but_correct_ones_recover_list() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    origin.file("/report.pdf", Body::bytes("report"));
    let mut laptop = Machine::start(&stage, "laptop");
    let sheet = laptop.run(&["sync", "setup", server.link(), "--name", "Laptop"]).await.remove(0);
    laptop.fetch(&origin.url("/report.pdf"), "report.pdf").await;
    laptop.stop();
    let words: Vec<&str> = sheet["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    // The first four letters identify a word, so only one word can be suggested.
    let place = words.iter().position(|word| word.len() >= 4).unwrap();
    let typo = format!("{}x", words[place]);
    let mut typed = words.clone();
    typed[place] = &typo;
    let page = open(&stage).await;

    page.click("sync-button").await;
    page.click("sync-way-words").await;
    page.write("sync-address", sheet["address"].as_str().unwrap()).await;
    page.write("sync-number", &sheet["uid"].to_string()).await;
    page.write("sync-name", "Desktop").await;
    page.write("sync-words", &typed.join(" ")).await;
    reads(&page, "sync-words-count", "24 of 24 words").await;
    let number = place + 1;
    let meant = words[place];
    let named = format!("Word {number}, \"{typo}\", is not in the list of words. Did you mean \"{meant}\"?");
    fails(&stage, &page, &named).await;
    page.write("sync-words", &["abandon"; 24].join(" ")).await;
    fails(&stage, &page, "One of these words is wrong, or the words are in the wrong order. Compare them with your notes.").await;
    // Recovery words of the key whose bytes are all zero.
    page.write("sync-words", &format!("{}art", "abandon ".repeat(23))).await;
    fails(&stage, &page, "These words belong to another list. Compare them, the address and the number with your notes.").await;

    page.write("sync-words", &words.join(" ")).await;
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    page.text("sync-machines", "both machines are listed", |text| text.contains("Laptop") && text.contains("Desktop")).await;
    page.click("others-button").await;
    reads(&page, "others-words", "Finished on Laptop · 6 B").await;
}
