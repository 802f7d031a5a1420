//! Tests faults: hosts that are killed or closed, invalid messages, and an Ashore that is not running.

use std::{fs, path::Path, process::Command as BlockingCommand, time::Duration};

use ashore_testkit::{
    origin::{Body, Origin},
    tools::built,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::port::{
    LENGTH, Port, SEED, ask, ask_id, ask_once, assert_complete, assert_nothing_left, caller, command, host, person, seen, with,
};
use crate::cli::program::{Person, SOON, end};

/// Folder with a copy of the host, and with a script that replaces the app.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    /// Copies the host. If `script` is `None`, the app is missing.
    ///
    /// Other programs write the files: if this process had them open for writing, they could not be executed.
    fn new(script: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let run = |words: &mut BlockingCommand| assert!(words.status().unwrap().success());
        run(BlockingCommand::new("cp").arg(host()).arg(folder.path().join("ashore-browser")));
        if let Some(script) = script {
            let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod 755 \"$2\"";
            run(BlockingCommand::new("sh").args(["-c", write, "sh", script]).arg(folder.path().join("ashore-desktop")));
        }
        Self { folder }
    }

    fn port(&self, person: &Person) -> Port {
        Port::spawned(command(person, &self.path("ashore-browser")).arg(caller()))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

/// Ends the engine that the host started. The script has written the engine's process id to `pid_file`.
fn end_engine(pid_file: &Path) {
    let pid: i32 = fs::read_to_string(pid_file).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), Signal::TERM).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn registration_is_found_by_next_request_if_native_host_was_killed_after_commit() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let download = seen(origin.url("/disk.iso"));
    let mut port = Port::open(&person);
    port.send(&ask(1, &download)).await;
    let begun = tokio::time::Instant::now();
    while person.list().await.is_empty() {
        assert!(begun.elapsed() < SOON, "the registration is committed");
    }
    port.kill().await;
    let answer = ask_once(&person, 1, &download).await;
    let listed = person.list().await;
    assert_eq!((&answer["type"], listed.len()), (&json!("already"), 1), "{answer}");
    assert_eq!(answer["unique_id"], listed[0]["unique_id"]);
    file.release();
    person.shows(answer["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    assert_complete(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_is_removed_after_release_if_browser_closed_the_port() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_answer();
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    port.send(&ask(1, &seen(origin.url("/disk.iso")))).await;
    file.held().await;
    let closing = tokio::spawn(port.close());
    tokio::task::yield_now().await;
    file.release();
    let ran = closing.await.unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    // The host may have added the download before it noticed that its input had ended. In this case, the extension
    // makes Ashore drop the download.
    let let_go = json!({ "type": "let_go", "version": 1, "ask": ask_id(1) });
    let released = json!({ "type": "released", "ask": ask_id(1) });
    assert_eq!(Port::open(&person).exchange(&let_go).await, released);
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_stops_native_host_with_one_line_of_explanation() {
    let person = person();
    let framed = |text: &[u8]| [&u32::try_from(text.len()).unwrap().to_ne_bytes()[..], text].concat();
    let cases = [
        ("length 0", 0_u32.to_ne_bytes().to_vec()),
        ("length of 4 GiB", u32::MAX.to_ne_bytes().to_vec()),
        ("length above the maximum", ((4 << 20) + 1_u32).to_ne_bytes().to_vec()),
        ("cut length", vec![2, 0]),
        ("cut text", framed(b"{\"type\":\"greet\"}")[..10].to_vec()),
        ("not UTF-8", framed(b"\xff\xfe\xfd")),
        ("not JSON", framed(b"{\"type\":")),
        ("text of a shell", b"ls -l /; echo done\n".to_vec()),
    ];
    for (name, bytes) in cases {
        let mut port = Port::open(&person);
        port.write(&bytes).await;
        let ran = port.close().await;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}: {ran:?}");
        assert!(ran.stderr.starts_with("ashore-browser: ") && ran.stderr.lines().count() == 1, "{name}: {ran:?}");
    }
    let mut port = Port::open(&person);
    let answer = port.exchange(&json!({ "type": "greet" })).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("failed"), &json!("browser-message")), "{answer}");
    let answer = port.exchange(&json!({ "type": "later", "version": 1 })).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("failed"), &json!("unknown")), "{answer}");
    assert_eq!(port.close().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn native_host_refuses_to_start_for_other_extensions() {
    let person = person();
    let cases: [&[&str]; 4] =
        [&[], &["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], &["/a.json", "other@ashore.example"], &["greet"]];
    for arguments in cases {
        let ran = end(command(&person, &host()).args(arguments).spawn().unwrap()).await;
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (Some(2), "", 1), "{arguments:?}: {ran:?}");
    }
    let mut firefox = Port::spawned(command(&person, &host()).args(["/home/ann/a.json", "browser@ashore.example"]));
    let greeting = firefox.exchange(&json!({ "type": "greet", "version": 1, "extension": "0.1.0" })).await;
    let expected = json!({ "type": "greeting", "version": 1, "program": env!("CARGO_PKG_VERSION"), "is_running": false });
    assert_eq!(greeting, expected);
    assert!(!person.data().join("ledger.sqlite").exists(), "a greeting does not start Ashore");
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_over_request_starts_ashore_which_outlives_the_native_host() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let pid_file = person.home().join("pid");
    let script = format!(
        "[ \"$*\" = --hidden ] || exit 9\necho $$ > {}\nexec {} serve",
        pid_file.display(),
        built("ashore").unwrap().display()
    );
    let installed = Installed::new(Some(&script));
    let mut port = installed.port(&person);
    let answer = port.ask(1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["ask"]), (&json!("taken"), &json!(ask_id(1))), "{answer}");
    assert_eq!(port.close().await.code, Some(0));
    person.shows(answer["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    let mut greeting = installed.port(&person);
    let greeted = greeting.exchange(&json!({ "type": "greet", "version": 1, "extension": "0.1.0" })).await;
    assert_eq!(greeted["is_running"], true, "the engine is still there");
    end_engine(&pid_file);
    assert_complete(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_over_request_is_declined_if_app_is_missing() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    for script in [None, Some("exit 1")] {
        let installed = Installed::new(script);
        let mut port = installed.port(&person);
        let answer = port.ask(1, &seen(origin.url("/disk.iso"))).await;
        assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-ashore-absent")), "{answer}");
        assert_eq!(port.close().await.code, Some(0));
    }
    assert_eq!(file.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn download_from_silent_server_is_declined_before_extension_times_out() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_answer();
    let (_serving, _) = person.serve().await;
    let begun = tokio::time::Instant::now();
    let answer = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!(answer["type"], "declined", "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_page_are_offered_to_app_and_not_fetched() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let input = person.home().join("input");
    let installed = Installed::new(Some(&format!("[ \"$*\" = '--offer -' ] || exit 9\ncat > {}", input.display())));
    let mut port = installed.port(&person);
    let links = json!([{ "url": origin.url("/disk.iso"), "text": "Disk" }, { "url": "https://a.example/", "text": "" }]);
    let offer = json!({ "type": "offer", "version": 1, "links": links });
    assert_eq!(port.exchange(&offer).await, json!({ "type": "offered" }));
    let expected = format!("{{\"url\":\"{}\",\"text\":\"Disk\"}}\n{{\"url\":\"https://a.example/\"}}\n", origin.url("/disk.iso"));
    assert_eq!(fs::read_to_string(&input).unwrap(), expected);
    let declined = port.exchange(&with(offer, json!({ "links": [] }))).await;
    assert_eq!((&declined["type"], &declined["ask"]), (&json!("declined"), &json!(null)));
    assert_eq!(file.requests().len(), 0);
    assert_nothing_left(&person).await;
}
