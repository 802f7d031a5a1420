//! Tests a sync server that has lost data or is full.

use std::fs;

use ashore_testkit::origin::{Body, Origin};
use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine, copy_folder};

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_that_lost_its_data_receives_list_again() {
    let origin = Origin::start().await;
    origin.file("/kept.pdf", Body::bytes("kept"));
    let mut household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let folder = household.place.folder.clone();
    let backup = folder.with_extension("backup");
    household.stop().await;
    copy_folder(&folder, &backup);
    household.start_again().await;
    laptop.add(origin.url("/kept.pdf").as_str()).await;
    laptop.has("kept.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("kept.pdf", "done").await;

    household.stop().await;
    fs::remove_dir_all(&folder).unwrap();
    copy_folder(&backup, &folder);
    household.start_again().await;
    laptop.sync().await;
    let third = household.next(&laptop, "Third").await;
    third.sees("kept.pdf", "done").await;
    desktop.sees("kept.pdf", "done").await;
    assert_eq!(laptop.titles().await, ["kept.pdf"]);
    // Either machine may be the first to notice the loss and to send the records again.
    let mut records = 0;
    for machine in [&laptop, &desktop] {
        records += machine.object(&["sync", "status"]).await["restored"]["records"].as_u64().unwrap_or_default();
    }
    let restored = laptop.object(&["sync", "status"]).await["restored"].clone();
    assert!(records > 0 && restored["until_ms"].as_i64() > Some(0), "{restored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_that_was_reset_receives_list_again_and_reset_is_reported() {
    let origin = Origin::start().await;
    origin.file("/kept.pdf", Body::bytes("kept"));
    let mut household = Household::new().await;
    let (mut laptop, words) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    laptop.add(origin.url("/kept.pdf").as_str()).await;
    laptop.has("kept.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("kept.pdf", "done").await;

    // Delete all objects of the list, but keep the users and devices.
    household.stop().await;
    household.change_database("DELETE FROM bsos; DELETE FROM batches; DELETE FROM user_collections").await;
    // Stop the engines. Otherwise, a cycle could restore the list before the command does.
    for machine in [&mut laptop, &mut desktop] {
        machine.stop().await;
    }
    household.start_again().await;
    let printed = laptop.text(&["sync", "now"]).await;
    let sentence = "The server had lost a part of the list. This machine sent the missing part again.\nReceived: ";
    assert!(printed.starts_with(sentence), "{printed}");
    let restored = laptop.object(&["sync", "status"]).await["restored"].clone();
    assert!(restored["records"].as_u64() > Some(0), "{restored}");
    for machine in [&mut laptop, &mut desktop] {
        machine.restart().await;
    }
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    for (machine, others) in [(&laptop, 0), (&desktop, 1)] {
        assert_eq!(machine.objects(&["sync", "others"]).await.len(), others);
        assert_eq!(machine.objects(&["sync", "devices"]).await.len(), 2);
        assert_eq!(machine.object(&["sync", "status"]).await["fault"], Value::Null);
    }
    assert_eq!(laptop.object(&["sync", "words"]).await["words"], words["words"], "the words stay valid");
    let third = household.next(&laptop, "Third").await;
    third.sees("kept.pdf", "done").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lack_of_space_on_sync_server_is_reported_until_quota_is_raised() {
    let household = Household::new().await;
    let (laptop, words) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let uid = words["uid"].as_i64().unwrap();
    household.place.limit_space(uid, "2K").await.unwrap();
    laptop.person.run(["add", "https://files.test/a.pdf", "--paused"]).await;
    assert_eq!(laptop.refusal(&["sync", "now"]).await, "sync-full");
    let status = laptop.object(&["sync", "status"]).await;
    assert_eq!((&status["fault"]["code"], &status["space"]["total"]), (&json!("sync-full"), &json!(2048)), "{status}");
    assert!(status["space"]["used"].as_u64() > Some(1000), "{status}");

    household.place.limit_space(uid, "none").await.unwrap();
    laptop.sync().await;
    desktop.sees("a.pdf", "paused").await;
    let status = laptop.object(&["sync", "status"]).await;
    assert_eq!((&status["fault"], &status["space"]), (&Value::Null, &Value::Null));
}
