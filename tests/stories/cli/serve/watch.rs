//! Tests `ashore watch`, which prints lines for people and JSON for programs, and the speeds in `ashore list`.

use ashore_testkit::origin::{Body, Origin};
use rustix::process::Signal;
use serde_json::Value;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn watch_command_prints_line_for_each_change_of_state_until_ctrl_c() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let (mut serving, _) = person.serve().await;
    let id = person.run(["add", origin.url("/disk.iso").as_str()]).await.stdout.trim().to_owned();
    route.held().await;
    let mut watching = person.start(["watch"]);
    let line = watching.line().await;
    assert!(line.starts_with(&format!("{}  disk.iso: ", &id[..8])), "{line}");
    route.release();
    let mut line = watching.line().await;
    while !line.contains("100 %") {
        line = watching.line().await;
    }
    watching.signal(Signal::INT);
    let ran = watching.end().await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(serving.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_command_prints_registrations_with_speed_as_json() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let (_serving, _) = person.serve().await;
    let id = person.run(["add", origin.url("/a.txt").as_str(), "--paused"]).await.stdout.trim().to_owned();
    let mut watching = person.start(["watch", "--json"]);
    let is_it = |object: &Value| object["unique_id"] == id.as_str() && object["speed"].is_u64();
    assert_eq!(watching.event(is_it).await["state"], "paused");
    person.run(["resume", &id]).await;
    watching.event(|object| is_it(object) && object["result"] == "success").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_command_fails_as_unreachable_without_engine() {
    let person = Person::new();
    let ran = person.run(["watch", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(3), "unreachable"), "{ran:?}");
    let (serving, _) = person.serve().await;
    let watching = person.start(["watch"]);
    serving.signal(Signal::TERM);
    serving.end().await;
    let ran = watching.end().await;
    assert_eq!(ran.code, Some(3), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_command_shows_speed_of_running_download() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let (_serving, _) = person.serve().await;
    person.run(["add", origin.url("/disk.iso").as_str()]).await;
    route.held().await;
    let list = person.run(["list"]).await.stdout;
    let heads = list.lines().next().unwrap_or_default();
    assert!(heads.contains("SPEED") && heads.contains("LEFT") && heads.ends_with("TITLE"), "{list}");
    person.run(["pause"]).await;
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    person.shows(&id, |shown| shown["state"] != "running").await;
    assert!(!person.run(["list"]).await.stdout.contains("SPEED"));
}
