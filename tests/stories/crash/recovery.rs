//! Tests power cuts during a backup or a restoration of the list: the next start completes the work.
//!
//! The final state is the same as without a power cut.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ashore_testkit::{
    machine::{BUSY_DISK, Machine},
    origin::{Body, Origin, Route, content},
};
use serde_json::{Value, json};

/// Failpoints during the restoration of a list.
pub const RESTORING: &[&str] = &["engine.damaged-set-aside", "engine.copy-restored", "engine.brought-up-to-date"];
/// Failpoints during the backup of a list.
pub const COPYING: &[&str] = &["engine.copy-written", "engine.copy-named"];

const SIZE: u64 = 1_000_000;
const HELD: u64 = 600_000;

async fn add(machine: &mut Machine, origin: &Origin, name: &str) {
    let folder = machine.target();
    let requests = [json!({ "url": origin.url(&format!("/{name}")) })];
    machine
        .call("create", json!({ "owner": "story", "developer_id": name, "folder": folder, "requests": requests }))
        .await
        .unwrap();
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn copies(machine: &Machine) -> Vec<PathBuf> {
    files_in(&machine.data().join("backups"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "sqlite"))
        .collect()
}

fn damaged(machine: &Machine) -> Vec<PathBuf> {
    let is_damaged = |path: &PathBuf| {
        path.to_str().is_some_and(|path| path.contains(".damaged-") && !path.ends_with("-wal") && !path.ends_with("-shm"))
    };
    files_in(&machine.data()).into_iter().filter(is_damaged).collect()
}

/// Returns a stopped machine with the finished download `a` in its list, and without a backup.
async fn machine_with_finished_a(origin: &Origin) -> Machine {
    let mut machine = Machine::new();
    machine.serve(None).await.unwrap();
    origin.file("/a", Body::bytes("a"));
    add(&mut machine, origin, "a").await;
    machine.until("a", "there", |one| one["state"] == "settled").await.unwrap();
    machine.stop().await;
    machine
}

async fn until_copied(machine: &mut Machine) {
    while copies(machine).is_empty() {
        machine.breath().await.unwrap();
    }
}

/// Returns a machine with a backup and half of the file `b`. The backup does not contain the download `b`. The engine
/// was killed, so a write-ahead log exists beside the list.
async fn with_half_of_b(origin: &Origin) -> (Machine, Route) {
    let mut machine = machine_with_finished_a(origin).await;
    machine.serve(None).await.unwrap();
    until_copied(&mut machine).await;
    let file = origin.file("/b", Body::seeded(1, SIZE)).gate_at(HELD);
    add(&mut machine, origin, "b").await;
    file.held().await;
    machine.until("b", "half there", |one| one["downloaded"] == HELD).await.unwrap();
    machine.call("pause", json!({})).await.unwrap();
    machine.until("b", "paused", |one| one["active"] == 0).await.unwrap();
    machine.kill().await;
    file.release();
    (machine, file)
}

async fn recovery(machine: &mut Machine) -> Value {
    machine.call("recovery", json!({})).await.unwrap()
}

/// Checks that the download `b` is in the list with its original id and completes.
async fn assert_restored(machine: &mut Machine, file: &Route) {
    let again = recovery(machine).await;
    assert!(again["copy_of"].is_i64(), "{again}");
    let names = again["found_again"].as_array().unwrap();
    assert_eq!((names.len(), &names[0]["title"]), (1, &json!("b")), "{again}");
    let id = names[0]["unique_id"].as_str().unwrap().to_owned();
    machine.until(&id, "there", |one| one["state"] == "settled").await.unwrap();
    machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    assert_eq!(machine.list().await.unwrap().len(), 2, "no download is in the list twice");
    assert!(fs::read(machine.target().join("b")).unwrap() == content(1, SIZE));
    assert_eq!(file.requests().last().unwrap().range_start().map(|start| start > 0), Some(true), "it went on");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_is_restored_once_despite_kill_during_restore() {
    let _disk = BUSY_DISK.lock().await;
    for point in RESTORING {
        let origin = Origin::start().await;
        let (mut machine, file) = with_half_of_b(&origin).await;
        let path = machine.data().join("ledger.sqlite");
        fs::write(&path, "no list at all").unwrap();
        machine.serve(Some(point)).await.expect_err("it dies before it is ready");
        machine.serve(None).await.unwrap();
        assert_restored(&mut machine, &file).await;
        let [kept] = &damaged(&machine)[..] else { panic!("{point}: {:?}", damaged(&machine)) };
        assert_eq!(fs::read(kept).unwrap(), b"no list at all", "{point}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn emptied_list_file_is_restored_and_write_ahead_log_is_kept() {
    let origin = Origin::start().await;
    let (mut machine, file) = with_half_of_b(&origin).await;
    let (path, log) = (machine.data().join("ledger.sqlite"), machine.data().join("ledger.sqlite-wal"));
    let before = fs::read(&log).unwrap();
    assert!(!before.is_empty());
    fs::write(&path, "").unwrap();
    machine.serve(None).await.unwrap();
    assert_restored(&mut machine, &file).await;
    let [kept] = &damaged(&machine)[..] else { panic!("{:?}", damaged(&machine)) };
    assert!(fs::read(format!("{}-wal", kept.display())).unwrap() == before);
    // The first call of `doctor` explains the recovery in words.
    let said = machine.run(["doctor"]).await;
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(
        words.contains("was restored from the copy of") && words.contains("Recovered from partial files and resumed: b"),
        "{words}"
    );
    assert!(words.contains(kept.to_str().unwrap()), "{words}");
    assert_eq!(recovery(&mut machine).await, Value::Null, "no recovery is pending");
}

/// Deletes the write-ahead log that a killed engine left beside the list.
fn delete_write_ahead_log(machine: &Machine) {
    for part in ["-wal", "-shm"] {
        fs::remove_file(machine.data().join(format!("ledger.sqlite{part}"))).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_write_ahead_log_is_reported_and_partial_files_are_recovered() {
    let _disk = BUSY_DISK.lock().await;
    let origin = Origin::start().await;
    let (mut machine, file) = with_half_of_b(&origin).await;
    delete_write_ahead_log(&machine);
    machine.serve(None).await.unwrap();
    assert_restored(&mut machine, &file).await;
    assert!(recovery(&mut machine).await["why"]["text"].as_str().unwrap().contains("log is gone"));
    let words = String::from_utf8(machine.run(["doctor"]).await.stderr).unwrap();
    assert!(words.contains("log is gone") && words.contains("Downloads added since then may be missing"), "{words}");
    // From now on, Ashore no longer reports a missing log.
    for _ in 0..2 {
        machine.stop().await;
        machine.serve(None).await.unwrap();
        assert_eq!(recovery(&mut machine).await, Value::Null);
        machine.kill().await;
        machine.serve(None).await.unwrap();
        assert_eq!(recovery(&mut machine).await, Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn loss_of_list_and_log_is_reported_until_user_has_seen_the_report() {
    let _disk = BUSY_DISK.lock().await;
    for runs_before in [0, 1] {
        let mut machine = Machine::new();
        let folder = machine.target();
        for _ in 0..runs_before {
            machine.serve(None).await.unwrap();
            machine.stop().await;
        }
        machine.serve(None).await.unwrap();
        let requests = [json!({ "url": "http://127.0.0.1:10123/a" })];
        let new = json!({ "owner": "story", "developer_id": "a", "folder": folder, "paused": true, "requests": requests });
        machine.call("create", new).await.unwrap();
        machine.kill().await;
        delete_write_ahead_log(&machine);
        machine.serve(None).await.unwrap();
        assert_eq!(machine.list().await.unwrap(), Vec::<Value>::new(), "nothing else had it");
        let told = recovery(&mut machine).await;
        assert!(told["why"]["text"].as_str().is_some_and(|why| why.contains("log is gone")), "{runs_before}: {told}");
        machine.kill().await;
        machine.serve(None).await.unwrap();
        assert_eq!(recovery(&mut machine).await, told, "until the user has seen the report");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_interrupted_by_kill_is_repeated_at_next_start() {
    let _disk = BUSY_DISK.lock().await;
    for point in COPYING {
        let origin = Origin::start().await;
        let mut machine = machine_with_finished_a(&origin).await;
        if machine.serve(Some(point)).await.is_ok() {
            machine.died_by_itself().await;
        }
        machine.serve(None).await.unwrap();
        until_copied(&mut machine).await;
        machine.stop().await;
        fs::write(machine.data().join("ledger.sqlite"), "no list at all").unwrap();
        machine.serve(None).await.unwrap();
        assert!(recovery(&mut machine).await["copy_of"].is_i64(), "{point}: the copy is a good one");
        machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    }
}
