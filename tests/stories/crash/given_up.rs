//! What is given up in the moment in which it gets its name, and killed then: the file in its place stays the only one of it, and
//! nothing of it is asked for again.

use std::{fs, os::unix::process::ExitStatusExt as _};

use ashore_tests::{
    machine::{Died, Machine, PATIENCE},
    origin::{Body, Origin, Route, content},
};
use serde_json::json;
use tokio::time::timeout;

const SIZE: u64 = 2 << 20;
/// Here a file waits until its journal is there.
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

/// Asks for one file; the download's id.
async fn ask(origin: &Origin, machine: &mut Machine, name: &str) -> String {
    let requests = json!([{ "url": origin.url(&format!("/{name}")).to_string() }]);
    let new = json!({ "owner": "story", "developer_id": name, "folder": machine.target(), "requests": requests });
    machine.call("create", new).await.unwrap()["unique_id"].as_str().unwrap().to_owned()
}

/// A file that has its name and its partial's, with a journal. The engine, which runs no longer, was killed before the ledger knew.
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

/// What kills it there.
const UNKNOWN: Option<&str> = Some("engine.completed-before-write");

/// It is given up by these words, and whoever does that is killed as soon as it is written down.
async fn given_up(machine: &Machine, words: &[&str], point: &str) {
    let ended = machine.command().args(words).env("ASHORE_CRASH_AT", point).output().await.unwrap();
    assert_eq!(ended.status.signal(), KILLED, "{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

async fn is_there_once(machine: &mut Machine, route: &Route) {
    assert_eq!(machine.outcome("http://127.0.0.1", 0).await.unwrap().leftovers, [""; 0], "{}", machine.log());
    assert_eq!(names(machine), ["a"], "{}", machine.log());
    assert!(fs::read(machine.target().join("a")).unwrap() == content(1, SIZE));
    assert_eq!(route.requests().len(), 1, "it came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_cancelled_while_it_got_its_name_is_there_once_and_known() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    given_up(&machine, &["abort", &id], "engine.aborted").await;
    machine.serve(None).await.unwrap();
    let known = machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    assert_eq!(known["failure"]["code"], "aborted", "{known}");
    is_there_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_removed_while_it_got_its_name_goes_with_its_file_where_that_was_to_go() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    given_up(&machine, &["remove", "--files", &id], "engine.removed").await;
    machine.serve(None).await.unwrap();
    is_there_once(&mut machine, &route).await;
    machine.stop().await;
    // By now it is known which file it was.
    machine.serve(None).await.unwrap();
    assert_eq!(names(&machine), [""; 0], "{}", machine.log());
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_its_name_is_written_down_although_others_have_all_the_room() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let first = file(&origin, "first");
    let first_id = ask(&origin, &mut machine, "first").await;
    first.held().await;
    let (route, id) = placed(&origin, &mut machine).await;
    given_up(&machine, &["abort", &id], "engine.aborted").await;
    machine.settings("parallel = 1\n");
    machine.serve(None).await.unwrap();
    machine.until("a", "known", |one| one["succeeded"] == 1).await.unwrap();
    machine.call("abort", json!({ "unique_id": first_id })).await.unwrap();
    is_there_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_cancelled_and_tried_again_while_nobody_fetched_is_there_once() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.serve(UNKNOWN).await.unwrap();
    let (route, id) = placed(&origin, &mut machine).await;
    for verb in ["abort", "retry"] {
        let ended = machine.run([verb, &id]).await;
        assert!(ended.status.success(), "{verb}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    machine.serve(None).await.unwrap();
    machine.until("a", "there", |one| one["result"] == "success").await.unwrap();
    is_there_once(&mut machine, &route).await;
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_kill_left_running_is_removed_while_nobody_fetches_and_its_partial_goes_with_the_next_start() {
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
