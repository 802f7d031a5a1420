//! Tests how the window explains sync faults: faults of the server, its certificate, the key and the clock, and newer
//! records.

use std::fs;

use serde_json::Value;
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

use super::{
    home,
    household::{Machine, Server},
    join, join_and_end, open, reads, set_up_on, sync_now, texts,
};

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_sync_server_is_reported_with_last_answer_and_waiting_changes() {
    let stage = home().await;
    let mut server = Server::start().await;
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    sync_now(&page).await;
    server.stop().await;
    sync_now(&page).await;
    page.text("sync-fault-text", "nothing waits", |text| {
        text.starts_with("The sync server has not answered since ") && text.ends_with(". Everything here continues.")
    })
    .await;

    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    page.text("sync-fault-text", "one change waits", |text| text.ends_with(". Everything here continues; 1 change is waiting."))
        .await;
    server.start_again().await;
    sync_now(&page).await;
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
    let cells = texts(&page, "[data-testid='sync-row-dl-items'] td").await;
    assert_eq!(cells, ["1", "1", "0", "0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_with_changed_certificate_receives_nothing() {
    let stage = home().await;
    let mut server = Server::start_secure().await;
    let page = open(&stage).await;
    set_up_on(&stage, &page, server.link()).await;
    sync_now(&page).await;
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());

    server.stop().await;
    server.start_again_with_new_certificate().await;
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    sync_now(&page).await;
    reads(
        &page,
        "sync-fault-text",
        "The server shows a different certificate, so nothing was sent. If the server is a new one, turn sync off and join again.",
    )
    .await;
    page.find("sync-fault-leave").await;
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-items'] td").await, ["1", "0", "1", "0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_sync_key_is_reported_and_changes_nothing_on_server() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    join_and_end(&stage, &laptop).await;
    // Store the key of another list in this machine's keychain.
    let path = stage.data().join("sign-ins.json");
    let mut secrets: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    secrets["sync root key"]["here"] = "A".repeat(43).into();
    fs::write(&path, secrets.to_string()).unwrap();

    let page = open(&stage).await;
    stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
    page.click("sync-button").await;
    sync_now(&page).await;
    reads(
        &page,
        "sync-fault-text",
        "The key of this machine cannot open the data on the server. Nothing was changed there; turn sync off and join again.",
    )
    .await;
    page.find("sync-fault-leave").await;
    laptop.run(&["sync", "now"]).await;
    assert_eq!(laptop.run(&["sync", "others"]).await, Vec::<Value>::new());
    let status = laptop.run(&["sync", "status"]).await.remove(0);
    assert_eq!(status["fault"], Value::Null, "the other machine reads the list as before");
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_continues_and_reports_clock_that_differs_from_server() {
    for (offset, sentence) in [
        ("-2h", "This machine's clock is 2 h ahead. Sync uses the server's clock. Set the clock of this machine."),
        ("+2h", "This machine's clock is 2 h behind. Sync uses the server's clock. Set the clock of this machine."),
    ] {
        let stage = home().await;
        let server = Server::start_with_clock(offset).await;
        let page = open(&stage).await;
        set_up_on(&stage, &page, server.link()).await;
        stage.add_paused(&["https://files.test/report.pdf".to_owned()], "report.pdf").await;
        sync_now(&page).await;
        reads(&page, "sync-clock", sentence).await;
        assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
        assert_eq!(texts(&page, "[data-testid='sync-row-dl-items'] td").await, ["1", "1", "0", "0"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn records_in_newer_format_wait_while_others_are_synced() {
    let stage = home().await;
    let server = Server::start().await;
    let mut laptop = Machine::first(&stage, &server).await;
    laptop.run(&["settings", "parallel", "5"]).await;
    laptop.run(&["sync", "now"]).await;
    laptop.stop();
    // No newer program exists to test with. So database triggers give the records the format of a later version.
    let path = laptop.data.join("ledger.sqlite");
    let mut ledger = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    sqlx::raw_sql(NEWER).execute(&mut ledger).await.unwrap();
    ledger.close().await.unwrap();
    laptop.serve();
    laptop.run(&["settings", "parallel", "6"]).await;
    laptop.run(&["add", "https://files.test/report.pdf", "--paused"]).await;
    laptop.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;
    reads(
        &page,
        "sync-held",
        "Laptop has a newer Ashore. What it wrote in a newer format waits until this machine is updated; the rest continues.",
    )
    .await;
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-prefs'] td:last-child").await, ["1"]);
    assert_eq!(texts(&page, "[data-testid='sync-row-dl-items'] td").await, ["1", "1", "0", "0"]);
    assert_eq!(texts(&page, "[data-testid='sync-fault']").await, Vec::<String>::new());
}

/// Database triggers that change records before they are sent. Settings get a later format, and the record of the
/// machine gets a later version.
const NEWER: &str = "
CREATE TRIGGER newer_setting AFTER UPDATE OF local ON sync_record WHEN NEW.collection = 'dl-prefs' AND NEW.local IS NOT NULL
BEGIN UPDATE sync_record SET local = json_set(NEW.local, '$.v', 2) WHERE collection = NEW.collection AND id = NEW.id; END;
CREATE TRIGGER newer_machine AFTER UPDATE OF local ON sync_record WHEN NEW.collection = 'clients' AND NEW.local IS NOT NULL
BEGIN
  UPDATE sync_record SET local = json_set(NEW.local, '$.version', '999.0.0') WHERE collection = NEW.collection AND id = NEW.id;
END;";
