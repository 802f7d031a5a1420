//! Tests aborting or removing a download whose file got its final name just before the engine was killed.
//!
//! This file is the only copy. It is kept, and no further request is sent.

use std::{fs, os::unix::process::ExitStatusExt as _};

use ashore_testkit::{
    machine::{Died, Machine, PATIENCE},
    origin::{Body, Origin, Route, content},
};
use serde_json::json;
use tokio::time::timeout;

const SIZE: u64 = 2 << 20;
/// Offset at which the server pauses. It continues when the journal exists.
const HERE: u64 = 1 << 20;
const KILLED: Option<i32> = Some(9);

fn names(machine: &Machine) -> Vec<String> {
    let entries = fs::read_dir(machine.target()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn file(origin: &Origin, name: &str) -> Route {
    origin.file(&format!("/{name}"), Body::seeded(1, SIZE)).gate_at(HERE)
}

/// Adds one file and returns the id of the registration.
async fn ask(origin: &Origin, machine: &mut Machine, name: &str) -> String {
    let requests = json!([{ "url": origin.url(&format!("/{name}")).to_string() }]);
    let new = json!({ "owner": "story", "developer_id": name, "folder": machine.target(), "requests": requests });
    machine.call("create", new).await.unwrap()["unique_id"].as_str().unwrap().to_owned()
}

/// Returns a download whose file has its final name, but still has a partial file and a journal too. The engine was
/// killed before the ledger recorded the completion.
async fn placed(origin: &Origin, machine: &mut Machine) -> (Route, String) {
    let route = file(origin, "a");
    let id = ask(origin, machine, "a").await;
    route.held().await;
    let has_journal = |names: Vec<String>| names.iter().any(|name| name.starts_with("a.") && name.ends_with(".ashore"));
    while !has_journal(names(machine)) {
        machine.breath().await.unwrap();
    }
    route.release();
    assert_eq!(machine.died_by_itself().await, Died { signal: KILLED });
    assert!(names(machine).iter().any(|name| name == "a") && has_journal(names(machine)), "{:?}", names(machine));
    (route, id)
}

/// Failpoint that kills the engine after the file got its final name, and before the ledger records the completion.
const UNKNOWN: Option<&str> = Some("engine.completed-before-write");

/// Runs a command that is killed at `point`, immediately after committing its change.
async fn run_until_killed(machine: &Machine, words: &[&str], point: &str) {
    let ended = machine.command().args(words).env("ASHORE_CRASH_AT", point).output().await.unwrap();
    assert_eq!(ended.status.signal(), KILLED, "{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

async fn assert_placed_once(machine: &mut Machine, route: &Route) {
    assert_eq!(machine.outcome("http://127.0.0.1", 0).await.unwrap().leftovers, [""; 0], "{}", machine.log());
    assert_eq!(names(machine), ["a"], "{}", machine.log());
    assert!(fs::read(machine.target().join("a")).unwrap() == content(1, SIZE));
    assert_eq!(route.requests().len(), 1, "it came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_kept_and_recorded_if_abort_occurs_while_it_gets_its_final_name() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    run_until_killed(&machine, &["abort", &id], "engine.aborted").await;
    machine.serve(None).await.unwrap();
    let known = machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    assert_eq!(known["failure"]["code"], "aborted", "{known}");
    assert_placed_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removal_with_files_deletes_file_that_is_getting_its_final_name() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    run_until_killed(&machine, &["remove", "--files", &id], "engine.removed").await;
    machine.serve(None).await.unwrap();
    assert_placed_once(&mut machine, &route).await;
    machine.stop().await;
    // The previous start has already recorded the completed file.
    machine.serve(None).await.unwrap();
    assert_eq!(names(&machine), [""; 0], "{}", machine.log());
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_file_is_recorded_although_all_download_slots_are_in_use() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let first = file(&origin, "first");
    let first_id = ask(&origin, &mut machine, "first").await;
    first.held().await;
    let (route, id) = placed(&origin, &mut machine).await;
    run_until_killed(&machine, &["abort", &id], "engine.aborted").await;
    machine.settings("parallel = 1\n");
    machine.serve(None).await.unwrap();
    machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    machine.call("abort", json!({ "unique_id": first_id })).await.unwrap();
    assert_placed_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_file_stays_after_abort_and_retry_while_engine_is_off() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    for verb in ["abort", "retry"] {
        let ended = machine.run([verb, &id]).await;
        assert!(ended.status.success(), "{verb}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    machine.serve(None).await.unwrap();
    machine.until("a", "there", |one| one["result"] == "success").await.unwrap();
    assert_placed_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_is_deleted_if_download_was_removed_while_engine_was_off() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    let route = file(&origin, "a");
    machine.serve(None).await.unwrap();
    let id = ask(&origin, &mut machine, "a").await;
    route.held().await;
    machine.kill().await;
    let ended = timeout(PATIENCE, machine.run(["remove", &id])).await.expect("it ends");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    machine.serve(None).await.unwrap();
    assert!(machine.list().await.unwrap().is_empty());
    assert_eq!(machine.outcome("http://127.0.0.1", 0).await.unwrap().leftovers, [""; 0]);
    assert_eq!(names(&machine), [""; 0]);
    machine.stop().await;
}
