//! Tests power cuts during export and import.
//!
//! The exported file is either complete or unchanged. The import takes effect completely or not at all.

use std::{fs, path::PathBuf};

use ashore_testkit::machine::{BUSY_DISK, Cut, Machine};
use serde_json::json;

/// Failpoints during export and import.
pub const POINTS: &[&str] = &["engine.export-written", "engine.import-amid", "engine.import-before-commit", "engine.imported"];

/// Number of requests that is large enough to need several batches.
const MANY: usize = 2500;

async fn add(machine: &mut Machine, name: &str, count: usize) {
    let folder = machine.target();
    let requests: Vec<_> = (0..count).map(|number| json!({ "url": format!("http://127.0.0.1:10123/{name}/{number}") })).collect();
    let new = json!({ "owner": "story", "developer_id": name, "folder": folder, "paused": true, "requests": requests });
    machine.call("create", new).await.unwrap();
}

/// Returns a stopped machine with two registrations, and its exported list.
async fn saved() -> (Machine, PathBuf) {
    let mut machine = Machine::new();
    let file = machine.target().join("list.ndjson");
    machine.serve(None).await.unwrap();
    add(&mut machine, "a", MANY).await;
    add(&mut machine, "b", 1).await;
    machine.call("export", json!({ "file": file, "replace": false })).await.unwrap();
    machine.stop().await;
    (machine, file)
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_during_export_leaves_existing_file_unchanged() {
    let _disk = BUSY_DISK.lock().await;
    let (mut machine, file) = saved().await;
    let before = fs::read(&file).unwrap();
    machine.serve(Some("engine.export-written")).await.unwrap();
    let killed = machine.call("export", json!({ "file": file, "replace": true })).await;
    assert!(matches!(killed, Err(Cut::Died(_))), "{killed:?}");
    assert!(fs::read(&file).unwrap() == before);
    machine.serve(None).await.unwrap();
    machine.call("export", json!({ "file": file, "replace": true })).await.unwrap();
    assert_eq!(fs::read(&file).unwrap().len(), before.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_during_import_leaves_all_entries_or_none() {
    let _disk = BUSY_DISK.lock().await;
    let (from, file) = saved().await;
    let folder = from.target();
    for (point, count) in POINTS[1..].iter().zip([0, 0, 2]) {
        let mut machine = Machine::new();
        machine.serve(Some(point)).await.unwrap();
        let killed = machine.call("import", json!({ "file": file, "unchecked": false })).await;
        assert!(matches!(killed, Err(Cut::Died(_))), "{point}: {killed:?}");
        machine.serve(None).await.unwrap();
        assert_eq!(machine.list().await.unwrap().len(), count, "{point}");
        let imported = machine.call("import", json!({ "file": file, "unchecked": false })).await.unwrap();
        assert_eq!((&imported["registrations"], &imported["known"]), (&json!(2 - count), &json!(count)), "{point}");
        let all = machine.list().await.unwrap();
        let whole = all.iter().find(|one| one["developer_id"] == "a").unwrap();
        assert_eq!((&whole["requests"], &whole["state"]), (&json!(MANY), &json!("paused")), "{point}");
        assert_eq!(whole["folder"].as_str().map(Into::into), Some(folder.clone()), "{point}");
    }
}
