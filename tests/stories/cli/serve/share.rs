//! Tests several programs with one list.
//!
//! Only one program, the lock holder, has locked the list and runs the engine. All other programs send their commands to
//! this engine. No download is fetched twice.

use ashore_testkit::{
    origin::{Body, Origin, content},
    race::Race,
};
use rustix::process::Signal;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn add_command_prints_only_id_and_serve_command_fetches_download() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let ran = person.run(["add", origin.url("/a.txt").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let id = ran.stdout.trim().to_owned();
    assert_eq!((id.len(), ran.stdout.lines().count()), (36, 1), "{ran:?}");
    assert!(ran.stderr.contains("`ashore serve`"), "{ran:?}");
    assert_eq!(person.show(&id).await["state"], "waiting");

    let (serving, _) = person.serve().await;
    person.shows(&id, |shown| shown["result"] == "success").await;
    assert_eq!(person.file("a.txt"), b"a");
    let ran = person.run(["add", origin.url("/a.txt").as_str()]).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    person.shows(ran.stdout.trim(), |shown| shown["result"] == "success").await;
    serving.signal(Signal::TERM);
    let ran = serving.end().await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_sends_download_to_running_engine_and_waits_for_completion() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let (mut serving, _) = person.serve().await;
    let getting = person.start(["get", origin.url("/disk.iso").as_str()]);
    route.held().await;
    route.release();
    let ran = getting.end().await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("disk.iso"), "{ran:?}");
    assert_eq!(person.file("disk.iso"), content(1, 200_000));
    assert_eq!(route.requests().len(), 1);
    assert!(serving.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_warns_that_parallel_option_does_not_affect_running_engine() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let (_serving, _) = person.serve().await;
    let ran = person.run(["get", origin.url("/a.txt").as_str(), "--parallel", "64"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("with its own settings"), "{ran:?}");
    let ran = person.run(["get", origin.url("/a.txt").as_str()]).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_in_get_command_does_not_stop_download_in_running_engine() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let (_serving, _) = person.serve().await;
    let getting = person.start(["get", origin.url("/disk.iso").as_str()]);
    route.held().await;
    getting.signal(Signal::INT);
    let ran = getting.end().await;
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stderr.contains("continues in the background"), "{ran:?}");
    route.release();
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    person.shows(&id, |shown| shown["result"] == "success").await;
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_that_waits_for_another_engine_continues_the_download_when_that_engine_ends() {
    for signal in [Signal::TERM, Signal::KILL] {
        let (origin, person) = (Origin::start().await, Person::new());
        let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
        let (serving, _) = person.serve().await;
        let getting = person.start(["get", origin.url("/disk.iso").as_str()]);
        route.held().await;
        // The server has received the request, so the lock holder has received the command from the waiting `get`.
        serving.signal(signal);
        serving.end().await;
        route.release();
        let ran = getting.end().await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(person.files(), ["disk.iso"]);
        assert_eq!(person.file("disk.iso"), content(1, 200_000));
        assert_eq!(person.list().await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_refuses_locked_folder_and_names_lock_holder() {
    let person = Person::new();
    let (mut serving, _) = person.serve().await;
    let ran = person.run(["serve", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(3), "held"), "{ran:?}");
    assert!(ran.stderr.contains("ashore serve"), "{ran:?}");
    assert!(serving.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_prints_one_line_when_ready() {
    let person = Person::new();
    let mut serving = person.start(["serve"]);
    assert!(serving.line().await.starts_with("Ashore is ready"));
    serving.signal(Signal::INT);
    let ran = serving.end().await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn running_engine_executes_every_command() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let gone = origin.refuses("/later.txt", 404);
    let (_serving, _) = person.serve().await;
    let mut events = person.start(["events"]);
    // The program `events` runs in parallel with these commands. Only an event proves that it has subscribed.
    let ok = async |arguments: &[&str]| {
        let ran = person.run(arguments).await;
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.stdout.trim().to_owned()
    };

    let id = ok(&["add", origin.url("/disk.iso").as_str(), "--paused", "--id", "mine"]).await;
    assert_eq!(person.show(&id).await["state"], "paused");
    let taken = person.run(["add", origin.url("/disk.iso").as_str(), "--id", "mine", "--json"]).await;
    assert_eq!((taken.code, taken.error_code().as_str()), (Some(4), "id-taken"), "{taken:?}");
    ok(&["resume", &id[..8]]).await;
    person.shows(&id, |shown| shown["downloaded"] == 100_000).await;
    ok(&["pause", &id]).await;
    person.shows(&id, |shown| shown["state"] == "paused" && shown["downloaded"] == 100_000).await;
    ok(&["first", &id, "--now"]).await;
    ok(&["move", &id, "--last"]).await;
    let behind = ok(&["add", origin.url("/later.txt").as_str(), "--paused", "--first", "--at-once", "1"]).await;
    ok(&["move", &behind, "--before", &id[..8]]).await;
    let nowhere = person.run(["move", &id, "--before", "00000000-0000-4000-8000-000000000000", "--json"]).await;
    assert_eq!((nowhere.code, nowhere.error_code().as_str()), (Some(4), "unknown"), "{nowhere:?}");
    ok(&["remove", &behind]).await;
    assert_eq!(ok(&["abort", &id, "--json"]).await, format!(r#"{{"aborted":true,"unique_id":"{id}"}}"#));
    assert_eq!(ok(&["abort", &id, "--json"]).await, format!(r#"{{"aborted":false,"unique_id":"{id}"}}"#));
    let shown = person.show(&id).await;
    assert_eq!((&shown["result"], &shown["failureReason"]), (&"failure".into(), &"aborted".into()));

    let late = ok(&["add", origin.url("/later.txt").as_str()]).await;
    let shown = person.shows(&late, |shown| shown["state"] == "settled").await;
    assert_eq!((&shown["failureReason"], &shown["records"][0]["status"]), (&"bad-status".into(), &404.into()));
    drop(gone);
    origin.file("/later.txt", Body::bytes("there now"));
    ok(&["retry", &late]).await;
    person.shows(&late, |shown| shown["result"] == "success").await;

    let gone = person.downloads().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let moved = ok(&["add", origin.url("/later.txt").as_str(), "--paused", "--dir", gone.to_str().unwrap()]).await;
    std::fs::remove_dir(&gone).unwrap();
    let refused = person.run(["retry", &moved, "--dir", gone.to_str().unwrap(), "--json"]).await;
    assert_eq!(refused.error_code(), "target", "{refused:?}");
    let elsewhere = person.downloads().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    ok(&["retry", &moved, "--dir", elsewhere.to_str().unwrap()]).await;
    ok(&["resume", &moved]).await;
    person.shows(&moved, |shown| shown["result"] == "success").await;
    assert_eq!(std::fs::read(elsewhere.join("later.txt")).unwrap(), b"there now");
    ok(&["remove", &moved]).await;

    ok(&["pause"]).await;
    let held = ok(&["add", origin.url("/later.txt").as_str()]).await;
    assert_ne!(person.show(&held).await["state"], "running");
    let alone = person.run(["resume", &held]).await;
    assert!(alone.stderr.contains("Everything is paused"), "{alone:?}");
    assert_eq!(person.show(&held).await["state"], "paused");
    ok(&["resume"]).await;
    person.shows(&held, |shown| shown["result"] == "success").await;
    ok(&["remove", &id, &held]).await;
    events.event(|event| event["type"] == "removed" && event["unique_id"] == *held).await;
    let left: Vec<_> = person.list().await.iter().map(|one| one["unique_id"].clone()).collect();
    assert_eq!(left, [late.as_str()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_to_suspended_engine_fail_and_do_not_block() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let url = origin.url("/a.txt");
    let (serving, _) = person.serve().await;
    let id = person.run(["add", url.as_str()]).await.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["result"] == "success").await;
    let other = origin.url("/b.txt");
    serving.signal(Signal::STOP);
    let (listed, added, served, heard) = tokio::join!(
        person.run(["list", "--json"]),
        person.run(["add", other.as_str(), "--json"]),
        person.run(["serve", "--json"]),
        person.run(["events", "--json"]),
    );
    for ran in [listed, added, heard] {
        assert_eq!((ran.code, ran.error_code().as_str()), (Some(3), "unreachable"), "{ran:?}");
        assert!(ran.stderr.contains("does not answer"), "{ran:?}");
    }
    assert_eq!((served.code, served.error_code().as_str()), (Some(3), "held"), "{served:?}");
    serving.signal(Signal::CONT);
    assert_eq!(person.list().await.len(), 1, "a refused call has no later effect");
    let id = person.run(["add", url.as_str()]).await.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["result"] == "success").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_twenty_programs_that_start_together_becomes_lock_holder() {
    let race = Race::new();
    for end in [Signal::KILL, Signal::TERM, Signal::KILL] {
        race.run(end).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_get_commands_for_one_link_all_succeed() {
    for count in [2, 2, 10] {
        let (origin, person) = (Origin::start().await, Person::new());
        let route = origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
        let url = origin.url("/disk.iso").to_string();
        let all: Vec<_> = (0..count).map(|_| person.start(["get", &url])).collect();
        route.held().await;
        route.release();
        for getting in all {
            let ran = getting.end().await;
            assert_eq!(ran.code, Some(0), "{count}: {ran:?}");
            assert_eq!(ran.stdout.lines().count(), 1, "{count}: each command prints the path once: {ran:?}");
        }
        assert_eq!(person.file("disk.iso"), content(1, 200_000));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_command_succeeds_while_another_get_command_exits() {
    let (origin, person) = (Origin::start().await, Person::new());
    for round in 0..5 {
        let path = format!("/{round}.iso");
        let route = origin.file(&path, Body::seeded(round, 50_000));
        let url = origin.url(&path).to_string();
        let first = person.start(["get", &url, "--json"]);
        route.sent(50_000).await;
        let second = person.start(["get", &url, "--json"]);
        for getting in [first, second] {
            let ran = getting.end().await;
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let whole = ran.stdout.lines().last().map(serde_json::from_str::<serde_json::Value>);
            assert_eq!(whole.unwrap().unwrap()["result"], "success", "{ran:?}");
        }
        assert_eq!(person.file(&format!("{round}.iso")), content(round, 50_000));
    }
}
