//! Tests sync on a machine whose disk is full.

use ashore_testkit::{
    apart::Apart,
    origin::{Body, Origin},
};
use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine};

/// Code and text of each refusal on a full disk.
const FULL: (&str, &str) = ("ledger", "The list could not be written: its disk is full. Free up some space and try again.");

fn code_and_text(error: &Value) -> (&str, &str) {
    (error["code"].as_str().unwrap(), error["text"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn setup_and_join_are_refused_while_disk_is_full() {
    let Some(apart) = Apart::for_a_story() else { return };
    let household = Household::new().await;
    let (laptop, laptop_disk) = Machine::on_small_disk(&apart).await;
    let (desktop, desktop_disk) = Machine::on_small_disk(&apart).await;

    laptop_disk.fill();
    let link = household.server.set_up_link().unwrap();
    let error = laptop.refusal_in_words(&["sync", "setup", link, "--name", "Laptop"], "").await;
    assert_eq!(code_and_text(&error), FULL);
    assert_eq!(laptop.object(&["sync", "status"]).await["is_on"], false);
    laptop_disk.free();
    household.set_up(&laptop, "Laptop").await;

    let invite = laptop.object(&["sync", "invite"]).await;
    let link = invite["link"].as_str().unwrap();
    desktop_disk.fill();
    let error = desktop.refusal_in_words(&["sync", "join", link, "--name", "Desktop"], "").await;
    assert_eq!(code_and_text(&error), FULL);
    assert_eq!(desktop.object(&["sync", "status"]).await["is_on"], false);
    desktop_disk.free();
    desktop.object(&["sync", "join", link, "--name", "Desktop"]).await;
    desktop.sync().await;
    laptop.sync().await;
    assert_eq!(laptop.objects(&["sync", "devices"]).await.len(), 2, "the refused attempts left no machine in the list");
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_is_delayed_by_full_disk_but_no_changes_are_lost() {
    let Some(apart) = Apart::for_a_story() else { return };
    let origin = Origin::start().await;
    for name in ["sent", "read"] {
        origin.file(&format!("/{name}.pdf"), Body::bytes(name));
    }
    let household = Household::new().await;
    let (laptop, disk) = Machine::on_small_disk(&apart).await;
    household.set_up(&laptop, "Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    Machine::sync_until_idle(&[&laptop, &desktop]).await;

    laptop.object(&["add", origin.url("/sent.pdf").as_str(), "--paused"]).await;
    disk.fill();
    desktop.object(&["add", origin.url("/read.pdf").as_str(), "--paused"]).await;
    desktop.sync().await;
    let error = laptop.refusal_in_words(&["sync", "now"], "").await;
    assert_eq!(code_and_text(&error), FULL);
    let fault = laptop.object(&["sync", "status"]).await["fault"].clone();
    assert_eq!(fault["code"], error["code"]);
    disk.free();
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    for (machine, title) in [(&laptop, "read.pdf"), (&desktop, "sent.pdf")] {
        let others = machine.objects(&["sync", "others"]).await;
        assert_eq!((others.len(), &others[0]["title"]), (1, &json!(title)), "{others:?}");
        assert_eq!(machine.object(&["sync", "status"]).await["fault"], Value::Null);
    }
}
