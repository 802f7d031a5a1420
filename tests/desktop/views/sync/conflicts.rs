//! Tests sync conflicts: a change from another machine has replaced a change from this machine, and the user restores
//! the change from this machine.

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};
use serde_json::Value;

use super::{
    home,
    household::{Machine, Server},
    join_and_end, open, reads, sync_now, texts,
};
use crate::{
    page::{WindowPage, row},
    stage::file,
};

async fn parallel(machine: &Machine<'_>) -> Value {
    machine.run(&["settings", "parallel"]).await.remove(0)["value"].take()
}

/// Restores the replaced value, and waits until the conflict is resolved.
async fn take(page: &WindowPage) {
    page.click("sync-conflict-take").await;
    until("the conflict is over", async || texts(page, "[data-testid='sync-conflict']").await.is_empty().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_can_choose_replaced_value_of_conflict_for_all_machines() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    // Stop the program on this machine. Meanwhile, both machines change the setting, so that the next cycle of this
    // machine finds the conflict.
    join_and_end(&stage, &laptop).await;
    let desktop = Machine::of_window(&stage);
    desktop.run(&["settings", "parallel", "5"]).await;
    laptop.run(&["settings", "parallel", "6"]).await;
    laptop.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    page.click("sync-button").await;
    sync_now(&page).await;
    page.text("sync-conflict", "both values are named", |text| {
        text.contains("Simultaneous downloads") && text.contains("Setting · “6” of Laptop was overridden by “5”.")
    })
    .await;
    reads(&page, "sync-conflict-keep", "Keep “5”").await;
    reads(&page, "sync-conflict-take", "Take “6”").await;
    assert_eq!(parallel(&desktop).await, 5.0);

    take(&page).await;
    assert_eq!(parallel(&desktop).await, 6.0);
    sync_now(&page).await;
    laptop.run(&["sync", "now"]).await;
    assert_eq!(parallel(&laptop).await, 6.0);
    assert!(laptop.run(&["sync", "conflicts"]).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_download_can_be_fetched_again_by_machine_that_changed_it() {
    let stage = home().await;
    let (origin, server) = (Origin::start().await, Server::start().await);
    origin.file("/report.dat", Body::bytes("report"));
    let laptop = Machine::first(&stage, &server).await;
    laptop.run(&["add", origin.url("/report.dat").as_str(), "--paused"]).await;
    laptop.run(&["sync", "now"]).await;
    // Stop the program on this machine. Meanwhile, both machines change the download, so that the next cycle of this
    // machine finds the conflict.
    join_and_end(&stage, &laptop).await;
    let desktop = Machine::of_window(&stage);
    let other = desktop.run(&["sync", "others"]).await.remove(0)["id"].take();
    desktop.run(&["sync", "ask", other.as_str().unwrap(), "resume"]).await;
    let own = laptop.run(&["list"]).await.remove(0)["unique_id"].take();
    laptop.run(&["remove", own.as_str().unwrap()]).await;
    laptop.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    page.click("sync-button").await;
    sync_now(&page).await;
    page.text("sync-conflict", "both machines are named", |text| {
        let sentence = "Removal · This machine changed this download while Laptop removed it. The removal applies.";
        text.contains("report.dat") && text.contains(sentence)
    })
    .await;
    reads(&page, "sync-conflict-keep", "Leave it removed").await;
    reads(&page, "sync-conflict-take", "Fetch here").await;
    assert!(desktop.run(&["list"]).await.is_empty(), "it waits for the decision");

    take(&page).await;
    page.click("sync-back").await;
    page.css(&format!("{}[data-result='success']", row("report.dat"))).await;
    file(&stage.downloads().join("report.dat"), b"report").await;
    assert!(laptop.run(&["list"]).await.is_empty(), "the other machine keeps its removal");
}
