//! Changes of this machine that were replaced by changes of another machine, and that the user applies after all.

use ashore_testkit::waits::until;
use serde_json::Value;

use super::{
    home,
    household::{Machine, Server},
    join, open, reads, sync_now, texts,
};
use crate::stage::kill;

async fn parallel(machine: &Machine<'_>) -> Value {
    machine.run(&["settings", "parallel"]).await.remove(0)["value"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn user_can_replace_winning_value_of_conflict_on_all_machines() {
    let stage = home().await;
    let server = Server::start().await;
    let laptop = Machine::first(&stage, &server).await;
    let page = open(&stage).await;
    join(&stage, &page, &laptop.invite().await, "Desktop").await;
    sync_now(&page).await;
    // Both machines change the setting while the program of this machine is not running, so that its next cycle finds
    // the conflict.
    kill(page.pid());
    drop(page);
    let desktop = Machine::of_window(&stage);
    desktop.run(&["settings", "parallel", "5"]).await;
    laptop.run(&["settings", "parallel", "6"]).await;
    laptop.run(&["sync", "now"]).await;

    let page = open(&stage).await;
    page.click("sync-button").await;
    sync_now(&page).await;
    page.text("sync-conflict", "both values are named", |text| {
        text.contains("Simultaneous files") && text.contains("Setting · “6” of Laptop lost against “5”.")
    })
    .await;
    reads(&page, "sync-conflict-keep", "Keep “5”").await;
    reads(&page, "sync-conflict-take", "Take “6”").await;
    assert_eq!(parallel(&desktop).await, 5.0);

    page.click("sync-conflict-take").await;
    until("the conflict is over", async || texts(&page, "[data-testid='sync-conflict']").await.is_empty().then_some(())).await;
    assert_eq!(parallel(&desktop).await, 6.0);
    sync_now(&page).await;
    laptop.run(&["sync", "now"]).await;
    assert_eq!(parallel(&laptop).await, 6.0);
    assert!(laptop.run(&["sync", "conflicts"]).await.is_empty());
}
