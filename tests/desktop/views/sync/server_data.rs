//! Tests the data on the sync server: its storage space, a restored backup, and a lost list.

use std::fs;

use ashore_testkit::{
    origin::{Body, Origin},
    sync_server::wire::SyncWire,
};
use http::Method;
use serde_json::Value;

use super::{
    home,
    household::{Machine, Server, copy_folder},
    invite, open, reads, set_up_on, sync_now, texts,
};

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_without_space_is_reported_until_history_is_cleared() {
    const PAST: usize = 6;
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    for number in 0..PAST {
        let title = format!("{number}.pdf");
        origin.file(&format!("/{title}"), Body::bytes("some text"));
        let made = stage.add(origin.url(&format!("/{title}")), &title).await;
        stage.registration(&made, "it is complete", |now| now.settled.is_some()).await;
    }
    sync_now(&page).await;
    let desktop = Machine::of_window(&stage);
    let uid = desktop.run(&["sync", "words"]).await[0]["uid"].as_i64().unwrap();
    server.place.limit_space(uid, "1K").await.unwrap();
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    page.text("sync-fault-text", "space and changes are named", |text| {
        text.starts_with("The server is full (") && text.ends_with(" of 1 kB); 1 change is waiting.")
    })
    .await;
    // Set a limit that leaves room for the new download only after past downloads have been removed.
    let used = desktop.run(&["sync", "status"]).await[0]["space"]["used"].as_i64().unwrap();
    server.place.limit_space(uid, &(used + 100).to_string()).await.unwrap();
    sync_now(&page).await;
    page.find("sync-fault").await;

    page.click("sync-fault-clear-history").await;
    page.click("history-age-all").await;
    page.click("clear-history-submit").await;
    reads(&page, "notice", "Past downloads are forgotten here. The other machines follow with their next sync.").await;
    sync_now(&page).await;
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-history'] td").await, ["0", "0", "0", "0"]);
    let downloads = (PAST + 1).to_string();
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-items'] td").await, [&downloads, &downloads, "0", "0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_receives_lost_entries_again_after_restore_from_backup() {
    let stage = home().await;
    let mut server = Server::start().await;
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    sync_now(&page).await;
    server.stop().await;
    copy_folder(&server.place.folder, &server.backup());
    server.start_again().await;
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    server.stop().await;
    fs::remove_dir_all(&server.place.folder).unwrap();
    copy_folder(&server.backup(), &server.place.folder);
    server.start_again().await;

    sync_now(&page).await;
    let day = page.run("return new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })").await;
    let day = day.as_str().unwrap();
    let restored = format!("The server went back to its state of {day}. 1 entry that it had lost was restored from here.");
    reads(&page, "sync-restored", &restored).await;
    page.text("sync-outcome", "the cycle says it as well", |text| {
        text.contains("The server had lost a part of the list. This machine sent the missing part again.")
    })
    .await;
    let laptop = Machine::start(&stage, "laptop");
    laptop.join(&invite(&stage, &page).await, "Laptop").await;
    assert_eq!(laptop.run(&["sync", "others"]).await[0]["title"], "report.pdf");
}

#[tokio::test(flavor = "multi_thread")]
async fn emptied_sync_server_receives_whole_list_again() {
    let stage = home().await;
    let server = Server::start().await;
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    let secrets: Value = serde_json::from_slice(&fs::read(stage.data().join("sign-ins.json")).unwrap()).unwrap();
    let token = secrets["sync token"]["here"].as_str().unwrap();
    let wire = SyncWire::new(&server.running.address, token).unwrap();
    assert_eq!(wire.ask(Method::DELETE, "", None, "").await.unwrap().status, 200);

    sync_now(&page).await;
    page.text("sync-restored", "the loss is stated", |text| {
        text.starts_with("The server had lost the list. ") && text.ends_with(" restored from here.")
    })
    .await;
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-items'] td").await, ["1", "1", "0", "0"]);
    let laptop = Machine::start(&stage, "laptop");
    laptop.join(&invite(&stage, &page).await, "Laptop").await;
    assert_eq!(laptop.run(&["sync", "others"]).await[0]["title"], "report.pdf");
}
