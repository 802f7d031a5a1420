//! Tests a sync server on this machine: its set-up with recovery words. The server starts and ends together with the
//! window.

use std::{fs, net::TcpStream};

use ashore_testkit::waits::until;
use serde_json::json;

use super::{SERVER, WORDS, home, household::Machine, open, reads, set_up, shown_words, sync_now, texts};
use crate::stage::kill;

#[tokio::test(flavor = "multi_thread")]
async fn first_synced_machine_shows_recovery_words_and_address_and_list_number() {
    let stage = home().await;
    let page = open(&stage).await;
    page.click("sync-button").await;
    page.click("sync-way-server").await;
    page.write("sync-name", "Desktop").await;
    reads(&page, "sync-step", "Step 2 of 3").await;
    page.click("sync-submit").await;
    stage.agree(SERVER).await;
    let words = shown_words(&page).await;
    reads(&page, "sync-step", "Step 3 of 3").await;
    reads(
        &page,
        "sync-write-down",
        "Sync is on. Write down these 24 words, the address and the number. Without them nothing can be recovered.",
    )
    .await;
    let sheet = Machine::of_window(&stage).run(&["sync", "words"]).await.remove(0);
    assert_eq!(sheet["words"], json!(words));
    reads(&page, "sync-words-address", sheet["address"].as_str().unwrap()).await;
    reads(&page, "sync-words-number", &sheet["uid"].to_string()).await;

    page.click("sync-written").await;
    reads(&page, "sync-own-name", "Desktop").await;
    let address = sheet["address"].as_str().unwrap().split('#').next().unwrap();
    reads(&page, "sync-own-address", address).await;
    reads(&page, "sync-server-address", address).await;
    let port = address.rsplit(':').next().unwrap();
    page.text("sync-server", "conditions are stated", |text| {
        text.contains("While this machine sleeps or is off, the other machines keep their changes and send them later.")
            && text.contains(&format!("allow incoming TCP connections to port {port} in the firewall"))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "the folder of the server is moved away and back, and contains no file of a user")]
async fn own_sync_server_that_failed_to_start_can_be_started_by_user() {
    let stage = home().await;
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    kill(page.pid());
    drop(page);
    // Replace the server's folder by a file.
    let folder = stage.data().join("sync-server");
    let kept = stage.data().join("kept");
    until("the folder is free", async || fs::rename(&folder, &kept).ok()).await;
    fs::write(&folder, "").unwrap();

    let page = open(&stage).await;
    page.click("sync-button").await;
    page.text("sync-server-fault", "the reason is stated", |text| {
        text.trim().starts_with("The sync server of this machine does not run: ")
            && text.trim().ends_with(". Ashore tries again every ten seconds.")
    })
    .await;
    page.text("sync-server", "the state is stated", |text| text.contains("The server is not running.")).await;
    fs::remove_file(&folder).unwrap();
    fs::rename(&kept, &folder).unwrap();
    page.click("sync-server-start").await;
    page.text("sync-server", "the state is stated", |text| text.contains("The server is running.")).await;
    assert!(texts(&page, "[data-testid='sync-server-fault']").await.is_empty());
    sync_now(&page).await;
    // The page reads the state after the cycle has ended.
    until("no fault is shown", async || texts(&page, "[data-testid='sync-fault']").await.is_empty().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_sync_server_stops_and_starts_together_with_ashore() {
    let stage = home().await;
    let page = open(&stage).await;
    set_up(&stage, &page).await;
    let address = until("the address is shown", async || {
        let script = "return document.querySelector(\"[data-testid='sync-server-address']\")?.textContent";
        page.run(script).await.as_str().map(|text| text.trim().to_owned()).filter(|text| text.contains(':'))
    })
    .await;
    let address = address.trim_matches(|character: char| !character.is_ascii_alphanumeric()).to_owned();
    assert!(TcpStream::connect(&address).is_ok(), "{address}");
    kill(page.pid());
    until("the server ends as well", async || TcpStream::connect(&address).is_err().then_some(())).await;
    drop(page);

    let _ashore = stage.ashore_in_tray().await;
    until("the server answers again", async || TcpStream::connect(&address).is_ok().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_who_declines_confirmation_changes_nothing_and_sees_no_recovery_words() {
    let stage = home().await;
    let page = open(&stage).await;
    page.click("sync-button").await;
    page.click("sync-way-server").await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.refuse(SERVER).await;
    page.css("[data-testid='sync-submit']:enabled").await;
    assert_eq!(page.value("sync-name").await, "Desktop");
    assert!(!stage.data().join("sync-server").exists());

    page.click("sync-submit").await;
    stage.agree(SERVER).await;
    page.find("sync-words-grid").await;
    page.click("sync-written").await;
    page.click("sync-show-words").await;
    stage.refuse(WORDS).await;
    page.css("[data-testid='sync-show-words']:not([aria-disabled='true'])").await;
    assert_eq!(page.run("return document.querySelectorAll(\"[data-testid='sync-word']\").length").await, 0);
    page.click("sync-show-words").await;
    stage.agree(WORDS).await;
    page.css("[data-testid='sync-words-grid'] li:nth-child(24) [data-testid='sync-word']").await;
}
