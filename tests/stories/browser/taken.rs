//! Tests downloads that Ashore takes over: once, completely, and with the cookies of the page.

use ashore_testkit::{
    LOCAL,
    origin::{Body, Origin, content},
};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::port::{
    FILE, LENGTH, Port, SEED, ask, ask_id, ask_once, assert_complete, assert_nothing_left, person, seen, settings,
    until_forgotten, with,
};
use crate::cli::program::Person;

/// Waits until the only download of the list is settled.
async fn settled(person: &Person, id: &Value) -> Value {
    person.shows(id.as_str().unwrap(), |shown| shown["state"] == "settled").await
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_download_is_taken_over_with_a_single_request_and_completes() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let answer = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["ask"]), (&json!("taken"), &json!(ask_id(1))), "{answer}");
    let shown = settled(&person, &answer["unique_id"]).await;
    assert_eq!((&shown["result"], &shown["owner"], &shown["source"]), (&json!("success"), &json!("browser"), &json!("browser")));
    assert_eq!((&shown["developer_id"], &shown["description"]), (&json!(ask_id(1)), &json!("A page")));
    assert_complete(&person).await;
    let [request] = &file.requests()[..] else { panic!("{:?}", file.requests()) };
    let sent = ["referer", "user-agent", "cookie"].map(|name| request.header(name));
    assert_eq!(sent, [Some("http://page.example/"), Some("Browser/1"), None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_download_is_accepted_only_after_its_registration_is_durable() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (serving, _) = person.serve().await;
    let answer = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    serving.signal(Signal::KILL);
    serving.end().await;
    assert_eq!(answer["type"], "taken", "{answer}");
    file.release();
    let (_serving, _) = person.serve().await;
    assert_eq!(settled(&person, &answer["unique_id"]).await["result"], "success");
    assert_complete(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_request_for_active_or_complete_download_is_answered_with_already() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let download = seen(origin.url("/disk.iso"));
    let taken = ask_once(&person, 1, &download).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    let already = json!({ "type": "already", "ask": ask_id(1), "unique_id": taken["unique_id"] });
    assert_eq!(ask_once(&person, 1, &download).await, already);
    file.release();
    settled(&person, &taken["unique_id"]).await;
    assert_eq!(ask_once(&person, 1, &download).await, already);
    assert_complete(&person).await;
    assert_eq!(file.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_requests_for_one_download_create_one_registration() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_answer();
    let (_serving, _) = person.serve().await;
    let download = seen(origin.url("/disk.iso"));
    let (mut one, mut other) = (Port::open(&person), Port::open(&person));
    one.send(&ask(1, &download)).await;
    other.send(&ask(1, &download)).await;
    file.held().await;
    file.release();
    let (one, other) = (one.receive().await, other.receive().await);
    let mut types = [&one["type"], &other["type"]].map(|kind| kind.as_str().unwrap());
    types.sort_unstable();
    assert_eq!((types, &one["unique_id"]), (["already", "taken"], &other["unique_id"]), "{one} {other}");
    assert_eq!(person.list().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_are_sent_to_server_and_deleted_when_download_ends() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let cookies = json!({ "cookies": "id=canary; taste=plain" });
    let taken = ask_once(&person, 1, &with(seen(origin.url("/disk.iso")), cookies)).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    file.release();
    settled(&person, &taken["unique_id"]).await;
    assert_eq!(file.requests()[0].header("cookie"), Some("id=canary; taste=plain"));
    until_forgotten(&person, "canary").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_download_may_be_requested_again() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let download = seen(origin.url("/disk.iso"));
    let first = ask_once(&person, 1, &download).await;
    person.run(["abort", first["unique_id"].as_str().unwrap()]).await;
    settled(&person, &first["unique_id"]).await;
    file.release();
    let second = ask_once(&person, 1, &download).await;
    assert_eq!(second["type"], "taken", "{second}");
    assert_eq!(settled(&person, &second["unique_id"]).await["result"], "success");
    assert_complete(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn released_download_is_discarded() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    let taken = port.ask(1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    file.held().await;
    let let_go = json!({ "type": "let_go", "version": 1, "ask": ask_id(1) });
    let released = json!({ "type": "released", "ask": ask_id(1) });
    assert_eq!(port.exchange(&let_go).await, released);
    assert_nothing_left(&person).await;
    assert_eq!(port.exchange(&let_go).await, released, "an unknown ask is no failure");
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_over_request_is_declined_if_it_was_withdrawn_before_it_arrived() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    let let_go = json!({ "type": "let_go", "version": 1, "ask": ask_id(1) });
    assert_eq!(port.exchange(&let_go).await, json!({ "type": "released", "ask": ask_id(1) }));
    let answer = port.ask(1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["args"]["why"]["code"]), (&json!("declined"), &json!("withdrawn")), "{answer}");
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_download_starts_immediately_although_slots_are_full() {
    let (origin, person) = (Origin::start().await, person());
    // The first download keeps its slot, even if it receives nothing for a long time.
    settings(&person, &format!("{LOCAL}parallel = 1\nparallel-per-host = 1\nstall-seconds = 600.0\n"));
    let slow = origin.file("/slow", Body::seeded(1, LENGTH)).gate_at(1000);
    let once = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).one_shot(403);
    let (_serving, _) = person.serve().await;
    person.run(["add", origin.url("/slow").as_str()]).await;
    slow.held().await;
    let taken = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    assert_eq!(settled(&person, &taken["unique_id"]).await["result"], "success");
    assert!(person.file(FILE) == content(SEED, LENGTH));
    assert_eq!((once.requests().len(), slow.requests().len()), (1, 1), "the link works only once");
    slow.release();
}

#[tokio::test(flavor = "multi_thread")]
async fn download_stays_with_browser_if_too_many_browser_downloads_exceed_the_slots() {
    let (origin, person) = (Origin::start().await, person());
    settings(&person, &format!("{LOCAL}parallel = 1\n"));
    let (_serving, _) = person.serve().await;
    let mut gates = Vec::new();
    for number in 1..=18 {
        let path = format!("/{number}/disk.iso");
        gates.push(origin.file(&path, Body::seeded(SEED, LENGTH)).gate_at(1000));
        let answer = ask_once(&person, number, &seen(origin.url(&path))).await;
        let why = &answer["args"]["why"]["code"];
        match number {
            18 => assert_eq!((&answer["code"], why), (&json!("browser-waiting"), &json!("too-many-running")), "{answer}"),
            _ => assert_eq!(answer["type"], "taken", "{number}: {answer}"),
        }
    }
    assert_eq!(person.list().await.len(), 17);
    gates.iter().for_each(|gate| gate.release());
}

#[tokio::test(flavor = "multi_thread")]
async fn popup_receives_downloads_of_its_browser_until_the_port_is_closed() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let mut popup = Port::open(&person);
    let message = popup.exchange(&json!({ "type": "follow", "version": 1 })).await;
    assert_eq!(message, json!({ "type": "downloads", "is_running": false, "downloads": [] }));
    let (_serving, _) = person.serve().await;
    let empty = json!({ "type": "downloads", "is_running": true, "downloads": [] });
    assert_eq!(popup.receive().await, empty);
    person.run(["add", "--paused", "http://127.0.0.1:1/of-another-owner"]).await;
    let taken = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    file.release();
    let mut states = Vec::new();
    loop {
        let message = popup.receive().await;
        let [line] = &message["downloads"].as_array().unwrap()[..] else { panic!("{message}") };
        assert_eq!((&line["unique_id"], &line["trouble"]), (&taken["unique_id"], &json!(null)), "{message}");
        states.push(line["state"].as_str().unwrap().to_owned());
        if line["state"] == "complete" {
            assert_eq!((&line["downloaded"], &line["expected_total"]), (&json!(LENGTH), &json!(LENGTH)));
            break;
        }
    }
    let ran = popup.close().await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{states:?}");
}
