//! Downloads that machines send to each other: the question to the recipient, and the result that the sender learns.

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};

use super::{TRUST, home, invite_laptop, open, reads, set_up, texts};
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
async fn start_button_of_sent_download_starts_it_without_trusting_sender() {
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
    // The next download from the same machine waits as well.
    laptop.run(&["add", origin.url("/two.dat").as_str(), "--to", "Desktop"]).await;
    page.text_of(&row("two.dat"), "the sender is named", |text| text.contains("Laptop sent this")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_sent_by_row_menu_or_add_dialog_arrive_paused() {
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
