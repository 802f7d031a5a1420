//! Tests downloads that are sent between machines: the recipient is asked, and the sender learns the result.

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};
use serde_json::json;

use super::{
    TRUST, home,
    household::{Machine, Server},
    invite_laptop, join, join_and_end, open, reads, set_up, sync_now, texts,
};
use crate::{page::row, stage::file};

#[tokio::test(flavor = "multi_thread")]
async fn sent_downloads_wait_until_user_trusts_their_sender() {
    let stage = home().await;
    let origin = Origin::start().await;
    origin.file("/one.dat", Body::seeded(1, 300_000));
    origin.file("/two.dat", Body::seeded(2, 300_000));
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let laptop = invite_laptop(&stage, &page).await;

    page.click("sync-back").await;
    laptop.run(&["add", origin.url("/one.dat").as_str(), "--to", "Desktop"]).await;
    page.text_of(&row("one.dat"), "the sender is named", |text| text.contains("Laptop sent this")).await;
    page.click("row-trust").await;
    stage.agree(TRUST).await;
    page.css("[data-testid='row'][data-result='success']").await;
    laptop.run(&["add", origin.url("/two.dat").as_str(), "--to", "Desktop"]).await;
    page.rows(&["two.dat", "one.dat"]).await;
    until("both have ended", async || {
        let done = page.run("return document.querySelectorAll(\"[data-testid='row'][data-result='success']\").length").await;
        (done == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_is_started_by_its_button_without_trusting_sender() {
    let stage = home().await;
    let origin = Origin::start().await;
    let route = origin.file("/one.dat", Body::bytes("one"));
    origin.file("/two.dat", Body::bytes("two"));
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let laptop = invite_laptop(&stage, &page).await;

    page.click("sync-back").await;
    laptop.run(&["add", origin.url("/one.dat").as_str(), "--to", "Desktop"]).await;
    page.text_of(&row("one.dat"), "the sender is named", |text| text.contains("Laptop sent this")).await;
    let start = format!("{} [data-testid='row-action']", row("one.dat"));
    page.text_of(&start, "the button starts it", |text| text.trim() == "Start").await;
    assert_eq!(route.requests().len(), 0, "it waits for the user");
    page.click_on(&start).await;
    page.css(&format!("{}[data-result='success']", row("one.dat"))).await;
    file(&stage.downloads().join("one.dat"), b"one").await;
    // The next download from the same machine also waits for the user.
    laptop.run(&["add", origin.url("/two.dat").as_str(), "--to", "Desktop"]).await;
    page.text_of(&row("two.dat"), "the sender is named", |text| text.contains("Laptop sent this")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_arrive_paused_if_sent_by_row_menu_or_add_dialog() {
    let stage = home().await;
    let origin = Origin::start().await;
    for name in ["one.dat", "two.dat"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let laptop = invite_laptop(&stage, &page).await;

    page.click("sync-back").await;
    stage.add(origin.url("/one.dat"), "one.dat").await;
    page.css(&format!("{}[data-result='success']", row("one.dat"))).await;
    page.click_on(&format!("{} [data-testid='row-menu']", row("one.dat"))).await;
    page.click_on("[data-testid='menu-send']").await;
    page.text("send-to", "the machine was seen today", |text| text.contains("Laptop") && text.contains("Last seen: today")).await;
    page.click("send-to").await;
    reads(&page, "notice", "Sent “one.dat” to Laptop.").await;
    laptop.has("one.dat", "paused").await;

    page.click("add-button").await;
    page.write("add-links", origin.url("/two.dat").as_str()).await;
    page.select("add-device", "Laptop").await;
    reads(&page, "add-device-about", "The other machine downloads into its own folder. Sign-ins and cookies are not sent.").await;
    page.click("add-submit").await;
    laptop.has("two.dat", "paused").await;
    page.rows(&["one.dat"]).await;

    page.click("sync-button").await;
    laptop.run(&["sync", "now"]).await;
    until("both are delivered", async || {
        let delivered = texts(&page, "[data-testid='sync-send'][data-state='delivered']").await;
        let is_told = |title: &str| delivered.iter().any(|text| text.contains(title) && text.contains("Delivered to Laptop"));
        (is_told("one.dat") && is_told("two.dat")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_one_add_dialog_arrive_as_one_download_with_typed_title() {
    let stage = home().await;
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let laptop = invite_laptop(&stage, &page).await;

    page.click("sync-back").await;
    page.click("add-button").await;
    page.write("add-links", "https://files.test/one.dat https://files.test/two.dat").await;
    page.text("add-understood", "both links are understood", |text| text.contains("2 links found")).await;
    page.select("add-device", "Laptop").await;
    page.write("add-title", "Field recordings").await;
    page.click("add-submit").await;
    reads(&page, "notice", "Sent “Field recordings” to Laptop.").await;
    laptop.has("Field recordings", "paused").await;
    let list = laptop.run(&["list"]).await;
    assert_eq!((list.len(), &list[0]["requests"]), (1, &json!(2)), "{list:?}");

    page.click("sync-button").await;
    laptop.run(&["sync", "now"]).await;
    page.text("sync-sends", "it is delivered", |text| text.contains("Field recordings") && text.contains("Delivered to Laptop"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_is_shown_as_not_delivered_if_not_fetched_for_month() {
    let stage = home().await;
    let mut server = Server::start().await;
    let mut laptop = Machine::first(&stage, &server).await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;
    laptop.stop();

    page.click("sync-back").await;
    page.click("add-button").await;
    page.write("add-links", "https://files.test/one.dat").await;
    page.select("add-device", "Laptop").await;
    page.click("add-submit").await;
    reads(&page, "notice", "Sent “one.dat” to Laptop.").await;
    page.click("sync-button").await;
    sync_now(&page).await;
    page.text("sync-sends", "it waits", |text| text.contains("Laptop has not fetched it yet")).await;
    server.stop().await;
    server.start_again_with_clock("+31d").await;
    sync_now(&page).await;
    page.text_of("[data-testid='sync-send'][data-state='expired']", "it has expired", |text| {
        text.contains("one.dat") && text.contains("Not delivered, because Laptop was off for 30 days.")
    })
    .await;

    laptop.serve();
    laptop.run(&["sync", "now"]).await;
    let missed = laptop.run(&["sync", "sends"]).await;
    assert_eq!((missed.len(), &missed[0]["state"], &missed[0]["from"]), (1, &json!("missed"), &json!("Desktop")));
    laptop.has_nothing().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn window_names_sender_of_download_that_this_machine_missed() {
    let stage = home().await;
    let mut server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    join_and_end(&stage, &laptop).await;
    laptop.run(&["sync", "now"]).await;
    laptop.run(&["add", "https://files.test/one.dat", "--to", "Desktop"]).await;
    laptop.run(&["sync", "now"]).await;
    server.stop().await;
    server.start_again_with_clock("+31d").await;
    laptop.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    page.rows(&[]).await;
    page.click("sync-button").await;
    sync_now(&page).await;
    page.text("sync-missed-sends", "the sender is named", |text| {
        let sentence = "Laptop sent this, but this machine was off for 30 days. You can send it again from Laptop.";
        text.contains("one.dat") && text.contains(sentence)
    })
    .await;
    assert_eq!(texts(&page, "[data-testid='sync-sends']").await, Vec::<String>::new());
}
