//! Tests removing machines from the list, and a machine that has a copy of another machine's data folder.

use super::{
    REMOVE, WORDS, home,
    household::{Machine, Server, copy_folder},
    invite_laptop, join, open, reads, set_up, set_up_on, shown_words, sync_now, texts,
};
use crate::stage::kill;

#[tokio::test(flavor = "multi_thread")]
async fn removal_of_machine_stops_its_sync_and_shows_new_recovery_words() {
    let stage = home().await;
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let laptop = invite_laptop(&stage, &page).await;
    page.click("sync-show-words").await;
    stage.agree(WORDS).await;
    let old = shown_words(&page).await;
    page.click("sync-words-written").await;

    page.click("sync-remove").await;
    stage.agree(REMOVE).await;
    page.text("sync-words-dialog", "the consequence is stated", |text| {
        text.contains("Laptop cannot read anything new. Write down the new words.")
    })
    .await;
    let new = shown_words(&page).await;
    assert_ne!(old, new);
    page.click("sync-words-written").await;
    page.text("sync-machines", "the machine is gone", |text| text.contains("Desktop") && !text.contains("Laptop")).await;
    assert_eq!(laptop.refusal(&["sync", "now"]).await["code"], "sync-removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_shows_reason_and_keeps_downloads_after_leaving_list() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    laptop.run(&["sync", "now"]).await;
    laptop.run(&["sync", "remove", "Desktop"]).await;

    sync_now(&page).await;
    reads(
        &page,
        "sync-fault-text",
        "Another machine removed this machine from the list. Downloads here continue. Turn sync off to hide this message.",
    )
    .await;
    page.click("sync-fault-leave").await;
    page.click("sync-question-submit").await;
    page.find("sync-way-server").await;
    page.click("sync-back").await;
    page.rows(&["report.pdf"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn copied_data_folder_is_reported_until_copy_joins_as_another_machine() {
    let stage = home().await;
    let server = Server::start().await;
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    sync_now(&page).await;
    kill(page.pid());
    drop(page);
    let mut copy = Machine::new(&stage, "copy");
    let settings = copy.data.join("ashore.toml");
    let own_settings = std::fs::read(&settings).unwrap();
    copy_folder(&stage.data(), &copy.data);
    std::fs::write(settings, own_settings).unwrap();
    copy.serve();
    copy.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    page.click("sync-button").await;
    sync_now(&page).await;
    reads(
        &page,
        "sync-fault-text",
        "Another machine uses a copy of this machine's identity. Turn sync off on one of the two, and join the list again there.",
    )
    .await;
    page.click("sync-fault-leave").await;
    page.click("sync-question-submit").await;
    page.find("sync-way-server").await;
    page.click("sync-back").await;
    join(&stage, &page, &copy.invite().await, "Laptop").await;
    sync_now(&page).await;
    page.text("sync-machines", "both are listed", |text| text.contains("Desktop") && text.contains("Laptop")).await;
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
}
