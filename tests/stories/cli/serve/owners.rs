//! Tests owners on the command line, and the example program of `docs/socket.md` with an engine that restarts.

use std::{path::Path, process::Stdio};

use ashore_testkit::{
    LOCAL,
    home::png,
    origin::{Body, Origin},
};
use rustix::process::Signal;
use serde_json::json;
use tokio::{io::AsyncWriteExt, process::Command};

use crate::cli::program::{Person, Running};

/// Returns the path of the example program.
///
/// The path is relative to the build folder of the tests.
fn example() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/follow.py")
}

#[tokio::test(flavor = "multi_thread")]
async fn example_program_receives_unacknowledged_end_event_again_after_engine_restart() {
    let (origin, person) = (Origin::start().await, Person::new());
    person.settings(LOCAL);
    let file = origin.file("/a.txt", Body::bytes("abc")).gate_at(1);
    let (serving, ready) = person.serve().await;
    let socket = ready["socket"].as_str().unwrap();
    let mut following = Command::new("python3")
        .arg(example())
        .args([socket, origin.url("/a.txt").as_str()])
        .arg(person.downloads())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut enter = following.stdin.take().unwrap();
    let mut following = Running::from_child(following);
    file.held().await;
    serving.signal(Signal::KILL);
    serving.end().await;
    file.release();

    // Kill the engine during the download. The example program reconnects and receives the end event.
    let (serving, _) = person.serve().await;
    let told = format!("success 1 {}", person.downloads().canonicalize().unwrap().join("a.txt").display());
    assert_eq!(following.line().await, told);
    serving.signal(Signal::KILL);
    serving.end().await;

    // Kill the engine before the end is acknowledged. The same event is sent again.
    let (_serving, _) = person.serve().await;
    enter.write_all(b"\n").await.unwrap();
    assert_eq!(following.line().await, told);
    enter.write_all(b"\n").await.unwrap();
    let ran = following.end().await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let owed = person.run(["--owner", "example", "owed", "--json"]).await;
    assert_eq!((owed.code, owed.stdout.as_str()), (Some(0), ""));
    assert_eq!(person.list().await[0]["recordsAvailable"], false);
}

#[test]
fn example_program_has_at_most_forty_lines() {
    let lines = std::fs::read_to_string(example()).unwrap().lines().count();
    assert!(lines <= 40, "it has {lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_option_shows_and_changes_only_downloads_of_that_owner() {
    let person = Person::new();
    let icon = person.home().join("icon.png");
    std::fs::write(&icon, png(128)).unwrap();
    let icon = icon.to_str().unwrap();
    let link = "http://127.0.0.1:9001/a?b=1";
    let small = person.home().join("small.png");
    std::fs::write(&small, png(16)).unwrap();
    let small = small.to_str().unwrap();
    let options = [
        "--paused",
        "--id",
        "my own",
        "--icon",
        small,
        "--icon",
        icon,
        "--description",
        "A page of a book",
        "--download-total",
        "5",
        "--source",
        "feed",
    ];
    let added = person.run([&["--owner", "feeds", "add", link][..], &options].concat()).await;
    assert_eq!(added.code, Some(0), "{added:?}");
    let id = added.stdout.trim();
    let own = person.run(["add", "--paused", "http://127.0.0.1:9001/mine"]).await.stdout.trim().to_owned();

    let shown = &person.run(["--owner", "feeds", "list", "--json"]).await.objects()[..];
    let [shown] = shown else { panic!("{shown:?}") };
    assert_eq!((&shown["owner"], &shown["source"], &shown["icon"]), (&json!("feeds"), &json!("feed"), &json!(icon)));
    assert_eq!((&shown["description"], shown["icons"].as_array().unwrap().len()), (&json!("A page of a book"), 2));
    let changed = person.run(["--owner", "feeds", "change", id, "--description", "Page 3", "--icon", small]).await;
    assert_eq!(changed.code, Some(0), "{changed:?}");
    let now = person.run(["--owner", "feeds", "show", id, "--json"]).await.objects().remove(0);
    assert_eq!((&now["description"], &now["icon"]), (&json!("Page 3"), &json!(small)));
    assert!(person.run(["show", id]).await.stdout.contains("Page 3"));
    let refused = person.run(["--json", "--owner", "feeds", "change", id, "--icon", "missing.png"]).await;
    assert_eq!(refused.error_code(), "icon", "{refused:?}");
    assert_eq!((&shown["downloadTotal"], person.list().await.len()), (&json!(5), 2));
    assert_eq!(person.run(["--owner", "feeds", "ids"]).await.stdout, "my own\n");
    assert_eq!(person.run(["--owner", "feeds", "find", "my own"]).await.stdout.trim(), id);
    for verb in [&["abort"][..], &["remove"], &["pause"], &["resume"], &["retry"], &["first"], &["move", "--last"], &["show"]] {
        let refused = person.run([&["--json", "--owner", "others"], verb, &[id]].concat()).await;
        assert_eq!((refused.code, refused.error_code().as_str()), (Some(4), "not-yours"), "{verb:?}");
        let refused = person.run([&["--json", "--owner", "feeds"], verb, &[own.as_str()]].concat()).await;
        assert_eq!((refused.code, refused.error_code().as_str()), (Some(4), "not-yours"), "{verb:?}");
    }

    // The developer id may be used instead of the unique id.
    let matched = person.run(["--owner", "feeds", "match", "my own", link, "--json"]).await.objects();
    assert_eq!((matched.len(), &matched[0]["index"]), (1, &json!(0)));
    let other = "http://127.0.0.1:9001/a?b=2";
    assert_eq!(person.run(["--owner", "feeds", "match", "my own", other]).await.stdout, "");
    assert_eq!(
        person.run(["--owner", "feeds", "match", "my own", other, "--ignore-search", "--all", "--json"]).await.objects(),
        matched
    );
    for verb in [&["resume"][..], &["pause"], &["first"], &["change", "--title", "New"], &["abort"]] {
        let ran = person.run([&["--owner", "feeds"], verb, &["my own"]].concat()).await;
        assert_eq!(ran.code, Some(0), "{verb:?}: {ran:?}");
    }
    assert_eq!(
        person.run(["--owner", "feeds", "show", "my own", "--json"]).await.objects()[0]["title"],
        "New",
        "also when it is over"
    );

    let owed = person.run(["--owner", "feeds", "owed", "--json"]).await.objects();
    assert_eq!((&owed[0]["unique_id"], &owed[0]["event_number"]), (&json!(id), &json!(1)));
    let acknowledge = ["--owner", "feeds", "acknowledge", "my own", "--json"];
    let acknowledged = async || person.run(acknowledge).await.objects()[0]["acknowledged"].clone();
    assert_eq!([acknowledged().await, acknowledged().await], [json!(true), json!(false)]);
    let stats = json!({ "total": 1, "successes": 0, "failures": 0 });
    assert_eq!(person.run(["--owner", "feeds", "queue-stats", "--json"]).await.objects(), [stats]);
    assert_eq!(person.run(["reset", "--json"]).await.objects()[0]["reset"], 1);
    assert_eq!(person.list().await[0]["failureReason"], "aborted");
    assert_eq!(person.run(["--owner", "feeds", "clear", "--json"]).await.objects()[0]["cleared"], 1);
    assert_eq!(person.run(["remove-owner", "command-line"]).await.code, Some(0));
    assert_eq!(person.list().await, [] as [serde_json::Value; 0]);
}
